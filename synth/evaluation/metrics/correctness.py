"""Correctness of an answer as people judge it, without a model."""

from __future__ import annotations

from dataclasses import dataclass

from synth.evaluation.measuring.answer_agreement import agreement
from synth.evaluation.metrics.base import AnswerMetric, Case


@dataclass(frozen=True)
class Correctness(AnswerMetric):
    """Share of the golden answer's words, numbers and dates that the answer has, by weight; right from 0.5 on.

    Words match whole: as written, by their stem, or with one slip of the pen; those of the question and function words
    weigh less. Numbers match by value and unit (scale words, currency, percent and fraction, 万 and 亿), also when the
    golden answer is rounded. Dates match by their parts: those that both have must agree, and the year alone is half.

    An answer that contradicts the golden one is below 0.5. It has another number or date in the place of one that is
    missing; another part of a name (Frank Smith for Frank Crowe); two names or figures of the golden answer in each
    other's place; a clause of the golden answer only where it is denied, or the other way round; not every
    item of a list; another time of day, version or bound ("before 1990" for "after 1990"); or several answers where
    one was asked for ("A or B"). What it refuses to answer counts as denied.

    Limits: it knows no synonyms, nicknames or antonyms, takes either part of "3/4/2020" for the month, and does not see
    a wrong word that is neither number, date, name nor negation. English and Chinese, in both scripts.
    """

    name = "correctness"
    version = 5

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return agreement(golden, answer, case.item.question, case.item.golden_answers, case.language)
