"""Filter that drops questions that the set already asks."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.core.checks import check_range, check_share
from synth.core.errors import MissingPartError
from synth.core.records import Sample, Verdict
from synth.generation.filters.base import SetFilter
from synth.models.encoders.base import Encoder
from synth.text.normalise import normalise, to_simplified
from synth.text.question_identity import ComparedQuestion, index, minhash
from synth.text.stems import stem
from synth.text.tokens import content_words, numbers

if TYPE_CHECKING:
    from datasketch import MinHashLSH

    from synth.models.encoders.vectors import Vectors

_FEW = 128
"""Maximum number of questions with one answer that are compared one by one. If there are more, an index is used."""

_MOST_BY_MEANING = 1000
"""Maximum number of questions with one answer that are compared by meaning. Only the latest ones are compared."""

_ANSWERS_ALIKE = 0.5

_ONE_ANSWER = 0.6
"""Minimum share (0 to 1) of common content words for two answers from one text to count as the same answer."""

_ASKING = frozenset(
    "happen happens happened result outcome should must do done make made thing way case 怎么样 怎样 怎么办 怎么做 "
    "怎么 怎 样 做 应 应该 应当 需要 必须 可以 会 发生 结果 情况 使用 采取 进行 东西 方式 "
    "用来 用于 被用 用作 用以 get gets got".split()
)
"""Words that add no meaning to a question. Questions on one text that differ only in these words are the same."""


_TURNING = re.compile(
    r"[不未非没无否前后上下内外左右]"
    r"|(?<![\w-])(?:not|no|never|without|before|after|first|last|up|down|in|out|over|under|on|off)(?![\w-])|n['’]t\b"
)
"""Small words that reverse or change a question, such as "not" or "before"."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A question and its answer in the form used for comparison."""

    number: int
    id: str
    asked: ComparedQuestion
    answers: frozenset[Hashable]
    evidence: frozenset[str]
    answer_words: frozenset[str]
    facts: frozenset[str]

    @property
    def turned(self) -> frozenset[str]:
        """Small words of the question that change its meaning."""
        return frozenset(_TURNING.findall(to_simplified(self.asked.question.casefold())))

    def shared_keys(self) -> Iterator[Hashable]:
        """Yield keys for a lookup. Rows that ask the same have at least one key in common."""
        for answer in sorted(self.answers, key=str):
            yield "answer", answer, self.asked.numbers
        for text in sorted(self.evidence):
            yield "evidence", text, self.asked.numbers

    def answers_as(self, other: _Row) -> bool:
        """Return whether two rows have the same answer, or similar answers from the same evidence."""
        if self.answers & other.answers:
            return True
        return self.likeness_of_answers(other) >= _ANSWERS_ALIKE and not self.evidence.isdisjoint(other.evidence)

    def likeness_of_answers(self, other: _Row) -> float:
        """Return the number of common content words of two answers, divided by the number of all their words."""
        return len(self.answer_words & other.answer_words) / (len(self.answer_words | other.answer_words) or 1)

    def retells(self, other: _Row) -> bool:
        """Return whether two rows have the same answer from one text, and neither question asks for anything else.

        Example: "What does it return if …?" (answer: "an error") and "What happens if …?" (answer: "it returns an
        error").
        """
        if self.evidence.isdisjoint(other.evidence) or self.likeness_of_answers(other) < _ONE_ANSWER:
            return False
        if self.facts != other.facts or self.turned != other.turned:
            return False
        more = {
            *_stems(self.asked.without(other.asked) - other.answer_words),
            *_stems(other.asked.without(self.asked) - self.answer_words),
        }
        return not more - _stems(self.answer_words | other.answer_words) - _ASKING


def _stems(words: Iterable[str]) -> frozenset[str]:
    """Return the stems of `words`, without the words that add no meaning to a question."""
    return frozenset(stem(word) for word in words if word not in _ASKING and not all(part in _ASKING for part in word))


