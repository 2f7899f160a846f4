"""Recalibration of filter thresholds from people's decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from synth.annotation.acceptance import RowDecision
from synth.annotation.filter_scales import SCALES, Scale, scores
from synth.annotation.records import REJECT
from synth.evaluation.intervals import CONFIDENCE, critical_value, wilson

FEWEST = 20
"""Minimum number of scored and decided rows for a proposal."""

_MOST_TRIED = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdProposal:
    """Proposed threshold of a filter.

    `current` is the present threshold, `proposed` the new one, and `rows` the number of decided rows with a score.

    A new threshold changes the outcome of some rows: `agreeing` counts those whose new outcome agrees with people,
    `disagreeing` the others. `clear` marks a significant improvement. `precision_before` and `precision_after` are the
    shares of passed rows that people keep; None if no row passes. `note` says why there is no clear proposal.
    """

    filter_name: str
    setting: str
    current: float
    proposed: float
    rows: int
    agreeing: int = 0
    disagreeing: int = 0
    precision_before: float | None = None
    precision_after: float | None = None
    clear: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Point:
    score: float
    good: bool


def recalibrate(
    passed: Sequence[RowDecision],
    refused: Sequence[RowDecision],
    refused_by: Mapping[str, str],
    refused_scores: Mapping[str, float],
    thresholds: Mapping[str, Mapping[str, Any]],
) -> list[ThresholdProposal]:
    """Propose for each filter in `SCALES` the threshold that agrees with the most decisions of people.

    A filter agrees with people if it passes rows that they accept or edit, and refuses rows that they reject.
    `refused_by` maps the id of a refused candidate to the filter that refused it, `refused_scores` to its score.
    Whether a later filter would also have refused the candidate is unknown. Among equally good thresholds, the one
    nearest to the present threshold is proposed.
    """
    return [
        _proposal(filter_, scale, _points(filter_, passed, refused, refused_by, refused_scores), thresholds[filter_])
        for filter_, scale in SCALES.items()
        if scale.setting in thresholds.get(filter_, {})
    ]


def _points(
    filter_: str,
    passed: Sequence[RowDecision],
    refused: Sequence[RowDecision],
    refused_by: Mapping[str, str],
    refused_scores: Mapping[str, float],
) -> list[_Point]:
    points = [
        _Point(scores(row.sample)[filter_], row.decision != REJECT)
        for row in passed
        if row.decided and filter_ in scores(row.sample)
    ]
    points += [
        _Point(refused_scores[row.sample.id], row.decision != REJECT)
        for row in refused
        if row.decided and refused_by.get(row.sample.id) == filter_ and row.sample.id in refused_scores
    ]
    return points


def _proposal(filter_: str, scale: Scale, points: Sequence[_Point], settings: Mapping[str, Any]) -> ThresholdProposal:
    now = float(settings[scale.setting])
    here = ThresholdProposal(filter_name=filter_, setting=scale.setting, current=now, proposed=now, rows=len(points))
    if len(points) < FEWEST:
        return replace(
            here, note=f"only {len(points)} decided rows have a score, at least {FEWEST} needed; review more rows"
        )
    before = _precision(scale, points, now)
    tried = _candidates(scale, points, now)
    best = max(tried, key=lambda limit: (_agreed(scale, points, limit), -abs(limit - now)))
    if best == now:
        return replace(here, precision_before=before, precision_after=before, note="the present threshold is the best")
    changed = [p for p in points if scale.passes(p.score, now) != scale.passes(p.score, best)]
    right = sum(p.good == scale.passes(p.score, best) for p in changed)
    # The best of many thresholds is partly chance, so the significance level is divided by their number (Bonferroni).
    clear = wilson(right / len(changed), len(changed), critical_value(1 - (1 - CONFIDENCE) / len(tried)))[0] > 0.5
    return replace(
        here,
        proposed=best,
        agreeing=right,
        disagreeing=len(changed) - right,
        precision_before=before,
        precision_after=_precision(scale, points, best),
        clear=clear,
        note="" if clear else "the gain is not significant; review more rows",
    )


def _candidates(scale: Scale, points: Sequence[_Point], now: float) -> list[float]:
    """Return the thresholds to try: the present one, and the midpoints between adjacent scores.

    If thresholds must be whole numbers, the scores replace the midpoints.
    """
    met = sorted({p.score - scale.offset for p in points})
    if scale.whole:
        return [now, *(value for value in met if value >= 0)]
    between = [round((low + high) / 2, 4) for low, high in pairwise(met)]
    step = max(1, len(between) // _MOST_TRIED)
    return [now, *between[::step]]


def _agreed(scale: Scale, points: Sequence[_Point], limit: float) -> int:
    return sum(p.good == scale.passes(p.score, limit) for p in points)


def _precision(scale: Scale, points: Sequence[_Point], limit: float) -> float | None:
    kept = [p.good for p in points if scale.passes(p.score, limit)]
    return sum(kept) / len(kept) if kept else None


def as_toml(proposals: Sequence[ThresholdProposal]) -> str:
    """Return the clear proposals as settings for `--config`."""
    lines = ["[filters]"]
    for proposal in proposals:
        if proposal.clear:
            value = int(proposal.proposed) if SCALES[proposal.filter_name].whole else proposal.proposed
            lines.append(f"{proposal.filter_name} = {{ {proposal.setting} = {value} }}")
    return "\n".join(lines) + "\n"
