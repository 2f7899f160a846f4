"""The command show."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from synth.cli.commands import base
from synth.cli.commands.base import print_json
from synth.core.checks import check_least
from synth.core.errors import InputError
from synth.core.table import table
from synth.core.terminal import counted, printable

if TYPE_CHECKING:
    from synth.core.records import Sample
    from synth.testset.dataset import Item

SUMMARY = "print rows: random ones, or those with an id, a type, a tag, a document or a text"
EXAMPLE = "synth show testset.jsonl --type multi_context --doc install"

_ROWS = 10
"""Number of rows shown by default."""

_CHOOSING = ("id", "type", "difficulty", "tag", "doc", "signals", "text")
"""Options that rows must fit."""

_MOST_NAMED = 12

_REASONS = 30
"""Number of reasons shown by default with --rejected."""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth show`."""
    command.add_argument("testset", help="the testset, JSONL, or hf://datasets/OWNER/NAME")
    command.add_argument("-n", type=base.whole(1), help="largest number of rows (10; with --id all rows named)")
    command.add_argument("--seed", type=base.COUNT, default=0, help="another seed shows other rows (0)")
    command.add_argument(
        "--rejected",
        action="store_true",
        help="count the refused candidates beside the set that fit, by stage and reason",
    )
    group = command.add_argument_group(
        "rows", "rows must fit every option; several values of one option are alternatives"
    )
    group.add_argument("--id", nargs="+", metavar="ID", help="ids of rows; the beginning of an id is enough")
    group.add_argument("--type", nargs="+", metavar="TYPE", help="question types")
    group.add_argument("--difficulty", nargs="+", metavar="LEVEL", help="easy, medium, hard")
    group.add_argument("--tag", nargs="+", metavar="TAG", help="tags, such as keyword or copied_wording")
    group.add_argument("--doc", nargs="+", metavar="NAME", help="part of the name of a document with evidence")
    group.add_argument("--signals", action="store_true", help="only rows to which a rule or the judge objects")
    group.add_argument("--text", nargs="+", metavar="TEXT", help="part of the question, an answer or the evidence")


def run(options: argparse.Namespace) -> int:
    """Print the chosen rows."""
    import random

    from synth.core.jsonl import read_samples, sample_to_row
    from synth.generation.quotas import cell_of
    from synth.testset.hub import located
    from synth.testset.stored_manifest import check_format

    if options.n is not None:
        check_least("n", options.n, 1)
    testset = located(options.testset)
    check_format(testset)
    if options.rejected:
        return _print_rejected(testset, options)
    read = read_samples(testset)
    for damaged in read.damaged:
        print(f"synth: {printable(damaged.reason)}", file=sys.stderr)
    if not read.samples:
        raise InputError(f"{options.testset} contains no readable row")
    fitting = [sample for sample in read.samples if _fits(sample, options)]
    if not fitting:
        raise InputError(f"no row of {options.testset} fits all options; {_values(read.samples, options)}")
    most = options.n or (len(fitting) if options.id else _ROWS)
    chosen = random.Random(options.seed).sample(fitting, min(most, len(fitting)))
    if options.id:
        chosen.sort(key=read.samples.index)
    if options.json:
        print_json([sample_to_row(sample) for sample in chosen])
        return 0
    for number, sample in enumerate(chosen, start=1):
        print(f"{number}. {printable(sample.question)}")
        print(f"   row:      {printable(', '.join(filter(None, (sample.id, *cell_of(sample)))))}")
        for line in (*_marks(sample), *answers_and_evidence(sample), *_raised(sample)):
            print(f"   {line}")
    if len(fitting) < len(read.samples):
        print(f"{len(chosen)} of {counted(len(fitting), 'row')} that fit; the set contains {len(read.samples)}")
    return 0


def _marks(sample: Sample) -> Iterator[str]:
    """Yield lines with the tags of a row and the objections to it."""
    from synth.generation.filters.base import objections

    if tags := sample.metadata.get("tags"):
        yield f"tags:     {printable(', '.join(map(str, tags)))}"
    for source, objection in objections(sample).items():
        yield f"signal:   {printable(f'{source}: {objection}')}"


