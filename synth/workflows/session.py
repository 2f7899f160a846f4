"""First steps of every verb: open the store, load documents, build their graph and the contexts of parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synth.core.containment import collecting, contained
from synth.core.errors import InputError
from synth.core.installation import versions
from synth.core.progress import Progress, Silent
from synth.core.records import Chunk, Document, Draft, Skipped, text_hash
from synth.core.store import Store
from synth.corpus.deep_reading import DeepReading, Executor, Processes
from synth.corpus.documents.kept import load_kept
from synth.corpus.documents.loading import Loaded, load, sources_of
from synth.corpus.documents.shard import Shard
from synth.corpus.documents.stored_chunks import cached_chunks
from synth.corpus.excerpts import Excerpt
from synth.corpus.fingerprints import outline
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.graph_builder import Counts, build
from synth.corpus.library import Library
from synth.corpus.notes import add_facts, add_notes, kept_notes
from synth.corpus.on_demand import Lazy
from synth.corpus.outlines import Outlines
from synth.corpus.ray_tasks import RayTasks
from synth.corpus.sections import sections
from synth.corpus.themes import add_themes
from synth.corpus.transforms.base import LazyTransform, Transform
from synth.generation.difficulty import DifficultyMeasure, difficulty_measure
from synth.generation.filters.base import Corpus
from synth.generation.retrieved_passages import index_of
from synth.generation.writer import WriterContext
from synth.grammar import author as grammar
from synth.grammar.reading import Reading
from synth.grammar.structure.facts import Fact
from synth.models.chat.driver import Driver
from synth.text.language import is_chinese
from synth.workflows.assembly import Assembly, assemble, open_encoder_for, prompt_loader
from synth.workflows.endpoints import reach
from synth.workflows.places import open_store
from synth.workflows.settings import Settings

CORPORA = "corpora"
"""Folder of a workspace with the documents and libraries of large corpora."""


@dataclass(frozen=True, slots=True)
class Built:
    """A knowledge graph with its readings, and by transform the counts of computed and reused artifacts."""

    graph: KnowledgeGraph
    readings: Mapping[str, Reading]
    skipped: tuple[Skipped, ...]
    counts: Mapping[str, Counts]


@dataclass(frozen=True, slots=True)
class Cut:
    """Documents that are loaded, their readings and their chunks."""

    loaded: Loaded
    readings: Mapping[str, Reading]
    chunks: Sequence[Chunk]


@dataclass(frozen=True, slots=True)
class LibraryReadings(Mapping[str, Reading]):
    """Readings of documents of a library, each made when it is asked for."""

    library: Library
    doc_ids: Mapping[str, Any]
    store: Store

    def __getitem__(self, doc_id: str) -> Reading:
        if doc_id not in self.doc_ids:
            raise KeyError(doc_id)
        return Reading(self.library.document(doc_id), self.store)

    def __iter__(self) -> Iterator[str]:
        return iter(self.doc_ids)

    def __len__(self) -> int:
        return len(self.doc_ids)


@contextmanager
def opened(settings: Settings, *, asks: bool = True) -> Iterator[tuple[Store, Assembly]]:
    """Open the store and the parts of the settings (see `assemble`); contained errors are collected meanwhile."""
    with collecting(), open_store(settings.workspace) as store:
        yield store, assemble(settings, store, asks=asks)


def build_graph(sources: Sequence[Any], settings: Settings | None = None, progress: Progress | None = None) -> Built:
    """Read documents and build their knowledge graph, or load it from the store when nothing has changed.

    It has what the structure of the documents states, and the notes that runs with a chat model in this workspace took
    on the passages they read, and their themes.
    """
    settings, progress = settings or Settings(), progress or Silent()
    with opened(settings) as (store, parts):
        built = read_corpus(sources, settings, store, parts, progress)
        for doc_id in built.graph.doc_ids:
            for section in sections(built.graph, doc_id):
                if (notes := kept_notes(store, section)) is not None:
                    add_notes(built.graph, notes)
            with contained("the grammar", doc_id):
                add_facts(built.graph, doc_id, grammar.facts(built.readings[doc_id], store))
        add_themes(built.graph)
        return built


def load_sources(
    sources: Sequence[Any], settings: Settings, *, kept: Path | None = None, shard: Shard | None = None
) -> Loaded:
    """Load documents as the settings say, of a `shard` its own; with a workspace `kept`, a large corpus stays there."""
    sources, of = sources_of(sources), settings.corpus
    loaded = load_kept(sources, kept / CORPORA, of, shard) if kept else load(sources, of, shard=shard)
    if not loaded.documents and shard is None:
        raise InputError("no document could be loaded from " + ", ".join(map(str, sources)))
    return replace(loaded, skipped=tuple(_inside(item, sources) for item in loaded.skipped))


def chunks_of(
    documents: Sequence[Document], settings: Settings, store: Store, driver: Driver | None = None
) -> list[Chunk]:
    semantic = settings.chunks.strategy == "semantic"
    encoder = open_encoder_for(settings, documents, store, driver) if semantic else None
    chunks: list[Chunk] = []
    for document in documents:
        with contained("the chunker", document.doc_id):
            chunks += cached_chunks(document, settings.chunks, store, encoder)
    return chunks


def read_corpus(sources: Sequence[Any], settings: Settings, store: Store, parts: Assembly, progress: Progress) -> Built:
    return read_loaded(load_sources(sources, settings), settings, store, parts, progress)


def read_loaded(loaded: Loaded, settings: Settings, store: Store, parts: Assembly, progress: Progress) -> Built:
    """Build the graph of loaded documents with the results of all transforms."""
    if any(part.name.startswith("llm_") for part in parts.transforms if isinstance(part, Transform)):
        reach(parts.models)
    documents = cut(loaded, settings, store, parts)
    if settings.author != "grammar":
        return read_cut(documents, store, parts, progress)
    with deep_reading(settings, store, parts) as reading:
        built = read_cut(read_deeply(documents, reading, progress), store, parts, progress)
    return counted(built, reading)


def cut(loaded: Loaded, settings: Settings, store: Store, parts: Assembly) -> Cut:
    """The chunks of documents that are loaded, and the readings, by id, of those that have chunks."""
    chunks = chunks_of(loaded.documents, settings, store, parts.driver)
    have_chunks = {piece.doc_id for piece in chunks}
    documents = sorted(loaded.documents, key=lambda document: document.doc_id)
    readings = {item.doc_id: Reading(item, store) for item in documents if item.doc_id in have_chunks}
    return Cut(loaded, readings, chunks)


def deep_reading(settings: Settings, store: Store, parts: Assembly) -> DeepReading:
    executor: Executor | None = None
    if settings.ray:
        executor = RayTasks(settings.ray)
    elif settings.workers > 1:
        executor = Processes(settings.workers, store.path)
    # Transforms that parse nothing are as fast where the graph is built.
    return DeepReading(
        store, parts.transforms if parts.parse else (), drafting=settings.author == "grammar", executor=executor
    )


def read_deeply(documents: Cut, reading: DeepReading, progress: Progress) -> Cut:
    """Read documents with the parsers; those on which these fail have no reading then."""
    by_id: dict[str, list[Chunk]] = {}
    for chunk in documents.chunks:
        by_id.setdefault(chunk.doc_id, []).append(chunk)
    every = [reading.document for reading in documents.readings.values()]
    readings = dict(documents.readings)
    with progress.stage("reading", len(every)) as stage:
        for doc_id, is_read in reading.read(every, by_id):
            if not is_read:
                del readings[doc_id]
            stage.advance()
    return replace(documents, readings=readings)


def counted(built: Built, reading: DeepReading) -> Built:
    """The same with the artifacts that deep reading made counted as computed."""
    counts = {}
    for name, count in built.counts.items():
        made = min(count.reused, reading.made[f"transform.{name}"])
        counts[name] = replace(count, computed=count.computed + made, reused=count.reused - made)
    return replace(built, counts=counts)


def outlined(cut: Cut) -> Built:
    """The graph of documents with their chunks and languages alone, for what needs no transform."""
    graph, counts = build(cut.loaded.documents, cut.chunks, (), readings=cut.readings)
    return Built(graph, cut.readings, cut.loaded.skipped, counts)


def read_cut(cut: Cut, store: Store, parts: Assembly, progress: Progress, *, passing: bool = False) -> Built:
    """The graph of documents that are cut, with all that the transforms read into it; a `passing` one is not kept."""
    documents = cut.loaded.documents
    passes = 1 + sum(isinstance(part, Transform) and part.reads_documents for part in parts.transforms)
    left = len(documents) * passes
    with progress.stage("graph", left) as stage:

        def read(*_: object) -> None:
            nonlocal left
            left -= 1
            stage.advance()

        graph, counts = build(
            documents, cut.chunks, parts.transforms, store, parts.driver, read, cut.readings, passing=passing
        )
        stage.advance(left)  # those that earlier runs read
    return Built(graph, cut.readings, cut.loaded.skipped, counts)


def corpus_of(graph: KnowledgeGraph, settings: Settings, brief: str = "") -> Corpus:
    index = graph.index if isinstance(graph, Library) else index_of(graph)
    return Corpus(graph, index, prompt_loader(settings), brief)


def outlines_of(graph: KnowledgeGraph) -> Outlines:
    """Content hashes and outlines of the documents."""
    if isinstance(graph, Library):
        return graph.outlines()
    return Outlines.of((one.doc_id, one.content_hash, outline(one.text)) for one in graph.documents())


def difficulty_of(corpus: Corpus, settings: Settings, parts: Assembly) -> DifficultyMeasure:
    """The measure of difficulty. Raises MissingPartError when it needs an encoder that is not installed."""
    return difficulty_measure(corpus, settings.bands, parts.encoder, asked=bool(settings.difficulty))


class Drafts:
    """The grammar's drafts by document, made when they are first asked for.

    A document of which an excerpt was added has those of its excerpts alone.
    """

    def __init__(self, graph: KnowledgeGraph, store: Store) -> None:
        self._graph, self._store = graph, store
        self._made: dict[str, list[Draft]] = {}
        self._facts: dict[str, list[Fact]] = {}

    def add(self, excerpt: Excerpt) -> None:
        """Add the drafts of an excerpt to those of its document; a question that is there with its answers is left."""
        made = self._made.setdefault(excerpt.doc_id, [])
        known = {(draft.question, draft.golden_answers) for draft in made}
        with contained("the grammar", excerpt.name):
            document = self._graph.document(excerpt.doc_id)
            for draft in grammar.drafts(Reading(excerpt.document(document), self._store), self._store):
                spans = [excerpt.origin(document.text, span) for span in draft.spans]
                if None not in spans and (draft.question, draft.golden_answers) not in known:
                    made.append(replace(draft, spans=tuple(filter(None, spans))))
            facts = self._facts.setdefault(excerpt.doc_id, [])
            for fact in grammar.facts(Reading(excerpt.document(document), self._store), self._store):
                spans = [excerpt.origin(document.text, span) for span in fact.spans]
                if None not in spans:
                    title = excerpt.origin(document.text, fact.title) if fact.title else None
                    facts.append(replace(fact, spans=tuple(filter(None, spans)), title=title))

    def __call__(self, doc_id: str) -> list[Draft]:
        if doc_id not in self._made:
            self._made[doc_id] = []
            with contained("the grammar", doc_id):
                # A reading of its own, so that its parse is not kept in memory.
                self._made[doc_id] = grammar.drafts(Reading(self._graph.document(doc_id), self._store), self._store)
        return self._made[doc_id]

    def facts(self, doc_id: str) -> list[Fact]:
        """What the structure of a document, or of its excerpts, states."""
        if doc_id not in self._facts:
            self._facts[doc_id] = []
            with contained("the grammar", doc_id):
                self._facts[doc_id] = grammar.facts(Reading(self._graph.document(doc_id), self._store), self._store)
        return self._facts[doc_id]

    def of_passage(self, passage: Chunk) -> list[Draft]:
        """The drafts on a passage alone, as if it were the document, with the spans of the document."""
        with contained("the grammar", f"{passage.doc_id}, character {passage.start}"):
            document = self._graph.document(passage.doc_id)
            alone = replace(document, text=passage.text, content_hash=text_hash(passage.text))
            made = grammar.drafts(Reading(alone, self._store), self._store)
            return [
                replace(one, spans=tuple((a + passage.start, b + passage.start) for a, b in one.spans)) for one in made
            ]
        return []


def wanted(built: Built, settings: Settings) -> Mapping[str, Reading]:
    """The documents in a wanted language that the author can write. Raises InputError when there is none."""
    languages = {doc_id: str(built.graph.value(doc_id, "language")) for doc_id in built.readings}
    known, readings = askable(Counter(languages.values()), settings), built.readings
    chosen = {doc_id: None for doc_id, language in languages.items() if language in known}
    if isinstance(readings, LibraryReadings):
        return replace(readings, doc_ids=chosen)
    return {doc_id: readings[doc_id] for doc_id in chosen}


def askable(languages: Mapping[str, int], settings: Settings) -> set[str]:
    """Of languages with their documents those of which questions can be. Raises InputError when there is none."""
    known = {
        language
        for language in languages
        if _in_language(language, settings.language) and (settings.author == "chat" or grammar.knows(language))
    }
    if not known:
        raise InputError(
            f"none of {sum(languages.values())} documents can have questions "
            f"(language '{settings.language}', author '{settings.author}'): without a chat model synth writes "
            f"{', '.join(grammar.languages())}; name a model with --llm for other languages"
        )
    return known


def material_of(
    built: Built,
    settings: Settings,
    parts: Assembly,
    store: Store,
    progress: Progress,
    drafts: Drafts | None = None,
) -> tuple[WriterContext, Lazy]:
    """The context of the writers: documents in a wanted language that the author can write."""
    readings, drafts = wanted(built, settings), drafts or Drafts(built.graph, store)
    if settings.author == "grammar":
        with progress.stage("drafting", len(readings)) as stage:
            for doc_id in readings:
                drafts(doc_id)
                stage.advance()
    provenance = {
        "author": settings.author,
        "model": settings.model.name or None,
        "seed": settings.seed,
        "synth": versions()["synth"],
    }
    lazily = (part for part in parts.transforms if isinstance(part, LazyTransform))
    lazy = Lazy(built.graph, built.readings, lazily, store)
    material = WriterContext(
        graph=built.graph,
        readings=readings,
        drafts=drafts,
        facts=drafts.facts,
        prompt=prompt_loader(settings),
        know=lazy.know,
        provenance=provenance,
        seed=settings.seed,
    )
    return material, lazy


def _in_language(own: str, language: str) -> bool:
    return language == "auto" or own == language or (language == "zh" and is_chinese(own))


def _inside(item: Skipped, sources: Sequence[Any]) -> Skipped:
    """A skipped file named by its path in the source folder, like documents."""
    for source in sources:
        root = f"{source}".rstrip("/") + "/"
        if item.source.startswith(root):
            return replace(item, source=item.source[len(root) :])
    return item
