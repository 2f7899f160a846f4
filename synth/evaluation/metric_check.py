"""Check of a metric against pinned values, for tests of metrics in this package and in plug-ins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from math import isclose

from synth.core.records import Response
from synth.evaluation.metrics.base import Case, Metric

_FIELDS = tuple(field.name for field in fields(Response) if field.name != "sample_id")


def check_metric(metric: Metric, case: Case, values: Mapping[str, float | None], *, version: int) -> None:
    """Assert that a metric returns the pinned values for a case and follows the rules for metrics.

    `values` must contain every column of the metric, None for no value. `version` is the metric version that the values
    were pinned with. The rules:

    - Values are from 0 to 1.
    - `needs` is a field of a response.
    - The class has its own docstring.
    - An empty response raises no error.

    Raises AssertionError with the reason.
    """
    name = metric.name
    assert metric.version == version, (
        f"{name} has version {metric.version}, but the values were pinned with version {version}; pin them again"
    )
    assert metric.needs in _FIELDS, f"needs of {name} must be one of {', '.join(_FIELDS)}, was '{metric.needs}'"
    assert metric.definition(), f"{name} needs a docstring; reports show its first line as the definition"
    assert set(values) == set(metric.columns), f"values must contain all columns of {name}: {', '.join(metric.columns)}"
    scores = metric.scores([case])[0]
    for score in [*scores, *metric.scores([replace(case, response=Response(sample_id=case.item.id))])[0]]:
        assert not score.reason.startswith("failed: "), f"{score.metric} raises an error: {score.reason}"
        assert score.value is None or 0 <= score.value <= 1, f"{score.metric} is {score.value}, must be from 0 to 1"
    for score in scores:
        value, pinned = score.value, values[score.metric]
        same = value == pinned if value is None or pinned is None else isclose(value, pinned, abs_tol=1e-9)
        assert same, (
            f"{score.metric} is {value}, but {pinned} is pinned; raise `version` if intended, otherwise fix the metric"
        )
