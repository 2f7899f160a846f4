"""How something is done: what to do when one wants it, where a thing is imported from, what goes with what."""

from __future__ import annotations

import re
from collections.abc import Sequence

from synth.grammar.chinese.candidates import Found, Writer, named, nominal
from synth.grammar.chinese.clauses import Statement, level
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.objects import final_object
from synth.grammar.chinese.usage import ASKED, BROKEN, WANT, make, verbal

_DO = re.compile(
    r"^(?:那么|则|就|也|还|请)*(?:你|您|我们)?(?:也|还|都|先|首先)*(?P<M>可以|可|能够|能|应该|应当|需要|必须|要|最好)?(?:先|首先|直接|简单地)?(?P<A>.{4,})$"
)
_IMPORT = re.compile(
    r"^(?:首先|先|接着|然后|请|你|您|我们|可以|需要|要|直接|也)*从(?P<A>.+?)(?:中|里)?(?:导入|引入)(?P<Y>.+)$"
)
_WITH = re.compile(
    r"^(?:也|都|可以|能够|能|可)*(?P<P>与|和|跟)(?P<A>.+?)(?P<V>(?:完全|无缝|直接|很好地|紧密|不)*(?:兼容|集成|互操作|对应|配合使用|搭配使用|一起使用|结合使用))(?:的)?$"
)
_WITHIN = re.compile(
    r"^(?:你|您|我们)?(?:也|还|同样)?(?P<M>可以|能够|能|必须|需要|应该)(?:直接|轻松|单独)?(?P<P>在(?P<A>.+?)(?P<F>中|里|上|内))(?P<Y>.{4,})$"
)


def howto(line: Line, found: Sequence[Statement], writer: Writer) -> Found:
    """Questions on how things are done, from one sentence of instructions."""
    for position, statement in enumerate(found):
        if statement.stop == ":" or statement.begin not in line.edges:
            continue
        before = found[position - 1] if position else None
        if before is not None and before.stop == "," and before.order == 0:
            yield from _wish(before, statement, writer)
            yield from _enabled(before, statement, writer)
        yield from _imported(statement, writer)
        yield from _goes_with(statement, writer)
        yield from _available(statement, writer)
        if position == 0:
            yield from _within(statement, writer)


def _wish(before: Statement, statement: Statement, writer: Writer) -> Found:
    """要Y，可以VP。 -> 要Y，可以怎么做？"""
    line, want, do = statement.line, WANT.match(before.clause), _DO.match(statement.clause)
    if want is None or do is None or statement.stop not in ("。", "") or line.simple[statement.begin - 1] != ",":
        return
    if ASKED.match(statement.clause):
        return
    y1, y2 = before.begin + want.start("Y"), before.end
    a, b = statement.begin + do.start("A"), statement.end
    if (
        not line.whole(y1, y2)
        or not verbal(line, y1, y2)
        or not verbal(line, a, b)
        or BROKEN.search(line.simple[y1:y2])
    ):
        return
    if "需要" in before.clause and not before.clause.startswith("为了") and line.span(y1, y2)[0].tag != "v":
        return
    first = line.span(a, b)[0]
    if (
        first.tag != "v"
        or re.match(r"看看|参考|参见|查看|阅读|查阅|记住|继续|前往|了解|访问|确保|知道|是|有|会|注意|得到", first.text)
        or b - a > 32
        or "了" in line.simple[a:b]
    ):
        return
    if not named(line.span(a, b)) or final_object(line, a, b) is None:
        return
    modal = {"能": "可以", "能够": "可以", "可": "可以", "": "应该", "要": "需要", "最好": "最好"}.get(
        do.group("M") or "", do.group("M")
    )
    form = "要{Y}，" + modal + "怎么做？"
    yield make(statement, writer, form, (a, b), "how_to", 0.78, level(line.span(y1, y2)), Y=line.written(y1, y2))


_MEANS = re.compile(
    r"^(?:你|您|我们)?(?:可以|也可以)?(?:通过|只需)?(?P<V>使用|借助|利用|启用|添加|调用|设置|传入|声明)(?P<A>.+)$"
)
_ABLE = re.compile(r"^(?:你|您|我们)?(?:就|便)?(?P<M>可以|能够|能|可)(?:让|使)?(?P<Y>.{6,30})$")


