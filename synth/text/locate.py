"""Locate a quotation in a text, even if it is not an exact copy."""

from __future__ import annotations

import re
from functools import lru_cache

from synth.text.markup import Plain, plain
from synth.text.normalise import fold_width, to_simplified

_CACHED = 8192
"""Number of folded quotations and text parts kept in each cache."""
_CACHED_PLAIN = 256
"""Number of text parts cached with an offset per character, which takes about 80 bytes a character."""

_IN_WORD = re.compile(r"[^\W\u2e80-\u9fff]")


def locate(quote: str, text: str, start: int = 0, end: int | None = None, *, markdown: bool) -> tuple[int, int] | None:
    """Return the offsets of the first occurrence of `quote` in `text` between `start` and `end`.

    Markup, white space, punctuation, case, width and script may differ; letters and digits must occur in the same
    order. None if the quotation does not occur, or contains no letter or digit.
    """
    folded_quote = _folded_quote(quote, markdown)
    at = _folded_part(text, start, end, markdown).find(folded_quote)
    if not folded_quote or at < 0:
        return None
    body = _plain_part(text, start, end, markdown)
    places = fold_places(body.text)
    return body.origin(places[at], places[at + len(folded_quote) - 1] + 1)


@lru_cache(maxsize=_CACHED)
def _folded_quote(quote: str, markdown: bool) -> str:
    """Return the folded form of a quotation; cached because one quotation is searched for in many passages."""
    return fold(plain(quote, markdown=markdown).text)


@lru_cache(maxsize=_CACHED)
def _folded_part(text: str, start: int, end: int | None, markdown: bool) -> str:
    """Return the folded form of a part of a text; cached because one passage is searched for many quotations."""
    return fold(_plain_part(text, start, end, markdown).text)


@lru_cache(maxsize=_CACHED_PLAIN)
def _plain_part(text: str, start: int, end: int | None, markdown: bool) -> Plain:
    return plain(text, start, end, markdown=markdown)


def is_whole(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` starts and ends at word boundaries.

    In Chinese, every offset counts as a word boundary.
    """
    return not (_joined(text, start) or _joined(text, end))


def _joined(text: str, at: int) -> bool:
    return 0 < at < len(text) and bool(_IN_WORD.match(text[at - 1]) and _IN_WORD.match(text[at]))


def fold(text: str) -> str:
    """Return the letters and digits of `text`, with width, case and script normalised."""
    return "".join(map(_letters, text))


def fold_places(text: str) -> list[int]:
    """Return, for each character of `fold(text)`, its offset in `text`."""
    return [i for i, char in enumerate(text) for _ in _letters(char)]


@lru_cache(maxsize=1 << 16)
def _letters(char: str) -> str:
    return "".join(filter(str.isalnum, to_simplified(fold_width(char)).casefold()))
