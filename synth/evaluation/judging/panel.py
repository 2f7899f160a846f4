"""A judge at work: every judged metric of every row at once, and control items beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from synth.core.records import Score
from synth.evaluation.judging.control_claims import controls, put
from synth.evaluation.judging.judged_metric import Judge, JudgedMetric
from synth.evaluation.metrics.base import Case
from synth.models.chat.driver import Driver, Job

LEAST_RIGHT = 0.8
"""The share of control items that a judge must get right for its scores to be taken at their word."""


@dataclass(frozen=True)
class Panel:
    """Judged metrics with the judge that is asked and the driver that asks it.

    `model` is what the judge is called, `identity` the model with its endpoint.
    """

    metrics: tuple[JudgedMetric, ...]
    judge: Judge
    driver: Driver
    model: str
    identity: str

    def scores(self, cases: Iterable[Case], metrics: Sequence[JudgedMetric]) -> Iterator[list[Score]]:
        """The scores of each case, in order; cases are taken ahead, as many as keep the judge busy."""
        jobs = (Job(key=case.item.id, steps=metric.steps(case, self.judge)) for case in cases for metric in metrics)
        with closing(self.driver.run(jobs)) as outcomes:
            while True:
                scores: list[Score] = []
                for _ in metrics:
                    outcome = next(outcomes, None)
                    if outcome is None:
                        return
                    scores.extend(outcome.value or ())
                yield scores

    def controlled(self, languages: Sequence[str]) -> Mapping[str, Any]:
        """How the judge does on the control items in these languages: how many of how many, and those it got wrong."""
        items = [(language, one) for language in languages for one in controls(language)]
        jobs = (Job(key=one.claim, steps=put(one, language, self.judge)) for language, one in items)
        given = [outcome.value or "" for outcome in self.driver.run(jobs)]
        wrong = [
            {"language": language, "text": one.text, "claim": one.claim, "right": one.verdict, "given": said}
            for (language, one), said in zip(items, given, strict=True)
            if said != one.verdict
        ]
        return {"right": len(items) - len(wrong), "of": len(items), "wrong": wrong}

    def prompts(self) -> dict[str, str]:
        """The prompts that the metrics ask, by the digest of the English one: other prompts give other scores."""
        names = sorted({name for metric in self.metrics for name in metric.prompts})
        return {name: self.judge.prompt(name, "en").digest[:12] for name in names}
