"""A statement as it was beside the same statement as it is: what changed in it, and what that makes of an answer."""

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
"""Share of the words of two sentences, in order, that makes the one a new version of the other."""

_TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+(?:[.,:'’/+-][^\W\u3400-\u9fff]+)*")
_TURNS = frozenset(
    "not no never none nor neither cannot without unless except only must may might can could should shall will would "
    "don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't shouldn't wouldn't mustn't if before after "
    "longer always sometimes rarely more less than deprecated removed enabled disabled optional required".split()
) | frozenset("不没無无未非别別勿否必须須应應可能会會禁只仅僅除若如前后後曾再")
"""Words that turn a statement round, or say when it holds: where one comes or goes, it is another statement."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Words that came in the place of others, as (start, end) among the words of each text; either may be empty."""

    old: tuple[int, int]
    new: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Restatement:
    """Two texts laid side by side, word by word, in Chinese character by character. `likeness` is from 0 to 1."""

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
        single = tuple(one for edit in edits for one in _single(edit))
        return cls(old, new, matcher.ratio(), single, mine, theirs)

    @property
    def changes(self) -> list[tuple[str, str]]:
        """What stood there and what stands there now, for people."""
        return [(self._said(self.old, self._old, e.old), self._said(self.new, self._new, e.new)) for e in self._runs()]

    def answer(self, answer: str) -> str | None:
        """What an answer that was drawn from the old text is by the new one; None where that cannot be told.

        An answer that stands in the old text becomes what stands in its place. In any other, words that were
        replaced in the text are replaced. A yes or a no does not outlive a change.
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
        """Why the question is no longer the one to ask of the new text, or ""."""
        spans = [span for answer in answers for span in self._spans(answer)]
        asked = set(_folded(_TOKEN.finditer(question)))
        unsaid: dict[str, None] = {}
        for edit in self.edits:
            if any(_inside(edit, *span) and span[0] <= edit.old[0] and edit.old[1] <= span[1] for span in spans):
                continue
            gone = _folded(self._old[slice(*edit.old)])
            came = _folded(self._new[slice(*edit.new)])
            if turned := next((word for word in (*gone, *came) if word in _TURNS), ""):
                return f"the statement has been turned: '{turned}'"
            told = (word for word in gone if word in asked and word not in ENGLISH_STOP and word not in CHINESE_STOP)
            unsaid.update(dict.fromkeys(told))
        # One Chinese character is seldom a word; two of them may be a name.
        if unsaid and not (is_chinese(language) and len(unsaid) == 1 and not next(iter(unsaid)).isascii()):
            return f"the text no longer says '{next(iter(unsaid))}', which the question asks about"
        return ""

    def _spans(self, answer: str) -> list[tuple[int, int]]:
        wanted = _folded(_TOKEN.finditer(answer))
        return [(at, at + len(wanted)) for at in range(len(self._old)) if wanted and self._reads(at, wanted)]

    def _reads(self, at: int, wanted: Sequence[str]) -> bool:
        return _folded(self._old[at : at + len(wanted)]) == list(wanted)

    def _mapped(self, answer: str, start: int, end: int) -> str | None:
        """An answer that is the words from start to end, with what came in the place of some of them."""
        words, made = list(_TOKEN.finditer(answer)), answer
        for edit in reversed(self.edits):
            if not _inside(edit, start, end):
                continue
            if edit.old[0] < start or end < edit.old[1] or (edit.new[0] == edit.new[1] and edit.old == (start, end)):
                return None
            came = self._said(self.new, self._new, edit.new)
            if edit.old[0] == edit.old[1]:
                at = words[edit.old[0] - start].start()
                made = f"{made[:at]}{came}{'' if came[-1:] >= _HAN else ' '}{made[at:]}"
                continue
            first, last = words[edit.old[0] - start], words[edit.old[1] - 1 - start]
            made = made[: first.start()] + came + made[last.end() :]
        return " ".join(made.split()) if _TOKEN.search(made) else None

    def _replaced(self, answer: str, wanted: Sequence[str]) -> str | None:
        """An answer in words of its own, with what was replaced in the text replaced in it."""
        words = list(_TOKEN.finditer(answer))
        made = answer
        for edit in self.edits:
            gone = _folded(self._old[slice(*edit.old)])
            if not any(word in wanted for word in gone if word not in ENGLISH_STOP and word not in CHINESE_STOP):
                continue
            places = [at for at in range(len(wanted)) if gone and wanted[at : at + len(gone)] == gone]
            if len(places) != 1 or edit.new[0] == edit.new[1] or made != answer:
                return None
            came = self._said(self.new, self._new, edit.new)
            made = answer[: words[places[0]].start()] + came + answer[words[places[0] + len(gone) - 1].end() :]
        return made

    def _runs(self) -> Iterator[Edit]:
        """The edits, those next to each other taken together."""
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
    def _said(text: str, tokens: Sequence[re.Match[str]], span: tuple[int, int]) -> str:
        start, end = span
        return text[tokens[start].start() : tokens[end - 1].end()] if start < end else ""


def tokens(text: str) -> list[str]:
    """The words of a text, in Chinese its characters, as they are laid side by side."""
    return _folded(_TOKEN.finditer(text))


def _folded(found: Iterable[re.Match[str]]) -> list[str]:
    return [to_simplified(fold_width(match.group())).casefold() for match in found]


def _single(edit: Edit) -> Iterator[Edit]:
    """As many words for as many others are replaced one by one."""
    (a, b), (c, d) = edit.old, edit.new
    if b - a != d - c:
        yield edit
    else:
        yield from (Edit((a + n, a + n + 1), (c + n, c + n + 1)) for n in range(b - a))


def _inside(edit: Edit, start: int, end: int) -> bool:
    """Whether an edit touches the words from start to end; what is put in before or behind them does not."""
    if edit.old[0] == edit.old[1]:
        return start < edit.old[0] < end
    return edit.old[0] < end and start < edit.old[1]
