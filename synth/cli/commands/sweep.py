"""The command sweep."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.cli.commands.base import corpus_options, endpoint_options, names, print_json, progress_of, settings_of
from synth.core.table import table

if TYPE_CHECKING:
    from synth.workflows.sweeping import SweepResult, Swept

SUMMARY = "try many settings of the reference RAG system and say which differences are real"
EXAMPLE = "synth sweep docs/ testset.jsonl --sizes 200,400 --retrievers bm25,hybrid --ks 3,5 --plot sweep.svg"


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of `synth sweep`."""
    command.add_argument("sources", nargs="+", metavar="SOURCE", help="the folders or files the testset was made from")
    command.add_argument("testset", help="the testset, JSONL")
    group = command.add_argument_group("grid", "every combination is tried")
    group.add_argument("--strategies", type=names, metavar="NAME,…", help="of chunking (recursive)")
    group.add_argument("--sizes", type=_numbers, metavar="TOKENS,…", help="of chunks (200,400)")
    group.add_argument("--overlaps", type=_numbers, metavar="TOKENS,…", help="of chunks (0)")
    group.add_argument("--retrievers", type=names, metavar="NAME,…", help="bm25, encoder, hybrid (bm25,hybrid)")
    group.add_argument("--rerankers", type=names, metavar="NAME,…", help="none, encoder, or cross-encoders (none)")
    group.add_argument("--ks", type=_numbers, metavar="N,…", help="passages put before the generator (5)")
    command.add_argument("--metrics", type=names, metavar="NAME,…", help="the best is chosen by the first of them")
    command.add_argument("--answers", action="store_true", help="answer too, for metrics of answers")
    command.add_argument("-o", "--output", metavar="FILE", help="all figures, JSON")
    command.add_argument("--plot", metavar="FILE", help="a plot of the first metric, SVG")
    corpus_options(command)
    endpoint_options(
        command.add_argument_group("generator", "for --answers; without --llm the sentence that fits best")
    )


def run(options: argparse.Namespace) -> int:
    """Sweep and print."""
    from synth.workflows.sweeping import Grid, as_json, sweep

    given = {
        name: getattr(options, name)
        for name in ("strategies", "sizes", "overlaps", "retrievers", "rerankers", "ks", "metrics")
        if getattr(options, name)
    }
    swept = sweep(
        options.sources,
        options.testset,
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
    print(table(heads, [_row(swept, one) for one in swept.tried]))
    print(_closing(swept))
    return 0


def _row(swept: Swept, one: SweepResult) -> list[Any]:
    row: list[Any] = [one.system.title]
    for name in swept.columns:
        found = one.evaluation.metrics[name].estimate if name in one.evaluation.metrics else None
        if found is None or found.mean is None or found.low is None or found.high is None:
            row.append("-")
        else:
            row.append(f"{found.mean:.3f} ({found.low:.2f}-{found.high:.2f})")
    row.append(f"{one.tokens:.0f}")
    gap = swept.gaps.get(one.system.title)
    if gap is None or gap.estimate.mean is None or gap.estimate.low is None or gap.estimate.high is None:
        return [*row, "best" if one is swept.best else "-", "-", "-"]
    apart = f"{gap.estimate.mean:+.3f} ({gap.estimate.low:+.2f} to {gap.estimate.high:+.2f})"
    return [*row, apart, "-" if gap.adjusted is None else f"{gap.adjusted:.4f}", "yes" if swept.real(one) else "no"]


def _closing(swept: Swept) -> str:
    alike = [one.system.title for one in swept.tried[1:] if not swept.real(one)]
    told = f"best by {swept.columns[0]}: {swept.best.system.title}"
    if not alike:
        return f"{told}; every other setting is told apart from it"
    cheapest = min((one for one in swept.tried if not swept.real(one)), key=lambda one: one.tokens)
    more = f"; the one of them with the fewest tokens: {cheapest.system.title}" if cheapest is not swept.best else ""
    return f"{told}; {len(alike)} of {len(swept.tried) - 1} others cannot be told apart from it{more}"


def _numbers(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in names(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a list of whole numbers such as 200,400") from error
