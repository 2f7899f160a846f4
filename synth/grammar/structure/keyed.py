"""Groups of lines "Key: value" in a section. Above each group is the name of the thing that it describes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from synth.grammar.structure.facts import Told
from synth.grammar.structure.figures import figure
from synth.grammar.structure.outline import Section, bare, text_of
from synth.grammar.structure.reader import StructureReader
from synth.grammar.structure.table_facts import is_name
from synth.text.blocks import Block
from synth.text.markup import plain

_PAIR = re.compile(
    r"[^\w\"“‘'《「(（]*(?P<key>[^\d:：。.!?！？，,、/][^:：。.!?！？，,、/]{0,40}?)\s*[:：](?!//)\s*(?P<value>\S.*)",
    re.DOTALL,
)
_NEXT_KEY = re.compile(r"[:：]\s*$|(?:^|\s|[；;/／])[^\W\d_]{2,12}[:：](?!//)")
"""Sign that another key starts inside a value."""

_NO_NAME = re.compile(r"[.。!！?？;；,，:：]|\[|https?:")
_NUMBER = re.compile(r"^\d{1,2}\s+")
_COMMON = re.compile(r"[A-Z][a-z]+")
"""Pattern of a capitalised word, which may be a common noun instead of a name."""

_FRAME = "【】〖〗《》「」[]()（）*_ "
_LONGEST = {True: (20, 8, 90), False: (6, 4, 30)}
"""Maximum length of a name, a key and a value: characters in Chinese (True), else words (False)."""


Pair: TypeAlias = tuple[str, str, tuple[int, int]]
"""A key, its value and its offsets."""


@dataclass(slots=True)
class _Group:
    """A name with its offsets, and the pairs in the lines below it."""

    name: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    level: int = 0
    pairs: list[Pair] = field(default_factory=list)


def keyed_told(author: StructureReader, section: Section) -> Iterator[Told]:
    """Yield the attributes that "Key: value" lines state about the name above them, or else the section's subject.

    A key below a name is an attribute if it occurs below several names, or if it is a known attribute among other keys.
    Without a name above, it must be a known attribute and occur only once in the section.
    """
    forms = author.language.forms
    groups = [group for group in _groups(author, section) if group.pairs]
    named = Counter(key.casefold() for group in groups if group.name for key, _, _ in group.pairs)
    every = Counter(key.casefold() for group in groups for key, _, _ in group.pairs)
    for group in groups:
        for key, value, span in group.pairs:
            label = author.language.noun(key, author.reading)
            shared = named[key.casefold()] > 1
            if group.name:
                asks = shared or (len(group.pairs) > 1 and forms.is_attribute(label))
            else:
                asks = every[key.casefold()] == 1 and not (
                    forms.has("person", label) or forms.has("options", section.heading)
                )
                asks = asks and forms.has("attribute_label", label)
            if asks and not forms.has("skip_column", label):
                yield from _told(author, section, group, (label, value, span), shared=shared)


def _told(author: StructureReader, section: Section, group: _Group, pair: Pair, *, shared: bool) -> Iterator[Told]:
    label, value, span = pair
    thing, amount = group.name or author.thing(section), figure(value)
    forms = author.language.forms
    counted = forms.has("when_label", label) or forms.has("amount_label", label)
    if not thing or (counted and not any(map(str.isdigit, value))) or label.casefold() in thing.casefold():
        return
    fact = author.fact(
        "attribute",
        thing,
        label,
        value,
        (*author.head_span(section), *group.spans, span),
        peers=f"attribute {label.casefold()}" if shared or not group.name else "",
        amount=str(amount.value) if amount else "",
        unit=amount.unit if amount else "",
        names="" if amount else forms.frame("attribute_of", label).format(thing=thing, label=label),
        named=shared,
    )
    counts = amount is not None and not forms.has("kind_label", label)
    asked = author.asked(("value_money" if amount and amount.before else "value_number") if counts else "value", fact)
    if group.name and (_COMMON.fullmatch(thing) or not is_name(thing)):
        asked = author.within(asked, section)
    yield Told(fact, (author.draft(fact, asked, "simple", "key_value", 0.68),) if asked else ())


def _groups(author: StructureReader, section: Section) -> Iterator[_Group]:
    """Yield the groups of a section, in order."""
    group = _Group()
    for block in section.body:
        if block.kind not in ("paragraph", "list_item"):
            if block.kind != "html" and block.kind != "directive":
                yield group
                group = _Group()
            continue
        pairs = list(_pairs(author, block))
        nested = block.kind == "list_item" and block.level > group.level
        fits = nested or not group.level if group.name else True
        if pairs and fits:
            group.pairs += pairs
            continue
        if group.level and nested and group.name:
            continue  # a line about the thing that is not a pair
        yield group
        text = text_of(author.reading, block)
        name = "" if pairs else _name(author, text)
        level = block.level if block.kind == "list_item" else 0
        group = _Group(name, ((block.start, block.end),) if name else (), level)
    yield group


def _name(author: StructureReader, text: str) -> str:
    """Return the name in a line, or "" if the line is a sentence or a label such as "Overview"."""
    name = _NUMBER.sub("", bare(text.strip(_FRAME)).strip(_FRAME))
    forms = author.language.forms
    if (
        not name
        or _NO_NAME.search(text)
        or not author.fits(name, _LONGEST[author.chinese][0])
        or forms.has("label", name)
    ):
        return ""
    return name if any(map(str.isalpha, name)) and author.language.thing(name, author.reading) else ""


def _pairs(author: StructureReader, block: Block) -> Iterator[Pair]:
    """Yield the pairs of a block: one per line if every line is a pair, else the whole block if it is one pair."""
    text = author.reading.document.text
    lines = [*re.finditer(r"[^\n]*\S[^\n]*", text[block.start : block.end])]
    spans = [(block.start + line.start(), block.start + line.end()) for line in lines]
    several = [_pair(author, span) for span in spans]
    if len(spans) > 1 and all(several):
        yield from filter(None, several)
    elif whole := _pair(author, (block.start, block.end)):
        yield whole


def _pair(author: StructureReader, span: tuple[int, int]) -> Pair | None:
    line = bare(" ".join(plain(author.reading.document.text, *span).text.split()))
    match, (_, most, longest) = _PAIR.fullmatch(line), _LONGEST[author.chinese]
    if match is None:
        return None
    key, value = match["key"].strip("*_` "), match["value"].strip("*_`<>\xa0 。.;；")
    forms = author.language.forms
    if not author.fits(key, most) or not author.fits(value, longest) or forms.has("bad_key", key):
        return None
    if (
        (not author.chinese and author.language.goal(key, author.reading))
        or _NEXT_KEY.search(value)
        or "。" in value
        or author.points(value)
        or forms.has("no_value", value)
    ):
        return None
    return key, value, span
