"""Questions that the structure of a document answers: each construction, in both languages."""

import json
import re
import tomllib
from importlib.resources import files

import pytest

from synth.core.records import Draft
from synth.core.store import Store
from synth.generation.filters.grounded import support
from synth.grammar import author as grammar
from synth.grammar.reading import Reading
from synth.grammar.registry import pack_of
from synth.grammar.structure.author import StructureAuthor
from synth.grammar.structure.facts import Fact
from synth.grammar.structure.figures import figure
from tests.corpus import document

HANDBOOK = """# Benefits

Employees read about each benefit and each insurance here. The company writes to everyone about their leave.

## Dental Insurance

The company pays 75% of the premium. Unused premiums are not refunded after the year.

Each month you pay for insurance:

* Employee coverage: $96.05
* Family coverage: $287.65
* Partner coverage: $197.27

## Sick Leave

If you are away from work for more than 7 days, you must send a note from your doctor.

## Request time off from work

1. Open the calendar.
2. Ask your manager for the days.
3. Mark yourself as away.

## Offices

| Office | Desks | Opening hours |
|---|---|---|
| Berlin | 40 | nine to five |
| Paris | 25 | eight to six |
| Rome | 12 | ten to four |

## Expenses

The following expenses are not reimbursed:

* parking fines
* personal meals
"""

RECIPE = """# 番茄炒蛋的做法

番茄炒蛋是一道家常菜，做起来很简单，适合新手。

## 必备原料和工具

- 番茄
- 鸡蛋
- 食用油

## 计算

按照 2 人的份量：

- 番茄 2 个
- 鸡蛋 3 个

## 操作

1. 番茄切块
2. 鸡蛋打散
3. 倒入锅中翻炒

## 保存

放凉的番茄炒蛋不能再次冷冻保存。
"""

LAW = """# 城市绿化条例

为了保护城市绿化，制定本条例。

第一条 个人不得损坏城市公共绿地的树木花草。

第二条 建设单位擅自占用绿地的，由主管部门责令限期退还，并处以罚款。

第三条 建设单位有下列情形之一的，不予批准：

（一）没有规划许可证；

（二）没有缴纳绿化费用。
"""

RULES = """# 快递柜使用规定

快递柜是小区里存放包裹的柜子，居民都可以使用。

## 费用

如果包裹在快递柜里存放超过4天，系统会自动收取费用。
"""

OTHERS = """# arc

下面介绍这个命令行工具的用法，它有许多选项可以使用。

## 选项

```
-r        # 递归处理所有子目录
-v        # 显示详细的过程信息
```

## 安装

arc 命令包括以下组件：

- 解析器
- 下载器
"""


COMMANDS = """# arc

> A program that keeps many files in an archive, and reads them again when they are needed.

- List files in an archive:

`arc -l {{file}}`

- Show this help:

`arc -h`
"""

COMMANDS_ZH = """# arc

> 一个把许多文件保存在归档里的程序。

- 列出归档中的文件：

`arc -l {{文件}}`
"""

DISH = """# Pita Bread

This bread is made of flour and water, and everybody likes it warm.

## Ingredients

- 2 cups flour

## Instructions

1. Knead the dough for ten minutes.
2. Bake the loaves until they are brown.
3. Will keep for 5 days in the fridge.
"""


def told(text, title=""):
    reading = Reading(document("a.md", text, title=title or text.partition("\n")[0].lstrip("# ")))
    pack = pack_of(reading.language)
    return reading, list(StructureAuthor(reading, pack.structure).told())


def asked(text):
    _, found = told(text)
    return {draft.question: draft for one in found for draft in one.drafts}


def test_a_number_that_counts_nothing_asks_for_no_amount():
    assert not asked("# Clinic\n\nThe clinic treats 40. It has a canteen for the staff.\n")


