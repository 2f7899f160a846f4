"""The main verb of a predicate and its object."""

from __future__ import annotations

import re

from synth.grammar.chinese.circumstances import Part
from synth.grammar.chinese.constructions import AMOUNT, amounts, construction, glued
from synth.grammar.chinese.lines import Line, Token
from synth.grammar.chinese.names import agreed, verbal
from synth.grammar.chinese.predicates import ASPECT, Predicate, complements, noun_phrase, reports
from synth.grammar.chinese.times import time_at

_TAKES_ACTION = frozenset("用于 用来 负责 旨在 致力于 有助于 用以 可用于 允许 支持 专门用于".split())
_HAPPENS = frozenset(
    "成立 创立 建成 完工 竣工 落成 开放 开业 开通 通车 启用 去世 逝世 病逝 出生 诞生 退役 解散 灭亡 爆发 "
    "结束 毕业 上映 出版 发行 播出 首播 关闭 倒闭 "
    "停产 投产 问世 升级 夺冠 即位 登基 退位 独立 投降 阵亡 遇害 自杀 结婚 离婚 辞职 退休 动工 开工 完成 "
    "始建 停刊 创刊 开馆 揭幕 闭幕 举行 召开 被捕 获释 "
    "失败 沉没 坠毁 生效 失效 废止 复活 迁都 建都".split()
)
_BORN = frozenset("出生 诞生 生 降生".split())
_DIED = frozenset("逝世 去世 病逝 卒 死 辞世 过世 身亡 离世".split())
_FULL = {"建": "建成", "生": "出生", "卒": "逝世", "死": "逝世", "创": "创立"}


def main(line: Line, start: int, end: int, *, bare: bool) -> Predicate | None:
    """The predicate whose verb begins at `start`; `bare` says that no phrase of 与 or 将 stands before it."""
    if not line.whole(start, end):
        return None
    tokens = line.span(start, end)
    lean = _LEANS.match(line.simple, start, end)
    if lean and tokens[0].end > lean.end():
        return glued(line, lean.end(), end)
    if bare:
        found, made = construction(line, start, end)
        if found:
            return made
    return _verb(line, start, end, tokens)


_LEANS = re.compile("[也还都亦又仍则便](?=[有是为])")
_APPOINT = re.compile(r"(?P<V>任命|册封|推选|推举|选举|聘请|提名|指定|封)了?(?P<Y>.{2,12}?)为(?P<Z>.{2,16})$")


def _appointed(line: Line, start: int, end: int) -> Predicate | None:
    """任命Y为Z: said of Y, so its relation holds Z."""
    match = _APPOINT.match(line.simple, start, end)
    if match is None:
        return None
    y, z = match.span("Y"), match.span("Z")
    if not (noun_phrase(line, *y) and noun_phrase(line, *z) and line.span(*y)[-1].tag == "PER"):
        return None
    relation = f"{match.group('V')}…为{match.group('Z')}"
    return Predicate("agent", relation, y, ((start, end),), sure=0.86)


_NOT = re.compile("不(?=具|知道|支持|需要|包含|包括|使用|属|存在|提供|允许|返回|接受|影响|依赖|具有|具备|适用|保证)")


def _verb(line: Line, start: int, end: int, tokens: tuple[Token, ...]) -> Predicate | None:
    first = tokens[0]
    if first.tag not in ("v", "vn") or reports(first.text) or first.text[-1] in "是":
        return None
    after = 1 if first.text in _TAKES_ACTION else complements(tokens)
    verb = "".join(t.text for t in tokens[:after] if t.text not in ASPECT)
    if after == len(tokens):
        return _alone(line, start, end, tokens, verb)
    if not verb:
        return None
    if verb[-1] in "于在至到自" or first.text[-1] in "于":
        timed = _ends_in_time(line, start, end, tokens, after, verb)
        if timed is not None:
            return timed
    made = _appointed(line, start, end)
    if made is not None:
        return made
    a = tokens[after].start
    if not verbal(first.text) or not agreed(line, a):
        return None
    if len(first.text) == 1 and after > 1 and tokens[1].text in ("上", "下", "起", "过", "回", "作", "进", "向"):
        return None
    negated = _NOT.match(verb) is not None
    verb = verb[1:] if negated else verb
    if first.text in _TAKES_ACTION and _action(line, a, end):
        return Predicate("verb", verb, (a, end), ((start, a), (a, end)), negated=negated, sure=0.86)
    if first.tag == "vn" and not any(t.text in ASPECT for t in tokens[:after]):
        return None
    if (
        not noun_phrase(line, a, end)
        or (len(verb) == 1 and verb not in "任含获产用写著建设占著达距")
        or tokens[after].text == "的"
    ):
        return None
    relation = {
        "出生在": "出生于",
        "出生于": "出生于",
        "生于": "出生于",
        "生在": "出生于",
        "逝世于": "逝世于",
        "病逝于": "逝世于",
        "卒于": "逝世于",
    }.get(verb, verb)
    if verb == "占" and AMOUNT.fullmatch(line.simple, a, end):
        return None
    return Predicate(
        "verb", relation, (a, end), ((start, a), (a, end)), amounts(line, a, end), negated=negated, sure=0.86
    )


def _alone(line: Line, start: int, end: int, tokens: tuple[Token, ...], verb: str) -> Predicate | None:
    """A verb without an object: 灯塔建成, 周文远去世."""
    if tokens[0].text not in _HAPPENS and not (len(verb) > 1 and tokens[-1].text == "了" and tokens[0].tag == "v"):
        # A phrase of 与 or 将 before it may still complete it; the caller judges that.
        return (
            Predicate("verb", verb, None, ((start, end),), sure=0.5) if len(verb) > 1 and tokens[0].tag == "v" else None
        )
    relation = "出生于" if verb in _BORN else "逝世于" if verb in _DIED else verb
    return Predicate("verb", relation, None, ((start, end),), sure=0.86)


def _ends_in_time(
    line: Line, start: int, end: int, tokens: tuple[Token, ...], after: int, verb: str
) -> Predicate | None:
    """成立于1998年."""
    place = tokens[after].start
    time = time_at(line, place, end)
    if time is None or time.stop != end:
        return None
    bare = verb[:-1] if verb[-1] in "于在" else verb
    relation = "出生于" if bare in _BORN else "逝世于" if bare in _DIED else bare
    words = _FULL.get(bare, "")
    if len(bare) == 1 and not words:
        return None
    relation = words if bare == "建" else relation
    stop = place - 1 if verb[-1] in "于在" else place
    return Predicate(
        "verb", relation, None, ((start, stop),), (Part("time", time.start, time.end),), sure=0.92, words=words
    )


_NAMING_NOUN = re.compile(r"的[\u4e00-\u9fff]{0,6}(?:机构|组织|框架|工具|公司|库|协会|团体|项目|系统)$")
_BROKEN = re.compile(r"[的了和与并或且而以来去中时后]$|^(?:的|了|和|并|或)|如何|怎样|怎么|什么|哪|是否|为何|更|等$")


def _action(line: Line, start: int, end: int) -> bool:
    """Whether the span is a verb phrase or a noun phrase that can be what something is for."""
    text = line.simple[start:end]
    if not line.whole(start, end) or not 2 <= len(text) <= 36 or _BROKEN.search(text) or _NAMING_NOUN.search(text):
        return False
    return line.span(start, end)[0].tag in ("v", "vn", "p", "vd", "n", "nz", "code", "a", "ad", "d", "ORG", "LOC")
