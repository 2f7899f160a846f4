"""OpenDocument files: text documents converted to an HTML tree, and the sheets of spreadsheets."""

# odfpy 1.4.1, the library for these files, has had no release since 2020. Its converter to XHTML shows deleted text,
# hidden text and comments, and marks superscript and strikethrough text by a class only, so it is not used.

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from synth.corpus.documents import markdown
from synth.corpus.documents.file_content import File
from synth.corpus.documents.grid import GridCell
from synth.corpus.documents.reasons import Limit
from synth.corpus.documents.sheet import MOST_SCANNED, Sheet, column_letters

_URN = "urn:oasis:names:tc:opendocument:xmlns:"
_STYLE, _TABLE, _TEXT, _OFFICE = (f"{{{_URN}{name}:1.0}}" for name in ("style", "table", "text", "office"))
_XLINK = "{http://www.w3.org/1999/xlink}href"
_DROPPED = frozenset(
    "tracked-changes table-of-content illustration-index table-index object-index user-index alphabetical-index "
    "annotation annotation-end forms sequence-decls variable-decls user-field-decls hidden-text hidden-paragraph "
    "placeholder ruby-text note-citation covered-table-cell page-number page-count event-listeners".split()
)
_NAMES = {
    "list-item": "li", "list-header": "li", "table": "table", "table-header-rows": "thead", "table-row": "tr",
    "table-cell": "td", "a": "a", "section": "div", "line-break": "br",
}  # fmt: skip
_BESIDE = {"note": "div", "text-box": "div", "title": "figcaption", "desc": "figcaption"}
"""Elements inside a paragraph that are displayed beside it. We place them after the paragraph."""

_HEADING = re.compile(r"Title|Heading_20_(?P<level>[1-9])")
_CODE = ("Preformatted", "Source", "Code")
_VALUES = frozenset({"float", "percentage", "currency", "date", "time"})
_MOST_LEVELS = 200


@dataclass(frozen=True, slots=True)
class _Style:
    """Effect of a style on text: the HTML element that shows it, and whether the text is dropped.

    `names` are the names of the style and its ancestors.
    """

    element: str = ""
    is_dropped: bool = False
    names: tuple[str, ...] = ()


