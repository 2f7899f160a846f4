"""Dates that a sentence gives beside a name: "the Edict of Halden (1685)", "the founding of Veld in 1788"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from synth.grammar.english.telling import Told
from synth.records import Fact, Term

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_YEAR = r"(?:1\d{3}|20\d\d|[5-9]\d\d)"
_DATE = rf"(?:\d{{1,2}} {_MONTH} {_YEAR}|{_MONTH} \d{{1,2}}, {_YEAR}|{_MONTH} {_YEAR}|{_YEAR})(?![\d–-]| ?BC)"
_CAP = r"[A-Z\u00c0-\u024f\u1e00-\u1eff][\w’'.&-]*\w"
_LINK = r"(?:of|the|and|de|la|le|du|del|di|von|van|der|den|al|on|for|to|in)"
_NAME = rf"{_CAP}(?: (?:{_LINK} ){{0,2}}{_CAP}){{0,6}}"
_EVENTS = (
    "Battle|War|Massacre|Siege|Revolution|Rebellion|Revolt|Uprising|Conference|Congress|Council|Convention|Synod|Diet|"
    "Crusade|Earthquake|Fire|Flood|Games|Exhibition|Exposition|Coup|Riot|Riots|Conspiracy|Mutiny|Raid|Famine|Crisis"
)
_ISSUED = {
    "Edict": "be issued", "Decree": "be issued", "Bull": "be issued", "Proclamation": "be issued",
    "Treaty": "be signed", "Peace": "be concluded", "Armistice": "be signed", "Charter": "be issued",
    "Act": "be passed", "Directive": "be adopted", "Resolution": "be adopted",
}  # fmt: skip
_ASIDE = re.compile(
    rf"\b(?P<the>the |The )(?P<name>(?:{_CAP} ){{0,4}}(?P<kind>{_EVENTS}|{'|'.join(_ISSUED)})"
    rf"(?: (?:of|at|on|for) (?:the )?{_NAME})?) \((?P<date>{_DATE})\)"
)
_OF_YEAR = re.compile(
    rf"\b(?P<the>the |The )(?P<name>(?:{_CAP} ){{1,4}}(?P<kind>{_EVENTS}|{'|'.join(_ISSUED)}|massacre|"
    rf"revolution|uprising|earthquake|revolt|rebellion|riots|crisis|famine|coup|mutiny)) "
    rf"(?:of|in) (?P<date>{_DATE})(?=[,.;)]| [a-z])"
)
_DONE = {
    "founding": "be founded", "foundation": "be founded", "establishment": "be established",
    "creation": "be created", "construction": "be built", "completion": "be completed", "opening": "be opened",
    "introduction": "be introduced", "abolition": "be abolished", "destruction": "be destroyed",
    "publication": "be published", "assassination": "be assassinated", "execution": "be executed",
    "invention": "be invented", "discovery": "be discovered", "dissolution": "be dissolved",
    "demolition": "be demolished", "adoption": "be adopted", "ratification": "be ratified", "signing": "be signed",
    "outbreak": "break out", "fall": "fall", "collapse": "collapse", "death": "die", "birth": "be born",
    "launch": "be launched", "release": "be released", "passage": "be passed", "enactment": "be enacted",
    "coronation": "be crowned", "closure": "be closed", "repeal": "be repealed",
}  # fmt: skip
_DEED = re.compile(
    rf"\b[Tt]he (?P<deed>{'|'.join(_DONE)}) of (?P<name>(?:the )?(?:(?:colony|city|town|state|kingdom|company|college|"
    rf"university|school|church|abbey|castle|bridge|railway|party) of )?{_NAME}) "
    rf"(?P<when>(?:in|on) {_DATE})(?=[,.;)]| [a-z])"
)
_NO_NAME = "(?:After|Before|Since|Until|Following|In|On|At|With|By|From|Upon|When|The|His|Her)"
_OWN = re.compile(
    rf"(?<!\w)(?P<name>(?!{_NO_NAME}\b){_CAP}(?: {_CAP}){{0,4}})['’]s? "
    rf"(?P<deed>death|birth|assassination|execution|coronation) "
    rf"(?P<when>(?:in|on) {_DATE})(?=[,.;)]| [a-z])"
)
_PARTICLE = r"(?:of|de|von|van|der|den|di|da|ibn|bin|al|el|Ibn)"
_LIVED = re.compile(
    rf"(?<![\w’'-] )(?P<name>(?:[Aa]l-)?{_CAP}(?: (?:{_PARTICLE} )?(?:al-)?{_CAP}){{1,3}}) "
    r"\((?P<birth>1[0-9]\d\d|[5-9]\d\d)\s?[-–—]\s?(?P<death>1\d{3}|20\d\d|[5-9]\d\d)\)"
)
_REIGN = re.compile(
    r"\b(?:king|queen|emperor|empress|pope|president|sultan|duke|prince|governor|minister|caliph|khan|reign|office|"
    r"dynasty|war|wars|period|era|empire|republic|theatre|theater|company|museum|house|school)\b",
    re.I,
)
_SPAN_OF_LIFE = (25, 100)
_PAST = {"break out": "broke out", "fall": "fell", "collapse": "collapsed", "die": "died"}
_UNREAL = re.compile(
    r"\b(?:if|unless|would|could|might|may|alleged|planned|proposed|fictional|hypothetical|failed|attempted|plot|"
    r"novel|film|episode|story|serial|legend|not)\b",
    re.I,
)
_PEOPLE = ("die", "be born", "be assassinated", "be executed", "be crowned")


def of_nouns(one: Told, doc_id: str) -> Iterator[Fact]:
    """The dated events that a sentence names by a noun, each trusted less than what a clause tells."""
    text = one.sentence.text
    if _UNREAL.search(text) or text.count('"') % 2:
        return
    yield from _lives(one, doc_id)
    for pattern in (_ASIDE, _OF_YEAR):
        for match in pattern.finditer(text):
            name = match["name"]
            relation = _ISSUED.get(match["kind"], "take place")
            if match["kind"] == "Crusade" or (pattern is _ASIDE and " and " in name):
                continue
            start, end = match.start("the"), match.end("name")
            yield _happened(one, doc_id, relation, f"the {name}", (start, end), match.span("date"), "")
    for pattern in (_DEED, _OWN):
        for match in pattern.finditer(text):
            relation, name = _DONE[match["deed"]], match["name"]
            last = one.page.full.get(name, name)
            if relation in _PEOPLE and (" " not in last or name.lower().startswith("the ")):
                continue
            if pattern is _OWN and match.start() == 0 and len(name.split()) == 1 and last == name:
                continue
            said = last if relation in _PEOPLE else name[0].lower() + name[1:] if name.startswith("The ") else name
            kind = "person" if relation in _PEOPLE else ""
            yield _happened(one, doc_id, relation, said, match.span("name"), match.span("when"), kind)


def _lives(one: Told, doc_id: str) -> Iterator[Fact]:
    """ "Peter of Arn (1250-1316)": two years behind a person's name are those of a life."""
    text = one.sentence.text
    people = [(e.start_char, e.end_char) for e in one.doc.ents if e.label_ == "PERSON"]
    for match in _LIVED.finditer(text):
        low, high = _SPAN_OF_LIFE
        name, end = match["name"], match.end("name")
        known = any(a <= end - 1 and match.start("name") < b for a, b in people)
        if not known or not low <= int(match["death"]) - int(match["birth"]) <= high:
            continue
        if _REIGN.search(text[max(0, match.start() - 30) : end]):
            continue
        for group, relation in (("birth", "be born"), ("death", "die")):
            fact = _happened(one, doc_id, relation, name, match.span("name"), match.span(group), "person")
            when = fact.qualifiers[0]
            yield replace(fact, relation=f"{relation} in", object=replace(when, text=match[group], kind=""))


