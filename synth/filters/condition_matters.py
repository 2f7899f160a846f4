"""Asked again with the condition turned round or taken out, a model gives another answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synth.filters.agreement import agreed
from synth.filters.base import Corpus, Filter
from synth.filters.conditioned import asks_for, stated_conditions
from synth.filters.conditions import Condition, reversed_condition
from synth.filters.coverage import Told, asked_words
from synth.filters.round_trip import asking, request
from synth.llm.base import Request, Steps
from synth.records import Sample, Verdict
from synth.text.language import is_chinese


@dataclass(frozen=True)
class ConditionMatters(Filter):
    """Drop a conditional question whose answer a judge gives whatever the condition.

    Where the question sets the condition, it is turned round; where it asks for it, what depends on it is
    shown without it. The answer must then be another, or none: agree by less than `min_f1` with the golden
    one, as in `round_trip`. A judge that errs, times out or cannot be parsed rejects.
    """

    name: ClassVar[str] = "condition_matters"
    order: ClassVar[int] = 86
    needs_model: ClassVar[bool] = True
    min_f1: float = 0.5

    def judge(self, sample: Sample, corpus: Corpus) -> Steps[Verdict]:
        if sample.question_type != "conditional":
            return self.passed()
        found = list(stated_conditions(sample, corpus))
        if not found:
            return self.verdict(False, "the evidence states no condition")
        told = Told.of(f"{sample.question} {sample.golden_answers[0]}")
        condition = max(found, key=lambda c: corpus.passages.rarity.share(asked_words(c.clause), told))
        completion = yield self._asked(sample, condition, corpus)
        if not completion.data["found"]:
            return self.verdict(True, f"without the condition '{condition.clause}' the judge finds no answer")
        answer = completion.data["answer"]
        return self.verdict(
            agreed(answer, sample) < self.min_f1,
            f"without the condition '{condition.clause}' the judge answers '{answer[:80]}'",
        )

    def _asked(self, sample: Sample, condition: Condition, corpus: Corpus) -> Request:
        purpose = f"filters/{self.name}"
        if asks_for(sample, condition, corpus):
            title = corpus.graph.document(sample.evidence[0].doc_id).title
            return request(corpus, sample.language, title, condition.rest, sample.question, purpose)
        turned = reversed_condition(sample.question, sample.language)
        if turned is None:
            turned = sample.question + (
                f"（假设并非：{condition.clause}）"
                if is_chinese(sample.language)
                else f" (Suppose that this is not so: {condition.clause}.)"
            )
        return asking(sample, corpus, turned, range(len(sample.evidence)), purpose)
