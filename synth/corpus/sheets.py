"""Sheets of documents: all that is made of a document without a parse, kept in the store."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from synth.core.containment import contained
from synth.core.records import Chunk, Document, digest
from synth.core.source_digest import source_digest
from synth.core.store import Cache
from synth.corpus.fingerprints import outline
from synth.corpus.transforms.near_duplicates import NearDuplicates
from synth.corpus.transforms.references import References, ReferencesArtifact
from synth.grammar.reading import Reading
from synth.text.tokens import content_words

KIND = "sheet"


@dataclass(frozen=True, slots=True)
class Sheet:
    """Chunks of a document, its language and outline, the signature and the words of each chunk, and the links.

    `chunks` are (id, start, end, headings); `words` counts the content words of each. `whole` is false when code failed
    on a part, which is missing then.
    """

    chunks: Sequence[tuple[str, int, int, Sequence[str]]]
    language: str
    outline: str
    words: Sequence[Mapping[str, int]]
    signatures: Sequence[str | None] = ()
    references: ReferencesArtifact | None = None
    whole: bool = True


@dataclass(frozen=True)
class SheetMaker:
    """Maker of sheets: `chunk` cuts documents, `origin` names all that the chunks depend on."""

    chunk: Callable[[Document], Sequence[Chunk]]
    origin: str
    near: NearDuplicates | None
    references: References | None

    @cached_property
    def version(self) -> str:
        """Hash of all that sheets depend on, but for their documents."""
        parts = [part.version for part in (self.near, self.references) if part]
        return digest(KIND, source_digest("synth.corpus.sheets"), self.origin, parts)

    def sheets(self, documents: Sequence[Document], store: Cache) -> Iterator[tuple[Document, Sheet]]:
        """Each document with its sheet, made where the store lacks it."""
        for document in documents:
            made_from = (document.doc_id, document.title, document.metadata.get("format"), document.content_hash)
            key = digest(self.version, *made_from)
            packed = store.get(KIND, key)
            if packed is not None:
                yield document, Sheet(*json.loads(packed))
                continue
            sheet = self._made(document, store)
            if sheet.whole:
                fields: list[Any] = [sheet.chunks, sheet.language, sheet.outline, sheet.words, sheet.signatures]
                row = json.dumps([*fields, sheet.references], ensure_ascii=False, separators=(",", ":"))
                store.put(KIND, key, row.encode("utf-8", "surrogatepass"))
            yield document, sheet

    def _made(self, document: Document, store: Cache) -> Sheet:
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
        if self.near:
            with contained("transform 'near_duplicates'", document.doc_id) as guard:
                signatures = self.near.run(reading, chunks)
            guards.append(guard)
        if self.references:
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
