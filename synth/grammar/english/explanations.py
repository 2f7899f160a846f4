"""Constructions that ask why, what for, how, and to do what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import Part
from synth.grammar.english.lexicon import (
    word_set,
)
from synth.grammar.english.phrases import lean
from synth.grammar.english.proposals import (
    Proposal,
    Stated,
    is_purpose,
    later,
    moved,
    propose,
    rest,
    subject_words,
)
from synth.grammar.english.wording import inverted

if TYPE_CHECKING:
    pass


_RAISING = word_set("begin start continue tend seem appear use come prove happen have go need be remain cease move try")


def reason(fact: Stated) -> Iterator[Proposal]:
    """ "Why was the mission delayed?" """
    clause = fact.clause
    for part in (*clause.openers, *clause.after):
        tokens = part.tokens
        first = [t.lower_ for t in tokens[:2]]
        if (part.dep == "advcl" and first[0] == "because") or (
            part.dep == "advcl" and first[0] in ("as", "since") and _explains(part)
        ):
            answer = lean(tokens[1:])
        elif (
            (part.dep == "prep" and first == ["because", "of"])
            or first == ["due", "to"]
            or (first in (["so", "that"], ["in", "order"]) and part.dep == "advcl")
        ):
            answer = lean(tokens)
        else:
            continue
        words, (front, group) = subject_words(fact), inverted(clause)
        yield from propose(fact, "reason", 0.8, ["why", *front, *words, *group, *rest(fact, part)], answer)


def _explains(part: Part) -> bool:
    """Whether "as" or "since" opens a finite present clause, and so gives a reason, not a time."""
    subject = any(c.dep_ in ("nsubj", "nsubjpass") and c.i < part.head.i for c in part.head.children)
    finite_ = [
        t
        for t in (part.head, *part.head.children)
        if t.tag_ in ("VBZ", "VBP") and t.dep_ in ("aux", "auxpass", "advcl")
    ]
    return subject and bool(finite_) and part.tokens[0].dep_ == "mark" and part.tokens[1].lower_ != "you"


def purpose(fact: Stated) -> Iterator[Proposal]:
    """ "What is a spectrometer used for?" """
    clause = fact.clause
    used = clause.verb.lower_ == "used" and clause.passive
    for part in clause.after:
        if part.dep in ("xcomp", "advcl") and used and is_purpose(part):
            words, (front, group) = subject_words(fact), inverted(clause)
            by = [p for p in clause.after if p.dep in ("agent", "advmod")]
            items = ["what", *front, *words, *group, "for", *rest(fact, part, *by)]
            yield from propose(fact, "purpose", 0.76, items, lean(part.tokens))


def infinitive(fact: Stated) -> Iterator[Proposal]:
    """ "What did both companies agree to do?", "What does the flag allow you to do?" """
    clause = fact.clause
    part = clause.part("xcomp", "ccomp")
    if part is None or clause.passive or clause.subject is None or clause.verb.lemma_ in _RAISING:
        return
    if clause.subject.head.lower_ == "you":
        return
    marker = next((c for c in part.head.children if c.tag_ == "TO" and c.dep_ == "aux"), None)
    if marker is None or part.head.tag_ != "VB":
        return
    before = [t for t in part.tokens if t.i < marker.i]
    if before and clause.verb.lemma_ not in (
        "allow",
        "enable",
        "help",
        "let",
        "permit",
        "force",
        "require",
        "tell",
        "ask",
    ):
        return
    words, (front, group) = subject_words(fact), inverted(clause)
    answer = lean([t for t in part.tokens if t.i > marker.i])
    direct = later(fact, 0, end=part.start)
    items = ["what", *front, *words, *group, *direct, *before, "to do", *later(fact, part.end), *moved(fact)]
    yield from propose(fact, "infinitive", 0.7, items, answer)


def manner(fact: Stated) -> Iterator[Proposal]:
    """ "How does the plant absorb water?", "How can you define files?" """
    clause = fact.clause
    if clause.copular or clause.negation or clause.subject is None or clause.subject.head.lower_ == "you":
        return
    for part in clause.after:
        gerund = [c for c in part.head.children if c.dep_ == "pcomp" and c.tag_ == "VBG"]
        by = part.dep == "prep" and part.head.lower_ in ("by", "through") and gerund
        using = part.dep in ("advcl", "prep") and part.tokens[0].lower_ == "using"
        if by or using:
            words, (front, group) = subject_words(fact), inverted(clause)
            items = ["how", *front, *words, *group, *rest(fact, part)]
            yield from propose(fact, "manner", 0.78, items, lean(part.tokens))


CONSTRUCTIONS = (reason, purpose, infinitive, manner)
