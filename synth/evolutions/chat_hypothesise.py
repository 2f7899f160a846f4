"""In depth, by hypothesis: suppose a case that a condition of the text covers; what then?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from synth.derivation import equal
from synth.evolutions.base import Eliminated
from synth.evolutions.chat_base import INFER, concluded, reads
from synth.evolutions.chat_conditional import Conditional
from synth.evolutions.chat_proof import Proof
from synth.records import Step
from synth.text.said import finished


class ChatHypothesise(Conditional):
    """The question supposes a case; what the text says of such cases gives the answer, or leads to it."""

    name: ClassVar[str] = "chat_hypothesise"

    def outcome(
        self, proof: Proof, reply: Mapping[str, Any], answer: str, language: str
    ) -> tuple[Step, ...] | Eliminated:
        if equal(proof.steps[-1].value, answer, language):
            return reads(proof, answer, language)
        return concluded(proof, finished(reply["question"], language), answer, INFER, language)
