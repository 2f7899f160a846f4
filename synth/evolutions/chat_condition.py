"""In depth, by condition: what holds under a condition of the text, or under which condition it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

from synth.derivation import equal
from synth.evolutions.base import Eliminated
from synth.evolutions.chat_base import reads
from synth.evolutions.chat_conditional import Conditional
from synth.evolutions.chat_proof import Proof
from synth.records import Step


class ChatCondition(Conditional):
    """The question sets a condition and asks what follows, or names what follows and asks for the condition."""

    name: ClassVar[str] = "chat_condition"
    bonus: ClassVar[float] = 0.05

    def outcome(
        self, proof: Proof, reply: Mapping[str, Any], answer: str, language: str
    ) -> tuple[Step, ...] | Eliminated:
        if len(proof.steps) == 2 and equal(proof.steps[0].value, answer, language):
            condition, outcome = proof.steps
            return (outcome, replace(condition, of=(0,)))
        return reads(proof, answer, language)
