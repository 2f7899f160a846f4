"""What the conditional operators of the chat author share: a condition that the text states, and what hangs on it."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from synth.derivation import equal
from synth.evolutions.base import Eliminated
from synth.evolutions.chat_base import ChatEvolution, scenario_at
from synth.evolutions.chat_focus import focuses_where
from synth.evolutions.chat_proof import Proof
from synth.records import Scenario, Step
from synth.text.normalise import to_simplified
from synth.writer import Material

_STATES = re.compile(
    r"\b(?:if|unless|only|provided|providing|except|otherwise|in case|as long as|so long as)\b"
    r"|如果|若(?:是|不)?|只有|除非|只要|一旦|仅当|前提|条件是|否则|要是|假如|的话|除了|情况下"
    r"|当[^,。;，；]{1,24}时",
    re.IGNORECASE,
)
_TIMES = re.compile(r"\b(?:when|whenever|once|while|until|without)\b", re.IGNORECASE)
_PAST = re.compile(r"\b(?:was|were|had|did|became|began|\w{3,}ed)\b", re.IGNORECASE)


class Conditional(ChatEvolution):
    """One scenario a sentence that states a condition; its parent asks about it, or about its passage."""

    question_type: ClassVar[str] = "conditional"
    bonus: ClassVar[float] = 0.0

    def plan(self, material: Material) -> Iterable[Scenario]:
        for focus in focuses_where(material, states_condition):
            yield scenario_at(self, material, focus, 0.4 + 0.4 * focus.worth + self.bonus)

    def chain(
        self, proof: Proof, reply: Mapping[str, Any], answer: str, language: str
    ) -> tuple[Step, ...] | Eliminated:
        condition, *outcomes = proof.steps
        if not states_condition(proof.texts[condition.evidence[0]]):
            return Eliminated(f"the text states no condition where '{condition.value[:80]}' is read")
        if any(equal(condition.value, outcome.value, language) for outcome in outcomes):
            return Eliminated("what depends on the condition is the condition itself")
        return self.outcome(proof, reply, answer, language)

    @abstractmethod
    def outcome(
        self, proof: Proof, reply: Mapping[str, Any], answer: str, language: str
    ) -> tuple[Step, ...] | Eliminated:
        """The steps from the condition to the answer."""


def states_condition(text: str) -> bool:
    """Whether a text states a condition that may be met again; "when" in a tale of the past is none."""
    return bool(_STATES.search(to_simplified(text)) or (_TIMES.search(text) and not _PAST.search(text)))
