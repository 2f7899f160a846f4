"""Search for the next scenario. It prefers the question type, topic and document with the fewest rows.

A scenario is the plan of a question. The worth of a scenario, from 0 to 1, is its expected quality. Costs are
subtracted from the worth.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import TypeAlias

from synth.core.records import Scenario

DOCUMENT_STEP = 0.04
"""Amount by which a row lowers the worth of the other scenarios of its document. Breadth comes before depth."""

TOPIC_STEP = 0.02
"""Amount by which a row lowers the worth of the other scenarios of its topic, for a topic of average size."""

SENTENCE_STEP = 1.0
"""Amount by which a row lowers the worth of other scenarios on its evidence sentences.

A second question on a sentence waits until every other sentence had a question.
"""

LEVEL_STEP = 0.2
"""Maximum bonus in worth for the scenarios of a topic.

It applies if all questions on the topic so far had a level of difficulty that still lacks rows.
"""

WRITER_STEP = 0.5
"""Amount by which the worth of a scenario falls if all tries of its writer were rejected."""

PATTERN_STEP = 0.6
"""Amount by which the worth of a scenario falls if all rows of its type have its pattern (construction).

It falls less if fewer rows do. This keeps a set from asking only for default values, for example.
"""

FAIR = 0.5
"""Minimum worth of a scenario with a pattern. Weaker ones are tried only after more documents were read."""

_SURE = 6
"""Weight of the assumption `HOPE`. It counts like this number of tries."""

HOPE = 0.95
"""Share (0 to 1) of the scenarios of a writer that are assumed to become rows before any was tried."""


@dataclass(frozen=True, slots=True)
class ScenarioPlace:
    """Place of a scenario in the corpus: its topic, documents and evidence sentences.

    `documents` maps each document to a number of rows. Each time the document has got that many rows, further scenarios
    on it lose `DOCUMENT_STEP` of their worth. `sentences` are pairs of document and start offset.
    """

    topic: str
    documents: Mapping[str, int]
    sentences: tuple[tuple[str, int], ...] = ()


_Shelf: TypeAlias = tuple[str, str, str]
"""Key of scenarios with the same topic, writer and pattern, in this order."""

Further: TypeAlias = Callable[[int, Collection[str], Collection[str]], Mapping[str, Iterable[Scenario]] | None]
"""Function that returns more scenarios by question type, or None.

