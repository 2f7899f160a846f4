"""What a chat model says its answer rests on, held against the passages: every quotation and every value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synth.derivation import stands
from synth.evolutions.base import Eliminated
from synth.records import Chunk, Evidence, Step
from synth.text.locate import locate
from synth.text.markup import plain
from synth.text.normalise import collapse_space, to_simplified
from synth.text.orders import gives_orders
from synth.text.said import bare
from synth.writer import Material, evidence_of

_LONGEST = 4
"""Sentences that one quotation may touch."""

_LEANS = re.compile(
    r"(?:he|she|it|they|his|her|its|their|this|these|those)\b|[它他她其该此这那]|后者|前者", re.IGNORECASE
)

_Place = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Proof:
    """Steps that read values, and the pieces of evidence that they number; `texts` are these as plain text."""

    steps: tuple[Step, ...]
    evidence: tuple[Evidence, ...]
    texts: tuple[str, ...]
    about: tuple[str, ...]


def prove(told: Sequence[Mapping[str, Any]], chunks: Sequence[Chunk], material: Material) -> Proof | Eliminated:
    """The steps that a model told, each `about` something, with a `value` and the `quote` that has it.

    A quotation is looked for in the passages `chunks`, in that of the step's own number first, and widened to
    whole sentences, with the one before where they begin by pointing at it; its step's value must stand there.
    """
    places: list[_Place] = []
    for number, one in enumerate(told):
        place = _place(str(one["quote"]), [*chunks[number : number + 1], *chunks], material)
        if place is None:
            return Eliminated(
                f"step {number + 1}: the quotation does not stand in the passage: '{_short(one['quote'])}'"
            )
        places.append(place)
    joined = _joined(places)
    evidence = tuple(piece for doc_id, start, end in joined for piece in evidence_of(material, doc_id, [(start, end)]))
    texts, about = tuple(_plain(material, piece) for piece in evidence), tuple(_about(material, p) for p in evidence)
    if any(map(gives_orders, texts)):
        return Eliminated("the quotation gives orders to its reader, it states nothing")
    steps = []
    for number, (one, (doc_id, start, _)) in enumerate(zip(told, places, strict=True)):
        piece = next(n for n, (other, a, b) in enumerate(joined) if other == doc_id and a <= start < b)
        value = bare(str(one["value"]))
        if not value or not stands(value, [texts[piece]], [about[piece]]):
            return Eliminated(f"step {number + 1}: the value '{_short(value)}' does not stand in its quotation")
        steps.append(Step(says=collapse_space(str(one["about"])) or value, value=value, evidence=(piece,)))
    return Proof(tuple(steps), evidence, texts, about)


def _place(quote: str, chunks: Iterable[Chunk], material: Material) -> _Place | None:
    """The whole sentences that hold a quotation, in the first of the passages that has it."""
    for chunk in chunks:
        document = material.graph.document(chunk.doc_id)
        markdown = document.metadata.get("format") == "markdown"
        found = locate(quote, document.text, chunk.start, chunk.end, markdown=markdown)
        if found is None:
            continue
        sentences = material.readings[chunk.doc_id].sentences
        touched = [s for s in sentences if s.start < found[1] and s.end > found[0]]
        if len(touched) > _LONGEST:
            continue
        start, end = min([found[0], *(s.start for s in touched)]), max([found[1], *(s.end for s in touched)])
        if touched and touched[0].previous and _LEANS.match(to_simplified(touched[0].text)):
            start = min(start, sentences[sentences.index(touched[0]) - 1].start)
        return chunk.doc_id, start, end
    return None


def _joined(places: Iterable[_Place]) -> list[_Place]:
    """The places, those that overlap as one, in the order in which they were first needed."""
    joined: list[_Place] = []
    for doc_id, start, end in places:
        over = [one for one in joined if one[0] == doc_id and one[1] < end and start < one[2]]
        if not over:
            joined.append((doc_id, start, end))
            continue
        wide = (doc_id, min(start, *(one[1] for one in over)), max(end, *(one[2] for one in over)))
        joined = [wide if one == over[0] else one for one in joined if one == over[0] or one not in over]
    return joined


def _plain(material: Material, piece: Evidence) -> str:
    markdown = material.graph.document(piece.doc_id).metadata.get("format") == "markdown"
    return plain(piece.text, markdown=markdown).text


def _about(material: Material, piece: Evidence) -> str:
    title = material.graph.document(piece.doc_id).title
    return " / ".join(filter(None, [title, *material.graph.chunk(piece.chunk_id).headings]))


def _short(text: object) -> str:
    return collapse_space(str(text))[:80]
