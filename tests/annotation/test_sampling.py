"""Which rows are reviewed, and by whom."""

from collections import Counter
from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.annotation.sampling import Selection, assign, select, stratified
from synth.core.errors import ConfigError
from tests.annotation.rows import corpus_and_rows

ROWS = corpus_and_rows(200, 8)[1]
THRESHOLDS = {"grounded": {"min_recall": 0.8}, "specific": {"max_rivals": 10}}


def ids(rows):
    return [row.id for row in rows]


@settings(max_examples=30)
@given(st.integers(1, 200), st.integers(0, 5))
def test_every_part_of_a_stratified_order_has_the_types_in_proportion(size, seed):
    chosen = stratified(ROWS, seed)[:size]
    share = sum(row.question_type == "conditional" for row in ROWS) / len(ROWS)
    assert abs(sum(row.question_type == "conditional" for row in chosen) - share * size) <= 1
    by_document = Counter(row.evidence[0].doc_id for row in chosen)
    assert max(by_document.values()) <= size / 8 + 3


@pytest.mark.parametrize("order", ["random", "stratified", "doubtful"])
def test_a_larger_number_extends_and_the_order_of_the_file_does_not_matter(order):
    few = select(ROWS, Selection(count=30, order=order), THRESHOLDS)
    many = select(ROWS[::-1], Selection(count=60, order=order), THRESHOLDS)
    assert ids(many)[:30] == ids(few)
    assert len(set(ids(many))) == 60
    assert ids(select(ROWS, Selection(count=30, order=order, seed=1), THRESHOLDS)) != ids(few)


def test_a_share_is_rounded_up_and_never_more_than_there_is():
    assert len(select(ROWS, Selection(share=0.151), THRESHOLDS)) == 31
    assert len(select(ROWS, Selection(share=0.15), THRESHOLDS)) == 30
    assert len(select(ROWS, Selection(count=900), THRESHOLDS)) == 200


@pytest.mark.parametrize(("share", "rows", "size"), [(0.07, 100, 7), (0.071, 100, 8), (1e-12, 100, 1), (0.5, 0, 0)])
def test_a_share_gives_no_row_more_by_rounding_and_at_least_one(share, rows, size):
    assert Selection(share=share).size(rows) == size


def test_the_most_doubtful_come_first():
    found = select(ROWS, Selection(count=40, order="doubtful"), THRESHOLDS)
    ranks = [next(v.score for v in row.verdicts if v.filter == "specific") for row in found]
    assert ranks == sorted(ranks, reverse=True)
    assert ranks[0] == 9.0


def test_refused_candidates_are_spread_among_the_rows():
    rows, refused = ROWS[:100], ROWS[100:]
    found = select(rows, Selection(count=40, refused=8), THRESHOLDS, refused)
    places = [n for n, row in enumerate(found) if row in refused]
    assert len(found) == 48
    assert len(places) == 8
    assert max(later - former for former, later in pairwise(places)) <= 8


@settings(max_examples=30)
@given(st.integers(2, 6), st.integers(1, 3), st.integers(1, 80))
def test_everybody_gets_as_much_and_meets_everybody(people, per_item, rows):
    per_item = min(per_item, people)
    names = [f"p{n}" for n in range(people)]
    given_to = assign(ROWS[:rows], names, per_item)
    seen = Counter(row.id for mine in given_to.values() for row in mine)
    assert set(seen.values()) == {per_item}
    assert len(seen) == rows
    loads = [len(mine) for mine in given_to.values()]
    assert max(loads) - min(loads) <= 1
    if per_item == 2 and rows >= people * people:
        met = {(a, b) for a, b in combinations(names, 2) if set(ids(given_to[a])) & set(ids(given_to[b]))}
        assert len(met) == people * (people - 1) / 2


@pytest.mark.parametrize(
    ("given_as", "says"),
    [
        ({"share": 0.2, "count": 5}, "set only one of them"),
        ({"share": 1.5}, "at most 1, was 1.5"),
        ({"count": 0}, "at least 1, was 0"),
        ({"order": "alphabetical"}, "random, stratified, doubtful"),
        ({"per_item": 0}, "per_item must be at least 1, was 0"),
    ],
)
def test_a_selection_that_makes_no_sense_is_refused(given_as, says):
    with pytest.raises(ConfigError, match=says):
        Selection(**given_as)


def test_too_few_people_are_told():
    with pytest.raises(ConfigError, match="each row needs 3 people, but 2 are named"):
        assign(ROWS, ["a", "b"], 3)
