"""Which candidates become rows: limits of documents, constructions and evidence, and the filters that see the set."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TypeVar

from synth.core.records import Evidence, Sample, Scenario
from synth.generation.filters.base import Corpus, SetFilter
from synth.generation.form import Manner
from synth.generation.judge_controls import JudgeControl
from synth.generation.quotas import Balance, Cell, cell_of

K = TypeVar("K")

MAX_SHARE = 0.05
"""Largest share of a set that one document, or one construction of the grammar, is given at first."""

MAX_PATTERN_SHARE = 0.25

SHARE = "share"
"""The stage of a candidate that nothing was wrong with, but of which there was enough."""

ROW, WAITS, PASSED, REFUSED = "row", "waits", "passed", "refused"
"""What came of a scenario: a row; a sample that waits for one; one that the set has, or does not need; none."""

INTERRUPTED = "interrupted"
"""Why a run was stopped that somebody broke off."""

FEW = 8
"""Rows up to which no construction is too frequent."""

MOST_ON_EVIDENCE = 2
"""Questions that a piece of evidence gets at most."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that did not become a row: at which stage, why, and the sample if one was written."""

    scenario: Scenario
    stage: str
    reason: str
    score: float | None
    sample: Sample | None

    @property
    def question_type(self) -> str:
        """That of the sample; of the scenario where none was written."""
        return self.sample.question_type if self.sample else self.scenario.question_type


@dataclass(frozen=True, slots=True)
class RunResult:
    """What a run made: the rows, the refused, and the funnel of counts by question type and stage.

    `cells` are the rows wanted by type and level of difficulty, {} where that did not matter; `controls` are the
    items with a known verdict that were planted to test the judge; `stopped` says why a run ended before it was
    through, "" for one that was not stopped; `given_up` are the types that the search left after many
    scenarios in a row without a row. `tasks` are those of a chat model by kind: how many there were, and how many rows
    they gave.
    """

    samples: tuple[Sample, ...]
    rejected: tuple[Rejected, ...]
    wanted: Mapping[str, int]
    funnel: Mapping[str, Mapping[str, int]]
    cells: Mapping[Cell, int] = field(default_factory=dict)
    controls: tuple[JudgeControl, ...] = ()
    stopped: str = ""
    given_up: tuple[str, ...] = ()
    tasks: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def shortfall(self) -> Mapping[str, int]:
        """Question types that fell short, and by how many rows."""
        return _short(self.wanted, Counter(sample.question_type for sample in self.samples))

    @property
    def short_cells(self) -> Mapping[Cell, int]:
        """Types and levels that fell short, and by how many rows."""
        return _short(self.cells, Counter(map(cell_of, self.samples)))


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """What became of one scenario before the set was asked: the samples that passed, and those that did not."""

    scenario: Scenario
    samples: tuple[Sample, ...]
    rejected: tuple[Rejected, ...]
    controls: tuple[JudgeControl, ...] = ()

    @property
    def level(self) -> str:
        """How hard the first sample is, "" without one."""
        return str(self.samples[0].metadata.get("difficulty", "")) if self.samples else ""


