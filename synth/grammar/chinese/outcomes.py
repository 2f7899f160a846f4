"""What comes of a condition, where the careful ways of reading the clause behind it see nothing."""

from __future__ import annotations

import re

from synth.grammar.chinese.bearers import Bearer, vague
from synth.grammar.chinese.broader import nounlike, thing
from synth.grammar.chinese.lexicon import CLOSING, DEICTIC, NOMINAL, UNRULY
from synth.grammar.chinese.lines import Line, Token, balanced
from synth.grammar.chinese.predicates import ASPECT, Predicate, complements
from synth.grammar.chinese.soundness import whole

_LEAD = re.compile("(?:那么|那|否则|则|就|便)(?!会|将|是|有)")
_MARK = re.compile(
    "(?:也|还|都|就|便|则|才|仍|总是)*(?P<M>将会|会|将|不会|不能|无法|不得|不应当?|不应该|不再|不允许|必须|应当|应该|应|需要|须|可以|能够|能|只能|可能会?)$"
    "|(?P<J>就|便|则|才)$"
)
_MODES = {"可以": "can", "能够": "can", "能": "can", "只能": "can", "可能": "may", "可能会": "may"}
_MODES |= {"必须": "must", "须": "must", "需要": "must", "应当": "should", "应该": "should", "应": "should"}
_DENIED = {"不会": "", "不再": "", "不允许": "", "不能": "can", "无法": "can", "不得": "can"}
_DENIED |= {"不应": "should", "不应当": "should", "不应该": "should"}
_LOOSE = re.compile(
    "[,:?]|什么|如何|怎|哪|是否|也许|同样|更(?![新换改])|希望|想(?!象)|看到|尝试|注意|发现|了解|知道|参考|查看|阅读|感觉|记住|确保|"
    "没问题|有用|不变|一样|而不是|[你您我]|例如|比如|分别|包括|[是为]$"
)
_TORN = re.compile("(?:的|了|是|和|与|或|并|时|在|于|到|把|将|被|来|以)$")
_NO_THING = re.compile(
    "^(?:大?部分|大?多数|默认$|一切|所有|任何|一些|有些|有|没有|只有|结果|问题|情况|事情|大家|人们|别人|用户|请|不|最)|(?:时|后|前|中|上|下|里|内|的)$"
)
_LONGEST_SUBJECT, _SHORTEST, _LONGEST = 16, 2, 24
SURE = 0.7


def outcome(line: Line, begin: int, end: int) -> tuple[Bearer, Predicate] | None:
    """Whom or what the clause behind a condition is about, and all it says of it: 茶叶|就会炭化.

    The clause must say by a word of its own, 会, 必须, 就, that it tells what follows.
    """
    lead = _LEAD.match(line.simple, begin, end)
    if lead and lead.end() in line.edges:
        begin = lead.end()
    if not line.whole(begin, end) or not balanced(line.simple[begin:end]):
        return None
    tokens = line.span(begin, end)
    place = next((i for i, t in enumerate(tokens) if t.tag in ("v", "d", "vd", "c", "ad", "p", "xc") and _mark(t)), 0)
    if not 0 < place < len(tokens) - 1 or not _thing(line, tokens[:place]):
        return None
    said = _said(line, tokens[place:])
    if said is None:
        return None
    stop = tokens[place - 1].end
    return Bearer(line.written(begin, stop), begin, stop, stop, sure=SURE), said


def _mark(token: Token) -> bool:
    return _MARK.match(token.text) is not None


def _thing(line: Line, tokens: tuple[Token, ...]) -> bool:
    """Whether the words before the mark are one noun phrase that needs nothing around it."""
    text, final = line.simple[tokens[0].start : tokens[-1].end], tokens[-1]
    if not 2 <= len(text) <= _LONGEST_SUBJECT or DEICTIC.search(text) or UNRULY.search(text) or _NO_THING.search(text):
        return False
    if (final.tag not in NOMINAL and final.text not in CLOSING) or vague(text) or re.search("[你您我,:]", text):
        return False
    for i, token in enumerate(tokens):
        if token.tag in ("p", "d", "r", "xc", "m") or (token.tag == "c" and token.text not in ("和", "与", "或", "及")):
            return False
        owned = any(t.text == "的" for t in tokens[i + 1 :])
        if token.tag in ("v", "vd", "ad") and not owned and (i == 0 or not nounlike(token.text)):
            return False
    return final.tag not in ("TIME", "q", "f", "s")


def _said(line: Line, tokens: tuple[Token, ...]) -> Predicate | None:
    """The rest of the clause as one predicate, with what its marks say."""
    start, word = tokens[0].start, ""
    rest = list(tokens)
    while rest and (mark := _MARK.match(rest[0].text)) is not None and not (word and not mark["M"]):
        start = rest[0].start + mark.start("M") if mark["M"] and not word else start
        if not mark["M"]:
            start = rest[0].end
        word = word or mark["M"] or ""
        rest.pop(0)
    if not rest or not any(t.tag in ("v", "vn", "a", "vd") for t in rest):
        return None
    end = rest[-1].end
    text = line.simple[rest[0].start : end]
    if not _SHORTEST <= len(text) <= _LONGEST or _LOOSE.search(text) or _TORN.search(text):
        return None
    if DEICTIC.search(text) or UNRULY.search(text) or rest[0].tag in ("c", "u", "w", "r"):
        return None
    pieces: tuple[tuple[int, int], ...] = ((start, end),)
    negated = word in _DENIED or re.match("不|没|无法", text) is not None
    modal = _MODES.get(word, _DENIED.get(word, ""))
    after = complements(tuple(rest))
    if rest[0].tag == "v" and after < len(rest) and not negated and thing(line, rest[after].start, end):
        a = rest[after].start
        verb = "".join(t.text for t in rest[:after] if t.text not in ASPECT)
        if (
            whole(line.simple[a:end])
            and len(verb) > 1
            and verb not in ("开始", "停止", "继续", "进行")
            and not re.search("[是有为]$", verb)
        ):
            return Predicate("verb", verb, (a, end), ((start, a), (a, end)), modal=modal, sure=SURE)
    return Predicate("verb", text, None, pieces, negated=negated, modal=modal, sure=SURE)