def _enabled(before: Statement, statement: Statement, writer: Writer) -> Found:
    """使用A，可以Y。 -> 使用什么可以Y？"""
    line, means, able = statement.line, _MEANS.match(before.clause), _ABLE.match(statement.clause)
    if (
        means is None
        or able is None
        or statement.stop not in ("。", "")
        or not before.line.whole(before.begin, before.end)
    ):
        return
    a, b = before.begin + means.start("A"), before.end
    y1, y2 = statement.begin + able.start("Y"), statement.end
    if (
        not nominal(line, a, b)
        or b - a > 24
        or not verbal(line, y1, y2)
        or re.search("更|这|了解|看到", line.simple[y1:y2])
    ):
        return
    exact = any(token.tag == "code" for token in line.span(a, b))
    if not exact or not (named(line.span(y1, y2)) or y2 - y1 >= 10):
        return
    form = "{V}什么可以{Y}？"
    verb = line.written(before.begin + means.start("V"), before.begin + means.end("V"))
    yield make(statement, writer, form, (a, b), "enables", 0.78, 3, V=verb, Y=line.written(y1, y2))


def _imported(statement: Statement, writer: Writer) -> Found:
    """从A导入Y -> 应该从哪里导入Y？"""
    line, match = statement.line, _IMPORT.match(statement.clause)
    if match is None:
        return
    a1, a2 = statement.begin + match.start("A"), statement.begin + match.end("A")
    y1 = statement.begin + match.start("Y")
    if (
        not line.whole(a1, a2)
        or not nominal(line, y1, statement.end)
        or not named(line.span(a1, a2))
        or not named(line.span(y1, statement.end))
    ):
        return
    yield make(statement, writer, "应该从哪里导入{Y}？", (a1, a2), "import", 0.82, 3, Y=line.written(y1, statement.end))


_AVAILABLE = re.compile(
    r"^(?:仅|只|只能|目前|都)*在(?P<A>.+?)(?:中|里)(?:才)?(?P<V>可用|有效|受支持|得到支持|可以使用)$"
)


def _available(statement: Statement, writer: Writer) -> Found:
    """X在V及以上版本中可用 -> X在哪些版本中可用？"""
    line, subject, match = statement.line, statement.subject, _AVAILABLE.match(statement.predicate)
    if match is None or subject is None or subject.level < 2 or subject.source != "own":
        return
    a, b = statement.start + match.start("A"), statement.start + match.end("A")
    if not nominal(line, a, b):
        return
    place = "哪些版本中" if match.group("A").endswith("版本") else "哪里"
    yield make(
        statement, writer, "{S}在" + place + match.group("V") + "？", (a, b), "available", 0.84, 3, S=subject.text
    )


def _goes_with(statement: Statement, writer: Writer) -> Found:
    """X与A兼容 -> X与什么兼容？"""
    line, subject, match = statement.line, statement.subject, _WITH.match(statement.predicate)
    if match is None or subject is None or subject.level < 3 or subject.source != "own":
        return
    a, b = statement.start + match.start("A"), statement.start + match.end("A")
    if not nominal(line, a, b) or not named(line.span(a, b)):
        return
    verb = line.written(b, statement.start + match.end("V"))
    form = "{S}" + match.group("P") + "什么{V}？"
    yield make(statement, writer, form, (a, b), "goes_with", 0.82, 3, S=subject.text, V=verb)


def _within(statement: Statement, writer: Writer) -> Found:
    """可以在A中Y -> 可以在哪里Y？"""
    line, match = statement.line, _WITHIN.match(statement.clause)
    if match is None:
        return
    a, b = statement.begin + match.start("A"), statement.begin + match.end("A")
    y1 = statement.begin + match.start("Y")
    if (
        y1 not in line.edges
        or not nominal(line, a, b)
        or not named(line.span(a, b))
        or final_object(line, y1, statement.end) is None
    ):
        return
    if re.match("阅读|学习|了解|发现|查看|找到|看到|获取更多|获得更多|测试", line.simple[y1:]) or (
        len(line.span(a, b)) < 2 and line.span(a, b)[0].tag != "code"
    ):
        return
    if (
        not named(line.span(y1, statement.end))
        or statement.end - y1 > 26
        or (re.search("一[个种]", line.simple[y1:]) and statement.end - y1 < 8)
    ):
        return
    yield make(
        statement,
        writer,
        match.group("M") + "在哪里{Y}？",
        (a, b),
        "within",
        0.76,
        3,
        Y=line.written(y1, statement.end),
    )
