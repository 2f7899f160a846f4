"""Questions on terms that a law defines and time limits that it sets. Each question contains the name of the law."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.structure.language import Stated
from synth.text.normalise import to_simplified

if TYPE_CHECKING:
    from synth.grammar.reading import Reading
    from synth.grammar.structure.outline import Section

ARTICLE = re.compile(r"^第[一二三四五六七八九十百零\d]+条(?:之[一二三四五])?[ \u3000]*")
LAW = re.compile(r"(?:(?<![办方做用语手书想说算看魔])法|条例|规定|规则|细则|章程|办法|解释|决定)(?:[（(].{1,4}[)）])?$")
_AROUND = re.compile(r"^《?(?:中华人民共和国|中華人民共和國)?|\s*[(（][^)）]*[)）]》?$|》$")
_MEANT = re.compile(r"^本(?P<K>[\u4e00-\u9fff]{1,2})(?:中)?所称的?(?P<S>[^，]{2,16}?)，?是指(?P<A>[^；。]{6,110})。$")
_WITHIN = re.compile(
    r"^(?P<B>[^，；。：]{2,20}(?:应当|应|必须|可以)(?:自|在)[^，；。]{3,30}(?:之日起|后))"
    r"(?P<A>[一二三四五六七八九十百\d]+(?P<U>个工作日|工作日|日|天|个月|年|小时))(?P<E>以?内，?[^，；。]{4,30})。"
)
_LEANS = re.compile(
    r"前[款条项述]|本[款条项]|上述|该|[与尤]?其(?!他)|除|但|另|同时|延长|[对将由向为与及](?:[^，。]{0,20})的$|^以?内，?(?:按|依|根据|未|经)"
)


def short_name(law: str) -> str:
    """Return the short name of a law: without the name of the state, title marks and brackets."""
    return _AROUND.sub("", law)


def definitions(reading: Reading, section: Section) -> Iterator[Stated]:
    """Yield the questions on terms and time limits of a law; nothing for other documents.

    本法所称家庭暴力，是指Y。 gives 《反家庭暴力法》所称的家庭暴力是指什么？
    """
    law = short_name(section.title)
    if not LAW.search(to_simplified(law)) or not section.body:
        return
    start, end = section.body[0].start, section.body[-1].end
    for sentence in reading.sentences:
        if not start <= sentence.start < end:
            continue
        raw = sentence.text.strip().replace(",", "，")
        raw = raw[len(match.group()) :] if (match := ARTICLE.match(to_simplified(raw))) else raw
        text = to_simplified(raw)
        if (
            (meant := _MEANT.match(text))
            and to_simplified(law).endswith(meant["K"])
            and not _LEANS.search(meant["A"][:2])
        ):
            question, answer, pattern = f"《{law}》所称的{raw[slice(*meant.span('S'))]}是指什么？", meant, "statute"
        elif (within := _WITHIN.match(text)) and not any(_LEANS.search(within[part]) for part in "BE"):
            head, after = raw[slice(*within.span("B"))], raw[slice(*within.span("E"))]
            question, answer, pattern = f"根据《{law}》，{head}多少{within['U']}{after}？", within, "deadline"
        else:
            continue
        spans = ((sentence.start, sentence.end),)
        yield Stated(pattern=pattern, question=question, answer=raw[slice(*answer.span("A"))], spans=spans)
