"""Decision on a row after its corpus changed: keep, relocate, judge again, revise or retire.

Decisions compare texts only. The filters run later (`recheck`). A row stays in the JSON form that was read, so that
only the places of its evidence change and all other bytes stay the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from synth.core.records import BY_PEOPLE, WITH_PLACES, Evidence, Sample
from synth.corpus.corpus import Corpus
from synth.corpus.fingerprints import paragraphs
from synth.generation.alternatives import second_positive
from synth.generation.filters.base import changed_wording
from synth.testset.update.alignment import Alignment, EvidencePlace
from synth.testset.update.restatement import NEGATIONS, tokens
from synth.testset.update.revision import Restated, Statements, revise
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
"""All classes of decisions, in order of increasing change."""
DECIDED = ("accept", "edit")
"""Decisions of a person that keep a row."""
_QUOTED_LENGTH = 80

ChunkAt = Callable[[str, int], str]
"""Function that takes a document id and an offset. It returns the id of the passage there, or "" if there is none."""


@dataclass(frozen=True, slots=True)
class ExistingRow:
    """A line of the existing set, with its row. If the line is invalid, `damage` is the reason.

    `reviewed` marks a row on which people decided in a review of this set.
    """

    line: int
    text: str
    row: Mapping[str, Any] = field(default_factory=dict)
    sample: Sample | None = None
    damage: str = ""
    reviewed: bool = False

    @property
    def by_people(self) -> bool:
        """Whether a person wrote, accepted, edited or reviewed the row. Such a row must not be dropped or rewritten."""
        metadata = self.sample.metadata if self.sample else {}
        is_decided = metadata.get("annotation", {}).get("decision") in DECIDED
        return self.reviewed or is_decided or metadata.get("source") in BY_PEOPLE


@dataclass(frozen=True, slots=True)
class Decision:
    """Decision on a row, with the reason.

    `row` is the updated row, or None if the row is retired. `sample` is the same row for filters. `review` is the
    reason why a person must check the row, or "". `documents` are the documents that caused the decision. `notes` lists
    further changes. `proposal` is a retired row with evidence from the new text, which a person may accept, or None.
    """

    existing: ExistingRow
    kind: str
    reason: str = ""
    row: Mapping[str, Any] | None = None
    sample: Sample | None = None
    review: str = ""
    documents: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    proposal: Sample | None = None

    @property
    def id(self) -> str:
        return str(self.existing.row.get("id", ""))


def decide(existing: ExistingRow, alignment: Alignment, statements: Statements, chunk_at: ChunkAt) -> Decision:
    """Return the decision on a row, based on the new place of its evidence or the text that replaced the evidence."""
    sample = existing.sample
    if sample is None:
        return Decision(
            existing, KEEP, "the line is not a valid row and stays unchanged", existing.row, None, existing.damage
        )
    found = [alignment.place(piece) for piece in sample.evidence]
    pairs = enumerate(zip(sample.evidence, found, strict=True))
    grown = {n: list_ for n, (piece, place) in pairs if place and (list_ := statements.grown(piece, place))}
    found = [None if n in grown else place for n, place in enumerate(found)]
    lost = [n for n, place in enumerate(found) if place is None]
    restated = {n: grown.get(n) or statements.restated(sample.evidence[n]) for n in lost}
    twins = {n: alignment.place_elsewhere(sample.evidence[n]) for n in lost}
    # A restated row is revised. If that fails, the old text in unchanged documents (`twins`) may be its evidence.
    if lost and all(restated.values()):
        new_places = [place or restated[n] for n, place in enumerate(found)]
        stale = [place.document.doc_id for place in twins.values() if place]
        stale += _documents_of_second_positives(sample, restated, alignment)
        revision = _revision(existing, sample, [place for place in new_places if place], stale, chunk_at)
        if revision.kind == REVISE or not all(twins.values()):
            return revision
    places = [place or twins.get(n) for n, place in enumerate(found)]
    missing = next((sample.evidence[n] for n, place in enumerate(places) if place is None), None)
    if missing is not None:
        return Decision(existing, RETIRE, _loss(missing, alignment), documents=(missing.doc_id,))
    return _relocation(existing, sample, [place for place in places if place], chunk_at)


def _relocation(existing: ExistingRow, sample: Sample, places: Sequence[EvidencePlace], chunk_at: ChunkAt) -> Decision:
    """Return the decision on a row whose pieces of evidence all occur in the new corpus."""
    pairs = zip(sample.evidence, places, strict=True)
    pieces = tuple(_evidence_at(piece, place.document.doc_id, place, chunk_at) for piece, place in pairs)
    documents = tuple(dict.fromkeys(piece.doc_id for piece in sample.evidence))
    if pieces == sample.evidence:
        return Decision(existing, KEEP, "", existing.row, sample, documents=documents)
    row = {
        **existing.row,
        "evidence": [{**old, **asdict(new)} for old, new in zip(existing.row["evidence"], pieces, strict=True)],
    }
    same = all(place.same for place in places)
    reason = _movement(sample.evidence, pieces) if same else "the text around the evidence changed"
    negation = "" if same else next(filter(None, map(_negation, places)), "")
    review = f"the sentence around the evidence now contains '{negation}'" if negation else ""
    kind = RELOCATE if same else REJUDGE
    return Decision(existing, kind, reason, row, replace(sample, evidence=pieces), review, documents)


def _negation(place: EvidencePlace) -> str:
    """Return the negation in the sentence around a piece of evidence, or ""."""
    text = place.document.text
    for start, end in paragraphs(text):
        if place.end <= start or end <= place.start:
            continue
        for sentence in split_sentences(text[start:end]):
            first, last = start + sentence[0], start + sentence[1]
            if first < place.end and place.start < last:
                rest = tokens(f"{text[first : place.start]} {text[place.end : last]}")
                return next((word for word in rest if word in NEGATIONS), "")
    return ""


def _revision(
    existing: ExistingRow,
    sample: Sample,
    places: Sequence[EvidencePlace | Restated],
    stale: Sequence[str],
    chunk_at: ChunkAt,
) -> Decision:
    """Return the decision on a row with restated evidence. The documents `stale` still contain the old statement."""
    pairs = list(zip(sample.evidence, places, strict=True))
    pieces = [_evidence_at(piece, place.document.doc_id, place, chunk_at) for piece, place in pairs]
    restatements = [place.restatement if isinstance(place, Restated) else None for place in places]
    documents = tuple(dict.fromkeys(piece.doc_id for piece, place in pairs if isinstance(place, Restated)))
    result, fault = revise(sample, pieces, restatements)
    changes = "; ".join(f"'{old}' became '{new}'" for item in restatements if item for old, new in item.changes)
    if fault:
        return Decision(existing, RETIRE, fault, documents=documents, proposal=result)
    review = f"'{stale[0]}' still contains the old statement" if stale else ""
    metadata = {name: value for name, value in result.metadata.items() if name not in WITH_PLACES}
    if result.golden_answers != sample.golden_answers:
        metadata = changed_wording(metadata)
    result = replace(result, metadata={**metadata, "supersedes": sample.id})
    return Decision(existing, REVISE, changes or "the markup of the evidence changed", None, result, review, documents)


def _documents_of_second_positives(sample: Sample, lost: Mapping[int, object], alignment: Alignment) -> Iterator[str]:
    """Yield the documents that still contain alternative evidence (a "second positive") for a lost piece."""
    for item in sample.metadata.get("alternatives", ()):
        piece = second_positive(item)
        place = alignment.place(piece) if item["replaces"] in lost else None
        if place is not None:
            yield place.document.doc_id


def _evidence_at(piece: Evidence, doc_id: str, place: EvidencePlace | Restated, chunk_at: ChunkAt) -> Evidence:
    return Evidence(
        doc_id=doc_id,
        doc_hash=place.document.content_hash,
        chunk_id=chunk_at(doc_id, place.start) or piece.chunk_id,
        start=place.start,
        end=place.end,
        text=place.document.text[place.start : place.end],
    )


def _movement(old: Sequence[Evidence], new: Sequence[Evidence]) -> str:
    """Return the reason why the same text has another place."""
    for before, after in zip(old, new, strict=True):
        if before.doc_id != after.doc_id:
            return f"moved from '{before.doc_id}' to '{after.doc_id}'"
    if any(before.text != after.text for before, after in zip(old, new, strict=True)):
        return "its white space changed"
    if any((a.start, a.end) != (b.start, b.end) for a, b in zip(old, new, strict=True)):
        return "its offsets shifted"
    hashes = any(before.doc_hash != after.doc_hash for before, after in zip(old, new, strict=True))
    return "its document changed elsewhere" if hashes else "the passages were cut differently"


def _loss(piece: Evidence, alignment: Alignment) -> str:
    """Return the reason to retire a row whose evidence `piece` is gone."""
    if piece.doc_id in alignment.removed:
        return f"'{piece.doc_id}' was deleted, and no other document contains the evidence"
    text = " ".join(piece.text.split())
    return f"'{piece.doc_id}' no longer contains '{text[:_QUOTED_LENGTH]}{'…' if len(text) > _QUOTED_LENGTH else ''}'"


def flagged(
    row: Mapping[str, Any], reason: str, proposal: Mapping[str, Any] | None = None, *, lost: bool = False
) -> Mapping[str, Any]:
    """Return the row marked for review by a person, with the reason. A row with the same mark is returned unchanged.

    `proposal` is a revision that the person may accept. `lost` means that no document contains the evidence any more.
    """
    review: dict[str, Any] = {"reason": reason}
    if proposal:
        review["proposal"] = dict(proposal)
    if lost:
        review["lost"] = True
    if row["metadata"].get("review") == review:
        return row
    return {**row, "metadata": {**row["metadata"], "review": review}}


@dataclass(frozen=True)
class PassageMoves:
    """Lookup of the new places of old passages, for the passage ids stored in rows."""

    alignment: Alignment
    corpus: Corpus
    chunk_at: ChunkAt

    def negatives(self, sample: Sample, without: Iterable[str]) -> list[Mapping[str, Any]]:
        """Return the hard negatives of a row that still exist, at their new places.

        A hard negative is a passage that only seems to answer the question. Passages in `without` and passages with
        evidence are left out.
        """
        taken = {*without, *(piece.chunk_id for piece in sample.evidence)}
        negatives = []
        for negative in sample.metadata.get("hard_negatives", ()):
            moved = self._new_place(negative)
            if moved is not None and moved["chunk_id"] not in taken:
                taken.add(moved["chunk_id"])
                negatives.append(negative if moved == negative else {**negative, **moved})
        return negatives

    def _new_place(self, negative: Mapping[str, Any]) -> Mapping[str, Any] | None:
        doc_id = self.alignment.renamed.get(negative["doc_id"], negative["doc_id"])
        if doc_id not in self.alignment.documents:
            return None
        if negative["chunk_id"] in self.corpus:
            chunk_id = negative["chunk_id"]
        elif doc_id not in self.alignment.touched:
            chunk_id = self.chunk_at(doc_id, negative["start"])
        else:
            chunk_id = ""
        if chunk_id not in self.corpus:
            return None
        chunk = self.corpus.chunk(chunk_id)
        return {"chunk_id": chunk_id, "doc_id": chunk.doc_id, "start": chunk.start, "end": chunk.end}
