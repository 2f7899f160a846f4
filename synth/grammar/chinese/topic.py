"""Topic of an encyclopaedic document: the entity that its first sentence introduces."""

from __future__ import annotations

import re

from synth.grammar.chinese.clauses import Subject, clauses
from synth.grammar.chinese.lines import ChineseLine
from synth.text.normalise import fold_width, to_simplified

_TAIL = re.compile(r"[-_ ]*\d*$")
_QUALIFIER = re.compile(r"[ _]*\(.*\)")
_DISAMBIGUATION = re.compile(r"[ _][(（](?P<Q>[^()（）]+)[)）](?:[-_ ]*\d*)$")
_DEFINING = re.compile(r"是|为|系|,|位于|即|指|于|在|由|共|有|全长|又|简称|原|建于|坐落")
_NAMED = re.compile(r"(?P<name>[^,，。:;]{2,20}?)(?:,|是|为|位于)")
_MARKS = "《》“”「」\"'"


def topic(title: str, first: ChineseLine | None) -> Subject | None:
    """The entity that the `title` names and the first sentence begins with, if it is so.

    A qualifier in brackets and a number at the end of the title do not count.
    """
    if first is None:
        return None
    name = _QUALIFIER.sub("", _TAIL.sub("", to_simplified(fold_width(title)).replace("_", " "))).strip(_MARKS + " ")
    squeezed = name.replace(" ", "")
    text = first.simple
    start = 1 if text[:1] in '《“「"' else 0
    for form in (name, squeezed):
        stop = start + len(form)
        if len(form) >= 2 and text.startswith(form, start):
            if text[stop : stop + 1] in ("》", "”", "」", '"') and start:
                start, stop = 0, stop + 1
            elif start:
                return None
            if not _DEFINING.match(text, stop):
                return None
            full_name = first.written(start, stop) + _disambiguation(title)
            return Subject(full_name, text[start:stop], 4, "topic", first.index, _is_person(first, stop))
    return _similar_topic(name, first)


def _disambiguation(title: str) -> str:
    """The part of a title in brackets that tells its entity from others of the name, as a question repeats it."""
    match = _DISAMBIGUATION.search(title)
    return f"（{match.group('Q')}）" if match else ""


def _similar_topic(name: str, first: ChineseLine) -> Subject | None:
    """The entity that the first sentence begins with, where its name is much the same as `name`."""
    match = _NAMED.match(first.simple)
    if match is None or match.end("name") not in first.edges:
        return None
    own = match.group("name").strip(_MARKS)
    shared = set(own) & set(name)
    if len(shared) < 2 or len(shared) < 0.6 * max(len(set(own)), len(set(name))):
        return None
    stop = match.end("name")
    return Subject(first.written(0, stop), first.simple[:stop], 4, "topic", first.index, _is_person(first, stop))


def _is_person(line: ChineseLine, stop: int) -> bool:
    """True if the entity named before `stop` is a person, from its name's tag or its definition."""
    tokens = line.span(0, stop) if stop in line.edges else ()
    if tokens and all(token.tag == "PER" or token.text == "·" for token in tokens) and not _THING.search(line.simple):
        return True
    return any(PERSON.search(line.simple[start:end]) is not None for start, end, _ in list(clauses(line))[:4])


_THING = re.compile(
    r"[是为].{0,30}(?:植物|动物|[属种科]|乐团|乐队|组合|公司|城市|[县镇村市区]|作品|小说|电影|漫画|动画|游戏|专辑)(?:,|。|的一|$)"
)
PERSON = re.compile(
    r"(?:作家|演员|歌手|运动员|球员|政治人物|政治家|军事家|将领|将军|学者|教授|科学家|化学家|物理学家|数学家|画家|诗人|导演|艺人|皇后|皇帝|"
    r"僧人|官员|主持人?|教练|选手|工程师|医生|律师|企业家|记者|作曲家|哲学家|历史学家|人物|大臣|进士|模特|设计师|编剧|监督|声优|漫画家|女星|男星|主角|角色|如来|菩萨|"
    r"国王|王子|公主|总统|总理|主教|教宗|传教士|投手|守门员|后卫|前锋|中场|学家|棋手|骑士|贵族|市长|州长|议员|诗僧|妃嫔|皇太后|王后)$"
)
