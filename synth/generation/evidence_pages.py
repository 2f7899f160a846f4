"""Pages that contain the evidence, for documents with pages."""

from __future__ import annotations

from bisect import bisect_right

from synth.core.records import Document, Sample
from synth.corpus.corpus import Corpus


def evidence_pages(sample: Sample, corpus: Corpus) -> list[int | None]:
    """Return the page, from 1, on which each piece of evidence starts.

    The list is empty if no document of the evidence has pages. An entry is None if the document of that piece has none.
    """
    pages = [page_at(corpus.document(piece.doc_id), piece.start) for piece in sample.evidence]
    return pages if any(pages) else []


def page_at(document: Document, offset: int) -> int | None:
    """Return the page, from 1, of a character of a document.

    None if the document's metadata contain no `pages`, the offsets where pages start.
    """
    starts = document.metadata.get("pages")
    if not isinstance(starts, list | tuple) or not starts:
        return None
    return max(bisect_right(starts, offset), 1)
