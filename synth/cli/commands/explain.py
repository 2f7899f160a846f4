"""The command explain."""

from __future__ import annotations

import argparse
import inspect
import textwrap
from collections.abc import Iterator
from importlib import resources

from synth.cli.commands.base import print_json
from synth.core.plugins import closest_name

SUMMARY = "explain a name in a table: a metric, filter, tag, question type, exit code …"
EXAMPLE = "synth explain evidence_recall copied hard"
_WIDTH = 88


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `synth explain`."""
    command.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help="a name, or a kind of names such as filter; without a name, all are listed",
    )


def run(options: argparse.Namespace) -> int:
    """Explain each name, or list all names by kind. Raises ConfigError for an unknown name."""
    from synth.core.errors import ConfigError

    known = explanations()
    if not options.names:
        _print_list(known)
        return 0
    chosen = []
    for word in options.names:
        entries = _entries(word, known)
        if not entries:
            hint = closest_name(word, [name for _, name in known])
            asked = f"; did you mean {hint}?" if hint else ";"
            raise ConfigError(f"there is no name '{word}'{asked} synth explain lists all names")
        chosen += entries
    if options.json:
        print_json([{"name": name, "kind": kind, "text": text} for kind, name, text in chosen])
        return 0
    for kind, name, text in chosen:
        print(f"{name} ({kind})")
        print("\n\n".join(textwrap.fill(part, _WIDTH) for part in text.split("\n\n")) + "\n")
    return 0


def _entries(word: str, known: dict[tuple[str, str], str]) -> list[tuple[str, str, str]]:
    """Return (kind, name, text) of each entry with this name or kind. A cutoff, as in "ndcg@10", is ignored.

    In a name such as "evolution: reword", the part before the colon is ignored too.
    """
    key = word.partition("@")[0].rpartition(": ")[-1].casefold().replace("-", " ")
    return [
        (kind, name, text) for (kind, name), text in known.items() if key in (kind, name.casefold().replace("-", " "))
    ]


def explanations() -> dict[tuple[str, str], str]:
    """Return all explanations by kind and name, from the docstrings of parts and from names.toml."""
    from synth.core.fields import parsed_toml

    texts = {(kind, name): _prose(part) for kind, name, part in _parts()}
    names = resources.files("synth.cli").joinpath("names.toml").read_text(encoding="utf-8")
    table = parsed_toml(names, "names.toml").values
    texts.update({(kind, name): text for kind, entries in table.items() for name, text in entries.items()})
    texts.update(_aspects())
    texts.update(_tables())
    return texts


def _parts() -> Iterator[tuple[str, str, type]]:
    from synth.core.plugins import discover
    from synth.corpus.transforms.base import Transform
    from synth.evaluation.metrics.base import Metric
    from synth.generation.filters.base import Filter, SetFilter
    from synth.workflows.exporting import formats
    from synth.workflows.judges import judged_metrics

    for kind, package, base in (
        ("metric", "synth.evaluation.metrics", Metric),
        ("filter", "synth.generation.filters", Filter),
        ("filter", "synth.generation.filters", SetFilter),
        ("transform", "synth.corpus.transforms", Transform),
    ):
        for name, part in discover(package, base).items():
            yield kind, name, part
    for name, part in judged_metrics().items():
        yield "judged metric", name, part
    for name, part in formats().items():
        yield "export format", name, part


def _aspects() -> Iterator[tuple[tuple[str, str], str]]:
    from synth.evaluation.messages import message
    from synth.evaluation.scoring import RULES

    for name, rule in RULES.items():
        text = message(f"rule.{name}").text
        yield ("aspect of score", name), f"{text[0].upper()}{text[1:]}. Grades: {rule.shown}."


def _tables() -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the names that are explained in tables of the code, such as the reasons why a file was not read."""
    from synth.corpus.documents.reasons import REASONS
    from synth.evaluation.failures import MEANINGS
    from synth.retrieval.reference import DESCRIPTIONS

    for kind, texts in (
        ("reason of a file", REASONS),
        ("failure of an answer", MEANINGS),
        ("reference retriever", DESCRIPTIONS),
    ):
        for name, text in texts.items():
            yield (kind, name), f"{text[0].upper()}{text[1:]}."


def _prose(part: type) -> str:
    text = inspect.getdoc(part) or ""
    return "\n\n".join(" ".join(block.split()) for block in text.split("\n\n"))


def _print_list(known: dict[tuple[str, str], str]) -> None:
    kinds: dict[str, list[str]] = {}
    for kind, name in known:
        kinds.setdefault(kind, []).append(name)
    for kind, names in kinds.items():
        print(f"{kind}:")
        whole = ", ".join(name.replace(" ", "\u00a0") for name in names)  # keep each name on one line
        lines = textwrap.fill(whole, _WIDTH, initial_indent="  ", subsequent_indent="  ")
        print(lines.replace("\u00a0", " ") + "\n")
