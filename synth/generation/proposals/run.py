"""Run of the chat author: start tasks, collect results, admit the best candidates as rows."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from synth.core import interruption
from synth.core.errors import RunStopped
from synth.core.progress import Progress, Stage
from synth.core.records import Sample
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import Notes, add_notes
from synth.generation.admission import (
    INTERRUPTED,
    ROW,
    WAITS,
    RowCollector,
    RowLimits,
    RunResult,
    ScenarioResult,
    text_shares,
)
from synth.generation.filters.base import DOUBT, RATINGS, SetFilter
from synth.generation.planning import nearer
from synth.generation.proposals.archive import EVOLVED_SHARES, rating
from synth.generation.proposals.author import Author, Proposed, rejected_of, scenario_of
from synth.generation.proposals.paths import Paths
from synth.generation.proposals.tasks import PROPOSE, ROWS_A_PASSAGE, Task, Tasks
from synth.generation.quotas import Balance
from synth.models.chat.base import RequestFailed
from synth.models.chat.driver import Driver, Job

MAX_TASKS_UNDER_WAY = 128
"""Most tasks under way. Fixed, so that rows do not depend on the number of workers."""

RESERVE_SHARE = 0.1
"""Largest share of rows to fill from the reserve instead of with further requests."""

WELL_RATED = 3
"""Rating of naturalness and of importance, from 1 to 5, from which a candidate becomes a row at once. Others stay in
reserve until nothing else is to be had. By naturalness, of 191 candidates read blind in two languages 102 of the 109
rated 4 or 5 were accepted, 55 of the 59 rated 3 and 14 of the 23 rated 2. By the lower of the two, of 155 others 66 of
the 73 rated 4 or 5, 62 of the 72 rated 3 and 5 of the 10 rated 2."""

NEED_BONUS = 0.5
"""Bonus in choosing a candidate, times the missing share of its type; ratings are from 0 to 1."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Rows that a run is to make.

    `rows` of each question type; `balance` of difficulty and tags; `control`, the share of tasks with which the judge
    is tested; `existing`, rows that the set has already; `fresh`, chunks that are asked about first; `patience`, the
    tasks in a row without a row after which a type is given up, 0 for never. With `substitute_types`, other types make
    up for one that gives no more rows. `evolved` are the shares of the rows of a type that are developed from others.
    """

    rows: Mapping[str, int]
    balance: Balance = field(default_factory=Balance)
    control: float = 0.0
    existing: Sequence[Sample] = ()
    fresh: Collection[str] = ()
    patience: int = 0
    substitute_types: bool = False
    evolved: Mapping[str, float] = field(default_factory=lambda: EVOLVED_SHARES)


def forgotten(notes: Notes) -> None:
    """Keep no notes."""


def collect_rows(
    author: Author,
    doc_ids: Sequence[str],
    set_filters: Sequence[SetFilter],
    driver: Driver,
    wanted: Wanted,
    progress: Progress,
    keep: Callable[[Notes], None] = forgotten,
) -> RunResult:
    """Collect rows of each type as wanted, or as many as the documents `doc_ids` give.

    A run that may spend no more, or is interrupted, ends with the rows it has. The rows depend on documents, seed,
    settings and replies alone, not on which reply came first. `keep` is given the notes on each section.
    """
    limits = RowLimits(text_shares(author.corpus), author.mix, wanted.balance)
    rows = RowCollector(wanted.rows, set_filters, limits)
    for sample in wanted.existing:
        rows.hold(sample)
    seed, read = author.material.seed, KnowledgeGraph()
    tasks = Tasks(
        graph=author.corpus.graph,
        paths=Paths(read, author.corpus),
        doc_ids=doc_ids,
        seed=seed,
        fresh=wanted.fresh,
        patience=wanted.patience,
    )
    stopped = ""
    with progress.stage("questions", sum(wanted.rows.values())) as stage:
        search = _Search(author, rows, tasks, stage, wanted, read, keep)
        try:
            search.run(driver)
        except RunStopped as end:
            stopped = str(end)
        except KeyboardInterrupt:
            interruption.taken()
            stopped = INTERRUPTED
        search.finish()
    given_up = tuple(kind for kind in tasks.given_up if kind in rows.missing)
    learned = {kind: (count, tasks.learned.rows[kind]) for kind, count in sorted(tasks.learned.tasks.items())}
    return replace(
        rows.outcome(),
        stopped=stopped,
        given_up=given_up,
        tasks=learned,
        moves=tasks.archive.packed(),
        read=read,
    )


@dataclass(slots=True)
class _Search:
    """Tasks and rows of a run, and the graph of what was `read`.

    Results are taken in only when no other task can be begun, so that rows do not depend on the order of the replies.
    """

    author: Author
    rows: RowCollector
    tasks: Tasks
    stage: Stage
    wanted: Wanted
    read: KnowledgeGraph
    keep: Callable[[Notes], None]
    reserve: list[tuple[Task, Sample]] = field(default_factory=list)
    _results: deque[tuple[Task, Proposed]] = field(default_factory=deque)
    _open: dict[str, Task] = field(default_factory=dict)
    _begun: int = 0
    _rows_before: int = -1

    def unclaimed(self) -> dict[str, int]:
        """Missing rows by type, less the candidates that wait to become one."""
        waiting = Counter(sample.question_type for _, sample in self.rows.waiting)
        return {kind: count - waiting[kind] for kind, count in self.rows.missing.items()}

    def rows_to_request(self) -> dict[str, int]:
        """Rows to request by type: the unclaimed ones, less a few that the reserve can give."""
        missing = self.unclaimed()
        kept = Counter(sample.question_type for _, sample in self.reserve if _is_well_rated(sample))
        from_reserve = ceil(RESERVE_SHARE * sum(self.rows.wanted.values()))
        for kind in missing:
            given = max(0, min(missing[kind], kept[kind], from_reserve))
            missing[kind] -= given
            from_reserve -= given
        return missing

    def rows_to_develop(self) -> dict[str, int]:
        """Rows by type that are to be developed from others, of those that are missing."""
        missing = self.unclaimed()
        waiting = [sample for _, sample in self.rows.waiting]
        rows = [sample for kind in self.rows.samples.values() for sample in kind]
        developed = Counter(sample.question_type for sample in (*rows, *waiting) if sample.evolutions)
        return {
            kind: max(0, min(missing.get(kind, 0), round(share * self.rows.wanted.get(kind, 0)) - developed[kind]))
            for kind, share in self.wanted.evolved.items()
        }

    def run(self, driver: Driver) -> None:
        """Begin tasks and take in their results until nothing is missing, or nothing is left to ask."""
        for outcome in driver.run(self._jobs()):
            task = self._open.pop(outcome.key)
            if outcome.failure is not None:
                self._results.append((task, _failed(task, outcome.failure)))
            elif outcome.value is not None:
                self._results.append((task, outcome.value))

    def finish(self) -> None:
        """Take in the results that are left, and fill the set with the candidates that wait."""
        while self._results:
            self._take()
        self._fill()
        for task, sample in self.reserve:  # offer the rest, so that it is recorded as rejected
            self._offer(task, sample)
        self.reserve.clear()

    def _jobs(self) -> Iterator[Job[Proposed] | None]:
        control = self.wanted.control
        while True:
            room = self.tasks.under_way < MAX_TASKS_UNDER_WAY
            task = self.tasks.next(self.rows_to_request(), self.rows_to_develop()) if room else None
            if task is not None:
                test = ceil((self._begun + 1) * control) > ceil(self._begun * control)
                self._begun += 1
                self._open[task.task_id] = task
                yield Job(key=task.task_id, steps=self.author.steps(task, test=test))
            elif self._results:
                self._take()
            elif self.tasks.under_way:
                yield None
            elif not self._fill() and not self._substitute_types():
                return

    def _take(self) -> None:
        """Take in the oldest result: its best candidates become rows, the others are kept in reserve."""
        task, result = self._results.popleft()
        self.rows.rejected.extend(result.rejected)
        self.rows.controls.extend(result.controls)
        for notes in result.notes:
            self._add(notes)
        given: Counter[str] = Counter()
        rest = list(result.samples)
        chosen: list[Sample] = []
        while best := self._best(task, rest, chosen):
            rest.remove(best)
            if self._offer(task, best):
                chosen.append(best)
                given[best.question_type] += 1
        self.reserve.extend((task, sample) for sample in rest)
        archive = self.tasks.archive
        for sample in result.samples if task.kind == PROPOSE else ():
            archive.add(task.section_of(sample), sample, _kinds(sample, result.notes))
        for sample in chosen:
            archive.count(sample)
        for move in result.moves:
            archive.learn(move.name, move.parent, move.child)
        self.tasks.learn(given, result.notes, failed=result.failed)

    def _add(self, notes: Notes) -> None:
        """Add notes, and the document they are on, to the graph of what was read."""
        graph, doc_id = self.author.corpus.graph, notes.section.doc_id
        if doc_id not in self.read:
            self.read.add_document(graph.document(doc_id))
            for chunk in graph.chunks_of(doc_id):
                self.read.add_chunk(chunk)
        add_notes(self.read, notes)
        self.keep(notes)

    def _best(self, task: Task, candidates: Sequence[Sample], chosen: Sequence[Sample]) -> Sample | None:
        """The best candidate by rating and need of its type, or None.

        Left out are types without missing rows, poorly rated candidates, those whose evidence is all used already, and
        those of sections with ROWS_A_PASSAGE rows. Rows that are to be developed are kept for what is developed.
        """
        missing, wanted = self.unclaimed(), self.rows.wanted
        for kind, later in self.rows_to_develop().items() if task.kind == PROPOSE else ():
            if not self.tasks.archive.is_over(kind):
                missing[kind] = missing.get(kind, 0) - later
        taken = {(piece.doc_id, piece.start) for sample in chosen for piece in sample.evidence}
        rows = Counter(task.section_of(sample).section_id for sample in chosen)
        open_now = [
            sample
            for sample in candidates
            if missing.get(sample.question_type, 0) > 0
            and _is_well_rated(sample)
            and not (sample.evidence and all((piece.doc_id, piece.start) in taken for piece in sample.evidence))
            and rows[task.section_of(sample).section_id] < ROWS_A_PASSAGE
        ]
        return max(
            open_now,
            key=lambda candidate: (
                rating(candidate) + NEED_BONUS * missing[candidate.question_type] / wanted[candidate.question_type],
                candidate.id,
            ),
            default=None,
        )

    def _offer(self, task: Task, sample: Sample) -> bool:
        """Offer a candidate to the set; return whether it became a row, or waits to become one."""
        before = len(self.rows)
        outcome = self.rows.offer(ScenarioResult(scenario_of(task, sample), (sample,), ()))
        self.stage.advance(len(self.rows) - before)
        return outcome in (ROW, WAITS)

    def _fill(self) -> bool:
        """Make rows of the waiting candidates and then of the reserve.

        Return whether rows are still missing and their counts changed.
        """
        expected = self.rows_to_request()
        self.stage.advance(self.rows.fill())
        wanted = [(task, sample) for task, sample in self.reserve if sample.question_type in self.rows.missing]
        for task, sample in sorted(wanted, key=lambda candidate: (-rating(candidate[1]), candidate[1].id)):
            if sample.question_type in self.rows.missing:
                self.reserve.remove((task, sample))
                self._offer(task, sample)
        self.stage.advance(self.rows.fill())
        return bool(self.rows.missing) and self.rows_to_request() != expected

    def _substitute_types(self) -> bool:
        """Ask for other types in the place of those that give no more; return whether there are any.

        There are none without `substitute_types`, or when the latest substitution brought no row. The search goes on:
        what was proposed so far is not asked again.
        """
        allowed = self.wanted.substitute_types and len(self.rows) > self._rows_before
        more = nearer(self.rows.outcome()) if allowed else None
        self._rows_before = len(self.rows)
        if more:
            self.rows.wanted = more
        return bool(more)


def _kinds(sample: Sample, notes: Sequence[Notes]) -> set[str]:
    """The kinds of the statements that the evidence of a sample overlaps."""
    places = [(piece.doc_id, piece.start, piece.end) for piece in sample.evidence]
    return {
        statement.kind
        for on_section in notes
        for statement in on_section.statements
        for begin, stop in statement.spans
        if any(doc_id == statement.doc_id and start < stop and begin < end for doc_id, start, end in places)
    }


def _is_well_rated(sample: Sample) -> bool:
    ratings = sample.metadata.get(RATINGS, {})
    return DOUBT not in sample.metadata and all(
        ratings.get(name, WELL_RATED) >= WELL_RATED for name in ("natural", "matters")
    )


def _failed(task: Task, failure: RequestFailed) -> Proposed:
    refused = rejected_of(task, f"model: {failure.kind}", failure.reason, None)
    return Proposed(rejected=(refused,), failed=True)
