"""Reasons why files are not loaded, and the exception that carries a reason."""

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
RESERVATION = "encoding guessed"

REASONS = {
    EMPTY: "the file is empty or contains only white space",
    NO_TEXT: "the file is valid but contains no text, such as a scanned PDF",
    BINARY: "the file has the suffix of a text file but binary content",
    UNREADABLE: "the system cannot open the file: no permission, or a broken link",
    DAMAGED: "the file, or a line of it, is corrupt",
    ENCRYPTED: "the file needs a password",
    TOO_LARGE: "the file exceeds a limit: its size, packed or unpacked, or the time or memory to read it",
    LINK_OUTSIDE: "a link to a target outside the folder",
    LINK_LOOP: "a link to itself or to a folder above it",
    DUPLICATE: "a link to a file that is also loaded under its own name",
    UNKNOWN_KIND: "no reader for this kind of file",
    UNDECODABLE: "the text encoding is not recognised",
    FAILED: "an unexpected error in the reader, probably a bug",
    HIDDEN: "a hidden part of the file; the rest of the file is read",
    RESERVATION: "several encodings fit, and the likeliest was chosen; the file is read",
    NOT_CALCULATED: "a formula without a stored value; the rest of the file is read",
    NOT_READ: "a part that the reader cannot read; the rest of the file is read",
}

PARTS = frozenset({HIDDEN, NOT_CALCULATED, NOT_READ})
"""Reasons for leaving out a part of a file while the rest is read."""

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
    """Raised when a file cannot be loaded. `reason` is a key of REASONS; `detail` adds the cause or advice."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


class Limit:
    """Counter with a limit for parts of a file, such as cells."""

    def __init__(self, most: int, parts: str) -> None:
        self.most, self.parts, self.count = most, parts, 0

    def add(self, count: int) -> None:
        """Count `count` more parts. Raise Unloadable(TOO_LARGE) if there are more than `most` in total."""
        self.count += count
        if self.count > self.most:
            raise Unloadable(TOO_LARGE, f"it has over {self.most:,} {self.parts}; split the file")


@contextmanager
def parsing(kind: str, *parser_errors: type[Exception]) -> Iterator[None]:
    """Turn exceptions of a parser into Unloadable(DAMAGED). `parser_errors` are the parser's own exception types."""
    caught: tuple[type[Exception], ...] = (*_PARSER_ERRORS, *parser_errors)
    try:
        yield
    except caught as error:
        # An object in a message, such as <_io.BytesIO object at 0x…>, is the file. Its address changes with each run.
        message = _ADDRESS.sub("the file", " ".join(str(error).split()))[:200] or type(error).__name__
        raise Unloadable(DAMAGED, f"not a valid {kind} file: {message}") from error
