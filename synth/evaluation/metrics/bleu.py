"""Sentence BLEU (Papineni et al., 2002)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.sacrebleu_scores import bleu
from synth.evaluation.metrics.base import NO_ANSWERS, Case, Metric, Value


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
