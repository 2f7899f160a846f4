"""Restricted process for readers of complex formats. It reads many files and is ended when a file exceeds a limit."""

from __future__ import annotations

import dataclasses
import pkgutil
from collections.abc import Iterator
from typing import Any

from synth.core.restricted_process import Crashed, Limits, Overrun, RestrictedProcess
from synth.corpus.documents.file_content import BadLine, File, FileContent, ReadyPassage
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import FAILED, TOO_LARGE, Unloadable

_LONGEST_CHARACTER = 4  # bytes of UTF-8
_OCR_TIMES, _OCR_MEMORY = 20, 3_000_000_000
"""Limits for files whose scanned pages are recognised: factor of the time limit, and memory in bytes."""


class ReaderProcess:
    """Context manager for a process that reads files, each within `seconds` of processor time and 1 GB of memory."""

    def __init__(self, seconds: int) -> None:
        self._limits, self._ocr_limits = Limits(seconds=seconds), Limits(_OCR_TIMES * seconds, _OCR_MEMORY)
        self._process = RestrictedProcess(self._limits)

    def __enter__(self) -> ReaderProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.close()

    def read(self, reader: Reader, file: File) -> FileContent:
        """Return the content of a file.

        Raise Unloadable if the reader raises it, fails, crashes or exceeds a limit. Raise MissingExtra if the reader
        needs a library that is not installed.
        """
        kind = type(reader)
        self._process.limits = self._ocr_limits if file.ocr else self._limits
        try:
            (content,) = self._process.results(
                f"{__name__}:content",
                file.data,
                output=_LONGEST_CHARACTER * file.max_unpacked,
                reader=f"{kind.__module__}:{kind.__qualname__}",
                name=file.name,
                max_unpacked=file.max_unpacked,
                ocr=file.ocr,
            )
        except Overrun as error:
            advice = "; a larger max_seconds allows more" if str(error).endswith(" s") else ""
            raise Unloadable(TOO_LARGE, f"{error}{advice}") from error
        except Crashed as error:
            raise Unloadable(FAILED, str(error)) from error
        return _content(content)


def content(data: bytes, reader: str, name: str, max_unpacked: int, ocr: bool) -> Iterator[dict[str, Any]]:
    """Yield the content that a reader ("module:name") reads from a file. Called in the restricted process."""
    yield dataclasses.asdict(pkgutil.resolve_name(reader)().read(File(name, data, max_unpacked, ocr)))


def _content(content: dict[str, Any]) -> FileContent:
    passages = tuple(ReadyPassage(**passage) for passage in content.pop("passages"))
    bad_lines = tuple(BadLine(**line) for line in content.pop("bad_lines"))
    return FileContent(**content, passages=passages, bad_lines=bad_lines)
