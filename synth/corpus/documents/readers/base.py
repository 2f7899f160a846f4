"""Base class of readers: the bytes of a file in, text or passages out."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from synth.corpus.documents.decoding import decoded
from synth.corpus.documents.file_content import File, FileContent

_LINE_END = re.compile(r"\r\n?")


class Reader(ABC):
    """Reader of one kind of file, found by the suffix of the file's name.

    `name` is the kind, which documents keep as `metadata["kind"]`; `suffixes` are in lower case, with the dot.
    An `isolated` reader runs in a process of its own, with limits of time and memory (see `reader_process`): one whose
    parser is written in C, or too large to know what a file may cost there. One that `has_passages` may make a file
    several documents, so that a file can belong to several shards of a corpus. One that `has_scans` recognises text on
    images if asked (`File.ocr`), for which its process gets more time and memory.
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    isolated: ClassVar[bool] = False
    has_passages: ClassVar[bool] = False
    has_scans: ClassVar[bool] = False

    @abstractmethod
    def read(self, file: File) -> FileContent:
        """The content of a file, the same for the same bytes.

        Raises `reasons.Unloadable` when the file has no readable content; inside `reasons.parsing`, errors of a parser
        become that exception.
        """


def text_of(file: File, *, markup: bool = False) -> tuple[str, dict[str, Any]]:
    """The decoded text, every line end as one newline, and the metadata: its `encoding`, and `guessed` where that is.

    `markup` trusts a charset declared in the text.
    """
    text, encoding, guessed = decoded(file.data, markup=markup)
    return _LINE_END.sub("\n", text), {"encoding": encoding} | ({"guessed": True} if guessed else {})
