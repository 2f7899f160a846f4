"""The command adopt."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.cli.commands import base
from synth.cli.commands.base import (
    corpus_options,
    force_option,
    names,
    print_errors,
    print_json,
    print_reviewed,
    print_skipped,
    progress_of,
    settings_of,
)
from synth.core.table import table

if TYPE_CHECKING:
    from synth.testset.adoption import AdoptedRow
    from synth.workflows.adopting import Adoption

SUMMARY = "make a testset from a set made elsewhere, with its evidence located in the corpus"
EXAMPLE = "synth adopt ragas.jsonl --corpus docs/ -o testset.jsonl"
RARE = base.RARE
_MAX_SHOWN = 20
_MAX_PLACES = 3


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the options of `synth adopt`."""
    command.add_argument(
        "file", help="JSONL, JSON, YAML, CSV, Excel or Parquet; or a folder of BEIR, Hugging Face, Bedrock"
    )
    command.add_argument("--corpus", nargs="+", required=True, metavar="SOURCE", help="a folder or a file")
    command.add_argument("-o", "--output", required=True, **base.OUTPUT, help="the testset, JSONL")
    command.add_argument(
        "--fields",
        type=_fields,
        metavar="WHAT=FIELD,…",
        help="names of fields in the file; WHAT is question, answer, passage, document or id",
    )
    command.add_argument(
        "--min-score",
        type=float,
        metavar="SHARE",
        help="minimum similarity of a passage that is not found word for word (0.9)",
    )
    command.add_argument(
        "--narrow", action="store_true", help="keep only the sentences of each passage that contain the answer"
    )
    command.add_argument(
        "--drop",
        type=names,
        default=(),
        metavar="FILTER,…",
        help="leave out rows that these filters reject; all: every filter",
    )
    force_option(command)
    corpus_options(command)


def run(options: argparse.Namespace) -> int:
    """Adopt the set and print the result. Return 5 if some rows were not adopted."""
    from synth.core.errors import ShortfallError
    from synth.workflows.adopting import AdoptionSettings, adopt

    values = {"fields": options.fields, "min_score": options.min_score, "narrow": options.narrow, "drop": options.drop}
    terms = AdoptionSettings(**{name: value for name, value in values.items() if value is not None})
    done = adopt(
        Path(options.file),
        options.corpus,
        Path(options.output),
        settings_of(options),
        progress_of(options),
        terms,
        force=options.force,
    )
    if options.json:
        print_json(_as_json(done))
    else:
        _print(done, options)
    return ShortfallError.exit_code if done.refused else 0


def _print(done: Adoption, options: argparse.Namespace) -> None:
    print_skipped(done.skipped, options)
    print_errors(done.errors)
    unsure = [row for row in done.rows if row.method != "exact"]
    if unsure:
        cells = [[row.line, row.sample.id, row.method, _score(row), row.sample.evidence[0].doc_id] for row in unsure]
        print(
            table(["line", "row", "evidence found by", "score", "in"], cells[:_MAX_SHOWN]) + _more_rows_line(len(cells))
        )
    if done.ambiguous:
        cells = [[row.line, row.sample.id, _chosen_place(row), _other_places(row)] for row in done.ambiguous]
        print(table(["line", "row", "taken", "other places"], cells[:_MAX_SHOWN]) + _more_rows_line(len(cells)))
    if done.filters or done.signals:
        by_filter = [
            [name, done.filters.get(name, 0), done.signals.get(name, 0)]
            for name in sorted({*done.filters, *done.signals})
        ]
        print(table(["filter", "refuses adopted rows", "doubts"], by_filter))
    if done.refused:
        cells = [[row.line, row.reason] for row in done.refused]
        print(table(["line", "not adopted because"], cells[:_MAX_SHOWN]) + _more_rows_line(len(cells)))
    ways = ", ".join(f"{count} {how}" for how, count in sorted(done.methods.items()))
    total = len(done.rows) + len(done.refused)
    print(f"{len(done.rows)} of {total} rows adopted ({ways or 'none'}) in {done.output}")
    if done.refused:
        print(f"not adopted: {len(done.refused)}, each with its reason, in {done.rejected}")
    print_reviewed(done.reviewed)


def _as_json(done: Adoption) -> Mapping[str, Any]:
    return {
        "adopted": len(done.rows),
        "methods": dict(sorted(done.methods.items())),
        "filters": dict(done.filters),
        "signals": dict(done.signals),
        "ambiguous": [
            {"line": row.line, "id": row.sample.id, "other_places": _other_places(row)} for row in done.ambiguous
        ],
        "refused": [{"line": item.line, "reason": item.reason} for item in done.refused],
        "errors": [item.packed() for item in done.errors],
        "output": str(done.output),
        "rejected": str(done.rejected),
    }


def _score(row: AdoptedRow) -> float:
    return min(place.score for place in row.places)


def _chosen_place(row: AdoptedRow) -> str:
    place = next(place for place in row.places if place.other_places)
    return f"{place.doc_id} {place.start}-{place.end}"


def _other_places(row: AdoptedRow) -> str:
    places = [f"{doc_id} {start}-{end}" for place in row.places for doc_id, start, end in place.other_places]
    more = f" … and {len(places) - _MAX_PLACES} more" if len(places) > _MAX_PLACES else ""
    return ", ".join(places[:_MAX_PLACES]) + more


def _more_rows_line(count: int) -> str:
    """Return the line that counts the rows not shown, or ""."""
    return f"\n… and {count - _MAX_SHOWN} more" if count > _MAX_SHOWN else ""


def _fields(text: str) -> dict[str, str]:
    pairs = dict(part.partition("=")[::2] for part in names(text))
    if not all(pairs.values()):
        raise argparse.ArgumentTypeError(
            f"'{text}' must have the form WHAT=FIELD, such as question=Frage,answer=Antwort"
        )
    return pairs
