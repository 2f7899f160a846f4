"""Support of an answer by the contexts, without a chat model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from synth.core.errors import ConfigError
from synth.evaluation.measuring import attribution
from synth.evaluation.measuring.support import SUPPORTED, pieces, supported
from synth.evaluation.measuring.word_coverage import content
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value
from synth.models.encoders.cross_encoder import cross_encoder


@dataclass(frozen=True)
class Support(Metric):
    """Mean support of the answer's sentences by a few context sentences; for ranking answers, not as proof.

    A sentence is supported from 0.5. The metric compares words, names, numbers, dates and polarity; `measuring.support`
    describes the method.
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


@dataclass(frozen=True)
class FaithfulnessBySupport(Support):
    """Substitute for faithfulness: `support` of the answer's sentences by the contexts."""

    name = "faithfulness~support"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK


_BATCH = 32
_SUPPORT_LABELS = ("entail", "support", "consistent", "faithful", "label_1", "1")


@dataclass(frozen=True)
class FaithfulnessByClassifier(Metric):
    """Substitute for faithfulness: support of each sentence of the answer by its best context, by a classifier.

    `classifier` is the hub name or the folder of a cross-encoder for pairs (text, statement).
    """

    name = "faithfulness~classifier"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    needs = "contexts"
    default = False
    classifier: str = ""

    def measure(self, case: Case) -> Mapping[str, Value]:
        return self.measure_all([case])[0]

    def measure_all(self, cases: Sequence[Case]) -> list[Mapping[str, Value]]:
        pairs = [
            (index, text, statement)
            for index, case in enumerate(cases)
            for statement in _statements(case)
            for text in _texts(case)
        ]
        best: dict[tuple[int, str], float] = {}
        probabilities = _support_probabilities(self.classifier, [pair[1:] for pair in pairs])
        for (index, _, statement), probability in zip(pairs, probabilities, strict=True):
            best[index, statement] = max(best.get((index, statement), 0.0), probability)
        return [{self.name: self._value(index, case, best)} for index, case in enumerate(cases)]

    def _value(self, index: int, case: Case, best: Mapping[tuple[int, str], float]) -> Value:
        statements = _statements(case)
        if not statements:
            return Undefined("the answer is empty")
        if case.contexts and not _texts(case):
            return Undefined("the contexts have no texts")
        return sum(best.get((index, statement), 0.0) for statement in statements) / len(statements)


def _statements(case: Case) -> list[str]:
    return [sentence for sentence in pieces(case.answer) if content(sentence)]


def _texts(case: Case) -> list[str]:
    return [context.text for context in case.contexts if context.text]


def _support_probabilities(spec: str, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Return the probability, from 0 to 1, that each text supports its statement."""
    if not pairs:
        return []
    model = cross_encoder(spec)
    import torch

    scores = model.predict(
        list(pairs),
        batch_size=_BATCH,
        show_progress_bar=False,
        activation_fn=torch.nn.Identity(),
        convert_to_tensor=True,
    )
    if scores.ndim == 1:
        return [float(score) for score in torch.sigmoid(scores)]
    return [float(score) for score in torch.softmax(scores, dim=1)[:, _support_class(model)]]


def _support_class(model: Any) -> int:
    """Return the index of the class for a supported statement. Raises ConfigError if the labels lack such a class."""
    labels = {int(number): str(name).casefold() for number, name in model.model.config.id2label.items()}
    for wanted in _SUPPORT_LABELS:
        for index, name in labels.items():
            if wanted in name and "not" not in name and "non" not in name:
                return index
    raise ConfigError(
        f"the classifier's labels {labels} have no class for entailment; name another classifier with --classifier"
    )


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
