"""Files that another program converts: old Office files by LibreOffice, AsciiDoc and Org by pandoc."""

# No parser of Org or AsciiDoc in Python is both kept and whole: orgparse gives headlines with their text as it stands,
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
"""Lines that put another file there, which is not at hand."""

_PLANNING = re.compile(r"^[ \t]*(?:SCHEDULED|DEADLINE|CLOSED):[ \t]*[<\[].*\n?", re.MULTILINE)
_TABLE = re.compile(
    r"^(?:\.[^.\s][^\n]*\n)?(?:\[[^\n]*\][ \t]*\n)?(?P<edge>\|={3,})[ \t]*\n.*?^(?P=edge)[ \t]*(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_SPANS_ROWS = re.compile(r"(?:^|\s)\d*\.\d+\+[\^<>.a-z]*\|", re.MULTILINE)
"""A cell over several rows in AsciiDoc, which pandoc reads as a cell of one."""


_TRIES = 2
"""LibreOffice ends after it has made its first profile, and wants to be started again."""

_ORG_OPTIONS = "#+OPTIONS: todo:nil tags:nil\n"
"""Leaves out the states and tags of tasks."""


class OldOfficeReader(Reader):
    """Documents of old versions of Word, and rich text, converted to the present format of Word."""

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
        raise Unloadable(DAMAGED, "LibreOffice cannot read it")


class MarkupReader(Reader):
    """AsciiDoc and Org as pandoc reads them. Included files are left out; so are tables that pandoc cannot read."""

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
            raise Unloadable(DAMAGED, "pandoc cannot read it")
        content = HtmlReader().read(File(file.name, page))
        return FileContent(content.text, content.title, metadata=metadata, bad_lines=left_out)


def _without_spans(text: str) -> tuple[str, tuple[BadLine, ...]]:
    """A text of AsciiDoc without the tables that have cells over several rows, and these tables."""
    tables = [match for match in _TABLE.finditer(text) if _SPANS_ROWS.search(match.group())]
    kept = text
    for match in reversed(tables):
        kept = kept[: match.start()] + kept[match.end() :]
    lines = (text.count("\n", 0, match.start()) + 1 for match in tables)
    return kept, tuple(BadLine(line, NOT_READ, "a table with a cell over several rows") for line in lines)


def _program(names: Sequence[str], title: str, advice: str) -> str:
    """The path of a program. Raises Unloadable where it is not installed."""
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        raise Unloadable(UNKNOWN_KIND, f"{title} reads such files, and is not installed: {advice}")
    return path


def _output(command: Sequence[str], data: bytes, home: str = "/") -> bytes | None:
    """What a program prints for `data`; None where it fails."""
    done = subprocess.run(
        command, input=data, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env={**os.environ, "HOME": home}
    )
    return done.stdout if done.returncode == 0 else None


@contextmanager
def _writing(most: int) -> Iterator[None]:
    """Let this process and those that it starts write files of `most` bytes, in folders that end with the call."""
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
