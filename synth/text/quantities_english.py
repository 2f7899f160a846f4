"""Quantities in English text."""

from __future__ import annotations

import re
from decimal import Decimal

from synth.text.numerals import ENGLISH_WORDS, SCALES, read_english
from synth.text.quantity_values import Quantity, quantity_of
from synth.text.units import TRAILING_SYMBOLS, UNIT_BY_SYMBOL, UNIT_BY_WORD, Unit

_PREFIX_CURRENCY = r"(?:US\$|HK\$|NT\$|\$|£|€|₩)"
_ARABIC = r"(?:\d{1,3}(?:,\d{3}){1,5}|\d{1,15})(?:\.\d{1,9})?"
_NUMBER = re.compile(
    rf"(?<![\w/:#@=+*~±\\.\u2013\u2014-])(?<!\d[.,])(?P<currency>{_PREFIX_CURRENCY}\s?)?"
    rf"(?:(?P<digits>{_ARABIC})(?![\d])(?![.,:/]\d)(?:\s(?P<scale>{'|'.join(SCALES)})\b|(?P<short>bn|m|k)\b(?!\.))?|(?P<words>{ENGLISH_WORDS}))",
    re.IGNORECASE | re.ASCII,
)
_UNIT_WORD = re.compile(
    rf"(?P<gap>\s|-)(?P<unit>{'|'.join(sorted(UNIT_BY_WORD, key=lambda w: (-len(w), w)))})(?![\w-])".replace(
        "\\ ", r"\s"
    )
)
_SYMBOL = re.compile(rf"\s?(?P<unit>{'|'.join(map(re.escape, TRAILING_SYMBOLS))})(?![\w²³])")
_RATE = re.compile(
    r"\s?/|\s(?:per|each|every)\b|\s(?:an?|apiece)\s(?:second|minute|hour|day|night|week|month|year|person|head|share|piece|litre|liter|kilo)\b"
    r"|\s(?:daily|weekly|monthly|annually|yearly|apiece)\b"
)
_COMPOUND = re.compile(
    rf",?[^\S\n](?:and\s)?(?:{_ARABIC}|half|a\shalf|a\squarter|{ENGLISH_WORDS})(?:\s|-)?(?:{'|'.join(UNIT_BY_WORD)}|in|ft|m|s|min|g|cm|lb|oz)\b",
    re.IGNORECASE,
)
_SECOND_PART = re.compile(
    rf"(?:{_ARABIC}|{ENGLISH_WORDS})(?:\s|-)?(?:{'|'.join(UNIT_BY_WORD)}|ft|h|min|m|lb|km)s?,?[^\S\n](?:and\s)?$",
    re.IGNORECASE,
)
_RANGE_BEFORE = re.compile(
    rf"(?:\d|\b{ENGLISH_WORDS})%?(?:\s?[-\u2013\u2014]|\s(?:to|or|and|by|x|×|out\sof|in|of\sthe))\s?$", re.IGNORECASE
)
_RANGE_AFTER = re.compile(
    rf"\s?[-\u2013\u2014~×]\s?[\d$£€₩]|\s(?:to|or|and|by|x)\s(?:[$£€₩]?\d|{ENGLISH_WORDS})|\s(?:out\sof|in)\s(?:\d|{ENGLISH_WORDS})",
    re.IGNORECASE,
)
_APPROXIMATELY = r"about|around|approximately|roughly|circa|some|nearly|almost|close\sto|an\sestimated|estimated"
_HEDGES = (
    (
        "at least",
        re.compile(r"\b(?:at\sleast|no\s(?:less|fewer)\sthan|not\sless\sthan|a\sminimum\sof)\s$", re.IGNORECASE),
    ),
    ("at most", re.compile(r"\b(?:at\smost|no\smore\sthan|not\smore\sthan|up\sto|a\smaximum\sof)\s$", re.IGNORECASE)),
    (
        "more than",
        re.compile(
            r"\b(?:(?:just\s|slightly\s|well\s)?(?:more\sthan|over|above)|exceeding|greater\sthan|upwards\sof)\s$",
            re.IGNORECASE,
        ),
    ),
    (
        "less than",
        re.compile(r"\b(?:(?:just\s|slightly\s|well\s)?(?:less\sthan|fewer\sthan|under|below))\s$", re.IGNORECASE),
    ),
    ("", re.compile(rf"(?:\b(?:{_APPROXIMATELY})\s|\bca?\.\s)$", re.IGNORECASE)),
)
_SUFFIXES = (
    ("at least", re.compile(r"\sor\s(?:more|longer|older|over|above)\b")),
    ("at most", re.compile(r"\sor\s(?:less|fewer|under|younger)\b")),
    ("", re.compile(r"\sor\sso\b")),
)
_LABEL = re.compile(
    r"(?:\b[A-Z]\w{0,20}|\b(?:version|step|line|chapter|figure|table|page|section|part|number|[Nn]os?\.|phase|level|type|class|grade|port|"
    r"error|code|status|row|column|item|volume|vol\.|route|rule|act|article|stage|day|week|year|age|aged|top|last|first|next|another|other)"
    r")\s$"
)
_STARTERS = frozenset(
    "The In Of At On By For With From About Over Around Some Nearly Almost Only Its It They There These Those All "
    "And But Or Has Have Had Is Are Was Were More Less Fewer Approximately Roughly Each Every This That His Her "
    "Their Our Your After Before Since Until During To Up Than Under Between Among When While Where Which Who As "
    "Most Just Another Contains Use Add Set Wait If Then Within".split()
)
_NEGATED = re.compile(
    r"\b(?:every|each|per|another|other|further|additional|extra|not|minus|first|last|next|the\sother|one\sof\sthe|any)\s$",
    re.IGNORECASE,
)
_WORD = re.compile(r"\s([a-z][a-z-]{1,24})\b(?!['’]|-[A-Za-z])")
_NO_NOUN = frozenset(
    "a an the of to in on at by for from as is are was were be been has have had do does did and or nor but if "
    "number ones than then that this these those its his their our your her my which who whom whose when where "
    "while with without within into onto per each every times time points years more most less least fewer "
    "other others such so not no only also just still yet ever never always perhaps thus plus across against "
    "towards besides unless whereas does goes comes makes takes gives seems becomes remains includes contains "
    "means says uses needs pm am o'clock bc ad feet yes percent ways hundreds thousands millions billions "
    "dozens s can could may might must shall should will would between among through during before after since "
    "until under over above below around about because although though out up down off thirds quarters fifths "
    "halves sixths tenths further apart away back both all half".split()
)
_NOT_PLURAL = re.compile(r"(?:ss|us|is|ous|ics|news|series|always|alas)$")
_PLURAL = frozenset("men women children mice geese teeth sheep fish aircraft spacecraft species police cattle".split())
_YEAR_LIKE = re.compile(r"1\d{3}|20\d{2}", re.ASCII)
_AFTER_A_YEAR_CUE = re.compile(r"\b(?:in|since|by|until|till|during|from|before|after|the)\s$", re.IGNORECASE)
_OF_A_DECADE = re.compile(r"(?:['’]|\b(?:the|his|her|their|early|mid|late)[\s-])$", re.IGNORECASE)
_TO = re.compile(r"\s?[-\u2013\u2014]\s?|\s(?:to|or)\s")
_AMBIGUOUS = frozenset("m s g h A B W V C K l t J min sec hp V W".split())
_TIMES_OF_LIFE = frozenset(("day", "year", "month", "week", "hour", "minute", "s"))