class Duplicate(SetFilter):
    """Drop a question that an admitted row already asks, in the same, similar or other words.

    Questions are similar if the Jaccard similarity of their character 3-shingles is at least `threshold`. They must
    also have the same answer, or the same words except for one extra word. 0.7 is the usual threshold of similar tools.
    If many rows have the same answer, MinHash LSH (datasketch; Broder 1997) finds the similar ones.

    Two rows with the same answer also ask the same if their questions have the same content words in another order, or
    ask for the same statement of one text. With an encoder, they also ask the same if their cosine is at least
    `paraphrase`, or `same_evidence` if they share evidence. Questions that differ in a number, a date, a name or a
    contrast ("upper" and "lower") are always both kept.

    The defaults of `paraphrase` and `same_evidence` fit the packaged multilingual encoder: paraphrases reach 0.73 to
    0.91, other questions on related facts up to 0.83. 0 turns off comparison by meaning.
    """

    name = "duplicate"

    def __init__(self, threshold: float = 0.7, paraphrase: float = 0.85, same_evidence: float = 0.7) -> None:
        check_share("filters.duplicate: threshold", threshold)
        for name, value in (("paraphrase", paraphrase), ("same_evidence", same_evidence)):
            check_range(f"filters.duplicate: {name}", value)
        self.threshold, self.paraphrase, self.same_evidence = threshold, paraphrase, same_evidence
        self._rows: list[_Row] = []
        self._exact: dict[str, _Row] = {}
        self._groups: dict[Hashable, _AnswerRows] = {}
        self._by_words: dict[Hashable, list[int]] = {}
        self._meaning = _Meaning()
        self._last: tuple[Sample, _Row] | None = None

    @property
    def thresholds(self) -> dict[str, float]:
        return {"threshold": self.threshold, "paraphrase": self.paraphrase, "same_evidence": self.same_evidence}

    def use_encoder(self, make: Callable[[], Encoder]) -> None:
        self._meaning = _Meaning(make)

    def check(self, sample: Sample) -> Verdict:
        row = self._row(sample)
        same = self._exact.get(row.asked.normal)
        if same is not None:
            return self._verdict(False, f"the same question as {same.id}", 1.0)
        best, closest = 0.0, None
        for other in self._near(row):
            likeness = row.asked.likeness(other.asked)
            if likeness > best and likeness >= self.threshold and not row.asked.differs(other.asked):
                best, closest = likeness, other
        if closest is not None:
            return self._verdict(False, f"almost the same question as {closest.id}: '{closest.asked.question}'", best)
        for other in self._of_one_text(row):
            if row.retells(other):
                return self._verdict(False, f"{other.id} asks for the same statement: '{other.asked.question}'", 1.0)
        return self._by_meaning(row)

    def admit(self, sample: Sample) -> None:
        row = self._row(sample)
        self._last = None
        if self._exact.setdefault(row.asked.normal, row) is not row:
            return
        self._rows.append(row)
        for key in row.shared_keys():
            self._groups.setdefault(key, _AnswerRows(self.threshold)).add(row)
        for words in _with_one_less(row):
            self._by_words.setdefault(words, []).append(row.number)

    def _near(self, row: _Row) -> Iterator[_Row]:
        """Yield the rows with similar wording that may ask the same, in the order of the set."""
        alike = {n for key in row.shared_keys() if key in self._groups for n in self._groups[key].like(row)}
        kin = {n for n in alike if self._rows[n].answers_as(row)}
        more = (("less", row.asked.words), *(("all", words[1]) for words in _with_one_less(row)))
        nested = {n for words in more for n in self._by_words.get((*words, row.asked.numbers), ())}
        nested = {n for n in nested - kin if self._rows[n].asked.kind == row.asked.kind}
        for number in sorted(kin | nested):
            if row.asked.names_fit(self._rows[number].asked):
                yield self._rows[number]

    def _of_one_text(self, row: _Row) -> Iterator[_Row]:
        """Yield the rows that share an evidence text with this row."""
        keys = [key for key in row.shared_keys() if isinstance(key, tuple) and key[0] == "evidence"]
        for number in sorted({n for key in keys if key in self._groups for n in self._groups[key].latest()}):
            yield self._rows[number]

    def _by_meaning(self, row: _Row) -> Verdict:
        """Return the verdict on a question whose wording differs from all others."""
        numbers = {n for key in row.shared_keys() if key in self._groups for n in self._groups[key].latest()}
        kin = [self._rows[n] for n in sorted(numbers)]
        kin = [o for o in kin if row.answers_as(o) and row.asked.words & o.asked.words]
        for other in kin:
            same = len(row.asked.words) > 1 and row.asked.words == other.asked.words
            if same and row.asked.kind == other.asked.kind and not row.asked.differs(other.asked):
                return self._verdict(
                    False, f"{other.id} asks the same in the same words: '{other.asked.question}'", 1.0
                )
        if not kin or not self.paraphrase or not self._meaning.at_hand:
            return self._verdict(True, "not asked before", 0.0)
        kin = [other for other in kin if not row.asked.differs(other.asked)]
        cosines = self._meaning.cosines(row, kin) if kin else []
        best = max(cosines, default=0.0)
        for other, cosine in zip(kin, cosines, strict=False):
            shared = not row.evidence.isdisjoint(other.evidence)
            if cosine >= (min(self.same_evidence, self.paraphrase) if shared else self.paraphrase):
                return self._verdict(
                    False, f"{other.id} asks the same in other words: '{other.asked.question}'", cosine
                )
        return self._verdict(True, "not asked before", best)

    def _row(self, sample: Sample) -> _Row:
        """Return the sample in the form used for comparison. The last result is cached until the sample is admitted."""
        if self._last is None or self._last[0] is not sample or self._last[1].number != len(self._rows):
            texts = [piece.text for piece in sample.evidence]
            self._last = (
                sample,
                _Row(
                    number=len(self._rows),
                    id=sample.id,
                    asked=ComparedQuestion.of(sample.question, sample.language, texts),
                    answers=frozenset(map(_answer, sample.golden_answers)) or frozenset(["unanswerable"]),
                    evidence=frozenset(map(normalise, texts)),
                    answer_words=_stems(word for answer in sample.golden_answers for word in content_words(answer)),
                    facts=frozenset(number for answer in sample.golden_answers for number in numbers(answer)),
                ),
            )
        return self._last[1]

    def _verdict(self, kept: bool, reason: str, score: float) -> Verdict:
        return Verdict(filter=self.name, kept=kept, reason=reason, score=round(score, 4))


