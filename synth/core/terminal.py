"""Text on a terminal: characters that it would obey are shown escaped."""

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
    """`text` on one line, with every character escaped that a terminal would obey or cannot show.

    These are control and format characters (C0, C1, line separators, directions of writing, zero-width ones), halves
    of surrogate pairs, and code points without a character.
    """
    return _escaped(text, "", lambda char: char.encode("unicode_escape").decode())


_MOST_NAMED = 5


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun: "1 row", "1,250 rows"; `plural` where it is not the noun with an s."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def first_names(names: Sequence[str]) -> str:
    """The first of some names, and the number of the others."""
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return ", ".join(names[:_MOST_NAMED]) + more


def printable_json(text: str) -> str:
    """JSON text of the same meaning, with the characters that `printable` escapes as escapes of JSON."""
    return _escaped(text, "\n", lambda char: json.dumps(char)[1:-1])


def _escaped(text: str, passed: str, escape: Callable[[str], str]) -> str:
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() or char in passed or category(char) == "Zs" else escape(char) for char in text
    )


MESSAGE = "synth: "
"""Beginning of a message on the error stream."""


class _Guarded:
    """A text stream that writes each line as `printable` shows it; tabs stay. All else is that of `stream`.

    On a terminal a message is broken between words. Where nobody reads any more, as after `| head -1`, the rest goes
    nowhere, and the run to its end.
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
        """Send what follows to the null device, also what Python flushes when it ends."""
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), self.stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def broken(text: str) -> str:
    """A sentence in lines that fit the terminal; a word that does not fit, such as a path, stays whole."""
    width = shutil.get_terminal_size().columns
    end = text[len(text.rstrip()) :]
    return textwrap.fill(text, width, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False) + end


@contextmanager
def guarded_output() -> Iterator[None]:
    """Escape all that Python code prints inside the block, whatever part of a document, row or reply it holds."""
    out, err = (cast(TextIO, _Guarded(stream)) for stream in (sys.stdout, sys.stderr))
    with redirect_stdout(out), redirect_stderr(err):
        yield


def unguarded(stream: TextIO) -> TextIO:
    """The stream below a guarded one, for progress bars, which move the cursor."""
    return stream.stream if isinstance(stream, _Guarded) else stream
