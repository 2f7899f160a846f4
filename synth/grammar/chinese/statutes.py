"""Questions on laws and rules: terms, deadlines and limits, each with the name of the law."""

from __future__ import annotations

import re

from synth.grammar.chinese.candidates import Candidate, Candidates, TemplateWriter
from synth.grammar.chinese.lexicon import NUMBER
from synth.grammar.chinese.lines import ChineseLine

_LAW = re.compile(r"(?P<K>法典|法|条例|办法|规定|细则|规则|章程)$")
_AROUND = re.compile(r"^《?(?:中华人民共和国|中華人民共和國)?|\s*[(（][^)）]*[)）]$|》$")
"""Parts of a title beside the name by which a law is called."""
_MEANT = re.compile(r"^本(?P<K>[\u4e00-\u9fff]{1,2})(?:中)?所称的?(?P<S>[^,]{2,16}?),?是指(?P<A>[^;。]{6,110})。$")
_TERM = r"(?:个工作日|工作日|日|天|个月|年|小时)"
_WITHIN = re.compile(
    rf"^(?P<B>[^,;。:]{{2,20}}(?:应当|应|必须|可以)(?:自|在)[^,;。]{{3,30}}(?:之日起|后))"
    rf"(?P<A>{NUMBER}{_TERM})(?P<E>以?内,?[^,;。]{{2,30}})[,;。]"
)
_LIMIT = re.compile(
    r"^(?P<B>(?:[^,;。:]{4,30}的,)?[^,;。:]{2,30}不得(?:超过|少于|低于|高于|多于))"
    rf"(?P<A>{NUMBER}(?:{_TERM}|人|名|厘米|米|公里|公顷|万?元|%|倍|周岁|岁))[,;。]"
)
_OPEN = re.compile(
    "^以?内,?(?:按照|依照|根据|未|经)|[日月年天]以?内|前[款条项述]|本[款条项]|上述|该|[与尤]?其(?!他)|除|但|另|同时|一次|延长"
)
LONGEST = 110
"""Characters of a definition that a law gives, more than other answers may have."""


def statutes(line: ChineseLine, title: str, written: str, writer: TemplateWriter) -> Candidates:
    """Questions on what one sentence of a law lays down.

    本法所称家庭暴力，是指Y。 -> 《反家庭暴力法》所称的家庭暴力是指什么？

    `title` is that of the document, simplified, and `written` as it stands; it must name a law.
    """
    law = _LAW.search(_AROUND.sub("", title))
    if law is None:
        return
    name = _AROUND.sub("", written)
    meant = _MEANT.match(line.simple)
    if (
        meant is not None
        and not _OPEN.search(meant.group("A")[:2])
        and meant.group("K") == law.group("K")
        and line.whole(*meant.span("S"))
    ):
        subject = line.written(*meant.span("S"))
        question = writer.fill("《{T}》所称的{S}是指什么？", T=name, S=subject)
        yield _candidate(question, line, meant.span("A"), subject, "statute")
    for form, pattern in ((_WITHIN, "deadline"), (_LIMIT, "limit")):
        match = form.match(line.simple)
        if match is None or any(_OPEN.search(match.groupdict().get(part) or "") for part in "BE"):
            continue
        after = line.written(*match.span("E")) if "E" in form.groupindex else ""
        head = line.written(*match.span("B"))
        question = writer.fill(
            "根据《{T}》，{B}多少" + _deadline_unit(match.group("A")) + "{E}？", T=name, B=head, E=after
        )
        yield _candidate(question, line, match.span("A"), head, pattern)


def _deadline_unit(amount: str) -> str:
    return re.sub(rf"^{NUMBER}", "", amount)


def _candidate(question: str, line: ChineseLine, answer: tuple[int, int], subject: str, pattern: str) -> Candidate:
    return Candidate(question, line.answer(*answer), line, (line.index,), pattern, 0.9, 3, subject)
