from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from synth.corpus.analysis.pruning import strongest


def columns(pairs):
    return [tuple(zip(*pairs, strict=True))] if pairs else []


PAIRS = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.sampled_from([0.25, 0.5, 0.75])), max_size=60)
IDS = [f"c-{n}" for n in range(10)]


@given(PAIRS, st.integers(1, 4))
def test_no_node_has_more_than_it_may_and_no_pair_is_left_out_without_need(pairs, most):
    weights = {}
    for a, b, weight in pairs:
        weights.setdefault(frozenset((a, b)), weight)
    pairs = [(a, b, weights[frozenset((a, b))]) for a, b, _ in pairs]
    kept = list(strongest(columns(pairs), IDS, most))
    degrees = Counter(node for a, b, _ in kept for node in (a, b))
    assert max(degrees.values(), default=0) <= most
    assert all(a < b for a, b, _ in kept)
    assert len({(a, b) for a, b, _ in kept}) == len(kept)
    for a, b, _ in pairs:
        if a != b and not any({a, b} == {x, y} for x, y, _ in kept):
            assert max(degrees[a], degrees[b]) == most


def test_the_strong_pairs_win_among_those_that_are_as_high_in_the_lists_of_their_nodes():
    pairs = [(0, 1, 0.9), (0, 2, 0.8), (0, 3, 0.7), (2, 3, 0.1)]
    assert [(a, b) for a, b, _ in strongest(columns(pairs), IDS, 2)] == [(0, 1), (0, 2), (2, 3)]


def test_one_that_everyone_resembles_does_not_starve_the_others():
    ids = [f"c-{n}" for n in range(40)]
    everyone = [(a, b, round(1 - (a + b) / 100, 4)) for a, b in combinations(range(40), 2)]
    joined = {node for a, b, _ in strongest(columns(everyone), ids, 4) for node in (a, b)}
    assert len(joined) == 40


def test_pairs_may_come_in_parts_in_both_directions_and_in_any_order():
    pairs = [(a, b, 0.5) for a, b in combinations(range(10), 2)]
    turned = [(b, a, weight) for a, b, weight in reversed(pairs)]
    whole = list(strongest(columns(pairs), IDS, 3))
    assert list(strongest([*columns(turned[:20]), *columns(turned[20:]), *columns(pairs)], IDS, 3)) == whole


def test_equal_pairs_do_not_fall_apart_into_closed_groups():
    ids = [f"c-{n}" for n in range(200)]
    ring = [(n, (n + step) % 200, 0.5) for n in range(200) for step in range(1, 17)]
    joined = {n: {n} for n in range(200)}
    for a, b, _ in strongest(columns(ring), ids, 10):
        together = joined[a] | joined[b]
        for node in together:
            joined[node] = together
    assert len(joined[0]) == 200
