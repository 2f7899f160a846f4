"""Rows by type and level, and shares of tags."""

from hypothesis import given
from hypothesis import strategies as st

from synth.core.records import UNANSWERABLE, Sample
from synth.generation.difficulty import LEVELS
from synth.generation.quotas import Balance, moved, spread

TYPES = st.dictionaries(
    st.sampled_from(["simple", "reasoning", "multi_context", UNANSWERABLE]), st.integers(0, 30), min_size=1
)
SHARES = st.dictionaries(st.sampled_from(LEVELS), st.floats(0.1, 1), min_size=1)
CELLS = st.dictionaries(st.tuples(st.sampled_from("abc"), st.sampled_from(LEVELS)), st.integers(0, 9), min_size=1)


def totals(cells, part):
    found = {}
    for cell, rows in cells.items():
        found[cell[part]] = found.get(cell[part], 0) + rows
    return found


@given(TYPES, SHARES)
def test_every_type_has_its_rows_and_the_levels_their_shares(wanted, shares):
    cells = spread(wanted, shares)
    answerable = {kind: rows for kind, rows in wanted.items() if kind != UNANSWERABLE}
    assert totals(cells, 0) == answerable
    count = sum(answerable.values())
    for level, rows in totals(cells, 1).items():
        assert abs(rows - count * shares[level] / sum(shares.values())) < 1 + 1e-9


@given(CELLS, CELLS)
def test_what_is_moved_keeps_types_and_levels_and_what_there_is(cells, most):
    made = moved(cells, most)
    assert all(rows <= max(most.get(cell, rows), 0) for cell, rows in made.items())
    lost = sum(cells.values()) - sum(made.values())
    for part in (0, 1):
        before, after = totals(cells, part), totals(made, part)
        assert all(after[name] <= before[name] for name in before)
        assert sum(before.values()) - sum(after.values()) == lost


def test_questions_over_several_passages_are_never_asked_to_be_easy():
    cells = spread({"simple": 5, "multi_context": 5}, {"easy": 0.5, "hard": 0.5})
    assert cells["multi_context", "easy"] == 0
    assert (totals(cells, 0), totals(cells, 1)) == ({"simple": 5, "multi_context": 5}, {"easy": 5, "hard": 5})
    assert spread({"multi_context": 2}, {"easy": 1.0}) == {("multi_context", "easy"): 2}, "so that it is said"


def test_types_make_up_for_one_another():
    cells = {("simple", "easy"): 4, ("simple", "hard"): 4, ("reasoning", "easy"): 4, ("reasoning", "hard"): 4}
    made = moved(cells, {("simple", "hard"): 1, ("simple", "easy"): 50})
    assert made == {("simple", "easy"): 7, ("simple", "hard"): 1, ("reasoning", "easy"): 1, ("reasoning", "hard"): 7}
    few = {("simple", "hard"): 0, ("simple", "easy"): 50, ("reasoning", "hard"): 4, ("reasoning", "easy"): 9}
    assert sum(moved(cells, few).values()) == 12
    assert moved(cells, few, freely=True)["simple", "easy"] == 8


def row(kind="simple", level="easy", *tags):
    return Sample(
        question="q?", golden_answers=("a",), evidence=(), question_type=kind, language="en",
        metadata={"difficulty": level, "tags": list(tags)},
    )  # fmt: skip


@given(st.lists(st.booleans(), max_size=60), st.sampled_from([0.0, 0.05, 0.3, 1.0]))
def test_a_tag_never_has_more_than_its_share(tagged, share):
    balance, taken, rows = Balance(limits={"vague": share}), {}, 0
    for has in tagged:
        one = row("simple", "easy", *(["vague"] if has else []))
        if balance.excess(one, taken, rows):
            continue
        rows += 1
        for name in balance.counted(one):
            taken[name] = taken.get(name, 0) + 1
        assert taken.get(("tag", "vague"), 0) <= share * rows


def test_there_are_enough_of_a_cell():
    balance = Balance(cells={("simple", "easy"): 1})
    assert not balance.enough(row(), {})
    assert "enough easy simple" in balance.enough(row(), {("simple", "easy"): 1})
    assert balance.enough(row("simple", "hard"), {})
    assert not balance.enough(row(UNANSWERABLE, ""), {})


def test_a_gentle_limit_is_told_apart_from_one_that_holds():
    row = Sample(
        question="?",
        golden_answers=(),
        evidence=(),
        question_type="simple",
        language="en",
        metadata={"tags": ["vague"]},
    )
    balance = Balance(gentle={"vague": 0.5})
    assert not balance.excess(row, {}, 0)
    assert "vague" in balance.gentle_excess(row, {}, 0)
    assert not balance.gentle_excess(row, {}, 1)
    assert "vague" in balance.gentle_excess(row, {("tag", "vague"): 1}, 2)
