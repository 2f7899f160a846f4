"""Changes of lists and tables: items added or removed, and cells with another value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Protocol

from synth.generation.matching.agreement import says_yes
from synth.text.normalise import normalise
from synth.text.numerals import CHINESE_NUMERALS, ENGLISH_WORDS, read_arabic, read_chinese, read_english

FEWEST_ITEMS = 2
"""Minimum number of items of a list."""

_ITEM = re.compile(r"[^\S\n]*(?:[*+-]|\d{1,3}[.)])[^\S\n]+(?P<text>\S.*)")
_CELLS = re.compile(r"(?<!\\)\|")
_SEPARATOR_ROW = re.compile(r"[\s|:-]+")
_ARABIC = re.compile(r"(?<![\w.])(?<!\d,)\d+(?:,\d+)*(?:\.\d+)?", re.ASCII)
_CHINESE = re.compile(rf"[{CHINESE_NUMERALS}兩萬億]+")
_ENGLISH = re.compile(ENGLISH_WORDS, re.IGNORECASE)


class StatementChange(Protocol):
    """Comparison of the old and the new version of a statement. `likeness` is from 0 to 1."""

    @property
    def likeness(self) -> float: ...

    @property
    def changes(self) -> list[tuple[str, str]]:
        """Old words and new words of each change."""
        ...

    def counterpart(self, answer: str) -> str | None:
        """Return the answer according to the new version, or None if it is uncertain."""
        ...

    def misfit(self, question: str, answers: Iterable[str], language: str) -> str:
        """Return the reason why a question does not fit the new version, or ""."""
        ...


def numbers_in(text: str) -> frozenset[Decimal]:
    """Return the values of the numbers in a text: digits, English number words and Chinese numerals.

    The English "one" is left out, since it is seldom a number. So are Chinese numerals for zero and one, since they are
    parts of many words.
    """
    digits = {read_arabic(match.group()) for match in _ARABIC.finditer(text)}
    english = {read_english(match.group()) for match in _ENGLISH.finditer(text)} - {1}
    chinese = {read_chinese(match.group()) for match in _CHINESE.finditer(text)} - {0, 1}
    return frozenset(value for value in digits | english | chinese if value is not None)


def list_items(text: str) -> tuple[str, ...]:
    """Return the items of a list without their markers, or () if the text is not a list of at least `FEWEST_ITEMS`."""
    items: list[str] = []
    for line in text.strip("\n").split("\n"):
        if match := _ITEM.fullmatch(line):
            items.append(match["text"].strip())
        elif items and line[:1].isspace() and line.strip():
            items[-1] += f" {line.strip()}"
        else:
            return ()
    return tuple(items) if len(items) >= FEWEST_ITEMS else ()


def list_span(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the span of a list at the end of the paragraph `start:end`, or None if the paragraph ends with no list."""
    at = start
    while at < end:
        if list_items(text[at:end]):
            return at, end
        line_end = text.find("\n", at, end)
        at = end if line_end < 0 else line_end + 1
    return None


def row_cells(text: str) -> tuple[str, ...]:
    """Return the cells of one row of a Markdown table, or () if the text is not such a row."""
    line = text.strip()
    if "\n" in line or not line.startswith("|") or not line.endswith("|") or _SEPARATOR_ROW.fullmatch(line):
        return ()
    cells = tuple(cell.strip() for cell in _CELLS.split(line[1:-1]))
    return cells if len(cells) > 1 else ()


@dataclass(frozen=True, slots=True)
class ListChange:
    """Change of the number of items in a list, with its `old` and `new` items."""

    old: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def likeness(self) -> float:
        new = set(map(normalise, self.new))
        shared = sum(normalise(item) in new for item in self.old)
        return 2 * shared / (len(self.old) + len(self.new))

    @property
    def changes(self) -> list[tuple[str, str]]:
        return [(f"{len(self.old)} items", f"{len(self.new)} items")]

    def counterpart(self, answer: str) -> str | None:
        """Return the answer according to the new list, or None if it is uncertain.

        An answer that names all old items gets all new items, with the same separator. An answer that gives their
        number in digits gets the new number. An answer that is one of the remaining items stays.
        """
        if len(numbers := numbers_in(answer)) == 1 and Decimal(len(self.old)) in numbers:
            return _ARABIC.sub(str(len(self.new)), answer) if _ARABIC.search(answer) else None
        if normalise(answer) in set(map(normalise, self.new)):
            return answer
        return self._all_items(answer)

    def _all_items(self, answer: str) -> str | None:
        """Return all new items if the answer names all old items, or None for any other answer."""
        places, at = [], 0
        for item in self.old:
            found = answer.find(item, at)
            if found < 0:
                return None
            places.append((found, found + len(item)))
            at = found + len(item)
        gaps = [answer[end:start] for (_, end), (start, _) in pairwise(places)]
        joined = self.new[0] if len(self.new) == 1 else gaps[0].join(self.new[:-1]) + gaps[-1] + self.new[-1]
        return answer[: places[0][0]] + joined + answer[places[-1][1] :] if len(set(gaps[:-1])) < 2 else None

    def misfit(self, question: str, answers: Iterable[str], language: str) -> str:
        before, now = Decimal(len(self.old)), Decimal(len(self.new))
        numbers = numbers_in(question)
        if before in numbers and now not in numbers:
            return f"the question speaks of {before}, and the list has {now} items now"
        return ""


@dataclass(frozen=True, slots=True)
class RowChange:
    """Change of the values in a table row whose first cell is the same, with its `old` and `new` cells."""

    old: tuple[str, ...]
    new: tuple[str, ...]

    @property
    def likeness(self) -> float:
        return 1.0 if self.old == self.new else 0.99

    @property
    def changes(self) -> list[tuple[str, str]]:
        return [(old, new) for old, new in zip(self.old, self.new, strict=True) if old != new]

    def counterpart(self, answer: str) -> str | None:
        """Return the answer with the new value of its cell, or None if the cell is uncertain."""
        if not self.changes:
            return answer
        if says_yes(answer) is not None:
            return None
        pairs = list(zip(self.old, self.new, strict=True))
        cells = {new for old, new in pairs if normalise(old) == normalise(answer)}
        if cells:
            return cells.pop() if len(cells) == 1 else None
        inside = [(old, new) for old, new in self.changes if old and old in answer]
        if len(inside) == 1 and answer.count(inside[0][0]) == 1 and inside[0][1]:
            return answer.replace(*inside[0])
        return None if inside or len(self.changes) == len(pairs) - 1 else answer

    def misfit(self, question: str, answers: Iterable[str], language: str) -> str:
        answered = set(map(normalise, answers))
        asked = normalise(question)
        for old, _ in self.changes:
            if (cell := normalise(old)) and cell in asked and cell not in answered:
                return f"the text no longer contains '{old}', which the question asks about"
        return ""


def same_row(old: Sequence[str], new: Sequence[str]) -> bool:
    """Return whether two rows of a table have the same first cell and the same number of cells."""
    return len(old) == len(new) > 1 and normalise(old[0]) == normalise(new[0]) != ""


@dataclass(frozen=True, slots=True)
class TableChange:
    """Change of several rows of a table. The new answer is uncertain."""

    likeness: float

    @property
    def changes(self) -> list[tuple[str, str]]:
        return [("rows of the table", "other rows")]

    def counterpart(self, answer: str) -> str | None:
        return None

    def misfit(self, question: str, answers: Iterable[str], language: str) -> str:
        return ""
