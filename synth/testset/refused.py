"""Reading of refused candidates from the file rejected.jsonl beside a set."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

from synth.core.declared_parts import read_as, warn_of
from synth.core.errors import RecordError
from synth.core.fields import Fields
from synth.core.jsonl import numbered_lines, parsed_line, row_to_sample
from synth.core.records import Sample

PEOPLE_STAGE = "people"
"""Stage of a row that people rejected or left undecided."""


class Rejection(TypedDict, total=False):
    stage: str
    reason: str
    score: float | None
    scenario: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A refused candidate: its row as written, its sample (None if no question was written), and its rejection."""

    row: Mapping[str, Any]
    sample: Sample | None
    rejection: Rejection


def read_refused(path: Path) -> tuple[list[Refused], list[RecordError]]:
    """Return the refused candidates in a file, and an error for each invalid line.

    Raises InputError if the file cannot be read.
    """
    candidates, errors, faults = [], [], list[str]()
    for number, line in numbered_lines(path):
        found: list[str] = []
        try:
            candidates.append(_refused(line, f"{path}:{number}", found))
        except RecordError as error:
            errors.append(error)
        faults += [f"{fault} in line {number}" for fault in found]
    warn_of(path.name, faults)
    return candidates, errors


_PARTICULARS = re.compile(r"(?<!\w)'.*?'(?!\w)|\"[^\"]*\"|“[^”]*”|\d+(?:\.\d+)?%?")


def reasons(candidates: Iterable[Refused]) -> dict[tuple[str, str], int]:
    """Return the number of candidates by stage and reason, largest first.

    Quoted texts and numbers of a reason are replaced by "…", so that equal reasons are counted together.
    """
    counts = Counter(
        (one.rejection.get("stage", ""), _PARTICULARS.sub("…", one.rejection.get("reason", ""))) for one in candidates
    )
    return dict(counts.most_common())


def _refused(line: str, place: str, faults: list[str]) -> Refused:
    row = Fields(parsed_line(line, place), place)
    if "rejected" not in row.values:
        raise RecordError(f"{place}: this line is not a refused candidate: the field 'rejected' is missing")
    rejection: Rejection = read_as(Rejection, row.inner("rejected").values, "rejected", faults)
    rest = {name: value for name, value in row.values.items() if name != "rejected"}
    return Refused(row.values, row_to_sample(rest, place, faults) if "question" in rest else None, rejection)
