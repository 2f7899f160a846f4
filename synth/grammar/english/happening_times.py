"""When it happened: the dates of a clause, wherever the parser hung them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import SUBJECTS, Clause, Part
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.proposals import Stated
from synth.grammar.english.qualifiers import Role, is_time, role

if TYPE_CHECKING:
    from spacy.tokens import Token

_TIMES = word_set("in on during by at around since until between from throughout within")
_OF_OTHER_TIMES = word_set(
    "report study describe examine analyse analyze compare discuss commemorate celebrate cover remember predict recall "
    "cite criticise criticize mention document resemble exceed follow precede outline mark reflect"
)
YEAR = re.compile(r"\b(?:1\d|20)\d\d\b|\b[5-9]\d\d\b|\bcentury\b")


def timed(clause: Clause) -> tuple[list[Part], Role | None]:
    """The parts after the verb; a date at the end of one of them, which the parser hung on a noun there, on its own."""
    parts: list[Part] = []
    found: Role | None = None
    for part in clause.after:
        inner = inner_date(part) if found is None and clause.verb.lemma_.lower() not in _OF_OTHER_TIMES else None
        if inner is not None:
            found = Role("time", tuple(inner.subtree), next(c for c in inner.children if c.dep_ == "pobj"))
            part = Part(part.head, part.start, inner.i)
        parts.append(part)
    return parts, found


def led_by_year(clause: Clause) -> Role | None:
    """ "In 1901" where the parser took the year for a part of the name after it: "In 1901 Arn Vold ..."."""
    subject, doc = clause.subject, clause.doc
    if subject is None or not subject.start or subject.head.i == subject.start:
        return None
    year, before = doc[subject.start], doc[subject.start - 1]
    if not re.fullmatch(r"1\d{3}|20\d\d", year.text) or before.lower_ != "in" or list(before.children):
        return None
    return Role("time", (before, year), year) if doc[year.i + 1].pos_ in ("PROPN", "DET") else None


def shared_time(stated: Stated) -> Role | None:
    """The time that opens a sentence of co-ordinated clauses: "In 1901 X did this and Y did that"."""
    top = stated.clause.verb
    while top.dep_ == "conj" and top.head.pos_ in ("VERB", "AUX"):
        top = top.head
        subject = next((c for c in top.children if c.dep_ in SUBJECTS), None)
        if subject is None:
            continue
        between = top.doc[top.i : stated.clause.verb.i]
        if any(is_time(t) or t.text in (";", ":") for t in between) or any(
            t.lower_ in ("later", "then", "subsequently", "eventually", "finally", "soon", "after", "until", "before")
            for t in (*between, *stated.clause.verb.subtree)
        ):
            return None
        early = [c for c in top.children if c.dep_ == "prep" and c.i < subject.left_edge.i]
        for child in early:
            part = Part(child, child.left_edge.i, child.right_edge.i + 1)
            found = role(stated, part, opens=True)
            if found.kind == "time" and has_year(found) and found.tokens[0].lower_ in ("in", "on"):
                return found
        return None
    return None


def tells_time(part: Part) -> bool:
    return part.head.lower_ in _TIMES and any(c.dep_ == "pobj" and is_time(c) for c in part.head.children)


def tells_year(part: Part) -> bool:
    """Whether "for" leads to a year: "sheriff for 1727"."""
    return any(c.dep_ == "pobj" and is_time(c) for c in part.head.children) and bool(
        YEAR.search(part.head.doc[part.start : part.end].text)
    )


def has_year(one: Role) -> bool:
    return bool(YEAR.search(" ".join(t.text for t in one.tokens)))


def inner_date(part: Part) -> Token | None:
    """The preposition of a date that ends a part, unless it tells the time of a verb inside the part."""
    if part.dep not in ("dobj", "prep", "agent", "attr", *SUBJECTS):
        return None
    end = part.end
    for token in part.tokens[1:]:
        if token.dep_ != "prep" or token.lower_ not in ("in", "on", "during") or token == part.head:
            continue
        thing = next((c for c in token.children if c.dep_ == "pobj"), None)
        if thing is None or not is_time(thing) or not YEAR.search(token.doc[token.i : token.right_edge.i + 1].text):
            continue
        last = token.right_edge.i + 1
        following = token.doc[last : last + 1].text
        if last != end and following != ",":
            return None
        at = token.head
        while at != part.head:
            if at.pos_ not in ("NOUN", "PROPN", "ADP", "NUM"):
                return None
            at = at.head
        words = list(token.subtree)
        if any(t.dep_ in ("conj", "relcl", "acl") for t in words) or token.doc[token.i - 1].text in (",", "("):
            return None
        return token
    return None
