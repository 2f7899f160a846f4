"""How long something went on, and in which decade or century something happened: asked of sentences as they are read."""

from __future__ import annotations

import pytest

from synth.grammar.composer import compositions
from synth.grammar.facts import facts
from synth.grammar.reading import Reading
from synth.records import Document, text_hash
from synth.text.normalise import to_traditional


def read(text):
    """The only fact of a text, and the wording of its language."""
    reading = Reading(Document(doc_id="d", source="d", title="", text=text, content_hash=text_hash(text), metadata={}))
    (fact,) = facts(reading)
    words = compositions(reading.language)
    assert words is not None
    return fact, words


@pytest.mark.parametrize(
    ("text", "lasting"),
    [
        (
            "Paula Reyes served as keeper of the Kell Tower from 1901 to 1909.",
            "For how many years did Paula Reyes serve as keeper of the Kell Tower?",
        ),
        ("The Lantern Bridge was built by the Harbour Trust from 1901 to 1904.", None),
        ("Paula Reyes designed the Lantern Bridge in 1921.", None),
        (
            "苏远航于1963年12月至1967年4月担任澄湖水文站站长。",
            "苏远航担任澄湖水文站站长的时间前后有多少年？",
        ),
        ("苏远航于1963年担任澄湖水文站站长。", None),
    ],
)
def test_how_long_it_went_on(text, lasting):
    fact, words = read(text)
    assert words.lasting(fact) == lasting
    assert (words.span(fact) is None) == (lasting is None)


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("The Kell Tower was built in 1811.", "In which century was the Kell Tower built?", "the 19th century"),
        ("The Kell Tower was built in 1800.", "In which century was the Kell Tower built?", "the 18th century"),
        ("The Kell Tower was built in 1974.", "In which decade was the Kell Tower built?", "the 1970s"),
        ("澄湖水库于1886年建成。", "澄湖水库是在哪个世纪建成的？", "19世纪"),
        ("澄湖水库于1958年建成。", "澄湖水库是在哪个年代建成的？", "20世纪50年代"),
    ],
)
def test_in_which_era_it_happened(text, question, answer):
    fact, words = read(text)
    asked = words.era(fact)
    assert asked is not None
    assert (asked.question, asked.answer) == (question, answer)


def test_the_first_decades_of_a_century_have_no_name_in_chinese():
    fact, words = read("澄湖水库于1908年建成。")
    assert words.era(fact) is None


@pytest.mark.parametrize("text", ["苏远航于1963年至1967年担任澄湖水文站站长。", "澄湖水库于1958年建成。"])
def test_traditional_script_is_asked_in_traditional_script(text):
    simple, traditional = (read(one) for one in (text, to_traditional(text)))
    for method in ("span", "lasting"):
        asked = [getattr(words, method)(fact) for fact, words in (simple, traditional)]
        assert asked[1] == (asked[0] and to_traditional(asked[0]))
    eras = [words.era(fact) for fact, words in (simple, traditional)]
    assert (eras[0] is None) == (eras[1] is None)
    if eras[0] and eras[1]:
        assert eras[1].question == to_traditional(eras[0].question)
