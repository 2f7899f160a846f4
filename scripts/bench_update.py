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
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from synth.api import generate, update, verify
from synth.jsonl import read_samples
from synth.records import Evidence, Sample
from synth.settings import Settings
from synth.text.language import is_chinese
from synth.update import CLASSES, KEEP, REJUDGE, RELOCATE, RETIRE, REVISE

RANK = (KEEP, RELOCATE, REJUDGE, REVISE, RETIRE)
TYPES = {"simple": 0.8, "conditional": 0.15, "unanswerable": 0.05}
NEW_PARAGRAPH = {
    "en": "Before reading on, look at the table of contents; the order of the chapters follows the order of work.",
    "zh": "在继续阅读之前，请先浏览目录；各章的先后次序与实际工作的次序一致。",
}
ELSEWHERE = {"en": "The glossary puts it as follows. ", "zh": "词汇表里是这样写的。"}
_DIGITS = re.compile(r"(?<![A-Za-z0-9_.])\d+(?:\.\d+)?(?![A-Za-z0-9_.])")
_NAME = re.compile(r"[A-Za-z_]\w{3,}", re.ASCII)


@dataclass
class Record:
    """What the edits made of the rows: the class of each, and which are to be looked at."""

    classes: dict[str, str] = field(default_factory=dict)
    review: set[str] = field(default_factory=set)
    edits: Counter[str] = field(default_factory=Counter)

    def expect(self, sample: Sample, kind: str) -> None:
        self.classes[sample.id] = max(self.classes.get(sample.id, KEEP), kind, key=RANK.index)


@dataclass
class Folder:
    """A copy of a corpus that is edited, and the rows that stand on each of its documents."""

    root: Path
    samples: Sequence[Sample]
    record: Record
    rng: random.Random
    used: set[str] = field(default_factory=set)

    def text(self, doc_id: str) -> str:
        return (self.root / doc_id).read_text(encoding="utf-8")

    def write(self, doc_id: str, text: str) -> None:
        (self.root / doc_id).parent.mkdir(parents=True, exist_ok=True)
        (self.root / doc_id).write_text(text, encoding="utf-8")

    def on(self, doc_id: str) -> Iterator[tuple[Sample, Evidence]]:
        return ((s, piece) for s in self.samples for piece in s.evidence if piece.doc_id == doc_id)

    def language(self, sample: Sample) -> str:
        return "zh" if is_chinese(sample.language) else "en"

    def edited(self, doc_id: str, new: str, inside: Mapping[str, str], around: tuple[int, int]) -> None:
        """Write a document; the rows `inside` are of the class given, others in `around` are judged again."""
        for sample, piece in self.on(doc_id):
            touched = piece.start < around[1] and around[0] < piece.end
            self.record.expect(sample, inside.get(sample.id, REJUDGE if touched else RELOCATE))
        self.write(doc_id, new)


def paragraph(text: str, piece: Evidence) -> tuple[int, int]:
    """The lines between two empty ones that a piece of evidence stands in."""
    start = text.rfind("\n\n", 0, piece.start)
    end = text.find("\n\n", piece.end)
    return start + 2 if start >= 0 else 0, end if end >= 0 else len(text)


def insert(folder: Folder, sample: Sample, piece: Evidence) -> bool:
    """A paragraph above the evidence."""
    text = folder.text(piece.doc_id)
    at = paragraph(text, piece)[0]
    if "```" in text[:at]:
        return False
    folder.edited(piece.doc_id, f"{text[:at]}{NEW_PARAGRAPH[folder.language(sample)]}\n\n{text[at:]}", {}, (0, 0))
    return True


def number(folder: Folder, sample: Sample, piece: Evidence) -> bool:
    """Another number inside the evidence."""
    return _replaced(folder, piece, _DIGITS, lambda found: _other_number(found))


def value(folder: Folder, sample: Sample, piece: Evidence) -> bool:
    """Another name in the place of the answer, where that is one name."""
    if not _NAME.fullmatch(sample.golden_answers[0]):
        return False
    word = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(sample.golden_answers[0])}(?![A-Za-z0-9_])")
    return _replaced(folder, piece, word, lambda found: f"{found}Next")


def delete(folder: Folder, sample: Sample, piece: Evidence) -> bool:
    """The evidence is taken out."""
    text = folder.text(piece.doc_id)
    around = paragraph(text, piece)
    inside = {s.id: RETIRE for s, p in folder.on(piece.doc_id) if p.start < piece.end and piece.start < p.end}
    folder.edited(piece.doc_id, text[: piece.start] + text[piece.end :].lstrip(" "), inside, around)
    return True


