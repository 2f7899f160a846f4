"""Dates in English text."""

from __future__ import annotations

import re

from synth.text.calendar_names import MONTH_PATTERN, month_number
from synth.text.date_values import Date, FoundDate, Period, century, decade, made_date, spanned
from synth.text.numerals import ORDINALS

_BC = r"(?:BCE?\b|B\.C\.(?:E\.)?)"
_AD = r"(?:AD|A\.D\.)"
_ERA = rf"(?:{_BC}|AD\b|CE\b|A\.D\.|C\.E\.)"
_PART = r"(?:(?P<part>[Ee]arly|[Mm]id|[Mm]iddle|[Ll]ate)(?:-|\s)(?:the\s|of\sthe\s)?)?"
_DASH = r"\s?[-\u2013\u2014]\s?"
_TO = rf"(?:{_DASH}|\s(?:to|until|through)\s)"
_DAY_OF_MONTH = rf"(?:st|nd|rd|th)?\s(?:of\s)?{MONTH_PATTERN}"
_ORDINAL = f"(?:{'|'.join(ORDINALS)})"


def _year(name: str) -> str:
    """Return the pattern of the year after a month, with the groups `<name>_y`, `<name>_n` and `<name>_e` (era)."""
    return rf"(?:(?P<{name}_y>\d{{4}})\b(?!\s?{_ERA})|(?P<{name}_n>\d{{1,4}})\s?(?P<{name}_e>{_ERA}))"


# In order: 4 July 1776; July 4, 1776; July 1776; 1776-07-04; from 264 to 146 BC; from AD 14 to 37; AD 79; 44 BC;
# early 19th century; late 1920s; from 1870 to 1939, 1870-71, 1998-present; 1786.
_ATOM = re.compile(
    rf"(?:(?<![\w/:#$£€@=+\\.-])|(?<=\b[Mm]id-))(?<!\d[.,\u2013])(?:"
    rf"(?P<dmy_d>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<dmy_m>{MONTH_PATTERN}),?\s{_year('dmy')}"
    rf"|(?P<mdy_m>{MONTH_PATTERN})\s(?P<mdy_d>\d{{1,2}})(?:st|nd|rd|th)?,?\s{_year('mdy')}"
    rf"|(?<!\d\s)(?P<my_m>{MONTH_PATTERN})(?:,|\sof)?\s{_year('my')}"
    rf"|(?P<iso_y>\d{{4}})(?P<iso>[-/])(?P<iso_m>\d{{1,2}})(?P=iso)(?P<iso_d>\d{{1,2}})(?!\s?{_ERA})"
    rf"|(?:(?P<era_between>[Bb]etween\s)|[Ff]rom\s)?(?P<era_a>\d{{1,4}})(?(era_between)\sand\s|{_TO})(?P<era_b>\d{{1,4}})\s?(?P<era_range>{_ERA})"
    rf"|(?:(?P<ad_between>[Bb]etween\s)|[Ff]rom\s)?{_AD}\s?(?P<ad_a>\d{{1,4}})(?(ad_between)\sand\s|{_TO})(?P<ad_b>\d{{1,4}})\b(?!{_DAY_OF_MONTH})"
    rf"|{_AD}\s?(?P<ad>\d{{1,4}})"
    rf"|(?P<era_y>\d{{1,4}})\s?(?P<era>{_ERA})"
    rf"|{_PART}(?P<century>\d{{1,2}}(?=st|nd|rd|th)|{_ORDINAL}|(?i:{_ORDINAL})(?=[-\s]century))(?:st|nd|rd|th)?[-\s][Cc]entury(?:\s(?P<century_e>{_ERA}))?"
    rf"|{_PART.replace('part', 'decade_part')}(?P<decade>[12]\d[1-9]0)['’]?s(?:\s(?P<decade_e>{_ERA}))?"
    rf"|(?P<from>(?:[Ff]rom|[Bb]etween)\s)?(?P<range_a>[12]\d{{3}})(?P<range_mid>{_TO}|\sand\s)"
    rf"(?P<range_b>[12]\d{{3}}|(?:(?<=[-\u2013\u2014])|(?<=[-\u2013\u2014]\s))\d{{2}}\b(?!{_DAY_OF_MONTH})|(?:the\s)?present(?:\sday)?)(?!\s?{_ERA})"
    rf"|(?P<year>[12]\d{{3}})"
    rf")(?![\w%°$£€])(?![.,:/]\d)(?!-\w)",
    re.ASCII,
)
APPROXIMATELY = r"(?:\b(?:about|around|circa|approximately|roughly|some\stime\s(?:around|about))\s|\bca?\.\s?|~\s?)"
"""Regular expression for words before an approximate date: "about", "some time around", "c.", "~"."""

