"""In breadth: another simple question on what a question asked about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from synth.evolutions.base import Eliminated
from synth.evolutions.chat_base import AFTER_ALL_ELSE, ChatEvolution, reads, scenario_at
from synth.evolutions.chat_focus import by_passage, focuses
from synth.evolutions.chat_proof import Proof
from synth.records import Scenario, Step
from synth.writer import Material


class ChatSibling(ChatEvolution):
    """One scenario a passage, at its best question: the others of a passage would give the same siblings."""

    name: ClassVar[str] = "chat_sibling"
    question_type: ClassVar[str] = "simple"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for group in by_passage(focuses(material)).values():
            yield scenario_at(self, material, group[0], AFTER_ALL_ELSE * group[0].worth)

    def chain(
        self, proof: Proof, reply: Mapping[str, Any], answer: str, language: str
    ) -> tuple[Step, ...] | Eliminated:
        return reads(proof, answer, language)
