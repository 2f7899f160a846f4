"""Numbers and dates of the golden answer in the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from synth.evaluation.measuring.answer_normalisation import number_values
from synth.evaluation.metrics.base import NO_ANSWERS, Case, Metric, Undefined, Value
from synth.text.dates import find_dates


@dataclass(frozen=True)
class NumbersRight(Metric):
    """Share of the golden answer's numbers and dates, by value, that the answer has: 三千五百 is 3,500."""

    name = "numbers_right"
    needs = "answer"
    version = 2

    def measure(self, case: Case) -> Mapping[str, Value]:
        if not case.item.golden_answers:
            return {self.name: NO_ANSWERS}
        shares = [self._share(case.answer, golden, case.language) for golden in case.item.golden_answers]
        defined = [share for share in shares if share is not None]
        return {self.name: max(defined) if defined else Undefined("the golden answer has no number")}

    def _share(self, answer: str, golden: str, language: str) -> float | None:
        dates, numbers = _dates_and_numbers(golden, language)
        if not dates and not numbers:
            return None
        given_dates, given_numbers = _dates_and_numbers(answer, language)
        # A number may also stand inside a date of the answer.
        given_numbers |= number_values(answer)
        hits = len(dates & given_dates) + len(numbers & given_numbers)
        return hits / (len(dates) + len(numbers))


@lru_cache(maxsize=2048)
def _dates_and_numbers(text: str, language: str) -> tuple[frozenset[Any], frozenset[Any]]:
    """The dates of a text that are more than a number, and the numbers outside of them, by value."""
    dates, rest = set(), text
    for date in reversed(find_dates(text, language)):
        if len(number_values(text[date.start : date.end])) != 1:
            dates.add(date.value)
            rest = f"{rest[: date.start]} {rest[date.end :]}"
    return frozenset(dates), number_values(rest)
