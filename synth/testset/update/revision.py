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
from synth.testset.update.restatement import SAME_STATEMENT, Restatement, tokens
from synth.text.markup import plain
from synth.text.sentences import split_sentences

_ITEM = re.compile(r"\n(?=[^\S\n]*(?:[*+-]|\d{1,3}[.)]|#{1,6}|>|\|)[^\S\n]?)")
_MARKER = re.compile(r"[^\S\n]*(?:[*+-]|\d{1,3}[.)]|>)[^\S\n]+")
_SIDES = (("yes", "no"), ("是", "否"), ("是的", "不是"), ("會", "不會"), ("会", "不会"), ("可以", "不可以"))


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
    _read: dict[str, list[tuple[int, int, Counter[str]]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def restated(self, piece: Evidence) -> Restated | None:
        """The new version of a piece of evidence: the new sentences most like it, or None."""
        wanted = Counter(tokens(_plain(piece.text, self.alignment.documents.get(piece.doc_id))))
        width = len(split_sentences(piece.text))
        best: tuple[float, Restated] | None = None
        for document in self.alignment.heirs(piece.doc_id):
            for start, end, words in self._paragraphs(document):
                if (wanted & words).total() < SAME_STATEMENT * 0.8 * wanted.total():
                    continue
                for candidate in _candidates(piece, document, start, end, width):
                    likeness = candidate.restatement.likeness
                    if likeness >= SAME_STATEMENT and (best is None or likeness > best[0]):
                        best = likeness, candidate
        return best[1] if best else None

    def _paragraphs(self, document: Document) -> list[tuple[int, int, Counter[str]]]:
        if document.doc_id not in self._read:
            spans = self.alignment.new_text.get(document.doc_id, ())
            self._read[document.doc_id] = [
                (start, end, Counter(tokens(_plain(document.text[start:end], document)))) for start, end in spans
            ]
        return self._read[document.doc_id]


def revised(sample: Sample, pieces: Sequence[Evidence], restatements: Sequence[Restatement | None]) -> Sample | str:
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
    worked_out = bool(steps) and steps[-1].operation != READ
    for answer in sample.golden_answers:
        new = _swapped(answer, sample.steps[-1].value, steps[-1].value) if worked_out else _through(answer, changed)
        if new is not None and new not in answers:
            answers.append(new)
    if not answers:
        changes = "; ".join(f"'{old}' became '{new}'" for restatement in changed for old, new in restatement.changes)
        return f"its new answer is uncertain: {changes}"
    return replace(sample, golden_answers=tuple(answers), evidence=tuple(pieces), steps=steps, verdicts=())


def _through(answer: str, restatements: Sequence[Restatement]) -> str | None:
    """An answer after several restatements; None when one leaves it open or two disagree."""
    changed = {restatement.answer(answer) for restatement in restatements} - {answer}
    if not changed:
        return answer
    return changed.pop() if len(changed) == 1 else None


def _new_steps(sample: Sample, restatements: Sequence[Restatement | None]) -> tuple[Step, ...] | str:
    """The steps with the values of the new text, or the reason why one is uncertain."""
    steps: list[Step] = []
    for step in sample.steps:
        if step.operation == READ:
            changed = [restatement for n in step.evidence if (restatement := restatements[n]) is not None]
            value = _through(step.value, changed)
        elif [steps[n].value for n in step.of] == [sample.steps[n].value for n in step.of]:
            value = step.value
        else:
            value = _follows(step, [steps[n] for n in step.of], sample.language)
        if value is None:
            return f"the values it is computed from changed, and '{step.value}' may no longer follow"
        steps.append(replace(step, value=value))
    return tuple(steps)


def _follows(step: Step, of: Sequence[Step], language: str) -> str | None:
    """The new value of a step that chooses or says yes or no; None for one that computes a value."""
    options = [option.says for option in of] if step.operation in CHOOSING else list(_polar(step.value))
    return next((option for option in options if OPERATIONS[step.operation](of, option, language) is True), None)


def _polar(value: str) -> Iterator[str]:
    for pair in _SIDES:
        if value.casefold() in pair and says_yes(value) is not None:
            yield from (value, *(side.capitalize() if value[:1].isupper() else side for side in pair))


def _swapped(answer: str, old: str, new: str) -> str | None:
    if answer == old or old == new:
        return new if answer == old else answer
    return None


def _candidates(piece: Evidence, document: Document, start: int, end: int, width: int) -> Iterator[Restated]:
    """Windows of `width` sentences of a paragraph, compared with a piece of evidence."""
    old = _plain(piece.text, document)
    spans = list(_sentences(document.text, start, end))
    for first in range(max(1, len(spans) - width + 1)):
        last = min(first + width, len(spans)) - 1
        a, b = spans[first][0], spans[last][1]
        marker = _MARKER.match(document.text, a, b)
        if marker and not _MARKER.match(piece.text):
            a = marker.end()
        yield Restated(document, a, b, Restatement.of(old, _plain(document.text[a:b], document)))


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    body = text[start:end]
    marks = [0, *(match.end() for match in _ITEM.finditer(body)), len(body)]
    for a, b in pairwise(marks):
        yield from ((start + a + x, start + a + y) for x, y in split_sentences(body[a:b]))


def _plain(text: str, document: Document | None) -> str:
    markdown = document is not None and document.metadata.get("format") == "markdown"
    return plain(text, markdown=markdown).text
