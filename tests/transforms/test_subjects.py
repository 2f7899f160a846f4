import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.corpus.analysis.subjects import PassageTerms, assign, subjects


def passage(document, *phrases):
    weighed = {phrase: 1 - 0.1 * n for n, phrase in enumerate(phrases)}
    return PassageTerms(document, weighed, weighed)


def same(_):
    return 1.0


TEA = [passage(0, "tea", "leaf"), passage(1, "tea", "leaf"), passage(1, "tea", "cup")]
DAM = [passage(2, "dam", "level"), passage(3, "dam", "level"), passage(3, "dam", "filter")]


def test_the_phrases_that_cover_most_are_subjects_and_their_companions_are_not():
    assert subjects([*TEA, *DAM], 5, same) == ["dam", "tea"]
    assert subjects([*TEA, *DAM], 1, same) == ["dam"]
    assert subjects([*TEA, *DAM], 5, lambda phrase: 0.0 if phrase in ("dam", "level", "filter") else 1.0) == ["tea"]


def test_a_passage_goes_where_its_kind_is_and_a_stranger_nowhere():
    stranger, akin = passage(9, "comet"), passage(8, "leaf", "cup")
    found = assign([*TEA, *DAM, akin, stranger], ["dam", "tea"], 2)
    assert found == [1, 1, 1, 0, 0, 0, 1, None]


def test_subjects_of_too_few_passages_are_given_up():
    assert set(assign([*TEA, *DAM], ["dam", "tea"], 4)) == {None}


PASSAGES = st.lists(st.lists(st.sampled_from("abcdefg"), unique=True, max_size=4), max_size=20)


@given(PASSAGES, st.integers(0, 5))
def test_every_passage_has_a_subject_of_those_chosen_or_none(phrases, most):
    passages = [passage(n // 2, *found) for n, found in enumerate(phrases)]
    chosen = subjects(passages, most, same)
    assert len(chosen) == len(set(chosen)) <= most
    assert chosen == subjects(passages, most, same)
    found = assign(passages, chosen, 2)
    assert len(found) == len(passages)
    assert all(subject is None or 0 <= subject < len(chosen) for subject in found)
    assert all(found.count(subject) >= 2 for subject in found if subject is not None)


def made(size):
    chance = random.Random(0)
    return [
        passage(n // 5, f"theme {n // 50}", *(f"word {chance.randrange(size // 2)}" for _ in range(6)))
        for n in range(size)
    ]


@pytest.mark.parametrize("size", [2000, 8000])
def test_planted_subjects_are_found_among_few_and_many_passages(size):
    chosen = subjects(made(size), size // 50, same)
    found = assign(made(size), chosen, 2)
    assert sum(s is not None and chosen[s] == f"theme {n // 50}" for n, s in enumerate(found)) > 0.9 * size


def test_one_passage_less_moves_few_others():
    passages = made(1000)
    fewer = passages[:500] + passages[505:]
    one, other = (
        [None if s is None else chosen[s] for s in assign(some, chosen, 2)]
        for some in (passages, fewer)
        for chosen in [subjects(some, 20, same)]
    )
    moved = sum(a != b for a, b in zip(one[:500] + one[505:], other, strict=True))
    assert moved <= 0.1 * len(fewer)
