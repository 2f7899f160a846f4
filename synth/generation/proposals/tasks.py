"""Choice of the next request to the author, by the rows that are missing of each type."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from math import sqrt
from operator import itemgetter

from synth.core.records import UNANSWERABLE, Sample, digest
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import Notes
from synth.corpus.sections import HEADING, Section, is_worth_asking, lines_of, sections
from synth.generation.proposals.archive import Archive
from synth.generation.proposals.paths import Path, Paths
from synth.generation.writer import priority
from synth.text.language import LANGUAGES
from synth.text.normalise import normalise

PROPOSE, ACROSS, EVOLVE = "propose", "across", "evolve"
UNANSWERED = "unanswered"

ROWS_A_PASSAGE = 2
"""Most rows taken from one task for each of its passages; the author proposes more, and the best are chosen."""

ONE_PASSAGE = ("reasoning", "conditional", "simple")
"""Types of question on one passage, those first that passages give the fewest of."""

TOGETHER, PARENTS = 2, 3
"""Sections or paths, and parents, in one request: it and its judgement take three or four requests, whatever they
hold."""

_LOOKED_AHEAD = 8  # sections, for one in the same language

_EXPECTED: Mapping[str, float] = {PROPOSE: 3.8, ACROSS: 1.4, EVOLVE: 1.8, UNANSWERED: 1.0}
_PRIOR = 4  # tasks that what is expected counts for, beside those that were seen
_SLACK = 0.3  # rows that may be missing by expectation before another task is begun
_REPEATED = 0.7  # share of a section's text that was asked about elsewhere, from which it is a copy


@dataclass(frozen=True, slots=True)
class Task:
    """One request to the author: its `kind`, its sections and the types of question.

    `paths` join the sections, `parents` are the questions to develop, each on the section of the same place; `attempt`
    counts the earlier requests for this task that failed. `notes_first` is one that reads for the notes, where no
    questions on one passage are missing.
    """

    kind: str
    sections: tuple[Section, ...]
    types: tuple[str, ...]
    paths: tuple[Path, ...] = ()
    parents: tuple[Sample, ...] = ()
    attempt: int = 0
    notes_first: bool = False

    def section_of(self, sample: Sample) -> Section:
        """The section that a question of this task rests on; of several the first."""
        chunks = {piece.chunk_id for piece in sample.evidence}
        return next(
            (section for section in self.sections if not chunks.isdisjoint(section.chunk_ids)), self.sections[0]
        )

    @property
    def task_id(self) -> str:
        """Hash of what is asked; no two tasks of a run have the same."""
        names = [section.section_id for section in self.sections]
        parents = [parent.id for parent in self.parents]
        paths = [[statement.statement_id for statement in path.statements] for path in self.paths]
        return "t-" + digest(self.kind, names, self.types, parents, self.attempt, self.notes_first, *paths)[:16]


def turns(
    graph: KnowledgeGraph, doc_ids: Iterable[str], seed: int, fresh: Collection[str] = (), draw: str = ""
) -> Iterator[Section]:
    """All sections in the order in which they are asked about: documents take turns, larger ones come up more often,
    by the root of their size. Sections on `fresh` chunks come first.

    The place of a section depends on its document, the seed and the name of the `draw` alone. Documents are cut as
    their turn comes.
    """

    def placed(doc_id: str) -> Iterator[tuple[float, str, Section]]:
        drawn = [(priority(seed, f"{draw}section", one.section_id), one) for one in sections(graph, doc_id)]
        for place, (_, section) in enumerate(sorted(drawn, key=lambda pair: pair[0])):
            yield (place + firsts[doc_id]) / sqrt(len(drawn)), section.section_id, section

    def is_new(section: Section) -> bool:
        return not known.isdisjoint(section.chunk_ids)

    known = frozenset(fresh)
    firsts = {doc_id: priority(seed, f"{draw}document", doc_id) for doc_id in doc_ids}
    homes = {graph.chunk(chunk_id).doc_id for chunk_id in known} & firsts.keys()
    new = [item for doc_id in homes for item in placed(doc_id) if is_new(item[-1])]
    yield from (section for *_, section in sorted(new, key=itemgetter(0, 1)))
    # No section of a document comes before its first place, were each of its chunks a section.
    earliest = sorted((first / sqrt(graph.chunk_count(doc_id) or 1), doc_id) for doc_id, first in firsts.items())
    waiting: list[tuple[float, str, Section]] = []
    for least, doc_id in earliest:
        while waiting and waiting[0][0] < least:
            yield heappop(waiting)[-1]
        for item in placed(doc_id):
            if doc_id not in homes or not is_new(item[-1]):
                heappush(waiting, item)
    while waiting:
        yield heappop(waiting)[-1]


@dataclass(slots=True)
class Learned:
    """Counts of tasks and of the rows they gave, by kind."""

    tasks: Counter[str] = field(default_factory=Counter)
    rows: Counter[str] = field(default_factory=Counter)

    def expected(self, kind: str) -> float:
        """Rows that a task of a kind is expected to give."""
        return (self.rows[kind] + _PRIOR * _EXPECTED[kind]) / (self.tasks[kind] + _PRIOR)


@dataclass(slots=True)
class Tasks:
    """Chooses tasks on documents until every type has its rows, and learns from their results.

    Passages are read first, which gives the first rows and the notes; then paths between passages give questions over
    several of them, and questions of the archive are developed. Passages in `fresh` come first. A type is given up
    after `patience` tasks in a row without a row, those that failed included; 0 never gives up.
    """

    graph: KnowledgeGraph
    paths: Paths
    doc_ids: Sequence[str]
    seed: int
    fresh: Collection[str] = ()
    patience: int = 20
    learned: Learned = field(default_factory=Learned)
    archive: Archive = field(default_factory=Archive)
    _fresh: Iterator[Section] = field(init=False)
    _ahead: deque[Section] = field(init=False, default_factory=deque)
    _again: list[Task] = field(init=False, default_factory=list)
    _begun: deque[Task] = field(init=False, default_factory=deque)
    _misses: Counter[str] = field(init=False, default_factory=Counter)
    _seen: set[str] = field(init=False, default_factory=set)
    _asked: set[str] = field(init=False, default_factory=set)
    _wanted: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self._fresh = self._worthwhile(turns(self.graph, self.doc_ids, self.seed, self.fresh))

    @property
    def under_way(self) -> int:
        """Number of tasks whose result is not taken in yet."""
        return len(self._begun)

    @property
    def given_up(self) -> tuple[str, ...]:
        """Types that are not asked for, since the latest tasks gave no row; a row from one under way ends that."""
        return tuple(kind for kind, misses in self._misses.items() if kind != EVOLVE and 0 < self.patience <= misses)

    def next(self, missing: Mapping[str, int], evolving: Mapping[str, int] | None = None) -> Task | None:
        """The next task, where so many rows of each type are `missing`; None where no other is worth asking now.

        `evolving` are the rows among them that are to be developed from others, as long as there are any to develop.
        """
        self._wanted.update(kind for kind, rows in missing.items() if rows > 0)
        task = self._chosen(missing, evolving or {})
        if task is not None:
            self._begun.append(task)
        return task

    def learn(self, gave: Mapping[str, int], notes: Sequence[Notes] = (), *, failed: bool = False) -> None:
        """Take in the result of the oldest task: rows or waiting candidates by type, and notes.

        A proposal or a task across passages that gave nothing since requests `failed` is asked once more when nothing
        else is left.
        """
        task = self._begun.popleft()
        for on_section in notes:
            self.paths.learn(on_section)
        if failed and not task.attempt and task.kind == PROPOSE:
            self._again += [replace(task, sections=(section,), attempt=1) for section in task.sections]
        elif failed and not task.attempt and task.kind == ACROSS:
            self._again.append(replace(task, attempt=1))
        self.learned.tasks[task.kind] += 1
        self.learned.rows[task.kind] += min(sum(gave.values()), ROWS_A_PASSAGE * len(task.sections))
        # A question that cannot be developed says nothing of what new passages give.
        for kind in (EVOLVE,) if task.kind == EVOLVE else task.types:
            gave_rows = sum(gave.values()) if kind == EVOLVE else gave.get(kind)
            self._misses[kind] = 0 if gave_rows else self._misses[kind] + 1

    def _needs(self, missing: Mapping[str, int], kinds: Collection[str]) -> dict[str, float]:
        """Rows that are missing by type, less those expected of tasks of some kinds under way; none of a type given
        up."""
        given_up = self.given_up
        needs = {kind: float(rows) for kind, rows in missing.items() if rows > 0 and kind not in given_up}
        for task in self._begun:
            types = [kind for kind in task.types if needs.get(kind, 0) > 0]
            total = sum(needs[kind] for kind in types)
            for kind in types if task.kind in kinds else ():
                needs[kind] -= self.learned.expected(task.kind) * needs[kind] / total
        return {kind: rows for kind, rows in needs.items() if rows > 0}

    def _chosen(self, missing: Mapping[str, int], evolving: Mapping[str, int]) -> Task | None:
        # While passages are being read, what is to be developed waits for them.
        reading = any(task.kind == PROPOSE for task in self._begun)
        in_vain = 0 < self.patience <= self._misses[EVOLVE]
        develop = {} if in_vain else {kind: min(rows, missing.get(kind, 0)) for kind, rows in evolving.items()}
        if not reading:
            # What cannot be developed is asked of new passages, which also gives the first questions to develop.
            first = not any(rows - develop.get(kind, 0) for kind, rows in missing.items())
            develop = {
                kind: rows
                for kind, rows in develop.items()
                if not (self.archive.is_over(kind) or (first and not self.archive.can_give(kind)))
            }
        read = {kind: rows - develop.get(kind, 0) for kind, rows in missing.items()}
        needs = self._needs(read, (PROPOSE, ACROSS, UNANSWERED))
        apart = {kind: needs.pop(kind, 0.0) for kind in ("multi_context", UNANSWERABLE)}
        options = [
            (sum(needs.values()), PROPOSE),
            (apart["multi_context"], ACROSS),
            (apart[UNANSWERABLE], UNANSWERED),
            (0.0 if reading else sum(self._needs(develop, (EVOLVE,)).values()), EVOLVE),
        ]
        for rows, kind in sorted(options, key=lambda option: -option[0]):
            if rows <= _SLACK:
                return None
            if kind == PROPOSE:
                task = self._single(needs)
            elif kind == ACROSS:
                task = self._across(notes_first=not needs)
            elif kind == UNANSWERED:
                task = self._unanswered()
            else:
                task = self._developed(develop)
            if task is not None:
                return task
        return None

    def _single(self, needs: Mapping[str, float]) -> Task | None:
        """A task on passages that were not read, for every type that is wanted.

        It does not depend on what is missing, so that runs for more rows or fewer ask the same.
        """
        return next(self.readings(), None) or self._developed(needs) or self._once_more(PROPOSE, self._types())

    def readings(self, types: Iterable[str] = ()) -> Iterator[Task]:
        """The tasks that read passages, in the order of a run, for these types and those wanted before."""
        self._wanted.update(types)
        while passages := self._together():
            yield Task(PROPOSE, passages, self._types())

    def _types(self) -> tuple[str, ...]:
        """Types of question on one passage that are wanted and not given up; all of them where none is."""
        given_up = self.given_up
        return tuple(kind for kind in ONE_PASSAGE if kind in self._wanted and kind not in given_up) or ONE_PASSAGE

    def _developed(self, types: Mapping[str, float]) -> Task | None:
        """A task on questions of the archive, for the types that are to be developed.

        Other words are asked for by themselves: where a case or a condition is asked for too, nobody writes them.
        """
        asked = [kind for kind in ONE_PASSAGE if types.get(kind, 0) > 0]
        deeper = [kind for kind in asked if kind != "simple"]
        groups = [group for group in (deeper, [kind for kind in asked if kind == "simple"]) if group]
        groups.sort(key=lambda group: -sum(types[kind] for kind in group))
        into, chosen = next(
            (found for group in groups if (found := self.archive.parents(tuple(group), PARENTS))[1]), ((), [])
        )
        if not chosen:
            return None
        sections, parents = zip(*chosen, strict=True)
        return Task(EVOLVE, sections, into, parents=parents)

    def _together(self) -> tuple[Section, ...]:
        """The next section, and one in its language, where that is known."""
        chosen: list[Section] = []
        others: list[Section] = []
        while len(chosen) < TOGETHER and len(others) < _LOOKED_AHEAD and (section := self._next()) is not None:
            (chosen if not chosen or section.language == chosen[0].language else others).append(section)
            if chosen[0].language not in LANGUAGES:
                break
        self._ahead.extendleft(reversed(others))
        return tuple(chosen)

    def _next(self) -> Section | None:
        """The next section that was not asked about."""
        return self._ahead.popleft() if self._ahead else next(self._fresh, None)

    def _once_more(self, kind: str, types: tuple[str, ...]) -> Task | None:
        """A task of a kind that failed, to be asked again."""
        task = next((waiting for waiting in self._again if waiting.kind == kind), None)
        if task is None:
            return None
        self._again.remove(task)
        return replace(task, types=types)

    def _across(self, *, notes_first: bool) -> Task | None:
        """A task on the best paths; without one, a task that reads passages which may belong to what was read, and at
        last one on weak paths."""
        if task := self._on_paths():
            return task
        if any(task.kind == PROPOSE for task in self._begun):
            return None
        partners = self._partners()
        # Reading also gives questions on each passage, which are developed or kept for want of others.
        if not partners:
            return self._on_paths(weak=True) or self._once_more(ACROSS, ("multi_context",))
        return Task(PROPOSE, partners, self._types(), notes_first=notes_first)

    def _on_paths(self, *, weak: bool = False) -> Task | None:
        """A task on the next paths, in one language; None without one."""
        chosen: list[Path] = []
        while len(chosen) < TOGETHER and (path := self.paths.next(weak=weak)) is not None:
            if chosen and path.language != chosen[0].language:
                break
            chosen.append(path)
        several = {section.section_id: section for path in chosen for section in path.sections}
        return Task(ACROSS, tuple(several.values()), ("multi_context",), tuple(chosen)) if chosen else None

    def _partners(self) -> tuple[Section, ...]:
        """Unread sections that may belong to what was read; to begin with, the next ones in turn."""
        chosen: list[Section] = []
        while len(chosen) < TOGETHER and (chunk := self.paths.partner(self._asked)) is not None:
            section = next(one for one in sections(self.graph, chunk.doc_id) if chunk.chunk_id in one.chunk_ids)
            if self._is_worthwhile(section) and (not chosen or section.language == chosen[0].language):
                chosen.append(section)
            self._asked.update(section.chunk_ids)
        return tuple(chosen) or self._together()

    def _unanswered(self) -> Task | None:
        section = self._next()
        return Task(UNANSWERED, (section,), (UNANSWERABLE,)) if section else None

    def _worthwhile(self, order: Iterable[Section]) -> Iterator[Section]:
        for section in order:
            if self._asked.isdisjoint(section.chunk_ids) and self._is_worthwhile(section):
                self._asked.update(section.chunk_ids)
                yield section

    def _is_worthwhile(self, section: Section) -> bool:
        """Test whether a section has enough prose, and is no copy of one that was asked about."""
        lines = lines_of(self.graph, section)
        texts = [normalise(line.text) for line in lines if line.kind != HEADING]
        whole = sum(map(len, texts)) or 1
        repeated = sum(len(one) for one in texts if one in self._seen)
        if repeated > _REPEATED * whole or not is_worth_asking(self.graph, section):
            return False
        self._seen.update(texts)
        return True
