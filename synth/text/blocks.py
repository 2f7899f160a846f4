"""Structure of a text: headings, paragraphs, list items, table rows and code, with offsets."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from synth.text.block import Block as Block
from synth.text.front_matter import front_matter_end
from synth.text.html_blocks import html_cells
from synth.text.markup import plain
from synth.text.numbering import numbered
from synth.text.sentences import trimmed
from synth.text.text_blocks import KEY_VALUE, text_blocks

_DIRECTIVE = re.compile(
    r"^[ \t]*(?:/{3,}.*|:{3,}.*|\{[*!].*[*!]\}|\{%.*%\}|\[\[.*\]\]|\[TOC\]|"
    r"(?:!!!|\?\?\?\+?)[ \t].*|===[+!]?[ \t]+\".*)[ \t]*$",
    re.MULTILINE,
)
_INDENTED_ADMONITION = re.compile(r"^[ \t]*(?:!!!|\?\?\?\+?|===)[ \t]")
_CELL_EDGE = re.compile(r"\\\||[|`]")
_UNIT = re.compile(r"[(（]([^()（）]{1,30})[)）]\s*$")
_MARK = re.compile(r"<!-- (?:(?P<role>figure|caption)|page (?P<page>[^<>]{1,20})) -->\s*")
"""HTML comments, inserted by the file readers, that mark the paragraph below as a caption, or the start of a page."""

_HEADING_END = re.compile(r"(?:(?<![ \t])[ \t]++#++[ \t]*+|\n[ \t>]*+(?:=++|-++)[ \t]*+)?\Z")
"""Marks that close a heading: hashes, or an underline."""

_DEFINITIONS = re.compile(
    r"(?:[ \t]*\[(?!\^)[^\]\n]{1,60}\]:[ \t]*\S+(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|\([^\n]*\)))?[ \t]*(?:\n|\Z))+"
)
"""Definitions of link addresses, which a rendered page does not show."""

_UNSEEN = re.compile(
    r"<(?:(?=(?P<struck>del|s|strike|script|style|template)\b)|(?=(?P<element>[a-z][a-z0-9]*)\b)[^<>]*?(?:\shidden(?=[\s/>=])|"
    r"\sstyle\s*=\s*[\"'][^\"'<>]*(?:display\s*:\s*none|visibility\s*:\s*hidden|line-through)))",
    re.IGNORECASE,
)
"""Opening tag of an element that no reader sees, such as a script, or that is in strikethrough."""

_MODULE = re.compile(
    r"(?:import\s(?:[^'\"]{1,2000}?\sfrom\s*+)?['\"][^'\"\n]+['\"];?\s*+)+"
    r"|export (?:const|let|var|function|async|class|default)\s[^\n]*[={(].*|\{/\*.*\*/\}\s*",
    re.DOTALL,
)
"""Paragraph of MDX that is code of the page: imports, an export, or a comment."""

_FOOTNOTE = re.compile(r"\[\^[^\]\n]+\]:")
_FORMULA = re.compile(r"\$\$.*\$\$\Z", re.DOTALL)


@lru_cache(maxsize=256)
def blocks(text: str, format: str) -> tuple[Block, ...]:
    """Return the blocks of a text in document order. Any `format` other than "markdown" is read as plain text.

    Blocks do not overlap, except that a directive may lie inside a block of indented code.
    """
    found = _markdown_blocks(text) if format == "markdown" else text_blocks(text)
    return tuple(_with_lead_ins(text, found))


@lru_cache(maxsize=1)
def _parser() -> Any:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": True}).enable("table").disable(["inline", "reference"])


class _Tokens(list[Any]):
    """List of markdown-it tokens that share one empty dictionary.

    This saves memory: a Markdown list of 390,000 lines has two million tokens.
    """

    _EMPTY: Mapping[str, Any] = MappingProxyType({})

    def append(self, token: Any) -> None:
        token.attrs = token.attrs or self._EMPTY
        token.meta = token.meta or self._EMPTY
        super().append(token)


def _tokens(text: str) -> Iterable[Any]:
    """Return the block-level tokens of markdown-it, without inline tokens."""
    from markdown_it.rules_core import StateCore

    state = StateCore(text, _parser(), {})
    state.tokens = _Tokens()
    _parser().core.process(state)
    return state.tokens


@dataclass(frozen=True, slots=True)
class TableCell:
    """Cell of a table: its plain `text`, its offsets `start:end` in the document, and whether it has inline code."""

    text: str
    start: int
    end: int
    has_code: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Table of cells. The first `header_rows` rows and the first `header_columns` columns are headers.

    The value of a merged cell is repeated in each cell that it spans, so that every row is complete. `caption` is the
    block with the title, or None. `units` lists, per column, the text in brackets after the column name ("kg" of
    "Weight (kg)"), or "".
    """

    rows: tuple[tuple[TableCell, ...], ...]
    header_rows: int
    header_columns: int
    headings: tuple[str, ...]
    caption: Block | None
    units: tuple[str, ...]


