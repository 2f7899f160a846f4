"""Chinese questions in other words than their passages', in simplified script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import chain, pairwise
from typing import Any

from synth.grammar.rewording.base import Reworded
from synth.grammar.rewording.chinese_constructions import FRAMES
from synth.grammar.rewording.chinese_frames import GAP
from synth.grammar.rewording.chinese_words import entries, meanings, verbs
from synth.text.normalise import fold_width, to_simplified
from synth.text.tokens import content_words

__all__ = ["meanings", "reworded"]

_MOST = 2
"""Changes of one question: what is said quite differently is another question."""
_ENOUGH = (0.8, 0.5)
"""Shares of content words, and of pairs of them, that need no more rewording: people have 0.71 and 0.34."""
_LEAST_GAIN = 0.02
_FEWEST = 0.4
"""The share of content words that must stay: who asks in none of its words does not find the passage."""
_RUN = 18
"""Characters in a row that a passage has: more would be a copy, where moving words makes it."""
_LONGEST = 58
_MARKS = re.compile(r"[\W_]+")
_END = re.compile(r"\s*[?？]+$")
_WHOLE = re.compile(
    r"《[^》]*》|“[^”]*”|「[^」]*」|『[^』]*』|`[^`]*`|\"[^\"]*\"|[（(][^）)]*[）)]|"
    r"[A-Za-z0-9_.+#/\-=,'·•%@{}\[\]]+(?: [A-Za-z0-9_.+#/\-=()@]+)*|[\u4e00-\u9fff]+[·•‧][\u4e00-\u9fff·•‧]+"
)
_NAMING = frozenset(
    "组织 协会 学会 委员会 公司 集团 学院 大学 中心 局 部 署 法 奖 党 会议 条约 协议 协定 工程 项目 基金会 银行 社 权 "
    "率 者 家 员 商 国 力 性 费 量 派 法案 条例 宣言 运动 事件 理论 模式".split()
)
_NOMINAL = frozenset("的 及 和 与 或 以及 、".split())
_JOINTS = frozenset("的 了 是 在 和 与 及 或 于 被 把 将 由 向 从 对 以 为 用 到 至 着 ， 、".split())
_SPACED = re.compile(r"[A-Za-z0-9_)\"`] (?=[\u4e00-\u9fff])|[\u4e00-\u9fff] (?=[A-Za-z@\"`(])")
_SEAM = re.compile(r"(?<=[A-Za-z0-9_)\"`])(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])(?=[A-Za-z@\"`(])")


@dataclass(frozen=True, slots=True)
class _Wording:
    """A question without its mark, and what was changed in it."""

    body: str
    changes: tuple[tuple[str, str], ...] = ()


def reworded(question: str, told: Sequence[str], keep: Sequence[str], answers: Sequence[str] = ()) -> Reworded | None:
    """`question`, in simplified script, in other words than those of its passages; None where nothing does it well.

    `told` are the texts of the passages, in either script; the strings of `keep` come out as they went in; a word of
    `answers`, the golden ones, is never put in. At most three changes, each to words that no passage has.
    """
    body = _END.sub("", question)
    mark = question[len(body) :]
    kept = [*keep, *(answer for answer in map(to_simplified, answers) if answer in body)]
    passages = _Passages.of(told)
    task = _Task(passages, tuple(one for one in kept if one and one in body), tuple(map(_folded, answers)), body)
    best = _Wording(body)
    while len(best.changes) < _MOST and not task.enough(best.body):
        better = task.best(chain(task.words(best), task.constructions(best)), best)
        if better is best:
            break
        best = better
    return Reworded(best.body + mark, best.changes) if best.changes else None


@dataclass(frozen=True, slots=True)
class _Passages:
    """The passages' text, simplified, and their content words and pairs of them."""

    text: str
    bare: str
    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, told: Sequence[str]) -> _Passages:
        text = _folded("\n".join(told))
        found = [content_words(one) for one in told]
        return cls(
            text,
            _MARKS.sub("", text),
            frozenset(word for words in found for word in words),
            frozenset(pair for words in found for pair in pairwise(words)),
        )

    def run(self, body: str) -> int:
        """The characters, without spaces and marks, of its longest piece that they have."""
        bare, longest = _MARKS.sub("", _folded(body)), 0
        for at in range(len(bare)):
            while at + longest < len(bare) and bare[at : at + longest + 1] in self.bare:
                longest += 1
        return longest

    def shares(self, question: str) -> tuple[float, float]:
        """Which part of a question's content words, and of its pairs of them, they have."""
        asked = content_words(question)
        pairs = list(pairwise(asked))
        return (
            sum(word in self.words for word in asked) / max(1, len(asked)),
            sum(pair in self.pairs for pair in pairs) / max(1, len(pairs)),
        )