@dataclass(slots=True)
class Room:
    """How many rows a document, a construction and a piece of evidence may take before others had their turn.

    A share is one of the rows there are so far, not of those wanted, so that a larger set begins as a
    smaller one does.
    """

    shares: Mapping[str, float]
    manner: Manner
    balance: Balance = field(default_factory=Balance)
    rows: int = 0
    taken: Counter[Hashable] = field(default_factory=Counter)
    patterns: dict[str, set[str]] = field(default_factory=dict)

    def full(self, sample: Sample) -> str:
        """Which limit `sample` would break, or ""."""
        crowded = self.crowded(_documents(sample))
        if crowded:
            return crowded
        if any(self.taken[_place(piece)] for piece in _telling(sample)):
            return "the evidence has a question"
        share = max(MAX_PATTERN_SHARE, 1 / max(1, len(self.patterns.get(sample.question_type, ()))))
        if sample.metadata.get("pattern") and self.rows > FEW and self._spent(_pattern(sample), share):
            return f"construction '{sample.metadata['pattern']}' has its share of the set"
        over = self.balance.excess(sample, self.taken, self.rows)
        over = over or self.balance.gentle_excess(sample, self.taken, self.rows)
        return over or self.manner.excess(sample, self.taken, self.rows)

    def crowded(self, doc_ids: Iterable[str]) -> str:
        """Which of these documents has its share of the rows, or ""."""
        for doc_id in sorted(doc_ids):
            if self._spent(f"document {doc_id}", max(MAX_SHARE, self.shares.get(doc_id, 0.0))):
                return f"document '{doc_id}' has its share of the set"
        return ""

    def met(self, sample: Sample) -> None:
        """A construction that was met: where a type has but few of them, each may have more."""
        self.patterns.setdefault(sample.question_type, set()).add(_pattern(sample))

    def over(self, sample: Sample) -> str:
        """Which limit that holds to the end `sample` would break, or ""."""
        if self.manner.repeats(sample):
            return "it is one of the questions of the example"
        used = max((self.taken[_place(piece)] for piece in _telling(sample)), default=0)
        if used >= MOST_ON_EVIDENCE:
            return f"the evidence has {used} questions"
        return self.balance.excess(sample, self.taken, self.rows)

    def _spent(self, name: str, share: float) -> bool:
        return self.taken[name] >= ceil(share * (self.rows + 1))

    def seat(self, doc_ids: Iterable[str]) -> None:
        """One row more, on these documents."""
        self.rows += 1
        self.taken.update(f"document {doc_id}" for doc_id in doc_ids)

    def take(self, sample: Sample) -> None:
        """A sample becomes a row."""
        self.seat(_documents(sample))
        self.taken.update(_place(piece) for piece in _telling(sample))
        self.taken.update([*self.manner.cells(sample), *self.balance.counted(sample)])
        self.taken[_pattern(sample)] += 1


def _short(wanted: Mapping[K, int], made: Mapping[K, int]) -> dict[K, int]:
    """What fell short, and by how much."""
    return {name: n - made.get(name, 0) for name, n in wanted.items() if made.get(name, 0) < n}


def _documents(sample: Sample) -> set[str]:
    return {piece.doc_id for piece in sample.evidence}


def _pattern(sample: Sample) -> str:
    return f"pattern {sample.metadata.get('pattern')}"


def _telling(sample: Sample) -> tuple[Evidence, ...]:
    """The evidence that no other question should ask about.

    Of what the grammar wrote that is the last piece; those before it only say what it is about, as a table's head does.
    """
    return sample.evidence[-1:] if sample.metadata.get("pattern") else sample.evidence


def _place(piece: Evidence) -> str:
    return f"evidence {piece.doc_id} {piece.start} {piece.end}"


