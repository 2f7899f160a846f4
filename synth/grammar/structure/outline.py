"""Sections of a document: a heading with its parent headings, and the lists, tables and paragraphs below it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from synth.grammar.reading import Reading
from synth.grammar.structure.forms import StructureForms
from synth.text.blocks import Block
from synth.text.markup import plain
from synth.text.prose import Sentence

_SPACE = re.compile(r"\s+")
_NUMBERING = re.compile(
    r"^(?:附(?:录|件|表)?\d*[：:]\s*|第[零〇一二三四五六七八九十百千\d]{1,6}[章节節编編篇部]\s*|[一二三四五六七八九十]{1,3}[、．.]\s*|"
    r"[(（][一二三四五六七八九十\d]{1,3}[)）]\s*|(?:Section|Chapter|Part|Appendix|Step)\s+[\dIVXA-Z]{1,4}\s*[.:)–-]\s*|"
    r"\d{1,3}(?:\.\d{1,3})*(?:[.)、．]\s*|\s+(?![种個个款大步条條项項类類位]|\w+s\b))(?![%\d]))",
)
_ENUMERATED = re.compile(r"[（(][一二三四五六七八九十]{1,3}[)）]|[一二三四五六七八九十]{1,3}、(?=\S)|[①-⑳]")
"""Number at the start of a paragraph. Such a paragraph is a list item, as in statutes."""

_TAG = re.compile(r"(?<!\S)[*|][\w:.-]+[*|](?!\S)")
"""Tag that editors put after a heading of a help text: *gui-scrollbars*."""

_SPACED = re.compile(r"(?<=[\u3400-\u9fff]) (?=[\u3400-\u9fff](?: |$))")
"""Space between the characters of a heading that is printed with wide spacing."""

_NEW_LINE = re.compile(r"([^\n。，、；]*[^\n。，、；：])\n\s*[\u3400-\u9fff][^\n]*。")
"""Line of a list item whose next line is a separate sentence."""

_DAGGERS = re.compile(r"(?<=\w)[†‡]+|\s[†‡]+(?=\s|$)")
_EDGES = " \t*_#=:：-–—·•.。"


@dataclass(frozen=True, slots=True)
class Item:
    """List item with the `items` nested below it.

    `text` is plain text without the bullet. `number` is the number as written, or "" for an item with a bullet.
    """

    text: str
    start: int
    end: int
    number: str
    items: tuple[Item, ...] = ()

    @property
    def whole(self) -> str:
        """Text of the item and of all items below it."""
        below = "; ".join(item.whole for item in self.items)
        return f"{self.text} {below}".strip() if below else self.text

    @property
    def last(self) -> int:
        """End offset of the item, including all items below it."""
        return max([self.end, *(item.last for item in self.items)])


@dataclass(frozen=True, slots=True)
class ItemList:
    """List with its lead-in, the paragraph that introduces it.

    `lead` is the text of the lead-in and `lead_start` its offset; they are "" and -1 if there is none.
    """

    items: tuple[Item, ...]
    lead: str = ""
    lead_start: int = -1

    @property
    def ordered(self) -> bool:
        """Whether the items are numbered."""
        return bool(self.items[0].number)

    @property
    def span(self) -> tuple[int, int]:
        """Offsets at which the first item begins and the last item ends."""
        return self.items[0].start, max(item.last for item in self.items)


@dataclass(frozen=True, slots=True)
class Section:
    """Part of a document from one heading to the next.

    `title` is the title of the document. `chain` are the section's heading and those above it, outermost first, without
    their numbers and without the title. `head` is the block of the section's heading; None before the first heading.
    `body` are the blocks below it.
    """

    title: str
    chain: tuple[str, ...]
    head: Block | None
    body: tuple[Block, ...]

    @property
    def heading(self) -> str:
        """Heading of the section; above the first heading, the title of the document."""
        return self.chain[-1] if self.chain else self.title

    @property
    def names(self) -> tuple[str, ...]:
        """The title and the headings of `chain`, outermost first."""
        return (self.title, *self.chain)

    @property
    def kinds(self) -> set[str]:
        """Kinds of the blocks in the body."""
        return {block.kind for block in self.body}


def bare(heading: str) -> str:
    """Return a heading without its number and surrounding marks."""
    text = _SPACED.sub("", _SPACE.sub(" ", _TAG.sub("", heading))).strip(_EDGES)
    return _NUMBERING.sub("", text).strip(_EDGES)


def sections(reading: Reading) -> Iterator[Section]:
    """Yield the sections of a document, in order. Their chains do not include the title."""
    title = bare(reading.document.title)
    head: Block | None = None
    body: list[Block] = []
    for block in reading.blocks:
        if block.kind == "heading":
            yield Section(title, _chain(title, head), head, tuple(body))
            head, body = block, []
        elif block.kind not in ("front_matter", "directive", "page"):
            body.append(block)
    yield Section(title, _chain(title, head), head, tuple(body))


def _chain(title: str, head: Block | None) -> tuple[str, ...]:
    chain = [bare(heading) for heading in head.headings] if head else []
    return tuple(chain[1:] if chain and chain[0].casefold() == title.casefold() else chain)


def concluding(reading: Reading, section: Section, forms: StructureForms) -> Iterator[Sentence]:
    """Yield the sentences of a section that are complete, because no later sentence continues them.

    A sentence is complete at the end of a block and before a sentence that starts a new condition. In a law, every
    sentence is complete. Numbered steps, sentences that introduce a list, table or code, and sentences before an
    addition or exception are left out.
    """
    is_law = forms.has("law", section.title)
    for block, after in zip_longest(section.body, section.body[1:]):
        if block.kind not in ("paragraph", "list_item") or (block.kind == "list_item" and block.number):
            continue
        leads = after is not None and after.kind != block.kind and after.kind in ("list_item", "code", "table_row")
        first, last = reading.within(block.start, block.end)
        for place in range(first, last):
            following = reading.sentences[place + 1].text if place + 1 < len(reading.sentences) else ""
            is_last = place == last - 1
            if (is_last and leads) or forms.has("goes_on", following):
                continue
            if is_last or is_law or forms.has("restarts", following):
                yield reading.sentences[place]


def text_of(reading: Reading, block: Block) -> str:
    """Return the plain text of a block, on one line."""
    markdown = reading.document.metadata.get("format") == "markdown"
    text = plain(reading.document.text, block.start, block.end, markdown=markdown).text
    return _SPACE.sub(" ", _DAGGERS.sub("", text)).strip()


def lists(reading: Reading, section: Section) -> Iterator[ItemList]:
    """Yield the lists of a section, each with its lead-in."""
    body = [_as_item(reading, block) for block in section.body]
    place = 0
    while place < len(body):
        if body[place].kind != "list_item":
            place += 1
            continue
        end = place
        while (
            end < len(body)
            and body[end].kind == "list_item"
            and (body[end].group == body[place].group or body[end].level > body[place].level)
        ):
            end += 1
        items = _items(reading, body[place:end], body[place].level)
        before = body[place - 1] if place else None
        leads = before is not None and before.kind == "paragraph"
        if items and before is not None and leads:
            yield ItemList(items, text_of(reading, before), before.start)
        elif items:
            yield ItemList(items)
        place = end


def _as_item(reading: Reading, block: Block) -> Block:
    """Return the block. A paragraph that starts with a number like "（一）" is returned as a list item."""
    if block.kind == "paragraph" and (match := _ENUMERATED.match(reading.document.text, block.start, block.end)):
        return replace(block, kind="list_item", level=1, group=-1, number=match.group())
    return block


def _items(reading: Reading, blocks: Sequence[Block], level: int) -> tuple[Item, ...]:
    """Return the list items at a nesting level, each with its nested items.

    The text of an item includes its further paragraphs.
    """
    items: list[Item] = []
    place = 0
    while place < len(blocks):
        block = blocks[place]
        end = place + 1
        while end < len(blocks) and (blocks[end].level > level or blocks[end].role == "continuation"):
            end += 1
        own = [b for b in blocks[place + 1 : end] if b.level <= level]
        below = [b for b in blocks[place + 1 : end] if b.level > level]
        if line := _NEW_LINE.match(reading.document.text, block.start, block.end):
            block = replace(block, end=line.end(1))
        text = _ENUMERATED.sub("", " ".join(text_of(reading, b) for b in (block, *own)), count=1)
        inner = _items(reading, below, below[0].level) if below else ()
        items.append(Item(text, block.start, max(b.end for b in (block, *own)), block.number, inner))
        place = end
    return tuple(items)
