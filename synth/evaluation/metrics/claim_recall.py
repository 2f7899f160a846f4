"""How many of the claims of the golden answer the answer makes."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.metrics.base import AnswerMetric, Case
from synth.evaluation.metrics.sentence_claims import asked_stems, claims, said
from synth.evaluation.metrics.word_coverage import Said, content


@dataclass(frozen=True)
class ClaimRecall(AnswerMetric):
    """Share of the golden answer's sentences that the answer says (claims without a model)."""

    name = "claim_recall"
    version = 2
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return claim_recall(answer, golden, case.item.question)


def claim_recall(answer: str, golden: str, question: str) -> float:
    """The share of the claims of `golden` that `answer` makes; one that repeats the question is a claim here too."""
    asked = asked_stems(question)
    wanted = claims(golden, asked) or claims(golden)
    found = Said.of(content(answer))
    return sum(said(claim, found, asked) for claim in wanted) / len(wanted) if wanted else 0.0
