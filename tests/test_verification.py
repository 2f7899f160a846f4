"""A row that is there already goes when it falls clear of a threshold, not when other documents shift it over the line."""

from dataclasses import fields, replace

import pytest

from synth.core.plugins import discover
from synth.generation.filters.answerable import Answerable
from synth.generation.filters.base import Filter
from synth.generation.filters.grounded import Grounded
from synth.generation.filters.specific import Specific
from synth.testset.verification import faults
from tests.corpus import corpus, sample

LIGHTS = {
    "en": ("The Kell lighthouse was built in 1811.", "When was the Kell lighthouse built?", "1811", "en"),
    "hans": ("凯尔灯塔建于1811年。", "凯尔灯塔建于哪一年？", "1811年", "zh-Hans"),
    "hant": ("凱爾燈塔建於1811年。", "凱爾燈塔建於哪一年？", "1811年", "zh-Hant"),
}
CORPUS = corpus(**{name: text for name, (text, *_) in LIGHTS.items()})
ROWS = [sample(CORPUS, question, answer, text, name, told) for name, (text, question, answer, told) in LIGHTS.items()]
EASED = [filter_ for filter_ in discover("synth.generation.filters", Filter).values() if filter_.slack]  # type: ignore[type-abstract]


def held(row, filter_):
    return next(faults([row], CORPUS, [filter_], [])) == ""


@pytest.mark.parametrize("row", ROWS, ids=list(LIGHTS))
def test_a_row_on_the_line_stays_and_one_clear_of_it_goes(row):
    elsewhere = " (灯塔)" if row.language == "en" else " (lighthouse)"  # a word that the row's passage has not got
    row = replace(row, question=row.question[:-1] + elsewhere + row.question[-1])
    fit = Answerable().decide(row, CORPUS).score
    on_the_line, clear = Answerable(min_fit=fit + 0.04), Answerable(min_fit=fit + 0.06)
    assert not on_the_line.decide(row, CORPUS).kept
    assert held(row, on_the_line)
    assert not held(row, clear)


@pytest.mark.parametrize("row", ROWS, ids=list(LIGHTS))
def test_a_count_gives_way_too(row):
    assert not Specific(max_rivals=-1).decide(row, CORPUS).kept
    assert held(row, Specific(max_rivals=-1))
    assert not held(row, Specific(max_rivals=-6))


def test_what_does_not_hang_on_other_documents_gives_no_way():
    row = ROWS[0]
    assert not held(replace(row, golden_answers=("nowhere",)), Grounded())


@pytest.mark.parametrize("filter_", EASED, ids=lambda filter_: filter_.name)
def test_every_slack_loosens_a_threshold_of_its_filter(filter_):
    assert set(filter_.slack) <= {field.name for field in fields(filter_)}
    for name, by in filter_.slack.items():
        assert by < 0 if name.startswith("min_") else by > 0, name
