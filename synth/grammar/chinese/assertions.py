"""What a Chinese document states: facts, with the places of all their parts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from synth.grammar.chinese.bearers import ATTRIBUTE, Bearer, bearer
from synth.grammar.chinese.broader import bound, completes
from synth.grammar.chinese.carriers import DESCRIBED, Carrier
from synth.grammar.chinese.chronicle import YEAR, happened
from synth.grammar.chinese.circumstances import Part
from synth.grammar.chinese.clauses import Statement, clauses
from synth.grammar.chinese.frames import frame, lasting, trailing
from synth.grammar.chinese.lexicon import DEICTIC
from synth.grammar.chinese.lifetimes import lifetimes
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.openings import predicate
from synth.grammar.chinese.outcomes import outcome
from synth.grammar.chinese.page import Told, speaks, tell
from synth.grammar.chinese.predicates import Predicate
from synth.grammar.chinese.ranking import sets_spaces
from synth.grammar.chinese.renderings import Renderer
from synth.grammar.chinese.soundness import clouds, sound, stated, told_by_others, undisputed
from synth.grammar.chinese.terms import kind_of, term, time_term
from synth.grammar.reading import Reading
from synth.records import Fact, Term
from synth.text.normalise import to_simplified

LEAST_TRUST = 0.7
"""What is less sure than this is not given."""

LEAST_GENTLE = 0.6
"""The same for what was read gently, where the sure way of reading gave nothing."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """A fact in the making: who, what is said, and under which circumstances; places are those of `line`.

    `instead` is another reading of the same clause, for where this one makes no sound fact.
    """

    line: Line
    bearer: Bearer
    said: Predicate
    parts: tuple[Part, ...]
    gentle: bool = False
    instead: Assertion | None = None


def assertions(reading: Reading) -> list[Fact]:
    """The facts that a Chinese document states, in order of place.

    A fact is given only where every word of its clause was understood. `wording` has, as far as they
    can be rendered surely, "statement" (subject and predicate without circumstances), "predicate",
    "subject_gap" and "object_gap" (what stands before 的 when the subject or the object is the noun
    behind it), and "type" (the bare kind of thing that the subject is said to be).
    """
    renderer = Renderer(sets_spaces("\n".join(sentence.text for sentence in reading.sentences)), reading.language)
    texts = [to_simplified(sentence.text) for sentence in reading.sentences]
    found: dict[str, Fact] = {}
    carrier = Carrier(reading, texts)
    for told in tell(reading):
        carrier.open(told)
        if not speaks(told.line) or told_by_others(told.line):
            continue
        plain = stated(told.line)
        facts = [*lifetimes(told, reading)]
        for item in _of_line(told, texts, carrier):
            found_here = _sound(item, reading, renderer, texts, plain=plain)
            if found_here is None and item.instead is not None:
                found_here = _sound(item.instead, reading, renderer, texts, plain=plain)
            facts += [found_here] if found_here is not None else []
        for fact in facts:
            if not plain:
                fact = replace(fact, trust=min(fact.trust, 0.76))
            if fact.fact_id not in found or found[fact.fact_id].trust < fact.trust:
                found[fact.fact_id] = fact
    return _one_time(list(found.values()))


def _sound(item: Assertion, reading: Reading, renderer: Renderer, texts: Sequence[str], *, plain: bool) -> Fact | None:
    """The fact that an assertion gives, where it is sound and sure enough; `plain` says that its line only states."""
    fact = _fact(item, reading, renderer, texts)
    if fact is None or not sound(fact) or not _sure(fact, gentle=item.gentle or not plain):
        return None
    return fact if plain or undisputed(item.line, item.bearer.start, item.said.pieces[-1][1]) else None


def _one_time(found: Sequence[Fact]) -> list[Fact]:
    """The facts without those that are told at several times, so that nobody could say when they were."""
    times: dict[tuple[str, ...], set[str]] = {}
    for fact in found:
        if (time := fact.qualifier("time")) is not None:
            times.setdefault(_said(fact), set()).add(time.text)
    return [fact for fact in found if len(times.get(_said(fact), ())) < 2 or fact.qualifier("time") is None]


def _said(fact: Fact) -> tuple[str, ...]:
    return (fact.subject.text, fact.relation, fact.object.text if fact.object else "", fact.modal, str(fact.negated))


def _sure(fact: Fact, *, gentle: bool) -> bool:
    """Whether a fact may be given; one on a thing that is only described has to say something definite."""
    if fact.trust >= (DESCRIBED + 0.01 if gentle else LEAST_TRUST):
        return True
    if re.match("以[上下]|上述|常见|更多|其他|所有|多语", to_simplified(fact.subject.text)):
        return False
    kinds = {term.kind for term in fact.qualifiers}
    definite = (gentle and "condition" in kinds) or (
        fact.object is not None and re.search("[A-Za-z]{2}", fact.object.text)
    )
    return (
        fact.trust >= LEAST_GENTLE and bool(definite) and len(fact.subject.text) >= 4 and "的" not in fact.subject.text
    )


def _of_line(told: Told, texts: Sequence[str], carrier: Carrier) -> list[Assertion]:
    """The assertions of one line, clause by clause."""
    line = told.line
    by_order = {statement.order: statement for statement in told.said}
    made: list[Assertion] = []
    held: list[Part] = []
    latest: list[int] = []
    clouded = ""
    past: Part | None = None
    understood = True
    for order, (begin, end, stop) in enumerate(clauses(line)):
        alone = not carrier.strangers
        text = line.simple[begin:end]
        if re.match("但|然而|不过", text):
            statement = by_order.get(order)
            if statement is not None and statement.subject is not None and statement.subject.source == "own":
                held = [part for part in held if part.kind == "time"]
            clouded = clouded if clouded == "line" else ""
        added = trailing(line, begin, end) if latest else None
        if added is not None and (stop in "。;；!" or not stop):
            for i in latest:
                made[i] = replace(made[i], parts=(*made[i].parts, added))
            held, latest, clouded = [], [], "line" if clouded == "line" else ""
            continue
        set_by = frame(line, begin, end) if stop == "," else None
        if set_by is not None:
            held, latest = [*held, set_by], []
            continue
        latest = []
        spoiled = any(part.kind == "bad" for part in held)
        if (
            spoiled
            and not clouded
            and stop != ":"
            and all(_MILD.match(line.simple, p.start) for p in held if p.kind == "bad")
        ):
            kept = [part for part in held if part.kind != "bad"]
            made.extend(_gently(told, None, (begin, end), kept, carrier))
        if not clouded and stop != ":" and not spoiled:
            statement = by_order.get(order)
            carries = statement is not None and statement.subject is not None and statement.subject.source == "carried"
            known = understood or not carries
            for item in _of_clause(told, statement, begin, end, texts) if known else ():
                if stop == "," and _unfinished(line, item.said, end):
                    continue
                latest.append(len(made))
                counted = [past] if past and any(p.kind == "quantity" for p in item.said.parts) else []
                timed = any(p.kind == "time" for p in (*held, *item.parts, *item.said.parts))
                made.append(replace(item, parts=(*held, *([] if timed else counted), *item.parts)))
                carrier.took(told, item.bearer)
            understood = bool(latest)
            sure = bearer(told, statement, begin, end, texts) if known and not latest else None
            for item in () if latest else _gently(told, sure, (begin, end), held, carrier):
                if not (stop == "," and _unfinished(line, item.said, end)):
                    latest.append(len(made))
                    made.append(item)
            if any(part.kind == "condition" for part in held):
                for item in _followed(told, (begin, end), held):
                    if latest:
                        made[latest[0]] = replace(made[latest[0]], instead=item)
                    else:
                        latest.append(len(made))
                        made.append(item)
            for item in _chronicled(
                told, carrier, made[: latest[0]] if latest else made, (begin, end), held, past, alone
            ):
                if latest:
                    made[latest[0]] = replace(made[latest[0]], instead=item)
                elif not (stop == "," and _unfinished(line, item.said, end)):
                    latest.append(len(made))
                    made.append(item)
            times = [line.simple[p.start : p.end] for i in latest for p in made[i].parts if p.kind == "time"]
            carrier.past(begin, end, [*times, *(line.simple[p.start : p.end] for p in held if p.kind == "time")])
        else:
            understood = False
        own = [part for i in latest for part in made[i].parts if part.kind == "time"]
        past = next((part for part in (*own, *held) if part.kind == "time"), past)
        clouded = clouded or ("line" if clouds(line, begin, end) or stop == ":" else "")
        held = [part for part in held if part.kind == "bad" or (part.kind == "condition" and lasting(line, part))]
        if stop in (";", "；"):
            past = None
            held, clouded = [], "line" if clouded == "line" else ""
    return made


_TOO_LITTLE = re.compile("(?:如果|若是?|一旦|只要)[\u4e00-\u9fff]{1,3}")
_MILD = re.compile("虽然|尽管|不仅|不但|随着")


def _unfinished(line: Line, said: Predicate, end: int) -> bool:
    """Whether the object of a clause that a comma ends is a list that goes on behind it."""
    if re.search("包[括含]|分为|分成|分别", said.relation):
        return True
    return re.match(",(?:以及|及|和|与|或)", line.simple[end:]) is not None and said.object is not None


def _of_clause(
    told: Told, statement: Statement | None, begin: int, end: int, texts: Sequence[str]
) -> Iterator[Assertion]:
    """The assertions of a clause: one for each predicate that 并 joins."""
    found = bearer(told, statement, begin, end, texts)
    if found is None:
        return
    line = told.line
    cuts = [t for t in line.span(found.stop, end) if t.text in ("并", "并且", "而且") and t.tag in ("c", "d")]
    start, first = found.stop, True
    for place, stop in [*((t.start, t.end) for t in cuts), (end, end)]:
        said = predicate(line, start, place)
        if said is None or (not first and (said.modal or said.negated)):
            return
        yield Assertion(line, found, said, found.parts)
        if said.modal or said.negated or any(part.kind != "time" for part in said.parts):
            return
        start, first = stop, False


def _gently(
    told: Told,
    found: Bearer | None,
    span: tuple[int, int],
    held: Sequence[Part],
    carrier: Carrier,
) -> Iterator[Assertion]:
    """The assertion of a clause that the sure way of reading does not understand; `found` is its subject, if known."""
    line, (begin, end) = told.line, span
    if carrier.introduce(told, begin, end):
        return
    conditional = any(part.kind in ("condition", "purpose") for part in held)
    own = found is not None
    if found is None:
        found = carrier.find(told, begin, end, conditional=conditional)
    if found is None or found.stop >= end:
        return
    said = predicate(line, found.stop, end, gently=True)
    if said is None and conditional:
        said = bound(line, found.stop, end)
    if said is None or _astray(line, found, said, held, own=own):
        carrier.passed(told, found)
        return
    carrier.took(told, found)
    parts = (*held, *found.parts)
    if sum(part.kind == "time" for part in (*parts, *said.parts)) > 1:
        parts = (*(part for part in held if part.kind != "time"), *found.parts)
    if found.text in ("你", "您") and not _guides(said, parts):
        return
    yield Assertion(line, found, replace(said, sure=min(said.sure, 0.8)), parts, gentle=True)


def _followed(told: Told, span: tuple[int, int], held: Sequence[Part]) -> Iterator[Assertion]:
    """The assertion of a clause that tells what comes of a condition, where no other reading saw one."""
    line, (begin, end) = told.line, span
    if any(part.kind != "condition" or "只有" in line.simple[part.start + 1 : part.end] for part in held):
        return
    # A clause between the two may add to the condition, 并且你有很多客户端, so they must stand side by side.
    near = held[-1].end == begin - 1 and len(held) == 1
    hollow = len(held) == 1 and _TOO_LITTLE.fullmatch(line.simple[held[0].start : held[0].end])
    found = outcome(line, begin, end) if near and not hollow else None
    if found is not None:
        yield Assertion(line, *found, tuple(held), gentle=True)


def _chronicled(
    told: Told,
    carrier: Carrier,
    made: Sequence[Assertion],
    span: tuple[int, int],
    held: Sequence[Part],
    past: Part | None,
    alone: bool,
) -> Iterator[Assertion]:
    """The assertion of a clause that tells what happened at a time, where no other reading saw one.

    It is about the topic only where the clauses before were about nothing else: `alone`.
    """
    line, (begin, end) = told.line, span
    if any(part.kind not in ("time", "place", "reason", "manner") for part in held):
        return
    said = [part for part in held if not DEICTIC.search(line.simple[part.start : part.end])]
    times = [part for part in said if part.kind == "time"]
    if any(not YEAR.search(part.text or line.simple[part.start : part.end]) for part in times):
        return
    onward = past is not None and not times and line.simple.startswith(("并", "同时"), begin)
    time = carrier.timed(line, begin, end)
    known = bool(times) or (onward and not time[0])
    opens = (alone and not made) or (bool(made) and told.about is not None and made[-1].bearer.text == told.about.text)
    found = happened(told, carrier.reading, span, time, dated=known, opens=opens)
    if found is not None:
        again = [past] if onward and past and not time[0] and not found[0].parts else []
        yield Assertion(line, *found, (*said, *again, *found[0].parts), gentle=True)


def _astray(line: Line, found: Bearer, said: Predicate, held: Sequence[Part], *, own: bool) -> bool:
    """Whether a predicate is one that a subject brought from elsewhere rarely has."""
    simple = to_simplified(found.text)
    if re.search("分别|时任|现任|现正", said.relation) or re.match("[向往从由对在于按据]", simple):
        return True
    if re.search("[A-Za-z)] ?[\u4e00-\u9fff]{2} ?[A-Za-z]", simple) and not re.search("[的和与或]", simple):
        return True
    if line.simple.startswith("并", found.stop) or not re.search("[A-Za-z\u4e00-\u9fff]", simple):
        return True
    if (
        re.search("[A-Za-z_)] ?会$", simple)
        or re.match("日本名|英文名|中文名", simple)
        or re.search("选择$|名字$", simple)
    ):
        return True
    if "、" in simple and line.simple.startswith(("以及", ",以及", "等"), found.end):
        return True
    if any(
        p.kind == "manner" and re.search("(?:有效|主要|不同|相关|的)$", line.simple[p.start : p.end])
        for p in said.parts
    ):
        return True
    if any(re.match("直到|截[至止]", line.simple[p.start : p.end]) for p in said.parts) and said.object is None:
        return True
    if found.text in ("你", "您"):
        return False
    if own or found.stop == found.end:
        pronoun = line.simple[found.start : found.end] in ("它", "该", "此")
        return pronoun and said.form == "copula" and found.sure < 0.74
    if (
        found.kind == "person"
        and said.object is None
        and re.match("开[馆幕业通放张]|落成|通车|竣工|完工|上映|出版|发行|启用", said.relation)
    ):
        return True
    if (
        found.sure < 0.72
        and not _TOLD_OF.match(said.relation)
        and said.form not in ("measure", "alias", "copula", "agent")
    ):
        return not any(part.kind == "time" for part in (*held, *found.parts, *said.parts))
    return found.sure <= 0.76 and re.search("称[为作]?$|排名|意思|意为|指", said.relation) is not None


_TOLD_OF = re.compile(
    "(?:主要|广泛|多|常|现)?(?:位于|坐落|分布|生长|毕业于|属于|隶属|出生于|成立|建于|始建|原产|产于|栖息|拥有|设有|担任|曾任|毗邻|下辖|流经|起源于)"
)


_NESTED = re.compile(
    "^(?:参数|函数|方法|属性)(?:使用|接收|返回|是)|(?<=[A-Za-z\u4e00-\u9fff])(?:声明|定义|创建|返回|指定|发送|接收|处理|获取|生成|实现|构建|关闭|运行|进行|得到|完成|侦听|监听|打开)"
    "(?!的|函数|模型|类|参数|文件|应用|器|方法|体|流程|脚本|值|响应|请求|代码|接口|程序|逻辑|步骤|$)(?!.*的)"
)
_HOLLOW = re.compile(
    "在?(?:很多|许多|大多数|某些|一些|多数|有些|特定|这些|这种|那种|任何|所有|这)(?:其他)?情况下|如果(?:你|您)?(?:有)?(?:需要|愿意|必要|可以|可能)|当然"
)


def _guides(said: Predicate, parts: Sequence[Part]) -> bool:
    """Whether what the reader may or must do is told with a reason to tell it: when, what for, how or where."""
    kinds = {part.kind for part in (*parts, *said.parts)}
    if said.form != "verb" or re.search(
        "确保|确定|用来|进行|做出|知道|了解|采用|参[考阅见]|查[看阅]|阅读|看到|获得|得到|注意到|遇到|前往|访问|忽略|考虑",
        said.relation,
    ):
        return False
    if said.object is None:
        return "condition" in kinds and bool(said.modal) and len(said.relation) > 3
    return bool(kinds & {"condition", "purpose"}) or (bool(said.modal) and bool(kinds & {"manner", "place"}))


def _fact(item: Assertion, reading: Reading, renderer: Renderer, texts: Sequence[str]) -> Fact | None:
    line, said, who = item.line, item.said, item.bearer
    sentence = reading.sentences[line.index]
    if said.object is None and said.sure == 0.7 and not any(p.kind == "condition" for p in item.parts):
        return None
    if said.form == "verb" and said.sure <= 0.5 and said.object is None:
        if completes(said.relation, (*item.parts, *said.parts)):
            said = replace(said, sure=0.8)
        elif not any(part.kind == "manner" for part in said.parts):
            return None
        else:
            said = replace(said, sure=0.82)
    if said.relation == "毕业" and who.kind != "person" and kind_of(line, who.start, who.end) != "person":
        return None
    if said.object is None and said.relation in ("结束", "完成", "关闭") and who.stop != who.end:
        return None
    if item.gentle and said.object is not None and _NESTED.search(line.simple[slice(*said.object)]):
        return None
    measured = _measured(line, who, said)
    if measured is not None:
        who, said = measured
    subject = who.term or term(sentence, line, who.start, who.end, text=who.text, kind=who.kind)
    parts = sorted({(p.kind, p.start, p.end, p.text) for p in (*item.parts, *said.parts)}, key=lambda p: (p[1], p[0]))
    qualifiers = tuple(
        time_term(sentence, line, a, b, text) if kind == "time" else term(sentence, line, a, b, kind=kind, text=text)
        for kind, a, b, text in parts
    )
    if sum(part[0] == "time" for part in parts) > 1:
        return None
    if item.gentle and any(
        p.kind == "condition" and _HOLLOW.fullmatch(line.simple[p.start : p.end]) for p in item.parts
    ):
        return None
    trust = min(who.sure, said.sure) - (0.04 if len(line.raw) > 110 else 0.0)
    spans = {(reading.sentences[i].start, reading.sentences[i].end) for i in (*who.lines, line.index)}
    return Fact(
        doc_id=reading.document.doc_id,
        spans=tuple(sorted(spans)),
        subject=subject,
        relation=said.relation,
        object=_object(reading, line, said),
        qualifiers=qualifiers,
        negated=said.negated,
        modal=said.modal,
        wording=renderer.wording(line, who.text, said),
        trust=round(trust, 3),
    )


def _object(reading: Reading, line: Line, said: Predicate) -> Term | None:
    return term(reading.sentences[line.index], line, *said.object) if said.object is not None else None


def _measured(line: Line, who: Bearer, said: Predicate) -> tuple[Bearer, Predicate] | None:
    """X的面积是12平方公里 is said of X: its relation is 面积."""
    match = ATTRIBUTE.match(line.simple[who.start : who.end])
    quantity = said.form == "copula" and said.object is not None and any(p.kind == "quantity" for p in said.parts)
    if match is None or not quantity or who.lines or said.negated:
        return None
    stop, key = who.start + match.end("S"), who.start + match.start("K")
    if stop not in line.edges or key not in line.edges:
        return None
    owner = replace(who, end=stop, text=line.written(who.start, stop), kind=None)
    return owner, replace(said, form="measure", relation=match.group("K"), pieces=((key, who.end), *said.pieces))
