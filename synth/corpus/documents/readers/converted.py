"""Files that another program converts: old Office files by LibreOffice, AsciiDoc and Org by pandoc."""

# No Python parser of Org or AsciiDoc is both maintained and complete: orgparse returns headlines with unparsed text,
# asciidoc.py reads the syntax before Asciidoctor, and asciidoctrine is an alpha release.

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from synth.corpus.documents.file_content import BadLine, File, FileContent
from synth.corpus.documents.readers.base import Reader, text_of
from synth.corpus.documents.readers.html import HtmlReader
from synth.corpus.documents.readers.word import WordReader
from synth.corpus.documents.reasons import DAMAGED, NOT_READ, UNKNOWN_KIND, Unloadable

_INCLUDE = re.compile(r"^include::.*\n?|^[ \t]*#\+INCLUDE:.*\n?", re.MULTILINE | re.IGNORECASE)
"""Lines that include another file, which is not available."""

_PLANNING = re.compile(r"^[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*[<\[].*\n?", re.MULTILINE)
_TABLE = re.compile(
    r"^(?:\.[^.\s][^\n]*\n)?(?:\[[^\n]*\][ \t]*\n)?(?P<edge>\|={3,})[ \t]*\n.*?^(?P=edge)[ \t]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_SPANS_ROWS = re.compile(r"(?:^|\s)\d*\.\d+\+[\^<>.a-z]*\|", re.MULTILINE)
"""An AsciiDoc cell over several rows, which pandoc reads as a cell of one row."""


_TRIES = 2
"""Maximum number of times that LibreOffice is started. The first start may only create its profile."""

_ORG_OPTIONS = "#+OPTIONS: todo:nil tags:nil\n"
"""Org option line that leaves out the states and tags of tasks."""


class OldOfficeReader(Reader):
    """Documents of old versions of Word, and rich text, converted to DOCX."""

    name = "doc"
    suffixes = (".doc", ".rtf")
    isolated = True

    def read(self, file: File) -> FileContent:
        office = _program(("soffice", "libreoffice"), "LibreOffice", "install it, or save the file as .docx")
        with _writing(file.max_unpacked), tempfile.TemporaryDirectory() as place:
            source = Path(place, f"source{Path(file.name).suffix.casefold()}")
            source.write_bytes(file.data)
            profile = f"-env:UserInstallation={Path(place, 'profile').as_uri()}"
            convert = ["--headless", "--norestore", "--convert-to", "docx", "--outdir", place, str(source)]
            for _ in range(_TRIES):
                _output([office, profile, *convert], b"", place)
                converted = source.with_suffix(".docx")
                if converted.exists():
                    return WordReader().read(File(file.name, converted.read_bytes(), file.max_unpacked))
        raise Unloadable(DAMAGED, "LibreOffice cannot read it; save the file as .docx")


class MarkupReader(Reader):
    """AsciiDoc and Org as read by pandoc. Included files are left out, and so are tables that pandoc cannot read."""

    name = "markup"
    suffixes = (".adoc", ".asciidoc", ".org")
    isolated = True

    def read(self, file: File) -> FileContent:
        pandoc = _program(("pandoc",), "pandoc", "install it, such as by: pip install pypandoc-binary")
        text, metadata = text_of(file)
        text = _INCLUDE.sub("\n", text)
        left_out: tuple[BadLine, ...] = ()
        if file.name.casefold().endswith(".org"):
            form, text = "org", _ORG_OPTIONS + _PLANNING.sub("", text)
        else:
            form, (text, left_out) = "asciidoc", _without_spans(text)
        options = ["--sandbox", "--from", form, "--to", "html5", "--mathml", "--wrap", "none", "--standalone"]
        page = _output([pandoc, *options], text.encode("utf-8", "replace"))
        if page is None:
            raise Unloadable(DAMAGED, "pandoc cannot read it; correct the markup")
        content = HtmlReader().read(File(file.name, page))
        return FileContent(content.text, content.title, metadata=metadata, bad_lines=left_out)


def _without_spans(text: str) -> tuple[str, tuple[BadLine, ...]]:
    """Return AsciiDoc text without the tables that have cells over several rows, and a report of these tables."""
    tables = [match for match in _TABLE.finditer(text) if _SPANS_ROWS.search(match.group())]
    kept = text
    for match in reversed(tables):
        kept = kept[: match.start()] + kept[match.end() :]
    lines = (text.count("\n", 0, match.start()) + 1 for match in tables)
    return kept, tuple(BadLine(line, NOT_READ, "a table with a cell over several rows") for line in lines)


def _program(names: Sequence[str], title: str, advice: str) -> str:
    """Return the path of a program. Raise Unloadable if it is not installed."""
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        raise Unloadable(UNKNOWN_KIND, f"{title} is needed for such files but not installed: {advice}")
    return path


def _output(command: Sequence[str], data: bytes, home: str = "/") -> bytes | None:
    """Return what a program prints for `data`, or None if the program fails."""
    done = subprocess.run(
        command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": home}
    )
    return done.stdout if done.returncode == 0 else None


@contextmanager
def _writing(most: int) -> Iterator[None]:
    """Limit the size of each file that this process or a child process writes inside the block to `most` bytes."""
    try:
        import resource
    except ImportError:  # a system without limits
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
