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
from synth.corpus.sections import Section, is_worth_asking, lines_of, sections
from synth.generation.proposals.related import Group, Related
from synth.generation.writer import priority
from synth.text.language import LANGUAGES
from synth.text.normalise import normalise

PROPOSE, LINKS, ACROSS, EVOLVE = "propose", "links", "across", "evolve"
UNANSWERED = "unanswered"

ROWS_A_PASSAGE = 2
"""Most rows taken from one task for each of its passages; the author proposes more, and the best are chosen."""

ONE_PASSAGE = ("reasoning", "conditional", "simple")
"""Types of question on one passage, those first that passages give the fewest of."""

TOGETHER = 2
"""Sections, or links, in one request: a proposal and its judgement take three or four requests, whatever they hold."""

_LOOKED_AHEAD = 8  # sections, for one in the same language

MAX_LISTED = 48
"""Passages among which the author looks for links, in one request."""

OPERATORS: Mapping[str, tuple[str, ...]] = {
    "simple": ("concretise", "constrain"),
    "reasoning": ("reason", "compare", "hypothesise"),
    "conditional": ("condition", "hypothesise"),
    "multi_context": ("compose",),
}
"""Operators that develop a question into one of a type."""

_EXPECTED: Mapping[str, float] = {PROPOSE: 3.8, LINKS: 0.0, ACROSS: 1.6, EVOLVE: 0.8, UNANSWERED: 1.0}
_UNLINKED = 5  # tasks without a row that a list without a link counts for
_PRIOR = 4  # tasks that what is expected counts for, beside those that were seen
_SLACK = 0.3  # rows that may be missing by expectation before another task is begun
_REPEATED = 0.7  # share of a section's text that was asked about elsewhere, from which it is a copy


@dataclass(frozen=True, slots=True)
class Link:
    """Passages that may answer a question together, and that question in a few words."""

    sections: tuple[Section, ...]
    question: str

    @property
    def passages(self) -> frozenset[str]:
        """The ids of the sections."""
        return frozenset(section.section_id for section in self.sections)

    @property
    def language(self) -> str:
        """The language of the passages."""
        return self.sections[0].language