Its arguments are the number of rows, the types with no scenario left, and the types with no scenario left that has at
least the worth `FAIR`.
"""


def no_further(rows: int, short: Collection[str], poor: Collection[str]) -> None:
    """Return None: there are no further scenarios."""


@dataclass(slots=True)
class _TypeQueue:
    """Queue of the scenarios of one question type, by topic, writer and pattern, with the success of each writer."""

    quota: int
    missing: Counter[str]
    heaps: dict[_Shelf, list[tuple[float, int, Scenario]]] = field(default_factory=dict)
    sizes: Counter[str] = field(default_factory=Counter)
    weights: Mapping[str, float] = field(default_factory=dict)
    shelves: dict[str, set[_Shelf]] = field(default_factory=dict)
    levels: dict[str, Counter[str]] = field(default_factory=dict)
    every: Counter[str] = field(default_factory=Counter)
    costs: dict[_Shelf, tuple[float, int]] = field(default_factory=dict)
    rows: Counter[str] = field(default_factory=Counter)
    tries: Counter[str] = field(default_factory=Counter)
    patterns: Counter[str] = field(default_factory=Counter)
    fair: int = 0
    kept: int = 0

    def add(self, scenarios: Iterable[Scenario], place: Callable[[Scenario], ScenarioPlace]) -> None:
        """Add scenarios. Of equally good scenarios, those added first are tried first."""
        for number, scenario in enumerate(scenarios, self.sizes.total()):
            at = place(scenario)
            shelf = at.topic, scenario.synthesizer, scenario.pattern
            heapq.heappush(self.heaps.setdefault(shelf, []), (-scenario.worth, number, scenario))
            self.sizes[at.topic] += 1
            self.fair += _is_fair(scenario)
            for doc_id in at.documents:
                self.shelves.setdefault(doc_id, set()).add(shelf)
        self.weights = _weights(self.sizes)
        self.costs.clear()

    def stale(self, place: ScenarioPlace) -> None:
        """Drop the cached costs that a row at `place` changes: those of its topic and of its documents."""
        for shelf in self.heaps:
            if shelf[0] == place.topic:
                self.costs.pop(shelf, None)
        for shelf in (name for doc_id in place.documents for name in self.shelves.get(doc_id, ())):
            self.costs.pop(shelf, None)

    def writer_cost(self, writer: str) -> float:
        """Return the cost of a writer's scenarios, which grows with the share of its rejected tries."""
        return WRITER_STEP * (1 - (self.rows[writer] + HOPE * _SURE) / (self.tries[writer] + _SURE))

    def pattern_cost(self, pattern: str) -> float:
        """Return the cost of the scenarios with a pattern, which grows with the share of rows that have it."""
        return PATTERN_STEP * self.patterns[pattern] / (self.patterns.total() + 2)

    @property
    def need(self) -> int:
        """Number of missing rows."""
        return self.quota - self.kept

    def promise(self, topic: str) -> float:
        """Return the expected share (0 to 1) of questions on a topic whose level of difficulty still lacks rows."""
        levels = self.levels.get(topic, Counter())
        if not self.missing.total():
            return 0.0
        seen = sum(count for level, count in levels.items() if self.missing[level] > 0)
        # Two pseudo-counts with the mean of all topics, so that a single question changes little.
        usual = sum(n for level, n in self.every.items() if self.missing[level] > 0) / (self.every.total() or 1)
        return (seen + 2 * usual) / (levels.total() + 2)


