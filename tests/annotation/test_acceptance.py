"""What becomes of rows, how good the filters were, and which thresholds would have been better."""

import json
import tomllib
from dataclasses import asdict, replace

import pytest

from synth.annotation.acceptance import accepted, filter_records, outcomes, precision, reasons
from synth.annotation.filter_scales import SCALES
from synth.annotation.recalibration import as_toml, recalibrate
from synth.annotation.records import REASONS
from synth.annotation.review_set import open_pool
from synth.core.jsonl import row_to_sample, sample_to_row, write_rows
from synth.core.plugins import discover
from synth.core.records import Verdict
from synth.generation.filters.answerable import Answerable
from synth.generation.filters.base import Filter, SetFilter, binding
from synth.generation.filters.copied import Copied
from tests.annotation.rows import corpus_and_rows, document, said, sample

ROWS = corpus_and_rows(40, 8)[1]


def decision(*annotations):
    return outcomes([ROWS[0]], annotations)[0].decision


def test_more_than_half_decide_and_an_adjudication_settles():
    accept, reject = said(ROWS[0], "a"), said(ROWS[0], "b", "reject", reason="trivial")
    assert decision() == "unreviewed"
    assert decision(said(ROWS[0], "a", "skip")) == "unreviewed"
    assert decision(accept) == "accept"
    assert decision(accept, reject) == "undecided"
    assert decision(accept, reject, said(ROWS[0], "c")) == "accept"
    assert decision(accept, reject, said(ROWS[0], "c", "reject", True, reason="other")) == "reject"
    edit = said(ROWS[0], "a", "edit", question="When was lamp 0 lit?")
    assert decision(edit, said(ROWS[0], "b", "edit", question="When was lamp 0 lit?")) == "edit"
    assert decision(edit, said(ROWS[0], "b", "edit", question="Lit when was lamp 0?")) == "undecided"


def test_decisions_on_another_version_do_not_count():
    changed = replace(ROWS[0], golden_answers=("1800",))
    assert outcomes([changed], [said(ROWS[0])])[0].decision == "unreviewed"


def test_an_edit_is_a_new_version_that_says_what_it_replaces():
    row = replace(
        ROWS[1],
        metadata={
            **ROWS[1].metadata,
            "alternatives": [],
            "hard_negatives": [1],
            "difficulty_signals": {"bm25_rank": 1},
        },
    )
    said_of_it = [said(row, "李", "edit", question="第1座灯塔是哪年建的？", comment="更自然", ratings={"fluency": 2})]
    edited = accepted(outcomes([row], said_of_it)[0])
    assert edited.question == "第1座灯塔是哪年建的？"
    assert edited.id != row.id
    assert edited.metadata["source"] == "edited"
    assert edited.metadata["supersedes"] == row.id
    assert edited.metadata["annotation"] == {
        "decision": "edit",
        "annotators": ["李"],
        "comments": ["更自然"],
        "ratings": {"fluency": 2.0},
    }
    assert edited.verdicts == ()
    assert "difficulty_signals" not in edited.metadata
    assert edited.metadata["hard_negatives"] == [1]
    again = row_to_sample(sample_to_row(edited), "x")
    assert (again.id, again.metadata["annotation"]["decision"]) == (edited.id, "edit")
    answered = accepted(outcomes([row], [said(row, decision="edit", golden_answers=["1702年"])])[0])
    assert "hard_negatives" not in answered.metadata
    assert answered.metadata["supersedes"] == answered.id == row.id


