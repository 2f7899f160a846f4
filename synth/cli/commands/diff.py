"""The command diff."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from synth.cli.commands.base import print_json
from synth.core.table import table
from synth.core.terminal import printable

if TYPE_CHECKING:
    from synth.testset.update.changes import Change

SUMMARY = "compare two versions of a testset"
EXAMPLE = "synth diff old.jsonl testset.jsonl"


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `synth diff`."""
    command.add_argument("old", help="the earlier testset, JSONL")
    command.add_argument("new", help="the later testset, JSONL; reasons are read from its manifest")


def run(options: argparse.Namespace) -> int:
    from synth.testset.manifest import manifest_of
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
            print("\n".join(_change_lines(change) for change in shown))
    print(table(list(KINDS), [[counts[kind] for kind in KINDS]]))
    return 0


def _rows(path: Path) -> list[Mapping[str, Any]]:
    """The rows of a set as written. Raises InputError for a file without rows."""
    from synth.core.errors import InputError
    from synth.core.jsonl import lines_of, read_samples

    lines, read = lines_of(path), read_samples(path)
    if not read.samples:
        raise InputError(f"the set {path} has no row to compare")
    return [json.loads(lines[number - 1].removeprefix("\ufeff")) for number in read.lines]


def _change_lines(change: Change) -> str:
    """A change in a few lines: old and new row, with evidence."""
    sides = [("-", change.old), ("+", change.new)]
    lines = []
    for sign, row in sides:
        if row is None:
            continue
        if change.kind not in ("relocated", "changed") or sign == "+":
            answers = " / ".join(row["golden_answers"])
            lines.append(f"  {sign if change.kind != 'relocated' else ' '} {row['id']}  {row['question']}  → {answers}")
        if change.kind == "changed" and sign == "+":
            lines += [f"      {line}" for line in _field_differences(change)]
            continue
        lines += [
            f"  {sign}     {piece['doc_id']} {piece['start']}-{piece['end']}: {_shortened(piece['text'])}"
            for piece in row["evidence"]
        ]
    if change.reason:
        lines.append(f"        because: {change.reason}")
    return "\n".join(map(printable, lines))


def _field_differences(change: Change) -> list[str]:
    """The differences of two rows with one id, field by field."""
    old, new = change.old or {}, change.new or {}
    sides = (("", old, new), ("metadata.", old.get("metadata", {}), new.get("metadata", {})))
    return [
        f"{where}{name}: {_shortened(_json(before.get(name)))} → {_shortened(_json(after.get(name)))}"
        for where, before, after in sides
        for name in sorted({*before, *after} - {"metadata"})
        if before.get(name) != after.get(name)
    ]


def _json(value: Any) -> str:
    return "nothing" if value is None else json.dumps(value, ensure_ascii=False)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 100 else line[:99] + "…"


def _as_json(change: Change) -> dict[str, Any]:
    row = {"class": change.kind, "id": change.id, "reason": change.reason, "documents": list(change.documents)}
    return {**row, "old": change.old, "new": change.new}
