"""PDF, read by pdfium: words with their boxes become paragraphs, headings and tables in reading order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from synth.core.extras import install_command, optional
from synth.corpus.documents.file_content import BadLine, File, FileContent
from synth.corpus.documents.pdf.blocks import blocks_of, page_starts, text_of
from synth.corpus.documents.pdf.glyphs import PageContent, PageReader
from synth.corpus.documents.pdf.lines import lines_of
from synth.corpus.documents.pdf.recognition import Recogniser
from synth.corpus.documents.pdf.running import without_running_lines
from synth.corpus.documents.pdf.titles import title_of
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import DAMAGED, ENCRYPTED, NO_TEXT, Limit, Unloadable, parsing

_MOST_PAGES = 5_000
_SCANNED = f"images of text; to recognise it: {install_command('ocr')}, then turn on the setting ocr"


class PdfReader(Reader):
    """Text of the pages, in reading order. A file that needs a password is not loaded."""

    name = "pdf"
    suffixes = (".pdf",)
    isolated = True
    has_scans = True

    def read(self, file: File) -> FileContent:
        with optional(f"reading {file.name}"):
            import pypdfium2 as pdfium

        if b"%PDF" not in file.data[:1024]:
            raise Unloadable(DAMAGED, "not a PDF file: it has no %PDF header")
        with parsing("PDF", pdfium.PdfiumError):
            document = _opened(pdfium, file.data)
            try:
                Limit(_MOST_PAGES, "pages").add(len(document))
                recognised = Recogniser(file.name).words if file.ocr else None
                reader = PageReader(document, Limit(file.max_unpacked, "characters"), recognised)
                pages = [reader.read(number) for number in range(len(document))]
                named = document.get_metadata_value("Title")
            finally:
                document.close()
        blocks = blocks_of(_lines(pages))
        marked, shown = text_of(blocks)
        text, starts = page_starts(marked, blocks, len(pages))
        scanned = [number for number, page in enumerate(pages, start=1) if page.scanned]
        if scanned and not text.strip():
            raise Unloadable(NO_TEXT, _SCANNED)
        unread = (BadLine(_named(scanned), NO_TEXT, _SCANNED),) if scanned else ()
        first_page = text[: starts[1]] if len(starts) > 1 else text
        return FileContent(text, title_of(shown, named, text, first_page), bad_lines=unread, metadata={"pages": starts})


def _named(pages: Sequence[int]) -> str:
    """Return page numbers as text, with ranges: "pages 2, 5-9"."""
    ranges: list[list[int]] = []
    for page in pages:
        if ranges and page == ranges[-1][-1] + 1:
            ranges[-1] = [ranges[-1][0], page]
        else:
            ranges.append([page])
    return ("pages " if len(pages) > 1 else "page ") + ", ".join("-".join(map(str, each)) for each in ranges)


def _opened(pdfium: Any, data: bytes) -> Any:
    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        if "password" in str(error).casefold():
            raise Unloadable(ENCRYPTED, "save a copy without a password") from error
        raise


def _lines(pages: Sequence[PageContent]) -> list[list[Any]]:
    """Return the lines of each reading direction of each page, without running headers and footers."""
    frames = [[lines_of(words) for words in page.frames] for page in pages]
    kept = without_running_lines([lines[0] if lines else [] for lines in frames])
    return [[main, *lines[1:]] if main else lines[1:] for main, lines in zip(kept, frames, strict=True)]
