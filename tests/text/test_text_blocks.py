"""Plain text gives the blocks that the same document would give in Markdown."""

from __future__ import annotations

import json
from importlib.resources import files

import pytest

from synth.text.blocks import Block, blocks
from synth.text.markup import plain
from synth.text.numbering import numbered

ENGLISH = """\
Pump Manual

1. Scope

This manual is about the pump P-7 and all of its parts. It is for the
staff of the works.

2. Limits

2.1 Temperature
The pump may run at up to 80 degrees.

The following apply:

1. Open the valve.
   a) Turn it left.
   b) Pull it.
2. Close it and wait
   for a minute.

   Then look at the gauge.

Maintenance
-----------

Port: 8080
Protocol: TCP

> Quoted words.

$ make install
# build everything
make all
"""
ENGLISH_MARKDOWN = """\
# Pump Manual

## 1. Scope

This manual is about the pump P-7 and all of its parts. It is for the
staff of the works.

## 2. Limits

### 2.1 Temperature
The pump may run at up to 80 degrees.

The following apply:

1. Open the valve.
    1. Turn it left.
    2. Pull it.
2. Close it and wait
   for a minute.

   Then look at the gauge.

## Maintenance

- Port: 8080
- Protocol: TCP

> Quoted words.

```
$ make install
# build everything
make all
```
"""
CHINESE = """\
设备使用手册

第一章 总则

一、范围
本手册适用于全部设备。
二、术语
下列术语适用：
（一）主机，指设备本体；
（二）附件，指随机附带的部件。

第二章 费用

2.1.2 计算方法

费用按下列公式计算：

1、基本费用为100元；
2、附加费用为50元。

端口：8080
协议：TCP
"""
CHINESE_MARKDOWN = """\
# 设备使用手册

## 第一章 总则

### 一、范围
本手册适用于全部设备。
### 二、术语
下列术语适用：

1. 主机，指设备本体；
2. 附件，指随机附带的部件。

## 第二章 费用

### 2.1.2 计算方法

费用按下列公式计算：

1. 基本费用为100元；
2. 附加费用为50元。

***

- 端口：8080
- 协议：TCP
"""


def _read(text: str, format: str) -> list[tuple[str, str, int, str, tuple[str, ...]]]:
    def words(block: Block) -> str:
        spoken = plain(text, block.start, block.end, markdown=format == "markdown").text
        return "" if block.kind == "code" else spoken.removeprefix("> ")

    return [(block.kind, words(block), block.level, block.role, block.headings) for block in blocks(text, format)]


@pytest.mark.parametrize(("text", "markdown"), [(ENGLISH, ENGLISH_MARKDOWN), (CHINESE, CHINESE_MARKDOWN)])
def test_the_same_blocks_as_markdown(text: str, markdown: str) -> None:
    assert _read(text, "text") == _read(markdown, "markdown")


def _heads(text: str) -> list[str]:
    return [text[block.start : block.end] for block in blocks(text, "text") if block.kind == "heading"]


PROSE = "The pump may run for two hours in the heat. It must then rest for one hour."


@pytest.mark.parametrize(
    ("head", "level", "number"),
    [
        ("3. Limits", 1, "3"),
        ("2.1.2 计算方法", 1, "2.1.2"),
        ("第三章", 1, "第三章"),
        ("一、概述", 1, "一"),
        ("IV. Results", 1, "IV"),
        ("Appendix B: Forms", 1, "Appendix B"),
        ("A.1 Forms", 1, "A.1"),
        ("Opening hours", 1, ""),
        ("How long may it run?", 1, ""),
        ("4. Grant of Rights.", 1, "4"),
    ],
)
def test_headings_that_stand_alone(head: str, level: int, number: str) -> None:
    first, second = blocks(f"{PROSE}\n\n{head}\n\n{PROSE}\n", "text")[1:]
    assert (first.kind, first.level, first.number, first.headings) == ("heading", level, number, (head,))
    assert (second.kind, second.headings) == ("paragraph", (head,))


@pytest.mark.parametrize(
    "lines",
    [
        "# install everything\n\n$ make install",
        "# install everything\npip install pump",
        "$ make install",
        ">>> import pump",
        "admin@host:~$ ls",
        "+-----+\n| A   |----> B\n+-----+",
        "Client            Server\n  |   request      |\n  |--------------->|",
        "int main(void) {\n    return 0;\n}",
        "```\nThe Pump\n\nWords below it.\n```",
    ],
)
def test_code_and_drawings_are_code(lines: str) -> None:
    text = f"{PROSE}\n\n{lines}\n\n{PROSE}\n"
    before, code, after = blocks(text, "text")
    assert (before.kind, code.kind, after.kind) == ("paragraph", "code", "paragraph")
    assert text[code.start : code.end] == lines


@pytest.mark.parametrize(
    "lines",
    [
        "1. Apples\n2. Pears\n3. Plums",
        "1. Apples\n\n2. Pears\n\n3. Plums",
        "• Apples\n• Pears",
        "（1）苹果\n（2）梨",
        "①苹果\n②梨",
        "a) apples\nb) pears",
    ],
)
def test_lists_are_no_headings(lines: str) -> None:
    found = blocks(f"{PROSE}\n\n{lines}\n\n{PROSE}\n", "text")[1:-1]
    assert {(block.kind, block.group, block.level) for block in found} == {("list_item", 1, 1)}
    assert len(found) == sum(bool(line) for line in lines.split("\n"))


@pytest.mark.parametrize(
    "text",
    [
        f"We use version\n2.1 and later. {PROSE}",
        f"It was built in\n1999. {PROSE}",
        f"3.5 m\n\n{PROSE}",
        f"Name    Port    Use\nweb     80      pages\n\n{PROSE}",
        f"Scope ........ 3\nTerms ........ 5\n\n{PROSE}",
        f"1. Definitions.\n\n   {PROSE}\n\n2. Rights. {PROSE}\n   {PROSE}",
        f"{PROSE}\n\nThe end",
        "1.1 Scope\n1.2 Terms\n1.3 Fees",
    ],
)
def test_what_is_no_heading(text: str) -> None:
    assert _heads(text) == []


def test_offsets_are_those_of_the_text() -> None:
    text = "Manual\n======\n\n  - one\n    more\n  - two\n"
    assert [text[block.start : block.end] for block in blocks(text, "text")] == ["Manual", "one\n    more", "two"]


def test_markdown_headings_have_the_numbers_of_text() -> None:
    heads = [
        block.number for block in blocks("# 2.1 Scope\n\n## 第三章 费用\n\n## **4.** Fees\n\n## Plain\n", "markdown")
    ]
    assert heads == ["2.1", "第三章", "4", ""]


STYLES = json.loads(files("synth.text").joinpath("numbering.json").read_text("utf-8"))["styles"]


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style["name"])
def test_styles_fit_their_examples(style: dict[str, object]) -> None:
    uses = ("heading", "item") if style["use"] == "both" else (str(style["use"]),)
    for line, number in style["fits"].items():  # type: ignore[attr-defined]
        for use in uses:
            match = numbered(line, 0, len(line), use=use)
            assert match is not None
            assert (match.number, match.style.name) == (number, style["name"])
    for line in style["not"]:  # type: ignore[attr-defined]
        found = (numbered(line, 0, len(line), use=use) for use in uses)
        assert all(match is None or match.style.name != style["name"] for match in found), line
