"""Outcomes of a review: rows accepted, edited, rejected or undecided, and the precision of the filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.annotation.raised import Raised, settled
from synth.annotation.records import ACCEPT, EDIT, REASONS, REJECT, SKIP, Annotation, sample_hash
from synth.core.records import Sample
from synth.evaluation.intervals import Estimate, estimates

UNDECIDED, UNREVIEWED = "undecided", "unreviewed"
OUTCOMES = (ACCEPT, EDIT, REJECT, UNDECIDED, UNREVIEWED)

_OF_QUESTION = ("style", "length", "difficulty", "difficulty_signals")
_OF_ANSWERS = ("alternatives", "hard_negatives")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDecision:
    """Outcome of a row with the annotations of each person; `annotation` is the one that decided."""

    sample: Sample
    decision: str
    annotations: tuple[Annotation, ...]
    annotation: Annotation | None = None

    @property
    def decided(self) -> bool:
        """Whether the decisions of this review settle the row; one that an earlier review settled says nothing new."""
        return self.decision in (ACCEPT, EDIT, REJECT) and bool(self.annotations)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRecord:
    """Precision of a filter: share of passed rows without a fault of its kind, and share of refused candidates that
    people reject too. None where none was reviewed.
    """

    filter_name: str
    passed: Estimate | None
    refused: Estimate | None


def outcomes(samples: Sequence[Sample], annotations: Sequence[Annotation]) -> list[RowDecision]:
    """The outcome of each row, in order.

    More than half of the decisions must agree, where edits agree when they have the same wording; an adjudication
    overrides all others. Decisions on another version of a row do not count. A row without any keeps the decision in
    its metadata, unless an update raised it since.
    """
    by_row: dict[tuple[str, str], list[Annotation]] = {}
    for annotation in annotations:
        by_row.setdefault((annotation.sample_id, annotation.sample_hash), []).append(annotation)
    return [_outcome(sample, by_row.get((sample.id, sample_hash(sample)), [])) for sample in samples]


def _outcome(sample: Sample, annotations: Sequence[Annotation]) -> RowDecision:
    decided = tuple(annotation for annotation in annotations if annotation.decision != SKIP)
    if not decided:
        return RowDecision(sample=sample, decision=_earlier(sample) or UNREVIEWED, annotations=())
    settled = [annotation for annotation in decided if annotation.adjudicated]
    if settled:
        return RowDecision(sample=sample, decision=settled[-1].decision, annotations=decided, annotation=settled[-1])
    votes = Counter(map(_wording, decided))
    wording, most = votes.most_common(1)[0]
    if 2 * most <= len(decided):
        return RowDecision(sample=sample, decision=UNDECIDED, annotations=decided)
    taken = next(annotation for annotation in decided if _wording(annotation) == wording)
    return RowDecision(sample=sample, decision=taken.decision, annotations=decided, annotation=taken)


def _earlier(sample: Sample) -> str:
    """The decision that an earlier `accept` wrote into the row, "" without one or when an update raised it since."""
    note = sample.metadata.get("annotation")
    decision = note.get("decision") if isinstance(note, Mapping) and Raised.of(sample) is None else ""
    return decision if decision in (ACCEPT, EDIT) else ""


def _wording(annotation: Annotation) -> tuple[str, str, tuple[str, ...]]:
    return annotation.decision, annotation.question, annotation.golden_answers


def accepted(outcome: RowDecision) -> Sample:
    """The row after review: with the decisions in its metadata and, for an edit, the new wording.

    An edit is a new version: its `source` is "edited" and `supersedes` names the row it replaces. Values derived from
    the old wording are dropped: verdicts; with the question its style and difficulty; with the answers steps, further
    evidence and hard negatives. A row that an update raised takes what was proposed (`settled`). `outcome` must be
    accepted or edited.
    """
    sample, taken = outcome.sample, outcome.annotation
    if taken is None:
        return sample
    sample = settled(sample)
    note: dict[str, Any] = {
        "decision": outcome.decision,
        "annotators": sorted({annotation.annotator for annotation in outcome.annotations}),
    }
    if any(annotation.adjudicated for annotation in outcome.annotations):
        note["adjudicated"] = True
    comments = [annotation.comment for annotation in outcome.annotations if annotation.comment]
    if comments:
        note["comments"] = comments
    ratings = _mean_ratings(outcome.annotations)
    if ratings:
        note["ratings"] = ratings
    if outcome.decision == ACCEPT:
        return replace(sample, metadata={**sample.metadata, "annotation": note})
    answers_changed = taken.golden_answers != sample.golden_answers
    dropped = (*(_OF_QUESTION if taken.question != sample.question else ()), *(_OF_ANSWERS if answers_changed else ()))
    metadata = {name: value for name, value in sample.metadata.items() if name not in dropped}
    return replace(
        sample,
        question=taken.question,
        golden_answers=taken.golden_answers,
        verdicts=(),
        metadata={**metadata, "source": "edited", "supersedes": outcome.sample.id, "annotation": note},
    )


def precision(rows: Sequence[RowDecision]) -> dict[str, Estimate]:
    """Of the decided rows, the shares accepted unchanged and kept (accepted or edited)."""
    decided = [row for row in rows if row.decided]
    columns = {
        "accepted": [float(row.decision == ACCEPT) for row in decided],
        "kept": [float(row.decision != REJECT) for row in decided],
    }
    return estimates(columns, clusters([row.sample for row in decided]))


def filter_records(
    passed: Sequence[RowDecision], refused: Sequence[RowDecision], refused_by: Mapping[str, str], filters: Sequence[str]
) -> list[FilterRecord]:
    """Precision of each filter on the rows of the set and on refused candidates.

    `refused_by` has, by id, the filter that refused a candidate. A filter failed on a row that it passed when people
    rejected the row for a reason that this filter should detect.
    """
    decided = [row for row in passed if row.decided]
    against = [row for row in refused if row.decided]
    places = clusters([row.sample for row in decided])
    records = []
    for filter_ in filters:
        right = [float(not _missed(row, filter_)) for row in decided]
        mine = [row for row in against if refused_by.get(row.sample.id) == filter_]
        rejected = [float(row.decision == REJECT) for row in mine]
        records.append(
            FilterRecord(
                filter_name=filter_,
                passed=estimates({filter_: right}, places)[filter_] if decided else None,
                refused=estimates({filter_: rejected}, clusters([row.sample for row in mine]))[filter_]
                if mine
                else None,
            )
        )
    return records


def _missed(outcome: RowDecision, filter_: str) -> bool:
    """True if people rejected a row for a reason that this filter should detect."""
    return outcome.decision == REJECT and any(
        annotation.decision == REJECT and filter_ in REASONS.get(annotation.reason, ())
        for annotation in outcome.annotations
    )


def reasons(rows: Sequence[RowDecision]) -> dict[str, int]:
    """Number of rejected rows by reason; a row counts once for each of its reasons."""
    tally = Counter(
        reason
        for outcome in rows
        if outcome.decision == REJECT
        for reason in {annotation.reason for annotation in outcome.annotations if annotation.decision == REJECT}
    )
    return {reason: tally[reason] for reason in REASONS if tally[reason]}


def clusters(samples: Sequence[Sample]) -> list[int]:
    """For each row the number of the document of its first evidence; a row without evidence has its own number."""
    numbers: dict[str, int] = {}
    names = [sample.evidence[0].doc_id if sample.evidence else sample.id for sample in samples]
    return [numbers.setdefault(name, len(numbers)) for name in names]


def _mean_ratings(annotations: Sequence[Annotation]) -> dict[str, float]:
    by_dimension: dict[str, list[int]] = {}
    for annotation in annotations:
        for name, value in annotation.ratings.items():
            by_dimension.setdefault(name, []).append(value)
    return {name: round(sum(values) / len(values), 2) for name, values in by_dimension.items()}