def _print_rejected(testset: Path, options: argparse.Namespace) -> int:
    """Print how many candidates that fit the options were refused, by stage and reason.

    Raises InputError without such a file.
    """
    from synth.testset.manifest import paths
    from synth.testset.refused import read_refused, reasons

    path = paths(testset)[0]
    if not path.exists():
        raise InputError(f"there are no refused candidates beside {options.testset}: {path} is missing")
    candidates, errors = read_refused(path)
    for error in errors:
        print(f"synth: {printable(str(error))}", file=sys.stderr)
    if any(getattr(options, name) for name in _CHOOSING):
        candidates = [one for one in candidates if one.sample and _fits(one.sample, options)]
    counts = reasons(candidates)
    if options.json:
        print_json([{"stage": stage, "reason": reason, "candidates": n} for (stage, reason), n in counts.items()])
        return 0
    most = options.n or _REASONS
    print(table(["stage", "candidates", "reason"], [[stage, n, why] for (stage, why), n in [*counts.items()][:most]]))
    more = f"; {counted(len(counts) - most, 'more reason')}: -n {len(counts)}" if len(counts) > most else ""
    print(f"{counted(len(candidates), 'refused candidate')} in {path}{more}")
    return 0


def _raised(sample: Sample) -> Iterator[str]:
    """Yield the reason why an update marked a row for review, and its proposal, one line each."""
    from synth.annotation.raised import Raised

    raised = Raised.of(sample)
    yield from map(printable, raised.as_text("en").split("\n") if raised else ())


def _fits(sample: Sample, options: argparse.Namespace) -> bool:
    """Return whether a row has one of the values of every given option."""
    from synth.generation.filters.base import objections
    from synth.generation.quotas import cell_of

    names = [piece.doc_id.casefold() for piece in sample.evidence]
    texts = [sample.question, *sample.golden_answers, *(piece.text for piece in sample.evidence)]
    folded = [text.casefold() for text in texts]
    tags, (kind, level) = sample.metadata.get("tags", ()), cell_of(sample)
    return all(
        not wanted or any(map(holds, wanted))
        for wanted, holds in (
            (options.id, sample.id.startswith),
            (options.type, kind.__eq__),
            (options.difficulty, level.__eq__),
            (options.tag, lambda tag: tag in tags),
            (options.signals and [True], lambda _: bool(objections(sample))),
            (options.doc, lambda name: any(name.casefold() in doc for doc in names)),
            (options.text, lambda part: any(part.casefold() in text for text in folded)),
        )
    )


def _values(samples: Sequence[Sample], options: argparse.Namespace) -> str:
    """Return the values that occur in the rows, for the given options."""
    values = {
        "type": {sample.question_type for sample in samples},
        "difficulty": {str(sample.metadata["difficulty"]) for sample in samples if "difficulty" in sample.metadata},
        "tag": {str(tag) for sample in samples for tag in sample.metadata.get("tags", ())},
        "doc": {piece.doc_id for sample in samples for piece in sample.evidence},
    }
    known = []
    for name, names in values.items():
        if getattr(options, name):
            more = ", …" if len(names) > _MOST_NAMED else ""
            known.append(f"values for --{name}: {', '.join(sorted(names)[:_MOST_NAMED]) or 'none'}{more}")
    return "; ".join(known) or f"the set contains {counted(len(samples), 'row')}"


def answers_and_evidence(row: Sample | Item) -> Iterator[str]:
    """Yield lines with the golden answers of a row, its evidence, and the place of each piece of evidence."""
    for answer in row.golden_answers:
        yield f"answer:   {printable(answer)}"
    for piece in row.evidence:
        yield f"evidence: {printable(piece.text)}"
        yield f"          {printable(piece.doc_id)}, characters {piece.start} to {piece.end}"
