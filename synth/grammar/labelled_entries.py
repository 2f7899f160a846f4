"""Entries that a list below their heading describes: "- Name: `LOG_LEVEL`", "- Default: `info`"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING

from synth.grammar.reference_forms import ReferenceEntry, ReferenceForms, is_name
from synth.text.markup import plain

if TYPE_CHECKING:
    from synth.grammar.reading import Reading
    from synth.text.blocks import Block

_LABELLED = re.compile(r"(?P<label>[^:：`]{2,20}?)\s*[:：]\s*(?P<value>\S.*)", re.DOTALL)


def labelled_entries(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """The entries with an item for their default value, named by another item or else by the heading."""
    text = reading.document.text
    for place, head in enumerate(reading.blocks):
        if head.kind != "heading":
            continue
        section = [*takewhile(lambda block: block.kind != "heading", reading.blocks[place + 1 :])]
        labelled = _labelled([block for block in section if block.kind == "list_item"], text, forms)
        if "default" not in labelled or forms.outdated.search(text, head.start, section[-1].end):
            continue
        title = plain(text, head.start, head.end)
        name, named, is_code = labelled.get("name", (title.text, head, bool(title.code)))
        value, told, _ = labelled["default"]
        if is_name(name, True, is_code):
            spans = ((named.start, named.end), (told.start, told.end))
            yield ReferenceEntry(name, "", value, "", head.headings[:-1], spans)


def _labelled(items: list[Block], text: str, forms: ReferenceForms) -> dict[str, tuple[str, Block, bool]]:
    """What items say by role, the items, and whether they have inline code."""
    found: dict[str, tuple[str, Block, bool]] = {}
    for item in items:
        words = plain(text, item.start, item.end)
        if match := _LABELLED.fullmatch(words.text):
            for role, choice in forms.columns.items():
                if any(form.fullmatch(match["label"]) for form in choice):
                    found.setdefault(role, (match["value"], item, bool(words.code)))
    return found
