"""Portions of a corpus that is read without a chat model: only as many documents are parsed as the rows need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from synth.core.gc_pause import no_collection
from synth.core.progress import Progress
from synth.core.records import Document, digest, pseudo_random_each
from synth.core.store import Store
from synth.corpus.deep_reading import DeepReading
from synth.corpus.documents.chunking import chunk
from synth.corpus.documents.loading import Loaded
from synth.corpus.documents.stored import StoredDocuments
from synth.corpus.excerpts import LONGEST_WHOLE, Excerpt, ReadInExcerpts, excerpts
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.graph_builder import build
from synth.corpus.library import Library
from synth.corpus.library_builder import library_of
from synth.corpus.on_demand import Lazy
from synth.corpus.sheets import Elsewhere, SheetMaker, nowhere
from synth.corpus.transforms.near_duplicates import NearDuplicates
from synth.corpus.transforms.references import References
from synth.generation.pipeline import A_ROW
from synth.generation.writer import WriterContext
from synth.grammar.reading import Reading
from synth.workflows.assembly import Assembly, for_large_corpus, open_encoder_for
from synth.workflows.session import (
    Built,
    Cut,
    Drafts,
    LibraryReadings,
    askable,
    chunks_of,
    corpus_of,
    counted,
    cut,
    material_of,
    read_cut,
    read_deeply,
)
from synth.workflows.settings import Settings

if TYPE_CHECKING:
    import numpy as np

FIRST = 25_000
"""Least characters of a portion of a corpus on disk; of a later one, an eighth of what is read before it."""

AHEAD = 4_000_000
"""Most characters that are read together ahead of their portions, so that several processes have enough to do."""

LONG = 20_000
"""Characters from which a document is drawn less often: it takes as long to read as many others, and its rows may be
only so many."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A document or an excerpt of one, its characters, and those of the document's excerpts up to it."""

    doc_id: str
    size: int
    until: int
    excerpt: Excerpt | None = None


