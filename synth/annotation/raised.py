"""Rows that an update marked for review: the reason, the proposed change, and the row with that change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.annotation.messages import wording
from synth.annotation.records import REVIEW
from synth.core.errors import RecordError
from synth.core.jsonl import row_to_sample, sample_to_row
from synth.core.records import WITH_PLACES, Sample
from synth.core.terminal import counted, first_names
from synth.generation.filters.base import changed_wording


@dataclass(frozen=True, slots=True)
class Raised:
    """Reason why an update marked a row for review, with the proposed change.

    `proposal` is the row with the proposed answers and evidence, None if nothing is proposed. `keeps_answers` means
    that the proposed answers equal the present ones. `lost` means that no document contains the evidence any more, so
    that the row can only be rejected.
    """

    reason: str
    proposal: Sample | None = None
    lost: bool = False
    keeps_answers: bool = False

    @classmethod
    def of(cls, sample: Sample) -> Raised | None:
        """Return the reason why a row is marked for review, with the proposed new row if that is valid, or None."""
        review = sample.metadata.get(REVIEW)
        if not isinstance(review, Mapping):
            return None
        proposal = _proposed(sample, review.get("proposal"))
        keeps_answers = proposal is not None and proposal.golden_answers == sample.golden_answers
        return cls(str(review.get("reason", "")), proposal, bool(review.get("lost")), keeps_answers)

    def as_text(self, language: str) -> str:
        """Return the reason and the proposal as text, one item per line, in a language of the review."""
        words = wording(language)["raised"]
        lines = [words["reason"].format(self.reason)]
        if self.lost:
            lines.append(words["lost"])
        if self.proposal:
            kind = "kept" if self.keeps_answers else "answer"
            lines += [words[kind].format(answer) for answer in self.proposal.golden_answers]
            lines += [words["evidence"].format(piece.doc_id, piece.text) for piece in self.proposal.evidence]
            lines.append(words["accept"])
        return "\n".join(lines)


def raised_warning(ids: Sequence[str]) -> str:
    """Return the warning that an update marked the rows with these ids for review."""
    return (
        f"an update marked {counted(len(ids), 'row')} for review, whose golden answers may be out of date: "
        f"{first_names(ids)}; decide on them in a review with --raised"
    )


def settled(sample: Sample) -> Sample:
    """Return a row that a person accepted or edited, with the proposed change applied and without the mark for review.

    A changed row has the id of the old row in `supersedes`. If the evidence is lost, the row is returned unchanged.
    """
    raised = Raised.of(sample)
    if raised is None or raised.lost:
        return sample
    if raised.proposal:
        return raised.proposal
    return replace(sample, metadata={name: value for name, value in sample.metadata.items() if name != REVIEW})


def _proposed(sample: Sample, proposal: Any) -> Sample | None:
    if not isinstance(proposal, Mapping):
        return None
    row = sample_to_row(sample)
    metadata = {name: value for name, value in row["metadata"].items() if name not in (REVIEW, *WITH_PLACES)}
    answers, evidence = proposal.get("golden_answers"), proposal.get("evidence")
    try:
        new = row_to_sample(
            {**row, "golden_answers": answers, "evidence": evidence, "metadata": metadata}, "the proposal"
        )
    except RecordError:
        return None
    is_same = new.golden_answers == sample.golden_answers
    metadata = dict(new.metadata) if is_same else changed_wording(new.metadata)
    return replace(new, verdicts=(), metadata={**metadata, "supersedes": sample.id})
