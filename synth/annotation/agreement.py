"""How far annotators agree: by dimension, by pair, and where they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from synth.annotation.records import ACCEPT, BEST, DIMENSIONS, EDIT, REJECT, SKIP, Annotation
from synth.evaluation.coefficients import cohen, fleiss, krippendorff, raw_agreement
from synth.evaluation.intervals import Estimate, statistic_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

DECISION = "decision"
KEPT = "kept"
SKEWED = 0.9
"""Share of one value from which on a coefficient says little: chance alone agrees nearly always."""

Table = Mapping[str, Mapping[str, int]]
"""What was judged of each row (by id), by annotator: the number of the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """A coefficient with its interval over `rows` rows; `note` says why it has no value, or how to read it."""

    name: str
    estimate: Estimate
    rows: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """The agreement on one thing that was judged: `values` in order, how often each was given, the coefficients."""

    name: str
    values: tuple[str, ...]
    counts: Mapping[str, int]
    rows: int
    coefficients: tuple[Coefficient, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """How two annotators agree on what to do with the rows that both judged."""

    first: str
    second: str
    raw: Coefficient
    kappa: Coefficient


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """All that can be said of how the annotators of a set agree.

    `annotators` counts the decisions of each; `disputed` holds, by row, what each said where they differ.
    """

    annotators: Mapping[str, Mapping[str, int]]
    dimensions: tuple[Dimension, ...]
    pairs: tuple[Pair, ...]
    disputed: Mapping[str, Mapping[str, Annotation]]


def agreement(annotations: Sequence[Annotation], documents: Mapping[str, str], seed: int = 0) -> Agreement:
    """The agreement of annotators on the rows of a set; skipped rows and adjudications do not count.

    `documents` gives, by row, the document its evidence is from: rows of one document are kept together when
    intervals are made.
    """
    said = [one for one in annotations if one.decision != SKIP and not one.adjudicated]
    counts: dict[str, Counter[str]] = {}
    for one in said:
        counts.setdefault(one.annotator, Counter())[one.decision] += 1
    number = {name: n for n, name in enumerate(sorted(set(documents.values())))}
    clusters = {row: number[document] for row, document in documents.items()}
    decided = _table(said, lambda one: (ACCEPT, EDIT, REJECT).index(one.decision))
    kept = _table(said, lambda one: int(one.decision == REJECT))
    dimensions = [
        dimension(DECISION, (ACCEPT, EDIT, REJECT), decided, clusters, seed),
        dimension(KEPT, ("kept", REJECT), kept, clusters, seed),
    ]
    for name in DIMENSIONS:
        rated = _table([one for one in said if name in one.ratings], partial(_rating, name))
        if rated:
            levels = tuple(str(level) for level in range(1, BEST + 1))
            dimensions.append(dimension(name, levels, rated, clusters, seed, ordinal=True))
    return Agreement(
        annotators={name: dict(counts[name]) for name in sorted(counts)},
        dimensions=tuple(dimensions),
        pairs=tuple(_pairs(decided, sorted(counts), clusters, seed)),
        disputed=disputed(said),
    )


def dimension(
    name: str,
    values: Sequence[str],
    table: Table,
    clusters: Mapping[str, int],
    seed: int = 0,
    *,
    ordinal: bool = False,
) -> Dimension:
    """The coefficients of one dimension, over the rows that at least two people judged."""
    import numpy as np

    rows = {row: given for row, given in table.items() if len(given) > 1}
    tally = Counter(value for given in table.values() for value in given.values())
    counted = {label: tally[n] for n, label in enumerate(values)}
    if not rows:
        people = {who for given in table.values() for who in given}
        why = (
            ("nothing was judged", "one annotator alone")[len(people)] if len(people) < 2 else "no row was judged twice"
        )
        return Dimension(name=name, values=tuple(values), counts=counted, rows=0, coefficients=(), note=why)
    counts = np.zeros((len(rows), len(values)))
    for n, given in enumerate(rows.values()):
        for value in given.values():
            counts[n, value] += 1
    places = [clusters.get(row, n) for n, row in enumerate(rows)]
    alpha = _coefficient(
        "Krippendorff's alpha" + (" (ordinal)" if ordinal else ""),
        partial(krippendorff, counts, ordinal=ordinal),
        counts,
        places,
        seed,
    )
    coefficients = [
        _coefficient("raw agreement", partial(raw_agreement, counts), counts, places, seed),
        _by_two_or_more(table, len(values), counts, places, list(rows), seed),
        alpha,
    ]
    return Dimension(name=name, values=tuple(values), counts=counted, rows=len(rows), coefficients=tuple(coefficients))


def disputed(annotations: Sequence[Annotation]) -> dict[str, dict[str, Annotation]]:
    """The rows on which people differ: one would do with them what another would not, or edits are not the same."""
    by_row: dict[str, dict[str, Annotation]] = {}
    for one in annotations:
        by_row.setdefault(one.sample_id, {})[one.annotator] = one
    return {
        row: given
        for row, given in by_row.items()
        if len({(one.decision, one.question, one.golden_answers) for one in given.values()}) > 1
    }


def _by_two_or_more(
    table: Table, values: int, counts: Floats, places: Sequence[int], rows: Sequence[str], seed: int
) -> Coefficient:
    """Cohen's kappa where there are two annotators, else Fleiss' over the rows that as many people judged."""
    import numpy as np

    people = sorted({who for given in table.values() for who in given})
    if len(people) == 2:
        first, second = (np.array([table[row][who] for row in rows]) for who in people)
        return _coefficient("Cohen's kappa", partial(cohen, first, second, values), counts, places, seed)
    judges = counts.sum(axis=1)
    most = max(Counter(judges.tolist()).items(), key=lambda one: (one[1], one[0]))[0]
    full = judges == most
    note = "" if full.all() else f"of the rows with {int(most)} judgements"
    of = [place for place, kept in zip(places, full, strict=True) if kept]
    return _coefficient("Fleiss' kappa", partial(fleiss, counts[full]), counts[full], of, seed, note)


def _pairs(table: Table, people: Sequence[str], clusters: Mapping[str, int], seed: int) -> list[Pair]:
    import numpy as np

    found = []
    for first, second in combinations(people, 2):
        rows = [row for row, given in table.items() if first in given and second in given]
        if not rows:
            continue
        mine, yours = (np.array([table[row][who] for row in rows]) for who in (first, second))
        counts = np.eye(3)[mine] + np.eye(3)[yours]
        places = [clusters.get(row, n) for n, row in enumerate(rows)]
        found.append(
            Pair(
                first=first,
                second=second,
                raw=_coefficient("raw agreement", partial(raw_agreement, counts), counts, places, seed),
                kappa=_coefficient("Cohen's kappa", partial(cohen, mine, yours, 3), counts, places, seed),
            )
        )
    return found


def _coefficient(
    name: str,
    statistic: Callable[..., Floats],
    counts: Floats,
    clusters: Sequence[int],
    seed: int,
    note: str = "",
) -> Coefficient:
    def weighted(weights: Floats) -> Floats:
        return statistic(weights=weights)

    estimate = statistic_of(weighted, clusters, seed)
    return Coefficient(name=name, estimate=estimate, rows=len(clusters), note=note or _caution(name, estimate, counts))


def _caution(name: str, estimate: Estimate, counts: Floats) -> str:
    share = float(counts.sum(axis=0).max() / counts.sum())
    if estimate.mean is None:
        return "undefined: everybody gave one and the same value, so chance alone agrees always"
    if name == "raw agreement":
        return "not corrected for chance"
    if share >= SKEWED:
        return f"{share:.0%} of the judgements are one value: a few rows decide the figure"
    if estimate.low is None:
        return "too few rows for an interval" if estimate.n < 3 else "no interval: every row says the same"
    return ""


def _rating(name: str, one: Annotation) -> int:
    return one.ratings[name] - 1


def _table(annotations: Sequence[Annotation], value: Callable[[Annotation], int]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for one in annotations:
        table.setdefault(one.sample_id, {})[one.annotator] = value(one)
    return table
