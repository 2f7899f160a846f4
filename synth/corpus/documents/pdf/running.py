"""Running headers and footers: lines that recur at the edges of many pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import median

from synth.corpus.documents.pdf.lines import Line

_EDGE = 3
"""Number of lines at the top and at the bottom of a page that may be headers or footers."""
_SMALLER = 0.95
"""Maximum size of a header or footer that ends like a sentence, as a share of the text size. Larger ones are text."""
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’」』)）\]]*$")
_LEAST_PAGES = 3
_LEAST_SHARE = 0.3
"""Minimum share of pages with the same header or footer. It is below half, as left and right pages may differ."""
_NUMBER = re.compile(r"\d+|(?<![^\W_])[ivxlc]+(?![^\W_])", re.I)
_PAGE_NUMBER = re.compile(r"(?:page\s*)?[-–—]?\s*(?:\d{1,4}|[ivxlc]{1,6})\s*[-–—]?(?:\s*(?:/|of)\s*\d{1,4})?", re.I)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def without_running_lines(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """Return the lines of each page without page numbers and without repeated headers and footers.

    A line is removed if the same words recur at the edge of many pages. The numbers in these lines must be equal too,
    except a page number. The first of these lines is kept, unless it is only a page number.
    """
    seen: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for line in _edges(lines):
            seen[_pattern(line.text)].append((number, line.text))
    counted = {pattern for pattern, places in seen.items() if _counts_pages(places, len(pages))}
    same = Counter(text for places in seen.values() for _, text in dict.fromkeys(places))
    least = max(_LEAST_PAGES, int(_LEAST_SHARE * len(pages)))
    kept_once: set[str] = set()
    result = []
    for lines in pages:
        edges = {id(line) for line in _edges(lines)}
        kept = []
        for line in lines:
            text = line.text
            pattern = _pattern(text)
            if id(line) in edges and (pattern in counted or same[text] >= least):
                if pattern in kept_once or (pattern in counted and _PAGE_NUMBER.fullmatch(text)):
                    continue
                kept_once.add(pattern)
            kept.append(line)
        result.append(kept)
    return result


def _edges(lines: Sequence[Line]) -> list[Line]:
    if not lines:
        return []
    size = median(line.size for line in lines)
    return [
        line
        for line in (*lines[:_EDGE], *lines[max(_EDGE, len(lines) - _EDGE) :])
        if line.size < _SMALLER * size or not _SENTENCE_END.search(line.text)
    ]


def _pattern(text: str) -> str:
    return _NUMBER.sub("#", text)


def _counts_pages(places: Sequence[tuple[int, str]], pages: int) -> bool:
    """Whether lines of one pattern differ only in one number, which grows by one from page to page."""
    if len(places) < max(min(_LEAST_PAGES, pages), int(_LEAST_SHARE * pages), 2):
        return False
    numbers = [(page, [_value(number) for number in _NUMBER.findall(text)]) for page, text in places]
    shifts: Counter[int] = Counter()
    for column in range(len(numbers[0][1])):
        others = {tuple(values[:column] + values[column + 1 :]) for _, values in numbers}
        if len(others) == 1:
            shifts.update(values[column] - page for page, values in numbers)
    # With two pages, the numbers must be 1 and 2.
    if pages == 2:
        return shifts[1] == 2
    return bool(shifts) and max(shifts.values()) >= 0.8 * len(places)


def _value(number: str) -> int:
    if number.isdecimal():
        return int(number)
    digits = [_ROMAN[letter] for letter in number.casefold()]
    return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))
