import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.core.errors import ConfigError
from synth.corpus.graph_builder import Tools, build
from synth.corpus.transforms.near_duplicates import NearDuplicates, _shingles
from tests.transforms.made import MemoryStore, chunks, document, graph_of

ENGLISH = (
    "The harbour office keeps a list of every ship that enters the bay. Captains report their cargo, the number of "
    "sailors on board and the day on which they mean to leave. The list is copied every evening and sent to the town."
)
SIMPLIFIED = (
    "港口办公室记录每一艘进入海湾的船。船长报告货物、船员人数以及打算离开的日期。名单每天晚上抄写一份，送到城里。"
)
TRADITIONAL = (
    "港口辦公室記錄每一艘進入海灣的船。船長報告貨物、船員人數以及打算離開的日期。名單每天晚上抄寫一份，送到城裡。"
)
OTHER = "The bakery in the old street opens before sunrise. Bread, rolls and cakes are sold out by noon on most days."
OTHER_CHINESE = "老街的面包店在日出以前开门。面包和蛋糕在大多数日子里中午就卖完了，客人需要早一点来排队。"


def edges(*texts, **parameters):
    graph = graph_of(*texts, transform=NearDuplicates(**parameters))
    return {
        tuple(sorted((graph.chunk(e.source_id).doc_id, graph.chunk(e.target_id).doc_id))): e
        for e in graph.relationships("near_duplicate")
    }


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ENGLISH, ENGLISH.replace("evening", "morning")),
        (ENGLISH, ENGLISH.upper().replace(". ", ".\n\n")),
        (ENGLISH, ENGLISH.replace("ship", "**ship**")),
        (SIMPLIFIED, SIMPLIFIED.replace("晚上", "早上")),
        (SIMPLIFIED, TRADITIONAL),
        (TRADITIONAL, TRADITIONAL.replace("，", ",")),
    ],
)
def test_nearly_the_same_words_are_joined(one, other):
    found = edges(one, OTHER, OTHER_CHINESE, other)
    assert set(found) == {("0.md", "3.md")}
    edge = found["0.md", "3.md"]
    assert edge.weight >= 0.8
    assert edge.shared == (f"estimated Jaccard similarity {edge.weight:.2f}",)


def test_texts_on_other_things_are_not():
    assert edges(ENGLISH, OTHER, SIMPLIFIED, OTHER_CHINESE, ENGLISH[::-1]) == {}


def test_half_a_text_is_not_nearly_the_same():
    assert edges(ENGLISH + " " + OTHER, ENGLISH) == {}


@given(st.integers(0, 180), st.integers(1, 30))
@settings(max_examples=25)
def test_the_estimate_is_near_the_truth(place, length):
    other = ENGLISH[:place] + "z" * length + ENGLISH[place:]
    a, b = set(_shingles(ENGLISH)), set(_shingles(other))
    truth = len(a & b) / len(a | b)
    found = edges(ENGLISH, other, threshold=0.3)
    assert found["0.md", "1.md"].weight == pytest.approx(truth, abs=0.15)


def test_short_texts_are_left_out():
    assert edges("See also.", "See also.", "参见下文。", "参见下文。") == {}
    assert len(edges(ENGLISH, ENGLISH, min_shingles=10_000)) == 0


def test_a_notice_in_hundreds_of_files_is_no_flood():
    graph = graph_of(*[ENGLISH] * 300, transform=NearDuplicates(k=4))
    found = list(graph.relationships("near_duplicate"))
    degrees = [len(graph.neighbours(chunk.chunk_id, "near_duplicate")) for chunk in graph.chunks()]
    assert max(degrees) <= 4
    assert min(degrees) >= 1
    assert 300 <= len(found) <= 600


def test_a_changed_file_is_read_alone_and_the_order_of_files_does_not_count():
    store = MemoryStore()
    documents = [document(f"{n}.md", text) for n, text in enumerate([ENGLISH, ENGLISH + " End.", OTHER, SIMPLIFIED])]
    build(documents, [c for d in documents for c in chunks(d)], [NearDuplicates()], Tools(store))
    documents[2] = document("2.md", ENGLISH.replace("bay", "port"))
    random.Random(3).shuffle(documents)
    cut = [c for d in documents for c in chunks(d)][::-1]
    graph, counts = build(documents, cut, [NearDuplicates()], Tools(store))
    assert (counts["near_duplicates"].computed, counts["near_duplicates"].reused) == (1, 3)
    assert len(list(graph.relationships("near_duplicate"))) == 3
    fresh, _ = build(documents, cut, [NearDuplicates()])
    assert fresh.to_bytes() == graph.to_bytes()


def test_no_chunks_and_wrong_parameters():
    assert edges() == {}
    assert edges("") == {}
    for wrong in ({"threshold": 0.0}, {"threshold": 1.1}, {"k": 0}, {"min_shingles": 0}):
        with pytest.raises(ConfigError, match=f"near_duplicates: {next(iter(wrong))} must be .* was"):
            NearDuplicates(**wrong)
