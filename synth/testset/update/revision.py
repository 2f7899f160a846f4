"""A row whose evidence was restated: the new version of its evidence, and of its answers."""

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
    """A statement that says now in other words what a piece of evidence said: where it stands, and what changed."""

    document: Document
    start: int
    end: int
    restatement: Restatement


@dataclass(frozen=True)
class Statements:
    """The sentences of the new text of a corpus, among which new versions of old ones are looked for."""

    alignment: Alignment
    _read: dict[str, list[tuple[int, int, Counter[str]]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def restated(self, piece: Evidence) -> Restated | None:
        """The new version of a piece of evidence: the sentences most like it, of those that were not there before."""
        wanted = Counter(tokens(_plain(piece.text, self.alignment.documents.get(piece.doc_id))))
        width = len(split_sentences(piece.text))
        best: tuple[float, Restated] | None = None
        for document in self.alignment.heirs(piece.doc_id):
            for start, end, held in self._paragraphs(document):
                if (wanted & held).total() < SAME_STATEMENT * 0.8 * wanted.total():
                    continue
                for found in _candidates(piece, document, start, end, width):
                    likeness = found.restatement.likeness
                    if likeness >= SAME_STATEMENT and (best is None or likeness > best[0]):
                        best = likeness, found
        return best[1] if best else None

    def _paragraphs(self, document: Document) -> list[tuple[int, int, Counter[str]]]:
        if document.doc_id not in self._read:
            spans = self.alignment.new_text.get(document.doc_id, ())
            self._read[document.doc_id] = [
                (start, end, Counter(tokens(_plain(document.text[start:end], document)))) for start, end in spans
            ]
        return self._read[document.doc_id]


def revised(sample: Sample, pieces: Sequence[Evidence], restatements: Sequence[Restatement | None]) -> Sample | str:
    """The sample on its new evidence, or why the question does not outlive the change.

    `pieces` are the pieces of evidence as they are now, `restatements` what changed in each; None: nothing.
    """
    told = [one for one in restatements if one is not None]
    steps = _restepped(sample, restatements)
    if isinstance(steps, str):
        return steps
    for one in told:
        values = [*sample.golden_answers, *(step.value for step in sample.steps)]
        if fault := one.misfit(sample.question, values, sample.language):
            return fault
    answers: list[str] = []
    worked_out = bool(steps) and steps[-1].operation != READ
    for answer in sample.golden_answers:
        new = _swapped(answer, sample.steps[-1].value, steps[-1].value) if worked_out else _through(answer, told)
        if new is not None and new not in answers:
            answers.append(new)
    if not answers:
        changes = "; ".join(f"'{old}' became '{new}'" for one in told for old, new in one.changes)
        return f"what answers it now cannot be told: {changes}"
    return replace(sample, golden_answers=tuple(answers), evidence=tuple(pieces), steps=steps, verdicts=())


def _through(answer: str, restatements: Sequence[Restatement]) -> str | None:
    """An answer after each of several changes; None where one leaves it open, or two disagree."""
    found = {one.answer(answer) for one in restatements}
    changed = found - {answer}
    if not changed:
        return answer
    return changed.pop() if len(changed) == 1 else None


def _restepped(sample: Sample, restatements: Sequence[Restatement | None]) -> tuple[Step, ...] | str:
    """The steps with the values that stand in the text now, and what follows from them."""
    made: list[Step] = []
    for step in sample.steps:
        if step.operation == READ:
            told = [one for n in step.evidence if (one := restatements[n]) is not None]
            value = _through(step.value, told)
        elif [made[n].value for n in step.of] == [sample.steps[n].value for n in step.of]:
            value = step.value
        else:
            value = _follows(step, [made[n] for n in step.of], sample.language)
        if value is None:
            return f"what it is worked out from changed, and '{step.value}' may not follow any more"
        made.append(replace(step, value=value))
    return tuple(made)


def _follows(step: Step, of: Sequence[Step], language: str) -> str | None:
    """The value that a step has now: it chooses again, or it says yes or no again. None for what must be reckoned."""
    options = [one.says for one in of] if step.operation in CHOOSING else list(_polar(step.value))
    return next((one for one in options if OPERATIONS[step.operation](of, one, language) is True), None)


def _polar(value: str) -> Iterator[str]:
    for pair in _SIDES:
        if value.casefold() in pair and says_yes(value) is not None:
            yield from (value, *(side.capitalize() if value[:1].isupper() else side for side in pair))


def _swapped(answer: str, old: str, new: str) -> str | None:
    if answer == old or old == new:
        return new if answer == old else answer
    return None


def _candidates(piece: Evidence, document: Document, start: int, end: int, width: int) -> Iterator[Restated]:
    """Stretches of a paragraph of as many sentences as a piece of evidence has, laid beside it."""
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
