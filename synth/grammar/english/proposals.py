"""A question that could be asked of a sentence, before it is judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import Clause, Constituent
from synth.grammar.english.lexicon import DROPPED_ADVERBS, MOVABLE_PREPOSITIONS, TYPE_NOUNS, word_set
from synth.grammar.english.page import Page
from synth.grammar.english.phrases import Unsure, contiguous, is_person, lean
from synth.grammar.english.wording import compose

if TYPE_CHECKING:
    from spacy.tokens import Token

_DROPPED_OPENERS = word_set("despite like unlike besides along as although though while")
_LINKING = re.compile(
    r"^(in (fact|addition|particular|general|practice|turn|contrast|short|summary|theory)|of course|by contrast|"
    r"on the other hand|at the same time|as well|as such)$"
)
_CONDITIONS = word_set("if when before after once unless until whenever")


@dataclass(frozen=True, slots=True)
class Stated:
    """A clause with what is known of its sentence: `code` are the tokens that were inline code."""

    clause: Clause
    page: Page
    code: frozenset[int]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A question, the tokens of the sentence it uses, and its answer as a range of tokens.

    `base` is the worth of its construction before the words are looked at.
    """

    fact: Stated
    question: str
    asked: tuple[Token, ...]
    answer: tuple[int, int]
    pattern: str
    base: float

    @property
    def answer_tokens(self) -> list[Token]:
        return [self.fact.clause.doc[i] for i in range(*self.answer)]


def propose(
    fact: Stated,
    pattern: str,
    base: float,
    items: Sequence[str | Token],
    answer: Iterable[Token],
) -> Iterator[Proposal]:
    """The proposal made of `items`, or nothing when the answer is not one run of words."""
    span = contiguous(list(answer))
    if span is None:
        return
    asked = tuple(item for item in items if not isinstance(item, str))
    yield Proposal(fact, compose(items, fact.page, fact.code), asked, span, pattern, base)


def names_person(head: Token, page: Page, code: frozenset[int]) -> bool:
    """True if a noun surely means a person: the parser often takes products for people."""
    if head.i in code or not is_person(head):
        return False
    if any(c.dep_ == "relcl" and c.left_edge.lower_ == "which" for c in head.children):
        return False
    if head.pos_ != "PROPN":
        return True
    if any(c.dep_ == "det" for c in head.children):
        return False
    span = next((e for e in head.doc.ents if e.start <= head.i < e.end), None)
    if span is not None and any(t.lemma_.lower() in TYPE_NOUNS for t in span):
        return False
    if span is None or span.text not in page.people:
        return False
    whole = len(span) > 1 and all((t.text.isalpha() and t.text[1:].islower()) or "." in t.text for t in span)
    return whole or (not page.addressed and head.text.isalpha())


def subject_words(fact: Stated) -> list[Token]:
    """The subject, trimmed, for use in a question. Raises Unsure when it points elsewhere."""
    subject = fact.clause.subject
    if subject is None or subject.dep == "expl":
        raise Unsure
    words = lean(subject.tokens)
    if words and words[-1].tag_ in ("VBZ", "VBP", "MD", "IN") and words[-1].i not in fact.code:
        raise Unsure
    if subject.head.pos_ == "PRON" and subject.head.lower_ != "you" and not fact.page.understood(subject.head):
        raise Unsure
    return untitled(words, subject.head)


def untitled(words: list[Token], head: Token) -> list[Token]:
    """A person's name without the common noun before it, which leans on the text: "fellow lineman Mario Addison"."""
    if head.pos_ != "PROPN" or head.ent_type_ != "PERSON" or not words or words[-1] != head:
        return words
    titles = [t.i for t in words if t.pos_ == "NOUN" and t.text.islower() and t.head == head and t.dep_ != "poss"]
    return [t for t in words if not titles or t.i > titles[-1]]


def rest(fact: Stated, *without: Constituent) -> list[Token]:
    """The words after the verb that a question keeps, and the openers of time and place, moved there.

    Raises Unsure when something that cannot be kept may matter.
    """
    skipped = {part.start for part in without}
    doc = fact.clause.doc
    kept = [
        token
        for part in fact.clause.after
        if part.start not in skipped
        for token in _kept_after(part, set_off=doc[part.start - 1].text == ",")
    ]
    return [*kept, *moved(fact, *without)]


