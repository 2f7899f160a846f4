"""The knowledge graph as one HTML file that works offline, for searching and browsing."""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

from markupsafe import Markup

from synth.core.jsonl import dumps
from synth.core.records import Chunk, Document, Entity, Sample
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import MENTIONS
from synth.corpus.themes import IN_THEME, THEME, themes_of
from synth.evaluation.report.page import render
from synth.text.normalise import LONE_SURROGATE, to_simplified

MOST_NODES = 8_000
_MOST_SPANS = 3  # maximum number of spans quoted for an edge
_MOST_THEMES, _LINKS = 60, 2  # maximum number of themes drawn, and of links from each theme to other themes
_MARKS = re.compile(r"^(?:#{1,6}[ \t].*$|[-*+>][ \t]+)", re.MULTILINE)  # headings, list items, quotations
_LONG = 60  # maximum number of characters of a label made from a passage's first words
_SHOWN_VALUES = ("category", "key_phrases", "gist", "summary", "language")


def graph_html(graph: KnowledgeGraph, title: str, most: int = MOST_NODES, rows: Sequence[Sample] = ()) -> str:
    """Return a page that shows a graph: one file in English and Chinese that needs no network.

    The page opens with themes. Documents, passages and entities appear when the reader zooms in, selects or finds a
    node beside them, or asks for them. Each of `rows` is a node with the path through the passages of its evidence.

    `most` limits the number of documents, passages and entities. Of a larger graph, the page shows the first documents
    with all their passages, then the most mentioned entities. The page states how many nodes are left out.

    Texts are embedded as data and shown as text only. A content security policy allows no script but the page's own.
    """
    return render(
        "graph_view.html",
        style="graph_view.css",
        script="graph_view.js",
        title=title,
        data=_embedded(_data(graph, title, most, rows)),
    )


