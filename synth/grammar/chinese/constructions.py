"""Predicates in a set construction: measures, names, passives, copulas, 有 and 以."""

from __future__ import annotations

import re
from dataclasses import replace

from synth.grammar.chinese.candidates import strip_quotes
from synth.grammar.chinese.circumstances import Part
from synth.grammar.chinese.clauses import noun_phrase_end
from synth.grammar.chinese.lexicon import ABOUT, NUMBER, UNIT
from synth.grammar.chinese.lines import Line, Token
from synth.grammar.chinese.predicates import ASPECT, Predicate, complements, noun_phrase, reports
from synth.grammar.chinese.set_forms import QUANTITY
from synth.grammar.chinese.times import time_at

_COPULA = re.compile(
    r"(?P<C>只不过是|只是|不是|并非|并不是|即是|即为|即|乃是|乃|便是|就是|正是|是|为|系)(?!由|因|在|"
    r"以[^色]|了|否|指|说|从|对|通过|用来|用于|什么|不|被|根据)"
)
_QUALITY = re.compile(r"(?P<C>不是|并不是|就是|总是|都是|也是|是)(?P<A>[\u4e00-\u9fff]{1,6})的$")
ALIAS = re.compile(
    r"(?P<K>又称|亦称|也称|或称|又名|亦名|也叫|又叫|亦作|又作|也被称为|又被称为|亦被称为|别名|别称|简称|"
    r"全称|全名|原名|本名|旧称|旧名|古称|古名|"
    r"俗称|俗名|学名|英文名|中文名|字|号|笔名|艺名|绰号|外号|昵称|谥号|庙号|法号)(?:之?为|作|是|叫作?|做)?"
)
_SAME_NAME = re.compile("又称|亦称|也称|或称|又名|亦名|也叫|又叫|亦作|又作|称为|别名|别称")
AMOUNT = re.compile(
    rf"{ABOUT}(?:{NUMBER}[多余]?(?:{UNIT}|"
    rf"[个种座所家条名位次分部首只头支项枚届颗间层处类张册卷架辆艘台场轮幅篇本段块份股组对套匹期列片人年天岁])|"
    rf"\d+(?:\.\d+)?%)(?:以上|以下|左右)?"
)

_KEY = (
    r"(?:总|占地|建筑|流域|使用|陆地|水域|校园)?面积|占地|占地面积|总?人口密度|(?:总|常住|户籍)?人口|全长|(?:总|平均)?长度?|总长|(?:总|平均|最高)?高度?|"
    r"(?:总|平均|最大)?宽度?|(?:平均|最大)?(?:水深|深度|深)|(?:平均|最高)?海拔(?:高度)?|体长|身长|身高|体重|翼展|(?:总)?重量|重|(?:树干)?直径|半径|跨度|"
    r"(?:总|最大)?容量|蓄水量|航速|射程|总投资|造价|耗资|票房|收视率|排水量|流量|载客量|(?:年|总)?产量|厚度?|温度|密度|年降水量|年均降水量|年平均气温|"
    r"平均气温|(?:总)?装机容量|载重|速度|最高时速|(?:最大)?起飞重量|座位数|编制"
)
_PER = r"(?:每平方公里)?"
_SUM = (
    rf"{ABOUT}{_PER}(?:{NUMBER}(?:{UNIT})?(?:至|到|~|-|–|—)+)?{NUMBER}[多余]?(?:{UNIT}|平方[公英]?[里尺呎哩]|呎|哩|海里|个座位|个)?"
    rf"\d*(?:左右|以上|以下)?"
)
MEASURED = re.compile(rf"的?(?P<K>{_KEY})(?P<M>可?[长高多宽深]?达到?|为|是|有|仅?为|共有?|共计|:)?(?P<A>{_SUM})$")


def construction(line: Line, start: int, end: int) -> tuple[bool, Predicate | None]:
    """Whether a set construction begins at `start`, and the predicate where it was understood."""
    tokens = line.span(start, end)
    for form in (_measure, _alias, _passive, _founded_on, _quality, _copula, _have):
        made = form(line, start, end, tokens)
        if made is not None:
            return True, made
    first = tokens[0].text
    if first == "以":
        return True, _as(line, start, end, tokens)
    named = ALIAS.match(line.simple, start, end) is not None and first not in ("号", "字")
    opens = first in ("由", "被", "遭", "是", "为", "有", "没有") or _COPULA.match(line.simple, start, end)
    return bool(named or opens), None


