"""Base of the metrics that ask a judge: steps that yield requests and return numbers or reasons."""

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
"""Temperature of ballots that would otherwise repeat a request."""


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """A number with its grounds as JSON values: claims, verdicts, deciding sentences."""

    value: float
    detail: Any


Judged: TypeAlias = float | JudgedValue | Undefined
Values: TypeAlias = Callable[[bool], Mapping[str, str]]
"""The inputs of a prompt; called with True, with their lists reversed."""


class NoVerdict(Exception):
    """Raised with the reason why there is no number."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """A reply of a judge; `turned` if its prompt had the lists reversed."""

    data: Any
    turned: bool


@dataclass(frozen=True)
class Judge:
    """Settings of a judge: asked `votes` times at temperature 0, every other time with lists reversed.

    Prompts without a list, and ballots from the third on, have a temperature above 0, so that votes differ. To measure
    the judge, `turned` reverses the lists of the first ballot, and a number `again` makes all requests new. `similar`
    gives the cosines of a text with others under an encoder.
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
        """The replies to one question, sent with `images` if there are any."""
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
        """The ballots on each question; all are sent at once.

        Raises RequestFailed when at least half of the ballots on a question failed.
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
    """True if more than half of the ballots are yes."""
    return 2 * sum(ballots) > len(ballots)


@dataclass(frozen=True)
class JudgedMetric(ABC):
    """A metric that asks a judge. Subclasses are frozen dataclasses whose fields are their parameters.

    `needs` is the field of a response that the metric reads, `prompts` the prompts that it asks. A judged metric is
    measured only when named, since it costs calls. Raise `version` when the same replies give other values.
    """

    name: ClassVar[str]
    needs: ClassVar[str]
    version: ClassVar[int] = 1
    prompts: ClassVar[tuple[str, ...]]

    @property
    def title(self) -> str:
        """The name in results: that of the metric, or of the user's own criterion."""
        return self.name

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the values."""
        return (self.title,)

    @abstractmethod
    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        """The values of a case by column. Raises NoVerdict or RequestFailed where there are none."""

    def steps(self, case: Case, judge: Judge) -> Steps[list[Score]]:
        """The scores of a case, one for each column, also when the judge fails."""
        with contained(f"metric '{self.name}'", f"row {case.item.id}") as guard:
            try:
                values = yield from self.judge(case, judge)
            except NoVerdict as none:
                values = self._none(str(none))
            except RequestFailed as failure:
                values = self._none(f"the judge failed: {failure}")
            return [_score(case, column, values.get(column, Undefined("not given"))) for column in self.columns]
        failed = self._none(f"failed: {guard.error}")
        return [_score(case, column, failed[column]) for column in self.columns]

    def _none(self, reason: str) -> Mapping[str, Judged]:
        return dict.fromkeys(self.columns, Undefined(reason))

    def definition(self) -> str:
        """The first line of its docstring, for tables."""
        return definition_of(type(self))


def _score(case: Case, column: str, judged: Judged) -> Score:
    if isinstance(judged, Undefined):
        return Score(sample_id=case.item.id, metric=column, value=None, reason=judged.reason)
    value, detail = (judged.value, judged.detail) if isinstance(judged, JudgedValue) else (judged, None)
    return Score(sample_id=case.item.id, metric=column, value=float(value), detail=detail)
