"""The command show."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.cli.commands.base import print_json
from synth.core.errors import ConfigError
from synth.core.terminal import printable

if TYPE_CHECKING:
    from synth.core.records import Sample
    from synth.testset.dataset import Item

SUMMARY = "print random rows"
EXAMPLE = "synth show testset.jsonl -n 10"


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `synth show`."""
    command.add_argument("testset", help="the testset, JSONL, or hf://datasets/OWNER/NAME")
    command.add_argument("-n", type=int, default=10, help="rows (10)")
    command.add_argument("--seed", type=int, default=0, help="another seed shows other rows (0)")


def run(options: argparse.Namespace) -> int:
    import random

    from synth.core.jsonl import read_samples, sample_to_row
    from synth.testset.hub import located

    if options.n < 1:
        raise ConfigError(f"n must be at least 1, was {options.n}")
    read = read_samples(located(options.testset))
    for damaged in read.damaged:
        print(f"synth: {printable(damaged.reason)}", file=sys.stderr)
    chosen = random.Random(options.seed).sample(read.samples, min(options.n, len(read.samples)))
    if options.json:
        print_json([sample_to_row(sample) for sample in chosen])
        return 0
    for number, sample in enumerate(chosen, start=1):
        print(f"{number}. {printable(sample.question)}")
        for line in answers_and_evidence(sample):
            print(f"   {line}")
    return 0


def answers_and_evidence(row: Sample | Item) -> Iterator[str]:
    """The golden answers and the evidence of a row, a line each and one for the place of the evidence."""
    for answer in row.golden_answers:
        yield f"answer:   {printable(answer)}"
    for piece in row.evidence:
        yield f"evidence: {printable(json.dumps(piece.text, ensure_ascii=False))}"
        yield f"          {printable(piece.doc_id)}, characters {piece.start} to {piece.end}"
