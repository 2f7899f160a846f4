"""Deep reading on a cluster of Ray: a task reads a shard of documents, and only this process has the store."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from synth.core.errors import InputError
from synth.core.extras import optional
from synth.core.source_digest import source_digest
from synth.corpus.deep_reading import Collecting, DeepReader, Entries, Task

_CHARACTERS = 50_000
"""Most characters of the documents of a task, about; some seconds of parsing."""

_AHEAD = 2
"""Tasks in all that are sent ahead for each processor, so that results are not held for the whole corpus."""

_TRIES_AGAIN = 3
"""Times that a task is sent again whose worker was lost."""


class RayTasks:
    """A cluster of Ray that reads documents: the one at `address` ("local" starts one that ends with the run).

    A task whose worker is lost is sent again; after three times its documents are left to the caller.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._ray: Any = None

    def entries(self, reader: DeepReader, tasks: Sequence[Task]) -> Iterator[Entries]:
        """Entries of each document.

        Raises MissingExtra without ray, InputError when the cluster cannot be joined or its nodes have another synth.
        """
        if self._ray is None:
            self._ray = _joined(self._address)
        ray, code = self._ray, source_digest(__name__)
        read = ray.remote(num_cpus=1, max_retries=_TRIES_AGAIN)(_read_shard)
        ahead = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        given = ray.put(reader)
        sent: deque[tuple[int, Any]] = deque()
        try:
            for shard in _shards(tasks, ahead):
                sent.append((len(shard), read.remote(given, shard, code)))
                if len(sent) >= ahead:
                    yield from self._received(*sent.popleft())
            while sent:
                yield from self._received(*sent.popleft())
        finally:
            for _, task in sent:
                ray.cancel(task)

    def _received(self, size: int, task: Any) -> list[Entries]:
        try:
            entries: list[Entries] = self._ray.get(task)
        except self._ray.exceptions.RayTaskError as error:
            raise InputError(
                f"a node of Ray cannot read documents: {' '.join(str(error.cause).split())[:200]}; "
                "install the same synth with the same extras on every node"
            ) from error
        except self._ray.exceptions.RayError:
            return [{}] * size
        return entries

    def close(self) -> None:
        if self._ray is not None:
            self._ray.shutdown()
            self._ray = None


def _joined(address: str) -> Any:
    """The module ray, connected to the cluster at `address`."""
    with optional("--ray"):
        import ray
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would tell its makers of each cluster
    on_end = signal.getsignal(signal.SIGTERM)
    # Whoever reaches the ports of Ray may run code there.
    here_alone = {"_node_ip_address": "127.0.0.1"} if address == "local" else {}
    try:
        ray.init(address, log_to_driver=False, logging_level="ERROR", **here_alone)
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(f"Ray cannot be used at '{address}': {' '.join(str(error).split())[:200]}") from error
    finally:
        with suppress(ValueError):  # not the main thread
            signal.signal(signal.SIGTERM, on_end)  # Ray puts a handler of its own there
    return ray


def _shards(tasks: Sequence[Task], least: int) -> Iterator[tuple[Task, ...]]:
    """Documents in order, of about as many characters each time; about `least` shards where there are few documents."""
    most = min(_CHARACTERS, sum(len(document.text) for document, _ in tasks) / least)
    shard: list[Task] = []
    size = 0
    for task in tasks:
        shard.append(task)
        size += len(task[0].text)
        if size >= most:
            yield tuple(shard)
            shard, size = [], 0
    if shard:
        yield tuple(shard)


def _read_shard(reader: DeepReader, shard: Sequence[Task], code: str) -> list[Entries]:
    """Entries of each document of a shard. Raises RuntimeError when the code there is not `code`."""
    if source_digest(__name__) != code:
        raise RuntimeError("its synth is another version")
    entries = []
    for task in shard:
        made = Collecting()
        reader.read(*task, made)
        entries.append(made.entries)
    return entries
