"""Themes: groups of passages that mention the same entities, added to the knowledge graph as nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from synth.core.records import Entity, Relationship, digest
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import GIST, MENTIONS, RELATES
from synth.text.tokens import content_words

THEME, IN_THEME = "theme", "in_theme"
"""Kind of an entity node that represents a theme, and kind of the edge from a passage to its theme."""

_FEWEST = 2  # minimum passages in a theme
_SAME_DOCUMENT = 0.5  # weight of the edge between a passage and its document; an edge to an entity weighs 1
_LONGEST = 400  # maximum characters of a theme's gist
_PHRASES, _TITLES = 5, 3  # numbers of phrases and titles in a gist that no model wrote


@dataclass(frozen=True, slots=True)
class Theme:
    """Name, short description (`gist`) and passage ids of a theme."""

    name: str
    gist: str
    passages: tuple[str, ...]


def themes_of(graph: KnowledgeGraph, passages: Sequence[str], seed: int = 0) -> list[Theme]:
    """Return the themes of `passages`, largest first.

    Themes that are nodes of the graph keep their gist. Louvain clustering groups the remaining passages by shared
    entities, topics and documents. Such a group is named after a frequent, distinctive entity or topic, or after a
    document. The gist of the group joins the gists of its passages. If the passages have none, it joins their common
    key phrases and titles.
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
    """Yield the names of the entities that a passage mentions, and its topic."""
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
    """Return a name that is frequent in these passages and rare elsewhere.

    The name must occur in at least two of the passages; otherwise the title of their most frequent document is used.
    Names that occur in a document title count twice. Names in `taken` are avoided.
    """
    own = Counter(name for chunk_id in passages for name in {*names[chunk_id]} if content_words(name))
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
    """Join gists up to the length limit; the first gist is always included."""
    text = ""
    for gist in gists:
        if text and len(text) + len(gist) > _LONGEST:
            break
        text = f"{text} {gist}".strip()
    return text


def add_themes(graph: KnowledgeGraph, seed: int = 0) -> int:
    """Add the themes of the passages with notes to the graph and return the number of themes.

    Themes are Louvain communities (Blondel et al., arXiv 0803.0476) over passages, the entities that passages mention
    and the relations between entities. A theme is named after the entity that most of its passages mention. The gist of
    a theme joins the gists of its passages. Existing themes stay unchanged. Without notes the number is 0.
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
    """Return the name of the theme of a passage, or "" if it belongs to no theme."""
    names = graph.targets(chunk_id, IN_THEME) if chunk_id in graph else []
    return graph.entity(names[0]).name if names else ""


def _name(graph: KnowledgeGraph, passages: Sequence[str]) -> str:
    """Return the name of the entity that most passages mention; "" if no two passages mention the same entity.

    Function words do not count, such as the first word of a sentence that a model took for a name.
    """
    mentions = (entity_id for chunk_id in passages for entity_id in graph.targets(chunk_id, MENTIONS))
    named = Counter(entity_id for entity_id in mentions if content_words(graph.entity(entity_id).name))
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
