"""What a document tells language models to do is no evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import Sample, Verdict
from synth.generation.filters.base import Corpus, Filter
from synth.text.prompt_injection import gives_orders


@dataclass(frozen=True)
class NotOrdered(Filter):
    """Drop a sample that rests on a sentence which speaks to language models, or that speaks to them itself.

    Orders to a model, made-up turns of a conversation and made-up replies are meant, in English and Chinese.
    """

    name: ClassVar[str] = "not_ordered"
    order: ClassVar[int] = 12
    proves: ClassVar[bool] = True

    def judge(self, sample: Sample, corpus: Corpus) -> Verdict:
        for piece in sample.evidence:
            if gives_orders(piece.text):
                return self.verdict(False, f"the evidence in '{piece.doc_id}' gives orders to language models")
        return self.passed("its evidence gives no orders")
