"""Intervals hold what they say they hold, and are never of no width."""

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.cli.commands.base import p_value
from synth.evaluation.intervals import CONFIDENCE, differences, estimates, statistic_of, wilson

NAN = float("nan")


def one(values, clusters=None, seed=0):
    return estimates({"x": values}, clusters or range(len(values)), seed)["x"]


@pytest.mark.parametrize(
    ("mean", "n", "low", "high"),
    [(0.9, 20, 0.699, 0.972), (0.5, 100, 0.404, 0.596), (0.0, 10, 0.0, 0.2775), (1.0, 10, 0.7225, 1.0)],
)
def test_wilson_as_in_the_tables(mean, n, low, high):
    assert wilson(mean, n) == pytest.approx((low, high), abs=1e-3)


def test_a_proportion_of_rows_that_stand_alone_is_wilson():
    found = one([1.0] * 18 + [0.0] * 2)
    assert (found.mean, found.n, found.method) == (0.9, 20, "Wilson")
    assert (found.low, found.high) == pytest.approx(wilson(0.9, 20))


def test_what_has_no_value_is_left_out_and_counted():
    assert one([1.0, NAN, 0.0, NAN]).n == 2
    none = one([NAN, NAN])
    assert (none.mean, none.low, none.high, none.n) == (None, None, None, 0)


values = st.lists(st.one_of(st.sampled_from([0.0, 1.0, 0.5, NAN]), st.floats(0, 1)), min_size=1, max_size=40)


@given(values, st.integers(1, 12))
def test_every_interval_has_a_width_holds_its_mean_and_stays_within_bounds(numbers, documents):
    found = one(numbers, [i % documents for i in range(len(numbers))])
    if found.mean is not None:
        assert 0 <= found.low <= found.mean <= found.high <= 1
        assert found.high - found.low > 1e-6
    gap = differences({"x": numbers}, {"x": numbers[::-1]}, range(len(numbers)))["x"].estimate
    if gap.mean is not None:
        assert -1 <= gap.low <= gap.mean <= gap.high <= 1
        assert gap.high > gap.low or gap.method == "no change"
        assert not math.isnan(gap.low + gap.high)


def test_questions_of_one_document_are_not_independent():
    rng = random.Random(3)
    rows, documents = [], []
    for document in range(20):
        easy = rng.random()
        for _ in range(10):
            rows.append(float(rng.random() < easy))
            documents.append(document)
    alone, together = one(rows), one(rows, documents)
    assert together.high - together.low > 1.3 * (alone.high - alone.low)


@pytest.mark.parametrize("kind", ["proportion", "share", "skewed"])
def test_coverage(kind):
    rng = random.Random(kind)
    draw = {
        "proportion": (lambda: float(rng.random() < 0.9), 0.9),
        "share": (lambda: rng.betavariate(2, 1), 2 / 3),
        "skewed": (lambda: rng.random() if rng.random() < 0.3 else 0.0, 0.15),
    }[kind]
    held = 0
    for trial in range(300):
        found = one([draw[0]() for _ in range(50)], seed=trial)
        held += found.low <= draw[1] <= found.high
    assert held / 300 >= 0.92


def test_ten_documents_hold_the_mean_of_a_metric_that_is_mostly_zero():
    rng = random.Random(11)
    held = 0
    for trial in range(300):
        rows = []
        for _ in range(10):
            usual = rng.random() if rng.random() < 0.3 else 0.0
            own = [rng.random() if rng.random() < 0.3 else 0.0 for _ in range(5)]
            rows += [usual if rng.random() < 0.5 else value for value in own]
        found = one(rows, [row // 5 for row in range(50)], seed=trial)
        held += found.low <= 0.15 <= found.high
    assert held / 300 >= 0.93


def test_the_same_seed_gives_the_same_interval_and_documents_may_be_renumbered():
    rng = random.Random(1)
    rows = [rng.random() for _ in range(60)]
    assert one(rows, seed=4) == one(rows, seed=4)
    assert one(rows, seed=4) != one(rows, seed=5)


def test_a_paired_difference_is_surer_than_two_means():
    rng = random.Random(2)
    hard = [rng.random() for _ in range(80)]
    mine, other = [min(1.0, h + 0.05) for h in hard], hard
    gap = differences({"x": mine, "y": hard}, {"x": other, "y": hard, "z": hard}, range(80))
    assert set(gap) == {"x", "y"}
    assert gap["x"].estimate.low > 0
    assert gap["x"].adjusted < 0.05
    assert gap["y"].p == 1.0
    width = gap["x"].estimate.high - gap["x"].estimate.low
    assert width < (one(mine).high - one(mine).low) / 3


@pytest.mark.parametrize("value", [0.0, 0.4])
def test_where_no_row_differs_the_change_is_zero_however_few_the_rows_are(value):
    same = differences({"x": [value] * 6}, {"x": [value] * 6}, range(6))["x"].estimate
    assert (same.mean, same.low, same.high, same.method) == (0.0, 0.0, 0.0, "no change")
    changed = differences({"x": [value, *[value] * 5]}, {"x": [value + 0.1, *[value] * 5]}, range(6))["x"].estimate
    assert changed.low < changed.mean < 0
    alike = differences({"x": [value + 0.1] * 6}, {"x": [value] * 6}, range(6))["x"].estimate
    assert alike.low < 0.1 < alike.high


def test_chance_alone_is_rarely_called_a_difference():
    rng = random.Random(5)
    called = 0
    for trial in range(60):
        columns = [{str(i): [float(rng.random() < 0.5) for _ in range(60)] for i in range(5)} for _ in range(2)]
        called += any(gap.adjusted < 1 - CONFIDENCE for gap in differences(*columns, range(60), trial).values())
    assert called <= 8


def test_many_documents_are_fast_and_agree_with_few():
    rng = random.Random(6)
    rows = [rng.betavariate(1, 3) for _ in range(5000)]
    found = one(rows)
    assert found.method == "normal"
    assert found.high - found.low == pytest.approx(2 * 1.96 * 0.1936 / math.sqrt(5000), rel=0.1)


def test_p_of_many_documents_is_small_and_never_0():
    rng = random.Random(7)
    rows = [1 + rng.random() for _ in range(2500)]
    gap = differences({"x": rows}, {"x": [0.0] * 2500}, range(2500))["x"]
    assert 0 < gap.p < 1e-100
    assert p_value(gap.adjusted) == "<0.0001"
    assert (p_value(None), p_value(0.03)) == ("-", "0.0300")


@pytest.mark.parametrize(("rows", "method"), [(60, "BCa"), (2100, "BC")])
def test_the_method_of_a_statistic_is_what_was_computed(rows, method):
    values = [float(row % 7) for row in range(rows)]
    assert statistic_of(lambda weights: weights @ values / weights.sum(axis=1), range(rows)).method == method


def test_one_or_two_rows_have_wilsons_interval():
    interval = one([0.2, 0.9])
    assert interval.method == "Wilson"
    assert (interval.low, interval.high) == pytest.approx(wilson(0.55, 2))
