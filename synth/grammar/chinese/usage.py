"""What instructions and manuals say: what to use for what, what a part does, what happens when."""

from __future__ import annotations

import re
from collections.abc import Sequence

from synth.grammar.chinese.candidates import Candidate, Found, Writer, named, nominal
from synth.grammar.chinese.clauses import CONTEXT, Statement, level, make_subject, noun_phrase_end
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.objects import ACHIEVED, asked_word, final_object

_YOU = r"(?:你|您|我们|用户|开发者)?"
_MODAL = r"(?:还|也|只|通常|一般|同样|总是|始终)?(?P<M>可以|可|能够|能|应该|应当|应|需要|需|必须|要|会|将|将会)?"
_TO = re.compile(
    rf"^(?:推荐|建议)?{_YOU}{_MODAL}(?:直接|轻松|继续|先)?(?P<V>使用|用|利用|借助|通过|调用)(?P<A>.+?)(?:(?:来|去|从而|以)(?P<Y>[^来以]{{3,}})|(?P<Y2>(?:在|为|从|将|把|对|向|与|跟|给)[^,]{{6,}}))$"
)
WANT = re.compile(
    r"^(?:要想|若要|如需|为了|要|想要|如果(?:你|您|我们)?(?:想要?|需要|要|希望))(?P<Y>(?!求|么|不).{4,})$"
)
ASKED = re.compile(
    rf"^(?:那么|则|就|请|{_YOU})?{_YOU}{_MODAL}(?:请)?(?:首先|先|直接|单独|额外|同时|另外)?(?P<V>使用|用|安装|设置|创建|声明|导入|调用|添加|运行|执行|定义|传入|继承|启用|提供|导出|返回|编写|打开|修改|实现|指定)(?P<A>.+)$"
)
_MADE_FOR = re.compile(
    r"^(?:主要|常|通常|可以|可|一般|会)*(?:是)?(?:被)?(?P<V>用于|用来|用以|专门用于|负责)(?P<A>.+?)(?P<D>的)?$"
)
_MEANS = re.compile(
    r"^(?:就|则|也|只是|通常|实际上|本质上)*(?P<V>表示|意味着|指的是|是指|代表|等同于|等价于|相当于|基于|继承自|继承于|依赖于|依赖|取决于|对应于?|类似于|不同于|适用于|仅限于|遵循|替代了?|取代了?|是基于)(?P<A>.+?)(?P<D>的)?$"
)
_IF = re.compile(
    r"^(?:但是?|不过|而|默认情况下)?(?:如果|若|假如|要是|一旦|当)(?P<C>.{4,30}?)(?:时|的时候|的话|之后|后)?$"
)
_THEN = re.compile(r"^(?:那么|则|就|便)?(?:你|您|用户|你们)?(?:就|也|还)?")
_VAGUE_ANSWER = re.compile(
    r"^(?:也|自动|一|每|各|这|那|某|几|多|更|很|非常|各种|不同|所有|任何|任意|相应|对应|相同|同样|同一|合适|正确|必要|另|自己|内容|信息|数据|结果|代码|东西|方式|方法|功能|问题|错误|值|它|其|哪|什么|如何|怎|是否|大量|少量|额外|良好|以|有)"
)
_LATIN = re.compile("[A-Za-z]")
BROKEN = re.compile(
    r"[了着]?(?:的|了|和|与|并|或|且|而|以|来|去|中|时|后)$|^(?:的|了|和|并|或)|如何|怎样|怎么|什么|哪|是否|为何"
)


def usage(line: Line, found: Sequence[Statement], writer: Writer) -> Found:
    """Questions on the instructions and behaviours that one sentence states."""
    for position, statement in enumerate(found):
        if statement.stop == ":" or statement.begin not in line.edges:
            continue
        before = found[position - 1] if position else None
        yield from _by_means(statement, before, writer)
        yield from _purpose(statement, writer)
        yield from _instrument(statement, writer)
        if before is not None and before.stop == ",":
            yield from _wanted(before, statement, writer)
            yield from _conditional(before, statement, writer)
        yield from _behaviour(statement, before, writer)


def impersonal(text: str) -> str:
    """`text` without the reader: 你的应用 becomes 应用."""
    return re.sub(r"(?:[为给帮替][你您]|(?<!让)(?<!使)(?<!诉)[你您])们?的?|我们的", "", text)


def make(
    statement: Statement,
    writer: Writer,
    form: str,
    span: tuple[int, int],
    pattern: str,
    worth: float,
    anchored: int,
    **parts: str,
) -> Candidate:
    """A candidate whose parts are freed of 你 and 您; `span` is the answer, `anchored` the level."""
    clean = {key: impersonal(value) for key, value in parts.items()}
    line = statement.line
    span = (span[0] + 2 * line.simple.startswith(("你的", "您的"), span[0]), span[1])
    return Candidate(
        writer.fill(form, **clean),
        line.answer(*span),
        line,
        (line.index,),
        pattern,
        worth,
        anchored,
        parts.get("S", ""),
    )


