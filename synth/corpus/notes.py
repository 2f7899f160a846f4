"""Notes on a passage: what a chat model reported about it, stored as nodes and edges of the knowledge graph."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from synth.core.records import STATEMENT_KINDS, Chunk, Entity, Relationship, Statement, digest
from synth.core.store import Store
from synth.corpus.graph import KnowledgeGraph, Span
from synth.corpus.sections import HEADING, Numbered, Section, SectionLine, spans
from synth.grammar.structure.facts import Fact
from synth.text.normalise import collapse_space, normalise

KIND = "notes"
"""Kind of the notes in the store; keys are section ids."""

GIST = "gist"
"""Attribute of a chunk: its content in one sentence. The gist of a document joins the gists of its chunks."""

MENTIONS, ABOUT, RELATES = "mentions", "about", "relates"

_PARAGRAPH = 900
"""Maximum characters of a document's gist."""

_LONGEST = 300
"""Maximum characters of a text in a note; longer texts are cut."""


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between two entities stated by a passage, such as Ada (`source`), built (`verb`), pump (`target`)."""

    source: str
    verb: str
    target: str
    chunk_id: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Named:
    """An entity that a passage names, with its kind and the spans of the sentences that name it."""

    name: str
    kind: str
    chunk_id: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Notes:
    """Notes on one section: a gist, the entities that it names, its statements and its relations."""

    section: Section
    gist: str = ""
    entities: tuple[Named, ...] = ()
    statements: tuple[Statement, ...] = ()
    relations: tuple[Relation, ...] = ()


def notes_of(reply: Sequence[Mapping[str, Any]], shown: Numbered, chunks: Iterable[Chunk]) -> list[Notes]:
    """Return the notes in a model reply, one `Notes` object per section. Sections without notes are left out.

    `reply` contains an object per passage with "gist", "entities", "statements" and "relations". The cited sentences
    determine the section. An item is dropped if it cites no sentence, or sentences of several sections.
    """
    places = _Citations(shown, chunks)
    made = {section.section_id: _Notes() for section in shown.sections}
    for item in reply:
        for one in item["entities"]:
            if (at := places.place(one["sentences"])) and (name := _text(one["name"])):
                made[at.section.section_id].entities.append(Named(name, _text(one["kind"]), at.chunk_id, at.spans))
        for one in item["statements"]:
            at, says = places.place(one["sentences"]), _text(one["says"])
            if at and says and one["kind"] in STATEMENT_KINDS:
                made[at.section.section_id].statements.append(_statement(one, says, at))
        for one in item["relations"]:
            at, ends = places.place(one["sentences"]), [_text(one[end]) for end in ("from", "to")]
            if at and all(ends) and normalise(ends[0]) != normalise(ends[1]):
                relation = Relation(ends[0], _text(one["verb"]), ends[1], at.chunk_id, at.spans)
                made[at.section.section_id].relations.append(relation)
        cited = [one["sentences"] for part in ("statements", "entities", "relations") for one in item[part]]
        home = next(filter(None, map(places.section_of, cited)), None)
        if home is not None:
            made[home.section_id].gist = made[home.section_id].gist or _text(item["gist"])
    return [
        Notes(section, notes.gist, tuple(notes.entities), tuple(notes.statements), tuple(notes.relations))
        for section in shown.sections
        if (notes := made[section.section_id]) != _Notes()
    ]


@dataclass(slots=True)
class _Notes:
    """Notes on a section while a reply is processed."""

    gist: str = ""
    entities: list[Named] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)
    relations: list[Relation] = field(default_factory=list)


def _statement(reply: Mapping[str, Any], says: str, at: _Citation) -> Statement:
    return Statement(
        statement_id="n-" + digest(at.section.doc_id, reply["kind"], says, at.spans)[:16],
        kind=reply["kind"],
        subject=_text(reply["subject"]),
        text=says,
        chunk_id=at.chunk_id,
        doc_id=at.section.doc_id,
        spans=at.spans,
        scope=_text(reply["scope"]),
    )


def kept_notes(store: Store, section: Section) -> Notes | None:
    """Return the notes on a section that an earlier run stored, or None."""
    kept = store.get(KIND, section.section_id)
    if kept is None:
        return None
    values = json.loads(kept)
    return Notes(
        section,
        values["gist"],
        tuple(Named(**{**one, "spans": _pairs(one["spans"])}) for one in values["entities"]),
        tuple(Statement(**{**one, "spans": _pairs(one["spans"])}) for one in values["statements"]),
        tuple(Relation(**{**one, "spans": _pairs(one["spans"])}) for one in values["relations"]),
    )


def keep_notes(store: Store, notes: Notes) -> None:
    """Store the notes on a section, unless an earlier run stored notes on it."""
    values = {"gist": notes.gist}
    parts = {name: [asdict(one) for one in getattr(notes, name)] for name in ("entities", "statements", "relations")}
    store.put(KIND, notes.section.section_id, json.dumps({**values, **parts}, ensure_ascii=False).encode())


def _pairs(spans: Sequence[Sequence[int]]) -> tuple[Span, ...]:
    return tuple((start, end) for start, end in spans)


def add_notes(graph: KnowledgeGraph, notes: Notes) -> None:
    """Add notes to a graph that contains the chunks of their section. Notes already in the graph change nothing."""
    if notes.gist:
        for chunk_id in notes.section.chunk_ids:
            graph.assign(chunk_id, GIST, notes.gist)
        graph.assign(notes.section.doc_id, GIST, _paragraph(graph, notes.section.doc_id))
    ids: dict[str, str] = {}
    for named in notes.entities:
        ids[normalise(named.name)] = entity_id = _entity(graph, named.name, named.kind)
        graph.relate(Relationship(source_id=named.chunk_id, target_id=entity_id, kind=MENTIONS), named.spans)
    for statement in notes.statements:
        if statement.statement_id in graph:
            continue
        graph.add_statement(statement)
        if (subject := ids.get(normalise(statement.subject))) is not None:
            graph.relate(Relationship(source_id=statement.statement_id, target_id=subject, kind=ABOUT))
    for relation in notes.relations:
        source, target = (
            ids.get(normalise(name)) or _entity(graph, name, "") for name in (relation.source, relation.target)
        )
        verbs = dict.fromkeys((*_verbs(graph, source, target), relation.verb))
        for end in (source, target):
            if end not in graph.targets(relation.chunk_id, MENTIONS):
                graph.relate(Relationship(source_id=relation.chunk_id, target_id=end, kind=MENTIONS), relation.spans)
        graph.relate(
            Relationship(source_id=source, target_id=target, kind=RELATES, shared=tuple(verbs)), relation.spans
        )


def add_facts(graph: KnowledgeGraph, doc_id: str, facts: Iterable[Fact]) -> None:
    """Add the facts from a document's structure to the graph, as statements with their kind and evidence.

    A fact changes nothing if the graph already contains it or if its evidence lies outside every chunk.
    """
    for fact in facts:
        chunk = graph.chunk_at(doc_id, fact.spans[-1][0])
        says = _text(": ".join(filter(None, (", ".join(filter(None, (fact.thing, fact.label))), fact.answer))))
        statement_id = "n-" + digest(doc_id, fact.kind, says, fact.spans)[:16]
        if chunk is not None and statement_id not in graph:
            graph.add_statement(
                Statement(
                    statement_id=statement_id,
                    kind=fact.kind,
                    subject=fact.thing,
                    text=says,
                    chunk_id=chunk.chunk_id,
                    doc_id=doc_id,
                    spans=fact.spans,
                    scope=_text(fact.label),
                )
            )


def _paragraph(graph: KnowledgeGraph, doc_id: str) -> str:
    """Return the distinct gists of a document's chunks as a paragraph, up to the length limit."""
    gists = dict.fromkeys(str(graph.value(chunk.chunk_id, GIST) or "") for chunk in graph.chunks_of(doc_id))
    paragraph = ""
    for gist in filter(None, gists):
        if paragraph and len(paragraph) + len(gist) > _PARAGRAPH:
            break
        paragraph = f"{paragraph} {gist}".strip()
    return paragraph


