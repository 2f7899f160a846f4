"""Base classes of filters: a filter looks at one sample and gives a verdict with a reason."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from synth.core.containment import contained
from synth.core.errors import ConfigError
from synth.core.records import ADOPTED, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.models.chat.base import RequestFailed, Steps
from synth.models.encoders.base import Encoder
from synth.text.language import LANGUAGES
from synth.text.typos import mended

COMPOSED = ("reasoning", "multi_context", "conditional")
"""Types of question that are longer than others, since they also name a condition or the facts to combine."""

RAISED = "raised"
"""Tag of the verdict of a filter that raised: it refuses a candidate, `verify` reports it, and `update` ignores it."""

RATINGS = "ratings"
"""Key in the metadata of a row that a trusted judge has rated."""

DOUBT = "doubt"
"""Key in the metadata of a row for an objection of the judge that does not refuse it."""

UNJUDGED = "could not be judged"
"""Beginning of the reason where a judge could not be reached or read, or a filter raised."""


@dataclass(frozen=True)
class Filter(ABC):
    """A filter of single samples. Subclasses are frozen dataclasses whose fields are their thresholds.

    Filters run in the order of `order`. One with `needs_model` asks a chat model. One that `proves` its verdict decides
    on every sample; which ones the others decide on is told by `binding`. `slack` is the tolerance by threshold when an
    existing row is checked again: weights of words change a little with documents that have nothing to do with a row.
    One that `protects` the users of a set is never changed or left out by the manifest of a set.
    """

    name: ClassVar[str]
    order: ClassVar[int] = 50
    needs_model: ClassVar[bool] = False
    proves: ClassVar[bool] = False
    protects: ClassVar[bool] = False
    slack: ClassVar[Mapping[str, float]] = {}

    @abstractmethod
    def check(self, sample: Sample, corpus: Corpus) -> Verdict | Steps[Verdict]:
        """The verdict on `sample`; a filter that asks a chat model is a generator of requests."""

    def eased(self) -> Self:
        """This filter for an existing row: every threshold moved by its `slack`."""
        return replace(self, **{name: getattr(self, name) + by for name, by in self.slack.items()})

    def verdict(self, kept: bool, reason: str, score: float | None = None, tag: str = "") -> Verdict:
        """A verdict in this filter's name."""
        return Verdict(filter=self.name, kept=kept, reason=reason, score=score, tag=tag)

    def passed(self, why: str = "nothing to check") -> Verdict:
        """The verdict on a sample that this filter does not concern."""
        return self.verdict(True, why)

    def run(self, sample: Sample, corpus: Corpus) -> Steps[Verdict]:
        """The verdict, with or without a model. A model that could not judge and a filter that raises reject."""
        verdict = self.passed()
        with contained(f"filter '{self.name}'", _named(sample)) as guard:
            outcome = self.check(sample, corpus)
            try:
                verdict = outcome if isinstance(outcome, Verdict) else (yield from outcome)
            except RequestFailed as failure:
                verdict = self.verdict(False, f"{UNJUDGED}: {failure}")
        return self._raised(guard.error) if guard.error else verdict

    def decide(self, sample: Sample, corpus: Corpus) -> Verdict:
        """The verdict of a filter that asks no model; one that raises rejects. Raises ConfigError for one that asks."""
        with contained(f"filter '{self.name}'", _named(sample)) as guard:
            outcome = self.check(sample, corpus)
        if guard.error:
            return self._raised(guard.error)
        if isinstance(outcome, Verdict):
            return outcome
        raise ConfigError(f"filter '{self.name}' asks a chat model and cannot decide without one")

    def _raised(self, error: str) -> Verdict:
        return self.verdict(False, f"{UNJUDGED}: {error}", tag=RAISED)


class SetFilter(ABC):
    """A filter that sees the rows admitted before: asked in order, told of each row that is admitted."""

    name: ClassVar[str]

    @property
    @abstractmethod
    def thresholds(self) -> Mapping[str, float]:
        """The settings of this filter by name, for the manifest."""

    @abstractmethod
    def check(self, sample: Sample) -> Verdict:
        """The verdict on `sample`, given the rows admitted so far."""

    @abstractmethod
    def admit(self, sample: Sample) -> None:
        """`sample` has become a row."""

    def decide(self, sample: Sample) -> Verdict:
        """`check`, contained: a filter that raises rejects."""
        with contained(f"filter '{self.name}'", _named(sample)) as guard:
            verdict = self.check(sample)
        return (
            Verdict(filter=self.name, kept=False, reason=f"{UNJUDGED}: {guard.error}", tag=RAISED)
            if guard.error
            else verdict
        )

    def hold(self, sample: Sample) -> None:
        """`admit`, contained: a row on which it raises is compared with no other."""
        with contained(f"filter '{self.name}'", _named(sample)):
            self.admit(sample)

    def use_encoder(self, make: Callable[[], Encoder]) -> None:  # noqa: B027
        """Take the encoder for filters that compare meanings. `make` raises MissingPartError where there is none."""


def _named(sample: Sample) -> str:
    """The name of a sample in messages."""
    return f"'{sample.question[:80]}'"


def as_meant(sample: Sample) -> str:
    """The question without the typing errors that a style has put into it."""
    if sample.metadata.get("style") != "typos":
        return sample.question
    return mended(sample.question, sample.language)


def binding(filters: Sequence[Filter], sample: Sample) -> list[Filter]:
    """The filters that decide on a sample: only those with proof where a judge has rated it, where it was adopted from
    a set that others answer for, or where the rules do not know its language; else all of them."""
    is_vouched_for = RATINGS in sample.metadata or sample.metadata.get("source") == ADOPTED
    by_rules = not is_vouched_for and sample.language in LANGUAGES
    return [filter_ for filter_ in filters if filter_.proves or by_rules]
