"""Plan of a run: the rows that a corpus can yield, by question type and topic, before anything is spent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.records import Scenario
from synth.generation.admission import SHARE, RunResult
from synth.generation.pipeline import quotas
from synth.generation.quotas import Cell, cell_of, moved
from synth.generation.row_topics import category
from synth.generation.writer import WriterContext


@dataclass(frozen=True, slots=True, kw_only=True)
class KindPlan:
    """Plan for one question type.

    `asked` is the number of requested rows, `scenarios` the number of scenarios. `reachable` is the number of rows that
    they yield, or None if only a paid run can tell. `topics` counts these rows by topic, or the scenarios if
    `reachable` is None. `lost` counts rejected candidates by stage. `levels` are the reachable rows by difficulty, or
    {} if unknown. `asked_levels` are the requested rows by difficulty, or {} if any level will do.
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
        """Upper bound of the rows."""
        return self.scenarios if self.reachable is None else self.reachable


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Plan(Tabular):
    """Plan of a run by question type. `nearest` are the reachable row counts closest to the requested ones."""

    kinds: Mapping[str, KindPlan]
    nearest: Mapping[str, int]

    def notebook_table(self) -> NotebookTable:
        rows = [
            [
                name,
                kind.asked,
                kind.scenarios,
                "?" if kind.reachable is None else kind.reachable,
                self.nearest.get(name),
            ]
            for name, kind in self.kinds.items()
        ]
        return NotebookTable(["type", "rows asked for", "scenarios", "rows at most", "nearest"], rows)

    @property
    def short_cells(self) -> Mapping[Cell, int]:
        """Missing rows by type and level, after rows were exchanged between types; {} if none is missing."""
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
        """Missing rows by question type."""
        return {name: kind.asked - kind.at_most for name, kind in self.kinds.items() if kind.at_most < kind.asked}


def plan(
    material: WriterContext,
    scenarios: Mapping[str, Sequence[Scenario]],
    asked: Mapping[str, int],
    cells: Mapping[Cell, int],
    trials: Sequence[RunResult] = (),
) -> Plan:
    """Return the plan for the rows `asked` of each type.

    `scenarios` are the scenarios of each type. `cells` are the requested rows by type and level, {} if any level will
    do. `trials` are results of runs without cost. For each type, the trial with the most rows counts.
    """
    kinds = {}
    for name, count in asked.items():
        places = scenarios.get(name, ())
        levels = {level: rows for (kind, level), rows in cells.items() if kind == name}
        if not trials:
            chunk_ids = (s.chunk_ids[0] for s in places if s.chunk_ids)
            topics = Counter(category(chunk_id, material.corpus, material.graph) for chunk_id in chunk_ids)
            kinds[name] = KindPlan(
                asked=count,
                scenarios=len(places),
                reachable=None,
                topics=dict(topics.most_common()),
                asked_levels=levels,
            )
            continue
        best = max(trials, key=lambda trial: trial.funnel.get(name, {}).get("kept", 0))
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
    """Return the rows of a type by level. Each count is the largest that any of the trials could have."""
    most: Counter[str] = Counter()
    for trial in trials:
        most |= Counter({level: rows for (name, level), rows in available(trial).items() if name == kind and level})
    return dict(sorted(most.items()))


def available(outcome: RunResult) -> Counter[Cell]:
    """Return the rows of a run by type and level, including valid candidates that it did not need."""
    spare = (item.sample for item in outcome.rejected if item.sample and item.stage == SHARE)
    return Counter(map(cell_of, (*outcome.samples, *spare)))


def exhausted(outcome: RunResult, cells: Mapping[Cell, int]) -> dict[Cell, int]:
    """Return the available rows by type and level, for the types with too few rows of some level."""
    rows, most = Counter(map(cell_of, outcome.samples)), available(outcome)
    short = {cell[0] for cell, count in cells.items() if rows[cell] < count}
    return {cell: most[cell] for cell in cells if cell[0] in short}


def nearest(asked: Mapping[str, int], reachable: Mapping[str, int]) -> dict[str, int]:
    """Return the reachable counts closest to `asked`. Missing rows go to the types with the most rows to spare.

    The sum is the sum of `asked`, or the sum of `reachable` if that is smaller.
    """
    counts = {name: min(count, reachable.get(name, 0)) for name, count in asked.items()}
    missing = sum(asked.values()) - sum(counts.values())
    for name in sorted(counts, key=lambda name: counts[name] - reachable.get(name, 0)):
        more = min(missing, reachable.get(name, 0) - counts[name])
        counts[name] += more
        missing -= more
    return counts


def nearer(outcome: RunResult) -> Mapping[str, int] | None:
    """Return the counts to request in a second run if rows are missing; None if a second run cannot help.

    A type that fell short keeps the rows it got. The missing rows go to the other types, in proportion to their counts.
    """
    short = outcome.shortfall
    full = {kind: count for kind, count in outcome.wanted.items() if count and kind not in short}
    if not short or not full:
        return None
    more = quotas(full, sum(short.values()))
    return {kind: count - short.get(kind, 0) + more.get(kind, 0) for kind, count in outcome.wanted.items()}
