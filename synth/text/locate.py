"""Where a quotation stands in a text, although it was not copied quite exactly."""

from __future__ import annotations

import re
from functools import lru_cache

from synth.text.markup import Plain, plain
from synth.text.normalise import fold_width, to_simplified

_LOOKED_IN = 1024
"""Parts of texts that are kept as they were looked in."""

_IN_WORD = re.compile(r"[^\W\u2e80-\u9fff]")


def locate(quote: str, text: str, start: int = 0, end: int | None = None, *, markdown: bool) -> tuple[int, int] | None:
    """Offsets in `text` of the first place, between `start` and `end`, that says `quote`.

    Markup, white space, punctuation, case, width and script may differ; letters, digits and their
    order may not. None when the quotation is not there, or has no letter or digit.
    """
    body, folded = _looked_in(text, start, end, markdown)
    wanted = fold(plain(quote, markdown=markdown).text)
    found = folded.find(wanted)
    if not wanted or found < 0:
        return None
    places = fold_places(body.text)
    return body.origin(places[found], places[found + len(wanted) - 1] + 1)


@lru_cache(maxsize=_LOOKED_IN)
def _looked_in(text: str, start: int, end: int | None, markdown: bool) -> tuple[Plain, str]:
    """Part of a text without its markup, and that folded: a passage is looked in for many quotations."""
    body = plain(text, start, end, markdown=markdown)
    return body, fold(body.text)


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` cuts no word and no number in two; Chinese has no edges."""
    return not (_joined(text, start) or _joined(text, end))


def _joined(text: str, at: int) -> bool:
    return 0 < at < len(text) and bool(_IN_WORD.match(text[at - 1]) and _IN_WORD.match(text[at]))


def fold(text: str) -> str:
    """The letters and digits of `text` as they are compared: width, case and script aside."""
    return "".join(map(_letters, text))


def fold_places(text: str) -> list[int]:
    """For each character of `fold(text)` the offset in `text` that it came from."""
    return [i for i, char in enumerate(text) for _ in _letters(char)]


@lru_cache(maxsize=1 << 16)
def _letters(char: str) -> str:
    return "".join(filter(str.isalnum, to_simplified(fold_width(char)).casefold()))
