"""Sentences end where readers see an end, in English and in both Chinese scripts."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.text.blocks import blocks
from synth.text.prose import sentences
from synth.text.sentences import split_sentences


def split(text: str) -> list[str]:
    return [text[a:b] for a, b in split_sentences(text)]


@pytest.mark.parametrize(
    "parts",
    [
        ["The pump works.", "It is old!", "Is it?", "Yes."],
        ["Dr. Smith met Mr. J. R. Brown at 5 St. Mary Road.", "They spoke."],
        ["Use a server (e.g. Uvicorn) here.", "It works, i.e. Python runs."],
        ["It has pumps, valves, etc. The mill is old."[:26], "The mill is old."],
        ["See fig. 3 and no. 12 on p. 7.", "Done."],
        ["The answer is no.", "Then we left."],
        ["It was built on Jan. 3 of 1811.", "It stands."],
        ["Version 3.14 of python.org came out.", "Fine."],
        ["Wait... then it goes on.", "End."],
        ["...And so it began.", "Good."],
        ['He said "Go."', "She went."],
        ["Open http://x.org/a?b=c now.", "Good."],
        ["The U.S. Army came.", "It left."],
        ["It breaks the act (12 U.S.C. 5531, 5536) and 12 C.F.R. Part 749.", "It ends at 5 p.m.", "Then all go."],
        ["Under 15 U.S.C. § 1681 a mine of Ore S.A. (the buyer) and Smith v. Jones hold.", "Max. 5 users."],
        ["他来了。", "她走了！", "真的吗？", "是的……", "好。"],
        ["他說：「走吧。」", "她走了。"],
        ["「真的嗎？」，他問。", "沒有人答。"],
        ["《出发！去北京》是一首歌。", "很好听。"],
        ["专辑《你好!再见》发行了。", "好。"],
        ["版本 3.12 已发布。", "请升级。"],
        ["使用 FastAPI.", "它很快。"],
        ["……然后他走了。", "好。"],
    ],
)
def test_split(parts: list[str]) -> None:
    between = "" if any("\u4e00" <= char <= "\u9fff" for char in parts[0]) else " "
    assert split(between.join(parts)) == parts


@settings(max_examples=300)
@given(st.text(st.sampled_from("ab C1.。!？…”」)》《 \n的，,?"), max_size=60))
def test_every_character_is_in_one_sentence_and_each_says_something(text: str) -> None:
    spans = split_sentences(text)
    covered = [0] * len(text)
    for a, b in spans:
        assert a < b
        for i in range(a, b):
            covered[i] += 1
    assert all(count == 1 or (count == 0 and char.isspace()) for count, char in zip(covered, text, strict=True))
    if any(char.isalnum() for char in text):
        assert all(any(char.isalnum() for char in text[a:b]) for a, b in spans)


DOCUMENT = """---
title: T
---
# Guide { #guide }

/// note | 注意

This is a note with `code.path()`. See the [API docs](https://x.org/a_(b)){.link}.

///

!!! warning "Careful"
    Indented text stays prose.

=== "Tab"

    Tabbed text is prose too.

<div align="center">
<p><em>The framework is fast.</em> Buy now</p>
</div>

<script>
var text = "This is not prose.";
</script>

The word[^1] has a note[^2]. {{ include }}

- First item. With two sentences.
- 第二項：**重要**。

| A table. | Not prose. |
| --- | --- |
| x. | y. |

```python
# Not prose.
```

```
fenced. code.
```

    indented code. here.

最后一段。它有两句话！
"""


def test_code_of_an_mdx_page_is_no_text() -> None:
    code = "import Tabs from '@theme/Tabs';\nimport {\n  A,\n  B\n} from \"@theme/Item\";\nimport './x.css'"
    export = "export const meta = {\n  title: 'The lamp is old.'\n};"
    text = f"{code}\n\n{export}\n\n{{/* It is hidden.\n\u597d */}}\n\nimport the lamps from 'old' towers and export them.\n"
    assert [block.kind for block in blocks(text, "markdown")] == ["directive", "directive", "directive", "paragraph"]


def test_only_prose_speaks() -> None:
    found = [sentence.text for sentence in sentences(DOCUMENT, "markdown")]
    assert found == [
        "This is a note with code.path().",
        "See the API docs.",
        "Indented text stays prose.",
        "Tabbed text is prose too.",
        "The framework is fast.",
        "The word has a note.",
        "First item.",
        "With two sentences.",
        "第二項：重要。",
        "最后一段。",
        "它有两句话！",
    ]


def test_a_sentence_knows_its_surroundings() -> None:
    text = "# 指南\n\n## Steps\n\nDo the following. In order:\n\n- Open it. Then wait.\n"
    first, second, third, fourth = sentences(text, "markdown")
    assert first.headings == ("指南", "Steps")
    assert (first.first, second.first) == (True, False)
    assert (third.kind, third.lead, fourth.text) == ("list_item", "In order:", "Then wait.")


def test_wiki_words_in_several_scripts_are_read_once() -> None:
    text = "运动员-{zh-cn:博尔特;zh-hk:保特}-夺得金牌。他不-{准}-休息。"
    one, two = sentences(text, "text")
    assert (one.text, two.text) == ("运动员博尔特夺得金牌。", "他不准休息。")
    assert text[one.start : one.end] == "运动员-{zh-cn:博尔特;zh-hk:保特}-夺得金牌。"


def test_blocks_of_plain_text() -> None:
    text = "Overview\n\nA first line\nthat goes on.\n\n结论\n\n水泵很好。\n"
    found = [(block.kind, text[block.start : block.end], block.headings) for block in blocks(text, "text")]
    assert found == [
        ("heading", "Overview", ("Overview",)),
        ("paragraph", "A first line\nthat goes on.", ("Overview",)),
        ("heading", "结论", ("结论",)),
        ("paragraph", "水泵很好。", ("结论",)),
    ]


def test_blocks_of_markdown_do_not_overlap_and_know_their_headings() -> None:
    found = blocks(DOCUMENT, "markdown")
    assert all(a.end <= b.start for a, b in pairwise(found))
    kinds = {block.kind for block in found}
    assert kinds >= {"front_matter", "heading", "paragraph", "list_item", "table_row", "code", "html", "directive"}
    assert {block.headings for block in found if block.kind == "table_row"} == {("Guide",)}
