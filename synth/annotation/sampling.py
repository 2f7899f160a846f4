"""Sampling of rows for review: selection, order and assignment to people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import ceil
from typing import Any

from synth.annotation.filter_scales import doubt
from synth.core.checks import check_known, check_least, check_numbers, check_share
from synth.core.errors import ConfigError
from synth.core.records import Sample, digest, pseudo_random

STRATIFIED, DOUBTFUL = "stratified", "doubtful"
ORDERS = ("random", STRATIFIED, DOUBTFUL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Settings that select the rows to review.

    - `share` (above 0, at most 1) or `count`: number of rows; without either, all rows are selected.
    - `order`: "random", "stratified" (types, difficulties, topics and documents in the proportions of the set) or
      "doubtful" (rows nearest to a filter's threshold first).
    - `per_item`: number of people who review each row.
    - `refused`: number of refused candidates to mix in, so that the review also measures what filters refuse.

    A larger `share`, `count` or `refused` selects the same rows and more.
    """

    share: float | None = None
    count: int | None = None
    order: str = STRATIFIED
    per_item: int = 1
    refused: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        check_numbers(self)
        if self.share is not None and self.count is not None:
            raise ConfigError("both a share and a number of rows to review are set; set only one of them")
        if self.share is not None:
            check_share("the share of rows to review", self.share)
        if self.count is not None:
            check_least("the number of rows to review", self.count, 1)
        check_known("the order", self.order, ORDERS)
        check_least("per_item", self.per_item, 1)

    def size(self, rows: int) -> int:
        """Return the number of rows to review in a set of `rows` rows."""
        if self.count is not None:
            return min(self.count, rows)
        if self.share is None:
            return rows
        # Rounding errors can lift a product above a whole number: 0.07 * 100 is 7.000000000000001.
        return min(rows, max(1, ceil(self.share * rows - 1e-9)))


def select(
    samples: Sequence[Sample],
    selection: Selection,
    thresholds: Mapping[str, Mapping[str, Any]],
    refused: Sequence[Sample] = (),
) -> list[Sample]:
    """Return the rows to review, in review order.

    `thresholds` maps each filter name to the settings of the filter. Up to `selection.refused` of the `refused`
    candidates are spread among the rows.
    """
    size = selection.size(len(samples))
    if selection.order == STRATIFIED:
        chosen = stratified(samples, selection.seed)[:size]
    elif selection.order == DOUBTFUL:
        ordered = _shuffled(samples, selection.seed)
        chosen = sorted(ordered, key=lambda sample: -doubt(sample, thresholds))[:size]
    else:
        chosen = _shuffled(samples, selection.seed)[:size]
    more = _shuffled(refused, selection.seed)[: selection.refused]
    return _mixed(chosen, more, selection.seed) if more else chosen


def stratified(samples: Sequence[Sample], seed: int) -> list[Sample]:
    """Order rows so that any number of rows from the start of the list has the proportions of the whole set.

    Strata are question types, within them difficulties, then topics, then documents. Each stratum is spread over the
    list by systematic sampling with a random start.
    """
    fields: tuple[Callable[[Sample], str], ...] = (
        lambda sample: sample.question_type,
        lambda sample: str(sample.metadata.get("difficulty", "")),
        lambda sample: str(sample.metadata.get("category", "")),
        lambda sample: sample.evidence[0].doc_id if sample.evidence else "",
    )
    return _spread(_shuffled(samples, seed), fields, str(seed))


def assign(samples: Sequence[Sample], annotators: Sequence[str], per_item: int) -> dict[str, list[Sample]]:
    """Assign each row to `per_item` people and return the rows of each person.

    People get equally many rows, and each two people share equally many, as far as possible. Raises ConfigError if
    there are too few people or a name occurs twice.
    """
    if len(set(annotators)) != len(annotators):
        raise ConfigError(f"an annotator occurs twice in {', '.join(annotators)}; name each person once")
    if per_item > len(annotators):
        raise ConfigError(
            f"each row needs {per_item} people, but {len(annotators)} are named; name more people or lower --per-item"
        )
    given: dict[str, list[Sample]] = {name: [] for name in annotators}
    together: Counter[tuple[str, str]] = Counter()
    for sample in samples:
        chosen: list[str] = []
        while len(chosen) < per_item:
            rest = [name for name in annotators if name not in chosen]
            chosen.append(min(rest, key=lambda name: _turn_key(name, chosen, given, together, sample.id)))
        for name in chosen:
            given[name].append(sample)
        together.update(combinations(sorted(chosen), 2))
    return given


def _turn_key(
    name: str,
    chosen: Sequence[str],
    given: Mapping[str, Sequence[Sample]],
    together: Counter[tuple[str, str]],
    sample_id: str,
) -> tuple[int, int, str]:
    """Return the sort key that picks the next person for a row; the lowest key wins.

    The key starts with the person's number of rows, then the number of rows shared with people in `chosen`. Last comes
    a pseudo-random value computed from the person's name and the row id.
    """
    shared = sum(together[min(other, name), max(other, name)] for other in chosen)
    return len(given[name]), shared, digest(name, sample_id)


def _shuffled(samples: Sequence[Sample], seed: int) -> list[Sample]:
    return sorted(samples, key=lambda sample: digest(seed, "review", sample.id))


def _spread(samples: list[Sample], fields: Sequence[Callable[[Sample], str]], path: str) -> list[Sample]:
    if not fields or len(samples) < 2:
        return samples
    strata: dict[str, list[Sample]] = {}
    for sample in samples:
        strata.setdefault(fields[0](sample), []).append(sample)
    placed: list[tuple[float, str, int, Sample]] = []
    for name, members in strata.items():
        inner = f"{path}/{name}"
        start = pseudo_random(inner)
        ordered = _spread(members, fields[1:], inner)
        placed += [((rank + start) / len(members), inner, rank, sample) for rank, sample in enumerate(ordered)]
    return [sample for *_, sample in sorted(placed, key=lambda item: item[:3])]


def _mixed(rows: Sequence[Sample], others: Sequence[Sample], seed: int) -> list[Sample]:
    """Merge two lists, keeping the order of each and spreading `others` evenly among the rows."""
    start = pseudo_random(seed, "mixed")
    keyed = [((rank + 0.5) / len(rows), 0, rank, sample) for rank, sample in enumerate(rows)]
    keyed += [((rank + start) / len(others), 1, rank, sample) for rank, sample in enumerate(others)]
    return [sample for *_, sample in sorted(keyed, key=lambda item: item[:3])]
