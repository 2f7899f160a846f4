"""What plain sentences say, read by pattern, and the questions of every type that can be asked of them.

The bench server asks and answers by these where it can, so that small tests need no parser. A statement tells of
one thing ("The Kell mill was built in 1811.", "甲山灯塔于1950年启用。"); a rule says what happens on a condition; a
tie names one thing in the words of another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from synth.text.normalise import collapse_space, traditional_only

SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?](?=\s|$)|[。！？]|$)|[^\n]+?(?:[.!?](?=\s|$)|[。！？]|$)")
_BUILT = re.compile(
    r"^(?P<s>.{3,80}?) (?P<be>was|were) (?P<v>\w+(?:ed|t|n|de)) (?P<m>(?:[^.,]{0,60} )?)in (?P<n>\d{4})\.$"
)
_OPENED = re.compile(r"^(?P<s>.{3,80}?) (?P<v>opened|closed|started|ended) in (?P<n>\d{4})\.$")
_HIGH = re.compile(r"^(?P<s>.{3,80}?) is (?P<n>\d+) metres high\.$")
_ZH_HIGH = re.compile(r"^(?P<s>[^，。]{2,30}?)高(?P<n>\d+)米，")
_ZH_YEAR = re.compile(
    r"^(?P<m>位[于於][^，。的]{1,12}的)?(?P<s>[^，。]{2,30}?)[于於](?P<n>\d{4})年(?P<v>[^，。]{2,8})。$"
)
_RULE = re.compile(
    r"^If (?P<c>[^,.]{4,80}), (?P<s>the [^,.]{3,60}?) (?P<v>rings|must|may|gets|pays) (?P<a>[^.]{3,80})\.$"
)
_ZH_RULE = re.compile(r"^如果(?P<c>[^，。]{2,30})，(?P<s>[^，。]{2,30}?)就要(?P<a>[^，。]{2,40})。$")
_PAY = re.compile(r"^Visitors of (?P<s>the .{3,60}?) pay (?P<n>\d+) crowns for a day\.$")
_ZH_PAY = re.compile(r"^[参參][观觀](?P<s>[^，。]{2,30}?)的[游遊]客每天[须須]付(?P<n>\d+)元")
_KEPT = re.compile(r"^(?P<s>The .{3,60}?) had (?P<n>\d+) keepers when it closed\.$")
_ZH_KEPT = re.compile(r"^停止[开開]放[时時]，(?P<s>[^，。]{2,30}?)共有(?P<n>\d+)名看守人")
_TIE = re.compile(r"^The masons of (?P<s>the .{3,60}?) cut the stone of (?P<o>the .{3,60}?)\.$")
_ZH_TIE = re.compile(r"^(?P<s>[^，。]{2,30}?)的石匠切割了(?P<o>[^，。]{2,30}?)的石料。$")

_TRADITIONAL = str.maketrans("个从么筑参观游门开时为", "個從麼築參觀遊門開時為")


@dataclass(frozen=True, slots=True)
class Statement:
    """What a sentence says of a thing: a year or an amount, and what was asked for it to be the answer."""

    thing: str
    says: str
    value: str
    question: str
    quote: str
    year: bool = True


@dataclass(frozen=True, slots=True)
class Tie:
    """A sentence that names `thing` in what it says of `other`."""

    thing: str
    other: str
    quote: str


def sentences(text: str) -> list[str]:
    """The sentences of a text, headings left out."""
    return [one.strip() for one in SENTENCE.findall(text) if len(one.strip()) > 3 and not one.startswith("#")]


def statement(sentence: str) -> Statement | None:
    """What a sentence of the plainest form states."""
    text = collapse_space(sentence)
    if match := _BUILT.match(text):
        thing, rest = _named(match["s"]), f" {match['m'].strip()}".rstrip()
        asked = f"In which year {match['be']} {thing} {match['v']}{rest}?"
        return Statement(_core(thing), f"{match['be']} {match['v']}", match["n"], asked, text)
    if match := _HIGH.match(text):
        thing = _named(match["s"])
        return Statement(thing, "is high", match["n"], f"How many metres high is {thing}?", text, year=False)
    if match := _ZH_HIGH.match(text):
        return Statement(match["s"], "高", f"{match['n']}米", f"{match['s']}高多少米？", text, year=False)
    if match := _OPENED.match(text):
        thing, verb = _named(match["s"]), match["v"].removesuffix("ed")
        verb = verb + "e" if verb == "clos" else verb
        return Statement(thing, match["v"], match["n"], f"In which year did {thing} {verb}?", text)
    if match := _ZH_YEAR.match(text):
        asked = f"{match['m'] or ''}{match['s']}是哪一年{match['v']}的？"
        return Statement(match["s"], match["v"], f"{match['n']}年", asked, text)
    return _counted(text) or _told(text)


def _counted(text: str) -> Statement | None:
    if match := _PAY.match(text):
        asked = f"How many crowns does a day at {match['s']} cost visitors?"
        return Statement(match["s"], "costs", match["n"], asked, text, year=False)
    if match := _KEPT.match(text):
        asked = f"How many keepers did {_named(match['s'])} have when it closed?"
        return Statement(_named(match["s"]), "had", match["n"], asked, text, year=False)
    if match := _ZH_PAY.match(text):
        asked = _scripted(f"参观{match['s']}的游客每天付多少元门票？", text)
        return Statement(match["s"], "门票", f"{match['n']}元", asked, text, year=False)
    if match := _ZH_KEPT.match(text):
        asked = _scripted(f"停止开放时，{match['s']}有多少名看守人？", text)
        return Statement(match["s"], "有", f"{match['n']}名", asked, text, year=False)
    return None


def _told(text: str) -> Statement | None:
    """A rule or a tie as one fact."""
    for rule in conditional(text):
        return Statement("", "", rule["answer"], rule["question"], text, year=False)
    if found := tie(text):
        chinese = text.endswith("。")
        asked = (
            f"{found.thing}的石匠为哪座建筑切割石料？"
            if chinese
            else f"Whose stone did the masons of {found.thing} cut?"
        )
        return Statement("", "", found.other, _scripted(asked, text), text, year=False)
    return None


def tie(sentence: str) -> Tie | None:
    """The tie of two things that a sentence states."""
    text = collapse_space(sentence)
    match = _TIE.match(text) or _ZH_TIE.match(text)
    return Tie(match["s"], match["o"], text) if match else None


def conditional(passage: str) -> Iterator[dict[str, Any]]:
    """Replies that ask what follows on a condition."""
    for text in map(collapse_space, sentences(passage)):
        if match := _RULE.match(text):
            verb = {"rings": "ring", "gets": "get", "pays": "pay"}.get(match["v"])
            asked = f"What does {match['s']} {verb}" if verb else f"What {match['v']} {match['s']} do"
            question, answer = f"{asked} if {match['c']}?", match["a"]
        elif match := _ZH_RULE.match(text):
            question, answer = f"如果{match['c']}，{match['s']}要做什么？", match["a"]
        else:
            continue
        yield _reply([("the condition", match["c"], text), (match["s"], answer, text)], question, answer)


def reasoning(passage: str) -> Iterator[dict[str, Any]]:
    """Replies that ask for the years between two things that happened to one thing."""
    years = [one for one in map(statement, sentences(passage)) if one and one.year]
    for a, b in combinations(years, 2):
        if a.thing != b.thing:
            continue
        first, last = sorted((a, b), key=lambda one: _number(one.value))
        between = str(_number(last.value) - _number(first.value))
        if first.value.endswith("年"):
            question, answer = f"{a.thing}从{first.says}到{last.says}相隔多少年？", f"{between}年"
        else:
            question = f"How many years after {a.thing} {first.says} was it that {a.thing} {last.says}?"
            answer = f"{between} years"
        steps = [(f"{one.thing} {one.says}", one.value, one.quote) for one in (first, last)]
        yield {**_reply(steps, question, answer), "operation": "years_between"}


def compared(first: str, second: str) -> Iterator[dict[str, Any]]:
    """Replies that ask which of two things comes first, each told of in a passage of its own."""
    for a in filter(None, map(statement, sentences(first))):
        for b in filter(None, map(statement, sentences(second))):
            if not a.year or a.says != b.says or a.thing == b.thing or a.value == b.value:
                continue
            earlier = min(a, b, key=lambda one: _number(one.value)).thing
            if a.value.endswith("年"):
                question = f"{a.thing}和{b.thing}，哪一个更早{a.says}？"
            else:
                question = f"Which {a.says} earlier, {a.thing} or {b.thing}?"
            steps = [(one.thing, one.value, one.quote) for one in (a, b)]
            yield {**_reply(steps, question, earlier), "operation": "earliest"}


def joined(first: str, second: str) -> Iterator[dict[str, Any]]:
    """Replies that ask of a thing by what the other passage says of it: the first asks, the second describes."""
    for one in filter(None, map(tie, sentences(second))):
        for asked in filter(None, map(statement, sentences(first))):
            if asked.thing != one.other or not asked.year:
                continue
            if asked.value.endswith("年"):
                question = f"石料由{one.thing}的石匠切割的建筑是哪一年{asked.says}的？"
            else:
                verb = asked.says.partition(" ")[2] or asked.says
                question = f"In which year was the building {verb} whose stone the masons of {one.thing} cut?"
            described = (f"what the masons of {one.thing} cut stone for", one.other, one.quote)
            yield _reply([described, (asked.thing, asked.value, asked.quote)], question, asked.value)


def _reply(steps: list[tuple[str, str, str]], question: str, answer: str) -> dict[str, Any]:
    question = _scripted(question, steps[0][2])
    told = [{"about": about, "value": value, "quote": quote} for about, value, quote in steps]
    return {"steps": told, "question": question, "answer": answer}


def _scripted(question: str, text: str) -> str:
    """A Chinese question in the script of a text."""
    return question if traditional_only().isdisjoint(text) else question.translate(_TRADITIONAL)


def _named(subject: str) -> str:
    return re.sub(r"^The\b", "the", subject)


def _core(thing: str) -> str:
    """The name of a thing without where it stands."""
    return thing.partition(" at ")[0]


def _number(value: str) -> int:
    return int(value.removesuffix("年"))
