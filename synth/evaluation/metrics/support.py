"""Support of an answer by the contexts, without a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.support import pieces, supported
from synth.evaluation.measuring.word_coverage import content
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class Support(Metric):
    """Share of the answer's words, names and numbers that the contexts have; ranks answers, proves none.

    The mean of three shares, for each sentence of the answer: its words by weight in all contexts; the same in
    the best two successive sentences; its names and numbers in all contexts.
    """

    name = "support"
    version = 2
    needs = "contexts"

    def measure(self, case: Case) -> Mapping[str, Value]:
        if case.response.answer is None:
            return {self.name: Undefined("the response has no answer")}
        texts = [context.text for context in case.contexts if context.text]
        if case.contexts and not texts:
            return {self.name: Undefined("the contexts have no texts")}
        statements = [sentence for sentence in pieces(case.answer) if content(sentence)]
        if not statements:
            return {self.name: Undefined("the answer is empty")}
        return {self.name: supported(statements, [sentence for text in texts for sentence in pieces(text)])}
