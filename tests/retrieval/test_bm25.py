"""BM25 by its formula, in both languages and scripts."""

from math import log

import pytest
from bm25s import BM25

from synth.retrieval.bm25 import K1, B, LexicalIndex
from synth.text.tokens import content_words

DOCS = {"a": "red lamp lamp", "b": "green lamp", "c": "old stone pier"}


def test_scores_are_those_of_the_formula():
    index = LexicalIndex(list(DOCS), list(DOCS.values()))
    lengths, frequency = [3, 2, 3], [2, 1, 0]
    idf = log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    mean = sum(lengths) / 3
    wanted = [idf * f / (f + K1 * (1 - B + B * size / mean)) for f, size in zip(frequency, lengths, strict=True)]
    assert index.scores("lamp").tolist() == pytest.approx(wanted, rel=1e-5)


def test_the_rank_counts_the_passages_that_beat_it():
    index = LexicalIndex(list(DOCS), list(DOCS.values()))
    assert index.rank("lamp", ["a"]) == 1
    assert index.rank("lamp", ["c"]) == 3
    assert index.rank("lamp", ["c", "b"]) == 2
    assert index.rank("words unheard of", ["c"]) == 3, "a passage without a word of the query comes last"
    assert index.rank("words unheard of", ["c", "b"]) == 3
    assert index.standing("words unheard of", ["c"]).rank == 3


def test_top_breaks_ties_by_name():
    index = LexicalIndex(["b", "a"], ["stone pier", "stone pier"])
    assert [name for name, _ in index.top("pier", 2)] == ["a", "b"]


def test_the_scripts_of_chinese_match_each_other():
    index = LexicalIndex(["hans", "other"], ["凯尔灯塔建于1811年", "轮渡公司出售船票"])
    assert index.rank("凱爾燈塔建於哪一年？", ["hans"]) == 1
    assert index.scores("凱爾燈塔")[0] > 0 == index.scores("凱爾燈塔")[1]


def test_passages_without_words_are_allowed():
    assert LexicalIndex(["x", "y"], ["的", "lamp"]).rank("lamp", ["y"]) == 1


TEXTS = [
    "red lamp lamp",
    "",
    "the of",
    "green lamp, old lamps",
    "凯尔灯塔建于1811年",
    *(f"lamp {n} of pier {n % 7}" for n in range(40)),
]


def test_scores_are_those_of_bm25s_and_the_same_from_a_file(tmp_path):
    ids = [f"p{n}" for n in range(len(TEXTS))]
    theirs = BM25(k1=K1, b=B, method="lucene", csc_backend="numpy")
    theirs.index([content_words(text) or [""] for text in TEXTS], show_progress=False)
    ours = LexicalIndex(ids, TEXTS)
    ours.save(tmp_path)
    opened = LexicalIndex.open(tmp_path, ids, {name: n for n, name in enumerate(ids)})
    for query in ("lamp", "old lamp of pier 3", "凯尔灯塔", "lamp lamp 7"):
        scores = theirs.get_scores([word for word in content_words(query) if word in theirs.vocab_dict])
        assert ours.scores(query).tolist() == opened.scores(query).tolist() == scores.tolist()
    assert opened.frequencies() == ours.frequencies()
    assert opened.by_stem().get("lamp") == ours.by_stem().get("lamp") == ours.frequencies()["lamp"] + 1
    assert opened.by_stem().get("none") is None


def test_passages_that_share_no_word_with_the_query_are_not_among_the_best():
    index = LexicalIndex(["a", "b", "c"], ["the old pier", "a mill", "the new pier"])
    assert [name for name, _ in index.top("pier", 3)] == ["a", "c"]
    assert index.top("lighthouse", 3) == []
