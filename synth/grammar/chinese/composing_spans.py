"""Questions about how long something went on, and about the decade or century in which something happened."""

from __future__ import annotations

import re

from synth.grammar.chinese.composing_times import event
from synth.grammar.chinese.script import template
from synth.grammar.compositions import Asked
from synth.records import Fact
from synth.text.dates import Date, Period, read_date
from synth.text.normalise import to_simplified

_DECADES_FROM = 1900
"""The year from which on people think in decades, before it in centuries."""

_LASTING = re.compile(
    "担任|[出就历]任|任(?!命)|效力|就读|统治|在位|执政|执教|执导|主持|领导|管理|经营|居住|旅居|生活|工作|服役|"
    "施工|修建|建造|兴建|使用|运行|营运|运营|实行|实施|持续|学习|留学|研究|驻[守扎]|占领|流亡|拥有|属于?|归属|隶属"
)


def span(fact: Fact, language: str) -> str | None:
    """X担任Y的时间是从什么时候到什么时候？"""
    said = _lasted(fact, language)
    return said and said + template("的时间是从什么时候到什么时候？", language)


def lasting(fact: Fact, language: str) -> str | None:
    """X担任Y的时间前后有多少年？"""
    said = _lasted(fact, language)
    return said and said + template("的时间前后有多少年？", language)


def era(fact: Fact, language: str) -> Asked | None:
    """X是在哪个世纪成立的？, and 18世纪."""
    said, time = event(fact), fact.qualifier("time")
    date = read_date(time.text, language) if time else None
    if said is None or not isinstance(date, Date) or date.year < 100:
        return None
    century = (date.year - 1) // 100 + 1
    asked, answer = "是在哪个世纪", f"{century}世纪"
    if date.year >= _DECADES_FROM:
        tens = date.year % 100 // 10 * 10
        if tens < 20 or date.year % 100 == 0:
            return None  # the first two decades of a century have no name of their own
        asked, answer = "是在哪个年代", f"{date.year // 100 + 1}世纪{tens}年代"
    question = f"{fact.subject.text}{template(asked, language)}{said}{template('的？', language)}"
    return Asked(question=question, answer=template(answer, language))


def _lasted(fact: Fact, language: str) -> str | None:
    """The words of a fact that went on from one time to another."""
    said, time = event(fact), fact.qualifier("time")
    if said is None or time is None or not isinstance(read_date(time.text, language), Period):
        return None
    return fact.subject.text + said if _LASTING.match(to_simplified(said)) else None
