"""Whether a sentence states what it says, and whether a fact stands alone."""

from __future__ import annotations

import re

from synth.grammar.chinese.lexicon import DEICTIC, UNRULY
from synth.grammar.chinese.lines import Line, balanced
from synth.records import Fact, Term
from synth.text.normalise import fold_width, to_simplified

_HEARSAY = re.compile(
    r"据说|据称|据传|据信|据悉|据报|传说|相传|传闻|传言|有人|[^\u4e00-\u9fff]一说|另一说|又说|一般认为|"
    r"普遍认为|人们认为|被认为|被视为|理论上|似乎|好像|看似|仿佛|谣传|疑似|"
    r"假设|假如|假使|想象|例如|比如|譬如|试想|如下|以下|上例|本例|此例|示例|教程|本章|这个例子|剧透|虚构|"
    r"梦见|推测|猜测|大概|也许|或许|未必"
)
_SPEAKING = re.compile(r"[说道称问答写言云曰]:?[“「]|^[“「][^”」]*[”」]$")
_REPORTS = frozenset(
    "认为 指出 表示 说 称 声称 宣称 主张 相信 估计 预计 猜想 建议 认定 写道 提到 强调 觉得 希望 认识到 "
    "坚信 推断 断言 宣布 承认 否认 证明 显示 表明 说明 "
    "提议 要求 暗示 怀疑 担心 以为 知道 意识到 感到 梦 假定 决定 计划 打算 想 说明 意味着 发现 证实 确保 "
    "注意 记住 假装 报道 报告 据 揭示 解释 评价 描述 描写 讲述 讲 宣告 裁定 规定 判决 允诺 承诺 同意 警告".split()
)
_CLAUSAL = re.compile(
    "就可|也是|也会|都会|可以|必须|应该|不如|更[^新换改]|比.{1,8}[多少大小高低]|[好快慢]$|优秀$|良好$|完善$|强大$|年.{1,3}月|地.{1,4}了"
)
_CUT = re.compile("(?!位于|名为|个人|部长|座落|部分|名誉)[种个位名部座](?=[^牌])")
_BARE = re.compile(
    r"[\d一二三四五六七八九十百千万,]+[起例件个种名位]|[东西南北中]部(?:[东西南北]?部|边界|沿海|内陆)?(?:地区|部分|边界|海岸|地带)?"
)
_TRADE = re.compile("运动员|演员|歌手|作家|球员|选手|导演|画家|教练|工程师|教授|明星|艺人")
_GLOSSED = re.compile(r"[^，。,]{1,40}?(?:\s[-–—]\s|——|[:：]\s)")
_NAMING = frozenset("又也亦简俗别统被全合或")
_RELATIVE = re.compile(
    r"同年|次年|翌年|当时|那时|此时|当年|当天|当日|同日|同月|次日|翌日|前一|后一|现任|目前|如今|现在|今天|近日|最近"
)
_WEAK_OBJECT = re.compile(
    r"^(?:[于在由被把]|一些|许多|很多|不少|毗邻|邻近|附近|各种|多种|多个|几|某|这|那|另|其|同样|相同|不同|类似|什么|哪|"
    r"如何|怎|更|以下|如下|上述|两者|自己|对方|任何|所有|各|每|它|他|她|大量|少量|一定|相关|相应|足够|"
    r"一切|大部分|部分|少数|"
    r"多数|大多数|全部|整个|一点|一个人|了|的|和)|(?:等等?|之类|其他.{0,4}|其它.{0,4}|的|自己|对方|以下|"
    r"如下|某种|问题所在|其中)$"
)
_EMPTY_OBJECT = re.compile(
    r"^(?:一[个种项些])?(?:.{0,3}的|主要|重要|关键|另|很[大多]|[\u4e00-\u9fff])?(?:例子|示例|情况|方式|"
    r"方法|东西|事情|原因|结果|问题|选择|关键|一样|区别|部分|好处|不同|作用|"
    r"影响|意义|变化|想法|办法|地方|时候|事实|过程|机会|理由|答案|目的|重点|一点|意思|角色)$"
)


def stated(line: Line) -> bool:
    """Whether a sentence is the document's own word on how things are."""
    text = line.simple
    if _GLOSSED.match(line.raw):
        return False
    return not (_HEARSAY.search(text) or _SPEAKING.search(text) or re.search("我们?(?!国|军|方)|咱", text))


