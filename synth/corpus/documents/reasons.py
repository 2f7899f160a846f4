"""Reasons why files are not loaded, and the exception that carries one."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from synth.core.errors import Passing

EMPTY = "empty"
NO_TEXT = "no text"
BINARY = "binary"
UNREADABLE = "unreadable"
DAMAGED = "damaged"
ENCRYPTED = "encrypted"
TOO_LARGE = "too large"
LINK_OUT = "link out of the folder"
LINK_LOOP = "link loop"
DUPLICATE = "duplicate"
UNKNOWN_KIND = "unknown kind"
UNDECODABLE = "undecodable"
FAILED = "failed"

REASONS = {
    EMPTY: "the file holds nothing, or white space only",
    NO_TEXT: "the file is sound but holds no text, such as a scanned PDF",
    BINARY: "its name is that of a text file, its bytes are not",
    UNREADABLE: "the system does not allow it to be read",
    DAMAGED: "the file, or the line, is not sound",
    ENCRYPTED: "a password is needed to read it",
    TOO_LARGE: "it is over the size limit, packed or unpacked",
    LINK_OUT: "a link out of the folder",
    LINK_LOOP: "a link to itself or to a folder above it",
    DUPLICATE: "a link to a file that is loaded under its own name",
    UNKNOWN_KIND: "no reader knows this kind of file",
    UNDECODABLE: "its text encoding is not recognised",
    FAILED: "the reader raised an error",
}

_ADDRESS = re.compile(r"<[^<>]* at 0x[0-9a-fA-F]+>")

# What parsers raise on bad input: third-party code meets broken bytes in more ways than it documents.
_PARSER_FAILURES = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    ArithmeticError,
    AssertionError,
    RuntimeError,
    EOFError,
    OSError,
    SyntaxError,
    struct.error,
    zlib.error,
    zipfile.BadZipFile,
)


class Unloadable(Passing):
    """A file that cannot be loaded. `reason` is one of REASONS, `detail` tells more."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


class Limit:
    """Count of the parts of a file, such as cells: `add` raises Unloadable(TOO_LARGE) beyond `most` of them."""

    def __init__(self, most: int, parts: str) -> None:
        self.most, self.parts, self.count = most, parts, 0

    def add(self, count: int) -> None:
        self.count += count
        if self.count > self.most:
            raise Unloadable(TOO_LARGE, f"it has over {self.most:,} {self.parts}")


@contextmanager
def parsing(kind: str, *failures: type[Exception]) -> Iterator[None]:
    """Turn what a parser raises into Unloadable(DAMAGED); `failures` are exceptions of its own."""
    expected: tuple[type[Exception], ...] = (*_PARSER_FAILURES, *failures)
    try:
        yield
    except expected as error:
        # A memory address in a message would differ from run to run.
        message = _ADDRESS.sub("the file", " ".join(str(error).split()))[:200] or type(error).__name__
        raise Unloadable(DAMAGED, f"not a sound {kind} file: {message}") from error
