"""Questions with the slips of a hasty writer."""

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.grammar.typing_errors import typing_errors
from synth.text.question_style import kind_of
from synth.text.typos import mended

QUESTIONS = {
    "en": (
        "When was the Kell lighthouse opened?",
        "What did the harbour board replace in 1911?",
        "Who designed the lamp of the Kell lighthouse?",
        "How many keepers does the Kell lighthouse have?",
        "Which harbour supplies the islands of Orm?",
        "Why do the keepers paint the tower red?",
        "How can you reach the Kell lighthouse at low tide?",
        "What happens if the lamp of the Kell lighthouse fails?",
        "Where is the Kell lighthouse located?",
        "In what year did the board buy the island of Orm?",
        "What is the max_height option used for?",
    ),
    "zh-Hans": (
        "凯尔灯塔是哪一年建成的？",
        "凯尔灯塔位于哪里？",
        "凯尔灯塔由谁负责看守？",
        "港务局为什么更换凯尔灯塔的灯具？",
        "凯尔灯塔的高度是多少？",
        "如果凯尔灯塔的灯熄灭，港务局会怎么样？",
        "可以使用什么来限制 max_height 的取值？",
        "凯尔灯塔有多少名守塔人？",
        "最早的守塔人是谁？",
        "在退潮时，怎么登上凯尔岛？",
    ),
    "zh-Hant": (
        "凱爾燈塔是哪一年建成的？",
        "凱爾燈塔位於哪裡？",
        "凱爾燈塔由誰負責看守？",
        "港務局為什麼更換凱爾燈塔的燈具？",
        "凱爾燈塔的高度是多少？",
        "如果凱爾燈塔的燈熄滅，港務局會怎麼樣？",
        "凱爾燈塔有多少名守塔人？",
        "最早的守塔人是誰？",
    ),
}
EVERY = [(language, question) for language, questions in QUESTIONS.items() for question in questions]
NAMES = ("Kell lighthouse", "Orm", "1911", "max_height", "凯尔灯塔", "凱爾燈塔", "凯尔岛")


def made(question, language, keep=(), seeds=40):
    """What comes out for a question with several seeds, without those that gave nothing."""
    wordings = [typing_errors(question, language, random.Random(seed), keep) for seed in range(seeds)]
    return sorted({wording for wording in wordings if wording is not None})


@pytest.mark.parametrize(("language", "question"), EVERY)
def test_names_and_numbers_come_out_whole(language, question):
    kept = [name for name in NAMES if name in question]
    for wording in made(question, language, keep=kept):
        assert wording != question
        for name in kept:
            assert name in wording


@pytest.mark.parametrize(("language", "question"), EVERY)
def test_typing_errors_are_few_and_can_be_read(language, question):
    for wording in made(question, language):
        short = wording.rstrip("?？").replace(",", "，")
        asked = question.rstrip("?？")
        assert abs(len(short) - len(asked)) <= 2
        if language == "en":
            wrong = sum(a.lower() != b.lower() for a, b in zip(short.split(), asked.split(), strict=True))
            assert 1 <= wrong <= 2


def test_known_typing_errors_can_be_mended():
    for language, question in EVERY:
        for wording in made(question, language):
            assert kind_of(wording, language) == kind_of(question, language), wording
    assert mended("Whta is Kell?", "en") == "What is Kell?"
    assert mended("凱爾燈塔位與哪裡?", "zh-Hant") == "凱爾燈塔位於哪裡?"


def test_a_question_with_nothing_to_mistype_has_no_typing_errors():
    assert made("凯尔灯塔多高？", "zh-Hans") == []
    assert made("What is Kell?", "en", keep=["What"]) == []


@given(
    st.text(alphabet="abcdeWhatwho the of is 灯塔的是什么哪里谁，？?,'\"", max_size=40),
    st.sampled_from(["en", "zh-Hans", "zh-Hant"]),
    st.integers(0, 9),
)
@settings(max_examples=200)
def test_any_text_is_mistyped_or_refused_and_the_same_seed_gives_the_same(text, language, seed):
    first = typing_errors(text, language, random.Random(seed), ())
    assert first is None or first.strip() or not text.strip()
    assert typing_errors(text, language, random.Random(seed), ()) == first


def test_the_order_of_hashing_changes_nothing():
    code = (
        "import random\nfrom synth.grammar.typing_errors import typing_errors\n"
        "qs = [('en', 'When was the Kell lighthouse opened?'), ('zh-Hans', '凯尔灯塔是哪一年建成的？')]\n"
        "print([typing_errors(q, l, random.Random(n), ()) for l, q in qs for n in range(9)])"
    )
    outs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=Path(__file__).parents[2],
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outs) == 1
