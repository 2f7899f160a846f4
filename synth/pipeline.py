"""From documents to a set: plan, write, gate, admit; and what was refused, with the reason."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Container, Generator, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from inspect import isgenerator
from itertools import count
from math import ceil
from typing import Any

from synth.alternatives import with_alternatives
from synth.balance import Balance, Cell, cell_of
from synth.controls import Control, try_judge
from synth.difficulty import Gauge
from synth.errors import BudgetSpent
from synth.filters.base import Corpus, Filter, SetFilter
from synth.labels import category, labelled
from synth.llm.base import Steps
from synth.llm.driver import Driver, Job
from synth.manner import Manner
from synth.progress import Progress
from synth.records import Evidence, Sample, Scenario, Verdict
from synth.search import Place, Search
from synth.writer import Material, Writer, Written

MAX_SHARE = 0.05
"""Largest share of a set that one document, or one construction of the grammar, is given at first."""

MAX_PATTERN_SHARE = 0.25

SHARE = "share"
"""The stage of a candidate that nothing was wrong with, but of which there was enough."""

FEW = 8
"""Rows up to which no construction is too frequent."""

MOST_ON_EVIDENCE = 2
"""Questions that a piece of evidence gets at most."""

INTERRUPTED = "interrupted"
"""Why a run was stopped that somebody broke off."""

FRESH = 2.0
"""What a scenario on new text is worth more: than all that breadth may cost it."""

A_ROW = 4000
"""Characters of a document for which one row is nothing out of the ordinary."""


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
class Outcome:
    """What a run made: the rows, the refused, and the funnel of counts by question type and stage.

    `cells` are the rows wanted by type and level of difficulty, {} where that did not matter; `controls` are the
    items with a known verdict that were planted to test the judge; `stopped` says why a run ended before it was
    through, "" for one that was not stopped.
    """

    samples: tuple[Sample, ...]
    rejected: tuple[Rejected, ...]
    wanted: Mapping[str, int]
    funnel: Mapping[str, Mapping[str, int]]
    cells: Mapping[Cell, int] = field(default_factory=dict)
    controls: tuple[Control, ...] = ()
    stopped: str = ""

    @property
    def shortfall(self) -> Mapping[str, int]:
        """Question types that fell short, and by how many rows."""
        made = Counter(sample.question_type for sample in self.samples)
        return {kind: n - made[kind] for kind, n in self.wanted.items() if made[kind] < n}

    @property
    def short_cells(self) -> Mapping[Cell, int]:
        """Types and levels that fell short, and by how many rows."""
        made = Counter(map(cell_of, self.samples))
        return {cell: n - made[cell] for cell, n in self.cells.items() if made[cell] < n}


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What became of one scenario before the set was asked: the samples that passed, and those that did not."""

    scenario: Scenario
    samples: tuple[Sample, ...]
    rejected: tuple[Rejected, ...]
    controls: tuple[Control, ...] = ()

    @property
    def level(self) -> str:
        """How hard the first sample is, "" without one."""
        return str(self.samples[0].metadata.get("difficulty", "")) if self.samples else ""


@dataclass(slots=True)
class _Room:
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
        for doc_id in sorted({piece.doc_id for piece in sample.evidence}):
            if self._spent(f"document {doc_id}", max(MAX_SHARE, self.shares.get(doc_id, 0.0))):
                return f"document '{doc_id}' has its share of the set"
        if any(self.taken[_place(piece)] for piece in sample.evidence):
            return "the evidence has a question"
        self.patterns.setdefault(sample.question_type, set()).add(_pattern(sample))
        share = max(MAX_PATTERN_SHARE, 1 / len(self.patterns[sample.question_type]))
        if sample.metadata.get("pattern") and self.rows > FEW and self._spent(_pattern(sample), share):
            return f"construction '{sample.metadata['pattern']}' has its share of the set"
        return self.balance.excess(sample, self.taken, self.rows) or self.manner.excess(sample, self.taken, self.rows)

    def over(self, sample: Sample) -> str:
        """Which limit that holds to the end `sample` would break, or ""."""
        if self.manner.repeats(sample):
            return "it is one of the questions of the example"
        used = max((self.taken[_place(piece)] for piece in sample.evidence), default=0)
        if used >= MOST_ON_EVIDENCE:
            return f"the evidence has {used} questions"
        return self.balance.excess(sample, self.taken, self.rows)

    def _spent(self, name: str, share: float) -> bool:
        return self.taken[name] >= ceil(share * (self.rows + 1))

    def take(self, sample: Sample) -> None:
        self.rows += 1
        for doc_id in {piece.doc_id for piece in sample.evidence}:
            self.taken[f"document {doc_id}"] += 1
        self.taken.update(_place(piece) for piece in sample.evidence)
        self.taken.update([*self.manner.cells(sample), *self.balance.counted(sample)])
        self.taken[_pattern(sample)] += 1


