"""Facts in a set form: where a thing lies, what it is called, what it belongs to, how big it is."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from synth.grammar.chinese.candidates import (
    Candidate,
    Candidates,
    TemplateWriter,
    candidate,
    named,
    nominal,
    spans_of,
    strip_quotes,
)
from synth.grammar.chinese.clauses import Statement
from synth.grammar.chinese.lexicon import ABOUT, MEASURE, NUMBER, TIME, UNIT


@dataclass(frozen=True, slots=True)
class Fact:
    """A construction: `form` over the predicate with the answer in group A, and what it asks.

    `kind` says what the answer must be: "place", "name" (one name, quotes taken off), "noun", "any".
    `dated` facts hold at a time, which the question then tells.
    """

    name: str
    form: re.Pattern[str]
    question: str
    worth: float
    kind: str = "noun"
    longest: int = 26
    dated: bool = False


@cache
def _table() -> dict[str, Any]:
    table: dict[str, Any] = json.loads(files(__package__).joinpath("set_forms.json").read_text("utf-8"))
    return table


def makers() -> list[str]:
    """Verbs by which somebody makes a thing or runs it, so that 由谁 asks for one answer."""
    return list(_table()["makers"])


def _fact(row: dict[str, Any]) -> Fact:
    return Fact(
        name=row["name"],
        form=re.compile(f"^{_table()['adverbs']}{row['form']}$"),
        question=row["question"],
        worth=row["worth"],
        kind=row.get("kind", "noun"),
        longest=row.get("longest", 26),
        dated=row.get("dated", False),
    )


FACTS = tuple(map(_fact, _table()["facts"]))
_OF_TOPIC = frozenset(("courtesy", "ancestral"))
"""Facts of Chinese people and families."""

QUANTITY = re.compile(
    rf"^(?:其中)?(?P<K>{'|'.join(_table()['measures']['nouns'])})"
    rf"(?P<M>为|是|有|达到|达|可达|可长达|长达|只有|仅为|仅|共|共计|共有|:)?"
    rf"(?P<A>{ABOUT}{NUMBER}(?P<U>{UNIT})(?:[多余]|左右|以上|以下|以内)?)$"
)
_SIZED = frozenset(_table()["measures"]["sizes"])
_COUNT = re.compile(
    rf"^{_table()['adverbs']}(?P<V>一?共有|共设有|总共有|拥有|设有|下设|下辖|辖有|辖|现有|建有|包含|包括|收录了?|收藏了?|藏有|发行了?|生产了?|建造了?|获得过?了?|赢得了?|夺得了?|"
    rf"出版了?|创作了?|有|分为|分成|设|由|历时|持续了?|耗时|连续|容纳|可容纳)(?P<A>{ABOUT}{NUMBER}(?:多|余)?(?P<C>[{MEASURE}]|平方公里|公里|小时|个月|分钟|公顷|吨|米)?)(?P<N>.*)$"
)


def facts(statements: Sequence[Statement], writer: TemplateWriter) -> Candidates:
    """Questions on the facts in set form of one sentence."""
    for statement in statements:
        if statement.subject is None:
            continue
        for fact in FACTS:
            proposal = _fact_candidate(fact, statement, writer)
            if proposal:
                yield proposal
                break
        yield from quantity(statement, writer)
        yield from count(statement, writer)


def _fact_candidate(fact: Fact, statement: Statement, writer: TemplateWriter) -> Candidate | None:
    match = fact.form.match(statement.predicate)
    if match is None or statement.subject is None or re.search(r"[、,]", statement.subject.simple):
        return None
    line = statement.line
    start, end = spans_of(match, "A", statement)
    if fact.kind == "name":
        start, end = strip_quotes(line, start, end)
        if not _is_name(line.simple[start:end]):
            return None
    elif not _is_answer(fact, statement, start, end):
        return None
    subject = statement.subject.simple
    if not 1 <= end - start <= fact.longest or (fact.name in _OF_TOPIC and subject.isascii()):
        return None
    if fact.name == "other_name":
        # AWS 的函数也称为 Lambda: of AWS alone. 插件创建的笔记，也称为卡片: of what was named last.
        is_next = line.simple[: statement.start].rstrip(' ,(（"“').endswith(subject)
        if not is_next or "的" in subject or "/" in line.simple[start:end]:
            return None
    if fact.name == "praised" and re.match("[也又亦还]", statement.predicate):
        return None  # what else it is called, by its other name
    parts = {"V": _written_group(statement, match, "V"), "P": _written_group(statement, match, "P"), "K": ""}
    if "{K}" in fact.question:
        key = statement.start + match.start("A")
        parts["K"] = _relation_word(line.simple[statement.start : key], line.written(statement.start, key))
    parts["A"] = line.written(start, end)
    form = _question_form(fact, line.simple[start:end], statement, start, end)
    if fact.dated and statement.time:
        form = "{T}，" + form
        parts["T"] = line.written(*statement.time)
    answer = line.answer(start, end)
    worth = fact.worth if fact.name not in _OF_TOPIC or statement.subject.level == 4 else fact.worth - 0.15
    if form.startswith("谁"):
        at = line.simple.find(statement.subject.simple)
        answer = line.answer(at, at + len(statement.subject.simple)) if at >= 0 else statement.subject.text
    return candidate(writer, statement, form, answer, fact.name, worth, **parts)


def _relation_word(simple: str, written: str) -> str:
    """The word that names the relation, 旧称 or 别名, as written."""
    match = re.search("[旧古别绰外昵笔艺法谥庙国年首省治][称名号府都会所]|行政中心|县治", simple)
    return written[match.start() : match.end()] if match and len(simple) == len(written) else "名称"


def _question_form(fact: Fact, answer: str, statement: Statement, start: int, end: int) -> str:
    if (
        fact.name == "praised"
        and statement.subject
        and statement.subject.person
        and re.search("第一|首[位个任]|最|之父|唯一", answer)
    ):
        return "谁被{V}" + "{A}？"
    return fact.question


def _is_answer(fact: Fact, statement: Statement, start: int, end: int) -> bool:
    line = statement.line
    if fact.kind == "any":
        return line.whole(start, end) and (fact.name != "meaning" or nominal(line, start, end))
    if fact.name == "family":
        return True
    if not nominal(line, start, end) or (fact.name == "origin" and line.span(start, end)[-1].tag not in ("LOC", "s")):
        return False
    return fact.kind != "place" or _is_place(statement, start, end)


def _is_place(statement: Statement, start: int, end: int) -> bool:
    tokens = statement.line.span(start, end)
    text = statement.line.simple[start:end]
    if (
        re.match(rf"{TIME}", text)
        or text.count("的") > 2
        or re.search(r"(?:城镇|城市|国家|地方|地区之一|一部分)$", text)
    ):
        return False
    return any(t.tag in ("LOC", "ORG", "s") for t in tokens) or bool(
        re.search(r"[省市县区州镇乡村路街山河湖海岛国洋洲湾岸带林边部口内]$", text)
    )


def _is_name(text: str) -> bool:
    return not re.search(r"[、,;:()。]|或|以及|和|^[为是]|是一|为一|^[不未][详明知]|[很许]多", text) or bool(
        re.match(r"^《[^》]+》$", text)
    )


def _written_group(statement: Statement, match: re.Match[str], group: str) -> str:
    if group not in match.re.groupindex or match.group(group) is None:
        return ""
    start, end = spans_of(match, group, statement)
    return statement.line.written(start, end)


def quantity(statement: Statement, writer: TemplateWriter) -> Candidates:
    """Questions on lengths, heights and populations."""
    match = QUANTITY.match(statement.predicate.lstrip("的"))
    if match is None or statement.subject is None or "、" in statement.subject.simple:
        return
    shift = len(statement.predicate) - len(statement.predicate.lstrip("的"))
    line, start = statement.line, statement.start + shift
    a, b = match.start("A") + start, match.end("A") + start
    key = match.group("K")
    form = "{S}{K}多少{U}？" if key in _SIZED and not shift else "{S}的{K}是多少？"
    if "人口" in key:
        form = "{S}的{K}是多少？"
    elif "面积" in key:
        form = "{S}的{K}是多少{U}？"
    if statement.time:
        form = "{T}，" + form
    parts = {
        "K": line.written(match.start("K") + start, match.end("K") + start),
        "U": line.written(match.start("U") + start, match.end("U") + start),
        "T": line.written(*statement.time) if statement.time else "",
    }
    yield candidate(writer, statement, form, line.answer(a, b), "quantity", 0.9, **parts)


_UNTOLD = re.compile(r"(?:情况|可能|值|操作|字段|问题|方面|特点|[优缺]点|[好坏]处|原因)$")
"""What is told and not counted."""


def count(statement: Statement, writer: TemplateWriter) -> Candidates:
    """Questions on counts."""
    match = _COUNT.match(statement.predicate)
    if match is None or statement.subject is None:
        return
    line = statement.line
    a, b = spans_of(match, "A", statement)
    n1, n2 = spans_of(match, "N", statement)
    verb, unit = match.group("V"), match.group("C") or ""
    amount = line.simple[a:b]
    if (
        re.match(r"^[一1两二2](?!\d|[十百千万亿0-9])", amount)
        or not (n1 == n2 or nominal(line, n1, n2))
        or n2 not in line.edges
    ):
        return
    if (n1 == n2 and unit in ("个", "种", "名", "位")) or not unit or _UNTOLD.search(line.simple[n1:n2]):
        return
    if (
        statement.subject.level < 2
        or re.search(r"[、,\d]", line.simple[n1:n2])
        or (re.search(r"[内里中上下间]$", statement.subject.simple) and verb != "有")
    ):
        return
    if verb == "由" or (verb in ("有", "设") and not unit and n1 == n2):
        return
    rest = line.written(n1, n2) if n1 < n2 else ""
    shift = statement.start
    parts = {
        "V": re.sub("[了过]+$", "", line.written(match.start("V") + shift, match.end("V") + shift)),
        "C": line.written(match.start("C") + shift, match.end("C") + shift) if unit else "",
        "N": rest,
        "T": line.written(*statement.time) if statement.time else "",
    }
    form = ("{T}，" if statement.time else "") + "{S}{V}多少{C}{N}？"
    sure = 0.86 if (unit and named(line.span(n1, n2))) or verb != "有" else 0.82
    yield candidate(writer, statement, form, line.answer(a, b), "count", sure, **parts)
