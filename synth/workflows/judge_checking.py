"""The verb judge-check: a judge against people's decisions, kept with the scores it gives later."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError, InputError, RecordError
from synth.core.plugins import discover
from synth.core.progress import Progress, Silent
from synth.evaluation.judging.record import keep_check
from synth.evaluation.judging.statistics import auc, kappa, kappa_interval, spearman
from synth.evaluation.metrics.base import SUBSTITUTE_MARK, Case, Metric, language_of
from synth.evaluation.responses.shapes import response_of
from synth.testset.dataset import Item, numbered_lines
from synth.workflows.judges import Chosen, Judging, choose, judged_metrics, seated

THRESHOLD = 0.5
_MOVED = 0.05
_NEEDS_NAMING = "~classifier"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A row with a response and what people decided of it, from 0 to 1."""

    case: Case
    label: float


@dataclass(frozen=True, slots=True)
class Checked:
    """What `judge_check` found: the judge's agreement and biases, and beside it that of the substitutes."""

    metric: str
    judge: Mapping[str, Any]
    substitutes: Mapping[str, Mapping[str, Any]]
    model: str


def judge_check(
    labels: Path | str,
    metric: str,
    judging: Judging,
    *,
    limit: int = 0,
    seed: int = 0,
    once: bool = False,
    progress: Progress | None = None,
) -> Checked:
    """Measure a judge on rows that people decided, and keep the result for every later score of the same judge.

    `labels` is JSONL: `question`, `answer`, `label` (true, false, or 0 to 1), and of `golden_answers`, `contexts`
    what the metric looks at. `limit` takes the first rows only. With `once` nothing is asked again or with lists turned
    round: about half of the calls, and how steady the judge is stays unknown.
    Raises InputError when no row can be used.
    """
    if not judging.model.name:
        raise ConfigError("judge-check measures a chat model; name one with --llm")
    chosen = choose((metric,), (), judging)
    if len(chosen.judged) != 1:
        raise ConfigError(f"'{metric}' is not one judged metric; name one of {', '.join(judged_metrics())}")
    rows, progress = read_labelled(Path(labels))[: limit or None], progress or Silent()
    column = chosen.judged[0].columns[0]
    passes = ((False, 0),) if once else ((False, 0), (True, 0), (False, 1))
    with progress.stage("judging", len(passes) * len(rows)) as stage:
        first, *others = [
            _scored(rows, chosen, judging, column, stage, turned=turned, again=again) for turned, again in passes
        ]
    unknown: list[float | None] = [None] * len(rows)
    found = {**agreement(rows, first, seed), **_steadiness(first, *(others or (unknown, unknown)))}
    found["file"] = Path(labels).name
    with seated(chosen, judging) as panel:
        assert panel is not None
        found["controls"] = panel.controlled(sorted({language_of(row.case.item) for row in rows}))
        keep_check(judging.folder, panel, chosen.judged[0], found)
        return Checked(metric, found, _substitutes(rows, metric, judging, seed), panel.model)


def read_labelled(path: Path) -> list[Labelled]:
    """The rows of a file of labels. Raises RecordError naming file, line and field."""
    found = []
    for number, line in numbered_lines(path):
        place = f"{path.name}:{number}"
        try:
            row = json.loads(line)
        except ValueError as error:
            raise RecordError(f"{place}: not JSON: {error}") from error
        if not isinstance(row, dict):
            raise RecordError(f"{place}: a labelled row must be an object, was {line.strip()[:60]}")
        label = row.get("label")
        if not isinstance(label, int | float) or not 0 <= label <= 1:
            raise RecordError(f"{place}: field 'label' must be true, false or a number from 0 to 1, was {label!r}")
        row = {"golden_answers": [], "evidence": [], **row, "id": str(row.get("id", f"row-{number}"))}
        item = Item.from_row({name: row[name] for name in row if name != "outputs"}, place)
        found.append(Labelled(Case(item, response_of(row, item.id, place)), float(label)))
    if not found:
        raise InputError(f"{path} has no labelled row; each line needs question, answer and label")
    return found


def _scored(
    rows: Sequence[Labelled], chosen: Chosen, judging: Judging, column: str, stage: Any, **measuring: Any
) -> list[float | None]:
    values: list[float | None] = []
    with seated(chosen, judging, **measuring) as panel:
        assert panel is not None
        for scores in panel.scores((row.case for row in rows), chosen.judged):
            stage.advance()
            values.append(next(score.value for score in scores if score.metric == column))
    return values


def agreement(rows: Sequence[Labelled], values: Sequence[float | None], seed: int = 0) -> dict[str, Any]:
    """How values agree with labels: over how many rows, kappa at 0.5 with its interval, AUC, means, and length."""
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


def _steadiness(
    first: Sequence[float | None], turned: Sequence[float | None], again: Sequence[float | None]
) -> dict[str, Any]:
    """What changes when lists are shown the other way round, and when the same is asked once more."""
    found: dict[str, Any] = {}
    for name, other in (("position", turned), ("repeat", again)):
        pairs = [(a, b) for a, b in zip(first, other, strict=True) if a is not None and b is not None]
        n = len(pairs)
        found[f"{name}_changed"] = _short(sum(abs(a - b) > _MOVED for a, b in pairs) / n if n else None)
        found[f"{name}_bias"] = _short(sum(b - a for a, b in pairs) / n if n else None)
    return found


def _substitutes(rows: Sequence[Labelled], metric: str, judging: Judging, seed: int) -> dict[str, dict[str, Any]]:
    known = discover("synth.evaluation.metrics", Metric)  # type: ignore[type-abstract]
    names = [name for name in known if name.startswith(metric + SUBSTITUTE_MARK)]
    names = [name for name in names if judging.classifier or not name.endswith(_NEEDS_NAMING)]
    found = {}
    for name in names:
        (part,) = choose((name,), (), Judging(classifier=judging.classifier, encoder=judging.encoder)).plain
        scores = part.scores([row.case for row in rows])
        found[name] = agreement(rows, [of[0].value for of in scores], seed)
    return found


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
