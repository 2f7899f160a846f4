"""Inputs of an update: whether there is anything to do, and the copy of a set without changes."""

import json
from dataclasses import replace
from types import SimpleNamespace

import pytest

from synth.core.jsonl import sample_to_row
from synth.core.progress import Silent
from synth.core.records import Sample
from synth.testset.update.decision import ExistingRow
from synth.testset.update.history import set_hash
from synth.workflows.overwriting import Making
from synth.workflows.settings import Settings
from synth.workflows.update_job import UpdateJob

GOAL = {"simple": 10, "unanswerable": 10}
SET_SETTINGS = Settings(n=20, types=GOAL)


def existing(simple, unanswerable):
    kinds = ["simple"] * simple + ["unanswerable"] * unanswerable
    rows = []
    for number, kind in enumerate(kinds, start=1):
        sample = Sample(
            question=f"What is {number}?", golden_answers=(), evidence=(), question_type=kind, language="en"
        )
        row = sample_to_row(sample)
        rows.append(ExistingRow(number, json.dumps(row), row, sample))
    return rows


def job(rows, tmp_path, **asked):
    manifest = {"set": {"goal": GOAL, "hash": set_hash([row.text for row in rows])}}
    return UpdateJob(
        testset=tmp_path / "set" / "testset.jsonl",
        output=tmp_path / "copy" / "testset.jsonl",
        settings=replace(SET_SETTINGS, **asked),
        set_settings=SET_SETTINGS,
        manifest=manifest,
        existing=rows,
        loaded=SimpleNamespace(skipped=()),
        alignment=SimpleNamespace(unchanged=True),
        against={},
        progress=Silent(),
        making=Making("update", tmp_path / "set" / "testset.jsonl", "a set"),
    )


@pytest.mark.parametrize(
    ("rows", "asked", "missing"),
    [
        ((10, 5), {}, None),
        ((10, 5), {"types": {"simple": 1}}, {"simple": 5}),
        ((10, 10), {"types": {"simple": 1}}, None),
        ((10, 10), {"n": 24}, {"simple": 2, "unanswerable": 2}),
        ((10, 10), {"n": 3}, None),
    ],
)
def test_other_rows_are_made_where_they_are_asked_for_and_rows_are_missing(tmp_path, rows, asked, missing):
    update = job(existing(*rows), tmp_path, **asked)
    assert update.nothing_to_do == (missing is None)
    if missing:
        assert update.missing_rows(dict(zip(GOAL, rows, strict=True))) == missing
