"""Subprocess without API keys or network, in which parsers of untrusted files run within limits.

`python -m synth.core.restricted_process` reads requests from standard input. A request is a line of JSON followed by
bytes. The process answers each request with lines of JSON: lists of results, and an object at the end.
"""

from __future__ import annotations

import ctypes
import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any

from synth.core import interruption
from synth.core.containment import contained
from synth.core.errors import ExpectedFailure, MissingExtra, SynthError

_PATIENCE = 5
"""Seconds to wait per allowed second of processor time, because the processor may be busy or a parser may sleep."""
_BATCH = 65_536
"""Size of a batch of results, in bytes. A batch is sent when it has reached this size."""
_OUT_OF_MEMORY = 77  # exit code
_OUT_OF_TIME = -signal.SIGXCPU if hasattr(signal, "SIGXCPU") else None
"""Exit code of a process that has used up its processor time."""
_ABORTED = -signal.SIGABRT
"""Exit code of native code that cannot get more memory."""

_ENVIRONMENT = frozenset(
    "PATH LANG LANGUAGE TZ TMPDIR TEMP TMP LD_LIBRARY_PATH DYLD_LIBRARY_PATH SYSTEMROOT PYTHONHOME PYTHONUTF8".split()
)
"""Variables that the process inherits, besides those that begin with LC_. None of them is an API key."""

_NEW_USER, _NEW_NETWORK = 0x10000000, 0x40000000  # flags of unshare(2)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one call: seconds of processor time, bytes of memory, and bytes of results as JSON."""

    seconds: int = 60
    memory: int = 1_000_000_000
    output: int = 500_000_000


class Overrun(ExpectedFailure):
    """Error for a call that exceeded its limit of time, memory or output. The message names the limit."""


class Crashed(ExpectedFailure):
    """Error for a call that failed unexpectedly or ended its process."""


class RestrictedProcess:
    """Process that calls functions of modules within limits.

    The process starts with the first call, and again after a call that ended it. It cannot write files or use the
    network, and gets no environment variable that could be a key. On Linux, if user namespaces are allowed, the process
    runs without network and cannot read the memory or the environment of its parent process. Elsewhere, Python refuses
    to open sockets. Limits apply where the system has them (`setrlimit`). The process ends with the context.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1)

    def __enter__(self) -> RestrictedProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        self._end()
        self._thread.shutdown()

    def results(
        self, function: str, data: bytes = b"", *, output: int | None = None, **arguments: Any
    ) -> Iterator[Any]:
        """Call a function ("module:name") with `data` and `arguments`, and yield its results, which are JSON values.

        `output` replaces the limit on the bytes of results. Raises the SynthError or ExpectedFailure that the function
        raises, and MissingExtra if the function needs a library that is not installed. Raises Overrun if the call
        exceeds a limit, and Crashed if it fails in another way.
        """
        used, begun = self._process is not None, False
        request = {
            "function": function,
            "arguments": arguments,
            "bytes": len(data),
            "seconds": self.limits.seconds,
            "memory": self.limits.memory,
        }
        try:
            for line in self._lines(json.dumps(request).encode() + b"\n", data, output or self.limits.output):
                reply = _parsed(line)
                if isinstance(reply, list):
                    begun = True
                    yield from reply
                elif reply is None:
                    break
                elif reply:
                    raise _error(reply)
                else:
                    return
        except (GeneratorExit, KeyboardInterrupt, Overrun):
            self._end()
            raise
        code = self._end()
        if code == _OUT_OF_TIME:
            raise self._late()
        if used and not begun:
            # Earlier calls may have filled or damaged the memory of the process: try again in a new process.
            yield from self.results(function, data, output=output, **arguments)
            return
        if code == _OUT_OF_MEMORY:
            raise Overrun(f"it took more than {_size(self.limits.memory)} of memory")
        if code == _ABORTED:
            size = _size(self.limits.memory)
            raise Overrun(f"its parser aborted (SIGABRT), as parsers do when they need more than {size} of memory")
        raise Crashed(f"the reader crashed ({signal.Signals(-code).name if code < 0 else f'exit code {code}'})")

    def _late(self) -> Overrun:
        return Overrun(f"it took more than {self.limits.seconds} s")

    def _lines(self, request: bytes, data: bytes, output: int) -> Iterator[bytes]:
        """Yield the lines of the reply to a request until the process ends."""
        self._process = process = self._process or _started()
        assert process.stdin is not None
        assert process.stdout is not None
        patience = float(_PATIENCE * self.limits.seconds)
        patience, _ = self._done(_sent(process.stdin, request, data), patience)
        while True:
            patience, line = self._done(_read(process.stdout, output), patience)
            output -= len(line)
            if line.endswith(b"\n"):
                yield line
            elif output <= 0:
                raise Overrun("its content is larger than the limit for one file")
            else:
                return

    def _done(self, step: Callable[[], bytes], patience: float) -> tuple[float, bytes]:
        """Run a step that may block. Return the seconds left of `patience`, and the result of the step."""
        began = time.monotonic()
        exchange = self._thread.submit(step)
        while not wait([exchange], timeout=0.1).done:
            interruption.check()
            if time.monotonic() - began > patience and self._process:
                _kill(self._process)
                wait([exchange])
                raise self._late()
        return patience - (time.monotonic() - began), exchange.result()

    def _end(self) -> int:
        """End the process if it still runs, and return its exit code; 0 if there is no process."""
        process, self._process = self._process, None
        if process is None:
            return 0
        _kill(process)
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        return code


def _started() -> subprocess.Popen[bytes]:
    # The process finds modules where this process finds them; -P excludes the current folder.
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    inherited = {name: value for name, value in os.environ.items() if name in _ENVIRONMENT or name.startswith("LC_")}
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return subprocess.Popen(
        [sys.executable, "-P", "-B", "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**inherited, **one_thread, "PYTHONPATH": paths},
        start_new_session=True,  # Ctrl-C reaches only the parent, which ends this process
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """Kill a process together with the processes that it has started, which belong to its group."""
    with suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL) if hasattr(os, "killpg") else process.kill()


def _sent(stream: IO[bytes], request: bytes, data: bytes) -> Callable[[], bytes]:
    def send() -> bytes:
        with suppress(OSError):
            stream.write(request)
            stream.write(data)
            stream.flush()
        return b""

    return send


def _read(stream: IO[bytes], output: int) -> Callable[[], bytes]:
    def read() -> bytes:
        with suppress(OSError):
            return stream.readline(max(output, 0))
        return b""

    return read


def _parsed(line: bytes) -> Any:
    """Parse a line of a reply: a list of results, or the final object. Return None for an invalid line."""
    with suppress(ValueError, RecursionError):
        reply = json.loads(line)
        if isinstance(reply, list | dict):
            return reply
    return None


def _error(reply: dict[str, Any]) -> Exception:
    """Return the exception that a reply names.

    Return Crashed if the name is not that of a SynthError or an ExpectedFailure.
    """
    arguments = [str(argument) for argument in reply.get("arguments", ())]
    waiting: list[type[Exception]] = [SynthError, ExpectedFailure]
    while waiting:
        kind = waiting.pop()
        if kind.__name__ == reply.get("raised"):
            return kind(*arguments)
        waiting.extend(kind.__subclasses__())
    return Crashed(*arguments)


def _size(count: int) -> str:
    return f"{count // 10**9} GB" if count >= 10**9 else f"{count // 10**6} MB"


def serve() -> None:
    """Answer requests from standard input until it ends."""
    _confine()
    # Send what parsers print to standard error.
    with os.fdopen(os.dup(1), "wb") as replies:
        os.dup2(2, 1)
        for line in sys.stdin.buffer:
            request = json.loads(line)
            data = sys.stdin.buffer.read(request["bytes"])
            _limit("RLIMIT_DATA", request["memory"])
            _limit("RLIMIT_CPU", int(time.process_time()) + 1 + request["seconds"])
            end = _sent_results(request, data, replies)
            _check_memory(request["memory"])
            replies.write(_json(end) + b"\n")
            replies.flush()


def _confine() -> None:
    """Give up network, access to the memory of other processes, and writing of files, as far as the system allows."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).unshare(_NEW_USER | _NEW_NETWORK)
    _limit("RLIMIT_CORE", 0)
    _limit("RLIMIT_FSIZE", 0)
    sys.addaudithook(_refuse_sockets)


