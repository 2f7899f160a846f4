"""Where a quotation stands in a text, although it was not copied quite exactly."""

from __future__ import annotations

import re

from synth.text.markup import plain
from synth.text.normalise import fold_width, to_simplified

_IN_WORD = re.compile(r"[^\W\u2e80-\u9fff]")


def locate(quote: str, text: str, start: int = 0, end: int | None = None, *, markdown: bool) -> tuple[int, int] | None:
    """Offsets in `text` of the first place, between `start` and `end`, that says `quote`.

    Markup, white space, punctuation, case, width and script may differ; letters, digits and their
    order may not. None when the quotation is not there, or has no letter or digit.
    """
    body = plain(text, start, end, markdown=markdown)
    folded, places = _fold(body.text)
    wanted, _ = _fold(plain(quote, markdown=markdown).text)
    if not wanted:
        return None
    found = folded.find(wanted)
    if found < 0:
        return None
    return body.origin(places[found], places[found + len(wanted) - 1] + 1)


def is_whole(text: str, start: int, end: int) -> bool:
    """Whether `text[start:end]` cuts no word and no number in two; Chinese has no edges."""
    return not (_joined(text, start) or _joined(text, end))


def _joined(text: str, at: int) -> bool:
    return 0 < at < len(text) and bool(_IN_WORD.match(text[at - 1]) and _IN_WORD.match(text[at]))


def _fold(text: str) -> tuple[str, list[int]]:
    """The letters and digits of `text` as they are compared, and where each came from."""
    chars: list[str] = []
    places: list[int] = []
    for i, char in enumerate(text):
        for folded in to_simplified(fold_width(char)).casefold():
            if folded.isalnum():
                chars.append(folded)
                places.append(i)
    return "".join(chars), places
