"""The coefficients of agreement, against the libraries people use for them."""

import math
import warnings

import krippendorff as reference_krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

from synth.evaluation.coefficients import cohen, fleiss, krippendorff, raw_agreement
from synth.evaluation.intervals import statistic_of


@st.composite
def tables(draw):
    """Judgements by person and row, NaN for none, and the number of values."""
    people, rows, values = draw(st.integers(2, 5)), draw(st.integers(2, 40)), draw(st.integers(2, 5))
    seed, gaps = draw(st.integers(0, 10**6)), draw(st.sampled_from([0.0, 0.2, 0.6]))
    rng = np.random.default_rng(seed)
    table = rng.integers(0, values, size=(people, rows)).astype(float)
    agreed = rng.random(rows) < 0.5  # so that values far from chance are met as well
    table[:, agreed] = table[0, agreed]
    table[rng.random(table.shape) < gaps] = np.nan
    return table, values


def counts_of(table, values):
    return np.stack([(table == value).sum(axis=0) for value in range(values)], axis=1).astype(float)


def same(mine, theirs):
    return (math.isnan(mine) and math.isnan(theirs)) or abs(mine - theirs) < 1e-9


def once(rows):
    return np.ones((1, rows))


@settings(max_examples=150)
@given(tables())
def test_krippendorffs_alpha_is_the_librarys(drawn):
    table, values = drawn
    counts = counts_of(table, values)
    if (counts.sum(axis=1) > 1).sum() == 0:
        return
    for level in ("nominal", "ordinal"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = reference_krippendorff.alpha(
                reliability_data=table, level_of_measurement=level, value_domain=list(range(values))
            )
        assert same(krippendorff(counts, once(len(counts)), ordinal=level == "ordinal")[0], float(theirs))


@settings(max_examples=100)
@given(tables())
def test_cohens_kappa_is_that_of_scikit_learn(drawn):
    table, values = drawn
    both = ~np.isnan(table[:2]).any(axis=0)
    if not both.any():
        return
    first, second = table[:2, both].astype(int)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = cohen_kappa_score(first, second)
    assert same(cohen(first, second, values, once(len(first)))[0], float(theirs))


@settings(max_examples=100)
@given(tables())
def test_fleiss_kappa_is_that_of_statsmodels(drawn):
    table, values = drawn
    counts = counts_of(table, values)
    full = counts[counts.sum(axis=1) == len(table)]
    if not len(full):
        return
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = fleiss_kappa(full)
    assert same(fleiss(full, once(len(full)))[0], float(theirs))


def test_raw_agreement_is_the_share_of_equal_pairs():
    counts = np.array([[3.0, 0.0], [2.0, 1.0], [1.0, 0.0]])
    assert raw_agreement(counts, once(3))[0] == pytest.approx((3 + 1) / (3 + 3))


def test_weights_are_rows_that_stand_there_as_often():
    rng = np.random.default_rng(3)
    counts = rng.multinomial(3, [0.5, 0.3, 0.2], size=12).astype(float)
    weights = rng.integers(0, 4, size=12)
    repeated = np.repeat(counts, weights, axis=0)
    for statistic in (
        raw_agreement,
        fleiss,
        lambda c, w: krippendorff(c, w, ordinal=True),
        lambda c, w: krippendorff(c, w, ordinal=False),
    ):
        weighted = statistic(counts, weights[None, :].astype(float))[0]
        assert weighted == pytest.approx(statistic(repeated, once(len(repeated)))[0], abs=1e-12)


def test_the_interval_of_a_mean_is_that_of_the_estimates():
    from synth.evaluation.intervals import estimates

    rng = np.random.default_rng(1)
    values, clusters = rng.normal(0.5, 0.1, 120), [n // 3 for n in range(120)]
    mine = statistic_of(lambda weights: (weights @ values) / weights.sum(axis=1), clusters)
    theirs = estimates({"x": list(values)}, clusters)["x"]
    assert (mine.mean, mine.low, mine.high) == pytest.approx((theirs.mean, theirs.low, theirs.high))