@pytest.mark.parametrize(
    ("text", "kind", "pattern", "words", "answer"),
    [
        (HANDBOOK, "simple", "key_value", "employee coverage", "$96.05"),
        (HANDBOOK, "conditional", "rule", "if I am away from work for more than 7 days", "You must send a note"),
        (HANDBOOK, "reasoning", "case", "I am away from work for 9 days", "You must send a note"),
        (
            HANDBOOK,
            "simple",
            "procedure",
            "request time off from work",
            "Open the calendar; Ask your manager for the days; Mark",
        ),
        (HANDBOOK, "simple", "cell", "opening hours Paris", "eight to six"),
        (HANDBOOK, "reasoning", "most", "office most desks", "Berlin"),
        (HANDBOOK, "simple", "list", "Which expenses are not reimbursed?", "parking fines; personal meals"),
        (RECIPE, "simple", "list", "番茄炒蛋 原料和工具", "番茄；鸡蛋；食用油"),
        (RECIPE, "simple", "amount", "番茄炒蛋 鸡蛋", "3 个"),
        (RECIPE, "reasoning", "scaled", "4 番茄炒蛋 鸡蛋", "6 个"),
        (RECIPE, "simple", "procedure", "番茄炒蛋 做", "番茄切块；鸡蛋打散；倒入锅中翻炒"),
        (RULES, "conditional", "rule", "如果包裹在快递柜里存放超过4天 会怎么样", "系统会自动收取费用"),
        (RULES, "reasoning", "case", "如果包裹在快递柜里存放5天 会怎么样", "系统会自动收取费用"),
        (COMMANDS, "simple", "command", "How do I list files in an archive with arc?", "arc -l file"),
        (COMMANDS_ZH, "simple", "command", "arc 列出归档中的文件", "arc -l 文件"),
        (DISH, "simple", "procedure", "make Pita Bread?", "Knead the dough for ten minutes; Bake the loaves"),
        (
            LAW,
            "conditional",
            "rule",
            "根据《城市绿化条例》 建设单位擅自占用绿地的 会受到什么处罚",
            "由主管部门责令限期退还",
        ),
        (
            LAW,
            "simple",
            "list",
            "根据《城市绿化条例》 建设单位在哪些情形下 不予批准",
            "没有规划许可证；没有缴纳绿化费用",
        ),
        (OTHERS, "simple", "which_option", "arc 递归处理所有子目录", "-r"),
        (OTHERS, "simple", "list", "arc 命令包括哪些组件？", "解析器；下载器"),
    ],
)
def test_what_a_construction_asks(text, kind, pattern, words, answer):
    fitting = [
        draft
        for question, draft in asked(text).items()
        if all(word.casefold() in question.casefold() for word in words.split())
        and (draft.question_type, draft.pattern) == (kind, pattern)
    ]
    assert fitting, [(d.question_type, d.pattern, q) for q, d in asked(text).items()]
    assert fitting[0].golden_answers[0].startswith(answer)


@pytest.mark.parametrize("text", [HANDBOOK, RECIPE, RULES, LAW, OTHERS, COMMANDS, DISH])
def test_the_evidence_tells_the_answer_where_it_is_not_worked_out(text):
    for question, draft in asked(text).items():
        evidence = "".join(text[start:end] for start, end in draft.spans)
        answer = draft.golden_answers[0]
        if not draft.reckoning:
            assert support(answer, evidence) >= 0.8, (question, answer)


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("# Guide\n\nThis is a text about the work of a mill and of its people.\n\n## Setup\n\nIf needed, ask the miller for help with it.\n", "needed"),
        ("# Guide\n\nThis is a text about the work of a mill.\n\n## Mill\n\nIf the wheel stops, see the page on wheels.\n", "wheel stops"),
        ("# Guide\n\nThis is a text about the work of a mill.\n\n## Mill\n\nIf the wheel stops turning, it does that again.\n", "wheel stops"),
        ("# 磨坊\n\n这是关于磨坊和磨坊工人的一篇文章。\n\n## 维护\n\n如果有任何问题，请联系磨坊主。\n", "问题"),
        ("# Mill\n\nThis is a text about the work of a mill.\n\n## Boards\n\nIf the package is updated by the miller, the libraries will be lost.\n", "package"),
        ("# Mill\n\nThis is a text about the work of a mill.\n\n## Mill wheels\n\nIf a mill wheel turns too slowly in summer, you can open a sluice.\n\nOpen the sluice only at night.\n", "wheel"),
        ("# Mill\n\nThis is a text about the work of a mill.\n\n## Mill wheels\n\nOnly stop if a mill wheel turns too slowly in summer.\n", "wheel"),
        ("# Mill\n\nThis is a text about the work of a mill.\n\n## Mill flour\n\nIf a mill sells white flour, a mill sells flour.\n", "flour"),
        ("# 磨坊\n\n这是关于磨坊和磨坊工人的一篇文章。\n\n## 开源与定制\n\n如果现在写不出来，将无法继续下去。\n", "写不出来"),
        ("# 磨坊\n\n这是关于磨坊和磨坊工人的一篇文章。\n\n## 维护\n\n如果磨坊的轮子停下来，可能会影响面粉的质量。\n", "轮子"),
        ("# 磨坊\n\n这是关于磨坊和磨坊工人的一篇文章。\n\n## 维护\n\n如图所示，轮子会转动起来。\n", "图所示"),
    ],
)  # fmt: skip
def test_conditions_that_nobody_asks_about_and_answers_that_point_elsewhere_are_left(text, unwanted):
    assert not [question for question in asked(text) if unwanted in question]