def tables(text: str, format: str) -> tuple[Table, ...]:
    """Return the tables of a text, in order."""
    rows: dict[int, list[Block]] = {}
    captions: dict[int, Block] = {}
    before: Block | None = None
    for block in blocks(text, format):
        if block.kind == "table_row":
            if block.group not in rows and before is not None and before.role == "caption":
                captions[block.group] = before
            rows.setdefault(block.group, []).append(block)
        before = block
    return tuple(_table(text, group, captions.get(number)) for number, group in rows.items())


def _table(text: str, rows: list[Block], caption: Block | None) -> Table:
    cells = tuple(cells_of(text, row) for row in rows)
    bold = [[text[cell.start : cell.end].strip().startswith("**") for cell in row] for row in cells[1:]]
    width = len(cells[0])
    heads = 0
    while bold and heads < width and all(len(row) > heads and row[heads] for row in bold):
        heads += 1
    units = tuple(match.group(1) if (match := _UNIT.search(cell.text)) else "" for cell in cells[0])
    return Table(cells, 1, heads, rows[0].headings, caption, units)


def cells_of(text: str, row: Block) -> tuple[TableCell, ...]:
    """Return the cells of a block of kind `table_row`."""
    if (places := html_cells(text, row.start, row.end)) is None:
        places = _bar_cells(text, row)
    read = ((plain(text, *place), place) for place in places)
    return tuple(TableCell(" ".join(words.text.split()), *place, bool(words.code)) for words, place in read)


def _bar_cells(text: str, row: Block) -> list[tuple[int, int]]:
    """Return the offsets of the cells of a row whose cells are separated by bars (|)."""
    raw = text[row.start : row.end]
    edges, ticks = [], 0
    for match in _CELL_EDGE.finditer(raw):
        ticks += match.group() == "`"
        if match.group() == "|" and ticks % 2 == 0:
            edges.append(match.start())
    bounds = [-1, *edges, len(raw)]
    pieces = list(zip((edge + 1 for edge in bounds), bounds[1:], strict=False))
    inner = pieces[raw.startswith("|") : len(pieces) - (len(pieces) > 1 and raw.endswith("|"))]
    return [(row.start + a, row.start + b) for a, b in inner]


def _prepare(text: str) -> tuple[str, list[tuple[str, int, int]]]:
    """Replace front matter and directives by empty lines.

    Returns the new text, and (kind, start, end) of each replaced part.
    """
    special = []

    offset = front_matter_end(text)
    if offset:
        special.append(("front_matter", 0, offset))
    head = "\n" * text.count("\n", 0, offset)
    lines, fence, admonition = [], "", False
    position = offset
    for line in text[offset:].split("\n"):
        marker = re.match(r"[ \t]*(`{3,}|~{3,})", line)
        if marker and not fence:
            fence = marker.group(1)
        elif marker and fence and marker.group(1).startswith(fence) and not line.strip(" \t`~"):
            fence = ""
        elif not fence and _DIRECTIVE.match(line):
            special.append(("directive", position, position + len(line)))
            admonition = bool(_INDENTED_ADMONITION.match(line))
            lines.append("")
            position += len(line) + 1
            continue
        if admonition and line.startswith("    "):
            lines.append(line[4:])
        else:
            admonition = admonition and not line.strip()
            lines.append(line)
        position += len(line) + 1
    return head + "\n".join(lines), special


def _without_hidden(text: str, found: list[Block]) -> list[Block]:
    """Return the blocks. Blocks inside an unseen or strikethrough HTML element get the kind "directive"."""
    depth, name = 0, ""
    for index, block in enumerate(found):
        raw = text[block.start : block.end] if block.kind == "html" else ""
        opening = _UNSEEN.match(raw) if not depth else None
        hidden = depth > 0 or opening is not None
        if opening:
            name = (opening["struck"] or opening["element"]).casefold()
        if raw and hidden:
            tags = re.findall(rf"<(/?){name}\b", raw, re.IGNORECASE)
            depth = max(depth + sum(-1 if slash else 1 for slash in tags), 0)
            if opening and text.find(f"</{name}", block.end) < 0:
                depth = 0  # no closing tag follows
        if hidden:
            found[index] = replace(block, kind="directive")
    return found


