"""The command log."""

from __future__ import annotations

import argparse
from pathlib import Path

from synth.cli.commands.base import print_json
from synth.core.table import table

SUMMARY = "show the versions of a testset"
EXAMPLE = "synth log testset.jsonl"


def add_options(command: argparse.ArgumentParser) -> None:
    """Add the arguments of `synth log`."""
    command.add_argument("testset", help="the testset, JSONL; its history is read from the manifest beside it")


def run(options: argparse.Namespace) -> int:
    """Print the versions of a testset, the newest first."""
    from synth.core.jsonl import lines_of
    from synth.testset.stored_manifest import manifest_of
    from synth.testset.update.decision import CLASSES
    from synth.testset.update.history import first_version, set_hash, versions_of
    from synth.testset.update.summary import documents_line

    testset = Path(options.testset)
    lines, manifest = lines_of(testset), manifest_of(testset)
    versions = versions_of(manifest) or (first_version(lines, str(manifest.get("corpus", {}).get("hash", ""))),)
    edited = versions[-1].hash != set_hash(lines)
    if options.json:
        print_json({"edited_since": edited, "versions": [version.packed() for version in reversed(versions)]})
        return 0
    rows = [
        [
            version.number,
            version.hash.removeprefix("sha256:")[:12],
            version.parent.removeprefix("sha256:")[:12] or "-",
            version.rows,
            *(version.counts.get(kind, 0) for kind in CLASSES),
            sum("review" in change for change in version.changes),
        ]
        for version in reversed(versions)
    ]
    print(table(["version", "hash", "parent", "rows", *CLASSES, "review"], rows))
    for version in reversed(versions):
        if version.number > 1:
            print(f"documents of version {version.number}: {documents_line(version.documents)}")
    if edited:
        print("the rows differ from the last version: either they were edited, or the manifest belongs to another set")
    return 0
