"""Columns of text: the regions of a page in reading order.

Between two columns is a gutter, a vertical strip that no line crosses.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from synth.corpus.documents.pdf.glyphs import Word
from synth.corpus.documents.pdf.lines import Line, lines_of

_LEAST_LINES = 3
"""Minimum lines of text on either side of a gutter."""
_NUMERIC = re.compile(r"[$€£¥(]*[.,]*+\d[\d.,]*+[%)]*|[$€£¥—–-]+")
_MOST_NUMERIC = 0.25
"""Maximum share of numbers among the words of a text column. Columns of tables contain more."""
_FILLED = 0.55
"""Minimum median width of the lines in a text column, as a share of the column's width."""
_FILLED_IN_TURN = 0.3
"""As `_FILLED`, for text in which at least a quarter of the lines begin in lower case."""
_MOST_DEPTH = 4


def regions(lines: Sequence[Line], depth: int = 0) -> list[list[Line]]:
    """Return the lines of each region of text, in reading order.

    Columns are read from left to right. A line across the page separates the columns above it from those below.
    """
    if depth == _MOST_DEPTH or len(lines) < 2 * _LEAST_LINES:
        return [list(lines)] if lines else []
    for gutter in _gutters(lines):
        for first, last in _bands(lines, gutter):
            left, right = _sides(lines[first:last], gutter)
            if _are_columns(left, right):
                return [
                    *regions(lines[:first], depth + 1),
                    *regions(lines_of(left), depth + 1),
                    *regions(lines_of(right), depth + 1),
                    *regions(lines[last:], depth + 1),
                ]
    return [list(lines)]


def _gutters(lines: Sequence[Line]) -> list[float]:
    """Return up to three x positions of possible gutters, first those at which most lines have a gap."""
    start, end = min(line.x0 for line in lines), max(line.x1 for line in lines)
    width = int(end - start) + 1
    free = [0] * (width + 1)
    for line in lines:
        gap = max(6.0, 0.8 * line.size)
        before = line.words[0]
        for word in line.words[1:]:
            if word.x0 - before.x1 >= gap:
                for place in range(int(before.x1 - start) + 1, min(width, int(word.x0 - start)) + 1):
                    free[place] += 1
            before = word if word.x1 > before.x1 else before
    middle = range(int(0.15 * width), int(0.85 * width))
    best: list[int] = []
    for place in sorted(middle, key=lambda place: -free[place]):
        if free[place] < _LEAST_LINES or len(best) == 3:
            break
        if all(abs(place - other) > 0.1 * width for other in best):
            best.append(_centre(free, place))
    return [start + place for place in best]


def _centre(free: Sequence[int], place: int) -> int:
    """Return the middle of the strip that starts at `place` and in which the same number of lines have a gap."""
    last = place
    while last + 1 < len(free) and free[last + 1] == free[place]:
        last += 1
    return (place + last) // 2


def _bands(lines: Sequence[Line], gutter: float) -> list[tuple[int, int]]:
    """Return ranges of lines (first, end) in which no line crosses the gutter, longest range first."""
    bands, first = [], 0
    for index, line in enumerate([*lines, None]):
        if line is None or any(word.x0 < gutter < word.x1 for word in line.words) or _runs_across(line, gutter):
            if index - first >= _LEAST_LINES:
                bands.append((first, index))
            first = index + 1
    return sorted(bands, key=lambda band: band[0] - band[1])


def _runs_across(line: Line, gutter: float) -> bool:
    """Whether the words on both sides of the gutter are so close that they belong to one line of text."""
    left = [word.x1 for word in line.words if word.x1 <= gutter]
    right = [word.x0 for word in line.words if word.x0 >= gutter]
    return bool(left and right) and min(right) - max(left) < 0.6 * line.size


def _sides(lines: Sequence[Line], gutter: float) -> tuple[list[Word], list[Word]]:
    words = [word for line in lines for word in line.words]
    return [word for word in words if word.x1 <= gutter], [word for word in words if word.x0 >= gutter]


def _are_columns(left: Sequence[Word], right: Sequence[Word]) -> bool:
    """Whether both sides are columns of text rather than cells of a table."""
    if not left or not right:
        return False
    if min(word.x0 for word in right) - max(word.x1 for word in left) < 0.8 * median(word.size for word in left):
        return False
    return all(_is_prose(side) for side in (left, right))


def _is_prose(words: Sequence[Word]) -> bool:
    numeric = sum(bool(_NUMERIC.fullmatch(word.text)) for word in words)
    if numeric > _MOST_NUMERIC * len(words):
        return False
    lines = lines_of(words)
    if len(lines) < _LEAST_LINES:
        return False
    start, end = min(line.x0 for line in lines), max(line.x1 for line in lines)
    filled = median((line.x1 - line.x0) / max(end - start, 1) for line in lines)
    goes_on = sum(line.text[:1].islower() for line in lines[1:])
    return filled >= (_FILLED_IN_TURN if goes_on >= 0.25 * len(lines) else _FILLED)
