"""Paths: pairs of related passages in the graph of what was read, and what joins each pair.

The ends of a path are statements that the author noted in the passages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from synth.core.records import SUB_QUESTIONS, Evidence, Sample, Statement, digest
from synth.corpus.notes import Notes
from synth.corpus.sections import Section
from synth.generation.proposals.joining import (
    as_written,
    is_joining,
)
from synth.models.prompt_labels import headed
from synth.text.normalise import normalise
from synth.text.stems import stems

RULE, CHOICE, ENTITY, REFERENCE, BRIDGE = "rule and case", "same attribute", "same entity", "reference", "bridge"
MATTER, WORD = "same matter", "rare word"

_CASES = frozenset({"attribute", "event", "definition", "list", "procedure", "cause"})


@dataclass(frozen=True, slots=True)
class Path:
    """Two passages that may answer a question together.

    `kind` is the kind of link between the passages. `statements` are the two linked statements, one per passage.
    `joined_by` names the words or the entity that link them.
    """

    kind: str
    sections: tuple[Section, ...]
    statements: tuple[Statement, ...]
    joined_by: str
    weight: float

    @property
    def passages(self) -> frozenset[str]:
        """Ids of the sections on the path."""
        return frozenset(section.section_id for section in self.sections)

    @property
    def language(self) -> str:
        """Language of the passages."""
        return self.sections[0].language

    @property
    def told(self) -> str:
        """What joins the passages and what they state, in one line for the author."""
        ends = " | ".join(headed(end.subject, end.text, self.language) for end in self.statements)
        return headed(f"({self.joined_by})", ends, self.language)

    def packed(self) -> list[dict[str, str]]:
        """Return the nodes of the path as JSON values, for the row."""
        nodes = [
            {
                "statement": statement.statement_id,
                "kind": statement.kind,
                "about": statement.subject,
                "says": statement.text,
            }
            for statement in self.statements
        ]
        return [*nodes[:1], {"link": self.kind, "joined_by": self.joined_by}, *nodes[1:]]


def path_between(sample: Sample, sections: Iterable[Section], notes: Sequence[Notes]) -> Path | None:
    """Return the path that a question over several sections follows, or None if nothing joins them.

    Each section with evidence is an end of the path. Its statement is the one that the notes contain for the evidence,
    or else is made from the sub-question on the section. The ends are joined by the first of these that exists: a name
    noted in all sections, the answer of a sub-question that the next sub-question contains, or words that the ends or
    the evidence share.
    """
    noted = {on_section.section.section_id: on_section for on_section in notes}
    homes: list[Section] = []
    ends: list[Statement] = []
    for section in dict.fromkeys(sections):
        own = [piece for piece in sample.evidence if piece.chunk_id in section.chunk_ids]
        if own and (end := _end_on(sample, own, noted.get(section.section_id))) is not None:
            homes.append(section)
            ends.append(end)
    if len(ends) < 2:
        return None
    kind, joined_by = MATTER, ""
    if name := _common_name([noted.get(section.section_id) for section in homes]):
        kind, joined_by = ENTITY, name
    elif answer := _leading_answer(sample.metadata.get(SUB_QUESTIONS, ())):
        kind, joined_by = BRIDGE, answer
    else:
        said = [f"{end.subject} {end.scope} {end.text}" for end in ends]
        shown = [
            " ".join(piece.text for piece in sample.evidence if piece.chunk_id in section.chunk_ids)
            for section in homes
        ]
        kind = link_kind(ends[0], ends[1]) or MATTER
        joined_by = ", ".join(_shared_words(said) or _shared_words(shown))
    return Path(kind, tuple(homes), tuple(ends), joined_by, 0.0) if joined_by else None


def _end_on(sample: Sample, pieces: Sequence[Evidence], notes: Notes | None) -> Statement | None:
    """Return the statement at the end of a path, for some pieces of evidence, or None.

    It is the statement in the notes that overlaps the evidence most. If none does, it is made from the sub-question
    that the evidence answers.
    """
    places = [(piece.start, piece.end) for piece in pieces]
    if notes and notes.statements:
        nearest = max(notes.statements, key=lambda statement: _overlap(statement, places))
        if _overlap(nearest, places):
            return nearest
    for part in sample.metadata.get(SUB_QUESTIONS, ()):
        own = [piece for piece in pieces if any(_meets(piece, *place) for place in part["evidence"])]
        if own:
            spans = tuple((piece.start, piece.end) for piece in own)
            return Statement(
                statement_id="n-" + digest(own[0].doc_id, "faq", part["question"], spans)[:16],
                kind="faq",
                subject=part["question"],
                text=part["answer"],
                chunk_id=own[0].chunk_id,
                doc_id=own[0].doc_id,
                spans=spans,
            )
    return None


def _meets(piece: Evidence, doc_id: str, start: int, end: int) -> bool:
    """Return whether a piece of evidence and a place overlap."""
    return piece.doc_id == doc_id and piece.start < end and start < piece.end


def _common_name(noted: Sequence[Notes | None]) -> str:
    """Return a name that is noted in all sections, or ""."""
    names = [{normalise(named.name): named.name for named in one.entities} if one else {} for one in noted]
    return next((name for key, name in names[0].items() if all(key in others for others in names[1:])), "")


def _leading_answer(parts: Sequence[Mapping[str, Any]]) -> str:
    """Return the answer of a sub-question that the next sub-question contains, or ""."""
    for part, following in pairwise(parts):
        answer = normalise(part["answer"])
        if answer and answer in normalise(following["question"]):
            return str(part["answer"])
    return ""


def _shared_words(texts: Sequence[str]) -> list[str]:
    """Return the words that all texts share. If some of these may join passages, only those are returned."""
    shared = set.intersection(*(set(stems(text)) for text in texts))
    return as_written({word for word in shared if is_joining(word)} or shared, texts)


def _overlap(statement: Statement, places: Iterable[tuple[int, int]]) -> int:
    """Return the number of characters that a statement shares with some places."""
    return sum(max(0, min(end, stop) - max(start, begin)) for start, end in statement.spans for begin, stop in places)


def link_kind(first: Statement, second: Statement) -> str:
    """Return the kind of path between two statements that share words, or ""."""
    kinds = {first.kind, second.kind}
    if "rule" in kinds and (kinds & _CASES or (first.kind == second.kind == "rule")):
        return RULE
    if first.kind == second.kind and first.kind in ("attribute", "list"):
        same = set(filter(is_joining, stems(first.scope))) & set(stems(second.scope))
        return CHOICE if same and normalise(first.subject) != normalise(second.subject) else ""
    return ""
