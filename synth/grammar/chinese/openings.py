"""What stands before the verb of a predicate: negation, modality and circumstances."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from synth.grammar.chinese.broader import broad
from synth.grammar.chinese.circumstances import Part, circumstance
from synth.grammar.chinese.constructions import ALIAS
from synth.grammar.chinese.lines import Line, Token
from synth.grammar.chinese.predicates import Predicate
from synth.grammar.chinese.times import time_at
from synth.grammar.chinese.verbs import main


@dataclass(slots=True)
class _Opening:
    """What stands before the verb, as far as it has been read."""

    place: int
    parts: list[Part] = field(default_factory=list)
    kept: list[tuple[int, int]] = field(default_factory=list)
    prefix: str = ""
    negated: bool = False
    modal: str = ""
    needed: bool = False
    only: bool = False
    around: tuple[str, int, int] | None = None
    fronted: tuple[int, int] | None = None
    sure: float = 0.9


_DROPPED = frozenset(
    "也 亦 又 还 都 均 皆 已 已经 就 则 便 才 仍 仍然 依然 依旧 同样 而 却 并 再 再次 一并 亦都 还都 "
    "也都 实际上 事实上 其实 随即 随后 于是 即 遂 同时 因而 因此 后 后来 "
    "最终 最后 终于 继而 还可 之后 随之 也就 亦曾 也曾 另 则是 因此而 从而 现".split()
)
_STATIVE_ONLY = frozenset(("曾", "曾经", "一度"))
_SCOPE = frozenset(
    "只 仅 仅仅 主要 通常 一般 大多 大都 多 几乎 常 常常 经常 往往 有时 很少 至少 原 原来 最早 最初 首次 "
    "第一次 始终 总是 永远 "
    "完全 广泛 专 全 最多 最少 平均 每年 每天 每周 多次 先后 共 一共 总共 共同 完全 部分 分别 不断 逐渐 逐步".split()
)
_PLAIN = frozenset(
    "正式 直接 自动 成功 单独 默认 显式 隐式 亲自 公开 秘密 开始 联合 合作 独立 专门 立即 立刻 彻底 首先 "
    "先 一直 长期 自行 亲手 继续".split()
)
_NEGATIONS = frozenset(
    "不 没有 没 未 未曾 从未 并不 并未 并没有 从不 从来不 从来没有 不会 将不会 决不 绝不 未能 并非 不再 不会再".split()
)
_MODALS = {
    **dict.fromkeys(
        "必须 须 务必 必需 必须要 需 需要 只需 只需要 还需要 还需 也需要 就需要 都必须 都需要 均须".split(), "must"
    ),
    **dict.fromkeys(("应", "应该", "应当", "宜"), "should"),
    **dict.fromkeys(
        "可以 可 能 能够 得以 足以 也可 亦可 还可以 也可以 都可以 即可 只能 才能 只可 还能 也能 "
        "就能 就可以 便可 才可以 都能 均可".split(),
        "can",
    ),
    **dict.fromkeys(("可能", "可能会", "或许", "也许", "大概", "有可能", "或"), "may"),
}
_NOT_ABLE = frozenset("不能 不能够 不可 不可以 无法 不得 没法 不可能".split())
_NOT_SHOULD = frozenset("不应 不应该 不应当 不宜 不该".split())
_NOT_NEEDED = frozenset("不必 无需 无须 不需要 不需 不用 毋须".split())
_FUTURE = frozenset("会 将 将会 才会 则会 便会 仍会 也将 均会 都会 总会 就会 也会".split())


def predicate(line: Line, start: int, end: int, *, gently: bool = False) -> Predicate | None:
    """What `line.simple[start:end]` says, or None where any of its words is not understood.

    With `gently` its verb and object may be of a make that is less sure.
    """
    if not line.whole(start, end):
        return None
    opening = _opening(line, start, end)
    if opening is None or opening.place >= end:
        return None
    made = main(line, opening.place, end, bare=opening.around is None and opening.fronted is None)
    if made is None and gently:
        made = broad(line, opening.place, end)
    if made is None:
        return None
    return _joined(line, opening, made)


def _opening(line: Line, start: int, end: int) -> _Opening | None:
    found = _Opening(start)
    for _ in range(12):
        place = found.place
        time = time_at(line, place, end)
        if time is not None and time.stop < end:
            found.parts.append(Part("time", time.start, time.end))
            found.place = time.stop
            continue
        token = next((t for t in line.tokens if t.start == place < end), None)
        if token is None:
            return None
        if ALIAS.match(line.simple, place, end):
            return found
        taken = _adverb(found, token, line, end) or _prepositional(found, token, line, end)
        if taken is None:
            return None
        if not taken:
            return found
    return None


def _adverb(found: _Opening, token: Token, line: Line, end: int) -> bool | None:
    """Takes one adverb, negation or modal word; False where there is none, None where it spoils the reading."""
    text = token.text
    after = next((t for t in line.tokens if t.start == token.end < end), None)
    verbal = after is not None and after.tag not in ("n", "nz", "m", "LOC", "ORG", "PER", "code", "r", "q")
    if text in _NEGATIONS and (text not in ("并非", "没有", "没", "并没有", "从来没有") or verbal):
        if found.negated or found.modal or found.needed:
            return None
        found.negated = True
        found.kept.append((token.start, token.end))
    elif text in _NOT_ABLE or text in _NOT_SHOULD:
        found.negated, found.modal = True, "can" if text in _NOT_ABLE else "should"
        found.kept.append((token.start, token.end))
    elif text in _NOT_NEEDED and verbal:
        found.negated, found.needed = True, True
        found.kept.append((token.start, token.end))
    elif text in _MODALS and (verbal or text not in ("需要", "必须", "需", "可能", "可")):
        if found.modal or found.negated:
            return None
        found.modal = _MODALS[text]
        found.only = text[0] == "只"
        found.kept.append((token.start, token.end))
    elif text in _FUTURE and verbal:
        found.kept.append((token.start + (text[0] in "就才则便也都总仍均"), token.end))
        found.prefix += "将" if text in ("将", "将会") else ""
    elif text in _DROPPED and token.tag != "v":
        pass
    elif text in _STATIVE_ONLY:
        found.kept.append((token.start, token.end))
        found.prefix += "曾"
    elif text in _SCOPE and token.tag in ("d", "ad", "a", "TIME", "m", "v"):
        found.kept.append((token.start, token.end))
        found.prefix += text
    elif token.tag == "ad" or (text in _PLAIN and token.tag in ("d", "a", "v", "vd") and verbal):
        found.kept.append((token.start, token.end))
        found.prefix += text if text[0] in "最更" else ""
    else:
        return False
    found.place = token.end
    return True


def _prepositional(found: _Opening, token: Token, line: Line, end: int) -> bool | None:
    """Takes one phrase with a preposition; False where there is none, None where it is not understood."""
    part = circumstance(line, token, end)
    if part is None:
        return False
    if part.stop >= end:
        return False
    if part.kind in ("with", "onto"):
        if found.around or found.fronted:
            return None
        if part.kind == "onto":
            found.fronted = (part.start, part.end)
        else:
            found.around = (token.text, part.start, part.end)
        found.kept.append((token.start, part.stop))
    elif part.kind == "bad":
        return None
    else:
        found.parts.append(part)
    found.place = part.stop
    return True


def _joined(line: Line, opening: _Opening, made: Predicate) -> Predicate | None:
    """The predicate with what stands before its verb."""
    relation, obj = made.relation, made.object
    if opening.around is not None or opening.fronted is not None:
        if made.form != "verb":
            return None
        if made.object is None and opening.around is not None and not _complete(opening.around[0], made.relation):
            return None
        made = replace(made, sure=max(made.sure, 0.82))
        relation, obj = _with_phrase(line, opening, relation, obj)
    prefix = opening.prefix
    if prefix == "曾" and made.form not in ("copula", "have") and not re.match("任|位|属|担任|拥有", relation):
        prefix = ""
    if opening.needed:
        prefix += "需要"
    if opening.negated and (
        made.negated or any(part.kind not in ("time", "place", "condition") for part in opening.parts)
    ):
        return None
    if opening.negated and _undone(line, made):
        return None
    if opening.modal and re.search("只|仅", opening.prefix):
        return None
    return replace(
        made,
        relation=prefix + "只" * opening.only + relation,
        object=obj,
        pieces=(*opening.kept, *made.pieces),
        parts=(*opening.parts, *made.parts),
        negated=opening.negated or made.negated,
        modal=opening.modal or made.modal,
        sure=min(made.sure, opening.sure),
    )


_COMPLETE = re.compile(
    r"投降|求援|求救|求助|道歉|开放|开火|宣战|进攻|进军|学习|服务|负责|退休|毕业|撤军|撤退|撤离|辞职|出发|开始|起飞|工作|效力|作战|流入|移动|延伸|看齐|借款|征税|"
    r"收费|敞开|退役|独立|分裂|演变|发展|迁移|移民|朝贡|称臣|进贡|靠拢|转型|过渡|倾斜|弯曲|生长"
)


def _complete(word: str, verb: str) -> bool:
    """Whether a phrase with 向 or 从 and the verb say all; 向X保证 wants an object."""
    return word in ("与", "和", "跟", "同") or _COMPLETE.match(verb) is not None


def _undone(line: Line, made: Predicate) -> bool:
    """Whether 了 stands behind the verb, which what is not done does not take: the negation belongs to a name."""
    start, end = made.pieces[0][0], made.pieces[-1][1]
    after = line.span(start, end)[1:3] if line.whole(start, end) else ()
    return any(token.text == "了" for token in after)


def _with_phrase(
    line: Line, opening: _Opening, relation: str, obj: tuple[int, int] | None
) -> tuple[str, tuple[int, int] | None]:
    """Relation and object where a phrase with 与, 对, 将 stands before the verb."""
    if opening.fronted is not None:
        a, b = opening.fronted
        return (relation, (a, b)) if obj is None else (f"将{line.simple[a:b]}{relation}", obj)
    assert opening.around is not None
    word, a, b = opening.around
    return (f"{word}…{relation}", (a, b)) if obj is None else (f"{word}{line.simple[a:b]}{relation}", obj)
