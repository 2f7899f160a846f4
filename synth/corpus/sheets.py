"""Sheets of documents: everything computed from a document without parsing its sentences, kept in the store."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

from synth.core.containment import contained
from synth.core.records import Chunk, Document, digest
from synth.core.source_digest import source_digest
from synth.core.store import BatchCache
from synth.corpus.fingerprints import outline
from synth.corpus.transforms.near_duplicates import NearDuplicates
from synth.corpus.transforms.references import References, ReferencesArtifact
from synth.grammar.reading import Reading
from synth.text.tokens import content_words

KIND = "sheet"


@dataclass(frozen=True, slots=True)
class Sheet:
    """Chunks of a document, its language, outline and links, and word counts and signatures of the chunks.

    `chunks` are (id, start, end, headings). `words` counts the content words of each chunk. `signatures` are compared
    to find near duplicates; None for short chunks. `whole` is False if code failed, so that some values are missing.
    """

    chunks: Sequence[tuple[str, int, int, Sequence[str]]]
    language: str
    outline: str
    words: Sequence[Mapping[str, int]]
    signatures: Sequence[str | None] = ()
    references: ReferencesArtifact | None = None
    whole: bool = True

    def passages(self, document: Document) -> list[Chunk]:
        """Return the chunks of the document that the sheet was made from."""
        return [
            Chunk(
                chunk_id=chunk_id,
                doc_id=document.doc_id,
                start=start,
                end=end,
                text=document.text[start:end],
                headings=tuple(headings),
            )
            for chunk_id, start, end, headings in self.chunks
        ]


Elsewhere: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[Any]]
"""Function that applies a function to each argument in other processes. The iterator may end before the last result."""


def nowhere(function: Callable[[Any], Any], arguments: Sequence[Any]) -> Iterator[Any]:
    """Yield nothing. This is the `Elsewhere` to use without other processes."""
    return iter(())


@dataclass(frozen=True)
class SheetMaker:
    """Maker of sheets. `chunk` cuts documents into chunks; `origin` identifies everything that the chunks depend on."""

    chunk: Callable[[Document], Sequence[Chunk]]
    origin: str
    near: NearDuplicates = field(default_factory=NearDuplicates)
    references: References = field(default_factory=References)

    @cached_property
    def version(self) -> str:
        """Hash of everything that sheets depend on, except their documents."""
        parts = [self.near.version, self.references.version]
        return digest(KIND, source_digest("synth.corpus.sheets"), self.origin, parts)

    def sheets(
        self, documents: Sequence[Document], store: BatchCache, elsewhere: Elsewhere = nowhere
    ) -> Iterator[tuple[Document, Sheet]]:
        """Yield each document with its sheet. Sheets that the store lacks are made by `elsewhere`, or else here."""
        keys = [digest(self.version, d.doc_id, d.title, d.metadata.get("format"), d.content_hash) for d in documents]
        kept = [store.get(KIND, key) for key in keys]
        missing = [document for document, packed in zip(documents, kept, strict=True) if packed is None]
        made, new = elsewhere(_packed_apart, [(self, document) for document in missing]), list[tuple[str, bytes]]()
        for document, key, packed in zip(documents, keys, kept, strict=True):
            if packed is None:
                packed = next(made, None) or _packed(sheet := self._made(document))
                if packed is None:
                    yield document, sheet
                    continue
                new.append((key, packed))
            yield document, Sheet(*json.loads(packed))
        store.put_all(KIND, new)

    def _made(self, document: Document) -> Sheet:
        chunks: Sequence[Chunk] = ()
        guards = []
        with contained("the chunker", document.doc_id) as guard:
            chunks = self.chunk(document)
        guards.append(guard)
        reading, language = Reading(document), "other"
        with contained("transform 'language'", document.doc_id) as guard:
            language = reading.language
        guards.append(guard)
        signatures: Sequence[str | None] = [None] * len(chunks)
        references = None
        with contained("transform 'near_duplicates'", document.doc_id) as guard:
            signatures = self.near.run(reading, chunks)
        guards.append(guard)
        with contained("transform 'references'", document.doc_id) as guard:
            references = self.references.run(reading, chunks)
        guards.append(guard)
        return Sheet(
            chunks=[(chunk.chunk_id, chunk.start, chunk.end, chunk.headings) for chunk in chunks],
            language=language,
            outline=outline(document.text),
            words=[Counter(content_words(chunk.text)) for chunk in chunks],
            signatures=signatures,
            references=references,
            whole=not any(guard.error for guard in guards),
        )


def _packed(sheet: Sheet) -> bytes | None:
    """Return a sheet as bytes, or None if it is not `whole`."""
    if not sheet.whole:
        return None
    fields = [sheet.chunks, sheet.language, sheet.outline, sheet.words, sheet.signatures, sheet.references]
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _packed_apart(task: tuple[SheetMaker, Document]) -> bytes | None:
    maker, document = task
    return _packed(maker._made(document))
