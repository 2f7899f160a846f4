"""What becomes of a row when the corpus changed: kept, relocated, judged again, revised, or retired.

This looks at texts alone: filters are asked, and rows made, by the verb. A row is carried as the JSON that it was read
from, so that what is not its place stays byte for byte, whoever put it there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from synth.core.records import Chunk, Evidence, Sample
from synth.corpus.fingerprints import paragraphs
from synth.testset.update.alignment import Alignment, EvidencePlace
from synth.testset.update.restatement import tokens
from synth.testset.update.revision import Restated, Statements, revised
from synth.text.sentences import split_sentences

KEEP, RELOCATE, REJUDGE, REVISE, RETIRE, GENERATE = (
    "keep",
    "relocate",
    "re-judge",
    "revise",
    "retire",
    "generate",
)
CLASSES = (KEEP, RELOCATE, REJUDGE, REVISE, RETIRE, GENERATE)
BY_PEOPLE = ("human", "edited")
DECIDED = ("accept", "edit")
_QUOTED = 80
_DENYING = frozenset(
    "not no never cannot without isn't aren't don't doesn't won't can't wasn't 不 没 沒 未 无 無".split()
)

ChunkAt = Callable[[str, int], str]
"""The id of the passage that holds a character of a document, by document and offset; "" where none does."""


@dataclass(frozen=True, slots=True)
class Held:
    """A line of the set as it was: the row as read, and `damage` when it is none."""

    line: int
    text: str
    row: Mapping[str, Any] = field(default_factory=dict)
    sample: Sample | None = None
    damage: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of a row, and why.

    `row` is the row as it goes on, None for one that is retired; `sample` the same as filters see it. `review` says
    what a person has to look at, "" for nothing. `documents` are those that it was for; `notes` what else changed.
    """

    held: Held
    kind: str
    reason: str = ""
    row: Mapping[str, Any] | None = None
    sample: Sample | None = None
    review: str = ""
    documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return str(self.held.row.get("id", ""))


def by_people(row: Mapping[str, Any]) -> bool:
    """Whether a person made, accepted or edited a row, so that no program may drop or rewrite it."""
    metadata = row.get("metadata", {})
    annotation = metadata.get("annotation")
    decided = isinstance(annotation, Mapping) and annotation.get("decision") in DECIDED
    return decided or metadata.get("source") in BY_PEOPLE


def decide(held: Held, alignment: Alignment, statements: Statements, chunk_at: ChunkAt) -> Decision:
    """What becomes of a row for all that its evidence tells: where it went, or what came in its place."""
    sample = held.sample
    if sample is None:
        return Decision(held, KEEP, "the line is no row and stays as it is", held.row, None, held.damage)
    found = [alignment.place(piece) for piece in sample.evidence]
    lost = [n for n, place in enumerate(found) if place is None]
    new = {n: statements.restated(sample.evidence[n]) for n in lost}
    twins = {n: alignment.elsewhere(sample.evidence[n]) for n in lost}
    if lost and all(new.values()):
        made = _revision(held, sample, found, new, twins, alignment, chunk_at)
        if made.kind == REVISE or not all(twins.values()):
            return made
    places = [place or twins.get(n) for n, place in enumerate(found)]
    gone = [sample.evidence[n] for n, place in enumerate(places) if place is None]
    if gone:
        return Decision(held, RETIRE, _gone(gone[0], alignment), documents=(gone[0].doc_id,))
    return _placed(held, sample, [place for place in places if place], chunk_at)


def _placed(held: Held, sample: Sample, places: Sequence[EvidencePlace], chunk_at: ChunkAt) -> Decision:
    pairs = zip(sample.evidence, places, strict=True)
    pieces = tuple(_moved(piece, place.document.doc_id, place, chunk_at) for piece, place in pairs)
    documents = tuple(dict.fromkeys(piece.doc_id for piece in sample.evidence))
    if pieces == sample.evidence:
        return Decision(held, KEEP, "", held.row, sample, documents=documents)
    row = {
        **held.row,
        "evidence": [{**old, **asdict(new)} for old, new in zip(held.row["evidence"], pieces, strict=True)],
    }
    same = all(place.same for place in places)
    reason = _whither(sample.evidence, pieces) if same else "the text around the evidence changed"
    turned = "" if same else next(filter(None, map(_denied, places)), "")
    review = f"its sentence says '{turned}' beside the evidence" if turned else ""
    kind = RELOCATE if same else REJUDGE
    return Decision(held, kind, reason, row, replace(sample, evidence=pieces), review, documents)


def _denied(place: EvidencePlace) -> str:
    """The word that denies something in the sentence around a piece of evidence, outside of it, or ""."""
    text = place.document.text
    for start, end in paragraphs(text):
        if place.end <= start or end <= place.start:
            continue
        for a, b in split_sentences(text[start:end]):
            if start + a < place.end and place.start < start + b:
                rest = tokens(f"{text[start + a : place.start]} {text[place.end : start + b]}")
                return next((word for word in rest if word in _DENYING), "")
    return ""


