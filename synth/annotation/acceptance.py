"""What becomes of each row once people have decided: kept, kept with a new wording, rejected, or to be settled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.annotation.records import ACCEPT, EDIT, REASONS, REJECT, SKIP, Annotation, sample_hash
from synth.core.records import Sample
from synth.evaluation.intervals import Estimate, estimates

UNDECIDED, UNREVIEWED = "undecided", "unreviewed"
OUTCOMES = (ACCEPT, EDIT, REJECT, UNDECIDED, UNREVIEWED)

_OF_QUESTION = ("style", "length", "difficulty", "difficulty_signals")
_OF_ANSWERS = ("also", "hard_negatives")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDecision:
    """What people decided on a row, and what each of them said; `annotation` is the wording that is taken."""

    sample: Sample
    decision: str
    said: tuple[Annotation, ...]
    annotation: Annotation | None = None

    @property
    def decided(self) -> bool:
        return self.decision in (ACCEPT, EDIT, REJECT)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterRecord:
    """How a filter fared: of the rows it passed, those people had nothing of its kind against; of the candidates
    it refused, those people would reject too. None where none was reviewed.
    """

    filter_name: str
    passed: Estimate | None
    refused: Estimate | None


def outcomes(samples: Sequence[Sample], annotations: Sequence[Annotation]) -> list[RowDecision]:
    """The outcome of each row, in order.

    What more than half of those who decided say is done, two edits being one when they come to the same wording;
    an adjudication goes before all of them. Decisions on another version of a row do not count.
    """
    by_row: dict[tuple[str, str], list[Annotation]] = {}
    for one in annotations:
        by_row.setdefault((one.sample_id, one.sample_hash), []).append(one)
    return [_outcome(sample, by_row.get((sample.id, sample_hash(sample)), [])) for sample in samples]


def _outcome(sample: Sample, given: Sequence[Annotation]) -> RowDecision:
    said = tuple(one for one in given if one.decision != SKIP)
    if not said:
        return RowDecision(sample=sample, decision=UNREVIEWED, said=())
    settled = [one for one in said if one.adjudicated]
    if settled:
        return RowDecision(sample=sample, decision=settled[-1].decision, said=said, annotation=settled[-1])
    votes = Counter(map(_wording, said))
    wording, most = votes.most_common(1)[0]
    if 2 * most <= len(said):
        return RowDecision(sample=sample, decision=UNDECIDED, said=said)
    taken = next(one for one in said if _wording(one) == wording)
    return RowDecision(sample=sample, decision=taken.decision, said=said, annotation=taken)


def _wording(one: Annotation) -> tuple[str, str, tuple[str, ...]]:
    return one.decision, one.question, one.golden_answers


def accepted(outcome: RowDecision) -> Sample:
    """The row as people leave it: what they decided in its metadata, and for an edit the new wording.

    An edit is a new version: its `source` is "edited" and `supersedes` names the row it replaces. What was worked
    out for the old wording is dropped: verdicts, and with the question style and difficulty, with the answers the
    steps, further evidence and hard negatives. `outcome` must be an accepted or an edited one.
    """
    sample, taken = outcome.sample, outcome.annotation
    if taken is None:
        return sample
    note: dict[str, Any] = {"decision": outcome.decision, "annotators": sorted({one.annotator for one in outcome.said})}
    if any(one.adjudicated for one in outcome.said):
        note["adjudicated"] = True
    comments = [one.comment for one in outcome.said if one.comment]
    if comments:
        note["comments"] = comments
    ratings = _mean_ratings(outcome.said)
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
        steps=() if answers_changed else sample.steps,
        metadata={**metadata, "source": "edited", "supersedes": sample.id, "annotation": note},
    )


def precision(found: Sequence[RowDecision]) -> dict[str, Estimate]:
    """Of the rows decided, the share accepted as they stood, and the share kept at all (accepted or edited)."""
    decided = [one for one in found if one.decided]
    columns = {
        "accepted": [float(one.decision == ACCEPT) for one in decided],
        "kept": [float(one.decision != REJECT) for one in decided],
    }
    return estimates(columns, clusters([one.sample for one in decided]))


def filter_records(
    passed: Sequence[RowDecision], refused: Sequence[RowDecision], refused_by: Mapping[str, str], filters: Sequence[str]
) -> list[FilterRecord]:
    """How each filter fared with the rows of the set and with candidates that were refused.

    `refused_by` gives, by id, the filter that refused a candidate. A filter is held to have failed with a row it
    passed when people rejected the row for a reason that is the filter's to find.
    """
    decided = [one for one in passed if one.decided]
    against = [one for one in refused if one.decided]
    places = clusters([one.sample for one in decided])
    records = []
    for filter_ in filters:
        right = [float(not _missed(one, filter_)) for one in decided]
        mine = [one for one in against if refused_by.get(one.sample.id) == filter_]
        rejected = [float(one.decision == REJECT) for one in mine]
        records.append(
            FilterRecord(
                filter_name=filter_,
                passed=estimates({filter_: right}, places)[filter_] if decided else None,
                refused=estimates({filter_: rejected}, clusters([one.sample for one in mine]))[filter_]
                if mine
                else None,
            )
        )
    return records


def _missed(outcome: RowDecision, filter_: str) -> bool:
    """Whether people rejected a row for what this filter should have found."""
    return outcome.decision == REJECT and any(
        one.decision == REJECT and filter_ in REASONS.get(one.reason, ()) for one in outcome.said
    )


def reasons(found: Sequence[RowDecision]) -> dict[str, int]:
    """How many of the rejected rows were rejected for each reason; a row counts once for every reason given."""
    tally = Counter(
        reason
        for outcome in found
        if outcome.decision == REJECT
        for reason in {one.reason for one in outcome.said if one.decision == REJECT}
    )
    return {reason: tally[reason] for reason in REASONS if tally[reason]}


def clusters(samples: Sequence[Sample]) -> list[int]:
    """For each row the number of the document its first evidence is from; a row without evidence is its own."""
    numbers: dict[str, int] = {}
    names = [sample.evidence[0].doc_id if sample.evidence else sample.id for sample in samples]
    return [numbers.setdefault(name, len(numbers)) for name in names]


def _mean_ratings(said: Sequence[Annotation]) -> dict[str, float]:
    given: dict[str, list[int]] = {}
    for one in said:
        for name, value in one.ratings.items():
            given.setdefault(name, []).append(value)
    return {name: round(sum(values) / len(values), 2) for name, values in given.items()}
