"""Why a file was not loaded: the fixed list of reasons, and the exception that carries one."""

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
    BINARY: "the name says text, the bytes say otherwise",
    UNREADABLE: "the system does not let us read it",
    DAMAGED: "the file, or the line named, is not what its kind should be",
    ENCRYPTED: "a password is needed to read it",
    TOO_LARGE: "it is over the size limit, as it lies or unpacked",
    LINK_OUT: "a link to somewhere outside the folder that was named",
    LINK_LOOP: "a link that leads back to itself or to a folder above it",
    DUPLICATE: "a link to what is loaded under its own name",
    UNKNOWN_KIND: "no reader knows this kind of file",
    UNDECODABLE: "its text encoding is none of those we recognise",
    FAILED: "our reader met something in it that it cannot deal with",
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
    """A file cannot become a document. `reason` is one of REASONS, `detail` says more."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


@contextmanager
def parsing(kind: str, *failures: type[Exception]) -> Iterator[None]:
    """What a parser raises inside becomes Unloadable(DAMAGED); `failures` are its own exceptions."""
    expected: tuple[type[Exception], ...] = (*_PARSER_FAILURES, *failures)
    try:
        yield
    except expected as error:
        # A memory address in a message would differ from run to run.
        said = _ADDRESS.sub("the file", " ".join(str(error).split()))[:200] or type(error).__name__
        raise Unloadable(DAMAGED, f"not a sound {kind} file: {said}") from error
