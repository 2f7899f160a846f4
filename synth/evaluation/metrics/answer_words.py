"""Metrics that compare the words of the answer and the golden answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synth.core.patterns import is_found
from synth.evaluation.measuring.answer_normalisation import ARTICLES, tokens, word_tokens
from synth.evaluation.measuring.overlap import has_run, overlap
from synth.evaluation.measuring.ranking import f1
from synth.evaluation.measuring.refusals import abstains
from synth.evaluation.metrics.base import AnswerMetric, Case, Metric, Undefined, Value


@dataclass(frozen=True)
class ExactMatch(AnswerMetric):
    """1 if the answer equals a golden answer, ignoring case, punctuation and articles; 3.14 is not 314."""

    name = "exact_match"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return float(tokens(answer, case.folding) == tokens(golden, case.folding))


@dataclass(frozen=True)
class SubExactMatch(AnswerMetric):
    """1 if the answer contains a golden answer as a run of tokens (Chinese by character); "on" is not in "London".

    Articles are ignored, unless the golden answer consists of articles only, such as the grade "A".
    """

    name = "sub_em"
    version = 2

    def compare(self, answer: str, golden: str, case: Case) -> float:
        golden_tokens = tokens(golden, case.folding)
        answer_tokens = tokens(answer, case.folding, with_articles=ARTICLES.issuperset(golden_tokens))
        return float(has_run(answer_tokens, golden_tokens))


@dataclass(frozen=True)
class TokenPrecision(AnswerMetric):
    """Share of the answer's words that the golden answer contains; Chinese by character."""

    name = "token_precision"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return overlap(tokens(answer, case.folding), tokens(golden, case.folding))[0]


@dataclass(frozen=True)
class TokenRecall(AnswerMetric):
    """Share of the golden answer's words that the answer contains; Chinese by character."""

    name = "token_recall"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return overlap(tokens(answer, case.folding), tokens(golden, case.folding))[1]


@dataclass(frozen=True)
class TokenF1(AnswerMetric):
    """F1 of the words of answer and golden answer; Chinese by character."""

    name = "token_f1"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return f1(*overlap(tokens(answer, case.folding), tokens(golden, case.folding)))


@dataclass(frozen=True)
class WordF1(AnswerMetric):
    """F1 of the words of answer and golden answer; Chinese split into words by a dictionary."""

    name = "word_f1"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return f1(*overlap(word_tokens(answer, case.folding), word_tokens(golden, case.folding)))


@dataclass(frozen=True)
class EditSimilarity(AnswerMetric):
    """1 minus the share of characters to insert, delete or replace, ignoring case, punctuation and articles."""

    name = "edit_similarity"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        from rapidfuzz.distance import Levenshtein

        answer_words, golden_words = (" ".join(tokens(text, case.folding)) for text in (answer, golden))
        return float(Levenshtein.normalized_similarity(answer_words, golden_words))


@dataclass(frozen=True)
class PatternMatch(Metric):
    """1 if a regular expression in the row's `answer_pattern` (one or a list) matches in the answer, ignoring case.

    Both the original and the folded answer are tried. Expressions have RE2 syntax (`core.patterns`), so that no pattern
    can hang a run.
    """

    name = "pattern_match"
    needs = "answer"
    version = 3

    def measure(self, case: Case) -> Mapping[str, Value]:
        return {self.name: _match(case)}


def _match(case: Case) -> Value:
    answer_pattern = case.item.metadata.get("answer_pattern")
    if not answer_pattern:
        return Undefined("the row has no answer_pattern")
    patterns: Any = [answer_pattern] if isinstance(answer_pattern, str) else answer_pattern
    if not isinstance(patterns, list | tuple) or not all(isinstance(pattern, str) for pattern in patterns):
        return Undefined("the row's answer_pattern must be a string or a list of strings")
    if not all(map(str.strip, patterns)):
        return Undefined("the row's answer_pattern contains an empty pattern, which matches every answer")
    answers = {case.answer, case.folding.apply(case.answer)}
    try:
        matches = [is_found(f"(?i){pattern}", answer) for pattern in patterns for answer in answers]
    except ValueError as error:
        return Undefined(f"the row's answer_pattern is not a valid RE2 expression: {error}")
    return float(any(matches))


@dataclass(frozen=True)
class Abstention(Metric):
    """1 if the answer to an unanswerable row is empty or says that there is no answer; other rows have no value."""

    name = "abstention"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        if case.answerable:
            return {self.name: Undefined("the row is answerable")}
        return {self.name: float(abstains(case.answer))}
