"""Asked again with the evidence alone, a model gives the golden answer."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from synth.filters.base import Corpus, Filter
from synth.llm.base import Request, Steps
from synth.records import Sample, Verdict
from synth.text.normalise import holds, normalise
from synth.text.tokens import numbers, words

PROMPT = "filters/round_trip"


@dataclass(frozen=True)
class RoundTrip(Filter):
    """Drop a sample when the judge, shown the evidence and the question, does not find the golden answer.

    Answers agree when they have the same numbers and one holds the other, or the F1 of their words
    is at least `min_f1`. A judge that errs, times out or cannot be parsed rejects.
    """

    name: ClassVar[str] = "round_trip"
    order: ClassVar[int] = 80
    needs_model: ClassVar[bool] = True
    min_f1: float = 0.5

    def judge(self, sample: Sample, corpus: Corpus) -> Steps[Verdict]:
        titles = dict.fromkeys(corpus.graph.document(piece.doc_id).title for piece in sample.evidence)
        values = {
            "title": " / ".join(titles),
            "evidence": corpus.plain_evidence(sample),
            "question": sample.question,
        }
        request = Request.of(corpus.prompt(PROMPT, sample.language), values, purpose=PROMPT, role="judge")
        completion = yield request
        if not completion.data["found"]:
            return self.verdict(False, "the judge does not find the answer in the evidence", 0.0)
        answer = completion.data["answer"]
        score = max(agreement(answer, golden) for golden in sample.golden_answers)
        return self.verdict(
            score >= self.min_f1,
            f"the judge answers '{answer[:80]}' (agreement {score:.2f}, at least {self.min_f1} wanted)",
            round(score, 4),
        )


def agreement(answer: str, golden: str) -> float:
    """How far two answers say the same, from 0 to 1: F1 of their words, 0 when their numbers differ."""
    if not normalise(answer) or not normalise(golden):
        return 0.0
    if numbers(answer) != numbers(golden):
        return 0.0
    if holds(answer, golden) or holds(golden, answer):
        return 1.0
    ours, theirs = Counter(words(answer)), Counter(words(golden))
    shared = (ours & theirs).total()
    return 2 * shared / (ours.total() + theirs.total()) if shared else 0.0
