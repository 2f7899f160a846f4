import pytest

from synth.text.inflection import BASE_OF
from synth.text.stems import stem, stems


def test_forms_lead_back_to_the_base():
    assert [BASE_OF[form] for form in ("wrote", "written", "led", "born")] == ["write", "write", "lead", "bear"]
    assert "lay" not in BASE_OF


@pytest.mark.parametrize(
    "words",
    [
        "station stations",
        "write wrote written writing",
        "decided decides deciding",
        "decision decisions",
        "tall height",
    ],
)
def test_words_of_one_stem(words):
    assert len({stem(word) for word in words.split()}) == 1


@pytest.mark.parametrize(
    "words", ["station state", "university universe", "organ organisation", "1998 1999", "灯塔 灯"]
)
def test_words_of_different_stems(words):
    first, second = words.split()
    assert stem(first) != stem(second)


def test_stems_of_a_text_are_those_of_its_content_words():
    assert stems("The stations were opened in 1998.") == ["station", "open", "1998"]
    assert stems("灯塔建于1998年") == ["灯塔", "建于", "1998"]
