"""Claims without a model: the sentences of a text, compared by their words, in English and Chinese."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from synth.evaluation.measuring.support import pieces
from synth.evaluation.measuring.word_coverage import WordIndex, content, share, weights
from synth.text.stems import stem

STATED = 0.5
"""Share of a claim's words, by weight, from which on a text states it."""

Claim = tuple[str, ...]
"""The words of a sentence."""


def claim_precision(answer: str, golden: str, question: str) -> float:
    """The share of the answer's claims that `golden`, read with the question, states; 0 for an answer without one."""
    asked = _stems(question)
    claims = _claims(answer, asked)
    return _stated_share(claims, WordIndex.of((*content(golden), *content(question))), asked)


def claim_recall(answer: str, golden: str, question: str) -> float:
    """The share of the claims of `golden` that the answer states.

    A golden answer that only repeats words of the question counts as a claim too.
    """
    asked = _stems(question)
    claims = _claims(golden, asked) or _claims(golden)
    return _stated_share(claims, WordIndex.of(content(answer)), asked)


def _stated_share(claims: Sequence[Claim], text: WordIndex, asked: Collection[str]) -> float:
    stated = sum(share(claim, weights(claim, asked), text) >= STATED for claim in claims)
    return stated / len(claims) if claims else 0.0


def _claims(text: str, asked: Collection[str] = ()) -> list[Claim]:
    """The claims of a text, without those whose words are all in the question (stems in `asked`)."""
    sentences = [content(sentence) for sentence in pieces(text)]
    return [words for words in sentences if any(stem(word) not in asked for word in words)]


def _stems(question: str) -> frozenset[str]:
    return frozenset(map(stem, content(question)))
