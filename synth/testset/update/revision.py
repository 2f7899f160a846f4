"""Revision of rows whose evidence was restated: new evidence and new answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from synth.core.records import Document, Evidence, Sample
from synth.corpus.fingerprints import fingerprint, paragraphs
from synth.generation.matching.decided import asks_for_decision
from synth.testset.update.alignment import Alignment, EvidencePlace
from synth.testset.update.block_changes import (
    ListChange,
    RowChange,
    StatementChange,
    TableChange,
    list_items,
    list_span,
    numbers_in,
    row_cells,
    same_row,
)
from synth.testset.update.restatement import SAME_STATEMENT, Restatement, may_restate, tokens
from synth.text.markup import plain
from synth.text.sentences import split_sentences

_ITEM_START = re.compile(r"\n(?=[^\S\n]*(?:[*+-]|\d{1,3}[.)]|#{1,6}|>|\|)[^\S\n]?)")
_ITEM_MARKER = re.compile(r"[^\S\n]*(?:[*+-]|\d{1,3}[.)]|>)[^\S\n]+")


@dataclass(frozen=True, slots=True)
class Restated:
    """New version of a piece of evidence: its place, and the changed words."""

    document: Document
    start: int
    end: int
    restatement: StatementChange


@dataclass(frozen=True)
class Statements:
    """Search of the new text of a corpus for new versions of old sentences."""

    alignment: Alignment
    _paragraphs_by_document: dict[str, list[tuple[int, int, Counter[str]]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def restated(self, piece: Evidence) -> Restated | None:
        """Return the new version of a piece of evidence: the new sentences most similar to it, or None.

        The new version of a list or table is the whole new list or table. The new version of a table row is the row
        with the same first cell.
        """
        if block := self._block(piece):
            return block
        old_words = Counter(tokens(_plain(piece.text, self.alignment.documents.get(piece.doc_id))))
        width = len(split_sentences(piece.text))
        best: tuple[float, Restated] | None = None
        for document in self.alignment.heirs(piece.doc_id):
            for start, end, words in self._paragraphs(document):
                if not may_restate(old_words, words):
                    continue
                for candidate in _candidates(piece, document, start, end, width):
                    likeness = candidate.restatement.likeness
                    if likeness >= SAME_STATEMENT and (best is None or likeness > best[0]):
                        best = likeness, candidate
        return best[1] if best else None

    def grown(self, piece: Evidence, place: EvidencePlace) -> Restated | None:
        """Return the new version of a list that `piece` quotes in full, if the list got more items; else None."""
        items = list_items(piece.text)
        if place.same or not items or fingerprint(piece.text) not in self.alignment.paragraphs_known:
            return None
        text = place.document.text
        for start, end in paragraphs(text):
            span = list_span(text, start, end) if start <= place.start and place.end <= end else None
            if span and len(new := list_items(text[slice(*span)])) > len(items):
                return Restated(place.document, *span, ListChange(items, new))
        return None

    def _block(self, piece: Evidence) -> Restated | None:
        """Return the new version of a list, a table, or a row of a table; None for other evidence."""
        items, cells = list_items(piece.text), row_cells(piece.text)
        rows = [row for line in piece.text.split("\n") if (row := row_cells(line))]
        candidates: list[Restated] = []
        for document in self.alignment.heirs(piece.doc_id) if items or rows else ():
            for start, end in self.alignment.new_text.get(document.doc_id, ()):
                if items:
                    candidates += _changed_lists(items, document, start, end)
                elif cells:
                    candidates += _changed_rows(cells, document, start, end)
                else:
                    candidates += _changed_tables(rows, document, start, end)
        best = max(candidates, key=lambda candidate: candidate.restatement.likeness, default=None)
        return best if best and best.restatement.likeness >= SAME_STATEMENT else None

    def _paragraphs(self, document: Document) -> list[tuple[int, int, Counter[str]]]:
        if document.doc_id not in self._paragraphs_by_document:
            spans = self.alignment.new_text.get(document.doc_id, ())
            self._paragraphs_by_document[document.doc_id] = [
                (start, end, Counter(tokens(_plain(document.text[start:end], document)))) for start, end in spans
            ]
        return self._paragraphs_by_document[document.doc_id]


def revise(
    sample: Sample, pieces: Sequence[Evidence], restatements: Sequence[StatementChange | None]
) -> tuple[Sample, str]:
    """Return the sample with new evidence and answers, and the reason why it does not fit the new text, or "".

    `pieces` are the new pieces of evidence. `restatements` contains the change of each piece, or None for an unchanged
    piece. If the new versions of all answers are uncertain, the old answers stay for a person to decide. So it is if
    the answer follows from numbers that changed: with other numbers, another answer may follow.
    """
    changed = [restatement for restatement in restatements if restatement is not None]
    restated = [_restated_answer(answer, changed) for answer in sample.golden_answers]
    answers = tuple(dict.fromkeys(answer.strip() for answer in restated if answer is not None))
    revised = replace(sample, golden_answers=answers or sample.golden_answers, evidence=tuple(pieces), verdicts=())
    faults = (one.misfit(sample.question, sample.golden_answers, sample.language) for one in changed)
    fault = next(filter(None, faults), "")
    if not fault and (not answers or (_follows(sample) and any(map(_has_other_numbers, changed)))):
        changes = "; ".join(f"'{old}' became '{new}'" for restatement in changed for old, new in restatement.changes)
        fault = f"the new answer is uncertain: {changes}"
    return revised, fault


def _follows(sample: Sample) -> bool:
    """Return whether the answers follow from the evidence, as a decision or by reasoning, and are not stated in it."""
    return sample.question_type == "reasoning" or asks_for_decision(sample.question, sample.language)


def _has_other_numbers(change: StatementChange) -> bool:
    return isinstance(change, Restatement) and numbers_in(change.old) != numbers_in(change.new)


def _restated_answer(answer: str, restatements: Sequence[StatementChange]) -> str | None:
    """Return the answer after all restatements.

    None if the new answer is uncertain, or if two restatements give different answers.
    """
    changed = {restatement.counterpart(answer) for restatement in restatements} - {answer}
    if not changed:
        return answer
    return changed.pop() if len(changed) == 1 else None


def _changed_lists(items: Sequence[str], document: Document, start: int, end: int) -> Iterator[Restated]:
    """Yield the list in a paragraph if its number of items differs from the old list."""
    if span := list_span(document.text, start, end):
        new = list_items(document.text[slice(*span)])
        if len(new) != len(items):
            yield Restated(document, *span, ListChange(tuple(items), new))


def _changed_rows(cells: tuple[str, ...], document: Document, start: int, end: int) -> Iterator[Restated]:
    """Yield the table row in a paragraph with the same first cell as the old row, if there is exactly one."""
    lines = [
        line for line in _lines(document.text, start, end) if same_row(cells, row_cells(document.text[slice(*line)]))
    ]
    if len(lines) == 1:
        yield Restated(document, *lines[0], RowChange(cells, row_cells(document.text[slice(*lines[0])])))


def _changed_tables(rows: Sequence[tuple[str, ...]], document: Document, start: int, end: int) -> Iterator[Restated]:
    """Yield the whole table in a paragraph. Its likeness is the share of old and new rows with a common first cell."""
    lines = [line for line in _lines(document.text, start, end) if document.text[line[0] : line[0] + 1] == "|"]
    found = [row for line in lines if (row := row_cells(document.text[slice(*line)]))]
    if found:
        shared = sum(any(same_row(row, other) for other in found) for row in rows)
        yield Restated(document, lines[0][0], lines[-1][1], TableChange(2 * shared / (len(rows) + len(found))))


def _lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    at = start
    for line in text[start:end].split("\n"):
        yield at, at + len(line)
        at += len(line) + 1


def _candidates(piece: Evidence, document: Document, start: int, end: int, width: int) -> Iterator[Restated]:
    """Yield all windows of `width` sentences in a paragraph, each compared with a piece of evidence."""
    old = _plain(piece.text, document)
    spans = list(_sentences(document.text, start, end))
    for first in range(max(1, len(spans) - width + 1)):
        last = min(first + width, len(spans)) - 1
        start_of_window, end_of_window = spans[first][0], spans[last][1]
        marker = _ITEM_MARKER.match(document.text, start_of_window, end_of_window)
        if marker and not _ITEM_MARKER.match(piece.text):
            start_of_window = marker.end()
        new = _plain(document.text[start_of_window:end_of_window], document)
        yield Restated(document, start_of_window, end_of_window, Restatement.of(old, new))


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield spans of the sentences of a paragraph. Each list item starts a new sentence."""
    body = text[start:end]
    bounds = [0, *(match.end() for match in _ITEM_START.finditer(body)), len(body)]
    for item_start, item_end in pairwise(bounds):
        offset = start + item_start
        for sentence_start, sentence_end in split_sentences(body[item_start:item_end]):
            yield offset + sentence_start, offset + sentence_end


def _plain(text: str, document: Document | None) -> str:
    markdown = document is not None and document.metadata.get("format") == "markdown"
    return plain(text, markdown=markdown).text
