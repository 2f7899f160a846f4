"""A conditional question hangs on a condition of the text: it sets it or asks for it, and it matters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import Sample, Verdict
from synth.generation.derivation import says_yes
from synth.generation.filters.base import Corpus, Filter
from synth.generation.filters.conditions import Condition, conditions, negated
from synth.generation.filters.coverage import StemmedText, asked_words
from synth.generation.filters.grounded import support
from synth.generation.filters.passages import MatchedPassage, MatchedSentence
from synth.generation.filters.stated_outright import nearest
from synth.text.sentences import split_sentences

_IN_THAT_CASE = re.compile(
    r"\bin (?:this|that|such a?) ?cases?\b|\bthen\b|情况下|情況下|此时|此時|这时|這時", re.IGNORECASE
)
_FINISHED = re.compile(r"[^.。…][.。!！;；][\"'”’」』)）]*$")


@dataclass(frozen=True)
class Conditioned(Filter):
    """Keep a conditional question when the evidence states a condition, the question turns on it, and it matters.

    The question sets the condition when at least `min_share`, by weight, of its words stand in the question,
    the right way round (unless, 除非, not); it asks for it when the answer is the condition. The condition
    matters unless a sentence of the corpus that states no condition has at least `max_share` of what depends
    on it: of the rest of the question, with the answer, or of the consequence.
    """

    name: ClassVar[str] = "conditioned"
    order: ClassVar[int] = 42
    slack: ClassVar[Mapping[str, float]] = {"max_share": 0.05}
    min_share: float = 0.6
    max_share: float = 0.75
    passages: int = 10

    def judge(self, sample: Sample, corpus: Corpus) -> Verdict:
        if sample.question_type != "conditional":
            return self.passed()
        found = list(stated_conditions(sample, corpus))
        if not found:
            return self.verdict(False, "the evidence states no condition")
        faults = [(self._fault(sample, condition, corpus), condition) for condition in found]
        fitting = next((condition for fault, condition in faults if not fault), None)
        if fitting is None:
            return self.verdict(False, max(faults, key=lambda f: self._set(sample, f[1], corpus))[0])
        ignored = self._unconditional(sample, fitting, corpus)
        if ignored:
            return self.verdict(
                False, f"the corpus says the same without the condition '{fitting.clause}': '{ignored[:120]}'"
            )
        return self.verdict(True, f"it turns on the condition '{fitting.clause}'")

    def _set(self, sample: Sample, condition: Condition, corpus: Corpus) -> float:
        """How much of a condition the question sets."""
        words = asked_words(condition.clause)
        return corpus.passages.rarity.share(words, StemmedText.of(sample.question)) if words else 0.0

    def _fault(self, sample: Sample, condition: Condition, corpus: Corpus) -> str:
        """Why the question does not turn on a condition, or ""."""
        if asks_for(sample, condition, corpus):
            return self._asking_fault(sample, condition)
        if self._set(sample, condition, corpus) < self.min_share:
            return f"the question neither sets nor asks for the condition '{condition.clause}'"
        flipped = _polarity(sample.question, condition, sample.language) != condition.negative
        answer = sample.golden_answers[0]
        if says_yes(answer) is not None:
            return _yes_no_fault(sample, condition, flipped=flipped)
        if flipped:
            return f"the question turns the condition '{condition.clause}' round, the answer does not"
        values = [step.value for step in sample.steps] or [answer]
        if not any(support(value, condition.rest) >= 0.8 for value in (answer, *values)):
            return f"the answer does not depend on the condition '{condition.clause}'"
        return ""

    @staticmethod
    def _asking_fault(sample: Sample, condition: Condition) -> str:
        """Why the answer is not the condition the right way round, or ""."""
        language, answer = sample.language, sample.golden_answers[0]
        stated = conditions(answer, language)
        negative = stated[0].negative if stated else negated(answer, language)
        wanted = condition.negative != negated(condition.rest, language)
        if wanted != (negative != negated(sample.question, language)):
            return f"the answer '{answer}' turns the condition '{condition.clause}' round"
        return ""

    def _unconditional(self, sample: Sample, condition: Condition, corpus: Corpus) -> str:
        """A sentence of the corpus that says without any condition what is said to depend on one, or ""."""
        clause, told = asked_words(condition.clause), StemmedText.of(condition.rest)
        rest = tuple(word for word in asked_words(sample.question) if word not in clause and told.has(word))
        consequence = asked_words(condition.rest)
        asks = asks_for(sample, condition, corpus) or says_yes(sample.golden_answers[0]) is not None
        query = f"{condition.rest} {' '.join(sample.golden_answers)}"
        for passage in nearest(sample, corpus, self.passages, (query,)):
            for line in passage.lines:
                same = self._same_consequence(consequence, condition, line, passage, corpus, sample.language) or (
                    not asks and bool(rest) and self._answers(sample, condition, rest, line, passage, corpus)
                )
                if same and _states(line) and not conditions(line.text, sample.language):
                    return line.text
        return ""

    def _same_consequence(
        self,
        words: tuple[str, ...],
        condition: Condition,
        line: MatchedSentence,
        passage: MatchedPassage,
        corpus: Corpus,
        language: str,
    ) -> bool:
        rarity = corpus.passages.rarity
        if not words or rarity.share(words, line.told, passage.about) < self.max_share:
            return False
        if negated(line.text, language) != negated(condition.rest, language):
            return False
        return rarity.share(sorted(line.told.stems), StemmedText.of(condition.rest)) >= self.min_share

    def _answers(
        self,
        sample: Sample,
        condition: Condition,
        rest: tuple[str, ...],
        line: MatchedSentence,
        passage: MatchedPassage,
        corpus: Corpus,
    ) -> bool:
        if corpus.passages.rarity.share(rest, line.told, passage.about) < self.max_share:
            return False
        if negated(line.text, sample.language) != negated(condition.rest, sample.language):
            return False
        return any(support(answer, line.text) >= 0.8 for answer in sample.golden_answers)


def _states(line: MatchedSentence) -> bool:
    """Whether a line is a statement of its own: no heading, no fragment, no item that hangs on the line before."""
    if line.before.endswith((":", "：")) or _IN_THAT_CASE.search(line.text):
        return False
    return _FINISHED.search(line.text) is not None


def stated_conditions(sample: Sample, corpus: Corpus) -> Iterator[Condition]:
    """The conditions of the evidence; on one that a colon follows, all the evidence after it depends."""
    texts = corpus.texts(sample)
    for number, text in enumerate(texts):
        for start, end in split_sentences(text):
            sentence = text[start:end]
            after = " ".join([text[end:], *texts[number + 1 :]]) if sentence.endswith((":", "：")) else ""
            found = conditions(sentence, sample.language)
            for one in found:
                yield Condition(one.clause, one.negative, one.exclusive, f"{one.rest} {after}", one.start, one.end)


def asks_for(sample: Sample, condition: Condition, corpus: Corpus) -> bool:
    """Whether the answer of a sample is a condition, and the question names what depends on it."""
    answer = sample.golden_answers[0]
    words = asked_words(answer)
    if not words or says_yes(answer) is not None:
        return False
    rarity = corpus.passages.rarity
    in_clause = rarity.share(words, StemmedText.of(condition.clause))
    in_question = rarity.share(asked_words(condition.rest), StemmedText.of(sample.question))
    return in_clause >= 0.6 and in_question >= 0.5 and rarity.share(words, StemmedText.of(condition.rest)) < 0.6


def _polarity(question: str, condition: Condition, language: str) -> bool:
    """Whether the question has it that a condition does not hold."""
    clause = StemmedText.of(condition.clause)
    best = max(
        conditions(question, language), key=lambda c: sum(clause.has(w) for w in asked_words(c.clause)), default=None
    )
    if best is not None and any(clause.has(word) for word in asked_words(best.clause)):
        return best.negative
    return negated(question, language)


def _yes_no_fault(sample: Sample, condition: Condition, *, flipped: bool) -> str:
    """Why a yes or no does not follow from a condition, or ""."""
    if flipped and not condition.exclusive:
        return f"the text does not say what holds when the condition '{condition.clause}' does not"
    language = sample.language
    own = conditions(sample.question, language)
    main = own[0].rest if own else ("" if negated(condition.clause, language) else sample.question)
    right = (flipped + negated(condition.rest, language) + negated(main, language)) % 2 == 0
    if says_yes(sample.golden_answers[0]) != right:
        return f"from the condition '{condition.clause}' the other answer follows"
    return ""
