"""The command graph."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from synth.cli.commands import base
from synth.cli.commands.base import (
    corpus_options,
    model_options,
    print_errors,
    print_json,
    print_skipped,
    progress_of,
    settings_of,
)
from synth.core.table import table
from synth.core.terminal import counted

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph

SUMMARY = "build, count, view or export the knowledge graph of documents"
EXAMPLE = "synth graph show docs/ -o graph.html"
RARE = base.RARE


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth graph`."""
    command.add_argument(
        "what", choices=("build", "stats", "show", "export"), help="show writes an HTML page, export writes a file"
    )
    command.add_argument("sources", nargs="+", metavar="SOURCE", help="a folder or a file")
    command.add_argument("-o", "--output", **base.OUTPUT, help="the page to write (show), or the file (export)")
    command.add_argument(
        "--testset", metavar="FILE", help="for show: also draw the path that links the evidence of each row of this set"
    )
    command.add_argument(
        "--shard", metavar="NUMBER/COUNT", help="for build: read only this part of the documents, for synth merge"
    )
    command.add_argument("--format", choices=("graphml", "json"), help="for export: format of the file (by its suffix)")
    corpus_options(command)
    model_options(command)


def run(options: argparse.Namespace) -> int:
    """Build the graph, and write it or print its statistics."""
    from synth.workflows.session import build_graph

    if options.shard:
        return _read_shard(options)
    write = _graph_writer(options)
    built = build_graph(options.sources, settings_of(options), progress_of(options))
    counts = {
        name: {"computed": c.computed, "reused": c.reused, "waiting": c.waiting} for name, c in built.counts.items()
    }
    stats = built.graph.stats()
    if write:
        write(built.graph)
    if options.json:
        output = {"output": options.output} if write else {}
        print_json({**output, "stats": stats, "transforms": counts})
        return 0
    print_skipped(built.skipped, options)
    if write:
        print(f"{sum(stats['nodes'].values())} nodes, {sum(stats['edges'].values())} edges in {options.output}")
        return 0
    if options.what == "build":
        rows = [[name, c["computed"], c["reused"], c["waiting"]] for name, c in counts.items()]
        print(table(["transform", "documents computed", "reused", "computed when needed"], rows))
    flat = [
        [f"{group} {name}", value] for group in ("nodes", "edges", "languages") for name, value in stats[group].items()
    ]
    if options.what == "stats":
        flat += [[f"degree, {kind}, {name}", value] for kind, d in stats["degree"].items() for name, value in d.items()]
        flat += [["components", stats["components"]["count"]], ["isolated passages", stats["isolates"]]]
    print(table(["graph", "count"], flat))
    return 0


def _read_shard(options: argparse.Namespace) -> int:
    from synth.core.errors import ConfigError
    from synth.corpus.documents.shard import shard_named
    from synth.workflows.sharding import read_shard

    if options.what != "build" or options.output or options.format:
        raise ConfigError("--shard works only with graph build, and without --output and --format")
    shard = shard_named(options.shard)
    done = read_shard(options.sources, shard, settings_of(options), progress_of(options))
    if options.json:
        print_json({"shard": str(shard), "documents": done.documents, "passages": done.passages, "made": done.made})
        return 0
    print_skipped(done.skipped, options)
    print_errors(done.errors)
    print(table(["made", "documents"], sorted(done.made.items())))
    print(f"shard {shard}: {counted(done.documents, 'document')}, {counted(done.passages, 'passage')}")
    return 0


def _graph_writer(options: argparse.Namespace) -> Callable[[KnowledgeGraph], None] | None:
    """Return a function that writes the graph to the output, or None if nothing is written.

    The options are checked first.
    """
    from synth.core.errors import ConfigError
    from synth.core.jsonl import read_samples, write_atomic
    from synth.corpus.graph_formats.graphml import graphml
    from synth.corpus.graph_formats.node_link import node_link_json
    from synth.evaluation.report.graph_view import graph_html
    from synth.workflows.overwriting import check_no_set

    if options.testset and options.what != "show":
        raise ConfigError(f"graph {options.what} draws no rows; use --testset only with graph show")
    if options.what not in ("show", "export"):
        if options.output or options.format:
            raise ConfigError(
                f"graph {options.what} writes no file; use graph show or graph export with -o and --format"
            )
        return None
    if not options.output:
        raise ConfigError(f"graph {options.what} needs a file to write; name it with -o FILE")
    path = Path(options.output)
    check_no_set(path)
    if options.what == "show":
        if options.format:
            raise ConfigError("graph show always writes HTML; use --format only with graph export")
        title = ", ".join(Path(source).resolve().name or str(source) for source in options.sources)
        rows = read_samples(Path(options.testset)).samples if options.testset else ()
        return lambda graph: write_atomic(path, graph_html(graph, title, rows=rows))
    formats = {"graphml": graphml, "json": node_link_json}
    name = options.format or path.suffix.lower().removeprefix(".")
    if name not in formats:
        raise ConfigError(
            f"the suffix of {path} is not a format ({', '.join(formats)}); choose one with --format, or another suffix"
        )
    return lambda graph: write_atomic(path, formats[name](graph))
