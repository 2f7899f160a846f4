"""Processor seconds and memory of reading files under 5 MB that are made to cost much, for every reader.

    python scripts/bench_hostile.py [--size 4900000] [--suffix .md --suffix .pdf] [--generate]

Each file is one mark or tag over and over, or an Office file or a PDF that unpacks to much more. It is loaded, cut into
passages and into sentences in a process of its own; with `--generate`, a set of two rows is made of it. Printed are the
worst three files of each reader, and every one over 60 seconds or 1 GB; with one of these the exit code is 1.
"""

from __future__ import annotations

import argparse
import io
import json
import os
import random
import resource
import sys
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from synth.corpus.documents.chunking import chunk
from synth.corpus.documents.loading import load
from synth.text.prose import sentences
from synth.workflows.api import generate
from synth.workflows.settings import Settings

MOST_SECONDS, MOST_MB = 60.0, 1000.0
MARKS = (
    "a", "a ", "灯", "，。", ". ", "`", "*", "[", "](", "<!-- ", "{{", "<b>", "<td>", "<table><tr>", "|", "\n|-|\n",
    "# ", "> ", "\n\n", "\n- a", "{", "[[", '"', ",", "a,b\n", "\t", ":a:`b", ".. a::\n   ",
    "&#0;", "\\", "(", "1", "\u0301", "1. A\n\n", "A: b\n", "$ a\n\n", "1.", "<del>\n\n", "第一章\n",
)  # fmt: skip
TEXTS = (
    ".txt", ".md", ".rst", ".html", ".csv", ".tsv", ".json", ".jsonl", ".ipynb", ".srt", ".vtt", ".eml", ".mbox",
    ".org", ".adoc", ".rtf", ".doc",
)  # fmt: skip
"""Kinds of text; the last four are read where pandoc and LibreOffice are installed."""
HEADS = {
    ".srt": "1\n00:00:01,000 --> 00:00:02,000\n",
    ".vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\n",
    ".eml": "Subject: Lamps\n\n",
    ".mbox": "From a@example.org Thu Jan  1 00:00:00 1970\nSubject: Lamps\n\n",
    ".rtf": "{\\rtf1 ",
    ".doc": "{\\rtf1 ",
}
"""What the marks of a kind stand behind, so that they are read."""
ARCHIVES = (".epub", ".zip")


