"""What became of a question that was put in other words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reworded:
    """A question in other words; `changes` says of each what was said and what is said now."""

    question: str
    changes: tuple[tuple[str, str], ...]
