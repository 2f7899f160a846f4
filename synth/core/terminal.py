"""Text for a terminal: escape control characters and wrap long messages."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, TextIO, cast
from unicodedata import category


def printable(text: str) -> str:
    """Return `text` on one line, with control characters and characters that a terminal cannot show escaped.

    The escaped characters are control and format characters, halves of surrogate pairs, and code points without a
    character. Format characters include line separators, text-direction marks and zero-width characters.
    """
    return _escaped(text, "", lambda char: char.encode("unicode_escape").decode())


_MOST_NAMED = 5


def counted(count: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun, such as "1 row" or "1,250 rows".

    `plural` is needed only if the plural is not the noun plus s.
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def first_names(names: Sequence[str]) -> str:
    """Return the first five names and the number of the others: "a, b, c, d, e and 3 more"."""
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def printable_json(text: str) -> str:
    """Return equivalent JSON text, with the characters that `printable` escapes written as JSON escapes.

    Line breaks are kept.
    """
    return _escaped(text, "\n", lambda char: json.dumps(char)[1:-1])


def _escaped(text: str, passed: str, escape: Callable[[str], str]) -> str:
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in passed or category(char) == "Zs" else escape(char) for char in text
    )


MESSAGE = "synth: "
"""Prefix of every message on the error stream."""


class _Guarded:
    """Text stream that writes to `stream`, with characters escaped as by `printable`. Tabs are not escaped.

    On a terminal, messages are wrapped between words. If the reader of a pipe is gone, as after `| head -1`, further
    output is discarded and the run continues. All other attributes are those of `stream`.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        shown = _escaped(text, "\n\t", printable)
        try:
            self.stream.write(broken(shown) if text.startswith(MESSAGE) and self.stream.isatty() else shown)
        except BrokenPipeError:
            self._leave()
        return len(text)

    def flush(self) -> None:
        try:
            self.stream.flush()
        except BrokenPipeError:
            self._leave()

    def _leave(self) -> None:
        """Redirect further output to the null device, including what Python flushes when it exits."""
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), self.stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def broken(text: str) -> str:
    """Return `text` wrapped to the width of the terminal; a word that does not fit, such as a path, stays whole."""
    width = shutil.get_terminal_size().columns
    end = text[len(text.rstrip()) :]
    return textwrap.fill(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) + end


@contextmanager
def guarded_output() -> Iterator[None]:
    """Escape control characters in everything that Python code prints inside the block.

    The printed text may contain parts of documents, rows and replies, which are not trusted.
    """
    out, err = (cast(TextIO, _Guarded(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        yield


def unguarded(stream: TextIO) -> TextIO:
    """Return the stream behind a guarded stream, for progress bars, which move the cursor.

    Any other stream is returned as it is.
    """
    return stream.stream if isinstance(stream, _Guarded) else stream
