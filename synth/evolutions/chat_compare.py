"""Across documents, by comparison: the same sort of thing, read in two passages, put side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from synth.evolutions.base import Eliminated
from synth.evolutions.chat_base import concluded
from synth.evolutions.chat_focus import Drafts, Focus, asked_already, drafted
from synth.evolutions.chat_links import Across, Link, needs_both
from synth.evolutions.chat_proof import Proof
from synth.llm.base import Steps
from synth.records import Chunk, Draft, Sample, Scenario, Step
from synth.text.said import finished
from synth.writer import Material

_AMOUNT = re.compile(r"\d|[〇零一二三四五六七八九十百千万亿两]{2,}")


class ChatCompare(Across):
    """Two passages give a date or an amount each; the child asks which is the greater, by how much, or whether."""

    name: ClassVar[str] = "chat_compare"

    def begun(self, link: Link, groups: dict[str, list[Focus]], material: Material) -> Iterator[tuple[Focus, float]]:
        group, others = groups.get(link.source.chunk_id, []), groups.get(link.target.chunk_id, [])
        if link.source.chunk_id > link.target.chunk_id or not any(_gives_amount(focus) for focus in others):
            return
        for focus in [one for one in group if _gives_amount(one)][:1]:
            yield focus, 0.25 + 0.3 * focus.worth + 0.2 * link.weight

    def parents(self, scenario: Scenario, material: Material) -> Steps[tuple[Sample, ...]]:
        first = yield from asked_already(scenario, material)
        second = material.graph.chunk(scenario.chunk_ids[1])
        like = _like(second, first[0].metadata.get("pattern") if first else None, material)
        return first if like is None else (*first, drafted(material, second.doc_id, like))

    def chain(
        self, proof: Proof, reply: Mapping[str, Any], answer: str, language: str
    ) -> tuple[Step, ...] | Eliminated:
        steps = concluded(proof, finished(reply["question"], language), answer, reply["operation"], language)
        return steps if isinstance(steps, Eliminated) else needs_both(steps, proof)


def _gives_amount(focus: Focus) -> bool:
    if focus.draft:
        return any(_AMOUNT.search(answer) for answer in focus.draft.golden_answers)
    return bool(_AMOUNT.search(focus.sentence.text))


def _like(chunk: Chunk, pattern: object, material: Material) -> Draft | None:
    """The best draft of a passage with a date or an amount for its answer, of a pattern where it has one of that."""
    sentences = material.readings[chunk.doc_id].sentences
    found = [
        (draft.pattern != pattern, -draft.worth, index)
        for index, draft in Drafts.of(material, chunk.doc_id).by_sentence.items()
        if chunk.start <= sentences[index].start < chunk.end and any(map(_AMOUNT.search, draft.golden_answers))
    ]
    return Drafts.of(material, chunk.doc_id).by_sentence[min(found)[2]] if found else None
