"""Pages that evidence stands on, for documents that have pages."""

from __future__ import annotations

from bisect import bisect_right

from synth.core.records import Document, Sample
from synth.corpus.corpus import Corpus


def evidence_pages(sample: Sample, corpus: Corpus) -> list[int | None]:
    """The page, from 1, on which each piece of evidence begins; empty if no document of the evidence has pages."""
    pages = [page_at(corpus.document(piece.doc_id), piece.start) for piece in sample.evidence]
    return pages if any(pages) else []


def page_at(document: Document, offset: int) -> int | None:
    """The page, from 1, of a character of a document whose metadata have `pages`, the offsets where pages begin."""
    starts = document.metadata.get("pages")
    if not isinstance(starts, list | tuple) or not starts:
        return None
    return max(bisect_right(starts, offset), 1)
