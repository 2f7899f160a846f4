"""What a rewording is, whatever the language."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reworded:
    """A question in other words; `changes` are what was said, and what is said now in its place, in order."""

    question: str
    changes: tuple[tuple[str, str], ...]