def entity_id_of(name: str) -> str:
    """Return the entity id for a name; case, width and script do not matter."""
    return "e-" + digest("entity", normalise(name))[:16]


def _entity(graph: KnowledgeGraph, name: str, kind: str) -> str:
    entity_id = entity_id_of(name)
    if entity_id not in graph:
        graph.add_entity(Entity(entity_id=entity_id, name=name, kind=kind or "thing", surface_forms=(name,)))
    return entity_id


def _verbs(graph: KnowledgeGraph, source: str, target: str) -> tuple[str, ...]:
    edges = (edge for edge in graph.relationships_from(source, RELATES) if edge.target_id == target)
    return next((edge.shared for edge in edges), ())


def _text(value: object) -> str:
    return collapse_space(str(value))[:_LONGEST]


@dataclass(frozen=True, slots=True)
class _Citation:
    section: Section
    chunk_id: str
    spans: tuple[Span, ...]


class _Citations:
    """Locations of cited sentences: section, chunk and offsets."""

    def __init__(self, shown: Numbered, chunks: Iterable[Chunk]) -> None:
        self._shown = shown
        self._chunks = list(chunks)

    def section_of(self, numbers: Sequence[int]) -> Section | None:
        """Return the section that contains all sentences with these numbers; None if there are several sections."""
        homes = self._shown.sections_of(numbers)
        return homes[0] if len(homes) == 1 else None

    def place(self, numbers: Sequence[int]) -> _Citation | None:
        """Return the location of cited sentences, or None if they are not in one section.

        Headings count only if nothing else is cited. A heading before the section belongs to its first chunk.
        """
        section, lines = self.section_of(numbers), self._lines(numbers)
        if section is None:
            return None
        at = spans([line for line in lines if line.kind != HEADING] or lines)[section.doc_id]
        own = [one for one in self._chunks if one.chunk_id in section.chunk_ids]
        chunk = next((one for one in own if one.start <= at[0][0] < one.end), next(iter(own), None))
        return None if chunk is None else _Citation(section, chunk.chunk_id, tuple(at))

    def _lines(self, numbers: Sequence[int]) -> list[SectionLine]:
        lines = self._shown.lines
        return [lines[number] for number in dict.fromkeys(numbers) if 0 <= number < len(lines)]
