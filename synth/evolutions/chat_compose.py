"""Across documents, by a bridge or a meeting of two passages: neither has the answer without the other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from synth.evolutions.base import Eliminated
from synth.evolutions.chat_base import proved, reads
from synth.evolutions.chat_focus import Focus
from synth.evolutions.chat_links import Across, Link, needs_both
from synth.evolutions.chat_proof import Proof
from synth.records import Step
from synth.text.normalise import holds
from synth.writer import Material

_QUESTIONS = 2
"""Sentences of a passage from which one edge is walked."""


class ChatCompose(Across):
    """A question on the first passage names a thing; the child describes the thing by the second passage."""

    name: ClassVar[str] = "chat_compose"

    def begun(self, link: Link, groups: dict[str, list[Focus]], material: Material) -> Iterator[tuple[Focus, float]]:
        group = groups.get(link.source.chunk_id, [])
        naming = [focus for focus in group if not link.shared or _names(focus, link.shared)]
        for focus in naming[:_QUESTIONS]:
            yield focus, 0.3 + 0.3 * focus.worth + 0.2 * link.weight

    def chain(
        self, proof: Proof, reply: Mapping[str, Any], answer: str, language: str
    ) -> tuple[Step, ...] | Eliminated:
        steps = reads(proof, answer, language)
        if isinstance(steps, Eliminated):
            return steps
        held = proved(steps, proof, answer, language)
        return held if isinstance(held, Eliminated) else needs_both(held, proof)


def _names(focus: Focus, names: tuple[str, ...]) -> bool:
    asked = focus.draft.question if focus.draft else focus.sentence.text
    return any(holds(asked, name) for name in names)
