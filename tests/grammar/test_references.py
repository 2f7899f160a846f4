"""Questions on what reference pages document: tables, headed sections, definition lists, set sentences."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import pytest

from synth.core.records import Document, Draft, text_hash
from synth.grammar.reading import Reading
from synth.grammar.reference_forms import ReferenceEntry, ReferenceForms
from tests.grammar.sentences import drafts

ENGLISH, CHINESE = "synth.grammar.english", "synth.grammar.chinese"


def read(text: str, title: str = "Mill Gate") -> list[Draft]:
    metadata = {"format": "markdown"}
    return drafts(
        Reading(
            Document(doc_id="d", source="d", title=title, text=text, content_hash=text_hash(text), metadata=metadata)
        )
    )


def asked(text: str, title: str = "Mill Gate") -> dict[str, str]:
    return {draft.question: draft.golden_answers[0] for draft in read(text, title) if draft.worth}


def forms(package: str, name: str) -> list[Any]:
    return [
        pytest.param(package, row, id=f"{package[14:]} {name} {number}")
        for number, row in enumerate(json.loads(files(package).joinpath("reference.json").read_text("utf-8"))[name])
    ]


@pytest.mark.parametrize(("package", "row"), [*forms(ENGLISH, "defaults"), *forms(CHINESE, "defaults")])
def test_a_sentence_that_tells_a_default_is_known_by_its_form(package: str, row: dict[str, Any]) -> None:
    known = ReferenceForms.of(package)
    sentence, value = row["fits"]
    assert known.default_in(sentence, "retries") == value
    assert known.default_in(row["not"], "retries") == ""


@pytest.mark.parametrize(("package", "row"), [*forms(ENGLISH, "named_defaults"), *forms(CHINESE, "named_defaults")])
def test_a_sentence_that_names_what_has_a_default_is_asked_about(package: str, row: dict[str, Any]) -> None:
    page = {ENGLISH: "# Mill Gate\n\nThe Mill Gate lets water in. {}", CHINESE: "# Mill 配置\n\n水车是一种机械。{}"}[
        package
    ]
    sentence, value = row["fits"]
    title = "Mill Gate" if package == ENGLISH else "Mill 配置"
    found = {d.golden_answers[0] for d in read(page.format(sentence), title) if d.pattern == "default"}
    assert found == {value}
    assert not [d for d in read(page.format(row["not"]), title) if d.pattern == "default"]


TABLE = """# Mill Gate

The Mill Gate lets water in.

| Option | Description | Default |
| --- | --- | --- |
| `flow` | Defines the amount of water that passes the gate. | `12` |
| `gate.wheel.speed` | Maximum number of turns of the wheel. | "slow" |
| `log` | Enables the log of the gate. | false |
| `owner` | See below. | |
| `path` | Path to {name} of the gate. | `/var/{name}` |
| `wait` | Time that the gate waits. | 30 |
| `rootWheel` | Defines the root wheel of the gate. | `north` |
"""


def test_a_table_of_options_gives_defaults_and_what_options_do() -> None:
    found = asked(TABLE)
    assert found["What is the default value of the flow option in the Mill Gate?"] == "12"
    assert found["What does the flow option in the Mill Gate do?"] == "Defines the amount of water that passes the gate"
    assert found["What is the default value of gate.wheel.speed?"] == "slow"
    assert found["What does gate.wheel.speed specify?"] == "Maximum number of turns of the wheel"
    assert found["What is the default value of the log option in the Mill Gate?"] == "false"
    assert not [question for question in found if question.startswith("What does the rootWheel")]


def test_a_description_that_repeats_the_name_and_a_thing_of_no_known_kind_are_not_asked_for() -> None:
    table = "| {} | Description |\n| --- | --- |\n| `mill.gate.maxFlow` | {} |\n"
    meaning = "Maximum amount of water of the northern pond"
    assert asked(table.format("Option", meaning)) == {"What does mill.gate.maxFlow specify?": meaning}
    assert asked(table.format("Option", "Maximum flow of the northern pond")) == {}
    assert asked(table.format("Name", meaning)) == {}
    flag = table.replace("mill.gate.maxFlow", "--mill.gate-water-bytes")
    assert asked(flag.format("Option", "Size in bytes for the water of the gate")) == {}
    assert asked(flag.format("Option", meaning)) == {"What does --mill.gate-water-bytes specify?": meaning}


ONE_THING = """# {}

