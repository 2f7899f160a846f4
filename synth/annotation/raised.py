"""Rows that an update marked for review: the reason, the proposed change, and the row with that change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.annotation.messages import wording
from synth.annotation.records import REVIEW
from synth.core.errors import RecordError
from synth.core.jsonl import row_to_sample, sample_to_row
from synth.core.records import Sample
from synth.core.terminal import counted, first_names

_OF_EVIDENCE = ("alternatives", "hard_negatives", "pages")


@dataclass(frozen=True, slots=True)
class Raised:
    """Why an update marked a row for review.

    `proposal` is the row with the proposed answers and evidence, None if nothing is proposed. `keeps_answers` means
    that the proposed answers are those of the row. `lost` means that no document contains the evidence any more, so
    that the row can only be rejected.
    """

    reason: str
    proposal: Sample | None = None
    lost: bool = False
    keeps_answers: bool = False

    @classmethod
    def of(cls, sample: Sample) -> Raised | None:
        """Return why a row is marked for review; None if it is not. A proposal that is no valid row is ignored."""
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
    """Return the warning about rows that an update marked for review, by id."""
    return (
        f"an update raised {counted(len(ids), 'row')} for review, so the expected answers may be out of date: "
        f"{first_names(ids)}; settle them in a review of the raised rows"
    )


def settled(sample: Sample) -> Sample:
    """Return a row as it is after a person accepted or edited it: with the proposal and without the mark.

    A row with a proposal `supersedes` the old row. If the evidence is lost, the row is returned unchanged.
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
    metadata = {name: value for name, value in row["metadata"].items() if name not in (REVIEW, *_OF_EVIDENCE)}
    answers, evidence = proposal.get("golden_answers"), proposal.get("evidence")
    try:
        new = row_to_sample(
            {**row, "golden_answers": answers, "evidence": evidence, "metadata": metadata}, "the proposal"
        )
    except RecordError:
        return None
    return replace(new, verdicts=(), metadata={**new.metadata, "supersedes": sample.id})
