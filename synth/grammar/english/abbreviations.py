"""Abbreviations whose letters are the initials of the words beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synth.grammar.english.lexicon import word_set

_SHORT = re.compile(r" \((?P<short>[A-Z]{3,7})\)")
_LISTED = re.compile(r"(?P<short>[A-Z]{3,7})(?: [-–—]|:) (?P<words>[^.,:;()]+?)(?:[.,] .*|\.)?", re.DOTALL)
_PASSED_OVER = word_set("of the and for on to in a an with at by")
_JOINT = re.compile(r"[ -]?|,? | & ")
_POSSESSIVE = re.compile(r"^of \w+['’]s\b")
"""Of "the Department of Treasury's Executive Institute (TEI)" the possessive belongs to the words before it."""

_WORD = re.compile(r"[A-Za-z][\w'’]*")


def abbreviations(text: str) -> Iterator[tuple[str, str]]:
    """Abbreviations and their words: NFB and Northern Ferry Board of "the Northern Ferry Board (NFB)"."""
    listed = _LISTED.fullmatch(text)
    spelt = [(match["short"], text[: match.start()]) for match in _SHORT.finditer(text)]
    for short, before in [(listed["short"], listed["words"])] if listed else spelt:
        words = _spelt_out(before, short)
        if words:
            yield short, words


def _spelt_out(before: str, short: str) -> str:
    """The last words of `before` whose initials are `short`, but for small words; "" if none are."""
    words = list(_WORD.finditer(before))
    if not words or before[words[-1].end() :]:
        return ""
    letters = list(short.casefold())
    start = len(before)
    while letters and words:
        word = words.pop()
        if not _JOINT.fullmatch(before, word.end(), start):
            return ""
        start = word.start()
        if word.group() in _PASSED_OVER:
            continue
        if word.group()[0].casefold() != letters.pop():
            return ""
    return before[start:] if not letters and not _POSSESSIVE.match(before[max(0, start - 3) :]) else ""
