"""What a Chinese word can be said as, and where: an entry, and tables of those that hold everywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """A word, what may stand for it in the same sentence, and what must or must not stand around it.

    `before` and `after` are looked for in the clause left and right of the word, the two others must not be there.
    """

    word: str
    ways: tuple[str, ...]
    before: re.Pattern[str] | None = None
    after: re.Pattern[str] | None = None
    not_before: re.Pattern[str] | None = None
    not_after: re.Pattern[str] | None = None

    def fits(self, left: str, right: str) -> bool:
        """Whether the clause allows it: `left` and `right` are what stands before and after the word."""
        return (
            (self.before is None or bool(self.before.search(left)))
            and (self.after is None or bool(self.after.search(right)))
            and (self.not_before is None or not self.not_before.search(left))
            and (self.not_after is None or not self.not_after.search(right))
        )


def entry(
    word: str, ways: str, *, before: str = "", after: str = "", not_before: str = "", not_after: str = ""
) -> Entry:
    """An entry from patterns as text and ways with spaces between."""
    patterns = [re.compile(text) if text else None for text in (before, after, not_before, not_after)]
    return Entry(word, tuple(ways.split()), *patterns)


def table(text: str) -> Iterator[Entry]:
    """The entries of a table: a line each, the word first, then its ways."""
    for line in text.strip().splitlines():
        word, *ways = line.split()
        yield Entry(word, tuple(ways))
