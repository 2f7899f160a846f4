"""Where something is done, whom somebody made do it, and what something takes in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from synth.grammar.chinese.candidates import Found, Writer, candidate, named, nominal
from synth.grammar.chinese.clauses import Statement
from synth.grammar.chinese.lexicon import TIME
from synth.grammar.chinese.lines import Line

_PLACE_END = re.compile(
    r"[省市县区州镇乡村街山河湖海岛国洋洲湾岸带林园馆院校厅室场站港堡城宫寺庙塔桥楼店厂]$|大学|总部|境内|地区|沿岸|附近|大街|大道"
)
_PLACE_TAIL = "里内中上下旁边"
_AT = re.compile(r"^(?P<H>(?:[\u4e00-\u9fff]{0,6}?)(?:是)?在)(?P<A>.+)$")
_PIVOT = re.compile(
    r"^(?P<V>(?:[\u4e00-\u9fff]{0,4})(?:命令|派遣|派|任命|邀请|雇佣|雇用|委托|说服|指派|聘请|提名|选举|推举|授权|委任|册封|封|邀|请求|指定|推荐|委派))了?(?P<A>.+)$"
)
_AT_POINT = re.compile(r"^(?P<V>[\u4e00-\u9fff]{0,4}[\u4e00-\u9fff]{2}(?:于|至|往))(?P<A>.+)$")
_TAKES_IN = re.compile(r"^(?P<V>(?:主要|一般|通常|还|也)?(?:包括|包含|涵盖|分为|分成))(?P<A>.+)$")


def places(statements: Sequence[Statement], writer: Writer) -> Found:
    """Questions on the places and the persons acted upon of one sentence."""
    for statement in statements:
        subject = statement.subject
        if subject is None or subject.level < 2 or statement.start not in statement.line.edges:
            continue
        yield from done_at(statement, writer)
        yield from went_to(statement, writer)
        yield from pivot(statement, writer)
        yield from takes_in(statement, writer)


def _is_place(line: Line, start: int, end: int) -> bool:
    tokens, text = line.span(start, end), line.simple[start:end]
    if not nominal(line, start, end) or re.search(TIME, text) or text.count("的") > 1:
        return False
    return tokens[-1].tag in ("LOC", "s") or (
        tokens[-1].tag in ("n", "ORG", "nz", "f") and bool(_PLACE_END.search(text))
    )


def done_at(statement: Statement, writer: Writer) -> Found:
    """X通常在Y工作 -> X通常在哪里工作？"""
    line, text = statement.line, statement.predicate
    match = _AT.match(text)
    if match is None or statement.time:
        return
    a = statement.start + match.start("A")
    final = text.endswith("的") and "是在" in match.group("H")
    end = statement.end - 1 if final else statement.end
    tokens = line.span(a, end) if line.whole(a, end) else ()
    verb = next((i for i, t in enumerate(tokens) if t.tag in ("v", "vd", "d", "p", "ad")), None)
    if not verb or line.simple[statement.start : a - 1].startswith(("现", "目")):
        return
    b = tokens[verb].start
    inner = b - 1 if line.simple[b - 1] in _PLACE_TAIL and b - 1 in line.edges else b
    rest = line.simple[b:end]
    if (
        not _is_place(line, a, inner)
        or not 2 <= len(rest) <= 16
        or re.search(r"[的了时后前]$|[、,]", rest)
        or tokens[verb].text == "的"
    ):
        return
    if not any(t.tag in ("v", "vn") for t in tokens[verb:]) or not (
        re.search("了|是在", text) or len(line.simple[statement.start : a]) > 1
    ):
        return
    head = line.written(statement.start, a)
    parts = {"H": head, "V": line.written(b, end) + ("的" if final else "")}
    sure = 0.82 if named(line.span(a, inner)) or named(line.span(b, end)) else 0.76
    yield candidate(writer, statement, "{S}{H}哪里{V}？", line.answer(a, inner), "done_at", sure, **parts)


def went_to(statement: Statement, writer: Writer) -> Found:
    """X发祥于Y -> X发祥于哪里？"""
    line = statement.line
    match = _AT_POINT.match(statement.predicate)
    if match is None or statement.subject is None or statement.subject.level < 3:
        return
    a, b = statement.start + match.start("A"), statement.end
    tokens = line.span(a, b) if line.whole(a, b) else ()
    verb = line.simple[a - 3 : a - 1]
    if (
        not tokens
        or tokens[-1].tag != "LOC"
        or not nominal(line, a, b)
        or re.search(
            r"位|属|处|等|基|关|由|对|限|善|忠|至|相当|类似|不同|仅次|小|大|高|低|多|少|出生|生地|坐落|原产|分布|生长|位列",
            verb,
        )
    ):
        return
    head = line.written(statement.start, a)
    form = ("{T}，" if statement.time else "") + "{S}{H}哪里？"
    parts = {"H": head, "T": line.written(*statement.time) if statement.time else ""}
    yield candidate(writer, statement, form, line.answer(a, b), "went_to", 0.82, **parts)


def pivot(statement: Statement, writer: Writer) -> Found:
    """X任命Y为Z -> X任命谁为Z？"""
    line = statement.line
    match = _PIVOT.match(statement.predicate)
    if match is None or statement.subject is None or statement.subject.level < 3 or statement.subject.source != "own":
        return
    a = statement.start + match.start("A")
    tokens = line.span(a, statement.end) if line.whole(a, statement.end) else ()
    stop = next((i for i, t in enumerate(tokens) if t.tag in ("v", "p", "d", "vd", "ad")), None)
    if (
        not stop
        or tokens[stop - 1].tag != "PER"
        or any(t.tag not in ("PER", "n", "LOC", "ORG", "u", "nz") for t in tokens[:stop])
    ):
        return
    b = tokens[stop].start
    rest = line.simple[b : statement.end]
    if not 3 <= len(rest) <= 20 or re.search(r"[的了时后前]$|[、,]", rest):
        return
    form = ("{T}，" if statement.time else "") + "{S}{V}谁{R}？"
    parts = {
        "V": line.written(statement.start, statement.start + match.end("V")),
        "R": line.written(b, statement.end),
        "T": line.written(*statement.time) if statement.time else "",
    }
    yield candidate(writer, statement, form, line.answer(a, b), "pivot", 0.86, **parts)


def takes_in(statement: Statement, writer: Writer) -> Found:
    """X包括A和B -> X包括哪些？ for a list that is complete."""
    line = statement.line
    match = _TAKES_IN.match(statement.predicate)
    if match is None or statement.stop not in ("。", "") or statement.subject is None or statement.time:
        return
    if statement.subject.source == "carried":
        return
    a, b = statement.start + match.start("A"), statement.end
    text = line.simple[a:b]
    if (
        not line.whole(a, b)
        or not nominal(line, a, b)
        or not re.search("[和与及]", text)
        or not 4 <= b - a <= 36
        or re.search(r"等|其他|多种|各种|一些|许多", text)
    ):
        return
    kinds = re.search(r"[两三四五六七八九十\d]+大?(?P<M>[种类个级部])(?:分|阶段|角色|类型|级别|步骤)?$", text)
    form = "{S}{V}哪几" + kinds.group("M") + "？" if kinds and "分" in match.group("V") else "{S}{V}什么？"
    form = form.replace("哪几部？", "哪几部分？")
    yield candidate(writer, statement, form, line.answer(a, b), "takes_in", 0.78, V=line.written(statement.start, a))
