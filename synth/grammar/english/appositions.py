"""Facts that a sentence states beside its clauses: "X, a Danish painter, ..." and "X (1811-1880) was ..."."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import Clause
from synth.grammar.english.phrases import Unsure, is_person, lean, parenthesised
from synth.grammar.english.proposals import Stated, names_person
from synth.grammar.english.renderings import type_of
from synth.grammar.english.terms import alone, introduced, noun
from synth.grammar.english.wording import phrase
from synth.records import Fact, Term

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = rf"(?:\d{{1,2}} {_MONTH} \d{{3,4}}|{_MONTH} \d{{1,2}}, ?\d{{3,4}}|\d{{3,4}})"
_LIFE = re.compile(
    rf"\(\s?(?:(?:born|b\.)\s(?P<only>{_DATE})|(?P<birth>{_DATE})\s?[-–—]\s?(?P<death>{_DATE})|"
    rf"(?:died|d\.)\s(?P<end>{_DATE}))\s?\)"
)
_TITLES = re.compile(
    r"\b(king|queen|emperor|empress|pope|president|bishop|archbishop|sultan|duke|prince|lord|minister|governor|tsar|"
    r"patriarch|shah|caliph|reign|reigned|office|abbot|count)\b",
    re.I,
)
_LIVED = (10, 105)


def definitions(
    stated: Stated, spans: tuple[tuple[int, int], ...], doc_id: str, *, gentle: bool = False
) -> Iterator[Fact]:
    """ "Vera Holm, a Danish painter, moved to Lisbon." -> (Vera Holm, be, a Danish painter)"""
    clause = stated.clause
    for token in clause.doc:
        found = _definition(token, parenthesised(clause.doc), gentle=gentle)
        if found is None:
            continue
        name, words = found
        try:
            alone(stated, words)
            alone(stated, name)
            kind = phrase(type_of(words, token), stated.page, stated.code)
            subject, thing = noun(stated, name, token.head), noun(stated, words, token)
        except Unsure:
            continue
        if not introduced(stated, words) or not introduced(stated, name):
            continue
        if names_person(token.head, stated.page, stated.code) and not is_person(token):
            continue
        verb = "was" if _past(clause) else "is"
        yield Fact(
            doc_id=doc_id,
            spans=spans,
            subject=subject,
            relation="be",
            object=thing,
            wording={
                "statement": f"{subject.text} {verb} {thing.text}",
                "inverted": f"{verb} {subject.text} {thing.text}",
                "predicate": f"{verb} {thing.text}",
                "type": kind,
            },
            trust=0.85,
        )


def _definition(token: Token, aside: set[int], *, gentle: bool) -> tuple[list[Token], list[Token]] | None:
    """A name and the indefinite noun phrase that stands beside it between commas."""
    name = token.head
    if token.dep_ != "appos" or name.pos_ != "PROPN" or token.pos_ != "NOUN" or token.i < name.i:
        return None
    doc, first, last = token.doc, token.left_edge.i, token.right_edge.i
    if doc[first - 1].text != "," or doc[first].lower_ not in ("a", "an") or doc[last + 1 : last + 2].text not in ",.":
        return None
    if any(i not in aside for i in range(name.i + 1, first - 1)) or name.dep_ in (
        ("conj", "appos") if gentle else ("conj", "pobj", "appos")
    ):
        return None
    family = [*name.children, *token.children, *name.head.children]
    if any(t.dep_ in ("conj", "cc") and t.head in (name, token) for t in family) or any(
        t.like_num for t in doc[first : token.i]
    ):
        return None
    try:
        words, subject = lean(doc[first : last + 1]), lean(doc[name.left_edge.i : first - 1])
    except Unsure:
        return None
    if not words or not subject or any(t.pos_ not in ("PROPN", "DET", "ADP") for t in subject):
        return None
    return subject, words


def _past(clause: Clause) -> bool:
    return clause.verb.tag_ == "VBD" or any(a.tag_ == "VBD" for a in clause.auxiliaries)


def lives(stated: Stated, spans: tuple[tuple[int, int], ...], doc_id: str) -> Iterator[Fact]:
    """ "Otto Brandt (3 May 1811 - 1880) was a botanist." -> born on 3 May 1811, died in 1880."""
    clause = stated.clause
    match = _LIFE.search(clause.doc.text)
    name = _bearer(stated, clause.doc, match.start()) if match else None
    if match is None or name is None:
        return
    if match["birth"] and not _plausible(match["birth"], match["death"]):
        return
    try:
        subject = noun(stated, name, name[-1])
    except Unsure:
        return
    for group, relation, statement, ask in (
        ("birth", "be born", "was born", "was {} born"),
        ("only", "be born", "was born", "was {} born"),
        ("death", "die", "died", "did {} die"),
        ("end", "die", "died", "did {} die"),
    ):
        if not match[group]:
            continue
        start, end = clause.sentence.body.origin(*match.span(group))
        date = match[group]
        word = "in" if date.isdigit() else "on"
        thing = Term(text=date, start=start, end=end, head=date.split()[-1])
        when = Term(text=date, start=start, end=end, head=date.split()[-1], kind="time")
        yield Fact(
            doc_id=doc_id,
            spans=spans,
            subject=Term(text=subject.text, start=subject.start, end=subject.end, head=subject.head, kind="person"),
            relation=f"{relation} {word}",
            object=thing,
            qualifiers=(when,),
            wording={
                "statement": f"{subject.text} {statement}",
                "inverted": ask.format(subject.text),
                "predicate": statement,
            },
            trust=0.9,
        )


def _bearer(stated: Stated, doc: Doc, opening: int) -> list[Token] | None:
    """The name of a person right before an opening parenthesis, or None."""
    person = next((e for e in doc.ents if e.label_ == "PERSON" and 0 <= opening - e.end_char <= 1), None)
    clause = stated.clause
    subject = clause.subject
    if person is None and subject is not None and clause.main and clause.copular and doc[subject.start].idx == 0:
        attribute = clause.part("attr")
        ends = [t for t in doc if t.idx + len(t) <= opening]
        if attribute is None or not is_person(attribute.head) or any(t.pos_ != "PROPN" for t in ends):
            return None
        return ends
    if person is None or _TITLES.search(doc.text[max(0, opening - 60) : opening]):
        return None
    if person[0].i and doc[person[0].i - 1].pos_ == "PROPN":
        return None
    words = list(person)
    return words if len(words) > 1 and all(t.pos_ == "PROPN" for t in words) else None


def _plausible(birth: str, death: str) -> bool:
    low, high = _LIVED
    return low <= int(re.findall(r"\d{3,4}", death)[-1]) - int(re.findall(r"\d{3,4}", birth)[-1]) <= high
