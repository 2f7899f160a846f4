"""Numerals, versions, times of day and bounds of answers in one form, so that they can be compared by value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Sequence
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from synth.text.calendar_names import MONTH_PATTERN
from synth.text.numerals import CHINESE_NUMERALS, read_chinese

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SPACES = " \u00a0\u2009\u202f"
_FRACTIONS = dict(zip("½⅓⅔¼¾⅕⅛⅜⅝⅞", "1/2 1/3 2/3 1/4 3/4 1/5 1/8 3/8 5/8 7/8".split(), strict=True))
_MOST_POWER = 30
_LONGEST_BOUND = 40
_PLACES = Decimal("0.0001")

_GROUPED = re.compile(
    rf"(?<![\d.,'’\w])(?:[1-9]\d{{0,2}}(?P<space>[{_SPACES}])\d{{3}}(?:(?P=space)\d{{3}})*(?:[.,]\d{{1,2}})?"
    r"|\d{1,3}(?:['’]\d{3})+(?:[.,]\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2}(?!\.))(?![\d'’]|[.,]\d)"
)
_DECIMAL_COMMA = re.compile(r"(?<![\d.,\w])(?P<whole>\d{1,6}),(?P<part>\d{1,2}|\d{4,}|(?<=\b0,)\d+)(?![\d,]|\.\d)")
_POINT_GROUPS = re.compile(r"(?<![\d.,\w])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.])")
_THREE_PLACES = re.compile(r"(?<![\d.,\w])(\d{1,3}),(\d{3})(?![\d,]|\.\d)")
_POWER = re.compile(
    r"(?<![\w.])(?:(?P<lead>\d+(?:\.\d+)?)\s?[×x*·]\s?)?10(?:\^|\*\*|<sup>)\{?(?P<power>[-+\u2212]?\d{1,2})\}?(?:</sup>)?(?![\d.])"
)
_RAISED = re.compile(r"(?<=10)[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}")
_EXPONENT = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)[eE]([-+\u2212]?\d{1,2})(?![\w.])")
_FRACTION = re.compile(
    r"(?<![\w./,-])(?:(?P<whole>\d{1,3})[\s-])?(?P<above>\d{1,2})[/⁄](?P<below>\d{1,2})(?![\w/]|[.,-]\d)"
)
_ROMAN = re.compile(r"(?<![\w.-])(?=[IVX]{2,})(X{0,3})(IX|IV|V?I{0,3})(?![\w-]|\.[A-Z])")
_FIRST = re.compile(rf"\b1st\b(?!\s(?:of\s)?{MONTH_PATTERN})", re.IGNORECASE)
_MONTH_BEFORE = re.compile(rf"\b{MONTH_PATTERN}\s\Z", re.IGNORECASE)
_CHINESE_ORDINAL = re.compile(rf"第([{CHINESE_NUMERALS}\d]+)[个名位次]?")
_TENS = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_DECADE = re.compile(rf"\b(?:the\s)?(?:19)?({'|'.join(_TENS)})\b|(?<!\w)['’]?(?P<short>[2-9]0)s\b", re.IGNORECASE)

_VERSION = re.compile(r"(?<![\w.])[vV]?\.?\s?(\d{1,4}(?:\.\d{1,4})+)(?![\w]|\.\d)")
_CLOCK = re.compile(
    r"(?<![\w.:])(?:(?P<hour>[01]?\d|2[0-4])(?:[:.hH]|\s?[时点]\s?)(?P<minute>[0-5]\d)(?:[:.](?P<second>[0-5]\d)(?!\d))?分?"
    r"|(?P<only>[01]?\d)(?=\s?[ap]\.?\s?m\b))(?:\s?(?P<half>[ap])\.?\s?m\b\.?|\s(?P<oclock>Uhr|hrs|hours|h)\b)?(?![\d%m]|[.:]\d)",
    re.IGNORECASE,
)
_TIME = re.compile(r"(?<!\w)(\d{1,2}h\d{2,4}m)(?: ([ap])mclock)?")
_NOON = re.compile(r"\b(?:(?:12\s)?noon|midday)\b", re.IGNORECASE)
_MIDNIGHT = re.compile(r"\bmidnight\b", re.IGNORECASE)
_CHINESE_CLOCK = re.compile(
    rf"(?P<part>凌晨|早上|早晨|上午|中午|下午|傍晚|晚上)\s?(?P<hour>[{CHINESE_NUMERALS}\d]{{1,3}})(?:[点时:](?:(?P<half>半)|(?P<minute>[{CHINESE_NUMERALS}\d]{{1,3}})分?)?整?)"
)


def alike_numerals(texts: Sequence[str], language: str = "") -> list[str]:
    """Texts that are compared with one another, with their numerals in one way of writing.

    Where one speaks of versions, 3.10 is a version in all of them: one word that is not equal to 3.1. XIV becomes 14
    where one of them has 14.
    """
    versions = any(_version_words().search(text) for text in texts)
    numbers = {number for text in texts for number in re.findall(r"\d+", text)}
    return [
        _ROMAN.sub(lambda match: _roman(match, numbers), plain_numerals(text, language, versions=versions))
        for text in texts
    ]


def plain_numerals(text: str, language: str = "", *, versions: bool = False) -> str:
    """A text with its numerals in one way of writing.

    1 000 000, 1’000’000, 1.000.000, 1e6 and 10⁶ become 1000000; 3,5 becomes 3.5, and 1,234 becomes 1.234 in languages
    with a decimal comma (CLDR); 3/4 and ½ become decimals, 第三 alone 3, the nineties the 1990s. Times of day become
    one word of twelve hours, with "amclock" or "pmclock" where it is known; `versions` one word each.
    """
    return _plain_numerals(text, language.partition("-")[0], versions)


@lru_cache(maxsize=4096)
def _plain_numerals(text: str, language: str, versions: bool) -> str:
    for pattern, rewritten in _REWRITINGS:
        text = pattern.sub(rewritten, text)
    if versions:
        text = _VERSION.sub(_version, text)
    if language in _table()["decimal_comma"]["languages"].split():
        text = _THREE_PLACES.sub(r"\1.\2", _POINT_GROUPS.sub(lambda match: match[0].replace(".", ""), text))
    if alone := _CHINESE_ORDINAL.fullmatch(text.strip(" 。.")):
        value = read_chinese(alone[1])
        return text if value is None else str(value)
    return text


def bound_at(text: str, start: int, end: int) -> int:
    """The bound that the words beside a figure, `text[start:end]`, give: -1 below or before, 1 above or after, or 0."""
    before, after = _bounds()
    lead = text[max(0, start - _LONGEST_BOUND) : start].lower()
    found = [direction for words, direction in before if words.search(lead)]
    found += [direction for words, direction in after if words.match(text.lower(), end)]
    return found[0] if found else 0


@cache
def _bounds() -> tuple[tuple[tuple[re.Pattern[str], int], ...], ...]:
    """Patterns of the words before a figure, and of those after it, each with its direction."""
    table, before, after = _table()["bounds"], [], []
    for name, direction, signs in (
        ("upper", -1, "<=?|≤"),
        ("lower", 1, ">=?|≥"),
        ("before", -1, "(?!)"),
        ("after", 1, "(?!)"),
    ):
        english = rf"(?<![A-Za-z])(?<!no\s)(?<!not\s)(?:{table[name]['en']})\s(?:the\s(?:year\s)?|[a-z]+day,?\s)?"
        chinese = rf"(?<!不)(?:{table[name]['zh']})\s?"
        before.append((re.compile(rf"(?:{english}|{chinese}|(?:{signs})\s?)[$£€¥]?$"), direction))
    for name, direction in (("upper_after", -1), ("lower_after", 1)):
        words = rf"\s?[\w%]{{0,3}}(?:{table[name]['zh']})|(?:\s\w+)?\s(?:{table[name]['en']})\b"
        after.append((re.compile(words), direction))
    return tuple(before), tuple(after)


def other_time(golden: str, answer: str) -> bool:
    """Whether an answer has times of day and none of the golden answer's; both as `plain_numerals` writes them."""
    wanted, given = _TIME.findall(golden), _TIME.findall(answer)
    return bool(wanted and given) and not any(_same_time(mine, theirs) for mine in wanted for theirs in given)


