"""Exact match and F1 of CMRC 2018, number for number: Chinese by characters, marks set aside."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.metrics.base import NO_ANSWERS, Case, Metric, Value
from synth.evaluation.metrics.ranking import f1
from synth.evaluation.metrics.treebank import treebank

# The ellipsis of two characters in the original list never equals one character, so it is none here.
MARKS = frozenset("-:_*^/\\~`+=，。：？！“”；’《》·、「」（）－～『』")


@dataclass(frozen=True)
class CmrcExactMatch(Metric):
    """Exact match of CMRC 2018: lower case, the marks of its list set aside, scripts and widths as they are."""

    name = "cmrc_em"
    needs = "answer"
    default = False

    def measure(self, case: Case) -> Mapping[str, Value]:
        return _best(self.name, case, lambda said, golden: float(_plain(said) == _plain(golden)))


@dataclass(frozen=True)
class CmrcF1(Metric):
    """F1 of CMRC 2018: the longest run of characters that answer and golden answer share."""

    name = "cmrc_f1"
    needs = "answer"
    default = False

    def measure(self, case: Case) -> Mapping[str, Value]:
        return _best(self.name, case, cmrc_f1)


def _best(name: str, case: Case, compare: Callable[[str, str], float]) -> Mapping[str, Value]:
    if not case.item.golden_answers:
        return {name: NO_ANSWERS}
    return {name: max(compare(case.answer, golden) for golden in case.item.golden_answers)}


def cmrc_f1(answer: str, golden: str) -> float:
    """F1 by the longest common run of segments."""
    said, wanted = segments(answer), segments(golden)
    common = _longest_run(said, wanted)
    return f1(common / len(said), common / len(wanted)) if common else 0.0


@lru_cache(maxsize=2048)
def segments(text: str) -> tuple[str, ...]:
    """Chinese characters one by one, words of other scripts whole, without the marks."""
    found: list[str] = []
    other = ""
    for char in text.lower().strip():
        if char in MARKS:
            continue
        if "\u4e00" <= char <= "\u9fa5":
            found += treebank(other)
            found.append(char)
            other = ""
        else:
            other += char
    return tuple(found + treebank(other))


@lru_cache(maxsize=2048)
def _plain(text: str) -> str:
    return "".join(char for char in text.lower().strip() if char not in MARKS)


def _longest_run(a: Sequence[str], b: Sequence[str]) -> int:
    """The length of the longest run of equal segments."""
    longest = 0
    ending = [0] * (len(b) + 1)
    for one in a:
        before = 0
        for j, other in enumerate(b, start=1):
            before, ending[j] = ending[j], before + 1 if one == other else 0
            longest = max(longest, ending[j])
    return longest
