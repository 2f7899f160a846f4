"""Rows as lines of a table, shared by CSV and XLSX."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from synth.annotation.formats.base import Problem, ReturnedRow, ReturnedSheet, RowToWrite
from synth.annotation.messages import keys_by_word, wording
from synth.annotation.records import DIMENSIONS, whole

SHOWN = ("type", "document", "context", "question", "answers")
ASKED = ("decision", "new_question", "new_answers", "reason", "comment")
BOUND = ("annotator", "id", "hash")
COLUMNS = (*SHOWN, *ASKED, *DIMENSIONS, *BOUND)
MAX_CELL = 32_767
"""Maximum number of characters in a spreadsheet cell."""

_NEEDED = ("id", "decision")
_NOT_HELD = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]")


def as_cell(text: str) -> str:
    """Return a text as a cell stores it: without control characters, cut to `MAX_CELL` characters."""
    return _NOT_HELD.sub("\ufffd", whole(text).replace("\r\n", "\n").replace("\r", "\n"))[:MAX_CELL]


def heads(language: str) -> list[str]:
    """Return the header of the table in a language."""
    words = wording(language)
    return [words["column"].get(name) or words["dimension"][name] for name in COLUMNS]


def cells(entry: RowToWrite, language: str) -> list[str]:
    """Return a row of the set as a line of the table. The columns for new wording contain the present wording."""
    fields = entry.fields(language)
    values = {**fields, "annotator": entry.annotator}
    values["new_question"], values["new_answers"] = fields["question"], fields["answers"]
    return [as_cell(values.get(name, "")) for name in COLUMNS]


def returned(lines: Iterable[tuple[int, Sequence[str]]], place: str) -> ReturnedSheet:
    """Read the rows of a table by its header, in any supported language and column order.

    `lines` yields each line with its number. `place` is the name of the file. A line that is too short becomes a
    problem. If required columns are missing, the result is one problem without rows.
    """
    rows: list[ReturnedRow] = []
    problems: list[Problem] = []
    columns: dict[str, int] | None = None
    for number, line in lines:
        where = f"{place}:{number}"
        if not any(cell.strip() for cell in line):
            continue
        if columns is None:
            columns = _columns(line)
            missing = [name for name in _NEEDED if name not in columns]
            if missing:
                why = f"the header lacks column {' and '.join(missing)}; its columns are {', '.join(line)[:200]}"
                return ReturnedSheet((), (Problem(place, why),))
            continue
        if len(line) <= max(columns[name] for name in _NEEDED):
            problems.append(Problem(where, f"the line is cut off after {len(line)} of {len(columns)} columns"))
        else:
            rows.append(_row(where, {name: line[n] for name, n in columns.items() if n < len(line)}))
    return ReturnedSheet(tuple(rows), tuple(problems))


def has_columns(line: Sequence[str]) -> bool:
    """Return whether a header line contains the required columns."""
    return all(name in _columns(line) for name in _NEEDED)


def _columns(line: Sequence[str]) -> dict[str, int]:
    names = {**keys_by_word("dimension"), **keys_by_word("column")}
    columns: dict[str, int] = {}
    for number, cell in enumerate(line):
        name = names.get(cell.strip().lower())
        if name:
            columns.setdefault(name, number)
    return columns


def _row(place: str, cell: Mapping[str, str]) -> ReturnedRow:
    return ReturnedRow.from_form(
        cell,
        place=place,
        sample_id=cell.get("id", "").strip(),
        sample_hash=cell.get("hash", "").strip(),
        annotator=cell.get("annotator", "").strip(),
    )
