"""Deep reading of documents: parsing, transforms and drafts, computed once and kept in the store.

A draft is a question that grammar rules write without a model.

Several processes may read at once, on this machine (`Processes`) or on a cluster (`ray_tasks`). Only the calling
process, which receives the results of the others, writes to the store.
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
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar

from synth.core.containment import contained
from synth.core.records import Chunk, Document, digest
from synth.core.store import Cache, Store
from synth.corpus.graph_builder import make_artifacts
from synth.corpus.transforms.base import LazyTransform, Transform
from synth.grammar import author as grammar
from synth.grammar.reading import Reading, prepare_together

T = TypeVar("T")
R = TypeVar("R")

KIND = "read"
"""Kind of the store entries that mark a document as completely read."""

_AT_A_TIME = 4
"""Maximum number of tasks sent to a process at a time."""

TOGETHER = 8
"""Maximum number of documents parsed in one call."""

_LONG = 4000
"""Documents with more characters than this are parsed in a call of their own."""


class ReadingTask(NamedTuple):
    """A document to read, its chunks, and the key of the store entry that marks the document as read."""

    document: Document
    chunks: tuple[Chunk, ...]
    mark: str


Entries: TypeAlias = dict[tuple[str, str], bytes]
"""New store entries, by kind and key."""


@dataclass(frozen=True, slots=True)
class DeepReader:
    """Reader that parses documents and computes their drafts and the artifacts (results) of `transforms`.

    Without transforms no document is parsed as a whole, because drafts parse only the sentences that they need.
    """

    transforms: tuple[Transform, ...]

    def mark(self, document: Document, chunks: Sequence[Chunk], cache: Cache) -> str:
        """Return the key that marks a document as read: a hash of the keys of all its results."""
        keys = [transform.key(document, chunks) for transform in self.transforms]
        return digest(KIND, keys, grammar.drafts_key(Reading(document, cache)))

    def read(self, tasks: Sequence[ReadingTask], cache: Cache) -> list[bool]:
        """Compute the results that `cache` lacks; return False for each document on which the parser fails."""
        readings = [Reading(task.document, cache) for task in tasks]
        # If this call fails, parsing each document alone shows which document is at fault.
        if self.transforms:
            with contained("the parser", "some documents", recorded=False):
                prepare_together(readings)
        return [self._read(reading, task, cache) for reading, task in zip(readings, tasks, strict=True)]

    def _read(self, reading: Reading, task: ReadingTask, cache: Cache) -> bool:
        doc_id = task.document.doc_id
        with contained("the parser", doc_id) as guard:
            if self.transforms:
                reading.prepare()
        if guard.error:
            return False
        has_all = make_artifacts(reading, task.chunks, self.transforms, cache)
        with contained("the grammar", doc_id) as guard:
            grammar.drafts(reading, cache)
        if has_all and not guard.error:
            cache.put(KIND, task.mark, b"")
        return True


class Executor(Protocol):
    """A pool of other processes that read documents."""

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R | None]:
        """Yield the result of `function` for each task, in order; None for a lost task.

        The iterator may end before the last task.
        """

    def close(self) -> None:
        """End the processes."""


class DeepReading:
    """Deep reading of the documents of a run, in this process or with an `executor`.

    It is a context manager that closes the executor. `made` counts the new store entries by kind.
    """

    def __init__(
        self,
        store: Store,
        transforms: Sequence[Transform | LazyTransform[Any]],
        executor: Executor | None = None,
    ) -> None:
        # A transform with an open store or a model cannot be sent to another process; the graph builder runs it.
        portable = tuple(part for part in transforms if isinstance(part, Transform) and _is_portable(part))
        self._reader = DeepReader(portable)
        self._store, self._executor = store, executor
        self.made: Counter[str] = Counter()

    def __enter__(self) -> DeepReading:
        return self

    def __exit__(self, *_: object) -> None:
        if self._executor:
            self._executor.close()

    def read(
        self, documents: Sequence[Document], chunks_of: Mapping[str, Sequence[Chunk]]
    ) -> Iterator[tuple[str, bool]]:
        """Read documents; yield each id with True, or with False if the parser fails on the document.

        Documents in the store are not read again. The longest documents come first, so that all processes finish at
        about the same time.
        """
        missing = []
        for document in documents:
            task = self._task(document, tuple(chunks_of.get(document.doc_id, ())))
            if self._store.get(KIND, task.mark) is None:
                missing.append(task)
            else:
                yield document.doc_id, True
        groups = sorted(_groups(missing), key=_characters, reverse=True)
        made = self.elsewhere(partial(_read_apart, self._reader), groups)
        for group in groups:
            for task, is_read in zip(group, self._read_here(group, next(made, None)), strict=True):
                yield task.document.doc_id, is_read

    def _read_here(self, group: Sequence[ReadingTask], made: Entries | None) -> list[bool]:
        """Read the documents of a group that other processes did not finish; store all new entries."""
        collected = _Collecting(self._store, made)
        # Documents that failed in another process are read again here, so that their errors are recorded.
        left = [task for task in group if (KIND, task.mark) not in collected.entries]
        failed = [task for task, is_read in zip(left, self._reader.read(left, collected), strict=True) if not is_read]
        with self._store.batch():
            for (kind, key), value in collected.entries.items():
                self._store.put(kind, key, value)
        self.made.update(kind for kind, _ in collected.entries)
        return [task not in failed for task in group]

    def elsewhere(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R | None]:
        """Yield the result of `function` for each task, computed by the executor, which may stop early.

        Yield nothing for a single task or if there is no executor.
        """
        return self._executor.map(function, tasks) if self._executor and len(tasks) > 1 else iter(())

    def _task(self, document: Document, chunks: tuple[Chunk, ...]) -> ReadingTask:
        return ReadingTask(document, chunks, self._reader.mark(document, chunks, self._store))


class Processes:
    """Pool of `workers` processes on this machine, which read the store at `path`."""

    def __init__(self, workers: int, path: Path) -> None:
        self._workers, self._path = workers, path
        self._pool: ProcessPoolExecutor | None = None
        self._is_broken = False

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R | None]:
        """Yield the result of each task. If a process is killed, the results end early and later calls yield none."""
        if self._is_broken:
            return
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._workers, get_context("spawn"), _begin, (str(self._path),))
        with suppress(BrokenProcessPool):
            # Few tasks are sent one at a time, so that no process waits for the last tasks of another process.
            size = min(_AT_A_TIME, 1 + len(tasks) // (16 * self._workers))
            yield from self._pool.map(function, tasks, chunksize=size)
            return
        self._is_broken = True

    def close(self) -> None:
        """Kill the processes."""
        if self._pool is not None:
            # The remaining work belongs to a stopped run, and these processes write nothing.
            for process in list((self._pool._processes or {}).values()):
                process.kill()
            self._pool.shutdown(cancel_futures=True)
            self._pool = None


class _Collecting:
    """A cache that reads from a store, if given, and collects new entries in `entries`."""

    def __init__(self, store: Store | None = None, entries: Entries | None = None) -> None:
        self._store, self.entries = store, entries or {}

    def get(self, kind: str, key: str) -> bytes | None:
        made = self.entries.get((kind, key))
        return self._store.get(kind, key) if made is None and self._store else made

    def put(self, kind: str, key: str, value: bytes) -> None:
        self.entries.setdefault((kind, key), value)


_store: Store | None = None
"""Store that a worker process reads from; None in other processes and on other machines."""


def _begin(store: str) -> None:
    """Prepare a worker process. It ends with its parent, and ignores Ctrl-C and SIGHUP, which the parent handles."""
    global _store
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _store = Store(store)


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)


def _read_apart(reader: DeepReader, tasks: Sequence[ReadingTask]) -> Entries:
    """Return the new store entries for some documents."""
    made = _Collecting(_store)
    reader.read(tasks, made)
    return made.entries


def _groups(tasks: Sequence[ReadingTask]) -> Iterator[list[ReadingTask]]:
    """Yield groups of documents that are parsed in one call."""
    group: list[ReadingTask] = []
    for task in tasks:
        is_long = len(task.document.text) > _LONG
        if group and (is_long or len(group) == TOGETHER):
            yield group
            group = []
        group.append(task)
        if is_long:
            yield group
            group = []
    if group:
        yield group


def _characters(group: Sequence[ReadingTask]) -> int:
    return sum(len(task.document.text) for task in group)


def _is_portable(part: Transform) -> bool:
    try:
        pickle.dumps(part)
    except (TypeError, pickle.PicklingError, AttributeError):
        return False
    return True
