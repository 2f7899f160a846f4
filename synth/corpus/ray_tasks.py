"""Deep reading on a cluster of Ray: a task reads a shard of documents, and only this process has the store."""

from __future__ import annotations

import os
import signal
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any, TypeVar

from synth.core.errors import InputError
from synth.core.extras import optional
from synth.core.source_digest import source_digest

T = TypeVar("T")
R = TypeVar("R")

_CODE = "synth.corpus.deep_reading"
"""Module whose source, with all that it imports, is the same on every node."""

_AT_A_TIME = 32
"""Most documents of a task, some seconds of parsing."""

_AHEAD = 2
"""Tasks in all that are sent ahead for each processor, so that results are not held for the whole corpus."""

_TRIES_AGAIN = 3
"""Times that a task is sent again whose worker was lost."""


class RayTasks:
    """A cluster of Ray that reads documents: the one at `address` ("local" starts one that ends with the run).

    A task whose worker is lost is sent again; after three times its documents are left to the caller. The cluster is
    joined when there is something to read. Raises MissingExtra without ray.
    """

    def __init__(self, address: str) -> None:
        with optional("--ray"):
            import ray
        self._ray: Any = ray
        self._address = address
        self._is_joined = False

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R | None]:
        """Results of each task, in order; None for the lost ones.

        Raises InputError when the cluster cannot be joined or its nodes have another synth.
        """
        if not self._is_joined:
            self._join()
        ray, code = self._ray, source_digest(_CODE)
        run = ray.remote(num_cpus=1, max_retries=_TRIES_AGAIN)(_read_shard)
        given = ray.put(function)
        ahead = _AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
        size = min(_AT_A_TIME, -(-len(tasks) // ahead))
        sent: deque[tuple[int, Any]] = deque()
        try:
            for start in range(0, len(tasks), size):
                shard = tasks[start : start + size]
                sent.append((len(shard), run.remote(given, shard, code)))
                if len(sent) >= ahead:
                    yield from self._received(*sent.popleft())
            while sent:
                yield from self._received(*sent.popleft())
        finally:
            for _, task in sent:
                ray.cancel(task)

    def _received(self, size: int, task: Any) -> Sequence[Any]:
        try:
            results: Sequence[Any] = self._ray.get(task)
        except self._ray.exceptions.RayTaskError as error:
            raise InputError(
                f"a node of Ray cannot read documents: {' '.join(str(error.cause).split())[:200]}; "
                "install the same synth with the same extras on every node"
            ) from error
        except self._ray.exceptions.RayError:
            return [None] * size
        return results

    def close(self) -> None:
        if self._is_joined:
            self._ray.shutdown()
            self._is_joined = False

    def _join(self) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would tell its makers of each cluster
        on_end = signal.getsignal(signal.SIGTERM)
        # Whoever reaches the ports of Ray may run code there.
        here_alone = {"_node_ip_address": "127.0.0.1"} if self._address == "local" else {}
        try:
            self._ray.init(self._address, log_to_driver=False, logging_level="ERROR", **here_alone)
        except (OSError, RuntimeError, ValueError) as error:
            message = " ".join(str(error).split())[:200]
            raise InputError(f"Ray cannot be used at '{self._address}': {message}") from error
        finally:
            with suppress(ValueError):  # not the main thread
                signal.signal(signal.SIGTERM, on_end)  # Ray puts a handler of its own there
        self._is_joined = True


def _read_shard(function: Callable[[T], R], shard: Sequence[T], code: str) -> list[R]:
    """Results of a function on each task of a shard. Raises RuntimeError when the code there is not `code`."""
    if source_digest(_CODE) != code:
        raise RuntimeError("its synth is another version")
    return [function(task) for task in shard]
