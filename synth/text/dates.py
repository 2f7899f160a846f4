"""Find dates in English or Chinese text, and read an answer that is a date.

Only unambiguous dates are found. Days without a year, decades without a century (90年代), and four-digit numbers that
nothing marks as a year are left out. "2007-08" is left out too, because it may be a season or a month. The libraries
dateparser and datefinder are not used, because they complete partial dates from today's date, do not know BC or Chinese
dynasties, and read any number as a date.
"""

from __future__ import annotations

import re

from synth.text.date_values import Date, FoundDate, Period, folded, made_date
from synth.text.dates_chinese import chinese_dates
from synth.text.dates_english import APPROXIMATELY, english_dates

__all__ = ["Date", "FoundDate", "Period", "find_dates", "read_date"]

_MAX_LENGTH = 120
_OUTER_PUNCTUATION = " \t\n\r\u3000。，,;；:：、!！?？\"'“”‘’「」『』"
_ENGLISH_LEAD = re.compile(rf"(?:(?:in|on|during)\s)?{APPROXIMATELY}?(?:the\s)?(?:years?\s)?", re.IGNORECASE)
# An era year may stand before or after the year: 乾隆五十一年(1786年), 1786年(乾隆五十一年).
_CHINESE_LEAD = re.compile(r"[于在即为是]?(?:大约|约|大概)?[于在]?(?:[\u4e00-\u9fff]{2,6}年\()?")
_CHINESE_TAIL = re.compile(
    r"(?:\)|\([\u4e00-\u9fff]{3,9}年\))?(?:的?(?:时候|那年|这一年|当年)|[时间]|期间|年间|之间|左右|前后)?"
)
_YEARS = re.compile(r"[12]\d{3}\s?[-\u2013\u2014~]{1,2}\s?[12]\d{3}", re.ASCII)
_EARLY_YEAR = re.compile(r"\d{3}年", re.ASCII)
_YEAR = re.compile(r"[12]\d{3}", re.ASCII)


def find_dates(text: str, language: str) -> list[FoundDate]:
    """Return the dates and periods of a text, in order, without overlaps.

    `language` is "en", "zh-Hans" or "zh-Hant"; for any other language the list is empty. Offsets count characters.
    """
    if language.startswith("zh"):
        return chinese_dates(folded(text))
    return english_dates(text) if language == "en" else []


def read_date(text: str, language: str) -> Date | Period | None:
    """Return the date or period that `text` as a whole states, or None if it is not a date.

    Words before the date, such as "in the year", "about" or 于, are ignored. So are words after the date, such as 时 or
    左右. A bare "1786" is a year.
    """
    if len(text) > _MAX_LENGTH:
        return None
    plain = (folded(text) if language.startswith("zh") else text).strip(_OUTER_PUNCTUATION)
    # The last dot may be part of an era ("44 B.C.").
    return _read(plain, language) or _read(plain.removesuffix("."), language)


def _read(plain: str, language: str) -> Date | Period | None:
    chinese = language.startswith("zh")
    lead = (_CHINESE_LEAD if chinese else _ENGLISH_LEAD).match(plain)
    rest = plain[lead.end() if lead else 0 :]
    if _YEAR.fullmatch(rest):
        return made_date(int(rest))
    if _YEARS.fullmatch(rest):  # brackets make a range of round years a period
        return next((date.value for date in find_dates(f"({rest})", language)), None)
    if chinese and _EARLY_YEAR.fullmatch(rest):
        return made_date(int(rest[:-1]))
    for whole in (plain, rest):
        dates = find_dates(whole, language)
        if dates and dates[0].start == 0 and all(date.value == dates[0].value for date in dates):
            tail = whole[dates[0].end :]
            if not tail or (chinese and _CHINESE_TAIL.fullmatch(tail)):
                return dates[0].value
    return None
