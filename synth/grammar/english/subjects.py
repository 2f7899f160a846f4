"""What a fact may be about: a subject that says alone which thing it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.grammar.english.clauses import Clause
from synth.grammar.english.lexicon import KNOWN_NOUNS, word_set
from synth.grammar.english.phrases import Unsure, is_name, vague
from synth.grammar.english.proposals import Stated, subject_words
from synth.grammar.english.terms import alone, empty, introduced, whole

if TYPE_CHECKING:
    from spacy.tokens import Token

_VAGUE_QUANTIFIERS = word_set("some many several various certain different numerous most all every each any few much")
_LOOSE = word_set("code command framework standard past future memory body present app application")
_SUBORDINATORS = word_set("if when unless although because while")
_ORDINALS = word_set("first last")
_ADDRESSEES = ("you",)
# Imperatives that parsers take for names when a name follows them.
_ORDERS = word_set(
    "import create add use update fix refactor clarify remove run install set define declare open write call pass make "
    "check start copy select enable configure include"
)


def asserted_subject(stated: Stated, *, gentle: bool = False) -> list[Token]:
    """The words of the subject, none in an imperative. Raises Unsure when they do not say alone which thing it is.

    In a `gentle` reading, "a flood" may do so too, if something named stands beside it.
    """
    clause = stated.clause
    if clause.subject is None:
        if (
            clause.verb.tag_ not in ("VB", "VBP")
            or any(p.dep == "advmod" for p in clause.openers)
            or clause.negation
            or clause.cut
            or not clause.main
        ):
            raise Unsure
        return []
    head = clause.subject.head
    words = subject_words(stated)
    if head.pos_ == "PROPN" and head.i not in stated.code and head.text.islower():
        raise Unsure
    if words and words[0].i == 0 and words[0].lower_ in _ORDERS and words[0].i not in stated.code:
        raise Unsure
    if not words or words[-1].tag_ in ("IN", "TO", "CC") or head not in words:
        raise Unsure
    if stated.page.understood(head) or (head.lower_ in _ADDRESSEES and len(words) == 1):
        return words
    if words[0].lower_ in _SUBORDINATORS or (words[-1].ent_type_ == "DATE" and _dated(words, clause)):
        raise Unsure
    alone(stated, words)
    whole(stated, words)
    first = words[0].lower_
    if "your" in [token.lower_ for token in words] or (
        vague(head) and not any(c.dep_ == "prep" for c in head.children)
    ):
        raise Unsure
    finite = clause.auxiliaries[0] if clause.auxiliaries else clause.verb
    single = (
        head.tag_ in ("NN", "NNP") and not any(token.dep_ == "conj" for token in words) and head.i not in stated.code
    )
    if single and (finite.tag_ == "VBP" or finite.lower_ == "were"):
        raise Unsure  # its plural partner stood in parentheses, or the parse is wrong
    if first == "even" or (first == "the" and len(words) == 2 and head.lemma_.lower() in _LOOSE):
        raise Unsure
    participle = stated.page.addressed and finite is clause.verb and finite.tag_ == "VBD"
    if participle and clause.after and clause.after[0].dep in ("prep", "agent"):
        raise Unsure  # "Test client built on sockets."
    if any(token.text == "," for token in words) and not any(token.dep_ == "conj" for token in words):
        raise Unsure
    if first in ("a", "an") and any(c.dep_ == "appos" for c in head.children):
        raise Unsure
    if first in ("a", "an") and clause.copular and clause.part("attr") is not None:
        attribute = clause.part("attr")
        if attribute is not None and attribute.tokens[0].lower_ not in ("a", "an"):
            raise Unsure
    if first in _VAGUE_QUANTIFIERS or first == "one" or empty(head, words):
        raise Unsure
    if not introduced(stated, words) and not (stated.page.addressed and _conditional(clause)):
        raise Unsure
    if (
        head.pos_ not in ("NOUN", "PROPN", "X")
        and head.i not in stated.code
        and not (gentle and _known_name(stated, head))
    ):
        raise Unsure
    if head.pos_ == "NOUN" and head.i not in stated.code:
        _common(stated, words, head, gentle=gentle)
    if any(t.dep_ in ("relcl", "acl") and t.head == head for t in words) and len(words) > 9:
        raise Unsure
    return words


def _dated(words: list[Token], clause: Clause) -> bool:
    """Whether a subject ends in the year of what it did: "Storm Hilda in 1951 destroyed"."""
    past = clause.verb.tag_ == "VBD" or any(a.tag_ == "VBD" for a in clause.auxiliaries)
    return past and len(words) > 2 and words[-2].lower_ == "in" and words[-1].text.isdigit() and not clause.copular


def _known_name(stated: Stated, head: Token) -> bool:
    """Whether a word that the parser takes for no noun is a name that the page keeps using."""
    return head.text in stated.page.topics and sum(char.isupper() for char in head.text) > 1


def _common(stated: Stated, words: list[Token], head: Token, *, gentle: bool) -> None:
    """Raises Unsure for a common noun that means one thing of which only the text knows."""
    first = words[0].lower_
    named = any(is_name(token, stated.code) or stated.page.understood(token) for token in words)
    past = stated.clause.verb.tag_ == "VBD" or any(a.tag_ == "VBD" for a in stated.clause.auxiliaries)
    beside = gentle and any(
        is_name(t, stated.code) and not t.text.isdigit() for part in stated.clause.after for t in part.tokens
    )
    if first in ("a", "an") and past and not beside:
        raise Unsure
    if first == "the" and not named and not stated.page.addressed and head.lemma_.lower() not in KNOWN_NOUNS:
        telling = any(c.dep_ == "prep" and c.lower_ == "of" and c in words for c in head.children)
        telling = telling or (beside and any(c.dep_ == "amod" and c.lower_ in _ORDINALS for c in head.children))
        if not telling:
            raise Unsure
    if (
        past
        and not named
        and not beside
        and head.tag_ in ("NN", "NNS")
        and first not in ("the", "a", "an")
        and len(words) <= 2
    ):
        raise Unsure


def _conditional(clause: Clause) -> bool:
    """Whether a condition says of which thing is spoken: "If you declare a value, the parameter becomes optional"."""
    parts = (*clause.openers, *clause.after)
    return any(part.dep == "advcl" and part.tokens[0].lower_ in ("if", "when") for part in parts)
