"""Topics of rows."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import accumulate

from synth.core.records import Sample
from synth.corpus.corpus import Corpus
from synth.corpus.graph import KnowledgeGraph


def labelled(sample: Sample, corpus: Corpus, graph: KnowledgeGraph) -> Sample:
    """Return the sample with the topic of its last evidence passage as "category" in its metadata.

    A sample without evidence, or without a topic, is returned unchanged.
    """
    topic = category(sample.evidence[-1].chunk_id, corpus, graph) if sample.evidence else ""
    return replace(sample, metadata={**sample.metadata, "category": topic}) if topic else sample


def category(chunk_id: str, corpus: Corpus, graph: KnowledgeGraph) -> str:
    """Return the topic of a passage.

    It is the category in `graph`, if the passage has one. Otherwise it is the outermost folder around the document with
    at most half of all documents. Without such a folder, it is the title of the document.
    """
    topic = graph.value(chunk_id, "category") if chunk_id in graph else None
    if topic:
        return str(topic)
    doc_id = corpus.chunk(chunk_id).doc_id
    return _folder(corpus.doc_ids, doc_id) or corpus.document(doc_id).title


def _folder(doc_ids: Sequence[str], doc_id: str) -> str:
    """Return the name of the outermost folder of a document with at most half of all `doc_ids`, or "".

    `doc_ids` must be sorted.
    """
    for folder in accumulate(doc_id.split("/")[:-1], "{}/{}".format):
        first, after = (bisect_left(doc_ids, folder + sign) for sign in ("/", chr(ord("/") + 1)))
        if 2 * (after - first) <= len(doc_ids):
            return folder.rpartition("/")[2]
    return ""
