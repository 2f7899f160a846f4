import random

import numpy as np
import pytest

from synth.core.errors import ConfigError
from synth.corpus.graph_builder import build
from synth.corpus.transforms.similarity import Similarity, _nearest_by_all_pairs, _nearest_by_index
from synth.models.encoders.base import CachedEncoder
from synth.models.encoders.hashed import HashedEncoder
from tests.transforms.made import MemoryStore, chunks, document

TEXTS = {
    "en-1.md": "The harbour office keeps a list of the ships that enter the bay.",
    "en-2.md": "A list of ships that enter the bay is kept by the harbour office.",
    "hans-1.md": "港口办公室保存一份进入海湾的船只名单。",
    "hans-2.md": "进入海湾的船只名单由港口办公室保存。",
    "hant-1.md": "麵包店在日出以前開門，中午就賣完了。",
    "hant-2.md": "日出以前開門的麵包店中午就賣完了。",
    "alone.md": "Quartz and granite lie beneath.",
}


class CountedEncoder(HashedEncoder):
    """Remembers the texts it encoded."""

    def __init__(self):
        super().__init__(256)
        self.texts = []

    def encode(self, texts):
        self.texts += texts
        return super().encode(texts)


def graph_of(texts, encoder=None, **parameters):
    documents = [document(doc_id, text) for doc_id, text in texts.items()]
    cut = [chunk for one in documents for chunk in chunks(one)]
    graph, _ = build(documents, cut, [Similarity(encoder or HashedEncoder(256), **parameters)])
    return graph


def joined(graph):
    return {(graph.chunk(e.source_id).doc_id, graph.chunk(e.target_id).doc_id) for e in graph.relationships("similar")}


PAIRS = {("en-1.md", "en-2.md"), ("hans-1.md", "hans-2.md"), ("hant-1.md", "hant-2.md")}


@pytest.mark.parametrize("exact_up_to", [5000, 0])
def test_what_is_close_is_joined_and_says_how_close(exact_up_to):
    graph = graph_of(TEXTS, exact_up_to=exact_up_to)
    assert joined(graph) == PAIRS
    for edge in graph.relationships("similar"):
        assert 0.4 <= edge.weight <= 1
        assert edge.shared == (f"cosine {edge.weight:.2f}", "hashed-1-256")


@pytest.mark.parametrize("exact_up_to", [5000, 0])
def test_no_chunk_has_more_than_k_edges(exact_up_to):
    texts = {f"{n}.md": f"{TEXTS['en-1.md']} Number {n}." for n in range(60)}
    graph = graph_of(texts, k=4, exact_up_to=exact_up_to)
    degrees = [len(graph.neighbours(chunk.chunk_id, "similar")) for chunk in graph.chunks()]
    assert max(degrees) == 4
    assert min(degrees) >= 1
    assert sum(degrees) > 0.8 * 4 * 60


def unit(rows):
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def nearest(found):
    return {first + n: set(row.tolist()) - {first + n} for first, rows in found for n, row in enumerate(rows)}


def test_the_index_finds_nearly_what_the_exact_way_finds():
    source = np.random.RandomState(4)
    rows = unit(source.randn(60, 32)[source.randint(0, 60, 900)] + 0.4 * source.randn(900, 32))
    exact, indexed = nearest(_nearest_by_all_pairs(rows, 10)), nearest(_nearest_by_index(rows, 10))
    assert sum(len(exact[n] & indexed[n]) for n in range(900)) > 0.97 * 10 * 900
    true = np.argsort(-(rows @ rows.T), axis=1)[:, 1:11]
    assert all(exact[n] == set(true[n].tolist()) for n in range(900))


@pytest.mark.parametrize("exact_up_to", [5000, 0])
def test_the_order_of_files_does_not_count(exact_up_to):
    source = random.Random(8)
    words = "bay ship list harbour office captain cargo sailor town evening 港口 船只 名单 船長 貨物".split()
    texts = {f"{n}.md": " ".join(source.sample(words, 8)) for n in range(80)}
    turned = dict(source.sample(sorted(texts.items()), len(texts)))
    one = graph_of(texts, exact_up_to=exact_up_to)
    assert len(list(one.relationships("similar"))) > 100
    assert graph_of(turned, exact_up_to=exact_up_to).to_bytes() == one.to_bytes()


def test_texts_of_changed_files_alone_are_encoded():
    encoder, store = CountedEncoder(), MemoryStore()
    graph_of(TEXTS, CachedEncoder(encoder, store))
    assert sorted(encoder.texts) == sorted(TEXTS.values())
    encoder.texts.clear()
    graph = graph_of({**TEXTS, "alone.md": TEXTS["en-1.md"] + " Daily."}, CachedEncoder(encoder, store))
    assert encoder.texts == [TEXTS["en-1.md"] + " Daily."]
    assert joined(graph) == PAIRS | {("alone.md", "en-1.md"), ("alone.md", "en-2.md")}


def test_the_version_follows_the_encoder():
    assert Similarity(HashedEncoder(256)).version == Similarity(HashedEncoder(256)).version
    assert Similarity(HashedEncoder(256)).version != Similarity(HashedEncoder(128)).version
    assert not Similarity(HashedEncoder()).reads_documents


def test_few_chunks_and_wrong_parameters():
    assert joined(graph_of({})) == set()
    assert joined(graph_of({"a.md": "Alone."})) == set()
    for wrong in ({"k": 0}, {"threshold": 0.0}, {"threshold": 1.1}):
        with pytest.raises(ConfigError, match=f"similarity: {next(iter(wrong))} must be .* was"):
            Similarity(HashedEncoder(), **wrong)
