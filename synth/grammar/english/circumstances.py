"""Constructions that ask when, how many, how tall, within how long."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import Constituent
from synth.grammar.english.lexicon import LIFE_VERBS, word_set
from synth.grammar.english.phrases import lean, vague
from synth.grammar.english.proposals import (
    Proposal,
    Stated,
    date_words,
    propose,
    rest,
    subject_words,
)
from synth.grammar.english.wording import finite, inverted

if TYPE_CHECKING:
    from spacy.tokens import Token


_TIMES = re.compile(r"\b(?:\d[\d,]*|two|three|four|five|six|seven|eight|nine|ten|several|many) times\b")
_PERIOD = re.compile(r"(between \d{4} and|from \d{4} (to|until|through)) \d{4}", re.I)
_SPREAD = re.compile(r"\b(every|each|all|both|most|quarters?|years|months|days|between|and|or)\b|\d[-–]\d{2}", re.I)
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_UNITS = word_set("minutes hours days weeks months years")
_NAMED = re.compile(r"\d[A-Za-z]|[A-Za-z]\d|^\d+\.\d+$")
_LISTED = word_set("one two")
"""Numbers of what a sentence goes on to name: "two modes" is asked for its modes, if at all."""

_MEASURES = word_set("tall long high deep wide old thick heavy")


def when(fact: Stated) -> Iterator[Proposal]:
    """ "When was Luther excommunicated?", "In what year did ...?" """
    clause = fact.clause
    dated = [p for p in (*clause.openers, *clause.after) if (date_words(p)) and p.tokens[0].lower_ in ("in", "on")]
    finite_ = clause.auxiliaries[0] if clause.auxiliaries else clause.verb
    if finite_.tag_ != "VBD" or finite_.lower_ == "had":
        return  # of "is due in March 2026" and "has announced its end in March 2026" the date says something else
    if clause.verb.lemma_ in ("include", "contain", "have"):
        return
    if len(dated) != 1 or clause.copular or clause.negation or clause.subject is None:
        return
    part = dated[0]
    date = date_words(part) or []
    text = " ".join(token.text for token in date)
    if (not _YEAR.search(text) and not text.endswith("century")) or _SPREAD.search(text):
        return
    if any(child.dep_ == "conj" or child.lower_ in ("a", "an") for child in clause.subject.head.children):
        return  # "a marble statue" is one of many
    kept = rest(fact, part)
    if kept and (clause.verb.lemma_ in LIFE_VERBS or _TIMES.search(" ".join(t.lower_ for t in kept))):
        return
    words, (front, group) = subject_words(fact), inverted(clause)
    ask = "in what year" if _YEAR.fullmatch(text) and clause.verb.i % 2 else "when"
    yield from propose(fact, "when", 0.82, [ask, *front, *words, *group, *kept], date)


def period(fact: Stated) -> Iterator[Proposal]:
    """ "When was the theatre in operation?" of "from 1870 to 1939"."""
    clause = fact.clause
    if clause.copular:
        return
    parts = (*clause.openers, *clause.after)
    for part in parts:
        first = part.tokens[0].lower_
        if part.dep != "prep" or first not in ("between", "from") or clause.negation or clause.subject is None:
            continue
        text = " ".join(t.text for t in part.tokens)
        whole, used = list(part.tokens), [part]
        after = next((p for p in parts if p.start == part.end and p.head.lower_ in ("to", "until")), None)
        if first == "from" and after is not None:
            whole, used = [*whole, *after.tokens], [part, after]
            text += " " + " ".join(t.text for t in after.tokens)
        if not _PERIOD.fullmatch(text) or any(t.lemma_ == "have" for t in clause.auxiliaries):
            continue
        front, group = inverted(clause)
        attribute = rest(fact, *used)
        yield from propose(fact, "when", 0.8, ["when", *front, *subject_words(fact), *group, *attribute], whole)


def count(fact: Stated) -> Iterator[Proposal]:
    """ "How many symphonies did Haydn write?" """
    clause = fact.clause
    if clause.negation:
        return  # "must not exceed 50 files" is no number of files
    there = clause.subject is not None and clause.subject.dep == "expl"
    for part in (clause.subject, clause.part("dobj"), clause.part("attr") if there else None):
        if part is None:
            continue
        number = next((c for c in part.head.children if c.dep_ == "nummod" and c.pos_ == "NUM"), None)
        if any(c.dep_ in ("conj", "appos") for c in part.head.children):
            continue
        if number is None or part.head.tag_ not in ("NNS", "NNPS") or part.head.ent_type_ in ("DATE", "TIME", "MONEY"):
            continue
        quantity = [t for t in part.tokens if number.left_edge.i <= t.i <= number.right_edge.i]
        if quantity[0].i != part.start or number.lower_ in _LISTED or _NAMED.search(number.text):
            continue
        if any(t.dep_ == "cc" for t in quantity):
            continue
        noun_phrase = lean([t for t in part.tokens if t.i > quantity[-1].i])
        if noun_phrase[:1] != [part.head] or not vague(part.head):
            yield from _counted(fact, part, noun_phrase, quantity)


_DIRECTIONS = ("at", "by", "from", "to")
"""Words before a share that is no part of a whole: "rolled out to 1% of traffic"."""


def percentage(fact: Stated) -> Iterator[Proposal]:
    """ "What percentage of the population lived in cities in 1900?" """
    clause = fact.clause
    for part in (clause.subject, clause.part("dobj")):
        if part is None or part.head.lower_ not in ("%", "percent"):
            continue
        of = next((c for c in part.head.children if c.dep_ == "prep" and c.lower_ == "of"), None)
        if of is None or of.i != part.head.i + 1:
            continue
        amount = [t for t in part.tokens if t.i <= part.head.i]
        if amount[0].lower_ in _DIRECTIONS:
            continue
        whole = lean([t for t in part.tokens if t.i >= of.i])
        items: list[str | Token] = ["what percentage", *whole]
        if part is clause.subject:
            items += [*finite(clause), *rest(fact)]
        else:
            front, group = inverted(clause)
            items += [*front, *subject_words(fact), *group, *rest(fact, part)]
        yield from propose(fact, "percentage", 0.8, items, amount)


def _counted(fact: Stated, part: Constituent, noun_phrase: list[Token], quantity: list[Token]) -> Iterator[Proposal]:
    clause = fact.clause
    finite_ = clause.auxiliaries[0] if clause.auxiliaries else clause.verb
    if finite_.tag_ == "VBD" and not any(t.ent_type_ in ("DATE", "EVENT") for t in clause.doc):
        return  # how many there were depends on when
    if not any(map(_is_name, clause.doc)):
        return  # "a small cluster serves 100 clients": of what is counted, the page alone tells what it is
    front, group = inverted(clause)
    tail = [t for t in noun_phrase if t.i > part.head.i]
    if tail and tail[0].tag_ in ("VBN", "VBG"):
        return  # "two bands peaking at 687 nm" is no order of words for a question
    if tail and tail[0].lower_ != "of":
        noun_phrase = [t for t in noun_phrase if t.i <= part.head.i]
    else:
        tail = []
    if part is clause.subject:
        noun_phrase, tail = [*noun_phrase, *tail], []
        whole: list[str | Token] = [*front, *group] if clause.auxiliaries or clause.copular else [clause.verb.text]
        yield from propose(fact, "count", 0.74, ["how many", *noun_phrase, *whole, *rest(fact)], quantity)
    elif clause.subject is not None and clause.subject.dep == "expl":
        if clause.subject.head.lower_ == "there":
            yield from propose(
                fact,
                "count",
                0.76,
                ["how many", *noun_phrase, *front, "there", *group, *tail, *rest(fact, part)],
                quantity,
            )
    else:
        words = subject_words(fact)
        yield from propose(
            fact, "count", 0.8, ["how many", *noun_phrase, *front, *words, *group, *tail, *rest(fact, part)], quantity
        )


def _is_name(token: Token) -> bool:
    """True for a proper name, or what is written like one, that is no label of a number, as of "Version 1.6"."""
    following = token.nbor() if token.i + 1 < len(token.doc) else None
    named = token.pos_ == "PROPN" or (token.i > 0 and token.text[0].isupper())
    return named and (following is None or not following.like_num)


def measure(fact: Stated) -> Iterator[Proposal]:
    """ "How tall is the tower?" """
    clause = fact.clause
    part = clause.part("acomp")
    if part is None or part.head.lower_ not in _MEASURES or not clause.copular:
        return
    amounts = [c for c in part.head.children if c.dep_ == "npadvmod"]
    if amounts:
        answer = [t for t in part.tokens if t.i < part.head.i]
        words, (front, group) = subject_words(fact), inverted(clause)
        yield from propose(
            fact, "measure", 0.75, [f"how {part.head.lower_}", *front, *words, *group, *rest(fact, part)], answer
        )


def deadline(fact: Stated) -> Iterator[Proposal]:
    """ "Vouchers are reviewed within 5 business days." -> "Within how many business days are vouchers reviewed?" """
    clause = fact.clause
    if clause.subject is None or clause.negation or clause.copular:
        return
    for part in clause.after:
        words = part.tokens[1:]
        unit = next((t.i for t in words if t.lower_ in _UNITS), -1)
        number = [t for t in words if t.i < unit and t.like_num]
        if part.dep != "prep" or part.head.lower_ != "within" or len(number) != 1 or number[0] != words[0]:
            continue
        front, group = inverted(clause)
        counted = [t for t in words if number[0].i < t.i <= unit]
        after = [t for t in words if t.i > unit]
        asks = ["within how many", *counted, *lean(after), *front, *subject_words(fact), *group, *rest(fact, part)]
        yield from propose(fact, "deadline", 0.8, asks, [t for t in words if t.i <= unit])


CONSTRUCTIONS = (when, period, count, percentage, measure, deadline)
