"""Topics of rows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate

from synth.core.records import Sample
from synth.corpus.graph import KnowledgeGraph


def labelled(sample: Sample, graph: KnowledgeGraph) -> Sample:
    """The sample with the category of its last passage, if it has evidence with a topic."""
    topic = category(graph, sample.evidence[-1].chunk_id) if sample.evidence else ""
    return replace(sample, metadata={**sample.metadata, "category": topic}) if topic else sample


def category(graph: KnowledgeGraph, chunk_id: str) -> str:
    """The topic of a passage, else the outermost folder with its document and at most half of all, else the title."""
    topic = graph.value(chunk_id, "category")
    if topic:
        return str(topic)
    doc_id = graph.chunk(chunk_id).doc_id
    return _folder(_in_order(graph), doc_id) or graph.document(doc_id).title


@lru_cache(maxsize=2)
def _in_order(graph: KnowledgeGraph) -> list[str]:
    return sorted(graph.doc_ids)


def _folder(doc_ids: Sequence[str], doc_id: str) -> str:
    """Name of the outermost folder with a document and at most half of all `doc_ids`, which are in order; or ""."""
    for folder in accumulate(doc_id.split("/")[:-1], "{}/{}".format):
        first, after = (bisect_left(doc_ids, folder + sign) for sign in ("/", chr(ord("/") + 1)))
        if 2 * (after - first) <= len(doc_ids):
            return folder.rpartition("/")[2]
    return ""
