"""Constructions that ask what something is, means or states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from synth.grammar.english.lexicon import (
    THING_NOUNS,
    word_set,
)
from synth.grammar.english.phrases import is_person, lean, parenthesised
from synth.grammar.english.proposals import (
    Proposal,
    Stated,
    later,
    moved,
    names_person,
    propose,
    rest,
    subject_words,
)
from synth.grammar.english.wording import inverted

if TYPE_CHECKING:
    from spacy.tokens import Token


_AGENTIVE = re.compile(r"\w{2}(?:ist|ian|er|or|man|woman)$")
_OFFICES = word_set("capital seat chair chairman president director head mayor leader")
_PARTS = word_set("class function method parameter module exception object")
_RANKS = word_set("first second third fourth fifth last only")
_SAYING = word_set("state mean imply assert hold claim suggest argue believe guarantee ensure find show conclude")


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
    if _unique(clause.subject.head, attribute.tokens, attribute.head):
        return
    words = subject_words(fact)
    head = clause.subject.head
    if head.text.isdigit() or head.lemma_.lower() == attribute.head.lemma_.lower():
        return
    if any(t.dep_ in ("relcl", "acl", "advcl") for t in words) or len(words) > 6:
        return
    if any(c.dep_ in ("prep", "relcl", "acl") and c.i > attribute.head.i for c in attribute.head.children):
        base = 0.74
    else:
        base = 0.6 if len(attribute.tokens) > 3 else 0.54
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
    if len(clause.after) > 1:
        base -= 0.12
    asks: list[str | Token] = [asked, *inverted(clause)[0], *words]
    if head.i in fact.code and len(words) == 1 and head.lower_ in fact.page.lower:
        # A class named by an everyday word: "What is Cookie?" needs its topic.
        if attribute.head.lemma_.lower() in _PARTS:
            asks = [asked, *inverted(clause)[0], "the", *words, attribute.head.lemma_.lower()]
        else:
            base -= 0.08
    yield from propose(fact, "definition", base, asks, lean(attribute.tokens))


def _unique(name: Token, words: Sequence[Token], noun: Token) -> bool:
    """Whether what is said picks something out ("the oldest bridge", "the capital of" a place) and does not say what
    it is: that is asked the other way round."""
    if words[0].lower_ != "the":
        return False
    ranked = any(t.tag_ in ("JJS", "RBS") or t.lower_ in _RANKS for t in words if t.i < noun.i)
    return ranked or noun.lemma_.lower() in _OFFICES or (name.pos_ == "PROPN" and name.ent_type_ in ("GPE", "LOC"))


def identity(fact: Stated) -> Iterator[Proposal]:
    """ "The capital of Kenya is Nairobi." -> "What is the capital of Kenya?" """
    clause = fact.clause
    if not clause.copular or clause.auxiliaries or clause.negation or clause.subject is None or clause.adverbs:
        return
    attribute = clause.part("attr", "acomp")
    head = clause.subject.head
    if attribute is None or head.pos_ != "NOUN" or not any(c.lower_ == "the" for c in head.children):
        return
    answer = lean(attribute.tokens)
    named = attribute.head.i in fact.code or attribute.head.pos_ == "PROPN"
    if not named or attribute.head.lower_ == "true":
        return
    asked = "who" if names_person(head, fact.page, fact.code) else "what"
    items: list[str | Token] = [asked, *inverted(clause)[0], *subject_words(fact), *rest(fact, attribute)]
    yield from propose(fact, "identity", 0.8, items, answer)


def apposition(fact: Stated) -> Iterator[Proposal]:
    """ "X, a French chemist, ..." -> "Who was X?" """
    clause = fact.clause
    if not clause.main:
        return
    doc = clause.doc
    for token in doc:
        noun = token.head
        if token.dep_ != "appos" or noun.pos_ != "PROPN" or token.pos_ != "NOUN" or token.i < noun.i:
            continue
        first, last = token.left_edge.i, token.right_edge.i
        if (
            doc[first - 1].text != ","
            or doc[first].lower_ not in ("a", "an", "the")
            or doc[last + 1 : last + 2].text not in ",."
        ):
            continue
        aside = parenthesised(doc)
        if any(i not in aside for i in range(noun.i + 1, first - 1)):
            continue
        family = [*noun.children, *token.children, *noun.head.children]
        if any(t.dep_ in ("conj", "cc") for t in family if t.i > noun.left_edge.i) or noun.dep_ == "conj":
            continue
        if any(t.like_num for t in doc[first : token.i]) or "minute" in doc[first : token.i + 1].text:
            continue
        name = lean(doc[noun.left_edge.i : first - 1])
        if any(t.pos_ not in ("PROPN", "DET", "ADP") for t in name):
            continue
        if _unique(noun, list(doc[first : last + 1]), token):
            continue
        verb = "was" if clause.verb.tag_ == "VBD" or any(a.tag_ == "VBD" for a in clause.auxiliaries) else "is"
        asked = "who" if is_person(token) or (names_person(noun, fact.page, fact.code) and len(name) > 1) else "what"
        yield from propose(fact, "apposition", 0.72, [asked, verb, *name], lean(doc[first : last + 1]))


def means(fact: Stated) -> Iterator[Proposal]:
    """ "What does "mounting" mean?" """
    clause = fact.clause
    if clause.verb.lemma_ != "mean" or clause.subject is None or clause.negation or clause.auxiliaries or clause.cut:
        return
    words, (front, group) = subject_words(fact), inverted(clause)
    stop = len(clause.doc) - 1
    answer = lean(clause.doc[clause.verb.i + 1 : stop])
    comma = next((n for n, t in enumerate(answer) if t.text == "," and n > 5), len(answer))
    if len(answer) > 16 and comma < len(answer) and answer[comma + 1].lower_ in ("that", "which", "with", "so"):
        answer = answer[:comma]
    yield from propose(fact, "content", 0.72, ["what", *front, *words, *group], answer)


def content(fact: Stated) -> Iterator[Proposal]:
    """ "What does Fermat's little theorem state?" """
    clause = fact.clause
    part = clause.part("ccomp")
    if part is None or clause.verb.lemma_ not in _SAYING or clause.passive or clause.negation or clause.cut:
        return
    if clause.subject is None or is_person(clause.subject.head):
        return
    if part.tokens[0].lower_ != "that" or any(p.start > part.start for p in clause.after):
        return
    words, (front, group) = subject_words(fact), inverted(clause)
    items = ["what", *front, *words, *group, *later(fact, 0, part), *moved(fact)]
    yield from propose(fact, "content", 0.68, items, lean(part.tokens))


CONSTRUCTIONS = (definition, identity, apposition, means, content)
