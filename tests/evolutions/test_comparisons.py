"""Whose lives are compared, and what becomes of one life that two documents tell of."""

import pytest

from synth.evolutions.base import Eliminated
from synth.evolutions.chronicle import Chronicle
from synth.evolutions.compare import Compare
from synth.evolutions.order import Order
from synth.generating import trial_material
from synth.progress import Silent
from synth.settings import Settings
from synth.text.normalise import to_simplified, to_traditional

PEOPLE = {
    "en": [
        ("Ada Marsh", "Ada Marsh (born 3 May 1820) was an English painter."),
        ("Carl Lindqvist", "Carl Lindqvist (born 9 March 1831) was a Swedish painter and teacher."),
        ("Jon Peele", "Jon Peele (born 12 June 1845) was a Scottish botanist."),
    ],
    "zh-Hans": [
        ("林望", "林望于1820年5月3日出生，是一名英国画家。"),
        ("周文海", "周文海于1831年3月9日出生，是中国著名画家。"),
        ("陈立平", "陈立平于1845年6月12日出生，是一名苏格兰植物学家。"),
    ],
}


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_two_painters_are_compared_and_no_painter_with_a_botanist(tmp_path, language):
    people = PEOPLE["en" if language == "en" else "zh-Hans"]
    if language == "zh-Hant":
        people = [(to_traditional(name), to_traditional(text)) for name, text in people]
    for number, (_, text) in enumerate(people):
        (tmp_path / f"{number}.txt").write_text(text, encoding="utf-8")
    settings = Settings(workspace=str(tmp_path / "workspace"))
    with trial_material([str(tmp_path)], settings, Silent()) as material:
        compared = {
            frozenset(material.graph.fact(fact_id).subject.text for fact_id in scenario.path)
            for scenario in Compare().plan(material)
        }
    assert compared == {frozenset(name for name, _ in people[:2])}


LIVES = {
    "en": (
        "Ada Marsh was an English painter. In 1841 Ada Marsh joined the Royal Academy.",
        "The Alder School was a school of art in Bern. Ada Marsh founded the Alder School in 1855.",
        "How many years after joining the Royal Academy did Ada Marsh found the Alder School?",
        "14 years",
    ),
    "zh-Hans": (
        "林望是一名英国画家。林望于1841年进入伯尔尼大学。",
        "1855年，林望创办了橡树美术学校。橡树美术学校位于伯尔尼。",
        "林望从进入伯尔尼大学到创办橡树美术学校，中间隔了多少年？",
        "14年",
    ),
}


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_two_events_of_a_life_that_two_documents_tell_are_one_question(tmp_path, language):
    told = LIVES["en" if language == "en" else "zh-Hans"]
    first, second, question, years = map(to_traditional, told) if language == "zh-Hant" else told
    (tmp_path / "one.txt").write_text(first, encoding="utf-8")
    (tmp_path / "two.txt").write_text(second, encoding="utf-8")
    operator = Chronicle()
    with trial_material([str(tmp_path)], Settings(workspace=str(tmp_path / "workspace")), Silent()) as material:
        tried = [operator.evolve(operator.parents(one, material), one, material) for one in operator.plan(material)]
    made = [sample for sample in tried if not isinstance(sample, Eliminated)]
    assert (question, (years,)) in [(sample.question, sample.golden_answers) for sample in made]
    assert all({piece.doc_id for piece in sample.evidence} == {"one.txt", "two.txt"} for sample in made)


DAMS = {
    "en": (
        "The Holm dam was founded in 1950. The Holm dam was closed in 1990.\n\nThe Holm dam was strengthened in 1970. The Holm dam was painted in 1980.",
        frozenset(("be strengthened", "be painted")),
    ),
    "zh-Hans": (
        "梨溪大坝于1950年开工。梨溪大坝于1990年停运。梨溪大坝于1970年完成加固。梨溪大坝于1980年接入监测系统。",
        frozenset(("完成", "接入")),
    ),
}


@pytest.mark.parametrize("language", ["en", "zh-Hans", "zh-Hant"])
def test_nobody_is_asked_whether_a_thing_was_begun_before_it_was_mended(tmp_path, language):
    text, asked = DAMS["en" if language == "en" else "zh-Hans"]
    text = to_traditional(text) if language == "zh-Hant" else text
    (tmp_path / "dam.txt").write_text(text, encoding="utf-8")
    with trial_material([str(tmp_path)], Settings(workspace=str(tmp_path / "workspace")), Silent()) as material:
        found = [
            frozenset(to_simplified(material.graph.fact(fact_id).relation) for fact_id in scenario.path)
            for scenario in Order().plan(material)
        ]
    assert found == [asked]
