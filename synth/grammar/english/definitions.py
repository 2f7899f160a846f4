"""Constructions that ask what something is, means or states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from synth.grammar.english.lexicon import (
    THING_NOUNS,
    word_set,
)
from synth.grammar.english.phrases import is_person, lean
from synth.grammar.english.proposals import (
    Proposal,
    Stated,
    names_person,
    propose,
    subject_words,
)
from synth.grammar.english.wording import inverted
from synth.text.stems import stems

if TYPE_CHECKING:
    from spacy.tokens import Token

    from synth.grammar.english.clauses import Clause


_AGENTIVE = re.compile(r"\w{2}(?:ist|ian|er|or|man|woman)$")
_OFFICES = word_set("capital seat chair chairman president director head mayor leader")
_NO_KIND = word_set(
    "term sign way result reason example place thing person period son daughter member part one kind type mechanism "
    "product superset convenience class choice option alternative improvement"
)
"""Head nouns that do not say what something is."""

_NO_TELLING = word_set("affect concern influence")
"""Verbs that say what something acts on and not what it does: "a setting that affects the handling of blocks"."""

_PARTS = word_set("class function method parameter module exception object")
_TELLING = ("prep", "relcl", "acl")
_RANKS = word_set("first second third fourth fifth last only")


def definition(fact: Stated) -> Iterator[Proposal]:
    """ "What is a chloroplast?", "Who was Ibn Sina?" """
    clause = fact.clause
    if not clause.copular or clause.auxiliaries or clause.negation or clause.openers or clause.subject is None:
        return
    attribute = clause.part("attr")
    if attribute is None or attribute.head.pos_ not in ("NOUN", "PROPN") or clause.adverbs:
        return
    first = attribute.tokens[0].lower_
    if first not in ("a", "an", "the") and attribute.head.tag_ != "NNS":
        return
    if any(t.tag_ in ("VBZ", "VBP") and t.lemma_ in _NO_TELLING for t in attribute.tokens):
        return
    if any(t.lower_ in ("rather", "instead") for t in attribute.tokens):
        return  # "a taxonomy is a flat list rather than a nested structure" sets it apart, and does not say what it is
    # A plural name is mostly a common noun that needs its passage: "What are inputs?"
    if clause.verb.lower_ in ("are", "were") or _unique(clause.subject.head, attribute.tokens, attribute.head):
        return
    words = subject_words(fact)
    head = clause.subject.head
    if len(words) == 1 and head.lower_ in fact.page.counted:
        return  # "Relay is a service", of which the page says "a relay" elsewhere
    if head.lower_.endswith("ing") and (len(words) == 1 or words[0].lower_ == "the"):
        return  # "Logging is a compromise" says what somebody thinks of it, not what it is
    if head.text.isdigit() or head.lemma_.lower() == attribute.head.lemma_.lower():
        return
    if head.text.endswith("/") or any("/" in t.text and t.i not in fact.code for t in words):
        return
    if any(t.dep_ in ("relcl", "acl", "advcl", "amod", "cc") or t.lower_ in ("all", "most") for t in words):
        return
    if len(words) > 6 or attribute.head.lemma_.lower() in _NO_KIND:
        return
    if not _heading(fact, words):
        return
    who = any(t.dep_ == "relcl" and t.left_edge.lower_ == "who" for t in attribute.head.children)
    named = names_person(head, fact.page, fact.code) and attribute.head.lemma_.lower() not in THING_NOUNS
    human = who or is_person(attribute.head) or bool(_AGENTIVE.search(attribute.head.lemma_.lower()))
    if named and not human:
        return
    person = (
        who
        or named
        or head.lower_ in ("he", "she")
        or (is_person(attribute.head) and head.pos_ == "PROPN" and head.i not in fact.code)
    )
    asked = "who" if person else "what"
    if attribute.end < _end(clause) or len(lean(attribute.tokens)) < attribute.end - attribute.start:
        return
    if len(clause.after) > 1 or not any(c.dep_ in _TELLING for c in attribute.head.children):
        return
    asks: list[str | Token] = [asked, *inverted(clause)[0], *words]
    if head.i in fact.code and len(words) == 1 and head.lower_ in fact.page.lower:
        # A class named by an everyday word: "What is Cookie?" needs its topic.
        if attribute.head.lemma_.lower() in _PARTS:
            asks = [asked, *inverted(clause)[0], "the", *words, attribute.head.lemma_.lower()]
        else:
            return
    yield from propose(fact, "definition", 0.74, asks, lean(attribute.tokens))


def _end(clause: Clause) -> int:
    """The token behind the last word of the sentence."""
    words = [token.i for token in clause.doc if not token.is_punct]
    return words[-1] + 1 if words else 0


def _heading(fact: Stated, words: Sequence[Token]) -> bool:
    """True if a section, if there are any, is about what is defined: elsewhere it is only said in passing."""
    headings = (fact.page.title, *fact.clause.sentence.headings)
    above = {word for heading in headings for word in stems(heading)}
    return not fact.clause.sentence.headings or set(stems(" ".join(t.text for t in words))) <= above


def _unique(name: Token, words: Sequence[Token], noun: Token) -> bool:
    """True if what is said picks something out ("the oldest bridge", "the capital of" a place) and does not say what
    it is: that is asked the other way round."""
    if words[0].lower_ != "the":
        return False
    ranked = any(t.tag_ in ("JJS", "RBS") or t.lower_ in _RANKS for t in words if t.i < noun.i)
    return ranked or noun.lemma_.lower() in _OFFICES or (name.pos_ == "PROPN" and name.ent_type_ in ("GPE", "LOC"))


CONSTRUCTIONS = (definition,)
