"""Exact match and F1 of SQuAD 2.0, number for number, for comparison with what was published."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.metrics.base import Case, Metric, Value
from synth.evaluation.metrics.overlap import overlap
from synth.evaluation.metrics.ranking import f1

_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_NO_MARKS = str.maketrans("", "", string.punctuation)


@lru_cache(maxsize=2048)
def squad_normalised(text: str) -> str:
    """Lower case, without ASCII punctuation and articles, single spaces (Rajpurkar et al., 2016)."""
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_NO_MARKS)).split())


def _golden(case: Case) -> list[str]:
    """The golden answers that have a word left; a row without one wants the empty answer."""
    return [one for one in case.item.golden_answers if squad_normalised(one)] or [""]


@dataclass(frozen=True)
class SquadExactMatch(Metric):
    """Exact match of SQuAD 2.0; an unanswerable row wants the empty answer. 3.14 is 314 here."""

    name = "squad_em"
    needs = "answer"
    default = False

    def measure(self, case: Case) -> Mapping[str, Value]:
        said = squad_normalised(case.answer)
        return {self.name: float(any(said == squad_normalised(one) for one in _golden(case)))}


@dataclass(frozen=True)
class SquadF1(Metric):
    """F1 of SQuAD 2.0, over words parted by white space; of no use for Chinese."""

    name = "squad_f1"
    needs = "answer"
    default = False

    def measure(self, case: Case) -> Mapping[str, Value]:
        said = squad_normalised(case.answer).split()
        return {self.name: max(f1(*overlap(said, squad_normalised(one).split())) for one in _golden(case))}
