"""Validity: rank correlation, pairs told apart, copied wording, and a set beside people's questions."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.core.errors import InputError
from synth.evaluation.validity import (
    Probe,
    RetrieverScores,
    copied_wording,
    retriever_scores,
    tau_b,
    told_apart,
    validity,
)
from tests.retrieval.made import QUESTIONS, TEXTS


def kendall(a, b):
    """tau-b from its definition, pair by pair."""
    c = d = ta = tb = 0
    for i, j in combinations(range(len(a)), 2):
        x, y = np.sign(a[i] - a[j]), np.sign(b[i] - b[j])
        c += x * y > 0
        d += x * y < 0
        ta += x == 0
        tb += y == 0
    n = len(a) * (len(a) - 1) / 2
    return (c - d) / np.sqrt((n - ta) * (n - tb)) if n > ta and n > tb else 0.0


scores = st.lists(st.integers(0, 5), min_size=6, max_size=6)


@settings(max_examples=100)
@given(scores, scores)
def test_tau_is_tau_b(a, b):
    found = tau_b(np.array(a, float), np.array(b, float))
    assert found == pytest.approx(kendall(a, b), abs=1e-12)
    assert tau_b(np.array(b, float), np.array(a, float)) == pytest.approx(found)


def test_pairs_are_told_apart_by_documents_not_by_rows():
    rng = np.random.default_rng(0)
    easy = (rng.random(200) < 0.9).astype(float)
    values = np.array([easy, easy, (rng.random(200) < 0.4).astype(float)])
    assert told_apart(values, np.arange(200)).tolist() == [0, 1, 1]
    assert told_apart(values[[2, 0, 1]], np.arange(200)).tolist() == [-1, -1, 0]
    one_document_differs = np.array([np.repeat([1.0, 0.0], [40, 160]), np.zeros(200)])
    assert told_apart(one_document_differs, np.repeat(np.arange(5), 40)).tolist() == [0]


@pytest.mark.parametrize("documents", [1, 3])
def test_few_documents_tell_no_chance_differences_apart(documents):
    rng = np.random.default_rng(0)
    clusters = np.arange(15) % documents
    found = [told_apart(rng.random((4, 15)), clusters) for _ in range(50)]
    assert np.count_nonzero(found) < 15, "of 300 pairs"


@pytest.mark.parametrize("documents", [1, 20])
def test_the_same_difference_on_every_question_is_told_apart(documents):
    values = np.array([np.ones(20), np.zeros(20), np.zeros(20)])
    assert told_apart(values, np.arange(20) % documents).tolist() == [1, 1, 0]
    assert told_apart(values[:, :4], np.arange(4)).tolist() == [0, 0, 0], "four questions may do so by chance"
    assert told_apart(values[:, :1], np.arange(1)).tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("question", "passage", "words", "pairs"),
    [
        ("When did the storm destroy the harbour wall?", "The storm destroyed the harbour wall.", 1.0, 1.0),
        ("Which gale broke the harbour wall?", "The storm destroyed the harbour wall.", 0.5, 1 / 3),
        ("风暴摧毁了什么？", "风暴摧毁了海堤。", 1.0, 1.0),
        ("風暴摧毀了什麼？", "风暴摧毁了海堤。", 1.0, 1.0),
        ("哪座海堤垮了？", "风暴摧毁了堤坝。", 0.0, 0.0),
    ],
)
def test_copied_words_and_pairs(question, passage, words, pairs):
    ((found,), (double,)) = copied_wording([Probe("q", question, frozenset("d"), "d", passage)])
    assert (found, double) == (pytest.approx(words), pytest.approx(pairs))


def test_a_question_without_content_has_no_share():
    ((words,), (pairs,)) = copied_wording([Probe("q", "What is it?", frozenset("d"), "d", "A wall.")])
    assert np.isnan(words)
    assert np.isnan(pairs)


class Fixed:
    """A retriever that finds what it is told to."""

    def __init__(self, *ids):
        self.ids = ids

    def search(self, query, k):
        return [(id, 1.0) for id in self.ids[:k]]


def test_every_retriever_is_tried_on_every_question():
    probes = [Probe(id, QUESTIONS[id], frozenset([id]), id, TEXTS[id]) for id in ("en-lamp", "zh-tea")]
    done = []
    found = retriever_scores(probes, {"x": Fixed("en-lamp"), "y": Fixed("en-stone", "zh-tea")}, lambda: done.append(1))
    assert found.ranks.tolist() == [[1, 0], [0, 2]]
    assert found.mrr.tolist() == [[1.0, 0.0], [0.0, 0.5]]
    assert found.ndcg[1, 1] == pytest.approx(1 / np.log2(3))
    assert found.clusters.tolist() == [0, 1]
    assert len(done) == 2
    with pytest.raises(InputError, match="no passage is relevant"):
        retriever_scores([], {"x": Fixed("a")})


def made(n, seed, lift=0.0, question="Which gale broke the harbour wall?", systems=8):
    """Systems of graded quality on `n` questions; `lift` makes the questions easier."""
    rng = np.random.default_rng(seed)
    chances = np.linspace(0.2, 0.9, systems)[:, None] + lift
    hits = (rng.random((systems, n)) < np.minimum(chances, 1)).astype(float)
    probes = tuple(
        Probe(f"q{i}", question, frozenset("d"), f"d{i % 40}", "The storm destroyed the harbour wall.")
        for i in range(n)
    )
    return RetrieverScores(tuple(f"s{i}" for i in range(systems)), probes, hits, hits, hits.astype(int))


def test_questions_of_the_same_kind_hold_every_figure():
    found = validity(made(200, 5), made(600, 2))
    assert {name: one.reached for name, one in found.figures.items()} == dict.fromkeys(found.figures, True)
    assert found.sample == 200
    assert found.pairs == 28
    assert 0 < found.told_apart <= found.human_told_apart
    tau = found.figures["tau"]
    assert tau.low <= tau.value <= tau.high
    assert tau.sample_low <= tau.sample_mean <= tau.sample_high
    assert validity(made(60, 1), made(200, 2)) == validity(made(60, 1), made(200, 2))


def test_copied_and_easier_questions_do_not():
    easy = made(150, 1, lift=0.2, question="What storm destroyed the harbour wall?")
    found = validity(easy, made(600, 2))
    assert not found.figures["words"].reached
    assert not found.figures["bigrams"].reached
    assert not found.figures["mrr_gap"].reached
    assert found.shift > 0.1


def test_a_ranking_turned_round_is_contradicted():
    mine = made(200, 1)
    turned = RetrieverScores(mine.names, mine.probes, mine.ndcg[::-1], mine.mrr[::-1], mine.ranks[::-1])
    found = validity(turned, made(600, 2))
    assert found.figures["tau"].value < -0.8
    assert not found.figures["contradicted"].reached
    assert ("s0", "s7") in found.contradicted
    assert found.figures["agreement"].value < 0.1


def test_too_few_human_questions_are_refused():
    with pytest.raises(InputError, match="human questions are too few"):
        validity(made(20, 1), made(10, 2))
