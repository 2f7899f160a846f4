"""Cuts of text that has no better boundary, such as a very long sentence.

A cut is never inside a visible character, and inside a word or link only if there is no other place.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator

from synth.text.markup import inline_spans
from synth.text.tokens import TokenIndex

_CLAUSE = re.compile(r"[，、；：。！？,;:.!?][”’」』）)\]\"']*(?:\s+|(?<![,;:.!?\"')\]]))|\n+")
_GAP = re.compile(r"\s+")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f\u20e3")
_NEAR = 500
_INLINE_OPENER = re.compile(r"[\[`<&\\{]")


def splits_character(text: str, place: int) -> bool:
    """Whether a cut before `text[place]` would split a visible character, such as a letter and its accent."""
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if after < "\u0300" or before.isspace():
        return before == "\r" and after == "\n"
    if after in _JOINERS or before == "\u200d" or unicodedata.category(after).startswith("M"):
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f" or "\u1160" <= after <= "\u11ff":
        return True
    if "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff":
        return True
    return _is_regional(after) and _flags_before(text, place) % 2 == 1


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flags_before(text: str, place: int) -> int:
    count = 0
    while place > count and _is_regional(text[place - count - 1]):
        count += 1
    return count


def _splits_word(text: str, place: int) -> bool:
    before, after = text[place - 1], text[place : place + 1]
    return before.isalnum() and after.isalnum() and before < "\u2e80" and after < "\u2e80"


def whole_from(text: str, place: int, low: int) -> int:
    """Return the last offset, after `low` and up to `place`, at which a cut splits no link, table row or word.

    If there is no such offset, return the last offset in this range at which a cut splits no character. If every
    cut in the range splits a character, return the first offset after `place` that splits none.
    """
    if place >= len(text):
        return len(text)
    best = _out_of_spans(text, place, low)
    while best > low and (splits_character(text, best) or _splits_word(text, best)):
        best -= 1
    if best <= low or _out_of_spans(text, best, low) != best:
        best = place
        while best > low and splits_character(text, best):
            best -= 1
    if best <= low:
        best = place
        while best < len(text) and splits_character(text, best):
            best += 1
    return best


def _out_of_spans(text: str, place: int, low: int) -> int:
    """Return the start of the table row or inline markup around `place` if that start is after `low`, else `place`."""
    line_start = text.rfind("\n", max(0, place - _NEAR), place) + 1
    line_start = line_start or max(0, place - _NEAR)
    line_end = text.find("\n", place, place + _NEAR)
    line_end = min(len(text), place + _NEAR) if line_end < 0 else line_end
    if line_start > low and text[line_start:line_end].lstrip().startswith("|"):
        return line_start
    if not _INLINE_OPENER.search(text, line_start, place):
        return place
    for start, end in inline_spans(text, line_start, line_end):
        if start < place < end and start > low:
            return start
    return place


def furthest(tokens: TokenIndex, start: int, end: int, limit: int) -> int:
    """Return the end of the longest part from `start` up to `end` at most that has at most `limit` tokens.

    The part has at least one character, even if this exceeds the limit.
    """
    reach = range(start + 1, min(end, start + 4 * limit + 4) + 1)
    return max(start + 1, start + bisect_right(reach, limit, key=lambda place: tokens.count(start, place)))


def cuts(text: str, start: int, end: int, limit: int, tokens: TokenIndex) -> Iterator[int]:
    """Yield places that cut `start:end` into parts of at most `limit` tokens.

    Cuts are made in the second half of the longest possible part: after its last clause, or else at its last space, or
    else as late as possible.
    """
    while tokens.count(start, end) > limit:
        last = furthest(tokens, start, end, limit)
        place = _at_clause(text, start, last)
        if not start < place < end:
            return
        yield place
        start = place


def _at_clause(text: str, start: int, last: int) -> int:
    half = start + (last - start) // 2
    for pattern in (_CLAUSE, _GAP):
        ends = [half + match.end() for match in pattern.finditer(text[half:last])]
        for place in reversed(ends):
            if half < place <= last and whole_from(text, place, start) == place:
                return place
    return whole_from(text, last, start)
