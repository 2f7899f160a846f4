"""Outcome of a review: rows accepted, edited, rejected or undecided, and the precision of the filters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from unicodedata import decomposition, normalize

from synth.annotation.raised import Raised, settled
from synth.annotation.records import ACCEPT, EDIT, REASONS, REJECT, SKIP, Annotation, sample_hash
from synth.core.jsonl import sample_to_row
from synth.core.records import EDITED, Sample
from synth.evaluation.intervals import Estimate, estimates
from synth.generation.filters.base import changed_wording
from synth.generation.filters.judged import Judged
from synth.testset.refused import PEOPLE_STAGE

UNDECIDED, UNREVIEWED = "undecided", "unreviewed"
OUTCOMES = (ACCEPT, EDIT, REJECT, UNDECIDED, UNREVIEWED)

_OF_WIDTH = ("<wide>", "<narrow>")
"""Decompositions of full-width and half-width characters. Others, such as ², are not folded: 10² is not 102."""

_OF_QUESTION = ("style", "length", "difficulty", "difficulty_signals", "tags")
_OF_ANSWERS = ("alternatives", "hard_negatives")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDecision:
    """Outcome of a row, with the annotations of everybody who reviewed it.

    `annotation` is the annotation that decided the outcome, None if no annotation did.
    """

    sample: Sample
    decision: str
    annotations: tuple[Annotation, ...]
    annotation: Annotation | None = None

    @property
    def decided(self) -> bool:
        """Whether people decided on the row in this review. A decision of an earlier review does not count."""
        return self.decision in (ACCEPT, EDIT, REJECT) and bool(self.annotations)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRecord:
    """Precision of a filter in a review.

    `passed` is the share of passed rows in which people found none of the faults that the filter should detect. The
    filter `judged` rates the whole row, so every row that people rejected counts as wrongly passed. `refused` is the
    share of refused candidates that people reject too. Either is None if the review has none of these rows.
    """

    filter_name: str
    passed: Estimate | None
    refused: Estimate | None


def outcomes(samples: Sequence[Sample], annotations: Sequence[Annotation]) -> list[RowDecision]:
    """Return the outcome of each row, in order.

    A decision needs more than half of the votes. Edits count as the same vote if their wording is equal, apart from
    white space and the width of characters ("？" and "?"). An adjudication (a decision that settles a disagreement)
    overrides all others. Decisions on another version of a row are ignored. If no decision applies, the row keeps the
    earlier decision in its metadata, unless an update has marked the row for review.
    """
    by_row: dict[tuple[str, str], list[Annotation]] = {}
    for annotation in annotations:
        by_row.setdefault((annotation.sample_id, annotation.sample_hash), []).append(annotation)
    return [_outcome(sample, by_row.get((sample.id, sample_hash(sample)), [])) for sample in samples]


def _outcome(sample: Sample, annotations: Sequence[Annotation]) -> RowDecision:
    decided = tuple(annotation for annotation in annotations if annotation.decision != SKIP)
    if not decided:
        return RowDecision(sample=sample, decision=_earlier(sample) or UNREVIEWED, annotations=())
    taken = deciding(decided)
    return RowDecision(
        sample=sample, decision=taken.decision if taken else UNDECIDED, annotations=decided, annotation=taken
    )


def deciding(annotations: Sequence[Annotation]) -> Annotation | None:
    """Return the annotation that decides a row: its last adjudication, or else the first annotation of the majority.

    Returns None if no majority agrees. `annotations` must contain at least one annotation, and none that skips the row.
    """
    settled = [annotation for annotation in annotations if annotation.adjudicated]
    if settled:
        return settled[-1]
    wording, most = Counter(map(_wording, annotations)).most_common(1)[0]
    if 2 * most <= len(annotations):
        return None
    return next(annotation for annotation in annotations if _wording(annotation) == wording)


def _earlier(sample: Sample) -> str:
    """Return the decision that an earlier `accept` wrote into the row.

    Returns "" if there is none or an update has marked the row for review since.
    """
    note = sample.metadata.get("annotation")
    decision = note.get("decision") if isinstance(note, Mapping) and Raised.of(sample) is None else ""
    return decision if decision in (ACCEPT, EDIT) else ""


def _wording(annotation: Annotation) -> tuple[str, str, tuple[str, ...]]:
    """Return what must be equal for two votes to agree, without white space and with characters of one width."""
    return annotation.decision, _folded(annotation.question), tuple(map(_folded, annotation.golden_answers))


def _folded(text: str) -> str:
    return "".join(
        normalize("NFKC", char) if decomposition(char).startswith(_OF_WIDTH) else char
        for char in text
        if not char.isspace()
    )


def accepted(outcome: RowDecision) -> Sample:
    """Return a row after review, with the decisions in its metadata and the new wording of an edit.

    `outcome` must be accepted or edited. An edit is a new version: its `source` is "edited" and its `supersedes` is the
    id of the old row. An edit removes verdicts and objections of filters, and marks the judge's ratings as earlier
    ones. A new question also removes style, length, difficulty and tags; new answers remove alternatives and hard
    negatives. If an update marked the row for review, the change that it proposed is applied (`settled`).
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
    dropped = (
        *(_OF_QUESTION if taken.question != sample.question else ()),
        *(_OF_ANSWERS if answers_changed else ()),
    )
    metadata = {name: value for name, value in changed_wording(sample.metadata).items() if name not in dropped}
    return replace(
        sample,
        question=taken.question,
        golden_answers=taken.golden_answers,
        verdicts=(),
        metadata={**metadata, "source": EDITED, "supersedes": outcome.sample.id, "annotation": note},
    )


