"""Notebooks: Markdown cells unchanged, code cells between fences. Outputs and raw cells are left out."""

# LangChain's NotebookLoader puts "'markdown' cell: '…'" around every cell, so it is not used.

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.markdown_title import markdown_title
from synth.corpus.documents.readers.base import Reader, text_of
from synth.corpus.documents.reasons import DAMAGED, Unloadable, parsing


class NotebookReader(Reader):
    """Cells in order. The title comes from the front matter or headings of the text."""

    name = "ipynb"
    suffixes = (".ipynb",)

    def read(self, file: File) -> FileContent:
        text, metadata = text_of(file)
        if not text.strip():
            return FileContent()
        with parsing("notebook"):
            notebook = json.loads(text)
        if not isinstance(notebook, dict) or not isinstance(notebook.get("cells", notebook.get("worksheets")), list):
            raise Unloadable(DAMAGED, "not a valid notebook file: it has no list of cells")
        # Values of types that nbformat does not allow, such as null metadata, raise here.
        with parsing("notebook"):
            body = markdown.join(_blocks(_cells(notebook), _language(notebook)))
        return FileContent(body, markdown_title(body), metadata=metadata)


def _language(notebook: dict[str, Any]) -> str:
    """Return the language of code cells; Python if the notebook states none."""
    language = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "python")
    return language if isinstance(language, str) else ""


def _cells(notebook: dict[str, Any]) -> list[Any]:
    """Return the cells. In nbformat 3 they are inside worksheets."""
    cells: list[Any] = notebook.get("cells") or []
    return cells or [cell for sheet in notebook.get("worksheets", []) for cell in sheet.get("cells", [])]


def _blocks(cells: list[Any], language: str) -> Iterator[str]:
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
