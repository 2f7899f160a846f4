"""What `synth update` makes of documents that were edited, scored against the record of the edits; and its speed.

    python scripts/bench_update.py FOLDER [FOLDER ...] [-n 200] [--rounds 5] [--share 0.05] [--show]
    python scripts/bench_update.py --size 5000 --documents 3000

In each round a copy of a folder is edited by script, each edit in a document of its own, and the set made of the
folder is updated. The script keeps a record of what every edit does to every row: that is what the classes are
scored against. --show prints each row that changed, to read. The second form times an update with nothing to do.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench_edits import EDITS, Folder, Record, edit

from synth.core.jsonl import dumps, read_samples, sample_to_row, write_atomic, write_rows
from synth.core.records import Evidence, Sample, digest, text_hash
from synth.corpus.fingerprints import outline
from synth.testset.update.decision import CLASSES, KEEP, RELOCATE
from synth.testset.update.history import first_version
from synth.workflows.api import generate, update, verify
from synth.workflows.settings import Settings
from synth.workflows.update_job import settings_of_set

PLACES = ("alternatives", "hard_negatives")
NAMES, REWRITTEN = "keep (names a passage)", "rewritten"
TYPES = {"simple": 0.8, "conditional": 0.15, "unanswerable": 0.05}


def rounds(source: str, options: argparse.Namespace, workspace: str) -> None:
    """Edit and update a folder several times over, and print what came of it."""
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        testset = Path(options.testset) if options.testset else home / "old" / "testset.jsonl"
        if not options.testset:
            types = {**TYPES, **dict(part.split("=") for part in options.types.split(",") if part)}
            shares = {name: float(share) for name, share in types.items()}
            generate([source], testset, Settings(n=options.n, types=shares, nearest=True, workspace=workspace))
        samples = read_samples(testset).samples
        table: Counter[tuple[str, str]] = Counter()
        said: Counter[str] = Counter()
        for seed in range(options.rounds):
            root = home / f"corpus {seed}"
            shutil.copytree(source, root)
            folder = Folder(root, samples, Record(), random.Random(seed))
            documents = max(1, round(options.share * sum(path.is_file() for path in root.rglob("*"))))
            names = options.edits.split(",")
            edit(folder, documents, names[seed * documents % len(names) :] + names[: seed * documents % len(names)])
            said.update(_round(folder, testset, home / f"new {seed}" / "testset.jsonl", workspace, options, table))
            said.update({f"edit: {kind}": count for kind, count in folder.record.edits.items()})
        _print(source, len(samples), table, said)


def _round(
    folder: Folder, testset: Path, output: Path, workspace: str, options: argparse.Namespace,
    table: Counter[tuple[str, str]],
) -> Counter[str]:  # fmt: skip
    record, said = folder.record, Counter[str]()
    begun = time.perf_counter()
    done = update(testset, [str(folder.root)], output, replace(settings_of_set(testset), workspace=workspace))
    said["seconds"] = round(time.perf_counter() - begun)
    old, new = lines_by_id(testset), lines_by_id(output)
    edited = {name for names in done.documents.values() for name in names}
    for one in done.decisions:
        expected = record.classes.get(one.id, KEEP)
        if expected == KEEP and edited & {place["doc_id"] for place in named(one.existing.row)}:
            expected = NAMES
        found = one.kind if one.kind != KEEP or new.get(one.id) == old[one.id] else REWRITTEN
        table[expected, found] += 1
        if expected in (KEEP, NAMES):
            said["untouched"] += 1
            said["untouched, the same bytes"] += new.get(one.id) == old[one.id]
            said.update(differences(one.existing.row, one.row or {}, edited))
        said["to be looked at"] += one.id in record.review
        said["to be looked at, flagged"] += bool(one.review) and one.id in record.review
        said["flagged besides"] += bool(one.review) and one.id not in record.review
        if options.show and (one.kind not in (KEEP, RELOCATE) or not right(expected, found)):
            _show(one, expected, right(expected, found))
    held = verify(output, [str(folder.root)], Settings(workspace=workspace))
    said["rows"], said["rows that verify holds"] = len(new), held.valid
    said["rows wanted"] = len(old)
    for failure in held.failures:
        print(f"    verify: {failure.id}: {failure.reason}")
    if options.show:
        for row in done.new_rows:
            print(f"  made      {row['question']} → {row['golden_answers']}")
    return said


def lines_by_id(testset: Path) -> dict[str, str]:
    """The lines of a set by the id of the row."""
    return {json.loads(line)["id"]: line for line in testset.read_text(encoding="utf-8").splitlines()}


def named(row: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The places that a row names but for its evidence."""
    return (place for name in PLACES for place in row["metadata"].get(name, ()))


def right(expected: str, found: str) -> bool:
    """Whether a row is in the right class. One that names a passage of an edited document, as a second positive or
    a hard negative, is kept where that stands as it stood, and relocated where it moved or went."""
    return found in (KEEP, RELOCATE) if expected == NAMES else found == expected


