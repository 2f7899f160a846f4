"""Base class of metrics that ask a judge. Its steps yield requests and return scores or reasons."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

from synth.core.containment import contained
from synth.core.records import Score
from synth.evaluation.metrics.base import Case, Undefined, definition_of
from synth.models.chat.base import Request, RequestFailed, Steps
from synth.models.prompts import Prompt

_WARM = 0.5
"""Temperature of a vote if its request would otherwise equal the request of an earlier vote."""


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """A value with its grounds as JSON values: claims, verdicts and deciding sentences."""

    value: float
    detail: Any


Judged: TypeAlias = float | JudgedValue | Undefined
Values: TypeAlias = Callable[[bool], Mapping[str, str]]
"""Function that returns the inputs of a prompt. Its argument says whether lists in the inputs are reversed."""


class NoVerdict(Exception):
    """Raised, with the reason, if a metric has no value for a case."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """One reply of a judge. `turned` marks a prompt with reversed lists."""

    data: Any
    turned: bool


@dataclass(frozen=True)
class Judge:
    """Settings of a judge, which is asked `votes` times per question.

    The first vote has temperature 0. Every second vote reverses the lists in the prompt. Votes that would repeat a
    request have a higher temperature, so that they can differ.

    `similar` returns the cosines between a text and other texts under an encoder.

    Two settings measure how stable the judge is. With `turned`, the first vote gets the reversed lists. With another
    number in `again`, all requests are sent again instead of reading stored replies.
    """

    prompt: Callable[[str, str], Prompt]
    similar: Callable[[str, Sequence[str]], list[float]]
    votes: int = 1
    turned: bool = False
    again: int = 0

    def ask(
        self,
        name: str,
        language: str,
        values: Mapping[str, str],
        *,
        votes: int | None = None,
        images: tuple[str, ...] = (),
    ) -> Steps[list[Any]]:
        """Ask one question and return the data of the usable replies. `images` are sent with the question.

        Raises RequestFailed if at least half of the votes failed.
        """
        (ballots,) = yield from self.ask_all(name, language, [lambda _: values], votes=votes, images=images)
        return [ballot.data for ballot in ballots]

    def ask_all(
        self,
        name: str,
        language: str,
        questions: Sequence[Values],
        *,
        votes: int | None = None,
        images: tuple[str, ...] = (),
    ) -> Steps[list[list[Ballot]]]:
        """Ask several questions at once and return the usable votes on each question.

        Raises RequestFailed if at least half of the votes on a question failed.
        """
        n = votes or self.votes
        by_question = [self._requests(name, language, values, n) for values in questions]
        flat = [_with_images(request, images) for requests in by_question for request, _ in requests]
        answers = (yield flat) if flat else ()
        ballots = []
        for i, requests in enumerate(by_question):
            replies = answers[i * n : (i + 1) * n]
            failed = [answer for answer in replies if isinstance(answer, RequestFailed)]
            if 2 * len(failed) >= n:
                raise failed[0]
            pairs = zip(replies, requests, strict=True)
            ballots.append([Ballot(a.data, turned) for a, (_, turned) in pairs if not isinstance(a, RequestFailed)])
        return ballots

    def _requests(self, name: str, language: str, values: Values, n: int) -> list[tuple[Request, bool]]:
        prompt = self.prompt(name, language)
        requests = []
        for i in range(n):
            turned = self.turned != bool(i % 2)
            fresh = i == 0 or (i == 1 and values(True) != values(False))
            request = Request.of(
                prompt,
                values(turned),
                purpose=name,
                role="judge",
                seed=self.again * 1000 + i,
                temperature=0.0 if fresh else _WARM,
            )
            requests.append((request, turned))
        return requests


def _with_images(request: Request, images: tuple[str, ...]) -> Request:
    *before, last = request.messages
    return replace(request, messages=(*before, replace(last, images=images))) if images else request


def majority(ballots: Sequence[bool]) -> bool:
    """Return whether more than half of the votes are true."""
    return 2 * sum(ballots) > len(ballots)


@dataclass(frozen=True)
class JudgedMetric(ABC):
    """Base class of metrics that ask a judge. Subclasses are frozen dataclasses whose fields are their parameters.

    `needs` is the response field that the metric reads, and `prompts` are the names of its prompts. A judged metric is
    measured only if the user names it, because it costs calls. Increase `version` when the same replies lead to other
    values.
    """

    name: ClassVar[str]
    needs: ClassVar[str]
    version: ClassVar[int] = 1
    prompts: ClassVar[tuple[str, ...]]

    @property
    def title(self) -> str:
        """Name in results: the name of the metric, or of the criterion that the user defined."""
        return self.name

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the values."""
        return (self.title,)

    @abstractmethod
    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        """Return the values of a case by column. Raises NoVerdict or RequestFailed if there are none."""

    def steps(self, case: Case, judge: Judge) -> Steps[list[Score]]:
        """Return the scores of a case, one per column. If the judge fails, the scores contain the reason."""
        with contained(f"metric '{self.name}'", f"row {case.item.id}") as guard:
            try:
                values = yield from self.judge(case, judge)
            except NoVerdict as none:
                values = self._none(str(none))
            except RequestFailed as failure:
                values = self._none(f"the judge failed: {failure}")
            return [
                _score(case, column, values.get(column, Undefined("the metric returned no value")))
                for column in self.columns
            ]
        failed = self._none(f"failed: {guard.error}")
        return [_score(case, column, failed[column]) for column in self.columns]

    def _none(self, reason: str) -> Mapping[str, Judged]:
        return dict.fromkeys(self.columns, Undefined(reason))

    def definition(self) -> str:
        """Return the first line of the docstring, for tables."""
        return definition_of(type(self))


def _score(case: Case, column: str, judged: Judged) -> Score:
    if isinstance(judged, Undefined):
        return Score(sample_id=case.item.id, metric=column, value=None, reason=judged.reason)
    value, detail = (judged.value, judged.detail) if isinstance(judged, JudgedValue) else (judged, None)
    return Score(sample_id=case.item.id, metric=column, value=float(value), detail=detail)
