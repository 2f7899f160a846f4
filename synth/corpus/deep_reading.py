"""Deep reading of documents: parses, artifacts of transforms and drafts, made once and kept in the store.

Several processes may read at once. They send what they made to the process that asked, which alone writes to the store.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any, TypeAlias, TypeVar

from synth.core.containment import contained
from synth.core.records import Chunk, Document, digest
from synth.core.store import Cache, Store
from synth.corpus.graph_builder import make_artifacts
from synth.corpus.transforms.base import LazyTransform, Transform
from synth.grammar import author as grammar
from synth.grammar.reading import Reading

T = TypeVar("T")
R = TypeVar("R")

KIND = "read"
"""Kind of the marks of documents that are read, with nothing missing."""

_AT_A_TIME = 4
"""Documents that are sent to a process at a time."""

Task: TypeAlias = tuple[Document, tuple[Chunk, ...]]
"""A document and its chunks."""

Entries: TypeAlias = dict[tuple[str, str], bytes]
"""Values of a store by kind and key."""


@dataclass(frozen=True, slots=True)
class DeepReader:
    """Reader of one document: its parse, the artifacts of `transforms` and, with `drafting`, the grammar's drafts."""

    transforms: tuple[Transform, ...]
    drafting: bool

    def mark(self, document: Document, chunks: Sequence[Chunk], cache: Cache) -> str:
        """Key of the mark of a document that is read: hash of the keys of all that is made of it."""
        keys = [transform.key(document, chunks) for transform in self.transforms]
        return digest(KIND, keys, grammar.drafts_key(Reading(document, cache)) if self.drafting else "")

    def read(self, document: Document, chunks: Sequence[Chunk], cache: Cache) -> bool:
        """Make what `cache` lacks; False when the parser fails."""
        reading = Reading(document, cache)
        with contained("the parser", document.doc_id) as guard:
            reading.prepare()
        if guard.error:
            return False
        has_all = make_artifacts(reading, chunks, self.transforms, cache)
        with contained("the grammar", document.doc_id) as guard:
            if self.drafting:
                grammar.drafts(reading, cache)
        if has_all and not guard.error:
            cache.put(KIND, self.mark(document, chunks, cache), b"")
        return True


class DeepReading:
    """Deep reading of the documents of a run, in `workers` processes; a context manager, since these must end.

    `made` has the number of new entries of the store by kind.
    """

    def __init__(
        self,
        store: Store,
        transforms: Sequence[Transform | LazyTransform[Any]],
        *,
        drafting: bool,
        workers: int = 1,
    ) -> None:
        # A transform that holds an open store or a model cannot be sent to another process; the graph builder runs it.
        portable = tuple(part for part in transforms if isinstance(part, Transform) and _is_portable(part))
        self._reader = DeepReader(portable, drafting)
        self._store, self._workers = store, workers
        self.made: Counter[str] = Counter()
        self._pool: ProcessPoolExecutor | None = None

    def __enter__(self) -> DeepReading:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def read(self, documents: Sequence[Document], chunks_of: Mapping[str, Sequence[Chunk]]) -> Iterator[bool]:
        """Read documents, in order; False for one on which the parser fails. What is stored is not read again."""
        tasks: list[Task] = [(document, tuple(chunks_of.get(document.doc_id, ()))) for document in documents]
        missing = [not self._is_read(task) for task in tasks]
        made = self.elsewhere(
            _read_apart, [task for task, is_missing in zip(tasks, missing, strict=True) if is_missing]
        )
        for task, is_missing in zip(tasks, missing, strict=True):
            if not is_missing:
                yield True
                continue
            collected = _Collecting(self._store, next(made, {}))
            # A document that failed in another process is read here too, so that its error is recorded.
            is_read = any(kind == KIND for kind, _ in collected.entries) or self._reader.read(*task, collected)
            with self._store.batch():
                for (kind, key), value in collected.entries.items():
                    self._store.put(kind, key, value)
            self.made.update(kind for kind, _ in collected.entries)
            yield is_read

    def _is_read(self, task: Task) -> bool:
        return self._store.get(KIND, self._reader.mark(*task, self._store)) is not None

    def elsewhere(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        """Results of a function on each task, in order, from other processes; none with one worker.

        When a process is killed, they end early.
        """
        if self._workers < 2 or len(tasks) < 2:
            return
        if self._pool is None:
            context, given = get_context("spawn"), (self._reader, str(self._store.path))
            self._pool = ProcessPoolExecutor(self._workers, context, _begin, given)
        with suppress(BrokenProcessPool):
            yield from self._pool.map(function, tasks, chunksize=_AT_A_TIME)
            return
        self._workers = 1


class _Collecting:
    """A cache that reads a store and keeps new entries to itself."""

    def __init__(self, store: Store, entries: Entries | None = None) -> None:
        self._store, self.entries = store, entries or {}

    def get(self, kind: str, key: str) -> bytes | None:
        made = self.entries.get((kind, key))
        return self._store.get(kind, key) if made is None else made

    def put(self, kind: str, key: str, value: bytes) -> None:
        self.entries.setdefault((kind, key), value)


_given: tuple[DeepReader, Store] | None = None
"""Reader and store of a process that reads for another."""


def _begin(reader: DeepReader, store: str) -> None:
    """Prepare a process: it ends when the one that began it does, which alone obeys Ctrl-C."""
    global _given
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _given = reader, Store(store)


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _read_apart(task: Task) -> Entries:
    """Entries that the store lacks of a document."""
    assert _given is not None
    reader, store = _given
    made = _Collecting(store)
    reader.read(*task, made)
    return made.entries


def _is_portable(part: Transform) -> bool:
    try:
        pickle.dumps(part)
    except (TypeError, pickle.PicklingError, AttributeError):
        return False
    return True
