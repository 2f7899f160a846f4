"""What passes between the loader and a reader: a file's bytes in, text with a format out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class File:
    """A file as read: `name` is its path inside the corpus, `max_unpacked` bytes may come out of it."""

    name: str
    data: bytes
    max_unpacked: int = 100_000_000


@dataclass(frozen=True, slots=True)
class ReadyPassage:
    """A ready-made passage of a file, with the id and the title the file gives it."""

    passage_id: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class BadLine:
    """A line (from 1) that was not read, with a reason of `reasons.REASONS`."""

    line: int
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class FileContent:
    """What a reader made of a file: one text, or passages and the lines that gave none."""

    text: str = ""
    title: str = ""
    format: str = "markdown"
    passages: tuple[ReadyPassage, ...] = ()
    bad_lines: tuple[BadLine, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)


Reader = Callable[[File], FileContent]
