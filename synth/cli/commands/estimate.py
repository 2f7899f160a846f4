"""The command estimate."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING

from synth.cli.commands.base import corpus_options, model_options, print_json, progress_of, settings_of, shares
from synth.core.table import table

if TYPE_CHECKING:
    from synth.workflows.estimating import SampleRun

SUMMARY = "what a run with a chat model will take, before it is begun"
EXAMPLE = "synth estimate docs/ -n 200 --llm gpt-4o-mini"


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of `synth estimate`: those of `synth generate` that calls depend on."""
    command.add_argument("sources", nargs="+", metavar="SOURCE", help="a folder or a file")
    command.add_argument("-n", type=int, help="rows (50)")
    command.add_argument("--types", type=shares, metavar="TYPE=SHARE,…", help="question types and shares (simple=1)")
    command.add_argument("--seed", type=int, help="of the set that would be made (0)")
    command.add_argument(
        "--try", dest="trial", type=int, default=0, metavar="ROWS",
        help="make so many rows first, to learn how many rows a passage gives; without it nothing is sent",
    )  # fmt: skip
    corpus_options(command)
    model_options(command)
    command.add_argument("--prompts", metavar="DIR", help="your own prompts, which go before the packaged ones")


def run(options: argparse.Namespace) -> int:
    from synth.workflows.estimating import estimate

    settings = settings_of(options)
    found = estimate(options.sources, settings, progress_of(options), trial=options.trial)
    totals = {what: found.total(what) for what in ("calls", "prompt_tokens", "completion_tokens")}
    if options.json:
        print_json(
            {
                **totals,
                "cost": found.cost,
                "rows": settings.n,
                "tasks": found.tasks,
                "stages": [asdict(stage) for stage in found.stages],
                "prices": {name: asdict(price) if price else None for name, price in found.prices.items()},
                "tasks_seen_in_earlier_runs": found.seen,
                "trial": asdict(found.trial) if found.trial else None,
            }
        )
        return 0
    rows = [
        [stage.purpose, stage.role, stage.calls, stage.prompt_tokens, stage.completion_tokens, _money(stage.cost)]
        for stage in found.stages
    ]
    print(table(["stage", "asked of", "calls", "tokens read", "tokens written", "cost"], rows))
    print(
        f"{settings.n} rows: {totals['calls']} calls, {totals['prompt_tokens']} tokens read, "
        f"{totals['completion_tokens']} written, cost {_money(found.cost)}"
    )
    for name, price in found.prices.items():
        told = (
            f"{price.input:g} read, {price.output:g} written, a million tokens ({price.source})" if price else "unknown"
        )
        print(f"price of {name}: {told}" + ("" if price else "; write it into a file and give that with --prices"))
    if found.trial:
        print(_told(found.trial))
    if not found.seen:
        print(
            "no run with these models has been seen yet: how many rows a passage gives is a general figure, and "
            "the truth may be half or twice of it; --try 20 makes 20 rows first"
        )
    return 0


def _told(trial: SampleRun) -> str:
    told = f"tried first: {trial.rows} of {trial.wanted} rows, {trial.calls} calls"
    kept = f" ({trial.kept} answers were kept from before)" if trial.kept else ""
    stopped = f"; it ended before its time: {trial.stopped}" if trial.stopped else ""
    return f"{told}{kept}; the answers are kept, and what the run asks again it does not pay for{stopped}"


def _money(value: float | None) -> str:
    return "?" if value is None else f"{value:.4f}"
