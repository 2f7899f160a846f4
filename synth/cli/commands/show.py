"""The command show."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.cli.commands.base import print_json
from synth.core.checks import check_least
from synth.core.errors import InputError
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
    from synth.testset.stored_manifest import check_format

    check_least("n", options.n, 1)
    testset = located(options.testset)
    check_format(testset)
    read = read_samples(testset)
    for damaged in read.damaged:
        print(f"synth: {printable(damaged.reason)}", file=sys.stderr)
    if not read.samples:
        raise InputError(f"{options.testset} has no row that can be read")
    chosen = random.Random(options.seed).sample(read.samples, min(options.n, len(read.samples)))
    if options.json:
        print_json([sample_to_row(sample) for sample in chosen])
        return 0
    for number, sample in enumerate(chosen, start=1):
        print(f"{number}. {printable(sample.question)}")
        print(f"   row:      {printable(sample.id)}, {printable(sample.question_type)}")
        for line in answers_and_evidence(sample):
            print(f"   {line}")
    return 0


def answers_and_evidence(row: Sample | Item) -> Iterator[str]:
    """The golden answers and the evidence of a row, a line each and one for the place of the evidence."""
    for answer in row.golden_answers:
        yield f"answer:   {printable(answer)}"
    for piece in row.evidence:
        yield f"evidence: {printable(piece.text)}"
        yield f"          {printable(piece.doc_id)}, characters {piece.start} to {piece.end}"
