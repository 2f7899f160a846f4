"""Which scenario is tried next: a search for the under-filled parts of a set.

The parts are question types, topics and documents.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import TypeAlias

from synth.core.records import Scenario

DOCUMENT_STEP = 0.04
"""What a row costs, in worth, the scenarios that are left in its document: breadth before depth."""

TOPIC_STEP = 0.02
"""The same for its topic, when that has an average part of the scenarios."""

SENTENCE_STEP = 1.0
"""The same for a sentence that is to be evidence: a second question on it waits until all others had their turn."""

LEVEL_STEP = 0.2
"""What a topic gains, in worth, when all of its questions were of the levels of difficulty that are missing."""

WRITER_STEP = 0.5
"""What a scenario costs, in worth, when all that its writer tried was refused: what a model cannot do is put off."""

_SURE = 6
"""Scenarios after which what became of a writer's tries counts for more than hope does."""

HOPE = 0.95
"""Share of the scenarios of a writer that is expected to give a row, before any was tried."""


@dataclass(frozen=True, slots=True)
class ScenarioPlace:
    """Where a scenario stands: its topic, its documents with the rows each has room for at a time, its sentences."""

    topic: str
    documents: Mapping[str, int]
    sentences: tuple[tuple[str, int], ...] = ()


_Shelf: TypeAlias = tuple[str, str]
"""A topic and a writer."""


@dataclass(slots=True)
class _Kind:
    """The scenarios of one question type by topic and writer, the most wanted first, and how they fare."""

    wanted: int
    heaps: dict[_Shelf, list[tuple[float, int, Scenario]]]
    weights: Mapping[str, float]
    missing: Counter[str]
    shelves: Mapping[str, frozenset[_Shelf]]
    levels: dict[str, Counter[str]] = field(default_factory=dict)
    every: Counter[str] = field(default_factory=Counter)
    costs: dict[_Shelf, tuple[float, int]] = field(default_factory=dict)
    rows: Counter[str] = field(default_factory=Counter)
    tries: Counter[str] = field(default_factory=Counter)
    kept: int = 0

    def stale(self, place: ScenarioPlace) -> None:
        """What a row at a place may have changed: the costs of its topic, and of those that its documents are in."""
        for shelf in self.heaps:
            if shelf[0] == place.topic:
                self.costs.pop(shelf, None)
        for shelf in (name for doc_id in place.documents for name in self.shelves.get(doc_id, ())):
            self.costs.pop(shelf, None)

    def writer_cost(self, writer: str) -> float:
        """What the refusals of a writer cost its scenarios."""
        return WRITER_STEP * (1 - (self.rows[writer] + HOPE * _SURE) / (self.tries[writer] + _SURE))

    @property
    def need(self) -> int:
        """Rows that are missing."""
        return self.wanted - self.kept

    def promise(self, topic: str) -> float:
        """Which part of a topic's questions, from 0 to 1, is likely to be of a level that is missing."""
        whole, found = self.missing.total(), self.levels.get(topic, Counter())
        if not whole:
            return 0.0
        seen = sum(count for level, count in found.items() if self.missing[level] > 0)
        # Two questions more, as all topics together have them, so that a single one says little.
        usual = sum(n for level, n in self.every.items() if self.missing[level] > 0) / (self.every.total() or 1)
        return (seen + 2 * usual) / (found.total() + 2)


