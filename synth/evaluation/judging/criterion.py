"""Base of the metrics that judge by a criterion of the user's own."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.judging.claims import joined
from synth.evaluation.judging.injection import without_orders
from synth.evaluation.judging.judged_metric import Judge, JudgedMetric, NoVerdict
from synth.evaluation.metrics.base import Case

LEVELS = ("1", "2", "3", "4", "5")
"""The names of the levels of a rubric."""


@dataclass(frozen=True)
class Criterion(JudgedMetric):
    """A criterion of the user's own, under the user's own name.

    `contexts` shows the judge the contexts, `golden` the golden answers.
    """

    needs = "answer"
    called: str
    contexts: bool = False
    golden: bool = False

    @property
    def title(self) -> str:
        return self.called

    def shown(self, case: Case, judge: Judge) -> dict[str, str]:
        """The inputs that the prompts of all criteria have."""
        answer = without_orders(case.answer)
        if not answer.strip():
            raise NoVerdict("the answer is empty")
        texts = [without_orders(context.text) for context in case.contexts] if self.contexts else []
        return {
            "question": case.item.question,
            "answer": answer,
            "contexts": joined(texts, judge) or "-",
            "golden": "\n".join(case.item.golden_answers) if self.golden and case.item.golden_answers else "-",
        }
