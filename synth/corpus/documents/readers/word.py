"""DOCX: headings, lists, tables and code by their styles, through python-docx."""

# LangChain's Docx2txtLoader returns text without headings, lists or tables, so it is not used.

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from typing import Any

from synth.core.extras import optional
from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.markdown_title import written_title
from synth.corpus.documents.office import check_archive
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import Limit, parsing

_MOST_PARAGRAPHS = 50_000
_HEADING = re.compile(r"(?:heading|标题|標題)\s*(\d)", re.I)
_LIST = re.compile(r"list (bullet|number)(?: (\d))?|列表|清單", re.I)
_CODE = re.compile(r"code|preformatted|source|代码|程式碼", re.I)
_CHARACTERS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SKIPPED_PARENTS = frozenset({"del", "moveFrom", "txbxContent", "Fallback"})


class WordReader(Reader):
    """Body of a document without headers, footers, text boxes, comments and deleted text."""

    name = "docx"
    suffixes = (".docx",)
    isolated = True

    def read(self, file: File) -> FileContent:
        with optional(f"reading {file.name}"):
            from docx import Document
            from docx.exceptions import PythonDocxError
            from docx.opc.exceptions import OpcError

        check_archive(file, whole=True)
        with parsing("DOCX", PythonDocxError, OpcError):
            document = Document(io.BytesIO(file.data))
            body = markdown.join(_WordBlocks(document).blocks(document.element.body))
            title = " ".join((document.core_properties.title or "").split())
        # Office programs write these titles by themselves.
        if title.casefold() in ("", "word document", "untitled"):
            title = written_title(body)
        return FileContent(body, title)


def _tag(element: Any) -> str:
    return str(element.tag).rsplit("}", 1)[-1]


def _text(element: Any) -> str:
    """Text of a paragraph with tracked insertions and without tracked deletions."""
    parts = []
    for node in element.iter():
        kind = _tag(node)
        if kind != "t" and kind not in _CHARACTERS:
            continue
        ancestor = node.getparent()
        while ancestor is not None and ancestor is not element and _tag(ancestor) not in _SKIPPED_PARENTS:
            ancestor = ancestor.getparent()
        # A tab inside of `tabs` is a tab stop.
        if ancestor is element and not (kind == "tab" and _tag(node.getparent()) == "tabs"):
            parts.append((node.text or "") if kind == "t" else _CHARACTERS[kind])
    return "".join(parts)


class _WordBlocks:
    """Markdown blocks of a document; paragraphs of code are collected into one block until something else follows."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.code: list[str] = []
        self.paragraphs = Limit(_MOST_PARAGRAPHS, "paragraphs")

    def blocks(self, parent: Any) -> Iterator[str]:
        for element in parent:
            kind = _tag(element)
            if kind == "p":
                self.paragraphs.add(1)
                yield from self._paragraph(element)
                continue
            yield self._flush()
            if kind == "tbl":
                yield self._table(element)
            elif kind in ("sdt", "sdtContent", "ins", "customXml", "smartTag"):
                yield from self.blocks(element)
        yield self._flush()

    def _flush(self) -> str:
        code, self.code = "\n".join(self.code), []
        return markdown.fence(code)

    def _paragraph(self, element: Any) -> Iterator[str]:
        from docx.text.paragraph import Paragraph

        paragraph = Paragraph(element, self.document._body)
        text = _text(element)
        names = list(_style_names(paragraph))
        if any(_CODE.search(name) for name in names):
            self.code.append(text)
            return
        yield self._flush()
        level = _heading_level(element, names)
        if level:
            yield markdown.heading(level, text)
            return
        depth = _list_depth(element, names)
        if depth is None:
            yield markdown.paragraph(text)
        else:
            yield markdown.item(text, depth)

    def _table(self, table: Any) -> str:
        rows = []
        for row in (element for element in table if _tag(element) == "tr"):
            inside = (element for child in row for element in ((child,) if _tag(child) == "tc" else child))
            cells = [element for element in inside if _tag(element) == "tc"]
            rows.append([" ".join(_text(node) for node in cell.iter() if _tag(node) == "p") for cell in cells])
        return markdown.table(rows)


def _style_names(paragraph: Any) -> Iterator[str]:
    """Names of the style of a paragraph and of the styles it is based on."""
    style = paragraph.style
    for _ in range(10):
        if style is None:
            return
        yield style.name or ""
        style = style.base_style


def _heading_level(element: Any, names: list[str]) -> int:
    """Level of a heading by its style names or its outline level; 0 for another paragraph."""
    for name in names:
        if name.casefold() == "title":
            return 1
        heading = _HEADING.match(name)
        if heading:
            return int(heading.group(1))
    for node in element.iter():
        if _tag(node) == "outlineLvl":
            value = next(iter(node.attrib.values()), "9")
            return int(value) + 1 if value.isdigit() and int(value) < 6 else 0
    return 0


def _list_depth(element: Any, names: list[str]) -> int | None:
    """Depth of a list item from 0, by its numbering or its style names; None for another paragraph."""
    for node in element.iter():
        if _tag(node) == "numPr":
            values = {_tag(child): next(iter(child.attrib.values()), "0") for child in node}
            # Numbering 0 takes a paragraph out of the list of its style.
            if values.get("numId") == "0":
                return None
            level = values.get("ilvl", "0")
            return min(int(level), 8) if level.isdigit() else 0
    for name in names:
        style = _LIST.match(name)
        if style:
            return int(style.group(2) or 1) - 1
    return None
