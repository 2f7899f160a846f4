"""Stored runs, each with a file of scores and a file of row scores, and the comparison of two runs."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from synth.core.checks import is_number
from synth.core.errors import ConfigError, InputError
from synth.core.input_files import bytes_of, enclosed
from synth.core.jsonl import numbered_lines
from synth.core.plugins import discover
from synth.core.swapping import is_stream, settle
from synth.evaluation.intervals import Difference, differences
from synth.evaluation.judging.judged_metric import JudgedMetric
from synth.evaluation.metrics.base import Metric

FORMAT = 1
_NUMBER = re.compile(r"^(\d{4,})-.*\.json$")
_NOT_IN_A_LABEL = re.compile(r"[^\w.-]+")
SAME = ("testset", "fold", "level")
"""Settings that two comparable runs must share. Metrics are checked one by one."""

ColumnChoice = Callable[[Sequence[str]], Sequence[str]]
"""Function that chooses the columns to show among those with values in both runs."""

_REASONS_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Run:
    """A stored run.

    - `settings`: settings of the evaluation; `definitions`: metrics with version and parameters, by name.
    - `metrics`: means and intervals by column.
    - `values`: numbers by column and row id, None for no value.
    - `documents`: document of each row, by row id.
    """

    name: str
    path: Path
    settings: Mapping[str, Any]
    definitions: Mapping[str, str]
    metrics: Mapping[str, Mapping[str, Any]]
    values: Mapping[str, Mapping[str, float | None]]
    documents: Mapping[str, str]

    def rows(self, column: str) -> set[str]:
        """Return the ids of the rows that have a value in a column."""
        return {id for id, value in self.values.get(column, {}).items() if value is not None}

    def mean(self, column: str, rows: Collection[str]) -> float | None:
        """Return the mean of a column over the given rows that have a value; None without a value."""
        values = self.values.get(column, {})
        numbers = [value for id in rows if (value := values.get(id)) is not None]
        return fmean(numbers) if numbers else None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs with their paired differences, second minus first.

    `refused` contains the columns that cannot be compared, with the reason. The p values of the columns in `shown` are
    corrected for the number of these columns.
    """

    first: Run
    second: Run
    differences: Mapping[str, Difference]
    refused: Mapping[str, str]
    shown: tuple[str, ...]


def rows_path(output: Path) -> Path:
    """Return the file of row scores beside a file of scores; the null device if `output` is a stream."""
    if is_stream(output):
        return Path(os.devnull)
    return enclosed(output.with_name(f"{output.stem}.rows.jsonl"))


def next_path(folder: Path, name: str) -> Path:
    """Return the file for the next run in a folder. Runs are numbered from 1, so that their order needs no clock."""
    label = _NOT_IN_A_LABEL.sub("-", name).strip("-.") or "run"
    known = [int(match[1]) for path in folder.glob("*.json") if (match := _NUMBER.match(path.name))]
    return folder / f"{max(known, default=0) + 1:04d}-{label}.json"


def kept_runs(folder: Path) -> list[Path]:
    """Return the files of the runs in a folder, oldest first."""
    numbered = [(int(match[1]), path) for path in folder.glob("*.json") if (match := _NUMBER.match(path.name))]
    return [path for _, path in sorted(numbered)]


def read_run(path: Path) -> Run:
    """Read a run from its two files. Raises InputError if a file is missing or malformed."""
    settle(path)
    try:
        scores = json.loads(bytes_of(path))
        settings = scores["run"]
        definitions, metrics = settings["metrics"], scores["metrics"]
        if not (isinstance(definitions, dict) and isinstance(metrics, dict)):
            raise TypeError("metrics are objects by name")
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(f"{path} is not a run; evaluate writes one, with -o FILE or --runs FOLDER") from error
    if settings.get("format") != FORMAT:
        is_later = isinstance(settings.get("format"), int) and settings["format"] > FORMAT
        advice = "update synth or evaluate again" if is_later else "evaluate again"
        raise InputError(f"{path} has format {settings.get('format')}, but this synth reads format {FORMAT}; {advice}")
    values: dict[str, dict[str, float | None]] = {}
    documents: dict[str, str] = {}
    for number, line in numbered_lines(rows_path(path)):
        try:
            row = json.loads(line)
            documents[row["id"]] = row["document"]
            for name, value in row["scores"].items():
                if value is not None and not is_number(value):
                    raise TypeError(f"{name} must be a number or null, was {value!r}")
                values.setdefault(name, {})[row["id"]] = value
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(
                f"{rows_path(path).name}:{number}: the line does not contain scores of a row: {error}; evaluate again"
            ) from error
    return Run(settings.get("name") or path.stem, path, settings, definitions, metrics, values, documents)


