"""What holds of every draft, whatever the document."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.grammar.author import drafts, facts
from synth.grammar.reading import Reading
from synth.text.normalise import to_simplified, to_traditional
from tests.corpus import document

ENGLISH = [
    "# Kell Ferry",
    "## Requirements",
    "- a ticket of the line\n- a bicycle of at most 20 kg\n  - with a bell\n",
    "## Boats\n\n| Boat | Length (m) | Captain |\n| --- | --- | --- |\n| MV Orm | 12 | Ada Kell |\n| MV Tern | 31 | |\n| MV Gull | 9 | - |",
    "If the wind at Orm harbour exceeds 28 knots, MV Gull must stay in harbour.",
    "## How to book a crossing",
    "1. Open the page of the ferry.\n2. Choose a day: see below\n",
    "## Can I take my dog?\n\nDogs travel free of charge.",
    "The following tickets are not refunded:\n\n- return tickets\n- group tickets",
    "| 2022 | (in millions) |\n| --- | --- |\n| Sales | (12) |",
    "“",
    "`--speed` Sets the speed (default 3)",
]
CHINESE = [
    "# 凯尔渡口",
    "## 申请条件",
    "- 有船票；\n- 自行车不超过20千克\n  - 带铃铛\n",
    "## 渡船\n\n| 船名 | 长度(米) | 船长 |\n| --- | --- | --- |\n| 奥姆号 | 12 | 凯尔 |\n| 燕鸥号 | 31 | |\n| 海鸥号 | 9 | - |",
    "如果奥姆港的风速超过28节，海鸥号必须留在港口。",
    "## 购票步骤",
    "1. 打开渡口的网页。\n2. 选择日期：见下文\n",
    "## 可以带狗吗？\n\n狗可以免费乘船。",
    "下列船票不能退票：\n\n（一）往返票；\n（二）团体票。",
    "第三条 本办法所称船票，是指乘坐渡船的凭证。",
    "（",
    "要求：有船票",
]
PAGES = st.lists(st.sampled_from(ENGLISH), max_size=7) | st.lists(st.sampled_from(CHINESE), max_size=7)


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """Pages cut, joined and doubled, with marks thrown in."""
    text = draw(st.sampled_from(["\n\n", "\n", " "])).join(draw(PAGES))
    for _ in range(draw(st.integers(0, 4))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 20)))
        piece = draw(
            st.sampled_from(["", text[start:stop] * 2, f"（{text[start:stop]}）", "|", "\n# ", "：", ": ", "*"])
        )
        text = text[:start] + piece + text[stop:]
    return text


@settings(max_examples=120, deadline=None)
@given(mangled(), st.booleans())
def test_a_draft_asks_in_its_language_and_cites_its_document(text: str, traditional: bool) -> None:
    reading = Reading(document("d.md", to_traditional(text) if traditional else text))
    for draft in drafts(reading):
        assert draft.question.endswith(("?", "？"))
        assert "{" not in draft.question
        assert all(draft.golden_answers)
        assert all(0 <= start < end <= len(reading.document.text) for start, end in draft.spans)
        assert 0 <= draft.worth <= 1
    for fact in facts(reading):
        assert fact.answer
        assert fact.spans


@settings(max_examples=40, deadline=None)
@given(st.text(alphabet="Ab c.,?!()[]`*“\"'—é漢🦊\n0%:|#-", max_size=80))
def test_odd_text_breaks_nothing(text: str) -> None:
    drafts(Reading(document("d.md", text)))


@pytest.mark.parametrize(
    "text", ["", " \n", ".", "((((", "🦊🦊 🦊.", "If you , .", "。", "（", "「」「」", "# ", "|a|\n|-|"]
)
def test_hardly_any_text_gives_nothing(text: str) -> None:
    assert drafts(Reading(document("d.md", text))) == []


@pytest.mark.parametrize("pages", [ENGLISH, CHINESE])
def test_the_same_document_gives_the_same_drafts(pages: list[str]) -> None:
    text = "\n\n".join(pages)
    first, second = (drafts(Reading(document("d.md", text))) for _ in range(2))
    assert first == second
    assert len({draft.pattern for draft in first}) >= 3


def test_both_scripts_ask_the_same() -> None:
    text = "\n\n".join(CHINESE)
    plain, turned = (drafts(Reading(document("d.md", one))) for one in (text, to_traditional(text)))
    assert {(draft.pattern, draft.golden_answers[0]) for draft in plain} == {
        (draft.pattern, to_simplified(draft.golden_answers[0])) for draft in turned
    }
