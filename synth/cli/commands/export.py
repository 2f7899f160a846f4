"""The command export."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from synth.cli.commands import base
from synth.cli.commands.base import corpus_options, print_json, print_skipped, progress_of, settings_of
from synth.core.table import table
from synth.core.terminal import counted, printable

SUMMARY = "write a set in the format of another tool"
EXAMPLE = "synth export testset.jsonl --to ragas -o ragas.jsonl"
RARE = base.RARE


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth export`."""
    command.add_argument("testset", nargs="?", help="the testset, JSONL")
    command.add_argument("--to", metavar="FORMAT", help="a format listed by --list")
    command.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write, or the folder if the format has several files"
    )
    command.add_argument(
        "--corpus", nargs="+", default=[], metavar="SOURCE", help="the documents, for formats that contain passages"
    )
    command.add_argument(
        "--push",
        metavar="NAME",
        help="upload the set: for huggingface to OWNER/NAME on the hub, for langfuse, langsmith, phoenix to a dataset",
    )
    command.add_argument("--public", action="store_true", help="let --push create a public repository (private)")
    command.add_argument("--list", action="store_true", help="list the formats and the tools that read them")
    corpus_options(command)


def run(options: argparse.Namespace) -> int:
    """Export the set, or list the formats. Return 1 if the set has damaged lines."""
    from synth.core.errors import ConfigError
    from synth.workflows.exporting import export

    if options.list:
        _print_formats(options)
        return 0
    if not (options.testset and options.to and (options.output or options.push)):
        raise ConfigError(
            "export needs a testset, --to FORMAT, and -o OUT or --push NAME; synth export --list shows the formats"
        )
    done = export(
        Path(options.testset),
        options.to,
        Path(options.output) if options.output else None,
        options.corpus,
        settings_of(options),
        progress_of(options),
        repository=options.push or "",
        public=options.public,
    )
    for line in done.warnings:
        print(f"synth: {printable(line)}", file=sys.stderr)
    if options.json:
        print_json(
            {
                "format": done.format.name,
                "rows": done.rows,
                "passages": done.passages,
                "files": [str(path) for path in done.files],
                "address": done.address,
                "damaged": [damaged.reason for damaged in done.damaged],
                "read_by": done.format.read_by,
            }
        )
    else:
        print_skipped(done.skipped, options, Path(options.testset))
        if done.damaged:
            print(table(["line", "left out because"], [[damaged.line, damaged.reason] for damaged in done.damaged]))
        passages = f" and {counted(done.passages, 'passage')}" if done.passages else ""
        places = " and ".join(filter(None, (options.output, done.address)))
        print(f"{counted(done.rows, 'row')}{passages} for {done.format.tool} in {places}")
        print(f"read by: {done.format.read_by}")
    return 1 if done.damaged else 0


def _print_formats(options: argparse.Namespace) -> None:
    from synth.workflows.exporting import formats

    rows = [
        {
            "format": name,
            "tool": format_.tool,
            "writes": "a folder" if format_.folder else "a file",
            "corpus": format_.corpus,
            "read_by": format_.read_by,
        }
        for name, format_ in formats().items()
    ]
    if options.json:
        print_json(rows)
    else:
        print(table(["format", "for", "writes", "--corpus"], [list(row.values())[:-1] for row in rows]))
        print("\nread by")
        for row in rows:
            print(f"{row['format']}: {row['read_by']}")
