"""Questions that headings ask, with the paragraph below as the answer."""

from __future__ import annotations

import pytest

from synth.core.records import Draft
from synth.generation.filters.copied import Copied
from synth.grammar.author import drafts
from synth.grammar.reading import Reading
from synth.text.normalise import to_traditional
from tests.corpus import corpus, document, sample

ENGLISH = "The mill turns at night, and the wheel of the mill is made of oak."
CHINESE = "澄湖的水车每天晚上转动，水车的轮子用橡木做成。"


def asked(text: str) -> dict[str, Draft]:
    about = CHINESE if any(char >= "\u3400" for char in text) else ENGLISH
    page = document("d.md", f"# Mill\n\n{about}\n\n{text}\n\n## End\n\n{about}\n")
    return {draft.question: draft for draft in drafts(Reading(page)) if draft.pattern == "faq" and draft.worth}


def answers(text: str) -> dict[str, str]:
    return {question: draft.golden_answers[0] for question, draft in asked(text).items()}


TOLD = "Yes, with a key. The key hangs at the gate."


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (f"## Can I open the Mill Gate?\n\n{TOLD}", "Can I open the Mill Gate?", TOLD),
        (f"## Q2: Can I open the Mill Gate?\n\nA: {TOLD}", "Can I open the Mill Gate?", TOLD),
        (f"### 3.1 Can I open `mill.gate`?\n\n{TOLD}", "Can I open mill.gate?", TOLD),
        (f"**Can I open the Mill Gate?**\n\n{TOLD}\n\n**Is there a boat?**\n\nYes.", "Can I open the Mill Gate?", TOLD),
        (f"## Can I open the Mill Gate?\n\n{TOLD} See also [keys](k.md).", "Can I open the Mill Gate?", TOLD),
        (
            f"## Can I open the Mill Gate?\n\n{TOLD}\n\nNot at night.",
            "Can I open the Mill Gate?",
            f"{TOLD} Not at night.",
        ),
        (
            "## What opens the Mill Gate?\n\nTwo things:\n\n- a key\n- a hammer",
            "What opens the Mill Gate?",
            "Two things: a key; a hammer",
        ),
        (
            "## What is the Mill Gate?\n\nThe Mill Gate is a gate that is open at night.",
            "What is the Mill Gate?",
            "The Mill Gate is a gate that is open at night.",
        ),
        ("## Q：水闸可以打开吗？\n\n答：可以，用钥匙打开。", "水闸可以打开吗？", "可以，用钥匙打开。"),
        (
            "## 2、水闸 `gate` 怎么打开？\n\n在配置文件中将 gate 设为 1。",
            "水闸 gate 怎么打开？",
            "在配置文件中将 gate 设为 1。",
        ),
    ],
)
def test_a_heading_that_asks_is_asked_and_the_paragraph_below_answers(text: str, question: str, answer: str) -> None:
    assert answers(text) == {question: answer}


def test_a_traditional_heading_is_asked_too() -> None:
    text = to_traditional("## 问：水闸怎么打开？\n\n答：用挂在门边的钥匙打开。")
    assert list(answers(text)) == [to_traditional("水闸怎么打开？")]


