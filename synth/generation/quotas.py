"""Quotas of a set: rows by type and difficulty, and maximum shares of tags."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from synth.core.records import UNANSWERABLE, Sample, empty_mapping
from synth.generation.difficulty import LEVELS

Cell = tuple[str, str]
"""A question type and a level of difficulty."""


@dataclass(frozen=True, slots=True)
class Balance:
    """Wanted rows by type and level, and limits of tags.

    `cells` is {} if any level will do. `limits` maps a tag to the maximum share of rows, from 0 to 1, that may have it.
    `gentle` limits are lifted when rows are missing.
    """

    cells: Mapping[Cell, int] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=empty_mapping)
    gentle: Mapping[str, float] = field(default_factory=empty_mapping)

    def enough(self, sample: Sample, taken: Mapping[Hashable, int]) -> str:
        """Return why no more rows of the type and level of `sample` are needed, or "" if they are."""
        cell = cell_of(sample)
        if not self.cells or cell[0] == UNANSWERABLE or taken.get(cell, 0) < self.cells.get(cell, 0):
            return ""
        return f"there are enough {' '.join(reversed(cell))} rows"

    def excess(self, sample: Sample, taken: Mapping[Hashable, int], rows: int) -> str:
        """Return the limit of a tag that `sample` would exceed as one more row, or "" if none.

        `taken` counts the existing rows by tag, and `rows` is their number.
        """
        return _excess(self.limits, sample, taken, rows)

    def gentle_excess(self, sample: Sample, taken: Mapping[Hashable, int], rows: int) -> str:
        """Return the gentle limit of a tag that `sample` would exceed as one more row, or "" if none."""
        return _excess(self.gentle, sample, taken, rows)

    def missing(self, taken: Mapping[Hashable, int]) -> dict[Cell, int]:
        """Return the missing rows by type and level, without complete cells; {} if any level will do."""
        short = {cell: rows - taken.get(cell, 0) for cell, rows in self.cells.items()}
        return {cell: rows for cell, rows in short.items() if rows > 0}

    @staticmethod
    def counted(sample: Sample) -> list[Hashable]:
        """Return the cell and the tags that a row counts towards."""
        return [cell_of(sample), *(("tag", tag) for tag in sample.metadata.get("tags", ()))]


def _excess(limits: Mapping[str, float], sample: Sample, taken: Mapping[Hashable, int], rows: int) -> str:
    for tag in sample.metadata.get("tags", ()):
        share = limits.get(tag, 1.0)
        if taken.get(("tag", tag), 0) + 1 > share * (rows + 1):
            return f"rows tagged '{tag}' have reached their share of the set ({share:.0%})"
    return ""


def cell_of(sample: Sample) -> Cell:
    """Return the question type and the difficulty level of a sample."""
    return sample.question_type, str(sample.metadata.get("difficulty", ""))


def spread(wanted: Mapping[str, int], shares: Mapping[str, float]) -> dict[Cell, int]:
    """Return the wanted rows of each cell (type and level).

    Each type gets its `wanted` rows, and all rows together have the `shares` of levels. Counts are rounded by largest
    remainder, and each type makes up for the rounding of the previous type. Unanswerable rows have no level. Questions
    over several passages are never easy, so other types get the easy rows as far as possible.
    """
    answerable = {kind: count for kind, count in wanted.items() if kind != UNANSWERABLE}
    left = _apportioned(shares, sum(answerable.values()))
    cells: dict[Cell, int] = {(kind, level): 0 for kind in answerable for level in left}
    for kind in sorted(answerable, key=lambda kind: all(is_possible((kind, level)) for level in left)):
        others = {level: rows for level, rows in left.items() if is_possible((kind, level))}
        by_level = _apportioned(others if sum(others.values()) >= answerable[kind] else left, answerable[kind])
        cells.update(((kind, level), rows) for level, rows in by_level.items())
        left = {level: rows - by_level.get(level, 0) for level, rows in left.items()}
    return cells


def is_possible(cell: Cell) -> bool:
    """Return whether questions of a type can have a level. A question over several passages cannot be easy."""
    return cell != ("multi_context", LEVELS[0])


def _apportioned(shares: Mapping[str, float], count: int) -> dict[str, int]:
    total = sum(shares.values()) or 1
    exact = {name: count * share / total for name, share in shares.items()}
    counts = {name: int(value) for name, value in exact.items()}
    for name in sorted(exact, key=lambda name: counts[name] - exact[name])[: count - sum(counts.values())]:
        counts[name] += 1
    return counts


def moved(cells: Mapping[Cell, int], most: Mapping[Cell, int], *, freely: bool = False) -> dict[Cell, int]:
    """Return the rows of each cell (type and level) after rows above the maximum of a cell were moved to other cells.

    `most` is the maximum of each cell. A cell without an entry has no maximum. Types exchange rows, so that every type
    and every level keeps its number of rows. If `freely`, a row that cannot be exchanged moves to another level of its
    type. Rows that cannot be moved are missing from the result.
    """
    filled = {cell: min(count, most.get(cell, count)) for cell, count in cells.items()}
    missing = {cell: count - filled[cell] for cell, count in cells.items()}
    room = {cell: most.get(cell, 1 << 30) - filled[cell] for cell in cells}
    for cell, count in missing.items():
        for _ in range(count):
            path = _exchange(cell, cells, filled, room)
            if not path and not (freely and _elsewhere(cell[0], filled, room)):
                break
            for turn, step_cell in enumerate(path):
                step = 1 if turn % 2 == 0 else -1
                filled[step_cell] += step
                room[step_cell] -= step
    return filled


def _exchange(
    cell: Cell, cells: Mapping[Cell, int], filled: Mapping[Cell, int], room: Mapping[Cell, int]
) -> list[Cell]:
    """Return a chain of cells for an exchange of rows, or [] if there is none.

    The first cell gains a row, the second cell loses a row, and so on. As a result, the type of `cell` and the level of
    `cell` each have one row more. The chain is the shortest augmenting path of a flow from types to levels.
    """
    kind, level = cell
    paths: list[list[Cell]] = [[start] for start in cells if start[0] == kind and room[start] > 0]
    seen = {path[-1][1] for path in paths}
    while paths:
        path = paths.pop(0)
        if path[-1][1] == level:
            return path
        for loser in (c for c in cells if c[1] == path[-1][1] and c[0] != path[-1][0] and filled[c] > 0):
            for gainer in (c for c in cells if c[0] == loser[0] and room[c] > 0 and c[1] not in seen):
                seen.add(gainer[1])
                paths.append([*path, loser, gainer])
    return []


def _elsewhere(kind: str, filled: dict[Cell, int], room: dict[Cell, int]) -> bool:
    """Add a row of a type at the level with the most room. Return False if no level has room."""
    free = [(kind, level) for level in LEVELS if room.get((kind, level), 0) > 0]
    if not free:
        return False
    best = max(free, key=room.__getitem__)
    filled[best] += 1
    room[best] -= 1
    return True
