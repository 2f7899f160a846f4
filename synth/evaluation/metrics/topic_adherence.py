"""Adherence of an answer to the allowed topics."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.judging.claim_table import f_beta
from synth.evaluation.judging.claim_verdicts import numbered
from synth.evaluation.judging.injection import without_orders
from synth.evaluation.judging.judged_metric import Judge, Judged, JudgedMetric, JudgedValue, NoVerdict, majority
from synth.evaluation.metrics.base import Case
from synth.models.chat.base import Steps


@dataclass(frozen=True)
class TopicAdherence(JudgedMetric):
    """F1 of the allowed topics and the topics of the answer, with `topic_precision` and `topic_recall`.

    The row's metadata lists the allowed topics as `topics`.
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
            raise NoVerdict("the row's metadata has no list of 'topics'")
        answer = without_orders(case.answer)
        if not answer.strip():
            raise NoVerdict("the answer is empty")
        values = {"question": case.item.question, "answer": answer, "topics": numbered(topics)}
        ballots = yield from judge.ask("judges/topics", case.language, values)
        dealt = [{n for n in ballot["dealt_with"] if 1 <= n <= len(topics)} for ballot in ballots]
        kept = [n for n in range(1, len(topics) + 1) if majority([n in numbers for numbers in dealt])]
        others = sorted(ballot["others"] for ballot in ballots)[len(ballots) // 2]
        if not kept and not others:
            raise NoVerdict("the answer deals with no topic")
        precision, recall = len(kept) / (len(kept) + others), len(kept) / len(topics)
        detail = {"dealt_with": [topics[n - 1] for n in kept], "others": others}
        return {
            self.name: JudgedValue(f_beta(precision, recall), detail),
            "topic_precision": precision,
            "topic_recall": recall,
        }
