"""Base of metrics: a metric measures a case and gives a number or the reason why there is none."""

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
"""In a name, between a judged metric and its substitute; `evaluate` measures the substitute when no model is given."""


@dataclass(frozen=True, slots=True)
class Undefined:
    """A missing number with its reason."""

    reason: str


Value: TypeAlias = float | Undefined

NO_ANSWERS = Undefined("the row has no golden answer")


@dataclass(frozen=True)
class Case:
    """A row of the testset with its response; values that several metrics need are computed once.

    `unit` is the kind of ids to compare, `folding` the differences of writing to ignore.
    """

    item: Item
    response: Response
    folding: Folding = field(default_factory=Folding)
    unit: str = CHUNK
    """"chunk", "document", or "" when the ids of the responses are none of the testset's."""

    @cached_property
    def language(self) -> str:
        """The language of the row: as it says, else that of its question."""
        return language_of(self.item)

    @property
    def answer(self) -> str:
        return self.response.answer or ""

    @property
    def folded_answers(self) -> tuple[str, list[str]]:
        """The answer and the golden answers, folded."""
        return self.folding.apply(self.answer), [self.folding.apply(golden) for golden in self.item.golden_answers]

    @property
    def answerable(self) -> bool:
        return self.item.metadata.get("question_type") != UNANSWERABLE

    @cached_property
    def relevance(self) -> Mapping[str, float]:
        """The grade of every relevant id."""
        if not self.unit:
            return {}
        if self.item.relevance:
            return {id: grade for id, grade in self.item.relevance.items() if grade > 0}
        pieces = self.item.evidence
        return dict.fromkeys((piece.chunk_id if self.unit == CHUNK else piece.doc_id for piece in pieces), 1.0)

    @property
    def chunk_ids(self) -> bool:
        """True if the ids of the response are chunk ids of the evidence."""
        return self.unit == CHUNK and not self.item.relevance

    @property
    def no_relevance(self) -> str:
        """The reason why `relevance` is empty."""
        if not self.unit:
            return "no id in the responses is a chunk_id, a doc_id or a relevance id of the testset; name their unit"
        return "nothing is relevant to the row"

    @cached_property
    def ranking(self) -> tuple[float, ...]:
        """The grade of each retrieved id by rank; repeated ids are left out."""
        return self.grades(self.response.retrieved or ())

    def grades(self, passages: Sequence[Passage]) -> tuple[float, ...]:
        """The grade of each distinct id of `passages`, in order; 0 for irrelevant ids."""
        ids = dict.fromkeys(id for passage in passages for id in self._relevant_ids(passage) if id)
        return tuple(self.relevance.get(id, 0.0) for id in ids)

    def _relevant_ids(self, passage: Passage) -> Iterable[str]:
        """The id to compare; for an alternative to evidence in several passages, the ids of all of them."""
        id = self.id_of(passage)
        return (id,) if id in self.relevance else self._replaced.get(id, (id,))

    @cached_property
    def _replaced(self) -> Mapping[str, Iterable[str]]:
        """The ids of the evidence, each once, by the id of each alternative to it."""
        found: dict[str, dict[str, None]] = {}
        for number, piece in () if self.item.relevance else self.item.alternatives:
            replaced = self.item.evidence[number]
            id, of = (piece.chunk_id, replaced.chunk_id) if self.unit == CHUNK else (piece.doc_id, replaced.doc_id)
            found.setdefault(id, {})[of] = None
        return found

    @property
    def uses_alternative(self) -> bool:
        """True if a retrieved passage counts because it holds an alternative to the evidence."""
        cover = self.retrieved_cover
        ids = [self.id_of(passage) for passage in self.response.retrieved or ()]
        return (not isinstance(cover, str) and cover.by_alternative) or any(
            id in self._replaced and id not in self.relevance for id in ids
        )

    def id_of(self, passage: Passage) -> str:
        """The id to compare; "" for a passage that has only a text."""
        if self.unit == DOCUMENT:
            return passage.doc_id or passage.id
        return passage.id or passage.doc_id

    @cached_property
    def retrieved_cover(self) -> Cover | str:
        """The coverage of the evidence by the retrieved passages, or why it is unknown."""
        return self._cover_of(self.response.retrieved or ())

    @property
    def contexts(self) -> tuple[Passage, ...]:
        """The passages that the model saw; the retrieved ones where the response does not say."""
        return self.response.contexts if self.response.contexts is not None else self.response.retrieved or ()

    @cached_property
    def contexts_cover(self) -> Cover | str:
        """The coverage of the evidence by the contexts, or why it is unknown."""
        return self._cover_of(self.contexts)

    def _cover_of(self, passages: Sequence[Passage]) -> Cover | str:
        return cover_of(self.item.evidence, passages, chunk_ids=self.chunk_ids, alternatives=self.item.alternatives)


