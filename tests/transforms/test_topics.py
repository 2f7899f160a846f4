import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import ConfigError
from synth.transforms.base import check_order
from synth.transforms.build import build
from synth.transforms.communities import communities
from synth.transforms.entities import Entities
from synth.transforms.key_phrases import KeyPhrases
from synth.transforms.topics import Topics
from tests.transforms.made import chunks, document

ENGLISH = {
    "sea/a.md": "The Harbour Lighthouse guides ships. The Harbour Lighthouse has a Fresnel lens.",
    "sea/b.md": "A Fresnel lens bends light. The Harbour Lighthouse got its Fresnel lens early.",
    "sea/c.md": "Keepers of the Harbour Lighthouse cleaned the Fresnel lens.",
    "soft/d.md": "The Tideline Server stores each ticket code. The Tideline Server needs a licence key.",
    "soft/e.md": "A licence key opens the Tideline Server. The ticket code is short.",
    "soft/f.md": "The licence key and the ticket code are kept by the Tideline Server.",
}
SIMPLIFIED = {
    "茶/a.md": "龙井茶产于杭州。龙井茶的制茶工艺很讲究。",
    "茶/b.md": "制茶工艺决定龙井茶的品质。",
    "水/c.md": "水库大坝由值班员检查。值班员记录水库大坝的水位。",
    "水/d.md": "值班员巡查水库大坝。",
}
TRADITIONAL = {
    "茶/a.md": "烏龍茶產於臺灣。烏龍茶的製茶工藝很講究。",
    "茶/b.md": "製茶工藝決定烏龍茶的品質。",
    "水/c.md": "水庫大壩由值班員檢查。值班員記錄水庫大壩的水位。",
    "水/d.md": "值班員巡查水庫大壩。",
}


def categories(texts, **more):
    documents = [document(doc_id, text) for doc_id, text in texts.items()]
    pieces = [c for d in documents for c in chunks(d)]
    graph, _ = build(documents, pieces, [Entities(), KeyPhrases(), Topics(**more)])
    return {chunk.doc_id: graph.value(chunk.chunk_id, "category") for chunk in graph.chunks()}


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (ENGLISH, ("Lighthouse", "Tideline")),
        (SIMPLIFIED, ("茶", "大坝")),
        (TRADITIONAL, ("茶", "大壩")),
    ],
)
def test_what_belongs_together_has_one_label_in_its_own_words(texts, words):
    found = categories(texts)
    folders = sorted({doc_id.split("/")[0] for doc_id in texts})
    labels = {folder: {label for doc_id, label in found.items() if doc_id.startswith(folder)} for folder in folders}
    assert all(len(of_folder) == 1 for of_folder in labels.values()), labels
    every = [next(iter(of_folder)) for of_folder in labels.values()]
    assert len(set(every)) == 2
    for word in words:
        assert sum(word in label for label in every) == 1, (word, every)


def test_a_topic_in_two_languages_is_called_in_each_its_own():
    texts = {
        "en/a.md": "The team runs PostgreSQL and Kubernetes. The backup schedule is for PostgreSQL.",
        "en/b.md": "PostgreSQL on Kubernetes needs a backup schedule.",
        "zh/c.md": "团队在 Kubernetes 上运行 PostgreSQL，备份计划由管理员制定。",
        "zh/d.md": "PostgreSQL 的备份计划写明了 Kubernetes 的配置。",
    }
    found = categories(texts)
    assert found["en/a.md"] == found["en/b.md"] != found["zh/c.md"] == found["zh/d.md"]
    assert not any("\u3400" <= char <= "\u9fff" for char in found["en/a.md"])


def test_what_stands_alone_is_called_after_its_document():
    found = categories({**ENGLISH, "odd/z.md": "# Cake recipe\n\nMix flour and sugar.", "odd/y.md": "1 2 3"})
    assert found["odd/z.md"] in ("Cake recipe", "odd/z.md")
    assert found["odd/y.md"] == "odd/y.md"


def test_the_order_of_documents_does_not_matter():
    assert categories(dict(reversed(ENGLISH.items()))) == categories(ENGLISH)


def test_it_says_what_must_come_before():
    with pytest.raises(ConfigError, match="Put 'key_phrases' before it"):
        check_order([Entities(), Topics()], known=[KeyPhrases])


def linked(size, edges):
    neighbours = [{} for _ in range(size)]
    for a, b, weight in edges:
        if a != b:
            neighbours[a][b] = neighbours[b][a] = weight
    return neighbours


def test_two_cliques_with_a_bridge_are_two_communities():
    clique = [(a, b, 1.0) for a in range(5) for b in range(a)]
    edges = [*clique, *((a + 5, b + 5, w) for a, b, w in clique), (0, 5, 1.0)]
    assert communities(linked(10, edges)) == [0] * 5 + [1] * 5
    assert communities(linked(3, [])) == [0, 1, 2]
    assert communities([]) == []


@given(st.lists(st.tuples(st.integers(0, 11), st.integers(0, 11), st.floats(0.1, 5)), max_size=40))
def test_communities_never_join_what_no_edge_joins(edges):
    neighbours = linked(12, edges)
    found = communities(neighbours)
    assert found == communities(neighbours)
    component = list(range(12))
    for _ in range(12):
        for a, row in enumerate(neighbours):
            component[a] = min([component[a], *(component[b] for b in row)])
    for a in range(12):
        for b in range(a):
            assert component[a] == component[b] or found[a] != found[b]


def test_planted_communities_are_found_and_the_cost_is_near_linear():
    def seconds(size):
        chance = random.Random(0)
        edges = []
        for a in range(size):
            for _ in range(6):
                inside = chance.random() < 0.9
                b = chance.randrange(a // 50 * 50, a // 50 * 50 + 50) if inside else chance.randrange(size)
                edges.append((a, b, 1.0))
        neighbours = linked(size, edges)
        start = time.process_time()
        found = communities(neighbours)
        taken = time.process_time() - start
        blocks = [found[n : n + 50] for n in range(0, size, 50)]
        pure = sum(max(map(block.count, set(block))) for block in blocks) / size
        assert pure > 0.9
        return taken

    assert seconds(8000) < 12 * max(seconds(2000), 0.05)