_APPROXIMATELY_BEFORE = re.compile(rf"{APPROXIMATELY}(?:the\s(?:year\s)?)?$", re.IGNORECASE)
# A bare number is a year after "in", "since the year", "summer", "mid-".
_YEAR_CUE = re.compile(
    r"(?:\b(?:in|since|until|till|during|throughout|years?|spring|summer|autumn|fall|winter|mid|early|late)\s"
    r"(?:the\s(?:year\s)?|year\s|early\s|late\s|mid-)?|\bmid-)$",
    re.IGNORECASE,
)
# Not a round number after "by", "from", "before" or "after": "by 1786", but not "from 1500 to ...".
_WEAK_CUE = re.compile(r"(?<!\d\s)\b(?:by|from|before|after)\s$", re.IGNORECASE)
# "Treaty of 1786", "end of 1786", "war of 1812".
_OF_CUE = re.compile(
    r"\b(?:[A-Z][a-z]{2,15}|spring|summer|autumn|fall|winter|end|beginning|start|year|class|crisis|revolution|election|war|act)\sof\s$"
)
# "the" before, and a name or "election", "season", "war" after: "the 1824 election", "the 1906 San Francisco ...".
_ARTICLE = re.compile(r"\bthe\s$", re.IGNORECASE)
_DATED_THING_AFTER = re.compile(
    r"\s(?:[A-Z][a-z]|season\b|election|edition\b|championship|census\b|film\b|novel\b|album\b|tournament\b|campaign\b|report\b|war\b|crisis\b)"
)
# "(1786)", "(born 1786,", "(c. 1786;".
_IN_BRACKETS = re.compile(r"\((?:(?:born|died|b\.|d\.|est\.|founded|opened|built|since|from|c\.|circa)\s)?$")
# A number before a unit or a counted noun is not a year: "in 1786 ships", "in 2048 bytes". In "in 1786 was", it is.
_COUNTED_AFTER = re.compile(
    r"\s(?!(?:was|is|has|as|his|its|this|thus|across|against|always|besides|unless|plus|perhaps|towards|does|less)\b)"
    r"(?:[a-z]{1,20}s|people|men|women|children|feet|percent|per|million|billion|thousand|m|km|ft|kg|or|more)\b"
)
# The era after the last number applies to the first too: "1800" in "1800 and 1700 BC".
_BC_AFTER = re.compile(rf"(?:(?:,?\s(?:and|or|to|until|through)\s|,\s|{_DASH})\d{{1,4}}){{1,3}}\s?{_BC}", re.ASCII)
# "2001" in "between 2001 and 12 March 2005".
_BETWEEN_CUE = re.compile(r"\bbetween\s$", re.IGNORECASE)
_AND_A_DAY = re.compile(rf"\sand\s\d{{1,2}}{_DAY_OF_MONTH}", re.ASCII)
# A year that follows another year needs no cue: "in 1786, 1790 and in 1811".
_NEXT_IN_A_LIST = re.compile(r"(?:,\s|,?\s(?:and|or)\s)(?:in\s)?")
# The end of a range that we do not read: "5 May 1998" in "3–5 May 1998".
_HALF_A_RANGE = re.compile(rf"(?:\d(?:st|nd|rd|th)?|\b{MONTH_PATTERN}){_DASH}$", re.ASCII)
# Between the two dates of a period: "4 July 1776 to 3 May 1778".
_JOINED = re.compile(rf"{_TO}|\sand\s")


def english_dates(text: str) -> list[FoundDate]:
    """Return the dates and periods of an English text, in order."""
    dates: list[FoundDate] = []
    for match in _ATOM.finditer(text):
        found = _found_date(text, match, dates)
        if found is None:
            continue
        joined = _joined(text, dates[-1], found) if dates else None
        if joined:
            dates[-1] = joined
        elif (
            match["range_a"]
            or match["era_a"]
            or match["ad_a"]
            or not _HALF_A_RANGE.search(text[max(0, match.start() - 14) : match.start()])
        ):
            dates.append(found)
    return dates


def _found_date(text: str, match: re.Match[str], earlier: list[FoundDate]) -> FoundDate | None:
    """Return the date at a match, or None if the match is not a date.

    Words such as "about" before the date belong to its span.
    """
    start = match.start()
    window = text[max(0, start - 30) : start]
    about = _APPROXIMATELY_BEFORE.search(window)
    hedged = about is not None
    circa = about is not None and about.group()[0].lower() == "c"
    if about:
        start -= len(about.group())
        window = window[: about.start()]
    if match["year"] and not _is_year(text, match, window, circa, earlier):
        return None
    if match["range_a"] and not _is_range(text, match):
        return _first_of_two(text, match, window, start, hedged)
    value = _value(match)
    if value is None:
        return None
    hedged = hedged or bool(match["part"] or match["decade_part"])
    return FoundDate(start=start, end=match.end(), value=value, approximate=hedged)


