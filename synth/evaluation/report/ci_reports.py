"""Threshold checks for continuous integration: JUnit XML and a Markdown summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

from synth.evaluation.evaluation import Evaluation
from synth.evaluation.intervals import Estimate
from synth.evaluation.threshold_checks import FAILED, INCONCLUSIVE, PASSED, Check

_MARKS = {PASSED: "✅", FAILED: "❌", INCONCLUSIVE: "❔"}


def junit(checks: Sequence[Check]) -> str:
    """Return JUnit XML with one test case per threshold.

    A failed check is a failure, an inconclusive check an error.
    """
    counts = {decision: sum(check.decision == decision for check in checks) for decision in _MARKS}
    head = (
        f'<testsuite name="synth evaluate" tests="{len(checks)}" failures="{counts[FAILED]}" '
        f'errors="{counts[INCONCLUSIVE]}" skipped="0">'
    )
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *map(_case, checks), "</testsuite>", ""])


def _case(check: Check) -> str:
    title = quoteattr(f"{check.name} >= {check.minimum:g}")
    name = f'  <testcase classname="synth.evaluation.threshold_checks" name={title}'
    if check.decision == PASSED:
        return f"{name}><system-out>{escape(check.text)}</system-out></testcase>"
    kind = "failure" if check.decision == FAILED else "error"
    return f"{name}><{kind} type={quoteattr(check.decision)} message={quoteattr(check.text)}/></testcase>"


def markdown(evaluation: Evaluation, checks: Sequence[Check], settings: Mapping[str, object]) -> str:
    """Return decisions and scores as Markdown tables. `settings` are listed below them."""
    worst = next((d for d in (FAILED, INCONCLUSIVE) if any(c.decision == d for c in checks)), PASSED)
    lines = [f"## synth evaluate{f': {_MARKS[worst]} {worst}' if checks else ''}", ""]
    if checks:
        lines += ["| threshold | at least | mean | 95% interval | rows | |", "| --- | --- | --- | --- | --- | --- |"]
        lines += [
            f"| {_cell(c.name)} | {c.minimum:g} | {_found(c.estimate)} | {c.estimate.n} | {_decided(c)} |"
            for c in checks
        ]
        lines.append("")
    lines += ["| metric | mean | 95% interval | rows |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {_cell(name)} | {_found(aggregate.estimate)} | {aggregate.estimate.n} of {aggregate.of} |"
        for name, aggregate in evaluation.metrics.items()
        if aggregate.estimate.n
    ]
    missing = f"{len(evaluation.missing)} of {evaluation.rows} rows have no response and count as empty responses. "
    notes = "".join(f"{note}. " for note in evaluation.notes)
    shown = ", ".join(f"{name} {value}" for name, value in settings.items() if isinstance(value, str | int | float))
    return "\n".join([*lines, "", (missing if evaluation.missing else "") + notes + f"Measured with: {shown}.", ""])


def _found(estimate: Estimate) -> str:
    if estimate.mean is None:
        return "- | -"
    interval = "-" if estimate.low is None or estimate.high is None else f"{estimate.low:.3f} to {estimate.high:.3f}"
    return f"{estimate.mean:.3f} | {interval}"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _decided(check: Check) -> str:
    return f"{_MARKS[check.decision]} {check.decision}"
