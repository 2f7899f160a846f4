"""Page on a system's responses: headline metrics, thresholds, slices, worst rows, then all metrics and plots."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from markupsafe import Markup

from synth.evaluation.headlines import explained, headlines
from synth.evaluation.intervals import MIN_ROWS_SHOWN
from synth.evaluation.messages import Message, message, verbatim
from synth.evaluation.report.charts import binned, curves, histogram
from synth.evaluation.report.page import render

_MOST_SLICES, _FIRST_ROWS = 14, 10
_ALPHA = 0.05
_AT_K = re.compile(r"^(?P<name>\w+)@(?P<k>\d+)$")
_DECISIONS = ("failed", "inconclusive", "passed")


def measured(metrics: Mapping[str, Any]) -> list[str]:
    """Return the metrics that have values."""
    return [name for name, estimate in metrics.items() if estimate["n"]]


def system_page(
    scores: Mapping[str, Any],
    title: str,
    *,
    values: Mapping[str, Sequence[float]],
    documents: Mapping[str, int],
    rows: Sequence[Mapping[str, Any]],
    funnel: Mapping[str, int],
) -> str:
    """Return the page for a result of `evaluate`, given as its JSON.

    - `values`: numbers of each metric by row; NaN means no value.
    - `documents`: number of rows by document.
    - `rows`: rows that are shown in full.
    - `funnel`: number of candidates by generation stage, from the manifest of the testset.
    """
    metrics = {name: scores["metrics"][name] for name in measured(scores["metrics"])}
    chief = headlines(metrics)
    lines = _lines(metrics)
    largest = {metric: f"{metric}@{points[-1][0]}" for metric, points in lines.items()}
    others = [name for name in metrics if name not in chief and largest.get(name.partition("@")[0], name) == name]
    differing = _differing(scores.get("compared"), metrics, chief)
    signs = _signs(scores.get("compared"), differing)
    checks = sorted(scores["thresholds"], key=lambda check: _DECISIONS.index(check["decision"]))
    return render(
        "system_page.html",
        style="page.css",
        script="page.js",
        title=title,
        heading=message("system.comparison_title" if scores.get("compared") else "system.title"),
        scores=scores,
        metrics=metrics,
        chief=chief,
        summary=list(_summary(metrics, chief, checks)),
        sense=lambda column: explained(
            column, scores["definitions"].get(column.partition("@")[0], ""), scores["settings"]["unit"]
        ),
        checks=checks,
        compared=scores.get("compared"),
        differing=differing,
        signs=signs,
        verdict=_verdict(differing, signs),
        slices=[_slice(name, of, chief) for name, of in scores["slices"].items() if len(of) > 1],
        breakable=[Markup("_<wbr>").join(name.split("_")) for name in chief],
        rows=rows,
        first_rows=_FIRST_ROWS,
        deepest=[*chief, *others],
        depths=list(_depths(lines)),
        histogram=histogram,
        distributions={name: binned(values[name]) for name in chief},
        documents=dict(sorted(documents.items(), key=lambda item: (-item[1], item[0]))),
        funnel=funnel,
    )


def _summary(
    metrics: Mapping[str, Any], chief: Sequence[str], checks: Sequence[Mapping[str, Any]]
) -> Iterator[Message]:
    """Yield up to three sentences: evidence retrieved, golden answers contained, thresholds passed."""
    for column in chief:
        name, _, k = column.partition("@")
        if name in ("evidence_recall", "correctness"):
            yield message(f"system.{name}", k=k, share=round(100 * metrics[column]["mean"]))
    if checks:
        passed = sum(check["decision"] == "passed" for check in checks)
        yield message("system.passed", passed=passed, checks=len(checks))


def _lines(metrics: Mapping[str, Any]) -> dict[str, list[tuple[int, float]]]:
    """Return the means by k of each metric that is measured at several k."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for name, estimate in metrics.items():
        match = _AT_K.match(name)
        if match:
            lines.setdefault(match["name"], []).append((int(match["k"]), estimate["mean"]))
    return {name: sorted(points) for name, points in lines.items() if len(points) > 1}


def _depths(lines: Mapping[str, Sequence[tuple[int, float]]]) -> Iterator[dict[str, Any]]:
    """Yield the plots by k with their tables: one for metrics by evidence, one for metrics by id."""
    by_evidence = {name: points for name, points in lines.items() if name.startswith("evidence_")}
    by_id = {name: points for name, points in lines.items() if name not in by_evidence}
    for title, some in (("by_evidence", by_evidence), ("by_id", by_id)):
        if some:
            ks = sorted({k for points in some.values() for k, _ in points})
            rows = [[name, *(dict(points).get(k) for k in ks)] for name, points in some.items()]
            heads = [f"k = {k}" for k in ks]
            yield {"title": title, "plot": curves(some, "by k"), "heads": heads, "rows": rows}


def _slice(name: str, of: Mapping[str, Mapping[str, Any]], columns: Sequence[str]) -> dict[str, Any]:
    """Return the largest groups of rows by a field, each with its estimates; None for an estimate without a value."""
    sizes = {label: max((estimate["of"] for estimate in metrics.values()), default=0) for label, metrics in of.items()}
    labels = sorted(sizes, key=lambda label: (-sizes[label], label))[:_MOST_SLICES]
    return {
        "field": message(f"field.{name}", name=name),
        "labels": labels,
        "more": len(sizes) - len(labels),
        "sizes": sizes,
        "estimates": {label: [_drawn(of[label].get(column)) for column in columns] for label in labels},
    }


def _drawn(estimate: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    """Return the estimate of a slice, without its interval for too few rows; None without a value."""
    if not estimate or not estimate["n"]:
        return None
    return estimate if estimate["n"] >= MIN_ROWS_SHOWN else {**estimate, "low": None, "high": None}


def _differing(
    compared: Mapping[str, Any] | None, metrics: Mapping[str, Any], chief: Sequence[str]
) -> dict[str, list[str]]:
    """Return the metrics that both systems have, separated into headline metrics and others."""
    gaps = compared["differences"] if compared else {}
    names = [name for name, gap in gaps.items() if gap["mean"] is not None and name in metrics]
    return {
        "chief": [name for name in chief if name in names],
        "others": [name for name in names if name not in chief],
    }


def _signs(compared: Mapping[str, Any] | None, differing: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return for each metric of both systems whether the second is "better" or "worse"; "" if not significant."""
    gaps = compared["differences"] if compared else {}
    names = [name for some in differing.values() for name in some]
    return {
        name: ("better" if gaps[name]["mean"] > 0 else "worse") if _is_significant(gaps[name]["p_holm"]) else ""
        for name in names
    }


def _is_significant(p: float | None) -> bool:
    return p is not None and p < _ALPHA


def _verdict(differing: Mapping[str, Sequence[str]], signs: Mapping[str, str]) -> Message | str:
    """Return a sentence on how the second system differs from the first; "" if they share no headline metric."""
    by_sign: dict[str, list[str]] = {"better": [], "worse": [], "": []}
    for name in differing["chief"]:
        by_sign[signs[name]].append(name)
    if not by_sign["better"] and not by_sign["worse"]:
        return message("system.no_difference") if by_sign[""] else ""
    parts = [
        message(f"system.{sign or 'even'}", metrics=[verbatim(name) for name in some])
        for sign, some in by_sign.items()
        if some
    ]
    return message("system.verdict", parts=parts)
