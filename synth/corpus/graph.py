"""Knowledge graph of the documents that were read: documents, chunks, entities and statements."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import chain
from statistics import median
from typing import Any

import networkx as nx

from synth.core.errors import InputError
from synth.core.gc_pause import no_collection
from synth.core.records import Chunk, Document, Entity, Relationship, Statement

FORMAT = 4
Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A place where a chunk names an entity: characters start:end of the document's text."""

    entity_id: str
    chunk_id: str
    doc_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Place:
    """Place of a chunk in its document. The text of the chunk is read from the document."""

    doc_id: str
    start: int
    end: int
    headings: tuple[str, ...]


class KnowledgeGraph:
    """The documents that were read, their chunks, entities and statements, and the edges between these nodes.

    Edges have a kind ("contains", "next", "mentions", "states", "about", "relates", …). From one node to another there
    is at most one edge of each kind. Nodes and neighbours are listed in the order in which nodes were added. The order
    in which edges were added has no effect.
    """

    def __init__(self) -> None:
        self._graph: nx.MultiDiGraph = nx.MultiDiGraph()
        self._kinds: dict[str, list[str]] = {}
        self._chunks_of: dict[str, list[str]] = {}

    # Adding

    def add_document(self, document: Document) -> None:
        """Add a document node. Raise InputError if the id is taken."""
        self._add(document.doc_id, "document", document)
        self._chunks_of[document.doc_id] = []

    def add_chunk(self, chunk: Chunk) -> None:
        """Add a chunk, a "contains" edge from its document and a "next" edge from the preceding chunk.

        Chunks of a document must be added in order of their start. Raise InputError if they are not, if the document is
        missing or if the id is taken. Raise it also if the document's text at start:end differs from the chunk's text.
        """
        document = self.document(chunk.doc_id)
        if document.text[chunk.start : chunk.end] != chunk.text:
            raise InputError(
                f"chunk {chunk.chunk_id!r} is not the text of {chunk.doc_id!r} at {chunk.start}:{chunk.end}; "
                "chunk the document again"
            )
        self._add_place(chunk.chunk_id, _Place(chunk.doc_id, chunk.start, chunk.end, chunk.headings))

    def add_entity(self, entity: Entity) -> None:
        """Add an entity node. Raise InputError if the id is taken."""
        self._add(entity.entity_id, "entity", entity)

    def add_statement(self, statement: Statement) -> None:
        """Add a statement node and a "states" edge from its chunk.

        Raise InputError if the id is taken or the graph lacks the chunk.
        """
        self._record(statement.chunk_id, "chunk")
        self._add(statement.statement_id, "statement", statement)
        self._graph.add_edge(
            statement.chunk_id,
            statement.statement_id,
            key="states",
            weight=1.0,
            shared=(),
            spans=statement.spans,
        )

    def relate(self, relationship: Relationship, spans: Sequence[Span] = ()) -> None:
        """Add an edge, or replace the edge of the same kind between the same nodes.

        `spans` are the offsets of the text that states the edge, in the document of its source node. Raise InputError
        if one of the nodes is missing.
        """
        self._node(relationship.source_id)
        self._node(relationship.target_id)
        self._graph.add_edge(
            relationship.source_id,
            relationship.target_id,
            key=relationship.kind,
            weight=relationship.weight,
            shared=relationship.shared,
            spans=tuple(spans),
        )

    def assign(self, node_id: str, name: str, value: Any) -> None:
        """Set the attribute `name` of a node to a JSON value. Raise InputError for an unknown node."""
        self._node(node_id).setdefault("values", {})[name] = value

    def value(self, node_id: str, name: str) -> Any:
        """Return the attribute `name` of a node, or None if it is not set. Raise InputError for an unknown node."""
        return self._node(node_id).get("values", {}).get(name)

    def values(self, node_id: str) -> dict[str, Any]:
        """Return all attributes of a node, by name. Raise InputError for an unknown node."""
        return dict(self._node(node_id).get("values", {}))

    def copy(self) -> KnowledgeGraph:
        """Return a copy of the graph that can be extended independently."""
        copied = KnowledgeGraph()
        copied._graph = self._graph.copy()
        copied._kinds = {kind: [*ids] for kind, ids in self._kinds.items()}
        copied._chunks_of = {doc_id: [*ids] for doc_id, ids in self._chunks_of.items()}
        for _, data in copied._graph.nodes(data=True):
            if "values" in data:
                data["values"] = {**data["values"]}
        return copied

    # Nodes

    def __contains__(self, node_id: str) -> bool:
        return node_id in self._graph

    def __len__(self) -> int:
        return len(self._graph)

    @property
    def doc_ids(self) -> list[str]:
        """Ids of the documents."""
        return [*self._ids("document")]

    def documents(self) -> Iterator[Document]:
        """Iterate over the documents in the order in which they were added."""
        return (self._node(doc_id)["record"] for doc_id in self._ids("document"))

    def document(self, doc_id: str) -> Document:
        """Return the document with this id. Raise InputError if there is none."""
        document: Document = self._record(doc_id, "document")
        return document

    def chunks(self) -> Iterator[Chunk]:
        """Iterate over the chunks in the order in which they were added."""
        return (self.chunk(chunk_id) for chunk_id in self._ids("chunk"))

    def chunk(self, chunk_id: str) -> Chunk:
        """Return the chunk with this id. Raise InputError if there is none."""
        place: _Place = self._record(chunk_id, "chunk")
        text = self.document(place.doc_id).text[place.start : place.end]
        return Chunk(
            chunk_id=chunk_id,
            doc_id=place.doc_id,
            start=place.start,
            end=place.end,
            text=text,
            headings=place.headings,
        )

    def chunks_of(self, doc_id: str) -> list[Chunk]:
        """Return the chunks of a document in order of the text. Raise InputError for an unknown document."""
        self.document(doc_id)
        return [self.chunk(chunk_id) for chunk_id in self._chunks_of[doc_id]]

    def chunk_at(self, doc_id: str, start: int, end: int | None = None) -> Chunk | None:
        """Return the first chunk that contains characters `start:end` of a document, or None if no chunk does.

        Without `end`, only character `start` must lie in the chunk. Raise InputError for an unknown document.
        """
        self.document(doc_id)
        stop = start + 1 if end is None else end
        ids = self._chunks_of[doc_id]
        last = bisect_right(ids, start, key=lambda chunk_id: self._record(chunk_id, "chunk").start)
        covering = None
        for chunk_id in reversed(ids[:last]):
            place = self._record(chunk_id, "chunk")
            if place.end >= stop:
                covering = chunk_id
            elif place.end <= start:
                break
        return None if covering is None else self.chunk(covering)

    def entities(self) -> Iterator[Entity]:
        """Iterate over the entities in the order in which they were added."""
        return (self._node(entity_id)["record"] for entity_id in self._ids("entity"))

    def entity(self, entity_id: str) -> Entity:
        """Return the entity with this id. Raise InputError if there is none."""
        entity: Entity = self._record(entity_id, "entity")
        return entity

    def entities_of(self, chunk_id: str) -> list[Entity]:
        """Return the entities that a chunk mentions; an empty list if the graph lacks the chunk."""
        if chunk_id not in self:
            return []
        self._record(chunk_id, "chunk")
        return [self.entity(node) for node in self.targets(chunk_id, "mentions")]

    def mentions_of(self, entity_id: str) -> list[Mention]:
        """Return every mention of an entity, by chunk, then by position. Raise InputError for an unknown entity."""
        self._record(entity_id, "entity")
        return [
            Mention(
                entity_id=entity_id,
                chunk_id=chunk_id,
                doc_id=self._record(chunk_id, "chunk").doc_id,
                start=start,
                end=end,
            )
            for chunk_id in self.sources(entity_id, "mentions")
            for start, end in self.spans(chunk_id, entity_id, "mentions")
        ]

    def statements(self) -> Iterator[Statement]:
        """Iterate over the statements in the order in which they were added."""
        return (self._node(statement_id)["record"] for statement_id in self._ids("statement"))

    def statement(self, statement_id: str) -> Statement:
        """Return the statement with this id. Raise InputError if there is none."""
        statement: Statement = self._record(statement_id, "statement")
        return statement

    # Edges

    def relationships(self, kind: str | None = None) -> Iterator[Relationship]:
        """Iterate over all edges, or the edges of one kind, by source and then by target."""
        for source in self._graph:
            for target in self._ordered(self._graph.succ[source]):
                for edge_kind in sorted(self._graph.succ[source][target]):
                    if kind is None or edge_kind == kind:
                        yield self._relationship(source, target, edge_kind)

    def relationships_from(self, node_id: str, kind: str) -> list[Relationship]:
        """Return the edges of a kind that start at a node, by target. Raise InputError for an unknown node."""
        return [self._relationship(node_id, target, kind) for target in self.targets(node_id, kind)]

    def spans(self, source_id: str, target_id: str, kind: str) -> tuple[Span, ...]:
        """Return the offsets of the text that states an edge; an empty tuple if the graph lacks the edge."""
        if not self._has(source_id, target_id, kind):
            return ()
        spans: tuple[Span, ...] = self._graph.edges[source_id, target_id, kind]["spans"]
        return spans

    def targets(self, node_id: str, kind: str) -> list[str]:
        """Return ids of the successors of a node along edges of a kind. Raise InputError for an unknown node."""
        self._node(node_id)
        return self._ordered(n for n, edges in self._graph.succ[node_id].items() if kind in edges)

    def sources(self, node_id: str, kind: str) -> list[str]:
        """Return ids of the predecessors of a node along edges of a kind. Raise InputError for an unknown node."""
        self._node(node_id)
        return self._ordered(n for n, edges in self._graph.pred[node_id].items() if kind in edges)

    def neighbours(self, node_id: str, kind: str) -> list[str]:
        """Return ids of the successors and predecessors of a node along edges of a kind.

        Raise InputError for an unknown node.
        """
        return self._ordered({*self.targets(node_id, kind), *self.sources(node_id, kind)})

    @staticmethod
    def communities(edges: Mapping[tuple[str, str], float], seed: int) -> list[set[str]]:
        """Return the Louvain communities of nodes connected by weighted edges, largest first.

        `edges` maps pairs of node ids to weights.
        """
        joined = nx.Graph()
        joined.add_weighted_edges_from((one, other, weight) for (one, other), weight in sorted(edges.items()))
        parts = nx.community.louvain_communities(joined, seed=seed) if joined else []
        return sorted(map(set, parts), key=lambda part: (-len(part), min(part)))

    # Figures

    def stats(self) -> dict[str, Any]:
        """Return counts of nodes and edges by kind, languages, degrees, components and isolates.

        "languages" counts documents by language. "isolates" counts chunks whose only edges lead to their document and
        to the chunks before and after them.
        """
        edges = Counter(kind for _, _, kind in self._graph.edges(keys=True))
        languages = Counter(str(self.value(doc_id, "language") or "unknown") for doc_id in self._ids("document"))
        sizes = sorted((len(part) for part in nx.weakly_connected_components(self._graph)), reverse=True)
        return {
            "nodes": {kind: len(ids) for kind, ids in sorted(self._kinds.items())},
            "edges": dict(sorted(edges.items())),
            "languages": dict(sorted(languages.items())),
            "degree": {kind: self._degrees(ids) for kind, ids in sorted(self._kinds.items())},
            "components": {"count": len(sizes), "largest": sizes[0] if sizes else 0},
            "isolates": sum(not self._is_joined(chunk_id) for chunk_id in self._ids("chunk")),
        }

    def _degrees(self, ids: Sequence[str]) -> dict[str, float]:
        degrees = [int(self._graph.degree(node)) for node in ids]
        return {"mean": round(sum(degrees) / len(degrees), 2), "median": median(degrees), "max": max(degrees)}

    def _is_joined(self, chunk_id: str) -> bool:
        both = (self._graph.succ[chunk_id], self._graph.pred[chunk_id])
        return any(edges.keys() - {"contains", "next", "states"} for side in both for edges in side.values())

    # Storing

    def to_bytes(self) -> bytes:
        """Return the graph as JSON lines: a header, the nodes, then the edges of each node.

        Edges refer to nodes by number.
        """
        lines: list[Any] = [{"synth_graph": FORMAT, "nodes": len(self._graph)}]
        number = {node: n for n, node in enumerate(self._graph)}
        for node, data in self._graph.nodes.items():
            lines.append([data["kind"], node, _packed(data["record"]), data.get("values", {})])
        for source, targets in self._graph.succ.items():
            edges = [
                [kind, number[target], data["weight"], data["shared"], [*chain.from_iterable(data["spans"])]]
                for target in self._ordered(targets)
                for kind, data in sorted(targets[target].items())
                if kind not in ("contains", "next")
            ]
            if edges:
                lines.append([number[source], edges])
        return "\n".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) for line in lines).encode(
            "utf-8", "surrogatepass"
        )

    @classmethod
    def from_bytes(cls, packed: bytes) -> KnowledgeGraph:
        """Return the graph that `to_bytes` wrote. Raise InputError if the data has another format."""
        with no_collection():
            return cls._unpacked(packed)

    @classmethod
    def _unpacked(cls, packed: bytes) -> KnowledgeGraph:
        lines = iter(packed.decode("utf-8", "surrogatepass").split("\n"))
        head = json.loads(next(lines))
        if not isinstance(head, dict) or head.get("synth_graph") != FORMAT:
            raise InputError(f"the data is not a graph of format {FORMAT}; build the graph again")
        graph = cls()
        for _ in range(head["nodes"]):
            graph._unpack_node(*json.loads(next(lines)))
        names = list(graph._graph)
        for line in lines:
            source, edges = json.loads(line)
            graph._graph.add_edges_from(_edge(names[source], names, edge) for edge in edges)
        return graph

    def _unpack_node(self, kind: str, node: str, fields: Any, values: dict[str, Any]) -> None:
        if kind == "chunk":
            doc_id, start, end, headings = fields
            self._add_place(node, _Place(doc_id, start, end, tuple(headings)))
        elif kind == "document":
            self.add_document(Document(**fields))
        elif kind == "entity":
            self.add_entity(Entity(**{**fields, "surface_forms": tuple(fields["surface_forms"])}))
        elif kind == "statement":
            spans = tuple((start, end) for start, end in fields["spans"])
            self._add(node, kind, Statement(**{**fields, "spans": spans}))
        for name, value in values.items():
            self.assign(node, name, value)

    # Internals

    def _add(self, node_id: str, kind: str, record: Any) -> None:
        if node_id in self._graph:
            raise InputError(
                f"{kind} {node_id!r} cannot be added: the graph has a {self._node(node_id)['kind']} of this id; "
                "use an id that is not taken"
            )
        self._graph.add_node(node_id, kind=kind, record=record, at=len(self._graph))
        self._kinds.setdefault(kind, []).append(node_id)

    def _add_place(self, chunk_id: str, place: _Place) -> None:
        earlier = self._chunks_of[place.doc_id]
        if earlier and self._record(earlier[-1], "chunk").start > place.start:
            raise InputError(
                f"chunk {chunk_id!r} starts before the last added chunk; add chunks in order of their start"
            )
        self._add(chunk_id, "chunk", place)
        self._graph.add_edge(place.doc_id, chunk_id, key="contains", weight=1.0, shared=(), spans=())
        if earlier:
            self._graph.add_edge(earlier[-1], chunk_id, key="next", weight=1.0, shared=(), spans=())
        earlier.append(chunk_id)

    def _node(self, node_id: str) -> dict[str, Any]:
        try:
            data: dict[str, Any] = self._graph.nodes[node_id]
        except KeyError:
            raise InputError(
                f"the graph has no node {node_id!r}; build the graph again from the current documents"
            ) from None
        return data

    def _record(self, node_id: str, kind: str) -> Any:
        data = self._node(node_id)
        if data["kind"] != kind:
            raise InputError(f"node {node_id!r} of the graph has kind {data['kind']}; pass the id of a {kind}")
        return data["record"]

    def _ids(self, kind: str) -> Sequence[str]:
        return self._kinds.get(kind, ())

    def _has(self, source_id: str, target_id: str, kind: str) -> bool:
        return bool(self._graph.has_edge(source_id, target_id, kind))

    def _relationship(self, source_id: str, target_id: str, kind: str) -> Relationship:
        data = self._graph.edges[source_id, target_id, kind]
        return Relationship(
            source_id=source_id, target_id=target_id, kind=kind, weight=data["weight"], shared=data["shared"]
        )

    def _ordered(self, nodes: Iterable[str]) -> list[str]:
        return sorted(nodes, key=lambda node: int(self._graph.nodes[node]["at"]))


def _packed(record: Document | Entity | Statement | _Place) -> Any:
    if isinstance(record, _Place):
        return [record.doc_id, record.start, record.end, record.headings]
    if isinstance(record, Document):
        fields = {name: getattr(record, name) for name in ("doc_id", "source", "title", "text", "content_hash")}
        return {**fields, "metadata": dict(record.metadata)}
    return asdict(record)


def _edge(source: str, names: Sequence[str], packed: Sequence[Any]) -> tuple[str, str, str, dict[str, Any]]:
    """Return the edge from `source` that `to_bytes` packed. The packed target is an index of `names`."""
    kind, target, weight, shared, offsets = packed
    pairs = tuple(zip(offsets[::2], offsets[1::2], strict=True))
    return source, names[target], kind, {"weight": weight, "shared": tuple(shared), "spans": pairs}
