"""What a metric with a chat model is: steps that ask a judge and end in numbers, or in reasons why there are none."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeAlias

from synth.core.containment import contained
from synth.core.records import Score
from synth.evaluation.metrics.base import Case, Undefined
from synth.models.chat.base import Request, RequestFailed, Steps
from synth.models.prompts import Prompt

_WARM = 0.5
"""The temperature of ballots that would otherwise be the same request again."""


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """A number, with what it rests on as JSON values: claims, verdicts, the sentences that decide."""

    value: float
    detail: Any


Judged: TypeAlias = float | JudgedValue | Undefined
Values: TypeAlias = Callable[[bool], Mapping[str, str]]
"""The inputs of a prompt; told True, with whatever is a list in them the other way round."""


class NoVerdict(Exception):
    """There is no number, for the reason it is raised with."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """One reply of a judge; `turned` says that the lists it was shown were the other way round."""

    data: Any
    turned: bool


@dataclass(frozen=True)
class Judge:
    """How a judge is asked: at temperature 0, `votes` times, every other time with lists the other way round.

    Where there is no list to turn, and from the third ballot on, the temperature is above 0, so that a vote is not
    the same reply again. `turned` begins with lists turned, `again` is a number that makes all requests new ones:
    both are for measuring the judge. `similar` is the cosine of two texts under an encoder.
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
        """What the ballots say to one question, shown with `images` if there are any."""
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
        """The ballots on each question; all are asked at once.

        Raises RequestFailed when half of the ballots on a question failed, or more.
        """
        n = votes or self.votes
        made = [self._requests(name, language, values, n) for values in questions]
        flat = [_with_images(request, images) for one in made for request, _ in one]
        answers = (yield flat) if flat else ()
        ballots = []
        for i, one in enumerate(made):
            mine = answers[i * n : (i + 1) * n]
            failed = [answer for answer in mine if isinstance(answer, RequestFailed)]
            if 2 * len(failed) >= n:
                raise failed[0]
            pairs = zip(mine, one, strict=True)
            ballots.append([Ballot(a.data, turned) for a, (_, turned) in pairs if not isinstance(a, RequestFailed)])
        return ballots

    def _requests(self, name: str, language: str, values: Values, n: int) -> list[tuple[Request, bool]]:
        prompt = self.prompt(name, language)
        made = []
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
            made.append((request, turned))
        return made


def _with_images(request: Request, images: tuple[str, ...]) -> Request:
    *before, last = request.messages
    return replace(request, messages=(*before, replace(last, images=images))) if images else request


def majority(ballots: Sequence[bool]) -> bool:
    """Whether more than half say yes."""
    return 2 * sum(ballots) > len(ballots)


@dataclass(frozen=True)
class JudgedMetric(ABC):
    """A metric that asks a judge. Subclasses are frozen dataclasses whose fields are their parameters.

    `needs` is the field of a response that is looked at, `prompts` what it asks the judge. It is measured only when it
    is named, since it costs calls. `version` is raised when it gives other values for the same replies.
    """

    name: ClassVar[str]
    needs: ClassVar[str]
    version: ClassVar[int] = 1
    prompts: ClassVar[tuple[str, ...]]

    @property
    def title(self) -> str:
        """What it is called: its name, or that of the user's own criterion."""
        return self.name

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of its values."""
        return (self.title,)

    @abstractmethod
    def judge(self, case: Case, judge: Judge) -> Steps[Mapping[str, Judged]]:
        """The values of one case by column. NoVerdict and RequestFailed say that there are none."""

    def steps(self, case: Case, judge: Judge) -> Steps[list[Score]]:
        """The scores of a case, one a column: whatever fails, never fewer of them."""
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
        return (self.__doc__ or "").strip().partition("\n")[0]


def _score(case: Case, column: str, judged: Judged) -> Score:
    if isinstance(judged, Undefined):
        return Score(sample_id=case.item.id, metric=column, value=None, reason=judged.reason)
    value, detail = (judged.value, judged.detail) if isinstance(judged, JudgedValue) else (judged, None)
    return Score(sample_id=case.item.id, metric=column, value=float(value), detail=detail)
