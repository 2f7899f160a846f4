"""The verbs of synth, for Python and for the command line: generate, verify, evaluate, build_graph."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from synth.config import Assembly, Settings, assemble, manner, open_encoder_for, prompt_loader, set_filters, still_known
from synth.documents.keeping import kept_chunks
from synth.documents.loading import Loaded, load
from synth.errors import ConfigError, InputError
from synth.evaluating import evaluate as evaluate
from synth.filters.base import Corpus
from synth.grammar import author as grammar
from synth.grammar.reading import Reading
from synth.graph import KnowledgeGraph
from synth.installed import versions
from synth.jsonl import read_samples, sample_to_row, write_atomic, write_rows
from synth.manifest import manifest, paths, rejected_row
from synth.pipeline import Outcome, plans, quotas, synthesize
from synth.planning import Plan, nearer
from synth.planning import plan as plan_of
from synth.progress import Progress, Silent
from synth.records import Chunk, Document, Draft, Skipped
from synth.retrieval.bm25 import LexicalIndex
from synth.store import Store
from synth.text.language import is_chinese
from synth.transforms.base import Transform
from synth.transforms.build import Counts, build
from synth.transforms.lazy import Lazy, LazyTransform
from synth.verification import faults
from synth.writer import Material

STORE = "synth.sqlite"

LAG = 128
"""How many scenarios may be under way at a chat model before the outcome of the first of them is taken in."""

ROUNDS = 4
"""How often a run is made again with other shares, where the corpus could not give those asked for."""


@dataclass(frozen=True, slots=True)
class Generated:
    """What `generate` made: the rows and the refused, the files left out, the manifest, and where it all is."""

    outcome: Outcome
    skipped: tuple[Skipped, ...]
    manifest: Mapping[str, Any]
    output: Path
    rejected: Path
    counts: Mapping[str, Counts]


@dataclass(frozen=True, slots=True)
class Failure:
    """A row that does not hold: its line, its id ("" for a line that is no row), and why."""

    line: int
    id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Verified:
    """What `verify` found: how many lines were checked, and those that do not hold."""

    checked: int
    failures: tuple[Failure, ...]
    skipped: tuple[Skipped, ...]

    @property
    def held(self) -> int:
        return self.checked - len(self.failures)


@dataclass(frozen=True, slots=True)
class Built:
    """A knowledge graph, the readings it was made from, and by transform what was computed and what reused."""

    graph: KnowledgeGraph
    readings: Mapping[str, Reading]
    skipped: tuple[Skipped, ...]
    counts: Mapping[str, Counts]


def generate(
    sources: Sequence[Any], output: Path, settings: Settings | None = None, progress: Progress | None = None
) -> Generated:
    """Make a testset from documents and write it to `output`, with the refused and the manifest beside it.

    `sources` are folders, files, LangChain documents or synth Documents. All three files are written
    even when fewer rows than `settings.n` could be made: `outcome.shortfall` says how many are
    missing, the manifest's funnel where they were lost. Raises InputError when nothing can be read,
    ConfigError for a setting that makes no sense, ModelError when the chat model cannot be used.
    """
    settings, progress = settings or Settings(), progress or Silent()
    against = _against(settings, output)
    with _opened(settings) as (store, parts):
        built = _build(sources, settings, store, parts, progress)
        material, lazy = _material(built, settings, parts, store, progress)
        corpus = _corpus(built.graph, settings)
        outcome = _synthesize(settings, material, corpus, parts, quotas(settings.types, settings.n), progress)
        for _ in range(ROUNDS if settings.nearest else 0):
            if wanted := nearer(outcome):
                outcome = _synthesize(settings, material, corpus, parts, wanted, progress)
        made = manifest(
            settings=_shown(settings),
            documents=list(built.graph.documents()),
            skipped=built.skipped,
            outcome=outcome,
            graph=built.graph.stats(),
            versions=versions(),
            gates=[*parts.filters, *set_filters(settings)],
            model=parts.driver.accounts.summary() if settings.author == "chat" else {},
            lazy=lazy.counts(),
            against=against,
        )
    rejected_path, manifest_path = paths(output)
    write_rows(rejected_path, (rejected_row(item) for item in outcome.rejected))
    write_atomic(manifest_path, json.dumps(made, ensure_ascii=False, indent=2) + "\n")
    write_rows(output, (sample_to_row(sample) for sample in outcome.samples))
    return Generated(outcome, built.skipped, made, output, rejected_path, built.counts)


def plan(sources: Sequence[Any], settings: Settings | None = None, progress: Progress | None = None) -> Plan:
    """What the documents can give of each question type, and the distribution nearest to `settings.types`.

    Without a chat model the run is made, once as asked and once for every scenario, so the figures are
    what can be had; with one nothing is sent, and they are upper bounds. Raises as `generate` does.
    """
    settings, progress = settings or Settings(), progress or Silent()
    with _opened(settings) as (store, parts):
        built = _build(sources, settings, store, parts, progress)
        material, _ = _material(built, settings, parts, store, progress)
        return _planned(settings, material, _corpus(built.graph, settings), parts)


def verify(
    testset: Path, sources: Sequence[Any], settings: Settings | None = None, progress: Progress | None = None
) -> Verified:
    """Check every row of a set against the corpus, and with the gates that need no model.

    The gates are those the set was made with, when its manifest stands beside it, else those of
    `settings`. Raises InputError when the set or the corpus cannot be read.
    """
    settings, progress = settings or Settings(), progress or Silent()
    read = read_samples(testset)
    without_model = replace(settings, model=replace(settings.model, name=""), filters=_gates_of(testset, settings))
    failures = [Failure(damaged.line, "", damaged.reason) for damaged in read.damaged]
    with _opened(without_model) as (store, parts):
        loaded = _load(sources, settings)
        graph, _ = build(loaded.documents, _chunks(loaded.documents, settings, store), (), store)
        with progress.stage("verifying", len(read.samples)) as stage:
            corpus, gates = _corpus(graph, settings), set_filters(without_model, parts.encoder)
            found = faults(read.samples, corpus, parts.filters, gates)
            for line, sample, fault in zip(read.lines, read.samples, found, strict=True):
                stage.advance()
                if fault:
                    failures.append(Failure(line, sample.id, fault))
    checked = len(read.samples) + len(read.damaged)
    return Verified(checked, tuple(sorted(failures, key=lambda f: f.line)), loaded.skipped)


def build_graph(sources: Sequence[Any], settings: Settings | None = None, progress: Progress | None = None) -> Built:
    """Read documents and build their knowledge graph, or open it from the store when nothing has changed."""
    settings, progress = settings or Settings(), progress or Silent()
    with _opened(settings) as (store, parts):
        return _build(sources, settings, store, parts, progress)


def _synthesize(
    settings: Settings,
    material: Material,
    corpus: Corpus,
    parts: Assembly,
    wanted: Mapping[str, int],
    progress: Progress,
) -> Outcome:
    gates = (parts.filters, set_filters(settings, parts.encoder))
    for gate, sample in product(gates[1], read_samples(Path(settings.against)).samples if settings.against else ()):
        gate.admit(sample)
    languages = sorted({reading.language for reading in material.readings.values()})
    asked = manner(settings, material.graph, languages)
    lag = LAG if settings.author == "chat" else 0
    return synthesize(material, corpus, parts.writers, *gates, parts.driver, wanted, progress, asked, lag)


def _against(settings: Settings, output: Path) -> Mapping[str, Any]:
    """What the manifest says of the set that is not to be repeated; nothing where none is named.

    Raises InputError when it has no row, ConfigError when it would be overwritten or nothing would compare with it.
    """
    if not settings.against:
        return {}
    path = Path(settings.against)
    if path.resolve() == output.resolve():
        raise ConfigError(f"against and the output are both {path}, which would be overwritten; name another with -o")
    if settings.filters.get("duplicate") is False:
        raise ConfigError("against needs the gate 'duplicate', which the settings leave out; take it back in")
    read = read_samples(path)
    if not read.samples:
        said = f"; the first of its damaged lines: {read.damaged[0].reason}" if read.damaged else ""
        raise InputError(f"the set {path} has no row to compare with{said}")
    return {"rows": len(read.samples), "damaged": [damaged.reason for damaged in read.damaged]}


def _planned(settings: Settings, material: Material, corpus: Corpus, parts: Assembly) -> Plan:
    asked = quotas(settings.types, settings.n)
    scenarios = plans(parts.writers, material, asked)
    if settings.author == "chat":
        return plan_of(material, scenarios, asked)
    everything = {kind: len(found) for kind, found in scenarios.items()}
    trials = [_synthesize(settings, material, corpus, parts, wanted, Silent()) for wanted in (asked, everything)]
    return plan_of(material, scenarios, asked, trials)


@contextmanager
def material_of(sources: Sequence[Any], settings: Settings, progress: Progress) -> Iterator[Material]:
    """What the writers work on, with the store open: for trying a part on documents. Raises as `generate` does."""
    with _opened(settings) as (store, parts):
        built = _build(sources, settings, store, parts, progress)
        yield _material(built, settings, parts, store, progress)[0]


@contextmanager
def _opened(settings: Settings) -> Iterator[tuple[Store, Assembly]]:
    with Store(settings.workspace_path / STORE) as store:
        yield store, assemble(settings, store)


def _load(sources: Sequence[Any], settings: Settings) -> Loaded:
    loaded = load(
        sources,
        include=settings.corpus.include,
        exclude=settings.corpus.exclude,
        max_bytes=settings.corpus.max_bytes,
        strict=settings.corpus.strict,
    )
    if not loaded.documents:
        raise InputError("no document could be loaded from " + ", ".join(map(str, sources)))
    return replace(loaded, skipped=tuple(_inside(item, sources) for item in loaded.skipped))


def _chunks(documents: Sequence[Document], settings: Settings, store: Store) -> list[Chunk]:
    encoder = open_encoder_for(settings, documents, store) if settings.chunks.strategy == "semantic" else None
    return [piece for document in documents for piece in kept_chunks(document, settings.chunks, store, encoder)]


def _build(sources: Sequence[Any], settings: Settings, store: Store, parts: Assembly, progress: Progress) -> Built:
    loaded = _load(sources, settings)
    readings = {document.doc_id: Reading(document, store) for document in loaded.documents}
    with progress.stage("reading", len(readings)) as stage:
        for reading in readings.values():
            reading.prepare()
            stage.advance()
    chunks = _chunks(loaded.documents, settings, store)
    passes = 1 + sum(isinstance(part, Transform) and part.reads_documents for part in parts.transforms)
    with progress.stage("graph", len(readings) * passes) as stage:
        graph, counts = build(
            loaded.documents,
            chunks,
            parts.transforms,
            store,
            parts.driver,
            lambda *_: stage.advance(),
            readings,
        )
    return Built(graph, readings, loaded.skipped, counts)


def _corpus(graph: KnowledgeGraph, settings: Settings) -> Corpus:
    passages = list(graph.chunks())
    index = LexicalIndex([passage.chunk_id for passage in passages], [passage.text for passage in passages])
    return Corpus(graph, index, prompt_loader(settings))


def _material(
    built: Built, settings: Settings, parts: Assembly, store: Store, progress: Progress
) -> tuple[Material, Lazy]:
    """What the synthesizers work on: the documents in a language asked for that the author can write."""
    wanted = {
        doc_id: reading
        for doc_id, reading in sorted(built.readings.items())
        if _speaks(reading, settings.language) and (settings.author == "chat" or grammar.knows(reading.language))
    }
    if not wanted:
        raise InputError(
            f"none of {len(built.readings)} documents can be asked about "
            f"(language '{settings.language}', author '{settings.author}'): without a chat model synth writes "
            "English and Chinese; name a model with --llm for other languages"
        )
    drafts: dict[str, list[Draft]] = {}
    with progress.stage("drafting", len(wanted)) as stage:
        for doc_id, reading in wanted.items():
            drafts[doc_id] = grammar.drafts(reading, store)
            stage.advance()
    provenance = {
        "author": settings.author,
        "model": settings.model.name or None,
        "seed": settings.seed,
        "synth": versions()["synth"],
    }
    lazily = (part for part in parts.transforms if isinstance(part, LazyTransform))
    lazy = Lazy(built.graph, built.readings, lazily, store)
    material = Material(
        graph=built.graph,
        readings=wanted,
        drafts=lambda doc_id: drafts.get(doc_id, []),
        prompt=prompt_loader(settings),
        know=lazy.know,
        provenance=provenance,
        seed=settings.seed,
    )
    return material, lazy


def _speaks(reading: Reading, language: str) -> bool:
    return language == "auto" or reading.language == language or (language == "zh" and is_chinese(reading.language))


def _inside(item: Skipped, sources: Sequence[Any]) -> Skipped:
    """The file named by its path inside its source folder, as documents are."""
    for source in sources:
        root = f"{source}".rstrip("/") + "/"
        if item.source.startswith(root):
            return replace(item, source=item.source[len(root) :])
    return item


def _shown(settings: Settings) -> dict[str, Any]:
    """The settings as the manifest shows them: without what changes no row, and without header values."""
    shown = asdict(settings)
    for name in ("workspace",):
        del shown[name]
    shown["model"]["headers"] = sorted(shown["model"]["headers"])
    for name in ("key_file", "key_env", "concurrency", "timeout_s"):
        del shown["model"][name]
    return shown


def _gates_of(testset: Path, settings: Settings) -> Mapping[str, Any]:
    """The gates a set was made with, as the `filters` setting; those of `settings` where no manifest tells."""
    _, manifest_path = paths(testset)
    try:
        gates = json.loads(manifest_path.read_text(encoding="utf-8"))["gates"]
        made_with = {gate["name"]: {k: v for k, v in gate.items() if k != "name"} for gate in gates}
    except (OSError, ValueError, KeyError, TypeError):
        return settings.filters
    return {**settings.filters, **still_known(made_with)}
