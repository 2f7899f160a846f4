import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.core.errors import ConfigError
from synth.core.records import Chunk, Entity, Relationship
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.graph_builder import build
from synth.corpus.transforms.base import check_order
from synth.corpus.transforms.entities import Entities
from synth.corpus.transforms.shared_entities import SharedEntities
from tests.transforms.made import chunks, document


def mentioning(*documents):
    """A graph of documents, each a list of chunks, each the names it mentions."""
    graph = KnowledgeGraph()
    names = sorted({name for chunks in documents for chunk in chunks for name in chunk})
    places = {}
    for n, listed in enumerate(documents):
        lines = [" ".join(chunk) + "\n" for chunk in listed]
        one = document(f"{n:04}.md", "".join(lines))
        graph.add_document(one)
        start = 0
        for m, line in enumerate(lines):
            chunk_id = f"{n}:{m}"
            graph.add_chunk(Chunk(chunk_id=chunk_id, doc_id=one.doc_id, start=start, end=start + len(line), text=line))
            places[chunk_id] = (start, listed[m])
            start += len(line)
    for name in names:
        graph.add_entity(Entity(entity_id=f"e-{name}", name=name, kind="term"))
    for chunk_id, (start, found) in places.items():
        for name in found:
            graph.relate(Relationship(source_id=chunk_id, target_id=f"e-{name}", kind="mentions"), [(start, start + 1)])
    return graph


def related(graph, **parameters):
    SharedEntities(**parameters).merge(graph, {})
    return list(graph.relationships("shares_entities"))


def degrees(edges):
    return Counter(node for edge in edges for node in (edge.source_id, edge.target_id))


def pairs(edges):
    return {frozenset((edge.source_id, edge.target_id)): edge for edge in edges}


NAMES = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=4)
CORPORA = st.lists(st.lists(NAMES, min_size=1, max_size=5), min_size=1, max_size=8)


@given(CORPORA, st.integers(1, 3), st.integers(2, 6))
@settings(max_examples=60)
def test_edges_are_few_weighed_and_say_exactly_what_is_shared(documents, k, walked):
    graph = mentioning(*documents)
    edges = related(graph, k=k, walked=walked)
    assert max(degrees(edges).values(), default=0) <= k
    assert len(pairs(edges)) == len(edges)
    for edge in edges:
        both = [{e.name for e in graph.entities_of(node)} for node in (edge.source_id, edge.target_id)]
        assert set(edge.shared) == both[0] & both[1] != set()
        assert 0 < edge.weight <= 1


@given(CORPORA)
@settings(max_examples=60)
def test_with_room_for_all_nothing_that_shares_is_missed(documents):
    graph = mentioning(*documents)
    found = pairs(related(graph, k=40, walked=40, beside_best=1e-9, min_confidence=1e-9))
    for one, other in combinations(graph.chunks(), 2):
        shares = {e.name for e in graph.entities_of(one.chunk_id)} & {e.name for e in graph.entities_of(other.chunk_id)}
        assert (frozenset((one.chunk_id, other.chunk_id)) in found) == bool(shares)


def test_rare_things_come_first_and_weigh_more():
    graph = mentioning([["common", "rare"]], [["common", "rare"]], [["common"]], [["common"]], [[]], [[]])
    found = pairs(related(graph, beside_best=0.01, min_confidence=0.01))
    assert found[frozenset(("0:0", "1:0"))].shared == ("rare", "common")
    assert found[frozenset(("0:0", "1:0"))].weight > 0.5 > found[frozenset(("0:0", "2:0"))].weight > 0


def test_what_everything_mentions_joins_only_what_has_nothing_better():
    graph = mentioning([["common", "rare"]], [["common", "rare"]], *[[["common"]] for _ in range(20)])
    found = pairs(related(graph, k=3))
    assert degrees(found.values())["2:0"] == 3
    assert found[frozenset(("0:0", "1:0"))].shared == ("rare", "common")


def test_an_entity_of_every_chunk_neither_floods_nor_vanishes():
    graph = mentioning(*[[["everywhere"]] * 5 for _ in range(60)])
    edges = related(graph, k=6, walked=16)
    counts = degrees(edges)
    assert len(counts) == 300
    assert max(counts.values()) == 6
    assert sum(counts.values()) > 0.9 * 6 * 300
    between = [e for e in edges if graph.chunk(e.source_id).doc_id != graph.chunk(e.target_id).doc_id]
    assert len(between) > 0.8 * len(edges)


def test_the_work_does_not_grow_with_the_square(monkeypatch):
    weighed = []
    original = SharedEntities._weight
    monkeypatch.setattr(SharedEntities, "_weight", lambda *args: weighed.append(1) or original(*args))

    def work(count):
        weighed.clear()
        related(mentioning(*[[["everywhere"]] for _ in range(count)]))
        return len(weighed)

    assert work(400) <= 4.1 * work(100)


