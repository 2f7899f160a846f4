"""Questions on events: when, and by whom."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from synth.grammar.chinese.candidates import Candidates, TemplateWriter, candidate, named, nominal, when
from synth.grammar.chinese.clauses import GENERIC, Statement
from synth.grammar.chinese.lexicon import CLOSING, OPENING, TIME
from synth.grammar.chinese.lines import Token
from synth.grammar.chinese.set_forms import makers

_STATIVE = re.compile(
    r"^(?:被认为|被视为|有|是|为|没|不|未|无|会|将会|可能|可以|可|能|应|须|必须|需|仍|还|也|都|拥有|位于|属于|达到?|超过|占|约|仅|只|至少|平均|共有|包括|包含|"
    r"大约|估计|认为|相信|希望|想|表示|称|说|指出|报告|声称|写道|认识|知道|觉得|处于|存在|面临|继续|一直|保持|维持|不断|逐渐|越来越|经历|"
    r"似乎|显示|表明|依然|如|即|既|由于|因|因为|为了|随着|以[^来]|对|从|与.{2,8}(?:相比|相似|不同)|除|根据|至|到|间|期间|之间|起|以来|以后|以前|前后|后|前|的|、|和|左右|初|末|底|中期|全|总)"
)
_ASPECT = re.compile(r"(?<=[\u4e00-\u9fff])了(?=\s?[\u4e00-\u9fff《“\dA-Za-z])|了$")
_BAD_TAIL = re.compile(r"(?:时|后|前|之后|之前|期间|中|以来|的|来|以|并|而|且|和|与|后来|为止|起|说|称|道|到|是)$")
_MAX_LENGTH = 32
_ALSO = frozenset(("就", "便", "才", "也", "即", "还", "又"))


def events(statements: Sequence[Statement], writer: TemplateWriter) -> Candidates:
    """Questions on the events that one sentence tells."""
    for statement in statements:
        if statement.subject is None or statement.start not in statement.line.edges:
            continue
        if statement.time:
            yield from time_of(statement, writer)
        yield from founded(statement, writer)
        yield from by_whom(statement, writer)


def verb_phrase(statement: Statement, start: int, end: int) -> str:
    """`simple[start:end]` as a question repeats it: without 了; "" when it is no clean predicate."""
    line = statement.line
    text = line.simple[start:end]
    tokens = line.span(start, end)
    if (
        not line.whole(start, end)
        or not 2 <= len(text) <= _MAX_LENGTH
        or _STATIVE.match(text)
        or _BAD_TAIL.search(text)
    ):
        return ""
    if tokens[0].tag == "vn" and len(tokens) > 1 and tokens[1].tag == "v":
        return ""
    if tokens[0].tag not in ("v", "vd", "p", "ad", "d", "vn") or not any(t.tag in ("v", "vn") for t in tokens):
        return ""
    if re.search(TIME, text) or sum(text.count(mark) for mark in OPENING) != sum(text.count(mark) for mark in CLOSING):
        return ""
    if (
        _has_relative_clause(tokens)
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
    if text.count("、") > 1 or re.search("分别|各自|前者|等$", text) or _is_clipped(tokens):
        return ""
    begin = tokens[0].end if tokens[0].text in _ALSO and len(tokens) > 1 else start
    return _ASPECT.sub("", line.written(begin, end))


def _is_clipped(tokens: Sequence[Token]) -> bool:
    """True if the words are no predicate of their own: 建立的王国, 制作技艺列入名录, 被控."""
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


def _has_relative_clause(tokens: Sequence[Token]) -> bool:
    """True if a verb follows the last 的: 提出的证据显示 is no predicate of what stands before it."""
    places = [i for i, token in enumerate(tokens) if token.text == "的"]
    if not places or not any(token.tag == "v" for token in tokens[: places[-1]]):
        return False
    return any(token.tag in ("v", "d", "p", "vd", "m") for token in tokens[places[-1] + 1 :])


def time_of(statement: Statement, writer: TemplateWriter) -> Candidates:
    """When something happened: 1998年，X成立 -> X是哪一年成立的？"""
    line, subject = statement.line, statement.subject
    if statement.time is None or subject is None:
        return
    a, b = statement.time
    if not _is_point_in_time(line.simple, a, b):
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
    answer = _with_common_year(line.raw, line.answer(a, b))
    yield replace(candidate(writer, statement, "{S}是" + word + "{V}的？", answer, "time", sure, V=phrase), level=rank)


def _is_point_in_time(text: str, a: int, b: int) -> bool:
    """True if the time is a point that is not one end of a range."""
    return not re.match(
        r"[至到~～\-–—、和与]|以[来后前]|[之前后来起]|期?间|年度|赛季|级|届|款|版", text[b : b + 2]
    ) and not re.search(r"(?:[至到~～\-–—、和与从自]|截[至止])$", text[max(0, a - 2) : a])


def _with_common_year(raw: str, answer: str) -> str:
    """A year of an era with the common year in brackets that follows it, as one answer."""
    at = raw.find(answer)
    aside = re.match(r"[（(](?:公元前?)?\d{1,4}年[）)]", raw[at + len(answer) :]) if at >= 0 else None
    return answer + aside.group() if aside else answer


_FOUNDED = re.compile(
    rf"^(?:最早|最初|正式|则|大约|约)*(?P<V>始建|始创|成立|创立|创建|创办|建立|建成|兴建|修建|重建|新建|建|创|设立|出版|发行|发表|首播|开播|播出|上映|完成|落成|竣工|动工|启用|开业|开通|"
    rf"通车|毕业|退役|去世|逝世|病逝|卒|死|诞生|出生|生|举行|召开|爆发|发生|结束|出现|灭亡|开馆|开园|解散|关闭|停产|投产|问世|推出|首演|完工|发布)于(?P<A>{TIME})(?P<R>.*)$"
)


def founded(statement: Statement, writer: TemplateWriter) -> Candidates:
    """X成立于1998年 -> X成立于哪一年？"""
    match = _FOUNDED.match(statement.predicate)
    if match is None:
        return
    line, shift = statement.line, statement.start
    a, b = match.start("A") + shift, match.end("A") + shift
    if match.group("R") or not _is_point_in_time(line.simple, a, b):
        return
    verb = line.written(match.start("V") + shift, match.end("V") + shift)
    word = when(line.simple[a:b])
    form = "{S}{V}于" + word + "？" if word != "什么时候" else "{S}是什么时候{V}的？"
    if len(verb) == 1 and word == "什么时候":
        verb = {"建": "建成", "生": "出生", "卒": "去世", "死": "去世", "创": "创立"}.get(verb, verb)
    yield candidate(writer, statement, form, _with_common_year(line.raw, line.answer(a, b)), "founded", 0.92, V=verb)


_BY_AGENT = re.compile(r"^(?:也|亦|最早|最初|主要|则|最终|后来|首先)*(?:是|均|都)?由")
_ADVERBIALS = rf"(?:(?:于|在)?{TIME}|所|共同|联合|合作|正式|首次|独立|一手|亲自|负责)*"
_CREATION = re.compile(rf"{_ADVERBIALS}(?P<V>(?:{'|'.join(makers())})(?:完成|而成)?)(?:了|的[^的]*)?")


def by_whom(statement: Statement, writer: TemplateWriter) -> Candidates:
    """X由Y创立 -> X是由谁创立的？"""
    match = _BY_AGENT.match(statement.predicate)
    line, subject = statement.line, statement.subject
    if match is None or subject is None or statement.start + match.end() not in line.edges:
        return
    start = statement.start + match.end()
    stop = next(
        (t.start for t in line.span(start, statement.end) if t.tag in _ENDS or t.text in ("所", "于", "在")), start
    )
    if not nominal(line, start, stop) or not line.whole(stop, statement.end) or re.search("[、,]", subject.simple):
        return
    verb_match = _CREATION.fullmatch(line.simple, stop, statement.end)
    place = all(t.tag == "LOC" for t in line.span(statement.begin, statement.start)) and subject.source == "own"
    if verb_match is None or place or (len(subject.simple) < 3 and subject.level < 4):
        return
    question, sure = _actor_word(statement, start, stop)
    if question is not None:
        form, verb = "{S}是由" + question + "{V}的？", line.written(*verb_match.span("V"))
        yield candidate(writer, statement, form, line.answer(start, stop), "by_whom", sure, V=verb)


_ENDS = frozenset(("v", "p", "d", "vd", "ad", "TIME", "vn"))


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
        return "什么" if text.isascii() and text.islower() else "谁", 0.66
    return None, 0.0