def texts(suffix: str, size: int) -> Iterator[tuple[str, bytes]]:
    """Files of one mark each; for formats of JSON also as a text in a sound file."""
    for mark in MARKS:
        text = HEADS.get(suffix, "") + mark * (size // len(mark.encode()))
        yield repr(mark), text.encode()
        if suffix in (".json", ".jsonl", ".ipynb"):
            quoted = len(json.dumps(mark)) - 2
            text = mark * (size // max(len(mark.encode()), quoted))
            cells = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}}
            cells["cells"] = [{"cell_type": "markdown", "metadata": {}, "source": text}]
            yield f"{mark!r} in a text", json.dumps(cells if suffix == ".ipynb" else {"text": text}).encode()
    if suffix.startswith(".json"):
        yield "many objects", b'{"text": "a b c"}\n' * (size // 18)
        yield "deep lists", b"[" * (size // 2) + b"]" * (size // 2)
        yield "many keys", json.dumps({f"k{n}": n for n in range(size // 20)}).encode()


_PARTS = {
    ".docx": "word/document.xml",
    ".pptx": "ppt/slides/slide1.xml",
    ".xlsx": "xl/worksheets/sheet1.xml",
    ".odt": "content.xml",
    ".ods": "content.xml",
}
_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in ("office", "text", "table")
)


def office(suffix: str, size: int) -> Iterator[tuple[str, bytes]]:
    """A sound file with its main part blown up by a fragment that repeats."""
    sound = io.BytesIO()
    if suffix == ".docx":
        from docx import Document

        Document().save(sound)
        end = "</w:body>"
        fragments = {
            "paragraphs": "<w:p><w:r><w:t>#</w:t></w:r></w:p>",
            "runs": "<w:r><w:t>#</w:t></w:r>",
            "nested tables": "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>#</w:t></w:r></w:p>",
            "cells": f"<w:tbl><w:tr>{'<w:tc><w:p><w:r><w:t>#</w:t></w:r></w:p></w:tc>' * 60}</w:tr></w:tbl>",
        }
    elif suffix == ".pptx":
        from pptx import Presentation

        deck = Presentation()
        deck.slides.add_slide(deck.slide_layouts[5])
        deck.save(sound)
        end = "</p:spTree>"
        fragments = {
            "shapes": "<p:sp><p:txBody><a:p><a:r><a:t>#</a:t></a:r></a:p></p:txBody></p:sp>",
            "groups": "<p:grpSp>",
        }
    elif suffix in (".odt", ".ods"):
        kind, inner = ("text", "") if suffix == ".odt" else ("spreadsheet", "table:table")
        end = f"</{inner}>" if inner else f"</office:{kind}>"
        body = f"<office:{kind}>{f'<{inner}></{inner}>' if inner else ''}</office:{kind}>"
        with zipfile.ZipFile(sound, "w") as archive:
            archive.writestr(
                "content.xml", f"<office:document {_ODF}><office:body>{body}</office:body></office:document>"
            )
        cell = "<table:table-cell><text:p>#</text:p></table:table-cell>"
        fragments = {
            "paragraphs": "<text:p>#</text:p>",
            "notes": "<text:p>#<text:note><text:p>#</text:p></text:note></text:p>",
            "rows": f"<table:table-row>{cell}</table:table-row>",
            "cells": f"<table:table-row>{cell * 100}</table:table-row>",
            "repeated rows": f'<table:table-row table:number-rows-repeated="1000">{cell}</table:table-row>',
        }
        fragments |= {"spaces": '<text:p><text:s text:c="999999"/>#</text:p>'} if suffix == ".odt" else {}
    else:
        from openpyxl import Workbook

        Workbook().save(sound)
        end = "</sheetData>"
        fragments = {
            "rows": '<row><c t="str"><v>#</v></c></row>',
            "cells": "<row>" + "<c><v>#</v></c>" * 100 + "</row>",
            "texts": '<row><c t="str"><v>' + "#" * 5_000 + "</v></c></row>",
            "far cells": '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
        }
    part = _PARTS[suffix]
    for name, fragment in fragments.items():
        for unpacked in (size, 8 * size):
            # Numbers instead of one character over and over, or the file would be refused for how well it packs.
            pieces = fragment.split("#")
            draw, count = random.Random(0), unpacked // (len(fragment) + 6 * (len(pieces) - 1))
            inside = "".join(
                piece if last else f"{piece}{draw.randrange(10**6):07}"
                for _ in range(count)
                for last, piece in zip((*[False] * (len(pieces) - 1), True), pieces, strict=True)
            )
            data = io.BytesIO()
            with zipfile.ZipFile(sound) as old, zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as new:
                for item in old.namelist():
                    content = old.read(item)
                    if item == part:
                        text = content.decode().replace("<sheetData/>", "<sheetData></sheetData>")
                        content = text.replace(end, inside + end).encode()
                    new.writestr(item, content)
            if data.tell() <= size:
                yield f"{name}, unpacks to {unpacked / 1e6:.0f} MB", data.getvalue()


def archives(suffix: str, size: int) -> Iterator[tuple[str, bytes]]:
    """A book or an export: one page of one mark, and as many pages as there is room for."""
    for mark in MARKS:
        yield repr(mark), _archive(suffix, [mark * (2 * size // len(mark.encode()))])
    for name, text in {"empty pages": "", "short pages": "<p>A lamp.</p>"}.items():
        yield name, _archive(suffix, [text] * (size // (250 + len(text))))


def _archive(suffix: str, pages: Sequence[str]) -> bytes:
    names = [f"{number}.html" for number in range(len(pages))]
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        if suffix == ".epub":
            items = "".join(f'<item id="i{name}" href="{name}"/>' for name in names)
            spine = "".join(f'<itemref idref="i{name}"/>' for name in names)
            archive.writestr("META-INF/container.xml", '<container><rootfile full-path="book.opf"/></container>')
            archive.writestr("book.opf", f"<package><manifest>{items}</manifest><spine>{spine}</spine></package>")
        for name, text in zip(names, pages, strict=True):
            # Random letters, or the file would be refused for how well it packs.
            letters = "".join(random.Random(0).choices("abcdefghijklmnopqrstuvwxyz ", k=len(text) // 20))
            archive.writestr(name, f"<html><body>{letters}{text}</body></html>")
    return data.getvalue()


def pdfs(suffix: str, size: int) -> Iterator[tuple[str, bytes]]:
    """A page whose content is an operator over and over, plain and packed; pages that refer to themselves."""
    for name, operator in {
        "texts": b"(a) Tj ",
        "moves": b"1 0 0 1 0 0 cm ",
        "saves": b"q ",
        "lists": b"[",
        "strings": b"(",
        "dictionaries": b"<<",
        "images": b"BI ID ",
    }.items():
        for unpacked, filtered in ((size - 2000, False), (14 * size, True)):
            content = b"BT /F1 12 Tf " + operator * (unpacked // len(operator)) + b" ET"
            stream = zlib.compress(content) if filtered else content
            how = b"/Filter /FlateDecode " if filtered else b""
            if len(stream) < size:
                yield (
                    f"{name}, unpacks to {unpacked / 1e6:.0f} MB",
                    _pdf(b"<< %s/Length %d >>" % (how, len(stream)), stream),
                )
    yield "objects", b"%PDF-1.4\n" + b"1 0 obj\n<<>>\nendobj\n" * (size // 22)
    yield "cross references", b"%PDF-1.4\nxref\n0 999999999\n" + b"0000000000 65535 f \n" * (size // 22)


def _pdf(head: bytes, stream: bytes) -> bytes:
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
        head + b"\nstream\n" + stream + b"\nendstream",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    )
    out = b"%PDF-1.4\n"
    places = []
    for number, body in enumerate(objects, start=1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    rows = b"".join(b"%010d 00000 n \n" % place for place in places)
    return out + b"xref\n0 6\n0000000000 65535 f \n%strailer << /Size 6 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        rows,
        len(out),
    )


MAKERS: tuple[tuple[Collection[str], Callable[[str, int], Iterator[tuple[str, bytes]]]], ...] = (
    (TEXTS, texts),
    (ARCHIVES, archives),
    (_PARTS, office),
    ((".pdf",), pdfs),
)


def cost(path: Path, use: Callable[[Path], str]) -> tuple[float, float, str]:
    """Processor seconds and MB of a process that uses a file, and what came of it."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        # What goes far beyond the limits is ended, so that it does not take the machine with it.
        resource.setrlimit(resource.RLIMIT_DATA, (3 * 2**30, 3 * 2**30))
        resource.setrlimit(resource.RLIMIT_CPU, (2 * int(MOST_SECONDS),) * 2)
        try:
            said = use(path)
        except BaseException as error:
            said = f"RAISED {type(error).__name__}: {error}"
        os.write(theirs, said.encode()[:4000])
        os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as file:
        said = file.read().decode("utf-8", "replace")
    _, code, used = os.wait4(child, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, said or f"ENDED with {code}"


def _read(path: Path) -> str:
    loaded = load([path, path.with_name("sound.md")])
    pieces = sum(1 for document in loaded.documents for _ in chunk(document))
    lines = sum(1 for one in loaded.documents for _ in sentences(one.text, one.metadata["format"]))
    if loaded.skipped:
        return f"{loaded.skipped[0].reason}: {loaded.skipped[0].detail}"[:60]
    return f"{len(loaded.documents)} documents, {pieces} passages, {lines} sentences"


def _generated(path: Path) -> str:
    with tempfile.TemporaryDirectory() as place:
        wanted = Settings(n=2, workspace=place)
        outcome = generate([path, path.with_name("sound.md")], Path(place) / "set.jsonl", wanted).outcome
    return f"{len(outcome.samples)} rows"


def main() -> int:
    """Make the files, read them, print what they cost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=4_900_000)
    parser.add_argument("--suffix", action="append", help="this reader only")
    parser.add_argument("--generate", action="store_true", help="make a set of each file")
    options = parser.parse_args()
    use, too_much = _generated if options.generate else _read, 0
    with tempfile.TemporaryDirectory() as scratch:
        sound = Path(scratch) / "sound.md"
        sound.write_text("The lamp was lit in 1820.\n", encoding="utf-8")
        use(sound)  # what is loaded once is not counted with the first file
        for suffix in options.suffix or [suffix for kinds, _ in MAKERS for suffix in kinds]:
            files = next(make for kinds, make in MAKERS if suffix in kinds)(suffix, options.size)
            costs = []
            for name, data in files:
                path = Path(scratch) / f"hostile{suffix}"
                path.write_bytes(data)
                costs.append((*cost(path, use), name))
                print(f"{suffix} {name}: {costs[-1][0]:.1f} s, {costs[-1][1]:.0f} MB", file=sys.stderr, flush=True)
            over = [one for one in costs if one[0] > MOST_SECONDS or one[1] > MOST_MB or one[2].startswith(("R", "E"))]
            worst = [*sorted(costs, reverse=True)[:3], max(costs, key=lambda one: one[1])]
            print(f"{suffix}: {len(costs)} files, {len(over)} over {MOST_SECONDS:.0f} s or {MOST_MB:.0f} MB or failed")
            for seconds, memory, said, name in dict.fromkeys([*worst, *over]):
                print(f"  {seconds:6.1f} s {memory:6.0f} MB  {name}: {said}", flush=True)
            too_much += len(over)
    return int(too_much > 0)


if __name__ == "__main__":
    sys.exit(main())
