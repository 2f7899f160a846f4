"""Check of a metric against pinned values, for the tests of metrics here and in other packages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isclose

from synth.core.records import Response
from synth.evaluation.metrics.base import Case, Metric

_FIELDS = ("answer", "retrieved", "contexts", "tool_calls")


def check_metric(metric: Metric, case: Case, values: Mapping[str, float | None], *, version: int) -> None:
    """Assert that a metric gives the pinned values for a case and keeps the rules of metrics.

    `values` has every column of the metric, None where there is no value; `version` is the version they were pinned
    with. The rules: numbers from 0 to 1, `needs` names a field of a response, the docstring has a first line, and an
    empty response gives scores and no exception. Raises AssertionError with the reason.
    """
    name = metric.name
    assert metric.version == version, f"{name} has version {metric.version}: pin its values again"
    assert metric.needs in _FIELDS, f"needs of {name} must be one of {', '.join(_FIELDS)}, was '{metric.needs}'"
    assert metric.definition(), f"{name} needs a docstring: its first line is the definition in reports"
    assert set(values) == set(metric.columns), f"the columns of {name} are {', '.join(metric.columns)}"
    scores = metric.scores([case])[0]
    for score in [*scores, *metric.scores([replace(case, response=Response(sample_id=case.item.id))])[0]]:
        assert not score.reason.startswith("failed: "), f"{score.metric} raises an error: {score.reason}"
        assert score.value is None or 0 <= score.value <= 1, f"{score.metric} is {score.value}, not from 0 to 1"
    for score in scores:
        pinned = values[score.metric]
        equal = isclose(score.value, pinned, abs_tol=1e-9) if score.value is not None and pinned is not None else False
        assert equal or score.value is pinned, (
            f"{score.metric} is {score.value}, pinned is {pinned}: raise `version` if the change is meant, else fix it"
        )
