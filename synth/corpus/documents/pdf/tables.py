"""Tables of numbers without ruling lines. Rows are lines of text; numbers with a common right edge form a column."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

from synth.corpus.documents.pdf.glyphs import Word
from synth.corpus.documents.pdf.lines import Line, text_of

_NUMBER = re.compile(
    r"[(\-−–—+]?\s*(?:[$€£¥]|US\$|RMB)?\s*\(?(?:\d[\d,.]*\d|\d)\s*[%)x*]{0,2}[¹²³⁴⁵⁶⁷⁸⁹⁽⁾]*|[—–-]+\s?%?|N/?[AM]|\*+",
    re.I,
)
_MEASURED = re.compile(
    rf"(?:{_NUMBER.pattern})(?:\s?(?:[–—-]|to)\s?(?:{_NUMBER.pattern}))?(?:\s?(?:years?|pp|ppt))?", re.I
)
"""A value of a row: a number, perhaps with a unit, or a range. Headers have this form too ("2021-2025", "5 years")."""
_YEAR = re.compile(r"(?:19|20)\d\d")
_OPENING = re.compile(r"[$€£¥(]+|US\$|RMB")
_CLOSING = re.compile(r"[)%]+|pts?\.?|bps|x")
_LEAST_ROWS = 3
_LEAST_HEADED_ROWS = 2
"""Minimum rows of a table whose header covers two or more columns. A row of years counts as one of them."""
_MOST_BETWEEN = 4
"""Maximum lines without numbers between two rows of one table, such as subheadings."""
_MOST_HEADER = 5
_HEADER_GAP = 1.8
_UNIT_GAP = 4.5
"""Maximum gaps below a line of the header and below a line that names the unit, as multiples of its font size."""
_OPEN_BRACKET = re.compile(r"[(（][^)）]*$")
"""End of a line whose sentence ends in the next line: "as follows (in", and then "millions):"."""
_LONGEST_UNIT = 80
"""Maximum characters of a line that names the unit of a table."""


@dataclass(slots=True)
class WordGroup:
    """Adjacent words of a line: a label, or a number with its currency sign and brackets."""

    text: str
    x0: float
    x1: float
    is_number: bool = False
    words: list[Word] = field(default_factory=list)


@dataclass(slots=True)
class _Column:
    """A column of numbers: its left edge, its right edge, and how many numbers it contains."""

    left: float
    right: float
    count: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """A table made of the lines from `first` up to, but excluding, `last` of a region. The first row is the header."""

    first: int
    last: int
    rows: tuple[tuple[str, ...], ...]


def tables(lines: Sequence[Line]) -> list[Table]:
    """Return the tables of numbers among the lines of a region, from top to bottom."""
    cells = [_cells(line) for line in lines]
    found: list[Table] = []
    width = max((line.x1 for line in lines), default=0) - min((line.x0 for line in lines), default=0)
    groups = _groups(lines, cells, width)
    for before, group in zip([[-1], *groups], groups, strict=False):
        by_years = all(_YEAR.fullmatch(number.text) for number in _numbers(cells[group[0]]))
        columns = _columns([cells[index] for index in group], lines[group[0]].size)
        if not columns:
            continue
        for index in group:
            cells[index] = _apart(cells[index], columns, lines[index].size)
        left = min(column.left for column in columns)
        first = _header_start(lines, cells, group[0], left, before[-1] + 1)
        is_headed = len(columns) > 1 and (by_years or first < group[0])
        if len(group) < (_LEAST_HEADED_ROWS if is_headed else _LEAST_ROWS):
            continue
        body = range(group[0], group[-1] + 1)
        head = [
            _head(cells[index], columns, left, lines[index].size, by_years)
            for index in range(first, group[0] + by_years)
        ]
        rows = [_placed(cells[index], columns, left, lines[index].size) for index in body[by_years:]]
        header = (
            tuple(" ".join(filter(None, parts)) for parts in zip(*head, strict=True))
            if head
            else ("",) * (len(columns) + 1)
        )
        found.append(Table(first, group[-1] + 1, (header, *map(tuple, _with_wrapped_labels(rows)))))
    return found


def _cells(line: Line) -> list[WordGroup]:
    """Return the cells of a line. A currency sign or an opening bracket belongs to the following number."""
    size, cells = line.size, list[WordGroup]()
    for word in line.words:
        before = cells[-1] if cells else None
        if before:
            gap = word.x0 - before.x1
            opens = _OPENING.fullmatch(before.text) and re.match(r"[\d(—–.-]", word.text) and gap < 9 * size
            closes = _CLOSING.fullmatch(word.text) and _NUMBER.fullmatch(before.text) and gap < 0.9 * size
            both = _NUMBER.fullmatch(before.text) and (_NUMBER.fullmatch(word.text) or _OPENING.fullmatch(word.text))
            near = gap < (0.3 if both else 0.7) * size and not (_OPENING.fullmatch(word.text) and gap > 0.15 * size)
            if opens or closes or near:
                before.words.append(word)
                before.text = before.text + word.text if opens or closes else text_of(before.words)
                before.x1 = word.x1
                continue
        cells.append(WordGroup(word.text, word.x0, word.x1, words=[word]))
    for cell in cells:
        cell.is_number = bool(_NUMBER.fullmatch(cell.text)) and not _OPENING.fullmatch(cell.text)
    return cells


def _numbers(cells: Sequence[WordGroup]) -> list[WordGroup]:
    return [cell for cell in (cells if _is_years(cells) else cells[1:]) if cell.is_number]


def _values(cells: Sequence[WordGroup]) -> list[WordGroup]:
    return [cell for cell in cells[1:] if _MEASURED.fullmatch(cell.text) and not _OPENING.fullmatch(cell.text)]


def _is_years(cells: Sequence[WordGroup]) -> bool:
    """Whether a line contains only years, as names of columns, and perhaps a unit."""
    if len(cells) < 2:
        return False
    values = cells if cells[0].is_number else cells[1:]
    return (len(values) == len(cells) or _is_unit(cells[0].text)) and all(_YEAR.fullmatch(cell.text) for cell in values)


def _apart(cells: list[WordGroup], columns: Sequence[_Column], size: float) -> list[WordGroup]:
    """Return the cells of a row. If the last word of the label is a number of the first column, it becomes a cell."""
    label = cells[0]
    number = label.words[-1]
    if len(label.words) < 2 or label.is_number or not _NUMBER.fullmatch(number.text):
        return cells
    first = columns[0]
    if not _overlap(number, first, 0) or any(_overlap(cell, first, 0) for cell in cells[1:]):
        return cells
    at = len(label.words) - 1
    while at > 1 and _OPENING.fullmatch(label.words[at - 1].text):
        at -= 1
    words, value = label.words[:at], label.words[at:]
    text = "".join(word.text for word in value)
    return [
        WordGroup(text_of(words), label.x0, words[-1].x1, words=words),
        WordGroup(text, value[0].x0, number.x1, is_number=True, words=value),
        *cells[1:],
    ]


def _is_row(line: Line, cells: Sequence[WordGroup]) -> bool:
    """Whether a line is a row of a table: a label and numbers at a distance from it, or several years."""
    if not _numbers(cells):
        return False
    if _is_years(cells):
        return True
    if len(cells) == 2:
        return not cells[0].is_number and cells[1].x0 - cells[0].x1 > 1.5 * line.size
    return True


def _groups(lines: Sequence[Line], cells: Sequence[Sequence[WordGroup]], width: float) -> list[list[int]]:
    """Return the line indices of the rows of each table.

    A large gap, a paragraph, a line with a unit or a row of years between two rows separates tables.
    """
    groups: list[list[int]] = []
    for index, line in enumerate(lines):
        if not _is_row(line, cells[index]):
            continue
        if groups:
            last = groups[-1][-1]
            between = range(last + 1, index)
            prose = sum(len(cells[each]) == 1 and lines[each].x1 - lines[each].x0 > 0.62 * width for each in between)
            begins = (_is_years(cells[index]) and not _is_years(cells[last])) or any(
                _names_unit(lines[each]) for each in between
            )
            is_near = line.top - lines[last].bottom < 6.5 * line.size
            if is_near and len(between) <= _MOST_BETWEEN and prose <= 1 and not begins:
                groups[-1].append(index)
                continue
        groups.append([index])
    return groups


def _columns(rows: Sequence[Sequence[WordGroup]], size: float) -> list[_Column]:
    """Return columns from left to right. The numbers of a column have nearly the same right edge.

    Closing brackets and percent signs may extend beyond it.
    """
    columns: list[_Column] = []
    years, rows = (rows[0], rows[1:]) if _is_years(rows[0]) else ([], rows)
    for cell in sorted((cell for row in rows for cell in _values(row)), key=lambda cell: cell.x1):
        last = columns[-1] if columns else None
        if last and cell.x1 - last.right < 0.9 * size:
            last.right, last.left, last.count = cell.x1, min(last.left, cell.x0), last.count + 1
        else:
            columns.append(_Column(cell.x0, cell.x1))
    least = max(2, 0.2 * len(rows))
    merged: list[_Column] = []
    for column in (column for column in columns if column.count >= least):
        last = merged[-1] if merged else None
        if last and column.left < last.right - 0.1 and column.right - last.right < 1.6 * size:
            last.left, last.right = min(last.left, column.left), column.right
            last.count += column.count
        else:
            merged.append(column)
    for row in rows if merged else ():
        for cell in _values(row):
            nearest = merged[_nearest(cell, merged)]
            taken = any(_overlap(other, nearest, 0) for other in _values(row) if other is not cell)
            if taken and not _overlap(cell, nearest, 0):
                merged.append(_Column(cell.x0, cell.x1))
    apart = []
    if len(merged) < len(_numbers(years)):
        apart = [year for year in _numbers(years) if not any(_overlap(year, column, size) for column in merged)]
    return sorted([*merged, *(_Column(year.x0, year.x1) for year in apart)], key=lambda column: column.right)


def _nearest(cell: WordGroup, columns: Sequence[_Column]) -> int:
    """Return the index of the column whose right edge is nearest to that of a cell."""
    return min(range(len(columns)), key=lambda k: abs(cell.x1 - columns[k].right))


def _overlap(one: WordGroup | Word, column: _Column, size: float) -> bool:
    return one.x0 < column.right + size and column.left < one.x1 + size


def _header_start(
    lines: Sequence[Line], cells: Sequence[Sequence[WordGroup]], first: int, left: float, earliest: int
) -> int:
    """Return the index of the first header line above a table, or `first` if it has no header.

    Labels without values may stand between the header and the table.
    """
    labels = min(line.x0 for line in lines[first : first + _LEAST_ROWS])
    start = at = first
    while at > earliest and first - at < _MOST_HEADER:
        line = lines[at - 1]
        gap = (lines[at].top - line.bottom) / line.size
        is_unit = _names_unit(line) and not (at > 1 and _OPEN_BRACKET.search(lines[at - 2].text))
        over = [cell for cell in cells[at - 1] if cell.x1 > left - 0.5 * line.size]
        edge = left - 6 * line.size if len(cells[at - 1]) == 1 else labels + 3 * line.size
        runs_across = any(cell.x0 < edge for cell in over)
        is_total = any(cell.is_number and re.search(r"[$€£¥.,%]", cell.text) for cell in over)
        if gap >= (_UNIT_GAP if is_unit else _HEADER_GAP) or is_total or (runs_across and not is_unit):
            break
        at -= 1
        if over or is_unit:
            start = at
    return start


def _placed(cells: Sequence[WordGroup], columns: Sequence[_Column], left: float, size: float) -> list[str]:
    """Return the texts of a row: its label, then one text per column."""
    row = [""] * (len(columns) + 1)
    for cell in cells:
        is_label = cell.x1 <= left - 0.2 * size or not (cell.is_number or cell.x0 >= left - size)
        at = 0 if is_label else 1 + _nearest(cell, columns)
        row[at] = f"{row[at]} {cell.text}".strip()
    return row


def _head(
    cells: Sequence[WordGroup], columns: Sequence[_Column], left: float, size: float, above_years: bool
) -> list[str]:
    """Return the texts of a header line: the text above the labels, then the text above each column."""
    row = [""] * (len(columns) + 1)
    over = [cell for cell in cells if cell.x1 > left - (2 if cell.is_number else 0.2) * size]
    if len(cells) == 1 and _is_unit(cells[0].text):
        over = []
    row[0] = " ".join(cell.text for cell in cells if cell not in over)
    parts = _parts(over, columns, above_years)
    for number, cell in enumerate(over):
        for at in parts[number] if parts else _spanned(cell, columns, len(over) == 1):
            row[at + 1] = f"{row[at + 1]} {cell.text}".strip()
    return row


def _parts(over: Sequence[WordGroup], columns: Sequence[_Column], above_years: bool) -> list[range]:
    """Return the columns below each header cell, if each cell is centred above the same number of columns.

    Return an empty list otherwise. A single cell may span all columns of years.
    """
    each = len(columns) // max(1, len(over))
    if each < 2 or each * len(over) != len(columns) or (len(over) == 1 and not above_years):
        return []
    pitch = (columns[-1].right - columns[0].left) / len(columns)
    parts = [range(number * each, (number + 1) * each) for number in range(len(over))]
    middles = [(columns[part[0]].left + columns[part[-1]].right) / 2 for part in parts]
    fit = all(abs((c.x0 + c.x1) / 2 - middle) < 0.4 * pitch for c, middle in zip(over, middles, strict=True))
    return parts if fit else []


def _spanned(cell: WordGroup, columns: Sequence[_Column], alone: bool) -> list[int]:
    """Return the columns below a header cell: all if it is `alone` and centred, else the covered or nearest ones."""
    middle = (cell.x0 + cell.x1) / 2
    left, right = min(column.left for column in columns), max(column.right for column in columns)
    if len(columns) > 1 and not cell.is_number:
        covered = [k for k, column in enumerate(columns) if cell.x0 < (column.left + column.right) / 2 < cell.x1]
        centred = abs(middle - (left + right) / 2) < 0.1 * (right - left)
        if alone and centred and not any(column.left < middle < column.right for column in columns):
            return list(range(len(columns)))
        if covered:
            return covered
    return [min(range(len(columns)), key=lambda k: abs(middle - (columns[k].left + columns[k].right) / 2))]


def _names_unit(line: Line) -> bool:
    """Whether a line states the unit of the numbers in a table, such as "(in millions)"."""
    return _is_unit(line.text)


def _is_unit(text: str) -> bool:
    return len(text) <= _LONGEST_UNIT and bool(_units().search(text))


@lru_cache(maxsize=1)
def _units() -> re.Pattern[str]:
    table = json.loads(files(__package__).joinpath("units.json").read_text("utf-8"))
    return re.compile("|".join(table["patterns"]), re.IGNORECASE)


def _with_wrapped_labels(rows: Sequence[list[str]]) -> list[list[str]]:
    """Return the rows, with labels joined that are wrapped over two lines."""
    joined: list[list[str]] = []
    for row in rows:
        if joined and row[0][:1].islower() and not (any(row[1:]) and any(joined[-1][1:])):
            joined[-1][0] += " " + row[0]
            joined[-1][1:] = row[1:] if any(row[1:]) else joined[-1][1:]
        else:
            joined.append(list(row))
    return joined
