"""Base class of readers, which turn the bytes of a file into text or passages."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from typing import Any, ClassVar

from synth.corpus.documents.decoding import decoded
from synth.corpus.documents.file_content import File, FileContent

_LINE_END = re.compile(r"\r\n?")


class Reader(ABC):
    """Reader of one kind of file, selected by the suffix of the file name.

    - `name`: the kind, stored in documents as `metadata["kind"]`.
    - `suffixes`: in lower case, with the dot.
    - `isolated`: run the reader in a process with limits of time and memory (see `reader_process`). Set it for parsers
      that are written in C, or so large that their cost is unknown.
    - `has_passages`: a file may contain several documents, so it can belong to several shards of a corpus.
    - `has_scans`: the reader can recognise text on images (`File.ocr`). Its process then gets more time and memory.
    """

    name: ClassVar[str]
    suffixes: ClassVar[tuple[str, ...]]
    isolated: ClassVar[bool] = False
    has_passages: ClassVar[bool] = False
    has_scans: ClassVar[bool] = False

    @abstractmethod
    def read(self, file: File) -> FileContent:
        """Return the content of a file; equal bytes must give equal content.

        Raise `reasons.Unloadable` if the file has no readable content. The context manager `reasons.parsing` turns
        errors of a parser into Unloadable.
        """


def text_of(file: File, *, markup: bool = False) -> tuple[str, dict[str, Any]]:
    r"""Return the decoded text and its metadata. Every line end becomes one "\n".

    The metadata contain `encoding` and, if the encoding was guessed, `guessed`. With `markup`, a charset declared in
    the text is trusted.
    """
    text, encoding, guessed = decoded(file.data, markup=markup)
    return _LINE_END.sub("\n", text), {"encoding": encoding} | ({"guessed": True} if guessed else {})
