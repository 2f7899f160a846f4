"""Chinese amounts in words, rewritten in digits: 一个半小时, 三成, 民国45年, 新台币12亿元, 晚上十点三刻, 十斤."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from functools import cache

from synth.evaluation.measuring.amounts_in_words import (
    Rewriting,
    amount_names,
    any_of,
    rewritten,
    times,
    value_of,
    values_of,
    written,
)
from synth.text.language import HAN
from synth.text.numerals import CHINESE_NUMERALS

_NUMBER = rf"(?<![\d.])(?:\d+(?:\.\d+)?|(?<![{CHINESE_NUMERALS}])[{CHINESE_NUMERALS}]+)"
_DIGIT = r"[一二三四五六七八九\d]"
_HOUR = rf"(?P<hour>[{CHINESE_NUMERALS}]{{1,3}}|[012]?\d)[点时]"
_HALVES = {"半": 30, "一刻": 15, "三刻": 45}
_NOON = 12
_DISCOUNT = re.compile(rf"打?(?P<n>{_NUMBER})折(?![叠断扣])")


def chinese_in_digits(text: str, language: str, *, clock: bool) -> str:
    """Return `text`, which must be in simplified script, with amounts in words written as digits.

    `language` decides the weight of a 斤: 600 g in Taiwan, otherwise 500 g. `clock` means that the text is about times
    of day.
    """
    return rewritten(text, _rewritings(language.startswith(("zh-Hant", "zh-TW")), clock))


def in_one_currency(texts: Sequence[str]) -> list[str]:
    """Return the texts with a bare 元 replaced by the currency that another text names, such as 新台币."""
    for name, marks in values_of(amount_names()["chinese"]["dollars"]).items():
        if any("元" in text for text in texts) and any(re.search(marks, text) for text in texts):
            return [re.sub(r"(?<=[\d万亿])\s?元(?!人民币|新台币)", name, text) for text in texts]
    return list(texts)


def alike_discounts(texts: Sequence[str]) -> list[str]:
    """Return the texts with 八折 and "20% off" as 80%, if one text contains a 折."""
    if not any(_DISCOUNT.search(text) for text in texts):
        return list(texts)
    names = amount_names()
    less = re.compile(
        rf"(?:{names['chinese']['price']})了?\s?(?P<zh>\d+(?:\.\d+)?)\s?%|(?P<en>\d+(?:\.\d+)?)\s?%\s(?:{names['english']['price']})",
        re.IGNORECASE,
    )
    return [
        _DISCOUNT.sub(_price, less.sub(lambda match: f"{100 - Decimal(match['zh'] or match['en'])}%", text))
        for text in texts
    ]


def _price(match: re.Match[str]) -> str:
    share = value_of(match["n"])
    if share is None and len(match["n"]) == len("七五"):
        tens, ones = (value_of(digit) or Decimal(0) for digit in match["n"])
        share = tens * 10 + ones
    return match[0] if share is None or not 0 < share < 100 else f"{written(share * (10 if share < 10 else 1))}%"


@cache
def _rewritings(taiwan: bool, clock: bool) -> tuple[Rewriting, ...]:
    return (*_times_of_day(clock), *_shares(), *_measures(taiwan), *_money())


def _shares() -> Iterator[Rewriting]:
    end = rf"(?![{HAN}])"
    yield Rewriting(("一半", "半数"), r"(?<!多)(?:一半|半数)", "50%")
    yield Rewriting(("打",), rf"(?P<n>{_NUMBER})打{end}", _scaled(12))
    yield Rewriting(("成",), rf"(?P<n>{_DIGIT})成(?P<m>{_DIGIT})?(?:{end}|(?=的|以上|左右|多))", _tenths)
    yield Rewriting(("千分之",), rf"千分之(?P<n>{_NUMBER})", _scaled(Decimal("0.1"), "%"))
    yield Rewriting(("万分之",), rf"万分之(?P<n>{_NUMBER})", _scaled(Decimal("0.01"), "%"))
    yield Rewriting(("基点",), rf"(?P<n>{_NUMBER})\s?个?基点", _scaled(Decimal("0.01"), "个百分点"))


def _measures(taiwan: bool) -> Iterator[Rewriting]:
    names = amount_names()["chinese"]
    units, end = names["measures"], rf"(?![{HAN}])"
    yield Rewriting(("刻钟",), rf"(?P<n>{_NUMBER})刻钟", _scaled(15, "分钟"))
    yield Rewriting(("半",), rf"(?P<n>{_NUMBER})个?半(?P<unit>个?(?:{units}))", _with_half)
    yield Rewriting(("半",), rf"(?P<n>{_NUMBER})(?P<unit>个?(?:{units}))半(?![{HAN}\d])", _with_half)
    yield Rewriting(("半",), rf"(?<![{HAN}\d])半个?(?P<unit>{units})(?!前|后来)", r"0.5\g<unit>")
    eras = values_of(names["eras"])
    yield Rewriting(tuple(eras), rf"(?P<era>{any_of(eras)})\s?(?P<n>{_NUMBER}|元)\s?年", _year)
    scales = values_of(names["temperatures"])
    degrees = rf"(?P<range>(?:零下|-)?{_NUMBER}(?:\s?(?:至|到|[-~–])\s?(?:零下|-)?{_NUMBER})?)\s?度"
    yield Rewriting(tuple(scales), rf"(?P<name>{any_of(scales)})\s?{degrees}", _temperature)
    yield Rewriting(("零下",), rf"零下\s?(?P<n>{_NUMBER})", _scaled(-1))
    for name, value in names["customary"]["zh-Hant" if taiwan else "zh"].items():
        ratio, _, unit = value.partition(" ")
        yield Rewriting((name,), rf"(?P<n>{_NUMBER})\s?{name}{end}", _scaled(Decimal(ratio), unit))


def _money() -> Iterator[Rewriting]:
    names = values_of(amount_names()["chinese"]["currencies"])
    amount = rf"(?P<n>\d[\d,.]*\s?[百千万亿]*|[{CHINESE_NUMERALS}]+)\s?[元圆]?"
    yield Rewriting(tuple(names), rf"(?P<name>{any_of(names)})\s?{amount}", _currency_after)
    yield Rewriting(("块",), rf"(?P<n>{_NUMBER})块(?P<m>{_DIGIT})(?![\d{HAN}])", _tenths_of_yuan)
    yield Rewriting(("块钱",), rf"(?P<n>{_NUMBER})块钱", r"\g<n>元")
    yield Rewriting(("毛", "角"), rf"(?P<n>{_NUMBER})[毛角](?:钱|(?![{HAN}]))", _scaled(Decimal("0.1"), "元"))


def _times_of_day(clock: bool) -> Iterator[Rewriting]:
    """Yield the rewritings of times of day.

    Times without a part of the day are rewritten only in texts about times, because 三点 may be three points.
    """
    names = amount_names()["chinese"]
    part = rf"(?P<part>{any_of(names['parts_of_day'])})\s?"
    short = rf"差(?P<less>一刻|[{CHINESE_NUMERALS}\d]{{1,3}}分)钟?"
    minutes = (
        rf"(?:(?P<named>{'|'.join(_HALVES)})|(?P<minute>[{CHINESE_NUMERALS}\d]{{1,3}})分?|钟|整)?"
        rf"(?![刻{CHINESE_NUMERALS}\d])"
    )
    yield Rewriting(("夜", "零"), names["midnight"], "00:00")
    yield Rewriting((names["noon"],), names["noon"], "12:00 pm")
    for day in (part, f"(?:{part})?") if clock else (part,):
        for pattern in (rf"{day}{short}\s?{_HOUR}[钟整]?", rf"{day}{_HOUR}{short}", rf"{day}{_HOUR}{minutes}"):
            yield Rewriting(("点", "时"), pattern, _time)
    yield Rewriting(tuple(names["parts_of_day"]), rf"{part}(?P<hour>[012]?\d):(?P<minute>[0-5]\d)", _time)


def _scaled(factor: Decimal | int, unit: str = "") -> Callable[[re.Match[str]], str]:
    """Return a function that rewrites a number to its product with a factor, followed by a unit."""

    def product(match: re.Match[str]) -> str:
        value = times(match["n"], factor)
        return match[0] if value is None else value + unit

    return product


def _with_half(match: re.Match[str]) -> str:
    value = value_of(match["n"])
    return match[0] if value is None else f"{written(value + Decimal('0.5'))}{match['unit']}"


def _tenths(match: re.Match[str]) -> str:
    value = (value_of(match["n"]) or Decimal(0)) * 10 + (value_of(match["m"] or "") or 0)
    return f"{written(value)}%"


def _tenths_of_yuan(match: re.Match[str]) -> str:
    value, tenth = value_of(match["n"]), value_of(match["m"])
    return match[0] if value is None or tenth is None else f"{written(value + tenth / 10)}元"


def _year(match: re.Match[str]) -> str:
    number = Decimal(1) if match["n"] == "元" else value_of(match["n"])
    return match[0] if number is None else f"{amount_names()['chinese']['eras'][match['era']] + int(number)}年"


def _currency_after(match: re.Match[str]) -> str:
    return f"{match['n']}{amount_names()['chinese']['currencies'][match['name']]}"


def _temperature(match: re.Match[str]) -> str:
    return match["range"] + str(amount_names()["chinese"]["temperatures"][match["name"]])


def _time(match: re.Match[str]) -> str:
    """Return a time of day as 9:05, or as 09:05 and 21:05 if the part of the day is known."""
    read = match.groupdict()
    hour = value_of(read["hour"])
    minute = _HALVES.get(read.get("named") or "") or value_of(read.get("minute") or "") or 0
    less = (read.get("less") or "").removesuffix("分")
    if less:
        minute = -(_HALVES.get(less) or value_of(less) or 0)
    if hour is None or hour > 24:
        return match[0]
    half = amount_names()["chinese"]["parts_of_day"].get(read.get("part") or "", "")
    total = (_hour(int(hour), half) * 60 + int(minute)) % (24 * 60)
    if not half:
        return f"{total // 60}:{total % 60:02}"
    return f"{total // 60:02}:{total % 60:02}" + (" pm" if total // 60 == _NOON else "")


def _hour(hour: int, half: str) -> int:
    """Return the hour from 0 to 23 for an hour and a part of the day: 下午三点 is 15, 中午一点 13, 晚上十二点 0."""
    if half == "night" and hour == _NOON:
        return 0
    if hour < _NOON and (half in ("pm", "night") or (half == "noon" and hour < 9)):
        return hour + 12
    return 0 if half == "am" and hour == _NOON else hour
