"""Rows of a set that people decided on, read from the log of decisions, from the rows and from `rejected.jsonl`."""

from __future__ import annotations

import json
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synth.annotation.acceptance import UNREVIEWED, RowDecision, outcomes, rejection_of
from synth.annotation.decisions import Decisions, store_path
from synth.annotation.records import EDIT, REJECT
from synth.core.errors import InputError, Notice
from synth.core.input_files import bytes_of
from synth.core.jsonl import dumps, read_samples
from synth.core.records import Sample
from synth.core.swapping import is_stream
from synth.core.terminal import counted
from synth.testset.manifest import paths
from synth.testset.refused import read_refused
from synth.testset.stored_manifest import declared
from synth.workflows.overwriting import rejected_by_people

_MANIFEST = "manifest.json"


class OtherDecisions(Notice):
    """Notice of decisions in another set that apply to this run, or that cannot be read."""


def row_decisions(testset: Path, store: Path | None = None) -> list[RowDecision]:
    """Return the rows and refused candidates of a set that have a decision of people.

    A decision is read from the log beside the set (or from `store`), or from the row if an earlier `accept` wrote it
    there.
    """
    log, refused = store or store_path(testset), paths(testset)[0]
    samples = list(read_samples(testset).samples) if testset.is_file() else []
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
        if is_stream(testset):
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

    def joined(self, other: Unwanted) -> Unwanted:
        """Return the questions of both. A question that is in both is taken from this one."""
        samples = {sample.id: sample for sample in (*self.samples, *other.samples)}
        return Unwanted(tuple(samples.values()), {**other.rows, **self.rows})


def unwanted_of_folder(testset: Path, output: Path, doc_ids: Collection[str], against: str = "") -> Unwanted:
    """Return the unwanted questions of `testset`, of the set `against` and of sets in the folder of `output`.

    A set in the folder counts if it has a manifest and shares a document with `doc_ids`. A notice names each other set
    that adds questions, and each set whose decisions cannot be read.
    """
    unwanted = Unwanted.of(testset)
    named = [Path(against)] if against else []
    for other in dict.fromkeys((*named, *_related(output, frozenset(doc_ids)))):
        if other.resolve() in (testset.resolve(), output.resolve()):
            continue
        try:
            more = unwanted.joined(Unwanted.of(other))
        except InputError as error:
            warnings.warn(f"the decisions on {other} cannot be used: {error}", OtherDecisions, stacklevel=2)
            continue
        if count := len(more.samples) - len(unwanted.samples):
            questions = counted(count, "question")
            warnings.warn(
                f"not asked again: {questions} that people rejected or reworded in {other}",
                OtherDecisions,
                stacklevel=2,
            )
        unwanted = more
    return unwanted


def _related(output: Path, doc_ids: frozenset[str]) -> Iterator[Path]:
    """Yield the sets in the folder of `output` whose manifests name one of the documents, by name."""
    if is_stream(output):
        return
    for path in sorted(output.parent.glob(f"*{_MANIFEST}")):
        stem = path.name.removesuffix(_MANIFEST)
        if stem and not stem.endswith("."):
            continue
        with suppress(OSError, ValueError, RecursionError, InputError):
            documents = declared(json.loads(bytes_of(path)), path.name).get("corpus", {}).get("documents", {})
            if not doc_ids.isdisjoint(documents):
                yield path.with_name(f"{stem or 'testset.'}jsonl")
