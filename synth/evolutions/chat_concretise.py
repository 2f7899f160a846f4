"""In depth, by example: a general notion in the question gives way to a concrete case that the passage covers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from synth.evolutions.base import Eliminated
from synth.evolutions.chat_base import AFTER_ALL_ELSE, ChatEvolution, reads, scenario_at
from synth.evolutions.chat_focus import focuses_where
from synth.evolutions.chat_proof import Proof
from synth.records import Scenario, Step
from synth.text.normalise import to_simplified
from synth.writer import Material

_GENERAL = re.compile(
    r"\b(?:any|each|every|all|such as|for example|for instance|including|includes?|like|kinds? of|types? of|e\.g\.)"
    r"|任何|每[个種种一]|所有|凡|例如|比如|诸如|包括|各种|一类|之类",
    re.IGNORECASE,
)


class ChatConcretise(ChatEvolution):
    """The first step reads that the general statement covers the case, the last one what it says of it."""

    name: ClassVar[str] = "chat_concretise"
    question_type: ClassVar[str] = "simple"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for focus in focuses_where(material, lambda text: bool(_GENERAL.search(to_simplified(text)))):
            yield scenario_at(self, material, focus, AFTER_ALL_ELSE * focus.worth)

    def chain(
        self, proof: Proof, reply: Mapping[str, Any], answer: str, language: str
    ) -> tuple[Step, ...] | Eliminated:
        return reads(proof, answer, language)
