"""What a set is to hold how much of: rows by type and difficulty, and at most a share with each tag."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

from synth.core.records import UNANSWERABLE, Sample, nothing
from synth.generation.difficulty import LEVELS

Cell = tuple[str, str]
"""A question type and a level of difficulty."""


@dataclass(frozen=True, slots=True)
class Balance:
    """`cells` are the rows wanted of each type and level, {} when the level does not matter; `limits` the largest
    share of the rows, from 0 to 1, that may have a tag; `gentle` the same, where more may have it if rows are missing
    without them."""

    cells: Mapping[Cell, int] = field(default_factory=dict)
    limits: Mapping[str, float] = field(default_factory=nothing)
    gentle: Mapping[str, float] = field(default_factory=nothing)

    def enough(self, sample: Sample, taken: Mapping[Hashable, int]) -> str:
        """Why no more rows of a sample's cell are wanted, or ""."""
        cell = cell_of(sample)
        if not self.cells or cell[0] == UNANSWERABLE or taken.get(cell, 0) < self.cells.get(cell, 0):
            return ""
        return f"there are enough {' '.join(reversed(cell))} rows"

    def excess(self, sample: Sample, taken: Mapping[Hashable, int], rows: int) -> str:
        """Which limit a sample would break among `rows` rows and one more, or ""."""
        return _excess(self.limits, sample, taken, rows)

    def gentle_excess(self, sample: Sample, taken: Mapping[Hashable, int], rows: int) -> str:
        """Which limit that gives way a sample would break among `rows` rows and one more, or ""."""
        return _excess(self.gentle, sample, taken, rows)

    @staticmethod
    def counted(sample: Sample) -> list[Hashable]:
        """What a row counts as, for `enough` and `excess`."""
        return [cell_of(sample), *(("tag", tag) for tag in sample.metadata.get("tags", ()))]


def _excess(limits: Mapping[str, float], sample: Sample, taken: Mapping[Hashable, int], rows: int) -> str:
    for tag in sample.metadata.get("tags", ()):
        share = limits.get(tag, 1.0)
        if taken.get(("tag", tag), 0) + 1 > share * (rows + 1):
            return f"rows tagged '{tag}' have their share of the set ({share:.0%})"
    return ""


def cell_of(sample: Sample) -> Cell:
    """The type and the level of a sample."""
    return sample.question_type, str(sample.metadata.get("difficulty", ""))


def spread(wanted: Mapping[str, int], shares: Mapping[str, float]) -> dict[Cell, int]:
    """The rows of each cell: every type has the rows wanted, and all together have the `shares` of levels.

    Counts are by largest remainder; what one type cannot have by halves the next makes up for.
    """
    answerable = {kind: count for kind, count in wanted.items() if kind != UNANSWERABLE}
    left = _apportioned(shares, sum(answerable.values()))
    cells: dict[Cell, int] = {}
    for kind, count in answerable.items():
        mine = _apportioned(left, count)
        cells.update(((kind, level), rows) for level, rows in mine.items())
        left = {level: left[level] - rows for level, rows in mine.items()}
    return cells


def _apportioned(shares: Mapping[str, float], count: int) -> dict[str, int]:
    total = sum(shares.values()) or 1
    exact = {name: count * share / total for name, share in shares.items()}
    found = {name: int(value) for name, value in exact.items()}
    for name in sorted(exact, key=lambda name: found[name] - exact[name])[: count - sum(found.values())]:
        found[name] += 1
    return found


def moved(cells: Mapping[Cell, int], most: Mapping[Cell, int], *, freely: bool = False) -> dict[Cell, int]:
    """The cells with what exceeds `most` moved to where there is room, a cell that `most` does not name having no end.

    Every type keeps its rows, and every level too, by exchange among types; `freely` gives the levels up where there
    is no other way. What cannot be moved stays missing.
    """
    made = {cell: min(count, most.get(cell, count)) for cell, count in cells.items()}
    missing = {cell: count - made[cell] for cell, count in cells.items()}
    room = {cell: most.get(cell, 1 << 30) - made[cell] for cell in cells}
    for cell, count in missing.items():
        for _ in range(count):
            path = _exchange(cell, cells, made, room)
            if not path and not (freely and _elsewhere(cell[0], made, room)):
                break
            for turn, one in enumerate(path):
                step = 1 if turn % 2 == 0 else -1
                made[one] += step
                room[one] -= step
    return made


def _exchange(cell: Cell, cells: Mapping[Cell, int], made: Mapping[Cell, int], room: Mapping[Cell, int]) -> list[Cell]:
    """Cells that get a row and lose one, in turn, after which the type and the level of `cell` have one more.

    The shortest such list, [] when there is none: the augmenting path of a flow from types to levels.
    """
    kind, level = cell
    paths: list[list[Cell]] = [[one] for one in cells if one[0] == kind and room[one] > 0]
    seen = {path[-1][1] for path in paths}
    while paths:
        path = paths.pop(0)
        if path[-1][1] == level:
            return path
        for loser in (one for one in cells if one[1] == path[-1][1] and one[0] != path[-1][0] and made[one] > 0):
            for gainer in (one for one in cells if one[0] == loser[0] and room[one] > 0 and one[1] not in seen):
                seen.add(gainer[1])
                paths.append([*path, loser, gainer])
    return []


def _elsewhere(kind: str, made: dict[Cell, int], room: dict[Cell, int]) -> bool:
    """Give a type a row at the level with the most room; False when there is none."""
    free = [(kind, level) for level in LEVELS if room.get((kind, level), 0) > 0]
    if not free:
        return False
    best = max(free, key=lambda one: room[one])
    made[best] += 1
    room[best] -= 1
    return True
