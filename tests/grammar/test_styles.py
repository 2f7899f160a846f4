import json
import random
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.core.errors import ConfigError
from synth.grammar.styles import STYLES, restyle
from synth.grammar.styles.clauses import indirect, taken_apart
from synth.text.language import is_chinese
from synth.text.normalise import to_simplified
from synth.text.question_style import kind_of, style_of
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


def made(question, style, language, keep=(), seeds=20):
    """What comes out for a question with several seeds, without those that gave nothing."""
    wordings = [restyle(question, style, language, random.Random(seed), keep) for seed in range(seeds)]
    return sorted({wording for wording in wordings if wording is not None})


@pytest.mark.parametrize(
    ("question", "clause"),
    [
        ("When was the Kell lighthouse opened?", "when the Kell lighthouse was opened"),
        ("What did the harbour board replace in 1911?", "what the harbour board replaced in 1911"),
        ("Why did the board stop the works?", "why the board stopped the works"),
        ("What does Orm Bay supply?", "what Orm Bay supplies"),
        ("Who designed the lamp?", "who designed the lamp"),
        ("How many keepers does the tower have?", "how many keepers the tower has"),
        ("How many ships were lost near Orm?", "how many ships were lost near Orm"),
        ("How can you reach the island?", "how to reach the island"),
        ("What can you use to date a map?", "what you can use to date a map"),
        ("Who was Ada Kell?", "who Ada Kell was"),
        ("What has the board maintained since 1911?", "what the board has maintained since 1911"),
        ("In what year was Kell first elected mayor?", "in what year Kell was first elected mayor"),
        ("What happens if the lamp fails?", "what happens if the lamp fails"),
        ("Which council was abolished?", "which council was abolished"),
    ],
)
def test_a_question_is_put_in_the_order_of_a_clause(question, clause):
    assert indirect(question) == clause


@pytest.mark.parametrize(
    "question",
    [
        "Is the tower red?",
        "What is the capital of the country where Ada Kell was born?",
        "How old was Ada Kell when the tower opened?",
        "When was the bridge designed by Orm opened?",
        "Why is the tower red?",
        "What did the glorph of Orm blimp?",
        "After the storm, who did the board, which owned it, blame?",
    ],
)
def test_where_the_order_is_not_sure_there_is_no_clause(question):
    assert indirect(question) is None


def test_a_question_that_cannot_be_turned_is_framed_as_it_stands():
    for style in ("conversational", "formal"):
        for wording in made("Why is the tower red?", style, "en"):
            assert "why is the tower red" in wording.lower()


def test_a_question_is_taken_apart_at_its_auxiliary():
    asked = taken_apart("In which year did the board buy Orm?")
    assert (asked.wh, asked.auxiliary, asked.rest) == (("In", "which", "year"), "did", ("the", "board", "buy", "Orm"))
    assert asked.is_adverbial


@pytest.mark.parametrize(("language", "question"), EVERY)
def test_plain_is_the_question_as_it_is(language, question):
    assert restyle(question, "plain", language, random.Random(0)) == question


@pytest.mark.parametrize(("language", "question"), EVERY)
@pytest.mark.parametrize("style", [style for style in STYLES if style != "plain"])
def test_every_style_changes_the_wording_and_is_recognised(language, question, style):
    wordings = made(question, style, language)
    assert wordings or style in ("keywords", "typos")
    for wording in wordings:
        assert wording != question
        assert wording == wording.strip()
        assert "{" not in wording
        assert "  " not in wording
    if style in ("conversational", "formal"):
        assert {style_of(wording, language) for wording in wordings} == {style}


@pytest.mark.parametrize(("language", "question"), EVERY)
@pytest.mark.parametrize("style", STYLES)
def test_names_and_numbers_come_out_whole(language, question, style):
    kept = [name for name in NAMES if name in question]
    for wording in made(question, style, language, keep=kept):
        for name in kept:
            assert name in wording


@pytest.mark.parametrize(("language", "question"), EVERY)
@pytest.mark.parametrize("style", ["conversational", "formal"])
def test_a_frame_asks_for_the_same_kind_with_one_mark_at_the_end(language, question, style):
    for wording in made(question, style, language):
        assert wording.count("?") + wording.count("？") == 1
        assert wording.endswith("？" if is_chinese(language) else "?")
        assert kind_of(wording, language) == kind_of(question, language)


@pytest.mark.parametrize(
    ("language", "question", "query"),
    [
        ("zh-Hans", "凯尔灯塔是哪一年建成的？", "凯尔灯塔 建成时间"),
        ("zh-Hans", "凯尔灯塔成立于什么时候？", "凯尔灯塔 成立时间"),
        ("zh-Hans", "凯尔灯塔的高度是多少？", "凯尔灯塔 高度"),
        ("zh-Hans", "港务局为什么更换凯尔灯塔的灯具？", "港务局 更换凯尔灯塔的灯具 原因"),
        ("zh-Hans", "可以使用什么来限制 max_height 的取值？", "限制 max_height 的取值 用什么"),
        ("zh-Hant", "凱爾燈塔是哪一年建成的？", "凱爾燈塔 建成時間"),
        ("zh-Hant", "港務局為什麼更換凱爾燈塔的燈具？", "港務局 更換凱爾燈塔的燈具 原因"),
    ],
)
def test_keywords_are_what_is_typed_into_a_search_box(language, question, query):
    assert made(question, "keywords", language) == [query]
    assert style_of(query, language) == "keywords"