CLUBS = """# Clubs

The university has many clubs, and each of them has an owner.

| Club | Category | Owner |
|---|---|---|
{}
"""
OWNERS = "Arts Office, Sports Centre, Rowing House, Library, Town Hall, Chess School".split(", ")
NAMES = "Wind Band, Red Runners, Rowing Eight, Book Worms, Debating Society, Go Players".split(", ")


def test_a_category_and_a_value_that_the_name_tells_are_not_asked_for():
    rows = "\n".join(f"| {name} | Culture | {owner} |" for name, owner in zip(NAMES, OWNERS, strict=True))
    questions = [question for question, draft in asked(CLUBS.format(rows)).items() if draft.pattern == "cell"]
    assert sum("owner" in question for question in questions) == len(NAMES) - 1
    assert not any("Rowing Eight" in question or "category" in question.casefold() for question in questions)


def test_the_number_of_things_that_a_table_of_places_does_not_name_is_not_asked_for():
    table = "# 充电桩分布\n\n学校里的充电桩很多，分布在各个区域。\n\n| {} | 数量 |\n|---|---|\n| 慧园2栋停车场 | 14 |\n| 台州楼停车场 | 13 |\n| 商学院停车场 | 36 |\n"
    assert not asked(table.format("区域"))
    assert asked(table.format("停车设备"))


@pytest.mark.parametrize(
    "body",
    [
        "1. We keep data in subfolders.\n2. Each file has a date.\n3. The files are in one place.\n",
        "1. Windows\n2. macOS\n3. Linux\n",
        "1. Director will book a meeting.\n2. The team will attend the meeting.\n",
    ],
)
def test_paragraphs_and_names_are_no_steps(body):
    assert not asked(
        f"# Research data\n\nThis page is about research data and its care.\n\n## Request research data\n\n{body}"
    )


@pytest.mark.parametrize("package", ["synth.grammar.english", "synth.grammar.chinese"])
def test_examples_of_names_and_columns(package):
    table = tomllib.loads(files(package).joinpath("structure.toml").read_text("utf-8"))
    reading, _ = told(HANDBOOK if package.endswith("english") else RECIPE)
    language = pack_of(reading.language).structure
    for row in table["names"]:
        assert [name for name in row["fits"] if not language.thing(name, reading)] == []
        assert [name for name in row["not"] if language.thing(name, reading)] == []
    for row in table["columns"]:
        assert re.fullmatch(row["label"], row["fits"], re.IGNORECASE)
        assert not re.fullmatch(row["label"], row["not"], re.IGNORECASE)
    for row in table.get("examples", ()):
        pattern = language.forms.patterns[row["pattern"]]
        assert [text for text in row["fits"] if not pattern.search(text)] == []
        assert [text for text in row["not"] if pattern.search(text)] == []


