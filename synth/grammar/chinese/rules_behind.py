"""Rules whose condition stands behind what it limits, or inside it: 除非, 否则, 前提是, 只有…才."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synth.grammar.chinese.candidates import nominal
from synth.grammar.chinese.clauses import clauses
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.page import tell
from synth.grammar.chinese.rule_halves import owner, past, predicate, reads, says_enough
from synth.grammar.chinese.rules import Bond, Clause, Rule, Span
from synth.grammar.chinese.soundness import stated
from synth.grammar.chinese.usage import impersonal
from synth.grammar.reading import Reading
from synth.text.normalise import to_simplified

_BEHIND = re.compile(r"(?P<B>除非|前提是|前提条件是|条件是)(?P<C>.+)$")
_ELSE = re.compile(r"否则(?:的话)?")
_MUST = re.compile(r"(?:必须|一定要|应该|应当|应(?![用对答])|需要|要(?![求么])|须|需(?!求))")
_WHO = re.compile(r"(?:目前|现在)?只有(?P<C>[^,]{2,20}?),?(?P<O>才?(?:可以|能够?|有权|可(?!以)|允许).+)$")
_ONLY = re.compile(
    r"(?P<A>只有(?:在|当)?)(?P<C>.{3,30}?)(?P<T>的时候|时|之后|以后|后|的情况下|情况下)?(?=才)才(?P<O>.+)$"
)
_UNLESS = re.compile(r"(?:但|但是|而)?除非(?P<C>.+)$")


def rules_behind(reading: Reading) -> Iterator[Rule]:
    """The rules of a document that do not open with their condition, and those that 除非 opens."""
    for told in tell(reading):
        line = told.line
        if not line.simple.endswith(("。", "!")) or re.search(r"\?|…", line.simple) or not stated(line):
            continue
        parts = list(clauses(line))
        made = (
            _unless(line, parts)
            or _behind(line, parts)
            or _or_else(line, parts)
            or _only(line, parts)
            or _who(line, parts)
        )
        if made is not None:
            yield made


def _rule(line: Line, condition: Span, whole: Span, bond: Bond) -> Rule | None:
    """The rule of a condition and the clause that it limits."""
    begin, end = whole
    owned = owner(line, begin, end)
    if owned is None or not owned[0] or not line.whole(*condition):
        return None
    subject, place = owned
    modal, after = predicate(line, place, end)
    if end - after < 2 or not line.whole(after, end):
        return None
    rule = Rule(
        line=line,
        bond=bond,
        condition=impersonal(line.written(*condition)),
        closing="",
        context="",
        subject=subject,
        modal=modal,
        outcome=impersonal(line.written(after, end)),
        answer=line.answer(after, end),
        told=False,
        event=re.search(r"[了过](?=[^解程滤期高低度]|$)|\d{4}年", line.simple[begin:end]) is not None,
        span=(after, end),
    )
    halves = (to_simplified(rule.condition), to_simplified(f"{subject}{rule.outcome}"))
    return rule if all(reads(half) for half in halves) and says_enough(line, condition) else None


def _unless(line: Line, parts: list[Clause]) -> Rule | None:
    """除非C，否则S不V。"""
    match = _UNLESS.match(line.simple[slice(*parts[0][:2])])
    if match is None or len(parts) != 2 or parts[0][2] != ",":
        return None
    begin = past(_ELSE, line, parts[1][0], parts[1][1])
    return _rule(line, (parts[0][0] + match.start("C"), parts[0][1]), (begin, parts[1][1]), "unless")


def _behind(line: Line, parts: list[Clause]) -> Rule | None:
    """S不V，除非C。 S V，前提是C。"""
    if len(parts) not in (2, 3) or parts[-2][2] != ",":
        return None
    match = _BEHIND.match(line.simple[slice(*parts[-1][:2])])
    if match is None or (len(parts) == 3 and parts[0][1] - parts[0][0] > 8):
        return None
    bond: Bond = "unless" if match.group("B") == "除非" else "only"
    return _rule(line, (parts[-1][0] + match.start("C"), parts[-1][1]), parts[-2][:2], bond)


def _or_else(line: Line, parts: list[Clause]) -> Rule | None:
    """S必须V，否则O。 -> 如果S不V，会怎么样？ O"""
    place = next((i for i, part in enumerate(parts) if i and _ELSE.match(line.simple, part[0])), None)
    if place is None or place > 2 or any(part[2] != "," for part in parts[: place + 1][:-1]):
        return None
    begin, end = parts[place - 1][:2]
    must = next((m for m in _MUST.finditer(line.simple, begin, end) if m.start() in line.edges), None)
    if must is None or must.end() not in line.edges or not line.whole(must.end(), end) or must.start() - begin > 20:
        return None
    if line.span(must.end(), end)[0].tag not in ("v", "d", "ad", "p", "vd", "a"):
        return None
    if line.simple.startswith("没", begin):
        return None
    start, stop = past(_ELSE, line, *parts[place][:2]), parts[-1][1]
    before = impersonal(line.written(*parts[0][:2])) + "，" if place == 2 else ""
    who = impersonal(line.written(begin, must.start())) if begin < must.start() else ""
    condition = before + who + "不" + impersonal(line.written(must.end(), end))
    if not line.whole(start, stop) or line.simple[must.end()] == "不":
        return None
    rule = Rule(
        line=line,
        bond="or else",
        condition=condition,
        closing="",
        context="",
        subject=None,
        modal="",
        outcome=line.written(start, stop),
        answer=line.answer(start, stop),
        told=False,
        event=False,
        span=(start, stop),
    )
    fits = all(reads(to_simplified(half)) for half in (condition, rule.outcome))
    return rule if fits and says_enough(line, (begin, end)) else None


def _only(line: Line, parts: list[Clause]) -> Rule | None:
    """S只有在C时才V。"""
    if len(parts) > 1 and parts[0][2] not in ("。", ";"):
        return None
    begin, end = parts[0][:2]
    found = re.search("只有", line.simple[begin:end])
    if found is None:
        return None
    match = _ONLY.match(line.simple, begin + found.start(), end)
    if match is None or begin + found.start() == begin:
        return None
    owned = owner(line, begin, begin + found.start() + 2)
    condition = match.span("C")
    if owned is None or not owned[0] or owned[1] != begin + found.start() or not line.whole(*condition):
        return None
    modal, after = predicate(line, match.start("O"), end)
    if not line.whole(after, end):
        return None
    made = Rule(
        line=line,
        bond="only",
        condition=impersonal(line.written(*condition)),
        closing={"的时候": "时", "之后": "后", "以后": "后", "的情况下": "", "情况下": ""}.get(
            match.group("T") or "", match.group("T") or ""
        ),
        context="",
        subject=owned[0],
        modal=modal,
        outcome=impersonal(line.written(after, end)),
        answer=line.answer(after, end),
        told=False,
        event=False,
        span=(after, end),
    )
    fits = all(reads(to_simplified(half)) for half in (made.condition, made.subject + made.outcome))  # type: ignore[operator]
    return made if fits and says_enough(line, condition) else None


def _who(line: Line, parts: list[Clause]) -> Rule | None:
    """只有X可以V。 -> 谁才可以V？ X"""
    if len(parts) > 2 or (len(parts) == 2 and (parts[0][2] != "," or not line.simple.startswith("才", parts[1][0]))):
        return None
    match = _WHO.match(line.simple, parts[0][0], parts[-1][1])
    if match is None or not nominal(line, *match.span("C")):
        return None
    modal, after = predicate(line, match.start("O"), match.end())
    if not line.whole(after, match.end()):
        return None
    made = Rule(
        line=line,
        bond="who",
        condition=impersonal(line.written(*match.span("C"))),
        closing="",
        context="",
        subject="",
        modal=modal,
        outcome=impersonal(line.written(after, match.end())),
        answer=line.answer(*match.span("C")),
        told=False,
        event=False,
        span=(after, match.end()),
    )
    return made if reads(to_simplified(made.outcome)) and reads(to_simplified(made.condition)) else None