CHINESE = json.loads(files("synth.grammar.styles").joinpath("chinese.json").read_text("utf-8"))


@pytest.mark.parametrize(
    ("style", "row"),
    [(style, row) for style in ("keywords", "conversational", "formal") for row in CHINESE[style]],
    ids=str,
)
def test_a_chinese_form_makes_its_example_and_leaves_its_counterexample(style, row):
    """Read alone, without the forms before it."""
    question, expected = row["fits"]
    pattern = re.compile(row["pattern"])
    match = pattern.fullmatch(question) if style == "keywords" else pattern.search(question)
    made = row["template"].format(**match.groupdict(default=""))
    whole = made if style == "keywords" else question[: match.start()] + made + question[match.end() :]
    assert " ".join(whole.split()) == expected
    assert not (pattern.fullmatch if style == "keywords" else pattern.search)(row["not"])


def test_formal_chinese_asks_in_written_words():
    wordings = made("凯尔灯塔是哪一年建成的？", "formal", "zh-Hans")
    assert all("凯尔灯塔于何年建成？" in wording for wording in wordings)
    assert all("位於何處？" in wording for wording in made("凱爾燈塔位於哪裡？", "formal", "zh-Hant"))


def test_traditional_script_has_nothing_simplified_in_it():
    for question in QUESTIONS["zh-Hant"]:
        for style in STYLES:
            for wording in made(question, style, "zh-Hant"):
                simple = restyle(to_simplified(question), style, "zh-Hans", random.Random(0))
                assert not set("请说么吗谁时点为").intersection(wording), (wording, simple)


@pytest.mark.parametrize(("language", "question"), EVERY)
def test_typing_errors_are_few_and_can_be_read(language, question):
    for wording in made(question, "typos", language, seeds=40):
        short = wording.rstrip("?？").replace(",", "，")
        asked = question.rstrip("?？")
        assert abs(len(short) - len(asked)) <= 2
        if language == "en":
            wrong = sum(a.lower() != b.lower() for a, b in zip(short.split(), asked.split(), strict=True))
            assert 1 <= wrong <= 2


def test_known_typing_errors_can_be_mended():
    for language, question in EVERY:
        for wording in made(question, "typos", language, seeds=40):
            assert kind_of(wording, language) == kind_of(question, language), wording
    assert mended("Whta is Kell?", "en") == "What is Kell?"
    assert mended("凱爾燈塔位與哪裡?", "zh-Hant") == "凱爾燈塔位於哪裡?"


def test_a_question_with_nothing_to_mistype_has_no_typing_errors():
    assert made("凯尔灯塔多高？", "typos", "zh-Hans") == []
    assert made("What is Kell?", "typos", "en", keep=["What"]) == []


def test_too_little_for_a_search_gives_none():
    assert made("什么？", "keywords", "zh-Hans") == []
    assert made("凯尔灯塔比奥姆码头早多少年建成？", "keywords", "zh-Hans") == []
    assert made("Was ist das?", "keywords", "de") == []


def test_a_style_that_a_language_lacks_gives_none():
    assert made("When was the Kell lighthouse opened?", "keywords", "en") == []


def test_an_unknown_style_is_named():
    with pytest.raises(ConfigError, match=r"'shouting' is unknown; choose from: plain"):
        restyle("What is Kell?", "shouting", "en", random.Random(0))


@given(
    st.text(alphabet="abcdeWhatwho the of is 灯塔的是什么哪里谁，？?,'\"", max_size=40),
    st.sampled_from(STYLES),
    st.sampled_from(["en", "zh-Hans", "zh-Hant"]),
    st.integers(0, 9),
)
@settings(max_examples=400)
def test_any_text_is_restyled_or_refused_and_the_same_seed_gives_the_same(text, style, language, seed):
    first = restyle(text, style, language, random.Random(seed))
    assert first is None or first.strip() or not text.strip()
    assert restyle(text, style, language, random.Random(seed)) == first


def test_the_order_of_hashing_changes_nothing():
    code = (
        "import random\nfrom synth.grammar.styles import STYLES, restyle\n"
        "qs = [('en', 'When was the Kell lighthouse opened?'), ('zh-Hans', '凯尔灯塔是哪一年建成的？')]\n"
        "print([restyle(q, s, l, random.Random(n)) for l, q in qs for s in STYLES for n in range(9)])"
    )
    root = Path(__file__).parents[2]
    outs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            cwd=root,
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outs) == 1