@pytest.mark.parametrize("edit", [{"question": "第1座灯塔是哪年建的？"}, {"golden_answers": ["1702年"]}])
def test_ratings_of_the_judge_are_marked_as_those_of_the_wording_before_an_edit(edit):
    ratings = {"worth": 4, "natural": 5, "matters": 4}
    row = replace(ROWS[1], metadata={**ROWS[1].metadata, "ratings": ratings, "doubt": "d", "signals": {"copied": "c"}})
    edited = accepted(outcomes([row], [said(row, decision="edit", **edit)])[0])
    assert not {"ratings", "doubt", "signals"} & edited.metadata.keys()
    assert edited.metadata["earlier_ratings"] == ratings
    twice = accepted(outcomes([edited], [said(edited, decision="edit", question="何时建成第1座灯塔？")])[0])
    assert twice.metadata["earlier_ratings"] == ratings
    kept = accepted(outcomes([row], [said(row)])[0])
    assert (kept.metadata["ratings"], "earlier_ratings" in kept.metadata) == (ratings, False)


@pytest.mark.parametrize(("answer", "is_marked"), [("1710", True), ("1700", False)])
def test_ratings_of_the_judge_are_marked_where_a_person_accepts_another_answer(answer, is_marked):
    proposal = {"golden_answers": [answer], "evidence": sample_to_row(ROWS[0])["evidence"]}
    review = {"reason": "r", "proposal": proposal}
    row = replace(ROWS[0], metadata={**ROWS[0].metadata, "ratings": {"natural": 5}, "review": review})
    kept = accepted(outcomes([row], [said(row)])[0])
    assert ("earlier_ratings" in kept.metadata, "ratings" in kept.metadata) == (is_marked, not is_marked)


def test_a_rule_that_proves_nothing_does_not_decide_on_an_edited_row_that_a_judge_had_rated():
    rule = Answerable()
    row = replace(ROWS[0], metadata={**ROWS[0].metadata, "ratings": {"natural": 5}})
    edited = accepted(outcomes([row], [said(row, decision="edit", question="When was lamp 0 lit?")])[0])
    assert binding([rule], ROWS[0]) == [rule]
    assert binding([rule], row) == binding([rule], edited) == []


def test_an_accepted_row_keeps_all_it_has():
    kept = accepted(outcomes([ROWS[0]], [said(ROWS[0], "a"), said(ROWS[0], "b")])[0])
    assert kept.id == ROWS[0].id
    assert kept.verdicts == ROWS[0].verdicts
    assert kept.metadata["annotation"] == {"decision": "accept", "annotators": ["a", "b"]}


def test_precision_of_the_set_and_of_filters_from_both_sides():
    annotations = [said(row) for row in ROWS[:30]]
    annotations[0] = said(ROWS[0], decision="reject", reason="unsupported")
    annotations[1] = said(ROWS[1], decision="reject", reason="trivial")
    annotations[2] = said(ROWS[2], decision="edit", question="x?")
    against = [said(ROWS[n], decision="reject", reason="other") for n in (35, 36)] + [said(ROWS[37])]
    found = outcomes(ROWS[:35], annotations)
    refused = outcomes(ROWS[35:], against)
    shares = precision(found)
    assert shares["accepted"].mean == pytest.approx(27 / 30)
    assert shares["kept"].mean == pytest.approx(28 / 30)
    assert shares["kept"].low < 28 / 30 < shares["kept"].high
    by = {row.id: "copied" for row in ROWS[35:]}
    names = ["grounded", "specific", "worth_asking", "copied"]
    records = {r.filter_name: r for r in filter_records(found, refused, by, names)}
    assert records["grounded"].passed.mean == pytest.approx(29 / 30)
    assert records["specific"].passed.mean == 1.0
    assert records["worth_asking"].passed is None, "no row has its verdict"
    assert records["copied"].passed is None
    assert records["copied"].refused.mean == pytest.approx(2 / 3)
    assert records["grounded"].refused is None
    assert reasons(found) == {"unsupported": 1, "trivial": 1}


