import pytest

from synth.corpus.transforms.summaries import Summaries
from tests.transforms.made import graph_of

ENGLISH = (
    "# Gauge\n\nHowever, people came. The tide gauge measures the water level of the harbour. Lunch is at noon in the "
    "small canteen. The office by the harbour has a clerk who reads the tide gauge and keeps a thick book of all ships. Is the level high? "
    "Cats sleep on the warm stones all day. It is often wet.\n"
)
SIMPLIFIED = (
    "# 潮位\n\n但是有人来过。潮位计测量港口的水位和潮汐变化。食堂中午提供午餐和热汤。港口办公室读取潮位计并记录港口水位。"
    "水位高不高呢？猫整天睡在暖和的石头上面。它经常很湿。\n"
)
TRADITIONAL = (
    "# 潮位\n\n但是有人來過。潮位計測量港口的水位和潮汐變化。食堂中午提供午餐和熱湯。港口辦公室讀取潮位計並記錄港口水位。"
    "水位高不高呢？貓整天睡在暖和的石頭上面。它經常很濕。\n"
)


def summary(text):
    graph = graph_of(text, transform=Summaries())
    return graph.value("0.md", "summary"), graph.document("0.md").text


@pytest.mark.parametrize(("text", "word"), [(ENGLISH, "tide gauge"), (SIMPLIFIED, "潮位计"), (TRADITIONAL, "潮位計")])
def test_the_sentences_that_share_most_are_chosen_with_their_places(text, word):
    found, source = summary(text)
    pieces = [source[a:b] for a, b in found["spans"]]
    assert len(pieces) == 2
    assert all(word in piece for piece in pieces)
    assert found["text"] == (" " if word.isascii() else "").join(pieces)
    assert found["spans"] == sorted(found["spans"])


def test_sentences_that_say_the_same_are_not_both_chosen():
    said = "The tide gauge measures the water level of the harbour."
    rest = ["The office keeps a book about the harbour tide.", "Rain fell on the roof of the market hall.",
            "The baker sold bread to the sailors of the fleet.", "A red lamp shows the entrance of the dock."]  # fmt: skip
    again = said.replace("of the harbour", "in the harbour")
    found, source = summary(" ".join([said, again, *rest]))
    pieces = [source[a:b] for a, b in found["spans"]]
    assert len(pieces) == 2
    assert len({said, again} & {*pieces}) == 1


def test_without_prose_there_is_none():
    assert summary("# Title only\n\n```\ncode\n```\n")[0] is None


def test_markup_stays_out_of_the_text_and_in_the_place():
    found, source = summary("The **tide gauge** measures the water level of the harbour.")
    assert found["text"] == "The tide gauge measures the water level of the harbour."
    assert source[slice(*found["spans"][0])] == "The **tide gauge** measures the water level of the harbour."