def _is_year(text: str, match: re.Match[str], window: str, circa: bool, earlier: list[FoundDate]) -> bool:
    """Return whether the context shows that a bare number of four digits is a year."""
    year = int(match["year"])
    after = text[match.end() : match.end() + 30]
    if year > 2100 or _COUNTED_AFTER.match(after) or _BC_AFTER.match(text, match.end()):
        return False
    if (
        circa
        or _YEAR_CUE.search(window)
        or (_ARTICLE.search(window) and year > 1500 and _DATED_THING_AFTER.match(after))
    ):
        return True
    if _IN_BRACKETS.search(window) and after[:1] in (")", ",", ";"):
        return True
    if earlier and earlier[-1].end >= match.start() - 10:
        between = text[earlier[-1].end : match.start()]
        if _NEXT_IN_A_LIST.fullmatch(between) and isinstance(earlier[-1].value, Date):
            return year > 1400
    if _BETWEEN_CUE.search(window) and _AND_A_DAY.match(after):
        return year > 1400
    return year > 1400 and ((year % 100 != 0 and bool(_WEAK_CUE.search(window))) or bool(_OF_CUE.search(window)))


def _is_range(text: str, match: re.Match[str]) -> bool:
    """Return whether two numbers, such as 1870 and 71, are the first and the last year of a period."""
    first, last, mid = int(match["range_a"]), match["range_b"], match["range_mid"].strip()
    opening = (match["from"] or "").strip().casefold()
    if (mid == "and") != (opening == "between") or _COUNTED_AFTER.match(text[match.end() : match.end() + 30]):
        return False
    if not last[0].isdigit():
        return mid != "and" and first > 1400
    if len(last) == 2:
        return mid in ("-", "–") and int(last) > 12 and 1400 < first < 2100 and int(last) > first % 100
    bracketed = text[match.start() - 1 : match.start()] == "("
    if mid in ("to", "until", "through") and not opening and not bracketed and first % 100 == 0:
        return False
    round_numbers = first % 100 == 0 and int(last) % 100 == 0 and not bracketed
    return (1000 if bracketed else 1400) <= first < int(last) <= 2100 and not round_numbers


def _first_of_two(text: str, match: re.Match[str], window: str, start: int, hedged: bool) -> FoundDate | None:
    """Return the first year of a phrase such as "in 1998 and 1999", or None for another phrase.

    Such a phrase states two years and no period. The second year is ignored.
    """
    plain = match["range_mid"].strip() == "and" and not match["from"] and len(match["range_b"]) == 4
    if not plain or not _YEAR_CUE.search(window) or _COUNTED_AFTER.match(text[match.end() : match.end() + 30]):
        return None
    value = made_date(int(match["range_a"]))
    return FoundDate(start=start, end=match.end("range_a"), value=value, approximate=hedged) if value else None


def _value(match: re.Match[str]) -> Date | Period | None:
    """Return the date or period of a match, or None if the calendar has no such date."""
    for kind in ("dmy", "mdy", "my"):
        if match[f"{kind}_m"]:
            year = _signed(match[f"{kind}_y"] or match[f"{kind}_n"], match[f"{kind}_e"])
            day = int(match[f"{kind}_d"]) if kind != "my" else None
            return made_date(year, month_number(match[f"{kind}_m"]), day)
    if match["iso_y"]:
        return made_date(int(match["iso_y"]), int(match["iso_m"]), int(match["iso_d"]))
    if match["era_a"]:
        return spanned(*(made_date(_signed(match[year], match["era_range"])) for year in ("era_a", "era_b")))
    if match["ad_a"]:
        return _years(match["ad_a"], match["ad_b"])
    if match["ad"] or match["era_y"]:
        return made_date(_signed(match["ad"] or match["era_y"], match["era"]))
    if match["century"]:
        name = match["century"].casefold()
        number = int(name) if name.isdigit() else ORDINALS.index(name) + 1
        return century(number, before_christ=_is_bc(match["century_e"])) if 0 < number < 22 else None
    if match["decade"]:
        year = int(match["decade"])
        return decade(-year - 9 if _is_bc(match["decade_e"]) else year)
    if match["range_a"]:
        return _years(match["range_a"], match["range_b"])
    return made_date(int(match["year"]))


def _is_bc(era: str | None) -> bool:
    return (era or "")[:1] == "B"


def _signed(year: str, era: str | None) -> int:
    """Return the year as a number, negative for years BC."""
    return -int(year) if _is_bc(era) else int(year)


def _years(first: str, last: str) -> Period | None:
    if not last[0].isdigit():
        return Period(first=Date(year=int(first)), last=None)
    return spanned(made_date(int(first)), made_date(int(first[: max(0, len(first) - len(last))] + last)))


def _joined(text: str, first: FoundDate, last: FoundDate) -> FoundDate | None:
    """Return the period of two dates joined by "to", a dash, or "between … and"; None if they are not joined."""
    between = text[first.end : last.start]
    if not _JOINED.fullmatch(between):
        return None
    opening = text[max(0, first.start - 8) : first.start].casefold()
    lead = next((word for word in ("from ", "between ") if opening.endswith(word)), "")
    if (between.strip() == "and") != (lead == "between "):
        return None
    period = spanned(first.value, last.value)
    if period is None:
        return None
    hedged = first.approximate or last.approximate
    return FoundDate(start=first.start - len(lead), end=last.end, value=period, approximate=hedged)
