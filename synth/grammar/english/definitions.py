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

    from synth.grammar.english.clauses import Clause, Constituent
    from synth.grammar.english.page import Page


_AGENTIVE = re.compile(r"\w{2}(?:ist|ian|er|or|man|woman)$")
_ARTICLES = ("a", "an", "the")
_LONGEST_NAME = 6
_CODED = re.compile(r"[a-z\d][A-Z]|\w[-._]\w|\w\d")
_WRONG_ARTICLE = re.compile(r"\b[Aa]n [bcdfgjklmnpqrstvwxyz][a-z]|\b[Aa] (?!eu|ewe|once|one)[aeio][a-z]")
_NO_KIND = word_set(
    "term sign way result reason example place thing person period son daughter member part one kind type mechanism "
    "product superset convenience class choice option alternative improvement core principle foundation basis version "
    "object field feature space"
)
"""Head nouns that do not say what something is."""

_NO_TELLING = word_set("affect concern influence")
"""Verbs that say what something acts on and not what it does: "a setting that affects the handling of blocks"."""

_PARTS = word_set("class function method parameter module exception object")
_TELLING = ("prep", "relcl", "acl")


def definition(fact: Stated) -> Iterator[Proposal]:
    """ "What is Scrapy?", "Who was Ibn Sina?" A definition that is not good enough to be asked for has no worth."""
    clause = fact.clause
    if not clause.copular or clause.auxiliaries or clause.negation or clause.openers or clause.subject is None:
        return
    attribute = clause.part("attr")
    if attribute is None or attribute.head.pos_ not in ("NOUN", "PROPN") or clause.adverbs:
        return
    # A plural name is mostly a common noun that needs its passage: "What are inputs?"
    if attribute.tokens[0].lower_ not in _ARTICLES or clause.verb.lower_ in ("are", "were"):
        return
    words, head, noun = subject_words(fact), clause.subject.head, attribute.head.lemma_.lower()
    named = names_person(head, fact.page, fact.code) and noun not in THING_NOUNS
    who = any(t.dep_ == "relcl" and t.left_edge.lower_ == "who" for t in attribute.head.children)
    human = who or is_person(attribute.head) or bool(_AGENTIVE.search(noun))
    person = who or named or (is_person(attribute.head) and head.pos_ == "PROPN" and head.i not in fact.code)
    asks: list[str | Token] = ["who" if person else "what", *inverted(clause)[0], *words]
    good = (human or not named) and _is_name(words, fact) and _defines(fact, words) and _tells(clause, attribute)
    if head.i in fact.code and len(words) == 1 and head.lower_ in fact.page.lower:
        # A class named by an everyday word: "What is Cookie?" needs its topic.
        good = good and noun in _PARTS
        asks = [asks[0], *inverted(clause)[0], "the", *words, noun]
    yield from propose(fact, "definition", 0.74 if good else 0.0, asks, lean(attribute.tokens))


def _is_name(words: Sequence[Token], fact: Stated) -> bool:
    """True if a subject is a name. Of a common noun a page tells what it is there: a router, a term, a resolution."""
    if not words or words[0].lower_ in ("a", "an"):
        return False
    return any(_CODED.search(t.text) or (t.i not in fact.code and _has_capital(t, fact.page)) for t in words)


def _has_capital(token: Token, page: Page) -> bool:
    return token.pos_ == "PROPN" or (token.text[0].isupper() and (token.i > 0 or not page.common(token)))


def _defines(fact: Stated, words: Sequence[Token]) -> bool:
    """True if the sentence is about its subject alone, which its section is about, if there are sections."""
    head = fact.clause.subject.head if fact.clause.subject else words[-1]
    if len(words) == 1 and head.lower_.endswith("ing"):
        return False  # "Logging is a compromise" says what somebody thinks of it
    if len(words) > _LONGEST_NAME or head.text.isdigit() or head.text.endswith("/"):
        return False
    if any("/" in t.text and t.i not in fact.code for t in words):
        return False
    if any(t.dep_ in ("relcl", "acl", "advcl", "amod", "cc") or t.lower_ in ("all", "most") for t in words):
        return False
    return _heading(fact, words)


def _tells(clause: Clause, attribute: Constituent) -> bool:
    """True if an attribute says what something is and does, to the end of the sentence."""
    tokens, noun = attribute.tokens, attribute.head
    subject = clause.subject.head if clause.subject else None
    if noun.lemma_.lower() in _NO_KIND or (subject is not None and subject.lemma_.lower() == noun.lemma_.lower()):
        return False
    if tokens[0].lower_ == "the" or _WRONG_ARTICLE.search(attribute.head.doc[attribute.start : attribute.end].text):
        return False  # "the core of defence", "the newer version of": its place among others, and not what it is
    if any(t.tag_ in ("VBZ", "VBP") and t.lemma_ in _NO_TELLING for t in tokens):
        return False
    if any(t.lower_ in ("rather", "instead") for t in tokens):
        return False  # "a taxonomy is a flat list rather than a nested structure" sets it apart
    if attribute.end < _end(clause) or len(lean(tokens)) < attribute.end - attribute.start:
        return False
    return len(clause.after) <= 1 and any(child.dep_ in _TELLING for child in noun.children)


def _end(clause: Clause) -> int:
    """The token behind the last word of the sentence."""
    words = [token.i for token in clause.doc if not token.is_punct]
    return words[-1] + 1 if words else 0


def _heading(fact: Stated, words: Sequence[Token]) -> bool:
    """True if a section, if there are any, is about what is defined: elsewhere it is only said in passing."""
    headings = (fact.page.title, *fact.clause.sentence.headings)
    above = {word for heading in headings for word in stems(heading)}
    return not fact.clause.sentence.headings or set(stems(" ".join(t.text for t in words))) <= above


CONSTRUCTIONS = (definition,)
