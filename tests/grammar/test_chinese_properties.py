"""What holds of every Chinese draft, whatever the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.core.records import Document, text_hash
from synth.grammar.chinese.lines import balanced, line
from synth.grammar.chinese.script import template
from synth.grammar.parsing import Word
from synth.grammar.reading import Reading
from synth.text.normalise import normalise, to_simplified, to_traditional
from tests.grammar.sentences import drafts

SENTENCES = [
    "北辰大学位于江苏省苏州市吴中区，有12个学院。",
    "2005年，周文远（1950年－）创立了白鹭出版社。",
    "《山海行记》由周文远编写，于2011年3月出版。",
    "由于台风来袭，玉龙大桥关闭了三天。",
    "如果请求没有携带令牌，`ServerKit` 会返回 `401` 错误。",
    "要使用模板，请安装 **jinja2**。",
    "MQTT 用于在设备之间传递消息。",
    "长江是中国最长的河流 ，全长 6300 公里。",
    "它成立于1998年。",
    "🎉 出版社！",
    "“未完的引号",
    "Only Latin words here.",
]


def read(text: str, format: str = "markdown") -> Reading:
    return Reading(
        Document(
            doc_id="d", source="d", title="d", text=text, content_hash=text_hash(text), metadata={"format": format}
        )
    )


@settings(max_examples=40)
@given(st.lists(st.sampled_from(SENTENCES), max_size=6), st.sampled_from(["", "\n\n"]), st.booleans())
def test_spans_lie_in_the_document_and_hold_the_answer(chosen: list[str], between: str, traditional: bool) -> None:
    text = between.join(chosen)
    reading = read(to_traditional(text) if traditional else text)
    plain = {(s.start, s.end): s.text for s in reading.sentences}
    for draft in drafts(reading):
        assert all(0 <= start < end <= len(reading.document.text) for start, end in draft.spans)
        assert 0 <= draft.worth <= 1
        assert draft.question.endswith("？")
        evidence = "".join(plain[span] for span in draft.spans)
        for answer in draft.golden_answers:
            assert answer in evidence
            assert normalise(answer)


@settings(max_examples=25)
@given(st.text(alphabet="的了在2年月人（）“”《》，。：·　 \nabc`*-是由于被为周北京😀", max_size=60))
def test_odd_input_raises_nothing(text: str) -> None:
    for draft in drafts(read(text)):
        assert draft.question


PAGES = [
    """# 北辰大学（南校区）

北辰大学（英语：Beichen University，缩写：BCU），位于江苏省苏州市吴中区，1998年由周文远创办。学校设有12个学院，占地面积约1,280亩；其中文学院成立于2001年3月。

> 注意：以下内容可能已经过时。
""",
    """第二条 本条例所称湿地，是指青河市范围内的沼泽、河滩和常年积水的洼地。

第三条　建设单位应当自领取许可证之日起三个月内开工，并按照规定公告：

（一）名称；
（二）期限不得超过2年。
""",
    """## 安装 `serverkit`

要使用模板，请安装 **jinja2**（见[安装](install.md#模板)）。`--port`：端口，默认为 `8080`。

* `allow_hosts` - 域名列表
* 如果没有令牌，ServerKit 会返回 401 错误。

```python
app = ServerKit()
```
""",
    """被視為謀反的人物。（《山海行記》建久7年正月15日條）。長子周文遠，後來被林曉東奉為主公。

周文遠（1950年－），字子明，「白鷺出版社」的創辦人，出生於江蘇蘇州。
""",
]
MARKS = "（）()《》“”「」『』，。：；！？、·—…`*[]<>-|#\n\t 　0年第条是为由的"


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """Pages cut, joined and doubled, with brackets and marks thrown in."""
    text = "".join(draw(st.lists(st.sampled_from(PAGES), min_size=1, max_size=2)))
    for _ in range(draw(st.integers(0, 6))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 25)))
        piece = draw(
            st.sampled_from(["", text[start:stop] * 2, f"（{text[start:stop]}）", draw(st.sampled_from(MARKS))])
        )
        text = text[:start] + piece + text[stop:]
    return text


@settings(max_examples=150, deadline=None)
@given(
    mangled(),
    st.text(alphabet="北辰大学（）_0 清河条例", max_size=12),
    st.sampled_from(["markdown", "text", "passage"]),
)
def test_mangled_pages_give_whole_questions_or_none(text: str, title: str, format: str) -> None:
    reading = Reading(
        Document(
            doc_id="d",
            source="d",
            title=title,
            text=text,
            content_hash=text_hash(text),
            metadata={"format": format},
        )
    )
    plain = {(s.start, s.end): s.text for s in reading.sentences}
    for draft in drafts(reading):
        assert draft.question.endswith("？")
        assert balanced(draft.question)
        assert all(answer in "".join(plain[span] for span in draft.spans) for answer in draft.golden_answers)


def test_a_sentence_of_brackets_alone_ends_nothing() -> None:
    text = "当作谋反的人物。（《山海行记》建久7年正月15日条）。长子周文远，后来被林晓东奉为主公。"
    assert drafts(read(text)) == []


@pytest.mark.parametrize("text", ["", " \n", "。", "（", "Plain English only.", "🙂🙂", "「」「」"])
def test_nothing_to_ask(text: str) -> None:
    assert drafts(read(text)) == []


@settings(max_examples=25)
@given(st.lists(st.sampled_from(SENTENCES[:8]), min_size=1, max_size=3, unique=True))
def test_scripts_agree(chosen: list[str]) -> None:
    text = "".join(chosen)
    hans = {(d.question, d.golden_answers[0]) for d in drafts(read(text))}
    hant = {(to_simplified(d.question), to_simplified(d.golden_answers[0])) for d in drafts(read(to_traditional(text)))}
    assert hans == hant


def test_same_reading_same_drafts() -> None:
    text = "".join(SENTENCES)
    assert drafts(read(text)) == drafts(read(text))


def test_a_line_maps_back_to_the_sentence() -> None:
    raw = "周文远（1950年－）在 2005 年 创立了白鹭出版社。"
    words = [Word(char, char.replace("（", "(").replace("）", ")"), "n", i, i + 1) for i, char in enumerate(raw)]
    made = line(3, raw, words)
    assert made is not None
    assert made.simple == "周文远在2005年创立了白鹭出版社。"
    assert made.answer(4, 9) == "2005 年"
    assert made.written(0, 9) == "周文远在 2005 年"


@pytest.mark.parametrize(
    ("text", "fits"),
    [("《a》（b）", True), ("“a", False), ("a）", False), ("（《）》", False), ('"a', False), ('"a"', True)],
)
def test_balanced(text: str, fits: bool) -> None:
    assert balanced(text) is fits


def test_templates_in_traditional_script() -> None:
    assert template("{S}为什么{V}？", "zh-Hant") == "{S}為什麼{V}？"
    assert template("{S}位于哪里？", "zh-Hant") == "{S}位於哪裡？"
    assert template("{S}位于哪里？", "zh-Hans") == "{S}位于哪里？"
