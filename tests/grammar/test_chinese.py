"""Questions from Chinese sentences: tables in simplified script, each run in traditional script too."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

import pytest

from synth.core.records import Document, Draft, text_hash
from synth.grammar.author import drafts
from synth.grammar.chinese import PATTERNS
from synth.grammar.reading import Reading
from synth.text.normalise import simplified_only, to_simplified, to_traditional


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


GOOD = [
    ("北辰大学位于江苏省苏州市吴中区。", "北辰大学位于哪里？", "江苏省苏州市吴中区"),
    ("星河科技公司成立于1998年。", "星河科技公司成立于哪一年？", "1998年"),
    ("星河科技公司于2011年3月收购了蓝鲸软件公司。", "星河科技公司是什么时候收购蓝鲸软件公司的？", "2011年3月"),
    ("2005年，周文远创立了白鹭出版社。", "周文远是哪一年创立白鹭出版社的？", "2005年"),
    ("《山海行记》由周文远编写。", "《山海行记》是由谁编写的？", "周文远"),
    ("白鹭出版社是由周文远创办的。", "白鹭出版社是由谁创办的？", "周文远"),
    ("北辰大学有12个学院。", "北辰大学有多少个学院？", "12个"),
    ("玉龙大桥全长1280米。", "玉龙大桥全长多少米？", "1280米"),
    ("长江是中国最长的河流。", "中国最长的河流是哪条？", "长江"),
    ("苏州园林以精巧的布局而闻名。", "苏州园林以什么而闻名？", "精巧的布局"),
    ("白鹭出版社的总部是南京。", "白鹭出版社的总部是哪里？", "南京"),
    ("苏州博物馆的设计者是贝聿铭。", "苏州博物馆的设计者是谁？", "贝聿铭"),
    ("ServerKit 由 OpenLab 团队维护。", "ServerKit 是由谁维护的？", "OpenLab 团队"),
    ("药师须在通用药物管理委员会（GPhC）注册。", "通用药物管理委员会的英文缩写是什么？", "GPhC"),
    (
        "ServerKit 是一个用于处理消息队列的 Python 框架。",
        "ServerKit 是什么？",
        "一个用于处理消息队列的 Python 框架",
    ),
    ("DockKit 从 2.4.0 版本开始支持离线检票。", "DockKit 从哪个版本开始支持离线检票？", "2.4.0"),
]


@pytest.mark.parametrize(("text", "question", "answer"), GOOD)
def test_asks_in_simplified_script(text: str, question: str, answer: str) -> None:
    assert pairs(drafts(read(text)))[question] == answer


@pytest.mark.parametrize(("text", "question", "answer"), GOOD)
def test_asks_the_same_in_traditional_script(text: str, question: str, answer: str) -> None:
    found = pairs(drafts(read(to_traditional(text))))
    assert {to_simplified(asked): to_simplified(given) for asked, given in found.items()}[question] == answer
    assert not any(char in simplified_only() for asked in found for char in asked)


def test_writes_traditional_question_words() -> None:
    found = pairs(drafts(read("北辰大學位於江蘇省蘇州市吳中區。")))
    assert found == {"北辰大學位於哪裡？": "江蘇省蘇州市吳中區"}


TABLE = json.loads(files("synth.grammar.chinese").joinpath("set_forms.json").read_text("utf-8"))["facts"]


@pytest.mark.parametrize("row", TABLE, ids=[row["name"] for row in TABLE])
@pytest.mark.parametrize("turned", [str, to_traditional])
def test_a_set_form_asks_for_its_example_and_not_for_its_counterexample(
    row: dict[str, Any], turned: Callable[[str], str]
) -> None:
    sentence, question, answer = row["fits"]
    title = turned(row.get("title", "notes"))
    found = {to_simplified(q): to_simplified(a) for q, a in pairs(drafts(read(turned(sentence), title))).items()}
    assert found[question] == answer
    assert row["name"] not in {draft.pattern for draft in drafts(read(turned(row["not"]), title))}


HEADS = json.loads(files("synth.grammar.chinese").joinpath("heads.json").read_text("utf-8"))
HEAD_ROWS = [*HEADS["attributes"], *HEADS["kinds"]]


@pytest.mark.parametrize("row", HEAD_ROWS, ids=[row["word"] for row in HEAD_ROWS])
def test_a_head_noun_is_asked_for_with_its_word(row: dict[str, Any]) -> None:
    sentence, question, answer = row["fits"]
    assert pairs(drafts(read(sentence)))[question] == answer
    if "not" in row:
        assert "attribute" not in {draft.pattern for draft in drafts(read(row["not"]))}


SET_FORMS = json.loads(files("synth.grammar.chinese").joinpath("set_forms.json").read_text("utf-8"))


@pytest.mark.parametrize("row", [SET_FORMS["measures"], *SET_FORMS["versions"]], ids=["measures", "since", "from"])
def test_a_form_makes_its_example_and_leaves_its_counterexample(row: dict[str, Any]) -> None:
    sentence, question, answer = row["fits"]
    assert pairs(drafts(read(sentence, format="markdown")))[question] == answer
    assert question not in pairs(drafts(read(row["not"], format="markdown")))


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("从 v1.5.0 开始，DockKit 不再支持会话共享。", "DockKit 从哪个版本开始不再支持会话共享？"),
        ("从 v1.5.0 开始，DockKit 也将支持会话共享。", "DockKit 从哪个版本开始支持会话共享？"),
        ("DockKit 从 1.5.0 版本开始不再支持会话共享。", "DockKit 从哪个版本开始不再支持会话共享？"),
    ],
)
def test_the_adverb_of_a_version_stands_before_its_verb(said: str, asked: str) -> None:
    assert list(pairs(drafts(read(said, format="markdown")))) == [asked]


@pytest.mark.parametrize(("word", "is_asked"), [("", True), ("只", False), ("仅", False)])
def test_a_version_of_which_only_something_is_supported_is_not_asked_for(word: str, is_asked: bool) -> None:
    said = f"从 4.0 开始，DockKit {word}支持会话共享。"
    assert ("DockKit 从哪个版本开始支持会话共享？" in pairs(drafts(read(said, format="markdown")))) is is_asked
    assert len(pairs(drafts(read(said, format="markdown")))) == is_asked


@pytest.mark.parametrize(("number", "is_asked"), [("12", True), ("两", False), ("2", False), ("二十", True)])
def test_two_of_a_kind_are_not_counted(number: str, is_asked: bool) -> None:
    found = pairs(drafts(read(f"北辰大学有{number}个学院。")))
    assert ("北辰大学有多少个学院？" in found) is is_asked


def test_a_short_definition_that_its_sentence_explains_is_not_asked_for() -> None:
    said = "ShareKit 是一类 cluster-scoped 的 CRD{}"
    short, whole = said.format("，其主要由两个字段构成。"), said.format("。")
    assert "definition" not in {draft.pattern for draft in drafts(read(short, format="markdown"))}
    assert "definition" in {draft.pattern for draft in drafts(read(whole, format="markdown"))}


@pytest.mark.parametrize(("what", "is_asked"), [("虚拟驱动", False), ("虚拟的水闸驱动", True)])
def test_a_definition_of_few_words_is_not_asked_for(what: str, is_asked: bool) -> None:
    found = drafts(read(f"`GateKit` 是一个{what}。", format="markdown"))
    assert ("definition" in {draft.pattern for draft in found}) is is_asked


def test_a_definition_goes_on_with_what_the_thing_does() -> None:
    said = "ShareKit 是一个轻量级的网页构建工具，{}。"
    for more, answer in {
        "可以用来同步 `pull()` 和 `push()` 之间的文件": "一个轻量级的网页构建工具，可以用来同步 pull() 和 push() 之间的文件",
        "继承自 `Kit`，支持增量构建": "一个轻量级的网页构建工具，继承自 Kit，支持增量构建",
        "它让你省去很多时间": "一个轻量级的网页构建工具",
        "支持很多平台，包括网页和桌面等": "一个轻量级的网页构建工具",
    }.items():
        assert pairs(drafts(read(said.format(more), format="markdown")))["ShareKit 是什么？"] == answer


@pytest.mark.parametrize(
    "what",
    [
        *("一项实验性功能", "一个在 3.3 版本中新增的接口", "一个仅 Mill 中可用的编译命令", "一个仅适用于服务端的配置"),
        *("MillGate 企业版功能", "一个 MillGate 企业版的特性"),
    ],
)
def test_what_says_only_since_when_or_where_a_thing_is_there_does_not_define_it(what: str) -> None:
    assert "definition" not in {draft.pattern for draft in drafts(read(f"`ShareKit` 是{what}。", format="markdown"))}


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


SILENT = [
    "它成立于1998年。",
    "该公司成立于1998年。",
    "他后来担任白鹭出版社社长。",
    "其总部位于南京。",
    "星河科技公司成立于哪一年？",
    "星河科技公司的成立原因如下：",
    "1998年至2003年，周文远在北京工作。",
    "此后星河科技公司收购了蓝鲸软件公司",
    "“星河科技公司成立于1998年。",
    "同年，这家公司更名为白鹭集团。",
    "点击下一步。",
    "许多人喜欢在公园散步。",
]


LEANING = [
    "剧院综合体还包括音乐厅和展览馆。",
    "1949年，国民党士兵把灵柩西迁了200公里。",
    "学生活动人士在清河校园竖起了一座石碑。",
    "证券交易所位于江苏省苏州市吴中区。",
    "分店位于江苏省苏州市吴中区。",
    "1998年，周文远仍在白鹭出版社担任编辑。",
]
CUT_WRONG = [
    "星河铁路公司代表联系公司负责网络系统建设。",
    "星河科技公司会与Ｖ＆Ａ乐器举办乐器展览。",
    "13世纪，北辰是周文远建立的王国。",
]
EMPTY = [
    "你可以使用特定的 HTTP 方法来执行特定的行为。",
    "ServerKit 会使用相应的方法来处理请求。",
    "你可以使用普通的任意 `dict` 来声明 ServerKit 响应。",
    "默认情况下，ServerKit 模式服务于 `/openapi.json`。",
    "ServerKit 启发 OpenLab 在函数中声明 `response` 参数。",
]
NO_DATE = [
    "2003年，周文远在白鹭出版社逐步获得了主编的地位。",
    "1998年，星河科技公司陆续收购了蓝鲸软件公司。",
    "周文远认为，北辰大学由12个学院组成。",
    "东部省最大的城市是达安。",
    "达安是东部省最大的城市。",
    "淮海路东段位于淮海路街道。",
    "要使用 PackTool 与后端进行通信，您可能会看到前端的工具。",
    "忽必烈创建的官僚制度体现了元朝的多种文化，包括汉文化和蒙古文化。",
]
NO_FACT = [
    "Agent 是一名 AI 员工，每天检查水车和闸门。",
    "AWS 的函数也被称为 Wheel。",
    "水闸生成器可以让你创建以时间命名的笔记，也称为 Zettelkasten 式笔记。",
    "`token` 的值来自于之前步骤。",
    "《澄湖红茶》是北辰省待客的最佳选择。",
    "以上8个 show 命令由 useSqlStat 开关参数控制。",
    "社区版可与多种水闸服务集成，适用场景广泛，于 2021 年在 TideHub 开源。",
    "XXL-GATE 目标是一种跨平台、跨语言的水闸调度规范和协议。",
    "noop 调度算法是内核中最简单的 IO 调度算法。",
    "**GateBox** 对象是用户唯一需要了解的 API，它表达了水闸的部署计划。",
    "《澄湖存储》是澄湖系统中最为复杂和最为重要的一部分。",
    "GateA 部署在北辰省，有50个队列。",
    "[MillGate](./gate) MillGate 是一个水闸之间的消息处理器。",
    "Wheel 提出的用于保证供应链完整性的框架 SLSA，是一套基于行业共识的安全准则，用于防止篡改。",
    "gate-style {string}：字体类别。可选值 `normal` 和 `wide`。",
    "水闸的API比较原生，但tide.gate.view有3个问题：1. 开发比较复杂；2. 不支持动画。",
    "Tide appid（以后简称 appid） 是 Tide 应用的唯一标识，在 Tide 提供的所有服务中，都会以 appid 来标记一个应用。",
]
UNNAMED = ["大熊猫以竹子为食。", "要使用模板，请安装 jinja2。"]
SILENT += [*NO_FACT, *UNNAMED, *LEANING, *CUT_WRONG, *EMPTY, *NO_DATE]


@pytest.mark.parametrize("text", [*SILENT, *map(to_traditional, SILENT)])
def test_asks_nothing_of(text: str) -> None:
    assert drafts(read(text)) == []


def test_what_a_program_makes_is_not_made_by_somebody() -> None:
    (draft,) = drafts(read("Span 是由 tracer 创建的，所以你需要先初始化 tracer。"))
    assert (draft.question, draft.golden_answers) == ("Span 是由什么创建的？", ("tracer",))


def test_every_construction_is_named_by_the_pack() -> None:
    found = {draft.pattern for text, _, _ in GOOD for draft in drafts(read(text))}
    assert found <= set(PATTERNS)
    assert len(set(PATTERNS)) == len(PATTERNS)


STATUTE = "第二条 本条例所称湿地，是指青河市范围内的沼泽、河滩和常年积水的洼地。"


@pytest.mark.parametrize("turned", [str, to_traditional])
def test_a_term_of_a_law_is_asked_for_with_its_law(turned: Callable[[str], str]) -> None:
    found = pairs(drafts(read(turned(STATUTE), turned("青河市湿地保护条例(2020-01-01)"))))
    simple = {to_simplified(asked): to_simplified(given) for asked, given in found.items()}
    answer = "青河市范围内的沼泽、河滩和常年积水的洼地"
    assert simple == {"《青河市湿地保护条例》所称的湿地是指什么？": answer}
    assert drafts(read(turned(STATUTE), "notes")) == []


LEAD = "清河图书馆，简称清图，位于浙江省杭州市西湖区，占地面积3500平方米。"


def test_brings_in_the_subject_that_later_clauses_leave_out() -> None:
    apart = {
        "清河图书馆，简称清图。": ("清河图书馆的简称是什么？", "清图"),
        "清河图书馆，简称清图，位于浙江省杭州市西湖区。": ("清河图书馆位于哪里？", "浙江省杭州市西湖区"),
        "清河图书馆是公共图书馆，占地面积3500平方米。": ("清河图书馆的占地面积是多少平方米？", "3500平方米"),
    }
    for text, (question, answer) in apart.items():
        assert pairs(drafts(read(text, title="清河图书馆")))[question] == answer


def test_one_sentence_gives_two_questions_of_different_constructions() -> None:
    found = drafts(read(LEAD, title="清河图书馆"))
    assert len(found) == 2
    assert len({draft.pattern for draft in found}) == 2


REFERRED = [
    (
        "约翰·哈特曼是一位德国植物学家。1998年，他创立了白鹭出版社。",
        "约翰·哈特曼是哪一年创立白鹭出版社的？",
        "1998年",
    ),
    ("北辰大学位于江苏省苏州市。该大学有12个学院。", "北辰大学有多少个学院？", "12个"),
    ("北辰大学位于江苏省苏州市。它成立于1998年。", "北辰大学成立于哪一年？", "1998年"),
]


@pytest.mark.parametrize(("text", "question", "answer"), REFERRED)
@pytest.mark.parametrize("traditional", [False, True])
def test_names_whom_a_pronoun_means(text: str, question: str, answer: str, traditional: bool) -> None:
    found = drafts(read(to_traditional(text) if traditional else text))
    asked = {to_simplified(draft.question): draft for draft in found}
    assert to_simplified(asked[question].golden_answers[0]) == answer
    assert len(asked[question].spans) == 2


@pytest.mark.parametrize(
    "text",
    [
        "约翰·哈特曼与玛丽·克莱因合著了《山海行记》。1998年，他创立了白鹭出版社。",
        "约翰·哈特曼是一位德国植物学家。\n\n1998年，他创立了白鹭出版社。",
        "北辰大学收购了星河科技公司。该医院有12个科室。",
    ],
)
def test_leaves_a_pronoun_that_may_mean_another(text: str) -> None:
    assert not any(len(draft.spans) == 2 for draft in drafts(read(text)))


@pytest.mark.parametrize("title", ["约翰·哈特曼 073", "约翰·哈特曼_(植物学家)-12"])
def test_a_last_name_is_made_full_from_the_title(title: str) -> None:
    for text in ("哈特曼出生于荷兰的博尔讷。", "哈特曼出生於荷蘭的博爾訥。"):
        (question,) = pairs(drafts(read(text, title=title)))
        assert question.startswith("约翰·哈特曼")


def test_leaves_the_aside_behind_a_name_out_of_the_question() -> None:
    found = pairs(drafts(read("周文远（1950年－），字子明，中国作家，出生于江苏苏州。", title="周文远-12")))
    assert found["周文远出生于哪里？"] == "江苏苏州"
    assert found["周文远的字是什么？"] == "子明"


def test_answers_in_an_era_keep_the_common_year() -> None:
    found = pairs(drafts(read("道光三年（1823年），林则徐升任江苏按察使。")))
    assert "道光三年（1823年）" in found.values()


def test_repeats_the_setting_of_a_fact() -> None:
    found = pairs(drafts(read("在佛教传统中，文殊菩萨被称为智慧之神。")))
    assert all(question.startswith("在佛教传统中，") for question in found)


def test_an_example_is_not_asked_about() -> None:
    assert drafts(read("星河科技公司成立于1998年。"))
    assert drafts(read("例如，星河科技公司成立于1998年。")) == []


def test_a_question_with_two_answers_in_one_document_is_dropped() -> None:
    text = "星河科技公司成立于1998年。\n\n星河科技公司成立于1999年。"
    assert drafts(read(text)) == []


def test_best_come_first() -> None:
    worths = [draft.worth for draft in drafts(read(LEAD + "2005年，周文远创立了白鹭出版社。", title="清河图书馆"))]
    assert len(worths) > 2
    assert worths == sorted(worths, reverse=True)


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
