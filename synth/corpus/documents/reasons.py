"""Reasons why files are not loaded, and the exception that carries one."""

from __future__ import annotations

import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from synth.core.errors import ExpectedFailure

EMPTY = "empty"
NO_TEXT = "no text"
BINARY = "binary"
UNREADABLE = "unreadable"
DAMAGED = "damaged"
ENCRYPTED = "encrypted"
TOO_LARGE = "too large"
LINK_OUTSIDE = "link out of the folder"
LINK_LOOP = "link loop"
DUPLICATE = "duplicate"
UNKNOWN_KIND = "unknown kind"
UNDECODABLE = "undecodable"
FAILED = "failed"
HIDDEN = "hidden"
NOT_CALCULATED = "not calculated"
NOT_READ = "not read"
RESERVATION = "read with a reservation"

REASONS = {
    EMPTY: "the file holds nothing, or white space only",
    NO_TEXT: "the file is valid but holds no text, such as a scanned PDF",
    BINARY: "its name says text file, its content is binary",
    UNREADABLE: "the system cannot open it: no permission, or a link to nothing",
    DAMAGED: "the file, or a line of it, is corrupt",
    ENCRYPTED: "a password is needed to read it",
    TOO_LARGE: "it is over the size limit, packed or unpacked",
    LINK_OUTSIDE: "a link to a target outside the folder",
    LINK_LOOP: "a link to itself or to a folder above it",
    DUPLICATE: "a link to a file that is loaded under its own name",
    UNKNOWN_KIND: "no reader for this kind of file",
    UNDECODABLE: "its text encoding is not recognised",
    FAILED: "an unexpected error in the reader, probably a bug",
    HIDDEN: "a part that the file hides from its readers; the rest is read",
    RESERVATION: "its encoding is the most plausible of several; the file is read",
    NOT_CALCULATED: "a formula without a stored value; the rest of the file is read",
    NOT_READ: "a part that the reader of its kind cannot read; the rest of the file is read",
}

PARTS = frozenset({HIDDEN, NOT_CALCULATED, NOT_READ})
"""Reasons of parts that are left out of a file that is read."""

_ADDRESS = re.compile(r"<[^<>]* at 0x[0-9a-fA-F]+>")

# Third-party parsers raise more on corrupt input than they document.
_PARSER_ERRORS = (
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


class Unloadable(ExpectedFailure):
    """Raised when a file cannot be loaded. `reason` is one of REASONS, `detail` says more."""

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
def parsing(kind: str, *parser_errors: type[Exception]) -> Iterator[None]:
    """Turn what a parser raises into Unloadable(DAMAGED); `parser_errors` are the parser's own exception types."""
    caught: tuple[type[Exception], ...] = (*_PARSER_ERRORS, *parser_errors)
    try:
        yield
    except caught as error:
        # An object in a message, such as <_io.BytesIO object at 0x…>, is the file; its address differs from run to run.
        message = _ADDRESS.sub("the file", " ".join(str(error).split()))[:200] or type(error).__name__
        raise Unloadable(DAMAGED, f"not a valid {kind} file: {message}") from error
