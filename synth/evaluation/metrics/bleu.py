"""Sentence BLEU (Papineni et al., 2002) as sacrebleu computes it, with effective order and exponential smoothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log
from typing import Any

from synth.evaluation.metrics.answer_normalisation import HAN
from synth.evaluation.metrics.base import NO_ANSWERS, Case, Metric, Value
from synth.evaluation.metrics.overlap import grams, in_common

ORDER = 4
_HAN = re.compile(f"[{HAN}]")

# The rules of 13a (mteval-v13a). Its first class has the space too, which changes nothing and costs most of the time.
_SIGN = re.compile(r"([{-~\[-`!-&(-+:-@/])")
_AFTER_NO_DIGIT = re.compile(r"([^0-9])([.,])")
_BEFORE_NO_DIGIT = re.compile(r"([.,])([^0-9])")
# The same two rules where no two marks stand together, several times faster for beginning with what is rare.
_TOGETHER = re.compile(r"[.,][.,]")
_LONE_AFTER_NO_DIGIT = re.compile(r"[.,](?<=[^0-9].)")
_LONE_BEFORE_NO_DIGIT = re.compile(r"[.,](?=[^0-9])")
_DASH = re.compile(r"([0-9])(-)")


@dataclass(frozen=True)
class Bleu(Metric):
    """sacrebleu's sentence BLEU over 100: effective order, smoothing exp, tokens 13a or, with Chinese, zh."""

    name = "bleu"
    needs = "answer"

    def measure(self, case: Case) -> Mapping[str, Value]:
        answer, golden = case.folded_answers
        return {self.name: bleu(answer, golden) if golden else NO_ANSWERS}

    @property
    def signature(self) -> str:
        """What decides the number, as sacrebleu writes it."""
        from importlib.metadata import version

        return f"nrefs:var|case:mixed|eff:yes|tok:13a,zh|smooth:exp|version:{version('sacrebleu')}"


def bleu(answer: str, golden: Sequence[str]) -> float:
    """BLEU of one answer against golden answers taken together, from 0 to 1."""
    said, known = pair_tokens(answer, golden)
    correct = matches(said, known)
    if not any(correct):
        return 0.0
    length = len(said)
    return min(1.0, brevity(length, closest(length, known)) * exp(_mean_log(correct, length)))


def pair_tokens(answer: str, golden: Sequence[str]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The tokens of an answer and of its golden answers, all cut in one way."""
    chinese = any(not text.isascii() and _HAN.search(text) for text in (answer, *golden))
    return tokens(answer, chinese=chinese), [tokens(text, chinese=chinese) for text in golden]


def matches(said: Sequence[str], known: Sequence[Sequence[str]]) -> list[int]:
    """Of each order, how many runs of tokens are matched, each as often as one of the golden answers has it."""
    return [_common(grams(said, n), [grams(one, n) for one in known]) for n in range(1, ORDER + 1)]


def closest(length: int, known: Sequence[Sequence[str]]) -> int:
    """The length of the golden answer that is nearest to `length`, the shorter of two."""
    return min((abs(len(one) - length), len(one)) for one in known)[1]


def brevity(length: int, wanted: int) -> float:
    """The penalty of an answer that is shorter than wanted."""
    return exp(1 - wanted / length) if length < wanted else 1.0


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


def _common(said: Sequence[Hashable], wanted: Sequence[Sequence[Hashable]]) -> int:
    if len(wanted) == 1:
        return in_common(said, wanted[0])
    counts = [Counter(one) for one in wanted]
    return sum(min(count, max(one[gram] for one in counts)) for gram, count in Counter(said).items())


@lru_cache(maxsize=2048)
def tokens(text: str, *, chinese: bool) -> tuple[str, ...]:
    """The tokens that BLEU is defined over: 13a, or zh for a pair with Chinese."""
    if chinese:
        return tuple(_chinese_tokeniser()(text.rstrip()).split())
    return tuple(_spaced(text.rstrip()).split())


def _spaced(text: str) -> str:
    """`text` with spaces between the tokens of 13a."""
    plain = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in plain:
        for code, char in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
            plain = plain.replace(code, char)
    plain = _SIGN.sub(r" \1 ", f" {plain} ")
    if "." in plain or "," in plain:
        if _TOGETHER.search(plain):
            plain = _BEFORE_NO_DIGIT.sub(r" \1 \2", _AFTER_NO_DIGIT.sub(r"\1 \2 ", plain))
        else:
            plain = _LONE_BEFORE_NO_DIGIT.sub(r" \g<0> ", _LONE_AFTER_NO_DIGIT.sub(r" \g<0> ", plain))
    return _DASH.sub(r"\1 \2 ", plain) if "-" in plain else plain


@lru_cache(maxsize=1)
def _chinese_tokeniser() -> Any:
    from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

    return TokenizerZh()  # type: ignore[no-untyped-call]
