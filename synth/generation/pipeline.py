"""From documents to a set: plan, write, filter, admit; and what was refused, with the reason."""

from __future__ import annotations

from collections.abc import Container, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import isgenerator
from typing import Any

from synth.core.containment import contained
from synth.core.errors import RunStopped
from synth.core.progress import Progress
from synth.core.records import Sample, Scenario, Verdict
from synth.corpus.graph import KnowledgeGraph
from synth.generation.admission import (
    INTERRUPTED,
    ROW,
    Rejected,
    Room,
    RowCollector,
    RunResult,
    ScenarioResult,
    text_shares,
)
from synth.generation.alternatives import with_alternatives
from synth.generation.difficulty import Gauge
from synth.generation.filters.base import Corpus, Filter, SetFilter, binding
from synth.generation.form import Manner
from synth.generation.quotas import Balance
from synth.generation.row_topics import category, labelled
from synth.generation.search import ScenarioPlace, Search
from synth.generation.writer import Writer, WriterContext, Written
from synth.models.chat.base import Steps
from synth.models.chat.driver import Driver, Job

FRESH = 2.0
"""What a scenario on new text is worth more: than all that breadth may cost it."""

FAILED = "failed"
"""The stage of a candidate on which code raised."""

A_ROW = 4000
"""Characters of a document for which one row is nothing out of the ordinary."""


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
    material: WriterContext,
    corpus: Corpus,
    writers: Sequence[Writer],
    filters: Sequence[Filter],
    set_filters: Sequence[SetFilter],
    driver: Driver,
    wanted: Mapping[str, int],
    progress: Progress,
    manner: Manner | None = None,
    gauge: Gauge | None = None,
    balance: Balance | None = None,
    held: Sequence[Sample] = (),
    fresh: Container[str] = (),
) -> RunResult:
    """Write and filter samples until each question type has as many rows as `wanted` says, or no scenario is left.

    `gauge` measures how hard they are, by BM25 where none is given; `balance` says how many there are to be of what.

    RowCollector come by type, in the order in which the search chose their scenarios, whatever reply came
    first. A sample that would give its document or its construction more than its share, or its
    evidence a second question, or of which there are enough by `manner` or `balance`, waits until all others
    had their turn. A run that may spend no more, or is interrupted, ends
    with the rows it has. `held` are rows that the set has already, of which none is repeated and which take their
    share; `wanted` does not count them. Passages in `fresh` are asked about first.
    """
    manner, balance = manner or Manner(), balance or Balance()
    rows = RowCollector(wanted, set_filters, Room(text_shares(corpus), manner, balance))
    making = _Making(
        {writer.name: writer for writer in writers}, material, corpus, filters, manner, gauge or Gauge(corpus)
    )
    places = Places(material.graph)
    scenarios = _promoted(plans(writers, material, wanted), fresh)
    search = Search(scenarios, wanted, places.of, cells=balance.cells)
    for sample in held:
        rows.hold(sample)
        search.hold(places.of_row(sample))
    stopped = ""
    with progress.stage("questions", sum(wanted.values())) as stage:
        try:
            for candidate in _candidates(search, making, driver):
                before = len(rows)
                search.learn(rows.offer(candidate) == ROW, candidate.level)
                stage.advance(len(rows) - before)
        except RunStopped as end:
            stopped = str(end)
        except KeyboardInterrupt:
            stopped = INTERRUPTED
        stage.advance(rows.fill())
    return replace(rows.outcome(), stopped=stopped)


def with_further_evidence(outcome: RunResult, corpus: Corpus, progress: Progress) -> RunResult:
    """The outcome, its rows with what else proves them: looked for when the rows are known, few of many candidates."""
    with progress.stage("further evidence", len(outcome.samples)) as stage:
        found = []
        for sample in outcome.samples:
            with contained("further evidence", f"row {sample.id}"):
                sample = with_alternatives(sample, corpus)
            found.append(sample)
            stage.advance()
    return replace(outcome, samples=tuple(found))


def plans(writers: Sequence[Writer], material: WriterContext, wanted: Mapping[str, int]) -> dict[str, list[Scenario]]:
    """The scenarios of each question type that is wanted, by all its writers."""
    found: dict[str, list[Scenario]] = {kind: [] for kind, count in wanted.items() if count}
    for writer in writers:
        if writer.question_type in found:
            found[writer.question_type].extend(_plan(writer, material))
    return found


def _plan(writer: Writer, material: WriterContext) -> list[Scenario]:
    """What a writer plans; a document on which it raises is left out, for a scenario depends on its own documents."""
    with contained(f"writer '{writer.name}'", "the plan", named=False):
        return list(writer.plan(material))
    sound = {}
    for doc_id, reading in material.readings.items():
        with contained(f"writer '{writer.name}'", doc_id) as guard:
            list(writer.plan(replace(material, readings={doc_id: reading})))
        if not guard.error:
            sound[doc_id] = reading
    with contained(f"writer '{writer.name}'", "the plan"):
        return list(writer.plan(replace(material, readings=sound)))
    return []


def _promoted(plans: Mapping[str, list[Scenario]], fresh: Container[str]) -> dict[str, list[Scenario]]:
    """The plans, with every scenario on a passage that is in `fresh` worth more than any that is not."""
    return {
        kind: [
            replace(one, worth=one.worth + FRESH) if any(name in fresh for name in one.chunk_ids) else one
            for one in scenarios
        ]
        for kind, scenarios in plans.items()
    }


