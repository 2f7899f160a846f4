"""Summaries of documents and long sections, made of one to three of their own sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
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

    Assigns "summary" and, for sections of `long_section` sentences or more, "section_summaries" to documents. A summary
    is {"text", "spans"}: the sentences in the order of the text, and their offsets; that of a section also has its
    "headings". A document without prose has no summary.
    """

    name = "summaries"
    requires = ("document.text", "document.language")
    assigns = ("document.summary", "document.section_summaries")
    long_section: int = 10

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> dict[str, Any]:
        prose, central = reading.sentences, CentralSentences(reading.sentences)
        sections = []
        places = groupby(range(len(prose)), key=lambda n: prose[n].headings)
        for path, group in places:
            sentences = [*group]
            if path and self.long_section <= len(sentences) < len(prose):
                sections.append({"headings": [*path], **central.summary(sentences)})
        return {"document": central.summary(), "sections": sections}

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, dict[str, Any]]) -> None:
        for doc_id, summaries in artifacts.items():
            if summaries["document"]["spans"]:
                graph.assign(doc_id, "summary", summaries["document"])
            if summaries["sections"]:
                graph.assign(doc_id, "section_summaries", summaries["sections"])