def comparison(first: Run, second: Run, seed: int = 0, shown: ColumnChoice | None = None) -> Comparison:
    """Return the paired differences of two runs, second minus first.

    `shown` chooses the columns whose p values are corrected, among those with values in both runs; None chooses all.
    Columns that are defined differently are in `refused`. Raises ConfigError in the same cases as `comparable_columns`.
    """
    names, refused = comparable_columns(first, second)
    columns = shown([name for name in names if first.rows(name) and second.rows(name)]) if shown else names
    ids = [id for id in second.documents if id in first.documents]
    known: dict[str, int] = {}
    clusters = [known.setdefault(second.documents[id], len(known)) for id in ids]
    gaps = differences(_columns(second, names, ids), _columns(first, names, ids), clusters, seed, columns)
    return Comparison(first, second, gaps, refused, tuple(columns))


def comparable_columns(first: Run, second: Run) -> tuple[list[str], dict[str, str]]:
    """Return the columns that two runs define in the same way, and for each other column the reason why not.

    If the responses contain ids of different units (passages and documents), only metrics of answers are comparable.
    Raises ConfigError if testsets or settings differ, or if the runs share no comparable column.
    """
    differs = [
        f"{setting} ({_shown(setting, first)} and {_shown(setting, second)})"
        for setting in SAME
        if first.settings.get(setting) != second.settings.get(setting)
    ]
    if differs:
        raise ConfigError(
            f"{first.name} and {second.name} cannot be compared: they differ in {', '.join(differs)}; "
            "evaluate both again in the same way"
        )
    units = [_shown("unit", run) for run in (first, second)]
    of_answers = _metrics_of_answers() if first.settings.get("unit") != second.settings.get("unit") else None
    refused: dict[str, str] = {}
    names: list[str] = []
    for column in (*first.values, *(name for name in second.values if name not in first.values)):
        metric = column.partition("@")[0]
        if column not in first.values or column not in second.values:
            refused[column] = f"only {(first if column in first.values else second).name} measured it"
        elif first.definitions.get(metric) != second.definitions.get(metric):
            refused[column] = "measured with different versions or parameters of the metric"
        elif of_answers is not None and metric not in of_answers:
            refused[column] = f"the unit of ids is {units[0]} in {first.name} and {units[1]} in {second.name} (--unit)"
        else:
            names.append(column)
    if not names:
        raise ConfigError(
            f"{first.name} and {second.name} share no metric that both measured in the same way{_reasons(refused)}; "
            "evaluate both again with the same metrics and the same version of synth"
        )
    return names, refused


def _metrics_of_answers() -> frozenset[str]:
    """Return the names of the installed metrics that read only the answer of a response."""
    package, names = "synth.evaluation.metrics", set[str]()
    for base in (Metric, JudgedMetric):
        known: dict[str, Any] = discover(package, base)
        names |= {name for name, metric in known.items() if metric.needs == "answer"}
    return frozenset(names)


def _reasons(refused: Mapping[str, str]) -> str:
    """Return the first reasons in `refused` as the end of a sentence."""
    shown = [f"{column} ({reason})" for column, reason in list(refused.items())[:_REASONS_SHOWN]]
    more = [f"{len(refused) - len(shown)} more"] if len(refused) > len(shown) else []
    return f": {', '.join([*shown, *more])}" if shown else ""


def _columns(run: Run, names: Sequence[str], ids: Sequence[str]) -> dict[str, list[float]]:
    """Return columns of a run over the rows `ids`, with NaN for no value."""
    columns = {name: [run.values[name].get(id) for id in ids] for name in names}
    return {name: [float("nan") if value is None else value for value in column] for name, column in columns.items()}


def _shown(setting: str, run: Run) -> str:
    text = str(run.settings.get(setting))
    if setting == "unit" and not text:
        return f"none, because no passage that {run.name} retrieved has an id of the testset"
    return text if len(text) <= 20 else f"{text[:19]}…"
