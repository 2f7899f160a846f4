"""The command estimate."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from synth.cli.commands import base
from synth.cli.commands.base import corpus_options, model_options, print_json, progress_of, row_options, settings_of
from synth.core.table import table
from synth.core.terminal import broken, counted

if TYPE_CHECKING:
    from synth.workflows.estimating import SampleRun

SUMMARY = "estimate calls, tokens and cost of a run with a chat model"
EXAMPLE = "synth estimate docs/ -n 200 --llm gpt-4o-mini"
RARE = (*base.RARE, *base.RARE_ROWS)


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth estimate`: all options of `synth generate` that affect the rows."""
    command.add_argument("sources", nargs="+", metavar="SOURCE", help="a folder or a file")
    row_options(command)
    command.add_argument(
        "--try", dest="trial", type=base.COUNT, default=0, metavar="ROWS",
        help="make this many rows first, to measure rows per passage; without this option nothing is sent",
    )  # fmt: skip
    corpus_options(command)
    model_options(command)


def run(options: argparse.Namespace) -> int:
    """Estimate a run and print the result."""
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
                "unpaid": dict(zip(("calls", "cost"), result.unpaid, strict=True)),
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
        f"{counted(settings.n, 'row')}: {counted(totals['calls'], 'call')}, {totals['prompt_tokens']} tokens read and "
        f"{totals['completion_tokens']} written; cost {_money(result.cost, sign)}"
    )
    for name, price in result.prices.items():
        shown = (
            f"{sign}{price.input:g} per million tokens read, {sign}{price.output:g} written ({price.source})"
            if price
            else "unknown"
        )
        advice = "" if price else "; write the price to a TOML file and name the file with --prices"
        print(broken(f"price of {name}: {shown}{advice}"))
    if result.untrusted:
        print(broken(f"synth: {result.untrusted}; a run would stop for this reason; --trust lets it continue"))
    if result.trial:
        print(broken(_trial_line(result.trial)))
        calls, cost = result.unpaid
        print(broken(f"still to pay for the run: about {counted(calls, 'call')}, cost {_money(cost, sign)}"))
    if not result.seen and settings.difficulty:
        print(
            broken(
                "--difficulty can take several times as many calls, because candidates of levels that are not needed "
                "are discarded; to measure the calls, make 20 rows first with --try 20"
            )
        )
    elif not result.seen:
        print(
            broken(
                "no earlier run with these models is known, so the estimate uses general figures; the true cost may "
                "be half or twice as high; to measure the cost, make 20 rows first with --try 20"
            )
        )
    return 0


def _trial_line(trial: SampleRun) -> str:
    tried = f"trial run: {trial.rows} of {trial.wanted} rows, {counted(trial.calls, 'call')}"
    kept = f" ({trial.kept} replies were stored already)" if trial.kept else ""
    stopped = f"; it stopped early: {trial.stopped}" if trial.stopped else ""
    return f"{tried}{kept}; the replies are stored, so the run does not pay for them again{stopped}"


def _money(value: float | None, sign: str) -> str:
    """Return a cost as text. List prices are in dollars; prices in a file are in the currency of the file."""
    return "?" if value is None else f"{sign}{value:.4f}"