def glued(line: Line, start: int, end: int) -> Predicate | None:
    """有, 是 or 为 that the segmenter left joined to 也 or 都 before it."""
    tokens = tuple(
        replace(t, text=t.text[start - t.start :], start=start) if t.start < start < t.end else t for t in line.tokens
    )
    shorter = replace(line, tokens=tokens, edges=line.edges | {start})
    rest = shorter.span(start, end)
    return _have(shorter, start, end, rest) or _copula(shorter, start, end, rest)


def _measure(line: Line, start: int, end: int, tokens: tuple[Token, ...]) -> Predicate | None:
    text = line.simple[start:end]
    match = QUANTITY.match(text)
    found = match or MEASURED.match(text)
    if found is None or found.start("K") + start not in line.edges:
        return None
    if (
        match is None
        and "人口" not in text
        and not re.search(rf"(?:{UNIT}|[里尺呎哩位个])\d*(?:左右|以上|以下)?$", text)
    ):
        return None
    a, b = start + found.start("A"), start + found.end("A")
    if not line.whole(a, b):
        return None
    first = start + found.start("K")
    sure = 0.94 if match is not None else 0.84
    parts = (Part("quantity", a, b),)
    return Predicate("measure", found.group("K"), (a, b), ((first, a), (a, b)), parts, sure=sure)


def _alias(line: Line, start: int, end: int, tokens: tuple[Token, ...]) -> Predicate | None:
    match = ALIAS.match(line.simple, start, end)
    if match is None or match.end() >= end:
        return None
    key = match.group("K")
    a, b = strip_quotes(line, match.end(), end)
    text = line.simple[a:b]
    if re.search(r"[、,;:()。]|或|以及|和|^[为是]|是一|为一|的", text) or not text or len(text) > 24:
        return None
    if key in ("字", "号") and (len(text) > 4 or re.search("[于在]", text) or not len(text) >= 1):
        return None
    relation = "又称" if _SAME_NAME.search(key) else key
    return Predicate("alias", relation, (a, b), ((start, match.end()), (match.end(), end)), sure=0.92)


def _passive(line: Line, start: int, end: int, tokens: tuple[Token, ...]) -> Predicate | None:
    """由Y设计, 是由Y设计的, 被Y击败, 被列为Z."""
    match = re.compile("(?P<B>(?:是)?由|被)").match(line.simple, start, end)
    if match is None or match.end() not in line.edges:
        return None
    word = "由" if match.group("B").endswith("由") else "被"
    final = end - 1 if match.group("B") == "是由" and line.simple[end - 1] == "的" else end
    if match.group("B") == "是由" and final == end:
        return None
    a = match.end()
    b = noun_phrase_end(line, a, final)
    place, parts = b, []
    while place < final and (time := time_at(line, place, final)) is not None and time.stop < final:
        parts.append(Part("time", time.start, time.end))
        place = time.stop
    rest = line.span(place, final) if line.whole(place, final) else ()
    if rest and rest[0].text in ("所", "共同", "负责", "联合", "合作", "一起", "正式", "首次", "专门"):
        place, rest = rest[0].end, rest[1:]
    if not rest or rest[0].tag not in ("v", "vn"):
        return None
    if b == a:
        return _listed(line, start, final, rest, word)
    if not noun_phrase(line, a, b):
        return None
    tail = "".join(t.text for t in rest[1:])
    verb = rest[0].text
    if verb in ("担任", "组成员") or reports(verb):
        return None
    pieces = ((start, b), (place, end))
    if tail in ("", "了", "而成", "成", "的", "完成"):
        return Predicate(
            "agent" if word == "由" else "passive", f"{word}…{verb}", (a, b), pieces, tuple(parts), sure=0.92
        )
    if word == "被":
        return _by_agent(line, (start, a, b), final, rest)
    return None


def _listed(line: Line, start: int, end: int, rest: tuple[Token, ...], word: str) -> Predicate | None:
    """被列为Z, 被击败: without an agent."""
    if word != "被":
        return None
    after = complements(rest)
    verb = "".join(t.text for t in rest[:after] if t.text not in ASPECT)
    if verb in ("认为", "视为", "认为是", "称", "指", "指责", "看作", "当作", "控", "怀疑", "誉为", "看成", "告"):
        return None
    if after == len(rest):
        return Predicate("passive", "被" + verb, None, ((start, end),), sure=0.84) if len(verb) > 1 else None
    a = rest[after].start
    if not noun_phrase(line, a, end):
        return None
    return Predicate("passive", "被" + verb, (a, end), ((start, a), (a, end)), sure=0.88)


