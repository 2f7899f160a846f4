"""Terms of a glossary: its headings of the deepest level, or else its list items."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING

from synth.grammar.reference_forms import ReferenceEntry, ReferenceForms

if TYPE_CHECKING:
    from synth.grammar.reading import Reading

_TERM = re.compile(r"(?P<name>[^\s:：][^:：()（）]{0,39}?)(?:\s*[:：]\s*|\s[-–—]\s)(?P<rest>\S.*)", re.DOTALL)
_MIN_TERM_HEADINGS = 3
"""Minimum number of headings at the deepest level of a glossary whose headings are the terms.

If there are fewer, the list items are the terms.
"""


def terms(reading: Reading, forms: ReferenceForms) -> Iterator[ReferenceEntry]:
    """Yield the terms of a glossary with their meanings; nothing for other documents.

    If "A policy is a system of principles" is below the heading "Policy", the meaning is "a system of principles". The
    next sentence is added if it depends on that sentence.
    """
    if not forms.glossaries.search(reading.document.title):
        return
    heads = [block for block in reading.blocks if block.kind == "heading"]
    deepest = max((block.level for block in heads), default=0)
    spans = {block.headings: (block.start, block.end) for block in heads if block.level == deepest > 1}
    from_list = len(spans) < _MIN_TERM_HEADINGS
    for sentence, after in zip_longest(reading.sentences, reading.sentences[1:]):
        leans = after is not None and not after.first and forms.leaning.match(after.text)
        more = f" {after.text}" if after is not None and leans and not forms.asides.match(after.text) else ""
        is_item = from_list and sentence.kind == "list_item" and sentence.first
        listed = _TERM.fullmatch(sentence.text) if is_item else None
        span = (sentence.start, sentence.end)
        if listed is not None:
            yield ReferenceEntry(listed["name"], "", "", listed["rest"] + more, sentence.headings, (span,))
        elif not from_list and sentence.kind == "paragraph" and (head := spans.pop(sentence.headings, None)):
            *above, name = sentence.headings
            being = re.match(forms.being.format(re.escape(name)), sentence.text, re.IGNORECASE)
            meaning = sentence.text[being.end() :] if being else sentence.text
            yield ReferenceEntry(name, "", "", meaning + more, tuple(above), (head, span))
