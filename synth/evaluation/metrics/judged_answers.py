"""Metrics of answers by a judge: correctness, relevance, goals, topics and summaries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from synth.core.checks import check_known, check_range
from synth.core.errors import ConfigError
from synth.evaluation.judging import claim_table
from synth.evaluation.judging.claim_sources import claims_right, claims_stated
from synth.evaluation.judging.claim_table import f_beta
from synth.evaluation.judging.claim_verdicts import SUPPORTED, check, numbered
from synth.evaluation.judging.claims import FORMS, answer_claims, contexts_of, golden, golden_claims, joined
from synth.evaluation.judging.injection import without_orders
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue, NoVerdict, majority
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class AnswerCorrectness(JudgedMetric):
    """Weighted mean of claim F-beta (0.75) and cosine (0.25) against the golden answer, as in Ragas."""

    name = "answer_correctness"
    needs = "answer"
    prompts = ("judges/claims", "judges/verdicts")
    claims_weight: float = 0.75
    beta: float = 1.0

    def __post_init__(self) -> None:
        check_range(f"claims_weight of {self.name}", self.claims_weight)
        if self.beta <= 0:
            raise ConfigError(f"beta of {self.name} must be above 0, was {self.beta}")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        expected = yield from golden_claims(case, judge)
        if not case.answer.strip():
            return {self.name: 0.0}
        claims = yield from answer_claims(case, judge)
        right = yield from claims_right(claims, case, judge)
        stated = yield from claims_stated(expected, case, judge)
        precision, recall = claim_table.mean(right) or 0.0, claim_table.mean(stated) or 0.0
        by_claims = claim_table.f_beta(precision, recall, self.beta)
        (similarity,) = judge.similar(case.answer, [golden(case)]) if self.claims_weight < 1 else [0.0]
        value = self.claims_weight * by_claims + (1 - self.claims_weight) * similarity
        detail = {"precision": precision, "recall": recall, "similarity": round(similarity, 6)}
        return {self.name: JudgedValue(value, detail)}


@dataclass(frozen=True)
class FactualCorrectness(JudgedMetric):
    """F-beta of claims against the golden answer, with `factual_precision` and `factual_recall`.

    `form` is "claims", where each claim is a sentence of its own, or "triples" of subject, relation and object.
    """

    name = "factual_correctness"
    needs = "answer"
    prompts = ("judges/claims", "judges/triples", "judges/verdicts")
    beta: float = 1.0
    form: str = "claims"

    def __post_init__(self) -> None:
        check_known(f"form of {self.name}", self.form, FORMS)
        if self.beta <= 0:
            raise ConfigError(f"beta of {self.name} must be above 0, was {self.beta}")

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.name, "factual_precision", "factual_recall")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        expected = yield from golden_claims(case, judge, self.form)
        if not case.answer.strip():
            return dict.fromkeys(self.columns, 0.0)
        claims = yield from answer_claims(case, judge, self.form)
        right = yield from claims_right(claims, case, judge)
        stated = yield from claims_stated(expected, case, judge)
        precision, recall = claim_table.mean(right) or 0.0, claim_table.mean(stated) or 0.0
        return {
            self.name: claim_table.f_beta(precision, recall, self.beta),
            "factual_precision": JudgedValue(precision, _rows(claims, right)),
            "factual_recall": JudgedValue(recall, _rows(expected, stated)),
        }


def _rows(claims: list[str], verdicts: list[bool]) -> list[dict[str, object]]:
    return [{"claim": claim, "supported": supported} for claim, supported in zip(claims, verdicts, strict=True)]


@dataclass(frozen=True)
class AnswerRelevancy(JudgedMetric):
    """Mean cosine between the question and questions written from the answer; 0 for a noncommittal answer."""

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


@dataclass(frozen=True)
class AgentGoalAccuracy(JudgedMetric):
    """1 if tool calls and answer reach the `goal` of the row; without a goal, its golden answer or its question."""

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


@dataclass(frozen=True)
class TopicAdherence(JudgedMetric):
    """F1 of the answer's topics against the allowed topics, with `topic_precision` and `topic_recall`.

    The metadata field `topics` of the row lists the allowed topics.
    """

    name = "topic_adherence"
    needs = "answer"
    prompts = ("judges/topics",)

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.name, "topic_precision", "topic_recall")

    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        topics = case.item.metadata.get("topics")
        if not isinstance(topics, list) or not topics or not all(isinstance(topic, str) for topic in topics):
            raise NoVerdict("the row's metadata needs 'topics', a list of strings")
        answer = without_orders(case.answer)
        if not answer.strip():
            raise NoVerdict("the answer is empty")
        values = {"question": case.item.question, "answer": answer, "topics": numbered(topics)}
        ballots = yield from judge.ask("judges/topics", case.language, values)
        dealt = [{n for n in ballot["dealt_with"] if 1 <= n <= len(topics)} for ballot in ballots]
        kept = [n for n in range(1, len(topics) + 1) if majority([n in numbers for numbers in dealt])]
        others = sorted(ballot["others"] for ballot in ballots)[len(ballots) // 2]
        if not kept and not others:
            raise NoVerdict("the judge found no topic in the answer")
        precision, recall = len(kept) / (len(kept) + others), len(kept) / len(topics)
        detail = {"dealt_with": [topics[n - 1] for n in kept], "others": others}
        return {
            self.name: JudgedValue(f_beta(precision, recall), detail),
            "topic_precision": precision,
            "topic_recall": recall,
        }


@dataclass(frozen=True)
class SummaryScore(JudgedMetric):
    """Weighted mean of brevity and the share of main points stated, for answers that summarise their contexts.

    Brevity is 1 minus the length of the summary divided by the length of the contexts. `brevity` is its weight.
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
            raise NoVerdict("the contexts contain no text to summarise" if summary.strip() else "the answer is empty")
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
