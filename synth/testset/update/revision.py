"""Revision of rows whose evidence was restated: new evidence and new answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from synth.core.records import Document, Evidence, Sample, Step
from synth.generation.derivation import CHOOSING, OPERATIONS, READ, says_yes
from synth.testset.update.alignment import Alignment
from synth.testset.update.restatement import SAME_STATEMENT, Restatement, may_restate, tokens
from synth.text.markup import plain
from synth.text.sentences import split_sentences

_ITEM_START = re.compile(r"\n(?=[^\S\n]*(?:[*+-]|\d{1,3}[.)]|#{1,6}|>|\|)[^\S\n]?)")
_ITEM_MARKER = re.compile(r"[^\S\n]*(?:[*+-]|\d{1,3}[.)]|>)[^\S\n]+")
_YES_AND_NO = (("yes", "no"), ("是", "否"), ("是的", "不是"), ("會", "不會"), ("会", "不会"), ("可以", "不可以"))


@dataclass(frozen=True, slots=True)
class Restated:
    """The restatement of a piece of evidence: its place and the changes."""

    document: Document
    start: int
    end: int
    restatement: Restatement


@dataclass(frozen=True)
class Statements:
    """Sentences of the new text of a corpus, to search for new versions of old ones."""

    alignment: Alignment
    _paragraphs_by_document: dict[str, list[tuple[int, int, Counter[str]]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def restated(self, piece: Evidence) -> Restated | None:
        """The new version of a piece of evidence: the new sentences most like it, or None."""
        wanted = Counter(tokens(_plain(piece.text, self.alignment.documents.get(piece.doc_id))))
        width = len(split_sentences(piece.text))
        best: tuple[float, Restated] | None = None
        for document in self.alignment.heirs(piece.doc_id):
            for start, end, words in self._paragraphs(document):
                if not may_restate(wanted, words):
                    continue
                for candidate in _candidates(piece, document, start, end, width):
                    likeness = candidate.restatement.likeness
                    if likeness >= SAME_STATEMENT and (best is None or likeness > best[0]):
                        best = likeness, candidate
        return best[1] if best else None

    def _paragraphs(self, document: Document) -> list[tuple[int, int, Counter[str]]]:
        if document.doc_id not in self._paragraphs_by_document:
            spans = self.alignment.new_text.get(document.doc_id, ())
            self._paragraphs_by_document[document.doc_id] = [
                (start, end, Counter(tokens(_plain(document.text[start:end], document)))) for start, end in spans
            ]
        return self._paragraphs_by_document[document.doc_id]


def revise(sample: Sample, pieces: Sequence[Evidence], restatements: Sequence[Restatement | None]) -> Sample | str:
    """The sample with its new evidence and answers, or the reason why the question does not fit the new text.

    `pieces` are the new pieces of evidence, `restatements` their changes, None for an unchanged piece.
    """
    changed = [restatement for restatement in restatements if restatement is not None]
    steps = _new_steps(sample, restatements)
    if isinstance(steps, str):
        return steps
    for restatement in changed:
        values = [*sample.golden_answers, *(step.value for step in sample.steps)]
        if fault := restatement.misfit(sample.question, values, sample.language):
            return fault
    answers: list[str] = []
    computed = bool(steps) and steps[-1].operation != READ
    for answer in sample.golden_answers:
        new = (
            _with_new_value(answer, sample.steps[-1].value, steps[-1].value)
            if computed
            else _restated_answer(answer, changed)
        )
        if new is not None and new not in answers:
            answers.append(new)
    if not answers:
        changes = "; ".join(f"'{old}' became '{new}'" for restatement in changed for old, new in restatement.changes)
        return f"its new answer is uncertain: {changes}"
    return replace(sample, golden_answers=tuple(answers), evidence=tuple(pieces), steps=steps, verdicts=())


def _restated_answer(answer: str, restatements: Sequence[Restatement]) -> str | None:
    """An answer after all restatements; None when one leaves it open or two disagree."""
    changed = {restatement.counterpart(answer) for restatement in restatements} - {answer}
    if not changed:
        return answer
    return changed.pop() if len(changed) == 1 else None


def _new_steps(sample: Sample, restatements: Sequence[Restatement | None]) -> tuple[Step, ...] | str:
    """The steps with the values of the new text, or the reason why one is uncertain."""
    steps: list[Step] = []
    for step in sample.steps:
        if step.operation == READ:
            changed = [restatement for n in step.evidence if (restatement := restatements[n]) is not None]
            value = _restated_answer(step.value, changed)
        elif [steps[n].value for n in step.of] == [sample.steps[n].value for n in step.of]:
            value = step.value
        else:
            value = _rechosen(step, [steps[n] for n in step.of], sample.language)
        if value is None:
            return f"the values it is computed from changed, and '{step.value}' may no longer follow"
        steps.append(replace(step, value=value))
    return tuple(steps)


def _rechosen(step: Step, operands: Sequence[Step], language: str) -> str | None:
    """The new value of a step that chooses or says yes or no; None for one that computes a value."""
    options = [operand.says for operand in operands] if step.operation in CHOOSING else list(_yes_and_no(step.value))
    check = OPERATIONS[step.operation]
    return next((option for option in options if check(operands, option, language) is True), None)


def _yes_and_no(value: str) -> Iterator[str]:
    """A yes or no itself, then both words of its pair, capitalised as it is."""
    for pair in _YES_AND_NO:
        if value.casefold() in pair and says_yes(value) is not None:
            yield from (value, *(side.capitalize() if value[:1].isupper() else side for side in pair))


def _with_new_value(answer: str, old: str, new: str) -> str | None:
    """The answer of a computed question; None when it words the value in another way and the value changed."""
    if answer == old or old == new:
        return new if answer == old else answer
    return None


def _candidates(piece: Evidence, document: Document, start: int, end: int, width: int) -> Iterator[Restated]:
    """Windows of `width` sentences of a paragraph, compared with a piece of evidence."""
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
    """Spans of the sentences of a paragraph; each item of a list begins a new one."""
    body = text[start:end]
    bounds = [0, *(match.end() for match in _ITEM_START.finditer(body)), len(body)]
    for item_start, item_end in pairwise(bounds):
        offset = start + item_start
        for sentence_start, sentence_end in split_sentences(body[item_start:item_end]):
            yield offset + sentence_start, offset + sentence_end


def _plain(text: str, document: Document | None) -> str:
    markdown = document is not None and document.metadata.get("format") == "markdown"
    return plain(text, markdown=markdown).text
