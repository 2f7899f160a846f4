"""Run with a chat author: start tasks, collect candidates, and admit the best that the judge keeps as rows."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from synth.core import interruption
from synth.core.errors import RunStopped
from synth.core.progress import Progress, Stage
from synth.core.records import UNANSWERABLE, Sample
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import Notes, add_notes
from synth.corpus.themes import add_themes, theme_of
from synth.generation.admission import (
    INTERRUPTED,
    ROW,
    SHARE,
    WAITS,
    RowCollector,
    RowLimits,
    RunResult,
    ScenarioResult,
    text_shares,
)
from synth.generation.difficulty import LEVELS
from synth.generation.filters.base import SetFilter
from synth.generation.planning import nearer
from synth.generation.proposals.archive import EVOLVED_SHARES, TWO_SIDED, has_two_sides
from synth.generation.proposals.author import Author, TaskResult, rejected_of, scenario_of
from synth.generation.proposals.candidates import PATH
from synth.generation.proposals.path_search import Paths
from synth.generation.proposals.paths import Path as GraphPath
from synth.generation.proposals.paths import path_between
from synth.generation.proposals.pool import is_well_rated, rating
from synth.generation.proposals.task import JOIN, PROPOSE, PROVE, Candidate, Task
from synth.generation.proposals.tasks import Tasks
from synth.generation.quotas import Balance, Cell, cell_of, is_possible
from synth.models.chat.base import RequestFailed
from synth.models.chat.driver import Driver, Job
from synth.text.normalise import normalise

REPEATED = "repeated"
"""Stage of a candidate with the same answer and evidence as a row."""

MAX_TASKS_UNDER_WAY = 128
"""Maximum number of tasks in progress. It is fixed, so that rows do not depend on the number of workers."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Rows that a run should create.

    `rows` are the wanted rows by question type, `balance` those by difficulty and tags. `control` is the share of
    judged candidates on which the judge is tested with a planted fault. `existing` are rows that the set already
    contains. Chunks in `fresh` are asked about first. A type, or a level of a type, is given up after `patience`
    consecutive tasks that yielded no row for it. If `patience` is 0, nothing is given up. If `substitute_types`, other
    types make up for a type that yields no more rows. If `substitute_levels`, other levels of the same type make up for
    the rows that are still missing. `evolved` is the share (0 to 1) of the rows of each type that should be developed
    from other questions. If it is empty, no question is developed. If `by_graph`, passages are joined by the graph of
    what was read, else by rare words.
    """

    rows: Mapping[str, int]
    balance: Balance = field(default_factory=Balance)
    control: float = 0.0
    existing: Sequence[Sample] = ()
    fresh: Collection[str] = ()
    patience: int = 0
    substitute_types: bool = False
    substitute_levels: bool = False
    evolved: Mapping[str, float] = field(default_factory=lambda: EVOLVED_SHARES)
    by_graph: bool = True


def forgotten(notes: Notes) -> None:
    """Discard the notes. This is the default of the parameter `keep` of `collect_rows`."""


def collect_rows(
    author: Author,
    set_filters: Sequence[SetFilter],
    driver: Driver,
    wanted: Wanted,
    progress: Progress,
    keep: Callable[[Notes], None] = forgotten,
) -> RunResult:
    """Collect the wanted rows of each type, or as many as the author's documents yield.

    A run that spends its budget or is interrupted ends with the rows it has. The rows depend only on documents, seed,
    settings and replies, not on the order of replies. `keep` is called with the notes on each section.
    """
    limits = RowLimits(text_shares(author.corpus), author.mix, wanted.balance)
    rows = RowCollector(wanted.rows, set_filters, limits)
    for sample in wanted.existing:
        rows.hold(sample)
    seed, read = author.material.seed, author.material.graph.copy()
    tasks = Tasks(
        corpus=author.corpus,
        paths=Paths(read, author.corpus, by_graph=wanted.by_graph),
        doc_ids=author.material.doc_ids,
        seed=seed,
        fresh=wanted.fresh,
        patience=wanted.patience,
        evolves=bool(wanted.evolved),
    )
    tasks.pool.hold(wanted.existing)
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
    scarce = search.scarce()
    given_up = tuple(kind for kind in tasks.given_up if kind in rows.missing)
    add_themes(read)
    outcome = rows.outcome()
    learned = {kind: (count, tasks.learned.rows[kind]) for kind, count in sorted(tasks.learned.tasks.items())}
    return replace(
        outcome,
        samples=tuple(_with_theme(sample, read) for sample in outcome.samples),
        stopped=stopped,
        given_up=given_up,
        scarce=scarce,
        tasks=learned,
        moves=tasks.archive.packed(),
        read=read,
    )


def _with_theme(sample: Sample, read: KnowledgeGraph) -> Sample:
    """Return the sample with the theme of its last passage, if any, as its topic."""
    theme = theme_of(read, sample.evidence[-1].chunk_id) if sample.evidence else ""
    return replace(sample, metadata={**sample.metadata, "category": theme}) if theme else sample


@dataclass(slots=True)
class _Search:
    """Tasks and rows of a run, and the graph of what was `read`.

    Results are processed only when no other task can start, so that rows do not depend on the order of replies.
    `reserve` contains judged candidates that are not needed at once, or not good enough. `exhausted` are the levels of
    types that yield no more rows.
    """

    author: Author
    rows: RowCollector
    tasks: Tasks
    stage: Stage
    wanted: Wanted
    read: KnowledgeGraph
    keep: Callable[[Notes], None]
    reserve: list[tuple[Candidate, Sample]] = field(default_factory=list)
    exhausted: set[Cell] = field(default_factory=set)
    _results: deque[tuple[Task, TaskResult]] = field(default_factory=deque)
    _open: dict[str, Task] = field(default_factory=dict)
    _proved: int = 0
    _rows_before: int = -1

    def unclaimed(self) -> dict[str, int]:
        """Return the missing rows by type, minus the waiting candidates.

        Candidates of a document that has far more than its share do not count.
        """
        ready = self.rows.ready()
        return {kind: count - ready[kind] for kind, count in self.rows.missing.items()}

    def rows_to_develop(self) -> dict[str, int]:
        """Return how many of the missing rows of each type should be developed from other questions."""
        missing = self.unclaimed()
        waiting = [sample for _, sample in self.rows.waiting]
        rows = [sample for kind in self.rows.samples.values() for sample in kind]
        developed = Counter(sample.question_type for sample in (*rows, *waiting) if sample.evolutions)
        return {
            kind: max(0, min(missing.get(kind, 0), round(share * self.rows.wanted.get(kind, 0)) - developed[kind]))
            for kind, share in self.wanted.evolved.items()
        }

    def run(self, driver: Driver) -> None:
        """Start tasks and process their results until no row is missing, or nothing is left to ask."""
        for outcome in driver.run(self._jobs()):
            task = self._open.pop(outcome.key)
            if outcome.failure is not None:
                self._results.append((task, _failed(task, outcome.failure)))
            elif outcome.value is not None:
                self._results.append((task, outcome.value))

    def scarce(self) -> dict[str, tuple[int, int]]:
        """Return (rows made, rows wanted at the start) for each exhausted level, such as "hard simple"."""
        made = Counter(cell_of(sample) for rows in self.rows.samples.values() for sample in rows)
        wanted = self.wanted.balance.cells
        return {
            " ".join(reversed(cell)): (made[cell], rows)
            for cell, rows in wanted.items()
            if cell in self.exhausted and made[cell] < rows
        }

    def finish(self) -> None:
        """Process the remaining results, and fill the set with waiting candidates."""
        while self._results:
            self._take()
        self._fill()
        for candidate, sample in self.reserve:  # offer the rest, so that it is recorded as rejected
            self._offer(candidate, sample)
        self.reserve.clear()
        for candidate in self.tasks.pool.emptied():
            reason = "the set needs no more rows like this one"
            self.rows.rejected.append(rejected_of(candidate.task, SHARE, reason, candidate.sample))

    def _jobs(self) -> Iterator[Job[TaskResult] | None]:
        while True:
            self._exchange_levels()
            room = self.tasks.under_way < MAX_TASKS_UNDER_WAY
            task = self.tasks.next(self.unclaimed(), self.rows_to_develop(), self._cells()) if room else None
            if task is not None:
                self._open[task.task_id] = task
                yield Job(key=task.task_id, steps=self.author.steps(task, tests=self._tests(task)))
            elif self._results:
                self._take()
            elif self.tasks.under_way:
                yield None
            elif not self._fill() and not self._move_levels() and not self._substitute_types():
                return

    def _cells(self) -> Mapping[Cell, int] | None:
        """Return the missing rows by type and level, or None if any level will do."""
        return self.rows.missing_cells if self.rows.limits.balance.cells else None

    def _tests(self, task: Task) -> int:
        """Return the number of candidates of a task on which the judge is tested."""
        before, self._proved = self._proved, self._proved + len(task.candidates)
        return ceil(self._proved * self.wanted.control) - ceil(before * self.wanted.control)

    def _take(self) -> None:
        """Process the oldest result: candidates go to the pool, and the best judged ones become rows."""
        task, result = self._results.popleft()
        self.rows.rejected.extend(result.rejected)
        self.rows.controls.extend(result.controls)
        unread = [notes for notes in result.notes if not self.tasks.paths.has_read(notes.section)]
        for notes in unread:
            self._add(notes)
        archive, pool = self.tasks.archive, self.tasks.pool
        for candidate in result.candidates if task.kind in (PROPOSE, JOIN) else ():
            if (path := path_between(candidate.sample, task.sections, result.notes)) is not None:
                self.tasks.paths.join(path)
            archive.add(candidate.section, candidate.sample, _kinds(candidate.sample, result.notes))
        if task.paths and not result.failed:
            followed = [path for path in task.paths if _is_followed(path, result)]
            self.tasks.paths.tried(task.paths, followed, elsewhere=bool(result.candidates))
        for move in result.moves:
            archive.learn(move.name, move.parent, move.child)
        pool.add(result.candidates)
        samples = [candidate.sample for candidate in result.candidates]
        if task.kind == PROVE:
            samples = [sample for _, sample in result.samples]
            self._admit(task, result)
        gave = Counter(sample.question_type for sample in samples)
        self.tasks.learn(gave, unread, of=task, failed=result.failed, cells=set(map(cell_of, samples)))

    def _admit(self, task: Task, result: TaskResult) -> None:
        """Make rows of the judged candidates of a task and of the reserve, best first."""
        pool = self.tasks.pool
        kept = {candidate.sample.id for candidate, _ in result.samples}
        for candidate in task.candidates:
            if candidate.sample.id not in kept:
                pool.give_back(candidate)
        pool.add(result.unjudged)
        offered = sorted((*self.reserve, *result.samples), key=lambda pair: (-rating(pair[1]), pair[1].id))
        self.reserve = []
        for candidate, sample in offered:
            if not (self.rows.needs(sample) and is_well_rated(sample)):
                self.reserve.append((candidate, sample))
            elif self._offer(candidate, sample):
                self.tasks.archive.count(sample)

    def _add(self, notes: Notes) -> None:
        """Add notes, and their document, to the graph of what was read."""
        corpus, doc_id = self.author.corpus, notes.section.doc_id
        if doc_id not in self.read:
            self.read.add_document(corpus.document(doc_id))
            self.read.assign(doc_id, "language", corpus.language(doc_id))
            for chunk in corpus.chunks_of(doc_id):
                self.read.add_chunk(chunk)
        add_notes(self.read, notes)
        self.keep(notes)

    def _offer(self, candidate: Candidate, sample: Sample) -> bool:
        """Offer a judged sample to the set. Return whether it became a row or is waiting."""
        if self._is_repeated(sample):
            reason = "a row has the same answer from the same evidence"
            self.rows.rejected.append(rejected_of(candidate.task, REPEATED, reason, sample))
            return False
        before = len(self.rows)
        outcome = self.rows.offer(ScenarioResult(scenario_of(candidate.task, sample), (sample,), ()))
        self.stage.advance(len(self.rows) - before)
        return outcome in (ROW, WAITS)

    def _is_repeated(self, sample: Sample) -> bool:
        """Return whether a row or waiting candidate has the same answer and evidence as a sample.

        A reworded question, for example, repeats its parent.
        """
        rows = (row for kind in self.rows.samples.values() for row in kind)
        told = _told(sample)
        return bool(sample.evidence) and any(
            _told(row) == told for row in (*rows, *(waiting for _, waiting in self.rows.waiting))
        )

    def _fill(self) -> bool:
        """Make rows of the waiting candidates and then of the reserve.

        Return whether rows are still missing and their counts changed.
        """
        expected = self.unclaimed()
        self.stage.advance(self.rows.fill())
        wanted = [(candidate, sample) for candidate, sample in self.reserve if self.rows.needs(sample)]
        for candidate, sample in sorted(wanted, key=lambda pair: (-rating(pair[1]), pair[1].id)):
            if self.rows.needs(sample):
                self.reserve.remove((candidate, sample))
                self._offer(candidate, sample)
        self.stage.advance(self.rows.fill())
        return bool(self.rows.missing) and self.unclaimed() != expected

    def _exchange_levels(self) -> None:
        """Swap the levels of two missing rows, so that another type is asked for a level that was given up.

        Every type and every level keeps its number of rows.
        """
        given_up = set(self.tasks.given_up_cells)
        if given_up <= self.exhausted:
            return
        self.exhausted |= given_up
        missing = self.rows.missing_cells
        for cell in [cell for cell in missing if cell in given_up]:
            for _ in range(missing[cell]):
                lender = next((one for one in missing if self._can_exchange(cell, one, missing)), None)
                if lender is None:
                    break
                for source, target in ((cell, (cell[0], lender[1])), (lender, (lender[0], cell[1]))):
                    self._want(source, target)
                    missing[source] -= 1
                    missing[target] = missing.get(target, 0) + 1

    def _can_exchange(self, cell: Cell, lender: Cell, missing: Mapping[Cell, int]) -> bool:
        """Return whether a missing row of `cell` and one of `lender` may exchange their levels."""
        targets = ((cell[0], lender[1]), (lender[0], cell[1]))
        both = missing[cell] > 0 and missing[lender] > 0
        return both and cell[0] != lender[0] and cell[1] != lender[1] and all(map(self._is_open, targets))

    def _is_open(self, cell: Cell) -> bool:
        return is_possible(cell) and cell not in self.exhausted

    def _move_levels(self) -> bool:
        """Request other types or levels instead of the levels that yield no more rows.

        With `substitute_types`, rows of other types at the same level replace the missing rows. With
        `substitute_levels`, rows of the same type at other levels replace the rest. Return whether there is such a type
        or level.
        """
        missing = self.rows.missing_cells
        self.exhausted.update(missing)
        targets = dict[Cell, list[Cell]]()
        for kind, level in missing:
            types = [(other, level) for other, rows in self.rows.wanted.items() if rows and other != UNANSWERABLE]
            near = sorted(LEVELS, key=lambda other: abs(LEVELS.index(other) - LEVELS.index(level)))
            levels = [(kind, other) for other in near]
            targets[kind, level] = [
                cell
                for cell in (
                    *(types if self.wanted.substitute_types else ()),
                    *(levels if self.wanted.substitute_levels else ()),
                )
                if self._is_open(cell)
            ]
        for cell, others in targets.items():
            # The types, or else the levels, take turns.
            same_level = [other for other in others if other[1] == cell[1]] or others
            for turn in range(missing[cell] if same_level else 0):
                self._want(cell, same_level[turn % len(same_level)])
        return any(targets.values())

    def _want(self, cell: Cell, instead: Cell) -> None:
        """Want one more row of the type and level `instead`, and one less of `cell`."""
        limits = self.rows.limits
        cells, types = dict(limits.balance.cells), dict(self.rows.wanted)
        for (kind, level), change in ((cell, -1), (instead, 1)):
            cells[kind, level] = cells.get((kind, level), 0) + change
            types[kind] += change
        limits.balance, self.rows.wanted = replace(limits.balance, cells=cells), types

    def _substitute_types(self) -> bool:
        """Request other types instead of those that yield no more rows, and return whether there are any.

        The result is False without `substitute_types`, if levels are wanted, or if the last substitution added no row.
        The search continues and does not repeat earlier requests.
        """
        allowed = self.wanted.substitute_types and not self._cells() and len(self.rows) > self._rows_before
        more = nearer(self.rows.outcome()) if allowed else None
        self._rows_before = len(self.rows)
        if more:
            self.rows.wanted = more
        return bool(more)


def _is_followed(path: GraphPath, result: TaskResult) -> bool:
    """Return whether a question of the result uses a path."""
    samples = (*(candidate.sample for candidate in result.candidates), *(one.sample for one in result.rejected))
    packed = path.packed()
    return any(sample is not None and sample.metadata.get(PATH) == packed for sample in samples)


def _told(sample: Sample) -> tuple[str, frozenset[tuple[str, int, int]]]:
    """Return the first answer of a sample, and the offsets of its evidence."""
    places = frozenset((piece.doc_id, piece.start, piece.end) for piece in sample.evidence)
    return normalise(sample.golden_answers[0]) if sample.golden_answers else "", places


def _kinds(sample: Sample, notes: Sequence[Notes]) -> set[str]:
    """Return the kinds of the statements that a sample's evidence overlaps.

    TWO_SIDED is added if the words of a rule suggest a second side: what holds if its condition is not met.
    """
    places = [(piece.doc_id, piece.start, piece.end) for piece in sample.evidence]
    told = " ".join(piece.text for piece in sample.evidence)
    kinds = {
        statement.kind
        for on_section in notes
        for statement in on_section.statements
        for begin, stop in statement.spans
        if any(doc_id == statement.doc_id and start < stop and begin < end for doc_id, start, end in places)
    }
    return kinds | ({TWO_SIDED} if "rule" in kinds and has_two_sides(told, sample.language) else set())


def _failed(task: Task, failure: RequestFailed) -> TaskResult:
    """Return the result of a task whose request failed."""
    refused = rejected_of(task, f"model: {failure.kind}", failure.reason, None)
    return TaskResult(rejected=(refused,), failed=True)
