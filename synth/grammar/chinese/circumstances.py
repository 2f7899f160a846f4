"""Phrases that say where, how, when, why or under which condition."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace

from synth.grammar.chinese.clauses import noun_phrase_end
from synth.grammar.chinese.lines import Line, Token


@dataclass(frozen=True, slots=True)
class Part:
    """A circumstance: its kind, what is said of it, and where it ends with all its words.

    Kinds are those of the qualifiers of a fact; "with" is a phrase that belongs to the verb (与, 对),
    "onto" an object before it (将, 把), "bad" one that cannot be read. `text` is
    how it reads, where it is not as written.
    """

    kind: str
    start: int
    end: int
    stop: int = 0
    text: str = ""


_WITH = frozenset("与 和 跟 同 对 向 为 给 从 自 比 朝 往 沿 沿着 替 由于 和 以".split()) - {"由于", "以"}
_MANNER = frozenset("通过 使用 利用 借助 用 透过 凭借 按照 按 经由 运用 采用".split())
_TAILS = frozenset("时 的时候 时候 之前 之后 以前 以后 前 后 期间 情况下".split())
_TOGETHER = frozenset("与 和 跟 同".split())
_MUTUAL = re.compile(
    r"(?:完全|无缝|直接|不|正式|紧密|共同)?(?:结盟|结婚|订婚|离婚|合作|合并|兼容|集成|相连|相邻|接壤|毗邻|"
    r"相接|连接|对应|匹配|交战|作战|有关|无关|相关|相同|相似|类似|"
    r"竞争|交流|通信|交互|建交|会面|会谈|对抗|互动|共享|签订|签署|达成|断交|结合|交配|混淆|重叠|平行|垂直|"
    r"相交|相对|交界|一起|配合|搭配|同名|同步|"
    r"展开|发生|组队|搭档|决裂|和解|分离|分手|隔)"
)
_IS_TIME = re.compile(
    r"(?:期间|时期|时代|年代|世纪|年间|[年月日])(?:中|内|[初末底])?$|(?:时限|时间|期限|小时|分钟|天|"
    r"年)[之以]?内$|\d世纪|年代"
)
_IS_CONDITION = re.compile(
    r"(?:情况|条件|前提|情形|环境|模式)下$|(?:时|之前|之后|以前|以后|时候)$|[^\u4e00-\u9fff]后$|"
    r"[^以之门背身]后$|[^以之门面]前$"
)
_IS_MANNER = re.compile(
    r"(?:领导|支持|帮助|影响|压力|指挥|协助|推动|努力|主持|指导|统治|名义|监督|带领)下?$|基础上$|形式$|方式$"
)
_LOCAL = frozenset(
    "中 里 上 内 下 外 之中 之内 之上 之下 之间 间 旁 附近 境内 一带 以北 以南 以东 以西 以内 里面 上面".split()
)
_UNCLEAR = re.compile(r"方面|位置|问题|意义上|程度上|角度|看来|来说|眼中|心中|过程|范围")


def circumstance(line: Line, token: Token, end: int) -> Part | None:
    """The phrase that `token` opens, or None where it opens none."""
    text = token.text
    if text in ("在", "于", "位于") and token.tag in ("p", "v", "d") and text != "位于":
        return _at(line, token, end)
    if text in ("因", "由于", "因为"):
        return _noun_part("reason", line, token, end, ("而",))
    if text == "为了":
        return _noun_part("purpose", line, token, end, ("而",))
    if text in _MANNER and (token.tag in ("p", "v")):
        return _by(line, token, end)
    if text == "以" and token.tag in ("p", "v", "c"):
        return _as_means(line, token, end)
    if text in ("将", "把") and token.tag in ("p", "d"):
        part = _noun_part("onto", line, token, end)
        return part if part is not None and part.kind != "bad" else None if token.tag == "d" else part
    if text in _WITH and (
        token.tag in ("p", "c") or (text in ("为", "对") and token.tag == "v" and _acts(line, token, end))
    ):
        part = _noun_part("with", line, token, end)
        return part if text not in _TOGETHER or _mutual(line, part, end) else replace(part, kind="bad")
    if token.tag == "p" and text not in ("被", "由", "为", "遭", "至", "到"):
        return Part("bad", token.start, token.end, token.end)
    return None


def _acts(line: Line, token: Token, end: int) -> bool:
    """Whether a verb follows behind the noun phrase after 为 or 对, so that this is a preposition."""
    stop = noun_phrase_end(line, token.end, end)
    return any(t.start == stop and t.tag == "v" and len(t.text) > 1 for t in line.tokens) and stop > token.end


def _mutual(line: Line, part: Part, end: int) -> bool:
    """Whether a verb behind 与X takes a partner; else 与 may join two subjects."""
    return part.kind != "bad" and _MUTUAL.match(line.simple, part.stop, end) is not None


def _noun_part(kind: str, line: Line, token: Token, end: int, closers: tuple[str, ...] = ()) -> Part:
    stop = noun_phrase_end(line, token.end, end)
    if stop <= token.end or stop >= end or stop not in line.edges:
        return Part("bad", token.start, token.end, token.end)
    after = next(t for t in line.tokens if t.start == stop)
    last = after.end if after.text in closers else stop
    return Part(kind, token.end, stop, last)


def _at(line: Line, token: Token, end: int) -> Part:
    stop = _local_end(line, token.end, noun_phrase_end(line, token.end, end))
    rest = line.span(stop, end) if stop in line.edges and stop < end else ()
    if rest and stop > token.end and rest[0].text in _LOCAL:
        stop, rest = rest[0].end, rest[1:]
    if stop <= token.end or not rest or rest[0].text in ("的", "、") or (rest[0].tag in ("v", "vn") and _closed(rest)):
        return _clausal(line, token, end)
    return Part(kind_of_place(line.simple[token.end : stop]), token.end, stop, stop)


def _local_end(line: Line, start: int, stop: int) -> int:
    """Where 在X中 ends, when the noun phrase behind 在 was read on over a verb behind 中."""
    tokens = line.span(start, stop) if line.whole(start, stop) else ()
    for token, after in itertools.pairwise(tokens):
        if token.text in _LOCAL and after.tag == "v":
            return token.end
    return stop


def _closed(rest: tuple[Token, ...]) -> bool:
    """Whether a word such as 时 or 之前 stands behind the verb, so that the phrase holds a clause."""
    return any(t.text in _TAILS for t in rest[1:9])


def _clausal(line: Line, token: Token, end: int) -> Part:
    """在启动应用之前: a clause that a word for time closes."""
    for after in line.span(token.end, end)[1:10]:
        if after.text in ("的", ",") and after.text == ",":
            break
        if after.text in _TAILS and after.end < end:
            return Part("condition", token.start, after.end, after.end)
    return Part("bad", token.start, token.end, token.end)


def kind_of_place(text: str) -> str:
    """The kind of what stands behind 在: a place, a time, a condition or a manner; "bad" where it is none of them."""
    if _UNCLEAR.search(text) or re.search("后受|后被|时受", text):
        return "bad"
    if _IS_TIME.search(text):
        return "time"
    if _IS_CONDITION.search(text):
        return "condition"
    return "manner" if _IS_MANNER.search(text) else "place"


def _by(line: Line, token: Token, end: int) -> Part | None:
    """通过X(来)V: how something is done; None where 使用 is the verb itself."""
    stop = noun_phrase_end(line, token.end, end)
    if stop <= token.end or stop >= end or stop not in line.edges:
        return None if token.tag == "v" else Part("bad", token.start, token.end, token.end)
    after = next(t for t in line.tokens if t.start == stop)
    if after.text in ("作为", "当作", "作", "兼容", "支持", "相关", "自带", "提供"):
        return Part("bad", token.start, token.end, token.end)
    if after.text in ("来", "去", "而"):
        return Part("manner", token.start, stop, after.end)
    return Part("manner", token.start, stop, stop) if after.tag in ("v", "d", "ad", "p") else None


def _as_means(line: Line, token: Token, end: int) -> Part | None:
    """以X的方式V; other uses of 以 belong to the verb."""
    stop = noun_phrase_end(line, token.end, end)
    if (
        stop > token.end
        and stop < end
        and re.search("(?:方式|形式|身份|名义|方法|手段)$", line.simple[token.end : stop])
    ):
        return Part("manner", token.start, stop, stop)
    return None