@dataclass(slots=True)
class Search:
    """Names scenarios one after the other, and learns what came of them, in the same order.

    `plans` are the scenarios of each question type, `wanted` the rows each is to have; `place` says
    where a scenario stands. `cells` are the rows wanted by type and level of difficulty, where that matters: then the
    topics whose questions were of the levels that are missing come first.
    """

    plans: Mapping[str, Iterable[Scenario]]
    wanted: Mapping[str, int]
    place: Callable[[Scenario], ScenarioPlace]
    cells: Mapping[tuple[str, str], int] = field(default_factory=dict)
    _kinds: dict[str, _Kind] = field(init=False, default_factory=dict)
    _rows: Counter[str] = field(init=False, default_factory=Counter)
    _heard: deque[tuple[bool, str]] = field(init=False, default_factory=deque)
    _begun: deque[Scenario] = field(init=False, default_factory=deque)

    def __post_init__(self) -> None:
        for kind, plan in self.plans.items():
            heaps: dict[_Shelf, list[tuple[float, int, Scenario]]] = {}
            shelves: dict[str, set[_Shelf]] = {}
            for number, scenario in enumerate(plan):
                place = self.place(scenario)
                shelf = place.topic, scenario.synthesizer
                heaps.setdefault(shelf, []).append((-scenario.worth, number, scenario))
                for doc_id in place.documents:
                    shelves.setdefault(doc_id, set()).add(shelf)
            for heap in heaps.values():
                heapq.heapify(heap)
            missing = Counter({level: rows for (name, level), rows in self.cells.items() if name == kind})
            self._kinds[kind] = _Kind(
                self.wanted[kind],
                heaps,
                _weights(heaps),
                missing,
                {doc: frozenset(found) for doc, found in shelves.items()},
            )

    def hold(self, place: ScenarioPlace) -> None:
        """A row of the set stands at `place` already."""
        self._count(place, 1)

    def next(self) -> Scenario | None:
        """The next scenario to try; None when what came of the one before must be known first.

        Raises StopIteration when every type has its rows or no scenario left.
        """
        while self._begun:
            if not self._heard:
                return None
            self._take()
        chosen = self._choose()
        if chosen is None:
            raise StopIteration
        self._begun.append(chosen)
        self._count(self.place(chosen), 1)
        return chosen

    def learn(self, kept: bool, level: str = "") -> None:
        """The oldest scenario of which nothing was learned gave a row, or did not; `level` is how hard it is."""
        self._heard.append((kept, level))

    def _take(self) -> None:
        scenario, (kept, level) = self._begun.popleft(), self._heard.popleft()
        kind = self._kinds[scenario.question_type]
        if level and kind.missing:
            kind.levels.setdefault(self.place(scenario).topic, Counter())[level] += 1
            kind.every[level] += 1
            kind.missing[level] -= kept
        if not kept:
            self._count(self.place(scenario), -1)
        kind.kept += kept
        kind.rows[scenario.synthesizer] += kept
        kind.tries[scenario.synthesizer] += 1

    def _choose(self) -> Scenario | None:
        kinds = self._kinds.values()
        open_kinds = [kind for kind in kinds if kind.heaps and kind.need > 0]
        if not open_kinds:
            return None
        kind = max(open_kinds, key=lambda k: k.need / k.wanted)
        shelf = min(kind.heaps, key=lambda name: self._appeal(kind, name))
        heap = kind.heaps[shelf]
        _, _, scenario = heapq.heappop(heap)
        kind.costs.pop(shelf, None)
        if not heap:
            del kind.heaps[shelf]
        return scenario

    def _appeal(self, kind: _Kind, shelf: _Shelf) -> tuple[float, int]:
        """What the best scenario of a shelf costs, the lower the better; ties by the order of the plan."""
        topic, writer = shelf
        if shelf not in kind.costs:
            heap = kind.heaps[shelf]
            cost = self._top(heap) + TOPIC_STEP * self._rows[f"t {topic}"] / kind.weights[topic]
            kind.costs[shelf] = cost, heap[0][1]
        cost, number = kind.costs[shelf]
        return cost + kind.writer_cost(writer) - LEVEL_STEP * kind.promise(topic), number

    def _top(self, heap: list[tuple[float, int, Scenario]]) -> float:
        """The cost of the best scenario of a shelf, brought to the top: rows may have made others better."""
        while True:
            cost, number, scenario = heap[0]
            now = self._crowding(scenario) - scenario.worth
            if now <= cost:
                return now
            heapq.heapreplace(heap, (now, number, scenario))

    def _crowding(self, scenario: Scenario) -> float:
        """What the rows that its documents and its sentences have cost a scenario."""
        place = self.place(scenario)
        rows = (self._rows[f"d {doc_id}"] // room for doc_id, room in place.documents.items())
        questions = (self._rows[f"s {sentence}"] for sentence in place.sentences)
        return DOCUMENT_STEP * max(rows, default=0) + SENTENCE_STEP * max(questions, default=0)

    def _count(self, place: ScenarioPlace, by: int) -> None:
        self._rows[f"t {place.topic}"] += by
        for doc_id in place.documents:
            self._rows[f"d {doc_id}"] += by
        for sentence in place.sentences:
            self._rows[f"s {sentence}"] += by
        for kind in self._kinds.values():
            kind.stale(place)


def _weights(heaps: Mapping[_Shelf, Sequence[object]]) -> dict[str, float]:
    """How many rows a topic may have for one of an average topic: by the root of its scenarios."""
    sizes: Counter[str] = Counter()
    for (topic, _), heap in heaps.items():
        sizes[topic] += len(heap)
    roots = {topic: sqrt(size) for topic, size in sizes.items()}
    mean = sum(roots.values()) / (len(roots) or 1)
    return {topic: root / mean for topic, root in roots.items()}
