"""Asked again with the evidence alone, a model gives the golden answer."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar

from synth.derivation import CHOOSING, equal, says_yes
from synth.errors import ConfigError
from synth.filters.base import Corpus, Filter
from synth.filters.conditions import negated
from synth.llm.base import Completion, Request, Steps
from synth.records import UNANSWERABLE, Sample, Verdict
from synth.text.normalise import holds, normalise
from synth.text.tokens import content_words, numbers, words

PROMPT = "filters/round_trip"
_CLAUSES = re.compile(r"[,;.，；。]\s*")


@dataclass(frozen=True)
class RoundTrip(Filter):
    """Drop a sample when the judge, shown the evidence and the question, does not find the golden answer.

    Answers agree when they are the same amount or date, when they have the same numbers and one holds the
    other, or when the F1 of their words is at least `min_f1`. The judge has `votes`, of which more than half must
    find it. A judge that errs, times out or cannot be parsed rejects.
    """

    name: ClassVar[str] = "round_trip"
    order: ClassVar[int] = 80
    needs_model: ClassVar[bool] = True
    min_f1: float = 0.5
    votes: int = 1

    def __post_init__(self) -> None:
        if self.votes < 1:
            raise ConfigError(f"filters.round_trip: votes must be at least 1, was {self.votes}")

    def judge(self, sample: Sample, corpus: Corpus) -> Steps[Verdict]:
        if sample.question_type == UNANSWERABLE:
            return self.passed()
        replies = yield several(asking(sample, corpus, sample.question, range(len(sample.evidence))), self.votes)
        unread = [reply for reply in replies if not isinstance(reply, Completion)]
        if 2 * (len(replies) - len(unread)) <= self.votes:
            return self.verdict(False, f"could not be judged: {unread[0]}")
        votes = [_vote(reply, sample) for reply in replies if isinstance(reply, Completion)]
        found = sum(score >= self.min_f1 for score, _ in votes)
        score, said = max(votes) if 2 * found > self.votes else min(votes)
        told = f", {found} of {self.votes} votes" if self.votes > 1 else ""
        if not said:
            return self.verdict(False, f"the judge does not find the answer in the evidence{told}", 0.0)
        return self.verdict(
            2 * found > self.votes,
            f"the judge answers '{said[:80]}' (agreement {score:.2f}, at least {self.min_f1} wanted{told})",
            round(score, 4),
        )


def _vote(reply: Completion, sample: Sample) -> tuple[float, str]:
    """How far what a judge found agrees with the golden answer, and what it found, "" for nothing."""
    if not reply.data["found"]:
        return 0.0, ""
    return agreed(reply.data["answer"], sample), reply.data["answer"] or "nothing"


def agreed(answer: str, sample: Sample) -> float:
    """How far an answer agrees with the golden ones, from 0 to 1; where a question offers things to choose from, an
    answer that is nearer to another of them agrees with none."""
    score = max(agreement(answer, golden, sample.language) for golden in sample.golden_answers)
    last = sample.steps[-1] if sample.steps else None
    if not score or last is None or last.operation not in CHOOSING:
        return score
    options = [sample.steps[number].says for number in last.of]
    others = [
        one for one in options if not any(equal(one, golden, sample.language) for golden in sample.golden_answers)
    ]
    return score if all(_nearness(answer, one) < _nearness(answer, sample.golden_answers[0]) for one in others) else 0.0


def _nearness(answer: str, option: str) -> float:
    """F1 of the words of an answer and of something that was offered."""
    ours, theirs = Counter(words(answer)), Counter(words(option))
    return 2 * (ours & theirs).total() / max(1, ours.total() + theirs.total())


def several(request: Request, times: int) -> list[Request]:
    """The same request `times` times; where it is more than once, each with a seed and some warmth."""
    return [request] if times == 1 else [replace(request, seed=n, temperature=0.7) for n in range(times)]


def agrees(reply: Completion, sample: Sample, least: float) -> bool:
    """Whether a reply of `found` and `answer` gives one of a sample's golden answers, by at least `least`."""
    return bool(reply.data["found"]) and _vote(reply, sample)[0] >= least


def asking(sample: Sample, corpus: Corpus, question: str, pieces: Collection[int], purpose: str = PROMPT) -> Request:
    """The request to answer a question from some of a sample's pieces of evidence, by their numbers."""
    titles = [corpus.graph.document(piece.doc_id).title for piece in sample.evidence]
    texts = corpus.texts(sample)
    named = list(dict.fromkeys(titles[n] for n in pieces))
    told = [texts[n] if len(named) < 2 or not titles[n] else f"{titles[n]}: {texts[n]}" for n in pieces]
    return request(corpus, sample.language, " / ".join(named), "\n\n".join(told), question, purpose)


def request(corpus: Corpus, language: str, title: str, text: str, question: str, purpose: str = PROMPT) -> Request:
    """The request to a judge to answer a question from a text."""
    values = {"title": title, "evidence": text, "question": question}
    return Request.of(corpus.prompt(PROMPT, language), values, purpose=purpose, role="judge")


def agreement(answer: str, golden: str, language: str = "en") -> float:
    """How far two answers say the same, from 0 to 1: F1 of their words, 0 when their numbers differ.

    The same amount or date in other words is the same answer; yes agrees with nothing but yes, what is denied with
    nothing that is stated, and one thing of a kind ("the north gate") with no other ("the south gate").
    """
    polarity = says_yes(golden)
    if polarity is not None:
        return 1.0 if says_yes(answer) == polarity else 0.0
    if normalise(answer) and equal(answer, golden, language):
        return 1.0
    if not normalise(answer) or not normalise(golden):
        return 0.0
    if numbers(answer) != numbers(golden) or _denied(answer, golden, language) or _other_of_a_kind(answer, golden):
        return 0.0
    if holds(answer, golden) or holds(golden, answer):
        return 1.0
    return _nearness(answer, golden)


def _denied(answer: str, golden: str, language: str) -> bool:
    """Whether one of two answers denies what the other states; of a long answer, the clause that has the other."""
    clause = next((part for part in _CLAUSES.split(answer) if holds(part, golden)), answer)
    return negated(clause, language) != negated(golden, language)


def _other_of_a_kind(answer: str, golden: str) -> bool:
    """Whether two answers have the last of their words in common, which says of what kind they are, and no other."""
    ours, theirs = content_words(answer), content_words(golden)
    if min(len(ours), len(theirs)) < 2 or ours[-1] != theirs[-1]:
        return False
    return set(ours[:-1]).isdisjoint(theirs[:-1])