def rename(folder: Folder, sample: Sample, piece: Evidence) -> bool:
    """The file has another name."""
    old = Path(piece.doc_id)
    new = (old.parent / f"about-{old.name}").as_posix()
    folder.edited(piece.doc_id, folder.text(piece.doc_id), {}, (0, 0))
    (folder.root / piece.doc_id).rename(folder.root / new)
    return True


def move(folder: Folder, sample: Sample, piece: Evidence) -> bool:
    """The section goes to the end of another file."""
    text = folder.text(piece.doc_id)
    heads = [m.start() for m in re.finditer(r"^## ", text, re.MULTILINE)]
    start = max((at for at in heads if at <= piece.start), default=-1)
    if start < 0 or "```" in text[start : piece.start]:
        return False
    end = min((at for at in heads if at > start), default=len(text))
    others = sorted({s.evidence[0].doc_id for s in folder.samples if s.evidence} - folder.used - {piece.doc_id})
    target = folder.rng.choice(others)
    folder.used.add(target)
    there = folder.text(target)
    folder.edited(target, f"{there.rstrip()}\n\n{text[start:end].rstrip()}\n", {}, (0, 0))
    folder.edited(piece.doc_id, text[:start] + text[end:], {}, (0, 0))
    return True


def reformat(folder: Folder, sample: Sample, piece: Evidence) -> bool:
    """The paragraphs of the evidence are broken into lines of another length."""
    text = folder.text(piece.doc_id)
    chinese = folder.language(sample) == "zh"
    spans = {paragraph(text, p) for _, p in folder.on(piece.doc_id)}
    for start, end in sorted(spans, reverse=True):
        body = text[start:end]
        if re.search(r"^\s*(?:[|#>*+-]|\d+[.)]|```|//|<|!!!)", body, re.MULTILINE) or "<abbr" in body:
            continue
        text = text[:start] + (_broken(body) if chinese else _wrapped(body)) + text[end:]
    if text == folder.text(piece.doc_id):
        return False
    folder.edited(piece.doc_id, text, {}, (0, 0))
    return True


def also(folder: Folder, sample: Sample, piece: Evidence) -> bool:
    """A new document says the same."""
    return _beside(folder, sample, piece, piece.text, None)


def contradict(folder: Folder, sample: Sample, piece: Evidence) -> bool:
    """A new document says the same with another answer."""
    answer = sample.golden_answers[0]
    found = _DIGITS.search(answer)
    if found is None and not _NAME.fullmatch(answer):
        return False
    word = found.group() if found else answer
    other = _other_number(word) if found else f"{word}Next"
    whole = re.compile(rf"(?<![A-Za-z0-9_]){re.escape(word)}(?![A-Za-z0-9_])")
    if not whole.search(piece.text):
        return False
    return _beside(folder, sample, piece, whole.sub(other, piece.text), whole)


EDITS: dict[str, Callable[[Folder, Sample, Evidence], bool]] = {
    "insert": insert, "number": number, "value": value, "delete": delete, "rename": rename, "move": move,
    "reformat": reformat, "also": also, "contradict": contradict,
}  # fmt: skip


def _beside(folder: Folder, sample: Sample, piece: Evidence, said: str, changed: re.Pattern[str] | None) -> bool:
    """A new document that says something, in which the word `changed` is not what the evidence says."""
    head = re.match(r"#+ [^\n]+", folder.text(piece.doc_id))
    if head is None:
        return False
    name = f"glossary-{len(folder.used)}.md"
    folder.write(name, f"{head.group()}\n\n{ELSEWHERE[folder.language(sample)]}{said}\n")
    for other, place in folder.on(piece.doc_id):
        if place.start < piece.end and piece.start < place.end:
            if changed and any(changed.search(answer) for answer in other.golden_answers):
                folder.record.review.add(other.id)
            elif changed and changed.search(other.question):
                continue
            folder.record.expect(other, REJUDGE)
    return True


def _replaced(folder: Folder, piece: Evidence, word: re.Pattern[str], other: Callable[[str], str]) -> bool:
    """Put another word in the place of one of the evidence; the record is what that makes of each row on it."""
    text = folder.text(piece.doc_id)
    found = word.search(text, piece.start, piece.end)
    if found is None or len(word.findall(piece.text)) > 1:
        return False
    inside = {}
    for sample, place in folder.on(piece.doc_id):
        if place.start <= found.start() and found.end() <= place.end:
            answered = any(word.search(answer) for answer in sample.golden_answers)
            asked = not answered and word.search(sample.question)
            inside[sample.id] = RETIRE if asked else REVISE
    new = text[: found.start()] + other(found.group()) + text[found.end() :]
    folder.edited(piece.doc_id, new, inside, paragraph(text, piece))
    return True