def verbal(line: Line, start: int, end: int) -> bool:
    """Whether the span is a verb phrase of whole words that can stand in a question."""
    if not line.whole(start, end) or end - start < 3 or BROKEN.search(line.simple[start:end]):
        return False
    first = line.span(start, end)[0]
    return first.tag in ("v", "vn", "vd", "p", "ad", "d", "a") or first.text in ("与", "跟")


def _context(before: Statement | None) -> str:
    """在X中, that stands before a clause, as a question repeats it; "" when there is none."""
    if before is None or before.stop != "," or before.order != 0:
        return ""
    return before.line.written(before.begin, before.end) if CONTEXT.match(before.clause) else ""


def _by_means(statement: Statement, before: Statement | None, writer: Writer) -> Found:
    """你可以使用A来Y -> 可以使用什么来Y？"""
    match = _TO.match(statement.clause)
    line = statement.line
    if match is None or (before is not None and before.clause.startswith(("由于", "因为"))):
        return
    if statement.clause.startswith("要") and statement.stop == ",":
        return
    group = "Y" if match.group("Y") else "Y2"
    a, b, y1, y2 = (
        statement.begin + i for i in (match.start("A"), match.end("A"), match.start(group), match.end(group))
    )
    if (
        not verbal(line, y1, y2)
        or not line.whole(a, b)
        or y2 - y1 > 30
        or re.search(r"也|不受|不会|不能|无法", line.simple[y1:y2])
    ):
        return
    if not any(t.tag == "v" for t in line.span(y1, y2)):
        return
    verb, modal = match.group("V"), match.group("M") or ""
    anchored = level(line.span(y1, y2))
    if not nominal(line, a, b) or _VAGUE_ANSWER.match(line.simple[a:b]):
        return
    modal = {
        "会": "",
        "将": "",
        "将会": "",
        "要": "需要",
        "能": "可以",
        "可": "可以",
        "能够": "可以",
        "需": "需要",
        "应": "应该",
    }.get(modal, modal)
    context = _context(before)
    if group == "Y2" and re.match("[在从]", line.simple[y1:y2]):
        asks = f"{modal or '可以'}{verb}{asked_word(line, a, b)}"
    else:
        asks = f"{modal or '可以'}{verb}{asked_word(line, a, b)}来"
    exact = any(t.tag == "code" or len(re.sub("[^A-Za-z]", "", t.text)) >= 4 for t in line.span(a, b))
    sure = (0.84 if exact else 0.54) - (0.08 if y2 - y1 < 7 else 0.0)
    yield make(
        statement,
        writer,
        "{C}" + asks + "{Y}？",
        (a, b),
        "by_means",
        sure,
        anchored,
        Y=line.written(y1, y2),
        C=context + "，" if context else "",
    )


_THROUGH = re.compile(
    r"^(?P<H>(?:可以|可|能够|能|常|通常|主要|一般|会)?(?P<V>通过|利用|使用|借助))(?P<A>.+?)(?:来|从而)(?P<Y>.{3,})$"
)


def _instrument(statement: Statement, writer: Writer) -> Found:
    """X通过A来Y -> X通过什么来Y？"""
    subject, line = statement.subject, statement.line
    match = _THROUGH.match(statement.predicate)
    if match is None or subject is None or subject.level < 2 or subject.source != "own":
        return
    a, b = statement.start + match.start("A"), statement.start + match.end("A")
    y1 = statement.start + match.start("Y")
    if not line.whole(a, b) or not verbal(line, y1, statement.end) or not 3 <= b - a <= 30 or statement.end - y1 > 22:
        return
    head = line.written(statement.start, a)
    yield make(
        statement,
        writer,
        "{S}{H}什么来{Y}？",
        (a, b),
        "instrument",
        0.82,
        subject.level,
        S=subject.text,
        H=head,
        Y=line.written(y1, statement.end),
    )


