"""Whose lives are compared: those of people who are the same, and of nobody else."""

import pytest

from synth.evolutions.compare import Compare
from synth.generating import trial_material
from synth.progress import Silent
from synth.settings import Settings
from synth.text.normalise import to_traditional

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
