"""In depth, by constraint: one more restriction, which the passage states, narrows a simple question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from synth.evolutions.base import Eliminated
from synth.evolutions.chat_base import AFTER_ALL_ELSE, ChatEvolution, reads, scenario_at
from synth.evolutions.chat_focus import by_passage, focuses
from synth.evolutions.chat_proof import Proof
from synth.records import Scenario, Step
from synth.writer import Material


class ChatConstrain(ChatEvolution):
    """The first step reads the restriction, the last one the answer that is left."""

    name: ClassVar[str] = "chat_constrain"
    question_type: ClassVar[str] = "simple"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for group in by_passage(focuses(material)).values():
            for focus in group:
                yield scenario_at(self, material, focus, AFTER_ALL_ELSE * focus.worth)

    def chain(
        self, proof: Proof, reply: Mapping[str, Any], answer: str, language: str
    ) -> tuple[Step, ...] | Eliminated:
        return reads(proof, answer, language)
