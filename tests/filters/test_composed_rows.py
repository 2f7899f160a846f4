"""What the filters for every row make of composed questions and of styles."""

from dataclasses import replace

import pytest

from synth.generation.filters.answerable import Answerable
from synth.generation.filters.copied import Copied
from synth.generation.filters.grounded import Grounded
from synth.generation.filters.leaked_answer import LeakedAnswer
from synth.generation.filters.self_contained import SelfContained
from synth.generation.filters.specific import Specific
from synth.generation.filters.well_formed import WellFormed
from synth.generation.filters.worth_asking import WorthAsking
from tests.corpus import corpus, sample
from tests.filters.rows import reasons, row

TEXTS = {
    "kell": "The Kell lighthouse was lit in 1811. If fog comes, the keeper of Kell sounds the horn.",
    "bell": "The Bell Rock lighthouse was lit in 1820. It was built by Robert Stevenson.",
    "stevenson": "Robert Stevenson was born in Glasgow in 1772.",
    "凯尔": "凯尔灯塔于1811年点亮。如果起雾，守塔人鸣雾笛。",
    "贝尔": "贝尔灯塔于1820年点亮。",
    "凱爾": "凱爾燈塔於1811年點亮。如果起霧，守塔人鳴霧笛。",
    "貝爾": "貝爾燈塔於1820年點亮。",
}
OF = corpus(**TEXTS)


def choice(question, options, quotes, language):
    return row(OF, "multi_context", question, options[0], quotes, language)


CHOICES = [
    choice("Which was lit first, the Kell lighthouse or the Bell Rock lighthouse?", ("the Kell lighthouse", "the Bell Rock lighthouse"),
           ("The Kell lighthouse was lit in 1811.", "The Bell Rock lighthouse was lit in 1820."), "en"),
    choice("凯尔灯塔和贝尔灯塔哪一座先点亮？", ("凯尔灯塔", "贝尔灯塔"), ("凯尔灯塔于1811年点亮。", "贝尔灯塔于1820年点亮。"), "zh-Hans"),
    choice("凱爾燈塔和貝爾燈塔哪一座先點亮？", ("凱爾燈塔", "貝爾燈塔"), ("凱爾燈塔於1811年點亮。", "貝爾燈塔於1820年點亮。"), "zh-Hant"),
]  # fmt: skip
BRIDGE = row(OF, "multi_context", "Where was the engineer who built the Bell Rock lighthouse born?", "Glasgow",
             ["It was built by Robert Stevenson.", "Robert Stevenson was born in Glasgow in 1772."])  # fmt: skip
POLAR = [
    row(
        OF,
        "conditional",
        "Does the keeper of Kell sound the horn if fog comes?",
        "Yes",
        ["If fog comes, the keeper of Kell sounds the horn."],
    ),
    row(OF, "conditional", "如果起雾，守塔人是否鸣雾笛？", "是", ["如果起雾，守塔人鸣雾笛。"], language="zh-Hans"),
    row(OF, "conditional", "如果起霧，守塔人是否鳴霧笛？", "是", ["如果起霧，守塔人鳴霧笛。"], language="zh-Hant"),
]
FILTERS = [Answerable(), Copied(), Grounded(), LeakedAnswer(), SelfContained(), Specific(), WellFormed(), WorthAsking()]


@pytest.mark.parametrize("filter_", FILTERS, ids=lambda filter_: filter_.name)
def test_composed_rows_pass(filter_):
    rows = [*CHOICES, BRIDGE, *POLAR]
    assert reasons(filter_, OF, *rows) == [""] * len(rows)


def test_a_yes_to_what_the_evidence_does_not_speak_of_is_not_grounded():
    assert all(reasons(Grounded(), OF, replace(POLAR[0], question="Do ropes tarred in autumn rot if rain falls?")))
    assert reasons(Grounded(), OF, replace(POLAR[0], question_type="simple")) == [""]


def test_only_what_is_offered_among_others_may_stand_in_the_question():
    alone = replace(CHOICES[0], question="Was the Kell lighthouse lit first?")
    bracketed = replace(CHOICES[0], question="Which was lit first (the Kell lighthouse)?")
    assert all(reasons(LeakedAnswer(), OF, alone, bracketed))
    assert reasons(LeakedAnswer(), OF, *CHOICES) == [""] * 3


def test_a_yes_is_an_answer_to_any_question():
    asked = [replace(one, question_type="simple") for one in POLAR]
    assert reasons(WorthAsking(), OF, *asked) == [""] * 3


def test_a_run_over_two_sentences_is_not_copied():
    of = corpus(a="The old lamp of Kell was lit. By the keeper of Dunmore.", b="Kell.")
    straddling = row(of, "simple", "Was the old lamp of Kell lit by the keeper of Dunmore?", "yes",
                     ["The old lamp of Kell was lit. By the keeper of Dunmore."])  # fmt: skip
    assert reasons(Copied(max_words=6), of, straddling) == [""]
    assert all(reasons(Copied(max_words=4), of, straddling))


