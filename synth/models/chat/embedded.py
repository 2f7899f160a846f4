"""Chat models inside the process: the llama.cpp server on a loopback port, through xllamacpp."""

from __future__ import annotations

import atexit
import os
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from synth.core.errors import ModelError
from synth.core.extras import optional
from synth.core.store import Cache
from synth.models.chat.openai import OpenAIModel
from synth.models.chat.weights import Weights

if TYPE_CHECKING:
    from openai import AsyncOpenAI

SLOTS = 2
"""Number of requests that the server handles at once. More would not be faster, since they share the cores."""

TIMEOUT_S = 900.0
"""Minimum time-out of a request in seconds. Without a graphics card, a long prompt takes minutes."""

_CONTEXT = 8192  # tokens of a request with its reply
_servers: dict[Path, Any] = {}
_starting = Lock()
atexit.register(_servers.clear)


class EmbeddedModel(OpenAIModel):
    """Chat model in a GGUF file, run by a server inside the process. The server starts with the first request."""

    def __init__(self, weights: Weights, *, cache: Cache | None = None) -> None:
        self._weights = weights
        super().__init__(weights.name, base_url="http://127.0.0.1/v1", cache=cache)

    @property
    def identity(self) -> str:
        """Name and digest of the file. The port is left out, because it differs in each process."""
        return f"{self._weights.name} {self._weights.digest[:16]} in this process"

    def client(self) -> AsyncOpenAI:
        """Start the server if needed, and return the client of the running event loop.

        Raises ModelError when the server cannot be started, and MissingExtra when xllamacpp is not installed.
        """
        self._url = f"{address(self._weights.path)}/v1"
        return super().client()


def address(path: Path) -> str:
    """Return the address of the server of a GGUF file. The first call starts the server on a free loopback port.

    Raises MissingExtra when xllamacpp is not installed, and ModelError when the file cannot be loaded.
    """
    with _starting:
        if path not in _servers:
            _servers[path] = _started(path)
        return str(_servers[path].listening_address)


def _started(path: Path) -> Any:
    with optional(f"running {path.name} inside the process"):
        import xllamacpp
    if not path.is_file():
        raise ModelError(
            f"the model file {path} does not exist; download it with --llm local, or name a file with gguf:FILE"
        )
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.hostnames, parameters.port = ["127.0.0.1"], 0  # a free port
    parameters.n_parallel, parameters.n_ctx = SLOTS, SLOTS * _CONTEXT
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = _usable_cores()
    parameters.verbosity, parameters.ui = 0, False
    try:
        return xllamacpp.Server(parameters)
    except RuntimeError as error:
        raise ModelError(f"llama.cpp cannot load the model {path}: {error}") from error


def _usable_cores() -> int:
    """Return the number of cores that this process may use. If it is unknown, return the number of all cores."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