def test_a_list_with_an_item_that_points_elsewhere_is_no_answer():
    whole = "# Trip\n\nThis page tells you about the trip and its plan.\n\n## Requirements\n\n* a passport\n* {}\n"
    assert any("requirements" in question for question in asked(whole.format("a visa")))
    assert not any("requirements" in question for question in asked(whole.format("what is listed below.")))


def test_an_answer_has_the_items_below_its_items():
    text = "# Trip\n\nThis page tells you about the trip and its plan.\n\n## Requirements\n\n* papers\n  * a passport\n* a visa\n"
    assert [draft.golden_answers[0] for draft in asked(text).values()] == ["papers a passport; a visa"]


def test_a_question_with_two_answers_in_one_document_is_worth_nothing():
    row = "## How heavy is the Mill Wheel?\n\nThe wheel of the mill weighs {} kg.\n\n"
    text = f"# Mill\n\nThis page tells you all about the mill.\n\n{row.format(4)}{row.format(5)}"
    drafts = grammar.drafts(Reading(document("a.md", text, title="Mill")))
    assert [draft.worth for draft in drafts] == [0.0]


SETUP = """# Mill

This page tells you about the mill and the people who work there every day.

## {heading}

{body}

1. Open the gate of the mill.
2. Turn the wheel twice.
"""


@pytest.mark.parametrize(
    ("heading", "asks"),
    [
        ("Part 1 - Starting the Mill Wheel", True),
        ("Part 2 - Starting the Mill Wheel", False),  # the steps of part 1 are missing
        ("Starting the theme", False),
    ],
)
def test_steps_are_whole_and_their_goal_is_clear(heading, asks):
    found = asked(SETUP.format(heading=heading, body="Do this every morning."))
    assert [draft.pattern for draft in found.values()] == ["procedure"] * asks


@pytest.mark.parametrize(("title", "asks"), [("Cleaning Old Mill Wheels", True), ("Old Mill Wheels", False)])
def test_instructions_are_steps_to_what_the_title_names_as_a_task(title, asks):
    text = SETUP.format(heading="Instructions", body="Do this every year.").replace("# Mill\n", f"# {title}\n", 1)
    questions = [question for question, draft in asked(text).items() if draft.pattern == "procedure"]
    assert [question.casefold().endswith("clean old mill wheels?") for question in questions] == [True] * asks


def test_a_thing_is_what_the_nearest_heading_names_and_not_the_chapter():
    text = "# 命令行手册\n\n这里介绍各种命令的用法，供大家查阅。\n\n## 文本处理\n\n### grep\n\n- `-n`：显示匹配到内容的行号\n"
    assert [question for question in asked(text) if "行号" in question and "grep" in question]
    assert not asked(text.replace("### grep", "### 查找"))


def test_a_part_of_the_document_is_no_thing():
    text = "# 长寿手册\n\n这里介绍让人长寿的各种食物和习惯。\n\n## {}\n\n地点：青河大讲堂\n"
    assert asked(text.format("长寿讲座"))
    assert not asked(text.format("固体"))


@pytest.mark.parametrize("label", ["Source", "Licence/Type", "Size of your file"])
def test_labels_that_are_no_facts(label):
    rows = "\n".join(f"| {name} | {owner} |" for name, owner in zip(NAMES, OWNERS, strict=True))
    text = "# Clubs\n\nThe university has many clubs for everybody.\n\n| Club | {} |\n|---|---|\n" + rows
    assert asked(text.format("Owner"))
    assert not asked(text.format(label))


@pytest.mark.parametrize(("key", "asks"), [("Boat fee", True), ("Open", False)])
def test_an_amount_of_money_needs_a_label_that_names_what_it_is(key, asks):
    text = f"# Boat hire\n\nThis page is about the boats that you can hire.\n\n- {key}: $150\n"
    assert [draft.golden_answers[0] for draft in asked(text).values()] == ["$150"] * asks


def test_an_abbreviation_is_not_asked_for_what_it_is_short_for():
    table = "# 进程\n\n这里介绍进程的各种属性和它们的用途。\n\n| 属性 | 作用 |\n|---|---|\n| PID | Process ID，标识进程的唯一性 |\n| TTY | {}，标识进程的终端 |\n"
    assert not asked(table.format("Teletypewriter Y"))


