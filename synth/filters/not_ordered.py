"""What a document tells language models to do is no evidence, and nothing of it may be said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synth.filters.base import Corpus, Filter
from synth.records import Evidence, Sample, Verdict
from synth.text.orders import gives_orders, smuggled


@dataclass(frozen=True)
class NotOrdered(Filter):
    """Drop a sample that rests on a paragraph which speaks to language models, or that says what only such a one has.

    Orders to a model, made-up turns of a conversation and made-up replies are meant, in English and Chinese.
    """

    name: ClassVar[str] = "not_ordered"
    order: ClassVar[int] = 12

    def judge(self, sample: Sample, corpus: Corpus) -> Verdict:
        for piece in sample.evidence:
            if gives_orders(_paragraph(piece, corpus)):
                return self.verdict(False, f"the evidence in '{piece.doc_id}' stands among orders to language models")
        texts = [corpus.graph.chunk(piece.chunk_id).text for piece in sample.evidence]
        word = smuggled(" ".join((sample.question, *sample.golden_answers)), texts)
        if word:
            return self.verdict(False, f"'{word}' stands in nothing but orders to language models")
        return self.passed("its passages give no orders")


def _paragraph(piece: Evidence, corpus: Corpus) -> str:
    """The paragraph, or paragraphs, of the document that a piece of evidence stands in."""
    text = corpus.graph.document(piece.doc_id).text
    start, end = text.rfind("\n\n", 0, piece.start), text.find("\n\n", piece.end)
    return text[max(0, start) : end if end >= 0 else len(text)]
