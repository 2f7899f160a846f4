"""Dates in English text."""

from __future__ import annotations

import re

from synth.text.calendar_names import MONTH_PATTERN, month_number
from synth.text.date_values import Date, FoundDate, Period, century, decade, made_date, spanned
from synth.text.numerals import ORDINALS

_BC = r"(?:BCE?\b|B\.C\.(?:E\.)?)"
_ERA = rf"(?:{_BC}|AD\b|CE\b|A\.D\.|C\.E\.)"
_PART = r"(?:(?P<part>[Ee]arly|[Mm]id|[Mm]iddle|[Ll]ate)(?:-|\s)(?:the\s|of\sthe\s)?)?"
_DASH = r"\s?[-\u2013\u2014]\s?"
_ATOM = re.compile(
    rf"(?:(?<![\w/:#$£€@=+\\.-])|(?<=\b[Mm]id-))(?<!\d[.,\u2013])(?:"
    rf"(?P<dmy_d>\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?(?P<dmy_m>{MONTH_PATTERN}),?\s(?P<dmy_y>\d{{4}}\b(?!\s?{_ERA})|\d{{1,4}}\s(?P<dmy_e>{_ERA}))"
    rf"|(?P<mdy_m>{MONTH_PATTERN})\s(?P<mdy_d>\d{{1,2}})(?:st|nd|rd|th)?,?\s(?P<mdy_y>\d{{4}})"
    rf"|(?<!\d\s)(?P<my_m>{MONTH_PATTERN})(?:,|\sof)?\s(?P<my_y>\d{{4}})"
    rf"|(?P<iso_y>\d{{4}})(?P<iso>[-/])(?P<iso_m>\d{{1,2}})(?P=iso)(?P<iso_d>\d{{1,2}})"
    rf"|(?P<era_a>\d{{1,4}}){_DASH}(?P<era_b>\d{{1,4}})\s?(?P<era_range>{_ERA})"
    rf"|(?:AD|A\.D\.)\s?(?P<ad>\d{{1,4}})"
    rf"|(?P<era_y>\d{{1,4}})\s?(?P<era>{_ERA})"
    rf"|{_PART}(?P<century>\d{{1,2}}(?=st|nd|rd|th)|(?:{'|'.join(ORDINALS)}))(?:st|nd|rd|th)?[-\s][Cc]entury(?:\s(?P<century_e>{_ERA}))?"
    rf"|{_PART.replace('part', 'decade_part')}(?P<decade>[12]\d[1-9]0)['’]?s"
    rf"|(?P<from>(?:[Ff]rom|[Bb]etween)\s)?(?P<range_a>[12]\d{{3}})(?P<range_mid>{_DASH}|\s(?:to|until|through|and)\s)"
    rf"(?P<range_b>[12]\d{{3}}|\d{{2}}|(?:the\s)?present(?:\sday)?)"
    rf"|(?P<year>[12]\d{{3}})"
    rf")(?![\w%°$£€])(?![.,:/]\d)(?!-\w)",
    re.ASCII,
)
_APPROXIMATELY = re.compile(
    r"(?:\b(?:about|around|circa|approximately|roughly|some\stime\s(?:around|about))\s|\bca?\.\s?|~\s?)(?:the\s(?:year\s)?)?$",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"(?:\b(?:in|since|until|till|during|throughout|years?|spring|summer|autumn|fall|winter|mid|early|late)\s"
    r"(?:the\s(?:year\s)?|year\s|early\s|late\s|mid-)?|\bmid-)$",
    re.IGNORECASE,
)
_WEAK_CUE = re.compile(r"(?<!\d\s)\b(?:by|from|before|after)\s$", re.IGNORECASE)
_OF = re.compile(
    r"\b(?:[A-Z][a-z]{2,15}|spring|summer|autumn|fall|winter|end|beginning|start|year|class|crisis|revolution|election|war|act)\sof\s$"
)
_THE = re.compile(r"\bthe\s$", re.IGNORECASE)
_YEARLY = re.compile(
    r"\s(?:[A-Z][a-z]|season\b|election|edition\b|championship|census\b|film\b|novel\b|album\b|tournament\b|campaign\b|report\b|war\b|crisis\b)"
)
_IN_BRACKETS = re.compile(r"\((?:(?:born|died|b\.|d\.|est\.|founded|opened|built|since|from|c\.|circa)\s)?$")
_COUNTED = re.compile(
    r"\s(?!(?:was|is|has|as|his|its|this|thus|across|against|always|besides|unless|plus|perhaps|towards|does|less)\b)"
    r"(?:[a-z]{1,20}s|people|men|women|children|feet|percent|per|million|billion|thousand|m|km|ft|kg|or|more)\b"
)
_NEXT_IN_A_LIST = re.compile(r"(?:,\s|,?\s(?:and|or)\s)(?:in\s)?")
_HALF_A_RANGE = re.compile(rf"(?:\d(?:st|nd|rd|th)?|\b{MONTH_PATTERN}){_DASH}$", re.ASCII)
_JOINED = re.compile(rf"{_DASH}|\s(?:to|until|through)\s|\sand\s")


