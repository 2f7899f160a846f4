import json
import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.errors import InputError
from synth.core.records import Chunk, Document, Entity, Relationship, text_hash
from synth.corpus.graph import KnowledgeGraph


def document(doc_id, text, **metadata):
    return Document(
        doc_id=doc_id, source=f"in/{doc_id}", title=doc_id, text=text, content_hash=text_hash(text), metadata=metadata
    )


def chunk(chunk_id, document, start, end, headings=()):
    return Chunk(
        chunk_id=chunk_id,
        doc_id=document.doc_id,
        start=start,
        end=end,
        text=document.text[start:end],
        headings=headings,
    )


def entity(entity_id, name="x"):
    return Entity(entity_id=entity_id, name=name, kind="term", surface_forms=(name,))


def edge(source, target, kind, weight=1.0, shared=()):
    return Relationship(source_id=source, target_id=target, kind=kind, weight=weight, shared=shared)


A = document("a.md", "The Harbour Board meets in Lisbon. 港务局在里斯本开会。", format="markdown")
B = document("b.md", "港務局在里斯本開會。\ud83d", format="text")


@pytest.fixture
def graph():
    made = KnowledgeGraph()
    made.add_document(A)
    made.add_chunk(chunk("a1", A, 0, 20, ("Boards", "Harbour")))
    made.add_chunk(chunk("a2", A, 15, 34))
    made.add_chunk(chunk("a3", A, 36, len(A.text)))
    made.add_document(B)
    made.add_chunk(chunk("b1", B, 0, len(B.text)))
    made.add_entity(entity("e-board", "港务局"))
    made.add_entity(entity("e-lisbon", "Lisbon"))
    # Edges in an order that is neither that of their sources nor that of their targets.
    made.relate(edge("b1", "e-board", "mentions", 1.0, ("港務局",)), [(0, 3)])
    made.relate(edge("a2", "e-lisbon", "mentions", 2.0), [(27, 33), (15, 18)])
    made.relate(edge("a1", "e-board", "mentions"), [(4, 17)])
    made.relate(edge("b1", "a1", "similar", 0.75))
    made.assign("a1", "summary", "A board.")
    made.assign("a.md", "language", "en")
    return made


def test_chunks_are_slices_of_their_document(graph):
    found = list(graph.chunks())
    assert [c.chunk_id for c in found] == ["a1", "a2", "a3", "b1"]
    for one in found:
        assert graph.document(one.doc_id).text[one.start : one.end] == one.text
    assert graph.chunk("a1") == chunk("a1", A, 0, 20, ("Boards", "Harbour"))
    assert [c.chunk_id for c in graph.chunks_of("a.md")] == ["a1", "a2", "a3"]


def test_contains_and_next_edges_come_with_the_chunks(graph):
    assert graph.targets("a.md", "contains") == ["a1", "a2", "a3"]
    assert [(e.source_id, e.target_id) for e in graph.relationships("next")] == [("a1", "a2"), ("a2", "a3")]


@pytest.mark.parametrize(
    ("span", "found"),
    [((0,), "a1"), ((16,), "a1"), ((20,), "a2"), ((34,), None), ((16, 30), "a2"), ((10, 30), None), ((36, 38), "a3")],
)
def test_the_chunk_at_a_place(graph, span, found):
    held = graph.chunk_at("a.md", *span)
    assert (held and held.chunk_id) == found


def test_mentions_in_order_of_chunks_whatever_the_order_of_edges(graph):
    places = [(m.chunk_id, m.doc_id, m.start, m.end) for m in graph.mentions_of("e-board")]
    assert places == [("a1", "a.md", 4, 17), ("b1", "b.md", 0, 3)]
    assert [e.entity_id for e in graph.entities_of("a1")] == ["e-board"]


def test_neighbours_are_those_of_a_kind_in_both_directions(graph):
    assert graph.neighbours("a1", "similar") == ["b1"] == graph.sources("a1", "similar")
    assert graph.neighbours("a2", "next") == ["a1", "a3"]
    assert graph.targets("a1", "similar") == []


