"""The years of birth and death in the brackets behind the name of a person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import MappingProxyType

from synth.grammar.chinese.lexicon import DAY, YEAR
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.page import Told
from synth.grammar.chinese.script import template
from synth.grammar.chinese.terms import place_of
from synth.grammar.reading import Reading
from synth.records import Fact, Term

_DATE = rf"(?:{YEAR}(?:{DAY})?|\d{{3,4}}(?!\d))"
_LIFE = re.compile(
    r"[（(](?:[^（）()]*?[,，;；、:：]\s*|[A-Za-z .·-]+\s)?"
    rf"(?P<B>{_DATE})\s*[-–—－~～至]+\s*(?P<D>{_DATE})?(?:[,，;；][^（）()]*)?[)）]"
)


def lifetimes(told: Told, reading: Reading) -> Iterator[Fact]:
    """周文远（1811年—1880年） -> he was born in 1811, he died in 1880."""
    line = told.line
    yield from _in_passing(line, reading)
    match = _LIFE.search(line.raw)
    if match is None:
        return
    stop = next((i for i, at in enumerate(line.origin) if at >= match.start()), len(line.simple))
    statement = next((s for s in told.said if s.subject is not None and s.order == 0), None)
    if statement is None or statement.subject is None or not statement.subject.person:
        return
    start = stop - len(statement.subject.simple)
    if start < 0 or line.simple[start:stop] != statement.subject.simple or statement.subject.level < 3:
        return
    for group, relation, verb in (("B", "出生于", "出生"), ("D", "逝世于", "逝世")):
        if match.group(group):
            yield _fact(line, (start, stop), match.span(group), (relation, verb), (statement.subject.text, reading))


def _in_passing(line: Line, reading: Reading) -> Iterator[Fact]:
    """…由约瑟夫·哈特曼（1883—1950）提出: a person named anywhere, with the years of a whole life."""
    for match in _YEARS.finditer(line.raw):
        born, died = int(match["B"]), int(match["D"])
        stop = next((i for i, at in enumerate(line.origin) if at >= match.start()), len(line.simple))
        token = next((t for t in line.tokens if t.end == stop and t.start > 0), None)
        if token is None or token.tag != "PER" or not _SHORTEST_LIFE <= died - born <= _LONGEST_LIFE:
            continue
        name = line.written(token.start, token.end)
        before = next((t for t in line.tokens if t.end == token.start), None)
        if before is not None and before.tag in ("LOC", "PER", "nz", "ORG") and "·" not in token.text:
            continue
        if not _FULL.fullmatch(token.text) or _RULER.search(token.text) or line.simple[token.start - 1].isascii():
            continue
        for group, relation, verb in (("B", "出生于", "出生"), ("D", "逝世于", "逝世")):
            yield _fact(line, (token.start, token.end), match.span(group), (relation, verb), (name, reading))


# The years of a ruler may be those of the reign, and of one by a bare last name nobody can tell who is meant.
_FULL = re.compile(r"[\u4e00-\u9fff]+[·•‧・][\u4e00-\u9fff·•‧・]+|[\u4e00-\u9fff]{2,3}")
_RULER = re.compile("[世帝王宗祖后公侯汗]$|^[一二三]")
_YEARS = re.compile(
    r"\s?[(（]\s?(?:公元)?(?P<B>[12]\d{3})\s?年?\s?[-–—－~～至]+\s?(?:公元)?(?P<D>[12]\d{3})\s?年?\s?[)）]", re.ASCII
)
_SHORTEST_LIFE, _LONGEST_LIFE = 18, 105


def _fact(
    line: Line, who: tuple[int, int], when: tuple[int, int], words: tuple[str, str], said: tuple[str, Reading]
) -> Fact:
    name, reading = said
    sentence = reading.sentences[line.index]
    start, end = sentence.body.origin(*when)
    date = line.raw[slice(*when)]
    first, last = place_of(sentence, line, *who)
    verb = template(words[1], reading.language)
    wording = {"statement": name + verb, "predicate": verb, "subject_gap": verb}
    return Fact(
        doc_id=reading.document.doc_id,
        spans=((sentence.start, sentence.end),),
        subject=Term(text=name, start=first, end=last, head=line.simple[slice(*who)], kind="person"),
        relation=words[0],
        qualifiers=(
            Term(
                text=date,
                start=start,
                end=end,
                head="年",
                kind="time",
            ),
        ),
        wording=MappingProxyType(wording),
        trust=0.95,
    )