class OpenDocument:
    """The content and styles of a file. Raise the exceptions of the zip and XML parsers if the file is damaged."""

    def __init__(self, file: File) -> None:
        self._archive = zipfile.ZipFile(io.BytesIO(file.data))
        self.content = self._parsed("content.xml")
        self._has_styles = "styles.xml" in self._archive.namelist()
        trees = [self._parsed("styles.xml"), self.content] if self._has_styles else [self.content]
        self._declared = {style.get(f"{_STYLE}name"): style for tree in trees for style in tree.iter(f"{_STYLE}style")}
        self._lists = {style.get(f"{_STYLE}name"): style for tree in trees for style in tree.iter(f"{_TEXT}list-style")}
        self._known: dict[str, _Style] = {}
        self._beside: list[Any] = []

    def _parsed(self, name: str) -> Any:
        from lxml import etree

        parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True, remove_comments=True)
        return etree.fromstring(self._archive.read(name), parser)

    @property
    def title(self) -> str:
        """Title in the properties of the file; "" if it has none."""
        if "meta.xml" not in self._archive.namelist():
            return ""
        return " ".join((self._parsed("meta.xml").findtext(".//{*}title") or "").split())

    def style(self, name: str | None) -> _Style:
        """Return a style with its inherited properties."""
        if not name or name not in self._declared:
            return _Style(names=(name or "",))
        if name not in self._known:
            self._known[name] = _Style()  # ends a cycle of styles
            declared = self._declared[name]
            inherited = self.style(declared.get(f"{_STYLE}parent-style-name"))
            own = replace(inherited, names=(name, *inherited.names))
            for properties in declared.iter(f"{_STYLE}text-properties"):
                own = _with(own, {_local(key): value for key, value in properties.attrib.items()})
            self._known[name] = own
        return self._known[name]

    # Text

    def page(self) -> Any:
        """Return the body of a text document as an HTML element."""
        body = _made("body")
        text = self.content.find(f".//{_OFFICE}text")
        if text is not None:
            self._fill(body, text, 0, "")
        return body

    def _fill(self, target: Any, source: Any, depth: int, list_style: str) -> None:
        """Append the content of `source` to an HTML element."""
        _append(target, source.text or "")
        for child in source if depth < _MOST_LEVELS else ():
            if isinstance(child.tag, str):
                self._element(target, child, depth + 1, list_style)
            _append(target, child.tail or "")

    def _element(self, target: Any, node: Any, depth: int, list_style: str) -> None:
        name = _local(node.tag)
        style = self.style(node.get(f"{_TEXT}style-name"))
        if name in _DROPPED or style.is_dropped or node.get(f"{_TEXT}display") == "none":
            return
        inner = target
        if name in ("h", "p"):
            inner = self._paragraph(target, node, style)
        elif name == "span" and style.element:
            inner = _child(target, style.element)
        elif name == "list":
            list_style = node.get(f"{_TEXT}style-name") or list_style
            inner = _child(target, self._list(list_style, sum(1 for _ in node.iterancestors(f"{_TEXT}list")) + 1))
        elif name == "s":
            _append(target, " " * min(int(node.get(f"{_TEXT}c") or 1), 100))
        elif name == "tab":
            _append(target, " ")
        elif name in _BESIDE:
            inner = _made(_BESIDE[name])
            self._beside.append(inner)
        elif name == "object":
            self._formula(target, node)
        elif name in _NAMES:
            inner = _child(target, _NAMES[name])
        if name == "table-cell":
            for key, span in (("colspan", "columns"), ("rowspan", "rows")):
                inner.set(key, node.get(f"{_TABLE}number-{span}-spanned") or "1")
        if name == "note":
            inner.set("role", "doc-footnote")
        beside, self._beside = self._beside, [] if name in ("h", "p") else self._beside
        self._fill(inner, node, depth, list_style)
        if name in ("h", "p"):
            target.extend(self._beside)
            self._beside = beside
        for _ in range(_count(node, "columns", 50) - 1 if name == "table-cell" else 0):
            _child(target, "td").text = "".join(inner.itertext())

    def _paragraph(self, target: Any, node: Any, style: _Style) -> Any:
        """Add an element for a heading or paragraph to `target` and return it. Adjacent code lines share an element."""
        level = node.get(f"{_TEXT}outline-level") or next(filter(None, map(_heading_level, style.names)), "")
        if level.isdigit():
            return _child(target, f"h{min(max(int(level), 1), 6)}")
        if any(name.startswith(_CODE) for name in style.names):
            last = _last(target)
            if last is not None and last.tag == "pre" and not (last.tail or "").strip():
                _append(last, "\n")
                return last
            return _child(target, "pre")
        return _child(_child(target, "blockquote") if "Quotations" in style.names else target, "p")

    def _list(self, name: str, level: int) -> str:
        """Return "ol" if the items of a list are numbered, else "ul"."""
        declared = self._lists.get(name)
        for form in declared if declared is not None else ():
            if form.get(f"{_TEXT}level") == str(level):
                return (
                    "ol" if _local(form.tag) == "list-level-style-number" and form.get(f"{_STYLE}num-format") else "ul"
                )
        return "ul"

    def _formula(self, target: Any, node: Any) -> None:
        """Append the MathML of an embedded formula."""
        place = (node.get(_XLINK) or "").removeprefix("./")
        name = f"{place}/content.xml"
        if place and name in self._archive.namelist():
            tree = self._parsed(name)
            if _local(tree.tag) == "math":
                for element in tree.iter():
                    element.tag = _local(element.tag)
                target.append(tree)

    # Sheets

    def sheets(self) -> Iterator[tuple[Sheet, bool]]:
        """Yield each sheet of a spreadsheet, and True if the sheet is hidden."""
        scanned = Limit(MOST_SCANNED, "cells and rows")
        for table in self.content.iterfind(f".//{_OFFICE}spreadsheet/{_TABLE}table"):
            style = self._declared.get(table.get(f"{_TABLE}style-name"))
            properties = style.find(f"{_STYLE}table-properties") if style is not None else None
            hidden = properties is not None and properties.get(f"{_TABLE}display") == "false"
            yield self._sheet(table, scanned), hidden

    def _sheet(self, table: Any, scanned: Limit) -> Sheet:
        sheet = Sheet(table.get(f"{_TABLE}name") or "")
        at = 1
        for column in table.iter(f"{_TABLE}table-column"):
            count = _count(column, "columns")
            if _is_collapsed(column):
                sheet.hidden_columns.append((at, at + count - 1))
            at += count
        merged: list[tuple[int, int, int, int]] = []
        number = 1
        for row in table.iter(f"{_TABLE}table-row"):
            count = _count(row, "rows")
            cells = self._cells(row, sheet, number, merged, scanned)
            repeated = range(number, number + (min(count, 1000) if cells else 0))
            scanned.add(1 + len(cells) * len(repeated))
            for place in repeated:
                sheet.rows[place] = {column: replace(cell, origin=(place, column)) for column, cell in cells.items()}
            if _is_collapsed(row):
                sheet.hidden_rows.update(range(number, number + min(count, 100_000)))
            number += count
        for bounds in merged:
            sheet.merge(bounds, scanned)
        sheet.hide()
        return sheet

    def _cells(
        self, row: Any, sheet: Sheet, number: int, merged: list[tuple[int, int, int, int]], scanned: Limit
    ) -> dict[int, GridCell]:
        cells = {}
        column = 1
        for cell in row:
            if not isinstance(cell.tag, str):
                continue
            count = _count(cell, "columns")
            text = "" if _local(cell.tag) == "covered-table-cell" else self._shown(cell)
            kind = cell.get(f"{_OFFICE}value-type")
            if not text and cell.get(f"{_TABLE}formula") and not kind:
                sheet.not_calculated.append(f"{column_letters(column)}{number}")
            if text:
                scanned.add(count)
                cells.update(
                    {place: GridCell(text, kind in _VALUES, (number, place)) for place in range(column, column + count)}
                )
                rows, columns = (int(cell.get(f"{_TABLE}number-{name}-spanned") or 1) for name in ("rows", "columns"))
                if rows > 1 or columns > 1:
                    merged.append((number, column, number + rows - 1, column + columns - 1))
            column += count
        return cells

    def _shown(self, cell: Any) -> str:
        """Return the text of a cell as displayed, or its stored value if the file contains no text."""
        if self.style(cell.get(f"{_TABLE}style-name")).is_dropped:
            return ""
        lines = []
        for paragraph in cell.iterfind(f"{_TEXT}p"):
            line = _made("p")
            self._fill(line, paragraph, 0, "")
            lines.append("".join(_flat(line)))
        values = (cell.get(f"{_OFFICE}{name}") for name in ("value", "date-value", "time-value", "string-value"))
        return " ".join(filter(None, lines)).strip() or next(filter(None, values), "")


