"""Notebooks: Markdown cells as they are, code cells between fences, outputs left out."""

# LangChain's NotebookLoader puts "'markdown' cell: '…'" around every cell: not used.

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.markdown_title import markdown_title
from synth.corpus.documents.readers.base import Reader, text_of
from synth.corpus.documents.reasons import DAMAGED, Unloadable, parsing


class Notebook(Reader):
    """Cells in order; the title is the first level-1 heading."""

    name = "ipynb"
    suffixes = (".ipynb",)

    def read(self, file: File) -> FileContent:
        text, encoding = text_of(file)
        if not text.strip():
            return FileContent()
        with parsing("notebook"):
            book = json.loads(text)
            if not isinstance(book, dict) or not isinstance(book.get("cells", book.get("worksheets")), list):
                raise Unloadable(DAMAGED, "not a sound notebook file: it has no list of cells")
            language = _language(book)
            body = markdown.join(_blocks(book, language))
        return FileContent(body, markdown_title(body), metadata={"encoding": encoding})


def _language(book: dict[str, Any]) -> str:
    language = book.get("metadata", {}).get("kernelspec", {}).get("language", "python")
    return language if isinstance(language, str) else ""


def _blocks(book: dict[str, Any], language: str) -> Iterator[str]:
    # Version 3 kept its cells in work sheets.
    cells = book.get("cells") or [cell for sheet in book.get("worksheets", []) for cell in sheet.get("cells", [])]
    for cell in cells:
        source = cell.get("source", cell.get("input", ""))
        body = "".join(source) if isinstance(source, list) else str(source)
        body = body.replace("\r\n", "\n").replace("\r", "\n")
        if cell.get("cell_type") == "code":
            yield markdown.fence(body, language)
        elif cell.get("cell_type") == "heading":
            yield markdown.heading(int(cell.get("level", 1)), body)
        elif cell.get("cell_type") == "markdown":
            yield body
