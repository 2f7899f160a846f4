"""English amounts in words, rewritten in digits: "a year and a half", "two thirds", "half a dozen", "ten to nine"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache

from synth.evaluation.measuring.amounts_in_words import (
    Rewriting,
    amount_names,
    any_of,
    fraction,
    rewritten,
    times,
    value_of,
    values_of,
)
from synth.text.numerals import ENGLISH_WORDS, NUMBER_WORDS, ORDINALS, SCALES
from synth.text.units import UNIT_BY_WORD

_NUMBER = rf"(?:an?\b|\d+(?:\.\d+)?|{ENGLISH_WORDS})"
_ONES = NUMBER_WORDS[1:10]
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_TIMES = rf"(?P<times>(?:an?|{'|'.join(_ONES)})[\s-])?"
_HOUR = rf"(?<![\d:.])(?P<hour>1[0-2]|[1-9]|{'|'.join(NUMBER_WORDS[1:13])})(?![:.]?\d)"
_MINUTE = rf"[1-5]?\d|(?:twenty|thirty|forty|fifty)(?:[\s-](?:{'|'.join(_ONES)}))?|{'|'.join(NUMBER_WORDS[1:20])}"
_NO_ORDINAL = r"(?<!first\s)(?<!second\s)(?<!latter\s)(?<!other\s)"
_SIDES = {"past": 1, "after": 1, "to": -1, "before": -1, "till": -1}


def english_in_digits(text: str, *, clock: bool) -> str:
    """Return `text` with amounts in words written as digits. `clock` means that the text is about times of day."""
    return rewritten(text, _rewritings(clock))


def alike_shares(texts: Sequence[str]) -> list[str]:
    """Return the texts with "one in five" as 0.2 if one of the texts mentions shares.

    Otherwise the texts are unchanged, because 4 out of 7 may be games.
    """
    if not any(re.search(amount_names()["english"]["shares"], text, re.IGNORECASE) for text in texts):
        return list(texts)
    return [_one_in_every().apply(text, text.lower()) for text in texts]


@cache
def _one_in_every() -> Rewriting:
    count = rf"\d{{1,2}}|100|{'|'.join(NUMBER_WORDS[1:11])}"
    return Rewriting(
        (" in ", " out of "),
        rf"\b(?P<above>{count})\s(?:out\sof|in)(?:\severy)?\s(?P<below>{count})(?![\d.,:\w])(?!\s(?:{_units()})\b)",
        _in_every,
    )


@cache
def _rewritings(clock: bool) -> tuple[Rewriting, ...]:
    return (*(_times_of_day() if clock else ()), *_dozens(), *_fractions(), *_others())


def _units() -> str:
    return any_of({*UNIT_BY_WORD, *SCALES, *amount_names()["english"]["units"].split()})


def _dozens() -> Iterator[Rewriting]:
    yield Rewriting(("dozen",), rf"\bhalf\s(?:an?\s)?dozen\b|\b(?:(?P<n>{_NUMBER})\s)?dozen\b", _dozen)
    yield Rewriting(("a couple of",), r"\ba\scouple\sof\b", "2")
    yield Rewriting(("fortnight",), rf"(?:\b(?P<n>{_NUMBER})\s)?\bfortnights?\b", _fortnights)


def _fractions() -> Iterator[Rewriting]:
    names = values_of(amount_names()["english"]["fractions"])
    needs, parts, units = tuple(name.removesuffix("f") for name in names), any_of(names), _units()
    for whole, pattern in (
        (_with_part, rf"\b(?P<n>{_NUMBER})[\s-](?P<unit>{units})\sand\s{_TIMES}(?P<part>{parts})s?\b"),
        (_with_part, rf"\b(?P<n>{_NUMBER})\sand\s{_TIMES}(?P<part>{parts})s?\b(?!\s(?:of|times)\b)"),
        (_part_of_unit, rf"\b{_TIMES}(?P<part>{parts})s?\s(?:of\s)?an?\s(?P<unit>{units})\b"),
        (_part, rf"\b(?P<times>(?:{'|'.join(_ONES[1:])})[\s-])(?P<part>{parts}|halve)s\b"),
        (_part, rf"\b(?P<times>one[\s-])(?P<part>{parts})\b(?!-)"),
        (
            _part,
            rf"{_NO_ORDINAL}\b(?P<times>an?\s|(?=half\b))(?P<part>half|third|quarter|fifth|tenth)(?=\s(?:of|the)\b|[\s.]*\Z)",
        ),
    ):
        yield Rewriting(needs, pattern, whole)


def _others() -> Iterator[Rewriting]:
    names = amount_names()["english"]
    later = any_of(values_of(names["ordinals"]))
    tens = rf"(?P<tens>{'|'.join(_TENS)})[\s-](?P<ones>{'|'.join(ORDINALS[:9])})"
    yield Rewriting(("th", "ty"), rf"\b(?:{tens}|(?P<name>{later}))\b", _ordinal)
    yield Rewriting(
        ("a ", "an "),
        rf"(?P<lead>\A\s*|\b(?:{names['hedges']})\s)an?\s(?P<unit>{_units()})\b(?=[\s.]*\Z)",
        r"\g<lead>1 \g<unit>",
    )
    yield Rewriting(("basis", "bps"), rf"\b(?P<n>{_NUMBER})\s?(?:{names['basis_points']})\b", _basis_points)
    yield Rewriting(
        ("cent", "p"),
        rf"(?<![\d.,$])\b(?:(?P<n>\d+|{ENGLISH_WORDS})\s(?P<name>{any_of(values_of(names['cents']))})|(?P<p>\d+)p)\b",
        _cents,
    )
    yield Rewriting(
        ("ft", "feet", "foot"), r"\b(\d+)\s?(?:ft|feet|foot)\.?,?\s?(\d+)\s?(?:in|inches)\b", r"\1 feet \2 inches"
    )
    yield Rewriting(("minus", "negative"), r"\b(?:minus|negative)\s(?=\d)", "-")
    yield Rewriting(
        ("below",),
        rf"(?<![\d.,])(?P<n>\d[^a-z]{{0,8}}[a-z]*(?:\s[a-z]+)?)\s(?:{names['below_zero']})",
        r"-\g<n>",
    )


def _times_of_day() -> Iterator[Rewriting]:
    """Yield the rewritings of times of day in words, only for texts about times: "ten to twelve" may be a range."""
    half = rf"(?:\s?(?P<day>{any_of(values_of(amount_names()['english']['parts_of_day']))}|[ap]\.?m\b\.?))"
    yield Rewriting(
        tuple(f" {side} " for side in _SIDES),
        rf"\b(?:an?\s)?(?P<by>quarter|half|(?:{_MINUTE})(?:\sminutes?)?)\s(?P<side>{'|'.join(_SIDES)})\s"
        rf"(?:{_HOUR}|(?P<twelve>noon|midday|midnight))\b(?:\so['’]clock)?{half}?",
        _beside_the_hour,
    )
    yield Rewriting(
        ("t",),
        rf"\b{_HOUR}[\s-](?P<minute>ten|fifteen|twenty|thirty|forty|fifty|forty[\s-]five)\b{half}?",
        _time,
    )
    yield Rewriting(("clock", " in the ", " at night", "m"), rf"\b{_HOUR}(?P<oclock>\so['’]clock)?{half}?", _time)
    yield Rewriting(
        (".", "h", "0"),
        r"(?<![\d:.,])(?:(?P<hour>[01]?\d|2[0-3])(?:\.|(?=\d\d\s?h))|(?P<early>0\d))(?P<minute>[0-5]\d)(?:\s?(?:hrs|hours|h)\b)?"
        r"(?![\d.%]|\s?[a-z])",
        lambda match: f"{match['hour'] or match['early']}:{match['minute']}",
    )


def _dozen(match: re.Match[str]) -> str:
    if match[0].casefold().startswith("half"):
        return "6"
    return times(match["n"] or "one", 12) or match[0]


def _fortnights(match: re.Match[str]) -> str:
    weeks = times(match["n"] or "one", 2)
    return f"{weeks} weeks" if weeks else match[0]


def _share(match: re.Match[str]) -> tuple[Decimal, int]:
    """Return the numerator and the denominator of a match."""
    below = int(amount_names()["english"]["fractions"].get(match["part"].casefold(), 2))
    return value_of((match["times"] or "").strip(" -") or "a") or Decimal(1), below


def _part(match: re.Match[str]) -> str:
    above, below = _share(match)
    return fraction(above, below) if above < below else match[0]


def _part_of_unit(match: re.Match[str]) -> str:
    return f"{_part(match)} {match['unit']}"


def _with_part(match: re.Match[str]) -> str:
    whole, (above, below) = value_of(match["n"]), _share(match)
    if whole is None or above >= below:
        return match[0]
    unit = match.groupdict().get("unit")
    return fraction(whole * below + above, below) + (f" {unit}" if unit else "")


def _in_every(match: re.Match[str]) -> str:
    above, below = value_of(match["above"]), value_of(match["below"])
    return fraction(above, int(below)) if above and below and above < below else match[0]


def _ordinal(match: re.Match[str]) -> str:
    if match["name"]:
        return f"{amount_names()['english']['ordinals'][match['name'].casefold()]}th"
    ones = 1 + ORDINALS.index(match["ones"].casefold())
    return f"{20 + 10 * _TENS.index(match['tens'].casefold()) + ones}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(ones, 'th') }"


def _basis_points(match: re.Match[str]) -> str:
    points = times(match["n"], Decimal("0.01"))
    return f"{points} percentage points" if points else match[0]


def _cents(match: re.Match[str]) -> str:
    amount = times(match["n"] or match["p"], Decimal("0.01"))
    whole = amount_names()["english"]["cents"][(match["name"] or "p").casefold()]
    return f"{amount} {whole}" if amount else match[0]


def _beside_the_hour(match: re.Match[str]) -> str:
    """Return a time next to an hour in digits: "a quarter to midnight" as 11:45 pm, "twenty past six" as 6:20."""
    side = _SIDES[match["side"].casefold()]
    by = match["by"].casefold().removesuffix("s").removesuffix("minute").strip()
    if by == "half" and side < 0:
        return match[0]
    minutes = {"quarter": Decimal(15), "half": Decimal(30)}.get(by) or value_of(by)
    twelve = (match["twelve"] or "").casefold()
    hour = Decimal(12) if twelve else value_of(match["hour"])
    if minutes is None or hour is None:
        return match[0]
    after = int(hour) * 60 + side * int(minutes)
    day = {"midnight": "am", "noon": "pm", "midday": "pm"}.get(twelve, "")
    if day and side < 0:
        day = "pm" if day == "am" else "am"
    return _clock(after // 60 % 12, after % 60, day or _half(match))


def _time(match: re.Match[str]) -> str:
    groups = match.groupdict()
    hour, minute = value_of(match["hour"]), value_of(groups.get("minute") or "")
    if hour is None or not (minute or groups.get("oclock") or groups["day"]):
        return match[0]
    return _clock(int(hour), int(minute or 0), _half(match))


def _half(match: re.Match[str]) -> str:
    """Return the half of the day in a match: "am", "pm", or "" if unknown."""
    day = (match.groupdict().get("day") or "").casefold()
    return str(amount_names()["english"]["parts_of_day"].get(day, day.replace(".", "")))


def _clock(hour: int, minute: int, half: str) -> str:
    return f"{hour or 12}:{minute:02}" + (f" {half}" if half else "")
