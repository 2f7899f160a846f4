"""Support of an answer by the contexts, without a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.support import pieces, supported
from synth.evaluation.measuring.word_coverage import content
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class Support(Metric):
    """Support of the answer's sentences by a few sentences of the contexts; supported from 0.5 on; ranks, proves none.

    By words, names, numbers, dates and polarity, see `measuring.support`.
    """

    name = "support"
    version = 3
    needs = "contexts"
    default = False

    def measure(self, case: Case) -> Mapping[str, Value]:
        if case.response.answer is None:
            return {self.name: Undefined("the response has no answer")}
        texts = [context.text for context in case.contexts if context.text]
        if case.contexts and not texts:
            return {self.name: Undefined("the contexts have no texts")}
        statements = [sentence for sentence in pieces(case.answer) if content(sentence)]
        if not statements:
            return {self.name: Undefined("the answer is empty")}
        return {self.name: supported(statements, texts)}
