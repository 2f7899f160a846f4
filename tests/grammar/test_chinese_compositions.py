"""Questions put together from Chinese facts and rules: simplified in the tables, each run in traditional too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from synth.grammar.chinese.composing_rules import conditionals
from synth.grammar.chinese.compositions import ChineseCompositions
from synth.grammar.reading import Reading
from synth.records import Document, Fact, Term, text_hash
from synth.text.normalise import to_simplified, to_traditional

SCRIPTS: dict[str, Callable[[str], str]] = {"zh-Hans": str, "zh-Hant": to_traditional}


def term(text: str, kind: str = "") -> Term:
    return Term(text=text, start=0, end=max(1, len(text)), kind=kind)


def fact(
    subject: str,
    relation: str,
    predicate: str,
    thing: str = "",
    kind: str = "",
    thing_kind: str = "",
    gap: str = "",
    object_gap: str = "",
    modal: str = "",
    negated: bool = False,
    doc_id: str = "d",
    **qualifiers: str,
) -> Fact:
    """A fact; `gap` is what stands before 的 when the subject follows it, the predicate unless given."""
    wording = {"statement": subject + predicate, "predicate": predicate, "subject_gap": gap or predicate}
    return Fact(
        doc_id=doc_id,
        spans=((0, 1),),
        subject=term(subject, kind),
        relation=relation,
        object=term(thing, thing_kind) if thing else None,
        qualifiers=tuple(term(text, name) for name, text in qualifiers.items()),
        modal=modal,
        negated=negated,
        wording={**wording, **({"object_gap": object_gap} if object_gap else {})},
    )


def written(made: Fact, language: str) -> Fact:
    """The fact as a document in a script has it; relations stay simplified."""
    to = SCRIPTS[language]

    def turned(one: Term) -> Term:
        return replace(one, text=to(one.text))

    return replace(
        made,
        subject=turned(made.subject),
        object=turned(made.object) if made.object else None,
        qualifiers=tuple(turned(one) for one in made.qualifiers),
        wording={role: to(text) for role, text in made.wording.items()},
    )


def simple(text: str | None) -> str | None:
    return None if text is None else to_simplified(text)


FOUNDED = fact("白鹭书院", "成立", "成立", time="1905年", kind="organisation")
MERGED = fact("白鹭书院", "与…合并", "与北辰学堂合并", "北辰学堂", time="1931年", kind="organisation")
RENAMED = fact("白鹭书院", "更名为", "更名为白鹭师范", "白鹭师范", time="1950年", kind="organisation")
OTHER = fact("青屏中学", "成立", "成立", time="1921年3月", kind="organisation", doc_id="e")
BORN = fact("沈远山", "出生于", "出生", kind="person", time="1880年")
BORN_AT = fact("陆明川", "生于", "生于湖州", "湖州", kind="person", time="1875年", doc_id="e")
DIED = fact("沈远山", "逝世于", "逝世", kind="person", time="1949年")
FIRST_BOOK = fact("沈远山", "出版", "出版第一部诗集", "第一部诗集", kind="person", time="1903年")
SECOND_BOOK = fact("沈远山", "出版", "出版第二部诗集", "第二部诗集", kind="person", time="1911年")
TOWER = fact("望江塔", "高", "高56米", "56米", quantity="56米")
SPIRE = fact("听涛塔", "高", "高41米", "41米", quantity="41米")
SEATS = fact("东湖议会", "共有", "共有120名议员", "120名议员", quantity="120名")
BENCHES = fact("西湖议会", "共有", "共有95名议员", "95名议员", quantity="95名")
INTERVAL = fact("poll_seconds 的默认值", "是", "是600秒", "600秒", quantity="600秒")
LEASE = fact("lease_seconds 的默认值", "是", "是300秒", "300秒", quantity="300秒")
ITS = fact("该书院", "成立", "成立", time="1905年")


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize(
    ("made", "question"),
    [
        (FOUNDED, "白鹭书院是哪一年成立的？"),
        (OTHER, "青屏中学是什么时候成立的？"),
        (RENAMED, "白鹭书院是哪一年更名为白鹭师范的？"),
        (replace(FOUNDED, negated=True), None),
        (replace(FOUNDED, modal="may"), None),
        (ITS, None),
        (fact("白鹭书院", "迁", "迁往其旧址", "旧址", time="1920年"), None),
        (fact("白鹭书院", "是", "是一所学校", "一所学校", time="1920年"), None),
    ],
)
def test_when(made: Fact, question: str | None, language: str) -> None:
    assert simple(ChineseCompositions(language).when(written(made, language))) == question


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize(
    ("earlier", "later", "question"),
    [
        (FOUNDED, RENAMED, "白鹭书院从成立到更名为白鹭师范，中间隔了多少年？"),
        (FOUNDED, OTHER, None),
        (BORN, FOUNDED, "从沈远山出生到白鹭书院成立，中间隔了多少年？"),
        (BORN, DIED, "沈远山从出生到逝世，一共经过了多少年？"),
        (FOUNDED, replace(RENAMED, negated=True), None),
    ],
)
def test_interval(earlier: Fact, later: Fact, question: str | None, language: str) -> None:
    found = ChineseCompositions(language).interval(written(earlier, language), written(later, language))
    assert simple(found) == question


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize(
    ("a", "b", "question", "options"),
    [
        (FOUNDED, OTHER, "白鹭书院和青屏中学，哪一个成立得更早？", ("白鹭书院", "青屏中学")),
        (BORN, BORN_AT, "沈远山和陆明川，谁出生得更早？", ("沈远山", "陆明川")),
        (
            RENAMED,
            MERGED,
            "白鹭书院先与北辰学堂合并，还是先更名为白鹭师范？",
            ("更名为白鹭师范", "与北辰学堂合并"),
        ),
        (BORN, DIED, None, ()),
        (FIRST_BOOK, SECOND_BOOK, None, ()),
        (RENAMED, fact("白鹭书院", "回到", "回到湖州", "湖州", time="1946年"), None, ()),
        (FOUNDED, RENAMED, None, ()),
        (RENAMED, OTHER, None, ()),
        (
            RENAMED,
            replace(OTHER, doc_id="d"),
            "是白鹭书院更名为白鹭师范在先，还是青屏中学成立在先？",
            ("白鹭书院更名为白鹭师范", "青屏中学成立"),
        ),
    ],
)
def test_first(a: Fact, b: Fact, question: str | None, options: tuple[str, ...], language: str) -> None:
    choice = ChineseCompositions(language).first(written(a, language), written(b, language))
    if question is None:
        assert choice is None
    else:
        assert choice is not None
        assert sorted(to_simplified(choice.question)) == sorted(question)
        assert tuple(map(to_simplified, choice.options)) == options
        assert all(option in choice.question for option in choice.options)


def test_the_order_in_which_two_things_are_named_does_not_tell_which_came_first() -> None:
    words = ChineseCompositions("zh-Hans")
    one, other = words.first(FOUNDED, OTHER), words.first(OTHER, FOUNDED)
    assert one is not None
    assert other is not None
    assert one.question == other.question
    assert one.options == other.options[::-1]


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize(
    ("made", "question"),
    [
        (TOWER, "望江塔有多高？"),
        (SEATS, "东湖议会共有多少名议员？"),
        (INTERVAL, "poll_seconds 的默认值是多少秒？"),
        (fact("北辰大学", "现有", "现有两个校区", "两个校区", quantity="两个"), "北辰大学现有几个校区？"),
        (fact("北辰大学的录取率", "是", "是5.3%", "5.3%", quantity="5.3%"), "北辰大学的录取率是多少？"),
        (fact("望江塔", "位于", "位于3公里外的山上", "山上", quantity="3公里"), None),
        (fact("望江塔", "高", "高56米", "56米", quantity="56米", condition="涨潮时"), None),
    ],
)
def test_amount(made: Fact, question: str | None, language: str) -> None:
    assert simple(ChineseCompositions(language).amount(written(made, language))) == question


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize(
    ("a", "b", "more", "difference"),
    [
        (TOWER, SPIRE, "望江塔和听涛塔，哪一个更高？", "望江塔比听涛塔高多少？"),
        (SEATS, BENCHES, "东湖议会和西湖议会，哪一个的议员更多？", "东湖议会的议员比西湖议会多多少？"),
        (
            INTERVAL,
            LEASE,
            "poll_seconds 和 lease_seconds，哪一个的默认值更大？",
            "poll_seconds 的默认值比 lease_seconds 大多少？",
        ),
        (TOWER, TOWER, None, None),
        (TOWER, replace(SPIRE, negated=True), None, None),
        (TOWER, SEATS, None, None),
    ],
)
def test_more_and_difference(a: Fact, b: Fact, more: str | None, difference: str | None, language: str) -> None:
    words = ChineseCompositions(language)
    one, other = written(a, language), written(b, language)
    choice = words.more(one, other)
    assert sorted(simple(choice.question) or "" if choice else "") == sorted(more or "")
    found = simple(words.difference(one, other))
    assert found == difference


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize(
    ("thing", "items"),
    [
        ("采集终端、数据服务器和值班工作站", ("采集终端", "数据服务器", "值班工作站")),
        ("采集终端、数据服务器和值班工作站三部分", ("采集终端", "数据服务器", "值班工作站")),
        ("采集终端、数据服务器等设备", None),
        ("采集终端和数据服务器", None),
        ("采集终端、采集终端和数据服务器", None),
        ("采集终端（甲型、乙型）、数据服务器和值班工作站", None),
        ("来自采集终端、数据服务器和值班工作站", None),
    ],
)
def test_listed(thing: str, items: tuple[str, ...] | None, language: str) -> None:
    made = written(fact("澄湖", "由…组成", f"由{thing}组成", thing), language)
    found = ChineseCompositions(language).listed(made)
    assert (None if found is None else tuple(map(to_simplified, found))) == items


def test_a_list_of_something_else_is_not_counted() -> None:
    made = fact("澄湖的制度", "包括", "包括采集终端、数据服务器和值班工作站", "采集终端、数据服务器和值班工作站")
    words = ChineseCompositions("zh-Hans")
    beside, apart = (
        replace(made, object=replace(made.object, start=made.subject.end + gap, end=99))
        for gap in (2, 20)
        if made.object
    )
    assert words.listed(beside) is not None
    assert words.listed(apart) is None


@pytest.mark.parametrize("language", SCRIPTS)
def test_how_many_is_asked_only_where_the_sentence_does_not_say_it(language: str) -> None:
    words = ChineseCompositions(language)
    parts = "采集终端、数据服务器和值班工作站"
    silent = fact("澄湖", "由…组成", f"由{parts}组成", parts)
    said = fact("澄湖", "由…组成", f"由{parts}三部分组成", parts + "三部分")
    assert simple(words.how_many(written(silent, language))) == "澄湖由几部分组成？"
    assert words.how_many(written(said, language)) is None


DESCRIBED = [
    (fact("白鹭书院", "是", "是沈远山创办的学校", "沈远山创办的学校"), "subject", "", None),
    (fact("湖州", "是", "是江北国的首都", "江北国的首都"), "subject", "", "江北国的首都"),
    (fact("湖州", "是", "是江北国的城市之一", "江北国的城市之一"), "subject", "城市", None),
    (
        fact("沈远山", "创办", "创办白鹭书院", "白鹭书院", kind="person", thing_kind="organisation", time="1905年"),
        "subject",
        "person",
        "1905年创办白鹭书院的人",
    ),
    (
        fact("沈远山", "设计", "设计望江塔", "望江塔", thing_kind="place", object_gap="沈远山设计", kind="person"),
        "object",
        "灯塔",
        "沈远山设计的灯塔",
    ),
    (fact("望江塔", "建造", "建造望江塔公园", "望江塔公园", thing_kind="place"), "subject", "塔楼", None),
    (fact("沈远山", "喜欢", "喜欢望江塔", "望江塔", kind="person", thing_kind="place"), "subject", "person", None),
    (fact("沈远山", "创办", "创办学校", "学校", kind="person"), "subject", "person", None),
    (fact("沈远山", "创办", "创办白鹭书院", "白鹭书院", kind="person", thing_kind="place"), "subject", "", None),
]


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize(("made", "part", "kind", "description"), DESCRIBED)
def test_described(made: Fact, part: str, kind: str, description: str | None, language: str) -> None:
    turned = written(made, language)
    named = turned.subject if part == "subject" else turned.object
    assert named is not None
    noun = kind if kind == "person" else SCRIPTS[language](kind)
    assert simple(ChineseCompositions(language).described(turned, named, noun)) == description


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize(
    ("question", "name", "description", "child"),
    [
        ("望江塔位于哪里？", "望江塔", "沈远山设计的灯塔", "沈远山设计的灯塔位于哪里？"),
        ("Uvicorn 支持什么协议？", "Uvicorn", "FastAPI 使用的服务器", "FastAPI 使用的服务器支持什么协议？"),
        ("沈远山是哪一年访问法国的？", "沈远山", "创办白鹭书院的人", "创办白鹭书院的人是哪一年访问法国的？"),
        ("望江塔是什么？", "望江塔", "沈远山设计的灯塔", None),
        ("英国移民分布在哪里？", "英国", "江北国的首都", None),
        ("《望江塔》的作者是谁？", "望江塔", "沈远山设计的灯塔", None),
        ("望江塔和望江塔公园在哪里？", "望江塔", "沈远山设计的灯塔", None),
    ],
)
def test_replaced(question: str, name: str, description: str, child: str | None, language: str) -> None:
    to = SCRIPTS[language]
    found = ChineseCompositions(language).replaced(to(question), to(name), to(description))
    assert simple(found) == child


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize(
    ("made", "consequence", "condition"),
    [
        (
            fact("澄湖", "报告", "会报告错误 CH-203", "错误 CH-203", condition="如果时钟偏差超过60秒"),
            ("如果时钟偏差超过60秒，澄湖会报告什么？", "错误 CH-203"),
            ("在什么情况下，澄湖会报告错误 CH-203？", "时钟偏差超过60秒"),
        ),
        (
            fact("澄湖", "缩短为", "把采样间隔缩短为60秒", "60秒", condition="当红色告警生效时", quantity="60秒"),
            ("当红色告警生效时，澄湖把采样间隔缩短为多少秒？", "60秒"),
            ("在什么情况下，澄湖把采样间隔缩短为60秒？", "红色告警生效时"),
        ),
        (
            fact("值班长", "解除", "可以解除红色告警", "红色告警", condition="只有在主任批准的情况下", modal="can"),
            ("只有在主任批准的情况下，值班长可以解除什么？", "红色告警"),
            ("值班长在什么情况下才可以解除红色告警？", "主任批准的情况下"),
        ),
        (fact("你", "使用", "可以使用 Gzip", "Gzip", condition="如果你需要压缩", modal="can"), None, None),
        (fact("沈远山", "创办", "创办了白鹭书院", "白鹭书院", kind="person", condition="战争结束后"), None, None),
        (fact("澄湖", "报告", "会报告它", "它", condition="如果时钟偏差超过60秒"), None, None),
    ],
)
def test_conditions_of_facts(
    made: Fact, consequence: tuple[str, str] | None, condition: tuple[str, str] | None, language: str
) -> None:
    words, turned = ChineseCompositions(language), written(made, language)
    for asked, wanted in ((words.consequence(turned), consequence), (words.condition(turned), condition)):
        found = None if asked is None else (to_simplified(asked.question), to_simplified(asked.answer))
        assert found == wanted


RULES = [
    ("如果磁盘剩余空间少于5 GB，澄湖就会拒绝启动。", {"如果磁盘剩余空间少于5 GB，澄湖会怎么样？": "拒绝启动"}),
    (
        "如果采集终端的时钟偏差超过60秒，澄湖就会报告错误 `CH-203`。",
        {
            "澄湖在采集终端的时钟偏差超过60秒时会报告什么？": "错误 CH-203",
            "在什么情况下，澄湖会报告错误 CH-203？": "采集终端的时钟偏差超过60秒",
        },
    ),
    (
        "如果下游还有民众逗留，值班主管就必须延后放水。",
        {
            "如果下游还有民众逗留，值班主管必须做什么？": "延后放水",
            "在什么情况下，值班主管必须延后放水？": "下游还有民众逗留",
        },
    ),
    ("如果你需要 Gzip 支持，可以使用 `GzipMiddleware`。", {"如果需要 Gzip 支持，可以使用什么？": "GzipMiddleware"}),
    (
        "除非经过多次团揉，否则冻顶乌龙茶不会形成紧结的半球形外观。",
        {"在什么情况下，冻顶乌龙茶才会形成紧结的半球形外观？": "经过多次团揉"},
    ),
    ("只有系统管理员可以删除备份文件。", {"谁才可以删除备份文件？": "系统管理员"}),
    (
        "普洱茶应存放在通风、干燥的地方，否则茶叶容易发霉。",
        {"如果普洱茶不存放在通风、干燥的地方，会怎么样？": "茶叶容易发霉"},
    ),
    ("默认情况下，`ServerKit` 会返回 JSON 响应。", {"默认情况下，ServerKit 会返回什么响应？": "JSON 响应"}),
    (
        "但请求缺少令牌时，`ServerKit` 会返回 401 错误。",
        {
            "当请求缺少令牌时，ServerKit 会返回什么？": "401 错误",
            "在什么情况下，ServerKit 会返回 401 错误？": "请求缺少令牌时",
        },
    ),
    (
        "如果工具函数是通过 `def` 声明的，它会被直接调用。",
        {"如果工具函数是通过 def 声明的，会怎么样？": "被直接调用"},
    ),
    (
        "如果没有指定 `servers` 参数，并且 `root_path` 等于 `/`，`ServerKit` 会省略 `servers` 属性。",
        {"如果没有指定 servers 参数，并且 root_path 等于 /，ServerKit 会做什么？": "省略 servers 属性"},
    ),
    (
        "缓存写满以后，采集终端会覆盖最早的记录；如果采集终端断电，告警功能就会失效。",
        {
            "缓存写满后，采集终端会怎么样？": "覆盖最早的记录",
            "如果采集终端断电，告警功能会怎么样？": "失效",
        },
    ),
    (
        "修改配置文件以后，管理员必须重新启动服务，否则新的参数不会生效。",
        {"修改配置文件后，管理员必须做什么？": "重新启动服务"},
    ),
    (
        "如果你更新代码并重新生成客户端，新的操作会作为方法可用。",
        {"如果更新代码并重新生成客户端，会怎么样？": "新的操作会作为方法可用"},
    ),
    ("当你运行 `uv add` 时，它会选择依赖的兼容版本。", {"当运行 uv add 时，会怎么样？": "选择依赖的兼容版本"}),
    ("当数据无效时，自动生成错误报告。", {}),
    ("观察者认为，如果堆内温度过高，茶叶就会炭化。", {}),
    ("如果你这样做，它就会报错。", {}),
    ("例如，如果水温过高，嫩芽就会被烫熟。", {}),
    ("有人认为，如果水温过高，嫩芽就会被烫熟。", {}),
    ("1931年战争结束后，沈远山回到了湖州。", {}),
    ("如果你想了解更多，请参阅安装文档。", {}),
    ("一旦你了解了镜像的基础知识，你就可以组合和配置不同的工具。", {}),
    ("一旦你熟悉了这些命令，你就可以组合和配置不同的工具。", {}),
]


def asked_of(text: str) -> dict[str, str]:
    reading = Reading(
        Document(
            doc_id="d",
            source="d",
            title="笔记",
            text=text,
            content_hash=text_hash(text),
            metadata={"format": "markdown"},
        )
    )
    drafts = conditionals(reading)
    assert all(draft.spans == ((0, len(text)),) for draft in drafts)
    return {to_simplified(draft.question): to_simplified(draft.golden_answers[0]) for draft in drafts}


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize(("text", "questions"), RULES)
def test_rules(text: str, questions: dict[str, str], language: str) -> None:
    found = asked_of(SCRIPTS[language](text))
    assert questions.items() <= found.items()
    assert questions or not found


def test_a_question_that_two_sentences_answer_differently_is_not_asked() -> None:
    one = "如果磁盘剩余空间少于5 GB，澄湖就会拒绝启动。"
    reading = Reading(
        Document(
            doc_id="d",
            source="d",
            title="笔记",
            text=one + one.replace("拒绝启动", "停止记录数据"),
            content_hash=text_hash(one),
            metadata={"format": "markdown"},
        )
    )
    assert "如果磁盘剩余空间少于5 GB，澄湖会怎么样？" not in [draft.question for draft in conditionals(reading)]


def test_numbers_and_years() -> None:
    words = ChineseCompositions("zh-Hans")
    assert words.years(26) == "26年"
    assert words.number(3) == "3"
