"""Chunks of documents, kept in the cache."""

from __future__ import annotations

import json
from dataclasses import astuple
from typing import Protocol

from synth.core.records import Chunk, Document, digest
from synth.core.source_digest import source_digest
from synth.core.store import Cache
from synth.corpus.documents.chunking import ChunkSettings, TextEncoder, chunk

KIND = "chunks"


class NamedEncoder(TextEncoder, Protocol):
    """An encoder with a name, which is part of the cache key."""

    @property
    def name(self) -> str: ...


def cached_chunks(
    document: Document, settings: ChunkSettings, cache: Cache, encoder: NamedEncoder | None = None
) -> list[Chunk]:
    """`chunk(document, settings)`, cached by the document, the settings, the encoder and the code of the chunker."""
    code = source_digest("synth.corpus.documents.chunking")
    origin = (astuple(settings), encoder.name if encoder else None, code)
    key = digest(KIND, origin, document.doc_id, document.content_hash, document.metadata.get("format"))
    packed = cache.get(KIND, key)
    if packed is None:
        chunks = chunk(document, settings, encoder=encoder)
        cache.put(KIND, key, json.dumps([(c.chunk_id, c.start, c.end, c.headings) for c in chunks]).encode())
        return chunks
    return [
        Chunk(
            chunk_id=chunk_id,
            doc_id=document.doc_id,
            start=start,
            end=end,
            text=document.text[start:end],
            headings=tuple(headings),
        )
        for chunk_id, start, end, headings in json.loads(packed)
    ]
