"""Clauses that only set the scene for the statement after, or before, them."""

from __future__ import annotations

import re

from synth.grammar.chinese.circumstances import Part, circumstance, kind_of_place
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.times import time_at

_LEAD = re.compile(r"(?:但是?|不过|然而|而|因此|所以|此外|另外|同样|那么|并且|而且)")
_IF = re.compile(
    r"(?:如果|若是?|假如|倘若|要是|一旦|当(?![选地局年代中今月日天晚时然])|每当|只要|只有|除非|无论|不管|不论|仅当|仅在)"
)
_WISHES = re.compile("想|好奇|感兴趣|希望|愿意|不确定|熟悉|不了解|忘|有疑问|觉得|喜欢")
_WHEN = re.compile(r"(?:时|的时候|之前|之后|以前|以后|情况下|的话|条件下|前提下|后|前)$")
_LONG_WHEN = re.compile(r"(?:的时候|之前|之后|以前|以后|情况下|的话|条件下|前提下)$")
_DURING = re.compile(r"(?:期间|时期|时代)$")
_WHY = re.compile(r"(?:主要)?(?:是)?(?:因为|由于)")
_FOR = re.compile(r"(?:为了|以便于?|以)")
_TO = re.compile(r"(?:[你您])?(?:想要|要(?!么|求|素|点|是|塞))(?=[\u4e00-\u9fff]{2}.{2,28}$)")
_HEARD = re.compile(
    r"据(?!此)|根据|依据|按|作为|除了?|对于?|关于|至于|随着|与|和|比|相比|相对|不同于|从|自|虽然|尽管|即使|即便|哪怕|纵然|不仅|不但|无论|"
    r"要|想|这|那|此(?!外)|其(?!他|它)|假设|比如|例如|有人|一说|相传|传说|通常认为|一般认为|同(?!样)|截|就|经|到|至|直到|迄"
)


_CARRIES_ON = re.compile(r",(?:[是为字号又原本位出生于由简别学]|\d)|,[^,]{0,12}(?:人|家|员)[,。]")
_LEADING = re.compile(
    r"首先|其次|然而|因此|此外|另外|同时|事实上|实际上|最后|最终|总之|例外|幸运的是|不幸的是|当然|同样|其实|随后|后来"
)


def frame(line: Line, begin: int, end: int) -> Part | None:
    """The circumstance that the clause is as a whole, or None; of kind "bad" where it clouds what follows."""
    text = line.simple[begin:end]
    lead = _LEAD.match(text)
    begin += lead.end() if lead and lead.end() < len(text) and begin + lead.end() in line.edges else 0
    text = line.simple[begin:end]
    if begin not in line.edges:
        return None
    time = time_at(line, begin, end)
    if time is not None and time.stop == end:
        return Part("time", time.start, time.end, end)
    if _IF.match(text) and _WISHES.search(text):
        return Part("bad", begin, end, end)
    if _IF.match(text):
        return Part("condition", begin, end, end)
    why = _WHY.match(text)
    if why:
        return Part("reason", begin + why.end(), end, end)
    wanted = _TO.match(text)
    if wanted and begin + wanted.end() in line.edges:
        return Part("purpose", begin + wanted.end(), end, end)
    goal = _FOR.match(text)
    if goal and (text[0] == "为" or text.startswith("以便")):
        return Part("purpose", begin + goal.end(), end, end)
    relative = re.match("[同当那此这其]", text)
    if _WHEN.search(text) and len(text) <= 30 and not relative and _closes(line, end):
        return Part("condition", begin, end, end)
    if _DURING.search(text) and len(text) <= 24 and not relative:
        return Part("time", begin + (text[0] in "在于"), end, end)
    first = next((token for token in line.tokens if token.start == begin), None)
    if first is not None and first.text in ("在", "于", "通过", "使用", "利用", "借助"):
        return _whole(line, begin, end)
    silent = not any(t.tag in ("v", "vn", "a") or t.text in "是为" for t in line.tokens if begin <= t.start < end)
    subject = _CARRIES_ON.match(line.simple, end)
    clouded = _HEARD.match(text) or (
        silent and not subject and not lead and begin == 0 and not _LEADING.fullmatch(text)
    )
    return Part("bad", begin, end, end) if clouded else None


def lasting(line: Line, part: Part) -> bool:
    """Whether a condition holds for all clauses behind it: 如果 does, 之后 only for the next."""
    return _IF.match(line.simple, part.start) is not None or line.simple.startswith("默认", part.start)


def _closes(line: Line, end: int) -> bool:
    """Whether a word for 'when' of its own, not the end of 皇后 or 午后, ends the clause."""
    last = next((token for token in line.tokens if token.end == end), None)
    return last is not None and (
        _WHEN.fullmatch(last.text) is not None or _LONG_WHEN.search(line.simple[:end]) is not None
    )


def _whole(line: Line, begin: int, end: int) -> Part | None:
    """在X中 or 通过X as a clause of its own."""
    token = next(token for token in line.tokens if token.start == begin)
    # The reader of such phrases wants a verb behind them, so they are read up to the mark after the clause.
    part = circumstance(line, token, len(line.simple))
    if part is not None and part.stop == end and part.kind != "bad":
        return part
    if part is not None and part.kind in ("place", "time") and part.stop < end and _acts(line, part.stop):
        return None
    if token.text in ("在", "于") and end in line.edges and not any(t.tag == "v" for t in line.span(token.end, end)):
        return Part(kind_of_place(line.simple[token.end : end]), token.end, end, end)
    return Part("bad", begin, end, end)


def _acts(line: Line, place: int) -> bool:
    """Whether a predicate begins there, so that what stands before it is only its place."""
    return any(t.start == place and t.tag in ("v", "d", "ad", "vd") and len(t.text) > 1 for t in line.tokens)


def trailing(line: Line, begin: int, end: int) -> Part | None:
    """The condition, reason or purpose that a clause adds to the statement before it."""
    text = line.simple[begin:end]
    if re.match(r"除非|只要|如果|若(?![干])|前提是|仅当|只有当|当(?!选|地|局|年|时)", text) and not re.search(
        "[就则才会]", text
    ):
        return Part("condition", begin, end, end)
    why = re.match(r"(?:这)?(?:是)?(?:因为|由于)", text)
    if why:
        return Part("reason", begin + why.end(), end, end)
    goal = re.match(r"以便于?|从而|以(?=[避确防保供方降提增减])", text)
    if goal and goal.group() != "从而":
        return Part("purpose", begin + goal.end(), end, end)
    return None
