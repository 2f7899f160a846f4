"""How much a question holds on to: names, identifiers, numbers and rare phrases, or words that fit many places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from synth.grammar.english.lexicon import FREQUENCIES, KNOWN_NOUNS, SOFTENERS, word_set
from synth.grammar.english.phrases import is_name, vague
from synth.grammar.english.proposals import Proposal

if TYPE_CHECKING:
    from spacy.tokens import Token

ENOUGH = 2.5
_PLAIN = word_set("new old big small large different main first last other great good same own certain specific custom")
_QUANTITIES = word_set("numerous many several additional various some further any multiple more most few")
_GUIDING = ("method", "recipe", "requirement", "condition")
_SPREAD = word_set("each every")
_BROAD_PLACES = ("GPE", "NORP", "LOC")


def hold(asked: Sequence[Token], code: frozenset[int], topics: frozenset[str]) -> float:
    """What the words of a question pin it to: about 2 for a name, 1 for a rare phrase, a half for a plain noun."""
    value = 0.0
    inside = {token.i for token in asked}
    seen: set[str] = set()
    for token in asked:
        if token.lemma_.lower() in seen:
            continue
        seen.add(token.lemma_.lower())
        if is_name(token, code) and not token.text.isdigit():
            broad = token.text in topics or (token.ent_type_ in _BROAD_PLACES and token.dep_ in ("pobj", "compound"))
            plain = token.i in code and token.text.isalpha() and token.text.islower()
            value += 1.0 if broad or plain else 2.0
        elif any(char.isdigit() for char in token.text):
            value += 1.0
        elif token.pos_ == "NOUN" and not vague(token) and token.lower_ != "default":
            value += 0.25 if token.lemma_.lower() in KNOWN_NOUNS else 0.5
            value += 0.25 * (len(token.text) > 9)
            kept = [c for c in token.children if c.i in inside and c.dep_ in ("amod", "compound", "nmod")]
            value += 0.5 * any(c.lower_ not in _PLAIN and c.lower_ not in KNOWN_NOUNS for c in kept)
        elif token.pos_ in ("VERB", "ADJ") and token.lower_ not in _PLAIN and len(token.text) > 5:
            value += 0.25
    return value


def looseness(proposal: Proposal) -> float:
    """What to take from the worth of a question because it would fit many places of a corpus."""
    asked, code = proposal.asked, proposal.fact.code
    held = hold(asked, code, proposal.fact.page.topics)
    if any(proposal.fact.page.understood(token) for token in asked):
        held += 2.0
    missing = max(0.0, ENOUGH - held)
    if proposal.pattern in ("definition", "apposition", "content"):
        missing = 0.0
    value = (0.1 if proposal.pattern in _GUIDING or _of_reader(proposal) else 0.18) * missing
    words = {token.lower_ for token in asked if token.i not in code}
    if words & _SPREAD:
        value += 0.4
    if words & _QUANTITIES:
        value += 0.3
    if proposal.pattern in ("count", "percentage") and not any(is_name(t, code) and t.pos_ != "NUM" for t in asked):
        value += 0.15
    nouns = [token.lemma_.lower() for token in asked if token.pos_ in ("NOUN", "PROPN") or token.i in code]
    if len(nouns) != len(set(nouns)) and proposal.pattern in (*_GUIDING, "object"):
        value += 0.12
    if words & (FREQUENCIES - SOFTENERS) and proposal.pattern in ("object", "subject", "content", "requirement"):
        value += 0.15
    subject = proposal.fact.clause.subject
    if subject is not None and subject.head in asked:
        value += _of_subject(subject.head, asked)
    return value


def _of_reader(proposal: Proposal) -> bool:
    """Whether the question is how the reader, "you", does something: the topic of the corpus is understood."""
    return any(token.lower_ == "you" for token in proposal.asked)


def _of_subject(head: Token, asked: Sequence[Token]) -> float:
    """What a subject that is no one thing takes: "the French", "files like X", "studies"."""
    mine = [token for token in head.children if token in asked]
    value = 0.0
    if head.ent_type_ == "NORP" and any(t.lower_ == "the" for t in mine):
        value += 0.15
    if any(t.lower_ in ("like", "including", "such") for t in mine):
        value += 0.25
    if vague(head) and head.pos_ != "PRON":
        value += 0.2
    return value
