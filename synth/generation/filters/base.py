"""Base classes of filters. A filter looks at one sample and returns a verdict with a reason."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from synth.core.containment import contained
from synth.core.errors import ConfigError
from synth.core.records import ADOPTED, BY_PEOPLE, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.models.chat.base import RequestFailed, Steps
from synth.models.encoders.base import Encoder
from synth.text.language import LANGUAGES
from synth.text.typos import mended

COMPOSED = ("reasoning", "multi_context", "conditional")
"""Types whose questions are longer than others, because they also name a condition or the facts to combine."""

RAISED = "raised"
"""Tag of the verdict of a filter that raised an error.

Such a verdict rejects a candidate. `verify` reports the verdict, and `update` ignores it.
"""

RATINGS = "ratings"
"""Metadata key of the ratings of a row by a trusted judge."""

EARLIER_RATINGS = "earlier_ratings"
"""Metadata key of the ratings of a row before its question or answers changed."""

DOUBT = "doubt"
"""Metadata key of an objection by the judge that does not reject the row."""

SIGNALS = "signals"
"""Metadata key of the objections of rules that did not remove a row, by filter."""

UNJUDGED = "could not be judged"
"""Beginning of the reason if a sample could not be judged.

The judge was not reached, its reply was unreadable, or a filter raised an error.
"""


@dataclass(frozen=True)
class Filter(ABC):
    """Filter of single samples. Subclasses are frozen dataclasses whose fields are their thresholds.

    Filters run in ascending `order`. If `needs_model`, the filter asks a chat model. If `proves`, it decides on every
    sample. The function `binding` selects the filters that decide on a sample. If `of_wording`, the filter judges the
    wording of a question, not whether its evidence proves the answer. Such a filter does not decide on a row that a
    person wrote or accepted. `slack` is the tolerance per threshold when an existing row is checked again. It is needed
    because any new document changes the weights of words slightly. If `protects`, the filter protects the users of a
    set, so the manifest of the set can neither change nor remove it.
    """

    name: ClassVar[str]
    order: ClassVar[int] = 50
    needs_model: ClassVar[bool] = False
    proves: ClassVar[bool] = False
    of_wording: ClassVar[bool] = False
    protects: ClassVar[bool] = False
    slack: ClassVar[Mapping[str, float]] = {}

    @abstractmethod
    def check(self, sample: Sample, corpus: Corpus) -> Verdict | Steps[Verdict]:
        """Return the verdict on `sample`. A filter that asks a chat model is a generator of requests."""

    def eased(self) -> Self:
        """Return this filter for checking an existing row: every threshold moved by its `slack`."""
        return replace(self, **{name: getattr(self, name) + by for name, by in self.slack.items()})

    def verdict(self, kept: bool, reason: str, score: float | None = None, tag: str = "") -> Verdict:
        """Return a verdict with the name of this filter."""
        return Verdict(filter=self.name, kept=kept, reason=reason, score=score, tag=tag)

    def passed(self, why: str = "nothing to check") -> Verdict:
        """Return a passing verdict for a sample that this filter does not concern."""
        return self.verdict(True, why)

    def run(self, sample: Sample, corpus: Corpus) -> Steps[Verdict]:
        """Return the verdict, with or without a model.

        The sample is rejected if the model could not judge it or the filter raised an error.
        """
        verdict = self.passed()
        with contained(f"filter '{self.name}'", _named(sample)) as guard:
            outcome = self.check(sample, corpus)
            try:
                verdict = outcome if isinstance(outcome, Verdict) else (yield from outcome)
            except RequestFailed as failure:
                verdict = self.verdict(False, f"{UNJUDGED}: {failure}")
        return self._raised(guard.error) if guard.error else verdict

    def decide(self, sample: Sample, corpus: Corpus) -> Verdict:
        """Return the verdict of a filter that asks no model.

        The sample is rejected if the filter raised an error. Raise ConfigError if the filter asks a model.
        """
        with contained(f"filter '{self.name}'", _named(sample)) as guard:
            outcome = self.check(sample, corpus)
        if guard.error:
            return self._raised(guard.error)
        if isinstance(outcome, Verdict):
            return outcome
        raise ConfigError(f"filter '{self.name}' needs a chat model to decide; configure one, or leave this filter out")

    def _raised(self, error: str) -> Verdict:
        return self.verdict(False, f"{UNJUDGED}: {error}", tag=RAISED)


class SetFilter(ABC):
    """Filter that compares a sample with the rows admitted before.

    It checks samples in order, and every admitted row is passed to it.
    """

    name: ClassVar[str]

    @property
    @abstractmethod
    def thresholds(self) -> Mapping[str, float]:
        """Settings of this filter by name, for the manifest."""

    @abstractmethod
    def check(self, sample: Sample) -> Verdict:
        """Return the verdict on `sample`, given the rows admitted so far."""

    @abstractmethod
    def admit(self, sample: Sample) -> None:
        """Add `sample`, which has become a row, to the admitted rows."""

    def decide(self, sample: Sample) -> Verdict:
        """Return the verdict of `check`. If the filter raises an error, the sample is rejected."""
        with contained(f"filter '{self.name}'", _named(sample)) as guard:
            verdict = self.check(sample)
        return (
            Verdict(filter=self.name, kept=False, reason=f"{UNJUDGED}: {guard.error}", tag=RAISED)
            if guard.error
            else verdict
        )

    def hold(self, sample: Sample) -> None:
        """Call `admit`. If the filter raises an error, no later sample is compared with this row."""
        with contained(f"filter '{self.name}'", _named(sample)):
            self.admit(sample)

    def use_encoder(self, make: Callable[[], Encoder]) -> None:  # noqa: B027
        """Set the encoder for filters that compare meanings.

        `make` creates the encoder, or raises MissingPartError if no encoder is installed.
        """


def _named(sample: Sample) -> str:
    """Return the name of a sample for messages."""
    return f"'{sample.question[:80]}'"


def objections(sample: Sample) -> dict[str, str]:
    """Return the objections to a row that did not remove it, by name of the filter, or by "judge"."""
    doubt = sample.metadata.get(DOUBT)
    return {**sample.metadata.get(SIGNALS, {}), **({"judge": doubt} if doubt else {})}


def as_meant(sample: Sample) -> str:
    """Return the question without the typing errors that its style introduced."""
    if sample.metadata.get("style") != "typos":
        return sample.question
    return mended(sample.question, sample.language)


def changed_wording(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of a row whose question or answers changed.

    Objections of rules and of the judge are dropped. The judge's ratings are kept as `EARLIER_RATINGS`.
    """
    kept = {name: value for name, value in metadata.items() if name not in (SIGNALS, DOUBT, RATINGS)}
    return {**kept, EARLIER_RATINGS: metadata[RATINGS]} if RATINGS in metadata else kept


def binding(filters: Sequence[Filter], sample: Sample) -> list[Filter]:
    """Return the filters that decide on a sample.

    All filters decide on most samples. Only filters with `proves` decide if a judge has rated the sample, if it was
    adopted from another set, or if the rules do not know its language. A filter `of_wording` does not decide on a row
    that a person wrote, edited or accepted.
    """
    source = sample.metadata.get("source")
    is_vouched_for = not {RATINGS, EARLIER_RATINGS}.isdisjoint(sample.metadata) or source == ADOPTED
    by_rules = not is_vouched_for and sample.language in LANGUAGES
    by_people = source in BY_PEOPLE or "annotation" in sample.metadata
    return [filter_ for filter_ in filters if filter_.proves or (by_rules and not (by_people and filter_.of_wording))]
