"""Comparison of two versions of a statement: the changes, and the new value of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from synth.generation.derivation import says_yes
from synth.text.language import is_chinese
from synth.text.normalise import fold_width, to_simplified
from synth.text.tokens import CHINESE_STOP, ENGLISH_STOP

_HAN = "\u3400"
SAME_STATEMENT = 0.6
"""Least share of common words, in order, of two versions of a sentence."""

_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:[.,:'’/+-][^\W\u3400-\u9fff]+)*")
_DECISIVE = frozenset(
    "not no never none nor neither cannot without unless except only must may might can could should shall will would "
    "don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't shouldn't wouldn't mustn't if before after "
    "longer always sometimes rarely more less than deprecated removed enabled disabled optional required".split()
) | frozenset("不没無无未非别別勿否必须須应應可能会會禁只仅僅除若如前后後曾再")
"""Words that negate or condition a statement: with one more or less, it is another statement."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaced words as spans (start, end) of words in each text; either may be empty."""

    old: tuple[int, int]
    new: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Restatement:
    """Alignment of two texts by words, in Chinese by characters. `likeness` is from 0 to 1."""

    old: str
    new: str
    likeness: float
    edits: tuple[Edit, ...]
    _old: tuple[re.Match[str], ...]
    _new: tuple[re.Match[str], ...]

    @classmethod
    def of(cls, old: str, new: str) -> Restatement:
        mine, theirs = tuple(_TOKEN.finditer(old)), tuple(_TOKEN.finditer(new))
        matcher = SequenceMatcher(None, _folded(mine), _folded(theirs), autojunk=False)
        edits = [Edit((a, b), (c, d)) for tag, a, b, c, d in matcher.get_opcodes() if tag != "equal"]
        single = tuple(part for edit in edits for part in _single(edit))
        return cls(old, new, matcher.ratio(), single, mine, theirs)

    @property
    def changes(self) -> list[tuple[str, str]]:
        """Old and new words of each change."""
        return [(self._text(self.old, self._old, e.old), self._text(self.new, self._new, e.new)) for e in self._runs()]

    def answer(self, answer: str) -> str | None:
        """The new value of an answer from the old text; None when it is uncertain.

        An answer in the old text becomes the words in its place. In any other answer, replaced words are replaced.
        "Yes" and "no" are uncertain after any change.
        """
        if not self.edits:
            return answer
        if says_yes(answer) is not None:
            return None
        wanted = _folded(_TOKEN.finditer(answer))
        places = [at for at in range(len(self._old)) if wanted and self._reads(at, wanted)]
        if not places:
            return self._replaced(answer, wanted)
        touched = [at for at in places if any(_inside(edit, at, at + len(wanted)) for edit in self.edits)]
        if not touched:
            return answer
        return self._mapped(answer, touched[0], touched[0] + len(wanted)) if len(touched) == len(places) else None

    def misfit(self, question: str, answers: Iterable[str], language: str) -> str:
        """The reason why a question does not fit the new text, or ""."""
        spans = [span for answer in answers for span in self._spans(answer)]
        asked = set(_folded(_TOKEN.finditer(question)))
        missing: dict[str, None] = {}
        for edit in self.edits:
            if any(_inside(edit, *span) and span[0] <= edit.old[0] and edit.old[1] <= span[1] for span in spans):
                continue
            gone = _folded(self._old[slice(*edit.old)])
            came = _folded(self._new[slice(*edit.new)])
            if decisive := next((word for word in (*gone, *came) if word in _DECISIVE), ""):
                return f"the statement has another meaning: '{decisive}'"
            lost = (word for word in gone if word in asked and word not in ENGLISH_STOP and word not in CHINESE_STOP)
            missing.update(dict.fromkeys(lost))
        # One Chinese character is seldom a word; two of them may be a name.
        if missing and not (is_chinese(language) and len(missing) == 1 and not next(iter(missing)).isascii()):
            return f"the text no longer says '{next(iter(missing))}', which the question asks about"
        return ""

    def _spans(self, answer: str) -> list[tuple[int, int]]:
        wanted = _folded(_TOKEN.finditer(answer))
        return [(at, at + len(wanted)) for at in range(len(self._old)) if wanted and self._reads(at, wanted)]

    def _reads(self, at: int, wanted: Sequence[str]) -> bool:
        return _folded(self._old[at : at + len(wanted)]) == list(wanted)

    def _mapped(self, answer: str, start: int, end: int) -> str | None:
        """The answer at the words from start to end, with the replacements within."""
        words, result = list(_TOKEN.finditer(answer)), answer
        for edit in reversed(self.edits):
            if not _inside(edit, start, end):
                continue
            if edit.old[0] < start or end < edit.old[1] or (edit.new[0] == edit.new[1] and edit.old == (start, end)):
                return None
            came = self._text(self.new, self._new, edit.new)
            if edit.old[0] == edit.old[1]:
                at = words[edit.old[0] - start].start()
                result = f"{result[:at]}{came}{'' if came[-1:] >= _HAN else ' '}{result[at:]}"
                continue
            first, last = words[edit.old[0] - start], words[edit.old[1] - 1 - start]
            result = result[: first.start()] + came + result[last.end() :]
        return " ".join(result.split()) if _TOKEN.search(result) else None

    def _replaced(self, answer: str, wanted: Sequence[str]) -> str | None:
        """An answer in other words than the text, with the same replacements."""
        words = list(_TOKEN.finditer(answer))
        result = answer
        for edit in self.edits:
            gone = _folded(self._old[slice(*edit.old)])
            if not any(word in wanted for word in gone if word not in ENGLISH_STOP and word not in CHINESE_STOP):
                continue
            places = [at for at in range(len(wanted)) if gone and wanted[at : at + len(gone)] == gone]
            if len(places) != 1 or edit.new[0] == edit.new[1] or result != answer:
                return None
            came = self._text(self.new, self._new, edit.new)
            result = answer[: words[places[0]].start()] + came + answer[words[places[0] + len(gone) - 1].end() :]
        return result

    def _runs(self) -> Iterator[Edit]:
        """The edits, with neighbouring ones joined."""
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


def tokens(text: str) -> list[str]:
    """The words of a text, in Chinese its characters, normalised for comparison."""
    return _folded(_TOKEN.finditer(text))


def _folded(matches: Iterable[re.Match[str]]) -> list[str]:
    return [to_simplified(fold_width(match.group())).casefold() for match in matches]


def _single(edit: Edit) -> Iterator[Edit]:
    """An edit of equally many words as edits of single words."""
    (a, b), (c, d) = edit.old, edit.new
    if b - a != d - c:
        yield edit
    else:
        yield from (Edit((a + n, a + n + 1), (c + n, c + n + 1)) for n in range(b - a))


def _inside(edit: Edit, start: int, end: int) -> bool:
    """Whether an edit changes the words from start to end; an insertion before or after them does not."""
    if edit.old[0] == edit.old[1]:
        return start < edit.old[0] < end
    return edit.old[0] < end and start < edit.old[1]