def _answer(text: str) -> Hashable:
    """Return an answer in the form used for comparison: its content words, or its normalised text if it has none."""
    return tuple(content_words(text)) or normalise(text)


def _with_one_less(row: _Row) -> list[tuple[str, frozenset[str], frozenset[str]]]:
    words, numbers = row.asked.words, row.asked.numbers
    return [("all", words, numbers), *(("less", words - {word}, numbers) for word in sorted(words))]


class _AnswerRows:
    """Rows that share one answer. A few rows are kept in a list, many in a MinHash index."""

    def __init__(self, threshold: float) -> None:
        self._rows: list[_Row] = []
        self._index: MinHashLSH | None = None
        # Below 0.5 the index would miss pairs.
        self._listed = _FEW if threshold >= 0.5 else 1 << 62

    def add(self, row: _Row) -> None:
        self._rows.append(row)
        if self._index is not None:
            self._index.insert(row.number, minhash(row.asked.normal))
        elif len(self._rows) > self._listed:
            self._index = index()
            for known in self._rows:
                self._index.insert(known.number, minhash(known.asked.normal))

    def like(self, row: _Row) -> list[int]:
        """Return the numbers of the rows that may have similar wording."""
        if self._index is None:
            return [known.number for known in self._rows]
        return sorted(self._index.query(minhash(row.asked.normal)))

    def latest(self) -> list[int]:
        return [row.number for row in self._rows[-_MOST_BY_MEANING:]]


class _Meaning:
    """Cosines between questions. The encoder is created on first use. Without an encoder there are no cosines."""

    def __init__(self, make: Callable[[], Encoder] | None = None) -> None:
        self._make = make
        self._encoder: Encoder | None = None
        self._vectors: dict[str, Vectors] = {}

    @property
    def at_hand(self) -> bool:
        """Whether an encoder is available. The first access creates it."""
        if self._encoder is None and self._make is not None:
            try:
                self._encoder = self._make()
            except MissingPartError:
                self._make = None
        return self._encoder is not None

    def cosines(self, row: _Row, others: list[_Row]) -> list[float]:
        if self._encoder is None:
            return []
        questions = [row.asked.question, *(other.asked.question for other in others)]
        missing = [text for text in dict.fromkeys(questions) if text not in self._vectors]
        self._vectors.update(zip(missing, self._encoder.encode(missing), strict=True))
        mine, *theirs = (self._vectors[text] for text in questions)
        return [float(mine @ vector) for vector in theirs]
