"""Chinese questions in other words: natural, the same in meaning, names untouched."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.filters.overlap import overlap
from synth.filters.self_contained import leaning
from synth.grammar.rewording.chinese import meanings, reworded
from synth.grammar.rewording.chinese_constructions import FRAMES
from synth.grammar.rewording.chinese_frames import GAP, Frame
from synth.grammar.rewording.chinese_lexicon import Entry, table
from synth.grammar.rewording.chinese_words import entries
from synth.text.normalise import to_simplified, to_traditional

LIGHT = "北岸灯塔位于青石湾东端。灯塔建于 1898 年，由建筑师林远设计。林远出生于江州，1931 年 5 月 2 日在江州去世。"
GUILD = "青石商会成立于 1904 年。1912 年，青石商会任命周平为会长。1920 年，周平辞去会长，商会的第一家分会成立。"
FLOW = "如果没有声明返回模型，Tarn 会返回字典。可以使用 Tarn 的 Mapper 来包装旧应用。Mapper 是一个转换数据的库。"


def _said(question: str, told: str, *answers: str, keep: tuple[str, ...] = ()) -> str:
    found = reworded(question, [told], keep, answers)
    assert found is not None, question
    return found.question


@pytest.mark.parametrize(
    ("question", "told", "answer", "expected"),
    [
        ("北岸灯塔位于哪里？", LIGHT, "青石湾东端", r"北岸灯塔(坐落在什么地方|建在什么地方|的具体位置在哪里|的地理位置在哪里|处在什么位置|的位置在哪里)？"),
        ("北岸灯塔建于哪一年？", LIGHT, "1898 年", r"北岸灯塔(的修建时间是哪一年|是哪一年(建造|修建)的)？"),
        ("北岸灯塔是由谁设计的？", LIGHT, "林远", r"(北岸灯塔的设计者是谁|谁是北岸灯塔的设计者)？"),
        ("林远出生于哪里？", LIGHT, "江州", r"林远(的出生地是哪里|的出生地点在哪里|是在什么地方降生的)？"),
        ("北岸铁观音产于哪里？", "北岸铁观音产于江州。", "江州", r"北岸铁观音(的产地是哪里|是什么地方出产的)？"),
        ("林远是什么时候去世的？", LIGHT, "1931 年 5 月 2 日", r"林远(去世的(具体)?日期是哪一天|是什么时候(离世|过世|辞世)的|离世是什么时候的事|的离世时间是什么时候)？"),
        ("青石商会成立于哪一年？", GUILD, "1904 年", r"青石商会(诞生于哪一年|的创立时间是哪一年|(创立|组建)于哪一年|的诞生是哪一年的事)？"),
        ("1912 年，青石商会任命谁为会长？", GUILD, "周平", r"1912 年，青石商会委任谁为会长？"),
        ("可以使用什么来包装旧应用？", FLOW, "Mapper", r"(可以采用什么来包装旧应用|.*封装旧应用.*|.*借助什么|什么可以用来包装旧应用)？"),
        ("Mapper 是什么？", FLOW, "一个转换数据的库", r"(什么是 Mapper|Mapper (是一种什么样的工具|是怎样的一种工具))？"),
    ],
)  # fmt: skip
def test_asks_the_same_in_other_words(question: str, told: str, answer: str, expected: str) -> None:
    said = _said(question, told, answer)
    assert re.fullmatch(expected, said), said
    before, after = overlap(question, [told]), overlap(said, [told])
    assert after.words + after.pairs / 2 < before.words + before.pairs / 2


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("《成立》的导演是谁？", "《成立》的导演是吴安。"),
        ("青石第一家合作社的社长叫什么？", "北岸有很多店。"),
        ("谁是第九任会长？", "第九任会长是吴安。"),
        ("球水母不是什么？", "球水母不是鱼，也不是植物。"),
        ("小说被改编为什么？", "小说被改编为电影。"),
        ("灯塔因为什么而闻名？", "灯塔因钟声而闻名。"),
        ("这座桥的使用者有多少？", "这座桥的使用者有三千人。"),
    ],
)
def test_leaves_what_would_not_be_said(question: str, told: str) -> None:
    found = reworded(question, [told], [])
    said = found.question if found else question
    assert not re.search("创立》|出任会长|不(?:究竟|到底|指)|之所以|是什么缘故|的原因是|采用者|用到者", said)


def test_names_numbers_and_what_is_quoted_come_out_as_they_went_in() -> None:
    question = "1912 年，创办公司任命谁为《修建》的主编？"
    told = "1912 年，创办公司任命周平为《修建》的主编。"
    said = _said(question, told, "周平", keep=("创办公司", "1912"))
    assert "创办公司" in said
    assert "《修建》" in said
    assert "1912 年" in said
    assert "委任" in said


def test_a_term_that_the_passage_uses_again_stays() -> None:
    told = "要使用声明模型，先写声明模型的名字。声明模型可以很大。"
    found = reworded("声明模型的名字写在哪里？", [told], [])
    assert found is None or "声明模型" in found.question


def test_what_the_question_offers_to_choose_from_stays() -> None:
    told = "1912 年周平任命林远。1920 年，周平创办学校。"
    found = reworded("周平先创办学校，还是先任命林远？", [told], [], ["创办学校"])
    assert found is None or "创办学校" in found.question


def test_says_nothing_that_a_passage_or_an_answer_has() -> None:
    told = "林远任命周平。委任书写于 1912 年。"
    found = reworded("林远任命谁？", [told], [], ["周平"])
    assert found is None or "委任" not in found.question
    found = reworded("林远创办了什么？", ["林远创办了江州兴办社。"], [], ["江州兴办社"])
    assert found is None or "兴办" not in found.question


def test_nothing_to_gain_is_none() -> None:
    assert reworded("江州有哪些桥？", ["江州有三座桥。"], []) is None
    assert reworded("", ["江州有三座桥。"], []) is None
    assert reworded("？", [], []) is None


def test_passages_in_traditional_script_are_read_as_well() -> None:
    question = "北岸灯塔位于哪里？"
    simplified = reworded(question, [LIGHT], [], ["青石湾东端"])
    assert simplified is not None
    assert simplified == reworded(question, [to_traditional(LIGHT)], [], ["青石灣東端"])


def test_changes_tell_what_was_said_and_what_is_said_now() -> None:
    found = reworded("1912 年，青石商会任命谁为会长？", [GUILD], [], ["周平"])
    assert found is not None
    assert found.changes == (("任命", "委任"),)
    found = reworded("林远出生于哪里？", [LIGHT], [], ["江州"])
    assert found is not None
    assert found.changes[0][0] == f"{GAP}出生于哪里"
    assert found.changes[0][1].startswith(GAP)


def test_spaces_between_scripts_stay_as_the_question_has_them() -> None:
    for question, spaced in (("Tarn 是由谁创建的？", True), ("Tarn是由谁创建的？", False)):
        said = _said(question, "Tarn 是由林远创建的库。", "林远")
        assert bool(re.search("[A-Za-z] [\u4e00-\u9fff]|[\u4e00-\u9fff] [A-Za-z]", said)) == spaced, said


def test_long_runs_of_the_passage_are_not_made() -> None:
    told = "1912 年青石商会任命江州人周平先生为商会下属学校的第二任校长并兼管北岸灯塔。"
    question = "青石商会是哪一年任命江州人周平先生为商会下属学校的第二任校长的？"
    found = reworded(question, [told], [], ["1912 年"])
    assert found is None or told[7:32] not in found.question


FRAME_IDS = [frame.said.pattern[:40] for frame in FRAMES]


@pytest.mark.parametrize("frame", FRAMES, ids=FRAME_IDS)
def test_a_frame_asks_and_leans_on_nothing(frame: Frame) -> None:
    groups = dict.fromkeys(frame.said.groupindex, "江州") | {"who": "作者", "w": "哪一年"}
    for made in frame.made:
        asked = made.format(**groups)
        assert re.search("什么|谁|哪|多少|多长|怎|如何", asked) or "{s}" in made, made
        assert not leaning(f"{asked}？", "zh-Hans"), made
        assert to_simplified(made) == made


def test_no_way_is_the_word_or_leans_on_the_text() -> None:
    ones = [one for found in entries().values() for one in found]
    assert len(ones) > 300
    for one in ones:
        assert one.ways, one.word
        assert one.word not in one.ways
        assert len(set(one.ways)) == len(one.ways), one.word
        for way in (one.word, *one.ways):
            assert not leaning(f"江州{way}哪里？", "zh-Hans"), way
            assert to_simplified(way) == way


def test_an_entry_holds_where_its_surroundings_do() -> None:
    one = Entry("使用", ("采用",), after=re.compile("^什么"), not_before=re.compile("的$"))
    assert one.fits("江州", "什么")
    assert not one.fits("江州的", "什么")
    assert not one.fits("江州", "哪里")
    assert [(row.word, row.ways) for row in table("甲 乙 丙\n丁 戊")] == [("甲", ("乙", "丙")), ("丁", ("戊",))]


def test_meanings_hold_both_ways() -> None:
    assert "委任" in meanings("任命")
    for word in entries():
        for other in meanings(word):
            assert word in meanings(other)
    assert meanings("江州") == {"江州"}


NAMES = st.sampled_from(["江州", "北岸灯塔", "林远", "青石商会", "Tarn", "第 3 号桥"])
VERBS = st.sampled_from([*sorted(entries())[::7], "位于", "成立于", "是由谁设计的", "是什么时候"])


@settings(max_examples=60)
@given(
    st.lists(st.one_of(NAMES, VERBS, st.sampled_from(["的", "，", "在", "为什么", "哪里", "什么"])), min_size=1, max_size=8),
    st.lists(st.one_of(NAMES, VERBS), max_size=12),
    NAMES,
)  # fmt: skip
def test_any_question_keeps_what_is_to_be_kept(parts: list[str], told: list[str], name: str) -> None:
    question, passage = "".join(parts) + "？", "。".join((*parts, *told))
    found = reworded(question, [passage], [name], ["江州"])
    assert found == reworded(question, [passage], [name], ["江州"])
    if found is None:
        return
    assert found.question.endswith("？")
    assert found.question != question
    assert 1 <= len(found.changes) <= 3
    assert name not in question or name in found.question
    assert all(before != after for before, after in found.changes)