@pytest.mark.parametrize(
    "text",
    [
        f"## Can I open it?\n\n{TOLD}",  # leans on what was said
        f"## What about the Mill Gate?\n\n{TOLD}",
        f"## Can I open the Mill Gate? Or the door?\n\n{TOLD}",
        f"## Opening of the Mill Gate\n\n{TOLD}",
        f"## The gate?\n\n{TOLD}",
        f"## Can I open the Mill Gate?\n\n{TOLD}\n\n### The key\n\nAsk for it.",  # more is told
        f"## Can I open the Mill Gate?\n\n{TOLD}\n\n```\nkey\n```",
        "## Can I open the Mill Gate?\n\nAs discussed on the page on keys, there is a key.",
        "## Can I open the Mill Gate?\n\n- Yes, with a key.",
        "## Can I open the Mill Gate?\n\nYes.",
        "## Can I open the Mill Gate?\n\nSee the page on keys and gates.",  # only points elsewhere
        f"## Can I open the Mill Gate?\n\n[{TOLD}](keys.md)",
        "## Can I open the Mill Gate?\n\nYou need a key of the gate: read more about setting up keys.",
        "## What does the Mill Gate look like?\n\nLet's start with a gate that is open at night.",
        "## How do I open the Mill Gate?\n\nFor this you need the following key of the gate.",
        "## How to open the Mill Gate?\n\nIf there is no gate, you can skip this and let the water in.",
        "## How do I open the Mill Gate?\n\nThe gate is opened by these steps:",
        f"## Can I open the Mill Gate?\n\n{'It is ' * 46}open.",
        f"## Do you open the gate?\n\n{TOLD}",  # names no gate
        "## Can I open the Mill Gate?\n\nThe gate of the mill belongs to the county board.",  # neither yes nor no
        "## What is the staging gate?\n\nThe staging gate is a gate that is open at night.",  # of which mill
        "## Where do I learn more?\n\nOn the board at the gate of the mill.",
        f"## Can people open a gate?\n\n{TOLD}",  # names nothing
        "## 水闸可以打开吗？\n\n水闸属于水利局。",
        "## 水闸呢？\n\n可以，用钥匙打开。",
        "## 它可以打开吗？\n\n可以，用钥匙打开。",
        "## 水闸可以打开吗？\n\n参考：水闸与钥匙。",
        "## 水闸怎么打开？\n\n请按以下步骤打开水闸。",
        "## 水闸可以打开吗？有没有钥匙？\n\n可以，用钥匙打开。",
    ],
)
def test_what_leans_points_elsewhere_or_goes_on_is_not_asked(text: str) -> None:
    assert answers(text) == {}


def test_the_spans_are_those_of_the_heading_and_of_the_answer() -> None:
    text = f"# Mill\n\n{ENGLISH}\n\n## Can I open the Mill Gate?\n\nYes, with a *key*. See also [keys](k.md).\n"
    (draft,) = (d for d in drafts(Reading(document("d.md", text))) if d.pattern == "faq")
    assert [text[start:end] for start, end in draft.spans] == ["## Can I open the Mill Gate?", "Yes, with a *key*."]


def test_a_heading_that_asks_is_not_copied_but_a_sentence_is() -> None:
    question = "Can I open the large northern gate of the mill with a key of the boat house?"
    for evidence, kept in (
        (question, True),
        (f"Q 12: {question}", True),
        (f"You may well ask us now: {question}", False),
    ):
        of = corpus(d=f"{evidence}\n\nYes, with a key.")
        assert Copied().check(sample(of, question, "Yes, with a key", evidence), of).kept is kept


@pytest.mark.parametrize("told", ["Ask in {% slack_channel 'mill' %} for the key.", "Ask {{ keeper }} for the key."])
def test_what_a_template_completes_is_not_asked(told: str) -> None:
    question = "How do keepers open the Mill Gate?"
    assert question in answers(f"## {question}\n\nAsk in the office for the key.\n")
    assert question not in answers(f"## {question}\n\n{told}\n")


@pytest.mark.parametrize("told", ["Try the [gate] tool with a key.", "Visit the [handbook page]() with a key."])
def test_a_link_that_leads_nowhere_is_no_answer(told: str) -> None:
    question = "How do keepers open the Mill Gate?"
    assert question not in answers(f"## {question}\n\n{told}\n")


def test_a_heading_without_an_answer_in_one_paragraph_tells_that_it_answers() -> None:
    page = document("d.md", f"# Mill\n\n{ENGLISH}\n\n## What is the Mill Gate?\n\nA gate.\n\n```\ngate --open\n```\n")
    (draft,) = (d for d in drafts(Reading(page)) if d.pattern == "faq")
    assert (draft.question, draft.golden_answers, draft.worth) == ("What is the Mill Gate?", ("A gate.",), 0.0)


def test_a_heading_that_only_leads_on_is_not_asked() -> None:
    assert not answers(f"## What's next?\n\n{TOLD}\n")


def test_more_to_read_is_no_part_of_an_answer() -> None:
    question = "How do keepers open the Mill Gate?"
    assert answers(f"## {question}\n\nThey turn the wheel twice. For more info see: Wheels.\n") == {
        question: "They turn the wheel twice."
    }
