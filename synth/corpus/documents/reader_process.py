"""Process in which parsers of complex formats run: one for many files, ended when a file takes too much.

`python -m synth.corpus.documents.reader_process` takes requests on its standard input, each a line of JSON and the
bytes of a file, and answers each with a line of JSON.
"""

from __future__ import annotations

import dataclasses
import json
import os
import pkgutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from typing import Any

from synth.core import interruption
from synth.core.containment import contained
from synth.core.errors import MissingExtra, SynthError
from synth.corpus.documents.file_content import BadLine, File, FileContent, ReadyPassage
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import FAILED, TOO_LARGE, Unloadable

_MOST_MEMORY = 1_000_000_000
_MEMORY_ALARM = 0.9 * _MOST_MEMORY
"""Memory after which no result counts: lxml calls a file damaged when it gets no more, others may leave text out."""
_PATIENCE = 5
"""Seconds for each second of processor time: other processes may use the processor, and a reader may sleep."""
_LONGEST_CHARACTER = 4  # bytes of UTF-8
_OUT_OF_MEMORY = 77  # exit code
_OUT_OF_TIME = -signal.SIGXCPU if hasattr(signal, "SIGXCPU") else None
"""Exit code of a process that has used its processor time."""


class ReaderProcess:
    """A process that reads files: started for the first one, and again after a file that ended it.

    A file may take `seconds` of processor time and 1 GB of memory, where the system can limit them. The process ends
    with the context.
    """

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = ThreadPoolExecutor(1)

    def __enter__(self) -> ReaderProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        self._thread.shutdown()

    def read(self, reader: Reader, file: File) -> FileContent:
        """The content of a file.

        Raises Unloadable as the reader does, and when the reader fails, crashes or takes too much; MissingExtra when
        the reader needs a library that is not installed.
        """
        used = self._process is not None
        reply, late = self._answer(reader, file)
        if reply:
            return _content(json.loads(reply))
        code = self._end()
        if late or code == _OUT_OF_TIME:
            raise Unloadable(TOO_LARGE, f"it took more than {self._seconds} s; --max-seconds allows more")
        if used:
            # Files before this one may have filled or damaged the memory of the process.
            return self.read(reader, file)
        if code == _OUT_OF_MEMORY:
            raise Unloadable(TOO_LARGE, f"it took more than {_MOST_MEMORY // 10**9} GB of memory")
        name = signal.Signals(-code).name if code < 0 else f"exit code {code}"
        raise Unloadable(FAILED, f"the reader crashed ({name})")

    def _answer(self, reader: Reader, file: File) -> tuple[bytes, bool]:
        """The reply of the process, empty where it ended; and whether it was ended for the time it took."""
        self._process = process = self._process or _started()
        kind = type(reader)
        request = {
            "reader": f"{kind.__module__}:{kind.__qualname__}",
            "name": file.name,
            "bytes": len(file.data),
            "max_unpacked": file.max_unpacked,
            "seconds": self._seconds,
        }
        end = time.monotonic() + _PATIENCE * self._seconds
        late = False
        exchange = self._thread.submit(_exchanged, process, json.dumps(request).encode() + b"\n", file)
        while not wait([exchange], timeout=0.1).done:
            interruption.check()
            if time.monotonic() > end:
                late = True
                process.kill()
        return exchange.result(), late

    def _end(self) -> int:
        """End the process, unless it has ended, and return its exit code."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with suppress(OSError):
                pipe.close()
        return code


def _started() -> subprocess.Popen[bytes]:
    # Modules are looked up where this process finds them; -P leaves the current folder out.
    paths = os.pathsep.join(os.path.abspath(path) for path in sys.path)
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
    return subprocess.Popen(
        [sys.executable, "-P", "-m", __name__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **one_thread, "PYTHONPATH": paths},
        start_new_session=True,  # Ctrl-C is for this process, which ends the other
    )


def _exchanged(process: subprocess.Popen[bytes], request: bytes, file: File) -> bytes:
    """The reply of a process to a request, a whole line; empty where the process ended or sends too much."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(OSError):
        process.stdin.write(request)
        process.stdin.write(file.data)
        process.stdin.flush()
        reply = process.stdout.readline(_LONGEST_CHARACTER * file.max_unpacked)
        return reply if reply.endswith(b"\n") else b""
    return b""


def _content(reply: dict[str, Any]) -> FileContent:
    if "stopped" in reply:
        raise MissingExtra(reply["stopped"])
    if "reason" in reply:
        raise Unloadable(reply["reason"], reply["detail"])
    passages = tuple(ReadyPassage(**passage) for passage in reply.pop("passages"))
    bad_lines = tuple(BadLine(**line) for line in reply.pop("bad_lines"))
    return FileContent(**reply, passages=passages, bad_lines=bad_lines)


def serve() -> None:
    """Answer requests until there are no more, within limits of memory and processor time."""
    _limit("RLIMIT_CORE", 0)
    _limit("RLIMIT_DATA", _MOST_MEMORY)
    # What parsers print goes to standard error.
    with os.fdopen(os.dup(1), "wb") as replies:
        os.dup2(2, 1)
        for line in sys.stdin.buffer:
            try:
                reply = json.dumps(_reply(json.loads(line)), ensure_ascii=False).encode("utf-8", "surrogatepass")
            except MemoryError:
                os._exit(_OUT_OF_MEMORY)
            if _peak_memory() > _MEMORY_ALARM:
                os._exit(_OUT_OF_MEMORY)
            replies.write(reply + b"\n")
            replies.flush()


def _reply(request: dict[str, Any]) -> dict[str, Any]:
    file = File(request["name"], sys.stdin.buffer.read(request["bytes"]), request["max_unpacked"])
    _limit("RLIMIT_CPU", int(time.process_time()) + 1 + request["seconds"])
    with contained("the reader", file.name, recorded=False) as guard:
        try:
            reader: Reader = pkgutil.resolve_name(request["reader"])()
            return dataclasses.asdict(reader.read(file))
        except MemoryError:
            os._exit(_OUT_OF_MEMORY)
        except Unloadable as error:
            return {"reason": error.reason, "detail": error.detail}
        except (SynthError, ImportError) as error:
            return {"stopped": str(error)}
    return {"reason": FAILED, "detail": guard.error}


def _peak_memory() -> int:
    """Most bytes of memory that this process has held; 0 where the system does not say."""
    # Not `ru_maxrss`, which begins with the memory of the process that started this one.
    with suppress(OSError), open("/proc/self/status", encoding="utf-8") as status:
        return next((1024 * int(line.split()[1]) for line in status if line.startswith("VmHWM:")), 0)
    return 0


def _limit(kind: str, most: int) -> None:
    """Limit a resource of this process, where the system can."""
    with suppress(ImportError, AttributeError, ValueError, OSError):
        import resource

        limit = getattr(resource, kind)
        hard = resource.getrlimit(limit)[1]
        resource.setrlimit(limit, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


if __name__ == "__main__":
    serve()
