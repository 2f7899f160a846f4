"""Printed output of `synth annotate agreement` and `synth annotate accept`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.core.table import table
from synth.core.terminal import printable

if TYPE_CHECKING:
    from synth.annotation.agreement import Agreement
    from synth.annotation.recalibration import ThresholdProposal
    from synth.annotation.records import Annotation
    from synth.evaluation.intervals import Estimate
    from synth.workflows.annotating import Accepted


def print_agreement(result: Agreement, most: int) -> None:
    """Print annotators, coefficients by dimension, pairs, and the first `most` rows that people disagree on."""
    if not result.annotators:
        print("there are no decisions yet")
        return
    kinds = ("accept", "edit", "reject")
    rows = [[name, *(count.get(kind, 0) for kind in kinds)] for name, count in result.annotators.items()]
    print(table(["annotator", *kinds], rows))
    print()
    print(table(["of", "coefficient", "value", "95% interval", "rows", "note"], _coefficients(result)))
    if len(result.pairs) > 1:
        pairs = [
            [
                f"{pair.first}, {pair.second}",
                *_mean_and_interval(pair.raw.estimate)[:1],
                *_mean_and_interval(pair.kappa.estimate),
                pair.raw.rows,
            ]
            for pair in result.pairs
        ]
        print()
        print(table(["pair", "raw", "Cohen's kappa", "95% interval", "rows"], pairs))
    if result.disputed:
        print()
        shown = list(result.disputed.items())[:most]
        print(
            table(
                ["disagreement on", "decisions"],
                [[row, "; ".join(map(_decision, given.values()))] for row, given in shown],
            )
        )
    print()
    print(f"{len(result.disputed)} rows to settle" + ("; synth annotate review --disputed" if result.disputed else ""))


def _coefficients(result: Agreement) -> list[list[object]]:
    rows: list[list[object]] = []
    for dimension in result.dimensions:
        if not dimension.coefficients:
            rows.append([dimension.name, "-", "-", "-", 0, dimension.note])
        rows += [
            [
                dimension.name,
                coefficient.name,
                *_mean_and_interval(coefficient.estimate),
                coefficient.rows,
                coefficient.note,
            ]
            for coefficient in dimension.coefficients
        ]
    return rows


def print_accepted(result: Accepted, output: str | None, applied: str | None) -> None:
    """Print counts, precision of the set and of its filters, reasons, and proposed thresholds."""
    print(table(["rows", "count"], [[name, count] for name, count in result.counts.items()]))
    decided = result.precision["kept"].n
    if decided or result.refused_reviewed:
        _print_precision(result, decided)
    else:
        print("no row is decided yet; see synth annotate review and synth annotate import")
    if result.proposals:
        _print_proposals(result.proposals)
    for row in result.repeated:
        print(f"left out: an edit made {row} equal to another row")
    if output:
        print(f"{len(result.rows)} rows in {printable(output)}")
    if applied:
        print(f"thresholds in {printable(applied)}; use them with --config {printable(applied)}")


def _print_precision(result: Accepted, decided: int) -> None:
    print()
    rows = [[name, *_mean_and_interval(item), item.n] for name, item in result.precision.items()]
    print(table(["share of decided rows", "share", "95% interval", "rows"], rows))
    if result.by_doubt:
        print("doubtful rows were chosen for review: these shares are not those of the whole set")
    if result.reasons:
        print()
        print(table(["rejected because", "rows"], [[name, count] for name, count in result.reasons.items()]))
    filters = [item for item in result.filters if item.refused or (item.passed and (item.passed.mean or 0) < 1)]
    if filters:
        print()
        cells = [
            [item.filter_name, *_share_and_count(item.passed), *_share_and_count(item.refused)] for item in filters
        ]
        head = ["filter", "rightly passed", "of rows", "rightly refused", "of rows"]
        print(table(head, cells))
    print(f"the {'other ' * bool(filters)}filters rightly passed all {decided} rows, by people's reasons")
    if result.refused_reviewed:
        print(f"of {result.refused_reviewed} refused candidates reviewed, people would keep {result.refused_kept}")


def _print_proposals(proposals: tuple[ThresholdProposal, ...]) -> None:
    rows = []
    for proposal in (proposal for proposal in proposals if proposal.rows):
        changed = (
            f"{proposal.current:g} to {proposal.proposed:g}"
            if proposal.proposed != proposal.current
            else f"{proposal.current:g}"
        )
        after = [_number(proposal.precision_before), _number(proposal.precision_after)]
        rows.append(
            [
                proposal.filter_name,
                proposal.setting,
                changed,
                f"{proposal.agreeing} : {proposal.disagreeing}",
                *after,
                proposal.rows,
                proposal.note or "clear",
            ]
        )
    if not rows:
        return
    head = ["filter", "setting", "threshold", "agree : disagree", "precision", "then", "rows", ""]
    print()
    print(table(head, rows))
    print("agree : disagree counts the reviewed rows whose outcome would change, in line with people and against them")


def _share_and_count(estimate: Estimate | None) -> list[str]:
    if estimate is None or estimate.mean is None:
        return ["-", "0"]
    interval = "" if estimate.low is None or estimate.high is None else f" ({estimate.low:.2f} to {estimate.high:.2f})"
    return [f"{estimate.mean:.3f}{interval}", str(estimate.n)]


def _mean_and_interval(estimate: Estimate) -> list[str]:
    if estimate.mean is None:
        return ["-", "-"]
    interval = "-" if estimate.low is None or estimate.high is None else f"{estimate.low:.3f} to {estimate.high:.3f}"
    return [f"{estimate.mean:.3f}", interval]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _decision(annotation: Annotation) -> str:
    more = annotation.reason or (f"'{annotation.question}'" if annotation.question else "")
    return f"{annotation.annotator} {annotation.decision}" + (f" ({more})" if more else "")
