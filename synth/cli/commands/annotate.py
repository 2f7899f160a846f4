"""The command annotate."""

from __future__ import annotations

import argparse
import shlex
import sys
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.cli.commands import base
from synth.cli.commands.base import (
    corpus_options,
    mean_and_interval,
    names,
    number_shown,
    print_json,
    settings_of,
)
from synth.cli.parser import CommandParser, commands_of
from synth.core.table import table
from synth.core.terminal import counted, printable

if TYPE_CHECKING:
    from synth.annotation.agreement import Agreement
    from synth.annotation.recalibration import ThresholdProposal
    from synth.annotation.records import Annotation
    from synth.evaluation.intervals import Estimate
    from synth.workflows.annotating import Accepted, ReviewSettings

SUMMARY = "let people review a set: page, sheets, agreement, acceptance"
EXAMPLE = "synth annotate review testset.jsonl --corpus docs/ --share .2 --per-item 2"
_EXAMPLES = {
    "review": EXAMPLE,
    "export": "synth annotate export testset.jsonl --corpus docs/ -o sheet.xlsx",
    "import": "synth annotate import testset.jsonl sheet.xlsx",
    "agreement": "synth annotate agreement testset.jsonl",
    "accept": "synth annotate accept testset.jsonl -o accepted.jsonl",
    "guideline": "synth annotate guideline testset.jsonl -o guideline.md",
}
_MOST_REMOVED = 10
_FORMATS = "argilla, csv, doccano, label-studio, xlsx"


def add_options(command: CommandParser) -> None:
    """Add the subcommands and options of `synth annotate`."""
    subcommands = commands_of(command, dest="what")
    _add_review(_add_subcommand(subcommands, "review", "a local page on which people accept, edit and reject rows"))
    _add_export(_add_subcommand(subcommands, "export", f"rows for another tool: {_FORMATS}"))
    _add_import(_add_subcommand(subcommands, "import", "decisions from files of other tools"))
    _add_agreement(_add_subcommand(subcommands, "agreement", "agreement of annotators, and the rows they disagree on"))
    _add_accept(_add_subcommand(subcommands, "accept", "write the accepted set, and measure it and its filters"))
    _add_guideline(_add_subcommand(subcommands, "guideline", "the guideline for annotators, with examples of the set"))


def _add_subcommand(subcommands: Any, name: str, summary: str) -> argparse.ArgumentParser:
    command: CommandParser = subcommands.add_parser(
        name,
        help=summary,
        description=summary[0].upper() + summary[1:],
        rare=base.RARE if name in ("review", "export", "accept") else (),
        example=_EXAMPLES[name],
    )
    command.add_argument("testset", help="the testset, JSONL")
    command.add_argument("--json", action="store_true", default=argparse.SUPPRESS, help="print the result as JSON")
    command.add_argument("--quiet", action="store_true", default=argparse.SUPPRESS, help="show no progress")
    if name != "guideline":
        command.add_argument("--store", metavar="FILE", help="the decisions, SQLite (beside the set)")
    return command


