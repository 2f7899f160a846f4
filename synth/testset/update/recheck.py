"""Recheck of rows after a corpus change.

The recheck runs the filters and searches new text for contradictions. It also updates the places of hard negatives and
of alternative evidence ("second positives": places that can replace a piece of evidence).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

from synth.core.jsonl import row_to_sample
from synth.core.records import UNANSWERABLE, Chunk, Sample
from synth.corpus.corpus import Corpus
from synth.generation.alternatives import can_replace, find_second_positives, hard_negatives, second_positive
from synth.generation.evidence_pages import evidence_pages
from synth.generation.filters.base import Filter
from synth.retrieval.bm25 import LexicalIndex
from synth.testset.update.alignment import Alignment
from synth.testset.update.contradiction import Contradiction, find_contradiction
from synth.testset.update.decision import (
    CLASSES,
    REJUDGE,
    RELOCATE,
    RETIRE,
    REVISE,
    Decision,
    PassageMoves,
    flagged,
)
from synth.testset.verification import fault

_EVIDENCE_FIELDS = ("doc_id", "doc_hash", "chunk_id", "start", "end", "text")
_MOVED = "alternative evidence or hard negatives of the row moved or were removed"
_NEAREST = 5
"""Number of top passages for an unanswerable question. If one of them is new text, the question is judged again."""


@dataclass(frozen=True)
class Rechecker:
    """Recheck of decisions against the changed corpus.

    `filters` contains only filters that need no model. `fresh` is the index of the passages with new text, or None. If
    `strict`, the filters run on every row. `strict` is false if only the chunking changed, because this alone must not
    retire a row. `by_model` is true if a chat model judges rows as well.
    """

    corpus: Corpus
    filters: Sequence[Filter]
    alignment: Alignment
    moves: PassageMoves
    fresh: LexicalIndex | None
    strict: bool = True
    by_model: bool = False

    @classmethod
    def for_corpus(
        cls, corpus: Corpus, filters: Sequence[Filter], alignment: Alignment, moves: PassageMoves, strict: bool
    ) -> Rechecker:
        """Return a rechecker with an index of the new text of `corpus`. Filters that need a model are left out."""
        passages = fresh_passages(corpus, alignment)
        index = LexicalIndex([c.chunk_id for c in passages], [c.text for c in passages]) if passages else None
        without_model = [filter_ for filter_ in filters if not filter_.needs_model]
        return cls(corpus, without_model, alignment, moves, index, strict, len(without_model) < len(filters))

    def recheck(self, decision: Decision) -> Decision:
        """Return the decision after the check of filters, alternative evidence, hard negatives and contradictions.

        A row on which a person decided is never revised or retired, only flagged for review.
        """
        if decision.existing.sample is None:  # the line is not a valid row
            return decision
        decision = self._without_distractors(decision)
        if decision.existing.by_people:
            return self._recheck_human_decided(decision)
        if decision.kind in (RETIRE, REVISE):
            return decision
        decision = self._update_alternatives(decision, find_new=True)
        if self.strict or decision.kind == REJUDGE:
            failure = self._failure(decision)
            if failure:
                return replace(decision, kind=RETIRE, reason=failure, row=None)
        return self._flag_for_review(self._reopen_unanswerable(decision))

    def _without_distractors(self, decision: Decision) -> Decision:
        """Return the decision, changed if a document of the evidence is one that rows must not be about.

        The row is retired, or flagged for review if a person decided on it.
        """
        pieces = decision.sample.evidence if decision.sample else ()
        doc_id = next((piece.doc_id for piece in pieces if not self.corpus.is_asked(piece.doc_id)), "")
        if not doc_id:
            return decision
        reason = f"'{doc_id}' is a distractor, which is not asked about"
        if decision.existing.by_people:
            kind = max(decision.kind, REJUDGE, key=CLASSES.index)
            return replace(decision, kind=kind, reason=reason, review=reason, documents=(doc_id,))
        return replace(decision, kind=RETIRE, reason=reason, row=None, review="", documents=(doc_id,))

    def _recheck_human_decided(self, decision: Decision) -> Decision:
        if decision.kind in (RETIRE, REVISE):
            existing = decision.existing
            revised = decision.sample if decision.kind == REVISE else decision.proposal
            proposal = _proposal(revised) if revised else None
            row = flagged(existing.row, decision.reason, proposal, lost=proposal is None)
            return replace(decision, kind=REJUDGE, review=decision.reason, row=row, sample=existing.sample)
        decision = self._update_alternatives(decision, find_new=False)
        if decision.kind == REJUDGE:
            decision = replace(decision, review=self._failure(decision) or decision.review)
        return self._flag_for_review(decision)

    def _failure(self, decision: Decision) -> str:
        """Return why the row fails on the new corpus, or "". Filters that raise an error are ignored."""
        assert decision.sample is not None
        return fault(decision.sample, self.corpus, self.filters, ignore_errors=True)

    def _update_alternatives(self, decision: Decision, *, find_new: bool) -> Decision:
        """Update the places of alternative evidence and hard negatives.

        If `find_new` is true, also add alternative evidence in new text. A row that gets new alternative evidence is
        judged again.
        """
        row, sample, notes = decision.row, decision.sample, list(decision.notes)
        assert row is not None
        assert sample is not None
        metadata = dict(row["metadata"])
        positives = [one for one in sample.metadata.get("alternatives", ()) if self.corpus.is_asked(one["doc_id"])]
        also = [moved for item in positives if (moved := self._relocated_positive(item, sample))]
        new = self._second_positives(sample, {item["chunk_id"] for item in also}) if find_new else []
        also += new
        negatives = self._negatives(sample, {item["chunk_id"] for item in also})
        for name, items in (
            ("alternatives", also),
            ("hard_negatives", negatives),
            ("pages", evidence_pages(sample, self.corpus)),
        ):
            if items:
                metadata[name] = items
            else:
                metadata.pop(name, None)
        notes += [f"'{doc_id}' also answers the question" for doc_id in dict.fromkeys(item["doc_id"] for item in new)]
        if metadata == row["metadata"]:
            return decision
        row = {**row, "metadata": metadata}
        # The later class in CLASSES changes the row more.
        kind = max(decision.kind, REJUDGE if new else RELOCATE, key=CLASSES.index)
        reason = decision.reason or "; ".join(notes) or _MOVED
        return replace(
            decision, kind=kind, reason=reason, row=row, sample=row_to_sample(row, "row"), notes=tuple(notes)
        )

    def _negatives(self, sample: Sample, answering: set[str]) -> list[Mapping[str, Any]]:
        """Return the hard negatives of a row at their new places. Missing ones are replaced.

        Passages in `answering` also answer the question and are left out.
        """
        negatives = self.moves.negatives(sample, answering)
        missing = len(sample.metadata.get("hard_negatives", ())) - len(negatives)
        if missing:
            known = {negative["chunk_id"] for negative in negatives}
            candidates = hard_negatives(sample, self.corpus, answering)
            negatives += islice((other for other in candidates if other["chunk_id"] not in known), missing)
        return negatives

    def _relocated_positive(self, item: Mapping[str, Any], sample: Sample) -> Mapping[str, Any] | None:
        """Return an item of `alternatives` at its new place.

        None if its text is gone, or cannot replace the evidence at the new place.
        """
        piece = second_positive(item)
        place = self.alignment.place(piece)
        if place is None:
            return None
        doc_id = place.document.doc_id
        chunk = self.corpus.chunk_at(doc_id, place.start)
        moved = replace(
            piece,
            doc_id=doc_id,
            doc_hash=place.document.content_hash,
            chunk_id=chunk.chunk_id if chunk else piece.chunk_id,
            start=place.start,
            end=place.end,
            text=place.document.text[place.start : place.end],
        )
        # "replaces" is the index of the piece of evidence that a second positive can replace.
        if not can_replace(sample, item["replaces"], moved, self.corpus):
            return None
        return item if moved == piece else {**item, **{name: getattr(moved, name) for name in _EVIDENCE_FIELDS}}

    def _second_positives(self, sample: Sample, known: set[str]) -> list[dict[str, Any]]:
        """Return alternative evidence in new text, outside the passages `known` and the passages with evidence."""
        if self.fresh is None or not sample.evidence:
            return []
        taken = {*known, *(piece.chunk_id for piece in sample.evidence)}
        return [
            {"replaces": index, **{name: getattr(piece, name) for name in _EVIDENCE_FIELDS}}
            for index, piece in find_second_positives(sample, self.corpus, self.fresh)
            if piece.chunk_id not in taken and self.alignment.is_new(piece.doc_id, piece.start, piece.end)
        ]

    def _reopen_unanswerable(self, decision: Decision) -> Decision:
        """Return the decision, changed to REJUDGE if new text resembles the unanswerable question.

        Only a chat model can tell whether the new text answers the question.
        """
        sample = decision.sample
        if self.fresh is None or sample is None or sample.question_type != UNANSWERABLE or not self.by_model:
            return decision
        near = self.corpus.passages.near(sample.question, _NEAREST)
        passage = next((passage for passage in near if passage.chunk_id in self.fresh.ids), None)
        if passage is None:
            return decision
        doc_id = passage.doc_id
        return replace(
            decision, kind=REJUDGE, reason=f"'{doc_id}' contains new text about the question", documents=(doc_id,)
        )

    def _flag_for_review(self, decision: Decision) -> Decision:
        """Search new text for a contradiction. Flag the row if there is one or if `review` is set."""
        kind, review, documents = decision.kind, decision.review, decision.documents
        contradiction = self._contradiction(decision.sample)
        if contradiction:
            kind = REJUDGE
            review = f"{review}; {contradiction.text}" if review else contradiction.text
            documents = tuple(dict.fromkeys((*documents, contradiction.doc_id)))
        if not review or decision.row is None:
            return decision
        row = flagged(decision.row, review)
        return replace(
            decision, kind=kind, reason=decision.reason or review, review=review, row=row, documents=documents
        )

    def _contradiction(self, sample: Sample | None) -> Contradiction | None:
        if self.fresh is None or sample is None or not sample.evidence:
            return None
        if any(map(self.corpus.misplaced, sample.evidence)):
            return None
        return find_contradiction(sample, self.corpus, self.fresh, self.alignment)


def fresh_passages(corpus: Corpus, alignment: Alignment) -> list[Chunk]:
    """Return the passages that contain text new to the corpus."""
    return [
        chunk
        for doc_id in alignment.new_text
        for chunk in corpus.chunks_of(doc_id)
        if alignment.is_new(doc_id, chunk.start, chunk.end)
    ]


def _proposal(revised: Sample) -> dict[str, Any]:
    """Return a revision of a row as a proposal that a person may accept."""
    return {
        "golden_answers": list(revised.golden_answers),
        "evidence": [asdict(piece) for piece in revised.evidence],
    }
