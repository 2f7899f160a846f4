"""The command judge-check: agreement of a judge with people's decisions, stored for later scores of that judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError, InputError
from synth.core.fields import Fields
from synth.core.jsonl import numbered_lines, parsed_line
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.plugins import discover
from synth.core.progress import Progress, progress_of
from synth.evaluation.judging.record import keep_check
from synth.evaluation.judging.statistics import auc, kappa, kappa_interval, spearman
from synth.evaluation.metrics.base import SUBSTITUTE_MARK, Case, Metric, language_of
from synth.evaluation.responses.shapes import response_of
from synth.testset.dataset import Dataset, Item
from synth.workflows.call_files import file_of
from synth.workflows.judges import Chosen, Judging, choose, judged_metrics, open_panel

THRESHOLD = 0.5
"""Value from which a label or a score counts as a positive decision."""
_MOVED = 0.05
_NEEDS_NAMING = "~classifier"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A row with a response and people's decision on it, from 0 to 1."""

    case: Case
    label: float


@dataclass(frozen=True, slots=True, repr=False)
class Checked(Tabular):
    """Result of `judge_check`: agreement and biases of the judge, and agreement of the metrics that can replace it."""

    metric: str
    judge: Mapping[str, Any]
    substitutes: Mapping[str, Mapping[str, Any]]
    model: str

    def notebook_table(self) -> NotebookTable:
        rows = [[self.model, *map(self.judge.get, ("n", "kappa"))]]
        rows += [[name, *map(of.get, ("n", "kappa"))] for name, of in self.substitutes.items()]
        return NotebookTable([f"judge of {self.metric}", "rows", "kappa"], rows)


def judge_check(
    labels: str | Path | Dataset,
    metric: str,
    judging: Judging,
    *,
    limit: int = 0,
    seed: int = 0,
    once: bool = False,
    progress: Progress | bool | None = None,
) -> Checked:
    """Measure a judge on rows that people decided on, and store the result for later scores of the same judge.

    - `labels`: JSONL with `question`, `answer` and `label` (true, false, or 0 to 1), and the `golden_answers` or
      `contexts` that the metric reads.
    - `limit`: use only the first `limit` rows; 0 uses all.
    - `once`: send each request once, without a repetition or reversed lists. This saves about half of the calls, but
      leaves the stability of the judge unknown.
    - `progress`: True for lines or bars on stderr.

    Raises InputError if the file contains no labelled row, and ConfigError without a chat model or a judged metric.
    """
    labels = file_of(labels)
    if not judging.model.name:
        raise ConfigError("judge-check measures a chat model; name a chat model with --llm")
    chosen = choose((metric,), (), judging)
    if len(chosen.judged) != 1:
        raise ConfigError(f"'{metric}' is not a single judged metric; choose one of {', '.join(judged_metrics())}")
    progress = progress_of(progress)
    rows = read_labelled(labels)[: limit or None]
    column = chosen.judged[0].columns[0]
    passes = ((False, 0),) if once else ((False, 0), (True, 0), (False, 1))
    with progress.stage("judging", len(passes) * len(rows)) as stage:
        first, *others = [
            _scored(rows, chosen, judging, column, stage, turned=turned, again=again) for turned, again in passes
        ]
    unknown: list[float | None] = [None] * len(rows)
    result = {**judge_agreement(rows, first, seed), **_stability(first, *(others or (unknown, unknown)))}
    result["file"] = labels.name
    with open_panel(chosen, judging) as panel:
        assert panel is not None
        result["controls"] = panel.controlled(sorted({language_of(row.case.item) for row in rows}))
        keep_check(judging.folder, panel, chosen.judged[0], result)
        return Checked(metric, result, _substitutes(rows, metric, judging, seed), panel.model)


def read_labelled(path: Path) -> list[Labelled]:
    """Return the rows of a file of labels. Raises RecordError with the file, line and field of an error."""
    labelled = []
    for number, line in numbered_lines(path):
        place = f"{path.name}:{number}"
        fields = Fields(parsed_line(line, place), place)
        label = fields.label("label")
        row = {"golden_answers": [], **fields.values, "id": str(fields.values.get("id", f"row-{number}"))}
        item = Item.from_row({name: row[name] for name in row if name != "outputs"}, place)
        labelled.append(Labelled(Case(item, response_of(row, item.id, place)), label))
    if not labelled:
        raise InputError(f"{path} contains no labelled row; each line needs question, answer and label")
    return labelled


def _scored(
    rows: Sequence[Labelled], chosen: Chosen, judging: Judging, column: str, stage: Any, **measuring: Any
) -> list[float | None]:
    values: list[float | None] = []
    with open_panel(chosen, judging, **measuring) as panel:
        assert panel is not None
        for scores in panel.scores((row.case for row in rows), chosen.judged):
            stage.advance()
            values.append(next(score.value for score in scores if score.metric == column))
    return values


def judge_agreement(rows: Sequence[Labelled], values: Sequence[float | None], seed: int = 0) -> dict[str, Any]:
    """Return the agreement of a judge's values with people's labels.

    The result contains the number of rows, kappa at 0.5 with its interval, AUC, means, and the bias towards long
    answers.
    """
    kept = [(row, value) for row, value in zip(rows, values, strict=True) if value is not None]
    people = [row.label >= THRESHOLD for row, _ in kept]
    numbers = [value for _, value in kept]
    says = [value >= THRESHOLD for value in numbers]
    interval = kappa_interval(people, says, seed)
    gaps = [value - row.label for row, value in kept]
    lengths = [log(1 + len(row.case.answer)) for row, _ in kept]
    return {
        "n": len(kept),
        "of": len(rows),
        "kappa": _short(kappa(people, says)),
        "kappa_low": _short(interval[0] if interval else None),
        "kappa_high": _short(interval[1] if interval else None),
        "agree": _short(sum(a == b for a, b in zip(people, says, strict=True)) / len(kept) if kept else None),
        "auc": _short(auc(people, numbers)),
        "mean": _short(sum(numbers) / len(kept) if kept else None),
        "mean_of_people": _short(sum(row.label for row, _ in kept) / len(kept) if kept else None),
        "length_bias": _short(spearman(gaps, lengths)),
    }


def _stability(
    first: Sequence[float | None], turned: Sequence[float | None], again: Sequence[float | None]
) -> dict[str, Any]:
    """Return the stability of the values if lists are reversed (`turned`) and if requests are repeated (`again`).

    For each, the result contains the share of values that change and the mean change.
    """
    changes: dict[str, Any] = {}
    for name, other in (("position", turned), ("repeat", again)):
        pairs = [(a, b) for a, b in zip(first, other, strict=True) if a is not None and b is not None]
        n = len(pairs)
        changes[f"{name}_changed"] = _short(sum(abs(a - b) > _MOVED for a, b in pairs) / n if n else None)
        changes[f"{name}_bias"] = _short(sum(b - a for a, b in pairs) / n if n else None)
    return changes


def _substitutes(rows: Sequence[Labelled], metric: str, judging: Judging, seed: int) -> dict[str, dict[str, Any]]:
    known = discover("synth.evaluation.metrics", Metric)  # type: ignore[type-abstract]
    names = [name for name in known if name.startswith(metric + SUBSTITUTE_MARK)]
    names = [name for name in names if judging.classifier or not name.endswith(_NEEDS_NAMING)]
    by_name = {}
    for name in names:
        (part,) = choose((name,), (), Judging(classifier=judging.classifier, encoder=judging.encoder)).plain
        scores = part.scores([row.case for row in rows])
        by_name[name] = judge_agreement(rows, [of[0].value for of in scores], seed)
    return by_name


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
