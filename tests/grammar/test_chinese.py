"""Questions on what Chinese references and laws document."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from synth.core.records import Document, Draft, text_hash
from synth.grammar.author import drafts
from synth.grammar.reading import Reading
from synth.text.normalise import to_simplified, to_traditional


def read(text: str, title: str = "notes", format: str = "text") -> Reading:
    return Reading(
        Document(
            doc_id="d",
            source="d",
            title=title,
            text=text,
            content_hash=text_hash(text),
            metadata={"format": format},
        )
    )


def pairs(found: list[Draft]) -> dict[str, str]:
    return {draft.question: draft.golden_answers[0] for draft in found}


def test_a_setting_on_the_page_of_one_thing_is_asked_for_with_it() -> None:
    page = "# {}\n\n| 属性 | 说明 |\n| --- | --- |\n| `match_all_gates` | 水车停转以后检查所有闸门 |\n"
    asked = [
        list(pairs(drafts(read(page.format(title), title=title, format="markdown"))))
        for title in ("mill-guard", "水车")
    ]
    assert asked == [["mill-guard 中，match_all_gates 表示什么？"], ["match_all_gates 表示什么？"]]


def test_a_description_that_repeats_the_name_of_an_option_is_not_asked_for() -> None:
    page = "# 线程\n\n| 属性 | 说明 |\n| --- | --- |\n| `Mill::RUN_IDLE` | {} |\n| `Mill::RUN_FAST` | 水车以最高速度转动 |\n"
    repeated = pairs(drafts(read(page.format("水车调度策略 RUN_IDLE"), format="markdown")))
    told = pairs(drafts(read(page.format("水车在没有水的时候的调度策略"), format="markdown")))
    assert not any("RUN_IDLE" in question for question in repeated)
    assert any("RUN_IDLE" in question for question in told)


STATUTE = "第二条 本条例所称湿地，是指青河市范围内的沼泽、河滩和常年积水的洼地。"


@pytest.mark.parametrize("turned", [str, to_traditional])
def test_a_term_of_a_law_is_asked_for_with_its_law(turned: Callable[[str], str]) -> None:
    found = pairs(drafts(read(turned(STATUTE), turned("青河市湿地保护条例(2020-01-01)"))))
    simple = {to_simplified(asked): to_simplified(given) for asked, given in found.items()}
    answer = "青河市范围内的沼泽、河滩和常年积水的洼地"
    assert simple == {"《青河市湿地保护条例》所称的湿地是指什么？": answer}
    assert drafts(read(turned(STATUTE), "notes")) == []


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("webGate.limit", "webGate.limit 的默认值是什么？"),
        ("kit.limit", "webGate 中，参数 kit.limit 的默认值是什么？"),
    ],
)
def test_a_name_that_says_whose_it_is_is_asked_without_its_section(name: str, question: str) -> None:
    page = f"# 水车手册\n\n水车和闸门每天由管理员检查，所有结果写入记录。\n\n## webGate\n\n| 参数 | 默认值 |\n| --- | --- |\n| `{name}` | 12 |\n"
    assert [one.question for one in drafts(read(page, title="水车手册", format="markdown"))] == [question]


TABLE = "| 属性 | 说明 |\n| --- | --- |\n| `{}` | {} |\n"


def is_option_asked(title: str, told: str, name: str, meaning: str) -> bool:
    page = f"# {title}\n\n{told}" + TABLE.format(name, meaning)
    return any(draft.pattern == "option" for draft in drafts(read(page, title=title, format="markdown")))


@pytest.mark.parametrize(
    ("title", "is_asked"),
    [
        ("对象存储配置", True),
        ("连接池配置", True),
        ("向量检索配置", True),
        ("连接 GateKit 集群", False),
        ("向 GateKit 写入数据", False),
    ],
)
def test_a_setting_belongs_to_a_thing_and_not_to_what_is_done(title: str, is_asked: bool) -> None:
    told = f"{title.removesuffix('配置')}每天检查。\n\n" * 3
    assert is_option_asked(title, told, "gateSize", "网关一次写入的数据行数上限") is is_asked


@pytest.mark.parametrize(
    ("section", "title", "question"),
    [
        ("SSL 配置", "GateKit", "GateKit 的 SSL 配置中，属性 gateMode 的默认值是什么？"),
        ("SSL 配置", "水车手册", ""),
        ("gate_setting", "GateKit 接口", "GateKit 接口的 gate_setting 中，属性 gateMode 的默认值是什么？"),
        ("gate_setting", "水车手册", ""),
        ("第 2 步：安装 GateKit", "水车手册", ""),
    ],
)
def test_a_section_that_many_parts_have_is_asked_for_with_the_part(section: str, title: str, question: str) -> None:
    table = "| 属性 | 默认值 |\n| --- | --- |\n| `gateMode` | wide |\n"
    page = f"# {title}\n\n水车和闸门每天由管理员检查，所有结果写入记录。\n\n## {section}\n\n{table}"
    found = [one.question for one in drafts(read(page, title=title, format="markdown")) if one.pattern == "default"]
    assert found == [question] * bool(question)


@pytest.mark.parametrize(
    ("meaning", "is_asked"),
    [
        ("是否在点击后关闭", False),
        ("是否在页面回退时自动关闭", True),
        ("是否启用 RocksDB 统计", True),
    ],
)
def test_a_switch_whose_name_says_what_it_does_is_not_asked_for(meaning: str, is_asked: bool) -> None:
    assert is_option_asked("GateKit", "水车和闸门每天由管理员检查。\n\n", "close-on-click", meaning) is is_asked


@pytest.mark.parametrize(
    ("meaning", "is_asked"),
    [
        ("在线用户数的统计周期与上限值的乘积", True),
        ("网关向对端发起连接的最长等待超时", True),
        ("在网关发送消息而且主题不存在时", False),
        ("消费者启动而且已经加入分组以后", False),
    ],
)
def test_a_circumstance_is_no_meaning(meaning: str, is_asked: bool) -> None:
    assert is_option_asked("GateKit 配置", "", "gate.kit.size", meaning) is is_asked
