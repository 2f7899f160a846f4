"""What happened when, and what follows from what: facts of clauses that only the gentler readings take in."""

from __future__ import annotations

import pytest

from synth.grammar.chinese.assertions import assertions
from synth.grammar.composer import compositions
from synth.records import Fact
from synth.text.dates import Date, read_date
from synth.text.normalise import to_simplified, to_traditional
from tests.grammar.test_chinese_facts import read, told

EVENTS = [
    (
        "1167年，莱昂国王斐迪南二世第一次从穆斯林手中夺回白石城。",
        ["莱昂国王斐迪南二世 | 第一次从穆斯林手中夺回 | 白石城 | time=1167年"],
    ),
    ("1936年，德军重新占领莱茵兰。", ["德军 | 重新占领 | 莱茵兰 | time=1936年"]),
    ("2007年，周文远从苏州转会加盟北京国安。", ["周文远 | 从苏州转会加盟 | 北京国安 | time=2007年"]),
    ("1905年，周文远到日本求援。", ["周文远 | 到日本求援 | - | time=1905年"]),
    ("北辰大学 于 1998 年 3 月 正式与南山大学合并。", ["北辰大学 | 与…合并 | 南山大学 | time=1998 年 3 月"]),
]
TOPICS = [
    ("周文远是苏州人。1980年11月，任苏州市邮政局副局长。", "周文远 | 任 | 苏州市邮政局副局长 | time=1980年11月"),
    ("周文远是苏州人。1985年6月加入白鹭诗社。", "周文远 | 加入 | 白鹭诗社 | time=1985年6月"),
    ("周文远是苏州人。1997年，他出任北辰大学校长。", "周文远 | 出任 | 北辰大学校长 | time=1997年"),
]
LIVES = [
    (
        "该学说由约瑟夫•哈特曼（1883-1950）提出。",
        ["约瑟夫•哈特曼 | 出生于 | - | time=1883", "约瑟夫•哈特曼 | 逝世于 | - | time=1950"],
    ),
    ("该寺在路易九世（1226-1270）时重建。", []),
    ("该计划由约瑟夫•哈特曼（1994年至1998年）主持。", []),
]
REIGNS = [
    ("咸丰二年（1852年），周文远出任福州将军。", "咸丰二年（1852年）", 1852),
    ("道光8年（1828年）10月，周文远出任福州将军。", "道光8年（1828年）10月", 1828),
]
UNTOLD = [
    "1905年，周文远打算到日本求援。",
    "1905年，周文远没有到日本求援。",
    "1905年，周文远指出，应该到日本求援。",
    "1905年，一些人到日本求援。",
    "该书在期间由周文远出版。",
]
OUTCOMES = [
    ("如果水温过高，嫩芽就会被烫熟。", "嫩芽 | 被烫熟 | - | condition=如果水温过高"),
    ("如果焙火的温度过高，茶叶就会产生焦味。", "茶叶 | 产生 | 焦味 | condition=如果焙火的温度过高"),
    (
        "如果库水位超过162米，青屏大坝必须打开全部闸门。",
        "青屏大坝 | 打开全部闸门 | - | condition=如果库水位超过162米 must",
    ),
    ("如果茶芽受到霜害，茶农就无法采收冬片。", "茶农 | 采收冬片 | - | condition=如果茶芽受到霜害 NOT can"),
    (
        "除非经过多次团揉，否则冻顶乌龙茶不会形成半球形外观。",
        "冻顶乌龙茶 | 形成半球形外观 | - | condition=除非经过多次团揉 NOT",
    ),
]
OPEN = [
    "如果成功，航天器就会填充燃料。",
    "如果水温过高，它就会被烫熟。",
    "如果水温过高，并且时间太长，嫩芽就会被烫熟。",
    "如果水温过高，你希望嫩芽会怎样。",
]


def asked(sentence: str, title: str = "notes") -> Fact:
    return next(fact for fact in assertions(read(sentence, title)) if fact.qualifiers)