def _pattern(sample: Sample) -> str:
    return f"pattern {sample.metadata.get('pattern')}"


def _place(piece: Evidence) -> str:
    return f"evidence {piece.doc_id} {piece.start} {piece.end}"


def quotas(types: Mapping[str, float], n: int) -> dict[str, int]:
    """How many of `n` rows each type gets, by largest remainder; ties go to the type named first."""
    total = sum(types.values())
    exact = {name: n * share / total for name, share in types.items()}
    counts = {name: int(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: counts[name] - exact[name])
    for name in by_remainder[: n - sum(counts.values())]:
        counts[name] += 1
    return counts


def synthesize(
    material: Material,
    corpus: Corpus,
    writers: Sequence[Writer],
    filters: Sequence[Filter],
    set_filters: Sequence[SetFilter],
    driver: Driver,
    wanted: Mapping[str, int],
    progress: Progress,
    manner: Manner | None = None,
    lag: int = 0,
    gauge: Gauge | None = None,
    balance: Balance | None = None,
    control: float = 0.0,
    held: Sequence[Sample] = (),
    fresh: Container[str] = (),
) -> Outcome:
    """Write and gate samples until each question type has as many rows as `wanted` says, or no scenario is left.

    `gauge` measures how hard they are, by BM25 where none is given; `balance` says how many there are to be of what;
    of the scenarios the share `control` is also made wrong, and put to the gates that ask a model.

    Rows come by type, in the order in which the search chose their scenarios, whatever reply came
    first. A sample that would give its document or its construction more than its share, or its
    evidence a second question, or of which there are enough by `manner` or `balance`, waits until all others
    had their turn. `lag` is that of `Search`. A run that may spend no more, or is interrupted, ends with the rows
    it has. `held` are rows that the set has already, of which none is repeated and which take their share; `wanted`
    does not count them. Passages in `fresh` are asked about first.
    """
    manner, balance = manner or Manner(), balance or Balance()
    rows = _Rows(wanted, set_filters, _Room(_text_shares(corpus), manner, balance))
    making = _Making(
        {writer.name: writer for writer in writers}, material, corpus, filters, manner, gauge or Gauge(corpus)
    )
    place = places(material)
    search = Search(
        _promoted(plans(writers, material, wanted), fresh),
        wanted,
        lambda scenario: place(scenario.chunk_ids),
        lag,
        balance.cells,
    )
    for sample in held:
        rows.hold(sample)
        search.hold(place(tuple(piece.chunk_id for piece in sample.evidence if piece.chunk_id in material.graph)))
    stopped = ""
    with progress.stage("questions", sum(wanted.values())) as stage:
        try:
            for candidate in _candidates(search, making, driver, control):
                before = len(rows)
                search.learn(rows.offer(candidate), candidate.level)
                stage.advance(len(rows) - before)
        except BudgetSpent as spent:
            stopped = str(spent)
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        before = len(rows)
        rows.fill()
        stage.advance(len(rows) - before)
    return replace(rows.outcome(), stopped=stopped)


def with_further_evidence(outcome: Outcome, corpus: Corpus, progress: Progress) -> Outcome:
    """The outcome, its rows with what else proves them: looked for when the rows are known, few of many candidates."""
    with progress.stage("further evidence", len(outcome.samples)) as stage:
        found = []
        for sample in outcome.samples:
            found.append(with_alternatives(sample, corpus))
            stage.advance()
    return replace(outcome, samples=tuple(found))


def plans(writers: Sequence[Writer], material: Material, wanted: Mapping[str, int]) -> dict[str, list[Scenario]]:
    """The scenarios of each question type that is wanted, by all its writers."""
    found: dict[str, list[Scenario]] = {kind: [] for kind, count in wanted.items() if count}
    for writer in writers:
        if writer.question_type in found:
            found[writer.question_type].extend(writer.plan(material))
    return found


def _promoted(plans: Mapping[str, list[Scenario]], fresh: Container[str]) -> dict[str, list[Scenario]]:
    """The plans, with every scenario on a passage that is in `fresh` worth more than any that is not."""
    return {
        kind: [
            replace(one, worth=one.worth + FRESH) if any(name in fresh for name in one.chunk_ids) else one
            for one in scenarios
        ]
        for kind, scenarios in plans.items()
    }


def places(material: Material) -> Callable[[tuple[str, ...]], Place]:
    """Where a scenario on some passages stands, found once for each set of them."""
    graph = material.graph

    @cache
    def place(chunk_ids: tuple[str, ...]) -> Place:
        doc_ids = {graph.chunk(chunk_id).doc_id for chunk_id in chunk_ids}
        rooms = {doc_id: 1 + len(graph.document(doc_id).text) // A_ROW for doc_id in sorted(doc_ids)}
        return Place(category(graph, chunk_ids[0]) if chunk_ids else "", rooms)

    return place


def _candidates(search: Search, making: _Making, driver: Driver, control: float) -> Generator[_Candidate]:
    """The candidates in the order in which the search chose their scenarios; the first is put to the test, if any."""
    scenarios: dict[str, Scenario] = {}
    every = round(1 / control) if control else 0
    number = count()

    def jobs() -> Iterator[Job[_Candidate] | None]:
        while True:
            try:
                scenario = search.next()
            except StopIteration:
                return
            if scenario is None:
                yield None
                continue
            scenarios[scenario.scenario_id] = scenario
            test = bool(every) and next(number) % every == 0
            yield Job(key=scenario.scenario_id, steps=making.candidate(scenario, test=test))

    for outcome in driver.run(jobs()):
        scenario = scenarios.pop(outcome.key)
        if outcome.failure is not None:
            failed = Rejected(scenario, f"model: {outcome.failure.kind}", outcome.failure.reason, None, None)
            yield _Candidate(scenario, (), (failed,))
        elif outcome.value is not None:
            yield outcome.value


@dataclass(frozen=True, slots=True)
class _Making:
    """How a scenario becomes a candidate: who writes it, and what it has to pass."""

    writers: Mapping[str, Writer]
    material: Material
    corpus: Corpus
    filters: Sequence[Filter]
    manner: Manner
    gauge: Gauge

    def candidate(self, scenario: Scenario, *, test: bool = False) -> Generator[Any, Any, _Candidate]:
        """Write the samples of a scenario and gate them; the first that passes is the candidate.

        Where none does, what the writer made on the way may pass in its stead. With `test`, the first sample is also
        made wrong, and judged as such.
        """
        made = self.writers[scenario.synthesizer].write(scenario, self.material)
        written: Written = (yield from made) if isgenerator(made) else made  # type: ignore[assignment]
        rejected = [Rejected(scenario, stage, reason, None, None) for stage, reason in written.given_up]
        graph = self.corpus.graph
        worded = [one for sample in written.samples for one in self.manner.worded(sample, scenario, graph)]
        controls = (yield from try_judge(worded[0], self.corpus, self.filters)) if test and worded else ()
        for sample in worded:
            passed = yield from _gated(scenario, sample, self.corpus, self.filters, self.gauge, rejected)
            if passed:
                return _Candidate(scenario, (passed,), tuple(rejected), controls)
        spare = []
        for sample in written.spare:
            passed = yield from _gated(scenario, sample, self.corpus, self.filters, self.gauge, rejected)
            if passed:
                spare.append(passed)
        if not written.samples and not rejected:
            rejected.append(Rejected(scenario, "written", "the author found nothing to ask", None, None))
        return _Candidate(scenario, tuple(spare), tuple(rejected), controls)


def _gated(
    scenario: Scenario,
    sample: Sample,
    corpus: Corpus,
    filters: Sequence[Filter],
    gauge: Gauge,
    rejected: list[Rejected],
) -> Generator[Any, Any, Sample | None]:
    """The sample with the verdicts of all its gates and what is measured of it, or None when one refused it."""
    passed = yield from gated(sample, corpus, filters, gauge)
    if isinstance(passed, Sample):
        return passed
    rejected.append(Rejected(scenario, passed.filter, passed.reason, passed.score, sample))
    return None


def gated(sample: Sample, corpus: Corpus, filters: Sequence[Filter], gauge: Gauge) -> Steps[Sample | Verdict]:
    """The sample with its verdicts, labels and measures; or the verdict of the gate that refuses it."""
    verdicts: list[Verdict] = []
    for gate in filters:
        verdict = yield from gate.run(sample, corpus)
        if not verdict.kept:
            return verdict
        verdicts.append(verdict)
    passed = replace(sample, verdicts=tuple(verdicts))
    return gauge.measured(labelled(passed, corpus.graph))


def judge_again(
    written: Sequence[tuple[Scenario, Sample]],
    corpus: Corpus,
    filters: Sequence[Filter],
    set_filters: Sequence[SetFilter],
    driver: Driver,
    wanted: Mapping[str, int],
    progress: Progress,
    gauge: Gauge,
    balance: Balance,
) -> Outcome:
    """Samples that were written before, gated anew in their order, until each type has as many rows as wanted."""
    rows = _Rows(wanted, set_filters, _Room(_text_shares(corpus), Manner(), balance))

    def steps(scenario: Scenario, sample: Sample) -> Generator[Any, Any, _Candidate]:
        rejected: list[Rejected] = []
        passed = yield from _gated(scenario, sample, corpus, filters, gauge, rejected)
        return _Candidate(scenario, (passed,) if passed else (), tuple(rejected))

    jobs = (Job(key=str(number), steps=steps(*one)) for number, one in enumerate(written))
    with progress.stage("judging", len(written)) as stage:
        for outcome in driver.run(jobs):
            stage.advance()
            if outcome.value is not None:
                rows.offer(outcome.value)
        rows.fill()
    return rows.outcome()


@dataclass(slots=True)
class _Rows:
    """The rows so far, the samples that wait for one, and the refused."""

    wanted: Mapping[str, int]
    set_filters: Sequence[SetFilter]
    room: _Room
    samples: dict[str, list[Sample]] = field(init=False)
    waiting: list[tuple[Scenario, Sample]] = field(init=False, default_factory=list)
    rejected: list[Rejected] = field(init=False, default_factory=list)
    controls: list[Control] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.samples = {kind: [] for kind in self.wanted}

    def __len__(self) -> int:
        return sum(map(len, self.samples.values()))

    def hold(self, sample: Sample) -> None:
        """The set has this row already; it is none of those that a cell is to have."""
        self.room.take(sample)
        self.room.taken[cell_of(sample)] -= 1
        for gate in self.set_filters:
            gate.admit(sample)

    def offer(self, candidate: _Candidate) -> bool:
        """Take what a scenario gave; whether its question type has one row more."""
        self.rejected.extend(candidate.rejected)
        self.controls.extend(candidate.controls)
        kind = candidate.scenario.question_type
        before = len(self.samples[kind])
        for sample in candidate.samples:
            if self._missing(sample) and self.room.full(sample):
                self.waiting.append((candidate.scenario, sample))
            else:
                self._take(candidate.scenario, sample)
        return len(self.samples[kind]) > before

    def fill(self) -> None:
        """Where rows are missing, admit the samples that wait; a limit that gives way with each row is asked again."""
        before = -1
        while len(self) > before:
            before = len(self)
            held, self.waiting = self.waiting, []
            for scenario, sample in self._in_turn(held):
                if self._missing(sample) and self.room.balance.excess(sample, self.room.taken, self.room.rows):
                    self.waiting.append((scenario, sample))
                else:
                    self._take(scenario, sample)
        for scenario, sample in self._in_turn(self.waiting):
            self._take(scenario, sample)
        self.waiting.clear()

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

    def outcome(self) -> Outcome:
        funnel = {kind: Counter({"kept": len(rows)}) for kind, rows in self.samples.items()}
        for item in self.rejected:
            funnel.setdefault(item.question_type, Counter())[item.stage] += 1
        tried = {kind: {"tried": tally.total(), **tally} for kind, tally in funnel.items()}
        rows = tuple(sample for kind in self.wanted for sample in self.samples[kind])
        return Outcome(rows, tuple(self.rejected), self.wanted, tried, self.room.balance.cells, tuple(self.controls))

    def _missing(self, sample: Sample) -> bool:
        kind = sample.question_type
        missing = len(self.samples.get(kind, ())) < self.wanted.get(kind, 0)
        return missing and not self.room.balance.enough(sample, self.room.taken)

    def _take(self, scenario: Scenario, sample: Sample) -> None:
        """Make a sample a row, unless no row is missing or a gate that sees the set refuses."""
        over = self.room.over(sample)
        if over or not self._missing(sample):
            reason = over or self.room.balance.enough(sample, self.room.taken) or self.room.full(sample) or "not needed"
            self.rejected.append(Rejected(scenario, SHARE, reason, None, sample))
            return
        verdicts = list(sample.verdicts)
        for gate in self.set_filters:
            verdict = gate.judge(sample)
            if not verdict.kept:
                self.rejected.append(Rejected(scenario, gate.name, verdict.reason, verdict.score, sample))
                return
            verdicts.append(verdict)
        row = replace(sample, verdicts=tuple(verdicts))
        self.samples[sample.question_type].append(row)
        self.room.take(row)
        for gate in self.set_filters:
            gate.admit(row)


def _text_shares(corpus: Corpus) -> dict[str, float]:
    sizes = {document.doc_id: len(document.text) for document in corpus.graph.documents()}
    total = sum(sizes.values()) or 1
    return {doc_id: size / total for doc_id, size in sizes.items()}
