"""Choice of the next task, for the author or the judge, by the missing rows of each type."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from synth.core.records import UNANSWERABLE, Chunk
from synth.corpus.corpus import Corpus
from synth.corpus.notes import Notes
from synth.corpus.sections import HEADING, Section, is_worth_asking, lines_of, sections
from synth.corpus.twins import Twins
from synth.generation.proposals.archive import Archive
from synth.generation.proposals.path_search import Paths
from synth.generation.proposals.paths import Path
from synth.generation.proposals.pool import Pool, Seats
from synth.generation.proposals.task import ACROSS, EVOLVE, JOIN, PROPOSE, PROVE, UNANSWERED, Candidate, Task
from synth.generation.proposals.turns import turns
from synth.generation.quotas import Cell, cell_of
from synth.text.language import LANGUAGES
from synth.text.normalise import normalise
from synth.text.same_text import is_near_copy, is_same_text

ONE_PASSAGE = ("reasoning", "conditional", "simple")
"""Question types on one passage. The rarest types come first."""

TOGETHER, PATHS, PARENTS, PROVED = 2, 4, 6, 6
"""Maximum number of sections, paths, parents and candidates in one request."""

ON_ONE_MATTER = 4
"""Maximum number of sections in a request of kind JOIN."""

JOINED = 0.3
"""Expected number of questions that need both passages, when two passages are read together."""

_FIRST_PROVED = 3  # candidates in the first request to the judge
_LOOKED_AHEAD = 8  # maximum sections examined to find a second one in the same language
_FEWEST_PATHS = 3  # minimum paths in a request, as long as passages are left to read
_FEWEST_PARENTS = 3  # minimum simple questions in the archive for development; fewer are taken unchanged
_PARENTS_OF_A_ROW, _PARENTS_OF_A_TASK = 1.3, 4  # questions to develop, per developed row and per reading task
_IN_VAIN = 4  # consecutive tasks with no developed question before questions are taken unchanged
_MOST_FAILED = 2  # failed requests of kind JOIN, after which passages are read in pairs
_JOINED_IN_VAIN = 3  # failed tasks that a task of kind JOIN counts as, if it yields no candidate
_IN_TURN = 0.5  # tasks that read to find paths, per missing row, before weak paths are tried

_EXPECTED: Mapping[str, float] = {PROPOSE: 1.8, JOIN: 0.8, ACROSS: 1.8, EVOLVE: 3.0, UNANSWERED: 1.0, PROVE: 0.85}
"""Expected yield of a task.