def test_which_of_two_came_first_is_a_question_without_a_question_word():
    asked = [
        ("凯尔灯塔先点亮，还是贝尔灯塔先点亮？", "zh-Hans", 1),
        ("凱爾燈塔先點亮，還是貝爾燈塔先點亮？", "zh-Hant", 2),
    ]
    rows = [replace(CHOICES[n], question=question, language=language) for question, language, n in asked]
    assert reasons(WellFormed(), OF, *rows) == ["", ""]


def test_an_option_is_named_however_its_words_are_cut():
    of = corpus(a="佛路宁於1930年出生。", b="蒂亚戈于1995年出生。")
    row_of = row(of, "multi_context", "佛路宁和蒂亚戈，谁出生得更早？", "佛路宁", ["佛路宁於1930年出生。", "蒂亚戈于1995年出生。"],
                 language="zh-Hans")  # fmt: skip
    assert reasons(LeakedAnswer(), of, row_of) == [""]


def test_what_is_worked_out_may_say_more_of_what_it_is_worked_out_from():
    told = "The keepers of Kell rowed to the mainland every second Friday to fetch oil in 1820."
    of = corpus(a=told, b="Kell.")
    question = "When is it that the keepers of Kell rowed to the mainland every second Friday?"
    assert all(reasons(Copied(max_words=8), of, row(of, "simple", question, "1820", [told])))
    assert reasons(Copied(max_words=8), of, row(of, "conditional", question, "1820", [told])) == [""]


def test_composed_questions_may_be_longer():
    long = "In which year was the engineer who " + "again and " * 16 + "at last built the Bell Rock lighthouse born?"
    assert len(long.split()) > 36
    assert reasons(WellFormed(), OF, replace(BRIDGE, question=long)) == [""]
    assert all(reasons(WellFormed(), OF, replace(BRIDGE, question=long, question_type="simple")))


@pytest.mark.parametrize(
    ("question", "style", "kept"),
    [
        ("kell lighthouse year lit", "keywords", True),
        ("Kell horn", "keywords", True),
        ("kell lighthouse year lit", "plain", False),
        ("kell lighthouse when lit?", "keywords", False),
        ("kell", "keywords", False),
        ("when was teh kell lighthouse lit", "typos", True),
        ("when was teh kell lighthouse lit?", "typos", True),
        ("when was the kell lighthouse lit", "formal", True),
        ("Could you tell me when the Kell lighthouse was lit?", "conversational", True),
    ],
)
def test_styles_in_english(question, style, kept):
    styled = replace(sample(OF, question, "1811", "The Kell lighthouse was lit in 1811."), metadata={"style": style})
    assert any(reasons(WellFormed(), OF, styled)) is not kept
    if kept:
        assert not any(r for filter_ in (Answerable(), SelfContained(), Copied()) for r in reasons(filter_, OF, styled))


@pytest.mark.parametrize(
    ("question", "style", "kept", "language"),
    [
        ("凯尔灯塔 点亮", "keywords", True, "zh-Hans"),
        ("凱爾燈塔 點亮", "keywords", True, "zh-Hant"),
        ("凯尔灯塔 点亮", "plain", False, "zh-Hans"),
        ("我想知道凯尔灯塔是哪一年点亮的？", "conversational", True, "zh-Hans"),
        ("凱爾燈塔哪年點亮的", "typos", True, "zh-Hant"),
        ("凱爾燈塔哪年點亮的", "formal", True, "zh-Hant"),
    ],
)
def test_styles_in_chinese(question, style, kept, language):
    quote = {"zh-Hans": "凯尔灯塔于1811年点亮。", "zh-Hant": "凱爾燈塔於1811年點亮。"}[language]
    styled = replace(sample(OF, question, "1811年", quote, language=language), metadata={"style": style})
    assert any(reasons(WellFormed(), OF, styled)) is not kept
    if kept:
        assert not any(r for filter_ in (Answerable(), SelfContained(), Copied()) for r in reasons(filter_, OF, styled))


def test_only_in_conversation_may_the_asker_speak_of_themselves():
    spoken = sample(OF, "When was the Kell lighthouse lit that we saw?", "1811", "The Kell lighthouse was lit in 1811.")
    assert all(reasons(SelfContained(), OF, spoken))
    assert reasons(SelfContained(), OF, replace(spoken, metadata={"style": "conversational"})) == [""]


def test_the_same_is_said_of_two_things_that_are_named():
    both = sample(
        OF,
        "Were the Kell and the Bell Rock lighthouses lit in the same year?",
        "no",
        "The Kell lighthouse was lit in 1811.",
    )
    assert reasons(SelfContained(), OF, both) == [""]
