"""Topics of rows."""

from __future__ import annotations

from dataclasses import replace

from synth.core.records import Sample
from synth.corpus.graph import KnowledgeGraph


def labelled(sample: Sample, graph: KnowledgeGraph) -> Sample:
    """The sample with the category of its last passage, if it has evidence with a topic."""
    topic = category(graph, sample.evidence[-1].chunk_id) if sample.evidence else ""
    return replace(sample, metadata={**sample.metadata, "category": topic}) if topic else sample


def category(graph: KnowledgeGraph, chunk_id: str) -> str:
    """The topic of a passage, else the folder or the title of its document."""
    topic = graph.value(chunk_id, "category")
    if topic:
        return str(topic)
    document = graph.document(graph.chunk(chunk_id).doc_id)
    folder, slash, _ = document.doc_id.partition("/")
    return folder if slash else document.title
