"""Facts from Chinese sentences: tables in simplified script, each run in traditional script too."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.grammar.chinese.assertions import assertions
from synth.grammar.reading import Reading
from synth.records import Document, Fact, text_hash
from synth.text.normalise import to_simplified, to_traditional


def read(text: str, title: str = "notes", format: str = "markdown") -> Reading:
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


def told(fact: Fact) -> str:
    """A fact in one line: subject | relation | object | modal, negation and qualifiers."""
    more = [f"{term.kind}={term.text}" for term in fact.qualifiers]
    more += ["NOT"] * fact.negated + [fact.modal] * bool(fact.modal)
    parts = [fact.subject.text, fact.relation, fact.object.text if fact.object else "-", " ".join(more)]
    return to_simplified(" | ".join(parts)).strip(" |")


FACTS = [
    ("罗马军队于1314年被苏格兰军队击败。", ["罗马军队 | 被…击败 | 苏格兰军队 | time=1314年"]),
    (
        "南京长江大桥由李国豪设计，1968年建成，全长6772米。",
        [
            "南京长江大桥 | 由…设计 | 李国豪",
            "南京长江大桥 | 建成 | - | time=1968年",
            "南京长江大桥 | 全长 | 6772米 | quantity=6772米",
        ],
    ),
    ("苏州博物馆是由贝聿铭设计的。", ["苏州博物馆 | 由…设计 | 贝聿铭"]),
    ("青海湖的面积为4500平方公里。", ["青海湖 | 面积 | 4500平方公里 | quantity=4500平方公里"]),
    ("青海湖面积为4500平方公里。", ["青海湖 | 面积 | 4500平方公里 | quantity=4500平方公里"]),
    ("白鹭出版社没有加入华东出版联盟。", ["白鹭出版社 | 加入 | 华东出版联盟 | NOT"]),
    ("北辰大学未公布招生计划。", ["北辰大学 | 公布 | 招生计划 | NOT"]),
    ("白鹭出版社并非国有企业。", ["白鹭出版社 | 是 | 国有企业 | NOT"]),
    ("`Depends` 接收一个可调用对象。", ["Depends | 接收 | 一个可调用对象"]),
    ("如果你声明了默认值，`limit` 就是可选的。", ["limit | 是可选的 | - | condition=如果你声明了默认值"]),
    ("默认情况下，ServerKit 使用 8080 端口。", ["ServerKit | 使用 | 8080 端口 | condition=默认情况下"]),
    ("当请求缺少令牌时，ServerKit 会返回 401 错误。", ["ServerKit | 返回 | 401 错误 | condition=当请求缺少令牌时"]),
    (
        "如果请求没有令牌，ServerKit 会返回 401 错误；ServerKit 不会记录日志。",
        ["ServerKit | 返回 | 401 错误 | condition=如果请求没有令牌", "ServerKit | 记录 | 日志 | NOT"],
    ),
    ("ServerKit 会保存查询结果，除非管理员关闭缓存。", ["ServerKit | 保存 | 查询结果 | condition=除非管理员关闭缓存"]),
    ("ServerKit 不支持 Python 2。", ["ServerKit | 支持 | Python 2 | NOT"]),
    ("ServerKit 无法读取加密的文件。", ["ServerKit | 读取 | 加密的文件 | NOT can"]),
    ("ServerKit 不需要安装插件。", ["ServerKit | 需要安装 | 插件 | NOT"]),
    ("ServerKit 必须使用 Python 3.8。", ["ServerKit | 使用 | Python 3.8 | must"]),
    ("ServerKit 可以通过环境变量读取配置。", ["ServerKit | 读取 | 配置 | manner=通过环境变量 can"]),
    ("ServerKit 可能返回 404 错误。", ["ServerKit | 返回 | 404 错误 | may"]),
    ("ServerKit 应该在启动之前加载配置。", ["ServerKit | 加载 | 配置 | condition=在启动之前 should"]),
    ("ServerKit 只接受 JSON 数据。", ["ServerKit | 只接受 | JSON 数据"]),
    ("ServerKit 是基于 Starlette 构建的。", ["ServerKit | 基于 | Starlette"]),
    ("为了保护数据，ServerKit 使用 TLS 协议。", ["ServerKit | 使用 | TLS 协议 | purpose=保护数据"]),
    (
        "由于台风来袭，南京长江大桥关闭了三天。",
        ["南京长江大桥 | 关闭 | 三天 | reason=台风来袭 quantity=三天"],
    ),
    ("1998年至2003年，周文远担任北辰大学校长。", ["周文远 | 担任 | 北辰大学校长 | time=1998年至2003年"]),
    ("从1998年到2003年，周文远担任北辰大学校长。", ["周文远 | 担任 | 北辰大学校长 | time=从1998年到2003年"]),
    ("周文远从1998年起担任北辰大学校长。", ["周文远 | 担任 | 北辰大学校长 | time=从1998年起"]),
    ("明朝嘉靖年间，周文远修建了青石塔。", ["周文远 | 修建 | 青石塔 | time=明朝嘉靖年间"]),
    ("南京长江大桥建于二十世纪初。", ["南京长江大桥 | 建成 | - | time=二十世纪初"]),
    ("北辰大学又称北大，简称北辰。", ["北辰大学 | 又称 | 北大", "北辰大学 | 简称 | 北辰"]),
    (
        "周文远（1811年—1880年）是一位苏格兰工程师。",
        [
            "周文远 | 出生于 | - | time=1811年",
            "周文远 | 逝世于 | - | time=1880年",
            "周文远 | 是 | 一位苏格兰工程师",
        ],
    ),
    ("苏州博物馆拥有1200名员工。", ["苏州博物馆 | 拥有 | 1200名员工 | quantity=1200名"]),
    ("苏州博物馆曾是一座王府。", ["苏州博物馆 | 曾是 | 一座王府"]),
    (
        "南京大学位于江苏省南京市，毗邻南京博物院。",
        ["南京大学 | 位于 | 江苏省南京市", "南京大学 | 毗邻 | 南京博物院"],
    ),
    ("玛丽亚·冯·特拉普于1950年逝世。", ["玛丽亚·冯·特拉普 | 逝世于 | - | time=1950年"]),
    ("2005年，周文远在苏州创办了白鹭出版社。", ["周文远 | 创办 | 白鹭出版社 | time=2005年 place=苏州"]),
    ("北辰大学与南山大学合作。", ["北辰大学 | 与…合作 | 南山大学"]),
    ("北辰大学成立于1998年。它位于苏州。", ["北辰大学 | 成立 | - | time=1998年", "北辰大学 | 位于 | 苏州"]),
    ("TaskRunner 继承自 BaseRunner。", ["TaskRunner | 继承自 | BaseRunner"]),
]
NOTHING = [
    "据说周文远修建了青石塔。",
    "周文远认为青石塔是最美的建筑。",
    "周文远指出，北辰大学位于苏州。",
    "该公司成立于1998年。",
    "它位于苏州。",
    "北辰大学位于哪里？",
    "例如，ServerKit 使用 8080 端口。",
    "要使用模板，请安装 jinja2。",
    "你可以使用 ServerKit。",
    "北辰大学似乎位于苏州。",
    "北辰大学位于那里。",
    "我们使用 ServerKit。",
    "# 北辰大学位于苏州。",
    "`timeout` - 超时时间，传入整数。",
]


@pytest.mark.parametrize(("sentence", "expected"), FACTS)
def test_what_a_sentence_states(sentence: str, expected: list[str]) -> None:
    assert [told(fact) for fact in assertions(read(sentence))] == expected


@pytest.mark.parametrize(("sentence", "expected"), FACTS)
def test_the_same_in_traditional_script(sentence: str, expected: list[str]) -> None:
    found = assertions(read(to_traditional(sentence)))
    assert [told(fact) for fact in found] == expected
    assert all(fact.relation == to_simplified(fact.relation) for fact in found)
    assert all(fact.subject.head == to_simplified(fact.subject.head) for fact in found)


@pytest.mark.parametrize("sentence", NOTHING)
def test_what_is_no_fact(sentence: str) -> None:
    assert assertions(read(sentence)) == []
    assert assertions(read(to_traditional(sentence))) == []


GENTLE = [
    ("陆文轩，字子明，1820年出生，1845年任溧阳知县。", "陆文轩 | 字 | 子明"),
    ("陆文轩是一位工程师。\n\n1845年出版了诗集《山海行记》。", "陆文轩 | 出版 | 诗集《山海行记》 | time=1845年"),
    ("陆文轩是一位工程师。1998年3月加入白鹭出版社，同年8月担任社长。", "陆文轩 | 担任 | 社长 | time=1998年8月"),
    ("白鹭出版社是北辰大学于1998年创办的出版机构。", "白鹭出版社 | 是 | 北辰大学于1998年创办的出版机构"),
    ("《山海行记》于2005年发布。", "《山海行记》 | 发布 | - | time=2005年"),
    ("青海湖位于青海省，总面积达4500平方公里。", "青海湖 | 总面积 | 4500平方公里 | quantity=4500平方公里"),
    ("如果你使用模板，你需要安装 `jinja2`。", "你 | 安装 | jinja2 | condition=如果你使用模板 must"),
    ("要使用模板，你可以安装 `jinja2`。", "你 | 安装 | jinja2 | purpose=使用模板 can"),
    ("如果你需要模板，必须安装 `jinja2`。", "你 | 安装 | jinja2 | condition=如果你需要模板 must"),
    (
        "如果磁盘空间不足，ServerKit 会拒绝启动并记录错误。",
        "ServerKit | 拒绝启动并记录错误 | - | condition=如果磁盘空间不足",
    ),
    ("ServerKit 只能使用 Python 3.8。", "ServerKit | 只使用 | Python 3.8 | can"),
    ("ServerKit 会读取你的 `main.py` 文件。", "ServerKit | 读取 | 你的 main.py 文件"),
]


@pytest.mark.parametrize("traditional", [False, True])
@pytest.mark.parametrize(("text", "expected"), GENTLE)
def test_what_is_read_gently_is_trusted_less(text: str, expected: str, traditional: bool) -> None:
    text, title = (to_traditional(text), to_traditional("陆文轩")) if traditional else (text, "陆文轩")
    found = {told(fact): fact for fact in assertions(read(text, title))}
    assert expected in found
    assert 0.6 <= found[expected].trust <= 0.9


@pytest.mark.parametrize(
    "text",
    [
        "在某些情况下，你需要安装 `jinja2`。",
        "如果你使用模板，请参考 `jinja2` 的文档。",
        "1998年，湖水湛蓝。同年开放。",
        "周文远与陆文轩合作。他创办了白鹭出版社。",
    ],
)
def test_gentle_reading_does_not_guess(text: str) -> None:
    said = [told(fact) for fact in assertions(read(text))]
    assert not [one for one in said if one.startswith("你") or re.search("开放|创办", one)]


WORDINGS = [
    (
        "2005年，周文远在苏州创办了白鹭出版社。",
        {
            "statement": "周文远创办了白鹭出版社",
            "predicate": "创办了白鹭出版社",
            "subject_gap": "创办白鹭出版社",
            "object_gap": "周文远创办",
        },
    ),
    ("苏州博物馆是由贝聿铭设计的。", {"subject_gap": "由贝聿铭设计", "predicate": "是由贝聿铭设计的"}),
    (
        "ServerKit 是一种用于处理消息队列的框架。",
        {
            "statement": "ServerKit 是一种用于处理消息队列的框架",
            "predicate": "是一种用于处理消息队列的框架",
            "type": "框架",
        },
    ),
    ("陆文轩是一位著名的苏格兰工程师。", {"type": "苏格兰工程师"}),
    (
        "南京长江大桥建于二十世纪初。",
        {"statement": "南京长江大桥建成", "predicate": "建成", "subject_gap": "建成"},
    ),
    ("如果你声明了默认值，`limit` 就是可选的。", {"statement": "limit 就是可选的"}),
    ("青海湖的面积为4500平方公里。", {"subject_gap": "面积为4500平方公里", "statement": "青海湖面积为4500平方公里"}),
    ("ServerKit 不支持 Python 2。", {"statement": "ServerKit 不支持 Python 2", "subject_gap": "不支持 Python 2"}),
]


@pytest.mark.parametrize(("sentence", "expected"), WORDINGS)
def test_wordings(sentence: str, expected: dict[str, str]) -> None:
    for text in (sentence, to_traditional(sentence)):
        (fact,) = assertions(read(text))
        found = {role: to_simplified(words) for role, words in fact.wording.items()}
        assert {role: found.get(role) for role in expected} == expected


def test_wordings_are_in_the_script_of_the_document() -> None:
    (fact,) = assertions(read(to_traditional("苏州博物馆是由贝聿铭设计的。")))
    assert fact.wording["statement"] == to_traditional("苏州博物馆是由贝聿铭设计的")
    assert fact.relation == "由…设计"


@pytest.mark.parametrize(
    ("sentence", "absent"),
    [
        ("ServerKit 不支持 Python 2。", "object_gap"),
        ("南京大学位于江苏省南京市。", "object_gap"),
        ("南京大学位于江苏省南京市。", "type"),
        ("长江是中国最长的河流。", "subject_gap"),
    ],
)
def test_a_role_that_cannot_be_rendered_is_left_out(sentence: str, absent: str) -> None:
    (fact,) = assertions(read(sentence))
    assert absent not in fact.wording


def test_a_pronoun_stands_for_the_name_and_its_sentence_is_evidence_too() -> None:
    text = "北辰大学成立于1998年。它位于苏州。"
    first, second = assertions(read(text))
    assert second.subject.text == first.subject.text == "北辰大学"
    assert text[second.subject.start : second.subject.end] == "它"
    assert [text[a:b] for a, b in second.spans] == ["北辰大学成立于1998年。", "它位于苏州。"]


def test_a_carried_subject_is_placed_where_it_is_written() -> None:
    text = "南京大学位于江苏省南京市，毗邻南京博物院。"
    _, second = assertions(read(text))
    assert (second.subject.start, second.subject.end) == (0, 4)
    assert text[slice(*second.spans[0])] == text


def test_kinds() -> None:
    found = {
        term.text: term.kind
        for sentence in (
            "周文远在苏州创办了白鹭出版社。",
            "《山海行记》由周文远编写。",
            "`Depends` 接收一个可调用对象。",
        )
        for fact in assertions(read(sentence))
        for term in (fact.subject, fact.object)
        if term
    }
    assert found == {
        "周文远": "person",
        "白鹭出版社": "organisation",
        "《山海行记》": "work",
        "Depends": "code",
        "一个可调用对象": "",
    }


def test_negation_that_only_denies_the_means_gives_no_fact() -> None:
    assert assertions(read("ServerKit 不会使用缓存来加载配置。")) == []


PIECES = [
    *(sentence for sentence, _ in FACTS),
    "**ServerKit** 使用 [Redis](https://example.org/redis) 数据库。",
    "> `TaskRunner` 继承自 *BaseRunner*。",
    "🎉 周文远（化名）在 **苏州** 创办了白鹭出版社。",
    "“未完的引号",
    "# 北辰大学",
    "- 白鹭出版社没有加入华东出版联盟。",
]


@settings(max_examples=60)
@given(st.lists(st.sampled_from(PIECES), max_size=6), st.sampled_from(["", " ", "\n", "\n\n"]), st.booleans())
def test_every_part_of_a_fact_is_where_it_says(chosen: list[str], between: str, traditional: bool) -> None:
    text = between.join(chosen)
    text = to_traditional(text) if traditional else text
    reading = read(text)
    sentences = {(s.start, s.end) for s in reading.sentences}
    for fact in assertions(reading):
        assert set(fact.spans) <= sentences
        assert 0 <= fact.trust <= 1
        for term in (fact.subject, fact.object, *fact.qualifiers):
            if term is None:
                continue
            assert 0 <= term.start < term.end <= len(text)
            assert any(a <= term.start and term.end <= b for a, b in fact.spans)
            written = _plain(text[term.start : term.end])
            assert written == _plain(term.text) or written in ("它", "他", "她")
        assert fact.wording["statement"].endswith(fact.wording["predicate"])


def _plain(text: str) -> str:
    return re.sub(r"\(https?:[^)]*\)|（[^）]*）|[\s*`\[\]>]", "", text)


@settings(max_examples=25)
@given(st.text(alphabet="的了在2年月人（）“”《》，。：·　 \nabc`*-是由于被为周北京不会将把与😀", max_size=60))
def test_odd_input_raises_nothing(text: str) -> None:
    for fact in assertions(read(text)):
        assert fact.relation


@pytest.mark.parametrize(
    "text",
    [
        "西湖龙井是产于杭州的绿茶。\n\n龙井43由茶叶研究所选育，1987年被认定为国家级良种。",
        "西湖龍井是產於杭州的綠茶。\n\n龍井43由茶葉研究所選育，1987年被認定為國家級良種。",
    ],
)
def test_what_is_said_of_something_else_is_not_said_of_the_topic(text: str) -> None:
    facts = assertions(read(text, title=text[:4]))
    assert not [told(fact) for fact in facts if "1987" in str(fact.qualifiers) and fact.subject.text == text[:4]]
