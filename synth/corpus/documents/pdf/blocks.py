"""Blocks of a PDF in reading order: headings, items, tables, and paragraphs joined over columns and pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from synth.corpus.documents import markdown
from synth.corpus.documents.pdf.columns import regions
from synth.corpus.documents.pdf.hyphens import PAGE_MARK, Hyphens
from synth.corpus.documents.pdf.lines import Line
from synth.corpus.documents.pdf.tables import tables

_SENTENCE_END = re.compile(r"[.!?。！？:：;；][\"'”’」』)）\]]*$")
_BULLET = re.compile(r"\s*(?:[•●◦▪■‣∙·\uf0b7\uf0a7➢✓]|[-–*](?=\s))\s*(?=\S)")
_NUMBERED_ITEM = re.compile(
    r"\s*(?:\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\d{1,3}、|[（(][一二三四五六七八九十\d]{1,3}[)）])(?=\s|[^\W\d_a-zA-Z])"
)
_LABEL = re.compile(
    r"[•●◦▪■‣∙·\uf0b7\uf0a7➢✓*–-]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,5})[.)]|\d{1,2}(?:\.\d{1,2})+\.?|"
    r"(?:chapter|section|part|item|article|appendix|annex|note) \w{1,4}[.:]?",
    re.I,
)
"""Words that begin an item or a heading, and that a wide gap may separate from its text."""
_SECTION = re.compile(
    r"(?:(?:chapter|section|part|item|article|appendix|annex|note)\s+)?(\d{1,2}(?:\.\d{1,2})*)\.?\s+[^\W\d_]|"
    r"(?:第[一二三四五六七八九十百\d]+[章节節条條部编編]|[一二三四五六七八九十]{1,3}、)",
    re.I,
)
_KEY = re.compile(r"[^\W\d_][^.:：。]{0,40}[:：]\s*\S")
"""A line with a key and a value, such as "Weight: 41 kilograms"."""
_TITLE = re.compile(r"(?:(?:\d+\.)*\d+\.?\s+)?[^\W\d_a-z]")

# Widths of lines, as shares of the width of their region (a column, or the page).
_FILLED = 0.75
"""Minimum width of a line that continues in the next line, as a share of the width of its region."""
_FILLED_BEFORE_BREAK = 0.8
"""As `_FILLED`, before a new column or page."""
_SHORT = 0.6
"""Maximum width of a line that may end a paragraph or be a title, as a share of the width of its region."""

_LARGER = 1.12
"""Minimum size of a heading, as a multiple of the text size."""
_LONGEST_HEADING = 160
_LONGEST_PLAIN_TITLE = 60
_MOST_HEADING_LINES = 4
_SPREAD = 2.0
"""Minimum gap between two words that do not belong to one phrase, as a multiple of the line's font size."""
_WIDE_GAP = 1.45
"""Minimum distance between paragraphs, as a multiple of the distance between lines."""


@dataclass(slots=True)
class Block:
    """Lines that belong together, or the rows of a table.

    `page` is the page index. `width` is the width of the region of the page, such as a column, that contains the block.
    """

    kind: str
    page: int
    lines: list[Line]
    width: float = 0.0
    rows: Sequence[Sequence[str]] = ()
    begins_page: bool = False

    @property
    def size(self) -> float:
        """Font size of the line with the most words."""
        return max(self.lines, key=lambda line: len(line.words)).size

    @property
    def bold(self) -> bool:
        """Whether all lines are bold."""
        return all(line.bold for line in self.lines)

    @property
    def italic(self) -> bool:
        """Whether all lines are italic."""
        return all(line.italic for line in self.lines)


def blocks_of(pages: Sequence[Sequence[list[Line]]]) -> list[Block]:
    """Return the blocks of all pages. Each page consists of one list of lines per reading direction."""
    blocks: list[Block] = []
    for number, frames in enumerate(pages):
        first = len(blocks)
        for lines in frames:
            for region in regions(lines):
                blocks.extend(_region_blocks(region, number))
        if len(blocks) > first:
            blocks[first].begins_page = True
    return blocks


def _region_blocks(lines: list[Line], page: int) -> Iterator[Block]:
    start, end = min(line.x0 for line in lines), max(line.x1 for line in lines)
    width, done = end - start, 0
    pitch = _pitch(lines)
    for table in tables(lines):
        yield from _paragraphs(lines[done : table.first], start, width, pitch, page)
        yield Block("table", page, lines[table.first : table.last], width, table.rows)
        done = table.last
    yield from _paragraphs(lines[done:], start, width, pitch, page)


