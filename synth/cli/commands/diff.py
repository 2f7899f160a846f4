"""The command diff."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.cli.commands.base import print_json
from synth.core.table import table
from synth.core.terminal import printable

if TYPE_CHECKING:
    from synth.testset.update.changes import Change

SUMMARY = "compare two versions of a testset"
EXAMPLE = "synth diff old.jsonl testset.jsonl"
_MAX_SHOWN = 20
"""Maximum number of rows printed for each kind of change."""


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `synth diff`."""
    command.add_argument("old", help="the earlier testset, JSONL")
    command.add_argument("new", help="the later testset, JSONL; reasons are read from its manifest")


def run(options: argparse.Namespace) -> int:
    """Print the changes between two versions of a testset."""
    from synth.testset.stored_manifest import manifest_of
    from synth.testset.update.changes import KINDS, compare_sets, reasons_of

    reasons = reasons_of(manifest_of(Path(options.new)))
    changes = compare_sets(_rows(Path(options.old)), _rows(Path(options.new)), reasons)
    counts = Counter(change.kind for change in changes)
    if options.json:
        rows = [_as_json(change) for change in changes if change.kind != "kept"]
        print_json({"counts": {kind: counts[kind] for kind in KINDS}, "changes": rows})
        return 0
    for kind in KINDS:
        shown = [change for change in changes if change.kind == kind]
        if shown and kind != "kept":
            print(f"{kind} ({len(shown)})")
            print("\n".join(_change_lines(change) for change in shown[:_MAX_SHOWN]))
            if len(shown) > _MAX_SHOWN:
                print(f"  and {len(shown) - _MAX_SHOWN} more; --json prints all")
    print(table(list(KINDS), [[counts[kind] for kind in KINDS]]))
    return 0


def _rows(path: Path) -> list[Mapping[str, Any]]:
    """Return the rows of a set as written. Raises InputError for a file that contains no row."""
    from synth.core.errors import InputError
    from synth.core.jsonl import lines_of, read_samples
    from synth.testset.stored_manifest import check_format

    check_format(path)
    lines, read = lines_of(path), read_samples(path)
    if not read.samples:
        raise InputError(f"the set {path} contains no row to compare")
    return [json.loads(lines[number - 1].removeprefix("\ufeff")) for number in read.lines]


def _change_lines(change: Change) -> str:
    """Return a change as a few lines: the added or removed row, or each changed field as "old → new"."""
    if change.old and change.new:
        lines = [f"  {change.id}  {change.new['question']}"]
        lines += [f"      {line}" for line in _differences(change.old, change.new)]
    else:
        row = change.new or change.old or {}
        lines = [f"  {'+' if change.new else '-'} {change.id}  {row['question']}  → {_answers(row)}"]
        lines += [f"      {_place(piece)}" for piece in row["evidence"]]
    if change.reason:
        lines.append(f"      because: {change.reason}")
    return "\n".join(map(printable, lines))


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Yield the differences of two rows: id, question, answers, evidence, then the other fields by name."""
    for name, before, after in (
        ("id", old["id"], new["id"]),
        ("question", old["question"], new["question"]),
        ("answers", _answers(old), _answers(new)),
    ):
        if before != after:
            yield f"{name}: {before} → {after}"
    evidence = [list(map(_place, row["evidence"])) for row in (old, new)]
    if old["evidence"] != new["evidence"]:
        for before, after in zip_longest(*evidence, fillvalue="nothing"):
            yield f"evidence: {before} → {after}" if before != after else f"evidence: {before}, in a changed document"
    sides = (("", old, new), ("metadata.", old.get("metadata", {}), new.get("metadata", {})))
    for where, former, latter in sides:
        for name in sorted({*former, *latter} - {"id", "question", "golden_answers", "evidence", "metadata"}):
            if former.get(name) != latter.get(name):
                before, after = (_shortened(_json(side.get(name))) for side in (former, latter))
                yield (
                    f"{where}{name}: {before} → {after}"
                    if before != after
                    else f"{where}{name} differs; --json prints it"
                )


def _answers(row: Mapping[str, Any]) -> str:
    return " / ".join(row["golden_answers"])


def _place(piece: Mapping[str, Any]) -> str:
    return f"{piece['doc_id']} {piece['start']}-{piece['end']}: {_shortened(piece['text'])}"


def _json(value: Any) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"


def _as_json(change: Change) -> dict[str, Any]:
    row = {"class": change.kind, "id": change.id, "reason": change.reason, "documents": list(change.documents)}
    return {**row, "old": change.old, "new": change.new}