def test_a_list_of_links_is_no_answer():
    text = "# Billing rates\n\nThis page tells the rates of the mill.\n\nThe billing rates of the mill are as follows:\n\n* {}\n* {}\n* Flour at two pounds a bag\n"
    assert asked(text.format("Wheat at one pound", "Bread at four pounds"))
    assert not asked(text.format("[Wheat rates](w.md)", "[Bread rates](b.md)"))


def test_an_item_ends_at_its_line_where_another_sentence_begins():
    text = "# 水车深度\n\n这里说明水车深度由什么决定。\n\n影响水车深度的因素分为两方面：\n\n- 水塘的大小\n- 轮子的高度\n  深度因人而异。一般可达十尺。\n"
    assert [draft.golden_answers[0] for draft in asked(text).values()] == ["水塘的大小；轮子的高度"]


def test_questions_in_traditional_script_are_in_traditional_script():
    text = "# 番茄炒蛋的做法\n\n番茄炒蛋是一道家常菜，做起來很簡單，適合新手學習。\n\n## 操作\n\n1. 番茄切塊\n2. 雞蛋打散\n"
    found = grammar.drafts(Reading(document("a.md", text, title="番茄炒蛋的做法")))
    procedure = next(draft for draft in found if draft.pattern == "procedure")
    assert "么" not in procedure.question
    assert "番茄炒蛋" in procedure.question
    assert procedure.golden_answers == ("番茄切塊；雞蛋打散",)


def test_facts_and_drafts_are_kept_as_they_were(tmp_path):
    store = Store(tmp_path / "store.sqlite")
    reading = Reading(document("a.md", HANDBOOK, title="Benefits"), store)
    drafts, facts = grammar.drafts(reading, store), grammar.facts(reading, store)
    again = Reading(document("a.md", HANDBOOK, title="Benefits"), store)
    assert grammar.drafts(again, store) == drafts
    assert grammar.facts(again, store) == facts
    assert {type(one) for one in (*drafts, *facts)} == {Draft, Fact}
    assert all(Fact.unpacked(json.loads(json.dumps(fact.packed()))) == fact for fact in facts)


@pytest.mark.parametrize(
    ("text", "unit", "twice"),
    [
        ("$96.05", "$", "$192.10"), ("500g", "g", "1000g"), ("3 个", "个", "6 个"), ("7.5 %", "%", "15 %"),
        ("1,500 km", "km", "3,000 km"), ("12 weeks", "week", "24 weeks"),
    ],
)  # fmt: skip
def test_a_figure_is_written_as_it_was(text, unit, twice):
    found = figure(text)
    assert (found.unit, found.written(found.value * 2)) == (unit, twice)


@pytest.mark.parametrize("text", ["3-4 个", "about 5", "five", "1.2.3", "5 m or 6 m", ""])
def test_what_is_no_single_figure(text):
    assert figure(text) is None


def test_a_count_in_a_lead_in_is_one_word_of_the_question():
    text = "# 水闸\n\n这里说明水闸的各种模式。\n\n水闸有 3 种工作模式：\n\n- 全开\n- 半开\n- 关闭\n"
    assert [*asked(text)] == ["水闸有哪3种工作模式？"]


def test_a_parameter_is_not_described_as_a_thing_of_its_own():
    item = "- 映像文件：{}写入磁盘时要用到的文件名称\n- 数据库名：{}保存资料时要用到的数据库\n"
    text = "# 备份工具\n\n这里说明备份工具怎么使用。\n\n## {}\n\n"
    assert [*asked(text.format("术语") + item.format("是指", "是指"))]
    assert not asked(text.format("术语") + item.format("指定", "指定"))
    assert not asked(text.format("参数") + item.format("是指", "是指"))


def test_a_case_on_the_page_of_a_command_names_the_command():
    rule = "\nIf {} finds a broken archive on the disk, the archive is removed.\n"
    assert any("arc" in question for question in asked(COMMANDS + rule.format("arc")))
    assert not [d for d in asked(COMMANDS + rule.format("anybody")).values() if d.question_type == "conditional"]
