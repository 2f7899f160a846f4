"""A predicate taken apart."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from synth.grammar.chinese.candidates import nominal
from synth.grammar.chinese.circumstances import Part
from synth.grammar.chinese.copulas import described
from synth.grammar.chinese.lexicon import CLOSING, OPENING
from synth.grammar.chinese.lines import Line, Token

_REPORTING = re.compile(
    r"^(?:认为|说|称|指出|声称|相信|觉得|希望|想|打算|试图|企图|尝试|决定|以为|知道|意识|猜想|估计|预计|"
    r"预测|主张|建议|承认|否认|坚持|强调|提到|写道|"
    r"想要|看到|听说|得知|怀疑|担心|认识|假设|假定|考虑|推荐|鼓励|请|看|听|发觉|感到|感觉|宣称|表明|显示|"
    r"说明|暗示|证实|证明|谈到|提及|让|使|令|叫|"
    r"使得|等|像|如|似|来|去|算|拟|需|要|想到|期望|等于|倾向|有人|没有人|求|愿|愿意|值得|视|显得|变|变得|"
    r"看起来|似乎|堪称|可谓|不如|无|成|属|在|到|至|给|[可须][作用为做供]|对立|并列|史称|号称|人称|只能|只会|才能|特有|意为|除外|担心|确信|作为|攻防|开箱|平衡)$"
)
_COMPLEMENTS = frozenset("了 过 着 到 出 为 成 至 于 给 入 在 作 自 向 往 起 进 成为 回 出来 起来 下来 而成".split())
_DIRECTED = frozenset("向 往 给 在 自 于 至 为".split())
ASPECT = frozenset(("了", "过", "着"))
_ADORNING = frozenset(("a", "ad", "n", "nz", "vn", "an", "code", "LOC", "ORG", "PER"))

Form = Literal["verb", "copula", "quality", "agent", "passive", "measure", "alias", "have"]


@dataclass(frozen=True, slots=True)
class Predicate:
    """What is said of a subject. Places are those of `line.simple`.

    `pieces` are the words of the predicate in order, without the circumstances. `sure` is from 0 to 1;
    `words`, simplified, stand for the pieces where these read badly alone: 建 of 建于1850年 is 建成.
    """

    form: Form
    relation: str
    object: tuple[int, int] | None
    pieces: tuple[tuple[int, int], ...]
    parts: tuple[Part, ...] = ()
    negated: bool = False
    modal: str = ""
    sure: float = 0.9
    words: str = ""


def complements(tokens: tuple[Token, ...]) -> int:
    """How many of the words belong to the verb that opens them: 建成了, 命名为."""
    after = 1
    while after < len(tokens) and tokens[after].text in _COMPLEMENTS:
        if tokens[after].text in _DIRECTED and tokens[after - 1].text in ASPECT:
            break
        after += 1
    return after


def reports(verb: str) -> bool:
    """Whether a verb takes what somebody says or wishes, or says too little to be a relation."""
    return _REPORTING.match(verb) is not None


def noun_phrase(line: Line, start: int, end: int) -> bool:
    """Whether the span is one noun phrase, whatever its modifiers."""
    if start >= end or not line.whole(start, end):
        return False
    text = line.simple[start:end]
    if sum(text.count(mark) for mark in OPENING) != sum(text.count(mark) for mark in CLOSING):
        return False
    kinds = (nominal, described, _able, _adorned, _towards)
    return any(kind(line, start, end) for kind in kinds)


def _adorned(line: Line, start: int, end: int) -> bool:
    """自动交互式文档: a noun with adjectives that the segmenter takes for adverbs."""
    tags = [token.tag for token in line.span(start, end) if token.text.strip()]
    return tags[-1] in ("n", "nz") and all(tag in _ADORNING for tag in tags)


def _towards(line: Line, start: int, end: int) -> bool:
    """对X的支持: a noun whose object stands before it."""
    tokens = line.span(start, end)
    of = next((i for i, token in enumerate(tokens) if token.text == "的"), 0)
    if tokens[0].text != "对" or of < 2 or len(tokens) - of not in (2, 3) or tokens[-1].tag not in ("vn", "n", "v"):
        return False
    return nominal(line, tokens[0].end, tokens[of].start)


def _able(line: Line, start: int, end: int) -> bool:
    """一个可调用对象: a thing that something can be done with."""
    tags = [(token.text, token.tag) for token in line.span(start, end) if token.text.strip()]
    return [tag for _, tag in tags][:1] == ["m"] and len(tags) == 4 and tags[1][0] == "可" and tags[3][1] in ("n", "nz")