def _add_selection(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("which rows")
    group.add_argument("--share", type=float, metavar="SHARE", help="share of the rows, such as .2 (all)")
    group.add_argument("-n", type=int, dest="count", metavar="N", help="number of rows, instead of --share")
    group.add_argument(
        "--order",
        choices=("random", "stratified", "doubtful"),
        default="stratified",
        help="stratified: spread over types, levels, topics and documents; doubtful: least certain first (stratified)",
    )
    group.add_argument("--per-item", type=int, default=1, metavar="N", help="number of people who see each row (1)")
    group.add_argument(
        "--refused", type=int, default=0, metavar="N", help="also show N candidates that filters refused (0)"
    )
    group.add_argument("--disputed", action="store_true", help="only rows on which people disagree, to settle them")
    group.add_argument("--raised", action="store_true", help="only rows that an update marked for review")
    group.add_argument(
        "--unreviewed", action="store_true", help="only rows that have no decision, from this or an earlier review"
    )
    group.add_argument("--annotators", type=names, default=(), metavar="NAME,…", help="names of the annotators")
    group.add_argument("--seed", dest="choice_seed", type=base.COUNT, default=0, help="seed of the selection (0)")
    command.add_argument(
        "--corpus", nargs="+", default=(), metavar="SOURCE", help="the documents, to show the evidence in context"
    )
    command.add_argument("--words", default="", metavar="LANGUAGE", help="en, zh-Hans or zh-Hant (that of the set)")
    corpus_options(command)


def _add_review(command: argparse.ArgumentParser) -> None:
    _add_selection(command)
    command.add_argument(
        "--host", default="127.0.0.1", help="address to listen on; an address other than loopback needs a token"
    )
    command.add_argument("--port", type=base.PORT, default=8765, help="port to listen on, 0 for any (8765)")
    command.set_defaults(annotate=_run_review)


def _add_export(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o", "--output", required=True, metavar="FILE", help="the file to write; for argilla a folder"
    )
    command.add_argument("--format", default="", help=f"{_FORMATS} (by the name of the file)")
    _add_selection(command)
    command.set_defaults(annotate=_run_export)


def _add_import(command: argparse.ArgumentParser) -> None:
    command.add_argument("files", nargs="+", metavar="FILE", help="files with decisions; for argilla a folder")
    command.add_argument("--format", default="", help=f"{_FORMATS} (recognised from the file)")
    command.add_argument(
        "--annotator", default="", metavar="NAME", help="name of the annotator, for files that contain none"
    )
    command.add_argument("--settled", action="store_true", help="let these decisions settle disagreements")
    command.set_defaults(annotate=_run_import)


def _add_agreement(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-n", type=base.COUNT, dest="count", default=10, metavar="N", help="disputed rows to print (10)"
    )
    command.set_defaults(annotate=_run_agreement)


def _add_accept(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o", "--output", **base.OUTPUT, help="the accepted set; without this option no set is written"
    )
    command.add_argument(
        "--corpus", nargs="+", default=(), metavar="SOURCE", help="the documents, to measure and check edited rows"
    )
    command.add_argument("--with-unreviewed", action="store_true", help="also keep rows that nobody decided on")
    command.add_argument(
        "--recalibrate", action="store_true", help="propose thresholds that agree better with the decisions"
    )
    command.add_argument("--apply", metavar="FILE", help="write the clear proposals to this settings file, TOML")
    base.force_option(command)
    corpus_options(command)
    command.set_defaults(annotate=_run_accept)


def _add_guideline(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "-o", "--output", **base.OUTPUT, help="Markdown file; without this option the guideline is printed"
    )
    command.add_argument("--words", default="", metavar="LANGUAGE", help="en, zh-Hans or zh-Hant (that of the set)")
    command.set_defaults(annotate=_run_guideline)


def run(options: argparse.Namespace) -> int:
    """Run the chosen subcommand."""
    code: int = options.annotate(options)
    return code


def _review_settings(options: argparse.Namespace) -> ReviewSettings:
    from synth.annotation.sampling import Selection
    from synth.workflows.annotating import ReviewSettings

    return ReviewSettings(
        selection=Selection(
            share=options.share,
            count=options.count,
            order=options.order,
            per_item=options.per_item,
            refused=options.refused,
            seed=options.choice_seed,
        ),
        sources=tuple(options.corpus),
        language=options.words,
        annotators=options.annotators,
        disputed=options.disputed,
        raised=options.raised,
        unreviewed=options.unreviewed,
        store=_path(options.store),
    )


def _run_review(options: argparse.Namespace) -> int:
    from synth.workflows.annotating import review

    def announce(url: str, rows: int, store: Path) -> None:
        if options.json:
            print_json({"url": url, "rows": rows, "store": str(store)})
        else:
            print(f"{counted(rows, 'row')} to review at {url}\ndecisions are stored in {store}; press Ctrl+C to stop")
        sys.stdout.flush()

    with suppress(KeyboardInterrupt):  # the usual end
        review(
            Path(options.testset),
            _review_settings(options),
            settings_of(options),
            host=options.host,
            port=options.port,
            announce=announce,
        )
    return 0


def _run_export(options: argparse.Namespace) -> int:
    from synth.workflows.annotating import export_sheets

    exported = export_sheets(
        Path(options.testset),
        Path(options.output),
        _review_settings(options),
        settings_of(options),
        format_name=options.format,
    )
    if options.json:
        print_json({str(path): rows for path, rows in exported.files.items()})
    else:
        print(table(["file", "rows"], [[path, "" if rows is None else rows] for path, rows in exported.files.items()]))
        _print_unreviewed(exported.unreviewed, exported.total)
    return 0


def _run_import(options: argparse.Namespace) -> int:
    from synth.workflows.annotating import import_sheets

    result = import_sheets(
        Path(options.testset),
        [Path(file) for file in options.files],
        store=_path(options.store),
        annotator=options.annotator,
        format_name=options.format,
        adjudicated=options.settled,
    )
    decided: dict[str, int] = {}
    for item in result.annotations:
        decided[item.decision] = decided.get(item.decision, 0) + 1
    if options.json:
        print_json(
            {
                "imported": len(result.annotations),
                "decisions": decided,
                "repeated": result.repeated,
                "replaced": result.replaced,
                "undecided": result.undecided,
                "reworded": result.reworded,
                "problems": [asdict(problem) for problem in result.problems],
            }
        )
    else:
        if result.problems:
            print(table(["not imported", "because"], [[item.place, item.reason] for item in result.problems]))
        sheets = "this sheet" if len(options.files) == 1 else "these sheets"
        counts = ", ".join(f"{count} {name}" for name, count in sorted(decided.items()))
        print(
            f"{counted(len(result.annotations), 'decision')} imported ({counts or 'none'}); of these, "
            f"{result.repeated} were stored already and {result.replaced} replace earlier decisions; "
            f"{counted(result.undecided, 'row')} left blank in {sheets}; "
            f"{len(result.problems)} not imported"
        )
        if result.reworded:
            print(
                f"counted as edits, because a new wording stands beside a blank decision or 'accept': {result.reworded}"
            )
    return 1 if result.problems else 0


def _run_agreement(options: argparse.Namespace) -> int:
    from synth.workflows.annotating import agreement_on

    result = agreement_on(Path(options.testset), store=_path(options.store))
    if options.json:
        print_json(asdict(result))
    else:
        print_agreement(result, options.count, _where(options))
    return 0


def _run_accept(options: argparse.Namespace) -> int:
    from synth.workflows.annotating import accept, as_json

    result = accept(
        Path(options.testset),
        _path(options.output),
        sources=options.corpus,
        settings=settings_of(options),
        store=_path(options.store),
        with_unreviewed=options.with_unreviewed,
        recalibration=options.recalibrate,
        apply=_path(options.apply),
        force=options.force,
    )
    for line in result.unsettled:
        print(f"synth: {printable(line)}", file=sys.stderr)
    if options.json:
        print_json(as_json(result))
    else:
        print_accepted(result, options, _where(options))
        base.print_reviewed(result.reviewed)
    return 0


def _run_guideline(options: argparse.Namespace) -> int:
    from synth.workflows.annotating import write_guideline

    text = write_guideline(Path(options.testset), _path(options.output), options.words)
    if not options.output:
        print("\n".join(map(printable, text.rstrip("\n").split("\n"))))
    return 0


def _where(options: argparse.Namespace) -> str:
    """Return the set, its file of decisions (if named) and its documents as command-line arguments.

    If the documents are unknown, the word SOURCE stands for them.
    """
    store = ["--store", options.store] if options.store else []
    return shlex.join([options.testset, *store, "--corpus", *(getattr(options, "corpus", None) or ["SOURCE"])])


def _print_unreviewed(rows: int, total: int) -> None:
    print(f"unreviewed: {rows} of {counted(total, 'row')} of the set")


def _path(name: str | None) -> Path | None:
    return Path(name) if name else None


def print_agreement(result: Agreement, most: int, where: str) -> None:
    """Print annotators, coefficients by dimension, pairs, and the first `most` rows without a majority.

    `where` is the set as command-line arguments, with its file of decisions and its documents.
    """
    if not result.annotators:
        print(f"there are no decisions yet; decide on rows with: synth annotate review {where}")
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
                *mean_and_interval(pair.raw.estimate)[:1],
                *mean_and_interval(pair.kappa.estimate),
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
    for name, settled in result.settled.items():
        print(f"{counted(settled, 'row')} settled by {printable(name)}")
    print(f"{counted(len(result.disputed), 'row')} to settle")
    if result.disputed:
        print(f"settle them with: synth annotate review {where} --disputed")


def _coefficients(result: Agreement) -> list[list[object]]:
    rows: list[list[object]] = []
    for dimension in result.dimensions:
        if not dimension.coefficients:
            rows.append([dimension.name, "-", "-", "-", 0, dimension.note])
        rows += [
            [
                dimension.name,
                coefficient.name,
                *mean_and_interval(coefficient.estimate),
                coefficient.rows,
                coefficient.note,
            ]
            for coefficient in dimension.coefficients
        ]
    return rows


def print_accepted(result: Accepted, options: argparse.Namespace, where: str) -> None:
    """Print counts, precision of the set and of its filters, reasons, rows left out, and proposed thresholds.

    `where` is the set as command-line arguments, with its file of decisions and its documents.
    """
    from synth.annotation.acceptance import UNREVIEWED
    from synth.annotation.records import ACCEPT, EDIT

    output, applied = options.output, options.apply
    print(table(["rows", "count"], [[name, count] for name, count in result.counts.items()]))
    decided = result.precision["kept"].n
    if decided or result.refused_reviewed:
        _print_precision(result, decided)
    elif result.counts[ACCEPT] or result.counts[EDIT]:
        print("this review has no decisions; those counted are from an earlier review")
    else:
        print(f"nobody has decided on a row yet; decide on rows with: synth annotate review {where}")
    unreviewed, total = result.counts[UNREVIEWED], sum(result.counts.values())
    if 0 < unreviewed < total:
        _print_unreviewed(unreviewed, total)
        print(f"decide on them with: synth annotate review {where} --unreviewed")
    if result.proposals:
        _print_proposals(result.proposals)
    _print_removed(result, options)
    _print_checked(result)
    if output:
        print(f"{counted(len(result.rows), 'row')} in {printable(output)}")
    if applied and not any(proposal.clear for proposal in result.proposals):
        print("no proposed threshold is clearly better, so nothing is written")
    elif applied:
        print(f"thresholds in {printable(applied)}; use them with --config {printable(applied)}")


def _print_removed(result: Accepted, options: argparse.Namespace) -> None:
    """Print at most ten of the rows left out of the set, each with the reason."""
    removed = {**result.removed, **dict.fromkeys(result.repeated, "an edit made it equal to another row")}
    if removed:
        print()
        print(table(["row left out", "because"], [list(row) for row in list(removed.items())[:_MOST_REMOVED]]))
    if len(removed) > _MOST_REMOVED:
        print(f"and {len(removed) - _MOST_REMOVED} more")
    if removed and options.output:
        old, new = map(shlex.quote, (options.testset, options.output))
        print(f"compare the sets with: synth diff {old} {new}")


def _print_checked(result: Accepted) -> None:
    """Print the edited rows that a rule objects to, the rows that verify will refuse, and those not measured."""
    if result.marked:
        print()
        print(table(["edited row", "kept; a rule objects to its wording"], list(map(list, result.marked.items()))))
    if result.failing:
        print()
        print(table(["row", "verify will refuse it because"], list(map(list, result.failing.items()))))
    if result.unmeasured:
        print(
            f"{counted(len(result.unmeasured), 'edited row')} not compared with the documents, and so without a "
            "difficulty; name the documents with --corpus SOURCE"
        )


def _print_precision(result: Accepted, decided: int) -> None:
    print()
    rows = [[name, *mean_and_interval(item), item.n] for name, item in result.precision.items()]
    print(table(["share of decided rows", "share", "95% interval", "rows"], rows))
    if result.by_doubt:
        print("doubtful rows were chosen for review, so these shares do not describe the whole set")
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
        print("rightly passed: people found no fault that the filter should detect")
    judge = next((item.passed for item in result.filters if item.filter_name == "judged" and item.passed), None)
    if judge:
        rejected = round((1 - (judge.mean or 0)) * judge.n)
        print(
            f"the judge passed {judge.n} of the {decided} decided rows; people rejected {rejected} of these {judge.n}"
        )
    sound = [item.filter_name for item in result.filters if item.passed and item.passed.mean == 1 and not item.refused]
    if sound:
        print(f"filters that missed no fault in the decided rows: {', '.join(sound)}")
    if result.refused_reviewed:
        print(
            f"people would keep {result.refused_kept} of the {result.refused_reviewed} refused candidates that they saw"
        )


def _print_proposals(proposals: tuple[ThresholdProposal, ...]) -> None:
    rows = []
    for proposal in (proposal for proposal in proposals if proposal.rows):
        changed = (
            f"{proposal.current:g} to {proposal.proposed:g}"
            if proposal.proposed != proposal.current
            else f"{proposal.current:g}"
        )
        after = [number_shown(proposal.precision_before), number_shown(proposal.precision_after)]
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
    print(
        "agree : disagree: the new threshold would change the outcome of this many rows to what people decided, and of "
        "this many to the opposite"
    )


def _share_and_count(estimate: Estimate | None) -> list[str]:
    if estimate is None or estimate.mean is None:
        return ["-", "0"]
    interval = "" if estimate.low is None or estimate.high is None else f" ({estimate.low:.2f} to {estimate.high:.2f})"
    return [f"{estimate.mean:.3f}{interval}", str(estimate.n)]


def _decision(annotation: Annotation) -> str:
    more = annotation.reason or (f"'{annotation.question}'" if annotation.question else "")
    return f"{annotation.annotator} {annotation.decision}" + (f" ({more})" if more else "")
