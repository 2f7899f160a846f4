"""No question twice; questions that differ in a number or a name are two."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.errors import ConfigError, MissingPartError
from synth.generation.filters.duplicate import Duplicate
from synth.text.language import detect
from tests.corpus import corpus, sample

CORPUS = corpus(en="The Kell lighthouse was built in 1811.")
BASE = sample(CORPUS, "x?", "1811", "The Kell lighthouse was built in 1811.")


def judged(first, second, **settings):
    filter_ = Duplicate(**settings)
    filter_.admit(replace(BASE, question=first, language=detect(first)))
    return filter_.check(replace(BASE, question=second, language=detect(second)))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("When was the Kell lighthouse built?", "When was the Kell lighthouse built?"),
        ("When was the Kell lighthouse built?", "when was the Kell  lighthouse built ?"),
        ("When was the Kell lighthouse first built by them?", "When was the Kell lighthouse first built?"),
        ("凯尔灯塔是哪一年建成的？", "凱爾燈塔是哪一年建成的?"),
        ("凯尔灯塔的灯光在多远的海面上能看见？", "凯尔灯塔的灯光在多远的海面能看见？"),
        ("请问凯尔灯塔是由谁在岛上建造起来的？", "凱爾燈塔是由誰在島上建造起來的？"),
        ("在岛上的凯尔灯塔最早是由谁负责建成的？", "在岛上的凯尔灯塔最早是由谁负责建造的？"),
        ("What did the Kell lighthouse cost the Board?", "What did the Board cost the Kell lighthouse?"),
        ("when was the kell lighthouse built", "When was the Kell lighthouse built?"),
    ],
)
def test_the_same_question_is_refused(first, second):
    assert not judged(first, second).kept


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("What was the turnover of the Kell ferry in 2022?", "What was the turnover of the Kell ferry in 2023?"),
        ("凯尔轮渡2022年的营业额是多少？", "凯尔轮渡2023年的营业额是多少？"),
        ("When was the lighthouse of Kell built by the Board?", "When was the lighthouse of Fell built by the Board?"),
        (
            "What does the option `read_timeout` set in the client?",
            "What does the option `read_limit` set in the client?",
        ),
        ("When was the Kell lighthouse built?", "Who lit the lamp of the Kell lighthouse first?"),
        (
            "What is the height of the upper gallery of the tower?",
            "What is the height of the lower gallery of the tower?",
        ),
        ("为铁路设计南站那座跨河铁桥的工程师是谁？", "为铁路设计北站那座跨河铁桥的工程师是谁？"),
        ("為鐵路設計蘇州那座跨河鐵橋的工程師是誰？", "為鐵路設計杭州那座跨河鐵橋的工程師是誰？"),
        ("这座桥可以让装满货物的大车通过吗？", "这座桥不可以让装满货物的大车通过吗？"),
        ("用 `read_timeout` 可以设置客户端的什么行为？", "用 `read_limit` 可以设置客户端的什么行为？"),
    ],
)
def test_questions_that_ask_different_things_are_both_kept(first, second):
    assert judged(first, second).kept


def test_one_word_of_chinese_makes_another_question_when_the_answer_is_another():
    filter_ = Duplicate(threshold=0.3)
    filter_.admit(replace(BASE, question="南站是哪一年启用的？", golden_answers=("1951年",)))
    assert filter_.check(replace(BASE, question="北站是哪一年启用的？", golden_answers=("1952年",))).kept
    assert not filter_.check(replace(BASE, question="南站是哪一年启用了的？", golden_answers=("1952年",))).kept
    assert not filter_.check(replace(BASE, question="南站是哪一年起用的？", golden_answers=("1951年",))).kept


@given(st.text(min_size=1, max_size=60))
def test_every_question_is_a_duplicate_of_itself(question):
    assert not judged(question, question).kept


def test_what_was_refused_is_not_remembered():
    filter_ = Duplicate()
    filter_.check(BASE)
    assert filter_.check(BASE).kept


@pytest.mark.parametrize("threshold", [0, 1.5, -1])
def test_a_threshold_that_makes_no_sense_is_refused(threshold):
    with pytest.raises(ConfigError, match="threshold"):
        Duplicate(threshold=threshold)


class ByHand:
    """An encoder that finds alike the texts given to it."""

    name, dimension = "by-hand", 2

    def __init__(self, *alike):
        self.alike = alike
        self.encoded = []

    def encode(self, texts):
        self.encoded += texts
        return np.array([[1.0, 0.0] if text in self.alike else [0.0, 1.0] for text in texts], dtype=np.float32)


PAIRS = [
    ("When was the Kell lighthouse built?", "In what year did they finish the lighthouse on Kell?"),
    ("这座桥是谁设计的？", "哪位工程师画了这座桥的图纸？"),
    ("這座橋是誰設計的？", "哪位工程師畫了這座橋的圖紙？"),
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_paraphrase_is_found_by_its_meaning(first, second):
    filter_ = Duplicate()
    filter_.use_encoder(lambda: ByHand(first, second))
    filter_.admit(replace(BASE, question=first, language=detect(first)))
    verdict = filter_.check(replace(BASE, question=second, language=detect(second)))
    assert (verdict.kept, verdict.score) == (False, 1.0)
    assert judged(first, second).kept, "without an encoder"


def test_meanings_are_compared_only_where_the_answer_is_the_same_and_no_number_or_name_differs():
    asked = (
        "When was the Kell lighthouse built?",
        "When was the lighthouse on Fell made?",
        "Who built the Kell light?",
    )
    encoder = ByHand(*asked)
    filter_ = Duplicate()
    filter_.use_encoder(lambda: encoder)
    filter_.admit(replace(BASE, question=asked[0]))
    assert filter_.check(replace(BASE, question=asked[1])).kept
    assert filter_.check(replace(BASE, question=asked[2], golden_answers=("the Board",))).kept
    assert encoder.encoded == []


def test_where_the_encoder_is_missing_meanings_are_not_compared():
    def missing():
        raise MissingPartError("no encoder")

    filter_ = Duplicate()
    filter_.use_encoder(missing)
    filter_.admit(replace(BASE, question=PAIRS[0][0]))
    assert filter_.check(replace(BASE, question=PAIRS[0][1])).kept


def test_a_question_word_makes_another_question_when_the_answer_is_another():
    filter_ = Duplicate()
    filter_.admit(replace(BASE, question="When was the first keeper of the Kell lighthouse buried?"))
    other = replace(
        BASE, question="Where was the first keeper of the Kell lighthouse buried?", golden_answers=("at Fell",)
    )
    assert filter_.check(other).kept


NAMES = {
    "en": "Alder Birch Cedar Elm Fir Hazel Larch Maple Oak Pine Rowan Spruce Bell Fell Kell Dale Moor Tarn Holm Garth".split(),
    "zh-Hans": "北京 上海 广州 苏州 杭州 南京 武汉 成都 重庆 西安 长沙 青岛 大连 厦门 福州 昆明 贵阳 兰州 太原 济南".split(),
    "zh-Hant": "北京 上海 廣州 蘇州 杭州 南京 武漢 成都 重慶 西安 長沙 青島 大連 廈門 福州 昆明 貴陽 蘭州 太原 濟南".split(),
}
FORMS = {
    "en": (
        "Is the harbour of {} open to ships in {} winters?",
        "Is the  harbour of {} open to all ships in {} winters",
    ),
    "zh-Hans": ("{}的港口在{}年的冬天对大型船只开放吗？", "请问{}的港口在{}年冬天对大型船只开放吗?"),
    "zh-Hant": ("{}的港口在{}年的冬天對大型船隻開放嗎？", "請問{}的港口在{}年冬天對大型船隻開放嗎?"),
}


@pytest.mark.parametrize("language", NAMES)
@pytest.mark.parametrize("few", [5, 128])
def test_of_many_with_one_answer_each_is_kept_once(language, few, monkeypatch):
    monkeypatch.setattr("synth.generation.filters.duplicate._FEW", few)
    filter_ = Duplicate()
    first, second = FORMS[language]
    for year, name in product((1901, 1902, 1903), NAMES[language]):
        row = replace(BASE, question=first.format(name, year), golden_answers=("yes",), language=language, evidence=())
        assert filter_.check(row).kept, row.question
        filter_.admit(row)
        again = replace(row, question=second.format(name, year))
        assert not filter_.check(again).kept, again.question


@pytest.mark.parametrize(
    ("evidence", "one", "answer", "other", "again", "language"),
    [
        ("如果没有收到授权，就返回 HTTP 401 错误。", "如果没有收到授权，返回什么错误？", "HTTP 401 错误",
         "如果没有收到授权，会怎么样？", "返回 HTTP 401 错误", "zh-Hans"),
        ("如果宣告了 out_model，它會用於過濾返回的物件。", "如果宣告了一個out_model，out_model會怎麼樣？", "被用來過濾返回的物件",
         "如果宣告了 out_model，out_model 會做什麼？", "用於過濾返回的物件", "zh-Hant"),
        ("If no key is given, the filter returns a 401 error.", "What does the filter return if no key is given?",
         "a 401 error", "What happens at the filter if no key is given?", "it returns a 401 error", "en"),
    ],
)  # fmt: skip
def test_one_statement_of_one_text_is_asked_for_once(evidence, one, answer, other, again, language):
    of = corpus(doc=evidence)
    filter_ = Duplicate(paraphrase=0)
    filter_.admit(sample(of, one, answer, evidence, language=language))
    verdict = filter_.check(sample(of, other, again, evidence, language=language))
    assert not verdict.kept


@pytest.mark.parametrize(
    ("evidence", "one", "answer", "other", "again", "language"),
    [
        ("uv 会在 .venv 中创建环境，并添加到 lock 文件。", "uv 会在 .venv 中创建什么？", "环境",
         "uv 会添加到什么文件？", "lock 文件", "zh-Hans"),
        ("If fog comes, the keeper sounds the horn.", "What does the keeper sound if fog comes?", "the horn",
         "When does the keeper sound the horn?", "if fog comes", "en"),
        ("North pier has 3 lamps and south pier has 3 lamps.", "How many lamps has the north pier?", "3 lamps",
         "How many lamps has the south pier?", "3 lamps", "en"),
    ],
)  # fmt: skip
def test_two_things_that_one_text_says_are_both_asked_for(evidence, one, answer, other, again, language):
    of = corpus(doc=evidence)
    filter_ = Duplicate(paraphrase=0)
    filter_.admit(sample(of, one, answer, evidence, language=language))
    verdict = filter_.check(sample(of, other, again, evidence, language=language))
    assert verdict.kept, verdict.reason
