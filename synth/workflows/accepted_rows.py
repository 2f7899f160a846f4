"""Check of accepted rows against their documents: edited rows are measured again, and invalid rows are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synth.core.progress import Silent
from synth.core.records import EDITED, WITH_PLACES, Sample
from synth.corpus.corpus import Corpus
from synth.generation.alternatives import with_alternatives
from synth.generation.difficulty import DifficultyMeasure
from synth.generation.filters.base import Filter
from synth.testset.verification import faults, objections, placed
from synth.workflows.assembly import set_filters
from synth.workflows.session import difficulty_of, opened_corpus
from synth.workflows.settings import Settings
from synth.workflows.verifying import by_rules

_MEASURED = ("difficulty", "difficulty_signals", "tags", *WITH_PLACES)


@dataclass(frozen=True, slots=True)
class CheckedRows:
    """Accepted rows, with edited rows measured on their documents.

    `marked` maps ids of edited rows to the objections of rules to their wording. `failing` maps ids of rows that
    `verify` will refuse to the reason.
    """

    rows: tuple[Sample, ...]
    marked: Mapping[str, str]
    failing: Mapping[str, str]


def checked_rows(testset: Path, rows: Sequence[Sample], sources: Any, settings: Settings | None) -> CheckedRows:
    """Measure the edited rows on the documents, and check all rows as `verify` does.

    Raises InputError if the documents cannot be read.
    """
    rules = by_rules(testset, settings or Settings())
    with opened_corpus(sources, rules, Silent()) as (_, run):
        filters, measure = run.parts.filters, difficulty_of(run.corpus, rules, run.parts)
        measured = tuple(_measured(row, run.corpus, filters, measure) for row in rows)
        reasons = faults(measured, run.corpus, filters, set_filters(rules, run.parts.encoder))
        failing = {row.id: reason for row, reason in zip(measured, reasons, strict=True) if reason}
    marked = {
        row.id: "; ".join(f"{name}: {reason}" for name, reason in row.metadata["signals"].items())
        for row in measured
        if row.metadata.get("source") == EDITED and row.metadata.get("signals")
    }
    return CheckedRows(measured, marked, failing)


def _measured(row: Sample, corpus: Corpus, filters: Sequence[Filter], measure: DifficultyMeasure) -> Sample:
    """Return an edited row with new measures and objections. Rows not edited, or with moved evidence, are unchanged."""
    if row.metadata.get("source") != EDITED or any(map(corpus.misplaced, row.evidence)):
        return row
    outdated = ("signals", *(_MEASURED if row.evidence else ()))
    metadata = {name: value for name, value in row.metadata.items() if name not in outdated}
    found = placed(replace(row, metadata=metadata), corpus)
    metadata = {**measure.measured(with_alternatives(found, corpus)).metadata}
    if signals := objections(found, corpus, filters):
        metadata["signals"] = dict(signals)
    return replace(row, metadata=metadata)