def language_of(item: Item) -> str:
    """The language of a row: as it says, else that of its question."""
    return str(item.metadata.get("language") or detect(item.question))


@dataclass(frozen=True)
class Metric(ABC):
    """A metric. Subclasses are frozen dataclasses whose fields are their parameters.

    `needs` is the field of a response that the metric reads. A metric that is not `default` is measured only when
    named: it loads a model, or few sets have what it needs. Raise `version` when the same case gives other values:
    runs measured by two versions are not compared.
    """

    name: ClassVar[str]
    needs: ClassVar[str]
    version: ClassVar[int] = 1
    default: ClassVar[bool] = True

    @abstractmethod
    def measure(self, case: Case) -> Mapping[str, Value]:
        """The values of one case by column: a metric at several k has one column each."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the values."""
        return (self.name,)

    def measure_all(self, cases: Sequence[Case]) -> list[Mapping[str, Value]]:
        """`measure` of each case; override it where many cases at once are cheaper."""
        return [self.measure(case) for case in cases]

    def scores(self, cases: Sequence[Case]) -> list[list[Score]]:
        """The scores of each case, one for each column; without a value for a case that raises an error.

        Raises MissingExtra when the metric needs a library that is not installed.
        """
        with contained(self.name, "many rows", recorded=False), suppress(SynthError):
            return self._scores(cases)
        return [self._alone(case) for case in cases]

    def _scores(self, cases: Sequence[Case]) -> list[list[Score]]:
        return [
            [_score(case, column, values.get(column, Undefined("not given"))) for column in self.columns]
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
        """The first line of its docstring, for tables."""
        return definition_of(type(self))


def definition_of(part: type) -> str:
    """The first line of the docstring of a class; "" without one, also where `dataclass` made one of the fields."""
    first = (part.__doc__ or "").strip().partition("\n")[0]
    return "" if first.startswith(f"{part.__name__}(") else first


def _score(case: Case, column: str, value: Value) -> Score:
    if isinstance(value, Undefined):
        return Score(sample_id=case.item.id, metric=column, value=None, reason=value.reason)
    if value != value or value in (float("inf"), float("-inf")):
        return Score(sample_id=case.item.id, metric=column, value=None, reason=f"the metric gave {value}")
    return Score(sample_id=case.item.id, metric=column, value=float(value))


@dataclass(frozen=True)
class AnswerMetric(Metric):
    """A metric that compares the answer with each golden answer and takes the best value."""

    needs = "answer"

    @abstractmethod
    def compare(self, answer: str, golden: str, case: Case) -> float:
        """The agreement of `answer` with one golden answer, from 0 to 1."""

    def measure(self, case: Case) -> Mapping[str, Value]:
        answers = case.item.golden_answers
        if not answers:
            return {self.name: NO_ANSWERS}
        return {self.name: max(self.compare(case.answer, golden, case) for golden in answers)}


@dataclass(frozen=True)
class AtK(Metric):
    """A metric of the first k retrieved passages, for several k: columns `name@k`."""

    needs = "retrieved"
    ks: tuple[int, ...] = (1, 3, 5, 10)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"{self.name}@{k}" for k in self.ks)

    def at_each(self, value: Callable[[int], Value]) -> dict[str, Value]:
        """The columns with `value(k)` for each k."""
        return {f"{self.name}@{k}": value(k) for k in self.ks}

    def all_undefined(self, reason: str) -> dict[str, Value]:
        """The columns without a value."""
        return dict.fromkeys(self.columns, Undefined(reason))
