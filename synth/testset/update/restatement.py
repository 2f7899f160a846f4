"""Comparison of two versions of a statement: the changed words, and the new value of an answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from synth.generation.matching.agreement import says_yes
from synth.testset.update.block_changes import numbers_in
from synth.text.language import is_chinese
from synth.text.normalise import fold_width, to_simplified
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP

_HAN = "\u3400"
SAME_STATEMENT = 0.6
"""Minimum likeness (0 to 1) of two versions of the same statement."""

_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:[.,:'’/+-][^\W\u3400-\u9fff]+)*")
NEGATIONS = frozenset(
    "not no never none nor neither cannot without don't doesn't didn't isn't aren't wasn't weren't won't can't "
    "couldn't shouldn't wouldn't mustn't 不 没 沒 未 无 無".split()
)
"""Words that negate a statement, or Chinese characters that do."""

_DECISIVE = (
    NEGATIONS
    | frozenset(
        "unless except only must may might can could should shall will would if before after longer always sometimes "
        "rarely more less than deprecated removed enabled disabled optional required".split()
    )
    | frozenset("非别別勿否必须須应應可能会會禁只仅僅除若如前后後曾再")
)
"""Words that negate or restrict a statement. If one is added or removed, the meaning changes."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A replacement of words, with the span (start, end) of words in the old and in the new text. One may be empty."""

    old: tuple[int, int]
    new: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Restatement:
    """Alignment of two texts word by word, in Chinese character by character. `likeness` is from 0 to 1."""

    old: str
    new: str
    likeness: float
    edits: tuple[Edit, ...]
    _old: tuple[re.Match[str], ...]
    _new: tuple[re.Match[str], ...]

    @classmethod
    def of(cls, old: str, new: str) -> Restatement:
        """Align two texts."""
        old_tokens, new_tokens = tuple(_TOKEN.finditer(old)), tuple(_TOKEN.finditer(new))
        matcher = SequenceMatcher(None, _normalised_words(old_tokens), _normalised_words(new_tokens), autojunk=False)
        edits = [Edit((a, b), (c, d)) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
        by_word = tuple(part for edit in edits for part in _split_by_word(edit))
        return cls(old, new, matcher.ratio(), by_word, old_tokens, new_tokens)

    @property
    def changes(self) -> list[tuple[str, str]]:
        """Old words and new words of each change."""
        return [
            (self._text(self.old, self._old, e.old), self._text(self.new, self._new, e.new))
            for e in self._joined_edits()
        ]

    def counterpart(self, answer: str) -> str | None:
        """Return the words of the new text that correspond to an answer, or None if they are uncertain.

        If the answer occurs in the old text, the result is the words at the same place of the new text. In any other
        answer, the words that changed between the texts are replaced. "Yes" and "no" are uncertain after any change.
        """
        if not self.edits:
            return answer
        if says_yes(answer) is not None:
            return None
        answer_words = _normalised_words(_TOKEN.finditer(answer))
        places = [at for at in range(len(self._old)) if answer_words and self._has_at(at, answer_words)]
        if not places:
            return self._with_replaced_words(answer, answer_words)
        touched = [at for at in places if any(_changes(edit, at, at + len(answer_words)) for edit in self.edits)]
        if not touched:
            return answer
        return (
            self._with_edits_between(answer, touched[0], touched[0] + len(answer_words))
            if len(touched) == len(places)
            else None
        )

    def misfit(self, question: str, answers: Iterable[str], language: str) -> str:
        """Return the reason why a question does not fit the new text, or ""."""
        answers = list(answers)
        spans = [span for answer in answers for span in self._spans(answer)]
        asked = set(_normalised_words(_TOKEN.finditer(question)))
        missing: dict[str, None] = {}
        for edit in self.edits:
            if any(_changes(edit, *span) and span[0] <= edit.old[0] and edit.old[1] <= span[1] for span in spans):
                continue
            old_words = _normalised_words(self._old[slice(*edit.old)])
            new_words = _normalised_words(self._new[slice(*edit.new)])
            if decisive := next((word for word in (*old_words, *new_words) if word in _DECISIVE), ""):
                return f"'{decisive}' changes the meaning of the statement"
            lost = (
                word for word in old_words if word in asked and word not in ENGLISH_STOP and word not in CHINESE_STOP
            )
            missing.update(dict.fromkeys(lost))
        # A single Chinese character is seldom a word; two characters may be a name.
        if missing and not (is_chinese(language) and len(missing) == 1 and not next(iter(missing)).isascii()):
            return f"the text no longer contains '{next(iter(missing))}', which the question asks about"
        gone = numbers_in(self.old) - numbers_in(self.new) - numbers_in(" ".join(answers))
        if named := sorted(gone & numbers_in(question)):
            return f"the text no longer contains the number {named[0]}, which the question names"
        return ""

    def _spans(self, answer: str) -> list[tuple[int, int]]:
        answer_words = _normalised_words(_TOKEN.finditer(answer))
        return [
            (at, at + len(answer_words))
            for at in range(len(self._old))
            if answer_words and self._has_at(at, answer_words)
        ]

    def _has_at(self, at: int, answer_words: Sequence[str]) -> bool:
        return _normalised_words(self._old[at : at + len(answer_words)]) == list(answer_words)

    def _with_edits_between(self, answer: str, start: int, end: int) -> str | None:
        """Return `answer`, which is the old words from start to end, with the edits of these words applied.

        The result is None if an edit lies only partly between start and end.
        """
        words, result = list(_TOKEN.finditer(answer)), answer
        for edit in reversed(self.edits):
            if not _changes(edit, start, end):
                continue
            if edit.old[0] < start or end < edit.old[1] or (edit.new[0] == edit.new[1] and edit.old == (start, end)):
                return None
            new_words = self._text(self.new, self._new, edit.new)
            if edit.old[0] == edit.old[1]:
                at = words[edit.old[0] - start].start()
                result = f"{result[:at]}{new_words}{'' if new_words[-1:] >= _HAN else ' '}{result[at:]}"
                continue
            first, last = words[edit.old[0] - start], words[edit.old[1] - 1 - start]
            result = result[: first.start()] + new_words + result[last.end() :]
        return " ".join(result.split()) if _TOKEN.search(result) else None

    def _with_replaced_words(self, answer: str, answer_words: Sequence[str]) -> str | None:
        """Apply the replacements to an answer that does not occur in the old text, or return None if uncertain."""
        words = list(_TOKEN.finditer(answer))
        result = answer
        for edit in self.edits:
            old_words = _normalised_words(self._old[slice(*edit.old)])
            if not any(
                word in answer_words for word in old_words if word not in ENGLISH_STOP and word not in CHINESE_STOP
            ):
                continue
            places = [
                at
                for at in range(len(answer_words))
                if old_words and answer_words[at : at + len(old_words)] == old_words
            ]
            if len(places) != 1 or edit.new[0] == edit.new[1] or result != answer:
                return None
            new_words = self._text(self.new, self._new, edit.new)
            result = (
                answer[: words[places[0]].start()] + new_words + answer[words[places[0] + len(old_words) - 1].end() :]
            )
        return result

    def _joined_edits(self) -> Iterator[Edit]:
        """Yield the edits, with adjacent edits joined."""
        run: Edit | None = None
        for edit in self.edits:
            if run and run.old[1] == edit.old[0] and run.new[1] == edit.new[0]:
                run = Edit((run.old[0], edit.old[1]), (run.new[0], edit.new[1]))
                continue
            if run:
                yield run
            run = edit
        if run:
            yield run

    @staticmethod
    def _text(text: str, tokens: Sequence[re.Match[str]], span: tuple[int, int]) -> str:
        start, end = span
        return text[tokens[start].start() : tokens[end - 1].end()] if start < end else ""


def may_restate(old: Counter[str], new: Counter[str]) -> bool:
    """Return whether the new text has enough words of the old one. This is a cheap test before an alignment.

    Let the old text have a words and the new text b words, with M words in common. Likeness is 2M / (a + b). If b is at
    least 0.6 a, a likeness of 0.6 needs at least M = 0.48 a. This is the limit used here.
    """
    return (old & new).total() >= SAME_STATEMENT * 0.8 * old.total()


def tokens(text: str) -> list[str]:
    """Return the words of a text normalised for comparison. In Chinese, each character is one word."""
    return _normalised_words(_TOKEN.finditer(text))


def _normalised_words(matches: Iterable[re.Match[str]]) -> list[str]:
    return [to_simplified(fold_width(match.group())).casefold() for match in matches]


def _split_by_word(edit: Edit) -> Iterator[Edit]:
    """Split an edit into edits of single words if both sides have the same number of words."""
    (old_start, old_end), (new_start, new_end) = edit.old, edit.new
    if old_end - old_start != new_end - new_start:
        yield edit
        return
    for old, new in zip(range(old_start, old_end), range(new_start, new_end), strict=True):
        yield Edit((old, old + 1), (new, new + 1))


def _changes(edit: Edit, start: int, end: int) -> bool:
    """Return whether an edit changes the words from start to end. An insertion before or after them does not."""
    if edit.old[0] == edit.old[1]:
        return start < edit.old[0] < end
    return edit.old[0] < end and start < edit.old[1]
