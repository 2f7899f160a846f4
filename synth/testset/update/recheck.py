"""What becomes of a row in the end: the filters run again, and what the new text says of it is taken in."""

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
    Moves,
    by_people,
    flagged,
)
from synth.testset.verification import fault

_ALSO = ("doc_id", "doc_hash", "chunk_id", "start", "end", "text")
_MOVED = "passages that it names, but for its evidence, moved or went"
_NEAREST = 5
"""New passages among so many best for a question without an answer make it worth judging again."""


SecondPositives = Callable[[Sample, set[str]], list[dict[str, Any]]]


@dataclass(frozen=True)
class Settling:
    """Takes in what a changed corpus says of a row.

    `filters` are the filters that need no model; `fresh` are the passages with new text, None for none of them;
    `strict` is false when passages are cut in another way, which must cost no row; `by_model` says whether a chat
    model judges too.
    """

    corpus: Corpus
    filters: Sequence[Filter]
    alignment: Alignment
    moves: Moves
    fresh: LexicalIndex | None
    strict: bool = True
    by_model: bool = False

    @classmethod
    def of(
        cls, corpus: Corpus, filters: Sequence[Filter], alignment: Alignment, moves: Moves, strict: bool
    ) -> Settling:
        passages = fresh_passages(corpus, alignment)
        index = LexicalIndex([c.chunk_id for c in passages], [c.text for c in passages]) if passages else None
        plain = [filter_ for filter_ in filters if not filter_.needs_model]
        return cls(corpus, plain, alignment, moves, index, strict, len(plain) < len(filters))

    def settled(self, decision: Decision) -> Decision:
        """The decision with the filters, second positives, hard negatives and contradictions taken in.

        A row that a person decided on is flagged where another would be revised or retired, and never rewritten.
        """
        if decision.sample is None and decision.kind != RETIRE:
            return decision
        if by_people(decision.held.row):
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
        held = decision.held
        if decision.kind == RETIRE:
            row = flagged(held.row, decision.reason)
            return replace(decision, kind=REJUDGE, review=decision.reason, row=row, sample=held.sample)
        if decision.kind == REVISE and decision.sample is not None:
            proposal = {
                "golden_answers": list(decision.sample.golden_answers),
                "evidence": [piece.text for piece in decision.sample.evidence],
            }
            row, said = flagged(held.row, decision.reason, proposal), decision.reason
            return replace(decision, kind=REJUDGE, review=said, row=row, sample=held.sample)
        decision = self._with_places(decision, _nothing)
        if decision.kind == REJUDGE and decision.sample is not None:
            wrong = fault(decision.sample, self.corpus, self.filters, proven=True)
            decision = replace(decision, review=wrong or decision.review)
        return self._flagged(decision)

    def _with_places(self, decision: Decision, more: SecondPositives) -> Decision:
        """The row with its second positives and hard negatives where they are now, and what new text adds to them."""
        row, sample, notes = decision.row, decision.sample, list(decision.notes)
        assert row is not None
        assert sample is not None
        metadata = dict(row["metadata"])
        also = [one for old in metadata.get("also", ()) if (one := self._still(old, sample))]
        new = more(sample, {one["chunk_id"] for one in also})
        also += new
        negatives = self._negatives(row, sample, {one["chunk_id"] for one in also})
        for name, held in (("also", also), ("hard_negatives", negatives)):
            if held:
                metadata[name] = held
            else:
                metadata.pop(name, None)
        notes += [f"'{doc_id}' answers it too" for doc_id in dict.fromkeys(one["doc_id"] for one in new)]
        if metadata == row["metadata"]:
            return decision
        row = {**row, "metadata": metadata}
        kind = max(decision.kind, REJUDGE if new else RELOCATE, key=CLASSES.index)
        reason = decision.reason or "; ".join(notes) or _MOVED
        return replace(
            decision, kind=kind, reason=reason, row=row, sample=row_to_sample(row, "row"), notes=tuple(notes)
        )

    def _negatives(self, row: Mapping[str, Any], sample: Sample, answering: set[str]) -> list[Mapping[str, Any]]:
        """The hard negatives of a row where they are now, and others in the place of those that are gone."""
        held = self.moves.negatives(row, sample, answering)
        gone = len(row["metadata"].get("hard_negatives", ())) - len(held)
        if gone:
            known = {one["chunk_id"] for one in held}
            others = (one for one in hard_negatives(sample, self.corpus, answering) if one["chunk_id"] not in known)
            held += islice(others, gone)
        return held

    def _still(self, one: Mapping[str, Any], sample: Sample) -> Mapping[str, Any] | None:
        """A second positive where it is now; None when it is none any more."""
        piece = Evidence(**{name: one[name] for name in _ALSO})
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
        if not stands_for(sample, one["of"], now, self.corpus):
            return None
        return one if now == piece else {**one, **{name: getattr(now, name) for name in _ALSO}}

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
        """A question that nothing answered is for the chat model to judge again when new text is near to it."""
        sample = decision.sample
        if self.fresh is None or sample is None or sample.question_type != UNANSWERABLE or not self.by_model:
            return decision
        near = self.corpus.passages.near(sample.question, _NEAREST)
        met = next((one for one in near if one.chunk_id in self.fresh.ids), None)
        if met is None:
            return decision
        return replace(decision, kind=REJUDGE, reason=f"'{met.doc_id}' has new text about it", documents=(met.doc_id,))

    def _flagged(self, decision: Decision) -> Decision:
        """The decision with the mark for people, where one is due."""
        found, kind, review = None, decision.kind, decision.review
        if self.fresh is not None and decision.sample is not None and _placed(decision.sample, self.corpus):
            found = contradicted(decision.sample, self.corpus, self.fresh, self.alignment)
        if found:
            kind, review = REJUDGE, "; ".join(filter(None, (review, found[1])))
        if not review or decision.row is None:
            return decision
        row = flagged(decision.row, review)
        documents = tuple(dict.fromkeys((*decision.documents, *(found[:1] if found else ()))))
        reason = decision.reason or review
        return replace(decision, kind=kind, reason=reason, review=review, row=row, documents=documents)


def fresh_passages(corpus: Corpus, alignment: Alignment) -> list[Chunk]:
    """The passages that hold text which the corpus did not have before."""
    return [
        chunk
        for doc_id in alignment.new_text
        for chunk in corpus.graph.chunks_of(doc_id)
        if alignment.is_new(doc_id, chunk.start, chunk.end)
    ]


def _nothing(sample: Sample, known: set[str]) -> list[dict[str, Any]]:
    return []


def _placed(sample: Sample, corpus: Corpus) -> bool:
    return bool(sample.evidence) and not any(map(corpus.misplaced, sample.evidence))
