"""Outlines of documents. An outline consists of a fingerprint (a short hash) of each paragraph.

Outlines of two corpora show which paragraphs are new, without a copy of the earlier text.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from typing import TypeAlias

Outline: TypeAlias = tuple[str, str, str]
"""Id of a document, hash of its content, and outline of its text."""

WIDTH = 8
"""Hexadecimal digits of a fingerprint.

If 100,000 paragraphs are known, one in 40,000 new paragraphs is wrongly taken for a known one.
"""

LONG = 2000
"""Maximum characters of a paragraph. A longer one, such as a table, is split into its lines."""

_GAP = re.compile(r"\n[^\S\n]*\n\s*|\n(?=[^\S\n]*#{1,6}[^\S\n])|(?<=\n)(?=```|~~~)")
_HEADING = re.compile(r"[^\S\n]*#{1,6}[^\S\n][^\n]*\n")


def outline(text: str) -> str:
    """Return the concatenated fingerprints of the paragraphs of a text."""
    return "".join(fingerprint(text[start:end]) for start, end in paragraphs(text))


def fingerprints(outline: str) -> frozenset[str]:
    """Return the set of fingerprints in an outline."""
    return frozenset(outline[at : at + WIDTH] for at in range(0, len(outline), WIDTH))


def fingerprint(paragraph: str) -> str:
    """Return the hash of a paragraph; white space is ignored."""
    letters = "".join(paragraph.split()).encode("utf-8", "surrogatepass")
    return hashlib.blake2b(letters, digest_size=WIDTH // 2).hexdigest()


def paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Yield (start, end) of each paragraph, without surrounding white space. A heading is a paragraph of its own."""
    start = 0
    for stop, after in [*((match.start(), match.end()) for match in _GAP.finditer(text)), (len(text), len(text))]:
        heading = _HEADING.match(text, start, stop)
        if heading:
            yield from _trimmed(text, start, heading.end())
            start = heading.end()
        yield from _lines(text, start, stop) if stop - start > LONG else _trimmed(text, start, stop)
        start = after


def _lines(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    while start < stop:
        end = text.find("\n", start, stop)
        end = stop if end < 0 else end
        yield from _trimmed(text, start, end)
        start = end + 1


def _trimmed(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    body = text[start:stop]
    left = len(body) - len(body.lstrip())
    if body.strip():
        yield start + left, start + len(body.rstrip())
