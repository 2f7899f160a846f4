"""Support of statements by sentences, without a model."""

from __future__ import annotations

import re
from collections.abc import Sequence

from synth.evaluation.measuring.word_coverage import WordIndex, content, weights, worth
from synth.text.sentences import split_sentences

_NAME = re.compile(r"\b[A-Z][\w'-]+")
WINDOW = 2
"""Sentences in a row that may support a statement together."""


def supported(statements: Sequence[str], sentences: Sequence[str]) -> float:
    """The mean support of statements by sentences, from 0 to 1."""
    parts = [WordIndex.of(content(sentence)) for sentence in sentences]
    whole = WordIndex.of([word for sentence in sentences for word in content(sentence)])
    return sum(_support(statement, whole, parts) for statement in statements) / len(statements)


def pieces(text: str) -> list[str]:
    """The sentences of a text."""
    return [text[start:end] for start, end in split_sentences(text)]


def _support(statement: str, whole: WordIndex, parts: Sequence[WordIndex]) -> float:
    """The mean of three shares: words in all sentences, words in the best window of sentences, names and numbers."""
    words = content(statement)
    by_weight = weights(words)
    total = sum(by_weight)
    worths = [_worth_by_sentence(word, whole, parts) for word in words]
    overall = sum(weight * max(by.values(), default=0.0) for weight, by in zip(by_weight, worths, strict=True)) / total
    windows = [0.0] * max(1, len(parts))
    for weight, by in zip(by_weight, worths, strict=True):
        for i in {place - back for place in by for back in range(WINDOW)} & set(range(len(parts))):
            windows[i] += weight * max(by.get(i + on, 0.0) for on in range(WINDOW)) / total
    proper = {word for name in _NAME.findall(statement) for word in content(name)}
    names = [bool(by) for word, by in zip(words, worths, strict=True) if word in proper or word[:1].isdigit()]
    named = sum(names) / len(names) if names else overall
    return min(1.0, (overall + max(windows) + named) / 3)  # rounding may carry a sum of shares over 1


def _worth_by_sentence(word: str, whole: WordIndex, parts: Sequence[WordIndex]) -> dict[int, float]:
    """The worth of a word in each sentence that has it, exact matches first.

    The search in `whole` comes first because most words that are missing are missing everywhere.
    """
    if not worth(word, whole):
        return {}
    worths = {i: worth(word, part, loosely=False) for i, part in enumerate(parts)}
    if not any(worths.values()):
        worths = {i: worth(word, part) for i, part in enumerate(parts)}
    return {i: value for i, value in worths.items() if value}
