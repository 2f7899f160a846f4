"""The amounts that the object of a fact holds: "42 metres", "two million people", "12 %"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth.grammar.english.relations import Core
from synth.grammar.english.terms import qualifier
from synth.records import Term

if TYPE_CHECKING:
    from spacy.tokens import Token

_UNCOUNTED = ("DATE", "TIME", "ORDINAL", "LAW")


def amounts(core: Core) -> list[Term]:
    """The quantity that an object is, or is counted by, as a qualifier; empty when there is none."""
    head = core.object_head
    if head is None or not core.object:
        return []
    words = _amount(list(core.object), head, core.stated.code)
    return [qualifier(core.stated, words, "quantity", words[-1])] if words else []


def _amount(words: list[Token], head: Token, code: frozenset[int]) -> list[Token]:
    if head.pos_ in ("ADJ", "ADV"):
        measure = next((c for c in head.children if c.dep_ == "npadvmod" and c in words), None)
        return _amount([t for t in words if t.i <= measure.i], measure, code) if measure is not None else []
    if head.lower_ == "one" or (
        head.ent_type_ in _UNCOUNTED and head.lemma_.lower() not in ("year", "day", "hour", "minute")
    ):
        return []
    if any(t.dep_ == "conj" and t.head == head for t in words):
        return []
    number = head if head.pos_ == "NUM" else next((c for c in head.children if c.dep_ == "nummod" and c in words), None)
    if number is not None and number.i in code:
        return []
    if head.text in ("BP", "BC", "AD", "BCE", "CE"):
        return []
    if number is None or not (number.like_num or any(ch.isdigit() for ch in number.text)) or number.lower_ == "one":
        return []
    if re.fullmatch(r"1\d{3}|20\d\d", number.text) and head.tag_ in ("NN", "NNP"):
        return []  # "a 1925 film"
    if number is not head and number.i > head.i and number.doc[head.i].text not in "$£€":
        return []
    first = min(number.left_edge.i, number.i)
    if head.text in "$£€":
        first = min(first, head.i)
    run = [t for t in words if first <= t.i <= max(head.i, number.i)]
    return run if not any(t.dep_ == "det" and t.lower_ in ("the", "these", "its") for t in run) else []
