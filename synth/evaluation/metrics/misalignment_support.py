"""Substitute for misalignment that needs no chat model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synth.evaluation.measuring import attribution
from synth.evaluation.measuring.support import SUPPORTED, pieces, supported
from synth.evaluation.measuring.word_coverage import content
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class MisalignmentByWords(Metric):
    """Substitute for misalignment: each sentence of the answer counts as a use of its best context."""

    name = "misalignment~support"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    version = 3
    needs = "contexts"
    default = False
    second: ClassVar[str] = "top_ignored~support"

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.name, self.second)

    def measure(self, case: Case) -> Mapping[str, Value]:
        texts = [context.text for context in case.contexts]
        sentences = [sentence for sentence in pieces(case.answer) if content(sentence)]
        if not sentences or not texts or not all(texts):
            reason = "there is no answer" if not sentences else "the response has no contexts with texts"
            return dict.fromkeys(self.columns, Undefined(reason))
        uses = [0.0] * len(texts)
        for sentence in sentences:
            support = [supported([sentence], [text]) for text in texts]
            if max(support) >= SUPPORTED:
                uses[support.index(max(support))] += 1
        gap = attribution.misalignment(uses)
        value: Value = Undefined("no context was used") if gap is None else gap
        return {self.name: value, self.second: attribution.top_ignored(uses)}
