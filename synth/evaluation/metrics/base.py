"""Base classes of metrics. A metric measures a case and returns a number, or the reason why there is none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, TypeAlias

from synth.core.containment import contained
from synth.core.errors import MissingExtra, SynthError
from synth.core.records import UNANSWERABLE, Passage, Response, Score
from synth.evaluation.measuring.answer_normalisation import Folding
from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.measuring.character_coverage import cover as cover_of
from synth.testset.dataset import Item
from synth.text.language import detect

CHUNK, DOCUMENT = "chunk", "document"
SUBSTITUTE_MARK = "~"
"""Separator between a judged metric and its substitute in a name.

`evaluate` measures the substitute if no model is given.
"""


@dataclass(frozen=True, slots=True)
class Undefined:
    """Reason why a metric has no value."""

    reason: str


Value: TypeAlias = float | Undefined

NO_ANSWERS = Undefined("the row has no golden answer")


@dataclass(frozen=True)
class Case:
    """A row of the testset with its response. Values that several metrics need are computed once.

    `folding` contains the differences in writing to ignore.
    """

    item: Item
    response: Response
    folding: Folding = field(default_factory=Folding)
    unit: str = CHUNK
    """Kind of ids to compare: "chunk", "document", or "" if the responses contain no id of the testset."""

    @cached_property
    def language(self) -> str:
        """Language of the row, detected from the question if the row does not name it."""
        return language_of(self.item)

    @property
    def answer(self) -> str:
        return self.response.answer or ""

    @property
    def folded_answers(self) -> tuple[str, list[str]]:
        """The folded answer, and the list of folded golden answers."""
        return self.folding.apply(self.answer), [self.folding.apply(golden) for golden in self.item.golden_answers]

    @property
    def answerable(self) -> bool:
        return self.item.metadata.get("question_type") != UNANSWERABLE

    @cached_property
    def relevance(self) -> Mapping[str, float]:
        """Grade of every relevant id."""
        if not self.unit:
            return {}
        if self.item.relevance:
            return {id: grade for id, grade in self.item.relevance.items() if grade > 0}
        pieces = self.item.evidence
        return dict.fromkeys((piece.chunk_id if self.unit == CHUNK else piece.doc_id for piece in pieces), 1.0)

    @property
    def chunk_ids(self) -> bool:
        """Whether the ids of the response are chunk ids of the evidence."""
        return self.unit == CHUNK and not self.item.relevance

    @property
    def no_relevance(self) -> str:
        """Reason why `relevance` is empty; meaningful only in that case."""
        if not self.unit:
            return "no id in the responses is known to the testset; name the kind of the ids with --unit"
        return "the row has neither evidence nor relevant ids"

    @cached_property
    def ranking(self) -> tuple[float, ...]:
        """Grade of each retrieved id by rank, without repeated ids."""
        return self.grades(self.response.retrieved or ())

    def grades(self, passages: Sequence[Passage]) -> tuple[float, ...]:
        """Return the grade of each distinct id of `passages`, in order; 0 for irrelevant ids."""
        ids = dict.fromkeys(id for passage in passages for id in self._relevant_ids(passage) if id)
        return tuple(self.relevance.get(id, 0.0) for id in ids)

    def _relevant_ids(self, passage: Passage) -> Iterable[str]:
        """Return the relevant ids that a passage counts for.

        A passage with a relevant id counts for that id. An alternative counts for the evidence that it can replace,
        which may have several ids. For any other passage, the result is the passage's own id.
        """
        id = self.id_of(passage)
        return (id,) if id in self.relevance else self._replaced.get(id, (id,))

    @cached_property
    def _replaced(self) -> Mapping[str, Iterable[str]]:
        """Ids of the evidence that each alternative can replace, by the id of the alternative."""
        found: dict[str, dict[str, None]] = {}
        for number, piece in () if self.item.relevance else self.item.alternatives:
            replaced = self.item.evidence[number]
            id, of = (piece.chunk_id, replaced.chunk_id) if self.unit == CHUNK else (piece.doc_id, replaced.doc_id)
            found.setdefault(id, {})[of] = None
        return found

    @property
    def uses_alternative(self) -> bool:
        """Whether a retrieved passage counts because it contains an alternative to the evidence."""
        cover = self.retrieved_cover
        ids = [self.id_of(passage) for passage in self.response.retrieved or ()]
        return (not isinstance(cover, str) and cover.by_alternative) or any(
            id in self._replaced and id not in self.relevance for id in ids
        )

    def id_of(self, passage: Passage) -> str:
        """Return the id of a passage to compare; "" for a passage that has only a text."""
        if self.unit == DOCUMENT:
            return passage.doc_id or passage.id
        return passage.id or passage.doc_id

    @cached_property
    def retrieved_cover(self) -> Cover | str:
        """Coverage of the evidence by the retrieved passages, or the reason why it is unknown."""
        return self._cover_of(self.response.retrieved or ())

    @property
    def contexts(self) -> tuple[Passage, ...]:
        """Passages that the generator saw; the retrieved passages if the response does not list contexts."""
        return self.response.contexts if self.response.contexts is not None else self.response.retrieved or ()

    @cached_property
    def contexts_cover(self) -> Cover | str:
        """Coverage of the evidence by the contexts, or the reason why it is unknown."""
        return self._cover_of(self.contexts)

    def _cover_of(self, passages: Sequence[Passage]) -> Cover | str:
        return cover_of(self.item.evidence, passages, chunk_ids=self.chunk_ids, alternatives=self.item.alternatives)


def language_of(item: Item) -> str:
    """Return the language of a row, detected from the question if the row does not name it."""
    return str(item.metadata.get("language") or detect(item.question))


@dataclass(frozen=True)
class Metric(ABC):
    """Base class of metrics. Subclasses are frozen dataclasses whose fields are their parameters.

    `needs` is the response field that the metric reads. `reads_ids` marks a metric that compares ids of passages or
    documents. A metric that is not `default` is measured only if the user names it. Such a metric loads a model, or few
    sets contain its input. Increase `version` when the same case gets other values. Runs measured with different
    versions are not compared.
    """

    name: ClassVar[str]
    needs: ClassVar[str]
    reads_ids: ClassVar[bool] = False
    version: ClassVar[int] = 1
    default: ClassVar[bool] = True

    @abstractmethod
    def measure(self, case: Case) -> Mapping[str, Value]:
        """Return the values of one case by column. A metric at several k has one column per k."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the values."""
        return (self.name,)

    def measure_all(self, cases: Sequence[Case]) -> list[Mapping[str, Value]]:
        """Return `measure` of each case. Override this method if many cases at once are cheaper."""
        return [self.measure(case) for case in cases]

    def scores(self, cases: Sequence[Case]) -> list[list[Score]]:
        """Return the scores of each case, one per column; scores of a case that raises an error have no value.

        Raises MissingExtra if the metric needs a library that is not installed.
        """
        with contained(self.name, "many rows", recorded=False), suppress(SynthError):
            return self._scores(cases)
        return [self._alone(case) for case in cases]

    def _scores(self, cases: Sequence[Case]) -> list[list[Score]]:
        return [
            [
                _score(case, column, values.get(column, Undefined("the metric returned no value")))
                for column in self.columns
            ]
            for case, values in zip(cases, self.measure_all(cases), strict=True)
        ]

    def _alone(self, case: Case) -> list[Score]:
        failed = ""
        with contained(f"metric '{self.name}'", f"row {case.item.id}") as guard:
            try:
                return self._scores([case])[0]
            except MissingExtra:
                raise
            except SynthError as error:  # a missing part fails this metric alone
                failed = f"{type(error).__name__}: {error}"
        return [_score(case, column, Undefined(f"failed: {failed or guard.error}")) for column in self.columns]

    def definition(self) -> str:
        """Return the first line of the docstring, for tables."""
        return definition_of(type(self))


