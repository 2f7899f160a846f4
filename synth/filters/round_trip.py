"""Asked again with the evidence alone, a model gives the golden answer."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import ClassVar

from synth.errors import ConfigError
from synth.filters.agreement import agreed
from synth.filters.base import Corpus, Filter
from synth.filters.working import is_worked_out, reads
from synth.llm.base import Completion, Request, Steps
from synth.records import UNANSWERABLE, Sample, Verdict

PROMPT = "filters/round_trip"
WORKED_OUT = "filters/worked_out"


@dataclass(frozen=True)
class RoundTrip(Filter):
    """Drop a sample when the judge, shown the evidence and the question, does not find the golden answer.

    Answers agree when they are the same amount or date, when they have the same numbers and one holds the
    other, or when the F1 of their words is at least `min_f1`. For an answer that is worked out, the judge also says
    what it reads: the values that the steps read are enough, since what follows from them is exact. The judge has
    `votes`, of which more than half must find it. A judge that errs, times out or cannot be parsed rejects.
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
            f"the judge {said} (agreement {score:.2f}, at least {self.min_f1} wanted{told})",
            round(score, 4),
        )


def _vote(reply: Completion, sample: Sample) -> tuple[float, str]:
    """How far what a judge found agrees with the golden answer, and what it says, "" for nothing found."""
    if not reply.data["found"]:
        return 0.0, ""
    answer, values = reply.data["answer"] or "nothing", reply.data.get("values", [])
    score, told = agreed(answer, sample), f"answers '{answer[:80]}'"
    if score < 1.0 and reads(values, sample):
        read = ", ".join(f"'{value['value'][:40]}'" for value in values)
        return 1.0, f"reads {read}, from which the answer follows; it {told}"
    return score, told


def several(request: Request, times: int) -> list[Request]:
    """The same request `times` times; where it is more than once, each with a seed and some warmth."""
    return [request] if times == 1 else [replace(request, seed=n, temperature=0.7) for n in range(times)]


def asking(sample: Sample, corpus: Corpus, question: str, pieces: Collection[int], purpose: str = PROMPT) -> Request:
    """The request to answer a question from some of a sample's pieces of evidence, by their numbers.

    Where the sample's answer is worked out, the judge is asked for the values that it reads, too.
    """
    titles = [corpus.graph.document(piece.doc_id).title for piece in sample.evidence]
    texts = corpus.texts(sample)
    named = list(dict.fromkeys(titles[n] for n in pieces))
    told = [texts[n] if len(named) < 2 or not titles[n] else f"{titles[n]}: {texts[n]}" for n in pieces]
    prompt = WORKED_OUT if is_worked_out(sample) else PROMPT
    return request(corpus, sample.language, " / ".join(named), "\n\n".join(told), question, purpose, prompt)


def request(
    corpus: Corpus, language: str, title: str, text: str, question: str, purpose: str = PROMPT, prompt: str = PROMPT
) -> Request:
    """The request to a judge to answer a question from a text."""
    values = {"title": title, "evidence": text, "question": question}
    return Request.of(corpus.prompt(prompt, language), values, purpose=purpose, role="judge")
