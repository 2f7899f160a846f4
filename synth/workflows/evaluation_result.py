"""Result of the command evaluate: its warnings, its table in a notebook, its DataFrame and its JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.annotation.raised import raised_warning
from synth.core.containment import ItemError
from synth.core.errors import RepliesUnusable, SynthError, ThresholdInconclusive, ThresholdMissed
from synth.core.extras import optional
from synth.core.jsonl import Damaged
from synth.core.notebook_table import NotebookTable, Tabular, three_digits
from synth.core.terminal import counted, first_names
from synth.evaluation.evaluation import Aggregate, Evaluation
from synth.evaluation.intervals import Difference, Estimate, few_documents, tested_count
from synth.evaluation.prediction_powered import Powered
from synth.evaluation.threshold_checks import FAILED, INCONCLUSIVE, Check

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True, slots=True, repr=False)
class Evaluated(Tabular):
    """Result of `evaluate`: the evaluation, the threshold checks, and the evaluation of a second system.

    - `differences`: by column, the second system minus the first.
    - `shown`: the columns to show. The p-values in `differences` are corrected for their number. `evaluation` contains
      all columns.
    - `judge`: the judge and its results on control items, whose correct verdicts are known.
    - `powered`: by column, the estimate from many judged rows and a few rows that people labelled.
    - `failures`: ids of rows by kind of failure; `other_failures`: the same for the second system.
    - `errors`: errors of single rows.
    - `units`: by metric, the unit that it compares: passage, document, evidence text, answer or judge.
    - `ids`: ids of the rows in the order of the testset; `raised`: ids of rows that an update marked for review.
    - `misspelled`: unknown fields of the responses, each with the field that was probably meant.
    """

    evaluation: Evaluation
    checks: tuple[Check, ...]
    definitions: Mapping[str, str]
    damaged: tuple[Damaged, ...]
    repeated: tuple[str, ...]
    shown: tuple[str, ...] = ()
    other: Evaluation | None = None
    differences: Mapping[str, Difference] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    judge: Mapping[str, Any] = field(default_factory=dict)
    powered: Mapping[str, Powered] = field(default_factory=dict)
    failures: Mapping[str, Sequence[str]] = field(default_factory=dict)
    other_failures: Mapping[str, Sequence[str]] = field(default_factory=dict)
    run: Mapping[str, Any] = field(default_factory=dict)
    output: Path | None = None
    errors: tuple[ItemError, ...] = ()
    units: Mapping[str, str] = field(default_factory=dict)
    ids: tuple[str, ...] = ()
    raised: tuple[str, ...] = ()
    misspelled: Mapping[str, str] = field(default_factory=dict)

    def to_pandas(self) -> DataFrame:
        """Return a DataFrame with one line per row of the testset: its id, and a column for each metric.

        NaN means that the metric has no value. Columns that the table shows come first. With failures, a column
        `failure` names the kind of failure, "" for unanswerable rows. Raises MissingExtra if pandas is not installed.
        """
        with optional("Evaluated.to_pandas"):
            import pandas
        names = dict.fromkeys((*self.shown, *self.evaluation.values))
        values = {name: list(self.evaluation.values[name]) for name in names if name in self.evaluation.values}
        kinds = self.failure_by_row
        failed = {"failure": [kinds.get(id, "") for id in self.ids]} if kinds else {}
        return pandas.DataFrame({"id": list(self.ids), **failed, **values})

    @property
    def failure_by_row(self) -> dict[str, str]:
        """The kind of failure of each answerable row by id, such as "missed" or "right"; empty without failures."""
        return {id: kind for kind, ids in self.failures.items() for id in ids}

    def notebook_table(self) -> NotebookTable:
        if self.other:
            return self._compared_table(self.other)
        rows = self._lines(self.evaluation.metrics, "")
        for name, by_value in self.evaluation.slices.items():
            for value, metrics in by_value.items():
                rows += self._lines(metrics, f", {name}={value}")
        return NotebookTable(["metric", "mean", "from", "to", "rows", "by"], rows, self._note())

    def _lines(self, metrics: Mapping[str, Aggregate], of_slice: str) -> list[list[Any]]:
        """Return the table lines of the shown metrics, for all rows or for a slice."""
        return [
            [
                f"{name}{of_slice}",
                *map(three_digits, (of.mean, of.low, of.high)),
                f"{of.n} of {rows}",
                self.unit_of(name),
            ]
            for name in self.shown
            if name in metrics
            for of, rows in ((metrics[name].estimate, metrics[name].of),)
        ]

    def unit_of(self, column: str) -> str:
        """Return the unit that the metric of a column compares, such as "passage" or "document", or "" if unknown."""
        return self.units.get(column, self.units.get(column.partition("@")[0], ""))

    def _compared_table(self, other: Evaluation) -> NotebookTable:
        """Return a table of two systems: both means, their difference with its interval, and p."""
        rows = []
        for name in self.shown:
            if gap := self.differences.get(name):
                means = [evaluation.metrics[name].estimate.mean for evaluation in (self.evaluation, other)]
                figures = (*means, gap.estimate.mean, gap.estimate.low, gap.estimate.high, gap.adjusted)
                count = f"{gap.estimate.n} of {self.evaluation.rows}"
                rows.append([name, *map(three_digits, figures), count, self.unit_of(name)])
        head = ["metric", "first", "second", "second minus first", "from", "to", "p (Holm)", "rows", "by"]
        return NotebookTable(head, rows, self._note())

    def _note(self) -> str:
        answered = self.evaluation.rows - len(self.evaluation.missing)
        notes = [f"{answered} of {counted(self.evaluation.rows, 'row')} have a response"]
        if self.few_documents:
            notes.append(self.few_documents)
        notes += [f"{check.name} at least {check.minimum:g}: {check.decision}" for check in self.checks]
        if self.damaged:
            notes.append(f"{counted(len(self.damaged), 'line')} could not be read: {self.damaged[0].reason}")
        return "; ".join([*notes, *self.warnings])

    @property
    def few_documents(self) -> str:
        """The reason why the intervals are wide despite many rows, or "" if there are enough documents."""
        return few_documents(self.evaluation.clusters, self.evaluation.rows)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings about whatever distorts the figures, for each system.

        They name rows without a response, responses that belong to no row, passages unknown to the testset, and
        misspelled fields. They also name rows that an update marked for review.
        """
        lines = []
        if self.raised:
            lines.append(raised_warning(self.raised))
        for name, known in self.misspelled.items():
            lines.append(f"unknown field '{name}' in the responses; did you mean '{known}'?")
        for of, evaluation in (("", self.evaluation), ("second system: ", self.other)):
            if evaluation and evaluation.missing:
                count = f"{len(evaluation.missing)} of {evaluation.rows}"
                names = first_names(evaluation.missing)
                lines.append(f"{of}no response to {count} rows, which are scored as empty: {names}")
            lines += [f"{of}{note}" for note in evaluation.notes] if evaluation else []
            if evaluation and evaluation.unknown:
                responses = counted(len(evaluation.unknown), "response")
                lines.append(
                    f"{of}{responses} ignored, because the testset has no such row: {first_names(evaluation.unknown)}"
                )
        return tuple(lines)

    def failure(self) -> SynthError | None:
        """Return the error that ends the command, or None.

        The first of these counts: a missed threshold, a judge whose replies to one kind of request stayed unusable, an
        inconclusive threshold.
        """
        by_decision = {
            decision: "; ".join(check.text for check in self.checks if check.decision == decision)
            for decision in (FAILED, INCONCLUSIVE)
        }
        if missed := by_decision[FAILED]:
            return ThresholdMissed(f"below the threshold: {missed}")
        if unusable := self.judge.get("unusable"):
            return RepliesUnusable(f"some judged metrics have no value: {'; '.join(unusable)}")
        if undecided := by_decision[INCONCLUSIVE]:
            return ThresholdInconclusive(f"too few rows to decide whether the threshold is reached: {undecided}")
        return None