def _embedded(value: Any) -> Markup:
    """Return JSON that is safe inside a script element: it can neither end the element nor open a comment."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return Markup(LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text))


def _data(graph: KnowledgeGraph, title: str, most: int, rows: Sequence[Sample]) -> dict[str, Any]:
    shown = _shown(graph, most)
    drawn = _Map(graph, shown)
    entities = sum(entity.kind != THEME for entity in graph.entities())
    left_out = len(list(graph.documents())) + len(list(graph.chunks())) + entities - len(shown)
    drawn.add_relationships(shown)
    drawn.add_themes()
    for row in rows:
        drawn.add_row(row)
    return {
        "title": title,
        "left_out": left_out,
        "nodes": drawn.nodes,
        "edges": drawn.edges,
        "edgeKinds": list(drawn.kinds),
        "simplified": _variants(drawn.nodes),
    }


def _shown(graph: KnowledgeGraph, most: int) -> dict[str, Document | Chunk | Entity]:
    """Return the nodes of the page by id: all nodes, or as many as fit."""
    shown: dict[str, Document | Chunk | Entity] = {}
    room = max(2, most * 3 // 5)
    for document in graph.documents():
        chunks = graph.chunks_of(document.doc_id)
        if shown and len(shown) + 1 + len(chunks) > room and len(graph) > most:
            continue
        shown[document.doc_id] = document
        shown.update((chunk.chunk_id, chunk) for chunk in chunks[:most])
    mentions = Counter(
        edge.target_id for edge in graph.relationships("mentions") if edge.source_id in shown or len(graph) <= most
    )
    entities = [entity for entity in graph.entities() if entity.kind != THEME]
    if len(shown) + len(entities) > most:
        ranked = sorted(entities, key=lambda e: (-mentions[e.entity_id], e.name, e.entity_id))
        entities = ranked[: max(0, most - len(shown))]
    shown.update((entity.entity_id, entity) for entity in entities)
    return shown


class _Map:
    """Nodes and edges in the format that the page reads."""

    def __init__(self, graph: KnowledgeGraph, shown: Mapping[str, Document | Chunk | Entity]) -> None:
        self._graph = graph
        self._number = {node: n for n, node in enumerate(shown)}
        self._units = {d.doc_id: _Units(d.text) for d in graph.documents() if d.doc_id in self._number}
        self.nodes = [_node(graph, record, self._number, self._units) for record in shown.values()]
        self.edges: list[list[Any]] = []
        self.kinds: dict[str, int] = {}

    def _join(
        self, kind: str, ends: tuple[int, int], weight: float, shared: Sequence[str] = (), spans: Sequence[Any] = ()
    ) -> None:
        """Add an edge with the values `shared` by both ends and the `spans` in the source text that prove it."""
        number = self.kinds.setdefault(kind, len(self.kinds))
        self.edges.append([number, *ends, weight, list(shared), list(spans)])

    def add_relationships(self, shown: Mapping[str, Document | Chunk | Entity]) -> None:
        """Add the edges of the graph between nodes of the page."""
        for edge in self._graph.relationships():
            if edge.source_id not in self._number or edge.target_id not in self._number:
                continue
            spans: list[list[int]] = []
            source = shown[edge.source_id]
            if isinstance(source, Chunk | Document):
                places = self._graph.spans(edge.source_id, edge.target_id, edge.kind)[:_MOST_SPANS]
                spans = [self._units[source.doc_id].span(*place) for place in places]
            ends = (self._number[edge.source_id], self._number[edge.target_id])
            self._join(edge.kind, ends, round(edge.weight, 4), edge.shared, spans)

    def add_themes(self) -> None:
        """Add the largest themes with their passages and documents, and link each to its most similar themes."""
        passages = [node for node, number in self._number.items() if self.nodes[number]["kind"] == "chunk"]
        documents: dict[int, Counter[int]] = {}
        for theme in themes_of(self._graph, passages)[:_MOST_THEMES]:
            places = [self._number[chunk_id] for chunk_id in theme.passages]
            own = documents[len(self.nodes)] = Counter(self.nodes[place]["of"] for place in places)
            for member, weight in [*((place, 1) for place in places), *own.items()]:
                self._join(IN_THEME, (member, len(self.nodes)), weight)
            self.nodes.append({"kind": "theme", "label": theme.name, "gist": theme.gist})
        links: dict[int, Counter[int]] = {theme: Counter() for theme in documents}
        for one, other in combinations(documents, 2):
            if shared := (documents[one] & documents[other]).total():
                links[one][other] = links[other][one] = shared
        strongest = {(min(one, other), max(one, other)) for one in links for other, _ in links[one].most_common(_LINKS)}
        for one, other in sorted(strongest):
            common = documents[one] & documents[other]
            titles = [self.nodes[document]["label"] for document in common]
            self._join("shares", (one, other), common.total(), titles)

    def add_row(self, row: Sample) -> None:
        """Add a row of a set with its passages and its path. A row without a passage on the page is skipped."""
        passages = list(dict.fromkeys(piece.chunk_id for piece in row.evidence if piece.chunk_id in self._number))
        if not passages:
            return
        for chunk_id in passages:
            pieces = [piece for piece in row.evidence if piece.chunk_id == chunk_id]
            spans = [self._units[piece.doc_id].span(piece.start, piece.end) for piece in pieces[:_MOST_SPANS]]
            self._join("proves", (self._number[chunk_id], len(self.nodes)), 1, (), spans)
        path = [self._number[node] for node in self._path(row, passages)]
        answers = list(row.golden_answers)
        self.nodes.append({"kind": "row", "label": row.question, "id": row.id, "answers": answers, "path": path})

    def _path(self, row: Sample, passages: Sequence[str]) -> list[str]:
        """Return the passages in order, and between each two passages an entity that both mention, if there is one.

        Entities that the row's metadata names in `path` are preferred, then the entity that the fewest passages
        mention.
        """
        graph, said = self._graph, dumps(row.metadata.get("path", []))
        path = list(passages[:1])
        for before, after in pairwise(passages):
            named = {*graph.targets(before, MENTIONS)} & {*graph.targets(after, MENTIONS)} & self._number.keys()
            ranked = sorted(
                named, key=lambda name: (graph.entity(name).name not in said, len(graph.sources(name, MENTIONS)), name)
            )
            path += [*ranked[:1], after]
        return path


class _Units:
    """Conversion of character offsets to UTF-16 offsets, as browsers count."""

    def __init__(self, text: str) -> None:
        wide = not text.isascii() and max(text) > "\uffff"
        self._wide = [n for n, char in enumerate(text) if char > "\uffff"] if wide else []

    def span(self, start: int, end: int) -> list[int]:
        return [place + bisect_left(self._wide, place) for place in (start, end)]


def _node(
    graph: KnowledgeGraph, record: Document | Chunk | Entity, number: dict[str, int], units: dict[str, _Units]
) -> dict[str, Any]:
    if isinstance(record, Entity):
        return {"kind": "entity", "label": record.name, "is": record.kind, "forms": list(record.surface_forms)}
    if isinstance(record, Document):
        values = graph.values(record.doc_id)
        about = {"id": record.doc_id, "source": record.source, "text": record.text}
        return {"kind": "document", "label": record.title or record.doc_id, **about, **_known(values)}
    start, end = units[record.doc_id].span(record.start, record.end)
    place = {"of": number[record.doc_id], "start": start, "end": end, "headings": list(record.headings)}
    return {
        "kind": "chunk",
        "label": _label(record, graph.document(record.doc_id).title),
        "id": record.chunk_id,
        **place,
        **_known(graph.values(record.chunk_id)),
        **_stated(graph, record.chunk_id),
    }


def _stated(graph: KnowledgeGraph, chunk_id: str) -> dict[str, Any]:
    """Return the statements of a passage, each with its kind and subject."""
    stated = [graph.statement(name) for name in graph.targets(chunk_id, "states")]
    return {"statements": [f"{one.kind} · {one.subject}: {one.text}" for one in stated]} if stated else {}


def _label(chunk: Chunk, title: str) -> str:
    """Return the headings of a passage without the title, or its first words if there are none."""
    headings = " › ".join(heading for heading in chunk.headings[-2:] if heading != title)
    words = " ".join(_MARKS.sub("", chunk.text).split()) or " ".join(chunk.text.split())
    if len(words) > _LONG:
        words = re.sub(r"\s\S{0,15}$", "", words[:_LONG]) + "…"
    return headings or words


def _known(values: dict[str, Any]) -> dict[str, Any]:
    shown = {name: values[name] for name in _SHOWN_VALUES if values.get(name)}
    if isinstance(shown.get("summary"), dict):
        shown["summary"] = shown["summary"].get("text", "")
    return shown


def _variants(nodes: list[dict[str, Any]]) -> list[str]:
    """Return the traditional characters in the texts and their simplified forms, so that a search finds both."""
    met = {char for node in nodes for char in node.get("text", "") + node["label"] if "\u3400" <= char <= "\u9fff"}
    pairs = [(char, to_simplified(char)) for char in sorted(met)]
    # Only pairs of equal length, so that positions in the folded text are positions in the original.
    pairs = [(a, b) for a, b in pairs if a != b and len(b) == 1 and b <= "\uffff"]
    return ["".join(a for a, _ in pairs), "".join(b for _, b in pairs)]