def _happened(
    one: Told, doc_id: str, relation: str, name: str, where: tuple[int, int], date: tuple[int, int], kind: str
) -> Fact:
    origin, text = one.sentence.body.origin, one.sentence.text
    when = text[slice(*date)]
    year = re.findall(r"\d{3,4}", when)[-1]
    (start, end), (first, last) = origin(*where), origin(*date)
    passive = relation.startswith("be ")
    if passive:
        says, asks = f"was {relation[3:]}", f"was {name} {relation[3:]}"
    else:
        says = _PAST.get(relation, "took place")
        asks = f"did {name} {relation}"
    plural = bool(re.search(r"(?:Riots|riots|Games)$", name))
    if plural and passive:
        says, asks = says.replace("was", "were", 1), asks.replace("was", "were", 1)
    return Fact(
        doc_id=doc_id,
        spans=one.spans[-1:],
        subject=Term(text=name, start=start, end=end, head=_head(name), kind=kind or "name"),
        relation=relation,
        qualifiers=(Term(text=when, start=first, end=last, head=year, kind="time"),),
        wording={"statement": f"{name} {says}", "inverted": asks, "predicate": says},
        trust=0.75,
    )


def _head(name: str) -> str:
    return re.split(r" (?:of|at|on|for) ", name.removeprefix("the "))[0].split()[-1]