def _other_number(found: str) -> str:
    whole, dot, rest = found.partition(".")
    return f"{whole}{dot}{int(rest) + 3}" if dot else str(int(whole) + 3)


def _wrapped(body: str, width: int = 50) -> str:
    lines = [""]
    for word in body.split():
        if lines[-1] and len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] += ("  " if lines[-1].endswith((".", ",")) else " " if lines[-1] else "") + word
    return "\n".join(lines)


def _broken(body: str) -> str:
    """Chinese broken after every other mark between clauses."""
    return re.sub(r"(?<=[\u4e00-\u9fff][，。；])(?=[\u4e00-\u9fff])", "\n", body)


def edit(folder: Folder, documents: int, kinds: Sequence[str]) -> None:
    """One edit after the other, in as many documents, each kind in turn."""
    for turn in range(documents):
        kind = kinds[turn % len(kinds)]
        pairs = [
            (sample, piece)
            for sample in folder.samples
            if sample.question_type != "unanswerable" and len(sample.evidence) == 1
            for piece in sample.evidence
            if piece.doc_id not in folder.used
        ]
        folder.rng.shuffle(pairs)
        for sample, piece in pairs:
            if EDITS[kind](folder, sample, piece):
                folder.used.add(piece.doc_id)
                folder.record.edits[kind] += 1
                break


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
    from synth.updating import settings_of_set

    done = update(testset, [str(folder.root)], output, replace(settings_of_set(testset), workspace=workspace))
    said["seconds"] = round(time.perf_counter() - begun)
    old = {json.loads(line)["id"]: line for line in testset.read_text(encoding="utf-8").splitlines()}
    new = {json.loads(line)["id"]: line for line in output.read_text(encoding="utf-8").splitlines()}
    for one in done.decisions:
        expected = record.classes.get(one.id, KEEP)
        table[expected, one.kind] += 1
        if expected == KEEP:
            said["untouched"] += 1
            said["untouched, the same bytes"] += new.get(one.id) == old[one.id]
            said["untouched, the same but for places"] += new.get(one.id) != old[one.id] and one.id in new
        said["to be looked at"] += one.id in record.review
        said["to be looked at, flagged"] += bool(one.review) and one.id in record.review
        said["flagged besides"] += bool(one.review) and one.id not in record.review
        if options.show and (one.kind not in (KEEP, RELOCATE) or expected != one.kind):
            _show(one, expected)
    held = verify(output, [str(folder.root)], Settings(workspace=workspace))
    said["rows"], said["rows that verify holds"] = len(new), held.held
    said["rows wanted"] = len(old)
    for failure in held.failures:
        print(f"    verify: {failure.id}: {failure.reason}")
    if options.show:
        for row in done.made:
            print(f"  made      {row['question']} → {row['golden_answers']}")
    return said


def _show(one: Any, expected: str) -> None:
    print(f"{'  ' if expected == one.kind else '! '}{expected} / {one.kind}: {one.held.row['question']}")
    print(f"      {one.held.row['golden_answers']} → {one.row and one.row['golden_answers']}")
    print(f"      {one.reason}{'  REVIEW ' + one.review if one.review else ''}")


def _print(source: str, rows: int, table: Counter[tuple[str, str]], said: Counter[str]) -> None:
    print(f"{source}: {rows} rows; expected down, found across")
    print(f"{'':10}" + "".join(f"{kind:>10}" for kind in CLASSES[:-1]))
    for kind in CLASSES[:-1]:
        print(f"{kind:10}" + "".join(f"{table[kind, found]:>10}" for found in CLASSES[:-1]))
    right = sum(count for (expected, found), count in table.items() if expected == found)
    print(f"in the right class: {right} of {table.total()}")
    print("; ".join(f"{name}: {count}" for name, count in said.items()))


def unchanged(size: int, documents: int) -> None:
    """The seconds an update takes that has nothing to do, on documents and rows made for it."""
    from synth.history import first
    from synth.jsonl import dumps, write_atomic, write_rows
    from synth.outline import outline
    from synth.records import digest, text_hash

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
            from synth.jsonl import sample_to_row

            rows.append(sample_to_row(sample))
        version = first([dumps(row) for row in rows], digest(sorted(hashes.items())))
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
