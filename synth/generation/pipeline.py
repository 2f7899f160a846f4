"""Pipeline from documents to rows: plan scenarios, write candidates, filter and admit them."""

from __future__ import annotations

from collections.abc import Collection, Container, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import isgenerator
from typing import Any

from synth.core import interruption
from synth.core.containment import contained
from synth.core.errors import RunStopped
from synth.core.progress import Progress
from synth.core.records import Sample, Scenario, Verdict
from synth.corpus.corpus import Corpus
from synth.corpus.graph import KnowledgeGraph
from synth.generation.admission import (
    CROWDED_BY_GRAMMAR,
    INTERRUPTED,
    ROW,
    Barren,
    Rejected,
    RowCollector,
    RowGoal,
    RowLimits,
    RunResult,
    ScenarioResult,
    text_shares,
)
from synth.generation.alternatives import with_alternatives
from synth.generation.difficulty import DifficultyMeasure
from synth.generation.filters.base import Filter, SetFilter, binding
from synth.generation.question_form import QuestionMix
from synth.generation.row_topics import category, labelled
from synth.generation.search import ScenarioPlace, Search
from synth.generation.writer import Writer, WriterContext, Written
from synth.models.chat.base import Steps
from synth.models.chat.driver import Driver, Job

FRESH = 2.0
"""Bonus that is added to the worth (0 to 1) of a scenario on new text. Usually it outweighs all costs of the search."""

FAILED = "failed"
"""Rejection stage of a candidate if our code raised an error while handling it."""

PATIENCE, AHEAD = 4, 10
"""Text to read before weak scenarios are tried: PATIENCE * (rows so far + AHEAD) * A_ROW characters."""

EXCHANGE = 2
"""Maximum text to read for only some of the types, if other types may make up for their missing rows.

The maximum is EXCHANGE * (wanted rows + AHEAD) * A_ROW characters.
"""

BARREN = 1_000_000
"""Minimum number of characters without a sample of a type before reading for that type ends."""

LEAN = 10
"""Reading for a type ends after LEAN * (wanted rows + AHEAD) * A_ROW characters, but not before BARREN."""

A_ROW = 4000
"""Characters of text per row.

A document may have one row per A_ROW characters. Each further row lowers the worth of its other scenarios. The search
also reads A_ROW characters of documents per row of the set.
"""