def test_paths_between_documents_are_preferred_to_paths_within():
    graph = mentioning([["river"], ["river"]], [["river"]])
    found = pairs(related(graph))
    assert found[frozenset(("0:0", "0:1"))].weight < found[frozenset(("0:0", "1:0"))].weight
    alike = pairs(related(mentioning([["river"], ["river"]], [["river"]]), same_document=1.0))
    assert alike[frozenset(("0:0", "0:1"))].weight == alike[frozenset(("0:0", "1:0"))].weight


def test_one_mention_in_the_overlap_of_two_chunks_is_not_shared():
    text = "The Rivermark Library lends books to everyone in Porto."
    one = document("a.md", text)

    def edges(*cuts):
        pieces = [Chunk(chunk_id=f"{a}", doc_id="a.md", start=a, end=b, text=text[a:b]) for a, b in cuts]
        graph, _ = build([one], pieces, [Entities(), SharedEntities()])
        return list(graph.relationships("shares_entities"))

    assert edges((0, 40), (4, 48)) == []
    twice = "Porto is old. The Rivermark Library is in Porto. Porto lends books."
    one, text = document("a.md", twice), twice
    assert [edge.shared for edge in edges((0, 48), (14, len(twice)))] == [("Porto",)]


TEXTS = {
    "a.md": "The Rivermark Library opened in Porto. It lends books to the visitors of the city.",
    "b.md": "A second branch of the Rivermark Library opened in Hamburg, far from the sea.",
    "c.md": "北京大学与上海的图书馆合作，学生可以借书。",
    "d.md": "北京大學的學生住在城外，每天坐車上課。",
}


def test_english_simplified_and_traditional_in_whatever_order_they_come():
    documents = [document(doc_id, text) for doc_id, text in TEXTS.items()]
    cut = [chunk for one in documents for chunk in chunks(one)]
    graph, counts = build(documents, cut, [Entities(), SharedEntities()])
    random.Random(5).shuffle(documents)
    random.Random(6).shuffle(cut)
    turned, _ = build(documents, cut, [Entities(), SharedEntities()])
    assert turned.to_bytes() == graph.to_bytes()
    found = {
        (graph.chunk(e.source_id).doc_id, graph.chunk(e.target_id).doc_id): {name.casefold() for name in e.shared}
        for e in graph.relationships("shares_entities")
    }
    assert set(found) == {("a.md", "b.md"), ("c.md", "d.md")}
    assert found["a.md", "b.md"] == {"rivermark library"}
    assert found["c.md", "d.md"] & {"北京大学", "北京大學"}
    assert counts["shared_entities"].computed == 0


def test_it_needs_entities_and_sound_parameters():
    with pytest.raises(ConfigError, match=r"requires chunk\.entities.*Put 'entities' before it"):
        check_order([SharedEntities(), Entities()])
    for wrong in ({"k": 0}, {"walked": 1}, {"same_document": 0.0}, {"beside_best": 1.5}):
        with pytest.raises(ConfigError, match=f"shared_entities: {next(iter(wrong))} must be .* was"):
            SharedEntities(**wrong)


PADDING = {
    "en": " The quay was long and the water of the harbour was cold in those years, as every visitor could see." * 4,
    "zh-Hans": "那些年的码头很长，水也很冷，每一位来访的人都看得出来。" * 6,
    "zh-Hant": "那些年的碼頭很長，水也很冷，每一位來訪的人都看得出來。" * 6,
}


@pytest.mark.parametrize(
    ("language", "one", "other", "joined"),
    [
        (
            "en",
            "The baker sold bread to Sweden.{}He also knew Maria Keller.",
            "A film was shown in Sweden.{}Ask Peter.",
            False,
        ),
        ("en", "The baker knew the Rivermark Library.{}", "Boats pass the Rivermark Library.{}", True),
        ("zh-Hans", "面包师把面包卖到瑞典，也认识王小明。{}", "这部电影曾在瑞典和上海放映。{}", False),
        ("zh-Hans", "面包师认识北京大学的人，也去过上海。{}", "渔船从北京大学旁边经过，驶向天津。{}", True),
        ("zh-Hant", "麵包師把麵包賣到瑞典，也認識王小明。{}", "這部電影曾在瑞典和上海放映。{}", False),
        ("zh-Hant", "麵包師認識北京大學的人，也去過上海。{}", "漁船從北京大學旁邊經過，駛向天津。{}", True),
    ],
)
def test_a_country_named_in_passing_joins_nothing_and_a_telling_name_does(language, one, other, joined):
    texts = {"a.md": one.format(PADDING[language]), "b.md": other.format(PADDING[language])}
    texts |= {f"{n}.md": f"No. {n}" for n in range(10)}
    documents = [document(doc_id, text, "text") for doc_id, text in texts.items()]
    graph, _ = build(documents, [c for d in documents for c in chunks(d)], [Entities(), SharedEntities()])
    assert bool([*graph.relationships("shares_entities")]) == joined