def _revision(
    held: Held,
    sample: Sample,
    found: Sequence[EvidencePlace | None],
    new: Mapping[int, Restated | None],
    twins: Mapping[int, EvidencePlace | None],
    alignment: Alignment,
    chunk_at: ChunkAt,
) -> Decision:
    """The row on evidence of which pieces were restated."""
    places = [place or new[n] for n, place in enumerate(found)]
    pieces = [
        _moved(piece, place.document.doc_id, place, chunk_at)
        for piece, place in zip(sample.evidence, places, strict=True)
        if place
    ]
    told = [one.restatement if (one := new.get(n)) else None for n in range(len(pieces))]
    documents = tuple(dict.fromkeys(sample.evidence[n].doc_id for n in new))
    made = revised(sample, pieces, told)
    changes = "; ".join(f"'{old}' became '{now}'" for one in told if one for old, now in one.changes)
    if isinstance(made, str):
        return Decision(held, RETIRE, made, documents=documents)
    stale = [place.document.doc_id for place in twins.values() if place] + [*_seconds(sample, new, alignment)]
    review = f"'{stale[0]}' still says what the evidence said" if stale else ""
    metadata = {name: value for name, value in made.metadata.items() if name not in ("also", "hard_negatives")}
    made = replace(made, metadata={**metadata, "supersedes": sample.id})
    return Decision(held, REVISE, changes or "the evidence is marked up anew", None, made, review, documents)


def _seconds(sample: Sample, lost: Mapping[int, object], alignment: Alignment) -> Iterator[str]:
    """Documents that say still, as a second positive of the row, what a piece of evidence does not say any more."""
    for one in sample.metadata.get("also", ()):
        piece = Evidence(**{name: value for name, value in one.items() if name != "of"})
        place = alignment.place(piece) if one["of"] in lost else None
        if place is not None:
            yield place.document.doc_id


def _moved(piece: Evidence, doc_id: str, place: EvidencePlace | Restated, chunk_at: ChunkAt) -> Evidence:
    return Evidence(
        doc_id=doc_id,
        doc_hash=place.document.content_hash,
        chunk_id=chunk_at(doc_id, place.start) or piece.chunk_id,
        start=place.start,
        end=place.end,
        text=place.document.text[place.start : place.end],
    )


def _whither(old: Sequence[Evidence], new: Sequence[Evidence]) -> str:
    """In a few words, what happened to the place of the evidence."""
    for before, after in zip(old, new, strict=True):
        if before.doc_id != after.doc_id:
            return f"moved from '{before.doc_id}' to '{after.doc_id}'"
    if any(before.text != after.text for before, after in zip(old, new, strict=True)):
        return "laid out anew"
    if any((a.start, a.end) != (b.start, b.end) for a, b in zip(old, new, strict=True)):
        return "shifted"
    hashes = any(before.doc_hash != after.doc_hash for before, after in zip(old, new, strict=True))
    return "its document changed elsewhere" if hashes else "cut into other passages"


def _gone(piece: Evidence, alignment: Alignment) -> str:
    if piece.doc_id in alignment.removed:
        return f"'{piece.doc_id}' was deleted, and nothing says what it said"
    text = " ".join(piece.text.split())
    return f"'{piece.doc_id}' no longer says '{text[:_QUOTED]}{'…' if len(text) > _QUOTED else ''}'"


def flagged(row: Mapping[str, Any], reason: str, proposal: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
    """The row with the mark that a person has to look at it, and why; itself where it has that mark already."""
    review = {"reason": reason, **({"proposal": dict(proposal)} if proposal else {})}
    if row["metadata"].get("review") == review:
        return row
    return {**row, "metadata": {**row["metadata"], "review": review}}


@dataclass(frozen=True)
class Moves:
    """Passages that are named by id, with no text: where those of the corpus as it was are now."""

    alignment: Alignment
    places: Mapping[str, tuple[str, int, int]]
    chunk_at: ChunkAt

    @classmethod
    def of(cls, alignment: Alignment, chunks: Iterable[Chunk], chunk_at: ChunkAt) -> Moves:
        """Over the passages of the corpus as it is."""
        return cls(alignment, {chunk.chunk_id: (chunk.doc_id, chunk.start, chunk.end) for chunk in chunks}, chunk_at)

    def negatives(self, row: Mapping[str, Any], sample: Sample, without: Iterable[str]) -> list[Mapping[str, Any]]:
        """The hard negatives of a row that are still passages of the corpus, where they are now."""
        taken = {*without, *(piece.chunk_id for piece in sample.evidence)}
        found = []
        for one in row["metadata"].get("hard_negatives", ()):
            now = self._now(one)
            if now is not None and now["chunk_id"] not in taken:
                taken.add(now["chunk_id"])
                found.append(one if now == one else {**one, **now})
        return found

    def _now(self, one: Mapping[str, Any]) -> Mapping[str, Any] | None:
        doc_id = self.alignment.renamed.get(one["doc_id"], one["doc_id"])
        if doc_id not in self.alignment.documents:
            return None
        if one["chunk_id"] in self.places:
            chunk_id = one["chunk_id"]
        elif doc_id not in self.alignment.touched:
            chunk_id = self.chunk_at(doc_id, one["start"])
        else:
            chunk_id = ""
        if chunk_id not in self.places:
            return None
        doc_id, start, end = self.places[chunk_id]
        return {"chunk_id": chunk_id, "doc_id": doc_id, "start": start, "end": end}
