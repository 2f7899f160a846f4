"""DOCX: headings, lists, tables, notes, text boxes, formulas and code as a page shows them, recognised by style."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from synth.core.extras import optional
from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File, FileContent
from synth.corpus.documents.grid import GridCell, is_value, resolved
from synth.corpus.documents.markdown_title import written_title
from synth.corpus.documents.office import alternative_text, check_archive, formula
from synth.corpus.documents.readers.base import Reader
from synth.corpus.documents.reasons import Limit, parsing
from synth.corpus.documents.symbol_fonts import in_unicode
from synth.corpus.documents.word_numbering import Numbering
from synth.corpus.documents.word_styles import (
    LOWERED,
    RAISED,
    WRAPPERS,
    Format,
    Look,
    Styles,
    attribute,
    children,
    flag,
    heading_level,
    list_depth,
    look_of,
    number_of,
    numbering_of,
    tag_of,
    value_of,
)

_MOST_PARAGRAPHS = 50_000
_CODE = re.compile(r"\b(?:code|preformatted|source (?:code|text))\b|代码|程式碼", re.I)
_CONTENTS = re.compile(r"toc \d|table of figures|目录|目錄", re.I)
_COUNTED = re.compile(r"(\d{1,9})[.)]")
_CHARACTERS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_UNREAD = frozenset({"del", "moveFrom", "rt", "pPr", "rPr", "tabs", "instrText", "delText"})
_LONGEST_MARK = 6
"""Maximum characters of raised or lowered text that counts as an exponent, an index or a unit."""

_NOTES = {"footnoteReference": "footnotes", "endnoteReference": "endnotes"}
_TITLES_OF_PROGRAMS = frozenset({"word document", "untitled"})
_MOST_DEEP = 10
"""Maximum nesting of text boxes and frames."""


class WordReader(Reader):
    """Reader of DOCX documents. Text boxes, footnotes and endnotes follow the paragraph that they belong to.

    Headers, footers, comments, tables of contents, and hidden, strikethrough or deleted text are left out.
    """

    name = "docx"
    suffixes = (".docx",)
    isolated = True

    def read(self, file: File) -> FileContent:
        with optional(f"reading {file.name}"):
            import officemath2latex  # noqa: F401
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


@dataclass(slots=True)
class _Line:
    """Text of a paragraph with its anchored content: text boxes, and blocks to place below it (notes, figures)."""

    parts: list[str] = field(default_factory=list)
    boxes: list[Any] = field(default_factory=list)
    below: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)


class _WordBlocks:
    """Markdown blocks of a document. Consecutive code paragraphs become one block."""

    def __init__(self, document: Any) -> None:
        self.code: list[str] = []
        self.below: list[str] = []
        self.depth = 0
        self.paragraphs = Limit(_MOST_PARAGRAPHS, "paragraphs")
        self.notes: dict[tuple[str, str], Any] = {}
        roots: dict[str, Any] = {}
        for relation in document.part.rels.values():
            kind = relation.reltype.rsplit("/", 1)[-1]
            if kind in ("footnotes", "endnotes", "numbering", "styles") and not relation.is_external:
                roots[kind] = _parsed(relation.target_part.blob)
        for kind in ("footnotes", "endnotes"):
            self.notes |= {(kind, attribute(note, "id")): note for note in roots.get(kind, ())}
        self.styles = Styles(roots.get("styles", ()))
        self.numbering = Numbering(roots.get("numbering"))

    def blocks(self, parent: Any) -> Iterator[str]:
        for element in parent:
            tag = tag_of(element)
            if tag == "p":
                self.paragraphs.add(1)
                yield from self._paragraph(element)
            elif tag == "tbl":
                yield from self._flush()
                yield from self._table(element)
                yield from self._flush()
            elif tag == "sdt" and _is_placeholder(element):
                continue
            elif tag in WRAPPERS:
                yield from self.blocks(element)
        yield from self._flush()

    def _nested(self, elements: Iterable[Any]) -> list[str]:
        """Return the blocks of text boxes and frames, which may contain further text boxes and frames."""
        if self.depth == _MOST_DEEP:
            return []
        outer, self.code, self.below = (self.code, self.below), [], []
        self.depth += 1
        found = [block for element in elements for block in self.blocks(element)]
        self.depth -= 1
        self.code, self.below = outer
        return found

    def _flush_code(self) -> str:
        code, self.code = "\n".join(self.code), []
        return markdown.fence(code)

    def _flush(self) -> Iterator[str]:
        """Yield the collected code, and the notes of a list that ends."""
        yield self._flush_code()
        below, self.below = self.below, []
        yield from below

    def _paragraph(self, element: Any) -> Iterator[str]:
        properties = next(children(element, "pPr"), None)
        line, formats = self._line(element), self.styles.formats(properties)
        if any(_CONTENTS.match(name) for name, _ in formats):
            return
        text = line.text
        if any(_CODE.search(name) for name, _ in formats):
            self.code.append(text)
            return
        label, depth = self._label(formats) if text.strip() else (None, list_depth(formats))
        level = heading_level(formats)
        is_item = depth is not None and not level
        if is_item:
            yield self._flush_code()
        else:
            yield from self._flush()
        if level:
            yield markdown.heading(level, f"{label or ''} {text}" if text.strip() else "")
        elif depth is None:
            yield markdown.paragraph(text)
        else:
            counted = _COUNTED.fullmatch(label or "")
            number = int(counted.group(1)) if counted else None
            yield markdown.item(text if counted or not label else f"{label} {text}", depth, number)
        self.below += [*line.below, *self._nested(line.boxes)]
        if not is_item:
            yield from self._flush()

    def _label(self, formats: list[Format]) -> tuple[str | None, int | None]:
        """Return the displayed number of a paragraph, and its depth as a list item from 0 (None for other text)."""
        depth = list_depth(formats)
        number, level = numbering_of(formats)
        if number is None or depth is None:
            return None, depth
        return self.numbering.label(number, level), depth

    def _line(self, paragraph: Any) -> _Line:
        """Return the text of a paragraph as displayed, with its anchored content."""
        line = _Line()
        self._collect(paragraph, line, self.styles.of_paragraph(next(children(paragraph, "pPr"), None)))
        return line

    def _collect(self, element: Any, line: _Line, look: Look) -> None:
        for child in element:
            tag = tag_of(child)
            if tag in _UNREAD or (tag == "sdt" and _is_placeholder(child)):
                continue
            if tag == "r":
                properties = next(children(child, "rPr"), None)
                own = look_of(properties).over(self.styles.look(value_of(properties, "rStyle"))).over(look)
                if not own.is_unread:
                    self._collect(child, line, own)
            elif tag == "t":
                line.parts.append(_shown(in_unicode(child.text or "", look.font or ""), look))
            elif tag in _CHARACTERS:
                line.parts.append(_CHARACTERS[tag])
            elif tag == "sym":
                code = attribute(child, "char")
                character = chr(int(code, 16)) if re.fullmatch(r"[0-9A-Fa-f]{1,4}", code) else ""
                line.parts.append(_shown(in_unicode(character, attribute(child, "font")), look))
            elif tag in _NOTES:
                self._note(_NOTES[tag], attribute(child, "id"), line)
            elif tag == "oMath":
                line.parts.append(formula(child))
            elif tag == "txbxContent":
                line.boxes.append(child)
            elif tag == "docPr":
                line.below.append(markdown.paragraph(alternative_text(attribute(child, "descr"))))
            elif tag == "AlternateContent":
                # The same content for programs of different versions; the first is for the newest.
                self._collect(child[:1], line, look)
            elif isinstance(child.tag, str):
                self._collect(child, line, look)

    def _note(self, kind: str, key: str, line: _Line) -> None:
        """Add a footnote or an endnote. Each note is added only once."""
        note = self.notes.pop((kind, key), None)
        if note is not None:
            line.below.append(markdown.paragraph(self._flat(note, line)))

    def _flat(self, element: Any, line: _Line) -> str:
        """Return the paragraphs of a cell or note on one line. Their anchored content is added to `line`."""
        texts = []
        for paragraph in _paragraphs(element):
            self.paragraphs.add(1)
            inner = self._line(paragraph)
            line.boxes += inner.boxes
            line.below += inner.below
            properties = next(children(paragraph, "pPr"), None)
            # A cell may contain nothing but its number.
            label, _ = self._label(self.styles.formats(properties))
            texts.append(f"{label} {inner.text}" if label else inner.text)
        return " ".join(texts)

    def _table(self, table: Any) -> Iterator[str]:
        """Yield a table, with each cell in every row and column that it covers. A one-cell table is read as a frame."""
        anchored, heads = _Line(), 0
        rows: list[dict[int, GridCell]] = []
        above: dict[int, GridCell] = {}
        cells = [list(children(row, "tc")) for row in children(table, "tr")]
        if len(cells) == 1 and len(cells[0]) == 1:
            yield from self._nested([cells[0][0]])
            return
        for number, row in enumerate(children(table, "tr")):
            properties = next(children(row, "trPr"), None)
            if any(
                next(children(properties, tag), None) is not None for tag in ("del", "hidden") if properties is not None
            ):
                continue
            above = self._row(row, number_of(properties, "gridBefore", 0), number, above, anchored)
            heads += heads == len(rows) and properties is not None and bool(flag(properties, "tblHeader"))
            rows.append(above)
        yield markdown.table(resolved(rows, heads)) if rows else ""
        self.below += [*anchored.below, *self._nested(anchored.boxes)]

    def _row(
        self, row: Any, column: int, number: int, above: dict[int, GridCell], anchored: _Line
    ) -> dict[int, GridCell]:
        cells: dict[int, GridCell] = {}
        for element in children(row, "tc"):
            properties = next(children(element, "tcPr"), None)
            width = number_of(properties, "gridSpan", 1)
            if value_of(properties, "vMerge") in ("", "continue") and column in above:
                cell = above[column]
            else:
                text = self._flat(element, anchored)
                cell = GridCell(text, is_value(text), (number, column))
            cells.update(dict.fromkeys(range(column, column + width), cell))
            column += width
        return cells


def _parsed(data: bytes) -> Any:
    from lxml import etree

    return etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True))


def _is_placeholder(element: Any) -> bool:
    """Whether a content control still shows its prompt, such as "Click here to enter text"."""
    properties = next(children(element, "sdtPr"), None)
    return properties is not None and bool(flag(properties, "showingPlcHdr"))


def _paragraphs(element: Any) -> Iterator[Any]:
    """Yield the paragraphs of an element, including those of nested tables, without text boxes."""
    for child in element:
        tag = tag_of(child)
        if tag == "p":
            yield child
        elif tag in WRAPPERS or tag in ("tbl", "tr", "tc"):
            yield from _paragraphs(child)


def _shown(text: str, look: Look) -> str:
    is_mark = len(text.strip()) <= _LONGEST_MARK
    if look.shift == "superscript" or (look.shift == RAISED and is_mark):
        return markdown.superscript(text)
    return markdown.subscript(text) if look.shift == "subscript" or (look.shift == LOWERED and is_mark) else text