def english_quantities(
    text: str, dates: list[tuple[int, int]], *, whole: bool = False
) -> list[tuple[int, int, Quantity]]:
    """Return (start, end, quantity) of each quantity in an English text, in order.

    Quantities inside the spans of `dates` are left out. If `whole`, the text is one answer: a bare number is a
    quantity, and so are "one" and "a".
    """
    quantities: list[tuple[int, int, Quantity]] = []
    place, reached = 0, 0
    for match in _NUMBER.finditer(text):
        while place < len(dates) and dates[place][1] <= match.start():
            place += 1
        if place < len(dates) and dates[place][0] < match.end():
            continue
        if quantities and match.start() < quantities[-1][1]:
            continue
        read = _read(text, match, whole=whole)
        if read is not None:
            second = reached and _TO.fullmatch(text[reached : read[0]])
            if not second and not _RANGE_AFTER.match(text, read[1]):
                quantities.append(read)
            reached = read[1]
    return quantities


def _read(text: str, match: re.Match[str], *, whole: bool) -> tuple[int, int, Quantity] | None:
    value = _value(match)
    window = text[max(0, match.start() - 40) : match.start()]
    if value is None or _RANGE_BEFORE.search(window) or _SECOND_PART.search(window):
        return None
    end = match.end()
    bound, approximate, window, start = _hedged(window, match.start())
    if text[end : end + 1] == "+" and not bound and match["digits"]:
        bound, end = "at least", end + 1
    measured = _measured(text, match, end, window, value, whole=whole)
    if measured is None:
        return None
    quantity, end = measured
    if _RATE.match(text, end) or _COMPOUND.match(text, end) or _NEGATED.search(window):
        return None
    for suffix_bound, pattern in _SUFFIXES:
        if (after := pattern.match(text, end)) and not bound:
            bound, approximate, end = suffix_bound, approximate or not suffix_bound, after.end()
    hedged = Quantity(
        value=quantity.value,
        unit=quantity.unit,
        dimension=quantity.dimension,
        noun=quantity.noun,
        approximate=approximate,
        bound=bound,
    )
    return start, end, hedged


