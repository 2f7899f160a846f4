"""A document as units that chunks are packed from, each with how strongly it is parted from the one before."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from synth.corpus.documents.cut_points import splits_character
from synth.text.blocks import Block, blocks
from synth.text.markup import plain
from synth.text.sentences import split_sentences

# Ranks of a boundary: a heading's level (1 to 6), then these; the lowest parts most.
BLOCK = 7
AFTER_COLON = 8
WITHIN_GROUP = 9
PASSAGE = 10
SENTENCE = 11
LINE = 12

_PROSE = ("paragraph", "list_item")
_GROUPS = ("list_item", "table_row")


@dataclass(frozen=True, slots=True)
class TextUnit:
    """`text[start:end]`; units follow one another without gaps.

    `headings` is the path at `start`, `inner` that from `body` on, where the block below the headings begins.
    """

    start: int
    end: int
    rank: int
    kind: str
    headings: tuple[str, ...]
    body: int
    inner: tuple[str, ...]


def units(text: str, format: str) -> list[TextUnit]:
    """Units that cover `text` in order: a block each, headings joined to the block below them."""
    found = blocks(text, format)
    made: list[TextUnit] = []
    head: list[Block] = []
    reached = 0
    previous: Block | None = None
    for index, block in enumerate(found):
        if block.end <= reached:
            continue
        if block.kind == "heading" and index + 1 < len(found):
            head.append(block)
            continue
        first = head[0] if head else block
        rank = _rank(text, first, previous)
        start = _line_start(text, first.start, reached)
        made.append(
            TextUnit(start, block.end, rank, block.kind, first.headings, max(block.start, start), block.headings)
        )
        head, reached, previous = [], block.end, block
    return _without_gaps(made, len(text))


def _rank(text: str, block: Block, previous: Block | None) -> int:
    if block.kind == "heading":
        return max(block.level, 1)
    if previous is None or previous.kind == "heading":
        return BLOCK
    if block.kind in _GROUPS and block.group and block.group == previous.group:
        return WITHIN_GROUP
    if text[max(0, previous.end - 6) : previous.end].rstrip(" *_`").endswith((":", "：")):
        return AFTER_COLON
    return BLOCK


def _line_start(text: str, start: int, reached: int) -> int:
    """Where the line of a block begins, so that a list or quotation mark stays with it."""
    return max(reached, text.rfind("\n", reached, start) + 1)


def _without_gaps(made: list[TextUnit], length: int) -> list[TextUnit]:
    """The units, each reaching to the next, so that nothing of the text is left out."""
    if not made:
        return [TextUnit(0, length, BLOCK, "paragraph", (), 0, ())] if length else []
    starts = [0, *(unit.start for unit in made[1:]), length]
    return [replace(unit, start=a, end=b) for unit, (a, b) in zip(made, pairwise(starts), strict=True)]


def sentence_units(text: str, unit: TextUnit, *, markdown: bool) -> list[TextUnit]:
    """A unit as its sentences, or, where it is code or a table, as its passages between blank lines."""
    if unit.kind in _PROSE:
        return _refined(text, unit, [(place, SENTENCE) for place in _sentence_starts(text, unit, markdown=markdown)])
    if unit.kind == "table_row":
        return [unit]
    return _refined(text, unit, list(_line_starts(text, unit)))


def line_units(text: str, unit: TextUnit) -> list[TextUnit]:
    """A unit as its lines."""
    return _refined(text, unit, [(place, LINE) for place, _ in _line_starts(text, unit)])


def _sentence_starts(text: str, unit: TextUnit, *, markdown: bool) -> Iterator[int]:
    body = plain(text, unit.body, unit.end, markdown=markdown)
    for start, end in split_sentences(body.text)[1:]:
        yield body.origin(start, end)[0]


def _line_starts(text: str, unit: TextUnit) -> Iterator[tuple[int, int]]:
    line = unit.body
    place = text.find("\n", line, unit.end) + 1
    while 0 < place < unit.end:
        yield place, LINE if text[line:place].strip() else PASSAGE
        line, place = place, text.find("\n", place, unit.end) + 1


def _refined(text: str, unit: TextUnit, places: list[tuple[int, int]]) -> list[TextUnit]:
    inside = [
        (place, rank) for place, rank in places if unit.start < place < unit.end and not splits_character(text, place)
    ]
    marks = [(unit.start, unit.rank), *sorted(set(inside)), (unit.end, 0)]
    made = []
    for (start, rank), (end, _) in pairwise(marks):
        headings = unit.headings if start < unit.body else unit.inner
        made.append(replace(unit, start=start, end=end, rank=rank, headings=headings, body=max(start, unit.body)))
    return made