def rejection_of(outcome: RowDecision) -> dict[str, Any]:
    """Return the line in `rejected.jsonl` of a row that people left out, or of an edited row in its old wording."""
    why = Counter(annotation.reason for annotation in outcome.annotations if annotation.reason)
    rejection = {
        "stage": PEOPLE_STAGE,
        "reason": outcome.decision if outcome.decision in (UNDECIDED, UNREVIEWED, EDIT) else ", ".join(sorted(why)),
        "score": None,
        "decisions": [
            {
                "annotator": annotation.annotator,
                "decision": annotation.decision,
                "reason": annotation.reason,
                "comment": annotation.comment,
            }
            for annotation in outcome.annotations
        ],
    }
    return {**sample_to_row(outcome.sample), "rejected": rejection}


def precision(rows: Sequence[RowDecision]) -> dict[str, Estimate]:
    """Return two estimates over the decided rows: the share accepted unchanged, and the share accepted or edited."""
    decided = [row for row in rows if row.decided]
    columns = {
        "accepted": [float(row.decision == ACCEPT) for row in decided],
        "kept": [float(row.decision != REJECT) for row in decided],
    }
    return estimates(columns, clusters([row.sample for row in decided]))


def filter_records(
    passed: Sequence[RowDecision], refused: Sequence[RowDecision], refused_by: Mapping[str, str], filters: Sequence[str]
) -> list[FilterRecord]:
    """Return the precision of each filter on the rows of the set and on refused candidates.

    `refused_by` maps the id of a refused candidate to its filter. Only rows with a verdict of the filter count as
    passed.
    """
    decided = [row for row in passed if row.decided]
    against = [row for row in refused if row.decided]
    records = []
    for filter_ in filters:
        passing = [row for row in decided if any(verdict.filter == filter_ for verdict in row.sample.verdicts)]
        right = [float(not _missed(row, filter_)) for row in passing]
        places = clusters([row.sample for row in passing])
        mine = [row for row in against if refused_by.get(row.sample.id) == filter_]
        rejected = [float(row.decision == REJECT) for row in mine]
        records.append(
            FilterRecord(
                filter_name=filter_,
                passed=estimates({filter_: right}, places)[filter_] if passing else None,
                refused=estimates({filter_: rejected}, clusters([row.sample for row in mine]))[filter_]
                if mine
                else None,
            )
        )
    return records


def _missed(outcome: RowDecision, filter_: str) -> bool:
    """Return whether people rejected a row for a reason that this filter should detect.

    The judge should detect every reason.
    """
    return outcome.decision == REJECT and any(
        annotation.decision == REJECT and (filter_ == Judged.name or filter_ in REASONS.get(annotation.reason, ()))
        for annotation in outcome.annotations
    )


def reasons(rows: Sequence[RowDecision]) -> dict[str, int]:
    """Return the number of rejected rows per reason; a row counts once for each of its reasons."""
    tally = Counter(
        reason
        for outcome in rows
        if outcome.decision == REJECT
        for reason in {annotation.reason for annotation in outcome.annotations if annotation.decision == REJECT}
    )
    return {reason: tally[reason] for reason in REASONS if tally[reason]}


def clusters(samples: Sequence[Sample]) -> list[int]:
    """Return a cluster number for each row: rows with the same first evidence document share a number.

    A row without evidence has a number of its own.
    """
    numbers: dict[str, int] = {}
    names = [sample.evidence[0].doc_id if sample.evidence else sample.id for sample in samples]
    return [numbers.setdefault(name, len(numbers)) for name in names]


def _mean_ratings(annotations: Sequence[Annotation]) -> dict[str, float]:
    by_dimension: dict[str, list[int]] = {}
    for annotation in annotations:
        for name, value in annotation.ratings.items():
            by_dimension.setdefault(name, []).append(value)
    return {name: round(sum(values) / len(values), 2) for name, values in by_dimension.items()}
