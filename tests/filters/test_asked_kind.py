"""The table of kinds of answers holds for its own examples."""

import json
from importlib.resources import files

import pytest

from synth.generation.matching.asked_kind import asked_kind

TABLE = json.loads(files("synth.generation.matching").joinpath("asked_kind.json").read_text(encoding="utf-8"))
EXAMPLES = [
    pytest.param("zh-Hans" if language == "zh" else language, row["kind"], *pair, verdict == "fits", id=" ".join(pair))
    for language, table in TABLE.items()
    for row in table["kinds"]
    for verdict in ("fits", "misfits")
    for pair in row[verdict]
]
OPEN = [(language, *pair) for language, table in TABLE.items() for pair in table["any"]]


@pytest.mark.parametrize(("language", "kind", "question", "answer", "fits"), EXAMPLES)
def test_an_answer_fits_the_kind_that_its_question_asks_for_or_not(language, kind, question, answer, fits):
    asked = asked_kind(question, language)
    assert asked is not None
    assert asked.name == kind
    assert asked.fits(answer) == fits


@pytest.mark.parametrize(("language", "question", "answer"), OPEN)
def test_other_questions_take_any_answer(language, question, answer):
    assert asked_kind(question, "zh-Hans" if language == "zh" else language) is None
