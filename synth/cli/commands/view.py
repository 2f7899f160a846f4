"""The command view."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path

from synth.cli.commands import base
from synth.cli.commands.base import corpus_options, print_json, settings_of
from synth.core.terminal import counted

SUMMARY = "browse a set on a local page, with its documents, another version and stored runs"
EXAMPLE = "synth view testset.jsonl --corpus docs/"
RARE = base.RARE


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth view`."""
    command.add_argument("testset", help="the testset, JSONL")
    command.add_argument("other", nargs="?", help="another version of the set to compare with, JSONL")
    command.add_argument(
        "--corpus", nargs="+", default=(), metavar="SOURCE", help="the documents, to show the evidence in context"
    )
    command.add_argument("--results", nargs="+", default=(), metavar="RUN", help="one or two stored runs on the set")
    command.add_argument("--store", metavar="FILE", help="the decisions, SQLite (beside the set)")
    command.add_argument("--words", default="", metavar="LANGUAGE", help="en, zh-Hans or zh-Hant (that of the set)")
    command.add_argument(
        "--host", default="127.0.0.1", help="address to listen on; an address other than loopback needs a token"
    )
    command.add_argument("--port", type=base.PORT, default=8766, help="port to listen on, 0 for any (8766)")
    corpus_options(command)


def run(options: argparse.Namespace) -> int:
    """Serve the page until interrupted."""
    from synth.workflows.annotating import ReviewSettings
    from synth.workflows.viewing import view

    def announce(url: str, rows: int, store: Path) -> None:
        if options.json:
            print_json({"url": url, "rows": rows, "store": str(store)})
        else:
            print(f"{counted(rows, 'row')} at {url}\ndecisions are stored in {store}; press Ctrl+C to stop")
        sys.stdout.flush()

    chosen = ReviewSettings(
        sources=tuple(options.corpus),
        language=options.words,
        store=Path(options.store) if options.store else None,
    )
    with suppress(KeyboardInterrupt):  # the usual end
        view(
            Path(options.testset),
            Path(options.other) if options.other else None,
            chosen,
            settings_of(options),
            results=[Path(run) for run in options.results],
            host=options.host,
            port=options.port,
            announce=announce,
        )
    return 0
