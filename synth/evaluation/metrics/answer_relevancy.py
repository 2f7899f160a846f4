"""Relevance of the answer to the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging.injection import without_orders
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue, NoVerdict, majority
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class AnswerRelevancy(JudgedMetric):
    """Mean cosine of the question and questions written from the answer; 0 for an answer that commits to nothing."""

    name = "answer_relevancy"
    needs = "answer"
    prompts = ("judges/reverse",)

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        answer = without_orders(case.answer)
        if not answer.strip():
            raise NoVerdict("the answer is empty")
        ballots = yield from judge.ask("judges/reverse", case.language, {"answer": answer})
        questions = [question for ballot in ballots for question in ballot["questions"]]
        evasive = majority([ballot["noncommittal"] for ballot in ballots])
        if evasive or not questions:
            return {self.name: JudgedValue(0.0, {"noncommittal": evasive, "questions": questions})}
        cosines = judge.similar(case.item.question, questions)
        detail = {"noncommittal": False, "questions": questions}
        return {self.name: JudgedValue(sum(cosines) / len(cosines), detail)}
