"""Formulas on verdicts: RAGChecker's two worked examples, as verdicts and figures, and tables worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.evaluation.judging import claim_table as formulas
from synth.evaluation.measuring import attribution


def bools(letters):
    """E for entailment, N for neutral, C for contradiction."""
    return [letter == "E" for letter in letters]


def table(rows):
    return [bools(row) for row in rows.split()]


EXAMPLES = [
    (
        "NEEEEEEEENC",
        "EEEEEECNEENNNNNENNNNEE",
        "NENN NNNN NNNN NNNN NNNN NNNN NENN NNNN ENNE NNNE NNNN",
        "NENN NNNN NNNN ENNN EENN ENNE CCNN NNNN NNNN NNNN NNNN NNNN NNNN NNNN NNNN NNNN NNNN NNNN NNNN NNNN NNNN NENN",
        (8 / 11, 11 / 22, 16 / 27, 5 / 22, 3 / 4, 4 / 11, 2 / 11, 0, 1 / 11, 6 / 11, 1),
    ),
    (
        "NEEEE",
        "EECENEEE",
        "NEN NEE CEE ENE CEE",
        "NEN NEE NEN CEE NNE ENE EEE NEE",
        (0.8, 0.75, 24 / 31, 1, 1, 1, 0.2, 0, 0, 0, 0.75),
    ),
]


@pytest.mark.parametrize(("right", "said", "answer", "golden", "wanted"), EXAMPLES)
def test_ragcheckers_worked_examples(right, said, answer, golden, wanted):
    right, said, answer, golden = bools(right), bools(said), table(answer), table(golden)
    precision, recall = formulas.mean(right), formulas.mean(said)
    found = (
        precision,
        recall,
        formulas.f_beta(precision, recall),
        formulas.mean(formulas.anywhere(golden)),
        formulas.mean(formulas.useful(golden)),
        formulas.mean(formulas.anywhere(answer)),
        *formulas.noise(answer, golden, right),
        formulas.unsupported(answer, right, right=False),
        formulas.unsupported(answer, right, right=True),
        formulas.utilisation(golden, said),
    )
    assert found == pytest.approx(wanted, abs=1e-12)


def test_what_has_no_claims_has_no_value():
    assert formulas.mean([]) is None
    assert formulas.noise([], [[True]], []) is None
    assert formulas.unsupported([], [], right=True) is None
    assert formulas.utilisation([[False], [False]], [True, True]) is None
    assert formulas.f_beta(0.0, 0.0) == 0.0


@pytest.mark.parametrize(
    ("precision", "recall", "beta", "wanted"), [(0.5, 1.0, 1, 2 / 3), (0.5, 1.0, 2, 5 / 6), (0.5, 1.0, 0.5, 5 / 9)]
)
def test_beta_weighs_recall(precision, recall, beta, wanted):
    assert formulas.f_beta(precision, recall, beta) == pytest.approx(wanted)


def test_noise_is_laid_to_irrelevant_passages_only_where_no_relevant_one_has_it():
    golden = [[True, False]]
    answer = [[True, True], [False, True], [False, True], [False, False]]
    assert formulas.noise(answer, golden, [False, False, True, False]) == (1 / 4, 1 / 4)


tables = st.integers(1, 4).flatmap(
    lambda n: st.lists(
        st.tuples(st.lists(st.booleans(), min_size=n, max_size=n), st.booleans()), min_size=1, max_size=6
    )
)


@given(tables)
def test_every_claim_is_faithful_or_known_or_made_up(rows):
    support, right = [row for row, _ in rows], [one for _, one in rows]
    shares = (
        formulas.mean(formulas.anywhere(support)),
        formulas.unsupported(support, right, right=True),
        formulas.unsupported(support, right, right=False),
    )
    assert sum(shares) == pytest.approx(1)


@pytest.mark.parametrize(
    ("uses", "gap", "ignored"),
    [([2, 0, 0], 0, 0), ([0, 1], 1 - 0.6309297535714574, 1), ([0, 0], None, 1), ([1, 1, 0], 0, 0)],
)
def test_misalignment_of_ranking_and_use(uses, gap, ignored):
    assert attribution.misalignment(uses) == (None if gap is None else pytest.approx(gap))
    assert attribution.top_ignored(uses) == ignored