def test_an_edge_of_the_same_kind_takes_the_place_of_the_one_before(graph):
    graph.relate(edge("a1", "e-board", "mentions", 9.0))
    assert edge("a1", "e-board", "mentions", 9.0) in list(graph.relationships("mentions"))
    assert graph.stats()["edges"]["mentions"] == 3


def test_stats(graph):
    assert graph.stats() == {
        "nodes": {"chunk": 4, "document": 2, "entity": 2},
        "edges": {"contains": 4, "mentions": 3, "next": 2, "similar": 1},
        "languages": {"en": 1, "unknown": 1},
        "degree": {
            "chunk": {"mean": 3.25, "median": 3.5, "max": 4},
            "document": {"mean": 2.0, "median": 2.0, "max": 3},
            "entity": {"mean": 1.5, "median": 1.5, "max": 2},
        },
        "components": {"count": 1, "largest": 8},
        "isolates": 1,
    }
    assert KnowledgeGraph().stats()["components"] == {"count": 0, "largest": 0}
    json.dumps(graph.stats())


def answers(graph):
    nodes = [*graph.documents(), *graph.chunks(), *graph.entities()]
    edges = [(e, graph.spans(e.source_id, e.target_id, e.kind)) for e in graph.relationships()]
    kept = [(c.chunk_id, graph.value(c.chunk_id, "summary")) for c in graph.chunks()]
    around = [(c.chunk_id, graph.neighbours(c.chunk_id, "mentions")) for c in graph.chunks()]
    back = [graph.mentions_of(e.entity_id) for e in graph.entities()]
    return nodes, edges, kept, around, back, graph.stats()


def test_stored_and_opened_it_answers_alike(graph):
    packed = graph.to_bytes()
    opened = KnowledgeGraph.from_bytes(packed)
    assert answers(opened) == answers(graph)
    assert opened.to_bytes() == packed
    assert packed.decode("utf-8", "surrogatepass").count("港务局在里斯本开会") == 1


@given(seed=st.integers(0, 10**6), texts=st.lists(st.text(min_size=4, max_size=30), min_size=1, max_size=4))
def test_any_graph_survives_storing(seed, texts):
    made, rng = KnowledgeGraph(), random.Random(seed)
    for n, text in enumerate(texts):
        one = document(f"{n}", text)
        made.add_document(one)
        cuts = sorted(rng.sample(range(len(text) + 1), 3))
        for start, end in pairwise(cuts):
            made.add_chunk(chunk(f"c{n}-{start}", one, start, end))
    ids = [c.chunk_id for c in made.chunks()]
    for n in range(3):
        made.add_entity(entity(f"e{n}", texts[0]))
    for _ in range(8):
        made.relate(
            edge(rng.choice(ids), f"e{rng.randrange(3)}", rng.choice("xy"), rng.random()), [(0, rng.randrange(9))]
        )
    assert answers(KnowledgeGraph.from_bytes(made.to_bytes())) == answers(made)


def test_what_is_not_right_is_refused_in_words(graph):
    with pytest.raises(InputError, match=r"is not the text of 'a\.md' at 3:5"):
        graph.add_chunk(Chunk(chunk_id="new", doc_id="a.md", start=3, end=5, text="no"))
    with pytest.raises(InputError, match="in order of their start"):
        graph.add_chunk(chunk("new", A, 3, 5))
    with pytest.raises(InputError, match="has a chunk of this id"):
        graph.add_entity(entity("a1"))
    with pytest.raises(InputError, match="no node 'nowhere'"):
        graph.relate(edge("a1", "nowhere", "mentions"))
    with pytest.raises(InputError, match="'e-board' of the graph has kind entity; pass the id of a chunk"):
        graph.chunk("e-board")
    with pytest.raises(InputError, match="not a graph of format"):
        KnowledgeGraph.from_bytes(b'{"synth_graph":0,"nodes":0}')