def _wanted(before: Statement, statement: Statement, writer: Writer) -> Found:
    """要Y，需要安装A -> 要Y，需要安装什么？"""
    want = WANT.match(before.clause)
    asked = ASKED.match(statement.clause)
    line = statement.line
    if want is None or asked is None or before.order:
        return
    y1, y2 = before.begin + want.start("Y"), before.end
    a, b = statement.begin + asked.start("A"), statement.end
    if line.simple.startswith("提供的", a):
        a += 3
    if (
        not line.whole(y1, y2)
        or not nominal(line, a, b)
        or _VAGUE_ANSWER.match(line.simple[a:b])
        or BROKEN.search(line.simple[y1:y2])
    ):
        return
    modal = asked.group("M") or ""
    modal = {"要": "需要", "会": "", "将": "", "能": "可以", "可": "可以", "需": "需要", "": "应该"}.get(modal, modal)
    verb = line.written(statement.begin + asked.start("V"), statement.begin + asked.end("V"))
    sure = 0.84 if named(line.span(a, b)) else 0.74 if named(line.span(y1, y2)) else 0.5
    if line.simple.startswith("如果", before.begin):
        form, wish = "{Y}，", line.written(before.begin, y2)
    else:
        form, wish = "要{Y}，", line.written(y1, y2)
    yield make(
        statement,
        writer,
        form + modal + "{V}" + asked_word(line, a, b) + "？",
        (a, b),
        "wanted",
        sure,
        level(line.span(y1, y2)),
        Y=wish,
        V=verb,
    )


def _conditional(before: Statement, statement: Statement, writer: Writer) -> Found:
    """如果C，就会返回A -> 如果C，会返回什么？"""
    match, line = _IF.match(before.clause), statement.line
    if match is None or before.order or _WISHES.search(match.group("C")) or line.simple[statement.begin - 1] != ",":
        return
    c1, c2 = before.begin + match.start("C"), before.begin + match.end("C")
    start = statement.begin + _lead(_THEN, statement.clause)
    if not line.whole(c1, c2) or start not in line.edges:
        return
    stop = noun_phrase_end(line, start, statement.end)
    owned = start < stop < statement.end and make_subject(line, start, stop) is not None
    begin = stop if owned else start
    begin += _lead(_FILLER, line.simple[begin : statement.end])
    if begin >= statement.end or begin not in line.edges or not _effect(line, begin, statement.end):
        return
    if level(line.span(c1, c2)) < 3 and not (owned and named(line.span(start, stop))):
        return
    owner = line.written(start, stop) if owned else ""
    parts = {"C": re.sub("^(?:但是?|不过|而)", "", line.written(before.begin, before.end)), "S": owner}
    found = final_object(line, begin, statement.end)
    if found and found[1] - begin <= 14 and not _VAGUE_ANSWER.match(line.simple[found[1] : statement.end]):
        a, b = found[1], statement.end
        form = "{C}，{S}{H}" + asked_word(line, a, b) + "？"
        if b - a <= 3 and not named(line.span(a, b)):
            return
        if line.simple[found[0] : a].rstrip("了出到") in line.simple[c1:c2]:
            return
        yield make(statement, writer, form, (a, b), "conditional", 0.82, 3, H=line.written(begin, a), **parts)
    elif _happens(statement, start, begin):
        form = "{C}，{S}会怎么样？" if owner else "{C}，会发生什么？"
        yield make(statement, writer, form, (begin, statement.end), "outcome", 0.76, 3, **parts)


def _happens(statement: Statement, start: int, begin: int) -> bool:
    """Whether the predicate at `begin` is a consequence, short, whole, and none of the reader's doing."""
    text = statement.line.simple[begin : statement.end]
    reader = re.search("[你您]|用户", statement.line.simple[statement.begin : start])
    fits = statement.stop == "。" and len(text) <= 30 and not reader
    return fits and re.match("(?:会|将|不会|必须|不能|应该)(?!知道|认为|假定|尝试|需要)", text) is not None


_WISHES = re.compile("想|希望|需要|愿意|在意|熟悉|了解|阅读|学习|好奇|喜欢|觉得")
_FILLER = re.compile(r"(?:也|还|就|则|便|仍然|仍|同样|同时)+")


def _lead(form: re.Pattern[str], text: str) -> int:
    match = form.match(text)
    return match.end() if match else 0


def _effect(line: Line, start: int, end: int) -> bool:
    """Whether the span is a predicate that says what happens, not what the reader may wish."""
    first = line.span(start, end)[0]
    return first.tag in ("v", "d", "p", "vd", "ad") and not re.match(
        r"请|看看|试试|可以看|可能|想|是|参考|参见|查看|阅读|记住|确保|注意", line.simple[start:end]
    )