| {} |
| --- | --- | --- |
| `gate.wheel.spokes` | {} | 12 |
"""


BLOCK = """# {}

## north

The north block sets how the gate moves to the north.

| Option | Default |
| --- | --- |
| `turns` | 12 |
"""


@pytest.mark.parametrize(
    ("title", "asks"),
    [
        ("mill.gate", "What is the default value of the turns option of the north block in mill.gate?"),
        ("Gates of mills", "What is the default value of the turns option of the north block?"),
    ],
)
def test_a_part_of_what_a_page_is_about_is_named_with_it(title: str, asks: str) -> None:
    assert list(asked(BLOCK.format(title), title)) == [asks]


@pytest.mark.parametrize(
    ("name", "meaning", "is_asked"),
    [
        ("--gate.open", "If provided, the gate of the mill opens at night.", False),
        ("--no-gate-light", "Puts out the light of the gate at night.", False),
        ("--gate-light-on", "Turns the light of the gate on at night.", True),
        ("gate.light.on", "Turned on if provided with oil.", True),
    ],
)
def test_that_a_switch_is_not_given_by_default_is_not_asked_for(name: str, meaning: str, is_asked: bool) -> None:
    table = f"| Option | Description | Default |\n| --- | --- | --- |\n| `{name}` | {meaning} | false |\n"
    found = asked(f"# The Mill Gate\n\nThe Mill Gate lets water in.\n\n{table}", "The Mill Gate")
    assert any("default value" in question for question in found) is is_asked
    meaning = meaning.replace("If provided", "如果指定").replace("Turned on if provided", "打开水闸的灯，如果指定")
    chinese = f"| 配置项 | 说明 | 默认值 |\n| --- | --- | --- |\n| `{name}` | {meaning} | false |\n"
    found = asked(f"# mill-gate\n\n水闸每天晚上打开。\n\n{chinese}", "mill-gate")
    assert any("默认值" in question for question in found) is is_asked


@pytest.mark.parametrize(
    ("title", "asks"),
    [
        ("mill-gate", "What is the default value of gate.wheel.spokes in mill-gate?"),
        ("Settings of the mills", "What is the default value of gate.wheel.spokes?"),
        ("gate", "What is the default value of gate.wheel.spokes?"),
        ("ConfigMaps-based", "What is the default value of gate.wheel.spokes?"),
        ("Command-line", "What is the default value of gate.wheel.spokes?"),
    ],
)
def test_a_setting_on_the_page_of_one_thing_is_asked_with_its_name(title: str, asks: str) -> None:
    text = ONE_THING.format(title, "Option | Description | Default", "Number of spokes of the wheel")
    assert asks in asked(text, title)


def test_a_heading_that_says_its_name_twice_is_asked_with_it_once() -> None:
    table = "| 配置项 | 默认值 |\n| --- | --- |\n| `max_flow` | 12 |\n"
    asks = "水闸 中，配置项 max_flow 的默认值是什么？"
    for heading in ("MillGate", "MillGate (millgate)", "MillGate（MILLGATE）"):
        assert list(asked(f"# 水车\n\n## {heading}\n\n{table}", "水车")) == [asks.replace("水闸", "MillGate")]


def test_a_chinese_setting_on_the_page_of_one_thing_is_asked_with_its_name() -> None:
    text = ONE_THING.format("mill-gate", "配置项 | 说明 | 默认值", "水车的辐条数")
    assert asked(text, "mill-gate")["mill-gate 中，gate.wheel.spokes 的默认值是什么？"] == "12"


@pytest.mark.parametrize(
    ("meaning", "is_asked"),
    [
        ("水车转动的时候允许使用的辐条数", True),
        ("水车允许使用的辐条数", False),
        ("如果为 true，水车向左转动。如果为 false，向右转动。", False),
        ("若为 true，则水车向左转动", False),
        ("可选左转或右转的水车转动方向", False),
        ("水位低于 spokes 的时候水车才会转动", False),
    ],
)
def test_half_of_what_a_chinese_setting_does_is_no_answer(meaning: str, is_asked: bool) -> None:
    found = asked(ONE_THING.format("mill-gate", "配置项 | 说明 | 默认值", meaning), "mill-gate")
    assert ("mill-gate 中，gate.wheel.spokes 表示什么？" in found) is is_asked


@pytest.mark.parametrize(
    ("name", "meaning", "is_asked"),
    [
        ("Wheel::TURN_BACK", "水车转动策略 TURN_BACK", False),
        ("wheel.dynamicActiveTime", "是否启用动态 activeTime 功能", False),
        ("wheel.dynamicActiveTime", "是否启用水车的动态转动功能", True),
        ("wheel.gate.mode", "水车所用的 MQTT 服务器的地址", True),
        ("disable_active_mode", "禁用主动传输模式", False),
        ("milRegion", "指定 MIL 区域", False),
        ("milRegion", "指定水车所在的 MIL 区域和水闸", True),
        ("milRegion", "指定 WheelGate 区域", True),
    ],
)
def test_a_chinese_description_that_repeats_the_name_is_no_answer(name: str, meaning: str, is_asked: bool) -> None:
    told = "水车配置供水车使用，水车配置每天备份，水车配置可改。"
    text = f"# 水车配置\n\n{told}\n\n| 配置项 | 说明 |\n| --- | --- |\n| `{name}` | {meaning} |\n"
    found = asked(text, "水车配置")
    assert bool(found) is is_asked, found


@pytest.mark.parametrize(
    ("headings", "asks"),
    [
        ("## Wheel", "Wheel 中，"),
        ("## 2、Wheel 部件配置：", "Wheel 部件配置中，"),
        ("## Wheel\n\n### Props", "Wheel 中，"),
        ("## Params", "Mill 水车配置中，"),
        ("## 参数说明 (wheel-task)", "wheel-task 中，"),
        ("## 轮子", "Mill 水车配置中，"),
        ("## Mill 的配置", "Mill 水车配置中，"),
    ],
)
def test_a_setting_of_a_part_is_asked_of_that_part(headings: str, asks: str) -> None:
    table = "| 配置项 | 说明 | 默认值 |\n| --- | --- | --- |\n| `spokes` | 水车的轮子允许使用的辐条数 | 12 |"
    found = asked(f"# Mill 水车配置\n\n水车配置供水车使用。\n\n{headings}\n\n{table}\n", "Mill 水车配置")
    assert f"{asks}配置项 spokes 的默认值是什么？" in found


def test_what_is_done_is_no_part() -> None:
    table = "| 配置项 | 说明 | 默认值 |\n| --- | --- | --- |\n| `spokes` | 水车的轮子允许使用的辐条数 | 12 |"
    for title, is_asked in (
        ("Mill 最佳实践", False),
        ("Mill 方式使用", False),
        ("编辑Mill实例", False),
        ("Mill 水车配置", True),
    ):
        assert bool(asked(f"# {title}\n\n水车配置供水车使用。\n\n{table}\n", title)) is is_asked


@pytest.mark.parametrize(
    ("name", "meaning", "is_asked"),
    [
        ("keepTurnTimeout", "HTTP 持久连接转动超时", False),
        ("keepAlive", "是否使用 HTTP 持久连接", False),
        ("turnTimeout", "水车在关闸之前最多转动多久，单位毫秒", True),
    ],
)
def test_a_chinese_meaning_that_translates_the_name_is_not_asked_for(name: str, meaning: str, is_asked: bool) -> None:
    text = f"# Mill 水车配置\n\n水车配置供水车使用。\n\n| 配置项 | 说明 |\n| --- | --- |\n| `{name}` | {meaning} |\n"
    assert bool(asked(text, "Mill 水车配置")) is is_asked


def test_an_option_of_one_of_many_things_is_not_asked_for() -> None:
    for title, is_asked in (("Gate", False), ("Mill Gate", True)):
        told = f"The {title.lower() if title == 'Gate' else title} lets water in."
        text = f"# {title}\n\n{told}\n\n| Option | Description | Default |\n| --- | --- | --- |\n| `turn_mode` | Number of turns of the wheel | 12 |\n"
        assert bool(asked(text, title)) is is_asked


def test_a_row_without_cells_is_passed_over() -> None:
    assert asked(TABLE + "|\n") == asked(TABLE)


def test_no_value_a_template_and_a_number_without_its_unit_are_not_asked_for() -> None:
    named = ("owner", "path", "wait")
    assert not [q for q in asked(TABLE) if q.startswith("What is the default") and any(f"{n} " in q for n in named)]


def test_the_head_of_the_table_is_part_of_the_evidence_of_a_default() -> None:
    (draft,) = [
        d for d in read(TABLE) if d.question == "What is the default value of the flow option in the Mill Gate?"
    ]
    assert [TABLE[start:end].split("|")[1].strip() for start, end in draft.spans] == ["Option", "`flow`"]


@pytest.mark.parametrize(
    ("title", "told", "owner"),
    [
        ("Mill Gate Reference", "The `millGate` wheel turns at night.", ""),
        ("Acme MillGate Documentation", "The `millGate` wheel turns at night.", "of the millGate wheel"),
        ("Acme MillGate Documentation", "The millGate also turns at night.", ""),
        ("Mill Gate options", "Mill Gate turns at night. The gate has a mill.", ""),
        ("Venn Line options", "Venn Line runs at night.", "in Venn Line"),
        ("Venn settings", "Venn runs at night. Boats of Venn meet those of Venn.", "in Venn"),
        ("Flooding", "Flooding happens at night.", ""),
        ("TLS", "TLS needs 12 keys.", ""),
        ("High Water", "Boats run at high water.", ""),
        ("Configuration", "The configuration is a file.", ""),
        ("Mill Element", "The element content turns at night.", ""),
    ],
)
def test_an_option_is_asked_of_the_thing_that_a_sentence_has_as_its_subject(title: str, told: str, owner: str) -> None:
    text = TABLE.replace("# Mill Gate\n\nThe Mill Gate lets water in.", told)
    asks = [question for question in asked(text, title) if question.startswith("What is the default value of the flow")]
    assert asks == ([f"What is the default value of the flow option {owner}?"] if owner else [])


def test_two_defaults_of_one_name_are_asked_by_the_headings_above_them() -> None:
    row = "\n\n| Option | Default |\n| --- | --- |\n| `flow` | {} |\n\n"
    head = "# Mill Gate\n\nThe Mill Gate lets water in. The North Gate is old. The South Gate wheel turns.\n\n"
    assert asked(head + "## North Gate" + row.format(12) + "## South Gate" + row.format(14)) == {
        "What is the default value of the flow option in the North Gate?": "12",
        "What is the default value of the flow option of the South Gate wheel?": "14",
    }
    assert asked(head + "## North Gate" + row.format(12) + row.format(14)) == {}


def test_a_section_and_a_definition_list_tell_the_default_of_what_heads_them() -> None:
    section = "# Mill Gate\n\nThe Mill Gate lets water in.\n\n## `gate_flow`\n\nThe water that passes. The default value is 12.\n"
    assert asked(section)["What is the default value of the gate_flow option in the Mill Gate?"] == "12"
    listed = "# Mill Gate\n\nThe Mill Gate lets water in.\n\n- max_flow\n\n> The water that passes. Default is 0.2.\n"
    assert asked(listed)["What is the default value of the max_flow option in the Mill Gate?"] == "0.2"
    item = "# Mill Gate\n\nThe Mill Gate lets water in.\n\n- `--gate.flow`: the water that passes. Defaults to 12.\n"
    assert asked(item)["What is the default value of the --gate.flow option in the Mill Gate?"] == "12"


def test_the_default_of_what_is_gone_is_not_asked_for() -> None:
    page = "# Mill Gate\n\nThe Mill Gate lets water in.\n\n## `gate_flow`{}\n\nThe default value is 12.\n"
    question = "What is the default value of the gate_flow option in the Mill Gate?"
    assert question in asked(page.format(""))
    assert question not in asked(page.format(" {{%removed%}}"))


def test_a_default_of_something_else_in_the_section_is_not_that_of_its_heading() -> None:
    text = "# Mill Gate\n\nThe Mill Gate lets water in.\n\n## `gate_flow`\n\nSee also `gate_speed`, which defaults to 12.\n"
    assert asked(text) == {}


def test_a_default_that_a_comment_contradicts_is_not_asked_for() -> None:
    text = TABLE + "\n```\nflow = 14  # Number of wheels (default: 14)\n```\n"
    assert "What is the default value of the flow option in the Mill Gate?" not in asked(text)
    assert "What is the default value of the flow option in the Mill Gate?" in asked(text.replace("14", "12"))


@pytest.mark.parametrize(
    ("more", "is_asked"), [("", True), (", 如果配置了闸门则默认是true", False), ("，开启闸门后默认值也是true", False)]
)
def test_a_default_that_depends_on_something_else_is_not_asked_for(more: str, is_asked: bool) -> None:
    found = asked(f"# Mill Gate 水车\n\n* `gate.wheel.turns`: 水车是否转动, 默认是false{more}。\n", "Mill Gate 水车")
    assert ("gate.wheel.turns 的默认值是什么？" in found) is is_asked


def test_a_heading_of_settings_alone_does_not_say_whose_they_are() -> None:
    page = "# {0}\n\n## Config\n\n| 参数 | 默认值 |\n| --- | --- |\n| `turn_speed` | 12 |\n"
    assert asked(page.format("Mill Gate 水车"), "Mill Gate 水车") == {
        "Mill Gate 水车中，参数 turn_speed 的默认值是什么？": "12"
    }
    assert asked(page.format("水车的用法"), "水车的用法") == {}


@pytest.mark.parametrize("default", ["50", '"50"'])
def test_a_default_that_is_only_a_part_of_the_value_contradicts_it(default: str) -> None:
    rows = f"| Option | Default |\n| --- | --- |\n| `gate.max.rows` | {default} |\n\n"
    question = "What is the default value of gate.max.rows?"
    assert asked(rows + "gate.max.rows: rows of a page; defaults to 50.")[question] == "50"
    for other in ("5", "0", "6"):
        assert question not in asked(rows + f"gate.max.rows: rows of a page; defaults to {other}.")


def test_words_of_prose_are_no_other_option() -> None:
    def told(name: str, meaning: str) -> set[str]:
        row = f"| Option | Description |\n| --- | --- |\n| `{name}` | {meaning} Default: 3. |\n"
        page = f"# Mill Gate\n\nThe Mill Gate lets water in.\n\n{row}"
        return {d.golden_answers[0] for d in read(page) if d.pattern == "default"}

    for word in ("built-in", "HTTP", "and/or", "JSON", "UTF-8", "e.g. fast"):
        assert told("maxFlow", f"Number of {word} turns.") == {"3"}
    for name in ("minFlow", "min_flow", "gate.flow", "--flow"):
        assert told("maxFlow", f"Number of turns beside {name}.") == set()
    assert told("max-flow", "Number of turns beside min-flow.") == set()
    assert told("app.run()", "Number of turns that app.run() takes.") == {"3"}


def test_codes_are_asked_for_what_they_mean() -> None:
    text = "# Mill errors\n\n| Code | Meaning |\n| --- | --- |\n| `MG-101` | The gate is stuck. |\n"
    assert asked(text) == {"What does MG-101 mean?": "The gate is stuck"}
    chinese = "# 澄湖接口\n\n澄湖接口供澄湖的系统读取数据，澄湖每天备份。\n\n| 状态码 | 含义 |\n| --- | --- |\n| 429 | 请求过多 |\n"
    assert asked(chinese, "澄湖接口")["澄湖接口中，状态码 429 表示什么？"] == "请求过多"


def test_chinese_tables_give_defaults_and_what_parameters_are_for() -> None:
    text = """# DM-worker 配置文件介绍

