"""Context recall by ROUGE-L."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.core.checks import check_share
from synth.evaluation.measuring.rouge import lcs, rouge_tokens
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value


@dataclass(frozen=True)
class ContextRecallByRouge(Metric):
    """Share of the pieces of evidence whose ROUGE-L recall in one context reaches `threshold` (0.7).

    A row without evidence is judged by its golden answers, of which the best counts.
    """

    name = "context_recall_rouge"
    needs = "contexts"
    threshold: float = 0.7

    def __post_init__(self) -> None:
        check_share(f"threshold of {self.name}", self.threshold)

    def measure(self, case: Case) -> Mapping[str, Value]:
        wanted = [piece.text for piece in case.item.evidence]
        texts = [case.folding.apply(text.text) for text in case.contexts if text.text]
        if not wanted and not case.item.golden_answers:
            return {self.name: Undefined("the row has neither evidence nor a golden answer")}
        if case.contexts and not texts:
            return {self.name: Undefined("the contexts have no texts")}
        if not wanted:
            return {self.name: max(self._reached(case.folding.apply(text), texts) for text in case.item.golden_answers)}
        return {self.name: sum(self._reached(case.folding.apply(text), texts) for text in wanted) / len(wanted)}

    def _reached(self, wanted: str, texts: list[str]) -> float:
        """1 when a text holds enough of the tokens of `wanted`, in order."""
        sought = rouge_tokens(wanted)
        if not sought:
            return 0.0
        recall = max((lcs(sought, rouge_tokens(text)) / len(sought) for text in texts), default=0.0)
        return 1.0 if recall >= self.threshold else 0.0
