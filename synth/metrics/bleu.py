"""Sentence BLEU (Papineni et al., 2002) as sacrebleu computes it, with effective order and exponential smoothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log
from typing import Any

from synth.metrics.base import NO_ANSWERS, Case, Metric, Value
from synth.metrics.folding import HAN

ORDER = 4
_HAN = re.compile(f"[{HAN}]")

Grams = tuple[Counter[tuple[str, ...]], ...]


@dataclass(frozen=True)
class Bleu(Metric):
    """sacrebleu's sentence BLEU over 100: effective order, smoothing exp, tokens 13a or, with Chinese, zh."""

    name = "bleu"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        golden = [case.folding.apply(one) for one in case.item.golden_answers]
        if not golden:
            return {self.name: NO_ANSWERS}
        return {self.name: bleu(case.folding.apply(case.answer), golden)}

    @property
    def signature(self) -> str:
        """What decides the number, as sacrebleu writes it."""
        from importlib.metadata import version

        return f"nrefs:var|case:mixed|eff:yes|tok:13a,zh|smooth:exp|version:{version('sacrebleu')}"


def bleu(answer: str, golden: Sequence[str]) -> float:
    """BLEU of one answer against golden answers taken together, from 0 to 1."""
    chinese = any(_HAN.search(text) for text in (answer, *golden))
    said = _tokens(answer, chinese=chinese)
    known = [_tokens(text, chinese=chinese) for text in golden]
    grams, wanted = _grams(said), [_grams(one) for one in known]
    correct = [_common(grams[n], [one[n] for one in wanted]) for n in range(ORDER)]
    if not any(correct):
        return 0.0
    length = len(said)
    closest = min((abs(len(one) - length), len(one)) for one in known)[1]
    brevity = exp(1 - closest / length) if length < closest else 1.0
    return min(1.0, brevity * exp(_mean_log(correct, length)))


def _mean_log(correct: Sequence[int], length: int) -> float:
    """The mean logarithm of the precisions of the orders that the answer is long enough for."""
    halves, logs = 1.0, []
    for n, hits in enumerate(correct):
        total = length - n
        if total <= 0:
            break
        if not hits:
            halves *= 2
        logs.append(log(hits / total) if hits else log(1 / (halves * total)))
    return sum(logs) / len(logs)


def _common(grams: Mapping[tuple[str, ...], int], wanted: Sequence[Mapping[tuple[str, ...], int]]) -> int:
    """How many of `grams` are matched, each as often as one of the golden answers has it."""
    if len(wanted) == 1:
        only = wanted[0]
        return sum(min(grams[gram], only[gram]) for gram in grams.keys() & only.keys())
    return sum(min(count, max(one.get(gram, 0) for one in wanted)) for gram, count in grams.items())


@lru_cache(maxsize=16)
def _grams(tokens: tuple[str, ...]) -> Grams:
    return tuple(Counter(zip(*(tokens[i:] for i in range(n)), strict=False)) for n in range(1, ORDER + 1))


@lru_cache(maxsize=2048)
def _tokens(text: str, *, chinese: bool) -> tuple[str, ...]:
    return tuple(_tokeniser(chinese=chinese)(text.rstrip()).split())


@lru_cache(maxsize=2)
def _tokeniser(*, chinese: bool) -> Any:
    if chinese:
        from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

        return TokenizerZh()  # type: ignore[no-untyped-call]
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return Tokenizer13a()  # type: ignore[no-untyped-call]