def _with(style: _Style, properties: Mapping[str, str]) -> _Style:
    """Return `style`, the inherited style, updated with the `properties` that a style sets itself."""
    position = properties.get("text-position", "")
    raised = "sup" if position.startswith("super") else "sub" if position.startswith("sub") else ""
    amount, _, _ = position.partition(" ")
    if amount.rstrip("%").lstrip("-").isdigit() and amount.rstrip("%") not in ("0", "-0"):
        raised = "sub" if amount.startswith("-") else "sup"
    struck = [properties[name] for name in ("text-line-through-style", "text-line-through-type") if name in properties]
    hidden = properties.get("display") == "none"
    return replace(
        style,
        element=raised if position else style.element,
        is_dropped=hidden or (any(value != "none" for value in struck) if struck else style.is_dropped),
    )


def _heading_level(style: str) -> str:
    """Return the level of a heading, judged by the name of its style; "" if it is no heading style."""
    match = _HEADING.fullmatch(style)
    return (match["level"] or "1") if match else ""


def _local(name: str) -> str:
    return str(name).rpartition("}")[2]


def _count(node: Any, name: str, most: int = 16_384_000) -> int:
    """Return the number of rows or columns that an element represents."""
    return max(min(int(node.get(f"{_TABLE}number-{name}-repeated") or 1), most), 1)


def _is_collapsed(node: Any) -> bool:
    return node.get(f"{_TABLE}visibility") in ("collapse", "filter")


def _made(name: str) -> Any:
    from lxml import etree

    return etree.Element(name)


def _child(target: Any, name: str) -> Any:
    element = _made(name)
    target.append(element)
    return element


def _last(target: Any) -> Any:
    """Return the last child of an element, or None. Calling `len` would count all children."""
    return next(target.iterchildren(reversed=True), None)


def _append(target: Any, text: str) -> None:
    last = _last(target) if text else None
    if last is not None:
        last.tail = (last.tail or "") + text
    elif text:
        target.text = (target.text or "") + text


def _flat(line: Any) -> Iterator[str]:
    """Yield the text of a line of a cell, with superscript and subscript characters."""
    shift = {"sup": markdown.superscript, "sub": markdown.subscript}.get(line.tag, str)
    yield shift("".join((line.text or "", *(part for child in line for part in (*_flat(child), child.tail or "")))))
