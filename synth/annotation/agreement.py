"""Agreement between annotators, per dimension and per pair, and the rows on which they disagree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING, Any

from synth.annotation.acceptance import deciding
from synth.annotation.records import ACCEPT, BEST, DIMENSIONS, EDIT, REJECT, SKIP, Annotation
from synth.core.notebook_table import NotebookTable, Tabular, three_digits
from synth.core.terminal import counted
from synth.evaluation.agreement_coefficients import cohen, fleiss, krippendorff, raw_agreement
from synth.evaluation.intervals import Estimate, statistic_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[Any]

DECISION = "decision"
KEPT = "kept"
SKEWED = 0.9
"""Minimum share of equal judgements at which a coefficient is unreliable, because chance agreement is close to 1."""

Table = Mapping[str, Mapping[str, int]]
"""Judgements by row id, then by annotator. A judgement is the index of its value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coefficient:
    """An agreement coefficient with its confidence interval.

    `rows` is the number of rows that the coefficient is computed from. `note` is a caution or the reason for a missing
    value; otherwise "".
    """

    name: str
    estimate: Estimate
    rows: int
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """Agreement on one dimension, such as the decision or a rating.

    `values` lists the possible values in order and `counts` the number of judgements per value. `rows` is the number of
    rows that at least two people judged. `note` says why there are no coefficients; "" if there are.
    """

    name: str
    values: tuple[str, ...]
    counts: Mapping[str, int]
    rows: int
    coefficients: tuple[Coefficient, ...]
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Agreement between two annotators on the rows that both judged."""

    first: str
    second: str
    raw: Coefficient
    kappa: Coefficient


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Agreement(Tabular):
    """Agreement between the annotators of a set.

    `annotators` maps each annotator to the number of decisions of each kind. `disputed` contains the rows without a
    majority: it maps the row id to the annotations by annotator. `settled` maps each person who settled disagreements
    to the number of rows that they decided.
    """

    annotators: Mapping[str, Mapping[str, int]]
    dimensions: tuple[Dimension, ...]
    pairs: tuple[Pair, ...]
    disputed: Mapping[str, Mapping[str, Annotation]]
    settled: Mapping[str, int]

    def notebook_table(self) -> NotebookTable:
        rows = [
            [
                dimension.name,
                one.name,
                *map(three_digits, (one.estimate.mean, one.estimate.low, one.estimate.high)),
                one.rows,
            ]
            for dimension in self.dimensions
            for one in dimension.coefficients
        ]
        people = ", ".join(f"{name} {sum(counts.values())}" for name, counts in self.annotators.items())
        note = f"decisions: {people or 'none yet'}; {counted(len(self.disputed), 'row')} to settle"
        note += "".join(f"; {counted(rows, 'row')} settled by {name}" for name, rows in self.settled.items())
        return NotebookTable(["of", "coefficient", "value", "from", "to", "rows"], rows, note)


def annotator_agreement(annotations: Sequence[Annotation], documents: Mapping[str, str], seed: int = 0) -> Agreement:
    """Return the agreement between annotators, without skipped rows and without adjudications.

    `documents` maps each row id to the document of its evidence. Intervals are computed with rows clustered by
    document. `seed` seeds the bootstrap.
    """
    decisions = [annotation for annotation in annotations if annotation.decision != SKIP]
    given = [annotation for annotation in decisions if not annotation.adjudicated]
    last = {annotation.sample_id: annotation.annotator for annotation in decisions if annotation.adjudicated}
    counts: dict[str, Counter[str]] = {}
    for annotation in given:
        counts.setdefault(annotation.annotator, Counter())[annotation.decision] += 1
    number = {name: n for n, name in enumerate(sorted(set(documents.values())))}
    clusters = {row: number[document] for row, document in documents.items()}
    decided = _table(given, lambda annotation: (ACCEPT, EDIT, REJECT).index(annotation.decision))
    kept = _table(given, lambda annotation: int(annotation.decision == REJECT))
    dimensions = [
        dimension(DECISION, (ACCEPT, EDIT, REJECT), decided, clusters, seed),
        dimension(KEPT, ("kept", REJECT), kept, clusters, seed),
    ]
    for name in DIMENSIONS:
        rated = _table([annotation for annotation in given if name in annotation.ratings], partial(_rating, name))
        if rated:
            levels = tuple(str(level) for level in range(1, BEST + 1))
            dimensions.append(dimension(name, levels, rated, clusters, seed, ordinal=True))
    return Agreement(
        annotators={name: dict(counts[name]) for name in sorted(counts)},
        dimensions=tuple(dimensions),
        pairs=tuple(_pairs(decided, sorted(counts), clusters, seed)),
        disputed=disputed(decisions),
        settled=dict(sorted(Counter(last.values()).items())),
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
    """Return the agreement on one dimension, computed from the rows that at least two people judged.

    `table` contains the judgements as indices into `values`. `clusters` maps a row id to the number of its cluster. A
    dimension is `ordinal` if its values are ordered, as ratings are.
    """
    import numpy as np

    rows = {row: judgements for row, judgements in table.items() if len(judgements) > 1}
    tally = Counter(value for judgements in table.values() for value in judgements.values())
    counted = {label: tally[n] for n, label in enumerate(values)}
    if not rows:
        people = {who for judgements in table.values() for who in judgements}
        why = (
            ("no judgements", "only one annotator")[len(people)]
            if len(people) < 2
            else "no row was judged by two people"
        )
        return Dimension(name=name, values=tuple(values), counts=counted, rows=0, coefficients=(), note=why)
    counts = np.zeros((len(rows), len(values)))
    for n, judgements in enumerate(rows.values()):
        for value in judgements.values():
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
    """Return the annotations of the rows to settle, by row id, then by annotator.

    A row is to be settled if no majority agrees on it and no adjudication decides it (`deciding`).
    """
    by_row: dict[str, list[Annotation]] = {}
    for annotation in annotations:
        by_row.setdefault(annotation.sample_id, []).append(annotation)
    return {
        row: {annotation.annotator: annotation for annotation in given}
        for row, given in by_row.items()
        if deciding(given) is None
    }


def _by_two_or_more(
    table: Table, values: int, counts: Floats, places: Sequence[int], rows: Sequence[str], seed: int
) -> Coefficient:
    """Return Cohen's kappa for two annotators, Fleiss' kappa for more.

    Fleiss' kappa needs the same number of judgements for every row. So only rows with the most frequent number of
    judgements are used.
    """
    import numpy as np

    people = sorted({who for judgements in table.values() for who in judgements})
    if len(people) == 2:
        first, second = (np.array([table[row][who] for row in rows]) for who in people)
        return _coefficient("Cohen's kappa", partial(cohen, first, second, values), counts, places, seed)
    judges = counts.sum(axis=1)
    most = max(Counter(judges.tolist()).items(), key=lambda counted: (counted[1], counted[0]))[0]
    full = judges == most
    note = "" if full.all() else f"computed from the rows with {int(most)} judgements"
    of = [place for place, kept in zip(places, full, strict=True) if kept]
    return _coefficient("Fleiss' kappa", partial(fleiss, counts[full]), counts[full], of, seed, note)


def _pairs(table: Table, people: Sequence[str], clusters: Mapping[str, int], seed: int) -> list[Pair]:
    import numpy as np

    pairs = []
    for first, second in combinations(people, 2):
        rows = [row for row, judgements in table.items() if first in judgements and second in judgements]
        if not rows:
            continue
        left, right = (np.array([table[row][who] for row in rows]) for who in (first, second))
        counts = np.eye(3)[left] + np.eye(3)[right]
        places = [clusters.get(row, n) for n, row in enumerate(rows)]
        pairs.append(
            Pair(
                first=first,
                second=second,
                raw=_coefficient("raw agreement", partial(raw_agreement, counts), counts, places, seed),
                kappa=_coefficient("Cohen's kappa", partial(cohen, left, right, 3), counts, places, seed),
            )
        )
    return pairs


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
        return "undefined: all judgements have the same value, so chance agreement is 1"
    if name == "raw agreement":
        return "not corrected for chance"
    if share >= SKEWED:
        return f"unreliable: {share:.0%} of the judgements have the same value, so a few rows decide the coefficient"
    if estimate.low is None:
        return "too few rows for an interval" if estimate.n < 3 else "no interval: all rows have the same agreement"
    return ""


def _rating(name: str, annotation: Annotation) -> int:
    return annotation.ratings[name] - 1


def _table(annotations: Sequence[Annotation], value: Callable[[Annotation], int]) -> dict[str, dict[str, int]]:
    table: dict[str, dict[str, int]] = {}
    for annotation in annotations:
        table.setdefault(annotation.sample_id, {})[annotation.annotator] = value(annotation)
    return table
