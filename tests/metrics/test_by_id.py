"""Measures of a ranking by id: as trec_eval has them."""

import random

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from synth.evaluation.measuring import ranking
from synth.evaluation.responses.reading import Responses
from tests.metrics.cases import case, item, of_ids, scores, value


@pytest.mark.parametrize(
    ("metric", "ids", "relevant", "wanted"),
    [
        ("ndcg@10", "xa", "abc", 0.296),
        ("map@10", "xa", "abc", 0.1667),
        ("precision@5", "a", "a", 0.2),
        ("precision@2", "ab", "a", 0.5),
        ("recall@1", "ab", "ab", 0.5),
        ("f1@2", "ax", "a", 2 / 3),
        ("hit_rate@1", "xa", "a", 0.0),
        ("hit_rate@2", "xa", "a", 1.0),
        ("mrr@10", "xya", "a", 1 / 3),
        ("mrr@2", "xya", "a", 0.0),
        ("ndcg@3", "ba", {"a": 2, "b": 1}, (1 + 2 / 1.58496) / (2 + 1 / 1.58496)),
        ("recall@3", "aab", "ab", 1.0),
        ("ndcg@3", "aab", "ab", 1.0),
        ("ndcg@3", "", "ab", 0.0),
        ("precision@3", "ax", {"a": 1, "x": 0}, 1 / 3),
    ],
)
def test_worked_by_hand(metric, ids, relevant, wanted):
    assert of_ids(metric, ids, relevant) == pytest.approx(wanted, abs=5e-4)


def test_gain_may_be_exponential():
    assert ranking.ndcg([1, 2], 2, [2, 1], exponential=True) == pytest.approx(
        (1 + 3 / 1.58496) / (3 + 1 / 1.58496), abs=1e-4
    )


def test_equal_to_trec_eval_on_ten_thousand_graded_queries_with_ties():
    rng = random.Random(7)
    names = [f"d{i}" for i in range(30)]
    qrels, run = {}, {}
    for number in range(10_000):
        judged = rng.sample(names, rng.randrange(1, 9))
        grades = {name: rng.randrange(0, 4) for name in judged}
        grades[judged[0]] = rng.randrange(1, 4)
        qrels[f"q{number}"] = grades
        run[f"q{number}"] = {name: rng.randrange(0, 6) / 4 for name in rng.sample(names, rng.randrange(1, 15))}
    ks = (1, 3, 5, 10)
    cut = ",".join(map(str, ks))
    wanted = pytrec_eval.RelevanceEvaluator(
        qrels, {f"{name}.{cut}" for name in ("P", "recall", "success", "map_cut", "ndcg_cut")} | {"recip_rank"}
    ).evaluate(run)
    responses = Responses.of({"id": id, "retrieved": scores} for id, scores in run.items())
    trec = {"precision": "P", "recall": "recall", "hit_rate": "success", "map": "map_cut", "ndcg": "ndcg_cut"}
    far = 0.0
    for id, grades in qrels.items():
        one = case(item(relevance=grades), retrieved=responses.get(id, "").retrieved)
        ideal, found = tuple(one.relevance.values()), one.ranking
        for k in ks:
            mine = {
                "precision": ranking.precision(found, k),
                "recall": ranking.recall(found, k, len(ideal)),
                "hit_rate": ranking.hit(found, k),
                "map": ranking.average_precision(found, k, len(ideal)),
                "ndcg": ranking.ndcg(found, k, ideal),
            }
            far = max(far, *(abs(mine[name] - wanted[id][f"{theirs}_{k}"]) for name, theirs in trec.items()))
        far = max(far, abs(ranking.reciprocal_rank(found, 100) - wanted[id]["recip_rank"]))
    assert far < 1e-12


def test_an_order_that_the_scores_contradict_counts_as_given():
    ranked_anew = Responses.of([{"id": "q", "retrieved": [{"id": "a", "score": 0.2}, {"id": "b", "score": 0.9}]}])
    assert [one.id for one in ranked_anew.get("q", "").retrieved] == ["a", "b"]


def test_nothing_retrieved_is_zero_and_nothing_relevant_has_no_value():
    assert value("recall", case(item(relevance={"a": 1}), retrieved=()), "recall@5") == 0.0
    (one, *_) = scores("recall", case(item(), retrieved=())).values()
    assert (one.value, one.reason) == (None, "the row has neither evidence nor relevant ids")


grades = st.lists(st.sampled_from([0.0, 0.0, 1.0, 2.0, 3.0]), max_size=15)


@given(grades, st.lists(st.sampled_from([1.0, 2.0, 3.0]), max_size=5), st.integers(1, 20))
def test_every_measure_is_between_0_and_1_and_the_best_order_is_1(found, unfound, k):
    ideal = [grade for grade in found if grade] + unfound
    if not ideal:
        return
    values = (
        ranking.precision(found, k),
        ranking.recall(found, k, len(ideal)),
        ranking.average_precision(found, k, len(ideal)),
        ranking.reciprocal_rank(found, k),
        ranking.ndcg(found, k, ideal),
    )
    assert all(0 <= one <= 1 + 1e-12 for one in values)
    assert ranking.ndcg(sorted(ideal, reverse=True), k, ideal) == pytest.approx(1)


@given(grades, st.integers(1, 14), st.integers(0, 12))
def test_a_relevant_one_moved_up_lowers_nothing_and_a_greater_k_loses_nothing(found, k, at):
    ideal = [grade for grade in found if grade]
    if not ideal:
        return
    assert ranking.recall(found, k + 1, len(ideal)) >= ranking.recall(found, k, len(ideal))
    assert ranking.average_precision(found, k + 1, len(ideal)) >= ranking.average_precision(found, k, len(ideal))
    if at + 1 < len(found) and found[at + 1] > found[at]:
        better = [*found[:at], found[at + 1], found[at], *found[at + 2 :]]
        assert ranking.ndcg(better, k, ideal) >= ranking.ndcg(found, k, ideal) - 1e-12
        assert (
            ranking.average_precision(better, k, len(ideal)) >= ranking.average_precision(found, k, len(ideal)) - 1e-12
        )
