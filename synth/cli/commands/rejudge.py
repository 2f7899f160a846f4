"""The command rejudge."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from synth.cli.commands import base
from synth.cli.commands.base import (
    corpus_options,
    encoder_endpoint_options,
    force_option,
    print_json,
    print_reviewed,
    print_withheld,
    progress_of,
    settings_of,
    shares,
)
from synth.core.errors import ShortfallError
from synth.core.table import table
from synth.core.terminal import counted

SUMMARY = "judge a set and its refused candidates again under other thresholds"
EXAMPLE = "synth rejudge testset.jsonl --corpus docs/ -o stricter.jsonl --threshold copied.max_words=6"
RARE = base.RARE
_USED = ("corpus.max_bytes", "corpus.max_seconds", "encoder", "model.encoder_url")


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth rejudge`."""
    command.add_argument("testset", help="the testset, JSONL, with the files that generate wrote beside it")
    command.add_argument("--corpus", nargs="+", required=True, metavar="SOURCE", help="a folder or a file")
    command.add_argument("-o", "--output", required=True, **base.OUTPUT, help="the new set, JSONL")
    command.add_argument("-n", type=base.whole(1), help="number of rows (as requested when the set was made)")
    command.add_argument(
        "--threshold",
        type=_threshold,
        action="append",
        default=[],
        metavar="FILTER.NAME=VALUE",
        help="a threshold of a filter, repeatable; can also be set under [filters] of --config",
    )
    command.add_argument("--limits", type=shares, metavar="TAG=SHARE,…", help="largest share of rows with a tag")
    force_option(command)
    corpus_options(command)
    encoder_endpoint_options(command)


def run(options: argparse.Namespace) -> int:
    """Judge the set again and print the result."""
    from dataclasses import replace

    from synth.workflows.rejudging import rejudge

    initial, rows = settings_of(argparse.Namespace(**{**vars(options), "n": None})), options.n
    filters: dict[str, Any] = dict(initial.filters)
    for filter_, name, value in options.threshold:
        before = filters.get(filter_)
        filters[filter_] = {**(before if isinstance(before, dict) else {}), name: value}
    settings = replace(initial, filters=filters)
    print_withheld(Path(options.testset), settings, _USED)
    result = rejudge(
        Path(options.testset),
        options.corpus,
        Path(options.output),
        settings,
        progress_of(options),
        rows,
        force=options.force,
    )
    outcome = result.outcome
    changes = [("+", sample) for sample in result.added] + [("-", sample) for sample in result.removed]
    if options.json:
        print_json(
            {
                "output": str(result.output),
                "rows": len(outcome.samples),
                "added": [sample.id for sample in result.added],
                "removed": [sample.id for sample in result.removed],
                "shortfall": outcome.shortfall,
                "funnel": outcome.funnel,
            }
        )
    else:
        if changes:
            print(table(["", "row", "question"], [[sign, sample.id, sample.question] for sign, sample in changes]))
        added, removed = len(result.added), len(result.removed)
        print(f"{counted(len(outcome.samples), 'row')} in {result.output}: {added} added, {removed} removed")
        print_reviewed(result.reviewed)
    if outcome.shortfall:
        missing = ", ".join(f"{count} {kind}" for kind, count in outcome.shortfall.items())
        raise ShortfallError(f"these thresholds leave too few rows (missing: {missing}); make more rows with generate")
    return 0


def _threshold(text: str) -> tuple[str, str, Any]:
    import tomllib

    place, separator, value = text.partition("=")
    filter_, dot, name = place.strip().partition(".")
    try:
        # A number may begin with a decimal point, which TOML does not allow.
        number = f"0{value.strip()}" if value.strip().startswith(".") else value.strip()
        parsed = tomllib.loads(f"value = {number}")["value"]
    except tomllib.TOMLDecodeError:
        parsed = None
    if not (separator and dot and filter_ and name) or parsed is None:
        raise argparse.ArgumentTypeError(f"'{text}' must have the form FILTER.NAME=VALUE, such as copied.max_words=6")
    return filter_, name, parsed