def as_json(result: Evaluated) -> dict[str, Any]:
    """Return a result as JSON values."""
    evaluation = result.evaluation
    return {
        "rows": evaluation.rows,
        "missing": list(evaluation.missing),
        "notes": list(evaluation.notes),
        "unknown": list(evaluation.unknown),
        "repeated": list(result.repeated),
        "damaged": [damaged.reason for damaged in result.damaged],
        "not_given": dict(evaluation.not_given),
        "alternatives": {"rows": evaluation.with_alternatives, "counted": evaluation.by_alternative},
        "metrics": _aggregates(evaluation.metrics),
        **({"corpus_bleu": _estimate(evaluation.corpus_bleu)} if evaluation.corpus_bleu else {}),
        "slices": {name: {k: _aggregates(v) for k, v in of.items()} for name, of in evaluation.slices.items()},
        "thresholds": [
            {
                "metric": c.metric,
                "scope": c.scope,
                "minimum": c.minimum,
                **_estimate(c.estimate),
                "decision": c.decision,
            }
            for c in result.checks
        ],
        **({"compared": _comparison(result, result.other)} if result.other else {}),
        "definitions": dict(result.definitions),
        "settings": dict(result.settings),
        **({"judge": dict(result.judge)} if result.judge else {}),
        **({"failures": {kind: list(of) for kind, of in result.failures.items()}} if result.failures else {}),
        **(
            {"powered": {name: asdict(estimate) for name, estimate in result.powered.items()}} if result.powered else {}
        ),
        **({"run": dict(result.run)} if result.run else {}),
        **({"errors": [item.packed() for item in result.errors]} if result.errors else {}),
    }


def _comparison(result: Evaluated, other: Evaluation) -> dict[str, Any]:
    differences = result.differences
    failed = {kind: list(ids) for kind, ids in result.other_failures.items()}
    return {
        "missing": list(other.missing),
        "metrics": _aggregates(other.metrics),
        "corrected_for": tested_count(differences),
        "differences": {
            name: {**_estimate(gap.estimate), "p": gap.p, "p_holm": gap.adjusted} for name, gap in differences.items()
        },
        **({"failures": failed} if failed else {}),
    }


def _aggregates(metrics: Mapping[str, Aggregate]) -> dict[str, Any]:
    return {
        name: {
            **_estimate(aggregate.estimate),
            "of": aggregate.of,
            **({"undefined": dict(aggregate.reasons)} if aggregate.reasons else {}),
        }
        for name, aggregate in metrics.items()
    }


def _estimate(estimate: Estimate) -> dict[str, Any]:
    fields = {name: getattr(estimate, name) for name in ("mean", "low", "high", "n")}
    return {**fields, "interval": estimate.method}
