"""Recheck of rows after a change of the corpus: filters, second positives, hard negatives, contradictions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from synth.core.jsonl import row_to_sample
from synth.core.records import UNANSWERABLE, Chunk, Evidence, Sample
from synth.generation.alternatives import further, hard_negatives, stands_for
from synth.generation.filters.base import Corpus, Filter
from synth.retrieval.bm25 import LexicalIndex
from synth.testset.update.alignment import Alignment
from synth.testset.update.contradiction import contradicted
from synth.testset.update.decision import (
    CLASSES,
    REJUDGE,
    RELOCATE,
    RETIRE,
    REVISE,
    Decision,
    PassageMoves,
    by_people,
    flagged,
)
from synth.testset.verification import fault

_ALSO = ("doc_id", "doc_hash", "chunk_id", "start", "end", "text")
_MOVED = "passages that it names besides its evidence moved or were removed"
_NEAREST = 5
"""An unanswerable question is judged again when one of its best passages, so many, is new."""


SecondPositives = Callable[[Sample, set[str]], list[dict[str, Any]]]


@dataclass(frozen=True)
class Rechecker:
    """Recheck of decisions on a changed corpus.

    `filters` need no model; `fresh` is the index of the passages with new text, or None. `strict` is false when only
    the chunking changed, which must not retire a row; `by_model` tells that a chat model judges too.
    """

    corpus: Corpus
    filters: Sequence[Filter]
    alignment: Alignment
    moves: PassageMoves
    fresh: LexicalIndex | None
    strict: bool = True
    by_model: bool = False

    @classmethod
    def of(
        cls, corpus: Corpus, filters: Sequence[Filter], alignment: Alignment, moves: PassageMoves, strict: bool
    ) -> Rechecker:
        passages = fresh_passages(corpus, alignment)
        index = LexicalIndex([c.chunk_id for c in passages], [c.text for c in passages]) if passages else None
        plain = [filter_ for filter_ in filters if not filter_.needs_model]
        return cls(corpus, plain, alignment, moves, index, strict, len(plain) < len(filters))

    def recheck(self, decision: Decision) -> Decision:
        """The decision after filters, second positives, hard negatives and contradictions.

        A row that a person decided on is flagged for review where another one would be revised or retired.
        """
        if decision.sample is None and decision.kind != RETIRE:
            return decision
        if by_people(decision.existing.row):
            return self._for_people(decision)
        if decision.kind in (RETIRE, REVISE) or decision.row is None or decision.sample is None:
            return decision
        decision = self._with_places(decision, self._second_positives)
        judged = decision.sample if self.strict or decision.kind == REJUDGE else None
        wrong = fault(judged, self.corpus, self.filters, proven=True) if judged else ""
        if wrong:
            return replace(decision, kind=RETIRE, reason=wrong, row=None)
        return self._flagged(self._reopened(decision))

    def _for_people(self, decision: Decision) -> Decision:
        existing = decision.existing
        if decision.kind == RETIRE:
            row = flagged(existing.row, decision.reason)
            return replace(decision, kind=REJUDGE, review=decision.reason, row=row, sample=existing.sample)
        if decision.kind == REVISE and decision.sample is not None:
            proposal = {
                "golden_answers": list(decision.sample.golden_answers),
                "evidence": [piece.text for piece in decision.sample.evidence],
            }
            row = flagged(existing.row, decision.reason, proposal)
            return replace(decision, kind=REJUDGE, review=decision.reason, row=row, sample=existing.sample)
        decision = self._with_places(decision, _no_second_positives)
        if decision.kind == REJUDGE and decision.sample is not None:
            wrong = fault(decision.sample, self.corpus, self.filters, proven=True)
            decision = replace(decision, review=wrong or decision.review)
        return self._flagged(decision)

    def _with_places(self, decision: Decision, more: SecondPositives) -> Decision:
        """The decision with second positives and hard negatives at their new places, and with those in new text."""
        row, sample, notes = decision.row, decision.sample, list(decision.notes)
        assert row is not None
        assert sample is not None
        metadata = dict(row["metadata"])
        also = [kept for item in metadata.get("also", ()) if (kept := self._still(item, sample))]
        new = more(sample, {item["chunk_id"] for item in also})
        also += new
        negatives = self._negatives(row, sample, {item["chunk_id"] for item in also})
        for name, items in (("also", also), ("hard_negatives", negatives)):
            if items:
                metadata[name] = items
            else:
                metadata.pop(name, None)
        notes += [f"'{doc_id}' answers it too" for doc_id in dict.fromkeys(item["doc_id"] for item in new)]
        if metadata == row["metadata"]:
            return decision
        row = {**row, "metadata": metadata}
        kind = max(decision.kind, REJUDGE if new else RELOCATE, key=CLASSES.index)
        reason = decision.reason or "; ".join(notes) or _MOVED
        return replace(
            decision, kind=kind, reason=reason, row=row, sample=row_to_sample(row, "row"), notes=tuple(notes)
        )

    def _negatives(self, row: Mapping[str, Any], sample: Sample, answering: set[str]) -> list[Mapping[str, Any]]:
        """The hard negatives of a row at their new places, with others in place of those that are gone."""
        negatives = self.moves.negatives(row, sample, answering)
        gone = len(row["metadata"].get("hard_negatives", ())) - len(negatives)
        if gone:
            known = {negative["chunk_id"] for negative in negatives}
            candidates = hard_negatives(sample, self.corpus, answering)
            negatives += islice((other for other in candidates if other["chunk_id"] not in known), gone)
        return negatives

    def _still(self, item: Mapping[str, Any], sample: Sample) -> Mapping[str, Any] | None:
        """A second positive at its new place; None when it is gone or does not hold."""
        piece = Evidence(**{name: item[name] for name in _ALSO})
        place = self.alignment.place(piece)
        if place is None:
            return None
        doc_id = place.document.doc_id
        chunk = self.corpus.graph.chunk_at(doc_id, place.start)
        now = replace(
            piece,
            doc_id=doc_id,
            doc_hash=place.document.content_hash,
            chunk_id=chunk.chunk_id if chunk else piece.chunk_id,
            start=place.start,
            end=place.end,
            text=place.document.text[place.start : place.end],
        )
        if not stands_for(sample, item["of"], now, self.corpus):
            return None
        return item if now == piece else {**item, **{name: getattr(now, name) for name in _ALSO}}

    def _second_positives(self, sample: Sample, known: set[str]) -> list[dict[str, Any]]:
        if self.fresh is None or not sample.evidence:
            return []
        taken = {*known, *(piece.chunk_id for piece in sample.evidence)}
        return [
            {"of": number, **{name: getattr(piece, name) for name in _ALSO}}
            for number, piece in further(sample, self.corpus, self.fresh)
            if piece.chunk_id not in taken and self.alignment.is_new(piece.doc_id, piece.start, piece.end)
        ]

    def _reopened(self, decision: Decision) -> Decision:
        """The decision to judge an unanswerable question again when new text is near to it."""
        sample = decision.sample
        if self.fresh is None or sample is None or sample.question_type != UNANSWERABLE or not self.by_model:
            return decision
        near = self.corpus.passages.near(sample.question, _NEAREST)
        passage = next((passage for passage in near if passage.chunk_id in self.fresh.ids), None)
        if passage is None:
            return decision
        doc_id = passage.doc_id
        return replace(decision, kind=REJUDGE, reason=f"'{doc_id}' has new text about it", documents=(doc_id,))

    def _flagged(self, decision: Decision) -> Decision:
        """The decision with the mark for review, where one is due."""
        conflict, kind, review = None, decision.kind, decision.review
        if self.fresh is not None and decision.sample is not None and _placed(decision.sample, self.corpus):
            conflict = contradicted(decision.sample, self.corpus, self.fresh, self.alignment)
        if conflict:
            kind, review = REJUDGE, "; ".join(filter(None, (review, conflict[1])))
        if not review or decision.row is None:
            return decision
        row = flagged(decision.row, review)
        documents = tuple(dict.fromkeys((*decision.documents, *(conflict[:1] if conflict else ()))))
        reason = decision.reason or review
        return replace(decision, kind=kind, reason=reason, review=review, row=row, documents=documents)


def fresh_passages(corpus: Corpus, alignment: Alignment) -> list[Chunk]:
    """The passages with text that the corpus did not have before."""
    return [
        chunk
        for doc_id in alignment.new_text
        for chunk in corpus.graph.chunks_of(doc_id)
        if alignment.is_new(doc_id, chunk.start, chunk.end)
    ]


def _no_second_positives(sample: Sample, known: set[str]) -> list[dict[str, Any]]:
    return []


def _placed(sample: Sample, corpus: Corpus) -> bool:
    return bool(sample.evidence) and not any(map(corpus.misplaced, sample.evidence))