def _by_agent(line: Line, agent: tuple[int, int, int], end: int, rest: tuple[Token, ...]) -> Predicate | None:
    """被Y任命为Z."""
    start, a, b = agent
    after = complements(rest)
    verb = "".join(t.text for t in rest[:after] if t.text not in ASPECT)
    if after == len(rest) or not noun_phrase(line, rest[after].start, end):
        return None
    place = rest[after].start
    relation = f"被{line.simple[a:b]}{verb}"
    return Predicate("passive", relation, (place, end), ((start, place), (place, end)), sure=0.86)


_QUALITIES = re.compile(
    r"可选|必需|必填|必须|默认|异步|同步|公开|免费|开源|私有|公有|有效|无效|合法|非法|只读|可变|不可变|"
    r"嵌套|唯一|独立|透明|封闭|圆形|方形|兼容|安全|有毒|无毒|强制|自动|线程安全|永久|临时"
)


def _quality(line: Line, start: int, end: int, tokens: tuple[Token, ...]) -> Predicate | None:
    """是可选的: a quality, not a thing."""
    match = _QUALITY.match(line.simple, start, end)
    if match is None or not _QUALITIES.fullmatch(match.group("A")):
        return None
    negated = "不" in match.group("C")
    return Predicate("quality", f"是{match.group('A')}的", None, ((start, end),), negated=negated, sure=0.9)


def _founded_on(line: Line, start: int, end: int, tokens: tuple[Token, ...]) -> Predicate | None:
    """是基于Y的, 是基于Y构建的."""
    match = re.compile(r"(?:就|都)?是基于(?P<A>.+?)(?:之上)?(?:设计|实现|构建|开发|编写)?的$").match(
        line.simple, start, end
    )
    if match is None or not noun_phrase(line, *match.span("A")):
        return None
    return Predicate("agent", "基于", match.span("A"), ((start, end),), sure=0.9)


def _copula(line: Line, start: int, end: int, tokens: tuple[Token, ...]) -> Predicate | None:
    match = _COPULA.match(line.simple, start, end)
    if match is None or match.end() not in line.edges or tokens[0].text in ("为了", "系列", "即使", "即将"):
        return None
    a = match.end()
    if match.group("C") == "为" and tokens[0].tag == "p" and not AMOUNT.match(line.simple, a):
        return None
    if match.group("C") == "即" and tokens[0].tag in ("d", "c") and not noun_phrase(line, a, end):
        return None
    if re.match("尝试|试图|通过|让|使|为了|用来|把|将|需要|可以|想", line.simple[a:end]):
        return None
    amount = AMOUNT.fullmatch(line.simple, a, end)
    if not amount and not noun_phrase(line, a, end):
        return None
    parts = (Part("quantity", a, end),) if amount else ()
    negated = match.group("C")[0] in "不并"
    relation = "只是" if match.group("C").startswith("只") else "是"
    return Predicate("copula", relation, (a, end), ((start, a), (a, end)), parts, negated=negated, sure=0.9)


def _have(line: Line, start: int, end: int, tokens: tuple[Token, ...]) -> Predicate | None:
    match = re.compile("没有|有|无|没").match(line.simple, start, end)
    if match is None or tokens[0].text not in ("有", "没有", "无", "没"):
        return None
    a = match.end()
    if not noun_phrase(line, a, end) or (line.span(a, end)[-1].tag == "vn" and len(line.span(a, end)) == 1):
        return None
    return Predicate(
        "have", "有", (a, end), ((start, a), (a, end)), amounts(line, a, end), negated=match.group() != "有", sure=0.88
    )


def _as(line: Line, start: int, end: int, tokens: tuple[Token, ...]) -> Predicate | None:
    """以竹子为食, 以精巧的布局闻名."""
    match = re.compile(
        r"以(?P<A>.{1,20}?)而?(?P<V>为食|为主食|著称|闻名|著名|出名|知名|命名|为中心|为主题|为背景)$"
    ).match(line.simple, start, end)
    if match is None:
        return None
    a, b = match.span("A")
    if not line.whole(a, b) or not noun_phrase(line, a, b):
        return None
    return Predicate("agent", f"以…{match.group('V')}", (a, b), ((start, end),), sure=0.9)


def amounts(line: Line, a: int, b: int) -> tuple[Part, ...]:
    """The number and its measure word at the head of an object."""
    match = AMOUNT.match(line.simple, a, b)
    if (
        match is None
        or match.group().endswith("届")
        or (re.match(r"\d{3,4}年$", match.group()) and match.end() < b)
        or (re.match("一[^百千万亿十]", match.group()) and match.end() < b)
    ):
        return ()
    return (Part("quantity", a, match.end()),)
