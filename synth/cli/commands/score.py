"""The command score."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from synth.cli.commands import base
from synth.cli.commands.base import corpus_options, print_json, progress_of, settings_of
from synth.core.table import table
from synth.core.terminal import counted, printable

if TYPE_CHECKING:
    from synth.evaluation.folders import FolderRows
    from synth.workflows.set_scoring import ScoreResult

SUMMARY = "measure a testset: grades, worst rows, agreement with human questions"
EXAMPLE = "synth score testset.jsonl --corpus docs/ --human questions.jsonl -o score.json --html score.html"
RARE = base.RARE
_MAX_LABELS = 6
_MAX_FOLDERS = 20


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth score`."""
    command.add_argument("testset", help="the testset, JSONL, or hf://datasets/OWNER/NAME")
    command.add_argument(
        "--corpus", nargs="+", default=(), metavar="SOURCE", help="documents of the testset: a folder or a file"
    )
    command.add_argument("--human", metavar="FILE", help="people's questions about the same documents, JSONL")
    command.add_argument(
        "--graph", action="store_true", help="also build the graph, for coverage of entities and topics"
    )
    command.add_argument("-o", "--output", **base.OUTPUT, help="the result as JSON")
    command.add_argument("--html", **base.OUTPUT, help="the result as a page that works offline")
    command.add_argument("--seed", type=int, help="seed of samples and intervals (0)")
    corpus_options(command)


def run(options: argparse.Namespace) -> int:
    """Score the testset, and print and write the result."""
    from synth.testset.hub import located
    from synth.workflows.overwriting import check_no_set
    from synth.workflows.set_scoring import as_json, score

    check_no_set(Path(options.html) if options.html else None)
    result = score(
        located(options.testset),
        options.corpus,
        settings_of(options),
        human=Path(options.human) if options.human else None,
        graph=options.graph,
        output=Path(options.output) if options.output else None,
        page=Path(options.html) if options.html else None,
        progress=progress_of(options),
    )
    if options.json:
        print_json(as_json(result))
    else:
        _print(result, options)
    return 0


def _print(result: ScoreResult, options: argparse.Namespace) -> None:
    from synth.evaluation.messages import message
    from synth.evaluation.scoring import RULES

    scored = result.of
    for damaged in result.damaged:
        print(f"synth: {printable(damaged.reason)}", file=sys.stderr)
    print(f"{counted(scored.rows, 'row')}")
    counts = [[name.replace("_", " "), _counts_line(item)] for name, item in scored.counts.items()]
    lengths = [
        [f"words of {name}", f"{item.shortest} to {item.longest}, median {item.median:g}, mean {item.mean:.1f}"]
        for name, item in scored.lengths.items()
    ]
    figures = [[name.replace("_", "-"), f"{value:.3f}"] for name, value in scored.figures.items()]
    print(table(["property of the rows", ""], [*counts, *lengths, *figures]))
    print()
    if scored.weakest:
        bands = [f"rank {band}" for band in next(iter(scored.weakest.values()))]
        rows = [[f"{hops} needed", *counts.values()] for hops, counts in scored.weakest.items()]
        print(table(["passages needed, by BM25 rank of the hardest to find", *bands], rows))
        print()
    if scored.folders:
        print(_folder_table(scored.folders))
        print()
    print(
        table(
            ["aspect", "grade", "value", "A from", "meaning"],
            [
                [
                    grade.name,
                    grade.letter,
                    "-" if grade.value is None else f"{grade.value:.3f}",
                    RULES[grade.name].best,
                    (grade.reason or message(f"rule.{grade.name}")).text,
                ]
                for grade in scored.grades
            ],
        )
    )
    print(f"for all bounds of a grade: synth explain {scored.grades[0].name}")
    if not options.corpus:
        print("for more figures, name the documents with --corpus; --graph also builds their graph")
    if result.scores:
        print()
        print(_retriever_table(result))
    if result.left_out:
        print(f"left out, because no encoder is installed: {', '.join(result.left_out)}")
    if result.validity:
        print()
        print(_validity_table(result))
    print()
    if scored.worst:
        print(f"worst of the {scored.faulty} rows with a fault")
        for item in scored.worst:
            print(printable(f"{item.id}  {item.question}"))
            print(printable(f"  {'; '.join(fault.text for fault in item.faults)}"))
    else:
        print("no row has a fault")
    for path in filter(None, (options.output, options.html)):
        print(f"written: {path}")


def _counts_line(counts: Mapping[str, int]) -> str:
    first = list(counts.items())[:_MAX_LABELS]
    more = f", and {len(counts) - _MAX_LABELS} more" if len(counts) > _MAX_LABELS else ""
    return ", ".join(f"{label} {n}" for label, n in first) + more


def _folder_table(folders: Mapping[str, FolderRows]) -> str:
    with_corpus = any(folder.documents is not None for folder in folders.values())
    rows = [
        [name, folder.rows, folder.asked, *([folder.documents] if with_corpus else [])]
        for name, folder in list(folders.items())[:_MAX_FOLDERS]
    ]
    head = ["top-level folder", "rows", "documents asked about", *(["documents"] if with_corpus else [])]
    more = len(folders) - _MAX_FOLDERS
    return table(head, rows) + (f"\nand {counted(more, 'folder')} with fewer rows" if more > 0 else "")


def _retriever_table(result: ScoreResult) -> str:
    from synth.retrieval.reference import DESCRIPTIONS

    own, human = result.scores, result.human
    assert own is not None
    people = ["human nDCG@10", "human MRR@10"] if human else []
    columns = [own.ndcg, own.mrr, *((human.ndcg, human.mrr) if human else ())]
    order = sorted(range(len(own.names)), key=lambda i: -own.ndcg[i].mean())
    names = [(i, own.names[i]) for i in order]
    rows = [[name, *(f"{values[i].mean():.3f}" for values in columns), DESCRIPTIONS[name]] for i, name in names]
    return table([f"retriever ({result.unit}s)", "nDCG@10", "MRR@10", *people, "kind"], rows)


def _validity_table(result: ScoreResult) -> str:
    from synth.evaluation.messages import message

    validity = result.validity
    assert validity is not None
    rows = []
    for name, figure in validity.figures.items():
        value = f"{figure.value:.3f}"
        value += "" if figure.low is None else f" ({figure.low:.2f}-{figure.high:.2f})"
        sample = f"{figure.sample_mean:.3f} ({figure.sample_low:.2f}-{figure.sample_high:.2f})"
        rows.append([message(f"figure.{name}").text, value, sample, figure.wanted, "yes" if figure.reached else "no"])
    head = ["figure", "set", f"human samples of {validity.sample}", "wanted", "met"]
    apart = f"{validity.told_apart} of {validity.pairs} by the set, {validity.human_told_apart} by people"
    lines = [
        f"{counted(validity.questions, 'question')} against {validity.human} of people",
        table(head, rows),
        f"pairs of retrievers that differ significantly: {apart}",
        f"the set is {'easier' if validity.shift > 0 else 'harder'} by {abs(validity.shift):.3f} of MRR@10",
        message("set.use").text,
    ]
    if validity.contradicted:
        lines.insert(
            2,
            "pairs of retrievers that the set and people rank in opposite order: "
            + "; ".join(" and ".join(pair) for pair in validity.contradicted),
        )
    return "\n".join(lines)
