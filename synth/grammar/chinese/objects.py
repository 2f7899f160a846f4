"""Questions for the object of a sentence, for a number in it, and for the one by whom something was done."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from synth.grammar.chinese.candidates import Found, Writer, candidate, named, nominal
from synth.grammar.chinese.clauses import Statement
from synth.grammar.chinese.lexicon import ABOUT, MEASURE, NUMBER, TIME
from synth.grammar.chinese.lines import Line, Token

_AUXILIARY = re.compile(
    r"^(?:会|将会|将|能|能够|可以?|要|应该?|应当|需要?|必须|不会|不能|不要|不可|不得|只能|才能|都会|总会|可能|用来|用于|允许|不允许|帮助|要求|不要求|支持|不支持|让|使|尝试|开始|负责|并不)$"
)
_NO_OBJECT = re.compile(
    r"^(?:是|有|为|成为|令|想|说|称|认为|表示|指出|进行|予以|包括|包含|位于|属于|没有|没|不|无|如|像|以为|觉得|知道|继续|停止|来|去|到|至|保持|启发|超过|穿过|看到|得以|扔|放|拥有|具有|存在|处于|等于|未|希望|决定|同意|打算|试图|请|默认|"
    r"导致|造成|引起|受|受到|经过|代表|得|得到|给|成|出|由|由于|并非|非|看看|试试|变得|作为|为了|查询|了解|参考|宣布|遭|遭到|遭受|取得|带来|告诉|不鼓励|鼓励|从事|有助于|位列|达|高达|有着|发生|无权|被迫|在于|发表于|成立于|坐落于)$"
)
ACHIEVED = re.compile(
    r"发明|发现|证明|提出|创立|创建|创办|建立|设计|发起|开发|开创|推出|主持|领导|指挥|击败|战胜|打败|占领|攻占|征服|统一|推翻|签署|颁布|制定|任命|暗杀|刺杀|杀死|处死|翻译|撰写|编写|创作|执导|"
    r"主演|出版|发表|资助|收购|买下|购买|修建|建造|兴建|改编|绘制|谱写|访问|成为|担任|当选|接任|夺得|赢得|获得|打破|登上|命名|捐赠|宣布|雇佣|聘请|废除|恢复|拒绝|批准|否决|袭击|入侵|摧毁|解散|扮演|饰演|颁布"
)
_COMPLEMENT = frozenset("了过到出为成至于给起上下作入回自")
_KIND = re.compile(
    "(?:参数|模型|方法|函数|类|选项|装饰器|插件|库|中间件|字段|属性|文件|包|工具|命令|变量|错误|异常|对象|响应|类型|格式|"
    "语法|标准|协议|框架|环境变量|状态码|端口|目录|数据库|关键字|依赖项|客户端|服务器|请求头|标签|注解|模式|规范|组件|"
    "编码|算法|语言|软件|系统|计划|条约|法案|公司|大学|奖项|奖|冠军|战役|战争)$"
)


def final_object(line: Line, start: int, end: int) -> tuple[int, int] | None:
    """(start of its verb, start of the object) where the main verb and a noun phrase end the clause.

    Before the main verb there may be auxiliaries, a phrase with a preposition, or 使用…来.
    """
    tokens = line.span(start, end)
    preposed = False
    for i, token in enumerate(tokens):
        if token.text in ("是", "为", "非", "如何", "怎样", "是否", "为何", "为了") or (
            token.tag == "v" and token.text.endswith("是")
        ):
            return None
        if token.tag == "v" and i and tokens[i - 1].text in ("和", "与", "及", "以及", "或", "或者", "并", "而"):
            return None
        if token.tag == "vn" and i + 1 < len(tokens) and tokens[i + 1].tag == "v":
            return None
        if token.tag == "p" or token.text in ("来", "以", "将", "把", "在"):
            preposed = True
        if (
            token.tag != "v"
            or (_AUXILIARY.match(token.text) and not _takes(line, tokens, i, end))
            or token.text in ("来", "去", "在")
        ):
            continue
        after = i + 1
        while after < len(tokens) and tokens[after].text in _COMPLEMENT:
            after += 1
        fits = after < len(tokens) and nominal(line, tokens[after].start, end)
        single = len(token.text) == 1 and token.text not in "用写打建传设放买卖读画演唱产杀含"
        if fits and not single and not _NO_OBJECT.match(token.text):
            return token.start, tokens[after].start
        if not preposed and not any(later.text in ("来", "以") for later in tokens[after:]):
            return None
    return None


def _takes(line: Line, tokens: Sequence[Token], i: int, end: int) -> bool:
    """Whether the auxiliary is the main verb, with a noun phrase after it: 需要证书."""
    return (
        tokens[i].text in ("需要", "支持", "要求", "不支持", "不需要")
        and i + 1 < len(tokens)
        and tokens[i + 1].tag not in ("v", "vn")
        and nominal(line, tokens[i + 1].start, end)
    )


def asked_word(line: Line, start: int, end: int) -> str:
    """什么, 谁, 哪里 or 什么参数: how to ask for a noun phrase."""
    tokens, text = line.span(start, end), line.simple[start:end]
    if len(tokens) == 1 and tokens[0].tag == "PER" and not re.search("[朝国派教军族队党家节鲁]$", text):
        return "谁"
    kind = _KIND.search(text)
    if kind and len(tokens) > 1 and "的" not in text and named(tokens[:-1]) and start + kind.start() in line.edges:
        return "什么" + kind.group()
    return "什么"


def objects(statements: Sequence[Statement], writer: Writer) -> Found:
    """Questions on objects and numbers of one sentence that a date or a name makes unique."""
    for statement in statements:
        yield from how_many(statement, writer)
        if statement.subject is None or statement.start not in statement.line.edges:
            continue
        yield from dated_object(statement, writer)
        yield from counted(statement, writer)
        yield from share(statement, writer)
        yield from passive(statement, writer)


def dated_object(statement: Statement, writer: Writer) -> Found:
    """1981年，X推出了Y -> 1981年，X推出了什么？"""
    subject, line = statement.subject, statement.line
    if subject is None or subject.level < 3 or statement.time is None or not _point(line, statement.time):
        return
    found = final_object(line, statement.start, statement.end)
    if found is None or found[0] != statement.start:
        return
    a, b = found[1], statement.end
    text = line.simple[a:b]
    tokens = line.span(a, b)
    if (
        not named(tokens)
        or not 2 <= b - a <= 24
        or re.search(rf"{TIME}|[、,]", text)
        or re.match(rf"{ABOUT}{NUMBER}", text)
    ):
        return
    word = asked_word(line, a, b)
    if word == "什么" and tokens[-1].tag in ("LOC", "ORG") and "的" not in text:
        if tokens[-1].tag == "ORG" or not GOING.search(line.simple[statement.start : a]):
            return
        word = "哪里"
    if re.search("国$", text) and len(tokens) == 1:
        word = "哪个国家"
    parts = {"T": line.written(*statement.time), "V": line.written(statement.start, a)}
    yield candidate(writer, statement, "{T}，{S}{V}" + word + "？", line.answer(a, b), "dated_object", 0.78, **parts)


def _point(line: Line, time: tuple[int, int]) -> bool:
    return not re.match(
        r"[至到~～\-–—、和与]|以[来后前]|[之前后来起]|期?间|年度|赛季", line.simple[time[1] : time[1] + 2]
    )


GOING = re.compile(
    "访问|到达|抵达|前往|迁往|迁至|进入|占领|攻占|入侵|攻打|出访|返回|回到|逃往|移居|定居|登陆|收复|围攻"
)
_HOW_MANY = re.compile(
    rf"^(?:有|约有|共有|或许|估计|据估计)*(?P<A>{ABOUT}{NUMBER}[多余]?(?P<C>[{MEASURE}]?))(?P<N>[^\d]{{0,10}}?)(?P<V>(?:死|丧|遇|参|加|被|入|出|聚|逃|移|受|生活|居住|接受|获|使用|在|没有).+)$"
)


def how_many(statement: Statement, writer: Writer) -> Found:
    """1466年，40,000人死于瘟疫 -> 1466年，有多少人死于瘟疫？"""
    line = statement.line
    match = _HOW_MANY.match(statement.predicate) if statement.subject is None else None
    if (
        match is None
        or statement.begin not in line.edges
        or statement.stop == ":"
        or not (statement.time or statement.context)
    ):
        return
    shift = statement.start
    a, b = match.start("A") + shift, match.end("A") + shift
    n1, v1 = match.start("N") + shift, match.start("V") + shift
    if (
        v1 == a
        or v1 not in line.edges
        or not (match.group("C") or match.group("N"))
        or not named(line.span(v1, statement.end))
        or statement.end - v1 > 22
        or re.match("[一1](?!\\d)", match.group("A"))
    ):
        return
    if line.span(v1, statement.end)[0].tag not in ("v", "p"):
        return
    unit = line.written(b - len(match.group("C")), b) if match.group("C") else ""
    parts = {"C": unit, "N": line.written(n1, v1), "V": re.sub("了", "", line.written(v1, statement.end))}
    form = "有多少{C}{N}{V}？"
    if statement.time:
        form, parts["T"] = "{T}，" + form, line.written(*statement.time)
    made = candidate(writer, statement, form, line.answer(a, b if match.group("C") else v1), "how_many", 1.0, **parts)
    if made.level < 3:
        yield replace(made, worth=0.84, level=3)


_COUNTED = re.compile(
    rf"(?P<A>{ABOUT}{NUMBER}[多余]?(?P<C>[{MEASURE}]|平方公里|公里|英里|公顷|小时|分钟|个月|万美元|美元|英镑|吨|米|%))(?P<N>[^\d,、]{{0,14}})$"
)


def counted(statement: Statement, writer: Writer) -> Found:
    """X雇佣了400名官员 -> X雇佣了多少名官员？"""
    subject, line = statement.subject, statement.line
    match = _COUNTED.search(statement.predicate)
    if match is None or subject is None or subject.level < 3 or subject.simple.startswith("变量"):
        return
    shift = statement.start
    a, b = match.start("A") + shift, match.end("A") + shift
    before = line.span(statement.start, a) if a in line.edges else ()
    if (
        not before
        or not any(t.tag == "v" for t in before)
        or not line.whole(statement.start, statement.end)
        or a - statement.start > 16
    ):
        return
    last = before[-1]
    if not (
        last.tag == "v" or (last.text in ("了", "过") and len(before) > 1 and before[-2].tag in ("v", "a"))
    ) or re.match(r"是|为|称|说|到|至|如|第|有$|成$", last.text):
        return
    if (
        (b < statement.end and not nominal(line, b, statement.end))
        or re.match(r"第|[一1](?!\d|[十百千万亿])", match.group("A"))
        or "的" in match.group("N")
        or (match.group("C") == "年" and (match.group("N") or re.match(r"\d{3,4}$", match.group("A")[:-1])))
        or re.search(r"[\d.至到占~-]$", line.simple[:a])
        or re.search("从|自|由|比", line.simple[statement.start : a])
    ):
        return
    if not match.group("N") and match.group("C") in "个种位名只次年" and match.group("C") not in "年次":
        return
    unit = match.group("C")
    parts = {
        "V": line.written(statement.start, a),
        "C": line.written(b - len(unit), b),
        "N": line.written(b, statement.end) if b < statement.end else "",
        "T": line.written(*statement.time) if statement.time else "",
    }
    form = ("{T}，" if statement.time else "") + "{S}{V}多少{C}{N}？"
    sure = (
        0.84
        if statement.time
        or named(line.span(b, statement.end) if b < statement.end else ())
        or len(statement.predicate) > 9
        else 0.76
    )
    yield candidate(writer, statement, form, line.answer(a, b), "counted", sure, **parts)


_SHARE = re.compile(
    rf"^(?P<H>.{{0,8}}?占(?P<X>.{{2,16}}?)的?)(?<![\d.至到~-])(?P<A>{ABOUT}(?:\d+(?:\.\d+)?%|[一二三四五六七八九十]分之[一二三四五六七八九十]|一半)(?:以上|左右|以下)?)$"
)


def share(statement: Statement, writer: Writer) -> Found:
    """X占Y的60% -> X占Y的多少？"""
    match, line = _SHARE.match(statement.predicate), statement.line
    if match is None:
        return
    a, b = match.start("A") + statement.start, statement.end
    head = line.written(statement.start, a)
    word = "百分之多少" if "%" in match.group("A") else "几分之几"
    yield candidate(writer, statement, "{S}{H}" + word + "？", line.answer(a, b), "share", 0.84, H=head)


def passive(statement: Statement, writer: Writer) -> Found:
    """X被Y击败 -> X被谁击败？"""
    line, subject = statement.line, statement.subject
    text = statement.predicate
    match = re.match(r"^(?:曾|最终|后来|之后|随即)*被", text)
    if match is None or subject is None or subject.level < 3:
        return
    start = statement.start + match.end()
    if start not in line.edges:
        return
    tokens = line.span(start, statement.end)
    stop = next((t.start for t in tokens if t.tag in ("v", "p", "d")), start)
    actor = line.span(start, stop)
    if (
        not actor
        or not all(t.tag == "PER" or t.text in ("·", "的", "和", "、") or t.tag == "n" for t in actor)
        or actor[-1].tag != "PER"
    ):
        return
    phrase = re.sub("^所", "", line.written(stop, statement.end))
    if not 2 <= len(phrase) <= 14 or re.search(r"的$|后$|时$|并", phrase):
        return
    form = ("{T}，" if statement.time else "") + "{S}被谁{V}？"
    parts = {"V": re.sub("了$", "", phrase), "T": line.written(*statement.time) if statement.time else ""}
    yield candidate(writer, statement, form, line.answer(start, stop), "passive", 0.84, **parts)
