"""Texts are found where they stand, however they were copied, and what is not there is not found."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.testset.adoption import locator
from synth.testset.locating import BY_ANSWER, EXACT, FUZZY, NORMALISED, NotFound
from tests.corpus import corpus

GUIDE = (
    "# Pumps\n\nThe **old pump** at `Fogbrook` delivers 40 litres a second, and was\ninstalled in 1931 by Ada Finch.\n\n"
    "A second pump was installed in 1952. The pump runs at night. Nobody has replaced it."
)
HANS = "# 泵站\n\n雾溪泵站每秒输水四十升，由陈雨于１９３１年安装。阀门为黄铜制，至今没有更换过，每年检查两次。\n\n泵站夜间运行。"
HELD = corpus(**{"guide/pump.md": GUIDE, "zh/泵站.md": HANS, "copy.md": "Notes. The pump runs at night. End."})
WHERE = locator(HELD)


def text_of(place):
    return HELD.document(place.doc_id).text[place.start : place.end]


@pytest.mark.parametrize(
    ("quote", "how", "doc_id", "text"),
    [
        ("A second pump was installed in 1952.", EXACT, "guide/pump.md", "A second pump was installed in 1952."),
        (
            "The old pump at Fogbrook delivers 40 litres a second, and was installed in 1931",
            NORMALISED,
            "guide/pump.md",
            "The **old pump** at `Fogbrook` delivers 40 litres a second, and was\ninstalled in 1931",
        ),
        ("雾溪泵站每秒输水四十升,由陈雨于1931年安装", NORMALISED, "zh/泵站.md", "雾溪泵站每秒输水四十升，由陈雨于１９３１年安装"),
        ("霧溪泵站每秒輸水四十升，由陳雨", NORMALISED, "zh/泵站.md", "雾溪泵站每秒输水四十升，由陈雨"),
        (
            "The old pump at Fogbrook delivers 40 liters a second and was installed in 1931 by Ada Finch",
            FUZZY,
            "guide/pump.md",
            "The **old pump** at `Fogbrook` delivers 40 litres a second, and was\ninstalled in 1931 by Ada Finch",
        ),
        (
            "阀门是黄铜制，至今没有更换过，每年检查二次，雾溪泵站夜间运行",
            NotFound,
            "",
            "",
        ),
        ("阀门为青铜制，至今没有更换过，每年检查两次。泵站夜间运行", FUZZY, "zh/泵站.md", "阀门为黄铜制，至今没有更换过，每年检查两次。\n\n泵站夜间运行"),
    ],
)  # fmt: skip
def test_a_text_is_found_as_it_was_copied(quote, how, doc_id, text):
    place = WHERE.find(quote)
    if how is NotFound:
        assert isinstance(place, NotFound)
        assert "similarity" in place.reason
        return
    assert (place.method, place.doc_id, text_of(place)) == (how, doc_id, text)
    assert (place.score == 1.0) == (how != FUZZY)


def test_several_places_are_named_and_the_document_asked_for_comes_first():
    first = WHERE.find("The pump runs at night.")
    assert first.doc_id == "copy.md"
    assert [other[0] for other in first.other_places] == ["guide/pump.md"]
    asked = WHERE.find("The pump runs at night.", "guide/pump.md")
    assert (asked.doc_id, [other[0] for other in asked.other_places]) == ("guide/pump.md", ["copy.md"])
    placed = WHERE.find("The pump runs at night.", "copy.md", 7)
    assert (placed.start, placed.other_places) == (7, ())


@pytest.mark.parametrize(
    "quote", ["ump", "， 。", "The turbine was sold to a museum in Oslo in 1999.", "19 31 5", "3.1"]
)
def test_what_is_not_there_is_not_found(quote):
    assert isinstance(WHERE.find(quote), NotFound)


@pytest.mark.parametrize(
    ("name", "doc_id"),
    [
        ("guide/pump.md", "guide/pump.md"),
        ("/home/x/docs/guide/pump.md", "guide/pump.md"),
        ("C:\\docs\\guide\\pump.md", "guide/pump.md"),
        ("pump.md", "guide/pump.md"),
        ("泵站", "zh/泵站.md"),
        ("other.md", ""),
        ("", ""),
    ],
)
def test_a_document_is_known_by_its_path_or_its_name(name, doc_id):
    assert WHERE.named(name) == doc_id


def test_the_sentence_of_an_answer_is_the_one_that_speaks_of_the_question():
    def weigh(question, text):
        return sum(word in text for word in question.split())

    place = WHERE.answered("second 1952", ["pump"], "guide/pump.md", weigh)
    assert (place.method, text_of(place)) == (BY_ANSWER, "A second pump was installed in 1952.")
    assert "does not contain the answer" in WHERE.answered("x", ["turbine"], "guide/pump.md", weigh).reason


@given(st.data())
@settings(max_examples=40)
def test_any_piece_of_a_document_is_found_where_it_is_or_where_it_is_repeated(data):
    text = data.draw(st.sampled_from([GUIDE, HANS]))
    start = data.draw(st.integers(0, len(text) - 25))
    quote = text[start : start + data.draw(st.integers(25, 80))]
    place = WHERE.find(quote)
    assert place.method == EXACT
    assert text_of(place) == quote
