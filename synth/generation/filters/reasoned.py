"""A reasoning question takes reasoning: its steps hold, and no sentence of the corpus has its answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import Sample, Verdict
from synth.generation.filters.base import Corpus, Filter
from synth.generation.filters.stated_outright import nearest, stated_outright


@dataclass(frozen=True)
class Reasoned(Filter):
    """Keep a reasoning question whose steps lead from the evidence to its answers, which is nowhere to be copied.

    The answer is copied when one sentence of the evidence's passages, or of the `passages` that BM25 finds
    best for the question or its statement, gives it and speaks of at least `max_share` of the question's words
    by weight.
    """

    name: ClassVar[str] = "reasoned"
    order: ClassVar[int] = 40
    slack: ClassVar[Mapping[str, float]] = {"max_share": 0.05}
    min_steps: int = 2
    max_share: float = 0.58
    passages: int = 10

    def judge(self, sample: Sample, corpus: Corpus) -> Verdict:
        if sample.question_type != "reasoning":
            return self.passed()
        if len(sample.steps) < self.min_steps:
            return self.verdict(False, f"{len(sample.steps)} steps of reasoning, at least {self.min_steps} wanted")
        for answer in sample.golden_answers:
            if wrong := corpus.derivation_fault(sample, answer):
                return self.verdict(False, wrong)
        copied = stated_outright(sample, corpus, nearest(sample, corpus, self.passages), self.max_share)
        if copied:
            return self.verdict(False, f"a 'reasoning' answer copied from the text: '{copied[:120]}'")
        return self.verdict(True, f"{len(sample.steps)} steps hold, and no sentence has the answer")
