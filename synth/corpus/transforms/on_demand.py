"""What a chat model would have to be asked for, made only for the nodes that somebody wants to know about."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Literal, TypeVar

from synth.core.errors import ConfigError
from synth.core.records import Chunk, Document, digest
from synth.core.store import Cache
from synth.corpus.transforms.base import VersionedPart, parser_versions
from synth.grammar.reading import Reading
from synth.models.chat.base import RequestFailed
from synth.models.chat.reply_cache import MemoryCache

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph
    from synth.models.chat.base import Steps

N = TypeVar("N", Chunk, Document)


class LazyTransform(VersionedPart, ABC, Generic[N]):
    """Knowledge of one node at a time, for which `read` asks a chat model when the node is first touched.

    `node` is the kind of the nodes; `assigns` names the one attribute ("document.summary") under which it is
    asked for. Nothing of it is put into the graph, which is the same whatever was touched before.
    """

    node: ClassVar[Literal["chunk", "document"]]

    @abstractmethod
    def read(self, reading: Reading, node: N) -> Steps[Any]:
        """What a node of the document `reading` holds, as a JSON object; it depends on the content alone.

        A reason under which a part of a reply was not used is counted in its "dropped", if it has one.
        """

    def told(self, artifact: Any, document: Document) -> Any:
        """What is handed out of an artifact: by default the artifact itself."""
        return artifact

    def key(self, document: Document, node: N) -> str:
        """Where the artifact of a node is kept: hash of all that it is made from."""
        return digest(
            self.name,
            self.version,
            parser_versions(),
            document.content_hash,
            document.title,
            document.metadata.get("format"),
            (node.start, node.end) if isinstance(node, Chunk) else None,
        )

    @property
    def attribute(self) -> str:
        """The name under which it is asked for: what stands after the dot of `assigns`."""
        return self.assigns[0].partition(".")[2]


@dataclass(frozen=True, slots=True)
class Touched:
    """Nodes that were read in this run, those that had been before, those that failed with the reason,
    and the parts of replies that were dropped, by reason."""

    computed: int = 0
    reused: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)


class Lazy:
    """What is known of nodes, asked for when it is wanted, kept in `cache`.

    Without a lazy transform for an attribute, what the graph holds is what is known. `readings` are
    those at hand, by document id. All calls belong on one thread. Raises ConfigError when two
    transforms assign the same attribute.
    """

    def __init__(
        self,
        graph: KnowledgeGraph,
        readings: Mapping[str, Reading],
        transforms: Iterable[LazyTransform[Any]] = (),
        cache: Cache | None = None,
    ) -> None:
        self._graph = graph
        self._readings = readings
        self._cache = MemoryCache() if cache is None else cache
        self._by_attribute: dict[str, LazyTransform[Any]] = {}
        for transform in transforms:
            other = self._by_attribute.setdefault(transform.attribute, transform)
            if other is not transform:
                raise ConfigError(
                    f"transforms {other.name!r} and {transform.name!r} both assign {transform.assigns[0]}; name one"
                )
        self._read: dict[str, dict[str, Counter[str]]] = {t.name: {} for t in self._by_attribute.values()}
        self._reused: dict[str, set[str]] = {name: set() for name in self._read}
        self._failed: dict[str, dict[str, RequestFailed]] = {name: {} for name in self._read}

    def know(self, attribute: str, node_id: str) -> Steps[Any]:
        """The `attribute` (such as "summary") of a chunk or a document; a request is made only for what nobody kept.

        For a synthesizer: `summary = yield from lazy.know("summary", doc_id)`. Raises RequestFailed, at
        once for a node that has failed in this run, and InputError when the graph has no such node.
        """
        transform = self._by_attribute.get(attribute)
        if transform is None:
            return _held(self._graph, attribute, node_id)
        reading, node = self._node(transform, node_id)
        key = transform.key(reading.document, node)
        artifact = kept(self._cache, transform, key)
        if artifact is None:
            artifact = yield from self._ask(transform, reading, node, node_id)
            packed = json.dumps(artifact, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
            self._cache.put(_kind(transform), key, packed)
            # The first value kept stays, and what is handed out is what a later run will find.
            artifact = kept(self._cache, transform, key)
        elif node_id not in self._read[transform.name]:
            self._reused[transform.name].add(node_id)
        return transform.told(artifact, reading.document)

    def counts(self) -> dict[str, Touched]:
        """By transform, what the nodes touched so far have taken."""
        return {name: self._touched(name) for name in self._read}

    def _ask(self, transform: LazyTransform[Any], reading: Reading, node: Any, node_id: str) -> Steps[Any]:
        failed = self._failed[transform.name]
        if node_id in failed:
            raise RequestFailed(failed[node_id].kind, failed[node_id].reason)
        try:
            artifact = yield from transform.read(reading, node)
        except RequestFailed as failure:
            failed[node_id] = failure
            raise
        self._read[transform.name][node_id] = Counter(artifact.get("dropped") or {})
        return artifact

    def _node(self, transform: LazyTransform[Any], node_id: str) -> tuple[Reading, Chunk | Document]:
        node: Chunk | Document
        node = self._graph.chunk(node_id) if transform.node == "chunk" else self._graph.document(node_id)
        return self._readings.get(node.doc_id) or Reading(self._graph.document(node.doc_id), self._cache), node

    def _touched(self, name: str) -> Touched:
        dropped = sum(self._read[name].values(), Counter[str]())
        failed = {node_id: str(why) for node_id, why in sorted(self._failed[name].items())}
        return Touched(len(self._read[name]), len(self._reused[name]), failed, dict(sorted(dropped.items())))


def kept(cache: Cache, transform: LazyTransform[Any], key: str) -> Any | None:
    """The artifact kept under `key`, or None."""
    packed = cache.get(_kind(transform), key)
    return None if packed is None else json.loads(packed)


def count_kept(
    transform: LazyTransform[Any],
    documents: Mapping[str, Document],
    chunks_of: Mapping[str, Sequence[Chunk]],
    cache: Cache | None,
) -> tuple[int, int]:
    """How many nodes of a corpus have their artifact kept, and how many there are in all."""
    nodes = [
        (document, node)
        for doc_id, document in documents.items()
        for node in (chunks_of[doc_id] if transform.node == "chunk" else (document,))
    ]
    if cache is None:
        return 0, len(nodes)
    found = sum(cache.get(_kind(transform), transform.key(*pair)) is not None for pair in nodes)
    return found, len(nodes)


def _kind(transform: LazyTransform[Any]) -> str:
    return f"lazy.{transform.name}"


def _held(graph: KnowledgeGraph, attribute: str, node_id: str) -> Any:
    return graph.value(node_id, attribute)
