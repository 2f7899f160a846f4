"""Things by what is said of them: 国会设立的机构, and such a description in the place of a name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from synth.grammar.chinese.composing_times import LONGEST, POINTS
from synth.grammar.chinese.script import template
from synth.records import Fact, Term
from synth.text.dates import Date, read_date
from synth.text.normalise import fold_width, normalise, to_simplified

_TELLING = re.compile(
    r"发明|发现|证明|提出|创立|创建|创办|建立|设计|发起|开发|开创|领导|指挥|击败|战胜|攻占|攻破|征服|统一|推翻|签署|颁布|制定|"
    r"暗杀|刺杀|翻译|撰写|编写|编纂|创作|执导|主演|出版|发表|收购|修建|建造|兴建|改编|绘制|谱写|成为|当选|接任|夺得|赢得|"
    r"获得|登上|命名|设立|成立|导演|演唱|生产|制造|推出|主编|扮演|饰演|继承|封装|基于|替代|取代|由.+|使用|依赖|始建|出土|运营|经营|打造|增建|"
    r"更名|改名|合并|担任|主持|参与"
)
_ROLE = re.compile(
    r"(?!.*(?:之一|其中|成员|部分|一员|类似))(?!一|某|几|两|三|多)[^，,、。]{2,20}的(?:[^的，,、]{0,6})?"
    r"(?:首都|首府|省会|创始人|创办人|创立者|作者|发明者|设计者|导演|校长|院长|主席|总统|总理|首相|国王|皇帝|教练|主教练|队长|妻子|丈夫|父亲|"
    r"母亲|儿子|女儿|弟弟|哥哥|总部|前身|主角|编剧|主编|发现者|建筑师|旗舰|最高峰|首任[^的]{1,6})$"
)
_SUPERLATIVE = re.compile(
    r"(?!.*(?:之一|其中))(?!一[种个]|某)[^，,、。]{0,18}(?:最[高大长早小深短重古老多快强热冷][^，,、。]{0,3}|第一|首|唯一)[^，,、。]{0,3}的?[^，,、。]{2,12}$"
)
_NOUNS = (
    (re.compile("(?:大学|学院)$"), "学校"),
    (re.compile("(?:中学|小学)$"), "学校"),
    (re.compile("公司$|集团$"), "公司"),
    (re.compile("(?:足球|篮球|棒球|橄榄球)?(?:俱乐部|队)$"), "球队"),
    (re.compile("(?:委员会|协会|学会|基金会|联盟|议会|国会)$"), "机构"),
    (re.compile("[^城]市$"), "城市"),
    (re.compile("县$"), "县"),
    (re.compile("省$"), "省份"),
    (re.compile("岛$"), "岛屿"),
    (re.compile("河$|江$"), "河流"),
    (re.compile("湖$"), "湖泊"),
    (re.compile("山$|峰$"), "山"),
    (re.compile("机场$"), "机场"),
    (re.compile("博物馆$"), "博物馆"),
    (re.compile("寺$"), "寺庙"),
    (re.compile("大桥$"), "桥"),
)
_BEFORE = frozenset(("v", "p", "c", "uj", "d", "ul", "r", "x", "w", "f", "vn", "t", "zg"))
_AFTER = frozenset(("v", "p", "uj", "d", "c", "x", "w", "vn", "f", "r", "ul", "zg", "ad", "df"))
_DEFINES = re.compile(r"\s*(?:是|为|為|指)(?:什么|什麼|谁|誰|指什么)")
_LATIN = re.compile(r"[A-Za-z0-9]")


@lru_cache(maxsize=1)
def _tagger() -> Any:
    import rjieba

    return rjieba


def described(fact: Fact, term: Term, kind: str, language: str) -> str | None:
    """2009年国会设立的机构, or 法国的首都 where the fact says so itself."""
    if fact.negated or fact.modal or fact.qualifier("condition"):
        return None
    made = _by_role(fact, term) or _by_event(fact, term, kind, language)
    if made is None or len(made) > LONGEST + 6 or POINTS.search(to_simplified(fold_width(made))):
        return None
    name, told = normalise(term.text), normalise(made)
    return None if name in told or _shares(name, told) else made


def _by_role(fact: Fact, term: Term) -> str | None:
    """法国的首都, 佛罗里达州人口最多的城市: what it is said to be, and nothing else is."""
    if fact.relation != "是" or term is not fact.subject or fact.object is None or fact.qualifier("time"):
        return None
    simple = to_simplified(fact.object.text)
    return fact.object.text if _ROLE.match(simple) or _SUPERLATIVE.match(simple) else None


def _by_event(fact: Fact, term: Term, kind: str, language: str) -> str | None:
    """国会设立的机构, with the time where it is exact."""
    said = fact.wording.get("subject_gap" if term is fact.subject else "object_gap")
    noun = _noun(term, kind)
    other = fact.object if term is fact.subject else fact.subject
    if (
        not said
        or not noun
        or other is None
        or not (_TELLING.match(to_simplified(fact.relation)) or _TELLING.search(to_simplified(said)))
    ):
        return None
    if len(said) > LONGEST or said.count("的") > 1:
        return None
    time = fact.qualifier("time")
    lead = time.text if time and isinstance(read_date(time.text, language), Date) else ""
    if not (lead or other.kind or _LATIN.search(other.text)):
        return None
    noun = noun if noun == kind else template(noun, language)
    of = "" if to_simplified(said).endswith("的") else "的"
    return f"{lead}{said}{' ' if _LATIN.match(said[-1]) and ' ' in said else ''}{of}{noun}"


def _noun(term: Term, kind: str) -> str:
    """The noun that stands for a thing: its kind as the text says it, or as its name ends."""
    if re.search(r"[\u4e00-\u9fff]", kind):
        return kind if len(kind) <= 10 and not re.search(r"的|\d|^[长高宽约面]", to_simplified(kind)) else ""
    name = to_simplified(term.text)
    if kind == "person":
        return "人" if term.kind == "person" and not re.search("[国朝军党派州族队]$", name) else ""
    if term.kind not in ("place", "organisation"):
        return ""
    return next((noun for form, noun in _NOUNS if form.search(name)), "")


def _shares(name: str, told: str) -> bool:
    """Whether a description holds a part of the name, so that it gives it away."""
    parts = [part for part in re.split(r"[·・‧\s]", name) if len(part) > 1]
    return any(part in told for part in parts) or any(name[i : i + 3] in told for i in range(len(name) - 2))


def replaced(question: str, name: str, description: str) -> str | None:
    """The question with the description where the name stood, alone, not as a part of a longer phrase."""
    if question.count(name) != 1 or len(question) - len(name) + len(description) > 60:
        return None
    before, after = question.split(name)
    if (
        before.rstrip().endswith(("《", "“", "「", "·", '"'))
        or after.lstrip()[:1] in '》”」·(（"'
        or _DEFINES.match(after)
    ):
        return None
    if not _apart(question, len(before), len(before) + len(name)):
        return None
    if _LATIN.search(name[-1]) and not _LATIN.search(description[-1]):
        after = after.removeprefix(" ")
    if _LATIN.search(name[0]) and not _LATIN.search(description[0]):
        before = before.removesuffix(" ")
    joined = before + description + after
    return joined if joined.count("的") <= 4 and (not before or len(description) <= 18) else None


def _apart(question: str, start: int, end: int) -> bool:
    """Whether the words beside the name are no nouns that it belongs to: 英国|移民, 东辽王|耶律留哥."""
    plain = to_simplified(fold_width(question))
    before = _tagger().tag(plain[:start].rstrip()) if plain[:start].strip() else []
    after = _tagger().tag(plain[end:].lstrip()) if plain[end:].strip() else []
    left = not before or before[-1][1] in _BEFORE or before[-1][0] in ("在", "由", "与", "和", "对", "从", "，", ",")
    right = (
        not after or after[0][1] in _AFTER or after[0][0] in ("的", "是", "在", "由", "与", "和", "？", "?", "，", ",")
    )
    return left and right
