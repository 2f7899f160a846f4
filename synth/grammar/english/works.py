"""What the definition of the topic of a passage says in its participles and parentheses: makers, dates, lives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synth.grammar.english.topics import Topic
from synth.records import Fact, Term

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_DATE = rf"(?:\d{{1,2}} {_MONTH},? \d{{3,4}}|{_MONTH} \d{{1,2}}, ?\d{{3,4}}|{_MONTH},? \d{{4}}|\d{{3,4}})"
_TOWN = rf"(?!{_MONTH})[A-Z][^\W\d]+(?:[ -][^\W\d]+)*"
_PLACED = r"(?: ?,? ?(?:in )?[A-Z][\w' -]+?(?:, [A-Z][\w' ]+?)*)?"
_SPAN = re.compile(
    rf"(?:^|[;,] ?)\s?(?:born )?(?:{_TOWN}, ?)?(?P<birth>{_DATE}){_PLACED}\s?[-–—]\s?(?:{_TOWN}, ?)?(?:died )?"
    rf"(?P<death>{_DATE}){_PLACED}\s?$"
)
_BORN = re.compile(
    rf"(?:^|[;,] ?)\s?(?:born|b\.)(?: (?!{_MONTH})[A-Z][\w' .]+?[,;]?)?(?: on)? (?P<birth>{_DATE})(?P<rest>.*)$"
)
_DIED = re.compile(rf"(?:^|[;,] ?)\s?(?:died|d\.)(?: on)? (?P<death>{_DATE})\s?$")
_LIVED = (10, 105)
_WORD = r"(?:[A-Z\u00c0-\u017f](?:\w{0,2}\.(?= ?\w)|[\w'’]*(?:-[\w'’]+)*)|[dl]['’][A-Z]\w+)"
_NAME = rf"{_WORD}(?: (?:(?:de|van|von|der|den|la|le|du|da|di|del|al|bin|ibn|dos) )*{_WORD}){{0,4}}"
_NAMES = rf"{_NAME}(?:(?:, and |, | and | & ){_NAME})*"
_MADE = (
    "directed|written|produced|composed|created|edited|recorded|released|published|designed|built|founded|developed|"
    "illustrated|choreographed|scripted|photographed|narrated|performed|painted|sung|established|constructed|owned|"
    "operated|distributed|filmed|performed|adapted|animated|hosted|presented"
)
_BY = re.compile(
    rf"\b(?P<roles>(?:(?:co-)?(?:{_MADE})(?:, and |, | and ))*(?:co-)?(?:{_MADE})) by (?P<who>(?:the )?{_NAMES})"
    r"(?=\.|;|,(?! (?:[A-Z]|and [A-Z]))| and [a-z]|"
    r" (?:starring|featuring|based|for|from|about|that|which|on|in|as|with|who|set|while)\b|$)"
)
_STARS = re.compile(
    rf"\b(?P<verb>starring|featuring) (?P<who>{_NAMES})(?=\.|;|$| and (?:{_MADE}|based|set)\b| based on)"
)
_BASED = re.compile(
    r"\bbased on (?P<what>(?:the|a|an) (?:\d{4} )?(?:[\w-]+ ){0,3}"
    r"(?:novel|play|book|story|memoir|comic|manga|musical|film|opera|short story|video game)"
    rf"(?: of the same (?:name|title))?(?: (?:\"[^\"]+\" )?by {_NAME})?)(?=\.|;|,| and [a-z]|$)"
)
_YEAR = re.compile(r"^(?:an?|the) (?:[a-z]+ ){0,2}(?P<year>(?:1[89]|20)\d\d) ")
_OF_THE_YEAR = {
    **dict.fromkeys(("film", "movie", "album", "song", "single", "documentary", "soundtrack"), "released"),
    **dict.fromkeys(("novel", "book"), "published"),
}


def of_the_topic(topic: Topic, doc_id: str) -> Iterator[Fact]:
    """The facts that stand in the participles and the parentheses of the sentence that defines a topic."""
    yield from _lives(topic, doc_id)
    if topic.person:
        return
    text = topic.sentence.text
    yield from _year(topic, doc_id)
    for match in _BY.finditer(text, topic.end):
        if not _of_topic(text, topic, match.start()) or len(match["who"]) < 3:
            continue
        for role in re.findall(rf"(?:co-)?(?:{_MADE})", match["roles"]):
            yield _made(topic, doc_id, role, match.span("who"))
    for match in _STARS.finditer(text, topic.end):
        if _of_topic(text, topic, match.start()) and match["verb"] == "starring":
            yield _stars(topic, doc_id, match.span("who"))
    for match in _BASED.finditer(text, topic.end):
        if _of_topic(text, topic, match.start()):
            yield _based(topic, doc_id, match.span("what"))


def _of_topic(text: str, topic: Topic, at: int) -> bool:
    """Whether a participle tells of the topic: no other noun with a clause of its own stands between."""
    between = text[topic.end : at]
    between = re.sub(r"\([^()]*\)", "", between)
    return (
        re.search(
            r"\b(?:who|whose|that|which|when|where|novels?|play|story|book|series|about|characters?|based)\b"
            r"(?! film| game)",
            between,
        )
        is None
    )


def _subject(topic: Topic, kind: str = "") -> Term:
    start, end = topic.sentence.body.origin(0, topic.end)
    return Term(
        text=topic.name,
        start=start,
        end=end,
        head=topic.name.split()[-1],
        kind=kind or ("person" if topic.person else "name"),
    )


def _made(topic: Topic, doc_id: str, role: str, where: tuple[int, int]) -> Fact:
    subject, who = _subject(topic, _kind(topic)), topic.sentence.text[slice(*where)]
    single = re.search(r", | and | & ", who) is None
    start, end = topic.sentence.body.origin(*where)
    group = single and (
        who.startswith("the ")
        or re.search(r"\b(?:Company|Studios?|Records|Pictures|Films|Inc|Productions|University)\b", who)
    )
    thing = Term(
        text=who,
        start=start,
        end=end,
        head=who.split()[-1],
        kind="person" if single and not group and " " in who else "",
    )
    return Fact(
        doc_id=doc_id,
        spans=_spans(topic),
        subject=subject,
        relation=f"be {role} by",
        object=thing,
        wording={
            "statement": f"{subject.text} was {role} by {who}",
            "inverted": f"was {subject.text} {role} by {who}",
            "predicate": f"was {role} by {who}",
        },
        trust=0.8,
    )


def _stars(topic: Topic, doc_id: str, where: tuple[int, int]) -> Fact:
    subject, who = _subject(topic, _kind(topic)), topic.sentence.text[slice(*where)]
    start, end = topic.sentence.body.origin(*where)
    return Fact(
        doc_id=doc_id,
        spans=_spans(topic),
        subject=subject,
        relation="star",
        object=Term(
            text=who, start=start, end=end, head=who.split()[-1], kind="" if re.search(r", | and ", who) else "person"
        ),
        wording={
            "statement": f"{subject.text} stars {who}",
            "inverted": f"does {subject.text} star {who}",
            "predicate": f"stars {who}",
            "object_gap": f"{subject.text} stars",
        },
        trust=0.8,
    )


def _based(topic: Topic, doc_id: str, where: tuple[int, int]) -> Fact:
    subject, what = _subject(topic, _kind(topic)), topic.sentence.text[slice(*where)]
    start, end = topic.sentence.body.origin(*where)
    return Fact(
        doc_id=doc_id,
        spans=_spans(topic),
        subject=subject,
        relation="be based on",
        object=Term(text=what, start=start, end=end, head="novel" if "novel" in what else what.split()[-1]),
        wording={
            "statement": f"{subject.text} is based on {what}",
            "inverted": f"is {subject.text} based on {what}",
            "predicate": f"is based on {what}",
            "object_gap": f"{subject.text} is based on",
        },
        trust=0.75,
    )


def _kind(topic: Topic) -> str:
    return "work" if topic.kind in _OF_THE_YEAR else "name"


def _spans(topic: Topic) -> tuple[tuple[int, int], ...]:
    return ((topic.sentence.start, topic.sentence.end),)


def _year(topic: Topic, doc_id: str) -> Iterator[Fact]:
    """ "The Last Tram is a 1931 film": it was released in 1931."""
    text, verb = topic.sentence.text, _OF_THE_YEAR.get(topic.kind)
    opened = re.search(r" (?:is|was) (?=(?:an?|the) (?:[a-z]+ ){0,2}(?:1[89]|20)\d\d )", text[topic.end :])
    if verb is None or opened is None:
        return
    at = topic.end + opened.end()
    match = _YEAR.match(text[at:])
    between = re.sub(r"\([^()]*\)", "", text[topic.end : at])
    if match is None or len(between) > 30:
        return
    start, end = topic.sentence.body.origin(at + match.start("year"), at + match.end("year"))
    yield Fact(
        doc_id=doc_id,
        spans=_spans(topic),
        subject=_subject(topic, "work"),
        relation=f"be {verb}",
        qualifiers=(Term(text=match["year"], start=start, end=end, head=match["year"], kind="time"),),
        wording={
            "statement": f"{topic.name} was {verb}",
            "inverted": f"was {topic.name} {verb}",
            "predicate": f"was {verb}",
        },
        trust=0.75,
    )


def _lives(topic: Topic, doc_id: str) -> Iterator[Fact]:
    """ "Otto Brandt (3 May 1811, Halden - 1880) was a botanist." """
    opened = re.match(r"\s?\((?P<aside>[^()]*(?:\([^()]*\)[^()]*)*)\)", topic.sentence.text[topic.end :])
    if opened is None or not topic.person:
        return
    aside, at = opened["aside"], topic.end + opened.start("aside")
    for pattern in (_SPAN, _BORN, _DIED):
        match = pattern.search(aside)
        if match is None:
            continue
        told = match.groupdict()
        if told.get("birth") and told.get("death") and not _plausible(told["birth"], told["death"]):
            return
        if re.search(r"\b(?:c\.|ca\.|circa|about|before|after|or|reign|r\.|fl\.)", aside[max(0, match.start() - 4) :]):
            return
        for group in ("birth", "death"):
            if told.get(group):
                yield _life(topic, doc_id, group, at + match.start(group), at + match.end(group))
        return


def _life(topic: Topic, doc_id: str, group: str, first: int, last: int) -> Fact:
    start, end = topic.sentence.body.origin(first, last)
    date = topic.sentence.text[first:last]
    word = "on" if re.search(r"\d{1,2} [A-Z]|[A-Z]\w+ \d{1,2},", date) else "in"
    relation, statement, ask = (
        ("be born", "was born", "was {} born") if group == "birth" else ("die", "died", "did {} die")
    )
    year = re.findall(r"\d{3,4}", date)[-1]
    return Fact(
        doc_id=doc_id,
        spans=_spans(topic),
        subject=_subject(topic, "person"),
        relation=f"{relation} {word}",
        object=Term(text=date, start=start, end=end, head=year),
        qualifiers=(Term(text=date, start=start, end=end, head=year, kind="time"),),
        wording={
            "statement": f"{topic.name} {statement}",
            "inverted": ask.format(topic.name),
            "predicate": statement,
        },
        trust=0.8,
    )


def _plausible(birth: str, death: str) -> bool:
    low, high = _LIVED
    return low <= int(re.findall(r"\d{3,4}", death)[-1]) - int(re.findall(r"\d{3,4}", birth)[-1]) <= high