def told_by_others(line: Line) -> bool:
    """Whether the line as a whole is what somebody says, or a gloss."""
    return bool(_GLOSSED.match(line.raw) or _SPEAKING.search(line.simple))


def undisputed(line: Line, begin: int, end: int) -> bool:
    """Whether nothing up to `end` makes hearsay or an example of what a clause from `begin` on says.

    What comes behind it may still be an example, 支持多种数据库，例如…; hearsay anywhere spoils the line.
    """
    text = line.simple
    if _RUMOUR.search(text) or re.search("我们?(?!国|军|方)|咱", text[:end]):
        return False
    return not _HEARSAY.search(text[:end]) and not re.match("[,，](?:例如|比如|譬如|如下)", text[end:])


_RUMOUR = re.compile(
    "据说|据称|据传|据信|相传|传说|传闻|有人|一般认为|普遍认为|似乎|好像|谣传|疑似|"
    "假设|假如|假使|想象|试想|虚构|推测|猜测"
)


def clouds(line: Line, begin: int, end: int) -> bool:
    """Whether the clause reports what somebody says, so that what follows it is not stated."""
    if re.search("[说称道曰言云问指控]$|(?:辩|声|宣)称", line.simple[begin:end]):
        return True
    return any(
        t.text in _REPORTS and line.simple[t.start - 1 : t.start] not in _NAMING
        for t in line.tokens
        if begin <= t.start < end
    )


def sound(fact: Fact) -> bool:
    """Whether all parts of a fact read alone."""
    reader = fact.subject.text in ("你", "您")
    terms = (None if reader else fact.subject, fact.object, *fact.qualifiers)
    if any(term is not None and not _reads(term) for term in terms):
        return False
    relation = fact.relation.replace("…", "")
    if DEICTIC.search(relation) or UNRULY.search(relation) or not 0 < len(relation) <= 24:
        return False
    if fact.object is None:
        return True
    simple, subject = _simple(fact.object.text), _simple(fact.subject.text)
    if simple == subject or (fact.relation == "是" and subject.endswith(simple)):
        return False
    return whole(simple) and _fits(fact, simple, subject)


def whole(text: str) -> bool:
    """Whether an object is a thing that reads alone: no clause, no judgement, no bare number or direction."""
    cut = _CLAUSAL.search(text) or _CUT.match(text) or _BARE.fullmatch(text)
    return not (cut or _WEAK_OBJECT.search(text) or _RELATIVE.search(text) or _EMPTY_OBJECT.search(text))


def _fits(fact: Fact, text: str, subject: str) -> bool:
    """Whether the object can be one of the relation, so that the clause was not cut in the wrong place."""
    relation = fact.relation
    if relation.startswith("由…"):
        moved = fact.subject.kind == "place" and re.match("由…(?:运营|发行|代理|播出|出版)", relation)
        return not (moved or fact.subject.kind == "person" or subject.endswith(("夫妇", "兄弟")))
    if _TRADE.fullmatch(text) and not re.search("任|成为|当|聘|选|称|是|作|改", relation):
        return False
    if relation == "进行" and len(text) <= 2:
        return False
    return relation in ("是", "有") or not re.fullmatch("一[个种项][\u4e00-\u9fff]{2,3}", text)


def _reads(term: Term) -> bool:
    simple = re.sub("[你您]的", "", _simple(term.text))
    if not simple or not balanced(simple):
        return False
    if term.kind in ("condition", "purpose"):
        return len(simple) <= 52 and not re.search(
            r"[它其她]|(?<![其])他(?!们?[人物])|这|那|该(?!死)|此|上述|以下|如下|我|自己",
            re.sub("应该|因此|如此|那么", "", simple),
        )
    if term.kind == "reason":
        return len(simple) <= 48 and not DEICTIC.search(simple)
    if term.kind == "time":
        return re.match("[此这那该同其]", simple) is None
    if re.search("本(?:赛|次|届|项)", simple):
        return False
    if term.kind == "place" and re.search("市郊|原址|现址|当地|此地|附近|途中|[^\u4e00-\u9fff]地$", simple):
        return False
    return len(simple) <= 44 and not DEICTIC.search(simple) and not UNRULY.search(simple)


def _simple(text: str) -> str:
    return to_simplified(fold_width(text))
