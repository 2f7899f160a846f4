"""Coverage and brevity of a summary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.core.checks import check_range
from synth.evaluation.judging.claim_verdicts import SUPPORTED, check
from synth.evaluation.judging.claims import contexts_of, joined
from synth.evaluation.judging.injection import without_orders
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue, NoVerdict
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class SummaryScore(JudgedMetric):
    """For answers that summarise their contexts: share of the main points stated, and brevity, weighted.

    Brevity is 1 less the length of the summary over that of the contexts; `brevity` is its weight.
    """

    name = "summary_score"
    needs = "contexts"
    prompts = ("judges/main_points", "judges/verdicts")
    brevity: float = 0.25

    def __post_init__(self) -> None:
        check_range(f"brevity of {self.name}", self.brevity)

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        text = without_orders(joined(contexts_of(case), judge))
        summary = without_orders(case.answer)
        if not text.strip() or not summary.strip():
            raise NoVerdict("there is no text that could be summed up" if summary.strip() else "the answer is empty")
        (data,) = yield from judge.ask("judges/main_points", case.language, {"text": text}, votes=1)
        points = list(dict.fromkeys(item.strip() for item in data["points"] if item.strip()))
        if not points:
            raise NoVerdict("the judge finds no main point in the contexts")
        verdicts = yield from check(points, summary, case, judge)
        stated = sum(item.verdict == SUPPORTED for item in verdicts) / len(verdicts)
        shorter = 1 - min(1.0, len(summary) / len(text))
        value = (1 - self.brevity) * stated + self.brevity * shorter
        return {
            self.name: JudgedValue(value, {"shorter": round(shorter, 4), "points": [item.row() for item in verdicts]})
        }
