"""Filters that score on a scale with one threshold, and the margin of a row to that threshold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synth.core.records import Sample


@dataclass(frozen=True, slots=True)
class Scale:
    """Scale of a filter's score: `setting` is its threshold, `best` the score of a certain row.

    A row passes when its score is on the side of `best` of the threshold, or on it. The score is `offset` above
    the unit of the setting.
    """

    setting: str
    best: float
    offset: float = 0.0
    whole: bool = False

    @property
    def rising(self) -> bool:
        """True if a higher score is better."""
        return self.setting.startswith("min_")

    def passes(self, score: float, threshold: float) -> bool:
        """True if a row with `score` passes at the setting `threshold`."""
        limit = threshold + self.offset
        return score >= limit if self.rising else score <= limit

    def margin(self, score: float, threshold: float) -> float:
        """The relative distance of a score from the threshold: 0 on it, 1 at the best score."""
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
"""The filters that compare their score with one setting."""


def scores(sample: Sample) -> dict[str, float]:
    """The scores of a row under the filters of `SCALES`."""
    return {v.filter: v.score for v in sample.verdicts if v.filter in SCALES and v.score is not None}


def doubt(sample: Sample, thresholds: Mapping[str, Mapping[str, Any]]) -> float:
    """The doubt about a row: 1 on a threshold, 0 where every filter was certain or none has a scale."""
    margins = [
        SCALES[filter_].margin(score, float(thresholds[filter_][SCALES[filter_].setting]))
        for filter_, score in scores(sample).items()
        if SCALES[filter_].setting in thresholds.get(filter_, {})
    ]
    return max(0.0, 1.0 - min(margins, default=1.0))
