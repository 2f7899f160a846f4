"""Where a clause stands in its sentence: whether what it tells is told as true there, and whose subject it shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.grammar.english.clauses import SUBJECTS, Part
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.loose_clauses import shared_subject

if TYPE_CHECKING:
    from spacy.tokens import Token

_FACTUAL = word_set("because although though whereas while as since when after once and but where")
_SET_OFF = ("who", "which")


def factual(verb: Token) -> bool:
    """Whether a clause is told as true: main, co-ordinated with such, told of a name, or a factual circumstance."""
    at = verb
    while at.head != at:
        dep = at.dep_
        if dep == "conj" and at.head.pos_ in ("VERB", "AUX"):
            if any(c.dep_ == "cc" and c.lower_ in ("or", "nor") for c in at.head.children):
                return False
            at = at.head
            continue
        if dep == "relcl":
            return _apart(at)
        if dep == "advcl":
            if at == verb and not any(c.dep_ in SUBJECTS for c in at.children):
                return False
            mark = at.left_edge.lower_
            if mark not in _FACTUAL or any(c.dep_ == "neg" for c in at.head.children):
                return False
            at = at.head
            continue
        if dep == "ccomp" and any(t.text == ";" for t in at.doc[min(at.i, at.head.i) : max(at.i, at.head.i)]):
            at = at.head
            continue
        return False
    return not any(c.dep_ == "mark" for c in at.children) or at != verb


def _apart(verb: Token) -> bool:
    """Whether a relative clause tells of its noun by the way: a comma stands before "who", "which" or "where"."""
    first = verb.left_edge
    before = verb.doc[first.i - 1].text if first.i else ""
    return before == "," and first.lower_ in ("who", "which", "where", "when")


def relative_to(verb: Token, own: Part | None) -> Part | None:
    """The noun that ", which did so" tells of; the own subject of ", where X did so"."""
    first, noun = verb.left_edge, verb.head
    if first.lower_ in ("where", "when"):
        return own
    if own is None or own.head != first or first.lower_ not in _SET_OFF or noun.pos_ not in ("PROPN", "NOUN"):
        return None
    start, end = noun.left_edge.i, first.i - 1
    inside = [t for t in noun.subtree if t.i < end]
    if len(inside) != end - start or noun.dep_ in ("appos", "conj") or any(t.dep_ == "conj" for t in noun.children):
        return None
    if noun.i != end - 1 and not (noun.dep_ in SUBJECTS and all(t.dep_ != "relcl" for t in inside)):
        return None
    if noun.dep_ == "pobj" and noun.head.head.pos_ in ("NOUN", "PROPN", "ADJ"):
        return None
    if noun.pos_ == "NOUN" and noun.dep_ not in SUBJECTS:
        return None
    return Part(noun, start, end)


def shared_with(verb: Token) -> tuple[Part | None, list[Token]]:
    """The subject and the auxiliaries that a co-ordinated verb shares with the one before it."""
    return shared_subject(verb) if verb.dep_ == "conj" else (None, [])
