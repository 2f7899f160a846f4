"""Questions on when things happened: the date, the years between, which came first."""

from __future__ import annotations

import re

from synth.grammar.chinese.script import template
from synth.grammar.compositions import Choice
from synth.records import Fact
from synth.text.dates import Date, read_date
from synth.text.normalise import normalise, to_simplified

LONGEST = 24
"""Characters that one of two things put side by side may take."""

SEAM = re.compile(r"(?<=[A-Za-z_)\"])(?=[\u4e00-\u9fff])|(?<=[\u4e00-\u9fff])(?=[A-Za-z])")
"""Where a space stands in documents that set one between Latin and Chinese words."""

POINTS = re.compile(
    r"[它牠她这那該该此]|(?<![尤与])其(?![他它])|(?<![其吉维])他(?![们命])|上述|如下|以下|前者|后者|本[文章节]|自己|双方|两者|同[年月日]|当[年时]"
)
_CLASSES = (
    ("出生", re.compile(r"出生(?:于.+)?|生于.+|诞生(?:于.+)?")),
    ("去世", re.compile(r"(?:病逝|逝世|去世|过世|辞世|离世|病故|病死|死)(?:于.+)?|(?:卒|死)于.+")),
    ("成立", re.compile(r"(?:正式)?(?:成立|创立|创办|创建|建立|设立|组建|创校|建校)(?:于.+)?")),
    ("建成", re.compile(r"(?:正式)?(?:建成|落成|竣工|完工|修建|建造|兴建|始建|修筑)(?:于.+)?")),
    ("开通", re.compile(r"(?:正式|全线)?(?:开通|通车|启用|开放|营运|开业|开馆|开幕|营业)(?:于.+)?")),
    ("上映", re.compile(r"(?:正式|首次)?(?:上映|公映|首播|首映|播出|发行|出版|发布|发售|发表|推出)(?:于.+)?")),
)
_ORDINAL = re.compile(r"第[\d一二三四五六七八九十]+")
_AGAIN = re.compile("再次|重新|重返|回到|返回|卸任|退役|退休|离职|辞去")
_BEGINS = ("出生", "成立", "建成")
_ENDS = ("去世",)
_PERSONAL = ("出生", "去世")


def event(fact: Fact) -> str | None:
    """What happened, without its time and without 了, to stand behind the subject; None where it did not surely."""
    said = fact.wording.get("subject_gap")
    if not said or not plain(fact) or POINTS.search(to_simplified(said)) or fact.relation in ("是", "有", "只是"):
        return None
    return said if len(said) >= 2 and not POINTS.search(to_simplified(fact.subject.text)) else None


def plain(fact: Fact) -> bool:
    """Whether a fact holds as it stands: without a no, a may, or an if."""
    return not (fact.negated or fact.modal or fact.qualifier("condition"))


def when(fact: Fact, language: str) -> str | None:
    """X是哪一年成立的？"""
    said, time = event(fact), fact.qualifier("time")
    if said is None or time is None:
        return None
    asked = "哪一年" if _is_year(time.text, language) else "什么时候"
    return f"{fact.subject.text}{template(f'是{asked}', language)}{said}{template('的？', language)}"


def interval(earlier: Fact, later: Fact, language: str) -> str | None:
    """从X成立到Y建成，中间隔了多少年？"""
    a, b = event(earlier), event(later)
    if a is None or b is None or max(len(a), len(b)) > LONGEST or a == b:
        return None
    if same_thing(earlier, later):
        if _class(a) in _BEGINS and _class(b) in _ENDS:
            return (
                f"{earlier.subject.text}{template('从', language)}{a}到{b}{template('，一共经过了多少年？', language)}"
            )
        return f"{earlier.subject.text}{template('从', language)}{a}到{b}{template('，中间隔了多少年？', language)}"
    said = f"{earlier.subject.text}{a}到{later.subject.text}{b}"
    return f"{template('从', language)}{said}{template('，中间隔了多少年？', language)}"


def first(a: Fact, b: Fact, language: str) -> Choice | None:
    """Which of two things came first: two things of one kind of event, or two events of one thing."""
    one, other = event(a), event(b)
    if one is None or other is None:
        return None
    kinds = _class(one), _class(other)
    if same_thing(a, b):
        known = _certain(*kinds) or _told_by_words(one, other)
        return None if one == other or known else _steps(a.subject.text, one, other, language)
    if one == other or (kinds[0] and kinds[0] == kinds[1]):
        return _rivals(a, b, one if one == other else template(kinds[0], language), language)
    if a.doc_id != b.doc_id:
        return None
    return _happenings(a.subject.text + one, b.subject.text + other, language)


def same_thing(a: Fact, b: Fact) -> bool:
    """Whether two facts are about the same thing."""
    return normalise(a.subject.text) == normalise(b.subject.text)


def _rivals(a: Fact, b: Fact, said: str, language: str) -> Choice | None:
    """A和B，哪一个成立得更早？"""
    names = a.subject.text, b.subject.text
    if max(map(len, names)) > LONGEST or a.subject.kind != b.subject.kind:
        return None
    person = a.subject.kind == "person" or to_simplified(said) in _PERSONAL
    who = "谁" if person else "哪一部" if a.subject.kind == "work" else "哪一个"
    asked = f"{who}{said}得更早？" if len(said) == 2 else f"{who}更早{said}？"
    x, y = sorted(names, key=normalise)
    return Choice(question=f"{x}和{y}，{_kept(asked, said, language)}", options=names)


def _kept(asked: str, said: str, language: str) -> str:
    """The template in the script of the document, and in it the words of the document as they are."""
    before, after = asked.split(said)
    return template(before, language) + said + template(after, language)


def _steps(subject: str, one: str, other: str, language: str) -> Choice | None:
    """X先进入A，还是先入选B？"""
    if max(len(one), len(other)) > LONGEST:
        return None
    x, y = sorted((one, other), key=normalise)
    return Choice(
        question=f"{subject}{template('先', language)}{x}{template('，还是先', language)}{y}？", options=(one, other)
    )


def _happenings(one: str, other: str, language: str) -> Choice | None:
    """是A在先，还是B在先？"""
    if max(len(one), len(other)) > LONGEST + 6:
        return None
    x, y = sorted((one, other), key=normalise)
    asked = f"是{x}{template('在先，还是', language)}{y}{template('在先？', language)}"
    return Choice(question=asked, options=(one, other))


def _told_by_words(one: str, other: str) -> bool:
    """Whether the words say the order: 第一部 and 第二部, 效力于 and 回到."""
    both = [_ORDINAL.search(to_simplified(said)) for said in (one, other)]
    return all(both) or any(_AGAIN.search(to_simplified(said)) for said in (one, other))


def _certain(one: str, other: str) -> bool:
    """Whether anyone knows the order of two events of one thing: birth comes first, death last."""
    return bool({one, other} & {*_BEGINS, *_ENDS})


def _class(said: str) -> str:
    """The kind of event that one without an object is, "" for any other."""
    simple = to_simplified(said)
    return next((name for name, form in _CLASSES if form.fullmatch(simple)), "")


def _is_year(text: str, language: str) -> bool:
    date = read_date(text, language)
    return isinstance(date, Date) and date.precision == "year"