def _with_lead_ins(text: str, found: list[Block]) -> list[Block]:
    """Return the blocks. A paragraph or list item that ends in a colon above a list gets the role "lead_in"."""
    for index, (block, after) in enumerate(pairwise(found)):
        leads = after.kind == "list_item" and block.kind in ("paragraph", "list_item") and after.level > block.level
        if leads and text[block.start : block.end].rstrip(" *_`").endswith((":", "：")):
            found[index] = replace(block, role="lead_in")
    return found


def _markdown_blocks(text: str) -> list[Block]:
    prepared, special = _prepare(text)
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def span(lines: list[int]) -> tuple[int, int]:
        return trimmed(text, starts[lines[0]], min(starts[lines[1]], len(text) + 1) - 1)

    markdown_blocks = [Block(kind, start, end, ()) for kind, start, end in special]
    path: list[tuple[int, str]] = []
    groups: list[int] = []
    items: list[tuple[str, int]] = []  # number and start of each open item; the start is -1 until its first paragraph
    group = quoted = 0
    role = ""
    for token in _tokens(prepared):
        headings = tuple(title for _, title in path)
        if token.type in ("bullet_list_open", "ordered_list_open", "table_open"):
            group += 1
            groups.append(group)
        elif token.type in ("bullet_list_close", "ordered_list_close", "table_close"):
            groups.pop()
        elif token.type == "list_item_open":
            items.append((token.info, -1))
        elif token.type == "list_item_close":
            items.pop()
        elif token.type in ("blockquote_open", "blockquote_close"):
            quoted += token.nesting
        elif token.type == "heading_open":
            start, end = span(token.map)
            end = _HEADING_END.search(text, start, end).start()  # type: ignore[union-attr]
            level = int(token.tag[1])
            while path and path[-1][0] >= level:
                path.pop()
            title = plain(text, start, end).text
            path.append((level, title))
            match = numbered(title, 0, len(title), use="heading")
            titles = tuple(title for _, title in path)
            markdown_blocks.append(Block("heading", start, end, titles, level, number=match.number if match else ""))
        elif token.type == "paragraph_open":
            start, end = span(token.map)
            if _DEFINITIONS.fullmatch(text, start, end) or _MODULE.fullmatch(text, start, end):
                markdown_blocks.append(Block("directive", start, end, headings))
                continue
            if _FORMULA.match(text, start, end):
                markdown_blocks.append(Block("formula", start, end, headings))
                continue
            if items and items[-1][1] >= 0:
                role = role or "continuation"
            elif quoted and not items:
                role = role or "quotation"
            elif _FOOTNOTE.match(text, start, end):
                role = "footnote"
            elif KEY_VALUE.match(text, start, end):
                role = role or "key_value"
            if not items:
                markdown_blocks.append(Block("paragraph", start, end, headings, role=role))
            else:
                number, parent = items[-1][0], next((at for _, at in reversed(items[:-1]) if at >= 0), -1)
                if items[-1][1] < 0:
                    items[-1] = (number, start)
                markdown_blocks.append(
                    Block("list_item", start, end, headings, len(items), groups[-1], number, role, parent)
                )
        elif token.type == "tr_open" and token.map:
            start, end = span(token.map)
            markdown_blocks.append(Block("table_row", start, end, headings, group=groups[-1]))
        elif token.type in ("fence", "code_block"):
            markdown_blocks.append(Block("code", *span(token.map), headings))
        elif token.type == "html_block":
            start, end = span(token.map)
            mark = _MARK.fullmatch(text, start, end)
            if mark and mark["page"]:
                markdown_blocks.append(Block("page", start, end, headings, number=mark["page"]))
            elif not mark:
                markdown_blocks.append(Block("html", start, end, headings))
            role = mark["role"] or "" if mark else ""
            continue
        if token.type in ("heading_open", "paragraph_open", "tr_open", "fence", "code_block"):
            role = ""
    filled = [block for block in markdown_blocks if block.start < block.end]
    return _without_hidden(text, sorted(filled, key=lambda block: (block.start, block.end)))
