"""What an evolution is: parents in, a child that takes more to answer out, or the reason why there is none."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator
from dataclasses import dataclass, replace
from inspect import isgenerator
from typing import Any, TypeVar

from synth.llm.base import Steps
from synth.records import Sample, Scenario
from synth.writer import Material, Writer, Written

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Eliminated:
    """There is no child, or none worth having, and why."""

    reason: str


class Evolution(Writer):
    """An operator. Its child has an answer and evidence of its own, made anew.

    What the operator was applied to is recorded in the child's lineage, so that it can be applied
    again: `evolve` depends on the parents, the scenario and the material alone.
    """

    @abstractmethod
    def parents(self, scenario: Scenario, material: Material) -> Steps[tuple[Sample, ...]] | tuple[Sample, ...]:
        """The simpler questions that the child is made of."""

    @abstractmethod
    def evolve(
        self, parents: tuple[Sample, ...], scenario: Scenario, material: Material
    ) -> Steps[Sample | Eliminated] | Sample | Eliminated:
        """The child of `parents`, of this operator's question type."""

    def write(self, scenario: Scenario, material: Material) -> Steps[Written]:
        parents = yield from _done(self.parents(scenario, material))
        child = yield from _done(self.evolve(parents, scenario, material))
        if isinstance(child, Eliminated):
            return Written(given_up=((f"evolution: {self.name}", child.reason),))
        made = {
            "operator": self.name,
            "parents": [_recorded(parent) for parent in parents],
            "path": list(scenario.path),
            "slot": scenario.slot,
        }
        evolved = replace(
            child,
            evolutions=(*(name for parent in parents for name in parent.evolutions), self.name),
            lineage=(*(one for parent in parents for one in parent.lineage), made),
        )
        return Written((evolved,))


def _done(made: Any) -> Generator[Any, Any, Any]:
    return (yield from made) if isgenerator(made) else made


def _recorded(parent: Sample) -> dict[str, Any]:
    return {
        "question": parent.question,
        "golden_answers": list(parent.golden_answers),
        "evidence": [[piece.doc_id, piece.start, piece.end] for piece in parent.evidence],
    }
