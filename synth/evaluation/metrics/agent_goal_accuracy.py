"""Success of an agent at its user's goal."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging.injection import without_orders
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue, NoVerdict, majority
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class AgentGoalAccuracy(JudgedMetric):
    """1 when calls and answer reach the `goal` of the row; without a goal, its golden answer, else its question."""

    name = "agent_goal_accuracy"
    needs = "answer"
    prompts = ("judges/goal",)

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        answer = without_orders(case.answer)
        calls = [{"name": call.name, "arguments": call.arguments} for call in case.response.tool_calls or ()]
        if not answer.strip() and not calls:
            raise NoVerdict("the response has neither an answer nor tool calls")
        goal = case.item.metadata.get("goal") or " / ".join(case.item.golden_answers)
        values = {
            "question": case.item.question,
            "goal": str(goal or case.item.question),
            "calls": "\n".join(json.dumps(call, ensure_ascii=False, default=dict) for call in calls) or "-",
            "answer": answer or "-",
        }
        ballots = yield from judge.ask("judges/goal", case.language, values)
        reached = majority([ballot["reached"] for ballot in ballots])
        return {self.name: JudgedValue(float(reached), [ballot["reason"] for ballot in ballots])}
