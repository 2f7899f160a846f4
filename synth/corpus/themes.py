"""Themes of what was read: communities of passages that name the same things, as nodes of the knowledge graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from synth.core.records import Entity, Relationship, digest
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import GIST, MENTIONS, RELATES

THEME, IN_THEME = "theme", "in_theme"
"""Kind of an entity that stands for a theme, and of the edge from a passage to it."""

_FEWEST = 2  # passages of a theme
_SAME_DOCUMENT = 0.5  # weight of the edge between a passage and its document; one to an entity has 1
_LONGEST = 400  # characters of the gist of a theme
_PHRASES, _TITLES = 5, 3  # of a gist that is made without a model


@dataclass(frozen=True, slots=True)
class Theme:
    """A name, what its passages say in a few words, and the passages by id."""

    name: str
    gist: str
    passages: tuple[str, ...]


def themes_of(graph: KnowledgeGraph, passages: Sequence[str], seed: int = 0) -> list[Theme]:
    """The themes of some passages of a graph, those of the most passages first.

    Themes that notes gave the graph come with their gists. The other passages are parted in the same way, over the
    entities that they name, their topics and their documents. Such a theme is named after what tells it from the rest,
    an entity, a topic or a document, and its gist has the key phrases and titles that most of its passages share.
    """
    wanted = {*passages}
    themes = [
        Theme(entity.name, str(graph.value(entity.entity_id, GIST) or ""), members)
        for entity in graph.entities()
        if entity.kind == THEME
        and (members := tuple(name for name in graph.sources(entity.entity_id, IN_THEME) if name in wanted))
    ]
    grouped = {chunk_id for theme in themes for chunk_id in theme.passages}
    rest = [chunk_id for chunk_id in passages if chunk_id not in grouped]
    names = {chunk_id: list(_names_of(graph, chunk_id)) for chunk_id in rest}
    edges = {(chunk_id, name): 1.0 for chunk_id, some in names.items() for name in some}
    documents = Counter(graph.chunk(chunk_id).doc_id for chunk_id in rest)
    for chunk_id in rest:
        doc_id = graph.chunk(chunk_id).doc_id
        if documents[doc_id] > 1 or not names[chunk_id]:
            edges[chunk_id, doc_id] = _SAME_DOCUMENT
    total = Counter(name for some in names.values() for name in some)
    taken = {theme.name for theme in themes}
    for community in graph.communities(edges, seed):
        own = [chunk_id for chunk_id in rest if chunk_id in community]
        if own:
            name = _telling_name(graph, own, names, total, taken)
            taken.add(name)
            themes.append(Theme(name, _gist_without_model(graph, own), tuple(own)))
    return sorted(themes, key=lambda theme: (-len(theme.passages), theme.name))


def _names_of(graph: KnowledgeGraph, chunk_id: str) -> Iterator[str]:
    """The names that join a passage to others: of the entities that it names, and of its topic."""
    for entity_id in graph.targets(chunk_id, MENTIONS):
        yield graph.entity(entity_id).name
    if topic := graph.value(chunk_id, "category"):
        yield str(topic)


def _telling_name(
    graph: KnowledgeGraph,
    passages: Sequence[str],
    names: Mapping[str, Sequence[str]],
    total: Mapping[str, int],
    taken: set[str],
) -> str:
    """The name that many of some passages have and few others, if two have it; else the title of their document.

    A name that a title of their documents has counts twice.
    """
    own = Counter(name for chunk_id in passages for name in {*names[chunk_id]})
    titles = _titles(graph, passages)
    title, titled = titles[0], "\n".join(titles).casefold()
    ranked = sorted(own, key=lambda name: (-(own[name] ** 2) * (1 + (name.casefold() in titled)) / total[name], name))
    candidates = [*(name for name in ranked if own[name] > 1), title, *ranked]
    return next((name for name in candidates if name not in taken), title)


def _titles(graph: KnowledgeGraph, passages: Sequence[str]) -> list[str]:
    documents = Counter(graph.chunk(chunk_id).doc_id for chunk_id in passages)
    return [graph.document(doc_id).title or doc_id for doc_id, _ in documents.most_common(_TITLES)]


def _gist_without_model(graph: KnowledgeGraph, passages: Sequence[str]) -> str:
    gists = list(dict.fromkeys(str(gist) for chunk_id in passages if (gist := graph.value(chunk_id, GIST))))
    if gists:
        return _joined(gists)
    phrases = Counter(phrase for chunk_id in passages for phrase in graph.value(chunk_id, "key_phrases") or ())
    shown = [", ".join(str(phrase) for phrase, _ in phrases.most_common(_PHRASES)), ", ".join(_titles(graph, passages))]
    return " · ".join(filter(None, shown))


def _joined(gists: Sequence[str]) -> str:
    """As many gists as fit, the first in any case."""
    text = ""
    for gist in gists:
        if text and len(text) + len(gist) > _LONGEST:
            break
        text = f"{text} {gist}".strip()
    return text


def add_themes(graph: KnowledgeGraph, seed: int = 0) -> int:
    """Add the themes of the passages that were read to their graph, and return how many there are.

    Communities are those of Louvain (Blondel et al., arXiv 0803.0476) over passages, the entities that they name and
    the relations between these. A theme is named after the entity that most of its passages name, and its gist is made
    of theirs. A graph without notes has none, and themes that it has already change nothing.
    """
    passages = [chunk.chunk_id for chunk in graph.chunks() if graph.value(chunk.chunk_id, GIST)]
    edges: dict[tuple[str, str], float] = {}
    for chunk_id in passages:
        edges[chunk_id, graph.chunk(chunk_id).doc_id] = _SAME_DOCUMENT
        edges |= {(chunk_id, entity_id): 1.0 for entity_id in graph.targets(chunk_id, MENTIONS)}
    for relation in graph.relationships(RELATES):
        edges[relation.source_id, relation.target_id] = 1.0
    count = 0
    for community in graph.communities(edges, seed):
        own = [chunk_id for chunk_id in passages if chunk_id in community]
        if len(own) >= _FEWEST and (name := _name(graph, own)):
            _add(graph, name, own)
            count += 1
    return count


def theme_of(graph: KnowledgeGraph, chunk_id: str) -> str:
    """The name of the theme of a passage, or ""."""
    names = graph.targets(chunk_id, IN_THEME) if chunk_id in graph else []
    return graph.entity(names[0]).name if names else ""


def _name(graph: KnowledgeGraph, passages: Sequence[str]) -> str:
    """The entity that most of some passages name, if at least two do; "" without one."""
    named = Counter(entity_id for chunk_id in passages for entity_id in graph.targets(chunk_id, MENTIONS))
    best = max(named, key=lambda entity_id: (named[entity_id], entity_id), default="")
    return graph.entity(best).name if best and named[best] > 1 else ""


def _add(graph: KnowledgeGraph, name: str, passages: Sequence[str]) -> None:
    theme_id = "t-" + digest(THEME, *passages)[:16]
    if theme_id in graph:
        return
    graph.add_entity(Entity(entity_id=theme_id, name=name, kind=THEME, surface_forms=(name,)))
    gists = dict.fromkeys(str(graph.value(chunk_id, GIST)) for chunk_id in passages)
    graph.assign(theme_id, GIST, _joined(list(gists)))
    for chunk_id in passages:
        graph.relate(Relationship(source_id=chunk_id, target_id=theme_id, kind=IN_THEME))
