"""Conditional questions on what a Chinese document lays down."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synth.grammar.chinese.candidates import named, nominal
from synth.grammar.chinese.composing_times import SEAM
from synth.grammar.chinese.objects import asked_word, final_object
from synth.grammar.chinese.ranking import sets_spaces
from synth.grammar.chinese.rules import Rule, rules
from synth.grammar.chinese.rules_behind import rules_behind
from synth.grammar.chinese.script import template
from synth.grammar.reading import Reading
from synth.records import Draft
from synth.text.normalise import normalise, to_simplified

_LONGEST = 64
_RUN = 15
"""Characters of a condition and a subject from which on a question would copy its sentence."""
_ABLE = ("可以", "可", "能", "能够")
_MUST = {
    "必须": "必须",
    "须": "必须",
    "需要": "需要",
    "需": "需要",
    "应该": "应该",
    "应": "应该",
    "应当": "应该",
    "要": "需要",
    "只能": "只能",
}
_DOES = re.compile(r"(?:使用|用|安装|设置|添加|创建|声明|传入|调用|启用|导入)(?=[^于作])")
_GIVES = re.compile(
    r"(?:返回|发出|触发|报告|显示|生成|抛出|使用|启用|采用|发送|设置|进入|读取|写入|执行|创建|改用|收到|通知|出现|产生|產生|顯示|變成|变成|成为)"
)
_STATE = re.compile(
    r"(?:被|不|无法|無法|停止|变|變|失|保持|出现|产生|带有|发|容易|受|拒绝|为|有|消耗|在|报错|打开|炭化|位于)"
)
_PERSON = re.compile("(?:员|长|者|人|主任|用户|端|家|师|主管|官|总统|国王|皇帝|公民|成员)$")
_COMES = re.compile("(?<![社机协学议大工商])会(?![议员计话场])")
"""Word by which what follows comes about and is not done: 新的操作会可用."""
_CONTENT = frozenset({"n", "nz", "nw", "v", "vn", "a", "an", "ad", "vd"})
_AIM = re.compile("想|需要|希望|要(?!求)|必须")


def conditionals(reading: Reading) -> list[Draft]:
    """Questions that set a condition, or ask for it, as the sentences of a Chinese document state it.

    The pattern of a draft is "consequence" or "condition". No question is given that two sentences
    answer in different words.
    """
    spaced = sets_spaces("\n".join(sentence.text for sentence in reading.sentences))
    found: dict[str, list[Draft]] = {}
    for rule in sorted((*rules(reading), *rules_behind(reading)), key=lambda rule: rule.line.index):
        sentence = reading.sentences[rule.line.index]
        for pattern, question, answer, worth in _asked(rule, reading.language):
            asked = SEAM.sub(" ", question) if spaced else question
            if 8 <= len(asked) <= _LONGEST and normalise(answer) not in normalise(asked):
                draft = Draft(
                    question=asked,
                    golden_answers=(answer,),
                    spans=((sentence.start, sentence.end),),
                    pattern=pattern,
                    worth=round(worth - 0.1 * (len(asked) > 44) - 0.1 * (len(answer) > 40), 3),
                )
                found.setdefault(normalise(asked), []).append(draft)
    kept = [same[0] for same in found.values() if len({normalise(one.golden_answers[0]) for one in same}) == 1]
    return sorted(kept, key=lambda draft: (-draft.worth, draft.spans, draft.question))


def _asked(rule: Rule, language: str) -> Iterator[tuple[str, str, str, float]]:
    """(pattern, question, answer, worth) of a rule."""
    if rule.event:
        return
    if rule.bond == "who":
        person = _PERSON.search(to_simplified(rule.condition))
        word = template(f"{'谁' if person else '什么'}才{rule.modal or '可以'}", language)
        yield "condition", word + rule.outcome + "？", rule.answer, 0.82
        return
    if rule.bond not in ("only", "unless"):
        asked = _consequence(rule, language) if rule.subject or rule.bond == "default" or _tells_apart(rule) else None
        if asked is not None:
            question, answer = asked
            again = rule.subject and normalise(rule.subject) in normalise(rule.condition) and not _person(rule)
            if again:
                does, becomes = (template(word, language) for word in ("做什么", "怎么样"))
                question = question.removeprefix(rule.subject or "").replace(does, becomes)
            yield "consequence", _set_in(rule, question, language), answer, 0.85 if rule.subject else 0.78
    if rule.bond not in ("default", "or else") and rule.subject and "，" not in rule.outcome:
        asked = _condition(rule, language)
        if asked is not None:
            yield "condition", asked[0], asked[1], 0.88 if rule.bond in ("only", "unless") else 0.74


def _tells_apart(rule: Rule) -> bool:
    """Whether a condition tells by itself what is asked about: a name, or more words than 数据无效."""
    at = rule.line.simple.find(to_simplified(rule.condition), 0, rule.span[0])
    told = rule.line.span(at, at + len(rule.condition)) if at >= 0 else ()
    return bool(rule.context) or named(told) or sum(token.tag in _CONTENT for token in told) >= 3 or not told


def _set_in(rule: Rule, question: str, language: str) -> str:
    """The question under its condition; behind its subject where the two in a row would repeat the sentence."""
    subject, given = rule.subject or "", rule.condition
    long = len(given) + len(subject) > _RUN and subject and question.startswith(subject)
    if not long or rule.bond not in ("if", "when") or rule.closing not in ("", "时") or rule.context:
        return _opening(rule, language) + question
    if (
        "，" in given
        or len(given) > 24
        or re.search(r"^[在想要]|需要|[时時]$|[了着]|是|的$", given)
        or normalise(subject) in normalise(given)
    ):
        return _opening(rule, language) + question
    return f"{subject}{template('在', language)}{given}{template('时', language)}{question[len(subject) :]}"


def _opening(rule: Rule, language: str) -> str:
    """如果C， or 当C时，"""
    return rule.context + "，" * bool(rule.context) + _set(rule, language)


def _set(rule: Rule, language: str) -> str:
    if rule.bond == "default":
        return template("默认情况下，", language)
    if rule.bond == "suffices":
        return template("只要", language) + rule.condition + "，"
    if rule.closing == "时" or rule.closing == "時":
        lead = "" if to_simplified(rule.condition).startswith("在") else template("当", language)
        return lead + rule.condition + template("时，", language)
    if rule.closing:
        return rule.condition + template(rule.closing, language) + "，"
    return template("如果", language) + rule.condition + "，"


def _consequence(rule: Rule, language: str) -> tuple[str, str] | None:
    """What is asked behind the condition, and its answer."""
    line, (start, end) = rule.line, rule.span
    if rule.subject is None:
        return template("会怎么样？", language), rule.answer
    said = to_simplified(rule.outcome)
    found = final_object(line, start, end) if "，" not in rule.outcome and "," not in said else None
    if rule.subject == "":
        return _to_do(rule, language, found)
    modal = _MUST.get(rule.modal) or ("可以" if rule.modal in _ABLE else "")
    if found is not None and found[1] - start <= 12 and _GIVES.match(line.simple, found[0]) and _tells(rule, found[1]):
        head = line.written(start, found[1])
        asks = modal or ("会" if rule.modal or line.simple[start : found[0]] == "" else "")
        word = asked_word(line, found[1], end)
        return rule.subject + template(asks, language) + head + template(f"{word}？", language), line.answer(
            found[1], end
        )
    if rule.bond == "default" and said[:1] in "是为" and nominal(line, start + 1, end):
        return rule.subject + template("是什么？", language), line.answer(start + 1, end)
    if rule.bond == "default" or (modal == "可以" and not _person(rule)):
        return None
    if modal:
        return rule.subject + template(f"{modal}做什么？", language), rule.answer
    if said.startswith(("是", "为")) or rule.modal == "允许":
        return None
    lead = "可能会" if rule.modal.startswith("可能") else "会"
    at = _subject(rule)
    acts = (_GIVES.match(said) or (at and named(line.span(*at)))) and not _STATE.match(said) and len(said) > 2
    return rule.subject + template(f"{lead}做什么？" if acts else f"{lead}怎么样？", language), rule.answer


def _subject(rule: Rule) -> tuple[int, int] | None:
    """Where the subject of a rule stands, when it stands there whole."""
    at = rule.line.simple.find(to_simplified(rule.subject or ""), 0, rule.span[0])
    span = (at, at + len(rule.subject or ""))
    return span if at >= 0 and rule.line.whole(*span) else None


def _person(rule: Rule) -> bool:
    return _PERSON.search(to_simplified(rule.subject or "")) is not None


def _tells(rule: Rule, start: int) -> bool:
    """Whether the object at `start` is an answer of its own: a name, or a thing that is described."""
    end = rule.span[1]
    return named(rule.line.span(start, end)) or end - start >= 4


def _to_do(rule: Rule, language: str, found: tuple[int, int] | None) -> tuple[str, str] | None:
    """What the reader is to do; without a reader, what happens."""
    line, (start, end) = rule.line, rule.span
    if not rule.told and not rule.modal and rule.bond != "or else":
        return template("会怎么样？", language), rule.answer
    if rule.bond == "suffices":
        return None
    modal = _MUST.get(rule.modal) or ("可以" if rule.modal in _ABLE else "应该")
    first = line.span(start, end)[0]
    if not rule.modal and _COMES.search(line.simple, start + 1, end):
        return template("会怎么样？", language), rule.answer
    if modal == "需要" and first.tag == "v" and len(first.text) == 1 and first.text not in "用把将从为在给由":
        return None
    if modal == "需要" and first.tag not in ("v", "p", "d", "ad", "vd"):
        return template("需要什么？", language), rule.answer
    if found is not None and found[0] == start and _DOES.match(line.simple, start) and named(line.span(found[1], end)):
        head = line.written(start, found[1])
        return template(modal, language) + head + template(
            f"{asked_word(line, found[1], end)}？", language
        ), line.answer(found[1], end)
    if rule.bond == "when" and modal == "可以" and not _AIM.search(to_simplified(rule.condition)):
        return None
    return template(f"{modal}怎么做？", language), rule.answer


_DENIED = (
    ("不允许", "允许"),
    ("不能", "能"),
    ("不得", "可以"),
    ("不会", "会"),
    ("不可以", "可以"),
    ("无法", "能"),
    ("不可", "可以"),
    ("不应该", "可以"),
    ("不应", "可以"),
)


def _condition(rule: Rule, language: str) -> tuple[str, str] | None:
    """The question for the condition, and the condition as an answer."""
    subject, outcome = rule.subject or "", rule.outcome
    answer = (
        rule.condition
        + (" " if rule.closing and SEAM.search(rule.condition[-1:] + "时") else "")
        + template(rule.closing, language)
    )
    if (
        normalise(subject) in normalise(rule.condition)
        or len(outcome) > 30
        or len(subject + outcome) < 6
        or len(answer) < 4
    ):
        return None
    if rule.bond == "unless":
        simple = to_simplified(outcome)
        for no, yes in _DENIED:
            if simple.startswith(no):
                said = template(yes, language) + outcome[len(no) :]
                return template("在什么情况下，", language) + subject + template("才", language) + said + "？", answer
        return None
    modal = rule.modal if rule.modal not in ("可能", "可能会") else ""
    if rule.bond == "only":
        lead = subject + template("在什么情况下才", language)
        return lead + template(modal, language) + outcome + "？", answer
    if not (named_in(rule) or len(subject + outcome) >= 8) or rule.modal.startswith("可能"):
        return None
    return template("在什么情况下，", language) + subject + template(modal, language) + outcome + "？", answer


def named_in(rule: Rule) -> bool:
    """Whether what is asked about names something."""
    return named(rule.line.span(*rule.span)) or bool(
        _subject(rule) and named(rule.line.span(*(_subject(rule) or (0, 0))))
    )
