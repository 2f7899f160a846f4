"""Numerals, versions, times of day and bounds of answers in one notation, for comparison by value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from synth.evaluation.measuring.amounts_in_chinese import alike_discounts, chinese_in_digits, in_one_currency
from synth.evaluation.measuring.amounts_in_english import alike_shares, english_in_digits
from synth.evaluation.measuring.amounts_in_words import about_time, fraction, plain_width, written
from synth.text.calendar_names import MONTH_PATTERN
from synth.text.numerals import CHINESE_NUMERALS, read_chinese

_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SPACES = " \u00a0\u2009\u202f"
_FRACTIONS = dict(zip("½⅓⅔¼¾⅕⅛⅜⅝⅞", "1/2 1/3 2/3 1/4 3/4 1/5 1/8 3/8 5/8 7/8".split(), strict=True))
_MOST_POWER = 30
_LONGEST_BOUND = 40

_GROUPED = re.compile(
    rf"(?<![\d.,'’\w])(?:[1-9]\d{{0,2}}(?P<space>[{_SPACES}])\d{{3}}(?:(?P=space)\d{{3}})*(?:[.,]\d{{1,2}})?"
    r"|\d{1,3}(?:['’]\d{3})+(?:[.,]\d+)?|\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2}(?!\.))(?![\d'’]|[.,]\d)",
    re.ASCII,
)
_DECIMAL_COMMA = re.compile(
    r"(?<![\d.,\w])(?P<whole>\d{1,6}),(?P<part>\d{1,2}|\d{4,}|(?<=\b0,)\d+)(?![\d,]|\.\d)", re.ASCII
)
_POINT_GROUPS = re.compile(r"(?<![\d.,\w])[1-9]\d{0,2}(?:\.\d{3})+(?![\d.])", re.ASCII)
_THREE_PLACES = re.compile(r"(?<![\d.,\w])(\d{1,3}),(\d{3})(?![\d,]|\.\d)", re.ASCII)
_POWER = re.compile(
    r"(?<![\w.])(?:(?P<lead>\d+(?:\.\d+)?)\s?[×x*·]\s?)?10(?:\^|\*\*|<sup>)\{?(?P<power>[-+\u2212]?\d{1,2})\}?(?:</sup>)?(?![\d.])",
    re.ASCII,
)
_RAISED = re.compile(r"(?<=10)[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,2}")
_EXPONENT = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)[eE]([-+\u2212]?\d{1,2})(?![\w.])", re.ASCII)
_FRACTION = re.compile(
    r"(?<![\w./,-])(?:(?P<whole>\d{1,3})[\s-])?(?P<above>\d{1,2})[/⁄](?P<below>\d{1,2})(?![\w/]|[.,-]\d)",
    re.ASCII,
)
_ROMAN = re.compile(r"(?<![\w.-])(?=[IVX]{2,})(X{0,3})(IX|IV|V?I{0,3})(?![\w-]|\.[A-Z])")
_FIRST = re.compile(rf"\b1st\b(?!\s(?:of\s)?{MONTH_PATTERN})", re.IGNORECASE)
_MONTH_BEFORE = re.compile(rf"\b{MONTH_PATTERN}\s\Z", re.IGNORECASE)
_CHINESE_ORDINAL = re.compile(rf"第([{CHINESE_NUMERALS}\d]+)[个名位次]?")
_CENTURY = re.compile(r"\bcentur(?:y|ies)\b|世纪", re.IGNORECASE)
_HUNDREDS = re.compile(r"(?<![\w.,])(?:the\s)?(\d\d)00['’]?s\b", re.ASCII)
_MONEY_GROUPS = re.compile(
    r"(?<![\d.,])\d{1,3}\.\d{3}(?=\s?(?:euros?|dollars?|pounds?|francs?|[€£$元])(?![a-z]))|(?<=[€£$])\d{1,3}\.\d{3}(?![\d.,])",
    re.ASCII,
)
_TENS = "twenties thirties forties fifties sixties seventies eighties nineties".split()
_DECADE = re.compile(rf"\b(?:the\s)?(?:19)?({'|'.join(_TENS)})\b|(?<!\w)['’]?(?P<short>[2-9]0)s\b", re.IGNORECASE)

_VERSION = re.compile(r"(?<![\w.])[vV]?\.?\s?(\d{1,4}(?:\.\d{1,4})+)(?![\w]|\.\d)", re.ASCII)
_CLOCK = re.compile(
    r"(?<![\w.:])(?:(?P<hour>[01]?\d|2[0-4])[:.hH](?P<minute>[0-5]\d)(?:[:.](?P<second>[0-5]\d)(?!\d))?"
    r"|(?P<only>[01]?\d)(?=\s?[ap]\.?\s?m\b))(?:\s?(?P<half>[ap])\.?\s?m\b\.?|\s(?P<oclock>Uhr|hrs|hours|h)\b)?(?![\d%m]|[.:]\d)",
    re.IGNORECASE | re.ASCII,
)
_TIME = re.compile(r"(?<!\w)(\d{1,2}h\d{2,4}m)(?: ([ap])mclock)?")
_NOON = re.compile(r"\b(?:(?:12\s)?noon|midday)\b", re.IGNORECASE)
_MIDNIGHT = re.compile(r"\bmidnight\b", re.IGNORECASE)


def alike_numerals(texts: Sequence[str], language: str = "") -> list[str]:
    """Return texts to be compared, with numerals in one notation and Chinese simplified.

    One text decides how the others are read:

    - If one mentions versions, 3.10 is a version in all texts: a single word, different from 3.1.
    - If one is about times of day, "ten to nine" is a time.
    - If one contains 14, XIV becomes 14 in the others.
    - If one mentions centuries, 1200s becomes the 13th century.
    - If one contains 2500, 2.500 euros becomes 2500.
    """
    texts = alike_shares(alike_discounts(in_one_currency([plain_width(text) for text in texts])))
    versions, clock = any(_version_words().search(text) for text in texts), about_time(texts)
    centuries = any(_CENTURY.search(text) for text in texts)
    plain = [plain_numerals(text, language, versions=versions, clock=clock) for text in texts]
    numbers = {number.replace(",", "") for text in plain for number in re.findall(r"\d+(?:,\d{3})*", text)}
    plain = [_MONEY_GROUPS.sub(lambda match: _grouped_money(match, numbers), text) for text in plain]
    plain = [_HUNDREDS.sub(_century, text) for text in plain] if centuries else plain
    return [_ROMAN.sub(lambda match: _roman(match, numbers), text) for text in plain]


def plain_numerals(text: str, language: str = "", *, versions: bool = False, clock: bool = False) -> str:
    """Return a text with its numerals in one notation.

    - 1 000 000, 1’000’000, 1.000.000, 1e6 and 10⁶ become 1000000; 3,5 becomes 3.5.
    - 1,234 becomes 1.234 in languages with a decimal comma (CLDR).
    - 3/4 and "three quarters" become 0.75, "a year and a half" 1.5 year, a lone 第三 3, the nineties the 1990s.
    - Times of day become one word with the hour from 1 to 12, and "amclock" or "pmclock" if the half of the day is
      known.

    `clock` also rewrites times of day in words. `versions` rewrites each version as one word.
    """
    return _plain_numerals(plain_width(text), language, versions, clock)


@lru_cache(maxsize=4096)
def _plain_numerals(text: str, language: str, versions: bool, clock: bool) -> str:
    if not text.isascii():
        text = chinese_in_digits(text, language, clock=clock)
    text = english_in_digits(text, clock=clock)
    for pattern, rewritten in _REWRITINGS:
        text = pattern.sub(rewritten, text)
    if versions:
        text = _VERSION.sub(_version, text)
    if language.partition("-")[0] in _table()["decimal_comma"]["languages"].split():
        text = _THREE_PLACES.sub(r"\1.\2", _POINT_GROUPS.sub(lambda match: match[0].replace(".", ""), text))
    if alone := _CHINESE_ORDINAL.fullmatch(text.strip(" 。.")):
        value = read_chinese(alone[1])
        return text if value is None else str(value)
    return text


@dataclass(frozen=True, slots=True)
class Bound:
    """Bound that words beside a figure express: -1 for "at most" or "before", 1 for "at least" or "after", 0 for none.

    `strict` is true if the figure itself is excluded ("more than 50"), and false if it is included ("at least 50"). It
    is None if people mean either ("within 50").
    """

    direction: int = 0
    strict: bool | None = None

    def contradicts(self, other: Bound) -> bool:
        """Return whether two bounds have opposite directions, or only one of them includes the figure itself."""
        if not (self.direction and other.direction):
            return False
        return self.direction != other.direction or {self.strict, other.strict} == {True, False}


def bound_at(text: str, start: int, end: int) -> Bound:
    """Return the bound that the words beside the figure `text[start:end]` express."""
    before, after = _bounds()
    lead = text[max(0, start - _LONGEST_BOUND) : start].lower()
    found = [bound for words, bound in before if words.search(lead)]
    found += [bound for words, bound in after if words.match(text.lower(), end)]
    return found[0] if found else Bound()


@cache
def _bounds() -> tuple[list[tuple[re.Pattern[str], Bound]], list[tuple[re.Pattern[str], Bound]]]:
    """Return patterns of words before a figure, and of words after it, each with its bound."""
    before, after = [], []
    for row in _table()["bounds"]["rows"]:
        bound = Bound(row["direction"], row["strict"])
        if row["place"] == "before":
            english = rf"(?<![A-Za-z])(?<!no\s)(?<!not\s)(?:{row['en']})\s(?:the\s(?:year\s)?|[a-z]+day,?\s)?"
            words = rf"(?:{english}|(?<!不)(?<!未)(?:{row['zh']})\s?|(?:{row['signs']})\s?)[$£€¥]?$"
            before.append((re.compile(words), bound))
        else:
            words = rf"\s?[\w%]{{0,3}}(?:{row['zh']})|(?:[\s-]\w+){{0,2}}\s(?:{row['en']})\b|(?:{row['signs']})"
            after.append((re.compile(words), bound))
    return before, after


def other_time(golden: str, answer: str) -> bool:
    """Return whether an answer contains times of day, but none of the golden answer's.

    Both texts must be in the notation of `plain_numerals`.
    """
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
    """Return the languages with a decimal comma and the words of bounds, each with its source."""
    return json.loads(files(__package__).joinpath("answer_numerals.json").read_text(encoding="utf-8"))


def _grouped(match: re.Match[str]) -> str:
    """Return digits without group separators. The last separator is a decimal point if it differs from the first."""
    marks = re.sub(r"\d", "", match[0])
    if len(set(marks)) == 1:
        return re.sub(r"\D", "", match[0])
    whole, _, part = match[0].rpartition(marks[-1])
    return re.sub(r"\D", "", whole) + f".{part}"


def _power(match: re.Match[str]) -> str:
    exponent = int(match["power"].replace("\u2212", "-"))
    return match[0] if abs(exponent) > _MOST_POWER else written(Decimal(match["lead"] or 1).scaleb(exponent))


def _exponent(match: re.Match[str]) -> str:
    exponent = int(match[2].replace("\u2212", "-"))
    return match[0] if abs(exponent) > _MOST_POWER else written(Decimal(match[1]).scaleb(exponent))


def _fraction(match: re.Match[str]) -> str:
    above, below = int(match["above"]), int(match["below"])
    if not 0 < above < below <= 16:
        return match[0]
    return fraction(Decimal(int(match["whole"] or 0) * below + above), below)


def _roman(match: re.Match[str], numbers: Collection[str]) -> str:
    ones = {"": 0, "I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6, "VII": 7, "VIII": 8, "IX": 9}
    value = str(10 * len(match[1]) + ones[match[2]])
    return value if value in numbers else match[0]


def _grouped_money(match: re.Match[str], numbers: Collection[str]) -> str:
    """Return an amount of money with three decimals without its point, if `numbers` contains the result."""
    whole = match[0].replace(".", "")
    return whole if whole in numbers else match[0]


def _century(match: re.Match[str]) -> str:
    return f"{int(match[1]) + 1}th century"


def _first(match: re.Match[str]) -> str:
    """Return the ordinal as a word, unless it is a day of a month."""
    return match[0] if _MONTH_BEFORE.search(match.string[: match.start()]) else "first"


def _decade(match: re.Match[str]) -> str:
    tens = int(match["short"]) if match["short"] else 20 + 10 * _TENS.index(match[1].casefold())
    return f"{1900 + tens}s"


def _version(match: re.Match[str]) -> str:
    """Return a version as one word that begins with a digit; zeros from the third part on are dropped."""
    parts = [str(int(part)) for part in match[1].split(".")]
    while len(parts) > 2 and parts[-1] == "0":
        parts.pop()
    return "v".join(parts)


def _clock(match: re.Match[str]) -> str:
    """Return a time of day as an hour from 1 to 12 with minutes, and the half of the day if known."""
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


_REWRITINGS: tuple[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"(\d?)({'|'.join(_FRACTIONS)})"), lambda match: f"{match[1]} {_FRACTIONS[match[2]]}".strip()),
    (_RAISED, lambda match: "^" + match[0].translate(_SUPERSCRIPT)),
    (_POWER, _power),
    (_EXPONENT, _exponent),
    (_CLOCK, _clock),
    (_NOON, _time(12, "00", known=True)),
    (_MIDNIGHT, _time(0, "00", known=True)),
    (_GROUPED, _grouped),
    (_DECIMAL_COMMA, r"\g<whole>.\g<part>"),
    (_FRACTION, _fraction),
    (_FIRST, _first),
    (_DECADE, _decade),
)  # fmt: skip
"""Patterns with their replacements, in order of application."""