@dataclass(slots=True)
class Search:
    """Choice of the next scenario. It uses the outcomes of earlier scenarios, in the order in which they were chosen.

    `plans` are the scenarios and `quotas` the wanted rows of each question type. `place` returns the place of a
    scenario. `cells` are the quotas by type and difficulty, if any. With `cells`, the search prefers topics whose
    questions had levels that still lack rows. `further` is called for more scenarios before each choice.
    """

    plans: Mapping[str, Iterable[Scenario]]
    quotas: Mapping[str, int]
    place: Callable[[Scenario], ScenarioPlace]
    cells: Mapping[tuple[str, str], int] = field(default_factory=dict)
    further: Further = no_further
    _kinds: dict[str, _TypeQueue] = field(init=False, default_factory=dict)
    _rows: Counter[str] = field(init=False, default_factory=Counter)
    _outcomes: deque[tuple[bool, str]] = field(init=False, default_factory=deque)
    _pending: deque[Scenario] = field(init=False, default_factory=deque)

    def __post_init__(self) -> None:
        for kind, plan in self.plans.items():
            missing = Counter({level: rows for (name, level), rows in self.cells.items() if name == kind})
            self._kinds[kind] = _TypeQueue(self.quotas[kind], missing)
            self._kinds[kind].add(plan, self.place)

    def hold(self, place: ScenarioPlace) -> None:
        """Count a row at `place` that the set already contains."""
        self._count(place, 1)

    def wants(self, missing: Mapping[str, int]) -> bool:
        """Set the number of `missing` rows of each type, and return whether any row is missing.

        Waiting samples may have filled some rows since the last call.
        """
        for name, kind in self._kinds.items():
            kind.kept = kind.quota - missing.get(name, 0)
        return any(kind.need > 0 for kind in self._kinds.values())

    def next(self) -> Scenario | None:
        """Return the next scenario to try, or None while the outcome of the previous scenario is unknown.

        Raise StopIteration when every type has its rows or has no scenario left.
        """
        while self._pending:
            if not self._outcomes:
                return None
            self._take_outcome()
        self._extend()
        chosen = self._choose()
        if chosen is None:
            raise StopIteration
        self._pending.append(chosen)
        self._count(self.place(chosen), 1)
        self._kinds[chosen.question_type].patterns[chosen.pattern] += 1
        return chosen

    def learn(self, kept: bool, level: str = "") -> None:
        """Record the outcome of the oldest pending scenario: whether it became a row, and its difficulty `level`."""
        self._outcomes.append((kept, level))

    def _extend(self) -> None:
        """Add the further scenarios for types with missing rows, until there are none."""
        while any(kind.need > 0 for kind in self._kinds.values()):
            rows = sum(kind.kept for kind in self._kinds.values())
            short = [name for name, kind in self._kinds.items() if kind.need > 0 and not kind.heaps]
            poor = [name for name, kind in self._kinds.items() if kind.need > 0 and not kind.fair]
            further_plans = self.further(rows, short, poor)
            if further_plans is None:
                return
            for name, scenarios in further_plans.items():
                self._kinds[name].add(scenarios, self.place)

    def _take_outcome(self) -> None:
        scenario, (kept, level) = self._pending.popleft(), self._outcomes.popleft()
        kind = self._kinds[scenario.question_type]
        if level and kind.missing:
            kind.levels.setdefault(self.place(scenario).topic, Counter())[level] += 1
            kind.every[level] += 1
            kind.missing[level] -= kept
        if not kept:
            self._count(self.place(scenario), -1)
        kind.patterns[scenario.pattern] -= not kept
        kind.kept += kept
        kind.rows[scenario.synthesizer] += kept
        kind.tries[scenario.synthesizer] += 1

    def _choose(self) -> Scenario | None:
        kinds = self._kinds.values()
        incomplete = [kind for kind in kinds if kind.heaps and kind.need > 0]
        if not incomplete:
            return None
        kind = max(incomplete, key=lambda k: k.need / k.quota)
        shelf = min(kind.heaps, key=lambda name: self._appeal(kind, name))
        heap = kind.heaps[shelf]
        _, _, scenario = heapq.heappop(heap)
        kind.fair -= _is_fair(scenario)
        kind.costs.pop(shelf, None)
        if not heap:
            del kind.heaps[shelf]
        return scenario

    def _appeal(self, kind: _TypeQueue, shelf: _Shelf) -> tuple[float, int]:
        """Return (cost, number in the plan) for the best scenario of a shelf: those of one topic, writer and pattern.

        Of equal costs, the lowest number is chosen.
        """
        topic, writer, pattern = shelf
        if shelf not in kind.costs:
            heap = kind.heaps[shelf]
            cost = self._cost_of_best(heap) + TOPIC_STEP * self._rows[f"t {topic}"] / kind.weights[topic]
            kind.costs[shelf] = cost, heap[0][1]
        cost, number = kind.costs[shelf]
        cost += kind.writer_cost(writer) + kind.pattern_cost(pattern)
        return cost - LEVEL_STEP * kind.promise(topic), number

    def _cost_of_best(self, heap: list[tuple[float, int, Scenario]]) -> float:
        """Move the best scenario of a shelf to the top after costs changed, and return its cost."""
        while True:
            cost, number, scenario = heap[0]
            now = self._crowding(scenario) - scenario.worth
            if now <= cost:
                return now
            heapq.heapreplace(heap, (now, number, scenario))

    def _crowding(self, scenario: Scenario) -> float:
        """Return the cost of a scenario for the rows that already exist on its documents and sentences."""
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


def _is_fair(scenario: Scenario) -> bool:
    return not scenario.pattern or scenario.worth >= FAIR


def _weights(sizes: Mapping[str, int]) -> dict[str, float]:
    """Return the weight of each topic: the square root of its number of scenarios, with mean 1."""
    roots = {topic: sqrt(size) for topic, size in sizes.items()}
    mean = sum(roots.values()) / (len(roots) or 1)
    return {topic: root / mean for topic, root in roots.items()}
