"""Units of a document, such as paragraphs, which are packed into chunks. Each has a rank for the boundary before it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from synth.corpus.documents.cut_points import splits_character
from synth.text.blocks import Block, blocks
from synth.text.front_matter import front_matter_end
from synth.text.markup import plain
from synth.text.sentences import split_sentences

# Ranks of boundaries. 1 to 6 are the levels of headings. The lowest rank is the strongest boundary.
BLOCK = 7
AFTER_COLON = 8
WITHIN_GROUP = 9
AFTER_BLANK_LINE = 10
SENTENCE = 11
LINE = 12

_PROSE = ("paragraph", "list_item")
_GROUPS = ("list_item", "table_row")


@dataclass(frozen=True, slots=True)
class TextUnit:
    """A part `text[start:end]` of a document; units follow one another without gaps.

    A unit is a block that may begin with headings; `body` is the offset below them. `headings` are the headings above
    `start`, and `inner` those above `body`. `rank` is the rank of the boundary before the unit.
    """

    start: int
    end: int
    rank: int
    kind: str
    headings: tuple[str, ...]
    body: int
    inner: tuple[str, ...]


def units(text: str, format: str) -> list[TextUnit]:
    """Return units that cover `text` in order, except its front matter.

    Each unit is a block, such as a paragraph, with the headings directly above it.
    """
    front = front_matter_end(text) if format == "markdown" else 0
    parsed = [block for block in blocks(text, format) if block.start >= front]
    result: list[TextUnit] = []
    head: list[Block] = []
    reached = 0
    previous: Block | None = None
    for index, block in enumerate(parsed):
        if block.end <= reached:  # a directive between lines of indented code
            continue
        if block.kind == "heading" and index + 1 < len(parsed):
            head.append(block)
            continue
        first = head[0] if head else block
        rank = _rank(text, first, previous)
        start = _line_start(text, first.start, reached)
        result.append(
            TextUnit(start, block.end, rank, block.kind, first.headings, max(block.start, start), block.headings)
        )
        head, reached, previous = [], block.end, block
    return _without_gaps(result, front, len(text))


def _rank(text: str, block: Block, previous: Block | None) -> int:
    if block.kind == "heading":
        return max(block.level, 1)
    if previous is None:
        return BLOCK
    if block.kind in _GROUPS and block.group and block.group == previous.group:
        return WITHIN_GROUP
    if text[max(0, previous.end - 6) : previous.end].rstrip(" *_`").endswith((":", "：")):
        return AFTER_COLON
    return BLOCK


def _line_start(text: str, start: int, reached: int) -> int:
    """Return the start of a block's line, so that the mark of a list item or quotation stays with the block."""
    return max(reached, text.rfind("\n", reached, start) + 1)


def _without_gaps(units: list[TextUnit], start: int, length: int) -> list[TextUnit]:
    """Return the units, each extended to the next unit; the first begins at `start`."""
    if not units:
        return [TextUnit(start, length, BLOCK, "paragraph", (), start, ())] if start < length else []
    starts = [start, *(unit.start for unit in units[1:]), length]
    return [replace(unit, start=a, end=b) for unit, (a, b) in zip(units, pairwise(starts), strict=True)]


def sentence_units(text: str, unit: TextUnit, *, markdown: bool) -> list[TextUnit]:
    """Split a unit: prose into sentences, other kinds into lines; a table row stays whole.

    Between lines, a blank line is a stronger boundary.
    """
    if unit.kind in _PROSE:
        return _refined(text, unit, [(place, SENTENCE) for place in _sentence_starts(text, unit, markdown=markdown)])
    if unit.kind == "table_row":
        return [unit]
    return _refined(text, unit, list(_line_starts(text, unit)))


def line_units(text: str, unit: TextUnit) -> list[TextUnit]:
    """Split a unit into its lines."""
    return _refined(text, unit, [(place, LINE) for place, _ in _line_starts(text, unit)])


def _sentence_starts(text: str, unit: TextUnit, *, markdown: bool) -> Iterator[int]:
    body = plain(text, unit.body, unit.end, markdown=markdown)
    for start, end in split_sentences(body.text)[1:]:
        yield body.origin(start, end)[0]


def _line_starts(text: str, unit: TextUnit) -> Iterator[tuple[int, int]]:
    line = unit.body
    place = text.find("\n", line, unit.end) + 1
    while 0 < place < unit.end:
        yield place, LINE if text[line:place].strip() else AFTER_BLANK_LINE
        line, place = place, text.find("\n", place, unit.end) + 1


def _refined(text: str, unit: TextUnit, places: list[tuple[int, int]]) -> list[TextUnit]:
    inside = [
        (place, rank) for place, rank in places if unit.start < place < unit.end and not splits_character(text, place)
    ]
    marks = [(unit.start, unit.rank), *sorted(set(inside)), (unit.end, 0)]
    refined = []
    for (start, rank), (end, _) in pairwise(marks):
        headings = unit.headings if start < unit.body else unit.inner
        refined.append(replace(unit, start=start, end=end, rank=rank, headings=headings, body=max(start, unit.body)))
    return refined
