"""The nearest distribution, and what a plan says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.records import Sample
from synth.generation.admission import RunResult
from synth.generation.planning import KindPlan, Plan, nearer, nearest

COUNTS = st.dictionaries(st.sampled_from("abcd"), st.integers(0, 50), min_size=1)


@pytest.mark.parametrize(
    ("asked", "reachable", "found"),
    [
        ({"simple": 8, "reasoning": 4}, {"simple": 50, "reasoning": 50}, {"simple": 8, "reasoning": 4}),
        ({"simple": 8, "reasoning": 4}, {"simple": 50, "reasoning": 1}, {"simple": 11, "reasoning": 1}),
        ({"simple": 8, "reasoning": 4}, {"simple": 9, "reasoning": 0}, {"simple": 9, "reasoning": 0}),
        ({"a": 5, "b": 5, "c": 5}, {"a": 0, "b": 7, "c": 9}, {"a": 0, "b": 6, "c": 9}),
    ],
)
def test_what_is_missing_goes_to_the_types_with_the_most_left(asked, reachable, found):
    assert nearest(asked, reachable) == found


@given(COUNTS, COUNTS)
def test_the_nearest_is_reachable_and_loses_no_row_that_can_be_had(asked, reachable):
    found = nearest(asked, reachable)
    assert found.keys() == asked.keys()
    assert all(count <= reachable.get(name, 0) for name, count in found.items())
    assert all(found[name] >= min(asked[name], reachable.get(name, 0)) for name in asked)
    assert sum(found.values()) == min(sum(asked.values()), sum(reachable.get(name, 0) for name in asked))


def test_a_plan_says_what_is_short():
    exact = KindPlan(asked=5, scenarios=9, reachable=3, topics={})
    bound = KindPlan(asked=5, scenarios=9, reachable=None, topics={})
    assert Plan(kinds={"a": exact, "b": bound}, nearest={}).shortfall == {"a": 2}


@given(COUNTS, COUNTS)
def test_what_a_run_could_not_make_is_asked_of_the_types_that_could(wanted, can):
    made = {kind: min(count, can.get(kind, 0)) for kind, count in wanted.items()}
    samples = tuple(
        Sample(question=f"{kind} {n}?", golden_answers=("a",), evidence=(), question_type=kind, language="en")
        for kind, count in made.items()
        for n in range(count)
    )
    again = nearer(RunResult(samples, (), wanted, {}))
    short = {kind for kind in wanted if made[kind] < wanted[kind]}
    if not short or all(kind in short or not wanted[kind] for kind in wanted):
        assert again is None
        return
    assert again is not None
    assert sum(again.values()) == sum(wanted.values())
    assert all(again[kind] == made[kind] for kind in short)
    assert all(again[kind] >= wanted[kind] for kind in wanted if kind not in short)