class Portions:
    """Portions of the documents of a corpus, in an order that depends on ids and sizes of documents and the seed alone.

    `graph` and `corpus` have all documents, `counts` those of the transforms that parse nothing. `first` is the
    material of the first portion; where transforms parse, its graph has their results on the documents that are read,
    else it is that of all documents. A corpus that is not kept on disk is one portion. The documents `first` come
    before all others; portions that a set of so many new `rows` needs in any case are read together. Raises InputError
    when no document can have questions.
    """

    def __init__(
        self,
        loaded: Loaded,
        settings: Settings,
        store: Store,
        parts: Assembly,
        progress: Progress,
        reading: DeepReading,
        first: Collection[str] = (),
        rows: int = 0,
    ) -> None:
        import numpy as np

        self._loaded, self._settings, self._store = loaded, settings, store
        self._parts, self._progress, self._reading = parts, progress, reading
        self._made: list[WriterContext] = []
        if not isinstance(loaded.documents, StoredDocuments):
            documents = read_deeply(cut(loaded, settings, store, parts), reading, progress)
            built = counted(read_cut(documents, store, parts, progress), reading)
            self.graph, self.counts = built.graph, built.counts
            self.corpus = corpus_of(self.graph, settings)
            self.first, self.lazy = material_of(built, settings, parts, store, progress)
            return
        library = library_for(loaded.documents, settings, store, parts, progress, reading)
        self.graph, self.counts = library, {}
        self.corpus = corpus_of(library, settings)
        self._drafts = Drafts(library, store)
        with no_collection():
            units = self._units(*library.in_languages(partial(askable, settings=settings)))
            sizes = np.array([unit.size for unit in units], dtype=np.int64)
            until = np.array([unit.until for unit in units], dtype=np.int64)
            order = drawn([unit.doc_id for unit in units], until, settings.seed, first)
            ends = portion_ends(sizes[order])
            self._portions = [
                [units[number] for number in order[start:end]] for start, end in zip([0, *ends], ends, strict=False)
            ]
            self._until = np.cumsum(sizes[order])[[end - 1 for end in ends]].tolist()
            before = np.array(self._until[:-1], dtype=np.int64)
        self._needed = 1 + int((before <= min((rows - 1) * A_ROW, AHEAD)).sum())
        self._read = Cut(replace(loaded, documents=()), {}, ())
        self.first, self.lazy = self._portion(0)

    def _further(self, number: int) -> WriterContext | None:
        """The material with portion `number`, from 1, and those before it; None when there is no such portion."""
        if number > len(self._made) and number < len(self._portions):
            self._made.append(self._portion(number)[0])
        return self._made[number - 1] if number <= len(self._made) else None

    def _portion(self, number: int) -> tuple[WriterContext, Lazy]:
        """Read a portion; return the material with it and those before it."""
        graph, before = self.graph, self._read
        if number == 1:
            ahead = [unit for portion in self._portions[1 : self._needed] for unit in portion]
            read_deeply(self._cut(ahead), self._reading, self._progress)
        portion = self._portions[number]
        added = read_deeply(self._cut(portion), self._reading, self._progress)
        self._read = Cut(
            loaded=replace(before.loaded, documents=(*before.loaded.documents, *added.loaded.documents)),
            readings={**before.readings, **self._as_read(portion, added.readings, before.readings)},
            chunks=[*before.chunks, *added.chunks],
        )
        built = Built(graph, self._read.readings, self._read.loaded.skipped, {})
        if self._parts.parse:
            built = read_cut(self._read, self._store, self._parts, self._progress, passing=True)
        material, lazy = material_of(built, self._settings, self._parts, self._store, self._progress, self._drafts)
        further = partial(self._further, number + 1)
        material = replace(
            material,
            passages=self.corpus.passages,
            passage_drafts=self._drafts.of_passage,
            further=further,
            unread=self._until[-1] - self._until[number],
        )
        return material, lazy

    def _units(self, doc_ids: Sequence[str], sizes: np.ndarray) -> list[Unit]:
        """What is read at a time: documents, and excerpts of long ones.

        Transforms that parse need whole documents.
        """
        units = []
        for doc_id, size in zip(doc_ids, sizes.tolist(), strict=True):
            if size <= LONGEST_WHOLE or self._parts.parse:
                units.append(Unit(doc_id, size, size))
                continue
            until = 0
            document, passages = self.graph.document(doc_id), self.graph.chunks_of(doc_id)
            for part in excerpts(document, passages, self._settings.seed):
                until += part.end - part.start
                units.append(Unit(doc_id, part.end - part.start, until, part))
        return units

    def _cut(self, units: Iterable[Unit]) -> Cut:
        """What is to be read: documents with their passages, and excerpts as documents without any."""
        units = sorted(units, key=lambda unit: (unit.doc_id, unit.excerpt.start if unit.excerpt else 0))
        whole = tuple(self.graph.document(unit.doc_id) for unit in units if unit.excerpt is None)
        parts = [u.excerpt.document(self.graph.document(u.doc_id)) for u in units if u.excerpt is not None]
        return Cut(
            loaded=replace(self._read.loaded, documents=whole),
            readings={document.doc_id: Reading(document, self._store) for document in (*whole, *parts)},
            chunks=[chunk for document in whole for chunk in self.graph.chunks_of(document.doc_id)],
        )

    def _as_read(
        self, portion: Iterable[Unit], added: Mapping[str, Reading], before: Mapping[str, Reading]
    ) -> dict[str, Reading]:
        """The readings of a portion by document: those of whole ones, and those with further excerpts."""
        readings: dict[str, Reading] = {}
        for unit in portion:
            excerpt = unit.excerpt
            if excerpt is None:
                if unit.doc_id in added:
                    readings[unit.doc_id] = added[unit.doc_id]
            elif excerpt.name in added:
                self._drafts.add(excerpt)
                known = readings.get(unit.doc_id) or before.get(unit.doc_id)
                parts = (*known.parts, excerpt) if isinstance(known, ReadInExcerpts) else (excerpt,)
                language = str(self.graph.value(unit.doc_id, "language"))
                readings[unit.doc_id] = ReadInExcerpts(self.graph.document(unit.doc_id), parts, language)
        return dict(sorted(readings.items()))