def english_dates(text: str) -> list[FoundDate]:
    """Dates and periods of an English text, in order."""
    dates: list[FoundDate] = []
    for match in _ATOM.finditer(text):
        dated = _dated(text, match, dates)
        if dated is None:
            continue
        joined = _joined(text, dates[-1], dated) if dates else None
        if joined:
            dates[-1] = joined
        elif (
            match["range_a"]
            or match["era_a"]
            or not _HALF_A_RANGE.search(text[max(0, match.start() - 14) : match.start()])
        ):
            dates.append(dated)
    return dates


def _dated(text: str, match: re.Match[str], before: list[FoundDate]) -> FoundDate | None:
    start = match.start()
    window = text[max(0, start - 30) : start]
    about = _APPROXIMATELY.search(window)
    hedged = about is not None
    if about:
        start -= len(about.group())
        window = window[: about.start()]
    if match["year"] and not _is_year(
        text, match, window, hedged and about is not None and about.group()[0].lower() == "c", before
    ):
        return None
    if match["range_a"] and not _is_range(text, match):
        return _first_of_two(text, match, window, start, hedged)
    value = _value(match)
    if value is None:
        return None
    hedged = hedged or bool(match["part"] or match["decade_part"])
    return FoundDate(start=start, end=match.end(), value=value, approximate=hedged)


def _is_year(text: str, match: re.Match[str], window: str, circa: bool, before: list[FoundDate]) -> bool:
    """Return whether the context shows that a bare number of four digits is a year."""
    year = int(match["year"])
    after = text[match.end() : match.end() + 30]
    if year > 2100 or _COUNTED.match(after):
        return False
    if circa or _CUE.search(window) or (_THE.search(window) and year > 1500 and _YEARLY.match(after)):
        return True
    if _IN_BRACKETS.search(window) and after[:1] in (")", ",", ";"):
        return True
    if before and before[-1].end >= match.start() - 10:
        between = text[before[-1].end : match.start()]
        if _NEXT_IN_A_LIST.fullmatch(between) and isinstance(before[-1].value, Date):
            return year > 1400
    return year > 1400 and ((year % 100 != 0 and bool(_WEAK_CUE.search(window))) or bool(_OF.search(window)))


def _is_range(text: str, match: re.Match[str]) -> bool:
    """Return whether two numbers of four digits are the first and the last year of a period."""
    first, last, mid = int(match["range_a"]), match["range_b"], match["range_mid"].strip()
    opening = (match["from"] or "").strip().casefold()
    if (mid == "and") != (opening == "between") or _COUNTED.match(text[match.end() : match.end() + 30]):
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
    """The first year of "in 1998 and 1999", which is not a period; the second is ignored."""
    plain = match["range_mid"].strip() == "and" and not match["from"] and len(match["range_b"]) == 4
    if not plain or not _CUE.search(window) or _COUNTED.match(text[match.end() : match.end() + 30]):
        return None
    value = made_date(int(match["range_a"]))
    return FoundDate(start=start, end=match.end("range_a"), value=value, approximate=hedged) if value else None


def _value(match: re.Match[str]) -> Date | Period | None:
    """Date of one match, or None for one that does not exist."""
    for kind in ("dmy", "mdy", "my"):
        if match[f"{kind}_m"]:
            year = int(re.split(r"\s", match[f"{kind}_y"])[0])
            before_christ = kind == "dmy" and (match["dmy_e"] or "")[:1] == "B"
            day = int(match[f"{kind}_d"]) if kind != "my" else None
            month = month_number(match[f"{kind}_m"])
            return made_date(-year if before_christ else year, month, day)
    if match["iso_y"]:
        return made_date(int(match["iso_y"]), int(match["iso_m"]), int(match["iso_d"]))
    if match["era_a"]:
        sign = -1 if match["era_range"][0] == "B" else 1
        return spanned(made_date(sign * int(match["era_a"])), made_date(sign * int(match["era_b"])))
    if match["ad"] or match["era_y"]:
        sign = -1 if (match["era"] or "A")[0] == "B" else 1
        return made_date(sign * int(match["ad"] or match["era_y"]))
    if match["century"]:
        name = match["century"].casefold()
        number = int(name) if name.isdigit() else ORDINALS.index(name) + 1
        bc = (match["century_e"] or "")[:1] == "B"
        return century(number, before_christ=bc) if 0 < number < 22 else None
    if match["decade"]:
        return decade(int(match["decade"]))
    if match["range_a"]:
        return _years(match["range_a"], match["range_b"])
    return made_date(int(match["year"]))


def _years(first: str, last: str) -> Period | None:
    if not last[0].isdigit():
        return Period(first=Date(year=int(first)), last=None)
    return spanned(made_date(int(first)), made_date(int(first[: 4 - len(last)] + last)))


def _joined(text: str, first: FoundDate, last: FoundDate) -> FoundDate | None:
    """The period of two dates joined by "to", a dash, or "and" after "between"; None when they are not joined."""
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