def test_the_judge_answers_for_every_row_that_it_passed_and_people_rejected():
    rows = [replace(row, verdicts=(Verdict(filter="judged", kept=True, reason=""),)) for row in ROWS[:4]]
    rows.append(ROWS[4])
    annotations = [
        said(row, decision="reject", reason=why) for row, why in zip(rows, ("trivial", "other"), strict=False)
    ]
    found = outcomes(
        rows, [*annotations, said(rows[2]), said(rows[3]), said(rows[4], decision="reject", reason="other")]
    )
    (judged,) = filter_records(found, [], {}, ["judged"])
    assert (judged.passed.mean, judged.passed.n) == (0.5, 4)


def test_reasons_and_scales_name_filters_and_settings_that_exist():
    set_filters = {**discover("synth.generation.filters", Filter), **discover("synth.generation.filters", SetFilter)}
    assert {filter_ for named in REASONS.values() for filter_ in named} <= set(set_filters)
    for filter_, scale in SCALES.items():
        assert isinstance(getattr(set_filters[filter_](), scale.setting), int | float)


def scored(n, score, filter_="grounded"):
    of = document("d", f"Lamp {n} was lit.")
    return sample(f"Which lamp {n}?", f"Lamp {n}", f"Lamp {n} was lit.", of, scores={filter_: score})


def test_a_threshold_that_fits_the_decisions_is_proposed_and_written():
    rows = [scored(n, 0.8 + 0.005 * n) for n in range(40)]
    annotations = [
        said(row, decision="reject", reason="unsupported") if n < 16 else said(row) for n, row in enumerate(rows)
    ]
    found = outcomes(rows, annotations)
    (one,) = recalibrate(found, [], {}, {}, {"grounded": {"min_recall": 0.8}})
    assert one.clear
    assert 0.875 < one.proposed <= 0.88
    assert (one.agreeing, one.disagreeing) == (16, 0)
    assert (one.precision_before, one.precision_after) == (24 / 40, 1.0)
    assert tomllib.loads(as_toml([one])) == {"filters": {"grounded": {"min_recall": one.proposed}}}


def test_refused_candidates_that_people_keep_loosen_a_threshold():
    passed = [scored(n, float(1 + n % 10), "specific") for n in range(30)]
    refused = [scored(100 + n, 12.0 + n % 5, "specific") for n in range(30)]
    found = outcomes(passed, [said(row) for row in passed])
    against = outcomes(refused, [said(row) for row in refused])
    by, scores = {r.id: "specific" for r in refused}, {r.id: 12.0 + n % 5 for n, r in enumerate(refused)}
    (one,) = recalibrate(found, against, by, scores, {"specific": {"max_rivals": 10}})
    assert (one.proposed, one.agreeing, one.clear) == (15, 30, True)
    assert "max_rivals = 15" in as_toml([one])


def test_too_little_and_chance_are_told_and_not_written():
    thresholds = {"grounded": {"min_recall": 0.8}}
    few = [scored(n, 0.9) for n in range(5)]
    (one,) = recalibrate(outcomes(few, [said(row) for row in few]), [], {}, {}, thresholds)
    assert one.note == "only 5 decided rows have a score, at least 20 needed; review more rows"
    rows = [scored(n, 0.8 + 0.005 * n) for n in range(40)]
    annotations = [said(rows[0], decision="reject", reason="other"), *map(said, rows[1:])]
    (one,) = recalibrate(outcomes(rows, annotations), [], {}, {}, thresholds)
    assert (one.agreeing, one.disagreeing, one.clear) == (1, 0, False)
    assert as_toml([one]) == "[filters]\n"


def test_thresholds_of_a_manifest_that_are_no_numbers_are_those_of_the_filter(tmp_path):
    testset = tmp_path / "testset.jsonl"
    write_rows(testset, [sample_to_row(ROWS[0])])
    manifest = {"filters": [{"name": "copied", "max_words": "../outside"}, {"name": "grounded", "min_recall": 0.7}]}
    (tmp_path / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    thresholds = open_pool(testset).thresholds
    assert thresholds["copied"] == asdict(Copied())
    assert thresholds["grounded"]["min_recall"] == 0.7