For PROPOSE it is the number of passages with a candidate, for PROVE the rows per judged candidate, and for the other
kinds the number of candidates.
"""

_PRIOR = 4  # weight of the expected yield, in tasks
_SLACK = 0.6  # expected missing rows that are tolerated before another task starts
_REPEATED = 0.7  # minimum share of already asked text that makes a section a copy


@dataclass(slots=True)
class Learned:
    """Counts of tasks and their yield, by kind.

    `rows` counts candidates of author tasks. For PROVE, `tasks` counts judged candidates and `rows` the kept ones.
    """

    tasks: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)

    def expected(self, kind: str) -> float:
        """Return the expected yield of a task: its number of candidates, or for PROVE the rows per judged candidate.

        A task that reads passages counts at most one candidate per passage.
        """
        return (self.rows[kind] + _PRIOR * _EXPECTED[kind]) / (self.tasks[kind] + _PRIOR)

    def rows_of(self, kind: str) -> float:
        """Return the number of rows that an author task is expected to yield in the end."""
        return self.expected(kind) * self.expected(PROVE)


@dataclass(slots=True)
class Tasks:
    """Choice of the next task until every type has its rows. It uses the results of earlier tasks.

    Passages are read first, which yields the first candidates and the notes. Then paths between passages yield
    questions over several passages, and questions of the archive are developed. Candidates wait in a pool until a
    request to the judge is full, or no other task is left. The first request need not be full, so that a stopped run
    has rows.

    Passages in `fresh` come first. A type is given up after `patience` consecutive tasks that yielded no row of it,
    including failed tasks. If `patience` is 0, no type is given up. If rows of certain levels are wanted, the same
    holds for each level of a type. Tasks that read passages to find paths count for the type with several passages. If
    `evolves` is False, no question is developed.
    """

    corpus: Corpus
    paths: Paths
    doc_ids: Sequence[str]
    seed: int
    fresh: Collection[str] = ()
    patience: int = 20
    evolves: bool = True
    learned: Learned = field(default_factory=Learned)
    archive: Archive = field(default_factory=Archive)
    pool: Pool = field(default_factory=Pool)
    _fresh: Iterator[Section] = field(init=False)
    _ahead: deque[Section] = field(init=False, default_factory=deque)
    _again: list[Task] = field(init=False, default_factory=list)
    _begun: deque[Task] = field(init=False, default_factory=deque)
    _misses: Counter[str] = field(init=False, default_factory=Counter)
    _cell_misses: Counter[Cell] = field(init=False, default_factory=Counter)
    _missing_cells: Mapping[Cell, int] = field(init=False, default_factory=dict)
    _seen: set[str] = field(init=False, default_factory=set)
    _asked: set[str] = field(init=False, default_factory=set)
    _asked_of: set[str] = field(init=False, default_factory=set)
    """Documents of the asked sections."""
    _wanted: set[str] = field(init=False, default_factory=set)
    _for_paths: int = field(init=False, default=0)
    _failed_joins: int = field(init=False, default=0)
    _joins_within: Counter[bool] = field(init=False, default_factory=Counter)
    """JOIN tasks that gave no question minus those that gave some, by whether most passages are of one document."""
    _joined: set[str] = field(init=False, default_factory=set)
    """Documents of the JOIN tasks that gave a question."""

    def __post_init__(self) -> None:
        self.pool.twins = Twins(self.corpus)
        self._fresh = self._worthwhile(turns(self.corpus, self.doc_ids, self.seed, self.fresh))

    @property
    def under_way(self) -> int:
        """Number of tasks whose result was not processed yet."""
        return len(self._begun)

    @property
    def given_up(self) -> tuple[str, ...]:
        """Types that are no longer requested, because the latest tasks yielded no row.

        If a running task still yields a row, its type is requested again.
        """
        return tuple(kind for kind, misses in self._misses.items() if kind != EVOLVE and 0 < self.patience <= misses)

    @property
    def given_up_cells(self) -> tuple[Cell, ...]:
        """Pairs (type, level) that still lack rows, and for which the latest tasks yielded none."""
        return tuple(cell for cell in self._missing_cells if 0 < self.patience <= self._cell_misses[cell])

    def next(
        self,
        missing: Mapping[str, int],
        evolving: Mapping[str, int] | None = None,
        cells: Mapping[Cell, int] | None = None,
    ) -> Task | None:
        """Return the next task for the `missing` rows of each type, or None if no other task is useful now.

        `evolving` are the missing rows that should be developed from other questions, as long as there are questions to
        develop. `cells` are the missing rows by type and level, or None if any level will do.
        """
        self._wanted.update(kind for kind, rows in missing.items() if rows > 0)
        if cells is not None:
            self._missing_cells = cells
            missing = self._without_given_up(missing)
            self.pool.cells = self._open_cells()
        task = self._chosen(missing, evolving or {})
        if task is not None:
            self._begun.append(task)
        return task

    def learn(
        self,
        gave: Mapping[str, int],
        notes: Sequence[Notes] = (),
        *,
        of: Task | None = None,
        failed: bool = False,
        cells: Collection[Cell] = (),
    ) -> None:
        """Record the result of a task.

        `gave` counts the candidates of the task by type, or for a judge task the kept candidates. `cells` are the types
        and levels of these. `of` is the task, by default the oldest one in progress. If a PROPOSE or ACROSS task
        `failed`, its request is sent once more when nothing else is left to ask.
        """
        task = of or self._begun[0]
        self._begun.remove(task)
        if task.kind == JOIN:
            # Questions on each of these passages are asked when no unread passage is left.
            unread = [section for section in task.sections if not self.paths.has_read(section)]
            self._again += [Task(PROPOSE, (section,), ()) for section in unread]
            self._failed_joins += failed
            self._joins_within[_are_of_one_document(task.sections)] += -1 if gave.get("multi_context") else 1
            if gave.get("multi_context"):
                self._joined.update(section.doc_id for section in task.sections)
        for on_section in notes:
            self.paths.learn(on_section)
        if failed and not task.attempt and task.kind == PROPOSE:
            self._again += [replace(task, sections=(section,), attempt=1) for section in task.sections]
        elif failed and not task.attempt and task.kind == ACROSS:
            self._again.append(replace(task, attempt=1))
        self._learn_cells(task, cells)
        given = sum(gave.values())
        self.learned.tasks[task.kind] += len(task.candidates) if task.kind == PROVE else 1
        self.learned.rows[task.kind] += min(given, len(task.sections)) if task.kind == PROPOSE else given
        if task.kind == PROVE:
            self._learn_proofs(task, gave)
        elif task.kind == EVOLVE:
            # A question that cannot be developed says nothing about new passages.
            self._misses[EVOLVE] += 0 if given else 1
        else:
            count = _JOINED_IN_VAIN if task.kind == JOIN else 1
            for kind in task.types if task.kind != PROPOSE else ONE_PASSAGE:
                self._misses[kind] += 0 if gave.get(kind) or kind not in task.types else count

    def _learn_cells(self, task: Task, cells: Collection[Cell]) -> None:
        """Count a task as a miss for each missing level of its types that it did not yield.

        For a judge task, the levels of its candidates are counted, once for each author task that produced them.
        """
        tries = Counter(dict.fromkeys((cell for cell in self._missing_cells if cell[0] in task.types), 1))
        if task.kind == PROVE:
            origins = {(cell_of(candidate.sample), candidate.task.task_id) for candidate in task.candidates}
            tries = Counter(cell for cell, _ in origins)
        self._cell_misses.update(tries)
        for cell in cells:
            self._cell_misses[cell] = 0

    def _without_given_up(self, missing: Mapping[str, int]) -> dict[str, int]:
        """Return the missing rows by type, without those of levels that were given up."""
        lost = Counter[str]()
        for cell in self.given_up_cells:
            lost[cell[0]] += self._missing_cells[cell]
        return {kind: rows - lost[kind] for kind, rows in missing.items()}

    def _open_cells(self) -> dict[Cell, float]:
        """Return the missing rows by type and level, minus the rows expected from candidates that are being judged."""
        proving = Counter(cell_of(one.sample) for task in self._begun for one in task.candidates)
        rate = self.learned.expected(PROVE)
        rows = {cell: count - rate * proving[cell] for cell, count in self._missing_cells.items()}
        return {cell: count for cell, count in rows.items() if count > _SLACK}

    def _learn_proofs(self, task: Task, gave: Mapping[str, int]) -> None:
        """Count author tasks as misses if their candidates yielded no row of their type."""
        origins: dict[str, set[str]] = {}
        for candidate in task.candidates:
            name = EVOLVE if candidate.sample.evolutions else candidate.sample.question_type
            origins.setdefault(name, set()).add(candidate.task.task_id)
        for name, tasks in origins.items():
            rows = sum(gave.values()) if name == EVOLVE else gave.get(name)
            self._misses[name] = 0 if rows else self._misses[name] + len(tasks)

    def _under_way(self, kind: str, share: Mapping[str, float]) -> dict[str, float]:
        """Return the expected rows by type from the running tasks of a kind.

        The yield of a task is divided among its types in proportion to `share`, the missing rows.
        """
        expected = dict.fromkeys(share, 0.0)
        for task in self._begun:
            types = [name for name in task.types if share.get(name, 0) > 0] if task.kind == kind else []
            total = sum(share[name] for name in types)
            for name in types:
                expected[name] += self.learned.rows_of(kind) * share[name] / total
        return expected

    def _seats(self, missing: Mapping[str, int], evolving: Mapping[str, int]) -> dict[str, Seats]:
        """Return the missing rows by type, minus the rows expected from candidates that are being judged."""
        rate, seats = self.learned.expected(PROVE), {}
        proving = [one.sample for task in self._begun if task.kind == PROVE for one in task.candidates]
        for kind in missing:
            own = [bool(sample.evolutions) for sample in proving if sample.question_type == kind]
            rows = missing[kind] - rate * len(own)
            later = evolving.get(kind, 0) - rate * sum(own)
            if self._is_over(kind):
                later = min(later, rate * self.pool.count(kind, developed=True))
            elif self.evolves and kind in ONE_PASSAGE and self.archive.can_give(kind):
                # To develop a question costs less than to read on until the type comes up.
                later = max(later, rows - rate * self.pool.count(kind, developed=False))
            if rows > _SLACK:
                seats[kind] = Seats(rows, max(0.0, rows - max(0.0, later)))
        return seats

    def _is_over(self, kind: str) -> bool:
        """Return whether no question is left that could be developed into a type."""
        in_vain = self.patience > 0 and self._misses[EVOLVE] >= min(_IN_VAIN, self.patience)
        developing = any(task.kind == EVOLVE and kind in task.types for task in self._begun)
        few = kind == "simple" and self.archive.left(kind) < _FEWEST_PARENTS
        # Passages may also give no simple questions at all.
        none = not self.archive.can_give(kind) and self.pool.count(kind, developed=False) > 0
        over = in_vain or self.archive.is_over(kind) or (not self._reading and (few or none))
        return over and not developing

    def _chosen(self, missing: Mapping[str, int], evolving: Mapping[str, int]) -> Task | None:
        seats, rate = self._seats(missing, evolving), self.learned.expected(PROVE)
        batch = self.pool.best(seats, rate, PROVED, weak=False)
        if len(batch) >= (PROVED if self._has_proved else _FIRST_PROVED):
            return self._to_prove(batch)
        if (task := self._to_write(seats, full=True)) or self._begun:
            return task
        # No task is running: now send requests that are not full, with weak candidates last.
        if len(batch) >= PROVED // 2:
            return self._to_prove(batch)
        if task := self._to_write(seats, full=False):
            return task
        rest = self.pool.best(seats, rate, PROVED, weak=True)
        return self._to_prove(rest) if rest else self._to_write(seats, full=False, slack=0.0)

    @property
    def _has_proved(self) -> bool:
        """Whether candidates were judged or are being judged."""
        return bool(self.learned.tasks[PROVE]) or any(task.kind == PROVE for task in self._begun)

    def _to_prove(self, batch: Sequence[Candidate]) -> Task:
        self.pool.take(batch)
        self.archive.claim(candidate.sample for candidate in batch)
        sections = dict.fromkeys(candidate.section for candidate in batch)
        types = dict.fromkeys(candidate.sample.question_type for candidate in batch)
        return Task(PROVE, tuple(sections), tuple(types), candidates=tuple(batch))

    def _to_write(self, seats: Mapping[str, Seats], *, full: bool, slack: float = _SLACK) -> Task | None:
        """Return an author task if the waiting and expected candidates do not suffice, else None.

        If `full`, the task must fill its request, and must not read passages to find paths. A shortage of `slack` rows
        is tolerated.
        """
        rate, given_up = self.learned.expected(PROVE), self.given_up
        open_seats = {kind: seat for kind, seat in seats.items() if kind not in given_up}
        apart = {
            kind: open_seats[kind].direct - rate * self.pool.count(kind)
            for kind in ("multi_context", UNANSWERABLE)
            if kind in open_seats
        }
        for kind, task_kind in (("multi_context", ACROSS), ("multi_context", JOIN), (UNANSWERABLE, UNANSWERED)):
            if kind in apart:
                apart[kind] -= self._under_way(task_kind, {kind: 1.0})[kind]
        if "multi_context" in apart:
            together = sum(task.kind == PROPOSE and "multi_context" in task.types for task in self._begun)
            apart["multi_context"] -= JOINED * rate * together
        develop = {
            kind: seat.rows - seat.direct - rate * self.pool.count(kind, developed=True)
            for kind, seat in open_seats.items()
        }
        develop = {kind: rows for kind, rows in develop.items() if rows > 0}
        for kind, rows in self._under_way(EVOLVE, develop).items():
            develop[kind] -= rows
        develop = {kind: rows for kind, rows in develop.items() if rows > 0}
        # Development waits while passages are being read.
        reading = self._reading
        needs = self._to_read(
            {kind: seat.direct for kind, seat in open_seats.items() if kind in ONE_PASSAGE},
            # Simple questions need not be developed: after the first development, the others are used unchanged.
            sum(rows for kind, rows in develop.items() if kind != "simple" or not self.learned.tasks[EVOLVE]),
        )
        if not reading and not needs:
            # If no question can be developed into a type, new passages are read for it, unless undeveloped candidates
            # wait. Reading also yields the first questions to develop.
            needs = {
                kind: rows
                for kind, rows in develop.items()
                if not self.archive.can_give(kind) and not self.pool.count(kind, developed=False)
            }
        options = [
            (sum(needs.values()), PROPOSE),
            (apart.get("multi_context", 0.0), ACROSS),
            (apart.get(UNANSWERABLE, 0.0), UNANSWERED),
            (0.0 if reading or self._awaits_first_rows else sum(develop.values()), EVOLVE),
        ]
        for rows, kind in sorted(options, key=lambda option: -option[0]):
            if rows <= slack:
                return None
            if kind == PROPOSE:
                task = self._single(needs)
            elif kind == ACROSS:
                task = self._on_paths(full=True) if full else self._across(rows, alone=not needs)
            elif kind == UNANSWERED:
                task = self._unanswered()
            else:
                task = self._developed(develop, full=full)
            if task is not None:
                return task
        return None

    @property
    def _awaits_first_rows(self) -> bool:
        """Whether the first candidates are being judged.

        Meanwhile no question is developed, so that a run that is stopped early has rows.
        """
        return not self.learned.tasks[PROVE] and any(task.kind == PROVE for task in self._begun)

    @property
    def _reading(self) -> bool:
        """Whether passages are being read."""
        return any(task.kind in (PROPOSE, JOIN) for task in self._begun)

    def _to_read(self, direct: Mapping[str, float], develop: float) -> dict[str, float]:
        """Return the number of rows by type for which new passages must be read; {} if none.

        Each new passage should yield one row. New passages should also yield questions to develop into `develop` rows.
        """
        rate = self.learned.expected(PROVE)
        short = {kind: rows - rate * self.pool.count(kind, developed=False) for kind, rows in direct.items()}
        short = {kind: rows for kind, rows in short.items() if rows > 0}
        under_way = self.learned.rows_of(PROPOSE) * sum(task.kind == PROPOSE for task in self._begun)
        passages = sum(direct.values()) - rate * self.pool.passages(direct)
        parents = self.archive.left() + _PARENTS_OF_A_TASK * sum(task.kind == PROPOSE for task in self._begun)
        to_develop = (_PARENTS_OF_A_ROW * develop - parents) / _PARENTS_OF_A_TASK * self.learned.rows_of(PROPOSE)
        most = max(max(passages, sum(short.values())) - under_way, to_develop)
        if most <= 0:
            return {}
        shares = short or {kind: rows for kind, rows in direct.items() if rows > 0} or {"simple": 1.0}
        return {kind: most * rows / sum(shares.values()) for kind, rows in shares.items()}

    def _single(self, needs: Mapping[str, float]) -> Task | None:
        """Return a task on unread passages for every wanted type.

        If no unread passage is left, the task develops questions or repeats a failed request. The request does not
        depend on which rows are missing, so that larger and smaller runs send the same requests.
        """
        return next(self.readings(), None) or self._developed(needs) or self._once_more(PROPOSE, self._types())

    def readings(self, types: Iterable[str] = ()) -> Iterator[Task]:
        """Yield the tasks that read passages, in the order of a run.

        They ask for questions of `types`, and of the types that earlier calls wanted.
        """
        self._wanted.update(types)
        while passages := self._together():
            yield self._reading_of(passages)

    def _reading_of(self, passages: tuple[Section, ...]) -> Task:
        """Return the task that reads these passages, with every wanted type that needs one or two passages."""
        several = ("multi_context",) if len(passages) > 1 and self._joins else ()
        return Task(PROPOSE, passages, (*self._types(), *several))

    @property
    def _joins(self) -> bool:
        """Whether passages are read in pairs to get questions over both."""
        wanted = "multi_context" in self._wanted and "multi_context" not in self.given_up
        return wanted and self.paths.by_graph and not self.fresh

    def _types(self) -> tuple[str, ...]:
        """Return the wanted types on one passage that were not given up, and the type that develops into them.

        If none is left, return all types on one passage.
        """
        given_up = self.given_up
        wanted = {kind for kind in ONE_PASSAGE if kind in self._wanted and kind not in given_up}
        if wanted and self.evolves:
            wanted.add("simple")  # to be developed into the others
        return tuple(kind for kind in ONE_PASSAGE if kind in wanted) or ONE_PASSAGE

    def _developed(self, types: Mapping[str, float], *, full: bool = False) -> Task | None:
        """Return a task that develops questions of the archive into these types, or None.

        If `full`, it must have as many questions as a request allows.
        """
        if not self.evolves:
            return None
        chosen = self.archive.parents({kind: types.get(kind, 0.0) for kind in ONE_PASSAGE}, PARENTS, full=full)
        if not chosen:
            return None
        parents = tuple(parent.sample for parent in chosen)
        self.pool.develop(parents)
        into = tuple(parent.types for parent in chosen)
        types_of = tuple(kind for kind in ONE_PASSAGE if any(kind in types for types in into))
        return Task(EVOLVE, tuple(parent.section for parent in chosen), types_of, parents=parents, into=into)

    def _together(self) -> tuple[Section, ...]:
        """Return the next section, and a second section if the language of the first is known.

        Both are in the same language. If paths are wanted, both are on the same matter, so that paths between them are
        found, and of two documents, if possible.
        """
        if self._joins and (section := self._next()) is not None:
            # Passages of documents that were not read yet come first, so that rows are on many documents.
            related = self._related(section, lambda _, chunk: chunk.doc_id in self._asked_of)
            if related is not None:
                return section, related
            self._ahead.appendleft(section)
        chosen: list[Section] = []
        others: list[Section] = []
        while len(chosen) < TOGETHER and len(others) < _LOOKED_AHEAD and (section := self._next()) is not None:
            (chosen if self._fits(section, chosen) else others).append(section)
            if chosen[0].language not in LANGUAGES:
                break
        # If all other sections are copies, read one of them too.
        copy = next((one for one in others if len(chosen) == 1 and one.language == chosen[0].language), None)
        self._ahead.extendleft(one for one in reversed(others) if one is not copy)
        return (*chosen, *([copy] if copy and copy.language in LANGUAGES else ()))

    def _fits(self, section: Section, chosen: Sequence[Section]) -> bool:
        """Return whether a section has the language of the `chosen` ones and copies none of them."""
        alike = all(section.language == one.language for one in chosen)
        return alike and not any(self._are_copies(section, one) for one in chosen)

    def _are_copies(self, one: Section, other: Section) -> bool:
        """Return whether two sections contain the same passage."""
        texts = [[self.corpus.chunk(name).text for name in section.chunk_ids] for section in (one, other)]
        return any(is_same_text(a, b) or is_near_copy(a, b) for a in texts[0] for b in texts[1])

    @property
    def _within_first(self) -> bool:
        """Whether passages of one document are joined first.

        So they are until more such tasks were in vain than tasks over several documents. On the policies of a firm,
        each of six joins within a document gave a question, and none of nine over several documents.
        """
        return self._joins_within[True] <= max(0, self._joins_within[False])

    def _related(self, section: Section, order: Callable[[Section, Chunk], int] = lambda *_: 0) -> Section | None:
        """Return an unasked section on the same matter as a section, or None.

        Its passage is among the nearest to the section. The passage with the lowest `order` comes first, then the
        nearest.
        """
        if section.language not in LANGUAGES:
            return None
        near = [self.corpus.chunk(chunk_id) for chunk_id in self.paths.near(section)]
        for chunk in sorted(near, key=partial(order, section)):
            other = next(one for one in sections(self.corpus, chunk.doc_id) if chunk.chunk_id in one.chunk_ids)
            if not self._asked.isdisjoint(other.chunk_ids) or other.language != section.language:
                continue
            if self._are_copies(section, other):
                continue
            self._ask(other)
            if self._is_worthwhile(other):
                return other
        return None

    def _next(self) -> Section | None:
        """Return the next unasked section, or None."""
        return self._ahead.popleft() if self._ahead else next(self._fresh, None)

    def _once_more(self, kind: str, types: tuple[str, ...]) -> Task | None:
        """Return a failed task of a kind, to be asked again, or None."""
        task = next((waiting for waiting in self._again if waiting.kind == kind), None)
        if task is None:
            return None
        self._again.remove(task)
        return replace(task, types=types)

    def _across(self, rows: float, *, alone: bool) -> Task | None:
        """Return a task on the best paths for the missing `rows`.

        With few good paths, the task reads passages on the same matter. It asks for questions over several passages
        only, if `alone` and if the author can reply to such requests, else also for those on each passage. If no
        passage is left to read, the task uses weak paths.
        """
        if self._reading:
            return None
        weak = self._for_paths >= _IN_TURN * rows
        if self.paths.waiting(weak=weak) >= _FEWEST_PATHS and (task := self._on_paths(weak=weak)):
            return task
        together = alone and self._joins and self._failed_joins < _MOST_FAILED
        partners = self._partners(ON_ONE_MATTER if together else TOGETHER)
        # Reading also yields questions on each passage, which are developed or kept in reserve.
        if not partners:
            return self._on_paths(weak=True) or self._once_more(ACROSS, ("multi_context",))
        self._for_paths += 1
        if together and len(partners) > 1:
            return Task(JOIN, partners, ("multi_context",))
        self._misses["multi_context"] += 1  # until the judge keeps a question over several passages
        return self._reading_of(partners)

    def _on_paths(self, *, weak: bool = False, full: bool = False) -> Task | None:
        """Return a task on the next paths, in one language, or None.

        `weak` paths come after all others. If `full`, the task must have as many paths as a request allows.
        """
        if full and self.paths.waiting() < PATHS:
            return None
        chosen: list[Path] = []
        while len(chosen) < PATHS and (path := self._next_path(chosen, weak=weak)) is not None:
            chosen.append(path)
        several = {section.section_id: section for path in chosen for section in path.sections}
        return Task(ACROSS, tuple(several.values()), ("multi_context",), tuple(chosen)) if chosen else None

    def _next_path(self, chosen: Sequence[Path], *, weak: bool) -> Path | None:
        language = chosen[0].language if chosen else ""
        path = self.paths.next(language)
        return self.paths.next(language, weak=True) if path is None and weak else path

    def _partners(self, most: int) -> tuple[Section, ...]:
        """Return an unread section related to an earlier one, and others on the same matter, at most `most`.

        With more than two, the earlier section is shown again, with as many sections related to it as there are. If no
        unread section is related, return the next sections.
        """
        pair = self._partner(most)
        if pair is None:
            return self._with_related(self._together(), most)
        home, section = pair
        if most <= TOGETHER or self._are_copies(home, section):
            return self._with_related((section,), most)
        chosen: tuple[Section, ...] = pair
        while len(chosen) < most and (pair := self._partner(most, home)) is not None:
            if not any(self._are_copies(one, pair[-1]) for one in chosen):
                chosen = (*chosen, pair[-1])
        return self._with_related(chosen, most)

    def _partner(self, most: int, home: Section | None = None) -> tuple[Section, Section] | None:
        """Return a section that was read, or `home`, and an unread section related to it; None if none is."""
        same_first = most > TOGETHER and self._within_first
        while pair := self.paths.partner(self._asked, same_first=same_first, used=self._joined, home=home):
            first, chunk = pair
            section = next(one for one in sections(self.corpus, chunk.doc_id) if chunk.chunk_id in one.chunk_ids)
            self._ask(section)
            if self._is_worthwhile(section):
                return first, section
        return None

    def _with_related(self, chosen: tuple[Section, ...], most: int) -> tuple[Section, ...]:
        """Return the sections, and unasked sections on the same matter as the last of them, at most `most`."""
        same_first = most > TOGETHER and self._within_first
        while chosen and len(chosen) < most:
            other = self._related(chosen[-1], _is_elsewhere) if same_first else self._related(chosen[-1])
            if other is None:
                break
            chosen = (*chosen, other)
        return chosen

    def _ask(self, section: Section) -> None:
        """Record that a section is asked about, or was examined."""
        self._asked.update(section.chunk_ids)
        self._asked_of.add(section.doc_id)

    def _unanswered(self) -> Task | None:
        section = self._next()
        return Task(UNANSWERED, (section,), (UNANSWERABLE,)) if section else None

    def _worthwhile(self, order: Iterable[Section]) -> Iterator[Section]:
        for section in order:
            if self._asked.isdisjoint(section.chunk_ids) and self._is_worthwhile(section):
                self._ask(section)
                yield section

    def _is_worthwhile(self, section: Section) -> bool:
        """Return whether a section has enough prose and is not a copy of an asked section."""
        lines = lines_of(self.corpus, section)
        texts = [normalise(line.text) for line in lines if line.kind != HEADING]
        whole = sum(map(len, texts)) or 1
        repeated = sum(len(one) for one in texts if one in self._seen)
        if repeated > _REPEATED * whole or not is_worth_asking(self.corpus, section):
            return False
        self._seen.update(texts)
        return True


def _is_elsewhere(section: Section, chunk: Chunk) -> bool:
    """Return whether a passage is of another document than a section."""
    return chunk.doc_id != section.doc_id


def _are_of_one_document(sections: Sequence[Section]) -> bool:
    """Return whether all sections but at most one are of the same document."""
    return len(sections) - max(Counter(section.doc_id for section in sections).values()) <= 1
