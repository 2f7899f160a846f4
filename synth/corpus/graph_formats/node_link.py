"""Node-link JSON of a graph, for networkx (`node_link_graph(data, edges="edges")`) and D3."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from synth.core.records import Chunk, Document, Entity, Statement
from synth.corpus.graph import KnowledgeGraph
from synth.text.normalise import LONE_SURROGATE


def node_link(graph: KnowledgeGraph) -> dict[str, Any]:
    """Return a graph as {"directed", "multigraph", "graph", "nodes", "edges"}.

    Each node contains "id", "kind" and the fields of its kind. Each edge contains "source", "target", "key" (its kind),
    "weight", "shared" (the reason for the edge) and "spans". The spans are offsets of the text that states the edge, in
    the document of the source node.
    """
    edges = [
        {
            "source": edge.source_id,
            "target": edge.target_id,
            "key": edge.kind,
            "weight": edge.weight,
            "shared": list(edge.shared),
            "spans": [list(span) for span in graph.spans(edge.source_id, edge.target_id, edge.kind)],
        }
        for edge in graph.relationships()
    ]
    return {"directed": True, "multigraph": True, "graph": {}, "nodes": list(nodes(graph)), "edges": edges}


def node_link_json(graph: KnowledgeGraph) -> str:
    """Return `node_link` as JSON text. Lone surrogates are escaped, so the text is valid UTF-8."""
    text = json.dumps(node_link(graph), ensure_ascii=False, indent=1)
    return LONE_SURROGATE.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"


def nodes(graph: KnowledgeGraph) -> Iterator[dict[str, Any]]:
    """Yield documents, chunks, entities and statements as JSON objects, with their attributes under "values"."""
    for document in graph.documents():
        yield {**_document(document), "values": graph.values(document.doc_id)}
    for chunk in graph.chunks():
        yield {**_chunk(chunk), "values": graph.values(chunk.chunk_id)}
    for entity in graph.entities():
        yield {**_entity(entity), "values": graph.values(entity.entity_id)}
    for statement in graph.statements():
        yield {**_statement(statement), "values": graph.values(statement.statement_id)}


def _document(document: Document) -> dict[str, Any]:
    return {
        "id": document.doc_id,
        "kind": "document",
        "label": document.title or document.doc_id,
        "source": document.source,
        "content_hash": document.content_hash,
        "text": document.text,
    }


def _chunk(chunk: Chunk) -> dict[str, Any]:
    return {
        "id": chunk.chunk_id,
        "kind": "chunk",
        "label": " › ".join(chunk.headings) or " ".join(chunk.text.split())[:60],
        "doc_id": chunk.doc_id,
        "start": chunk.start,
        "end": chunk.end,
        "headings": list(chunk.headings),
        "text": chunk.text,
    }


def _entity(entity: Entity) -> dict[str, Any]:
    return {
        "id": entity.entity_id,
        "kind": "entity",
        "label": entity.name,
        "entity_kind": entity.kind,
        "surface_forms": list(entity.surface_forms),
    }


def _statement(statement: Statement) -> dict[str, Any]:
    return {
        "id": statement.statement_id,
        "kind": "statement",
        "label": statement.text,
        "statement_kind": statement.kind,
        "subject": statement.subject,
        "scope": statement.scope,
        "doc_id": statement.doc_id,
    }
