"""ODT and ODS: text documents and spreadsheets of LibreOffice and other programs."""

from __future__ import annotations

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import BadLine, File, FileContent
from synth.corpus.documents.markdown_title import written_title
from synth.corpus.documents.office import check_archive
from synth.corpus.documents.open_document import OpenDocument
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.readers.html import page_text
from synth.corpus.documents.reasons import HIDDEN, parsing


class OpenTextReader(Reader):
    """Headings, lists, tables and notes of a text document."""

    name = "odt"
    suffixes = (".odt",)
    isolated = True

    def read(self, file: File) -> FileContent:
        check_archive(file, whole=True)
        with parsing("OpenDocument", SyntaxError):
            document = OpenDocument(file)
            text = page_text(document.page())
            return FileContent(text, document.title or written_title(text))


class OpenSheetReader(Reader):
    """Sheets of a workbook, each under its name. Hidden sheets, rows and columns are left out and reported."""

    name = "ods"
    suffixes = (".ods",)
    isolated = True

    def read(self, file: File) -> FileContent:
        check_archive(file, whole=True)
        blocks: list[str] = []
        left_out: list[BadLine] = []
        with parsing("OpenDocument", SyntaxError):
            document = OpenDocument(file)
            for sheet, hidden in document.sheets():
                if hidden:
                    left_out.append(BadLine(sheet.title, HIDDEN, "the sheet"))
                else:
                    left_out += sheet.left_out()
                    blocks += sheet.blocks()
            return FileContent(markdown.join(blocks), document.title, bad_lines=tuple(left_out))
