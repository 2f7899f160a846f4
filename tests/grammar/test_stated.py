"""Questions on key–value lines, named things, dates and conditions, in both languages."""

import pytest

from synth.grammar import author as grammar
from synth.grammar.reading import Reading
from synth.grammar.registry import pack_of
from synth.grammar.structure.author import StructureAuthor
from tests.corpus import document


def asked(text, title="", pattern=""):
    reading = Reading(document("a.md", text, title=title or text.split("\n")[0].strip("# ")))
    author = StructureAuthor(reading, pack_of(reading.language).structure)
    drafts = (draft for told in author.told() for draft in told.drafts)
    return {draft.question: draft.golden_answers[0] for draft in drafts if not pattern or draft.pattern == pattern}


CENTRES = """# 青河市规划

青河市规划说明了各个中心的位置和它们的发展方向。

## 城市副中心

{first}

区域：由东山镇和南湖镇组成

发展定位：重点发展先进制造业

> 2 北湖副中心

区域：由北湖镇组成

发展定位：打造旅游休闲区
"""


def test_the_keys_below_two_names_are_their_attributes():
    found = asked(CENTRES.format(first="> 1 东山副中心"), pattern="key_value")
    assert found == {
        "东山副中心包括哪些区域？": "由东山镇和南湖镇组成",
        "东山副中心的发展定位是什么？": "重点发展先进制造业",
        "北湖副中心包括哪些区域？": "由北湖镇组成",
        "北湖副中心的发展定位是什么？": "打造旅游休闲区",
    }


def test_keys_that_a_section_repeats_without_a_name_say_nothing_of_it():
    found = asked(CENTRES.format(first="这里先说第一个中心的情况，它在城市的东边。"), pattern="key_value")
    assert not any("东山" in answer or "城市副中心" in question for question, answer in found.items())


def test_the_items_below_an_item_describe_it():
    item = "- {}\n  - Licence: {}\n  - Platform: {}\n\n"
    text = "# Plugins\n\nThis page lists the plugins that nobody maintains.\n\n" + item.format(
        "TideGate", "MIT", "Linux only"
    )
    found = asked(text + item.format("PumpView", "GPL", "Windows only"), pattern="key_value")
    assert {answer for question, answer in found.items() if "TideGate" in question} == {"MIT", "Linux only"}
    assert {answer for question, answer in found.items() if "PumpView" in question} == {"GPL", "Windows only"}


def test_lines_of_one_paragraph_are_pairs_of_their_own():
    text = "# 家长座谈会\n\n家长座谈会在每个秋天举行，欢迎家长参加。\n\n**时间**：11月23日\n**地点**：大讲堂\n"
    assert asked(text, pattern="key_value") == {
        "家长座谈会的时间是什么时候？": "11月23日",
        "家长座谈会的地点在哪里？": "大讲堂",
    }


def test_a_time_without_a_figure_is_no_answer_to_when():
    text = "# 家长座谈会\n\n家长座谈会欢迎所有家长参加。\n\n时间：另行通知\n\n地点：大讲堂\n"
    assert not any("什么时候" in question for question in asked(text))


CHINESE = "# 学生宿舍申请\n\n{}\n\n这里说明的是学生宿舍申请的各种事情。\n"


@pytest.mark.parametrize(
    ("sentence", "question", "answer"),
    [
        ("宿舍缴费单于8月26日由出纳组邮寄。", "宿舍缴费单什么时候由出纳组邮寄？", "8月26日"),
        ("宿舍退费手续请于9月14日前到出纳组办理。", "宿舍退费手续应在什么时候之前到出纳组办理？", "9月14日前"),
        ("宿舍押金收取1000元。", "宿舍押金收取多少元？", "1000元"),
        ("宿舍减免生是指免缴学费的学生和公费的学生。", "宿舍减免生是指什么？", "免缴学费的学生和公费的学生"),
        ("未经申请核准擅自进入学生宿舍者，将送交学务处议处。", "未经申请核准擅自进入学生宿舍者，会怎么样？", "将送交学务处议处"),
        ("申请取消学生宿舍住宿者，应重新下载缴费单。", "申请取消学生宿舍住宿者，应该怎么办？", "应重新下载缴费单"),
    ],
)  # fmt: skip
def test_chinese_sentences_that_state_something(sentence, question, answer):
    assert asked(CHINESE.format(sentence)).get(question) == answer


