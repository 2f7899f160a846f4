"""Scores of an answer as published scorers compute them: SQuAD, CMRC, ROUGE, BLEU and chrF."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.measuring.cmrc import cmrc_f1, without_marks
from synth.evaluation.measuring.overlap import overlap
from synth.evaluation.measuring.ranking import f1
from synth.evaluation.measuring.rouge import lcs, rouge_n, rouge_tokens
from synth.evaluation.measuring.sacrebleu_scores import bleu, chrf
from synth.evaluation.metrics.base import NO_ANSWERS, AnswerMetric, Case, Metric, Value

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_NO_MARKS = str.maketrans("", "", string.punctuation)


@lru_cache(maxsize=2048)
def squad_normalised(text: str) -> str:
    """Return a text in lower case without ASCII punctuation, articles and repeated spaces (Rajpurkar et al., 2016)."""
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_NO_MARKS)).split())


def squad_golden(answers: Sequence[str]) -> list[str]:
    """Return the normalised golden answers that contain a word. If no answer does, return [""]."""
    return [text for text in map(squad_normalised, answers) if text] or [""]


@dataclass(frozen=True)
class SquadExactMatch(Metric):
    """Exact match of SQuAD 2.0; the answer to an unanswerable row must be empty; 3.14 equals 314."""

    name = "squad_em"
    needs = "answer"
    default = False

    def measure(self, case: Case) -> Mapping[str, Value]:
        return {self.name: float(squad_normalised(case.answer) in squad_golden(case.item.golden_answers))}


@dataclass(frozen=True)
class SquadF1(Metric):
    """F1 of SQuAD 2.0 over words separated by white space; useless for Chinese."""

    name = "squad_f1"
    needs = "answer"
    default = False

    def measure(self, case: Case) -> Mapping[str, Value]:
        words = squad_normalised(case.answer).split()
        return {
            self.name: max(f1(*overlap(words, golden.split())) for golden in squad_golden(case.item.golden_answers))
        }


@dataclass(frozen=True)
class CmrcExactMatch(AnswerMetric):
    """Exact match of CMRC 2018, ignoring case and the punctuation in its list; script and width count."""

    name = "cmrc_em"
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return float(without_marks(answer) == without_marks(golden))


@dataclass(frozen=True)
class CmrcF1(AnswerMetric):
    """F1 of CMRC 2018, from the longest run of characters that answer and golden answer share."""

    name = "cmrc_f1"
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return cmrc_f1(answer, golden)


@dataclass(frozen=True)
class Rouge1(AnswerMetric):
    """F1 of the words of answer and golden answer, counting repetitions; Chinese by character."""

    name = "rouge_1"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return rouge_n(case.folding.apply(answer), case.folding.apply(golden), 1)


@dataclass(frozen=True)
class Rouge2(AnswerMetric):
    """F1 of the pairs of adjacent words; Chinese by character."""

    name = "rouge_2"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return rouge_n(case.folding.apply(answer), case.folding.apply(golden), 2)


@dataclass(frozen=True)
class RougeL(AnswerMetric):
    """F1 of the longest common subsequence of words; Chinese by character."""

    name = "rouge_l"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        answer_tokens, golden_tokens = (rouge_tokens(case.folding.apply(text)) for text in (answer, golden))
        if not answer_tokens or not golden_tokens:
            return 0.0
        common = lcs(answer_tokens, golden_tokens)
        return f1(common / len(answer_tokens), common / len(golden_tokens))


@dataclass(frozen=True)
class Bleu(Metric):
    """sacrebleu's sentence BLEU / 100, with effective order, exponential smoothing, tokenizer 13a (Chinese: zh)."""

    name = "bleu"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        answer, golden = case.folded_answers
        return {self.name: bleu(answer, golden) if golden else NO_ANSWERS}

    @property
    def signature(self) -> str:
        """Settings that determine the value, in sacrebleu's notation."""
        from importlib.metadata import version

        return f"nrefs:var|case:mixed|eff:yes|tok:13a,zh|smooth:exp|version:{version('sacrebleu')}"


@dataclass(frozen=True)
class ChrF(AnswerMetric):
    """sacrebleu's chrF2 divided by 100: F-score of n-grams of one to six characters, without white space."""

    name = "chrf"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return chrf(case.folding.apply(answer), case.folding.apply(golden))
