"""Agreement as it is told: by dimension, by pair, and where there is nothing to tell."""

import pytest

from synth.annotation.acceptance import deciding
from synth.annotation.agreement import annotator_agreement
from tests.annotation.rows import corpus_and_rows, said

ROWS = corpus_and_rows(30, 6)[1]
DOCUMENTS = {row.id: row.evidence[0].doc_id for row in ROWS}


def told(found, dimension):
    one = next(d for d in found.dimensions if d.name == dimension)
    return one, {c.name: c for c in one.coefficients}


def test_two_people_with_gaps():
    annotations = [said(row, "ann", ratings={"clarity": 1 + n % 3}) for n, row in enumerate(ROWS)]
    annotations += [
        said(row, "bo", *(("reject",) if n % 5 == 0 else ("accept",)), reason="trivial", ratings={"clarity": 3})
        for n, row in enumerate(ROWS[:20])
    ]
    found = annotator_agreement(annotations, DOCUMENTS)
    decision, coefficients = told(found, "decision")
    assert decision.rows == 20
    assert decision.counts == {"accept": 46, "edit": 0, "reject": 4}
    assert coefficients["raw agreement"].estimate.mean == pytest.approx(0.8)
    assert coefficients["Cohen's kappa"].estimate.mean == pytest.approx(0.0)
    raw = coefficients["raw agreement"].estimate
    assert raw.low < 0.8 < raw.high
    assert "Krippendorff's alpha (ordinal)" in told(found, "clarity")[1]
    assert found.annotators == {"ann": {"accept": 30}, "bo": {"accept": 16, "reject": 4}}
    assert sorted(found.disputed) == sorted(row.id for row in ROWS[:20:5])
    (pair,) = found.pairs
    assert (pair.first, pair.second, pair.kappa.rows) == ("ann", "bo", 20)


def test_three_people_have_fleiss_of_the_rows_that_as_many_judged():
    annotations = [said(row, who) for row in ROWS[:10] for who in ("ann", "bo", "陈")]
    annotations += [said(row, "陈", "reject", reason="other") for row in ROWS[10:12]]
    annotations += [said(row, "ann", "reject", reason="other") for row in ROWS[10:12]]
    found = annotator_agreement(annotations, DOCUMENTS)
    kappa = told(found, "kept")[1]["Fleiss' kappa"]
    assert kappa.note == "computed from the rows with 3 judgements"
    assert kappa.estimate.mean is None
    assert told(found, "kept")[1]["Krippendorff's alpha"].estimate.mean == pytest.approx(1.0)


def test_edits_that_differ_are_to_be_settled():
    annotations = [said(ROWS[0], who, "edit", question=f"Who asks {who}?") for who in ("ann", "bo")]
    found = annotator_agreement(annotations, DOCUMENTS)
    assert list(found.disputed) == [ROWS[0].id]


@pytest.mark.parametrize(
    ("first", "second", "agree"),
    [
        ("需要多少 GB？", "需要多少GB?", True),
        ("How  many（ＧＢ）", "How many(GB)", True),
        ("What is 10²?", "What is 102?", False),
        ("需要几GB？", "需要多少GB？", False),
    ],
)
def test_edits_that_differ_in_width_and_white_space_agree(first, second, agree):
    annotations = [said(ROWS[0], "ann", "edit", question=first), said(ROWS[0], "bo", "edit", question=second)]
    assert (annotator_agreement(annotations, DOCUMENTS).disputed == {}) is agree
    assert (deciding(annotations) == annotations[0]) is agree


def test_degenerate_cases_say_what_they_are():
    nothing = annotator_agreement([], DOCUMENTS)
    assert told(nothing, "decision")[0].note == "no judgements"
    alone = annotator_agreement([said(row) for row in ROWS], DOCUMENTS)
    assert told(alone, "decision")[0].note == "only one annotator"
    apart = annotator_agreement([said(ROWS[0]), said(ROWS[1], "bo")], DOCUMENTS)
    assert told(apart, "decision")[0].note == "no row was judged by two people"
    same = annotator_agreement([said(row, who) for row in ROWS for who in ("ann", "bo")], DOCUMENTS)
    kappa = told(same, "decision")[1]["Cohen's kappa"]
    assert kappa.estimate.mean is None
    assert "all judgements have the same value" in kappa.note
    skewed = [said(row, who) for row in ROWS[1:] for who in ("ann", "bo")]
    skewed += [said(ROWS[0], "ann"), said(ROWS[0], "bo", "reject", reason="other")]
    assert (
        "of the judgements have the same value"
        in told(annotator_agreement(skewed, DOCUMENTS), "decision")[1]["Cohen's kappa"].note
    )
    two = annotator_agreement([said(row, who) for row in ROWS[:2] for who in ("ann", "bo")], DOCUMENTS)
    assert told(two, "decision")[1]["raw agreement"].estimate.low is None


def test_skipped_rows_and_adjudications_do_not_count():
    annotations = [said(ROWS[0]), said(ROWS[0], "bo", "skip"), said(ROWS[0], "cy", "reject", True, reason="other")]
    found = annotator_agreement(annotations, DOCUMENTS)
    assert found.annotators == {"ann": {"accept": 1}}
    assert found.disputed == {}


def test_a_row_that_a_majority_or_a_third_person_decided_is_settled():
    apart = [said(ROWS[0], "ann"), said(ROWS[0], "bo", "reject", reason="other")]
    assert list(annotator_agreement(apart, DOCUMENTS).disputed) == [ROWS[0].id]
    assert annotator_agreement([*apart, said(ROWS[0], "cy")], DOCUMENTS).disputed == {}
    assert annotator_agreement([*apart, said(ROWS[0], "cy")], DOCUMENTS).settled == {}
    later = [said(row, who, "accept", True) for row, who in ((ROWS[0], "ann"), (ROWS[0], "cy"), (ROWS[1], "ann"))]
    found = annotator_agreement([*apart, *later], DOCUMENTS)
    assert (found.disputed, found.settled) == ({}, {"ann": 1, "cy": 1}), "the last one settles a row"
