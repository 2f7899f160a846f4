"""Headings, paragraphs, list items and table rows in HTML blocks of Markdown, with offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from synth.text.block import Block
from synth.text.markup import plain
from synth.text.sentences import trimmed

_TAG = re.compile(
    r"<!--.*?(?:-->|\Z)|<(?P<closing>/?)(?P<name>[a-zA-Z][\w-]*+)(?P<rest>(?>(?:[^<>\"']|\"[^\"]*\"|'[^']*')*))>",
    re.DOTALL,
)
_INLINE = frozenset(
    "a abbr b bdi bdo big cite code del dfn em font i img ins kbd label mark q s samp small span strike strong sub sup "
    "time tt u var wbr br".split()
)
_UNREAD = frozenset("script style svg template noscript nav select textarea iframe canvas".split())
"""Elements whose text is not part of the prose of a page, such as scripts and menus."""

_ASKING = frozenset(("summary", "button"))
"""Clickable elements that open a text below. An element that ends in a question mark counts as a heading."""

_ROW = re.compile(r"<tr\b[^<>]*>.*?(?:</tr\s*>|(?=<tr\b|</t(?:able|body|head|foot)\b))", re.DOTALL | re.IGNORECASE)
_CELL = re.compile(r"<t[dh]\b[^<>]*>(?P<cell>.*?)(?=</t[dh]\s*>|<t[dh]\b|</tr|\Z)", re.DOTALL | re.IGNORECASE)
_TABLE = re.compile(r"<table\b[^<>]*>(?P<rows>(?:(?!<table\b).)*?)</table\s*>", re.DOTALL | re.IGNORECASE)
_HIDDEN = re.compile(
    r"<(?:del|s|strike)\b|<[a-z][^<>]*?(?:\shidden(?=[\s/>=])|\sstyle\s*=\s*[\"'][^\"'<>]*"
    r"(?:display\s*:\s*none|visibility\s*:\s*hidden|line-through))",
    re.IGNORECASE,
)
_SPANS = re.compile(r"\b(?:row|col)span\s*=\s*[\"']?(?!1\b)\d", re.IGNORECASE)
"""Attribute of a cell that spans several rows or columns. A table with such a cell is not split into rows."""

_OPENED = 7
"""Heading level of the title of a panel (a text that opens on a click) outside other panels."""

_PANEL = re.compile(r"^details$|accordion-item|panel")
_TITLE = re.compile(r"\b(?:header|heading|title|label)\s*=\s*(?P<quote>[\"'])(?P<title>.{5,200}?)(?P=quote)", re.DOTALL)
"""Attribute with the title of a panel. A panel (`_PANEL`) is an element whose text is hidden until it is opened."""

_ASKS = re.compile(r"[?？]\s*$")


def html_cells(text: str, start: int, end: int) -> list[tuple[int, int]] | None:
    """Return the offsets of the cells in a row of an HTML table, or None if the row is not HTML."""
    if not text[start:end].lower().startswith("<tr"):
        return None
    return [match.span("cell") for match in _CELL.finditer(text, start, end)]


def with_html(text: str, found: Sequence[Block]) -> list[Block]:
    """Return the blocks of a text in order, with each HTML block replaced by the blocks inside it.

    Headings in HTML and in Markdown apply to all blocks below them. An HTML block with hidden or strikethrough parts is
    kept as it is.
    """
    if not any(block.kind == "html" for block in found):
        return list(found)
    walk, read = _Walk(text, max((block.group for block in found), default=0)), []
    for block in found:
        if block.kind == "heading":
            walk.place(block.level, block.headings[-1])
        inner = []
        if block.kind == "html" and not _HIDDEN.search(text, block.start, block.end):
            inner = list(walk.blocks(block.start, block.end))
        read += inner or [replace(block, headings=walk.headings)]
    return read


@dataclass(slots=True)
class _Walk:
    text: str
    group: int
    path: list[tuple[int, str]] = field(default_factory=list)
    lists: list[int] = field(default_factory=list)
    items: list[bool] = field(default_factory=list)
    """For each open list item, whether the first text of the item has been read."""
    panels: list[list[tuple[int, str]]] = field(default_factory=list)
    """For each open panel, the path of headings before it."""

    def blocks(self, start: int, end: int) -> Iterator[Block]:
        place, element, begin = start, "", start
        while match := _TAG.search(self.text, place, end):
            name = (match["name"] or "").lower()
            if not name or name in _INLINE:
                place = match.end()
                continue
            yield from self._run(begin, match.start(), element)
            place = begin = match.end()
            if match["rest"].endswith("/"):
                continue
            self._enter(name, closes=bool(match["closing"]))
            if name in _UNREAD and not match["closing"]:
                close = re.compile(rf"</{name}\s*>", re.IGNORECASE).search(self.text, place, end)
                place = begin = close.end() if close else end
            elif name == "table" and not match["closing"]:
                if table := _TABLE.match(self.text, match.start(), end):
                    spans = _SPANS.search(self.text, *table.span("rows"))
                    whole = Block("html", *table.span(), self.headings)
                    yield from [whole] if spans else self._rows(*table.span("rows"))
                    place = begin = table.end()
            elif name == "pre" and not match["closing"]:
                close = re.compile(r"</pre\s*>", re.IGNORECASE).search(self.text, place, end)
                place = begin = close.end() if close else end
                yield Block("code", match.start(), place, self.headings)
            elif _PANEL.search(name) and not match["closing"] and (title := _TITLE.search(match["rest"])):
                at = match.start("rest")
                yield self._heading(at + title.start("title"), at + title.end("title"), self._opened)
            element = "" if match["closing"] else name
        yield from self._run(begin, end, element)

    @property
    def headings(self) -> tuple[str, ...]:
        return tuple(title for _, title in self.path)

    @property
    def _opened(self) -> int:
        """Level of the heading of a text that opens on a click. Each panel inside another is one level lower."""
        return _OPENED + max(0, len(self.panels) - 1)

    def _enter(self, name: str, *, closes: bool) -> None:
        if _PANEL.search(name):
            if closes and self.panels:
                self.path = self.panels.pop()
            elif not closes:
                self.panels.append(self.path.copy())
        elif name in ("ul", "ol"):
            if not closes:
                self.group += 1
                self.lists.append(self.group if name == "ul" else -self.group)
            elif self.lists:
                self.lists.pop()
        elif name == "li" and self.lists:
            if not closes:
                self.items.append(False)
            elif self.items:
                self.items.pop()

    def _run(self, start: int, end: int, element: str) -> Iterator[Block]:
        """Yield the block for the text between two block-level tags."""
        start, end = trimmed(self.text, start, end)
        said = " ".join(plain(self.text, start, end).text.split()) if start < end else ""
        if not said:
            return
        asks = element in _ASKING and _ASKS.search(said)
        if re.fullmatch("h[1-6]", element) or asks:
            yield self._heading(start, end, self._opened if asks else int(element[1]))
        elif self.items and self.lists:
            role = "continuation" if self.items[-1] else ""
            self.items[-1] = True
            number = "1" if self.lists[-1] < 0 else ""
            yield Block("list_item", start, end, self.headings, len(self.lists), abs(self.lists[-1]), number, role)
        elif element not in _ASKING:
            yield Block("paragraph", start, end, self.headings, role="element")

    def place(self, level: int, title: str) -> None:
        """Make `title` the current heading: remove headings of the same or a deeper level, then add it."""
        while self.path and self.path[-1][0] >= level:
            self.path.pop()
        self.path.append((level, title))

    def _heading(self, start: int, end: int, level: int) -> Block:
        self.place(level, " ".join(plain(self.text, start, end).text.split()))
        return Block("heading", start, end, self.headings, min(level, 6))

    def _rows(self, start: int, end: int) -> Iterator[Block]:
        self.group += 1
        for row in _ROW.finditer(self.text, start, end):
            if any(plain(self.text, *cell).text.strip() for cell in html_cells(self.text, *row.span()) or ()):
                yield Block("table_row", *row.span(), self.headings, group=self.group)