def _purpose(statement: Statement, writer: Writer) -> Found:
    """X用于Y -> X用来做什么？"""
    subject, line = statement.subject, statement.line
    match = _MADE_FOR.match(statement.predicate)
    if match is None or subject is None or subject.level < 2 or subject.source != "own" or statement.hazy:
        return
    a, b = statement.start + match.start("A"), statement.start + match.end("A")
    if (
        not line.whole(a, b)
        or b - a < 3
        or b - a > 34
        or re.search(r"更|各种|不同|其他|等|场景$|情况$", line.simple[a:b])
    ):
        return
    if re.match("是", statement.predicate) and not match.group("D"):
        return
    if not named(line.span(a, b)) and b - a < 4:
        return
    verbal = line.span(a, b)[0].tag in ("v", "vd", "p", "ad")
    verb = match.group("V")
    form = "{S}负责什么？" if verb == "负责" else "{S}用来做什么？" if verbal else "{S}用于什么？"
    told = verbal or (named(line.span(a, b)) and "的" in line.simple[a:b])
    sure = 0.5 if verb == "负责" and _LATIN.search(subject.simple) else 0.84 if verbal or verb == "负责" else 0.72
    if not told and verb != "负责":
        sure = 0.84 if line.span(a, b)[-1].tag == "vn" and b - a > 4 else 0.5
    yield make(statement, writer, form, (a, b), "purpose", sure, subject.level, S=subject.text)


def _behaviour(statement: Statement, before: Statement | None, writer: Writer) -> Found:
    """X会返回A -> X会返回什么？"""
    subject, line = statement.subject, statement.line
    if subject is None or subject.level < 3 or subject.source != "own" or statement.time or statement.hazy:
        return
    context = _context(before)
    if _MEANS.match(statement.predicate):
        yield from _meaning(statement, context, writer)
        return
    start = statement.start + _lead(_FILLER, statement.predicate)
    if start >= statement.end or start not in line.edges or not _effect(line, start, statement.end):
        return
    found = final_object(line, start, statement.end)
    if found is None or (not context and _depends(statement, before)):
        return
    verb, a, b = *found, statement.end
    head, answer = line.written(start, a), line.simple[a:b]
    if re.match(r"\d+(?:[到至万亿名人个]|\.\d)", answer):
        return
    if _VAGUE_ANSWER.match(answer) or len(answer) > 30 or a - start > 26 or answer.count("的") > 2:
        return
    if head.endswith(("通过使用", "通過使用")):
        return
    parts = {"C": context + "，" if context else "", "S": subject.text, "H": head}
    form = "{C}{S}{H}" + asked_word(line, a, b) + "？"
    known = ACHIEVED.search(line.simple[verb:a]) and named(line.span(a, b)) and not _LATIN.search(statement.clause)
    if known:
        yield make(statement, writer, form, (a, b), "achieved", 0.76 if context else 0.5, subject.level, **parts)
    else:
        sure = _likely(statement, (start, verb, a), bool(context))
        yield make(statement, writer, form, (a, b), "behaviour", sure, subject.level, **parts)


def _likely(statement: Statement, places: tuple[int, int, int], context: bool) -> float:
    """How sure an object question is: its predicate, verb and object begin at `places`."""
    start, verb, a = places
    line, subject = statement.line, statement.subject
    specific = context or (verb > start and named(line.span(start, verb)))
    long = verb - start > 3 or (subject is not None and len(subject.text) >= 10)
    sure = 0.82 if specific else 0.72 if long else 0.58
    if not named(line.span(a, statement.end)):
        sure -= 0.05 if statement.end - a > 3 else 0.14
    if not _LATIN.search(statement.clause):
        sure -= 0.06 if specific and named(line.span(a, statement.end)) else 0.3
    elif not _TELLING.search(line.simple[verb:a]) and not context:
        sure -= 0.18
    return sure


_TELLING = re.compile(
    "返回|继承|默认|导入|安装|触发|抛出|引发|依赖|需要|支持|存储|保存|生成|创建|读取|要求|设置|转换|重定向|接收|兼容|遵循|调用|称为|命名|使用"
)


def _depends(statement: Statement, before: Statement | None) -> bool:
    """Whether the clause before, which the question cannot repeat, may limit this one."""
    return before is not None and before.stop == "," and not before.subject and before.order + 1 == statement.order


def _meaning(statement: Statement, context: str, writer: Writer) -> Found:
    """X表示A -> X表示什么？"""
    line, subject, means = statement.line, statement.subject, _MEANS.match(statement.predicate)
    if means is None or subject is None:
        return
    a, b = statement.start + means.start("A"), statement.start + means.end("A")
    clausal = means.group("V") in ("表示", "意味着", "指的是", "是指") and statement.stop in ("。", "")
    if not line.whole(a, b) or not (clausal or nominal(line, a, b)):
        return
    if not 2 <= b - a <= 34 or _VAGUE_ANSWER.match(line.simple[a:b]):
        return
    tail = "的" if means.group("D") and means.group("V") == "是基于" else ""
    verb = line.written(statement.start + means.start("V"), statement.start + means.end("V"))
    parts = {"C": context + "，" if context else "", "S": subject.text, "V": verb}
    yield make(statement, writer, "{C}{S}{V}什么" + tail + "？", (a, b), "means", 0.82, subject.level, **parts)
