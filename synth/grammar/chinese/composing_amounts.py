"""Questions on how much and how many: the amount, the greater of two, the difference, the length of a list."""

from __future__ import annotations

import re

from synth.grammar.chinese.composing_times import LONGEST, POINTS, SEAM, plain
from synth.grammar.chinese.script import template
from synth.grammar.compositions import Choice
from synth.records import Fact
from synth.text.normalise import normalise, to_simplified

_NUMBER = re.compile(r"^(?:\d[\d,]*(?:\.\d+)?|[〇零一二三四五六七八九十百千两兩]+)\s?[万萬亿億]*")
_FEW = re.compile(r"[两兩二三四五六七八九十](?=[^百千万萬亿億])")
_MEASURES = {
    "高": ("有多高", "", "高"),
    "长": ("有多长", "", "长"),
    "宽": ("有多宽", "", "宽"),
    "深": ("有多深", "", "深"),
    "重": ("有多重", "", "重"),
    "全长": ("的全长是多少", "", "长"),
    "总长": ("的总长是多少", "", "长"),
    "长度": ("的长度是多少", "", "长"),
    "总长度": ("的总长度是多少", "", "长"),
    "高度": ("的高度是多少", "", "高"),
    "身高": ("的身高是多少", "", "高"),
    "体重": ("的体重是多少", "", "重"),
    "海拔": ("的海拔是多少", "海拔", "高"),
    "平均海拔": ("的平均海拔是多少", "平均海拔", "高"),
    "面积": ("的面积是多少", "面积", "大"),
    "总面积": ("的总面积是多少", "总面积", "大"),
    "占地": ("的占地面积是多少", "占地面积", "大"),
    "占地面积": ("的占地面积是多少", "占地面积", "大"),
    "建筑面积": ("的建筑面积是多少", "建筑面积", "大"),
    "流域面积": ("的流域面积是多少", "流域面积", "大"),
    "人口": ("的人口是多少", "人口", "多"),
    "总人口": ("的总人口是多少", "总人口", "多"),
}
_OWNED = re.compile(
    r"(?P<S>.{2,20}?)\s?的\s?(?P<K>[\u4e00-\u9fff]{0,4}?(?P<N>默认值|默認值|预设值|預設值|库容|庫容|面积|面積|长度|長度|高度|价格|價格|"
    r"人口|重量|速度|录取率|录取率|温度|溫度|海拔|时间|時間|时长|時長|周期|间隔|間隔|票价|票價|容量|直径|深度|宽度|产量|成本))$"
)
_WORDS = {
    "高": "录取率 价格 票价 温度 海拔 高度 成本",
    "长": "长度 时间 时长 周期 间隔",
    "多": "人口",
    "重": "重量",
    "快": "速度",
    "深": "深度",
    "宽": "宽度",
    "高 ": "产量",
}
_HAVING = re.compile(r"(?:一?共|现|总共)?(?:有|拥有|设有|下辖|包括|容纳|可容纳|安装|收录|收藏)")
_JOINT = re.compile(r"(?:以及|[和与與及])")
_OPEN = re.compile(r"等|例如|比如|之类|其他|其它|[(（]")


def amount(fact: Fact, language: str) -> str | None:
    """X有多高？ X一共有多少名议员？"""
    value, statement = fact.qualifier("quantity"), fact.wording.get("statement", "")
    if value is None or not plain(fact) or POINTS.search(to_simplified(statement)):
        return None
    if fact.relation in _MEASURES:
        return fact.subject.text + template(_MEASURES[fact.relation][0] + "？", language)
    asked = _asked(value.text, language)
    if asked is None or statement.count(value.text) != 1 or fact.object is None:
        return None
    if not fact.object.text.startswith(value.text) or not statement.endswith(fact.object.text):
        return None
    return statement.replace(value.text, asked) + "？"


def _asked(text: str, language: str) -> str | None:
    """多少名 for 750名, 几个 for 两个, 多少 for 5.3%; None where no number begins the amount."""
    word = "几" if _FEW.match(text) else "多少"
    asked = _NUMBER.sub(template(word, language), text)
    return None if asked == text else re.sub(r"\s?[%％]$", "", asked)


def more(a: Fact, b: Fact, language: str) -> Choice | None:
    """A和B，哪一个更高？"""
    what = _compared(a, b)
    if what is None:
        return None
    owners, thing, word = what
    if max(map(len, owners)) > LONGEST or normalise(owners[0]) == normalise(owners[1]):
        return None
    x, y = sorted(owners, key=normalise)
    lead = template("哪一个", language) + (template("的", language) + thing if thing else "")
    asked = f"{x}和{y}，{lead}{template(f'更{word}？', language)}"
    return Choice(question=_spaced(asked, a), options=owners)


