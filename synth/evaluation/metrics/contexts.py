"""Metrics that compare the contexts of the answer with the evidence of the row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.core.checks import check_share
from synth.evaluation.measuring.answer_normalisation import Folding, number_values, tokens
from synth.evaluation.measuring.overlap import has_run
from synth.evaluation.measuring.ranking import average_precision_of
from synth.evaluation.measuring.rouge import lcs, rouge_tokens
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value
from synth.text.language import detect
from synth.text.prose import sentences


@dataclass(frozen=True)
class ContextPrecisionByEvidence(Metric):
    """Precision at each context that contains evidence, averaged over those contexts (Ragas' formula, not MAP).

    A context contains evidence if it covers at least `share` of a piece of evidence. If the contexts have neither
    offsets nor texts, a relevant id counts as containing evidence.
    """

    name = "context_precision_evidence"
    needs = "contexts"
    version = 2
    share: float = 0.5

    def __post_init__(self) -> None:
        check_share(f"share of {self.name}", self.share)

    def measure(self, case: Case) -> Mapping[str, Value]:
        cover = case.contexts_cover
        if not isinstance(cover, str):
            helpful = [cover.bears(rank, self.share) for rank in range(len(cover.spans))]
        elif case.relevance and any(case.id_of(passage) for passage in case.contexts):
            helpful = [grade > 0 for grade in case.grades(case.contexts)]
        else:
            return {self.name: Undefined(cover)}
        return {self.name: average_precision_of(helpful)}


@dataclass(frozen=True)
class ContextPrecisionSubstitute(ContextPrecisionByEvidence):
    """Substitute for context_precision, where a context is relevant if it covers half of a piece of evidence."""

    name = "context_precision~evidence"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    default = False


@dataclass(frozen=True)
class ContextRecallByEvidence(Metric):
    """Share of the evidence's characters that the contexts cover together."""

    name = "context_recall_evidence"
    needs = "contexts"
    version = 2

    def measure(self, case: Case) -> Mapping[str, Value]:
        cover = case.contexts_cover
        if isinstance(cover, str):
            return {self.name: Undefined(cover)}
        return {self.name: cover.covered() / cover.total}


@dataclass(frozen=True)
class ContextRecallSubstitute(ContextRecallByEvidence):
    """Substitute for context_recall: share of the evidence's characters that the contexts cover."""

    name = "context_recall~evidence"  # METRIC~SUBSTITUTE, see SUBSTITUTE_MARK
    default = False


@dataclass(frozen=True)
class ContextRecallById(Metric):
    """Share of the relevant ids that is among the contexts."""

    name = "context_recall_id"
    needs = "contexts"
    reads_ids = True
    version = 2

    def measure(self, case: Case) -> Mapping[str, Value]:
        if not case.relevance:
            return {self.name: Undefined(case.no_relevance)}
        if case.contexts and not any(case.id_of(context) for context in case.contexts):
            return {self.name: Undefined("the contexts have no ids")}
        hits = sum(grade > 0 for grade in case.grades(case.contexts))
        return {self.name: hits / len(case.relevance)}


@dataclass(frozen=True)
class ContextRecallByRouge(Metric):
    """Share of the pieces of evidence whose ROUGE-L recall in one context reaches `threshold` (0.7).

    For a row without evidence, it is 1 if a golden answer reaches the threshold, otherwise 0.
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
        """Return 1 if one text contains enough of the tokens of `wanted`, in order, otherwise 0."""
        sought = rouge_tokens(wanted)
        if not sought:
            return 0.0
        recall = max((lcs(sought, rouge_tokens(text)) / len(sought) for text in texts), default=0.0)
        return 1.0 if recall >= self.threshold else 0.0


_CHINESE = frozenset(("PER", "LOC", "ORG", "nr", "ns", "nt", "nz", "nw"))


@dataclass(frozen=True)
class ContextEntityRecall(Metric):
    """Share of the evidence's distinct names and numbers that the contexts contain."""

    name = "context_entity_recall"
    needs = "contexts"
    default = False

    def measure(self, case: Case) -> Mapping[str, Value]:
        wanted = [piece.text for piece in case.item.evidence] or list(case.item.golden_answers)
        texts = tuple(context.text for context in case.contexts if context.text)
        if case.contexts and not texts:
            return {self.name: Undefined("the contexts have no texts")}
        names = frozenset(name for text in wanted for name in _names(text))
        numbers = frozenset(number for text in wanted for number in number_values(text))
        numbers -= {number for name in names for number in number_values(name)}
        if not names and not numbers:
            return {self.name: Undefined("the evidence contains neither names nor numbers")}
        token_lists = [tokens(text, case.folding) for text in texts]
        given_numbers = frozenset(number for text in texts for number in number_values(text))
        matched = sum(any(_has_name(text, name, case.folding) for text in token_lists) for name in names)
        return {self.name: (matched + len(numbers & given_numbers)) / (len(names) + len(numbers))}


def _has_name(text: Sequence[str], name: str, folding: Folding) -> bool:
    return has_run(text, tokens(name, folding))


@lru_cache(maxsize=2048)
def _names(text: str) -> frozenset[str]:
    """Return the names in an English or Chinese text.

    Raises MissingPartError if the parser is not installed.
    """
    from synth.grammar.parsing import NAME_LABELS, parse_chinese, parse_english

    language = detect(text)
    whole = sentences(text, "text")
    if language.startswith("zh"):
        words = (word for parsed in parse_chinese(whole) for word in parsed)
        return frozenset(word.text for word in words if word.tag in _CHINESE and len(word.text) > 1)
    if language != "en":
        return frozenset()
    entities = (entity for parsed in parse_english(whole) for entity in parsed.ents)
    names = (
        entity.text.removeprefix("the ").removeprefix("The ") for entity in entities if entity.label_ in NAME_LABELS
    )
    return frozenset(filter(None, names))
