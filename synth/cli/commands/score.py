"""The command score."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from synth.cli.commands.base import corpus_options, print_json, progress_of, settings_of
from synth.core.table import printable, table

if TYPE_CHECKING:
    from synth.workflows.set_scoring import SetScored

SUMMARY = "measure the testset itself: grades, worst rows, and how far it agrees with human questions"
EXAMPLE = "synth score testset.jsonl --corpus docs/ --human questions.jsonl -o score.json --html score.html"
_LABELS = 6


def add_options(command: argparse.ArgumentParser) -> None:
    """The arguments of `synth score`."""
    command.add_argument("testset", help="the testset, JSONL")
    command.add_argument("--corpus", nargs="+", default=(), metavar="SOURCE", help="its documents: a folder or a file")
    command.add_argument("--human", metavar="FILE", help="questions of people over the same documents, JSONL")
    command.add_argument("--graph", action="store_true", help="also build the graph: coverage of entities and topics")
    command.add_argument("-o", "--output", metavar="FILE", help="all of it as JSON")
    command.add_argument("--html", metavar="FILE", help="all of it as one page that works offline")
    command.add_argument("--seed", type=int, help="of samples and intervals (0)")
    corpus_options(command)


def run(options: argparse.Namespace) -> int:
    """Score, print and write."""
    from synth.workflows.set_scoring import as_json, score

    found = score(
        Path(options.testset),
        options.corpus,
        settings_of(options),
        human=Path(options.human) if options.human else None,
        graph=options.graph,
        output=Path(options.output) if options.output else None,
        progress=progress_of(options),
    )
    if options.html:
        from synth.core.jsonl import write_atomic
        from synth.evaluation.report.set_page import set_page

        write_atomic(Path(options.html), set_page(as_json(found), Path(options.testset).name))
    if options.json:
        print_json(as_json(found))
    else:
        _print(found, options)
    return 0


def _print(found: SetScored, options: argparse.Namespace) -> None:
    from synth.evaluation.scoring import RULES

    of = found.of
    for damaged in found.damaged:
        print(f"synth: {printable(damaged.reason)}", file=sys.stderr)
    print(f"{of.rows} rows")
    counts = [[name.replace("_", " "), _counted(one)] for name, one in of.counts.items()]
    lengths = [
        [f"words of {name}", f"{one.least} to {one.most}, median {one.median:g}, mean {one.mean:.1f}"]
        for name, one in of.lengths.items()
    ]
    figures = [[name.replace("_", "-"), f"{value:.3f}"] for name, value in of.figures.items()]
    print(table(["of the rows", ""], [*counts, *lengths, *figures]))
    print()
    print(
        table(
            ["side", "grade", "value", "what it is", "rule"],
            [
                [
                    grade.name,
                    grade.letter,
                    "-" if grade.value is None else f"{grade.value:.3f}",
                    grade.reason or RULES[grade.name].says,
                    RULES[grade.name].shown,
                ]
                for grade in of.grades
            ],
        )
    )
    if found.found:
        print()
        print(_retrievers(found))
    if found.left_out:
        print(f"not tried, for want of an encoder: {', '.join(found.left_out)}")
    if found.validity:
        print()
        print(_validity(found))
    print()
    if of.worst:
        rows = [[one.id, one.question, "; ".join(one.faults)] for one in of.worst]
        print(table([f"worst of {of.faulty} rows with a fault", "question", "what is wrong"], rows))
    else:
        print("no row has a fault")
    for path in filter(None, (options.output, options.html)):
        print(f"written: {path}")


def _counted(counts: Mapping[str, int]) -> str:
    first = list(counts.items())[:_LABELS]
    more = f", and {len(counts) - _LABELS} more" if len(counts) > _LABELS else ""
    return ", ".join(f"{label} {n}" for label, n in first) + more


def _retrievers(found: SetScored) -> str:
    from synth.retrieval.reference import DESCRIPTIONS

    mine, human = found.found, found.human
    assert mine is not None
    people = ["human nDCG@10", "human MRR@10"] if human else []
    columns = [mine.ndcg, mine.mrr, *((human.ndcg, human.mrr) if human else ())]
    order = sorted(range(len(mine.names)), key=lambda i: -mine.ndcg[i].mean())
    names = [(i, mine.names[i]) for i in order]
    rows = [[name, *(f"{values[i].mean():.3f}" for values in columns), DESCRIPTIONS[name]] for i, name in names]
    return table([f"retriever ({found.unit}s)", "nDCG@10", "MRR@10", *people, "is"], rows)


def _validity(found: SetScored) -> str:
    from synth.workflows.set_scoring import CAN_TELL

    one = found.validity
    assert one is not None
    rows = []
    for name, it in one.figures.items():
        value = f"{it.value:.3f}" if it.low is None else f"{it.value:.3f} ({it.low:.3f} to {it.high:.3f})"
        sample = f"{it.sample_mean:.3f} ({it.sample_low:.3f} to {it.sample_high:.3f})"
        rows.append([_NAMES[name], value, sample, it.wanted, "yes" if it.held else "no"])
    head = [f"{one.questions} questions against {one.human} of people", "set", f"human samples of {one.sample}"]
    lines = [
        table([*head, "wanted", "held"], rows),
        f"pairs of retrievers told apart: {one.told_apart} of {one.pairs} by the set, {one.human_told_apart} by people",
        f"the set is {'easier' if one.shift > 0 else 'harder'} by {abs(one.shift):.3f} of MRR@10",
        CAN_TELL,
    ]
    if one.contradicted:
        lines.insert(1, "contradicted: " + "; ".join(" and ".join(pair) for pair in one.contradicted))
    return "\n".join(lines)


_NAMES = {
    "tau": "tau-b of nDCG@10",
    "mrr_gap": "mean gap of MRR@10",
    "agreement": "agreement on pairs surely different",
    "contradicted": "pairs surely contradicted",
    "words": "words of the question in its passage",
    "bigrams": "pairs of words in its passage",
}
