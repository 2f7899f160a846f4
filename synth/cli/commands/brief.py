"""The command brief."""

from __future__ import annotations

import argparse

from synth.cli.commands import base
from synth.cli.commands.base import corpus_options, model_options, print_json, progress_of, settings_of

SUMMARY = "print a chat model's description of the documents (the brief)"
EXAMPLE = "synth brief docs/ --llm gpt-4o-mini > brief.txt"
RARE = base.RARE


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth brief`."""
    command.add_argument("sources", nargs="+", metavar="SOURCE", help="a folder or a file")
    command.add_argument("--brief", metavar="TEXT|FILE", help="your own brief; '+TEXT' adds to the model's brief")
    corpus_options(command)
    model_options(command)
    command.add_argument("--prompts", metavar="DIR", help="folder of your own prompts, which replace packaged ones")


def run(options: argparse.Namespace) -> int:
    """Print the brief."""
    from synth.workflows.generating import brief

    text = brief(options.sources, settings_of(options), progress_of(options))
    if options.json:
        print_json({"brief": text})
    else:
        print(text)
    return 0
