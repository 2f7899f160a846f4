"""What happened: when, by whom, and who did it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from synth.grammar.chinese.candidates import Candidate, Found, Writer, candidate, named, nominal, when
from synth.grammar.chinese.clauses import GENERIC, Statement
from synth.grammar.chinese.lexicon import CLOSING, OPENING, TIME
from synth.grammar.chinese.lines import Token
from synth.grammar.chinese.objects import ACHIEVED, final_object

_STATIVE = re.compile(
    r"^(?:被认为|被视为|有|是|为|没|不|未|无|会|将会|可能|可以|可|能|应|须|必须|需|仍|还|也|都|拥有|位于|属于|达到?|超过|占|约|仅|只|至少|平均|共有|包括|包含|"
    r"大约|估计|认为|相信|希望|想|表示|称|说|指出|报告|声称|写道|认识|知道|觉得|处于|存在|面临|继续|一直|保持|维持|不断|逐渐|越来越|经历|"
    r"似乎|显示|表明|依然|如|即|既|由于|因|因为|为了|随着|以[^来]|对|从|与.{2,8}(?:相比|相似|不同)|除|根据|至|到|间|期间|之间|起|以来|以后|以前|前后|后|前|的|、|和|左右|初|末|底|中期|全|总)"
)
_ASPECT = re.compile(r"(?<=[\u4e00-\u9fff])了(?=\s?[\u4e00-\u9fff《“\dA-Za-z])|了$")
_BAD_TAIL = re.compile(r"(?:时|后|前|之后|之前|期间|中|以来|的|来|以|并|而|且|和|与|后来|为止|起|说|称|道|到|是)$")
_LONGEST = 32


def events(statements: Sequence[Statement], writer: Writer) -> Found:
    """Questions on the events that one sentence tells."""
    for statement in statements:
        if statement.subject is None or statement.start not in statement.line.edges:
            continue
        if statement.time:
            yield from time_of(statement, writer)
        yield from founded(statement, writer)
        yield from by_whom(statement, writer)
        yield from doer(statement, writer)


def verb_phrase(statement: Statement, start: int, end: int) -> str:
    """`simple[start:end]` as a question repeats it: without 了; "" when it is no clean predicate."""
    line = statement.line
    text = line.simple[start:end]
    tokens = line.span(start, end)
    if not line.whole(start, end) or not 2 <= len(text) <= _LONGEST or _STATIVE.match(text) or _BAD_TAIL.search(text):
        return ""
    if tokens[0].tag not in ("v", "vd", "p", "ad", "d", "vn") or not any(t.tag in ("v", "vn") for t in tokens):
        return ""
    if re.search(TIME, text) or sum(text.count(mark) for mark in OPENING) != sum(text.count(mark) for mark in CLOSING):
        return ""
    if (
        _relative(tokens)
        or (_EMPTY_OBJECT.search(text) and not named(tokens))
        or (re.match("在", text) and tokens[1].tag == "v")
    ):
        return ""
    if (
        len(tokens) >= 3
        and tokens[0].tag == "v"
        and tokens[-1].tag == "v"
        and not any(t.tag in ("p", "u", "c") or t.text in ("给", "成", "为", "让", "使") for t in tokens)
    ):
        return ""
    if text.count("、") > 1 or re.search("分别|各自|前者|等$", text) or _clipped(tokens):
        return ""
    return re.sub("^(?:就|便|才|也|即|还|又)", "", _ASPECT.sub("", line.written(start, end)))


def _clipped(tokens: Sequence[Token]) -> bool:
    """Whether the words are no predicate of their own: 建立的王国, 制作技艺列入名录, 被控."""
    if len(tokens) > 1 and tokens[1].text == "的":
        return True
    if "".join(token.text for token in tokens[:2]) in ("被控", "被捕", "被告", "获得支持"):
        return len(tokens) <= 2
    later = any(token.text in _ATTAINS for token in tokens[2:])
    return len(tokens) > 3 and tokens[0].tag in ("v", "vn") and tokens[1].tag == "n" and later


_ATTAINS = frozenset(("被", "列入", "入选", "获", "获得", "达到", "上升", "下降", "增长", "成为", "收录", "入围"))
_EMPTY_OBJECT = re.compile(
    r"一[项个种份些位名条系列][^“《]{0,8}$|合约$|^(?:宣布|表示|决定|发布|发表|提出|签署)了?.{0,3}$"
)


def _relative(tokens: Sequence[Token]) -> bool:
    """Whether a verb follows the last 的: 提出的证据显示 is no predicate of what stands before it."""
    places = [i for i, token in enumerate(tokens) if token.text == "的"]
    if not places or not any(token.tag == "v" for token in tokens[: places[-1]]):
        return False
    return any(token.tag in ("v", "d", "p", "vd", "m") for token in tokens[places[-1] + 1 :])


def time_of(statement: Statement, writer: Writer) -> Found:
    """When something happened: 1998年，X成立 -> X是哪一年成立的？"""
    line, subject = statement.line, statement.subject
    if statement.time is None or subject is None:
        return
    a, b = statement.time
    if not _exact(line.simple, a, b):
        return
    start, end = statement.start, statement.end
    final = line.simple[end - 1] == "的" if end > start else False
    phrase = verb_phrase(statement, start, end - 1 if final else end)
    if not phrase:
        return
    tokens = line.span(start, end)
    transitive = any(t.tag in ("n", "nz", "nw", "PER", "LOC", "ORG", "code") for t in tokens)
    if (
        (len(phrase) < 4 and subject.level < 3)
        or re.search(r"[、,]|[上中里内]$", subject.simple)
        or re.match("已", phrase)
    ):
        return
    rank = subject.level
    if rank < 3 and named(tokens) and not GENERIC.search(subject.simple):
        rank = 3
    sure = 0.9 if subject.level >= 3 else 0.85
    if len(phrase) > 18:
        sure -= 0.06 if len(phrase) <= 26 else 0.12
    if not transitive and not re.match(
        r"[\u4e00-\u9fff]{0,2}(?:成立|出生|去世|逝世|创立|建成|竣工|开放|发行|上映|出版|播出|开通|启用|落成|通车|关闭|解散|诞生|爆发|结束|灭亡|退役|被)",
        phrase,
    ):
        sure -= 0.08
    if statement.stop not in "。,;":
        sure -= 0.1
    word = when(line.simple[a:b])
    answer = _dated(line.raw, line.answer(a, b))
    yield replace(candidate(writer, statement, "{S}是" + word + "{V}的？", answer, "time", sure, V=phrase), level=rank)


def _exact(text: str, a: int, b: int) -> bool:
    """Whether the time is a point that is not one end of a range."""
    return not re.match(
        r"[至到~～\-–—、和与]|以[来后前]|[之前后来起]|期?间|年度|赛季|级|届|款|版", text[b : b + 2]
    ) and not re.search(r"(?:[至到~～\-–—、和与从自]|截[至止])$", text[max(0, a - 2) : a])


def _dated(raw: str, answer: str) -> str:
    """A year of an era with the common year in brackets that follows it, as one answer."""
    at = raw.find(answer)
    aside = re.match(r"[（(](?:公元前?)?\d{1,4}年[）)]", raw[at + len(answer) :]) if at >= 0 else None
    return answer + aside.group() if aside else answer


_FOUNDED = re.compile(
    rf"^(?:最早|最初|正式|始|则|大约|约)*(?P<V>成立|创立|创建|创办|建立|建成|始建|兴建|修建|重建|新建|建|创|设立|出版|发行|发表|首播|开播|播出|上映|完成|落成|竣工|动工|启用|开业|开通|"
    rf"通车|毕业|退役|去世|逝世|病逝|卒|死|诞生|出生|生|举行|召开|爆发|发生|结束|出现|灭亡|开馆|开园|解散|关闭|停产|投产|问世|推出|首演|完工|发布)于(?P<A>{TIME})(?P<R>.*)$"
)


def founded(statement: Statement, writer: Writer) -> Found:
    """X成立于1998年 -> X成立于哪一年？"""
    match = _FOUNDED.match(statement.predicate)
    if match is None:
        return
    line, shift = statement.line, statement.start
    a, b = match.start("A") + shift, match.end("A") + shift
    if match.group("R") or not _exact(line.simple, a, b):
        return
    verb = line.written(match.start("V") + shift, match.end("V") + shift)
    word = when(line.simple[a:b])
    form = "{S}{V}于" + word + "？" if word != "什么时候" else "{S}是什么时候{V}的？"
    if len(verb) == 1 and word == "什么时候":
        verb = {"建": "建成", "生": "出生", "卒": "去世", "死": "去世", "创": "创立"}.get(verb, verb)
    yield candidate(writer, statement, form, _dated(line.raw, line.answer(a, b)), "founded", 0.92, V=verb)


def by_whom(statement: Statement, writer: Writer) -> Found:
    """X由Y创立 -> X是由谁创立的？"""
    match = re.match(r"^(?:也|亦|最早|最初|主要|则|最终|后来|首先)*(?:是|均|都)?由", statement.predicate)
    if match is None:
        return
    line, subject = statement.line, statement.subject
    start = statement.start + match.end()
    if start not in line.edges or subject is None:
        return
    tokens = line.span(start, statement.end)
    stop = next(
        (t.start for t in tokens if t.tag in ("v", "p", "d", "vd", "ad", "TIME", "vn") or t.text in ("所", "于", "在")),
        start,
    )
    final = line.simple[statement.end - 1] == "的"
    phrase_end = statement.end - 1 if final else statement.end
    if not nominal(line, start, stop) or not line.whole(stop, phrase_end):
        return
    phrase = _ASPECT.sub("", re.sub("^所", "", line.written(stop, phrase_end)))
    if match.group().endswith("是由"):
        phrase = re.sub("的[^的]*$", "", phrase)
    if re.search(TIME, phrase):
        phrase = re.sub(rf"^(?:于|在)?{TIME}", "", phrase)
    if (
        not 2 <= len(phrase) <= 16
        or _BAD_TAIL.search(phrase)
        or re.match("与|和|组成|构成|不同|来|变|转|向|的|至|到|引起|其|一", phrase)
        or "等" in phrase[:1]
    ):
        return
    if (
        all(t.tag == "LOC" for t in line.span(statement.begin, statement.start) or ())
        and subject.source == "own"
        and statement.begin < statement.start
    ):
        return
    question, sure = _actor_word(statement, start, stop)
    if question is None or (len(subject.simple) < 3 and subject.level < 4):
        return
    yield candidate(
        writer, statement, "{S}是由" + question + "{V}的？", line.answer(start, stop), "by_whom", sure, V=phrase
    )


def _actor_word(statement: Statement, start: int, stop: int) -> tuple[str | None, float]:
    line = statement.line
    tokens, text = line.span(start, stop), line.simple[start:stop]
    if tokens[-1].tag == "PER":
        return "谁", 0.9
    if re.search(r"公司$|集团$|工作室$|厂商$", text):
        return "哪家公司" if not re.search("工作室$", text) else "哪个工作室", 0.88
    if tokens[-1].tag == "ORG" or re.search(r"[部局院会处司署社团队校]$|政府$|大学$", text):
        return ("哪个机构" if re.search(r"[部局院会处司署]$|政府$", text) else "谁"), 0.84
    if re.match(r"[A-Z][A-Za-z.]*(?: [A-Z][A-Za-z.]*)+$", text):
        return "谁", 0.82
    if named(tokens):
        return "谁", 0.66
    return None, 0.0


_THOUGHT = re.compile(
    r"^(?:认为|说|称|表示|相信|指出|希望|想|决定|知道|听|看|觉得|意识|承认|是|有|曾是|没|不|还|也|都|仍|最终|后来|只|则)"
)


def doer(statement: Statement, writer: Writer) -> Found:
    """X发明了Y -> 谁发明了Y？ for a person or body and a thing that only one could have done."""
    subject, line = statement.subject, statement.line
    if subject is None or subject.source != "own" or subject.level < 3:
        return
    if (
        _THOUGHT.match(statement.predicate)
        or statement.begin not in line.edges
        or final_object(line, statement.start, statement.end) is None
    ):
        return
    known = ACHIEVED.search(statement.predicate) is not None
    start, end = statement.start, statement.end
    tokens = line.span(start, end)
    phrase = verb_phrase(statement, start, end)
    if (
        re.match(r"[A-Z]?[\u4e00-\u9fff]*(?:人|国)$", subject.simple)
        and len(subject.simple) <= 3
        and not subject.person
    ):
        return
    if (
        not phrase
        or len(phrase) < 7
        or not (named(tokens) or len(phrase) >= 10)
        or ("了" not in statement.predicate and not statement.time)
    ):
        return
    own = subject.simple
    at = line.simple.find(own, statement.begin)
    if not (subject.person or _body(own)) or at < 0:
        return
    word = "谁" if subject.person else _body(own)
    text = line.written(start, end)
    form = ("{T}，" if statement.time else "") + word + "{V}？"
    parts = {"V": text, "T": line.written(*statement.time) if statement.time else ""}
    made = candidate(
        writer,
        statement,
        form,
        line.answer(at, at + len(own)),
        "doer",
        0.84 if statement.time else 0.8 if known else 0.74,
        **parts,
    )
    yield Candidate(made.question, made.answer, line, (line.index,), made.pattern, made.worth, 3)


def _body(text: str) -> str:
    if re.search(r"公司$|集团$", text):
        return "哪家公司"
    if re.search(r"大学$|学院$", text):
        return "哪所大学"
    if re.search(r"法院$|委员会$|议会$|协会$|基金会$|国会$|政府$|部$|局$", text):
        return "哪个机构"
    if re.search(r"(?:球队|队)$", text):
        return "哪支球队"
    return ""
