"""What a row is labelled with: its topic, and how hard its evidence is to find."""

from __future__ import annotations

from dataclasses import replace

from synth.filters.base import Corpus
from synth.graph import KnowledgeGraph
from synth.records import Sample

EASY, MEDIUM = 1, 5
"""Worst BM25 rank of a needed passage up to which a question is easy, or of medium difficulty."""


def labelled(sample: Sample, corpus: Corpus) -> Sample:
    """The sample with its category, its difficulty and the signals that this was read from.

    `bm25_rank` is the rank, over all passages, of the needed passage that is hardest to find: a
    question that takes two passages is as hard as the worse of them. A question without evidence has
    neither category nor difficulty.
    """
    if not sample.evidence:
        return sample
    needed = dict.fromkeys(piece.chunk_id for piece in sample.evidence)
    rank = max(corpus.index.rank(sample.question, [chunk_id]) for chunk_id in needed)
    difficulty = "easy" if rank <= EASY else "medium" if rank <= MEDIUM else "hard"
    topic = category(corpus.graph, sample.evidence[-1].chunk_id)
    labels = {"difficulty": difficulty, **({"category": topic} if topic else {})}
    return replace(sample, metadata={**sample.metadata, **labels, "difficulty_signals": {"bm25_rank": rank}})


def category(graph: KnowledgeGraph, chunk_id: str) -> str:
    """The topic of a passage, "" where none was made."""
    return str(graph.value(chunk_id, "category") or "")
