"""Definitions that the next sentence goes on with: "Beehive is a framework for messages. It lets modules talk." """

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import pairwise

from synth.core.records import Draft
from synth.grammar.reading import Reading
from synth.text.prose import Sentence

PATTERN = "definition"
_FILE = "definitions.json"
_STOP = re.compile(r"[.。]$")


def continued(drafts: Sequence[Draft], reading: Reading, folder: str) -> list[Draft]:
    """The drafts, in which a definition has the next sentence of its paragraph too, if that says what the thing does.

    The forms of such a sentence are those of the language pack in `folder`.
    """
    forms = _forms(folder)
    if forms is None or not any(draft.pattern == PATTERN for draft in drafts):
        return [*drafts]
    following = {one.end: (one, other) for one, other in pairwise(reading.sentences) if not other.first}
    return [
        _with_next(draft, *following[draft.spans[-1][1]], forms)
        if draft.pattern == PATTERN and draft.spans[-1][1] in following
        else draft
        for draft in drafts
    ]


def _with_next(draft: Draft, sentence: Sentence, other: Sentence, forms: tuple[re.Pattern[str], str]) -> Draft:
    goes_on, joint = forms
    answer = draft.golden_answers[0]
    whole = _STOP.sub("", sentence.text)
    if whole == sentence.text or not whole.endswith(answer) or not goes_on.fullmatch(other.text):
        return draft
    both = f"{answer}{sentence.text[-1]}{joint}{_STOP.sub('', other.text)}"
    spans = (*draft.spans[:-1], (draft.spans[-1][0], other.end))
    return replace(draft, golden_answers=(both,), spans=spans)


@cache
def _forms(folder: str) -> tuple[re.Pattern[str], str] | None:
    """What a sentence that goes on with a definition is like, and what stands between the two."""
    file = files(folder).joinpath(_FILE)
    if not file.is_file():
        return None
    table = json.loads(file.read_text("utf-8"))
    return re.compile(table["goes_on"]), table["joint"]
