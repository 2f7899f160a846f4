"""What a Chinese document lays down: if this holds, that follows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from synth.grammar.chinese.clauses import clauses
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.page import tell
from synth.grammar.chinese.rule_halves import antecedent, freed, owner, past, predicate, reads, says_enough
from synth.grammar.chinese.soundness import stated
from synth.grammar.chinese.usage import impersonal
from synth.grammar.reading import Reading
from synth.text.normalise import to_simplified

Bond: TypeAlias = Literal["if", "when", "only", "unless", "suffices", "default", "or else", "who"]
Span: TypeAlias = tuple[int, int]
Clause: TypeAlias = tuple[int, int, str]

_DEFAULT = re.compile("(?:但|而)?默认情况下")
_CONNECTS = re.compile("为了[^,]{2,14}|因此|所以|此外|另外|同样|当然|不过|通常|一般来说|同时")
_SURE = re.compile("如果|一旦|要是")
_CONTEXT = re.compile(r"(?:在|对于)(?![^,]*(?:这|那|时$|后$|情况))[^,]{2,16}")

_LEAD = r"(?:但是?|不过|而且|而|此外|另外|同时|同样地?|因此|所以|注意|请注意|当然)?"
_OPENS = re.compile(
    rf"{_LEAD}(?P<B>只有当|只有在|只有|只要|除非|每当|如果|若是|若|假如|倘若|要是|一旦|当)"
    r"(?P<C>.+?)(?P<T>的?时候|时|的话|的情况下|情况下|之后|以后|后)?$"
)
_ON = re.compile(rf"{_LEAD}(?P<B>在)(?P<C>.{{3,}}?)(?P<T>的?时候|时|的情况下|情况下)$")
_BARE = re.compile(
    r"(?:但是?|不过|而|并且?|并在)?(?P<B>)(?![^,]*(?:只有|除非|只要|如果))(?![^,]*(?:同|当|那|这|届|此|临|随|最|先|今|然|皇|太|而|其|之)(?:时|后)$)(?P<C>.{4,24}?)(?P<T>的时候|时|之后|以后|后)$"
)
_BONDS: dict[str, Bond] = {"只要": "suffices", "除非": "unless", "当": "when", "每当": "when", "在": "when", "": "when"}
_CLOSED = {"的时候": "时", "时候": "时", "之后": "后", "以后": "后", "的情况下": "时", "情况下": "时", "的话": ""}
_THEN = re.compile(r"(?:那么|那|则|就|便|否则)*")
_ON_TOP = re.compile(r"(?:并且?|而且|且|同时|但是?(?!会)|又|也没有)")
_IT = re.compile("它们?(?=[也仍将会可能被在就又不还一自有]|应该|默认|通常)")
_RELAYED = re.compile(
    r"请?(?:参阅|参见|参考|查看|阅读|查阅|访问|看看|看|前往|跳过|继续|记住|注意|了解|试试|尝试|知道|确保|想|考虑|回到|再次)|"
    r"(?:得到|看到|发现|注意到|知道|明白|希望|建议|完成|找到)"
)
_TAIL = re.compile(
    r"(?:否则|它|其|那(?!么)|因为|由于|例如|比如|如|这|以便|从而|即|也就是|所以|因此|包括|而不是|而无需|而不必|不管|无论|正如|就像)"
)
_EMPTY = re.compile(
    r"^(?:也|很少|很快|是|为(?![你其])|有(?!权)|认为|采用|希望|会想|想|更|没有)|的不?会?是|更[好多小大方简快]|"
    r"(?:种|主要)(?:方式|方法|情况|选择)$|往往|推荐|困难|做到|足够$|没有问题|很好$|优先$|特定|奇怪|有用|好处|知道|不错"
)
_UNSET = re.compile("更[^新换改加多]|足够|较为?|(?<!未)了解|掌握|学会|熟悉")
_OFF = re.compile("^很[少快]|[，,][你您]|优先$")
_HAPPENS = ("会", "将", "不会", "将会", "无法", "不再", "不能", "就会", "也会", "都会", "仍会")
_EVENT = re.compile(r"[了过](?=[^解程滤期高低度]|$)|曾经?|\d{3,4}年|[一二三四五六七八九〇]{4}年|世纪|终于")


@dataclass(frozen=True, slots=True)
class Rule:
    """What holds under a condition, in the words of its sentence and without the reader.

    `bond` says how the two hang together. `condition` is bare; `closing` is the word that closes it (时, 后
    or ""), and `context` what stands before it (在容器中). `subject` is who the consequence is about, "" where
    the reader is told what to do, and None where `outcome` is a clause that names its own. `modal` is
    可以, 必须 or the like. `outcome` is what remains of the consequence, and `answer` that as it stands in the
    sentence, at `line.simple[span]`. `told` says that the reader is spoken to, `event` that it was so
    once, not that it is so always.
    """

    line: Line
    bond: Bond
    condition: str
    closing: str
    context: str
    subject: str | None
    modal: str
    outcome: str
    answer: str
    told: bool
    event: bool
    span: Span


def rules(reading: Reading) -> Iterator[Rule]:
    """The rules that the sentences of a document state, in order."""
    for told in tell(reading):
        line = told.line
        if line.simple.endswith(("。", "!", ":")) and not re.search(r"\?|…", line.simple) and stated(line):
            for parts in _stretches(line):
                rule = rule_of(line, parts)
                if rule is not None:
                    yield rule


def _stretches(line: Line) -> Iterator[list[Clause]]:
    """The clauses of a line between semicolons, and 默认情况下 as one of its own."""
    made: list[Clause] = []
    for begin, end, mark in clauses(line):
        start, by_default = begin, _DEFAULT.match(line.simple, begin, end)
        if by_default and by_default.end() < end and by_default.end() in line.edges:
            start = by_default.end()
            made.append((begin, start, ","))
        made.append((start, end, mark))
        if mark in ";；。":
            yield made
            made = []
    if made:
        yield made


def rule_of(line: Line, parts: list[Clause]) -> Rule | None:
    """The rule of clauses that open with their condition, or None."""
    context, parts = _context(line, _from_condition(line, parts))
    found = _condition(line, *parts[0][:2]) if len(parts) > 1 and parts[0][2] == "," else None
    if found is None:
        return None
    bond, start, stop, closing = found
    held = 1
    while held < len(parts) - 1 and not closing and parts[held][2] == "," and _adds(line, parts[held]):
        stop, held = parts[held][1], held + 1
    end = _end(line, parts[held:])
    follows = None if end is None else _consequence(line, (start, stop), parts[held][0], end, only=bond == "only")
    if end is None or follows is None or not line.whole(start, stop):
        return None
    subject, modal, begin, after = follows
    happened = _EVENT.search(line.simple[begin:end]) or re.search(r"\d{3,4}年|世纪", line.simple[start:stop])
    rule = Rule(
        line=line,
        bond=bond,
        condition=freed(line.written(start, stop)),
        closing=closing,
        context=context,
        subject=subject,
        modal=modal,
        outcome=freed(line.written(after, end)),
        answer=line.answer(after, end),
        told=re.search("[你您]|请(?!求)|^想|^需要|^希望|^要", line.simple[start:after]) is not None,
        event=bool(happened) or (after == begin and subject is not None and not _stands_open(line, parts[0])),
        span=(after, end),
    )
    return rule if _sound(rule, (start, stop), (after, end)) else None


def _from_condition(line: Line, parts: list[Clause]) -> list[Clause]:
    """The clauses from the one that 如果 opens, where what stands before it is a statement of its own."""
    later = next((i for i, part in enumerate(parts) if i and _SURE.match(line.simple, *part[:2])), 0)
    if not later or parts[later - 1][2] != ",":
        return parts
    reported = re.search("[是说称为]$|认为|观点|意味着", line.simple[slice(*parts[later - 1][:2])])
    own = owner(line, parts[later][0] + 2, parts[later][1])
    return parts if reported or (own is not None and not own[0]) else parts[later:]


def _context(line: Line, parts: list[Clause]) -> tuple[str, list[Clause]]:
    """What stands before the condition and goes with it, 在容器中, and the clauses without that or a connective."""
    if len(parts) < 3 or parts[0][2] != ",":
        return "", parts
    lead = line.simple[slice(*parts[0][:2])]
    if _CONTEXT.fullmatch(lead) and reads(lead) and line.whole(*parts[0][:2]):
        return impersonal(line.written(*parts[0][:2])), parts[1:]
    return "", parts[1:] if _CONNECTS.fullmatch(lead) else parts


def _adds(line: Line, part: Clause) -> bool:
    """Whether a clause adds to the condition before it: 并且Y."""
    return _ON_TOP.match(line.simple, part[0]) is not None


def _consequence(
    line: Line, condition: Span, first: int, end: int, *, only: bool
) -> tuple[str | None, str, int, int] | None:
    """The subject and the modal verb of a consequence, where its predicate begins, and where what it says does."""
    begin = past(_THEN, line, first, end)
    owned = owner(line, begin, end)
    if owned is None:
        return None
    subject, place = owned
    pronoun = _IT.match(line.simple, begin, end)
    if pronoun is not None:
        subject, place = antecedent(line, *condition), pronoun.end()
        if subject is None or re.search("[,;。]", line.simple[: condition[0]]) or place not in line.edges:
            return None
    modal, after = predicate(line, place, end)
    if only and "才" not in line.simple[place:after]:
        return None
    if not only and not modal and _own_subject(line, after, end):
        clause = not subject and line.span(begin, end)[0].tag not in ("d", "c", "a", "p")
        return (None, "会", begin, begin) if clause else None
    fits = end - after >= 2 and line.whole(after, end)
    return (subject, modal, place, after) if fits else None


def _condition(line: Line, begin: int, end: int) -> tuple[Bond, int, int, str] | None:
    """How the first clause binds, where its condition stands, and the word that closes it."""
    text = line.simple[begin:end]
    if re.fullmatch("(?:但是?|而|不过)?(?:在)?默认情况下", text):
        return "default", begin + text.index("默认"), end, ""
    match = _OPENS.fullmatch(text) or _ON.fullmatch(text) or _BARE.fullmatch(text)
    if match is None or (not match.group("B") and not _closes(line, begin, end, match)):
        return None
    start, stop = begin + match.start("C"), begin + match.end("C")
    # LAC joins 当你 and 如果你 to one word.
    start += line.simple[start] in "你您" and start not in line.edges
    if match.group("B") == "在" and re.search("[中上里下](?!面)", match.group("C")):
        start -= 1
    if start not in line.edges or stop not in line.edges:
        return None
    word, close = match.group("B"), match.group("T") or ""
    bond = _BONDS.get(word, "only" if word.startswith("只有") else "if")
    if bond == "when" and not close:
        return None
    return bond, start, stop, _CLOSED.get(close, close)


def _stands_open(line: Line, clause: Clause) -> bool:
    """Whether a word such as 如果 or 当 opens a condition, so that it is no scene of a story."""
    text = line.simple[slice(*clause[:2])]
    return _OPENS.fullmatch(text) is not None or _DEFAULT.search(text) is not None


def _closes(line: Line, begin: int, end: int, match: re.Match[str]) -> bool:
    """Whether 时 or 后 is a word of its own behind a clause with a verb, without a name of a person or a year."""
    tokens = line.span(begin, end) if line.whole(begin, end) else ()
    if (
        not tokens
        or tokens[-1].text not in (match.group("T"), "时")
        or re.search(r"\d{3,4}年|[了过]", match.group("C"))
    ):
        return False
    held = tokens[:-1]
    return any(t.tag == "v" for t in held) and not any(t.tag in ("PER", "TIME") for t in held) and held[0].tag != "r"


def _end(line: Line, parts: list[Clause]) -> int | None:
    """Where the consequence ends: with the sentence, or before a clause that only explains it."""
    end, mark = parts[0][1], parts[0][2]
    for begin, stop, after in parts[1:]:
        if mark in ";；。:" or _TAIL.match(line.simple, begin):
            break
        if line.simple.startswith("那么", begin):
            return None
        end, mark = stop, after
    explained = mark == ":" and end + 1 < len(line.simple)
    return None if explained else end


def _own_subject(line: Line, begin: int, end: int) -> bool:
    """Whether what looks like an order is a clause about something: 使用旧语法会报错."""
    tokens = line.span(begin, end) if line.whole(begin, end) else ()
    return any(t.text in _HAPPENS and t.tag in ("v", "d") for t in tokens[1:9])


def _sound(rule: Rule, condition: Span, outcome: Span) -> bool:
    """Whether both halves are whole, stand alone and say something."""
    line = rule.line
    texts = [to_simplified(text) for text in (rule.condition, (rule.subject or "") + rule.outcome)]
    if _UNSET.search(texts[0]) or _OFF.search(texts[1]):
        return False
    if (
        any(not reads(text) for text in texts)
        or len(rule.answer) > 90
        or re.match("是|为(?!了)|有(?!权)|并|且", texts[0])
    ):
        return False
    first = line.span(*outcome)[0]
    if rule.subject is not None and not (
        first.tag in ("v", "d", "p", "vd", "ad", "a", "vn") or first.text in "被将把由"
    ):
        return False
    said = to_simplified(rule.outcome)
    if rule.bond == "default" and re.match("[是为]", said):
        return rule.subject is not None and not said.endswith("的")
    if _RELAYED.match(texts[1]) or _RELAYED.match(said) or (_EMPTY.search(said) and rule.subject is not None):
        return False
    if re.search("应该|必须", said) and rule.subject:
        return False
    if rule.answer in ("可以", "可以：") or re.search("便是|就是|即可", said):
        return False
    if rule.subject == "" and (rule.modal.startswith(("可能", "会", "将")) and rule.bond != "default"):
        return False
    if rule.subject == "" and any(t.text in ("是", "为") for t in line.span(*outcome)[1:]):
        return False
    return rule.bond == "default" or says_enough(line, condition)
