"""First steps shared by all commands: open the store, load documents, build their corpus and their graph."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from synth.core.containment import collecting, contained
from synth.core.errors import InputError
from synth.core.installation import versions
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.progress import Progress, progress_of
from synth.core.records import Chunk, Document, Skipped, digest
from synth.core.store import Store
from synth.corpus.corpus import Corpus
from synth.corpus.corpus_builder import corpus_of
from synth.corpus.deep_reading import DeepReading, Executor, Processes
from synth.corpus.documents.chunking import chunk
from synth.corpus.documents.kept import KeptDocuments, load_kept
from synth.corpus.documents.loading import Sources, sources_of
from synth.corpus.documents.shard import Shard
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.graph_builder import Counts, Tools, build
from synth.corpus.notes import add_facts, add_notes, kept_notes
from synth.corpus.ray_tasks import RayTasks
from synth.corpus.sections import sections
from synth.corpus.sheets import Elsewhere, SheetMaker, nowhere
from synth.corpus.themes import add_themes
from synth.corpus.transforms.base import LazyTransform, Transform
from synth.generation.difficulty import DifficultyMeasure, difficulty_measure
from synth.grammar import author as grammar
from synth.grammar.reading import Reading
from synth.text.language import is_chinese
from synth.workflows.assembly import Assembly, assemble, open_encoder_for, prompt_loader
from synth.workflows.endpoints import reach
from synth.workflows.places import open_store
from synth.workflows.settings import Settings

CORPORA = "corpora"
"""Folder in a workspace that contains the documents of corpora and everything computed from them."""


@dataclass(frozen=True, slots=True, repr=False)
class Built(Tabular):
    """A knowledge graph, the files left out, and for each transform how many results were computed or reused."""

    graph: KnowledgeGraph
    skipped: tuple[Skipped, ...]
    counts: Mapping[str, Counts]

    def notebook_table(self) -> NotebookTable:
        rows = [[name, count.computed, count.reused] for name, count in self.counts.items()]
        return NotebookTable(["transform", "computed", "reused"], rows, f"{len(self.skipped)} files left out")


@dataclass(frozen=True, slots=True)
class Run:
    """Everything that a step of a run needs.

    `parts` are the filters, transforms, models and encoder. `reading` reads documents with the parsers, in one or
    several processes.
    """

    settings: Settings
    corpus: Corpus
    store: Store
    parts: Assembly
    reading: DeepReading
    progress: Progress


@contextmanager
def opened(settings: Settings, *, asks: bool = True, whole: bool = False) -> Iterator[tuple[Store, Assembly]]:
    """Open the store and the parts of the settings (see `assemble`). Errors of single items do not end the run."""
    with collecting(), open_store(settings.workspace) as store:
        yield store, assemble(settings, store, asks=asks, whole=whole)


# The corpus


def load_sources(sources: Sources, settings: Settings, store: Store, shard: Shard | None = None) -> KeptDocuments:
    """Load documents as the settings say, and keep them in the workspace of the store.

    With a `shard`, only its documents are loaded. Raises InputError if no document can be loaded and there is no shard.
    """
    sources = sources_of(sources)
    loaded = load_kept(sources, store.path.parent / CORPORA, settings.corpus, shard)
    if not loaded.documents and shard is None:
        raise InputError("no document could be loaded from the sources: " + ", ".join(map(str, sources)))
    return replace(loaded, skipped=tuple(_inside(item, sources) for item in loaded.skipped))


def _inside(item: Skipped, sources: Sequence[Any]) -> Skipped:
    """Return a skipped file with its path relative to the source folder, as documents are named."""
    for source in sources:
        root = f"{source}".rstrip("/") + "/"
        if item.source.startswith(root):
            return replace(item, source=item.source[len(root) :])
    return item


def open_corpus(
    loaded: KeptDocuments,
    settings: Settings,
    store: Store,
    parts: Assembly,
    progress: Progress,
    reading: DeepReading | None = None,
) -> Corpus:
    """Return the corpus of loaded documents. Results of earlier runs are reused.

    If `reading` uses several processes, they build the corpus.
    """
    maker = sheet_maker(loaded.documents, settings, store, parts)
    with progress.stage("documents", len(loaded.documents)) as stage:
        left = len(loaded.documents)

        def cut() -> None:
            nonlocal left
            left -= 1
            stage.advance()

        corpus = corpus_of(loaded.documents, maker, store, cut, elsewhere(settings, reading))
        stage.advance(left)  # documents that an earlier run already split
    corpus.prompt, corpus.distractors = prompt_loader(settings), settings.corpus.distractors
    return corpus


@contextmanager
def opened_corpus(
    sources: Sources, settings: Settings, progress: Progress, *, asks: bool = True, whole: bool = False
) -> Iterator[tuple[KeptDocuments, Run]]:
    """Open the store and the parts (see `assemble`), load the sources and open their corpus."""
    with opened(settings, asks=asks, whole=whole) as (store, parts), deep_reading(settings, store, parts) as reading:
        loaded = load_sources(sources, settings, store)
        corpus = open_corpus(loaded, settings, store, parts, progress, reading)
        yield loaded, Run(settings, corpus, store, parts, reading, progress)


def sheet_maker(documents: Sequence[Document], settings: Settings, store: Store, parts: Assembly) -> SheetMaker:
    """Return the maker of sheets. A sheet contains the chunks of a document and counts of their words."""
    semantic = settings.chunks.strategy == "semantic"
    encoder = open_encoder_for(settings, documents, store, parts.driver) if semantic else None
    return SheetMaker(
        chunk=partial(chunk, settings=settings.chunks, encoder=encoder),
        origin=digest(astuple(settings.chunks), encoder.name if encoder else None),
    )


def elsewhere(settings: Settings, reading: DeepReading | None) -> Elsewhere:
    """Return the function that makes sheets in other processes.

    Without several processes, or if an encoder cuts the chunks, the function makes no sheets, and this process makes
    them. An encoder cannot be sent to another process.
    """
    return nowhere if reading is None or settings.chunks.strategy == "semantic" else reading.elsewhere


def difficulty_of(corpus: Corpus, settings: Settings, parts: Assembly) -> DifficultyMeasure:
    """Return the difficulty measure of a corpus. Raises MissingPartError if its encoder is not installed."""
    return difficulty_measure(corpus, settings.bands, parts.encoder, asked=bool(settings.difficulty))


def askable(languages: Mapping[str, int], settings: Settings, knows: Callable[[str], bool]) -> set[str]:
    """Return those languages of the documents in which the author can ask questions.

    `languages` maps each language to its number of documents. `knows` tells whether the author knows a language. Raises
    InputError if no language is left.
    """
    known = {language for language in languages if _in_language(language, settings.language) and knows(language)}
    if not known:
        raise InputError(
            f"no questions can be written about the {sum(languages.values())} documents "
            f"(language '{settings.language}', author '{settings.author}'): without a chat model synth writes only "
            f"{', '.join(grammar.languages())}; name a model with --llm for other languages"
        )
    return known


def _in_language(own: str, language: str) -> bool:
    return language == "auto" or own == language or (language == "zh" and is_chinese(own))


def provenance_of(settings: Settings) -> Mapping[str, Any]:
    """Return how the rows of a run are made (author, model, seed, version of synth). It is written to every row."""
    return {
        "author": settings.author,
        "model": settings.model.name or None,
        "seed": settings.seed,
        "synth": versions()["synth"],
    }


# What was read


def deep_reading(settings: Settings, store: Store, parts: Assembly) -> DeepReading:
    """Return the object that reads documents with the parsers: in this process, in several, or on a Ray cluster."""
    executor: Executor | None = None
    if settings.ray:
        executor = RayTasks(settings.ray)
    elif settings.workers > 1:
        executor = Processes(settings.workers, store.path)
    return DeepReading(store, parts.deep, executor)


def read_deeply(
    documents: Iterable[Document], passages: Mapping[str, Sequence[Chunk]], reading: DeepReading, progress: Progress
) -> set[str]:
    """Read documents with the parsers, and return the ids of the documents that could be read.

    `passages` maps document ids to passages.
    """
    every = list(documents)
    sound = set()
    with progress.stage("reading", len(every)) as stage:
        for doc_id, is_read in reading.read(every, passages):
            if is_read:
                sound.add(doc_id)
            stage.advance()
    return sound


def graph_of(
    run: Run, doc_ids: Sequence[str], transforms: Sequence[Transform | LazyTransform[Any]], *, passing: bool = False
) -> tuple[KnowledgeGraph, Mapping[str, Counts]]:
    """Return the graph of documents with the results of transforms, and counts of computed and reused results.

    If `passing` is true, the graph is not stored.
    """
    passes = 1 + sum(isinstance(part, Transform) and part.reads_documents for part in transforms)
    left = len(doc_ids) * passes
    chunks = [passage for doc_id in doc_ids for passage in run.corpus.chunks_of(doc_id)]
    with run.progress.stage("graph", left) as stage:

        def read(*_: object) -> None:
            nonlocal left
            left -= 1
            stage.advance()

        documents = [run.corpus.document(doc_id) for doc_id in doc_ids]
        built = build(documents, chunks, transforms, Tools(run.store, run.parts.driver, read), passing=passing)
        stage.advance(left)  # documents that earlier runs already read
    return built


def asked_graph(run: Run) -> KnowledgeGraph:
    """Return the graph of all documents; an empty graph if the run uses only the transforms that every corpus has."""
    return _whole_graph(run)[0] if run.parts.deep else KnowledgeGraph()


def build_graph(
    sources: str | Path | Sequence[Any], settings: Settings | None = None, progress: Progress | bool | None = None
) -> Built:
    """Read all documents and build their knowledge graph, or load it from the store if nothing has changed.

    The graph contains facts that headings, lists and tables of the documents state. It also contains the notes and
    themes that earlier runs with a chat model stored in this workspace.

    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `progress`: True for lines or bars on stderr.
    """
    settings, progress = settings or Settings(), progress_of(progress)
    with opened_corpus(sources, settings, progress, whole=True) as (loaded, run):
        passages = {doc_id: found for doc_id in run.corpus.doc_ids if (found := run.corpus.chunks_of(doc_id))}
        read_deeply([run.corpus.document(doc_id) for doc_id in passages], passages, run.reading, run.progress)
        graph, counts = _whole_graph(run)
        for doc_id in run.corpus.doc_ids:
            for section in sections(run.corpus, doc_id):
                if (notes := kept_notes(run.store, section)) is not None:
                    add_notes(graph, notes)
            with contained("the grammar", doc_id):
                reading = Reading(run.corpus.document(doc_id), run.store)
                add_facts(graph, doc_id, grammar.facts(reading, run.store))
        add_themes(graph)
        return Built(graph, loaded.skipped, counts)


def _whole_graph(run: Run) -> tuple[KnowledgeGraph, Mapping[str, Counts]]:
    """Return the graph of all documents, and the counts of the transforms."""
    corpus, parts = run.corpus, run.parts
    if any(part.name.startswith("llm_") for part in parts.transforms if isinstance(part, Transform)):
        reach(parts.models)
    graph, counts = graph_of(run, corpus.doc_ids, parts.transforms)
    made = run.reading.made
    return graph, {name: _with_made(count, made[f"transform.{name}"]) for name, count in counts.items()}


def _with_made(count: Counts, made: int) -> Counts:
    """Return counts in which `made` of the reused artifacts count as computed, because this run made them while
    reading.
    """
    made = min(count.reused, made)
    return replace(count, computed=count.computed + made, reused=count.reused - made)
