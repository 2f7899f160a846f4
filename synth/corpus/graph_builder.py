"""Builder of the knowledge graph from documents, chunks and transforms. Artifacts are reused from the cache."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import isgenerator, isgeneratorfunction
from itertools import chain
from typing import Any, TypeAlias

from synth.core.containment import contained
from synth.core.errors import ConfigError, InputError
from synth.core.gc_pause import no_collection
from synth.core.records import Chunk, Document, digest
from synth.core.source_digest import source_digest
from synth.core.store import Cache
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.on_demand import count_cached
from synth.corpus.transforms.base import LazyTransform, Transform, check_order
from synth.corpus.transforms.language import Language
from synth.grammar.reading import Reading
from synth.models.chat.base import Steps
from synth.models.chat.driver import Driver, Job

Progress: TypeAlias = Callable[[str, int, int], None]
"""Callback with the name of a transform, the number of finished documents and the number of all documents."""


@dataclass(frozen=True, slots=True)
class Counts:
    """Outcome of a transform: numbers of artifacts computed and reused, and the reason for each failed document.

    A lazy transform runs later, for one node at a time. For it, `reused` counts the nodes with an artifact in the
    cache, and `waiting` counts the other nodes.
    """

    computed: int = 0
    reused: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)
    waiting: int = 0


def _silent(transform: str, done: int, documents: int) -> None:
    """Ignore the progress."""


@dataclass(frozen=True, slots=True)
class Tools:
    """Resources for running transforms.

    `cache` stores artifacts, `driver` runs a chat model, and `progress` is called after each document. `readings`
    contains parsed documents by id. A document that is missing there is parsed when a transform needs it.
    """

    cache: Cache | None = None
    driver: Driver | None = None
    progress: Progress = _silent
    readings: dict[str, Reading] = field(default_factory=dict)

    def reading(self, document: Document) -> Reading:
        """Return the `Reading` of a document; create it on the first call."""
        if document.doc_id not in self.readings:
            self.readings[document.doc_id] = Reading(document, self.cache)
        return self.readings[document.doc_id]

    def cached(self, kind: str, key: str) -> bytes | None:
        """Return the cached artifact, or None if the cache lacks it or there is no cache."""
        return self.cache.get(kind, key) if self.cache else None


def build(
    documents: Iterable[Document],
    chunks: Iterable[Chunk],
    transforms: Sequence[Transform | LazyTransform[Any]],
    tools: Tools | None = None,
    *,
    passing: bool = False,
) -> tuple[KnowledgeGraph, dict[str, Counts]]:
    """Build the graph of a corpus and return it with the counts of each transform.

    The order of `documents` and `chunks` does not matter. The cache stores the artifact of each document. An artifact
    is computed again only if the document, its chunks, the transform or a parser changed. The cache also stores the
    finished graph, unless `passing` is true: set it if a larger graph will soon replace this one. Lazy transforms are
    counted but not run (see `on_demand.Lazy`).

    A document on which a transform or its model fails adds nothing. It is counted with the reason, and the next build
    tries it again. A transform that raises in `merge` adds nothing more. Raise ConfigError if the order of transforms
    is wrong or a driver is missing. Raise InputError if a chunk belongs to none of the documents.
    """
    tools = tools or Tools()
    lazy = [transform for transform in transforms if isinstance(transform, LazyTransform)]
    eager = [Language(), *(transform for transform in transforms if isinstance(transform, Transform))]
    check_order([Language(), *transforms])
    check_order(eager)  # attributes of lazy transforms do not exist while the graph is built
    by_id = {document.doc_id: document for document in sorted(documents, key=lambda d: d.doc_id)}
    chunks_of: dict[str, list[Chunk]] = {doc_id: [] for doc_id in by_id}
    for chunk in sorted(chunks, key=lambda c: (c.start, c.end, c.chunk_id)):
        if chunk.doc_id not in by_id:
            raise InputError(
                f"chunk {chunk.chunk_id!r} belongs to {chunk.doc_id!r}, which is not among the documents; add it"
            )
        chunks_of[chunk.doc_id].append(chunk)
    waiting = {transform.name: _waiting(transform, by_id, chunks_of, tools.cache) for transform in lazy}
    whole = None if passing else tools.cache
    key = _graph_key(by_id, chunks_of, eager) if whole else ""
    if whole and (packed := whole.get("graph", key)) is not None:
        everything = {t.name: Counts(reused=len(by_id) if t.reads_documents else 0) for t in eager}
        return KnowledgeGraph.from_bytes(packed), {**everything, **waiting}
    with no_collection():
        graph = _skeleton(by_id, chunks_of)
    counts = {}
    for transform in eager:
        artifacts, counts[transform.name] = _artifacts(transform, by_id, chunks_of, tools)
        with contained(f"transform '{transform.name}'", "the graph") as guard, no_collection():
            transform.merge(graph, artifacts)
        if guard.error:
            counts[transform.name] = replace(counts[transform.name], failed=dict.fromkeys(by_id, guard.error))
    if whole and not any(count.failed for count in counts.values()):
        whole.put("graph", key, graph.to_bytes())
    return graph, {**counts, **waiting}


def make_artifacts(reading: Reading, chunks: Sequence[Chunk], transforms: Sequence[Transform], cache: Cache) -> bool:
    """Compute the missing artifacts of one document; return False if a transform failed.

    Artifacts that need a chat model are skipped.
    """
    document = reading.document
    tools = Tools(cache, readings={document.doc_id: reading})
    counts = [
        _artifacts(transform, {document.doc_id: document}, {document.doc_id: chunks}, tools)[1]
        for transform in (Language(), *transforms)
        if transform.reads_documents and not isgeneratorfunction(type(transform).run)
    ]
    return not any(count.failed for count in counts)


def _waiting(
    transform: LazyTransform[Any],
    documents: Mapping[str, Document],
    chunks_of: Mapping[str, Sequence[Chunk]],
    cache: Cache | None,
) -> Counts:
    reused, nodes = count_cached(transform, documents, chunks_of, cache)
    return Counts(reused=reused, waiting=nodes - reused)


def _graph_key(
    documents: Mapping[str, Document], chunks_of: Mapping[str, Sequence[Chunk]], transforms: Sequence[Transform]
) -> str:
    contents = []
    for document in documents.values():
        chunks = chunks_of[document.doc_id]
        ids = [(chunk.chunk_id, chunk.headings) for chunk in chunks]
        keys = [transform.key(document, chunks) for transform in transforms]
        contents.append((document.doc_id, document.source, dict(document.metadata), ids, keys))
    return digest("graph", source_digest("synth.corpus.graph"), [t.version for t in transforms], contents)


def _skeleton(documents: Mapping[str, Document], chunks_of: Mapping[str, Sequence[Chunk]]) -> KnowledgeGraph:
    graph = KnowledgeGraph()
    for doc_id, document in documents.items():
        graph.add_document(document)
        for chunk in chunks_of[doc_id]:
            graph.add_chunk(chunk)
    return graph


def _artifacts(
    transform: Transform, documents: Mapping[str, Document], chunks_of: Mapping[str, Sequence[Chunk]], tools: Tools
) -> tuple[dict[str, Any], Counts]:
    """Return the artifact of each document, in the order of the documents, and the counts."""
    if not transform.reads_documents:
        return {}, Counts()
    kind = f"transform.{transform.name}"
    keys = {doc_id: transform.key(document, chunks_of[doc_id]) for doc_id, document in documents.items()}
    artifacts = {doc_id: json.loads(packed) for doc_id, key in keys.items() if (packed := tools.cached(kind, key))}
    reused = len(artifacts)
    missing = tuple(document for doc_id, document in documents.items() if doc_id not in artifacts)
    failed = {}
    for done, (doc_id, artifact, reason) in enumerate(_run(transform, missing, chunks_of, tools), reused + 1):
        if reason is None:
            with contained(f"transform '{transform.name}'", doc_id) as guard:
                content = _packed(artifact)
            reason = guard.error
        if reason:
            failed[doc_id] = reason
        else:
            if tools.cache:
                tools.cache.put(kind, keys[doc_id], content)
            artifacts[doc_id] = json.loads(content)
        tools.progress(transform.name, done, len(documents))
    ordered = {doc_id: artifacts[doc_id] for doc_id in documents if doc_id in artifacts}
    return ordered, Counts(len(ordered) - reused, reused, failed)


def _packed(artifact: Any) -> bytes:
    return json.dumps(artifact, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _run(
    transform: Transform, documents: Sequence[Document], chunks_of: Mapping[str, Sequence[Chunk]], tools: Tools
) -> Iterator[tuple[str, Any, str | None]]:
    """Yield (document id, artifact, failure) for one document after another. `failure` is the reason, or None."""
    runs = ((doc.doc_id, *_begin(transform, doc, chunks_of[doc.doc_id], tools)) for doc in documents)
    for doc_id, first, reason in runs:
        if reason or not isgenerator(first):
            yield doc_id, first, reason or None
            continue
        if tools.driver is None:
            first.close()
            raise ConfigError(f"Transform {transform.name!r} needs a chat model; name one with --llm")
        jobs = (
            Job(key=key, steps=_steps(transform, key, artifact, failure))
            for key, artifact, failure in chain([(doc_id, first, "")], runs)
        )
        for outcome in tools.driver.run(jobs):
            artifact, reason = outcome.value or (None, str(outcome.failure))
            yield outcome.key, artifact, reason or None


def _begin(transform: Transform, document: Document, chunks: Sequence[Chunk], tools: Tools) -> tuple[Any, str]:
    """Return (artifact, failure) of a document. `failure` is the reason, or "". The artifact may be a generator."""
    artifact = None
    with contained(f"transform '{transform.name}'", document.doc_id) as guard:
        artifact = transform.run(tools.reading(document), chunks)
    return artifact, guard.error


def _steps(transform: Transform, doc_id: str, artifact: Any, reason: str) -> Steps[tuple[Any, str]]:
    """Return (artifact, failure) like `_begin`, after running `artifact` if it is a generator."""
    if reason or not isgenerator(artifact):
        return artifact, reason
    with contained(f"transform '{transform.name}'", doc_id) as guard:
        artifact = yield from artifact
    return artifact, guard.error
