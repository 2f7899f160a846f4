"""Abbreviations in the brackets behind a name."""

from __future__ import annotations

import re

from synth.grammar.chinese.candidates import Candidate, Candidates, TemplateWriter
from synth.grammar.chinese.clauses import level
from synth.grammar.chinese.lines import ChineseLine, Token
from synth.grammar.chinese.names import agreed

_SHORT = re.compile(r" ?[(（](?P<A>[A-Z][A-Za-z]{0,3}[A-Z](?:[A-Za-z]{0,3}))[)）]")
_NAMING = frozenset(("n", "nz", "nw", "vn", "an", "LOC", "ORG", "PER"))
_HEAD = re.compile(
    r"(?:协会|委员会|联盟|组织|协议|指数|理事会|基金会|公司|法院|银行|联合会|总署|局|部|署|系统|网络|接口|语言|格式|模型|疗法|技术|"
    r"标准|规范|计划|条约|法案|大学|学院|研究所|中心|电视网|党|因子|蛋白|细胞|综合征|病毒|物质|方法|算法|测试|语法|映射|架构|框架|服务|"
    r"手语|规划|机制|会议|大会|项目|体系|电视|频道|注入|共享|代理|攻击|认证|授权|令牌|证书|函数|对象|引擎)$"
)


def asides(line: ChineseLine, writer: TemplateWriter) -> Candidates:
    """…委员会（ABC） -> …委员会的英文缩写是什么？"""
    for match in _SHORT.finditer(line.raw):
        place = next((i for i, at in enumerate(line.origin) if at >= match.start()), len(line.simple))
        words = _name_before(line, place)
        if not words or words[-1].tag == "code":
            continue
        start = words[0].start
        simple = line.simple[start:place]
        if not 4 <= len(simple) <= 16 or not _HEAD.search(simple) or level(words) < 2 or not agreed(line, start):
            continue
        if re.search(r"[A-Za-z\d]", simple):
            continue
        name = line.written(start, place)
        question = writer.fill("{S}的英文缩写是什么？", S=name)
        yield Candidate(question, match.group("A"), line, (line.index,), "abbreviation", 0.8, 3, name)


def _name_before(line: ChineseLine, place: int) -> tuple[Token, ...]:
    """The longest run of nouns that ends at `place`; nothing where it may have begun earlier."""
    if place not in line.edges:
        return ()
    tokens = line.span(0, place)
    first = len(tokens)
    while first > 0 and tokens[first - 1].tag in _NAMING:
        first -= 1
    opener = tokens[first - 1] if first else None
    if opener is not None and (opener.text in ("、", "和", "与", "及", "·", "之") or opener.tag in ("q", "a", "m")):
        return ()
    return tuple(tokens[first:])
