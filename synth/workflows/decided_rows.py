"""Rows of a set that people decided on, read from the log of decisions, from the rows and from `rejected.jsonl`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.annotation.acceptance import UNREVIEWED, RowDecision, outcomes, rejection_of
from synth.annotation.decisions import Decisions, store_path
from synth.annotation.records import EDIT, REJECT
from synth.core.jsonl import dumps, read_samples
from synth.core.records import Sample
from synth.core.swapping import is_stream
from synth.testset.manifest import paths
from synth.testset.refused import read_refused
from synth.workflows.overwriting import rejected_by_people


def row_decisions(testset: Path, store: Path | None = None) -> list[RowDecision]:
    """Return the rows and refused candidates of a set that have a decision of people.

    A decision is read from the log beside the set (or from `store`), or from the row if an earlier `accept` wrote it
    there.
    """
    log, refused = store or store_path(testset), paths(testset)[0]
    samples = list(read_samples(testset).samples)
    known = {sample.id for sample in samples}
    candidates = [one.sample for one in read_refused(refused)[0] if one.sample] if refused.is_file() else []
    samples += [sample for sample in candidates if sample.id not in known]
    annotations = []
    if log.is_file():
        with Decisions(log) as decisions:
            annotations = [stored.annotation for stored in decisions.all()]
    return [outcome for outcome in outcomes(samples, annotations) if outcome.decision != UNREVIEWED]


@dataclass(frozen=True, slots=True)
class Unwanted:
    """Questions that must not be asked again, because people rejected or reworded them.

    `rows` are these questions as rows of `rejected.jsonl`, by id.
    """

    samples: Sequence[Sample]
    rows: Mapping[str, Mapping[str, Any]]

    @classmethod
    def of(cls, testset: Path) -> Unwanted:
        """Return the unwanted questions of a set: those in its log, and those that `accept` wrote beside it."""
        if is_stream(testset) or not testset.is_file():
            return cls((), {})
        taken = [one for one in rejected_by_people(testset) if one.sample]
        samples = {one.sample.id: one.sample for one in taken if one.sample}
        rows = {one.sample.id: one.row for one in taken if one.sample}
        for outcome in row_decisions(testset):
            if outcome.decided and outcome.decision in (REJECT, EDIT):
                samples[outcome.sample.id] = outcome.sample
                rows[outcome.sample.id] = rejection_of(outcome)
        return cls(tuple(samples.values()), rows)

    def lines(self, but: Sequence[Sample]) -> list[str]:
        """Return the lines to write to `rejected.jsonl`, without rows that the new set contains."""
        present = {sample.id for sample in but}
        return [dumps(row) for row_id, row in self.rows.items() if row_id not in present]