@pytest.mark.parametrize(
    "sentence",
    [
        "未参加者，一律须参加补考。",
        "该申请于8月26日由出纳组邮寄。",
        "宿舍申请于8月26日由出纳组邮寄，详见附件。",
        "以转账缴宿舍费于9月15日完成手续。",
        "申请宿舍者，应于9月办理，未办理者不予安排。",
    ],
)
def test_chinese_sentences_that_state_nothing_alone(sentence):
    assert not asked(CHINESE.format(sentence))


ENGLISH = "# {}\n\n{}\n\nThis is the page of the town about the things that people ask for.\n"


@pytest.mark.parametrize(
    ("title", "sentence", "question", "answer"),
    [
        ("Tide gates", "A tide gate is a door that lets the water of the pond out.", "What is a tide gate?", "A door that lets the water of the pond out"),
        ("Links", "TideView is a program that shows the height of the water.", "What is TideView?", "A program that shows the height of the water"),
        ("Links", "TideView is a program that shows the water. TideView is used by two towns.", "What is TideView?", "A program that shows the water. TideView is used by two towns"),
        ("Leave requests", "Leave requests must be sent to Ann by March 31.", "By when must leave requests be sent to Ann?", "By March 31"),
        ("Leave requests", "You will receive a response to your request within 14 days.", "Within how many days will I receive a response to my request?", "14 days"),
    ],
)  # fmt: skip
def test_english_sentences_that_state_something(title, sentence, question, answer):
    assert asked(ENGLISH.format(title, sentence)).get(question) == answer


@pytest.mark.parametrize(
    ("title", "sentence"),
    [
        ("Harbour", "There is a number of ways in which you can reach the harbour."),
        ("Harbour", "Harbour is a nice place."),
        ("Wharf", "TideView is a very nice program for the people of the town."),
        ("Wharf", "Default is the title of the page that the people of the town see."),
        ("Leave requests", "It must be sent to Ann by March 31."),
        ("Leave requests", "You will receive a letter within 14 days and we will call you."),
    ],
)
def test_english_sentences_that_state_nothing_alone(title, sentence):
    assert not {
        *asked(ENGLISH.format(title, sentence), pattern="dated"),
        *asked(ENGLISH.format(title, sentence), pattern="defined"),
    }


def test_an_item_describes_the_name_that_it_begins_with():
    text = "# Tools\n\nThese are the tools of the town for people who write.\n\n- NotePad: editor for short plain texts\n- Paper: stuff to write on with a pen\n"
    assert asked(text, pattern="described") == {"What is NotePad?": "editor for short plain texts"}


@pytest.mark.parametrize(
    ("item", "question", "answer"),
    [
        ("- **If you’re at risk of harm on the ferry now:** Call the police. They can help.", "What should I do if I am at risk of harm on the ferry?", "Call the police. They can help."),
        ("- **If you see a theft on the ferry,** you should send an email to the crew.", "What should I do if I see a theft on the ferry?", "You should send an email to the crew."),
        ("If you lose a ferry ticket on board, tell a member of the crew.", "What should I do if I lose a ferry ticket on board?", "Tell a member of the crew."),
    ],
)  # fmt: skip
def test_what_a_text_says_for_a_case_is_the_whole_answer(item, question, answer):
    assert asked(ENGLISH.format("Ferry help", item), pattern="advice") == {question: answer}


@pytest.mark.parametrize(
    "item",
    [
        "- If you lose a ferry ticket on board, tell:\n  - a member of the crew",
        "- If the valve of the ferry engine is stuck again, call the engineer.",
        "- If you lose a ferry ticket on board, it is gone.",
        "- If you are using a ferry ticket, you can bring a ferry dog.",
        "- If the connection test of a ferry fails, call the engineer.",
        "- If your SD card is lost on the ferry, call the engineer.",
        "- If you have any questions, call the office.",
        "- If you lose a ferry ticket on board, follow the instructions.",
        "- If you lose a ferry ticket, call a friend, or leave the ferry, tell a member of the crew.",
        "1. If you lose a ferry ticket on board, tell a member of the crew.",
    ],
)
def test_a_case_that_is_unclear_or_goes_on_is_not_asked(item):
    assert not asked(ENGLISH.format("Ferry help", item), pattern="advice")


