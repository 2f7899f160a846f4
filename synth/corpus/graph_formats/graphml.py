"""Knowledge graph as GraphML 1.0 (graphml.graphdrawing.org), for Gephi, Cytoscape, yEd and networkx."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from synth.corpus.graph import KnowledgeGraph
from synth.corpus.graph_formats.node_link import node_link

# Characters that XML 1.0 does not allow in any form.
_FORBIDDEN = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">\n'
# Fields of `node_link` to write, with their GraphML types. Fields in neither table are left out.
_NODE_FIELDS = {
    "kind": "string",
    "label": "string",
    "entity_kind": "string",
    "surface_forms": "string",
    "statement_kind": "string",
    "subject": "string",
    "scope": "string",
    "source": "string",
    "content_hash": "string",
    "doc_id": "string",
    "start": "long",
    "end": "long",
    "headings": "string",
    "text": "string",
    "values": "string",
}
_EDGE_FIELDS = {"kind": "string", "weight": "double", "shared": "string", "spans": "string"}


def graphml(graph: KnowledgeGraph) -> str:
    """Return a graph as GraphML text.

    Values other than strings are written as JSON. A character that XML does not allow, such as a control character,
    becomes one U+FFFD, so `start` and `end` remain valid.
    """
    return "".join(_lines(node_link(graph)))


def _lines(data: Mapping[str, Any]) -> Iterator[str]:
    yield _HEAD
    for domain, fields in (("node", _NODE_FIELDS), ("edge", _EDGE_FIELDS)):
        for name, type_ in fields.items():
            yield f'  <key id="{domain}.{name}" for="{domain}" attr.name="{name}" attr.type="{type_}"/>\n'
    yield '  <graph id="synth" edgedefault="directed">\n'
    for node in data["nodes"]:
        yield f"    <node id={_attribute(node['id'])}>\n"
        yield from _fields("node", _NODE_FIELDS, node)
        yield "    </node>\n"
    for index, edge in enumerate(data["edges"]):
        ends = f"source={_attribute(edge['source'])} target={_attribute(edge['target'])}"
        yield f'    <edge id="e{index}" {ends}>\n'
        # Node-link data have the kind of an edge under "key", where networkx expects it.
        yield from _fields("edge", _EDGE_FIELDS, {**edge, "kind": edge["key"]})
        yield "    </edge>\n"
    yield "  </graph>\n</graphml>\n"


def _fields(domain: str, fields: Mapping[str, str], values: Mapping[str, Any]) -> Iterator[str]:
    for name in fields:
        value = values.get(name)
        if value is None or value == [] or value == {}:
            continue
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        # XML parsers read a carriage return as a line feed unless it is written as a reference.
        body = escape(_replace_forbidden(text), {"\r": "&#13;"})
        yield f'      <data key="{domain}.{name}">{body}</data>\n'


def _attribute(text: str) -> str:
    return quoteattr(_replace_forbidden(text))


def _replace_forbidden(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
