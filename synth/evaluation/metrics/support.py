"""Whether the contexts bear out an answer, without a model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from synth.evaluation.metrics.base import Case, Metric, Undefined, Value
from synth.evaluation.metrics.word_coverage import Said, content, weights, worth
from synth.text.sentences import split_sentences

_NAME = re.compile(r"\b[A-Z][\w'-]+")
WINDOW = 2
"""Sentences in a row that may bear out a statement together."""


@dataclass(frozen=True)
class Support(Metric):
    """How much of what the answer says the contexts say: in all, in two sentences together, and in its names.

    The mean of three shares, for each sentence of the answer: its words by weight in all contexts; the same in
    the best two sentences in a row; its names and numbers in all contexts. It ranks answers; it proves none.
    """

    name = "support"
    version = 2
    needs = "contexts"

    def measure(self, case: Case) -> Mapping[str, Value]:
        if case.response.answer is None:
            return {self.name: Undefined("the response has no answer")}
        texts = [one.text for one in case.contexts if one.text]
        if case.contexts and not texts:
            return {self.name: Undefined("the contexts have no texts")}
        statements = [one for one in pieces(case.answer) if content(one)]
        if not statements:
            return {self.name: Undefined("the answer is empty")}
        return {self.name: supported(statements, [sentence for text in texts for sentence in pieces(text)])}


def supported(statements: Sequence[str], sentences: Sequence[str]) -> float:
    """The mean support of statements by sentences, from 0 to 1."""
    parts = [Said.of(content(one)) for one in sentences]
    whole = Said.of([word for one in sentences for word in content(one)])
    return sum(_one(statement, whole, parts) for statement in statements) / len(statements)


def _one(statement: str, whole: Said, parts: Sequence[Said]) -> float:
    wanted = content(statement)
    by = weights(wanted)
    total = sum(by)
    worths = [_by_sentence(word, whole, parts) for word in wanted]
    overall = sum(weight * max(found.values(), default=0.0) for weight, found in zip(by, worths, strict=True)) / total
    within = [0.0] * max(1, len(parts))
    for weight, found in zip(by, worths, strict=True):
        for i in {place - back for place in found for back in range(WINDOW)} & set(range(len(parts))):
            within[i] += weight * max(found.get(i + on, 0.0) for on in range(WINDOW)) / total
    proper = {word for name in _NAME.findall(statement) for word in content(name)}
    names = [bool(found) for word, found in zip(wanted, worths, strict=True) if word in proper or word[:1].isdigit()]
    named = sum(names) / len(names) if names else overall
    # The weights are shares, and their sum may be a hair over 1.
    return min(1.0, (overall + max(within) + named) / 3)


def _by_sentence(word: str, whole: Said, parts: Sequence[Said]) -> dict[int, float]:
    """How surely each sentence says a word, without those that do not; whether any does is found out first."""
    if not worth(word, whole):
        return {}
    found = {i: worth(word, part, loosely=False) for i, part in enumerate(parts)}
    if not any(found.values()):
        found = {i: worth(word, part) for i, part in enumerate(parts)}
    return {i: value for i, value in found.items() if value}


def pieces(text: str) -> list[str]:
    """The sentences of a text."""
    return [text[start:end] for start, end in split_sentences(text)]
