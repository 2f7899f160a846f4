"""What the grammar composed, said as a person would say it: right by construction, in the words of a chat model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from inspect import isgenerator
from typing import ClassVar

from synth.evolutions.chat_wording import lost
from synth.llm.base import Request, RequestFailed, Steps
from synth.plugins import discover
from synth.records import Sample, Scenario, digest
from synth.text.said import finished
from synth.writer import Material, Writer, Written

PROMPT = "evolutions/reword"
_PACKAGES = ("synth.evolutions", "synth.synthesizers")


class _Reword(Writer):
    """One scenario for each of the grammar's of a type; the path begins with the name of the grammar's writer.

    Answer, evidence and steps stay. A rewording that loses something, and one that cannot be had, leave
    the question as it was composed.
    """

    author: ClassVar[str] = "chat"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for name, writer in _composers(self.question_type).items():
            for scenario in writer.plan(material):
                yield replace(
                    scenario,
                    scenario_id="s-" + digest(self.name, name, scenario.scenario_id)[:16],
                    synthesizer=self.name,
                    worth=0.5 + scenario.worth / 2,
                    path=(name, *scenario.path),
                )

    def write(self, scenario: Scenario, material: Material) -> Steps[Written]:
        name, *path = scenario.path
        writer = _composers(self.question_type)[name]
        made = writer.write(replace(scenario, synthesizer=name, path=tuple(path)), material)
        written = (yield from made) if isgenerator(made) else made
        assert isinstance(written, Written)
        if not written.samples:
            return written
        best, *others = written.samples
        said = yield from self._reworded(best, scenario, material)
        return replace(written, samples=(said, *others))

    def _reworded(self, composed: Sample, scenario: Scenario, material: Material) -> Steps[Sample]:
        prompt = material.prompt(PROMPT, scenario.language)
        try:
            completion = yield Request.of(prompt, {"question": composed.question}, purpose=PROMPT)
        except RequestFailed:
            return composed
        question = finished(completion.data["question"], scenario.language)
        if lost(composed, question, material.graph):
            return composed
        return replace(
            composed,
            question=question,
            evolutions=(*composed.evolutions, self.name),
            lineage=(*composed.lineage, self._recorded(composed, scenario)),
            provenance={**composed.provenance, "prompts": {PROMPT: prompt.label}},
        )

    def _recorded(self, composed: Sample, scenario: Scenario) -> Mapping[str, object]:
        """How to make the rewording again. It is no child of the composed question: it has the same answer."""
        return {
            "operator": self.name,
            "parents": [],
            "composed": composed.question,
            "path": list(scenario.path),
            "slot": scenario.slot,
        }


class RewordReasoning(_Reword):
    """The reasoning questions of the grammar, reworded."""

    name: ClassVar[str] = "chat_reword"
    question_type: ClassVar[str] = "reasoning"


class RewordAcross(_Reword):
    """The grammar's questions over several passages, reworded."""

    name: ClassVar[str] = "chat_reword_across"
    question_type: ClassVar[str] = "multi_context"


class RewordConditional(_Reword):
    """The grammar's conditional questions, reworded."""

    name: ClassVar[str] = "chat_reword_conditional"
    question_type: ClassVar[str] = "conditional"


@cache
def _composers(question_type: str) -> Mapping[str, Writer]:
    """The grammar's writers of a question type, by name."""
    return dict(_found(question_type))


def _found(question_type: str) -> Iterator[tuple[str, Writer]]:
    for package in _PACKAGES:
        for name, part in discover(package, Writer).items():  # type: ignore[type-abstract]
            if part.author == "grammar" and part.question_type == question_type:
                yield name, part()