def _refuse_sockets(event: str, _: Any) -> None:
    if event in ("socket.__new__", "socket.getaddrinfo", "socket.gethostbyname"):
        raise PermissionError("a parser may not use the network")


def _sent_results(request: dict[str, Any], data: bytes, replies: IO[bytes]) -> dict[str, Any]:
    """Send the results of a request. Return the final object: empty, or the error."""
    with contained("the reader", request["function"], recorded=False) as guard:
        try:
            function: Callable[..., Iterable[Any]] = pkgutil.resolve_name(request["function"])
            batch: list[bytes] = []
            size = 0
            for result in function(data, **request["arguments"]):
                batch.append(_json(result))
                size += len(batch[-1])
                if size > _BATCH:
                    _send(batch, request["memory"], replies)
                    batch, size = [], 0
            if batch:
                _send(batch, request["memory"], replies)
        except MemoryError:
            os._exit(_OUT_OF_MEMORY)
        except (SynthError, ExpectedFailure) as error:
            return {"raised": type(error).__name__, "arguments": list(error.args)}
        except ImportError as error:
            return {"raised": MissingExtra.__name__, "arguments": [str(error)]}
    return {"raised": Crashed.__name__, "arguments": [guard.error]} if guard.error else {}


def _send(batch: list[bytes], memory: int, replies: IO[bytes]) -> None:
    _check_memory(memory)
    replies.write(b"[" + b",".join(batch) + b"]\n")


def _json(value: Any) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _check_memory(most: int) -> None:
    """End this process if its memory is nearly used up, so that no incomplete result is sent.

    When lxml runs out of memory, it reports a damaged file instead.
    """
    if _peak_memory() > 0.9 * most:
        os._exit(_OUT_OF_MEMORY)


def _peak_memory() -> int:
    """Return the peak memory of this process in bytes; 0 if the system does not report it."""
    # `ru_maxrss` is not used, because it starts with the memory of the parent process.
    with suppress(OSError), open("/proc/self/status", encoding="utf-8") as status:
        return next((1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)
    return 0


def _limit(kind: str, most: int) -> None:
    """Limit a resource of this process, if the system can."""
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        limit = getattr(resource, kind)
        hard = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    serve()
