"""What holds under the condition of a fact, and under which condition it holds."""

from __future__ import annotations

import re

from synth.grammar.chinese.composing_times import POINTS
from synth.grammar.chinese.script import template
from synth.grammar.compositions import Asked
from synth.records import Fact
from synth.text.normalise import to_simplified

_OPENER = re.compile(r"^(?:但是?|而|不过)?(?:只有当|只有在|只有|如果|若是|若|假如|倘若|要是|当|一旦|只要|每当|在|于)")
_STANDING = re.compile(
    r"^(?:但是?|而|不过)?(?:只有|如果|若|假如|倘若|要是|一旦|只要|每当|默认情况下)|(?:时|的时候|情况下)$"
)
_ONCE = re.compile(r"[了过](?=[^解程滤期高低度]|$)|曾|\d{3,4}年|世纪|终于")
_WEAK = re.compile(r"^(?:[\u4e00-\u9fff]{1,3}|重大变化|[一二两三]个.{1,2})$")
_TO_READER = re.compile(r"^((?:如果|若是?|假如|倘若|要是|当|一旦|只要|每当|除非)?)(?:你|您)(?![们們的所])\s?")
_READER = re.compile("[你您我]|用户")
_LONGEST = 40


def consequence(fact: Fact, language: str) -> Asked | None:
    """如果声明了响应模型，FastAPI会返回什么？"""
    held = _condition(fact)
    if held is None:
        return None
    condition, statement = held
    if fact.object is None or (_WEAK.match(fact.object.text) and not fact.object.kind):
        return _fate(fact, condition, statement, language)
    thing = fact.object.text
    if not statement.endswith(thing) or fact.negated or fact.relation in ("是", "为", "有", "服务于", "负责"):
        return None
    lead = condition.rstrip("，,").removesuffix("即可") + "，"
    kept = statement[: -len(thing)].rstrip()
    value = fact.qualifier("quantity")
    counted = re.sub(r"^[\d.,]+", "", thing) if value is not None and value.text == thing else ""
    word = "谁" if fact.object.kind == "person" else f"多少{counted}" if counted else "什么"
    gap = " " if kept[-1:].isascii() and kept[-1:].isalnum() else ""
    return Asked(question=f"{lead}{kept}{gap}{template(f'{word}？', language)}", answer=thing)


def _fate(fact: Fact, given: str, statement: str, language: str) -> Asked | None:
    """如果水温过高，嫩芽会怎样？ 如果库水位超过162米，大坝必须怎么做？"""
    said = statement.removeprefix(fact.subject.text).strip()
    simple = to_simplified(said)
    if (
        said == statement
        or not _FATE.match(simple)
        or not 4 <= len(said) <= _LONGEST - 14
        or fact.modal in ("can", "may")
    ):
        return None
    if not re.match("如果|若|假如|倘若|要是|一旦|当", to_simplified(given)) or re.search("怎|如何", simple):
        return None
    asked = "应该怎么做？" if fact.modal in ("must", "should") else "会怎样？"
    if fact.modal and fact.negated:
        return None
    gap = " " if re.search("[A-Za-z]$", fact.subject.text) and " " in statement else ""
    return Asked(question=f"{given.rstrip('，,')}，{fact.subject.text}{gap}{template(asked, language)}", answer=said)


_FATE = re.compile("[会将]|不会|不再|不能|无法|必须|应|需要|须")


def condition(fact: Fact, language: str) -> Asked | None:
    """在什么情况下，FastAPI会返回错误？"""
    held = _condition(fact)
    if held is None:
        return None
    given, statement = held
    simple = to_simplified(given)
    if (
        "默认" in simple
        or fact.relation in ("是", "为")
        or len(given) < 5
        or len(statement) > _LONGEST
        or len(statement) < 6
    ):
        return None
    lead = _OPENER.match(simple)
    answer = given[lead.end() if lead else 0 :].strip("，, ").removesuffix("即可")
    only = simple.startswith("只有")
    if only and not fact.negated:
        rest = re.sub("^才(?![华能]力|干)", "", statement.removeprefix(fact.subject.text).strip())
        asked = template("在什么情况下才", language)
        return Asked(question=f"{fact.subject.text}{asked}{rest}？", answer=answer) if rest else None
    return Asked(question=f"{template('在什么情况下，', language)}{statement}？", answer=answer)


def _condition(fact: Fact) -> tuple[str, str] | None:
    """The one condition of a fact and what it limits, where it holds always and stands alone."""
    terms = [term for term in fact.qualifiers if term.kind == "condition"]
    statement = fact.wording.get("statement", "")
    if len(terms) != 1 or not statement or len(fact.qualifiers) > 2:
        return None
    text = _TO_READER.sub(r"\1", terms[0].text)
    simple = to_simplified(text)
    if POINTS.search(simple + to_simplified(statement)) or len(text) < 4 or len(text) > _LONGEST:
        return None
    if not _STANDING.search(simple) and not (re.search("后$", simple) and fact.modal):
        return None
    if re.match("[并而但]", simple) or _READER.search(simple + fact.subject.text):
        return None
    if _ONCE.search(to_simplified(statement)) or re.search(r"\d{3,4}年|世纪", simple):
        return None
    if fact.subject.kind == "person" and not fact.modal:
        return None
    return text, statement