@pytest.mark.parametrize(("sentence", "expected"), EVENTS)
def test_an_event_of_a_clause_with_its_time(sentence: str, expected: list[str]) -> None:
    assert [told(fact) for fact in assertions(read(sentence))] == expected
    assert [told(fact) for fact in assertions(read(to_traditional(sentence)))] == expected


@pytest.mark.parametrize(("text", "expected"), TOPICS)
def test_an_event_of_the_topic_that_its_clause_does_not_name(text: str, expected: str) -> None:
    for form, title in ((text, "周文远"), (to_traditional(text), to_traditional("周文远"))):
        found = [fact for fact in assertions(read(form, title)) if told(fact) == expected]
        assert found
        assert all(form[fact.subject.start : fact.subject.end] for fact in found)


@pytest.mark.parametrize("sentence", UNTOLD)
def test_what_did_not_surely_happen_is_no_event(sentence: str) -> None:
    assert assertions(read(sentence)) == []
    assert assertions(read(to_traditional(sentence))) == []


@pytest.mark.parametrize(("sentence", "expected"), LIVES)
def test_the_years_of_a_life_behind_a_name_told_in_passing(sentence: str, expected: list[str]) -> None:
    assert [told(fact) for fact in assertions(read(sentence))] == expected


@pytest.mark.parametrize(("sentence", "text", "year"), REIGNS)
def test_the_year_of_a_reign_is_known_by_the_solar_year_beside_it(sentence: str, text: str, year: int) -> None:
    (fact,) = assertions(read(sentence))
    time = fact.qualifier("time")
    assert time is not None
    assert time.text == text == sentence[time.start : time.end]
    date = read_date(time.text, "zh-Hans")
    assert isinstance(date, Date)
    assert date.year == year


def test_a_thing_told_at_two_times_has_neither() -> None:
    twice = "周文远是苏州人。1980年，任苏州市市长。1990年，任苏州市市长。"
    assert not [fact for fact in assertions(read(twice, "周文远")) if fact.relation == "任"]


@pytest.mark.parametrize(("sentence", "expected"), OUTCOMES)
def test_what_follows_from_a_condition(sentence: str, expected: str) -> None:
    assert expected in [told(fact) for fact in assertions(read(sentence))]
    assert expected in [told(fact) for fact in assertions(read(to_traditional(sentence)))]


@pytest.mark.parametrize("sentence", OPEN)
def test_a_condition_that_is_not_told_in_full_has_no_outcome(sentence: str) -> None:
    assert [fact for fact in assertions(read(sentence)) if fact.qualifier("condition")] == []


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        ("如果水温过高，嫩芽就会被烫熟。", "如果水温过高，嫩芽会怎样？", "会被烫熟"),
        (
            "如果库水位超过162米，青屏大坝必须打开全部闸门。",
            "如果库水位超过162米，青屏大坝应该怎么做？",
            "必须打开全部闸门",
        ),
        ("如果焙火的温度过高，茶叶就会产生焦味。", "如果焙火的温度过高，茶叶会怎样？", "会产生焦味"),
    ],
)
def test_the_outcome_is_asked_for(sentence: str, question: str, answer: str) -> None:
    words = compositions("zh-Hans")
    assert words is not None
    made = words.consequence(asked(sentence))
    assert made is not None
    assert (made.question, made.answer) == (question, answer)


@pytest.mark.parametrize("sentence", [sentence for sentence, _ in EVENTS])
def test_the_time_of_an_event_can_be_reckoned_with_and_asked_for(sentence: str) -> None:
    words = compositions("zh-Hans")
    assert words is not None
    fact = asked(sentence)
    time = fact.qualifier("time")
    assert time is not None
    assert isinstance(read_date(time.text, "zh-Hans"), Date)
    question = words.when(fact)
    assert question is not None
    assert question.endswith("的？")
    assert not any(char.isdigit() for char in to_simplified(question))
