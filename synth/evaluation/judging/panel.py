"""Judge panel: all judged metrics of all rows in one stream of requests, and control claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from synth.core.records import Score
from synth.evaluation.judging.control_claims import controls, verdict_on
from synth.evaluation.judging.judged_metric import Judge, JudgedMetric
from synth.evaluation.metrics.base import Case
from synth.models.chat.driver import Driver, Job

LEAST_RIGHT = 0.8
"""Minimum share of control claims that a judge must decide correctly for its scores to be trusted."""


@dataclass(frozen=True)
class Panel:
    """Judged metrics with their judge and the driver that sends the requests.

    `model` is the name of the judge's model. `identity` names the model and its endpoint.
    """

    metrics: tuple[JudgedMetric, ...]
    judge: Judge
    driver: Driver
    model: str
    identity: str

    def scores(self, cases: Iterable[Case], metrics: Sequence[JudgedMetric]) -> Iterator[list[Score]]:
        """Yield the scores of each case, in order. Cases are read ahead to keep the judge busy."""
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
        """Return the judge's results on control claims: counts of `items` and `right`, and a list of `wrong` ones."""
        items = [(language, control) for language in languages for control in controls(language)]
        jobs = (Job(key=control.claim, steps=verdict_on(control, language, self.judge)) for language, control in items)
        verdicts = [outcome.value or "" for outcome in self.driver.run(jobs)]
        wrong = [
            {
                "language": language,
                "text": control.text,
                "claim": control.claim,
                "expected": control.verdict,
                "verdict": verdict,
            }
            for (language, control), verdict in zip(items, verdicts, strict=True)
            if verdict != control.verdict
        ]
        return {"items": len(items), "right": len(items) - len(wrong), "wrong": wrong}

    def prompts(self) -> dict[str, str]:
        """Return the digests of the metrics' English prompts by name. A new digest means that scores may change."""
        names = sorted({name for metric in self.metrics for name in metric.prompts})
        return {name: self.judge.prompt(name, "en").digest[:12] for name in names}
