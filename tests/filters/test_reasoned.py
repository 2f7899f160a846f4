"""A reasoning question whose steps hold passes; a copied answer and steps with a fault do not."""

import pytest

from synth.generation.filters.reasoned import Reasoned
from tests.corpus import corpus
from tests.filters.rows import read, row, then

FILLER = {
    "rope": "The ropes of the harbour are made of hemp. They are tarred every autumn in the long shed by the quay.",
    "ferry": "The ferry to Dunmore sails twice a day. In winter a storm often keeps the boat in the harbour.",
    "绳": "港口的绳索用麻做成。每年秋天都要在码头边的长棚里涂上柏油。",
    "渡": "開往鄧莫爾的渡輪每天兩班。冬天的風暴常常使船隻留在港裡。",
}
EN = "The Kell lighthouse was lit in 1811. A storm broke its lamp, and the Kell lighthouse went dark in 1860."
HANS = "凯尔灯塔于1811年点亮。一场风暴打碎了灯，凯尔灯塔于1860年熄灭。"
HANT = "凱爾燈塔於1811年點亮。一場風暴打碎了燈，凱爾燈塔於1860年熄滅。"
COPIED = {
    "en": "The lamp of Kell burned well. For 49 years after it was lit the Kell lighthouse did not go dark.",
    "zh-Hans": "灯油从大陆运来。凯尔灯塔点亮49年以后熄灭。",
    "zh-Hant": "燈油從大陸運來。凱爾燈塔點亮49年以後熄滅。",
}


def years(of, language, value=None, steps=None):
    question, answer, first, second, quotes = {
        "en": ("How many years after it was lit did the Kell lighthouse go dark?", "49 years", "1811", "1860",
               ("The Kell lighthouse was lit in 1811.", "A storm broke its lamp, and the Kell lighthouse went dark in 1860.")),
        "zh-Hans": ("凯尔灯塔点亮多少年后熄灭？", "49年", "1811年", "1860年", ("凯尔灯塔于1811年点亮。", "一场风暴打碎了灯，凯尔灯塔于1860年熄灭。")),
        "zh-Hant": ("凱爾燈塔點亮多少年後熄滅？", "49年", "1811年", "1860年", ("凱爾燈塔於1811年點亮。", "一場風暴打碎了燈，凱爾燈塔於1860年熄滅。")),
    }[language]  # fmt: skip
    answer = value or answer
    chain = steps or [read(first), read(second, 1), then("years_between", answer, 0, 1)]
    return row(of, "reasoning", question, answer, quotes, chain, language)


PLAIN = corpus(en=EN, hans=HANS, hant=HANT, **FILLER)


@pytest.mark.parametrize("language", COPIED)
def test_what_is_worked_out_passes(language):
    verdict = Reasoned().decide(years(PLAIN, language), PLAIN)
    assert verdict.kept, verdict.reason


@pytest.mark.parametrize("language", COPIED)
def test_an_answer_copied_from_the_text_is_refused_wherever_it_stands(language):
    elsewhere = corpus(en=EN, hans=HANS, hant=HANT, **FILLER, tale=COPIED[language])
    verdict = Reasoned().decide(years(elsewhere, language), elsewhere)
    assert not verdict.kept
    assert "copied from the text" in verdict.reason


def test_the_same_amount_in_words_is_copied_too():
    told = corpus(en=EN, **FILLER, tale="Forty-nine years after it was lit, the Kell lighthouse went dark.")
    assert "copied" in Reasoned().decide(years(told, "en"), told).reason


def test_a_number_of_something_else_is_not_the_answer():
    told = corpus(en=EN, **FILLER, tale="The Kell lighthouse has 49 steps. For 49 years the ferry has sailed at dawn.")
    verdict = Reasoned().decide(years(told, "en"), told)
    assert verdict.kept, verdict.reason


@pytest.mark.parametrize("language", COPIED)
@pytest.mark.parametrize(
    ("faulty", "reason"),
    [
        (lambda first, second, answer: [read(first), read(second, 1), then("years_between", "50" + answer[2:], 0, 1)], "not what follows"),
        (lambda first, second, answer: [read("1812" + first[4:]), read(second, 1), then("years_between", answer, 0, 1)], "does not stand"),
        (lambda first, second, answer: [read(first), read(first), read(second, 1), then("years_between", answer, 1, 2)], "leads nowhere"),
        (lambda first, second, answer: [read(answer)], "1 steps"),
    ],
)  # fmt: skip
def test_steps_with_a_fault_are_refused(language, faulty, reason):
    unit = "" if language == "en" else "年"
    answer = "49 years" if language == "en" else "49年"
    made = years(PLAIN, language, steps=faulty("1811" + unit, "1860" + unit, answer))
    verdict = Reasoned().decide(made, PLAIN)
    assert not verdict.kept
    assert reason in verdict.reason


def order(of, language):
    question, options, values, quotes = {
        "en": ("Which was lit first, the Kell lighthouse or the Bell Rock lighthouse?",
               ("the Kell lighthouse", "the Bell Rock lighthouse"), ("1811", "1820"),
               ("The Kell lighthouse was lit in 1811.", "The Bell Rock lighthouse was lit in 1820.")),
        "zh-Hans": ("凯尔灯塔和贝尔灯塔，哪一座先点亮？", ("凯尔灯塔", "贝尔灯塔"), ("1811年", "1820年"),
                    ("凯尔灯塔于1811年点亮。", "贝尔灯塔于1820年点亮。")),
        "zh-Hant": ("凱爾燈塔和貝爾燈塔，哪一座先點亮？", ("凱爾燈塔", "貝爾燈塔"), ("1811年", "1820年"),
                    ("凱爾燈塔於1811年點亮。", "貝爾燈塔於1820年點亮。")),
    }[language]  # fmt: skip
    steps = [
        read(values[0], 0, says=options[0]),
        read(values[1], 1, says=options[1]),
        then("earliest", options[0], 0, 1),
    ]
    return row(of, "reasoning", question, options[0], quotes, steps, language)


LIT = {
    "en": "The Kell lighthouse was lit in 1811. The Bell Rock lighthouse was lit in 1820.",
    "hans": "凯尔灯塔于1811年点亮。贝尔灯塔于1820年点亮。",
    "hant": "凱爾燈塔於1811年點亮。貝爾燈塔於1820年點亮。",
}


@pytest.mark.parametrize(
    ("language", "outright", "harmless"),
    [
        (
            "en",
            "The Kell lighthouse was lit before the Bell Rock lighthouse.",
            "From Dunmore the Kell lighthouse and the Bell Rock lighthouse are lit.",
        ),
        ("zh-Hans", "凯尔灯塔比贝尔灯塔先点亮。", "从海上能看见凯尔灯塔和贝尔灯塔点亮。"),
        ("zh-Hant", "凱爾燈塔比貝爾燈塔先點亮。", "從海上能看見凱爾燈塔和貝爾燈塔點亮。"),
    ],
)
def test_a_choice_is_refused_only_where_a_sentence_compares(language, outright, harmless):
    told, untold = corpus(**LIT, **FILLER, tale=outright), corpus(**LIT, **FILLER, tale=harmless)
    assert "copied" in Reasoned().decide(order(told, language), told).reason
    verdict = Reasoned().decide(order(untold, language), untold)
    assert verdict.kept, verdict.reason
