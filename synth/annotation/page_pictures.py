"""Pictures of PDF pages with boxes around the evidence of a row."""

from __future__ import annotations

import threading
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

from synth.core.errors import ExpectedFailure, SynthError
from synth.core.records import Document, Sample
from synth.core.restricted_process import Limits, RestrictedProcess

_LIMITS = Limits(seconds=20, output=50_000_000)
_MOST = 6
"""Maximum number of pages shown for a row."""
_KEPT = 32
"""Maximum number of pictures in the cache of recently used ones."""


class PagePictures:
    """Renders pages of the PDF files of a corpus in a restricted subprocess.

    `documents` is the corpus by document id. Leaving the context ends the subprocess.
    """

    def __init__(self, documents: Mapping[str, Document]) -> None:
        self._documents = documents
        self._process = RestrictedProcess(_LIMITS)
        self._lock = threading.Lock()
        self._picture = lru_cache(_KEPT)(self._drawn)

    def __enter__(self) -> PagePictures:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.close()

    def of(self, sample: Sample) -> list[dict[str, Any]]:
        """Return the pages that the evidence of a row is on, at most 6.

        Each page contains its `document`, its `page` number from 1, the picture as a base64 PNG, and the boxes of the
        evidence. Boxes are fractions of the page size. If a page cannot be rendered, `fault` is the reason and there is
        no picture.

        Evidence is skipped if its document is no PDF file on this machine or no longer contains the text at that
        position.
        """
        texts: dict[tuple[str, int], list[str]] = {}
        for doc_id, page, text in self._places(sample):
            texts.setdefault((doc_id, page), []).append(text)
        return [
            {"document": doc_id, "page": page, **self._picture(doc_id, page, tuple(some))}
            for (doc_id, page), some in list(texts.items())[:_MOST]
        ]

    def _places(self, sample: Sample) -> Iterator[tuple[str, int, str]]:
        """Yield the document, page number and text of each part of the evidence, split at page ends."""
        for piece in sample.evidence:
            document = self._documents.get(piece.doc_id)
            starts = document.metadata.get("pages") if document else None
            if not document or not starts or document.metadata.get("kind") != "pdf":
                continue
            if document.text[piece.start : piece.end] != piece.text or not Path(document.source).is_file():
                continue
            ends = [*starts[1:], len(document.text)]
            first = max(bisect_right(starts, piece.start), 1)
            last = max(bisect_right(starts, piece.end - 1), first)
            for page in range(first, last + 1):
                low, high = max(piece.start, starts[page - 1]), min(piece.end, ends[page - 1])
                yield piece.doc_id, page, document.text[low:high]

    def _drawn(self, doc_id: str, page: int, texts: tuple[str, ...]) -> dict[str, Any]:
        try:
            data = Path(self._documents[doc_id].source).read_bytes()
            with self._lock:
                drawn = list(
                    self._process.results(
                        "synth.corpus.documents.pdf.picture:picture", data, page=page, texts=list(texts)
                    )
                )
        except (OSError, SynthError, ExpectedFailure) as error:
            return {"fault": str(error)}
        return dict(drawn[0]) if drawn else {"fault": f"page {page} of the file cannot be displayed"}
