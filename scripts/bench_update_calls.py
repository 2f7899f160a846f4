"""The calls to a chat model that `synth update` makes, beside those that the set took.

    python scripts/bench_update_calls.py FOLDER [FOLDER ...] [-n 200] [--share 0.05] [--workspace DIR]

The bench server is the model. A set is made of a folder; then two copies of the folder are edited, a share of the
documents each, and the set is updated: once by edits that touch no evidence (a paragraph above it, another name of the
file, a section moved, lines broken anew, and a paragraph at the end of documents that no row draws on), once by edits
of every kind. The update has a workspace of its own: no reply that the set took is there.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench_edits import EDITS, NEW_PARAGRAPH, Folder, Record, edit
from bench_model import served, stats
from bench_update import TYPES

from synth.core.jsonl import read_samples
from synth.core.records import Sample
from synth.text.language import is_chinese
from synth.workflows.api import generate, update, verify
from synth.workflows.settings import ModelSettings, Settings
from synth.workflows.update_job import settings_of_set

TOUCHING_NONE = ("insert", "rename", "move", "reformat")


def measure(source: str, options: argparse.Namespace, home: Path) -> None:
    """Make a set of a folder, update it twice, and print the calls of each."""
    parsed, fresh = home / "parsed", home / "fresh"
    for workspace in (parsed, fresh):
        shutil.copytree(options.workspace, workspace) if options.workspace else workspace.mkdir()
    with served() as url:
        model = ModelSettings(name="m", base_url=url, concurrency=8, trust=options.trust)
        settings = Settings(n=options.n, types=TYPES, nearest=True, workspace=str(parsed), model=model)
        testset = home / "set" / "testset.jsonl"
        generate([source], testset, settings)
        full, samples = stats(url)["requests"], read_samples(testset).samples
        print(f"{source}: {len(samples)} rows took {full} calls")
        for what, kinds in (("no evidence", TOUCHING_NONE), ("of every kind", tuple(EDITS))):
            root = home / what.replace(" ", "-")
            shutil.copytree(source, root)
            record, documents = edited(root, samples, kinds, options.share)
            stats(url, forget=True)
            settings = replace(settings_of_set(testset), workspace=str(fresh), model=model)
            done = update(testset, [str(root)], root.with_suffix(".jsonl"), settings)
            calls = stats(url)["requests"]
            held = verify(root.with_suffix(".jsonl"), [str(root)], settings)
            print(f"  {what}: {documents} documents edited ({dict(record.edits)}); {calls} calls, {calls / full:.1%}; "
                  f"{dict(done.counts)}; {held.valid} of {held.checked} rows hold", flush=True)  # fmt: skip


def edited(root: Path, samples: Sequence[Sample], kinds: Sequence[str], share: float) -> tuple[Record, int]:
    """Edit a share of the documents of a folder; where no evidence is to be touched, others get a paragraph too."""
    folder = Folder(root, samples, Record(), random.Random(0))
    names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*") if path.is_file())
    documents = max(1, round(share * len(names)))
    edit(folder, documents if tuple(kinds) == tuple(EDITS) else documents // 2, kinds)
    drawn_on = {piece.doc_id for sample in samples for piece in sample.evidence}
    bare = [name for name in names if name not in drawn_on]
    more = bare[: documents - folder.record.edits.total()]
    chinese = is_chinese(samples[0].language)
    for name in more:
        folder.write(name, f"{folder.text(name)}\n\n{NEW_PARAGRAPH['zh' if chinese else 'en']}\n")
        folder.record.edits["elsewhere"] += 1
    return folder.record, folder.record.edits.total()


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+", metavar="FOLDER")
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("--share", type=float, default=0.05, help="of the documents that are edited")
    parser.add_argument("--workspace", type=Path, help="kept parses make it shorter; it is copied, not written to")
    parser.add_argument("--trust", action="store_true", help="without a trial of the model")
    options = parser.parse_args()
    for source in options.sources:
        with tempfile.TemporaryDirectory() as place:
            measure(source, options, Path(place))


if __name__ == "__main__":
    main()
