"""Summaries of documents, consisting of one to three of their own sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from synth.corpus.analysis.central_sentences import CentralSentences
from synth.corpus.transforms.base import Transform

if TYPE_CHECKING:
    from synth.core.records import Chunk
    from synth.corpus.graph import KnowledgeGraph
    from synth.grammar.reading import Reading


@dataclass(frozen=True)
class Summaries(Transform):
    """One to three central sentences of each document.

    Assigns "summary" to documents: {"text", "spans"}, the sentences in order of the text and their offsets. A document
    without prose has no summary.
    """

    name = "summaries"
    requires = ("document.text", "document.language")
    assigns = ("document.summary",)

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> dict[str, Any]:
        return CentralSentences(reading.sentences).summary()

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, dict[str, Any]]) -> None:
        for doc_id, summary in artifacts.items():
            if summary["spans"]:
                graph.assign(doc_id, "summary", summary)
