"""How often the author and the judge of the bench server do what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Shares, and pairs of a value and how often it comes.

    `candidates` was read off 40 replies of a strong model to proposals/propose, 2026. All others are assumptions.
    """

    candidates: tuple[tuple[int, float], ...] = ((4, 32), (3, 3), (2, 3), (1, 1), (0, 1))
    types: tuple[tuple[str, float], ...] = (("simple", 0.6), ("reasoning", 0.2), ("conditional", 0.2))
    across: tuple[tuple[int, float], ...] = ((0, 0.55), (1, 0.45))  # on a path
    developed: tuple[tuple[int, float], ...] = ((0, 0.25), (1, 0.375), (2, 0.375))
    wrong: float = 0.08  # candidates that cite another sentence, or give another answer
    out_of_range: float = 0.03  # candidates that cite a sentence that is not there
    rambling: float = 0.04  # replies with reasoning before the JSON and a fence around it
    too_long: float = 0.03  # replies with an answer longer than the schema allows
    clear: float = 0.93
    natural: tuple[tuple[int, float], ...] = ((3, 0.2), (4, 0.6), (5, 0.2))
    matters: tuple[tuple[int, float], ...] = ((2, 0.1), (3, 0.4), (4, 0.4), (5, 0.1))
    known: float = 0.15  # questions that the judge claims to know the answer to; half of what it says is empty talk
    gap: float = 0.93  # sentences with a gap that are judged rightly, whether the word belongs there or not
    keeps: float = 0.92  # items that are kept, of those whose answer stands in the evidence
    refuses: float = 0.88  # items that are refused, of the others
    left_out: float = 0.01  # items of which nothing is said
    part: float = 0.15  # questions that are answered by a text with only a part of what they need
    turned: float = 0.30  # conditional questions with an answer, another one, for the opposite case


HONEST = Rates()
SURE = replace(
    HONEST,
    wrong=0,
    out_of_range=0,
    rambling=0,
    too_long=0,
    clear=1,
    gap=1,
    keeps=1,
    refuses=1,
    left_out=0,
    part=0,
    turned=0,
)
"""An author and a judge who never slip, for tests of everything else."""


def drawn(pairs: Sequence[tuple[T, float]], draw: Random) -> T:
    """One of some values, each as often as its pair says."""
    return draw.choices([value for value, _ in pairs], [share for _, share in pairs])[0]
