"""What a corpus can give, before anything is spent: by question type and topic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from synth.core.records import Scenario
from synth.generation.admission import SHARE, RunResult
from synth.generation.pipeline import quotas
from synth.generation.quotas import Cell, cell_of, moved
from synth.generation.row_topics import category
from synth.generation.writer import WriterContext


@dataclass(frozen=True, slots=True, kw_only=True)
class KindPlan:
    """What a corpus can give of one question type.

    `scenarios` are the places where one might be asked; `reachable` is how many rows these give, where
    that could be found out for nothing, else None; `topics` counts the rows, or else the scenarios.
    `levels` are the rows to be had of each level of difficulty, {} where that was not found out, and
    `asked_levels` those asked for, {} where it does not matter.
    """

    asked: int
    scenarios: int
    reachable: int | None
    topics: Mapping[str, int]
    lost: Mapping[str, int] = field(default_factory=dict)
    levels: Mapping[str, int] = field(default_factory=dict)
    asked_levels: Mapping[str, int] = field(default_factory=dict)

    @property
    def at_most(self) -> int:
        """Rows that can be had for all that is known."""
        return self.scenarios if self.reachable is None else self.reachable


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The plan of a run, by question type, and the distribution nearest to the one asked for."""

    kinds: Mapping[str, KindPlan]
    nearest: Mapping[str, int]

    @property
    def short_cells(self) -> Mapping[Cell, int]:
        """Types and levels that cannot have the rows asked for, and how many are missing, once types have made up
        for one another as far as they can."""
        asked = {(name, level): rows for name, kind in self.kinds.items() for level, rows in kind.asked_levels.items()}
        most = {
            (name, level): kind.levels.get(level, 0)
            for name, kind in self.kinds.items()
            if kind.levels
            for level in kind.asked_levels
        }
        got = moved(asked, most)
        if sum(got.values()) == sum(asked.values()):
            return {}
        return {cell: rows - got[cell] for cell, rows in asked.items() if got[cell] < rows}

    @property
    def shortfall(self) -> Mapping[str, int]:
        """Question types that cannot have as many rows as asked for, and by how many."""
        return {name: kind.asked - kind.at_most for name, kind in self.kinds.items() if kind.at_most < kind.asked}


def plan(
    material: WriterContext,
    scenarios: Mapping[str, Sequence[Scenario]],
    asked: Mapping[str, int],
    cells: Mapping[Cell, int],
    trials: Sequence[RunResult] = (),
) -> Plan:
    """The plan for the rows `asked` of each type, and of each of `cells` where any are, given the scenarios.

    `trials` are outcomes of runs, where these cost nothing; of each type the one that gave the most counts.
    """
    kinds = {}
    for name, count in asked.items():
        places = scenarios.get(name, ())
        levels = {level: rows for (kind, level), rows in cells.items() if kind == name}
        if not trials:
            chunk_ids = (s.chunk_ids[0] for s in places if s.chunk_ids)
            topics = Counter(category(material.graph, chunk_id) for chunk_id in chunk_ids)
            kinds[name] = KindPlan(
                asked=count,
                scenarios=len(places),
                reachable=None,
                topics=dict(topics.most_common()),
                asked_levels=levels,
            )
            continue
        best = max(trials, key=lambda tried: tried.funnel.get(name, {}).get("kept", 0))
        rows = [sample for sample in best.samples if sample.question_type == name]
        topics = Counter(str(sample.metadata.get("category", "")) for sample in rows)
        lost = Counter({k: v for k, v in best.funnel.get(name, {}).items() if k not in ("tried", "kept")})
        kinds[name] = KindPlan(
            asked=count,
            scenarios=len(places),
            reachable=len(rows),
            topics=dict(topics.most_common()),
            lost=dict(lost.most_common()),
            levels=_levels(name, trials),
            asked_levels=levels,
        )
    return Plan(kinds=kinds, nearest=nearest(asked, {name: kind.at_most for name, kind in kinds.items()}))


def _levels(kind: str, trials: Sequence[RunResult]) -> dict[str, int]:
    """The rows of a type by level that some trial could have had, the most of any."""
    most: Counter[str] = Counter()
    for trial in trials:
        most |= Counter({level: rows for (name, level), rows in had(trial).items() if name == kind and level})
    return dict(sorted(most.items()))


def had(outcome: RunResult) -> Counter[Cell]:
    """The rows by type and level that a run made, and those it had no need of."""
    spare = (item.sample for item in outcome.rejected if item.sample and item.stage == SHARE)
    return Counter(map(cell_of, (*outcome.samples, *spare)))


def exhausted(outcome: RunResult, cells: Mapping[Cell, int]) -> dict[Cell, int]:
    """How many rows there are to be had of each cell of the types that ran out of scenarios; others may have more."""
    made, most = Counter(map(cell_of, outcome.samples)), had(outcome)
    short = {cell[0] for cell, count in cells.items() if made[cell] < count}
    return {cell: most[cell] for cell in cells if cell[0] in short}


def nearest(asked: Mapping[str, int], reachable: Mapping[str, int]) -> dict[str, int]:
    """The counts nearest to `asked` that can be had: what is missing goes to the types with the most left over.

    The sum is that of `asked`, or all that can be had when that is less.
    """
    made = {name: min(count, reachable.get(name, 0)) for name, count in asked.items()}
    missing = sum(asked.values()) - sum(made.values())
    for name in sorted(made, key=lambda name: made[name] - reachable.get(name, 0)):
        more = min(missing, reachable.get(name, 0) - made[name])
        made[name] += more
        missing -= more
    return made


def nearer(outcome: RunResult) -> Mapping[str, int] | None:
    """The rows to ask for in the place of those that could not be made; None when there is nothing to gain.

    A type that fell short is asked for what it gave. What is missing is shared out among the others, in
    proportion to what was asked of them.
    """
    short = outcome.shortfall
    full = {kind: count for kind, count in outcome.wanted.items() if count and kind not in short}
    if not short or not full:
        return None
    more = quotas(full, sum(short.values()))
    return {kind: count - short.get(kind, 0) + more.get(kind, 0) for kind, count in outcome.wanted.items()}
