"""Whom or what a clause is about, and where that is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from synth.grammar.chinese.circumstances import Part
from synth.grammar.chinese.clauses import Statement, Subject, clauses, find_subject, level
from synth.grammar.chinese.frames import frame
from synth.grammar.chinese.lexicon import DEICTIC, UNRULY
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.names import personal
from synth.grammar.chinese.page import Told
from synth.grammar.chinese.times import time_at
from synth.records import Term
from synth.text.normalise import to_simplified

_GOES_ON = re.compile(r"(?:时|之?后|之?前|以来|期间|中|方面|情况下|过程|时候)$")
_VAGUE = re.compile(
    r"第[一二三四五六七八九十]|另|其|本|此|双方|两|二者|众|诸|何|谁|什么|哪|我|你|您|全[部体]|有|不|只|仅|"
    r"以下|如下|上述|前者|后者|同|当地|"
    r"[东西南北]部|[一二三四五六七八九十百千万\d]+[个名位种条座家次年]|结果|主要|部分|最|早期|晚期|后期|初期|该|整"
)
_WEAK_END = re.compile(
    r"(?:目的|原因|结果|问题|意思|做法|情况|好处|方法|方式|办法|例子|区别|不同|关键|特点|想法|看法|说法|"
    r"名字|其中|同时|一切|之一|等|代表|负责|所以|人们|有人|大家|内容|过程|者们|人员|双方|"
    r"上面|下面|部分|全部|原名|本名|外面|里面|以外|学者|专家|作者|教程|章节|示例|例子|文档|职责|任务|工作|活动|特点|优点)$"
)


_GENERIC_BODY = re.compile(
    "[\u4e00-\u9fff]{2}(?:店|厂|分店|分校|分部)|旅游区|景区|园区|新干线|基金会|委员会|协会|学会|联盟|公司|集团|出版社|俱乐部|球队|银行|大学|学院|"
    "中学|医院|教会|法院|议会|政府|军队|部队|乐队|乐团|书院|学校|校区|寺庙|车站|机场|中心|该?线|本线"
)
_APART = re.compile("(?:被称|称|名|叫|被[^,。]{2,4}[,。])|分别|包括|包含|其中|即(?!位)|等|如")
ATTRIBUTE = re.compile(
    r"^(?P<S>.+?)的?(?P<K>(?:总|占地|建筑|流域)?面积|(?:总|平均)?长度|(?:总)?高度|宽度|深度|(?:总)?人口|"
    r"人口密度|海拔|平均海拔|体重|身高|重量|直径|容量|速度)$"
)
_PLACED = re.compile(r"[内里中上下间旁侧面外后方部缘端]$|左右$")


OFTEN = 3
"""In how many sentences a described thing without a name must be spoken of to stand for itself."""


@dataclass(frozen=True, slots=True)
class Bearer:
    """The subject of a clause: written at `start:end` of the line, read as `text`; its predicate begins at `stop`.

    `parts` stand before it in its clause. `lines` are the other sentences that say who it is. `kind` is
    None where it is that of the words as written. `term` is the subject where it is written elsewhere.
    """

    text: str
    start: int
    end: int
    stop: int
    parts: tuple[Part, ...] = ()
    lines: tuple[int, ...] = ()
    kind: str | None = None
    sure: float = 0.95
    term: Term | None = None


def bearer(told: Told, statement: Statement | None, begin: int, end: int, texts: Sequence[str]) -> Bearer | None:
    """The bearer of the clause `begin:end`, whose statement may be known; None where there is none that reads alone."""
    line = told.line
    begin = statement.begin if statement is not None else begin
    subject = statement.subject if statement is not None else None
    if subject is not None and subject.source == "referred" and told.meant is not None:
        return _referred(told, subject, begin, end)
    if subject is not None and subject.source == "carried":
        return _carried(told, subject, begin, texts)
    lead = time_at(line, begin, end)
    parts = (Part("time", lead.start, lead.end, lead.stop),) if lead else ()
    start = lead.stop if lead else begin
    own, stop = find_subject(line, start, end, told.about)
    if own is None:
        return None
    if subject is not None and subject.simple == own.simple:
        own = subject
    return _own(told, own, (start, stop), parts, texts)


def _own(
    told: Told, subject: Subject, span: tuple[int, int], parts: tuple[Part, ...], texts: Sequence[str]
) -> Bearer | None:
    line = told.line
    start, stop = span
    if not _alone(line, subject, start, stop):
        return None
    owned = ATTRIBUTE.match(subject.simple)
    held = level(line.span(start, start + owned.end("S"))) if owned else subject.level
    sure = {4: 0.97, 3: 0.94, 2: 0.78}.get(held, 0.0)
    core = subject.simple.split("的")[0]
    if held == 2 and (len(core) < 3 or sum(core in text for text in texts) < OFTEN):
        sure -= 0.16
    written = line.written(start, stop)
    if subject.simple == told.title:
        subject = replace(subject, text=written)
    lines, kind = _introduced(subject, written, line, texts)
    return Bearer(subject.text, start, stop, stop, parts, lines, kind, sure)


def _introduced(subject: Subject, written: str, line: Line, texts: Sequence[str]) -> tuple[tuple[int, ...], str | None]:
    """The sentence where a name that is written short here stands in full."""
    kind = "person" if subject.person and personal(to_simplified(subject.text)) else None
    name = to_simplified(subject.text)
    if subject.text == written or name in line.simple:
        return (), kind
    return tuple(i for i, text in enumerate(texts) if name in text)[:1], kind


def _referred(told: Told, subject: Subject, begin: int, end: int) -> Bearer | None:
    assert told.meant is not None
    _, start, stop = told.meant
    lead = time_at(told.line, begin, end) if start > begin else None
    if not begin <= start < end or not clean(subject) or (start > begin and (lead is None or lead.stop != start)):
        return None
    parts = (Part("time", lead.start, lead.end, lead.stop),) if lead and lead.stop == start else ()
    return Bearer(subject.text, start, stop, stop, parts, (subject.index,), _kind_of(subject), 0.88)


def _kind_of(subject: Subject) -> str:
    """The kind of one who is named in another sentence."""
    if subject.person and personal(subject.simple):
        return "person"
    return "work" if re.fullmatch("《[^《》]+》", subject.simple) else "name"


def _carried(told: Told, subject: Subject, begin: int, texts: Sequence[str]) -> Bearer | None:
    line = told.line
    if subject.level < 4 and (_WEAK_END.search(subject.simple) or _GENERIC_BODY.fullmatch(subject.simple)):
        return None
    if (
        subject.level < 3
        or not clean(subject)
        or re.search("[、,]", subject.simple)
        or _APART.match(line.simple, begin)
    ):
        return None
    if subject.index != line.index:
        if told.meant is None or told.meant[2] > begin:
            return None
        _, start, stop = told.meant
        return Bearer(subject.text, start, stop, begin, (), (subject.index,), _kind_of(subject), 0.84)
    start = line.simple.rfind(subject.simple, 0, begin)
    if start < 0 or not line.whole(start, start + len(subject.simple)) or not _told_of(line, start, begin):
        return None
    stop = start + len(subject.simple)
    if subject.simple == told.title:
        subject = replace(subject, text=line.written(start, stop))
    lines, kind = _introduced(subject, line.written(start, stop), line, texts)
    return Bearer(subject.text, start, stop, begin, (), lines, kind, 0.88 if subject.level == 4 else 0.8)


def _told_of(line: Line, start: int, begin: int) -> bool:
    """Whether the clauses between a subject and the one that takes it over say something of it."""
    between = [(a, b) for a, b, _ in clauses(line) if start < b and a < begin]
    verbs = [
        any(t.tag in ("v", "vn", "a") or t.text in "是为字号" for t in line.tokens if a <= t.start < b)
        for a, b in between
    ]
    last = line.simple[slice(*between[-1])] if between else ""
    opens = re.search("(?:包括|包含|[是有为]|如下)$", last)
    other = re.search("一[个种家所支名项座部条套款]|[两三四五]个", last) and not re.search("[是为]一", last)
    return all(verbs) and not opens and not other and not any(frame(line, a, b) for a, b in between)


def _alone(line: Line, subject: Subject, start: int, stop: int) -> bool:
    """Whether a subject of its own clause reads alone."""
    owned = ATTRIBUTE.match(subject.simple)
    if owned and clean(subject):
        stop = start + owned.end("S")
        return line.whole(start, stop) and level(line.span(start, stop)) >= 2
    if subject.level < 2 or not clean(subject):
        return False
    if re.search(
        r"[=]|(?:时代|时期|本质上|实际上|理论上|基本上|技术上)$|(?:产量|收入|数量|总数|比例|销量|产值|需求|消费|供应)$|初$|时$|\d[名人]|^变量|^默认值$|^(?:返回)?类型$",
        subject.simple,
    ):
        return False
    if "、" in subject.simple and line.simple[start - 1 : start] in (",", "、"):
        return False
    if _GENERIC_BODY.fullmatch(subject.simple):
        return False
    if subject.level < 4 and (_GOES_ON.search(subject.simple) or _WEAK_END.search(subject.simple)):
        return False
    if mixed(line, start, stop) or re.search("[A-Za-z)] ?(?:使用|利用|通过|采用|支持|提供)", subject.simple):
        return False
    if line.simple[stop : stop + 1] == "为" and re.match("[尊封立追]", subject.simple):
        return False
    if re.match("[于在自从]", subject.simple) and (
        re.match(r"[\d一二三四五六七八九十]+年", line.simple[stop:]) or subject.level < 4
    ):
        return False
    if _PLACED.search(subject.simple) and (subject.level < 3 or subject.simple.endswith("范围内")):
        return False
    return subject.level >= 3 or not re.search("[、,]", subject.simple)


def mixed(line: Line, start: int, stop: int) -> bool:
    """Whether a word that may be a verb stands between two Latin names: Hug 启发 FastAPI."""
    tokens = [token for token in line.span(start, stop) if token.text.strip()] if line.whole(start, stop) else []
    return any(
        token.tag in ("vn", "v", "p", "a") and left.text[-1].isascii() and right.text[0].isascii()
        for left, token, right in zip(tokens, tokens[1:], tokens[2:], strict=False)
    )


def vague(simple: str) -> bool:
    """Whether a noun phrase, simplified, is too common to stand for one thing."""
    return bool(_GOES_ON.search(simple) or _WEAK_END.search(simple) or _GENERIC_BODY.fullmatch(simple))


def clean(subject: Subject) -> bool:
    """Whether a subject points at nothing outside its words."""
    simple = subject.simple
    return not (DEICTIC.search(simple) or UNRULY.search(simple) or (subject.level < 4 and _VAGUE.match(simple)))
