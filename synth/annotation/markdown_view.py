"""A passage's Markdown as blocks of styled text, which the page displays.

No part of a document is inserted as HTML or loaded from its address: an image appears as its description, a link as its
text. Tables and plain text in HTML are shown as text without tags, any other HTML as source. Markdown syntax is left
out; every other character of the passage is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import unescape
from itertools import pairwise

from synth.annotation.context import ShownPassage
from synth.core.records import Document
from synth.text.blocks import Block, blocks

# Each alternative ends at the next delimiter of its own kind, so that hostile text takes linear time.
_INLINE = re.compile(
    r"""
    \\(?P<escape>[!-/:-@\[-`{-~])
  | ``?(?P<code>[^`\n]+)``?
  | !\[(?P<image>[^\[\]\n]*)\]\((?P<source>[^()\s]*)\)
  | \[(?P<link>[^\[\]]+)\]\((?P<target>[^()\s]*)\)
  | </?(?P<tag>a|b|br|code|em|i|kbd|small|span|strong|sub|sup|u)\b[^<>]*>
  | \*\*(?P<strong>[^*\s](?:[^*]*[^*\s])?)\*\*
  | \*(?P<em>[^*\s](?:[^*]*[^*\s])?)\*
  | (?<!\w)__(?P<strong_>[^_\s](?:[^_]*[^_\s])?)__(?!\w)
  | (?<!\w)_(?P<em_>[^_\s](?:[^_]*[^_\s])?)_(?!\w)
    """,
    re.VERBOSE,
)
_HEADING = re.compile(r"\#{1,6}[ \t]+|(?<![ \t])[ \t]++\#++[ \t]*+\Z|\n[=-]+[ \t]*\Z")
_BULLET = re.compile(r"(?:[-*+]|(?P<number>\d{1,9}[.)]))[ \t]+")
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*(?P<info>[^\n]*)\n?")
_FENCE_END = re.compile(r"(?:\A|\n)[ \t]*(?:`{3,}|~{3,})[ \t]*\Z")
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:*_=>-]*")
_TAG = re.compile(r"<!--(?:[^-]|-(?!->)){0,2000}-->|<(?P<close>/?)(?P<name>[a-zA-Z][a-zA-Z0-9]*)\b(?P<rest>[^<>]*)>")
_ADDRESS = re.compile(r"""\bhref\s*=\s*["']?([^"'\s>]*)""", re.IGNORECASE)
_STYLES = {"b": "strong", "strong": "strong", "i": "em", "em": "em", "code": "code", "kbd": "code", "a": "link"}
_CELLS, _ROWS = ("td", "th"), ("table", "tbody", "tfoot", "thead", "tr")
_BREAKS = frozenset(
    "br caption center col colgroup dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p summary ul".split()
)
_INLINE_TAGS = frozenset("a b code em font i kbd small span strong sub sup u".split())
_WRITTEN = {"code": "code", "html": "code", "front_matter": "code", "directive": "text"}


@dataclass(frozen=True, slots=True)
class TextRun:
    """Text in one style. `styles` are names of styles; `address` is the target of a link or image.

    `evidence` tells whether the text is evidence of the row.
    """

    text: str
    evidence: bool
    styles: tuple[str, ...] = ()
    address: str = ""


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block of a passage. `kind` is text, paragraph, heading, item, quote, code or row.

    `cells` contains the runs of each cell of a table row, and one cell for other blocks. `level` is the level of a
    heading or the depth of an item. Rows of the same table have the same `group`. `mark` is the bullet or number of an
    item.
    """

    kind: str
    cells: tuple[tuple[TextRun, ...], ...]
    level: int = 0
    group: int = 0
    mark: str = ""


def shown_blocks(passage: ShownPassage, document: Document | None) -> list[ShownBlock]:
    """Return the blocks of a passage.

    If the document is missing, has changed or is not Markdown, the result is one block of plain text.
    """
    if passage.fault or document is None or document.metadata.get("format") != "markdown":
        return [ShownBlock("text", (tuple(TextRun(part.text, part.evidence) for part in passage.segments),))]
    spans, place = [], passage.start
    for part in passage.segments:
        if part.evidence:
            spans.append((place, place + len(part.text)))
        place += len(part.text)
    return list(_Passage(document.text, spans).blocks(passage.start, passage.end))


@dataclass(frozen=True, slots=True)
class _Passage:
    text: str
    spans: Sequence[tuple[int, int]]

    def blocks(self, low: int, high: int) -> Iterator[ShownBlock]:
        place = low
        for block in blocks(self.text, "markdown"):
            start, end = max(block.start, low), min(block.end, high)
            if start < end:
                yield from self._between(place, start)
                if block.kind == "html" and self._is_plain_html(block):
                    yield from _HtmlBlock(self, block, start, end).blocks()
                else:
                    yield self._block(block, start, end)
                place = end
        yield from self._between(place, high)

    def _between(self, start: int, end: int) -> Iterator[ShownBlock]:
        """Yield the text between two blocks, unless it is white space, a rule or the line under a table header."""
        if start < end and not _RULE.fullmatch(self.text, start, end):
            yield self._verbatim_block("text", start, end)

    def _is_plain_html(self, block: Block) -> bool:
        """Return whether all tags in an HTML block are known tags of tables and text."""
        tags = list(_TAG.finditer(self.text, block.start, block.end))
        names = {tag["name"].lower() for tag in tags if tag["name"]}
        known = names <= {*_CELLS, *_ROWS, *_BREAKS, *_INLINE_TAGS}
        return known and self.text.count("<", block.start, block.end) == len(tags)

    def _block(self, block: Block, start: int, end: int) -> ShownBlock:
        if block.kind in _WRITTEN:
            return self._verbatim_block(_WRITTEN[block.kind], start, end, fenced=block.kind == "code")
        if block.kind == "table_row":
            cells = self._cells(start, end)
            return ShownBlock("row", tuple(self._runs(*cell, None) for cell in cells), group=block.group)
        if block.kind == "heading":
            return ShownBlock("heading", (self._runs(start, end, _HEADING),), level=block.level)
        bullet = _BULLET.match(self.text, start, end) if block.kind == "list_item" else None
        if bullet:
            line = self.text.rfind("\n", 0, start) + 1
            depth = len(self.text[line:start].expandtabs(4)) // 2
            runs = self._runs(bullet.end(), end, None)
            return ShownBlock("item", (runs,), level=min(depth, 4), mark=bullet["number"] or "•")
        if self.text.startswith(">", start):
            return ShownBlock("quote", (self._runs(start, end, _QUOTE),))
        return ShownBlock("paragraph", (self._runs(start, end, None),))

    def _verbatim_block(self, kind: str, start: int, end: int, *, fenced: bool = False) -> ShownBlock:
        """Return a block whose text is shown as written, without the fences of code."""
        runs: list[TextRun] = []
        fence = _FENCE.match(self.text, start, end) if fenced else None
        if fence:
            runs += self.cut(*fence.span("info"), ("info",))
            start = fence.end()
        for part in _outside(_FENCE_END if fence else None, self.text, start, end):
            runs += self.cut(*part)
        return ShownBlock(kind, (tuple(runs),))

    def _cells(self, start: int, end: int) -> list[tuple[int, int]]:
        parts = list(_outside(_BAR, self.text, start, end))
        return [part for part in parts if self.text[slice(*part)].strip() or part[0] not in (start, parts[-1][0])]

    def _runs(self, start: int, end: int, left_out: re.Pattern[str] | None) -> tuple[TextRun, ...]:
        parts = _outside(left_out, self.text, start, end)
        return tuple(run for part in parts for run in self._styled(*part))

    def _styled(self, start: int, end: int, styles: tuple[str, ...] = (), address: str = "") -> Iterator[TextRun]:
        place = start
        for match in _INLINE.finditer(self.text, start, end):
            yield from self.cut(place, match.start(), styles, address)
            place = match.end()
            kind = next(
                name
                for name in ("escape", "code", "image", "link", "tag", "strong", "em", "strong_", "em_")
                if match[name] is not None
            )
            if kind == "tag":
                if match["tag"] == "br":
                    yield TextRun(" ", False, styles, address)
            elif kind == "escape":
                yield from self.cut(*match.span(kind), styles, address)
            elif kind in ("code", "image"):
                yield from self.cut(*match.span(kind), (*styles, kind), match["source"] or address)
            else:
                yield from self._styled(*match.span(kind), (*styles, kind.rstrip("_")), match["target"] or address)
        yield from self.cut(place, end, styles, address)

    def cut(self, start: int, end: int, styles: tuple[str, ...] = (), address: str = "") -> Iterator[TextRun]:
        """Yield the characters start:end, split where evidence begins or ends."""
        ends = {bound for span in self.spans for bound in span if start < bound < end}
        bounds = [start, *sorted(ends), end]
        for a, b in pairwise(bounds):
            if a < b:
                evidence = any(first <= a < last for first, last in self.spans)
                yield TextRun(self.text[a:b], evidence, styles, address)


def _outside(pattern: re.Pattern[str] | None, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges of text[start:end] between the matches of a pattern; the whole range if it is None."""
    if pattern is None:
        yield start, end
        return
    place = start
    for match in pattern.finditer(text[start:end]):
        yield place, start + match.start()
        place = start + match.end()
    yield place, end


class _HtmlBlock:
    """Text of an HTML block between `low` and `high`, as table rows and paragraphs."""

    def __init__(self, passage: _Passage, block: Block, low: int, high: int) -> None:
        self._passage, self._block, self._low, self._high = passage, block, low, high
        self._styles: list[tuple[str, str, str]] = []  # tag, style and address
        self._runs: list[TextRun] = []
        self._cells: list[tuple[TextRun, ...]] | None = None
        self._in_cell = False

    def blocks(self) -> Iterator[ShownBlock]:
        place = self._block.start
        text = self._passage.text
        for tag in _TAG.finditer(text, place, self._block.end):
            self._say(place, tag.start())
            place = tag.end()
            name = (tag["name"] or "").lower()
            if name in _CELLS:
                self._end_cell()
                self._in_cell = not tag["close"]
            elif name in _ROWS:
                yield from self._row()
                yield from self._paragraph()
                self._cells = None if tag["close"] or name != "tr" else []
            elif name in _BREAKS and self._in_cell:
                self._runs.append(TextRun(" ", False))
            elif name in _BREAKS:
                yield from self._paragraph()
            self._style(name, tag)
        self._say(place, self._block.end)
        yield from self._row()
        yield from self._paragraph()

    def _say(self, start: int, end: int) -> None:
        """Add the visible characters of start:end of the document in the current styles."""
        start, end = max(start, self._low), min(end, self._high)
        styles = tuple(dict.fromkeys(style for _, style, _ in self._styles if style))
        address = next((address for _, _, address in reversed(self._styles) if address), "")
        runs = self._passage.cut(start, end, styles, address) if start < end else ()
        self._runs += [replace(run, text=unescape(run.text)) for run in runs]

    def _style(self, name: str, tag: re.Match[str]) -> None:
        if name not in _STYLES:
            return
        if tag["close"]:
            places = [place for place, (opened, _, _) in enumerate(self._styles) if opened == name]
            del self._styles[places[-1] : places[-1] + 1 if places else 0]
        else:
            address = _ADDRESS.search(tag["rest"]) if name == "a" else None
            self._styles.append((name, _STYLES[name], address[1] if address else ""))

    def _end_cell(self) -> None:
        if self._in_cell and self._cells is not None:
            self._cells.append(tuple(self._runs))
            self._runs = []
        self._in_cell = False

    def _row(self) -> Iterator[ShownBlock]:
        self._end_cell()
        cells = self._cells or []
        if any(run.text.strip() for cell in cells for run in cell):
            yield ShownBlock("row", tuple(cells), group=-1 - self._block.start)

    def _paragraph(self) -> Iterator[ShownBlock]:
        runs, self._runs = self._runs, []
        if any(run.text.strip() for run in runs):
            yield ShownBlock("paragraph", (tuple(runs),))
