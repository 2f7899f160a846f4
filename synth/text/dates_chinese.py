"""Dates in Chinese text. The text is first simplified and its digits made ASCII (see `date_values.folded`)."""

from __future__ import annotations

import re

from synth.text.date_values import Date, FoundDate, Period, century, decade, made_date, spanned
from synth.text.numerals import CHINESE_DIGITS, WRITTEN_DIGITS, read_chinese

_YEAR = rf"(?:[12]\d{{3}}|[一二][{WRITTEN_DIGITS}]{{3}})"
_COUNT = r"(?:\d{1,4}|[元一二三四五六七八九十百]{1,5})"
_MONTH = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_DAY = r"(?:3[01]|[12]\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|廿[一二三四五六七八九]?|[一二三四五六七八九])"
_TO = r"\s?(?:-{1,2}|[\u2013~]|\u2014{1,2}|起?[,，]?直?至(?!今)|起?[,，]?直?到(?!现|今))\s?"
_PART = "初期|末期|初叶|末叶|中叶|中期|前期|后期|早期|晚期|[前后上下]半叶|[前后上下]半期?|中后期|初|末"
# For each era counted in solar years, the year before its first year.
_SEASON = "[春夏秋冬][季天]?|[上下]半年|年?[初底末]|中期|早期|晚期|后期|前期|初期|末期"
_HOUR = "凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|晚间|深夜|夜间"
_ERAS = {"民国": 1911, "明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
_ATOM = re.compile(
    rf"(?<![0-9A-Za-z.,/{WRITTEN_DIGITS}十百千万亿-])(?:"
    rf"(?P<iso_y>[12]\d{{3}})(?P<iso>[-/])(?P<iso_m>\d{{1,2}})(?P=iso)(?P<iso_d>\d{{1,2}})(?![\d/-])"
    rf"|(?P<century_bc>(?:公元|西元)?前)?(?:公元|西元)?\s?(?P<century>\d{{1,2}}|[一二三四五六七八九十]{{1,3}})\s?世纪"
    rf"(?:(?P<tens>\s?\d0|[一二三四五六七八九]十)\s?年代)?(?P<part>{_PART})?"
    rf"|(?P<decade>[12]\d[1-9]0|[一二][{WRITTEN_DIGITS}][一二三四五六七八九][〇零○])\s?年代(?P<decade_part>{_PART})?"
    rf"|(?P<bc>(?:公元|西元|纪元)前)\s?(?P<bc_y>{_COUNT})\s?年"
    rf"|(?<![\u4e00-\u9fff])前\s?(?P<bare_bc>\d{{3,4}})\s?年"
    rf"|(?:公元|西元)\s?(?P<ad>{_COUNT})\s?年(?:\s?(?P<ad_m>{_MONTH})月(?:(?P<ad_d>{_DAY})[日号])?)?"
    rf"|\A(?P<reign>(?!直|截|早|[至到约])[\u4e00-\u9fff]{{2,4}}(?:\d{{1,2}}|元|[一二三四五六七八九十]{{1,3}})年)"
    rf"\((?:公元|西元)?(?P<reign_y>\d{{3,4}})年?\)(?:(?P<reign_m>\d{{1,2}})月(?:(?P<reign_d>\d{{1,2}})[日号])?)?\Z"
    rf"|(?P<era>{'|'.join(_ERAS)})(?P<era_y>{_COUNT})年(?:(?P<era_m>{_MONTH})月(?:(?P<era_d>{_DAY})[日号])?)?"
    rf"|(?P<y>{_YEAR})\s?年(?![级轻龄薪货]|代(?!表))"
    rf"(?:\s?(?P<m>{_MONTH})\s?月(?:\s?(?:(?P<d>{_DAY})\s?[日号](?:{_HOUR})?|[初底末]|[上中下]旬))?|(?P<season>{_SEASON})(?![\u4e00-\u9fff]?[级夏]))?"
    rf"|(?P<from>{_YEAR})(?={_TO}(?:[12一二][\d{WRITTEN_DIGITS}]{{3}}|\d\d(?!\d))\s?年)"
    rf"|(?<=[(（])(?P<life_a>[12]\d{{3}}){_TO}(?P<life_b>[12]\d{{3}})(?=[),;，；])"
    rf"|(?<=\()(?P<early>\d{{3}})年(?=\))"
    rf"|(?<=年\()(?:公元|西元)?(?P<glossed_bc>前)?(?P<glossed>\d{{3,4}})(?=\))"
    rf")",
    re.ASCII,
)
_REIGN_DAY = ("reign_m", "reign_d")
_TAIL = re.compile(
    rf"{_TO}(?:(?:(?P<y>{_YEAR})|(?P<short>\d\d))\s?年)?(?:\s?(?P<m>{_MONTH})\s?月)?(?:\s?(?P<d>{_DAY})\s?[日号])?(?![\d天年月小时])",
    re.ASCII,
)
_BC_TAIL = re.compile(rf"{_TO}(?P<ad>(?:公元|西元)(?!前))?(?P<bc>(?:(?:公元|西元)?前)?)(?P<y>{_COUNT})年", re.ASCII)
_SINCE = re.compile(r"(?:\s?[-\u2013\u2014~]{1,2}\s?|起)?(?:至|迄|到)(?:今|现在)|\s?起(?![的源至到直,，]|\s?[-—])")
_ONWARD = re.compile(r"\s?(?:以来|开始)")
_FROM = re.compile(r"(?:自从|从|自)\s?$")
_LONGEST_FROM = 4
_ABOUT = re.compile(r"(?:大约|约|大概|或)(?:[在于是])?\s?$")
_OR_SO = re.compile(r"左右|前后|上下")
_SPAN_BEFORE = re.compile(r"(?:[约近有逾达了过]|超过|长达|将近|至少)$")
_SPAN_AFTER = re.compile(r"的?历史|[多余来间前]|之久|以上|时间|左右")
_LISTED = re.compile(rf"[\d{WRITTEN_DIGITS}十](?:{_TO}|、|和|或)$", re.ASCII)


def chinese_dates(text: str) -> list[FoundDate]:
    """Return the dates and periods of a Chinese text, in order."""
    dates: list[FoundDate] = []
    for match in _ATOM.finditer(text):
        if dates and match.start() < dates[-1].end:
            continue
        window = text[max(0, match.start() - 8) : match.start()]
        value = _value(match)
        if (
            value is None
            or _is_span_of_years(match, value, window, text)
            or (match["century"] and _LISTED.search(window))
        ):
            continue
        end = match.end()
        if isinstance(value, Date):
            value, end = _continued(text, match, value)
        if value is None:
            continue
        about, so = _ABOUT.search(window), _OR_SO.match(text, end)
        since = (
            _FROM.search(window) if isinstance(value, Period) and not (match["century"] or match["decade"]) else None
        )
        start = match.start() - (len(about.group()) if about else len(since.group()) if since else 0)
        end = so.end() if so else end
        hedged = bool(about or so or match["part"] or match["decade_part"])
        dates.append(FoundDate(start=start, end=end, value=value, approximate=hedged))
    return dates


def _value(match: re.Match[str]) -> Date | Period | None:
    """Return the date or period of a match, or None if the calendar has no such date."""
    if match["iso_y"]:
        return made_date(int(match["iso_y"]), int(match["iso_m"]), int(match["iso_d"]))
    if match["century"]:
        return _century(match)
    if match["decade"]:
        return decade(_year(match["decade"]))
    if match["life_a"]:
        return spanned(made_date(int(match["life_a"])), made_date(int(match["life_b"])))
    if match["bc"] or match["bare_bc"]:
        return made_date(-_count(match["bc_y"] or match["bare_bc"]))
    if match["ad"]:
        return _dated(_count(match["ad"]), match["ad_m"], match["ad_d"])
    if match["era"]:
        solar = match["era"] != "明治"
        year = _count(match["era_y"])
        return _dated(_ERAS[match["era"]] + year, match["era_m"] if solar else "", match["era_d"]) if year else None
    if match["glossed"]:
        return made_date(int(match["glossed"]) * (-1 if match["glossed_bc"] else 1))
    if match["reign"]:
        return made_date(int(match["reign_y"]), *(int(match[part]) if match[part] else None for part in _REIGN_DAY))
    if match["early"]:
        return made_date(int(match["early"]))
    year = _year(match["y"] or match["from"])
    return _dated(year, match["m"], match["d"]) if 1000 <= year <= 2100 else None


def _dated(year: int, month: str | None, day: str | None) -> Date | None:
    """Return the date, or None if the calendar has no such date.

    Before 1912 a month in Chinese numerals may be a lunar month, so only the year is kept.
    """
    if not month or (year < 1912 and not month.isdigit()):
        return made_date(year)
    return made_date(year, _count(month), _count(day) if day else None)


def _century(match: re.Match[str]) -> Period | None:
    number = _count(match["century"])
    if not 0 < number < 22:
        return None
    if match["tens"]:
        return None if match["century_bc"] else decade(100 * (number - 1) + _count(match["tens"].strip()))
    return century(number, before_christ=bool(match["century_bc"]))


def _count(text: str) -> int:
    if text == "元":
        return 1
    value = read_chinese(text)
    return int(value) if value is not None else 0


def _year(text: str) -> int:
    return int(
        "".join(char if char.isascii() else str(CHINESE_DIGITS.index("〇" if char in "零○" else char)) for char in text)
    )


def _is_span_of_years(match: re.Match[str], value: Date | Period, window: str, text: str) -> bool:
    """Return whether a match such as 2000年, "the year 2000", may also mean "two thousand years"."""
    if not match["y"] or match["m"] or not isinstance(value, Date) or value.year % 100:
        return False
    return bool(_SPAN_BEFORE.search(window) or _SPAN_AFTER.match(text, match.end()))


def _continued(text: str, match: re.Match[str], first: Date) -> tuple[Date | Period | None, int]:
    """Return the period that starts with `first`, or else `first` itself, and the end offset of the result."""
    end = match.end() if first.month or not match["m"] else text.index("年", match.end("y")) + 1
    since = _SINCE.match(text, end)
    if since is None and _FROM.search(text, max(0, match.start() - _LONGEST_FROM), match.start()):
        since = _ONWARD.match(text, end)
    if since and not match["from"]:
        return Period(first=first, last=None), since.end()
    before_christ = bool(match["bc"] or match["bare_bc"])
    tail = (_BC_TAIL if before_christ else _TAIL).match(text, end)
    if tail is None or not (tail["y"] or (not before_christ and (tail["short"] or tail["m"] or tail["d"]))):
        return (None if match["from"] else first), end
    if before_christ:
        year = _count(tail["y"]) * (1 if tail["ad"] or (not tail["bc"] and _count(tail["y"]) > -first.year) else -1)
        return (spanned(first, made_date(year)) or first), tail.end()
    return _to(first, tail) or (None if match["from"] else first), tail.end()


def _to(first: Date, tail: re.Match[str]) -> Period | None:
    """Return the period from `first` to the date in `tail`. Parts that `tail` lacks are taken from `first`."""
    year = _year(tail["y"]) if tail["y"] else first.year
    if tail["short"]:
        year += int(tail["short"]) - year % 100
    month = _count(tail["m"]) if tail["m"] else None
    if month is None and tail["d"]:
        month = first.month if not tail["y"] else None
        if month is None:
            return None
    return spanned(first, made_date(year, month, _count(tail["d"]) if tail["d"] else None))
