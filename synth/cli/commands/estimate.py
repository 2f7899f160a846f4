"""The command estimate."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from synth.cli.commands import base
from synth.cli.commands.base import corpus_options, model_options, print_json, progress_of, settings_of, shares
from synth.core.table import table
from synth.core.terminal import broken, counted

if TYPE_CHECKING:
    from synth.workflows.estimating import SampleRun

SUMMARY = "estimate calls, tokens and cost of a run with a chat model"
EXAMPLE = "synth estimate docs/ -n 200 --llm gpt-4o-mini"
RARE = base.RARE


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `synth estimate`: those of `synth generate` that calls depend on."""
    command.add_argument("sources", nargs="+", metavar="SOURCE", help="a folder or a file")
    command.add_argument("-n", type=int, help="rows (50)")
    command.add_argument(
        "--types",
        type=shares,
        metavar="TYPE=SHARE,…",
        help="question types and shares (by author: see the page Generate)",
    )
    command.add_argument("--seed", type=int, help="seed of the set (0)")
    command.add_argument(
        "--try", dest="trial", type=base.COUNT, default=0, metavar="ROWS",
        help="make this many rows first, to measure the rows per passage; without it nothing is sent",
    )  # fmt: skip
    corpus_options(command)
    model_options(command)
    command.add_argument("--prompts", metavar="DIR", help="your own prompts, used before the packaged ones")


def run(options: argparse.Namespace) -> int:
    from synth.workflows.estimating import estimate

    settings = settings_of(options, sends=options.trial > 0)
    result = estimate(options.sources, settings, progress_of(options), trial=options.trial)
    totals = {figure: result.total(figure) for figure in ("calls", "prompt_tokens", "completion_tokens")}
    if options.json:
        print_json(
            {
                **totals,
                "cost": result.cost,
                "rows": settings.n,
                "tasks": result.tasks,
                "stages": [asdict(stage) for stage in result.stages],
                "prices": {name: asdict(price) if price else None for name, price in result.prices.items()},
                "tasks_seen_in_earlier_runs": result.seen,
                "trial": asdict(result.trial) if result.trial else None,
                "untrusted": result.untrusted,
            }
        )
        return 0
    sign = "" if options.__dict__["model.prices"] else "$"
    rows = [
        [stage.purpose, stage.role, stage.calls, stage.prompt_tokens, stage.completion_tokens, _money(stage.cost, sign)]
        for stage in result.stages
    ]
    print(table(["stage", "role", "calls", "tokens read", "tokens written", "cost"], rows))
    print(
        f"{counted(settings.n, 'row')}: {counted(totals['calls'], 'call')}, {totals['prompt_tokens']} tokens read, "
        f"{totals['completion_tokens']} written, cost {_money(result.cost, sign)}"
    )
    for name, price in result.prices.items():
        shown = (
            f"{sign}{price.input:g} read, {sign}{price.output:g} written, a million tokens ({price.source})"
            if price
            else "unknown"
        )
        advice = "" if price else "; write it to a file and name the file with --prices"
        print(broken(f"price of {name}: {shown}{advice}"))
    if result.untrusted:
        print(broken(f"synth: {result.untrusted}; a run would stop there, and --trust makes it go on"))
    if result.trial:
        print(broken(_trial_line(result.trial)))
    if not result.seen:
        print(
            broken(
                "no earlier run with these models is known: rows per passage is a general figure, and the true one may "
                "be half or twice as high; --try 20 makes 20 rows first"
            )
        )
    return 0


def _trial_line(trial: SampleRun) -> str:
    tried = f"trial run: {trial.rows} of {trial.wanted} rows, {counted(trial.calls, 'call')}"
    kept = f" ({trial.kept} replies were stored already)" if trial.kept else ""
    stopped = f"; it stopped early: {trial.stopped}" if trial.stopped else ""
    return f"{tried}{kept}; the replies are stored, so the run does not pay for them again{stopped}"


def _money(value: float | None, sign: str) -> str:
    """A cost; list prices are in dollars, those of a file in the money of that file."""
    return "?" if value is None else f"{sign}{value:.4f}"
