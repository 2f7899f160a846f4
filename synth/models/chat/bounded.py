"""Reading of replies up to a size limit: they are decompressed here, before any other code sees them."""

from __future__ import annotations

import json
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from typing import Any

from synth.core import interruption

MOST_BYTES = 8 << 20
"""Maximum bytes of a decompressed reply. The longest replies of chat models have a few hundred thousand bytes."""

ENCODINGS = {"accept-encoding": "gzip, deflate"}
"""Request header that names the compressions that this module can decompress."""

_STEP = 1 << 16
_LONGEST_S = 600.0
_MARK = "synth_refused"
_limit: ContextVar[int] = ContextVar("limit", default=MOST_BYTES)


@contextmanager
def allowing(most: int) -> Iterator[None]:
    """Allow replies of up to `most` bytes inside the block, for a file with many replies."""
    before = _limit.set(most)
    try:
        yield
    finally:
        _limit.reset(before)


def refused(response: Any) -> str:
    """Return the reason why the body of a response was refused, or "" if it was accepted."""
    return str(response.extensions.get(_MARK, ""))


async def read_async(response: Any) -> None:
    """Read and decompress the body of a response. The HTTP client calls this hook first.

    A body over the limit is replaced by an error in JSON. Raises DecodingError when the body cannot be decompressed.
    """
    stream: Any = response.stream
    body = _Body(response)
    try:
        if body.is_open:
            async for chunk in stream:
                if not body.take(chunk):
                    break
    finally:
        await stream.aclose()
    body.finish()


def read(response: Any) -> None:
    """Read a body as `read_async` does, for a client in the caller's thread.

    Raises KeyboardInterrupt if the run was asked to end. A body that takes longer than ten minutes is refused.
    """
    stream: Any = response.stream
    body = _Body(response)
    deadline = time.monotonic() + _LONGEST_S
    try:
        if body.is_open:
            for chunk in stream:
                interruption.check()
                if time.monotonic() > deadline:
                    body.refuse(f"has not ended within {_LONGEST_S:g} s")
                if not body.take(chunk):
                    break
    finally:
        stream.close()
    body.finish()


class _Body:
    """Decompressed body that grows chunk by chunk, up to the limit."""

    def __init__(self, response: Any) -> None:
        self._response = response
        self._most = _limit.get()
        self._content = bytearray()
        self._refusal = ""
        self._unpack: Any = None
        self._may_be_raw = False
        coding = response.headers.get("content-encoding", "identity").strip().lower() or "identity"
        if coding in ("gzip", "x-gzip", "deflate"):
            self._unpack = zlib.decompressobj(wbits=zlib.MAX_WBITS | 32)
            self._may_be_raw = coding == "deflate"
        elif coding != "identity":
            self.refuse(f"is compressed as {coding[:40]!r}, which synth did not ask for")

    @property
    def is_open(self) -> bool:
        return not self._refusal

    def refuse(self, why: str) -> None:
        self._refusal = f"the reply {why}"

    def take(self, chunk: bytes) -> bool:
        """Add a chunk. Return False if no more chunks are wanted."""
        try:
            for part in self._parts(chunk):
                if len(self._content) + len(part) > self._most:
                    self.refuse(f"has more than {self._most / 1e6:.0f} MB")
                if self._refusal:
                    return False
                self._content += part
        except zlib.error as error:
            raise self._damaged(str(error)) from None
        return not self._refusal

    def _parts(self, chunk: bytes) -> Iterator[bytes]:
        if self._unpack is None:
            yield chunk
            return
        try:
            part = self._unpack.decompress(chunk, _STEP)
        except zlib.error:
            # Some servers send "deflate" without the header of zlib.
            if not self._may_be_raw or self._content:
                raise
            self._unpack = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
            part = self._unpack.decompress(chunk, _STEP)
        self._may_be_raw = False
        yield part
        while self._unpack.unconsumed_tail:
            yield self._unpack.decompress(self._unpack.unconsumed_tail, _STEP)

    def finish(self) -> None:
        """Set the decompressed body as the content of the response."""
        if self._unpack is not None and not self._refusal and not self._unpack.eof and self._content:
            raise self._damaged("it ends early")
        content = bytes(self._content)
        if self._refusal:
            self._response.extensions[_MARK] = self._refusal
            content = json.dumps({"error": {"message": self._refusal}}).encode()
        for name in ("content-encoding", "content-length"):
            self._response.headers.pop(name, None)
        self._response.stream = _library(self._response).ByteStream(content)

    def _damaged(self, why: str) -> Exception:
        error: Exception = _library(self._response).DecodingError(
            f"the reply cannot be unpacked: {why}", request=self._response.request
        )
        return error


def _library(response: Any) -> Any:
    """Return the HTTP library of a response. Versions of `openai` use either httpx or its successor."""
    return import_module(type(response).__module__.partition(".")[0])
