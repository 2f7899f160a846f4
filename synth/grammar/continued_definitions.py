"""Definitions that the next sentence goes on with: "Beehive is a framework for messages. It lets modules talk."

What everyone knows is not asked for, and what others make only after the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import pairwise

from synth.core.records import Draft
from synth.grammar.reading import Reading
from synth.text.prose import Sentence

PATTERN = "definition"
_FILE = "definitions.json"
_LINKED = re.compile(r"\W*\[\W*([^\]]*[^\]\W])\W*\]\(https?://")
"""The beginning of a sentence about a thing that has a page elsewhere, as one that others made has."""

_SHARE_OF_OTHERS = 0.5
"""Share of its worth that a definition of what others make keeps."""

_STOP = re.compile(r"[.。]$")


@dataclass(frozen=True, slots=True)
class _Forms:
    """A sentence that goes on with a definition, what stands between the two, and questions on what everyone knows and
    on products of large makers."""

    goes_on: re.Pattern[str]
    joint: str
    known: re.Pattern[str]
    made_by_others: re.Pattern[str]


def continued(drafts: Sequence[Draft], reading: Reading, folder: str) -> list[Draft]:
    """The drafts, in which a definition has the next sentence of its paragraph too, if that says what the thing does.

    One of what everyone knows has no worth, one of a thing that others make has less: of one with a page elsewhere, or
    with the name of a large maker. Such names and the forms of such a sentence are those of the language pack in
    `folder`.
    """
    forms = _forms(folder)
    if forms is None or not any(draft.pattern == PATTERN for draft in drafts):
        return [*drafts]
    following = {one.end: (one, other) for one, other in pairwise(reading.sentences) if not other.first}
    made = []
    for draft in drafts:
        if draft.pattern == PATTERN and forms.known.fullmatch(draft.question):
            draft = replace(draft, worth=0.0)
        elif draft.pattern == PATTERN:
            linked = _LINKED.match(reading.document.text, draft.spans[0][0])
            if forms.made_by_others.fullmatch(draft.question) or (linked and linked[1] in draft.question):
                draft = replace(draft, worth=draft.worth * _SHARE_OF_OTHERS)
            if draft.spans[-1][1] in following:
                draft = _with_next(draft, *following[draft.spans[-1][1]], forms)
        made.append(draft)
    return made


def _with_next(draft: Draft, sentence: Sentence, other: Sentence, forms: _Forms) -> Draft:
    answer = draft.golden_answers[0]
    whole = _STOP.sub("", sentence.text)
    if whole == sentence.text or not whole.endswith(answer) or not forms.goes_on.fullmatch(other.text):
        return draft
    both = f"{answer}{sentence.text[-1]}{forms.joint}{_STOP.sub('', other.text)}"
    spans = (*draft.spans[:-1], (draft.spans[-1][0], other.end))
    return replace(draft, golden_answers=(both,), spans=spans)


@cache
def _forms(folder: str) -> _Forms | None:
    file = files(folder).joinpath(_FILE)
    if not file.is_file():
        return None
    table = json.loads(file.read_text("utf-8"))
    known, makers = ("|".join(map(re.escape, table[name])) for name in ("known", "makers"))
    return _Forms(
        goes_on=re.compile(table["goes_on"]),
        joint=table["joint"],
        known=re.compile(table["asks"].format(known), re.IGNORECASE),
        made_by_others=re.compile(table["asks"].format(f"(?:{makers})(?![a-z]).*")),
    )