@dataclass(frozen=True, slots=True)
class _Task:
    """One question that is to be reworded."""

    passages: _Passages
    keep: tuple[str, ...]
    answers: tuple[str, ...]
    asked: str

    def enough(self, body: str) -> bool:
        words, pairs = self.passages.shares(body)
        return words <= _ENOUGH[0] and pairs <= _ENOUGH[1]

    def best(self, found: Iterator[_Wording], before: _Wording) -> _Wording:
        """Of what gains nearly as much as the best, one by the question's hash; `before` where nothing gains."""
        had = self._weight(before.body)
        gains = [(had - self._weight(one.body), one) for one in found if self._sound(one.body, before.body)]
        most = max((gain for gain, _ in gains), default=0.0)
        if most < _LEAST_GAIN:
            return before
        near = [one for gain, one in gains if gain >= 0.6 * most]
        return min(near, key=lambda one: sha256(f"{self.asked}\n{one.body}".encode()).digest())

    def constructions(self, before: _Wording) -> Iterator[_Wording]:
        """The question put in another construction."""
        if any(GAP in said for said, _ in before.changes):
            return
        spaced = _SPACED.search(before.body)
        answer = self.answers[0] if self.answers else ""
        for frame in FRAMES:
            for body, said, now in frame.others(before.body, answer):
                if self._new(now, said):
                    yield _Wording(_SEAM.sub(" ", body) if spaced else body, (*before.changes, (said, now)))

    def words(self, before: _Wording) -> Iterator[_Wording]:
        """The question with one word that a passage has said in another way."""
        body = before.body
        edges = self._edges(body)
        starts = sorted(edges)
        for at in starts:
            for end in (end for end in starts if at < end <= at + 8 and body[at:end] in entries()):
                yield from self._said(before, at, end, edges)

    def _said(self, before: _Wording, at: int, end: int, edges: dict[int, int]) -> Iterator[_Wording]:
        body, word = before.body, before.body[at:end]
        if word not in self.passages.text or self._term(body, at, end, edges):
            return
        left, right = re.split("[，、]", body[:at])[-1], re.split("[，、]", body[end:])[0]
        for one in entries()[word]:
            if one.fits(left, right):
                for way in one.ways:
                    if self._new(way, body) and not any(way in now for _, now in before.changes):
                        yield _Wording(f"{body[:at]}{way}{body[end:]}", (*before.changes, (word, way)))
                return

    def _edges(self, body: str) -> dict[int, int]:
        """Where each word that may be changed begins, and each ends, with the end of the word that begins there."""
        whole = [re.escape(one) for one in sorted(self.keep, key=lambda one: (-len(one), one))]
        found: dict[int, int] = {}
        at = 0
        for match in re.finditer("|".join([*whole, _WHOLE.pattern]), body):
            found |= _cut(body, at, match.start())
            at = match.end()
        return found | _cut(body, at, len(body))

    def _term(self, body: str, at: int, end: int, edges: dict[int, int]) -> bool:
        """Whether the word is part of a name or of a term that the passages use again."""
        following = body[end : edges.get(end, end)]
        preceding = next((body[start:stop] for start, stop in edges.items() if stop == at), "")
        word = body[at:end]
        nominal = preceding in _NOMINAL or following in _NOMINAL - {"的"}
        if following in _NAMING or (nominal and word in verbs()):
            return True
        pairs = [preceding + word] * (preceding not in _JOINTS) + [word + following] * (following not in _JOINTS)
        return any(len(pair) > len(word) and self.passages.text.count(pair) > 1 for pair in pairs)

    def _new(self, now: str, said: str) -> bool:
        """Whether all content words of `now` that `said` has not are new to the passages and no part of an answer."""
        fresh = [word for word in content_words(now) if word not in said]
        return not any(word in self.passages.text or any(word in one for one in self.answers) for word in fresh)

    def _sound(self, body: str, before: str) -> bool:
        share = self.passages.shares(body)[0]
        return (
            len(body) <= max(_LONGEST, len(before))
            and all(one in body for one in self.keep)
            and not re.search("(?<![A-Za-z0-9])(..+)\\1|  ", body)
            and (share >= _FEWEST or share >= self.passages.shares(before)[0])
            and self.passages.run(body) <= max(_RUN, self.passages.run(before))
        )

    def _weight(self, body: str) -> float:
        words, pairs = self.passages.shares(body)
        return words + pairs / 2


def _folded(text: str) -> str:
    return to_simplified(fold_width(text))


def _cut(body: str, start: int, stop: int) -> dict[int, int]:
    """The words of `body[start:stop]`: where each begins and ends; the last end begins nothing."""
    found: dict[int, int] = {}
    at = start
    for word in _jieba().cut(body[start:stop]) if start < stop else ():
        found[at] = at = at + len(word)
    return found | {stop: stop} if start < stop else found


@lru_cache(maxsize=1)
def _jieba() -> Any:
    import rjieba

    return rjieba