@dataclass(slots=True)
class RowCollector:
    """The rows so far, the samples that wait for one, and the refused."""

    wanted: Mapping[str, int]
    set_filters: Sequence[SetFilter]
    room: Room
    samples: dict[str, list[Sample]] = field(init=False)
    waiting: list[tuple[Scenario, Sample]] = field(init=False, default_factory=list)
    rejected: list[Rejected] = field(init=False, default_factory=list)
    controls: list[JudgeControl] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.samples = {kind: [] for kind in self.wanted}

    def __len__(self) -> int:
        return sum(map(len, self.samples.values()))

    def hold(self, sample: Sample) -> None:
        """The set has this row already; it is none of those that a cell is to have."""
        self.room.take(sample)
        self.room.taken[cell_of(sample)] -= 1
        for filter_ in self.set_filters:
            filter_.hold(sample)

    def offer(self, candidate: ScenarioResult) -> str:
        """Take what a scenario gave; what came of it."""
        self.rejected.extend(candidate.rejected)
        self.controls.extend(candidate.controls)
        kind = candidate.scenario.question_type
        before, waiting = len(self.samples[kind]), len(self.waiting)
        for sample in candidate.samples:
            self.room.met(sample)
            if self._missing(sample) and self.room.full(sample):
                self.waiting.append((candidate.scenario, sample))
            else:
                self._take(candidate.scenario, sample)
        if len(self.samples[kind]) > before:
            return ROW
        if len(self.waiting) > waiting:
            return WAITS
        return PASSED if candidate.samples else REFUSED

    @property
    def missing(self) -> Mapping[str, int]:
        """Rows that are missing, by question type; types that have theirs are left out."""
        return _short(self.wanted, {kind: len(rows) for kind, rows in self.samples.items()})

    def fill(self) -> int:
        """Where rows are missing, admit the samples that wait; the share of a document is the last limit to give way.

        A limit that gives way with each row is asked again. Returns the rows that this gave.
        """
        first = len(self)
        for spread in (True, False):
            before = -1
            while len(self) > before:
                before = len(self)
                held, self.waiting = self.waiting, []
                for scenario, sample in self._in_turn(held):
                    room = self.room
                    if self._missing(sample) and (
                        room.balance.excess(sample, room.taken, room.rows)
                        or (spread and room.crowded(_documents(sample)))
                    ):
                        self.waiting.append((scenario, sample))
                    else:
                        self._take(scenario, sample)
        for scenario, sample in self._in_turn(self.waiting):
            self._take(scenario, sample)
        self.waiting.clear()
        return len(self) - first

    def _in_turn(self, held: Sequence[tuple[Scenario, Sample]]) -> Iterator[tuple[Scenario, Sample]]:
        """Samples that wait, the next always one of the construction of which there are the fewest rows."""
        queues: dict[str, deque[tuple[Scenario, Sample]]] = {}
        for scenario, sample in held:
            queues.setdefault(_pattern(sample), deque()).append((scenario, sample))
        while queues:
            name = min(queues, key=self.room.taken.__getitem__)
            yield queues[name].popleft()
            if not queues[name]:
                del queues[name]

    def outcome(self) -> RunResult:
        funnel = {kind: Counter({"kept": len(rows)}) for kind, rows in self.samples.items()}
        for item in self.rejected:
            funnel.setdefault(item.question_type, Counter())[item.stage] += 1
        tried = {kind: {"tried": tally.total(), **tally} for kind, tally in funnel.items()}
        rows = tuple(sample for kind in self.wanted for sample in self.samples[kind])
        cells, controls = self.room.balance.cells, tuple(self.controls)
        return RunResult(rows, tuple(self.rejected), self.wanted, tried, cells, controls)

    def _missing(self, sample: Sample) -> bool:
        kind = sample.question_type
        missing = len(self.samples.get(kind, ())) < self.wanted.get(kind, 0)
        return missing and not self.room.balance.enough(sample, self.room.taken)

    def _take(self, scenario: Scenario, sample: Sample) -> None:
        """Make a sample a row, unless no row is missing or a filter that sees the set refuses."""
        over = self.room.over(sample)
        if over or not self._missing(sample):
            reason = over or self.room.balance.enough(sample, self.room.taken) or self.room.full(sample) or "not needed"
            self.rejected.append(Rejected(scenario, SHARE, reason, None, sample))
            return
        verdicts = list(sample.verdicts)
        for filter_ in self.set_filters:
            verdict = filter_.decide(sample)
            if not verdict.kept:
                self.rejected.append(Rejected(scenario, filter_.name, verdict.reason, verdict.score, sample))
                return
            verdicts.append(verdict)
        row = replace(sample, verdicts=tuple(verdicts))
        self.samples[sample.question_type].append(row)
        self.room.take(row)
        for filter_ in self.set_filters:
            filter_.hold(row)


def text_shares(corpus: Corpus) -> dict[str, float]:
    sizes = {document.doc_id: len(document.text) for document in corpus.graph.documents()}
    total = sum(sizes.values()) or 1
    return {doc_id: size / total for doc_id, size in sizes.items()}
