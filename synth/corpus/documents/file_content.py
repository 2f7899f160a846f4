"""Input and output of a reader: the bytes of a file, and its text with a format."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class File:
    """A file to read.

    `name` is its path inside the corpus, and `max_unpacked` the maximum number of bytes that it may unpack to. With
    `ocr`, the text of pages that are images is recognised.
    """

    name: str
    data: bytes
    max_unpacked: int = 100_000_000
    ocr: bool = False


@dataclass(frozen=True, slots=True)
class ReadyPassage:
    """A ready-made passage in a file, with the id and the title that the file states."""

    passage_id: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line (counted from 1) or another named part that was not read. `reason` is a key of `reasons.REASONS`."""

    line: int | str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class FileContent:
    """Content of a file: either one text, or passages. `bad_lines` are the lines and parts that were not read."""

    text: str = ""
    title: str = ""
    format: str = "markdown"
    passages: tuple[ReadyPassage, ...] = ()
    bad_lines: tuple[BadLine, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
