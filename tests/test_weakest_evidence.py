"""The matrix of hops and the rank of the evidence that is hardest to find."""

import pytest

from synth.testset.weakest_evidence import weakest_evidence


def signals(rank, hops=1):
    return {"difficulty_signals": {"bm25_rank": rank, "hops": hops}}


def test_rows_are_counted_by_hops_and_band():
    rows = [signals(1), signals(1), signals(5), signals(6, 2), signals(20, 2), signals(21, 3), signals(400, 7)]
    assert weakest_evidence(rows) == {
        "1": {"1": 2, "2-5": 1, "6-20": 0, "over 20": 0},
        "2": {"1": 0, "2-5": 0, "6-20": 2, "over 20": 0},
        "3+": {"1": 0, "2-5": 0, "6-20": 0, "over 20": 2},
    }


@pytest.mark.parametrize(
    "row", [{}, {"difficulty_signals": 3}, signals(0), signals("1"), signals(1, None), {"difficulty_signals": {}}]
)
def test_rows_without_ranks_are_left_out(row):
    assert weakest_evidence([row]) == {}
