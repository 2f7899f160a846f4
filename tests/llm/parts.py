"""Requests and parts that the tests of the model layer share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from synth.models.chat.base import Message, Request, Steps
from synth.models.chat.driver import Driver, Job, JobOutcome

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"answer": {"type": "string", "minLength": 1}},
    "required": ["answer"],
    "additionalProperties": False,
}


def request(text: str = "hello", **fields: Any) -> Request:
    made: dict[str, Any] = {"purpose": "test", "prompt": "test@0", "schema": SCHEMA, "seed": 7, **fields}
    return Request(messages=(Message("system", "Answer."), Message("user", text)), **made)


def ask(text: str, **fields: Any) -> Steps[str]:
    """A part that asks one question and returns the answer."""
    completion = yield request(text, **fields)
    return str(completion.data["answer"] if completion.data else completion.text)


def jobs(*texts: str, **fields: Any) -> Iterable[Job[str]]:
    return [Job(key=text, steps=ask(text, **fields)) for text in texts]


def results(outcomes: Iterable[JobOutcome[str]]) -> list[tuple[str, str | None]]:
    """Key and value of each outcome, the kind of its failure in the place of a value it lacks."""
    return [(o.key, o.failure.kind if o.failure else o.value) for o in outcomes]


def run_one(driver: Driver, **fields: Any) -> JobOutcome[str]:
    (outcome,) = driver.run(jobs("hello", **fields))
    return outcome
