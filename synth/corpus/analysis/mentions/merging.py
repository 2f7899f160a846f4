"""Merging of mentions: names in documents become entities of the corpus."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypedDict

from synth.core.records import Entity, Relationship, digest
from synth.corpus.analysis.mentions.names import RANK, key

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph

_NEVER_PLURAL = frozenset(("person", "place", "work"))
_SHORT_NAMES = {
    key(short): key(long)
    for long, shorts in (
        ("United States", ("US", "U.S.", "USA", "U.S.A.", "United States of America")),
        ("United Kingdom", ("UK", "U.K.")),
        ("European Union", ("EU",)),
        ("United Nations", ("UN", "U.N.")),
        ("澳大利亚", ("澳洲",)),
        ("印度尼西亚", ("印尼",)),
        ("新西兰", ("纽西兰",)),
        ("美国", ("美利坚合众国",)),
    )
    for short in shorts
}


class MentionsArtifact(TypedDict):
    """Names in one document.

    A mention is [chunk index, start, end, surface, kind]; the surface is the name as written. An alias is [short,
    long], two names that the text presents as names of one thing.
    """

    mentions: list[tuple[int, int, int, str, str]]
    aliases: list[tuple[str, str]]


@dataclass(slots=True)
class _Named:
    surfaces: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    places: dict[str, list[tuple[int, int, str]]] = field(default_factory=dict)

    def add(self, chunk_id: str, start: int, end: int, surface: str, kind: str) -> None:
        self.surfaces[surface] += 1
        self.kinds[kind] += 1
        self.places.setdefault(chunk_id, []).append((start, end, surface))

    def absorb(self, other: _Named) -> None:
        self.surfaces += other.surfaces
        self.kinds += other.kinds
        for chunk_id, places in other.places.items():
            self.places.setdefault(chunk_id, []).extend(places)


def merge_entities(graph: KnowledgeGraph, artifacts: Mapping[str, MentionsArtifact]) -> None:
    """Add the entities in the artifacts to the graph, with a "mentions" edge from every chunk that names an entity.

    `artifacts` maps document ids to the names in each document.
    """
    entities: dict[str, _Named] = {}
    pairs: list[tuple[str, str]] = []
    for doc_id, artifact in artifacts.items():
        chunk_ids = [chunk.chunk_id for chunk in graph.chunks_of(doc_id)]
        for number, start, end, surface, kind in artifact["mentions"]:
            if name := key(surface):
                entities.setdefault(name, _Named()).add(chunk_ids[number], start, end, surface, kind)
        pairs += [(key(short), key(long)) for short, long in artifact["aliases"]]
    same = {**_well_known(entities), **_plurals(entities), **_aliases(pairs, entities.keys())}
    united = _united(entities, same)
    parts = _parts_of_people(united)
    for name, entity in united.items():
        if _is_lone_name(name, entity) and name not in parts:
            entity.kinds["name"] += entity.kinds.pop("person", 0)
        _add(graph, name, entity)


def _parts_of_people(entities: Mapping[str, _Named]) -> set[str]:
    """Return first and last names of people whose full name occurs."""
    return {
        part for name, entity in entities.items() if _kind(entity) == "person" and " " in name for part in name.split()
    }


def _is_lone_name(name: str, thing: _Named) -> bool:
    return name.isascii() and " " not in name and "person" in thing.kinds


def _well_known(entities: Mapping[str, _Named]) -> dict[str, str]:
    """Map short names of states and unions to their long names, if both occur."""
    return {short: long for short, long in _SHORT_NAMES.items() if short in entities and long in entities}


def _plurals(entities: Mapping[str, _Named]) -> dict[str, str]:
    """Map plurals to singulars that also occur, except for people, places and titles of works."""
    singulars = {}
    for name, entity in entities.items():
        if not re.search(r"[a-z]{2}s$", name) or name.endswith(("ss", "https")) or _NEVER_PLURAL & entity.kinds.keys():
            continue
        endings = (
            [name[:-1]]
            + ([name[:-3] + "y"] if name.endswith("ies") else [])
            + ([name[:-2]] if name.endswith("es") else [])
        )
        singular = next((form for form in endings if form in entities), None)
        if singular and not _NEVER_PLURAL & entities[singular].kinds.keys():
            singulars[name] = singular
    return singulars


def _aliases(pairs: Iterable[tuple[str, str]], known: Iterable[str]) -> dict[str, str]:
    """Map short names to long names.

    A short name with several long names is skipped. So is a pair whose two names have different digits.
    """
    there = set(known)
    longs: dict[str, set[str]] = defaultdict(set)
    for short, long in pairs:
        if short in there and long in there and short != long:
            longs[short].add(long)
    singles = {short: next(iter(names)) for short, names in sorted(longs.items()) if len(names) == 1}
    return {short: long for short, long in singles.items() if re.findall(r"\d+", short) == re.findall(r"\d+", long)}


def _united(entities: Mapping[str, _Named], same: Mapping[str, str]) -> dict[str, _Named]:
    united: dict[str, _Named] = {}
    for name, entity in entities.items():
        united.setdefault(_root(name, same), _Named()).absorb(entity)
    return united


def _root(name: str, same: Mapping[str, str]) -> str:
    """Return the last name in the chain of aliases from `name`. In a cycle, it is the alphabetically first name."""
    seen = [name]
    while (name := same.get(name, name)) not in seen:
        seen.append(name)
    return min(seen[seen.index(name) :])


def _kind(thing: _Named) -> str:
    return min(thing.kinds, key=lambda kind: (-thing.kinds[kind], RANK.index(kind)))


def _add(graph: KnowledgeGraph, name: str, thing: _Named) -> None:
    forms = sorted(thing.surfaces, key=lambda form: (-thing.surfaces[form], form))
    kind = _kind(thing)
    entity_id = "e-" + digest("entity", name)[:16]
    graph.add_entity(Entity(entity_id=entity_id, name=forms[0], kind=kind, surface_forms=tuple(forms)))
    for chunk_id, places in thing.places.items():
        spans = sorted({(start, end) for start, end, _ in places})
        shared = tuple(sorted({surface for _, _, surface in places}))
        edge = Relationship(
            source_id=chunk_id, target_id=entity_id, kind="mentions", weight=float(len(spans)), shared=shared
        )
        graph.relate(edge, spans)
