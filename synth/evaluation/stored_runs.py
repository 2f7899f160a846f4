"""Runs that were kept: one file of scores each, and those of its rows beside it; which of them may be compared."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError, InputError
from synth.core.jsonl import is_stream
from synth.evaluation.intervals import Difference, differences
from synth.testset.dataset import numbered_lines

FORMAT = 1
_NUMBER = re.compile(r"^(\d{4,})-.*\.json$")
_UNEQUAL = re.compile(r"[^\w.-]+")
SAME = ("testset", "unit", "fold", "level")
"""What two runs must have in common to be compared at all; metrics must have been defined alike, one by one."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run that was kept: its name, what it was measured with, and its scores by column and row.

    `values` and `documents` are by row id; None stands for no value.
    """

    name: str
    path: Path
    told: Mapping[str, Any]
    definitions: Mapping[str, str]
    metrics: Mapping[str, Mapping[str, Any]]
    values: Mapping[str, Mapping[str, float | None]]
    documents: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs side by side: the paired differences, second less first, and the metrics that cannot be compared."""

    first: Run
    second: Run
    differences: Mapping[str, Difference]
    refused: Mapping[str, str]


def rows_path(output: Path) -> Path:
    """Where the scores of each row are written, beside the file of scores; nowhere where that is no file."""
    if is_stream(output):
        return Path(os.devnull)
    return output.with_name(f"{output.stem}.rows.jsonl")


def next_path(folder: Path, name: str) -> Path:
    """The file of the next run in a folder: numbered from 1, so that their order needs no clock."""
    label = _UNEQUAL.sub("-", name).strip("-.") or "run"
    known = [int(match[1]) for path in folder.glob("*.json") if (match := _NUMBER.match(path.name))]
    return folder / f"{max(known, default=0) + 1:04d}-{label}.json"


def kept_runs(folder: Path) -> list[Path]:
    """The runs of a folder in the order they were kept in."""
    found = [(int(match[1]), path) for path in folder.glob("*.json") if (match := _NUMBER.match(path.name))]
    return [path for _, path in sorted(found)]


def read_run(path: Path) -> Run:
    """A run out of its two files. Raises InputError when one of them is missing or is none."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
        told = held["run"]
        definitions, metrics = told["metrics"], held["metrics"]
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path} is no run; `synth evaluate … -o FILE` or `--runs FOLDER` writes one") from error
    if told.get("format") != FORMAT:
        raise InputError(f"{path} is a run of format {told.get('format')}; this synth reads {FORMAT}: measure it again")
    values: dict[str, dict[str, float | None]] = {}
    documents: dict[str, str] = {}
    for number, line in numbered_lines(rows_path(path)):
        try:
            row = json.loads(line)
            documents[row["id"]] = row["document"]
            for name, value in row["scores"].items():
                values.setdefault(name, {})[row["id"]] = value
        except (ValueError, KeyError, TypeError) as error:
            raise InputError(f"{rows_path(path).name}:{number}: no scores of a row: {error}") from error
    return Run(told.get("name") or path.stem, path, told, definitions, metrics, values, documents)


def comparison(first: Run, second: Run, seed: int = 0) -> Comparison:
    """The paired differences of two runs.

    Raises ConfigError, saying what differs, when they were measured on different sets or counted differently; metrics
    defined differently are left out and named.
    """
    differs = [
        f"{what} ({_shown(first.told.get(what))} and {_shown(second.told.get(what))})"
        for what in SAME
        if first.told.get(what) != second.told.get(what)
    ]
    if differs:
        raise ConfigError(
            f"{first.name} and {second.name} cannot be compared: they differ in {', '.join(differs)}; "
            "evaluate both again in the same way"
        )
    refused, names = {}, []
    for column in (*first.values, *(name for name in second.values if name not in first.values)):
        metric = column.partition("@")[0]
        if column not in first.values or column not in second.values:
            refused[column] = f"only {(first if column in first.values else second).name} has it"
        elif first.definitions.get(metric) != second.definitions.get(metric):
            refused[column] = "its definition is another one: another version of synth, or other parameters"
        else:
            names.append(column)
    if not names:
        raise ConfigError(
            f"{first.name} and {second.name} have no metric in common that was defined alike, "
            "as runs of two versions of synth may; evaluate both again with one"
        )
    return Comparison(first, second, differences_of(first, second, names, seed), refused)


def differences_of(first: Run, second: Run, names: Sequence[str], seed: int) -> dict[str, Difference]:
    """The paired differences, second less first, over the rows that both have."""
    ids = [id for id in second.documents if id in first.documents]
    known: dict[str, int] = {}
    clusters = [known.setdefault(second.documents[id], len(known)) for id in ids]
    mine, other = ({name: _column(run.values[name], ids) for name in names} for run in (second, first))
    return differences(mine, other, clusters, seed)


def _column(values: Mapping[str, float | None], ids: Sequence[str]) -> list[float]:
    found = (values.get(id) for id in ids)
    return [float("nan") if value is None else value for value in found]


def _shown(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 20 else f"{text[:19]}…"
