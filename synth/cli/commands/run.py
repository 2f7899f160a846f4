"""The command run."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from synth.cli.commands import base
from synth.cli.commands.base import corpus_options, endpoint_options, print_json, progress_of, settings_of
from synth.core.table import table
from synth.core.terminal import counted, printable

SUMMARY = "answer a testset with the reference RAG system"
EXAMPLE = "synth run testset.jsonl --corpus docs/ -o responses.jsonl --retriever hybrid --k 5"
RARE = (*base.RARE, "--depth", "--pipeline", "--reranker")


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth run`."""
    command.add_argument("testset", help="the testset, JSONL, or hf://datasets/OWNER/NAME")
    command.add_argument(
        "--corpus", nargs="+", required=True, metavar="SOURCE", help="the folders or files the testset was made from"
    )
    command.add_argument("-o", "--output", required=True, **base.OUTPUT, help="the responses, JSONL")
    command.add_argument("--retriever", default="bm25", help="bm25, encoder or hybrid (bm25)")
    command.add_argument("--reranker", default="none", help="none, encoder, or a cross-encoder's name or folder (none)")
    command.add_argument("--k", type=int, default=5, help="passages in the context of the generator (5)")
    command.add_argument("--depth", type=int, default=10, help="passages retrieved and reported (10)")
    command.add_argument(
        "--pipeline",
        default="sequential",
        help="sequential; conditional: a judge decides on retrieval; none: no retrieval; oracle: evidence passages",
    )
    corpus_options(command)
    group = command.add_argument_group("generator", "without --llm, the answer is the best sentence of the passages")
    endpoint_options(group)
    group.add_argument(
        "--judge", dest="model.judge", metavar="MODEL", help="another model that decides whether to retrieve"
    )


def run(options: argparse.Namespace) -> int:
    """Run the system and print a summary."""
    from synth.evaluation.reference_rag.system import System
    from synth.workflows.running import run as run_system

    settings = settings_of(options)
    system = System(
        chunks=settings.chunks,
        retriever=options.retriever,
        reranker=options.reranker,
        k=options.k,
        depth=options.depth,
        pipeline=options.pipeline,
    )
    result = run_system(options.testset, options.corpus, Path(options.output), system, settings, progress_of(options))
    empty = sum(not row.get("contexts") for row in result.rows)
    if options.json:
        counts = {"rows": len(result.rows), "failed": list(result.failed), "without_contexts": empty}
        print_json({**counts, "passages": result.passages, "system": system.title, "model": dict(result.model)})
        return 0
    if result.failed:
        reasons = next(row["failed"] for row in result.rows if "failed" in row)
        failed = counted(len(result.failed), "row")
        print(f"synth: {failed} without an answer; the first error: {printable(reasons)}", file=sys.stderr)
    rows = [["rows", len(result.rows)], ["passages", result.passages], ["rows without contexts", empty]]
    if result.model:
        rows += [[name, result.model[name]] for name in ("calls", "cached", "prompt_tokens", "completion_tokens")]
    print(table([system.title, ""], rows))
    print(f"responses in {options.output}")
    return 0
