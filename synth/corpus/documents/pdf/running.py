"""Running headers and footers: lines that recur at the edges of many pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
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
_PAGE_NUMBER = re.compile(
    r"(?:page\s*)?[-–—]?\s*(?:(?:[a-z]{1,4}|\d{1,2})[-–—])*(?:\d{1,4}|[ivxlc]{1,6})\s*[-–—]?(?:\s*(?:/|of)\s*\d{1,4})?",
    re.I,
)
"""A page number, perhaps with its part of the document: "Page 3 of 9", "F-12", "A-2-4"."""
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def without_running_lines(pages: Sequence[list[Line]]) -> list[list[Line]]:
    """Return the lines of each page without page numbers and without repeated headers and footers.

    A line is removed if the same words recur at the edge of many pages. The numbers in these lines must be equal too,
    except a page number. The first of these lines is kept, unless it is only a page number. Where all lines at an edge
    are removed, the next lines are removed if they recur with the same numbers.
    """
    edges = [_edges(lines) for lines in pages]
    seen: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for number, lines in enumerate(edges):
        for line in lines:
            seen[_pattern(line.text)].append((number, line.text))
    result = _without(pages, edges, set(), _page_counts(seen, len(pages)))
    while any(peeled := [_is_peeled(*each) for each in zip(pages, result, strict=True)]):
        pages = result
        edges = [_edges(lines) if is_peeled else [] for lines, is_peeled in zip(pages, peeled, strict=True)]
        result = _without(pages, edges, {_pattern(line.text) for line in pages[0]}, frozenset())
    return result


def _without(
    pages: Sequence[list[Line]],
    edges: Sequence[list[Line]],
    kept_once: set[str],
    counted: Collection[tuple[int, str]],
) -> list[list[Line]]:
    """Return the lines of each page without those of its `edges` that recur, or that are `counted` page numbers.

    The first line of a pattern is kept, unless the pattern is in `kept_once`.
    """
    same = Counter(text for lines in edges for text in {line.text for line in lines})
    least = max(_LEAST_PAGES, int(_LEAST_SHARE * len(pages)))
    result = []
    for number, lines in enumerate(pages):
        at_edge = {id(line) for line in edges[number]}
        kept = []
        for line in lines:
            text = line.text
            pattern = _pattern(text)
            if id(line) in at_edge and ((number, text) in counted or same[text] >= least):
                if pattern in kept_once or ((number, text) in counted and _PAGE_NUMBER.fullmatch(text)):
                    continue
                kept_once.add(pattern)
            kept.append(line)
        result.append(kept)
    return result


def _is_peeled(before: Sequence[Line], after: Sequence[Line]) -> bool:
    """Return whether all lines at the top or at the bottom of a page were removed, and others are left."""
    left = {id(line) for line in after}
    return bool(left) and any(
        len(edge) == _EDGE and all(id(line) not in left for line in edge) for edge in (before[:_EDGE], before[-_EDGE:])
    )


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


def _page_counts(seen: Mapping[str, Sequence[tuple[int, str]]], pages: int) -> set[tuple[int, str]]:
    """Return the lines, as page and text, whose number counts the pages.

    Such a line is only a page number, or it or its numbering recurs on many pages. Each part of a document may have a
    numbering of its own.
    """
    least = max(min(_LEAST_PAGES, pages), int(_LEAST_SHARE * pages), 2)
    runs = {pattern: _runs(places, pages) for pattern, places in seen.items()}
    numbered: dict[int, set[int]] = defaultdict(set)
    for shift, run in (each for found in runs.values() for each in found):
        numbered[shift].update(page for page, _ in run)
    result: set[tuple[int, str]] = set()
    for pattern, places in seen.items():
        lines = {line for _, run in runs[pattern] for line in run}
        is_header = len(lines) >= max(least, 0.8 * len(places))
        # A number alone, outside the numbering, may be a value.
        result.update(line for line in places if is_header and not line[1].isdecimal())
        for shift, run in runs[pattern]:
            is_common = is_header or len(numbered[shift]) >= least
            result.update(line for line in run if is_common or _PAGE_NUMBER.fullmatch(line[1]))
    return result


def _runs(places: Sequence[tuple[int, str]], pages: int) -> list[tuple[int, set[tuple[int, str]]]]:
    """Return lines of one pattern that differ in one number only, which grows by one from page to page.

    Each set of lines stands behind the difference of its numbers and page indices.
    """
    runs: dict[tuple[int, tuple[int, ...], int], set[tuple[int, str]]] = defaultdict(set)
    for page, text in places:
        values = [_value(number) for number in _NUMBER.findall(text)]
        for column, value in enumerate(values):
            runs[column, tuple(values[:column] + values[column + 1 :]), value - page].add((page, text))
    least = max(2, min(_LEAST_PAGES, pages))
    # With two pages, the numbers must be 1 and 2.
    return [
        (shift, run)
        for (_, _, shift), run in runs.items()
        if len({page for page, _ in run}) >= least and (pages > 2 or shift == 1)
    ]


def _value(number: str) -> int:
    if number.isdecimal():
        return int(number)
    digits = [_ROMAN[letter] for letter in number.casefold()]
    return sum(-a if a < b else a for a, b in zip(digits, [*digits[1:], 0], strict=True))