def _same_time(mine: tuple[str, str], theirs: tuple[str, str]) -> bool:
    return mine[0] == theirs[0] and ("" in (mine[1], theirs[1]) or mine[1] == theirs[1])


@cache
def _version_words() -> re.Pattern[str]:
    words = _table()["versions"]
    return re.compile(rf"\bv\.?\s?\d|\b(?:{words['en']})\b|{words['zh']}|\A\d{{1,2}}\.10\Z", re.IGNORECASE)


@cache
def _table() -> Any:
    """Languages with a decimal comma, and words of bounds, each with its source."""
    return json.loads(files(__package__).joinpath("answer_numerals.json").read_text(encoding="utf-8"))


def _written(value: Decimal) -> str:
    return format(value.normalize(), "f")


def _grouped(match: re.Match[str]) -> str:
    """Digits without the marks between groups; the last mark is a point if it is another than the first."""
    marks = re.sub(r"\d", "", match[0])
    if len(set(marks)) == 1:
        return re.sub(r"\D", "", match[0])
    whole, _, part = match[0].rpartition(marks[-1])
    return re.sub(r"\D", "", whole) + f".{part}"


def _power(match: re.Match[str]) -> str:
    exponent = int(match["power"].replace("\u2212", "-"))
    return match[0] if abs(exponent) > _MOST_POWER else _written(Decimal(match["lead"] or 1).scaleb(exponent))