@dataclass(frozen=True, slots=True)
class Task:
    """One request to the author: its `kind`, its sections and the types of question.

    `links` connect the sections, `parent` is the question to develop, `attempt` counts the earlier requests for this
    task that failed.
    """

    kind: str
    sections: tuple[Section, ...]
    types: tuple[str, ...]
    links: tuple[Link, ...] = ()
    parent: Sample | None = None
    attempt: int = 0

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
        parent = self.parent.id if self.parent else ""
        links = [(sorted(link.passages), link.question) for link in self.links]
        return "t-" + digest(self.kind, names, self.types, parent, self.attempt, *links)[:16]


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

    Passages in `fresh` come first. A type is given up after `patience` tasks in a row without a row, those that failed
    included; 0 never gives up.
    """

    graph: KnowledgeGraph
    related: Related
    doc_ids: Sequence[str]
    seed: int
    fresh: Collection[str] = ()
    patience: int = 20
    learned: Learned = field(default_factory=Learned)
    _fresh: Iterator[Section] = field(init=False)
    _ahead: deque[Section] = field(init=False, default_factory=deque)
    _groups: Iterator[Group] = field(init=False)
    _links: deque[Link] = field(init=False, default_factory=deque)
    _again: list[Task] = field(init=False, default_factory=list)
    _begun: deque[Task] = field(init=False, default_factory=deque)
    _parents: list[tuple[Section, Sample]] = field(init=False, default_factory=list)
    _unrelated: set[str] = field(init=False, default_factory=set)
    _misses: Counter[str] = field(init=False, default_factory=Counter)
    _seen: set[str] = field(init=False, default_factory=set)
    _spent: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        self._fresh = self._worthwhile(turns(self.graph, self.doc_ids, self.seed, self.fresh))
        anchors = turns(self.graph, self.doc_ids, self.seed, draw="across ")
        self._groups = self.related.closest_first(section.chunk_ids[0] for section in anchors)

    @property
    def under_way(self) -> int:
        """Number of tasks whose result is not taken in yet."""
        return len(self._begun)

    @property
    def given_up(self) -> tuple[str, ...]:
        """Types that are not asked for, since the latest tasks gave no row; a row from one under way ends that."""
        return tuple(kind for kind, misses in self._misses.items() if 0 < self.patience <= misses)

    def next(self, missing: Mapping[str, int]) -> Task | None:
        """The next task, where so many rows of each type are `missing`; None where no other is worth asking now."""
        task = self._chosen(self._needs(missing))
        if task is not None:
            self._begun.append(task)
        return task

    def learn(
        self,
        gave: Mapping[str, int],
        parents: Sequence[Sample] = (),
        links: Sequence[Link] = (),
        *,
        failed: bool = False,
    ) -> None:
        """Take in the result of the oldest task: rows or waiting candidates by type, questions to develop, links.

        A proposal, a search for links or a task across passages that gave nothing since requests `failed` is asked once
        more when nothing else is left.
        """
        task = self._begun.popleft()
        is_repeated = failed and not task.attempt and task.kind in (PROPOSE, LINKS, ACROSS)
        if is_repeated and task.kind == PROPOSE:
            self._again += [replace(task, sections=(section,), attempt=1) for section in task.sections]
        elif is_repeated:
            self._again.append(replace(task, attempt=1))
        if task.kind == LINKS:
            self._links.extend(_merged(links))
            self._misses["multi_context"] += 0 if links or is_repeated else _UNLINKED
            return
        self.learned.tasks[task.kind] += 1
        self.learned.rows[task.kind] += min(sum(gave.values()), ROWS_A_PASSAGE * len(task.sections))
        for kind in task.types:
            self._misses[kind] = 0 if gave.get(kind) else self._misses[kind] + 1
        if task.kind == PROPOSE and parents:
            self._parents.append((task.section_of(parents[0]), parents[0]))

    def _needs(self, missing: Mapping[str, int]) -> dict[str, float]:
        """Rows that are missing by type, less those expected of what is under way; none of a type given up."""
        given_up = self.given_up
        needs = {kind: float(rows) for kind, rows in missing.items() if rows > 0 and kind not in given_up}
        for task in self._begun:
            types = [kind for kind in task.types if needs.get(kind, 0) > 0]
            total = sum(needs[kind] for kind in types)
            for kind in types:
                needs[kind] -= self.learned.expected(task.kind) * needs[kind] / total
        return {kind: rows for kind, rows in needs.items() if rows > 0}

    def _chosen(self, needs: dict[str, float]) -> Task | None:
        apart = {kind: needs.pop(kind, 0.0) for kind in ("multi_context", UNANSWERABLE)}
        options = [(sum(needs.values()), ""), *((rows, kind) for kind, rows in apart.items())]
        for rows, kind in sorted(options, key=lambda option: -option[0]):
            if rows <= _SLACK:
                return None
            task = self._single(needs) if not kind else self._across() if kind != UNANSWERABLE else self._unanswered()
            if task is not None:
                return task
        return None

    def _single(self, needs: Mapping[str, float]) -> Task | None:
        """A task on one passage, for the types that are missing."""
        harder = [kind for kind in ("reasoning", "conditional") if needs.get(kind, 0) > 0]
        if harder and "simple" not in needs and self._gives_half_of(EVOLVE, PROPOSE) and self._parents:
            section, parent = self._parents.pop(0)
            return Task(EVOLVE, (section,), tuple(harder), parent=parent)
        types = tuple(kind for kind in ONE_PASSAGE if kind in needs)
        if fresh := self._together():
            return Task(PROPOSE, fresh, types)
        if self._parents and harder:
            section, parent = self._parents.pop(0)
            return Task(EVOLVE, (section,), tuple(harder), parent=parent)
        return self._once_more(PROPOSE, types)

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

    def _gives_half_of(self, kind: str, other: str) -> bool:
        """Test whether tasks of a kind give at least half as many rows as those of another."""
        return self.learned.expected(kind) >= self.learned.expected(other) / 2

    def _across(self) -> Task | None:
        if self._links:
            chosen = [self._links.popleft()]
            while self._links and len(chosen) < TOGETHER and self._links[0].language == chosen[0].language:
                chosen.append(self._links.popleft())
            several = {section.section_id: section for link in chosen for section in link.sections}
            return Task(ACROSS, tuple(several.values()), ("multi_context",), tuple(chosen))
        if any(task.kind == LINKS for task in self._begun):
            return None
        listed = self._listed()
        if len(listed) > 1:
            return Task(LINKS, listed, ("multi_context",))
        for place, (_, parent) in enumerate(self._parents):
            chunk_id = parent.evidence[0].chunk_id
            related = None if chunk_id in self._unrelated else self.related.group(chunk_id)
            if related is not None:
                del self._parents[place]
                return Task(EVOLVE, related.passages, ("multi_context",), parent=parent)
            self._unrelated.add(chunk_id)
        return self._once_more(LINKS, ("multi_context",)) or self._once_more(ACROSS, ("multi_context",))

    def _listed(self) -> tuple[Section, ...]:
        """The next passages among which links are looked for: some, each with those related to it."""
        listed: dict[str, Section] = {}
        for group in self._groups:
            listed.update(
                (section.section_id, section) for section in group.passages if section.section_id not in self._spent
            )
            if len(listed) >= MAX_LISTED:
                break
        self._spent.update(listed)
        return tuple(listed.values())

    def _unanswered(self) -> Task | None:
        section = self._next()
        return Task(UNANSWERED, (section,), (UNANSWERABLE,)) if section else None

    def _worthwhile(self, order: Iterable[Section]) -> Iterator[Section]:
        for section in order:
            lines = lines_of(self.graph, section)
            text = self.graph.document(section.doc_id).text[section.start : section.end]
            texts = [normalise(line.text) for line in lines]
            if is_worth_asking(lines, text) and self._is_new(texts):
                self._seen.update(texts)
                yield section

    def _is_new(self, texts: Sequence[str]) -> bool:
        """Test whether a section with lines of these texts is no copy of those that are asked about."""
        whole = sum(map(len, texts)) or 1
        return sum(len(text) for text in texts if text in self._seen) <= _REPEATED * whole


def _merged(links: Iterable[Link]) -> list[Link]:
    """The links with those on the same passages made one."""
    merged: dict[frozenset[str], Link] = {}
    for link in links:
        other = merged.setdefault(link.passages, link)
        if other is not link:
            merged[link.passages] = replace(other, question=f"{other.question}; {link.question}")
    return list(merged.values())