def differences(old: Mapping[str, Any], new: Mapping[str, Any], edited: Set[str]) -> Counter[str]:
    """Why a row whose evidence nobody touched is not the same bytes: a count by reason."""
    said: Counter[str] = Counter()
    if not new:
        return Counter({"untouched, retired": 1})
    metadata = [{k: v for k, v in row.get("metadata", {}).items() if k not in PLACES} for row in (old, new)]
    if {**old, "metadata": metadata[0]} != {**new, "metadata": metadata[1]}:
        return Counter({"differs otherwise": 1})
    for name in PLACES:
        was, now = old["metadata"].get(name, []), new["metadata"].get(name, [])
        what = {"alternatives": "second positives", "hard_negatives": "hard negatives"}[name]
        moved = {place["chunk_id"] for place in now} | {place.get("text", "") for place in now}
        for place in was:
            if place in now:
                continue
            there = place["chunk_id"] in moved or place.get("text") in moved
            cause = "" if place["doc_id"] in edited else ", of a document nobody edited"
            said[f"{what} {'moved' if there else 'gone'}{cause}"] += 1
    said["differs by passages it names"] += bool(said)
    return said


def _show(one: Any, expected: str, fits: bool) -> None:
    print(f"{'  ' if fits else '! '}{expected} / {one.kind}: {one.existing.row.get('question')}")
    print(f"      {one.existing.row.get('golden_answers')} → {one.row and one.row['golden_answers']}")
    print(f"      {one.reason}{'  REVIEW ' + one.review if one.review else ''}")


def _print(source: str, rows: int, table: Counter[tuple[str, str]], said: Counter[str]) -> None:
    down, across = (KEEP, NAMES, *CLASSES[1:-1]), (*CLASSES[:-1], REWRITTEN)
    print(f"{source}: {rows} rows; expected down, found across")
    print(f"{'':22}" + "".join(f"{kind:>10}" for kind in across))
    for kind in down:
        print(f"{kind:22}" + "".join(f"{table[kind, found]:>10}" for found in across))
    good = sum(count for (expected, found), count in table.items() if right(expected, found))
    print(f"in the right class: {good} of {table.total()}")
    print("; ".join(f"{name}: {count}" for name, count in said.items()))


def unchanged(size: int, documents: int) -> None:
    """The seconds an update takes that has nothing to do, on documents and rows made for it."""
    with tempfile.TemporaryDirectory() as place:
        corpus, testset = Path(place) / "corpus", Path(place) / "testset.jsonl"
        rows, hashes, outlines = [], {}, {}
        for number in range(documents):
            lines = [f"Station {number}-{k} of the line opened in {1800 + (number * 7 + k) % 200}." for k in range(40)]
            text, name = "\n\n".join(lines) + "\n", f"{number % 30}/{number}.md"
            (corpus / name).parent.mkdir(parents=True, exist_ok=True)
            (corpus / name).write_text(text, encoding="utf-8")
            hashes[name], outlines[name] = text_hash(text), outline(text)
        names = sorted(hashes)
        for number in range(size):
            name = names[number % documents]
            text = (corpus / name).read_text(encoding="utf-8")
            line = text.split("\n\n")[number // documents]
            start = text.index(line)
            sample = Sample(
                question=f"In which year did station {line.split()[1]} open?",
                golden_answers=(line[-5:-1],),
                evidence=(
                    Evidence(
                        doc_id=name,
                        doc_hash=hashes[name],
                        chunk_id="c-0",
                        start=start,
                        end=start + len(line),
                        text=line,
                    ),
                ),
                question_type="simple",
                language="en",
            )
            rows.append(sample_to_row(sample))
        version = first_version([dumps(row) for row in rows], digest(sorted(hashes.items())))
        manifest = {
            "set": {"rows": size, "wanted": {"simple": size}, **version.names},
            "settings": {"n": size},
            "corpus": {"documents": hashes, "outlines": outlines},
            "history": [version.packed()],
        }
        write_rows(testset, rows)
        write_atomic(testset.with_name("manifest.json"), json.dumps(manifest))
        begun, spent = time.perf_counter(), time.process_time()
        done = update(testset, [str(corpus)], testset)
        seconds = f"{time.perf_counter() - begun:.1f} s, {time.process_time() - spent:.1f} s of one processor"
        print(f"{size} rows over {documents} documents, nothing to do ({done.unchanged}): {seconds}")


def main() -> None:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n\n")[0])
    parser.add_argument("sources", nargs="*", metavar="FOLDER")
    parser.add_argument("-n", type=int, default=200)
    parser.add_argument("--types", default="", help="TYPE=SHARE,…")
    parser.add_argument("--testset", default="", help="a set of the one FOLDER, in the place of one made for it")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--share", type=float, default=0.05, help="of the documents that are edited")
    parser.add_argument("--edits", default=",".join(EDITS), help="those made, in turn")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--workspace", default="")
    parser.add_argument("--size", type=int, default=0)
    parser.add_argument("--documents", type=int, default=3000)
    options = parser.parse_args()
    if options.size:
        unchanged(options.size, options.documents)
    with tempfile.TemporaryDirectory() as workspace:
        for source in options.sources:
            rounds(source, options, options.workspace or workspace)


if __name__ == "__main__":
    main()