def _exponent(match: re.Match[str]) -> str:
    exponent = int(match[2].replace("\u2212", "-"))
    return match[0] if abs(exponent) > _MOST_POWER else _written(Decimal(match[1]).scaleb(exponent))


def _fraction(match: re.Match[str]) -> str:
    above, below = int(match["above"]), int(match["below"])
    if not 0 < above < below <= 16:
        return match[0]
    return _written((int(match["whole"] or 0) + Decimal(above) / below).quantize(_PLACES))


def _roman(match: re.Match[str], numbers: Collection[str]) -> str:
    ones = {"": 0, "I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9}
    value = str(10 * len(match[1]) + ones[match[2]])
    return value if value in numbers else match[0]


def _first(match: re.Match[str]) -> str:
    """The ordinal as a word, unless it is a day of a month."""
    return match[0] if _MONTH_BEFORE.search(match.string[: match.start()]) else "first"


def _decade(match: re.Match[str]) -> str:
    tens = int(match["short"]) if match["short"] else 20 + 10 * _TENS.index(match[1].casefold())
    return f"{1900 + tens}s"


def _version(match: re.Match[str]) -> str:
    """A version as one word that begins with a digit; zeros from the third part on do not count."""
    parts = [str(int(part)) for part in match[1].split(".")]
    while len(parts) > 2 and parts[-1] == "0":
        parts.pop()
    return "v".join(parts)


def _clock(match: re.Match[str]) -> str:
    """A time of day: its hour of twelve with the minutes, and the half of the day where it is known."""
    given, half = match["hour"] or match["only"], (match["half"] or "").casefold()
    hour = int(given)
    dotted = "." in match[0].replace("a.m", "").replace("p.m", "")
    if hour > 24 or (dotted and not (half or match["oclock"])):
        return match[0]
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half == "p" else 0)
    known = half or match["oclock"] or hour > 12 or given.startswith("0")
    second = match["second"] or ""
    return _time(hour, f"{match['minute'] or '00'}{second if second != '00' else ''}", known=bool(known))


def _time(hour: int, minutes: str, *, known: bool) -> str:
    half = "" if not known else " pmclock" if 12 <= hour < 24 else " amclock"
    return f"{hour % 12}h{minutes}m{half}"


def _chinese_clock(match: re.Match[str]) -> str:
    read = [read_chinese(value) if value else Decimal(0) for value in (match["hour"], match["minute"])]
    if read[0] is None or read[1] is None or read[0] > 24:
        return match[0]
    hour, minute = int(read[0]), 30 if match["half"] else int(read[1])
    if match["part"] in ("中午", "下午", "傍晚", "晚上") and hour < 12 and not (match["part"] == "中午" and hour > 9):
        hour += 12
    return _time(hour, f"{minute:02}", known=True)


_REWRITINGS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"(\d?)({'|'.join(_FRACTIONS)})"), lambda match: f"{match[1]} {_FRACTIONS[match[2]]}".strip()),
    (_RAISED, lambda match: "^" + match[0].translate(_SUPERSCRIPT)),
    (_POWER, _power),
    (_EXPONENT, _exponent),
    (_CHINESE_CLOCK, _chinese_clock),
    (_CLOCK, _clock),
    (_NOON, _time(12, "00", known=True)),
    (_MIDNIGHT, _time(0, "00", known=True)),
    (_GROUPED, _grouped),
    (_DECIMAL_COMMA, r"\g<whole>.\g<part>"),
    (_FRACTION, _fraction),
    (_FIRST, _first),
    (_DECADE, _decade),
)  # fmt: skip
"""What is rewritten, in order."""
