"""Attributes of nodes that are requested from a chat model only when they are needed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from synth.core.errors import ConfigError
from synth.core.records import Chunk, Document
from synth.core.store import Cache
from synth.corpus.transforms.base import LazyTransform
from synth.grammar.reading import Reading
from synth.models.chat.base import RequestFailed
from synth.models.chat.reply_cache import MemoryCache

if TYPE_CHECKING:
    from synth.corpus.corpus import Corpus
    from synth.corpus.graph import KnowledgeGraph
    from synth.models.chat.base import Steps


@dataclass(frozen=True, slots=True)
class Touched:
    """Counts of a lazy transform in this run.

    `computed` and `reused` count nodes. `failed` maps node ids to reasons. `dropped` counts rejected parts of replies
    by reason.
    """

    computed: int = 0
    reused: int = 0
    failed: Mapping[str, str] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)


class Lazy:
    """Attributes of passages and documents, computed by `transforms` when they are needed.

    An attribute that no transform assigns is taken from the graph. Computed values are stored in `cache`, or in memory
    if `cache` is None. All calls must be made on one thread. Raise ConfigError if two transforms assign the same
    attribute.
    """

    def __init__(
        self,
        corpus: Corpus,
        graph: KnowledgeGraph,
        transforms: Iterable[LazyTransform[Any]] = (),
        cache: Cache | None = None,
    ) -> None:
        self._corpus, self._graph = corpus, graph
        self._cache = MemoryCache() if cache is None else cache
        self._by_attribute: dict[str, LazyTransform[Any]] = {}
        for transform in transforms:
            other = self._by_attribute.setdefault(transform.attribute, transform)
            if other is not transform:
                raise ConfigError(
                    f"transforms {other.name!r} and {transform.name!r} both assign {transform.assigns[0]}; keep one"
                )
        self._read: dict[str, dict[str, Counter[str]]] = {t.name: {} for t in self._by_attribute.values()}
        self._reused: dict[str, set[str]] = {name: set() for name in self._read}
        self._failed: dict[str, dict[str, RequestFailed]] = {name: {} for name in self._read}

    def know(self, attribute: str, node_id: str) -> Steps[Any]:
        """Return an attribute (such as "summary") of a chunk or a document, or None if nothing assigns it.

        Use: `summary = yield from lazy.know("summary", doc_id)`. Raise RequestFailed if the request fails. A node that
        failed earlier in this run fails again without a request. Raise InputError for an unknown node.
        """
        transform = self._by_attribute.get(attribute)
        if transform is None:
            return self._graph.value(node_id, attribute) if node_id in self._graph else None
        reading, node = self._node(transform, node_id)
        key = transform.key(reading.document, node)
        artifact = cached(self._cache, transform, key)
        if artifact is None:
            artifact = yield from self._ask(transform, reading, node, node_id)
            packed = json.dumps(artifact, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
            self._cache.put(_kind(transform), key, packed)
            # The cache keeps the first value for a key. Return that value, as a later run will.
            artifact = cached(self._cache, transform, key)
        elif node_id not in self._read[transform.name]:
            self._reused[transform.name].add(node_id)
        return transform.value(artifact, reading.document)

    def counts(self) -> dict[str, Touched]:
        """Return the counts of this run, by transform."""
        return {name: self._touched_counts(name) for name in self._read}

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
        node = self._corpus.chunk(node_id) if transform.node == "chunk" else self._corpus.document(node_id)
        return Reading(self._corpus.document(node.doc_id), self._cache), node

    def _touched_counts(self, name: str) -> Touched:
        dropped = sum(self._read[name].values(), Counter[str]())
        failed = {node_id: str(reason) for node_id, reason in sorted(self._failed[name].items())}
        return Touched(len(self._read[name]), len(self._reused[name]), failed, dict(sorted(dropped.items())))


def cached(cache: Cache, transform: LazyTransform[Any], key: str) -> Any | None:
    """Return the artifact stored under `key`, or None if there is none."""
    packed = cache.get(_kind(transform), key)
    return None if packed is None else json.loads(packed)


def count_cached(
    transform: LazyTransform[Any],
    documents: Mapping[str, Document],
    chunks_of: Mapping[str, Sequence[Chunk]],
    cache: Cache | None,
) -> tuple[int, int]:
    """Return the number of nodes with an artifact in the cache, and the number of all nodes of the transform's kind."""
    nodes = [
        (document, node)
        for doc_id, document in documents.items()
        for node in (chunks_of[doc_id] if transform.node == "chunk" else (document,))
    ]
    if cache is None:
        return 0, len(nodes)
    count = sum(cache.get(_kind(transform), transform.key(*pair)) is not None for pair in nodes)
    return count, len(nodes)


def _kind(transform: LazyTransform[Any]) -> str:
    return f"lazy.{transform.name}"
