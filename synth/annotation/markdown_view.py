"""Structure of a shown passage: its Markdown as blocks of styled text, for a page that builds elements of it.

Nothing of a document becomes markup or an address that is loaded: HTML stays text, an image is its description, a link
its words. Marks of Markdown are left out; every other character of the passage is shown.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from synth.annotation.context import ShownPassage
from synth.core.records import Document
from synth.text.blocks import Block, blocks

# Each pattern ends at the next mark of its own kind, so that hostile text takes linear time.
_INLINE = re.compile(
    r"""
    \\(?P<escape>[!-/:-@\[-`{-~])
  | ``?(?P<code>[^`\n]+)``?
  | !\[(?P<image>[^\[\]\n]*)\]\((?P<source>[^()\s]*)\)
  | \[(?P<link>[^\[\]]+)\]\((?P<target>[^()\s]*)\)
  | \*\*(?P<strong>[^*\s](?:[^*]*[^*\s])?)\*\*
  | \*(?P<em>[^*\s](?:[^*]*[^*\s])?)\*
  | (?<!\w)__(?P<strong_>[^_\s](?:[^_]*[^_\s])?)__(?!\w)
  | (?<!\w)_(?P<em_>[^_\s](?:[^_]*[^_\s])?)_(?!\w)
    """,
    re.VERBOSE,
)
_HEADING = re.compile(r"\#{1,6}[ \t]+|[ \t]+\#+[ \t]*\Z|\n[=-]+[ \t]*\Z")
_BULLET = re.compile(r"(?:[-*+]|(?P<number>\d{1,9}[.)]))[ \t]+")
_QUOTE = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*(?P<info>[^\n]*)\n?")
_FENCE_END = re.compile(r"(?:\A|\n)[ \t]*(?:`{3,}|~{3,})[ \t]*\Z")
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"[\s|:*_=>-]*")
_WRITTEN = {"code": "code", "html": "code", "front_matter": "code", "directive": "text"}


@dataclass(frozen=True, slots=True)
class TextRun:
    """Characters in one style: names of styles, whether they are evidence, and the address of a link or image."""

    text: str
    evidence: bool
    styles: tuple[str, ...] = ()
    address: str = ""


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A block: text, paragraph, heading, item, quote, code or row.

    `cells` has the runs of each cell of a row, and one cell in other blocks. `level` is that of a heading, or the depth
    of an item; `group` is equal in the rows of one table; `mark` stands before an item.
    """

    kind: str
    cells: tuple[tuple[TextRun, ...], ...]
    level: int = 0
    group: int = 0
    mark: str = ""


def shown_blocks(passage: ShownPassage, document: Document | None) -> list[ShownBlock]:
    """The blocks of a passage; one of plain text where its document is missing, has changed, or is no Markdown."""
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
                yield self._block(block, start, end)
                place = end
        yield from self._between(place, high)

    def _between(self, start: int, end: int) -> Iterator[ShownBlock]:
        """What stands between two blocks, unless it is white space, a rule or the line under a table's head."""
        if start < end and not _RULE.fullmatch(self.text, start, end):
            yield self._verbatim_block("text", start, end)

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
        """A block whose text is shown as it is written, without the fences of code."""
        runs: list[TextRun] = []
        fence = _FENCE.match(self.text, start, end) if fenced else None
        if fence:
            runs += self._cut(*fence.span("info"), ("info",))
            start = fence.end()
        for part in _outside(_FENCE_END if fence else None, self.text, start, end):
            runs += self._cut(*part)
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
            yield from self._cut(place, match.start(), styles, address)
            place = match.end()
            kind = next(
                name
                for name in ("escape", "code", "image", "link", "strong", "em", "strong_", "em_")
                if match[name] is not None
            )
            if kind == "escape":
                yield from self._cut(*match.span(kind), styles, address)
            elif kind in ("code", "image"):
                yield from self._cut(*match.span(kind), (*styles, kind), match["source"] or address)
            else:
                yield from self._styled(*match.span(kind), (*styles, kind.rstrip("_")), match["target"] or address)
        yield from self._cut(place, end, styles, address)

    def _cut(self, start: int, end: int, styles: tuple[str, ...] = (), address: str = "") -> Iterator[TextRun]:
        """The characters start:end, parted where evidence begins or ends."""
        ends = {bound for span in self.spans for bound in span if start < bound < end}
        bounds = [start, *sorted(ends), end]
        for a, b in pairwise(bounds):
            if a < b:
                evidence = any(first <= a < last for first, last in self.spans)
                yield TextRun(self.text[a:b], evidence, styles, address)


def _outside(pattern: re.Pattern[str] | None, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The ranges of text[start:end] between the matches of a pattern."""
    if pattern is None:
        yield start, end
        return
    place = start
    for match in pattern.finditer(text[start:end]):
        yield place, start + match.start()
        place = start + match.end()
    yield place, end
