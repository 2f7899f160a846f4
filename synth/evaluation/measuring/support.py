"""Support of statements by a few sentences of passages, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

from synth.evaluation.measuring.answer_amounts import answer_amounts
from synth.evaluation.measuring.answer_dates import AnswerDate, answer_dates
from synth.evaluation.measuring.answer_facts import (
    Figure,
    dates_and_amounts,
    folded,
    says,
    without,
    without_accents,
)
from synth.evaluation.measuring.answer_names import chinese_names
from synth.evaluation.measuring.polarity import AnswerClause, clauses, may_deny
from synth.text.calendar_names import MONTH_ABBREVIATIONS, MONTHS
from synth.text.language import HAN
from synth.text.numerals import NUMBER_WORDS, ORDINALS
from synth.text.sentences import split_sentences
from synth.text.stems import stem, stemmed
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP, words

SUPPORTED = 0.5
"""Minimum support for a statement to count as supported."""

POWER = 1.8
"""Exponent applied to the covered share. Statements that people call supported mostly have a share of at least 0.68."""

FEW = 3
"""Maximum number of sentences that support a statement together."""

READ = 20
"""Maximum number of sentences that are searched for the numbers of a statement."""

WORD_WEIGHT, NAME_WEIGHT, FIGURE_WEIGHT = 1.0, 1.5, 2.0
NAME_MISSING, FIGURE_MISSING, DENIED = 0.5, 0.25, 0.25
"""Factors by which the support is multiplied: per missing name, per missing number or date, for opposite polarity."""

_MOSTLY, _LEAST = 0.6, 2
_WORD, _ASCII_WORD = re.compile(rf"[^\W_{HAN}]+"), re.compile("[a-z0-9]+")
_HAN = re.compile(f"[{HAN}]")
_MAY_HAVE_FIGURES = re.compile(
    rf"[\d{HAN}]|\b(?:{'|'.join((*NUMBER_WORDS, *ORDINALS, *MONTHS, *MONTH_ABBREVIATIONS))})", re.IGNORECASE
)


def supported(statements: Sequence[str], passages: Sequence[str]) -> float:
    """Return the mean support of statements by passages, from 0 to 1. A statement is supported from `SUPPORTED`.

    The best `FEW` sentences of the passages together contain a weighted share of a statement's words, names and
    numbers. This share to the power of `POWER` is the support. Each name that no sentence contains halves the support.
    For each number or date that no sentence contains together with another word of the statement, the support is
    divided by four. For the opposite polarity, it is divided by four too.

    Limits: it does not recognise paraphrases, nor who did what to whom.
    """
    read = [_passage(passage) for passage in passages]
    return sum(_support(_read(statement), read) for statement in statements) / len(statements)


def pieces(text: str) -> list[str]:
    """Return the sentences of a text."""
    return [text[start:end] for start, end in split_sentences(text)]


@dataclass(frozen=True)
class _Sentence:
    """A sentence of a passage without accents, with its words in lower case. Figures are read when needed."""

    text: str
    words: frozenset[str]

    @classmethod
    def of(cls, text: str) -> _Sentence:
        plain = text.casefold()
        return cls(text, frozenset((_ASCII_WORD if plain.isascii() else _WORD).findall(plain)))

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        text = folded(self.text)
        return (*answer_dates(text), *answer_amounts(text))

    def may_say(self, figure: Figure) -> bool:
        """Return whether the sentence can contain a figure; a year requires its last two digits."""
        if isinstance(figure, AnswerDate) and figure.year is not None and not _HAN.search(self.text):
            return f"{abs(figure.year) % 100:02}" in self.text
        return bool(_MAY_HAVE_FIGURES.search(self.text))


@dataclass(frozen=True, slots=True)
class _FoldedPassage:
    """Sentences of a passage, and all their words."""

    sentences: tuple[_Sentence, ...]
    words: frozenset[str]


@lru_cache(maxsize=4096)
def _passage(text: str) -> _FoldedPassage:
    sentences = tuple(map(_Sentence.of, pieces(without_accents(text))))
    return _FoldedPassage(sentences, frozenset().union(*(sentence.words for sentence in sentences)))


Unit: TypeAlias = str | int
"""A word of a statement (its stem in English), or the index of a figure in the statement."""


@dataclass(frozen=True, slots=True)
class _Statement:
    """A folded statement: weights of its words and figures, names among the words, and figures."""

    text: str
    weights: Mapping[Unit, float]
    names: frozenset[Unit]
    figures: tuple[Figure, ...]

    @property
    def words(self) -> set[str]:
        """Words, including names."""
        return {unit for unit in self.weights if isinstance(unit, str)}

    @property
    def facts(self) -> frozenset[Unit]:
        """Names and figures."""
        return self.names | frozenset(range(len(self.figures)))


@lru_cache(maxsize=2048)
def _read(statement: str) -> _Statement:
    text = folded(statement)
    dates, amounts = dates_and_amounts(text)
    figures: tuple[Figure, ...] = (*dates, *amounts)
    plain = without(figures, text)
    written = _WORD.findall(plain)
    stems = {word: stem(word.casefold()) for word in written if word.casefold() not in ENGLISH_STOP}
    chinese = [word for word in words(plain) if _HAN.match(word) and word not in CHINESE_STOP]
    lone = written[:1] if not (written[1:] and written[1][0].isupper()) else []  # capitalised as any first word
    named = {stems[word] for word in stems if word[0].isupper() and word not in lone}
    named |= {plain[start:end] for start, end in chinese_names(plain)} & {*chinese}
    known = [*stems.values(), *chinese]
    if not known and not figures:
        known = words(plain)
    weights: dict[Unit, float] = {word: NAME_WEIGHT if word in named else WORD_WEIGHT for word in known}
    weights |= dict.fromkeys(range(len(figures)), FIGURE_WEIGHT)
    return _Statement(text, weights, frozenset(named), figures)


def _support(statement: _Statement, passages: Sequence[_FoldedPassage]) -> float:
    known = stemmed(frozenset().union(*(passage.words for passage in passages)), statement.words)
    sentences = [sentence for passage in passages for sentence in passage.sentences]
    shared = _shared(statement, sentences, known)
    chosen = _best(statement.weights, shared)
    if not chosen:
        return 0.0
    covered = set().union(*(shared[i] for i in chosen))
    share = sum(statement.weights[unit] for unit in covered) / sum(statement.weights.values())
    support: float = share**POWER
    for unit in statement.facts.difference(*shared.values()):
        support *= NAME_MISSING if unit in statement.names else FIGURE_MISSING
    return support * (DENIED if _denied(statement, [sentences[i].text for i in chosen], known) else 1.0)


def _shared(statement: _Statement, sentences: Sequence[_Sentence], known: Mapping[str, str]) -> dict[int, set[Unit]]:
    """Return the words and figures of a statement that each sentence contains, by the index of the sentence.

    `known` contains the stems of English words. A figure counts only if the sentence also contains another part of the
    statement. Figures are searched in the `READ` sentences that share the most words with the statement. Names do not
    count for this choice of sentences, so that a wrong name does not change it.
    """
    figures = dict(enumerate(statement.figures))
    wanted = statement.words
    english = frozenset(known)
    chinese = [word for word in wanted if _HAN.match(word)]
    shared: dict[int, set[Unit]] = {}
    for i, sentence in enumerate(sentences):
        units: set[Unit] = {known[word] for word in english & sentence.words}
        if chinese:
            units |= {word for word in chinese if word in sentence.text}
        if units or not wanted:
            shared[i] = units
    order = sorted(shared, key=lambda i: -len(shared[i] - statement.names))[:READ] if figures else []
    for n, figure in figures.items():
        given = ((i, sentences[i].figures) for i in order if sentences[i].may_say(figure))
        for i in _where(figure, given):
            shared[i].add(n)
    alone = len(statement.weights) == 1
    return {i: units if len(units) > 1 or alone else units - figures.keys() for i, units in shared.items()}


def _where(wanted: Figure, given: Iterable[tuple[int, Sequence[Figure]]]) -> Iterator[int]:
    """Yield the indices of the sentences that state a figure; `given` contains sentences by index, with their figures.

    A sentence states a date if it contains all parts of the date. A sentence with only some of the parts counts if it
    is the first such sentence and no date in it differs in another part.
    """
    date = wanted if isinstance(wanted, AnswerDate) else None
    parts, parted = set(date.parts) if date else set(), False
    for i, figures in given:
        compared = [date.alike(other) for other in figures if date and isinstance(other, AnswerDate)]
        near = [alike for alike in compared if alike[0]]
        if near:
            if any(same == parts for same, _ in near) or not (parted or any(differing for _, differing in near)):
                yield i
            parted = True
        elif any(says(other, wanted) for other in figures):
            yield i


def _best(weights: Mapping[Unit, float], shared: Mapping[int, set[Unit]]) -> list[int]:
    """Return the indices of at most `FEW` sentences, chosen greedily by the weight that they cover, best first."""
    chosen: list[int] = []
    rest = dict(weights)
    while rest and len(chosen) < FEW:
        gains = {i: sum(rest.get(unit, 0.0) for unit in units) for i, units in shared.items()}
        best = max(gains, key=lambda i: gains[i], default=None)
        if best is None or not gains[best]:
            break
        chosen.append(best)
        for unit in shared[best]:
            rest.pop(unit, None)
    return chosen


def _denied(statement: _Statement, sentences: Sequence[str], known: Mapping[str, str]) -> bool:
    """Return whether a clause of a statement denies what the sentences state, or states what they deny."""
    if not any(map(may_deny, (statement.text, *sentences))):
        return False
    given = [
        (_Sentence.of(clause.text), clause.denied)
        for sentence in sentences
        for clause in (clauses(sentence) if may_deny(sentence) else (AnswerClause(sentence, denied=False),))
    ]
    for own in clauses(statement.text):
        read = _read(own.text)
        most = {True: 0, False: 0}
        for sentence, denied in given:
            count = sum(map(len, _shared(read, [sentence], known).values()))
            if own.denied or not denied or 2 * count >= len(sentence.words - ENGLISH_STOP):  # else it denies more
                most[denied] = max(most[denied], count)
        other = most[not own.denied]
        if other > most[own.denied] and other >= max(_LEAST, _MOSTLY * len(read.weights)):
            return True
    return False
