"""Which filters score on a scale with one threshold, so that it can be said how near a row came to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from synth.core.records import Sample


@dataclass(frozen=True, slots=True)
class Scale:
    """What a filter's score means: `setting` is its threshold, `best` the score of a row without doubt.

    A row passes when its score is on the side of `best` of the threshold, or on it. The score is `offset` above
    what the setting counts.
    """

    setting: str
    best: float
    offset: float = 0.0
    whole: bool = False

    @property
    def rising(self) -> bool:
        """Whether more is better."""
        return self.setting.startswith("min_")

    def passes(self, score: float, threshold: float) -> bool:
        """Whether a row with `score` passes at the setting `threshold`."""
        limit = threshold + self.offset
        return score >= limit if self.rising else score <= limit

    def margin(self, score: float, threshold: float) -> float:
        """How far from the threshold a score is: 0 on it, 1 at the best score there is."""
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
"""The filters whose verdict is their score against one setting."""


def scores(sample: Sample) -> dict[str, float]:
    """The scores of a row under the filters of `SCALES`."""
    return {v.filter: v.score for v in sample.verdicts if v.filter in SCALES and v.score is not None}


def doubt(sample: Sample, thresholds: Mapping[str, Mapping[str, Any]]) -> float:
    """How near the row came to being refused: 1 on a threshold, 0 where every filter was sure or none has a scale."""
    margins = [
        SCALES[filter_].margin(score, float(thresholds[filter_][SCALES[filter_].setting]))
        for filter_, score in scores(sample).items()
        if SCALES[filter_].setting in thresholds.get(filter_, {})
    ]
    return max(0.0, 1.0 - min(margins, default=1.0))
