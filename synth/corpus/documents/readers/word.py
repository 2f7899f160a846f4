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
_LIST = re.compile(r"(?:list (?:bullet|number)|列表\D*|清單\D*)\s*(\d)?", re.I)
_CODE = re.compile(r"\b(?:code|preformatted|source (?:code|text))\b|代码|程式碼", re.I)
_CHARACTERS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_SKIPPED_ANCESTORS = frozenset({"del", "moveFrom", "txbxContent", "Fallback", "rt"})
_WRAPPERS = frozenset({"sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag"})
_TITLES_OF_PROGRAMS = frozenset({"word document", "untitled"})
_MOST_LEVELS = 6
"""Levels of headings in Markdown; deeper ones are headings of the last level."""

_MOST_COLUMNS_SPANNED = 100
"""Most columns that one cell may span: Word allows 63."""


class WordReader(Reader):
    """Body of a document, without headers, footers, footnotes, endnotes, text boxes, comments or deleted text."""

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
        if not title or title.casefold() in _TITLES_OF_PROGRAMS:
            title = written_title(body)
        return FileContent(body, title)


def _tag(element: Any) -> str:
    return str(element.tag).rsplit("}", 1)[-1]


def _children(parent: Any, tag: str) -> Iterator[Any]:
    """Children of an element with a tag, also those within content controls and tracked insertions."""
    for child in parent:
        if _tag(child) == tag:
            yield child
        elif _tag(child) in _WRAPPERS:
            yield from _children(child, tag)


def _is_skipped(node: Any, top: Any) -> bool:
    """Whether a node has an ancestor below `top` whose text is left out."""
    ancestor = node.getparent()
    while ancestor is not None and ancestor is not top:
        if _tag(ancestor) in _SKIPPED_ANCESTORS:
            return True
        ancestor = ancestor.getparent()
    return False


def _text(paragraph: Any) -> str:
    """Text of a paragraph with tracked insertions, without tracked deletions and without readings of characters."""
    parts = []
    for node in paragraph.iter():
        tag = _tag(node)
        if tag != "t" and tag not in _CHARACTERS:
            continue
        # A tab inside of `tabs` is a tab stop.
        if not _is_skipped(node, paragraph) and not (tag == "tab" and _tag(node.getparent()) == "tabs"):
            parts.append((node.text or "") if tag == "t" else _CHARACTERS[tag])
    return "".join(parts)


def _value(properties: Any, tag: str) -> str | None:
    """The value of a property, such as `outlineLvl`, or None. The former format of a tracked change does not count."""
    node = next(_children(properties, tag), None) if properties is not None else None
    return None if node is None else next(iter(node.attrib.values()), "")


def _number(properties: Any, tag: str, otherwise: int) -> int:
    value = _value(properties, tag) or ""
    return min(int(value), _MOST_COLUMNS_SPANNED) if value.isdecimal() and len(value) < 9 else otherwise


class _WordBlocks:
    """Markdown blocks of a document; consecutive code paragraphs become one block."""

    def __init__(self, document: Any) -> None:
        self.document = document
        self.code: list[str] = []
        self.paragraphs = Limit(_MOST_PARAGRAPHS, "paragraphs")

    def blocks(self, parent: Any) -> Iterator[str]:
        for element in parent:
            tag = _tag(element)
            if tag == "p":
                self.paragraphs.add(1)
                yield from self._paragraph(element)
            elif tag == "tbl":
                yield self._flush()
                yield self._table(element)
            elif tag in _WRAPPERS:
                yield self._flush()
                yield from self.blocks(element)
        yield self._flush()

    def _flush(self) -> str:
        code, self.code = "\n".join(self.code), []
        return markdown.fence(code)

    def _paragraph(self, element: Any) -> Iterator[str]:
        from docx.text.paragraph import Paragraph

        text = _text(element)
        formats = list(_formats(Paragraph(element, self.document._body)))
        if any(_CODE.search(name) for name, _ in formats):
            self.code.append(text)
            return
        yield self._flush()
        level = _heading_level(formats)
        if level:
            yield markdown.heading(level, text)
            return
        depth = _list_depth(formats)
        if depth is None:
            yield markdown.paragraph(text)
        else:
            yield markdown.item(text, depth)

    def _table(self, table: Any) -> str:
        return markdown.table(self._row(row) for row in _children(table, "tr"))

    def _row(self, row: Any) -> list[str]:
        """Texts of the cells of a row; a cell that spans columns is followed by empty ones."""
        texts = [""] * _number(next(_children(row, "trPr"), None), "gridBefore", 0)
        for cell in _children(row, "tc"):
            paragraphs = [node for node in cell.iter() if _tag(node) == "p" and not _is_skipped(node, cell)]
            self.paragraphs.add(len(paragraphs))
            spanned = _number(next(_children(cell, "tcPr"), None), "gridSpan", 1)
            texts += [" ".join(map(_text, paragraphs)), *[""] * (spanned - 1)]
        return texts


_Format = tuple[str, Any]
"""Name of a style, "" for a paragraph's own format, and its `pPr` element or None."""


def _formats(paragraph: Any) -> Iterator[_Format]:
    """Formats of a paragraph, the strongest first: its own, that of its style, those that the style is based on."""
    yield "", next(_children(paragraph._p, "pPr"), None)
    style = paragraph.style
    for _ in range(10):
        if style is None:
            return
        yield style.name or "", next(_children(style.element, "pPr"), None)
        style = style.base_style


def _heading_level(formats: list[_Format]) -> int:
    """Level of a heading by the names of its styles or its outline level; 0 if the paragraph is no heading."""
    for name, _ in formats:
        if name.casefold() == "title":
            return 1
        if match := _HEADING.match(name):
            return min(int(match.group(1)), _MOST_LEVELS)
    levels = (_value(properties, "outlineLvl") for _, properties in formats)
    level = next((level for level in levels if level is not None), "")
    # Outline levels 0 to 8 are those of headings, 9 is body text.
    return min(int(level) + 1, _MOST_LEVELS) if level.isdecimal() and int(level) < 9 else 0


def _list_depth(formats: list[_Format]) -> int | None:
    """Depth of a list item from 0, by its numbering or the names of its styles; None if it is no list item."""
    for name, properties in formats:
        numbering = next(_children(properties, "numPr"), None) if properties is not None else None
        if numbering is not None:
            # Numbering 0 takes a paragraph out of the list of its style.
            return None if _value(numbering, "numId") == "0" else min(_number(numbering, "ilvl", 0), 8)
        if match := _LIST.match(name):
            return max(int(match.group(1) or 1) - 1, 0)
    return None