def moved(fact: Stated, *without: Constituent) -> list[Token]:
    """The words of the openers that a question keeps, for its end."""
    skipped = {part.start for part in without}
    return [t for part in fact.clause.openers if part.start not in skipped for t in _kept_opener(part)]


def _kept_after(part: Constituent, *, set_off: bool) -> list[Token]:
    if _LINKING.search(_plain(part)):
        return []
    if part.dep == "advmod":
        return [] if part.head.lower_ in DROPPED_ADVERBS or set_off else lean(part.tokens)
    if part.dep == "advcl":
        if is_purpose(part) and not set_off:
            return lean(part.tokens)
        return lean(part.tokens) if part.tokens[0].lower_ in _CONDITIONS else _dropped_clause(part)
    if part.dep in ("prep", "npadvmod") and set_off and not is_date(part):
        return []
    if part.dep in ("ccomp", "mark"):
        raise Unsure
    return lean(part.tokens)


def _plain(part: Constituent) -> str:
    return " ".join(token.lower_ for token in part.tokens)


def _dropped_clause(part: Constituent) -> list[Token]:
    """Nothing, when a clause may be left out; a condition may not."""
    if any(
        token.lower_ in ("if", "unless", "until", "when", "once", "where", "whenever", "while")
        for token in part.tokens[:2]
    ):
        raise Unsure
    if part.head.tag_ == "VBG" and part.tokens[0] == part.head and part.head.doc[part.start - 1].text != ",":
        raise Unsure
    return []


def _kept_opener(part: Constituent) -> list[Token]:
    first = part.tokens[0].lower_
    if _LINKING.search(_plain(part)):
        return []
    if part.dep in ("advcl", "prep") and first in _CONDITIONS and part.end - part.start <= 14:
        return lean(part.tokens)
    if part.dep == "advmod" and part.head.lower_ in DROPPED_ADVERBS:
        return []
    if part.dep == "advcl" and is_purpose(part):
        return lean(part.tokens)
    if first in _DROPPED_OPENERS:
        return []
    if part.dep == "prep" and part.end - part.start < 2:
        raise Unsure
    if part.dep == "prep" and first in MOVABLE_PREPOSITIONS and part.end - part.start <= 8:
        return lean(part.tokens)
    if part.dep == "npadvmod" and is_date(part):
        return lean(part.tokens)
    if part.dep == "advcl" and part.head.tag_ in ("VBN", "VBG") and first == part.head.lower_:
        return []
    raise Unsure


def is_purpose(part: Constituent) -> bool:
    """True if a clause is an infinitive of purpose: "to receive files", "in order to ..."."""
    marks = [child for child in part.head.children if child.tag_ == "TO"]
    words = [token.lower_ for token in part.tokens]
    starts = words[:1] == ["to"] or words[:3] == ["in", "order", "to"]
    return bool(marks) and part.head.tag_ == "VB" and part.head.lemma_ != "be" and starts


def is_date(part: Constituent) -> bool:
    """True if a part gives a date."""
    return date_words(part) is not None


def date_words(part: Constituent) -> list[Token] | None:
    """The date of "in 1521", "on 4 July 1776" or a bare adverbial date, without its preposition."""
    tokens = part.tokens
    if part.dep == "prep":
        if part.head.lower_ not in (
            "in",
            "on",
            "since",
            "during",
            "by",
            "until",
            "before",
            "after",
            "from",
            "around",
            "at",
        ):
            return None
        tokens = tokens[1:]
    elif part.dep != "npadvmod":
        return None
    words = lean(tokens)
    if part.head.lower_ in ("in", "by") and words and words[-1].lower_ == "century":
        return words
    if words and all(
        t.ent_type_ == "DATE" or t.is_punct or t.lower_ in ("the", "of", "about", "around") for t in words
    ):
        return words if any(char.isdigit() for t in words for char in t.text) else None
    return None
