"""How a judge's numbers and people's decisions go together."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from synth.evaluation.intervals import LEVEL

ROUNDS = 1000


def kappa(people: Sequence[bool], judge: Sequence[bool]) -> float | None:
    """Cohen's kappa of two columns of decisions; None where both say the same of every row, or there is none."""
    n = len(people)
    if not n:
        return None
    agreed = sum(a == b for a, b in zip(people, judge, strict=True)) / n
    yes, says = sum(people) / n, sum(judge) / n
    chance = yes * says + (1 - yes) * (1 - says)
    return None if chance == 1 else (agreed - chance) / (1 - chance)


def auc(people: Sequence[bool], judge: Sequence[float]) -> float | None:
    """How often the judge puts a row that people accept above one they do not; None where there are not both."""
    yes = [value for value, one in zip(judge, people, strict=True) if one]
    no = [value for value, one in zip(judge, people, strict=True) if not one]
    if not yes or not no:
        return None
    ranks = _ranks([*yes, *no])
    return (sum(ranks[: len(yes)]) - len(yes) * (len(yes) + 1) / 2) / (len(yes) * len(no))


def spearman(left: Sequence[float], right: Sequence[float]) -> float | None:
    """The correlation of ranks; None where one of the columns is constant."""
    a, b = _ranks(left), _ranks(right)
    n = len(a)
    if n < 3:
        return None
    mean = (n + 1) / 2
    top = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    below = sum((x - mean) ** 2 for x in a) * sum((y - mean) ** 2 for y in b)
    return float(top / below**0.5) if below else None


def bootstrapped(n: int, statistic: Callable[[Sequence[int]], float | None], seed: int) -> tuple[float, float] | None:
    """The interval of a statistic of rows, by drawing rows anew; None where it is undefined in most draws."""
    rng = random.Random(f"{seed}:{n}")
    drawn = [statistic(rng.choices(range(n), k=n)) for _ in range(ROUNDS)] if n else []
    values = sorted(one for one in drawn if one is not None)
    if len(values) < ROUNDS / 2:
        return None
    at = (1 - LEVEL) / 2
    return values[int(at * len(values))], values[min(len(values) - 1, int((1 - at) * len(values)))]


def _ranks(values: Sequence[float]) -> list[float]:
    """Ranks from 1, the same for equal values."""
    order = sorted(range(len(values)), key=lambda i: values[i])
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in order[start : end + 1]:
            ranks[place] = (start + end) / 2 + 1
        start = end + 1
    return ranks
