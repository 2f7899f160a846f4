"""What a text claims, one sentence at a time, and whether another text says it: no model, both languages."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from synth.evaluation.metrics.support import pieces
from synth.evaluation.metrics.word_coverage import Said, content, share, weights
from synth.text.stems import stem

SAID = 0.5
"""Share of a claim's content, words by weight, from which on it counts as said."""


def claims(text: str, asked: Collection[str] = ()) -> list[tuple[str, ...]]:
    """The claims of a text as their words: its sentences, without those that only repeat the question.

    `asked` are the stems of the question's words.
    """
    found = [content(sentence) for sentence in pieces(text)]
    return [words for words in found if any(stem(word) not in asked for word in words)]


def asked_stems(question: str) -> frozenset[str]:
    """The words of a question as `claims` and `said` want them."""
    return frozenset(map(stem, content(question)))


def said(claim: Sequence[str], text: Said, asked: Collection[str]) -> bool:
    """Whether a text says a claim, words of the question counting little."""
    return share(claim, weights(claim, asked), text) >= SAID
