"""What a metric is: one look at one case, which gives a number or says why there is none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar, TypeAlias

from synth.core.containment import contained
from synth.core.errors import SynthError
from synth.core.records import UNANSWERABLE, Passage, Response, Score
from synth.evaluation.measuring.answer_normalisation import Folding
from synth.evaluation.measuring.character_coverage import Cover
from synth.evaluation.measuring.character_coverage import cover as cover_of
from synth.testset.dataset import Item
from synth.text.language import detect

CHUNK, DOCUMENT = "chunk", "document"
SUBSTITUTE_MARK = "~"
"""Stands between the name of a judged metric and that of its substitute without a model."""


@dataclass(frozen=True, slots=True)
class Undefined:
    """There is no number, for this reason."""

    reason: str


Value: TypeAlias = float | Undefined

NO_ANSWERS = Undefined("the row has no golden answer")


@dataclass(frozen=True)
class Case:
    """A row of the testset with the response to it; what several metrics need is worked out once.

    `unit` says which ids count, `folding` which differences of writing are none.
    """

    item: Item
    response: Response
    folding: Folding = field(default_factory=Folding)
    unit: str = CHUNK
    """"chunk", "document", or "" when the ids of the responses are none of the testset's."""

    @cached_property
    def language(self) -> str:
        """Of the row: what it says, else what its question is written in."""
        return language_of(self.item)

    @property
    def answer(self) -> str:
        return self.response.answer or ""

    @property
    def folded_answers(self) -> tuple[str, list[str]]:
        """The answer and the golden answers, with what is folded written in one way."""
        return self.folding.apply(self.answer), [self.folding.apply(one) for one in self.item.golden_answers]

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
        """Whether the ids of the response are those of the chunks that the evidence names."""
        return self.unit == CHUNK and not self.item.relevance

    @property
    def no_relevance(self) -> str:
        """Why `relevance` is empty."""
        if not self.unit:
            return "no id of the responses is a chunk_id, a doc_id or an id of relevance in the testset; see --unit"
        return "nothing is relevant to the row"

    @cached_property
    def ranking(self) -> tuple[float, ...]:
        """The grade of each retrieved id by rank; an id that comes again is left out."""
        return self.grades(self.response.retrieved or ())

    def grades(self, passages: Sequence[Passage]) -> tuple[float, ...]:
        """The grade of each id of `passages`, in order, each once; 0 for what is not relevant."""
        ids = dict.fromkeys(filter(None, (self.id_of(one) for one in passages)))
        return tuple(self.relevance.get(id, 0.0) for id in ids)

    def id_of(self, passage: Passage) -> str:
        """The id that counts, "" for a passage that is known by its text alone."""
        if self.unit == DOCUMENT:
            return passage.doc_id or passage.id
        return passage.id or passage.doc_id

    @cached_property
    def retrieved_cover(self) -> Cover | str:
        """What the retrieved passages cover of the evidence, or why that cannot be said."""
        return cover_of(self.item.evidence, self.response.retrieved or (), chunk_ids=self.chunk_ids)

    @property
    def contexts(self) -> tuple[Passage, ...]:
        """What the model saw; where the response does not say, what was retrieved."""
        return self.response.contexts if self.response.contexts is not None else self.response.retrieved or ()

    @cached_property
    def contexts_cover(self) -> Cover | str:
        """What the contexts cover of the evidence, or why that cannot be said."""
        return cover_of(self.item.evidence, self.contexts, chunk_ids=self.chunk_ids)


def language_of(item: Item) -> str:
    """The language of a row: what it says, else what its question is written in."""
    return str(item.metadata.get("language") or detect(item.question))


@dataclass(frozen=True)
class Metric(ABC):
    """A metric. Subclasses are frozen dataclasses whose fields are their parameters.

    `needs` is the field of a response that is looked at. A metric that is not `default` is measured only
    when it is named: it loads a model, or few sets have what it needs. `version` is raised when the metric gives other
    values for the same case: runs measured by two versions of it are not compared.
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
        """The names of its values."""
        return (self.name,)

    def measure_all(self, cases: Sequence[Case]) -> list[Mapping[str, Value]]:
        """`measure` of each case; a metric that is cheaper on many at once does otherwise."""
        return [self.measure(case) for case in cases]

    def scores(self, cases: Sequence[Case]) -> list[list[Score]]:
        """The scores of each case, one a column. A case on which it raises gets scores without a value, never fewer."""
        with contained(self.name, "many rows", named=False), suppress(SynthError):
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
            except SynthError as error:  # a part that is not there takes its own metric alone
                failed = f"{type(error).__name__}: {error}"
        return [_score(case, column, Undefined(f"failed: {failed or guard.error}")) for column in self.columns]

    def definition(self) -> str:
        """The first line of its docstring, for tables."""
        return (self.__doc__ or "").strip().partition("\n")[0]


def _score(case: Case, column: str, value: Value) -> Score:
    if isinstance(value, Undefined):
        return Score(sample_id=case.item.id, metric=column, value=None, reason=value.reason)
    if value != value or value in (float("inf"), float("-inf")):
        return Score(sample_id=case.item.id, metric=column, value=None, reason=f"the metric gave {value}")
    return Score(sample_id=case.item.id, metric=column, value=float(value))


@dataclass(frozen=True)
class AnswerMetric(Metric):
    """A metric of the answer against each golden answer, of which the best counts."""

    needs = "answer"

    @abstractmethod
    def compare(self, answer: str, golden: str, case: Case) -> float:
        """How well `answer` agrees with one golden answer, from 0 to 1."""

    def measure(self, case: Case) -> Mapping[str, Value]:
        answers = case.item.golden_answers
        if not answers:
            return {self.name: NO_ANSWERS}
        return {self.name: max(self.compare(case.answer, golden, case) for golden in answers)}


@dataclass(frozen=True)
class AtK(Metric):
    """A metric of the first k of what was retrieved, for several k: `name@k`."""

    needs = "retrieved"
    ks: tuple[int, ...] = (1, 3, 5, 10)

    @property
    def columns(self) -> tuple[str, ...]:
        return tuple(f"{self.name}@{k}" for k in self.ks)

    def at_each(self, value: Callable[[int], float]) -> dict[str, Value]:
        """The columns with `value(k)` for each k."""
        return {f"{self.name}@{k}": value(k) for k in self.ks}

    def all_undefined(self, reason: str) -> dict[str, Value]:
        """The columns, none of which has a value."""
        return dict.fromkeys(self.columns, Undefined(reason))
