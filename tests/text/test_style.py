import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.text.normalise import to_traditional
from synth.text.question_style import KINDS, LENGTHS, STYLES, kind_of, length_band, size, style_of
from synth.text.typos import english_slips, has_slip


@pytest.mark.parametrize(
    ("question", "style"),
    [
        ("When was the Kell lighthouse opened?", "plain"),
        ("Who is responsible for the lamp, and since when?", "plain"),
        ("Name one harbour that the board owns.", "plain"),
        ("kell lighthouse opening year", "keywords"),
        ("how to reach Kell lighthouse", "keywords"),
        ("what is Kell", "keywords"),
        ("Hi, when was the Kell lighthouse opened?", "conversational"),
        ("Do you know who built it?", "conversational"),
        ("anyone know how tall the tower is?", "conversational"),
        ("Who built the tower, any idea?", "conversational"),
        ("Could you please state when the tower was opened?", "formal"),
        ("Kindly indicate who built the tower.", "formal"),
        ("whta is the height of the tower?", "typos"),
        ("Waht is the height of the tower?", "typos"),
        ("what is the height of the tower", "typos"),
        ("凯尔灯塔是哪一年建成的？", "plain"),
        ("凯尔灯塔 建成年份", "keywords"),
        ("凯尔灯塔高度", "keywords"),
        ("请问一下，凯尔灯塔在哪里呀？", "conversational"),
        ("你知道凯尔灯塔在哪里吗？", "conversational"),
        ("能否说明凯尔灯塔位于何处？", "formal"),
        ("请问凯尔灯塔建成于何年？", "formal"),
        ("凯尔灯塔位与哪里？", "typos"),
        ("请求体中包含无效数据时会发生什么？", "plain"),
    ],
)
def test_styles_are_recognised(question, style):
    if any("\u4e00" <= char <= "\u9fff" for char in question):
        assert style_of(question, "zh-Hans") == style
        assert style_of(to_traditional(question), "zh-Hant") == style
    else:
        assert style_of(question, "en") == style


def test_another_language_is_plain():
    assert style_of("Wo steht der Turm", "de") == "plain"


@pytest.mark.parametrize(
    ("english", "chinese", "kind"),
    [
        ("Who built the tower?", "谁建造了灯塔？", "who"),
        ("When was the tower built?", "灯塔是什么时候建成的？", "when"),
        ("In which year was the tower built?", "灯塔建于哪一年？", "when"),
        ("Where is the tower?", "灯塔在哪里？", "where"),
        ("What does the lamp burn?", "灯具烧什么？", "what"),
        ("Which harbour is the deepest?", "最深的是哪个港口？", "which"),
        ("How many keepers are there?", "有多少名守塔人？", "how_many"),
        ("How tall is the tower?", "灯塔有多高？", "how_many"),
        ("How do you reach the island?", "怎么登岛？", "how_to"),
        ("Why is the tower red?", "灯塔为什么是红色的？", "why"),
        ("Is the tower red?", "灯塔是不是红色的？", "yes_no"),
        ("What happens if the lamp fails?", "如果灯熄灭，会发生什么？", "condition"),
        ("Which was built earlier, Kell or Orm?", "凯尔和奥姆哪个更早建成？", "comparison"),
        ("kell lighthouse year", "凯尔灯塔 建成年份", "when"),
        ("Do you know when the tower was built?", "你知道灯塔是什么时候建成的吗？", "when"),
        ("Could you please explain why the tower is red?", "能否说明灯塔为何是红色的？", "why"),
        ("Kell lighthouse", "凯尔灯塔", "other"),
    ],
)
def test_kinds_have_the_same_names_in_all_three(english, chinese, kind):
    assert kind in KINDS
    assert kind_of(english, "en") == kind
    assert kind_of(chinese, "zh-Hans") == kind
    assert kind_of(to_traditional(chinese), "zh-Hant") == kind


def test_the_first_question_word_tells_the_kind():
    assert kind_of("What is the capital of the country where Ada Kell was born?", "en") == "what"
    assert kind_of("What should you set when you want to light the lamp?", "en") == "what"
    assert kind_of("Who led the board when the tower opened?", "en") == "who"


def test_what_something_is_called_is_no_reason():
    assert kind_of("西藏的法师被称为什么？", "zh-Hans") == "what"


@pytest.mark.parametrize(
    ("question", "language", "count", "band"),
    [
        ("When was the tower built?", "en", 5, "short"),
        ("In which year did the board of Kell buy the island?", "en", 11, "medium"),
        ("In which year did the board of Kell buy the island of Orm from them?", "en", 15, "long"),
        ("灯塔建于哪一年？", "zh-Hans", 7, "short"),
        ("FastAPI 默认返回什么响应？", "zh-Hans", 9, "short"),
        ("凱爾燈塔是由哪一個部門負責看守的？", "zh-Hant", 16, "medium"),
        ("凯尔灯塔在1911年以前一直是由哪一个部门负责看守的？", "zh-Hans", 23, "long"),
    ],
)
def test_lengths_count_words_in_english_and_characters_in_chinese(question, language, count, band):
    assert size(question, language) == count
    assert length_band(question, language) == band


def test_slips_are_no_words_and_words_no_slips():
    assert {"whta", "wich", "teh", "recieve"} <= english_slips()
    assert not {"form", "there", "three", "trail", "quite", "loose", "named", "used"} & english_slips()
    assert not has_slip("The form of the trail is quite loose", "en")
    assert not has_slip("马飚从事什么工作？赛事是什么时候？", "zh-Hans")


@given(st.text(max_size=60), st.sampled_from(["en", "zh-Hans", "zh-Hant", "other"]))
def test_any_text_has_a_style_a_length_and_a_kind(text, language):
    assert style_of(text, language) in STYLES
    assert length_band(text, language) in LENGTHS
    assert kind_of(text, language) in KINDS
