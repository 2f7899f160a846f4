"""Edits of a folder of documents, each with the record of what it makes of every row of a set.

The record is what `bench_update.py` scores `synth update` against.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from synth.core.records import Evidence, Sample
from synth.testset.update.decision import KEEP, REJUDGE, RELOCATE, RETIRE, REVISE
from synth.text.language import is_chinese

RANK = (KEEP, RELOCATE, REJUDGE, REVISE, RETIRE)
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
