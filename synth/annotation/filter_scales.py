"""Filters that compare a score with one threshold, and how close a row is to that threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synth.core.records import Sample


@dataclass(frozen=True, slots=True)
class Scale:
    """Scale of a filter's score.

    `setting` is the name of the threshold setting. `best` is the best possible score. A row passes if its score is
    equal to the threshold plus `offset`, or better. `whole` marks a threshold that must be a whole number.
    """

    setting: str
    best: float
    offset: float = 0.0
    whole: bool = False

    @property
    def rising(self) -> bool:
        """Whether a higher score is better."""
        return self.setting.startswith("min_")

    def passes(self, score: float, threshold: float) -> bool:
        """Return whether a row with `score` passes if the setting is `threshold`."""
        limit = threshold + self.offset
        return score >= limit if self.rising else score <= limit

    def margin(self, score: float, threshold: float) -> float:
        """Return the relative distance between a score and the threshold: 0 at the threshold, 1 at the best score."""
        limit = threshold + self.offset
        return abs(score - limit) / max(abs(self.best - limit), 1e-9)


SCALES: Mapping[str, Scale] = {
    "grounded": Scale("min_recall", 1.0),
    "answerable": Scale("min_fit", 1.0),
    "judged": Scale("min_natural", 5.0, whole=True),
    "leaked_answer": Scale("max_share", 0.0),
    "specific": Scale("max_rivals", 1.0, offset=1.0, whole=True),
    "unanswered": Scale("max_share", 0.0),
}
"""Scales of the filters that compare their score with one threshold, by filter name."""


def scores(sample: Sample) -> dict[str, float]:
    """Return the scores of a row by filter, for the filters in `SCALES`."""
    return {v.filter: v.score for v in sample.verdicts if v.filter in SCALES and v.score is not None}


def doubt(sample: Sample, thresholds: Mapping[str, Mapping[str, Any]]) -> float:
    """Return how close a row is to being refused, from 0 (far) to 1 (a score is at its threshold).

    It is 0 if all scores are best, or if no filter of the row is in `SCALES`. `thresholds` maps each filter name to the
    settings of the filter.
    """
    margins = [
        SCALES[filter_].margin(score, float(thresholds[filter_][SCALES[filter_].setting]))
        for filter_, score in scores(sample).items()
        if SCALES[filter_].setting in thresholds.get(filter_, {})
    ]
    return max(0.0, 1.0 - min(margins, default=1.0))
