"""Deep reading on a Ray cluster. A task reads a group of documents; only the calling process has the store."""

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
"""Module whose source code, including its imports, must be the same on every node."""

_AT_A_TIME = 32
"""Maximum number of documents in a task. Parsing them takes some seconds."""

_AHEAD = 2
"""Number of tasks submitted in advance per processor. The limit bounds the results kept in memory."""

_TRIES_AGAIN = 3
"""Number of times that a task is submitted again after its worker is lost."""


class RayTasks:
    """A Ray cluster that reads documents, at `address` ("local" starts a cluster that ends with the run).

    A task whose worker is lost is submitted again, up to three times; then its documents are left to the caller. The
    cluster is joined at the first `map`. Raise MissingExtra if ray is not installed.
    """

    def __init__(self, address: str) -> None:
        with optional("--ray"):
            import ray
        self._ray: Any = ray
        self._address = address
        self._is_joined = False

    def map(self, function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R | None]:
        """Yield the result of each task, in order; None for a lost task.

        Raise InputError if the cluster cannot be joined or its nodes run another version of synth.
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
        """Leave the cluster; a local cluster ends."""
        if self._is_joined:
            self._ray.shutdown()
            self._is_joined = False

    def _join(self) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # otherwise Ray reports each cluster to its makers
        on_end = signal.getsignal(signal.SIGTERM)
        # Anybody who can reach Ray's ports can run code, so a local cluster listens on loopback only.
        here_alone = {"_node_ip_address": "127.0.0.1"} if self._address == "local" else {}
        try:
            self._ray.init(self._address, log_to_driver=False, logging_level="ERROR", **here_alone)
        except (OSError, RuntimeError, ValueError) as error:
            message = " ".join(str(error).split())[:200]
            raise InputError(
                f"cannot join the Ray cluster at '{self._address}': {message}; check the address after --ray"
            ) from error
        finally:
            with suppress(ValueError):  # not the main thread
                signal.signal(signal.SIGTERM, on_end)  # Ray installs its own handler
        self._is_joined = True


def _read_shard(function: Callable[[T], R], shard: Sequence[T], code: str) -> list[R]:
    """Return the result of `function` for each task. Raise RuntimeError if this node's code differs from `code`."""
    if source_digest(_CODE) != code:
        raise RuntimeError("its version of synth differs")
    return [function(task) for task in shard]
