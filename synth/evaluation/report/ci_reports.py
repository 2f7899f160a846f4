"""Threshold checks for continuous integration: JUnit XML and a Markdown summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from synth.evaluation.evaluation import Evaluation
from synth.evaluation.intervals import Estimate
from synth.evaluation.threshold_checks import FAILED, INCONCLUSIVE, PASSED, Check

_MARKS = {PASSED: "✅", FAILED: "❌", INCONCLUSIVE: "❔"}


def junit(checks: Sequence[Check]) -> str:
    """One test case a threshold; one that is missed is a failure, one that cannot be told an error."""
    counts = {decision: sum(one.decision == decision for one in checks) for decision in _MARKS}
    head = (
        f'<testsuite name="synth evaluate" tests="{len(checks)}" failures="{counts[FAILED]}" '
        f'errors="{counts[INCONCLUSIVE]}" skipped="0">'
    )
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *map(_case, checks), "</testsuite>", ""])


def _case(one: Check) -> str:
    name = f'  <testcase classname="synth.evaluation.threshold_checks" name={quoteattr(f"{one.name} >= {one.least:g}")}'
    if one.decision == PASSED:
        return f"{name}><system-out>{escape(one.says)}</system-out></testcase>"
    kind = "failure" if one.decision == FAILED else "error"
    return f"{name}><{kind} type={quoteattr(one.decision)} message={quoteattr(one.says)}/></testcase>"


def markdown(evaluation: Evaluation, checks: Sequence[Check], settings: Mapping[str, object]) -> str:
    """What was decided and what was measured, as tables of Markdown."""
    worst = next((d for d in (FAILED, INCONCLUSIVE) if any(c.decision == d for c in checks)), PASSED)
    lines = [f"## synth evaluate{f': {_MARKS[worst]} {worst}' if checks else ''}", ""]
    if checks:
        lines += ["| threshold | at least | mean | 95 % interval | rows | |", "| --- | --- | --- | --- | --- | --- |"]
        lines += [
            f"| {_cell(c.name)} | {c.least:g} | {_found(c.estimate)} | {c.estimate.n} | {_decided(c)} |" for c in checks
        ]
        lines.append("")
    lines += ["| metric | mean | 95 % interval | rows |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {_cell(name)} | {_found(one.estimate)} | {one.estimate.n} of {one.of} |"
        for name, one in evaluation.metrics.items()
        if one.estimate.n
    ]
    missing = f"{len(evaluation.missing)} of {evaluation.rows} rows have no response and count as empty. "
    told = ", ".join(f"{name} {value}" for name, value in settings.items() if isinstance(value, str | int | float))
    return "\n".join([*lines, "", (missing if evaluation.missing else "") + f"Measured with: {told}.", ""])


def _found(one: Estimate) -> str:
    if one.mean is None:
        return "- | -"
    interval = "-" if one.low is None or one.high is None else f"{one.low:.3f} to {one.high:.3f}"
    return f"{one.mean:.3f} | {interval}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _decided(one: Check) -> str:
    return f"{_MARKS[one.decision]} {one.decision}"
