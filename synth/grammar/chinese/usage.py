"""What instructions and manuals say to use for what."""

from __future__ import annotations

import re
from collections.abc import Sequence

from synth.grammar.chinese.candidates import Candidate, Found, TemplateWriter, named, nominal
from synth.grammar.chinese.clauses import CONTEXT, Statement, level
from synth.grammar.chinese.copulas import things
from synth.grammar.chinese.lines import ChineseLine

_YOU = r"(?:你|您|我们|用户|开发者)?"
_MODAL = r"(?:还|也|只|通常|一般|同样|总是|始终)?(?P<M>可以|可|能够|能|应该|应当|应|需要|需|必须|要|会|将|将会)?"
_TO = re.compile(
    rf"^(?:推荐|建议)?{_YOU}{_MODAL}(?:直接|轻松|继续|先)?(?P<V>使用|用|利用|借助|通过|调用)(?P<A>.+?)(?:(?:来|去|从而|以)(?P<Y>[^来以]{{3,}})|(?P<Y2>(?:在|为|从|将|把|对|向|与|跟|给)[^,]{{6,}}))$"
)
_VAGUE_ANSWER = re.compile(
    r"^(?:也|自动|一|每|各|这|那|某|几|多|更|很|非常|各种|不同|所有|任何|任意|相应|对应|相同|同样|同一|合适|正确|必要|另|自己|内容|信息|数据|结果|代码|东西|方式|方法|功能|问题|错误|值|它|其|哪|什么|如何|怎|是否|大量|少量|额外|良好|以|有)"
)
BROKEN = re.compile(
    r"[了着]?(?:的|了|和|与|并|或|且|而|以|来|去|中|时|后)$|^(?:的|了|和|并|或)|如何|怎样|怎么|什么|哪|是否|为何"
)


def usage(line: ChineseLine, found: Sequence[Statement], writer: TemplateWriter) -> Found:
    """Questions on the instructions that one sentence gives."""
    for position, statement in enumerate(found):
        if statement.stop == ":" or statement.begin not in line.edges:
            continue
        before = found[position - 1] if position else None
        yield from _by_means(statement, before, writer)


def asked_word(line: ChineseLine, start: int, end: int) -> str:
    """什么, 谁, 哪里 or 什么参数: how to ask for a noun phrase."""
    tokens, text = line.span(start, end), line.simple[start:end]
    if len(tokens) == 1 and tokens[0].tag == "PER" and not re.search("[朝国派教军族队党家节鲁]$", text):
        return "谁"
    kind = next((noun for noun in things() if text.endswith(noun) and end - len(noun) in line.edges), "")
    if kind and len(tokens) > 1 and "的" not in text and named(tokens[:-1]):
        return "什么" + kind
    return "什么"


def impersonal(text: str) -> str:
    """`text` without the reader: 你的应用 becomes 应用."""
    return re.sub(r"(?:[为给帮替][你您]|(?<!让)(?<!使)(?<!诉)[你您])们?的?|我们的", "", text)


def make(
    statement: Statement,
    writer: TemplateWriter,
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


def verbal(line: ChineseLine, start: int, end: int) -> bool:
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


def _by_means(statement: Statement, before: Statement | None, writer: TemplateWriter) -> Found:
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
    first, *rest = line.span(y1, y2)
    if not (first.tag == "v" and first.text != "为") and not any(t.tag in ("v", "vn") for t in rest):
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