def quotas(types: Mapping[str, float], n: int) -> dict[str, int]:
    """Return the number of rows, out of `n`, for each type.

    Counts are rounded by largest remainder; ties go to the type named first.
    """
    total = sum(types.values())
    exact = {name: n * share / total for name, share in types.items()}
    counts = {name: int(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: counts[name] - exact[name])
    for name in by_remainder[: n - sum(counts.values())]:
        counts[name] += 1
    return counts


@dataclass(frozen=True, slots=True)
class Checks:
    """Filters of single candidates, filters that compare candidates with rows, and the measure of difficulty."""

    filters: Sequence[Filter]
    set_filters: Sequence[SetFilter]
    difficulty: DifficultyMeasure


def synthesize(
    goal: RowGoal,
    material: WriterContext,
    writers: Sequence[Writer],
    checks: Checks,
    driver: Driver,
    progress: Progress,
) -> RunResult:
    """Write and filter samples until each question type has its rows, or no scenario is left.

    The corpus is read in portions. The next portion is read when at most `A_ROW` characters per row were read so far.
    It is also read when a type has no scenario left and too few waiting samples. If types may make up for one another,
    reading for only some of them stops at `EXCHANGE` times the text that all rows need. Reading also stops if long
    stretches of text yield nothing (`_Supply.barren`).

    Rows are grouped by type, in the order in which the search chose their scenarios. The order of replies has no
    influence. A sample that exceeds a limit waits until all other samples were tried. There are limits on the document,
    the construction, the evidence, the form, the difficulty and the tags of rows. A run that spends its budget or is
    interrupted ends with the rows it has.
    """
    limits = RowLimits(text_shares(material.corpus), goal.mix, goal.balance)
    rows = RowCollector(goal.rows, checks.set_filters, limits)
    supply = _Supply(material, writers, goal, rows)
    maker = _CandidateMaker({writer.name: writer for writer in writers}, supply, checks, goal.mix)
    search = Search(supply.scenarios(), goal.rows, supply.places.of, cells=goal.balance.cells, further=supply.further)
    for sample in goal.existing:
        rows.hold(sample)
        search.hold(supply.places.of_row(sample))
    stopped = ""
    with progress.stage("questions", sum(goal.rows.values())) as stage:
        try:
            # If duplicates among the waiting samples leave rows missing, read more.
            while search.wants(rows.missing):
                tried = False
                for candidate in _candidates(search, maker, driver):
                    tried, before = True, len(rows)
                    search.learn(rows.offer(candidate) == ROW, candidate.level)
                    if not before and len(rows):
                        sample = candidate.samples[0]
                        progress.say(f"first question: {sample.question} → {'; '.join(sample.golden_answers) or '-'}")
                    stage.advance(len(rows) - before)
                stage.advance(rows.fill())
                if not tried:
                    break
        except RunStopped as end:
            stopped = str(end)
        except KeyboardInterrupt:
            interruption.taken()
            stopped = INTERRUPTED
        stage.advance(rows.fill())
        if goal.exchange and not stopped:
            stage.advance(sum(goal.rows.values()) - len(rows))
    made = rows.outcome()
    return replace(made, stopped=stopped, barren=None if stopped else supply.barren(made.shortfall))


def with_further_evidence(outcome: RunResult, corpus: Corpus, progress: Progress) -> RunResult:
    """Return the outcome, with alternative evidence added to its rows.

    The search runs only for rows, not for all candidates.
    """
    with progress.stage("further evidence", len(outcome.samples)) as stage:
        samples = []
        for sample in outcome.samples:
            with contained("further evidence", f"row {sample.id}"):
                sample = with_alternatives(sample, corpus)
            samples.append(sample)
            stage.advance()
    return replace(outcome, samples=tuple(samples))


def plans(writers: Sequence[Writer], material: WriterContext, wanted: Mapping[str, int]) -> dict[str, list[Scenario]]:
    """Return the scenarios of each wanted question type, from all its writers."""
    by_type: dict[str, list[Scenario]] = {kind: [] for kind, count in wanted.items() if count}
    for writer in writers:
        if writer.question_type in by_type:
            by_type[writer.question_type].extend(_plan(writer, material))
    return by_type


def _plan(writer: Writer, material: WriterContext) -> list[Scenario]:
    """Return the scenarios of a writer, without those of documents on which the writer raises an error."""
    with contained(f"writer '{writer.name}'", "the plan", recorded=False):
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
    """Return the plans, with the worth of each scenario on a passage in `fresh` raised by FRESH."""
    return {
        kind: [
            replace(scenario, worth=scenario.worth + FRESH)
            if any(chunk_id in fresh for chunk_id in scenario.chunk_ids)
            else scenario
            for scenario in scenarios
        ]
        for kind, scenarios in plans.items()
    }


@dataclass(slots=True)
class Places:
    """Lookup of the topic, documents and sentences of scenarios and rows, cached per tuple of passages.

    Topics come from the graph.
    """

    corpus: Corpus
    graph: KnowledgeGraph
    _known: dict[tuple[str, ...], ScenarioPlace] = field(init=False, default_factory=dict)

    def of(self, scenario: Scenario) -> ScenarioPlace:
        """Return the place of a scenario."""
        return replace(self._place(scenario.chunk_ids), sentences=scenario.sentences)

    def of_row(self, sample: Sample) -> ScenarioPlace:
        """Return the place of a row, from the evidence passages that the corpus still contains."""
        chunk_ids = tuple(piece.chunk_id for piece in sample.evidence if piece.chunk_id in self.corpus)
        return replace(
            self._place(chunk_ids), sentences=tuple((piece.doc_id, piece.start) for piece in sample.evidence)
        )

    def _place(self, chunk_ids: tuple[str, ...]) -> ScenarioPlace:
        if chunk_ids not in self._known:
            doc_ids = {self.corpus.chunk(chunk_id).doc_id for chunk_id in chunk_ids}
            rooms = {doc_id: 1 + self.corpus.sizes[doc_id] // A_ROW for doc_id in sorted(doc_ids)}
            self._known[chunk_ids] = ScenarioPlace(
                category(chunk_ids[0], self.corpus, self.graph) if chunk_ids else "", rooms
            )
        return self._known[chunk_ids]


def _candidates(search: Search, maker: _CandidateMaker, driver: Driver) -> Generator[ScenarioResult]:
    """Yield the candidates in the order in which the search chose their scenarios."""
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
            yield Job(key=scenario.scenario_id, steps=maker.candidate(scenario))

    for outcome in driver.run(jobs()):
        scenario = scenarios.pop(outcome.key)
        if outcome.failure is not None:
            failed = Rejected(scenario, f"model: {outcome.failure.kind}", outcome.failure.reason, None, None)
            yield ScenarioResult(scenario, (), (failed,))
        elif outcome.value is not None:
            yield outcome.value


@dataclass(slots=True)
class _Supply:
    """Supply of scenarios from the documents read so far, and from further documents if rows need them."""

    material: WriterContext
    writers: Sequence[Writer]
    goal: RowGoal
    rows: RowCollector
    places: Places = field(init=False)
    _characters: int = field(init=False)
    _planned: set[str] = field(init=False, default_factory=set)
    _found: dict[tuple[str, ...], tuple[int, int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.places = Places(self.material.corpus, self.material.graph)
        self._characters = self.material.characters

    def scenarios(self) -> dict[str, list[Scenario]]:
        """Return the scenarios not returned before, by question type."""
        found = {
            kind: [scenario for scenario in scenarios if scenario.scenario_id not in self._planned]
            for kind, scenarios in plans(self.writers, self.material, self.goal.rows).items()
        }
        self._planned.update(scenario.scenario_id for scenarios in found.values() for scenario in scenarios)
        return _promoted(found, self.goal.fresh)

    def further(self, rows: int, short: Collection[str], poor: Collection[str]) -> dict[str, list[Scenario]] | None:
        """Return the scenarios of the next portion of the corpus, or None if no text is needed or left.

        `rows` is the number of rows so far. Types in `short` have no scenario left. More text is read for them until
        enough samples are ready for the missing rows, and all wanted rows have `A_ROW` characters each. Types in `poor`
        have only weak scenarios. More text is read for them up to the amount that `PATIENCE` and `AHEAD` define.
        """
        barren = self.barren(short)
        short = [kind for kind in short if not barren or kind not in barren.kinds]
        wanted = sum(self.goal.rows.values())
        most = (wanted + AHEAD) * A_ROW * EXCHANGE
        if self.goal.exchange and self._characters >= most and len(short) < len(self.goal.rows):
            return None
        if not self._lacks(short):
            enough = (wanted if short else rows) * A_ROW
            if self._lacks(poor):
                enough = max(enough, (rows + AHEAD) * A_ROW * PATIENCE)
            if enough < self._characters:
                return None
        following = self.material.further()
        if following is None:
            return None
        self.material, self._characters = following, following.characters
        self.places.graph = following.graph
        return self.scenarios()

    def barren(self, kinds: Collection[str]) -> Barren | None:
        """Return the reason to stop reading text for some of these types, or None to go on.

        Reading ends when the text since the last sample of these types is long enough. It must have at least `BARREN`
        characters, and at least `A_ROW` characters per wanted row (with `AHEAD` more rows). It must also be as long as
        the text that gave `PATIENCE` samples so far. Portions are drawn at random, so the unread text hardly contains
        more samples. Types that may make up for one another count as one type.

        Reading also ends after the amount of text that `LEAN` defines, even if samples still come now and then.
        """
        usual = (sum(self.goal.rows.values()) + AHEAD) * A_ROW
        least, most, lasts = max(BARREN, usual), max(BARREN, LEAN * usual), dict[str, int]()
        for kind in kinds:
            group = tuple(self.goal.rows) if self.goal.exchange else (kind,)
            count, (before, last) = sum(map(self.rows.found, group)), self._found.get(group, (0, 0))
            last = self._characters if count > before else last
            self._found[group] = count, last
            if self._characters >= most or self._characters - last >= max(least, PATIENCE * last // max(1, count)):
                lasts[kind] = last
        if not (lasts and self.material.unread):
            return None
        since = self._characters - max(lasts.values())
        return Barren(tuple(lasts), self._characters, since, self.material.unread, since < least)

    def _lacks(self, kinds: Collection[str]) -> bool:
        """Return whether one of these types has fewer ready samples than missing rows."""
        ready = self.rows.ready(CROWDED_BY_GRAMMAR)
        return any(ready[kind] < self.rows.missing.get(kind, 0) for kind in kinds)


@dataclass(frozen=True, slots=True)
class _CandidateMaker:
    """Maker of candidates: the writers of scenarios, and the filters that samples must pass."""

    writers: Mapping[str, Writer]
    supply: _Supply
    checks: Checks
    mix: QuestionMix

    def candidate(self, scenario: Scenario) -> Generator[Any, Any, ScenarioResult]:
        """Write and filter the samples of a scenario. The first sample that passes is the candidate."""
        corpus = self.supply.material.corpus
        place = corpus.chunk(scenario.chunk_ids[0]).doc_id if scenario.chunk_ids else scenario.scenario_id
        with contained(f"writer '{scenario.synthesizer}'", place) as guard:
            return (yield from self._candidate(scenario))
        return ScenarioResult(scenario, (), (Rejected(scenario, FAILED, guard.error, None, None),))

    def _candidate(self, scenario: Scenario) -> Generator[Any, Any, ScenarioResult]:
        material = self.supply.material
        result = self.writers[scenario.synthesizer].write(scenario, material)
        written: Written = (yield from result) if isgenerator(result) else result  # type: ignore[assignment]
        rejected = [Rejected(scenario, stage, reason, None, None) for stage, reason in written.given_up]
        for sample in written.samples:
            for worded in self.mix.worded(sample, scenario, material.corpus, material.graph):
                passed = yield from _filtered(scenario, worded, self.checks, rejected, material.graph)
                if passed:
                    return ScenarioResult(scenario, (passed,), tuple(rejected))
        if not written.samples and not rejected:
            rejected.append(Rejected(scenario, "written", "the writer found nothing to ask", None, None))
        return ScenarioResult(scenario, (), tuple(rejected))


def _filtered(
    scenario: Scenario, sample: Sample, checks: Checks, rejected: list[Rejected], graph: KnowledgeGraph
) -> Generator[Any, Any, Sample | None]:
    """Return the sample with verdicts and measures. If a filter rejects it, extend `rejected` and return None."""
    passed = yield from filter_sample(sample, checks, graph)
    if isinstance(passed, Sample):
        return passed
    rejected.append(Rejected(scenario, passed.filter, passed.reason, passed.score, sample))
    return None


def filter_sample(sample: Sample, checks: Checks, graph: KnowledgeGraph) -> Steps[Sample | Verdict]:
    """Return the sample with its verdicts, topic and measures, or the verdict of the filter that rejects it.

    The topic comes from `graph`.
    """
    corpus = checks.difficulty.corpus
    verdicts: list[Verdict] = []
    for filter_ in binding(checks.filters, sample):
        verdict = yield from filter_.run(sample, corpus)
        if not verdict.kept:
            return verdict
        verdicts.append(verdict)
    with contained("the measures", f"'{sample.question[:80]}'") as guard:
        return checks.difficulty.measured(labelled(replace(sample, verdicts=tuple(verdicts)), corpus, graph))
    return Verdict(filter=FAILED, kept=False, reason=guard.error)


def judge_again(
    written: Sequence[tuple[Scenario, Sample]],
    goal: RowGoal,
    checks: Checks,
    driver: Driver,
    progress: Progress,
    graph: KnowledgeGraph,
) -> RunResult:
    """Filter samples of an earlier run again, in order, until each type has its wanted rows.

    Topics come from `graph`.
    """
    limits = RowLimits(text_shares(checks.difficulty.corpus), goal.mix, goal.balance)
    rows = RowCollector(goal.rows, checks.set_filters, limits)

    def steps(scenario: Scenario, sample: Sample) -> Generator[Any, Any, ScenarioResult]:
        rejected: list[Rejected] = []
        passed = yield from _filtered(scenario, sample, checks, rejected, graph)
        return ScenarioResult(scenario, (passed,) if passed else (), tuple(rejected))

    jobs = (Job(key=str(number), steps=steps(*item)) for number, item in enumerate(written))
    with progress.stage("judging", len(written)) as stage:
        for outcome in driver.run(jobs):
            stage.advance()
            if outcome.value is not None:
                rows.offer(outcome.value)
        rows.fill()
    return rows.outcome()