def test_a_table_of_html_whose_cells_repeat_the_headings():
    row = "<tr><td><dfn>Office</dfn></td><td>{}</td><td><dfn>Phone</dfn></td><td>{}</td></tr>"
    rows = "".join(
        row.format(*pair) for pair in (("Quay Office", "555-1"), ("Mill Office", "555-2"), ("Tide Office", "555-3"))
    )
    text = ENGLISH.format("Offices", f"<table><tr><th>Office</th><th>Phone</th></tr>{rows}</table>")
    found = asked(text, pattern="cell")
    assert [answer for question, answer in found.items() if "Mill Office" in question] == ["555-2"]


def test_words_that_the_document_has_are_not_replaced():
    text = "# 諮商服務\n\n諮商服務說明了大家可以得到的協助與安排。\n\n服務對象：全體學生\n\n地點：大講堂\n"
    drafts = grammar.drafts(Reading(document("a.md", text, title="諮商服務")))
    assert any("對象" in draft.question for draft in drafts)


def test_a_page_of_html_alone_has_a_language_and_questions():
    text = (
        "<div class='vads-l-grid'><h1>Ferry help</h1>"
        "<p>If you lose a ferry ticket on board, tell a member of the crew.</p></div>"
    )
    found = grammar.drafts(Reading(document("a.md", text, title="Ferry help")))
    assert [draft.question for draft in found] == ["What should I do if I lose a ferry ticket on board?"]


@pytest.mark.parametrize(
    "lead",
    [
        "Teams must not consider a feature done until the following criteria are met:",
        "The board supports a buzzer which is used for the following purposes:",
    ],
)
def test_a_list_of_another_clause_is_no_answer(lead):
    assert not asked(
        ENGLISH.format("Boards", f"{lead}\n\n- testing of features\n- checking of designs"), pattern="list"
    )


def test_rows_that_are_clauses_are_not_asked_about():
    rows = "| Agency completes documents | 3 weeks |\n| Crew sends letters | 2 weeks |\n| Mill Office | 1 week |\n"
    found = asked(ENGLISH.format("Steps", f"| Step | Duration |\n|---|---|\n{rows}"), pattern="cell")
    assert list(found.values()) == ["1 week"]


def test_the_condition_of_a_law_is_no_measure():
    text = "# 渡口管理条例\n\n第一条 设立渡口应当具备下列条件：\n\n（一）有码头；\n\n（二）有船只。\n"
    assert any("具备哪些条件" in question for question in asked(text))


@pytest.mark.parametrize(
    ("name", "text", "question"),
    [
        ("青河", "青河是一座位于北方平原的港口城市，人口不多。", "青河是什么地方？"),
        ("王小山", "王小山是出生在青河的一位著名画家，也写诗。", "王小山是谁？"),
        ("潮汐门", "潮汐门是一种让池塘里的水流出去的闸门。", "潮汐门是什么？"),
    ],
)
def test_the_word_that_asks_fits_what_the_name_is_of(name, text, question):
    assert question in asked(f"# {name}\n\n{text}\n\n这里还有一些别的说明文字供大家阅读。\n", pattern="defined")


def test_an_answer_begins_and_ends_without_white_space():
    text = "# 潮汐桌面\n\n潮汐桌面是 Linux 上一种面向渔港的桌面环境 。\n\n这里还有一些别的说明文字供大家阅读。\n"
    assert asked(text, pattern="defined")["潮汐桌面是什么？"] == "Linux 上一种面向渔港的桌面环境"


def test_plural_labels_are_plural_in_the_question():
    text = ENGLISH.format("Sweet bread", "**Prep Time:** 20 min\n\n**Servings:** 10 breads")
    (question,) = (question for question in asked(text, pattern="key_value") if "servings" in question)
    assert "what are the servings" in question.casefold()