@dataclass(slots=True)
class Places:
    """Where scenarios and rows stand in a graph; found once for each set of passages."""

    graph: KnowledgeGraph
    _known: dict[tuple[str, ...], ScenarioPlace] = field(init=False, default_factory=dict)

    def of(self, scenario: Scenario) -> ScenarioPlace:
        """Where a scenario stands."""
        return replace(self._place(scenario.chunk_ids), sentences=scenario.sentences)

    def of_row(self, sample: Sample) -> ScenarioPlace:
        """Where a row stands, by the passages of its evidence that there are still."""
        chunk_ids = tuple(piece.chunk_id for piece in sample.evidence if piece.chunk_id in self.graph)
        return replace(
            self._place(chunk_ids), sentences=tuple((piece.doc_id, piece.start) for piece in sample.evidence)
        )

    def _place(self, chunk_ids: tuple[str, ...]) -> ScenarioPlace:
        if chunk_ids not in self._known:
            doc_ids = {self.graph.chunk(chunk_id).doc_id for chunk_id in chunk_ids}
            rooms = {doc_id: 1 + len(self.graph.document(doc_id).text) // A_ROW for doc_id in sorted(doc_ids)}
            self._known[chunk_ids] = ScenarioPlace(category(self.graph, chunk_ids[0]) if chunk_ids else "", rooms)
        return self._known[chunk_ids]


def _candidates(search: Search, making: _Making, driver: Driver) -> Generator[ScenarioResult]:
    """The candidates in the order in which the search chose their scenarios."""
    scenarios: dict[str, Scenario] = {}

    def jobs() -> Iterator[Job[ScenarioResult] | None]:
        while True:
            try:
                scenario = search.next()
            except StopIteration:
                return
            if scenario is None:
                yield None
                continue
            scenarios[scenario.scenario_id] = scenario
            yield Job(key=scenario.scenario_id, steps=making.candidate(scenario))

    for outcome in driver.run(jobs()):
        scenario = scenarios.pop(outcome.key)
        if outcome.failure is not None:
            failed = Rejected(scenario, f"model: {outcome.failure.kind}", outcome.failure.reason, None, None)
            yield ScenarioResult(scenario, (), (failed,))
        elif outcome.value is not None:
            yield outcome.value


@dataclass(frozen=True, slots=True)
class _Making:
    """How a scenario becomes a candidate: who writes it, and what it has to pass."""

    writers: Mapping[str, Writer]
    material: WriterContext
    corpus: Corpus
    filters: Sequence[Filter]
    manner: Manner
    gauge: Gauge

    def candidate(self, scenario: Scenario) -> Generator[Any, Any, ScenarioResult]:
        """Write the samples of a scenario and filter them; the first that passes is the candidate."""
        place = self.corpus.graph.chunk(scenario.chunk_ids[0]).doc_id if scenario.chunk_ids else scenario.scenario_id
        with contained(f"writer '{scenario.synthesizer}'", place) as guard:
            return (yield from self._candidate(scenario))
        return ScenarioResult(scenario, (), (Rejected(scenario, FAILED, guard.error, None, None),))

    def _candidate(self, scenario: Scenario) -> Generator[Any, Any, ScenarioResult]:
        made = self.writers[scenario.synthesizer].write(scenario, self.material)
        written: Written = (yield from made) if isgenerator(made) else made  # type: ignore[assignment]
        rejected = [Rejected(scenario, stage, reason, None, None) for stage, reason in written.given_up]
        graph = self.corpus.graph
        worded = [one for sample in written.samples for one in self.manner.worded(sample, scenario, graph)]
        for sample in worded:
            passed = yield from _gated(scenario, sample, self.corpus, self.filters, self.gauge, rejected)
            if passed:
                return ScenarioResult(scenario, (passed,), tuple(rejected))
        if not written.samples and not rejected:
            rejected.append(Rejected(scenario, "written", "the author found nothing to ask", None, None))
        return ScenarioResult(scenario, (), tuple(rejected))


def _gated(
    scenario: Scenario,
    sample: Sample,
    corpus: Corpus,
    filters: Sequence[Filter],
    gauge: Gauge,
    rejected: list[Rejected],
) -> Generator[Any, Any, Sample | None]:
    """The sample with the verdicts of all its filters and what is measured of it, or None when one refused it."""
    passed = yield from gated(sample, corpus, filters, gauge)
    if isinstance(passed, Sample):
        return passed
    rejected.append(Rejected(scenario, passed.filter, passed.reason, passed.score, sample))
    return None


def gated(sample: Sample, corpus: Corpus, filters: Sequence[Filter], gauge: Gauge) -> Steps[Sample | Verdict]:
    """The sample with its verdicts, labels and measures; or the verdict of the filter that refuses it."""
    verdicts: list[Verdict] = []
    for filter_ in binding(filters, sample):
        verdict = yield from filter_.run(sample, corpus)
        if not verdict.kept:
            return verdict
        verdicts.append(verdict)
    with contained("the measures", f"'{sample.question[:80]}'") as guard:
        return gauge.measured(labelled(replace(sample, verdicts=tuple(verdicts)), corpus.graph))
    return Verdict(filter=FAILED, kept=False, reason=guard.error)


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
) -> RunResult:
    """Samples that were written before, gated anew in their order, until each type has as many rows as wanted."""
    rows = RowCollector(wanted, set_filters, Room(text_shares(corpus), Manner(), balance))

    def steps(scenario: Scenario, sample: Sample) -> Generator[Any, Any, ScenarioResult]:
        rejected: list[Rejected] = []
        passed = yield from _gated(scenario, sample, corpus, filters, gauge, rejected)
        return ScenarioResult(scenario, (passed,) if passed else (), tuple(rejected))

    jobs = (Job(key=str(number), steps=steps(*one)) for number, one in enumerate(written))
    with progress.stage("judging", len(written)) as stage:
        for outcome in driver.run(jobs):
            stage.advance()
            if outcome.value is not None:
                rows.offer(outcome.value)
        rows.fill()
    return rows.outcome()
