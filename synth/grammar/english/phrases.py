"""Phrases: which words of a constituent are essential, what they point to, and what kind of thing they name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from synth.grammar.english.lexicon import KNOWN_NOUNS, PERSON_NOUNS, VAGUE_NOUNS, word_set
from synth.grammar.parsing import NAME_LABELS

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

    from synth.text.prose import Sentence

_LOOSE = ("relcl", "acl", "appos", "advcl")
_PLAIN = word_set("entire whole new old original main current final modern total full overall general various")
_TELLING = word_set("of for from between")
_UNIQUE = re.compile(
    r"^(first|last|only|second|third|largest|longest|highest|oldest|main|most|best|largest|final)$|est$"
)
_PERSON_ENDING = re.compile(r"(ologist|ographer|cian|ician|emist|wright)s?$")


class Unsure(Exception):
    """A phrase cannot be cut or rendered without a risk to its meaning; the construction gives way."""


def code_tokens(sentence: Sentence, doc: Doc) -> frozenset[int]:
    """Indices of the tokens that were inline code."""
    indices: set[int] = set()
    for start, end in sentence.code:
        indices.update(token.i for token in doc if token.idx < end and token.idx + len(token) > start)
    return frozenset(indices)


def lean(tokens: Iterable[Token]) -> list[Token]:
    """`tokens` without parentheses and without clauses and appositions set off by commas.

    Raises Unsure when what is set off may be one item of a list.
    """
    tokens = list(tokens)
    inside = {token.i for token in tokens}
    if not tokens:
        return []
    aside = parenthesised(tokens[0].doc)
    dropped = inside & aside
    if any(token.i in dropped and token.lower_ in ("not", "only", "no") for token in tokens):
        raise Unsure
    for token in tokens:
        first, last = token.left_edge.i, token.right_edge.i
        aside_with = (
            token.dep_ == "prep" and token.lower_ in ("with", "in") and token.doc[last + 1 : last + 2].text == ","
        )
        if not (token.dep_ in _LOOSE or aside_with) or token.i in dropped or token.head.i not in inside:
            continue
        if first - 1 not in inside or token.doc[first - 1].text != ",":
            continue
        listed = [*token.children, *(t for t in token.head.children if t.i > token.head.i)]
        if token.dep_ == "appos" and any(t.dep_ in ("cc", "conj") for t in listed):
            raise Unsure
        dropped.update(range(first - 1, last + 1))
        if last + 1 in inside and token.doc[last + 1].text == ",":
            dropped.add(last + 1)
    kept = [token for token in tokens if token.i not in dropped]
    while kept and (kept[-1].text in ",.;:-–—" or kept[-1].dep_ == "cc"):
        kept.pop()
    while kept and kept[0].text in ",.;:-–—":
        kept.pop(0)
    return kept


def parenthesised(doc: Doc) -> set[int]:
    """Indices of the tokens inside parentheses, and of these themselves."""
    indices: set[int] = set()
    depth = 0
    for token in doc:
        depth += token.text.count("(") if token.text.startswith("(") else 0
        if depth:
            indices.add(token.i)
        if token.text.endswith(")") and not ("(" in token.text and not token.text.startswith("(")):
            depth = max(0, depth - token.text.count(")"))
    return indices


def contiguous(tokens: Sequence[Token]) -> tuple[int, int] | None:
    """The range (start, end) of `tokens`, or None when there is a gap in it."""
    if not tokens or tokens[-1].i - tokens[0].i + 1 != len(tokens):
        return None
    return tokens[0].i, tokens[-1].i + 1


def is_person(token: Token) -> bool:
    """True if the noun `token` names a person or people."""
    if token.ent_type_:
        if token.ent_type_ == "PERSON":
            return not any(t.dep_ == "compound" and t.lemma_.lower() in VAGUE_NOUNS for t in token.children)
        if token.pos_ == "PROPN":
            return False
    word = token.lemma_.lower()
    return word in PERSON_NOUNS or token.lower_ in PERSON_NOUNS or bool(_PERSON_ENDING.search(word))


def is_name(token: Token, code: frozenset[int]) -> bool:
    """True if `token` is (part of) a proper name, an identifier or a year."""
    if token.i in code:
        return True
    if token.is_punct or not token.text[0].isalnum():
        return False
    if token.pos_ == "PROPN" or (token.ent_type_ in NAME_LABELS and token.text[0].isupper()):
        return any(char.isupper() or char.isdigit() for char in token.text)
    if token.i > 0 and token.text[0].isupper() and token.pos_ in ("NOUN", "ADJ", "X"):
        return True
    return bool(re.fullmatch(r"1\d{3}|20\d{2}", token.text)) and token.ent_type_ == "DATE"


def unresolved(tokens: Iterable[Token], code: frozenset[int]) -> list[Token]:
    """Definite nouns among `tokens` that only the passage can have introduced."""
    asked = list(tokens)
    indices = {token.i for token in asked}
    return [token for token in asked if _definite(token) and not _resolved(token, indices, code)]


def _definite(token: Token) -> bool:
    if token.pos_ not in ("NOUN", "PROPN", "NUM", "ADJ", "X"):
        return False
    return any(child.dep_ == "det" and child.lower_ == "the" for child in token.children)


def _resolved(token: Token, asked: set[int], code: frozenset[int]) -> bool:
    children = [child for child in token.children if child.i in asked]
    if (
        token.i in code
        or is_name(token, code)
        or token.ent_type_ in ("DATE", "ORDINAL")
        or token.lemma_.lower() in KNOWN_NOUNS
    ):
        return True
    for child in children:
        if child.dep_ in ("amod", "compound", "nmod", "poss", "appos") and _names(child, code):
            return True
        if child.dep_ == "appos" or (child.dep_ == "nummod" and (child.i > token.i or len(child.text) == 4)):
            return True
        if child.lower_ == "same" and token.lower_ in ("time", "way"):
            return True
        if child.dep_ == "amod" and _UNIQUE.search(child.lower_):
            return True
        if (child.dep_ in ("acl", "relcl") and child.i > token.i) or (
            child.dep_ == "prep" and child.lower_ in _TELLING
        ):
            # should the modifier itself point to something unknown, that noun is found on its own
            return True
    modifiers = [child for child in children if child.dep_ in ("amod", "compound") and child.pos_ in ("ADJ", "NOUN")]
    modifiers = [child for child in modifiers if child.lower_ not in _PLAIN]
    return len(modifiers) >= 2


def _names(token: Token, code: frozenset[int]) -> bool:
    return any(is_name(inner, code) for inner in token.subtree)


def agrees(subject: Token, finite: Token) -> bool:
    """True if a noun and its present or past "be" or "-s" verb agree in number: when not, the parse is wrong."""
    if finite.lower_ not in ("is", "was", "has", "does", "are", "were") and finite.tag_ not in ("VBZ", "VBP"):
        return True
    singular = finite.lower_ in ("is", "was", "has", "does") or finite.tag_ == "VBZ"
    if subject.lower_ == "you":
        return not singular
    joined = any(child.dep_ == "conj" for child in subject.children)
    if subject.tag_ in ("NNS", "NNPS") or joined:
        return not singular or subject.tag_ == "NNPS" or subject.pos_ == "PROPN"
    if subject.tag_ in ("NN", "NNP"):
        return singular or (finite.lower_ in ("were", "are") and subject.tag_ == "NNP") or subject.ent_type_ == "NORP"
    return True


def vague(head: Token) -> bool:
    """True if a noun says too little to be an answer or the heart of a question."""
    return head.lemma_.lower() in VAGUE_NOUNS or head.lower_ in VAGUE_NOUNS or head.pos_ in ("PRON", "DET")
