"""Check of a metric against pinned values, for the tests of metrics here and in other packages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from math import isclose

from synth.core.records import Response
from synth.evaluation.metrics.base import Case, Metric

_FIELDS = tuple(field.name for field in fields(Response) if field.name != "sample_id")


def check_metric(metric: Metric, case: Case, values: Mapping[str, float | None], *, version: int) -> None:
    """Assert that a metric gives the pinned values for a case and follows the rules for metrics.

    `values` has every column of the metric, None where there is no value; `version` is the version they were pinned
    with. The rules: numbers from 0 to 1, `needs` names a field of a response, the class has a docstring of its own,
    and an empty response gives scores and no exception. Raises AssertionError with the reason.
    """
    name = metric.name
    assert metric.version == version, (
        f"{name} has version {metric.version}, the values were pinned with {version}: pin them again"
    )
    assert metric.needs in _FIELDS, f"needs of {name} must be one of {', '.join(_FIELDS)}, was '{metric.needs}'"
    assert metric.definition(), f"{name} needs a docstring: its first line is the definition in reports"
    assert set(values) == set(metric.columns), f"the columns of {name} are {', '.join(metric.columns)}"
    scores = metric.scores([case])[0]
    for score in [*scores, *metric.scores([replace(case, response=Response(sample_id=case.item.id))])[0]]:
        assert not score.reason.startswith("failed: "), f"{score.metric} raises an error: {score.reason}"
        assert score.value is None or 0 <= score.value <= 1, f"{score.metric} is {score.value}, not from 0 to 1"
    for score in scores:
        value, pinned = score.value, values[score.metric]
        same = value == pinned if value is None or pinned is None else isclose(value, pinned, abs_tol=1e-9)
        assert same, (
            f"{score.metric} is {value}, pinned is {pinned}: raise `version` if the change is meant, else fix it"
        )