def _pitch(lines: Sequence[Line]) -> float:
    """Return the usual distance of two baselines, as a multiple of the font size."""
    steps = [
        (after.baseline - before.baseline) / before.size
        for before, after in pairwise(lines)
        if abs(after.size - before.size) < 0.05 * before.size and len(before.words) > 3
    ]
    return min(median(steps), 2.2) if steps else 1.3


def _paragraphs(lines: Sequence[Line], start: float, width: float, pitch: float, page: int) -> Iterator[Block]:
    block: list[Line] = []
    for line in lines:
        if block and _ends(block, line, start, width, pitch):
            yield Block("text", page, block, width)
            block = []
        block.append(line)
    if block:
        yield Block("text", page, block, width)


def _ends(block: Sequence[Line], line: Line, start: float, width: float, pitch: float) -> bool:
    """Whether a paragraph ends before `line`."""
    before = block[-1]
    if abs(line.size - before.size) > 0.07 * before.size:
        return True
    # A bold word at the start of a line does not begin a paragraph, but a bold line does.
    if line.bold != before.bold and (line.bold or block[0].bold):
        return True
    if line.baseline - before.baseline > _WIDE_GAP * pitch * before.size:
        return True
    text = line.text
    if _opens_item(text) or _is_spread(line) or _is_spread(before, label=_label(before)):
        return True
    if _KEY.match(text) and (_SENTENCE_END.search(before.text) or _KEY.match(before.text) or len(block) == 1):
        return True
    share = (before.x1 - start) / max(width, 1)
    if line.x0 - block[0].x0 > 1.2 * line.size and len(block) > 1 and abs(before.x0 - line.x0) > line.size:
        return bool(_SENTENCE_END.search(before.text))
    if share >= _FILLED:
        return False
    lower = text[:1].islower()
    if _SENTENCE_END.search(before.text):
        return share < _SHORT or not lower
    return share < _SHORT and not lower and not before.text.endswith((",", "，", "、", "-"))


def _is_spread(line: Line, label: int = 0) -> bool:
    """Whether a line contains a wide gap, as between a name and its value, not counting the gap after `label` words."""
    gaps = [after.x0 - before.x1 for before, after in pairwise(line.words)]
    return any(gap > _SPREAD * line.size for number, gap in enumerate(gaps, 1) if number != label)


def _label(line: Line) -> int:
    """Return the number of words in the bullet or number that begins a line, such as 2 for "Item 5.", or 0."""
    return next((count for count in (1, 2) if _LABEL.fullmatch(" ".join(w.text for w in line.words[:count]))), 0)


def _opens_item(text: str) -> bool:
    return bool(_BULLET.match(text) or _NUMBERED_ITEM.match(text))


def text_of(blocks: Sequence[Block]) -> tuple[str, list[str]]:
    """Return the blocks as Markdown with a PAGE_MARK at each page start, and the headings of the first page.

    The headings are sorted by size, largest first.
    """
    body = _body_size(blocks)
    hyphens = Hyphens(line.text for block in blocks for line in block.lines)
    mostly_bold = sum(block.bold for block in blocks) > 0.5 * len(blocks)
    texts = [hyphens.joined([line.text for line in block.lines]) for block in blocks]
    headings = [
        _is_heading(block, text, following, body, mostly_bold)
        for block, text, following in zip(blocks, texts, [*blocks[1:], None], strict=False)
    ]
    levels = _levels([block for block, is_heading in zip(blocks, headings, strict=True) if is_heading])
    plain = not levels
    pieces: list[str] = []
    heads: list[tuple[float, str]] = []
    index = 0
    while index < len(blocks):
        block = blocks[index]
        text, is_heading = texts[index], headings[index]
        mark = PAGE_MARK if block.begins_page else ""
        index += 1
        if block.kind == "table":
            pieces.append(mark + markdown.table(block.rows))
            continue
        if is_heading:
            if block.page == blocks[0].page and _letters(text) > 2:
                heads.append((block.size, text))
            pieces.append(mark + markdown.heading(_level(text, levels[_style(block)]), text))
            continue
        following = blocks[index] if index < len(blocks) else None
        if plain and following and _is_plain_title(block, text, following):
            pieces.append(mark + markdown.heading(2, text))
            continue
        while following and _goes_on(block, text, following):
            text = hyphens.joined(
                [
                    text,
                    (PAGE_MARK if following.begins_page else "") + texts[index],
                ]
            )
            block = following
            index += 1
            following = blocks[index] if index < len(blocks) else None
        bullet = _BULLET.match(text)
        if bullet:
            pieces.append(mark + markdown.item(text[bullet.end() :]))
        else:
            pieces.append(mark + markdown.paragraph(text))
    return markdown.join(pieces), [text for _, text in sorted(heads, key=lambda head: -head[0])]