def drawn(doc_ids: Sequence[str], sizes: np.ndarray, seed: int, first: Collection[str] = ()) -> list[int]:
    """Numbers of the documents, of these `sizes`, in an order of chance: those that are `first`, then the others.

    Of these a long one comes late.

    One of ten times `LONG` characters is a tenth as likely as a short one to be among the first hundred of many.
    """
    import numpy as np

    places = np.array(pseudo_random_each(seed, doc_ids)) * np.maximum(1.0, sizes / LONG)
    later = np.fromiter((doc_id not in first for doc_id in doc_ids), dtype=bool, count=len(doc_ids))
    numbers: list[int] = np.lexsort((places, later)).tolist()
    return numbers


def portion_ends(sizes: np.ndarray) -> list[int]:
    """The ends of portions of documents of these sizes, in characters; the last portion ends with the documents."""
    import numpy as np

    read, ends, least = np.cumsum(sizes), [0], FIRST
    while ends[-1] < len(sizes):
        ends.append(min(len(sizes), int(np.searchsorted(read, least)) + 1))
        while least <= read[ends[-1] - 1]:
            least += max(FIRST, least // 8)
    return ends[1:]


def passages_of(
    loaded: Loaded, settings: Settings, store: Store, parts: Assembly, progress: Progress, reading: DeepReading
) -> KnowledgeGraph:
    """The documents and passages of a corpus, for what needs no parse; on disk where the documents are."""
    if isinstance(loaded.documents, StoredDocuments):
        return library_for(loaded.documents, settings, store, parts, progress, reading)
    return build(loaded.documents, chunks_of(loaded.documents, settings, store), (), store)[0]


def parts_for(loaded: Loaded, settings: Settings, parts: Assembly) -> Assembly:
    """The parts for documents that are loaded: of a large corpus, no more is parsed than questions need."""
    return for_large_corpus(parts, settings) if isinstance(loaded.documents, StoredDocuments) else parts


def library_built(library: Library, loaded: Loaded, store: Store) -> Built:
    """A library as the graph of a chat model whose transforms parse nothing."""
    return Built(library, LibraryReadings(library, library.languages, store), loaded.skipped, {})


def library_for(
    documents: StoredDocuments,
    settings: Settings,
    store: Store,
    parts: Assembly,
    progress: Progress,
    reading: DeepReading,
) -> Library:
    """The library of documents that are kept on disk, with the transforms of the settings that parse nothing."""
    maker = sheet_maker(documents, settings, store, parts)
    with progress.stage("passages", len(documents)) as stage:
        return library_of(documents, maker, store, stage.advance, elsewhere(settings, reading))


def elsewhere(settings: Settings, reading: DeepReading) -> Elsewhere:
    """The processes that make sheets; none for an encoder, which cannot be sent to another process."""
    return nowhere if settings.chunks.strategy == "semantic" else reading.elsewhere


def sheet_maker(documents: Sequence[Document], settings: Settings, store: Store, parts: Assembly) -> SheetMaker:
    """The maker of sheets for documents, with the transforms of the settings that parse nothing."""
    semantic = settings.chunks.strategy == "semantic"
    encoder = open_encoder_for(settings, documents, store, parts.driver) if semantic else None
    return SheetMaker(
        chunk=partial(chunk, settings=settings.chunks, encoder=encoder),
        origin=digest(astuple(settings.chunks), encoder.name if encoder else None),
        near=next((part for part in parts.transforms if isinstance(part, NearDuplicates)), None),
        references=next((part for part in parts.transforms if isinstance(part, References)), None),
    )
