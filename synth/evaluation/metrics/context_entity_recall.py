"""Context entity recall: names and numbers of the evidence that the contexts have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from synth.evaluation.measuring.answer_normalisation import Folding, number_values, tokens
from synth.evaluation.measuring.overlap import has_run
from synth.evaluation.metrics.base import Case, Metric, Undefined, Value
from synth.text.language import detect
from synth.text.prose import sentences

_CHINESE = frozenset(("PER", "LOC", "ORG", "nr", "ns", "nt", "nz", "nw"))


@dataclass(frozen=True)
class ContextEntityRecall(Metric):
    """Share of the evidence's names and numbers, as a set, that the contexts have."""

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
            return {self.name: Undefined("neither a name nor a number is in the evidence")}
        token_lists = [tokens(text, case.folding) for text in texts]
        given_numbers = frozenset(number for text in texts for number in number_values(text))
        matched = sum(any(_has_name(text, name, case.folding) for text in token_lists) for name in names)
        return {self.name: (matched + len(numbers & given_numbers)) / (len(names) + len(numbers))}


def _has_name(text: Sequence[str], name: str, folding: Folding) -> bool:
    return has_run(text, tokens(name, folding))


@lru_cache(maxsize=2048)
def _names(text: str) -> frozenset[str]:
    """The names in an English or a Chinese text. Raises MissingPartError when the parser is not installed."""
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