def page_starts(text: str, blocks: Sequence[Block], pages: int) -> tuple[str, list[int]]:
    """Return the text without page marks, and the offset at which each page begins.

    A page without text begins at the same offset as the next page.
    """
    parts = text.split(PAGE_MARK)
    marked = [block.page for block in blocks if block.begins_page]
    starts, offset = {}, len(parts[0])
    for page, part in zip(marked, parts[1:], strict=True):
        starts[page] = offset
        offset += len(part)
    result = [offset] * pages
    for page in reversed(range(pages)):
        result[page] = starts.get(page, result[page + 1] if page + 1 < pages else offset)
    return "".join(parts), result


def _body_size(blocks: Sequence[Block]) -> float:
    sizes: Counter[float] = Counter()
    for block in blocks:
        for line in block.lines:
            sizes[round(line.size * 2) / 2] += sum(len(word.text) for word in line.words)
    return max(sizes, key=lambda size: (sizes[size], size)) if sizes else 0.0


def _style(block: Block) -> tuple[float, int]:
    return round(block.size * 2) / 2, 2 * block.bold or block.italic


def _levels(headings: Sequence[Block]) -> dict[tuple[float, int], int]:
    """Return the level of each style of headings. Larger styles come first; of one size, bold before italic."""
    styles = sorted(set(map(_style, headings)), reverse=True)
    return {style: min(level, 6) for level, style in enumerate(styles, 1)}


def _is_heading(block: Block, text: str, following: Block | None, body: float, mostly_bold: bool) -> bool:
    """Whether a block is larger than the text, or bold, or a title or sentence that stands out above a paragraph."""
    if block.kind != "text":
        return False
    is_bold = block.bold and not mostly_bold
    if (block.size >= _LARGER * body or (is_bold and block.size > 0.9 * body)) and _may_be_heading(block, text):
        return True
    if following is None or following.kind != "text" or len(following.lines) < 2 or following.bold or following.italic:
        return False
    if following.size > 1.07 * block.size or not _TITLE.match(text) or _letters(text) < 2:
        return False
    if is_bold or block.size >= _LARGER * following.size:
        return len(block.lines) <= _MOST_HEADING_LINES and not text.endswith((",", "，", "、", ";", "；"))
    return block.italic and len(block.lines) == 1 and len(text) <= _LONGEST_PLAIN_TITLE and text[-1].isalnum()


def _may_be_heading(block: Block, text: str) -> bool:
    if len(block.lines) > _MOST_HEADING_LINES or len(text) > _LONGEST_HEADING or _letters(text) < 2:
        return False
    if _BULLET.match(text) or text.endswith((",", "，", "、", ";", "；")):
        return False
    return not (_SENTENCE_END.search(text) and not text.endswith((":", "?", "？", "：")) and text.count(" ") > 8)


def _letters(text: str) -> int:
    return sum(map(str.isalpha, text))


def _level(text: str, level: int) -> int:
    section = _SECTION.match(text)
    if section and section.group(1) and "." in section.group(1):
        return max(level, min(6, section.group(1).count(".") + 2))
    return level


def _is_plain_title(block: Block, text: str, following: Block) -> bool:
    """Whether a short line is a title above a paragraph, in a document without larger or bold titles."""
    if len(block.lines) != 1 or following.kind != "text" or not 1 < len(text) <= _LONGEST_PLAIN_TITLE:
        return False
    section = _SECTION.match(text)
    if section is None and (re.search(r"[\d:：]", text) or len(following.lines) < 2):
        return False
    short = block.lines[0].x1 - block.lines[0].x0 <= _SHORT * block.width
    return (
        short and bool(_TITLE.match(text)) and not _SENTENCE_END.search(text) and not text.endswith((",", "，", "、"))
    )


def _goes_on(block: Block, text: str, following: Block) -> bool:
    """Whether a paragraph continues in the next column or on the next page."""
    if following.kind != "text" or (
        following.page == block.page and following.lines[0].baseline > block.lines[-1].baseline
    ):
        return False
    if abs(following.size - block.size) > 0.07 * block.size or block.bold != following.bold:
        return False
    filled = (block.lines[-1].x1 - min(line.x0 for line in block.lines)) > _FILLED_BEFORE_BREAK * block.width
    first = following.lines[0].text
    if _SENTENCE_END.search(text) or _opens_item(first):
        return False
    return filled or (first[:1].islower() and len(block.lines) > 1)