def _value(match: re.Match[str]) -> Decimal | None:
    if match["words"]:
        return read_english(match["words"])
    digits = match["digits"]
    if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
        return None
    if match["short"] and not match["currency"]:
        return Decimal(digits.replace(",", ""))
    scale = {"bn": 10**9, "m": 10**6, "k": 10**3}.get((match["short"] or "").lower(), 1)
    return Decimal(digits.replace(",", "")) * SCALES.get((match["scale"] or "").lower(), scale)


def _hedged(window: str, start: int) -> tuple[str, bool, str, int]:
    """Return the bound stated before a number and whether the number is approximate.

    The text before these words and their start offset are returned too. The bound is "" if none is stated.
    """
    for bound, pattern in _HEDGES:
        if hedge := pattern.search(window):
            return bound, not bound, window[: hedge.start()], start - len(hedge.group())
    return "", False, window, start


def _measured(
    text: str, match: re.Match[str], end: int, window: str, value: Decimal, *, whole: bool
) -> tuple[Quantity, int] | None:
    """Return the quantity with its unit or noun, and its end offset."""
    if match["currency"]:
        unit = UNIT_BY_SYMBOL[match["currency"].strip().upper()]
        return (
            (quantity_of(value, unit), end)
            if not re.match(r"[\w%]|-\w|\s(?:Scots|Australian|Canadian)\b", text[end : end + 12])
            else None
        )
    label = _labelled(window)
    if match["short"]:
        end = match.end("digits")
    if word := _UNIT_WORD.match(text, end):
        unit = UNIT_BY_WORD[re.sub(r"\s", " ", word["unit"])]
        if unit.unit_id in _TIMES_OF_LIFE:
            unit, stop = _aged(text, word, unit)
        else:
            stop = word.end()
        vague = match["words"] and value == 1 and (unit.unit_id in _TIMES_OF_LIFE or unit.unit_id == "person")
        return (
            None if (vague and not whole) or (label and unit.dimension == "count") else (quantity_of(value, unit), stop)
        )
    if match["digits"] and (symbol := _SYMBOL.match(text, end)) and not match["scale"]:
        unit = UNIT_BY_SYMBOL[symbol["unit"]]
        vague = symbol["unit"] == "s" and _OF_A_DECADE.search(window) and value % 10 == 0
        return None if vague or (label and symbol["unit"] in _AMBIGUOUS) else (quantity_of(value, unit), symbol.end())
    if text[end : end + 1].isalnum() or text[end : end + 1] in tuple("%‰°-_/\\²"):
        return None
    if label or (value == 1 and not whole):
        return None
    noun, stop = _noun(text, end)
    if noun and _YEAR_LIKE.fullmatch(match["digits"] or "") and (" " in noun or _AFTER_A_YEAR_CUE.search(window)):
        return None
    if noun or (whole and not text[end:].strip(" .")):
        return Quantity(value=value, noun=noun), stop
    return None


def _aged(text: str, word: re.Match[str], unit: Unit) -> tuple[Unit, int]:
    """Return the unit of a number and its end offset. If "old" follows "years", the unit is one of age."""
    if unit.unit_id == "year" and (old := re.compile(r"(?:\s|-)old\b").match(text, word.end())):
        return UNIT_BY_WORD["years old"], old.end()
    return unit, word.end()


def _labelled(window: str) -> bool:
    """Return whether the word before a number makes it a name ("Windows 11", "chapter 3")."""
    label = _LABEL.search(window)
    if label is None:
        return False
    return label.group().strip() not in _STARTERS


def _noun(text: str, end: int) -> tuple[str, int]:
    """Return the counted noun after a number and its end offset.

    The noun is all words up to the first plural, or "" if no plural is certain.
    """
    at, start = end, end
    for _ in range(3):
        word = _WORD.match(text, at)
        if word is None or word[1] in _NO_NOUN:
            return "", end
        at = word.end()
        if word[1] in _PLURAL or (word[1].endswith("s") and len(word[1]) > 3 and not _NOT_PLURAL.search(word[1])):
            after = _WORD.match(text, at)
            if after and after[1].endswith("s") and after[1] not in _NO_NOUN and not _NOT_PLURAL.search(after[1]):
                return "", end
            return text[start + 1 : at], at
        if word[1].endswith("ly"):
            return "", end
    return "", end
