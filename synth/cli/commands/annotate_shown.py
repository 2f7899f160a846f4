"""What `synth annotate` prints of agreement and of the accepted set."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.core.table import printable, table

if TYPE_CHECKING:
    from synth.annotation.agreement import Agreement
    from synth.annotation.recalibration import ThresholdProposal
    from synth.annotation.records import Annotation
    from synth.evaluation.intervals import Estimate
    from synth.workflows.annotating import Accepted


def print_agreement(found: Agreement, most: int) -> None:
    """Annotators, coefficients by dimension, pairs, and the first `most` rows on which people differ."""
    if not found.annotators:
        print("nobody has decided anything yet")
        return
    kinds = ("accept", "edit", "reject")
    rows = [[name, *(count.get(kind, 0) for kind in kinds)] for name, count in found.annotators.items()]
    print(table(["annotator", *kinds], rows))
    print()
    print(table(["of", "coefficient", "value", "95 % interval", "rows", "note"], _coefficients(found)))
    if len(found.pairs) > 1:
        pairs = [
            [f"{one.first}, {one.second}", *_cells(one.raw.estimate)[:1], *_cells(one.kappa.estimate), one.raw.rows]
            for one in found.pairs
        ]
        print()
        print(table(["pair", "raw", "Cohen's kappa", "95 % interval", "rows"], pairs))
    if found.disputed:
        print()
        shown = list(found.disputed.items())[:most]
        print(table(["differ on", "what they say"], [[row, "; ".join(map(_said, g.values()))] for row, g in shown]))
    print()
    print(f"{len(found.disputed)} rows to settle" + ("; synth annotate review --disputed" if found.disputed else ""))


def _coefficients(found: Agreement) -> list[list[object]]:
    rows: list[list[object]] = []
    for dimension in found.dimensions:
        if not dimension.coefficients:
            rows.append([dimension.name, "-", "-", "-", 0, dimension.note])
        rows += [
            [dimension.name, one.name, *_cells(one.estimate), one.rows, one.note] for one in dimension.coefficients
        ]
    return rows


def print_accepted(found: Accepted, output: str | None, applied: str | None) -> None:
    """Counts, precision of the set and of its filters, reasons, and thresholds with what they would change."""
    print(table(["rows", "count"], [[name, count] for name, count in found.counts.items()]))
    decided = found.precision["kept"].n
    if decided or found.refused_reviewed:
        _print_precision(found, decided)
    else:
        print("no row is decided yet; see synth annotate review and synth annotate import")
    if found.proposals:
        _print_proposals(found.proposals)
    for row in found.repeated:
        print(f"left out: an edit makes {row} the same as another row")
    if output:
        print(f"{len(found.rows)} rows in {printable(output)}")
    if applied:
        print(f"thresholds in {printable(applied)}; use them with --config {printable(applied)}")


def _print_precision(found: Accepted, decided: int) -> None:
    print()
    rows = [[name, *_cells(one), one.n] for name, one in found.precision.items()]
    print(table(["share of decided rows", "share", "95 % interval", "rows"], rows))
    if found.by_doubt:
        print("rows were chosen for review by doubt: these shares are theirs, not those of the whole set")
    if found.reasons:
        print()
        print(table(["rejected because", "rows"], [[name, count] for name, count in found.reasons.items()]))
    filters = [one for one in found.filters if one.refused or (one.passed and (one.passed.mean or 0) < 1)]
    if filters:
        print()
        cells = [[one.filter_name, *_share(one.passed), *_share(one.refused)] for one in filters]
        head = ["filter", "passed, rightly", "of rows", "refused, rightly", "of rows"]
        print(table(head, cells))
    print(f"the {'other ' * bool(filters)}filters passed all {decided} rows rightly, as far as people's reasons tell")
    if found.refused_reviewed:
        print(f"of {found.refused_reviewed} refused candidates reviewed, people would keep {found.refused_kept}")


def _print_proposals(proposals: tuple[ThresholdProposal, ...]) -> None:
    rows = []
    for one in (one for one in proposals if one.rows):
        changed = f"{one.now:g} to {one.then:g}" if one.then != one.now else f"{one.now:g}"
        after = [_number(one.precision_before), _number(one.precision_after)]
        rows.append(
            [one.filter_name, one.setting, changed, f"{one.right} : {one.wrong}", *after, one.rows, one.note or "clear"]
        )
    if not rows:
        return
    head = ["filter", "setting", "threshold", "right : wrong", "precision", "then", "rows", ""]
    print()
    print(table(head, rows))
    print("right : wrong counts the reviewed rows that would change sides, as people would have it and against them")


def _share(one: Estimate | None) -> list[str]:
    if one is None or one.mean is None:
        return ["-", "0"]
    interval = "" if one.low is None or one.high is None else f" ({one.low:.2f} to {one.high:.2f})"
    return [f"{one.mean:.3f}{interval}", str(one.n)]


def _cells(one: Estimate) -> list[str]:
    if one.mean is None:
        return ["-", "-"]
    interval = "-" if one.low is None or one.high is None else f"{one.low:.3f} to {one.high:.3f}"
    return [f"{one.mean:.3f}", interval]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _said(one: Annotation) -> str:
    more = one.reason or (f"'{one.question}'" if one.question else "")
    return f"{one.annotator} {one.decision}" + (f" ({more})" if more else "")
