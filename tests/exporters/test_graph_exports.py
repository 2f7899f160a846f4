"""The graph in the formats of other tools, read back by one of them."""

import io
import json
import xml.etree.ElementTree as ET

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from synth.core.records import Chunk, Document, Entity, Relationship
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.graph_formats.graphml import graphml
from synth.corpus.graph_formats.node_link import node_link, node_link_json


def graph_of(text, name="泵站"):
    graph = KnowledgeGraph()
    graph.add_document(Document(doc_id="手册/a&b.md", source="a", title='"A" & <B>', text=text, content_hash="h"))
    graph.add_chunk(
        Chunk(chunk_id="c-1", doc_id="手册/a&b.md", start=0, end=len(text), text=text, headings=("雾溪", "霧溪"))
    )
    graph.add_entity(Entity(entity_id="e-1", name=name, kind="place", surface_forms=("泵站", "Pump")))
    graph.relate(Relationship(source_id="c-1", target_id="e-1", kind="mentions", weight=2.0, shared=(name,)), [(0, 2)])
    graph.relate(Relationship(source_id="c-1", target_id="e-1", kind="other"))
    graph.assign("c-1", "category", "水库 & 泵站")
    return graph


def test_node_link_is_read_by_networkx():
    read = nx.node_link_graph(json.loads(node_link_json(graph_of("泵站 text"))), edges="edges")
    assert isinstance(read, nx.MultiDiGraph)
    assert read.nodes["c-1"]["text"] == "泵站 text"
    assert read.nodes["c-1"]["values"] == {"category": "水库 & 泵站"}
    assert read.edges["c-1", "e-1", "mentions"] == {"weight": 2.0, "shared": ["泵站"], "spans": [[0, 2]]}
    assert set(read["c-1"]["e-1"]) == {"mentions", "other"}
    assert read.number_of_nodes() == 3


def test_graphml_is_read_by_networkx():
    read = nx.read_graphml(io.BytesIO(graphml(graph_of("泵站 <b>&amp; \r\n text")).encode()), force_multigraph=True)
    assert read.nodes["c-1"]["text"] == "泵站 <b>&amp; \r\n text"
    assert (read.nodes["c-1"]["start"], read.nodes["c-1"]["kind"]) == (0, "chunk")
    assert read.nodes["手册/a&b.md"]["label"] == '"A" & <B>'
    edges = sorted((d["kind"], d["weight"]) for _, _, d in read.edges(data=True))
    assert edges == [("contains", 1.0), ("mentions", 2.0), ("other", 1.0)]
    assert json.loads(read.nodes["e-1"]["surface_forms"]) == ["泵站", "Pump"]


def test_what_xml_cannot_hold_is_replaced_one_for_one():
    text = "a\x00b\x0b\ud800\uffff\x1b𠮷 pump"
    root = ET.fromstring(graphml(graph_of(text)).encode())
    read = next(e.text for e in root.iter() if e.get("key") == "node.text")
    assert read == "a\ufffdb\ufffd\ufffd\ufffd\ufffd𠮷 pump"
    assert len(read) == len(text)


@given(st.text(st.characters(codec=None), min_size=2, max_size=60), st.text(st.characters(codec=None), min_size=1))
def test_any_text_can_be_exported(text, name):
    graph = graph_of(text, name)
    assert ET.fromstring(graphml(graph).encode()) is not None
    assert json.loads(node_link_json(graph).encode()) == json.loads(json.dumps(node_link(graph)))
