from collections import Counter

import pytest

from synth.core.errors import ConfigError
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.graph_builder import build
from synth.corpus.transforms.base import check_order
from synth.corpus.transforms.entities import Entities
from synth.corpus.transforms.key_phrases import KeyPhrases
from synth.corpus.transforms.topics import Topics
from synth.text.normalise import to_simplified, to_traditional
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
        (ENGLISH, ("Lighthouse", "licence key")),
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


def test_a_document_whose_passages_share_nothing_is_looked_through_once(monkeypatch):
    asked, chunks_of = Counter(), KnowledgeGraph.chunks_of

    def counted(graph, doc_id):
        asked[doc_id] += 1
        return chunks_of(graph, doc_id)

    monkeypatch.setattr(KnowledgeGraph, "chunks_of", counted)
    made = document("a.md", "a " * 400)
    graph, _ = build([made], chunks(made, 20), [Entities(), KeyPhrases(), Topics()])
    assert {graph.value(chunk.chunk_id, "category") for chunk in graph.chunks()} == {"a.md"}
    assert asked["a.md"] < 5


def test_the_order_of_documents_does_not_matter():
    assert categories(dict(reversed(ENGLISH.items()))) == categories(ENGLISH)


def test_it_says_what_must_come_before():
    with pytest.raises(ConfigError, match="Put 'key_phrases' before it"):
        check_order([Entities(), Topics()], known=[KeyPhrases])


def test_every_label_is_in_the_language_and_the_script_of_its_chunk():
    found = categories({**ENGLISH, **SIMPLIFIED, **{f"t/{k}": v for k, v in TRADITIONAL.items()}})
    for doc_id, label in found.items():
        han = any("\u3400" <= char <= "\u9fff" for char in label)
        assert han == (doc_id not in ENGLISH)
        if doc_id.startswith("t/"):
            assert to_traditional(label) == label
        elif han:
            assert to_simplified(label) == label


THEMES = (
    "tide gauge",
    "fog signal",
    "ticket office",
    "cargo crane",
    "pilot boat",
    "sea wall",
    "engine room",
    "bird reserve",
)


def test_a_changed_document_leaves_the_labels_of_the_others():
    texts = {
        f"{n:03}.md": f"The {THEMES[n % 8]} is old. The {THEMES[n % 8]} and the winch {n % 5} were repaired. Rope {n} broke."
        for n in range(64)
    }
    before = categories(texts)
    after = categories({**texts, "011.md": "The bakery sells bread to visitors."})
    others = [doc_id for doc_id in texts if doc_id != "011.md"]
    assert sum(before[doc_id] != after[doc_id] for doc_id in others) <= 0.1 * len(others)
    assert 8 <= len(set(before.values())) <= 20
    assert max(Counter(before.values()).values()) <= 0.25 * len(texts)


def test_spellings_of_one_subject_are_one_drawer():
    found = categories({"a.md": "A query parameter is short.", "b.md": "Query parameters are long.", **ENGLISH})
    assert found["a.md"] == found["b.md"]