本文介绍配置文件。

| 配置项 | 说明 | 默认值 |
| --- | --- | --- |
| `join` | 集群中各个节点的地址列表 | 无 |
| `log-level` | 控制写入磁盘的日志的详细程度 | info |
| `cache.gate.enabled` | 是否开启水闸的缓存功能，默认不开启 | false |
| `cache.gate.wheel` | 是否开启北岸水闸的水车功能，默认不开启 | |
| `cache.gate.water` | 设置水闸的水位。水位过高时水闸会关闭。 | |
"""
    found = asked(text, "DM-worker 配置文件介绍")
    assert found == {
        "DM-worker 配置文件中，配置项 join 表示什么？": "集群中各个节点的地址列表",
        "DM-worker 配置文件中，配置项 log-level 的默认值是什么？": "info",
        "DM-worker 配置文件中，配置项 log-level 有什么作用？": "控制写入磁盘的日志的详细程度",
        "cache.gate.enabled 的默认值是什么？": "false",
        "cache.gate.wheel 用来控制什么？": "是否开启北岸水闸的水车功能",
    }


GLOSSARY = "# Glossary\n\nWords of the mill.\n\n- {}"


def test_the_terms_of_a_glossary_are_asked_for_what_they_are() -> None:
    def told(item: str, title: str = "Glossary") -> dict[str, str]:
        return asked(GLOSSARY.format(item), title)

    assert told("Tide Gate - A gate that lets the water of the pond out.") == {
        "What does the term Tide Gate mean?": "A gate that lets the water of the pond out"
    }
    assert told("sluice: A gate that lets the water of the pond out.") == {
        "What does the term sluice mean?": "A gate that lets the water of the pond out"
    }
    assert told("MG-2: A gate that lets the water of the pond out.") == {
        "What is MG-2?": "A gate that lets the water of the pond out"
    }
    assert told("Tide Gate - A tide gate is what lets the water of the pond out.") == {}
    assert told("Tide Gate - Closed at night by the keeper of the mill.") == {}
    assert told("Tide Gate - A term used specifically by keepers.") == {}
    assert told("Tide Gate - A gate that lets the water of the pond out. This does not count the weirs.") == {}
    assert told("Tide Gate - A gate that lets the water of the pond out. See also: Weir.") == {
        "What does the term Tide Gate mean?": "A gate that lets the water of the pond out"
    }
    assert told("Tide Gate - A gate that lets the water of the pond out.", "Mill Gate") == {}


def test_a_hyphen_between_capitals_does_not_make_a_code_of_a_term() -> None:
    found = asked(GLOSSARY.format("Two-Gate: A way to build a mill that needs two gates."), "Glossary")
    assert list(found) == ["What does the term Two-Gate mean?"]


def test_a_sentence_on_what_something_does_is_no_meaning_of_a_term() -> None:
    page = "# Glossary\n\n" + "".join(
        f"## {name}\n\n{what}\n\n"
        for name, what in (
            ("Sluice", "A gate that lets the water of the pond out."),
            ("Way Back", "A gate can be opened again after it was closed by hand."),
            ("Keeper File", "The mill learns about its gates by using a file of the keeper."),
        )
    )
    assert list(asked(page, "Glossary")) == ["What does the term Sluice mean?"]


def test_the_sections_of_a_glossary_are_its_terms() -> None:
    page = "# Mill Gate 术语表\n\n本文介绍术语。\n\n" + "".join(
        f"### {name}\n\n水车停转以后记录的{what}信息，具体请参考手册。\n\n"
        for name, what in (("A", "甲"), ("Stop", "位置"), ("Run", "时间"), ("TC (Turn) - 转动", "方向"))
    )
    assert asked(page, "Mill Gate 术语表") == {
        "Mill Gate 中的 Stop 是什么？": "水车停转以后记录的位置信息",
        "Mill Gate 中的 Run 是什么？": "水车停转以后记录的时间信息",
    }


def test_a_section_of_a_glossary_may_tell_its_term_in_a_sentence() -> None:
    sections = "".join(
        f"## {name}\n\n{told}\n\n"
        for name, told in (
            ("Sluice", "A sluice is a gate that lets the water of a pond out."),
            ("Open mill", "Open mill is defined by the law."),
            ("TXT", "A file that holds the words of a mill."),
        )
    )
    found = asked(f"# Glossary\n\n{sections}", "Glossary")
    assert found["What does the term Sluice mean?"] == "a gate that lets the water of a pond out"
    assert found["What is TXT?"] == "A file that holds the words of a mill"
    assert len(found) == 2
    chinese = "".join(
        f"### {name}\n\n{name}是指水车停转以后{what}的记录。\n\n"
        for name, what in (("停转", "位置"), ("转动", "时间"), ("水闸", "方向"))
    )
    assert asked(f"# 水车术语表\n\n{chinese}", "水车术语表")["转动是什么？"] == "水车停转以后时间的记录"
    assert "Mill 中的转动是什么？" in asked(f"# Mill 术语表\n\n{chinese}", "Mill 术语表")


@pytest.mark.parametrize(
    ("more", "is_asked"), [("It is read at start.", True), ("In winter the gate overrides the default to 20.", False)]
)
def test_a_default_that_is_another_one_elsewhere_is_not_asked_for(more: str, is_asked: bool) -> None:
    page = f"# Mill Gate\n\nThe Mill Gate lets water in.\n\n## `gate_flow`\n\nThe default value is 12. {more}\n"
    assert ("What is the default value of the gate_flow option in the Mill Gate?" in asked(page)) is is_asked


def test_the_fields_of_an_object_tell_no_default_of_it() -> None:
    page = "# Mill Gate\n\nThe Mill Gate lets water in.\n\n## `{}`\n\nThe default value is 12.\n"
    assert asked(page.format("gateFlow"))
    assert not asked(page.format("GateObject"))


@pytest.mark.parametrize(
    ("title", "name", "question"),
    [
        ("Options", "gate.flow.limit", "What is the default value of gate.flow.limit?"),
        ("Options", "options.flow.limit", ""),
        ("Options", "resources.flow.limit", ""),
        (
            "GateKeeper",
            "options.flow.limit",
            "What is the default value of the options.flow.limit option in GateKeeper?",
        ),
        ("Gates", "gate.flow.limit", "What is the default value of gate.flow.limit?"),
        ("GateKeeper", "gate.flow.limit", "What is the default value of gate.flow.limit in GateKeeper?"),
        ("Flow", "flow_limit", "What is the default value of the flow_limit option?"),
    ],
)
def test_a_name_is_asked_with_what_it_needs_to_be_understood(title: str, name: str, question: str) -> None:
    told = f"# {title}\n\nThe Flow is a gate.\n\n| Option | Default |\n| --- | --- |\n| `{name}` | `12` |\n"
    assert list(asked(told, title)) == ([question] if question else [])


@pytest.mark.parametrize(
    ("more", "is_asked"), [("It is read at start.", True), ("It is deprecated as of 1.11 and has no effect.", False)]
)
def test_the_default_of_what_should_not_be_used_is_not_asked_for(more: str, is_asked: bool) -> None:
    page = f"# Mill Gate\n\nThe Mill Gate lets water in.\n\n- **gate_flow_limit**: Defaults to 12. {more}\n"
    assert any(draft.pattern == "default" for draft in read(page)) is is_asked


@pytest.mark.parametrize(
    ("value", "is_asked"),
    [
        *(("per wheel", False), ("5 seconds", True), ("round_robin", True)),
        *(("10.0.xx.xx:80", False), ("x.x.x.x", False), ("10.0.0.1:80", True), ("mill-xxl", True)),
    ],
)
def test_words_of_prose_and_placeholders_are_no_value(value: str, is_asked: bool) -> None:
    text = ONE_THING.format("mill-gate", "Option | Description | Default", "Number of spokes of the wheel").replace(
        "| 12 |", f"| {value} |"
    )
    assert value in text
    assert ("What is the default value of gate.wheel.spokes in mill-gate?" in asked(text, "mill-gate")) is is_asked


@pytest.mark.parametrize(
    ("name", "is_asked"),
    [
        ("gate.wheel.password", False),
        ("gate.secret.access.key", False),
        ("gate.access-key-id", False),
        ("gate.wheel.secret-config", True),
        ("gate.wheel.key", True),
    ],
)
def test_a_secret_for_a_trial_is_not_asked_for(name: str, is_asked: bool) -> None:
    table = f"| Option | Default |\n| --- | --- |\n| `{name}` | mill123 |\n"
    assert bool(asked(f"# mill-gate\n\nThe mill gate lets water in.\n\n{table}", "mill-gate")) is is_asked


def test_a_setting_of_a_policy_is_not_named_by_its_path_alone() -> None:
    for name, is_whole in (("policy.turn.speed", False), ("mill.turn.speed", True)):
        assert ReferenceEntry(name, "", "", "", (), ()).whole is is_whole


def test_a_term_whose_next_sentence_goes_on_without_a_subject_is_not_asked() -> None:
    terms = "### Wheel\n\nA part that turns at night.{}\n\n### Gate\n\nA door of a mill.\n\n### Key\n\nA thing that opens gates.\n"
    for more, is_asked in ((" May turn by day too.", False), ("", True)):
        assert (
            "What does the term Wheel mean?" in asked(f"# Glossary\n\n{terms.format(more)}", "Glossary")
        ) is is_asked


@pytest.mark.parametrize("mark", ["**", "__", "`"])
def test_an_item_may_have_its_name_in_a_line_of_its_own(mark: str) -> None:
    text = f"# Mill\n\nThe Mill Gate lets water in.\n\n* {mark}turn_wheel_at_night{mark}\n  Turns the wheel. The default is `true`.\n"
    assert asked(text, "Mill")["What is the default value of turn_wheel_at_night?"] == "true"
    same_line = text.replace(f"{mark}\n  Turns", f"{mark} Turns")
    assert not asked(same_line, "Mill")


def test_four_words_tell_a_setting_apart_without_its_section() -> None:
    for name, is_phrase in (("hdfs_site_path", True), ("enable_team_id_prefix", False), ("hdfs.site.path", False)):
        assert ReferenceEntry(name, "", "", "", (), ()).phrase is is_phrase


LABELLED = "# Mill Gate\n\nThe Mill Gate lets water in.\n\n## {}\n\n{}\n\nHow fast the wheel turns.\n"


@pytest.mark.parametrize(
    ("heading", "items", "name"),
    [
        ("WHEEL", "- Name: `MILL_GATE_WHEEL_SPEED`\n- Default: `slow`", "MILL_GATE_WHEEL_SPEED"),
        ("`mill.wheel.speed`", "* **Default value:** `slow`\n* Type: string", "mill.wheel.speed"),
        ("`mill.wheel.speed`", "- Type: string\n- Default: see below", ""),
        ("`mill.wheel.speed`", "- Default: `slow`\n- Deprecated: use the gate", ""),
        ("Wheel", "- Default: `slow`", ""),
    ],
)
def test_a_list_below_a_heading_may_tell_the_default(heading: str, items: str, name: str) -> None:
    found = [draft for draft in read(LABELLED.format(heading, items)) if draft.pattern == "default" and draft.worth]
    assert [(d.question, d.golden_answers) for d in found] == (
        [(f"What is the default value of {name}?", ("slow",))] if name else []
    )
    for draft in found:
        text = "".join(LABELLED.format(heading, items)[slice(*span)] for span in draft.spans)
        assert name in text
        assert "slow" in text


def test_a_chinese_list_below_a_heading_may_tell_the_default() -> None:
    text = LABELLED.format("`mill.wheel.speed`", "- 类型：string\n- 默认值：`slow`")
    text = text.replace("The Mill Gate lets water in.", "水车让水流进来。").replace(
        "How fast the wheel turns.", "水车转动的速度。"
    )
    assert asked(text, "Mill 水车配置")["mill.wheel.speed 的默认值是什么？"] == "slow"