def difference(a: Fact, b: Fact, language: str) -> str | None:
    """A比B高多少？ `a` has the greater amount."""
    what = _compared(a, b)
    if what is None:
        return None
    (greater, less), thing, word = what
    if max(len(greater), len(less)) > LONGEST or normalise(greater) == normalise(less):
        return None
    lead = template("的", language) + thing if thing else ""
    return _spaced(f"{greater}{lead}比{less}{template(f'{word}多少？', language)}", a)


def _spaced(question: str, fact: Fact) -> str:
    """The question with spaces between Latin and Chinese words, where the fact has them."""
    spaced = re.search(r"[A-Za-z_)] [\u4e00-\u9fff]", fact.wording.get("statement", ""))
    return SEAM.sub(" ", question) if spaced else question


def _compared(a: Fact, b: Fact) -> tuple[tuple[str, str], str, str] | None:
    """Whose amounts are compared, of what ("" where the word says it), and the word: 高, 多."""
    if not (plain(a) and plain(b)) or a.relation != b.relation:
        return None
    names = a.subject.text, b.subject.text
    if any(POINTS.search(to_simplified(name)) for name in names):
        return None
    if a.relation in _MEASURES:
        return names, _MEASURES[a.relation][1], _MEASURES[a.relation][2]
    if a.relation in ("是", "为"):
        one, other = (_OWNED.fullmatch(name) for name in names)
        if one is None or other is None or one.group("K") != other.group("K"):
            return None
        return (one.group("S"), other.group("S")), one.group("K"), _word(to_simplified(one.group("N")))
    nouns = [_counted(fact) for fact in (a, b)]
    if nouns[0] is None or nouns[0] != nouns[1] or not _HAVING.fullmatch(to_simplified(a.relation)):
        return None
    return names, nouns[0], "多"


def _word(noun: str) -> str:
    return next((word.strip() for word, nouns in _WORDS.items() if noun in nouns.split()), "大")


def _counted(fact: Fact) -> str | None:
    """The noun that the quantity of a fact counts: 议员 of 750名议员."""
    value = fact.qualifier("quantity")
    if value is None or fact.object is None or not fact.object.text.startswith(value.text):
        return None
    noun = fact.object.text[len(value.text) :].strip()
    return noun if 1 < len(noun) <= 8 else None


_INNER = re.compile(r"[(（][^)）]*[、,，]|^[来來]自")
"""Lists inside the items of a list."""

_LISTING = ("包括", "包含")
_BESIDE = 8
"""Characters by which a list may stand behind what it is a list of."""


def listed(fact: Fact) -> tuple[str, ...] | None:
    """The items of A、B和C; None where 等 leaves the list open, or where it may be one item with 和 in it."""
    if fact.object is None or not plain(fact):
        return None
    text = _number(fact)[0]
    if _OPEN.search(text) or _INNER.search(text):
        return None
    if fact.relation in _LISTING and fact.object.start - fact.subject.end > _BESIDE:
        return None  # "X shows several cultures, including ...": the list is not of X
    head, *rest = [part.strip() for part in text.split("、")]
    last = _JOINT.split(rest[-1]) if rest else []
    if len(last) != 2 or not rest:
        return None
    items = [head, *rest[:-1], *(part.strip() for part in last)]
    whole = all(1 < len(item) <= 16 for item in items) and len({normalise(item) for item in items}) == len(items)
    return tuple(items) if whole and not any("的" in item for item in items[1:-1]) else None


def _number(fact: Fact) -> tuple[str, str]:
    """The list of a fact without the count that closes it, and what is counted: 三部分."""
    text = fact.object.text if fact.object else ""
    match = re.search(r"(?P<N>[两兩二三四五六七八九十\d]+)(?P<K>[个種种部類类大项項位名]\S{0,6})$", text)
    return (text[: match.start()].strip(), match.group("K")) if match else (text, "")


_COUNTED = {
    "由…组成": "{S}由几部分组成？",
    "分为": "{S}分为几种？",
    "分成": "{S}分成几部分？",
    "包括": "{S}包括几项？",
    "支持": "{S}支持几种？",
}


def how_many(fact: Fact, language: str) -> str | None:
    """X由几部分组成？ None where the sentence says the number itself."""
    items = listed(fact)
    if items is None or _number(fact)[1]:
        return None
    form = _COUNTED.get(to_simplified(fact.relation))
    noun = _noun(fact.subject.text)
    if form is None and noun is None:
        return None
    if noun is not None and to_simplified(fact.relation) in ("包括", "是", "有", "包含"):
        return (
            template("一共有多少种", language) + fact.subject.text + "？" if len(fact.subject.text) <= LONGEST else None
        )
    return template(form, language).format(S=fact.subject.text) if form else None


def _noun(subject: str) -> str | None:
    """The noun at the end of a subject that names what the list lists: 机组人员职位."""
    match = re.search(r"(?:职位|職位|类型|類型|种类|角色|语言|語言|格式|模式|方式|品种|類別|类别)$", subject)
    return match.group() if match else None
