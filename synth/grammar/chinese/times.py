"""Points and stretches of time in Chinese text, each read as one whole."""

from __future__ import annotations

import re
from dataclasses import dataclass

from synth.grammar.chinese.lexicon import CENTURY, DAY, DECADE, YEAR
from synth.grammar.chinese.lines import Line

_DYNASTY = (
    r"(?:西周|东周|战国|春秋|秦|西汉|东汉|三国|西晋|东晋|南北朝|北魏|隋|唐|五代|北宋|南宋|宋|辽|金|元|明|清)(?:朝|代)?"
    r"|民国|周朝|周代|汉朝|汉代|晋朝|晋代"
)
_REIGN = r"[\u4e00-\u9fff]{2}(?:年间|元年|[二三四五六七八九十]{1,3}年)"
_PHASE = r"(?:时期|时代|初期|末期|中期|早期|晚期|后期|前期|年间|初年|末年|中叶|初|末)"
_DATED = rf"(?:{_REIGN}|{_PHASE})"
_ERA = rf"(?:(?:{_DYNASTY}){_DATED}|(?:[隋唐宋元明清](?:朝|代)|[东西][汉晋周]|[南北]宋|民国){_DATED}?)"
_SEASON = r"(?:[春夏秋冬][季天]?|年?初|年?底|年?末|中期|初期|末期|早期|晚期|后期|上半年|下半年)?"
POINT = rf"(?:{CENTURY}|{DECADE}|{YEAR}(?:{DAY})?{_SEASON}|{_ERA}|第[一二]次世界大战)"
_TO = r"起?(?:至|到|~|～|-|–|—|－)+"
_RANGE = rf"{POINT}{_TO}(?:{POINT}|{DAY})|\d{{3,4}}{_TO}{YEAR}"
_PHRASE = re.compile(
    rf"(?P<lead>早在|大约在|大约|约|在|于|从|自从|自|截至|截止到|截止|直到|直至|到|至)?"
    rf"(?P<time>{_RANGE}|{POINT})"
    rf"(?P<tail>以来|以后|之后|以前|之前|前后|期间|之间|年间|开始|为止|间|起|后|前|时|的时候|左右|(?:凌晨|早上|上午|中午|下午|晚上|晚))?"
)
_REIGN_YEAR = re.compile(
    r"[于在]?(?P<time>(?!直|截|早|[至到约在于])[\u4e00-\u9fff]{2,4}(?:元|\d{1,2}|[一二三四五六七八九十]{1,3})年)(?P<day>\d{1,2}月(?:\d{1,2}[日号])?)?"
)
GLOSS = re.compile(r"\s?[（(]\s?(?:公元|西元)?\d{3,4}\s?年?\s?[)）]")
"""The solar year that stands in brackets behind one of a reign."""
_KEPT_LEADS = frozenset(("从", "自从", "自", "截至", "截止到", "截止", "直到", "直至", "到", "至", "约", "大约"))
_CLINGS = re.compile(r"[度版款式级届的代]|赛季|[至到和与、~-]")


@dataclass(frozen=True, slots=True)
class Time:
    """A time expression: what is said of it is `simple[start:end]`, and `stop` is where it ends.

    Its prepositions 在 and 于 are left out of it; 从, 自 and 截至, which change what it means, are in it.
    """

    start: int
    end: int
    stop: int


def time_at(line: Line, place: int, end: int) -> Time | None:
    """The time expression that begins at `place`, or None where there is none or it is part of a name."""
    match = _PHRASE.match(line.simple, place, end)
    if match is None:
        return _of_reign(line, place, end)
    stop = match.end()
    if match.group("tail") == "开始" and stop < end and match.group("lead") not in ("从", "自从", "自"):
        stop = match.start("tail")
    if (stop < end and stop not in line.edges) or (stop < end and _CLINGS.match(line.simple, stop)):
        return None
    if match.group("lead") in ("到", "至", "直到") and match.group("tail") not in (None, "为止"):
        return None
    start = place if match.group("lead") in _KEPT_LEADS else match.start("time")
    return Time(start, stop, stop)


def _of_reign(line: Line, place: int, end: int) -> Time | None:
    """道光8年（1828年）: the year of a reign, known by the solar year in brackets behind it."""
    match = _REIGN_YEAR.match(line.simple, place, end)
    if match is None or not GLOSS.match(line.raw, line.origin[match.end("time") - 1] + 1):
        return None
    stop = match.end()
    if stop < end and (stop not in line.edges or _CLINGS.match(line.simple, stop)):
        return None
    return Time(match.start("time"), stop, stop)