def definition_of(part: type) -> str:
    """Return the first line of a class's docstring; "" if there is none or `dataclass` generated it."""
    first = (part.__doc__ or "").strip().partition("\n")[0]
    return "" if first.startswith(f"{part.__name__}(") else first


def _score(case: Case, column: str, value: Value) -> Score:
    if isinstance(value, Undefined):
        return Score(sample_id=case.item.id, metric=column, value=None, reason=value.reason)
    if value != value or value in (float("inf"), float("-inf")):
        return Score(sample_id=case.item.id, metric=column, value=None, reason=f"the metric returned {value}")
    return Score(sample_id=case.item.id, metric=column, value=float(value))


@dataclass(frozen=True)
class AnswerMetric(Metric):
    """Base class of metrics that compare the answer with each golden answer and take the best value."""

    needs = "answer"

    @abstractmethod
    def compare(self, answer: str, golden: str, case: Case) -> float:
        """Return the agreement of `answer` with one golden answer, from 0 to 1."""

    def measure(self, case: Case) -> Mapping[str, Value]:
        answers = case.item.golden_answers
        if not answers:
            return {self.name: NO_ANSWERS}
        return {self.name: max(self.compare(case.answer, golden, case) for golden in answers)}


@dataclass(frozen=True)
class AtK(Metric):
    """Base class of metrics on the first k retrieved passages, for several k; the columns are `name@k`."""

    needs = "retrieved"
    ks: tuple[int, ...] = (1, 3, 5, 10)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"{self.name}@{k}" for k in self.ks)

    def at_each(self, value: Callable[[int], Value]) -> dict[str, Value]:
        """Return the columns with `value(k)` for each k."""
        return {f"{self.name}@{k}": value(k) for k in self.ks}

    def all_undefined(self, reason: str) -> dict[str, Value]:
        """Return the columns, all without a value."""
        return dict.fromkeys(self.columns, Undefined(reason))
