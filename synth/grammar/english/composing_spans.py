"""Questions about how long something went on, and about the decade or century in which something happened."""

from __future__ import annotations

import re

from synth.grammar.compositions import Asked
from synth.grammar.english.composing_times import when
from synth.grammar.english.composing_words import clause, question
from synth.records import Fact
from synth.text.dates import Date, Period, read_date

_MADE = re.compile(r"be (?:re)?(?:built|constructed|erected|made|written|composed|painted|restored|published|fought)\b")
"""What was built from 1901 to 1904 was not built for three years, it took three years to build."""

_DECADES_FROM = 1900
"""The year from which on people think in decades, before it in centuries."""


def span(fact: Fact) -> str | None:
    """ "From when to when did John Adams serve as president?" """
    asked = _lasted(fact)
    return question("from when to when", asked) if asked else None


def lasting(fact: Fact) -> str | None:
    """ "For how many years did John Adams serve as president?" """
    asked = _lasted(fact)
    return question("for how many years", asked) if asked else None


def era(fact: Fact) -> Asked | None:
    """ "In which century was the Bell Rock Lighthouse built?", and "the 19th century"."""
    asked = when(fact)
    date = next(
        (d for q in fact.qualifiers if q.kind == "time" and isinstance(d := read_date(q.text, "en"), Date)), None
    )
    if asked is None or date is None or date.year < 100 or not asked.startswith("When "):
        return None
    if date.year < _DECADES_FROM:
        return Asked(question="In which century " + asked.removeprefix("When "), answer=f"the {_ordinal(date)} century")
    return Asked(question="In which decade " + asked.removeprefix("When "), answer=f"the {date.year // 10 * 10}s")


def _lasted(fact: Fact) -> str | None:
    """The words that ask whether a thing was so, of a fact that was so from one time to another, without that time."""
    times = [q.text for q in fact.qualifiers if q.kind == "time"]
    found = clause(fact)
    if len(times) != 1 or not times[0].startswith("from ") or found is None or _MADE.match(fact.relation):
        return None
    if not isinstance(read_date(times[0], "en"), Period) or found.lead not in ("did", "was", "were"):
        return None
    return None if "from" in found.asked.split() else found.asked


def _ordinal(date: Date) -> str:
    number = (date.year - 1) // 100 + 1
    ending = "th" if number in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
