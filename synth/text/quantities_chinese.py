"""Quantities in Chinese text. The text is first simplified and its digits made ASCII (`date_values.folded`)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache
from typing import Any

from synth.text.numerals import read_chinese
from synth.text.quantity_values import Quantity, quantity_of
from synth.text.units import TRAILING_SYMBOLS, UNIT_BY_CHINESE_NAME, UNIT_BY_SYMBOL, UNITS

_HAN = "〇零一二两三四五六七八九十廿卅百千万亿点"
_RUN = re.compile(
    rf"(?<![0-9A-Za-z_.,:/#@$£€¥+*~=\\{_HAN}-])(?:(?P<share>百分之)(?=[\d{_HAN}]))?"
    rf"(?P<number>(?:\d{{1,3}}(?:,\d{{3}}){{1,5}}|\d{{1,15}})(?:\.\d{{1,9}})?[{_HAN}]{{0,3}}(?:\d{{1,4}}[{_HAN}]{{1,3}}){{0,2}}|[{_HAN}]{{1,20}})"
    rf"(?![\d{_HAN}])(?![.,:/]\d)",
    re.ASCII,
)
_BY_LENGTH = sorted(UNIT_BY_CHINESE_NAME, key=lambda name: (-len(name), name))
_UNIT = re.compile(rf"\s?(?P<unit>{'|'.join(map(re.escape, _BY_LENGTH))})")
_SYMBOL = re.compile(rf"\s?(?P<unit>{'|'.join(map(re.escape, TRAILING_SYMBOLS))}|nm|％)(?![A-Za-z0-9²³/])")
_MEASURE = re.compile(
    r"\s?(?P<measure>人次|[个位名只条座艘架辆台部本篇首张件家间所层栋幢棵株头匹支枚颗场次种类项批组队对双套句根粒票页列口片块门])"
)
_VAGUE = re.compile(r"(?P<more>[多余])(?P<scale>万亿|[万亿])?|(?P<about>来)(?=[个人名位年天米])")
_NOT_NUMBER = re.compile(
    r"(?:第|分之|又|零下|负|±|[\d一二三四五六七八九十]分|初|周|星期|礼拜|正|老|小|负责|统|唯|专|前|同|任|逢|又名|别称|俗称|名为|称为|称|叫|叫做|图|表|式|版本|型号|编号|号|No\.)\s?$"
)
_VAGUE_LEAD = re.compile(r"[几数好上]$")
_EVERY = re.compile(r"(?:每|平均|人均|均)[^，。；！？、,;\s]{0,6}$")
_RANGE_BEFORE = re.compile(rf"[\d{_HAN}%％]\s?(?:[-\u2013\u2014~]{{1,2}}|至|到|、|或|乘|比|×|x|/)\s?$", re.ASCII)
_RANGE_AFTER = re.compile(
    rf"\s?(?:[-\u2013\u2014~]{{1,2}}|至|到|或|×|乘)\s?(?:百分之)?[\d{_HAN}]|[\d{_HAN}半几多余]|\s?/|每|比\d", re.ASCII
)
_HEDGES = (
    ("at least", re.compile(r"(?:至少有?|最少|不少于|不低于|起码|不下)$")),
    ("at most", re.compile(r"(?:最多|至多|不超过|不多于|不高于|最高可?达)$")),
    ("more than", re.compile(r"(?:超过了?|逾|多于|高于|大于|不止|突破)$")),
    ("less than", re.compile(r"(?:不足|不到|少于|低于|小于|未满|不满|未达)$")),
    ("", re.compile(r"(?:大约(?:有|为)?|约(?:有|为)?|大概(?:有)?|将近|接近|近|估计)$")),
)
_SUFFIXES = (
    ("at least", re.compile(r"\s?(?:及|或)?以上")),
    ("at most", re.compile(r"\s?(?:及|或)?以[下内](?!简称)")),
    ("", re.compile(r"\s?(?:左右|上下)")),
)
_CURRENCIES = {"人民币": "cny", "新台币": "twd", "台币": "twd", "港币": "hkd", "日币": "jpy", "韩币": "krw"}
_PREFIX_CURRENCY = re.compile(rf"({'|'.join(_CURRENCIES)})\s?$")
_YEARS_BEFORE = re.compile(r"(?:^|[了过达近约的经历时用花为有共长隔满逾仅只需要这那超续来去位足整费：，。；（(“、\s])$")
_YEARS_AFTER = re.compile(r"的?历史|[来间内]|以上|左右|之[久后]|时间|以来")
_NOT_YEARS = re.compile(rf"[春夏秋冬初末底级轻龄代]|\s?[\d{_HAN}正]{{1,3}}月|[(（]\s?(?:公元|西元)?前?\d", re.ASCII)
_NOT_A_UNIT = {
    "米": "兰饭粉线勒格老黄",
    "天": "王下空主文气生津堂花竺才使体",
    "克": "隆拉里服制",
    "升": "级降任学职为至到值",
    "周": "年岁边围末刊报",
    "瓦": "解房片砾",
    "元": "素旦老代年月首帅件",
    "岁": "月",
    "伏": "羲击",
    "人": "口民员类大工物士选事才为心生间次均行气体家权命格参造种质文马制组团币",
}
_CLAUSE_END = re.compile(r"[，。；！？、,;!?\n]")
_MODIFIERS = ("a", "b", "vn", "an", "ns", "nz", "n")
_LIFE = ("年", "天", "周", "星期", "个星期", "个礼拜", "个月")
_COUNTS_ITSELF = frozenset("人次 次".split())


@dataclass(frozen=True, slots=True)
class _Words:
    """Tagged words of the clause around a number.

    `tagged` maps the start offset of a word to its tag and end offset. The clause starts at offset `first`.
    """

    clause: str
    first: int
    tagged: dict[int, tuple[str, int]]

    def ends_in_time(self, end: int) -> bool:
        """Return whether the word before `end` ends in 时, 后 or 前; then it was segmented wrongly (码时, 国后)."""
        return self.clause[end - self.first - 1 : end - self.first] in tuple("时后前")

    def borders(self, place: int) -> bool:
        """Return whether a word starts or ends at `place`."""
        return place in self.tagged or any(end == place for _, end in self.tagged.values())


@dataclass(frozen=True, slots=True)
class _Text:
    """Text as written, and its simplified form `plain` (see `date_values.folded`).

    `whole` is True if the text is one answer. `traditional` is True if the text is in traditional script.
    """

    written: str
    plain: str
    traditional: bool
    whole: bool


@lru_cache(maxsize=1)
def _jieba() -> Any:
    import rjieba

    return rjieba


def chinese_quantities(
    text: str, plain: str, dates: list[tuple[int, int]], *, traditional: bool, whole: bool = False
) -> list[tuple[int, int, Quantity]]:
    """Return (start, end, quantity) of each quantity in a Chinese text, in order.

    `plain` is `folded(text)`. Quantities inside the spans of `dates` are left out. If `traditional`, 元 alone does not
    mean renminbi. If `whole`, the text is one answer: a bare number is a quantity, and so are 一个 and 一年.
    """
    quantities: list[tuple[int, int, Quantity]] = []
    said = _Text(text, plain, traditional, whole)
    place, reached = 0, -9
    for match in _RUN.finditer(plain):
        while place < len(dates) and dates[place][1] <= match.start():
            place += 1
        if place < len(dates) and dates[place][0] < match.end():
            continue
        joined = (
            re.fullmatch(r"(?:\s?[-\u2013\u2014~]{1,2}\s?|至|到|或|零|又)?", plain[reached : match.start()])
            if reached >= 0
            else None
        )
        read = _read(said, match)
        if read is not None:
            reached = read[1]
            if (
                joined is None
                and not _quoted(plain, match.start(), read[1])
                and not _RANGE_AFTER.match(plain, read[1])
                and (not quantities or read[0] >= quantities[-1][1])
            ):
                quantities.append(read)
    return quantities


def _read(text: _Text, match: re.Match[str]) -> tuple[int, int, Quantity] | None:
    plain, start, end, number = text.plain, match.start(), match.end(), match["number"]
    window = plain[max(0, start - 14) : start]
    if _NOT_NUMBER.search(window) or _EVERY.search(window) or _RANGE_BEFORE.search(window):
        return None
    if (not number[0].isascii() and number[0] in "十百千万亿" and _VAGUE_LEAD.search(window)) or re.match(
        r"0\d", number
    ):
        return None
    if number[-1] == "千" and len(number) > 1 and plain[end : end + 1] in tuple("米克瓦赫伏"):
        number, end = number[:-1], end - 1
    value = read_chinese(number)
    if value is None:
        return None
    bound, approximate, hedge = _hedged(window)
    window, start = window[: len(window) - hedge], start - hedge
    if (vague := _VAGUE.match(plain, end)) and not match["share"]:
        bound, approximate = ("more than", approximate) if vague["more"] else (bound, True)
        value, end = value * {"万": 10**4, "亿": 10**8, "万亿": 10**12}.get(vague["scale"] or "", 1), vague.end()
    if match["share"]:
        quantity, stop = Quantity(value=value, unit="percent", dimension="share"), end
    else:
        measured = _measured(text, end, number, value, window)
        if measured is None or (
            start > 0 and not measured[0].unit and not _clause(plain, match.start()).borders(match.start())
        ):
            return None
        quantity, stop = measured
        if (currency := _PREFIX_CURRENCY.search(window)) and quantity.dimension == "money":
            quantity = replace(quantity, unit=_CURRENCIES[currency[1]])
            start -= len(currency.group()) if not hedge else 0
    for suffix_bound, pattern in _SUFFIXES:
        if (after := pattern.match(plain, stop)) and not bound:
            bound, approximate, stop = suffix_bound, approximate or not suffix_bound, after.end()
    return start, stop, replace(quantity, approximate=approximate, bound=bound)


def _quoted(plain: str, start: int, end: int) -> bool:
    """Return whether quotation marks enclose exactly `plain[start:end]`. It is then a name, not a quantity."""
    return plain[start - 1 : start] in ("“", "「", "『", '"', "《") and plain[end : end + 1] in (
        "”",
        "」",
        "』",
        '"',
        "》",
    )


def _hedged(window: str) -> tuple[str, bool, int]:
    """Return the bound stated before a number, whether the number is approximate, and the length of these words.

    The bound is "at least", "at most" and so on, or "" if none is stated.
    """
    for bound, pattern in _HEDGES:
        if hedge := pattern.search(window):
            return bound, not bound, len(hedge.group())
    return "", False, 0


def _measured(text: _Text, end: int, number: str, value: Decimal, window: str) -> tuple[Quantity, int] | None:
    """Return the quantity with its unit or noun, and its end offset."""
    plain, whole = text.plain, text.whole
    single = number == "一" and not whole
    if match := _UNIT.match(plain, end):
        name, stop = match["unit"], match.end()
        unit = UNITS["cny"] if name == "元" and not text.traditional else UNIT_BY_CHINESE_NAME[name]
        sure = _is_unit(plain, name, match.start("unit"), stop)
        if not (sure or plain.startswith("人次", stop - 1)) or (single and name in (*_LIFE, "人")):
            return None
        if plain.startswith("级", stop):
            return None
        if name == "年" and not whole and not _are_years(plain, number, value, window, stop):
            return None
        if sure:
            return quantity_of(value, unit), stop
    if (number[-1].isascii() or number[-1] in "万亿") and (symbol := _SYMBOL.match(plain, end)):
        return quantity_of(
            value, {"nm": UNITS["nm"], "％": UNITS["percent"]}.get(symbol["unit"]) or UNIT_BY_SYMBOL[symbol["unit"]]
        ), symbol.end()
    if whole and end == len(plain):
        return Quantity(value=value), end
    measure = _MEASURE.match(plain, end)
    if measure is None or single:
        return None
    return _counted(text, value, measure)


def _counted(text: _Text, value: Decimal, measure: re.Match[str]) -> tuple[Quantity, int] | None:
    """Return the quantity and its end offset. The noun follows the measure word, or is the measure word itself."""
    plain, stop = text.plain, measure.end()
    name = text.written[measure.start("measure") : stop]
    words = _clause(plain, measure.start("measure"))
    if not words.borders(stop):
        return None
    noun_end = _noun_end(words, stop)
    if noun_end > stop and measure["measure"] not in _COUNTS_ITSELF:
        return Quantity(value=value, noun=text.written[stop:noun_end], measure=name), noun_end
    alone = stop == len(plain) or bool(re.match(r"[^\w\s]", plain[stop : stop + 1]))
    if (alone and (text.whole or measure["measure"] not in "个种类项件")) or (
        measure["measure"] in _COUNTS_ITSELF and plain[stop : stop + 1] not in ("元", "世")
    ):
        return Quantity(value=value, noun=name, measure=name), stop
    return None


def _noun_end(words: _Words, start: int) -> int:
    """Return the end offset of the noun phrase that starts at `start`, or `start` if no noun phrase does."""
    place, end = start, start
    for _ in range(5):
        tag, stop = words.tagged.get(place, ("", place))
        if tag not in _MODIFIERS or stop == place:
            break
        place = stop
        if tag in ("n", "nz"):
            end = stop
    if words.ends_in_time(end):
        return start
    follows = words.tagged.get(end, ("", 0))[0]
    return start if follows.startswith(("n", "uj", "j", "k", "eng", "vn", "q")) else end


def _clause(plain: str, place: int) -> _Words:
    """Return the words of the clause at `place`, up to 30 characters on each side."""
    first = max(
        (match.end() for match in _CLAUSE_END.finditer(plain, max(0, place - 30), place)), default=max(0, place - 30)
    )
    end = _CLAUSE_END.search(plain, place, place + 30)
    last = end.start() if end else min(len(plain), place + 30)
    tagged, at = {}, first
    for word, tag in _jieba().tag(plain[first:last]):
        tagged[at] = (tag, at + len(word))
        at += len(word)
    if not end and last < len(plain) and tagged:
        tagged.popitem()
    return _Words(plain[first:last], first, tagged)


def _is_unit(plain: str, name: str, start: int, stop: int) -> bool:
    """Return whether the characters from `start` are the unit `name`, not part of another word (米, not 米饭)."""
    if plain[stop : stop + 1] in tuple(_NOT_A_UNIT.get(name, "")) and plain[stop : stop + 1]:
        return False
    if name in ("公里", "千米", "英里", "米") and re.match(r"\s?[/每]", plain[stop : stop + 2]):
        return False
    if name == "周" and plain[start - 1 : start] == "四":
        return False
    if name == "人":
        return _clause(plain, start).borders(stop)
    return True


def _are_years(plain: str, number: str, value: Decimal, window: str, stop: int) -> bool:
    """Return whether 二十年 or 30年 is a duration, not a year of an era or of a century."""
    before = plain[max(0, stop - len(number) - 2) : stop - len(number) - 1]
    opens = not (before.isalnum() or before == "(")
    if opens and not number[0].isascii() and not re.match(r"[后前来间内多以之]|左右|时间", plain[stop : stop + 2]):
        return False
    if number == "二" or _NOT_YEARS.match(plain, stop) or not _YEARS_BEFORE.search(window):
        return False
    if number.isascii() and number.isdigit() and (value > 49 or 0 < value < 26):
        lasting = bool(_YEARS_AFTER.match(plain, stop)) or bool(re.search(r"[了过达近约历隔满逾需去续这]$", window))
        return value < 1000 and lasting
    return True
