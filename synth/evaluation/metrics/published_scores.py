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
    """Lower case, without ASCII punctuation and articles, single spaces (Rajpurkar et al., 2016)."""
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_NO_MARKS)).split())


def squad_golden(answers: Sequence[str]) -> list[str]:
    """The normalised golden answers that have a word left; only the empty answer where there is none."""
    return [text for text in map(squad_normalised, answers) if text] or [""]


@dataclass(frozen=True)
class SquadExactMatch(Metric):
    """Exact match of SQuAD 2.0; an unanswerable row wants the empty answer. 3.14 is 314 here."""

    name = "squad_em"
    needs = "answer"
    default = False

    def measure(self, case: Case) -> Mapping[str, Value]:
        return {self.name: float(squad_normalised(case.answer) in squad_golden(case.item.golden_answers))}


@dataclass(frozen=True)
class SquadF1(Metric):
    """F1 of SQuAD 2.0, over words separated by white space; of no use for Chinese."""

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
    """Exact match of CMRC 2018: lower case, without the marks of its list; script and width count."""

    name = "cmrc_em"
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return float(without_marks(answer) == without_marks(golden))


@dataclass(frozen=True)
class CmrcF1(AnswerMetric):
    """F1 of CMRC 2018: the longest run of characters that answer and golden answer share."""

    name = "cmrc_f1"
    default = False

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return cmrc_f1(answer, golden)


@dataclass(frozen=True)
class Rouge1(AnswerMetric):
    """F1 of the words of answer and golden answer, each as often as it occurs; Chinese by characters."""

    name = "rouge_1"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return rouge_n(case.folding.apply(answer), case.folding.apply(golden), 1)


@dataclass(frozen=True)
class Rouge2(AnswerMetric):
    """F1 of the pairs of successive words; Chinese by characters."""

    name = "rouge_2"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return rouge_n(case.folding.apply(answer), case.folding.apply(golden), 2)


@dataclass(frozen=True)
class RougeL(AnswerMetric):
    """F1 of the longest common subsequence of words; Chinese by characters."""

    name = "rouge_l"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        answer_tokens, golden_tokens = (rouge_tokens(case.folding.apply(text)) for text in (answer, golden))
        if not answer_tokens or not golden_tokens:
            return 0.0
        common = lcs(answer_tokens, golden_tokens)
        return f1(common / len(answer_tokens), common / len(golden_tokens))


@dataclass(frozen=True)
class Bleu(Metric):
    """sacrebleu's sentence BLEU over 100: effective order, exponential smoothing, tokens 13a or, with Chinese, zh."""

    name = "bleu"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        answer, golden = case.folded_answers
        return {self.name: bleu(answer, golden) if golden else NO_ANSWERS}

    @property
    def signature(self) -> str:
        """The settings that decide the number, as sacrebleu writes them."""
        from importlib.metadata import version

        return f"nrefs:var|case:mixed|eff:yes|tok:13a,zh|smooth:exp|version:{version('sacrebleu')}"


@dataclass(frozen=True)
class ChrF(AnswerMetric):
    """sacrebleu's chrF2 over 100: F-score of character n-grams of one to six characters, white space aside."""

    name = "chrf"

    def compare(self, answer: str, golden: str, case: Case) -> float:
        return chrf(case.folding.apply(answer), case.folding.apply(golden))
