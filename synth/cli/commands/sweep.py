"""The command sweep."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.cli.commands import base
from synth.cli.commands.base import (
    corpus_options,
    endpoint_options,
    names,
    p_value,
    print_json,
    progress_of,
    settings_of,
)
from synth.core.table import table
from synth.core.terminal import counted

if TYPE_CHECKING:
    from synth.workflows.sweeping import SweepResult, Swept

SUMMARY = "try many settings of the reference RAG system and test their differences"
EXAMPLE = "synth sweep testset.jsonl --corpus docs/ --sizes 200,400 --retrievers bm25,hybrid --ks 3,5 --plot sweep.svg"
RARE = (*base.RARE, "--plot", "--rerankers", "--overlaps")


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth sweep`."""
    command.add_argument("testset", help="the testset, JSONL, or hf://datasets/OWNER/NAME")
    command.add_argument(
        "--corpus", nargs="+", required=True, metavar="SOURCE", help="the folders or files the testset was made from"
    )
    group = command.add_argument_group("grid", "every combination of values is tried")
    group.add_argument("--strategies", type=names, metavar="NAME,…", help="chunk strategies (recursive)")
    group.add_argument("--sizes", type=_numbers, metavar="TOKENS,…", help="chunk sizes (200,400)")
    group.add_argument("--overlaps", type=_numbers, metavar="TOKENS,…", help="chunk overlaps (0)")
    group.add_argument("--retrievers", type=names, metavar="NAME,…", help="bm25, encoder, hybrid (bm25,hybrid)")
    group.add_argument("--rerankers", type=names, metavar="NAME,…", help="none, encoder, or cross-encoders (none)")
    group.add_argument("--ks", type=_numbers, metavar="N,…", help="passages in the context of the generator (5)")
    command.add_argument("--metrics", type=names, metavar="NAME,…", help="metrics; the first decides which is best")
    command.add_argument("--answers", action="store_true", help="also generate answers, for metrics of answers")
    command.add_argument("-o", "--output", **base.OUTPUT, help="the result, JSON")
    command.add_argument("--plot", metavar="FILE", help="a plot of the first metric, SVG")
    corpus_options(command)
    endpoint_options(
        command.add_argument_group(
            "generator", "for --answers; without --llm, the answer is the best sentence of the passages"
        )
    )


def run(options: argparse.Namespace) -> int:
    """Try all settings and print the result."""
    from synth.workflows.sweeping import Grid, as_json, sweep

    given = {
        name: getattr(options, name)
        for name in ("strategies", "sizes", "overlaps", "retrievers", "rerankers", "ks", "metrics")
        if getattr(options, name)
    }
    swept = sweep(
        options.testset,
        options.corpus,
        Grid(**given, answers=options.answers),
        settings_of(options),
        output=Path(options.output) if options.output else None,
        picture=Path(options.plot) if options.plot else None,
        progress=progress_of(options),
    )
    if options.json:
        print_json(as_json(swept))
        return 0
    heads = ["retriever, chunk size, top k", *swept.columns, "tokens", "below the best", "p (Holm)", "real"]
    print(table(heads, [_row(swept, result) for result in swept.tried]))
    print(_summary(swept))
    return 0


def _row(swept: Swept, result: SweepResult) -> list[Any]:
    row: list[Any] = [result.system.title]
    for name in swept.columns:
        estimate = result.evaluation.metrics[name].estimate if name in result.evaluation.metrics else None
        if estimate is None or estimate.mean is None or estimate.low is None or estimate.high is None:
            row.append("-")
        else:
            row.append(f"{estimate.mean:.3f} ({estimate.low:.2f}-{estimate.high:.2f})")
    row.append(f"{result.tokens:.0f}")
    gap = swept.gaps.get(result.system.title)
    if gap is None or gap.estimate.mean is None or gap.estimate.low is None or gap.estimate.high is None:
        return [*row, "best" if result is swept.best else "-", "-", "-"]
    apart = f"{gap.estimate.mean:+.3f} ({gap.estimate.low:+.2f} to {gap.estimate.high:+.2f})"
    return [
        *row,
        apart,
        p_value(gap.adjusted),
        "yes" if swept.is_below_best(result) else "no",
    ]


def _summary(swept: Swept) -> str:
    alike = [result.system.title for result in swept.tried[1:] if not swept.is_below_best(result)]
    best = f"best by {swept.columns[0]}: {swept.best.system.title}"
    if not alike:
        return f"{best}; every other setting is significantly below it"
    cheapest = min(
        (result for result in swept.tried if not swept.is_below_best(result)), key=lambda result: result.tokens
    )
    more = f"; fewest tokens among them: {cheapest.system.title}" if cheapest is not swept.best else ""
    return f"{best}; not significantly different: {len(alike)} of {counted(len(swept.tried) - 1, 'other')}{more}"


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in names(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' must be a list of whole numbers such as 200,400") from error
