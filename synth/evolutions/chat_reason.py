"""In depth, by reasoning: from what one passage states to what follows from it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from synth.evolutions.base import Eliminated
from synth.evolutions.chat_base import ChatEvolution, concluded, scenario_at
from synth.evolutions.chat_focus import by_passage, focuses
from synth.evolutions.chat_proof import Proof
from synth.records import Scenario, Step
from synth.text.markup import plain
from synth.text.said import finished
from synth.writer import Material

_AMOUNT = re.compile(r"\d+|[〇零一二三四五六七八九十百千万亿两]{2,}")
_CAUSE = re.compile(
    r"\b(?:because|therefore|so that|as a result|leads? to|causes?|caused|due to|depends? on|consequently|hence)\b"
    r"|因为|因為|由于|由於|所以|因此|因而|导致|導致|从而|從而|使得|取决于|取決於",
    re.IGNORECASE,
)


class ChatReason(ChatEvolution):
    """Two or more facts of one passage become a question whose answer follows from them.

    What can be recomputed is; cause, consequence and classification ("infer") must be confirmed by a judge.
    """

    name: ClassVar[str] = "chat_reason"
    question_type: ClassVar[str] = "reasoning"

    def plan(self, material: Material) -> Iterable[Scenario]:
        for group in by_passage(focuses(material)).values():
            text = plain(group[0].chunk.text).text
            amounts = len(set(_AMOUNT.findall(text)))
            for focus in group:
                worth = 0.35 + 0.3 * focus.worth + 0.15 * (amounts > 1) + 0.1 * bool(_CAUSE.search(text))
                yield scenario_at(self, material, focus, worth)

    def chain(
        self, proof: Proof, reply: Mapping[str, Any], answer: str, language: str
    ) -> tuple[Step, ...] | Eliminated:
        return concluded(proof, finished(reply["question"], language), answer, reply["operation"], language)
