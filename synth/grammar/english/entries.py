"""Facts of what is no prose: the rows of tables, and list items that say what a name stands for."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synth.records import Fact, Term
from synth.text.blocks import Block, blocks
from synth.text.markup import Plain, plain

_RULE = re.compile(r"^[\s|:+-]+$")
_CELL = re.compile(r"(?:[^|\\`]|\\.|`[^`]*`)+")
_NAME = re.compile(
    r"^(?=[^.!?]*$)(?:.*[a-z_]_[a-z_].*|\S*\w\(\)|[A-Z]+-\d+|(?:the )?[A-Z][\w'-]*(?: [\w'-]+)* [A-Z0-9][\w'-]*)$"
)
_PROPERTIES = re.compile(
    r"(?:.* )?(?:default|type|length|height|width|depth|weight|crew|speed|price|fare|population|area|capacity|country|"
    r"location|designer|architect|author|director|engineer|genre|language|owner|operator|material|value|abbreviation|"
    r"capital|range|period|distance|duration|size|limit|format|licen[cs]e|port|unit|length)"
)
_UNIT = re.compile(r"^(?P<noun>[^()]+?)\s*\((?P<unit>[^()]+)\)$")
_UNITS = {
    "m": "metres",
    "km": "kilometres",
    "kg": "kilograms",
    "s": "seconds",
    "ms": "milliseconds",
    "cm": "centimetres",
    "mm": "millimetres",
    "ft": "feet",
    "min": "minutes",
    "h": "hours",
}
_EVENTS = frozenset(
    "built opened founded completed automated released published launched closed introduced established".split()
)
_YEAR = re.compile(r"^(?:1[0-9]\d\d|20\d\d)$")
_NUMBER = re.compile(r"^\d[\d,]*(?:\.\d+)?$")
_ENTRY = re.compile(r"^(?:the )?(?P<key>[^\s:–—]+)(?:\s?:\s|\s[-–—]\s)(?P<rest>(?:the|an?) [^:()\"]+)$", re.I)
_LINK = re.compile(
    r"\b(?:this|these|that you|above|below|we|our|here|e\.g|following|same|it|they|see|following)\b|\?", re.I
)
_WITH_ARTICLE = frozenset(
    "aqueduct canal cathedral dam ferry hotel institute library lighthouse monument museum observatory railway "
    "reservoir theatre theater tunnel viaduct".split()
)
"""Last words of names that take "the" in a sentence, though a cell or a heading leaves it out."""
_LONGEST = 26


def entries(text: str, format: str, doc_id: str) -> Iterator[Fact]:
    """The facts of the tables and of the "key: value" items of a document, in order."""
    header: list[tuple[str, int, int]] = []
    group = -1
    for block in blocks(text, format):
        if block.kind == "table_row":
            if block.group != group or not header:
                group, header = block.group, _cells(text, block)
            else:
                yield from _row(text, doc_id, header, _cells(text, block), block)
        elif block.kind == "list_item" and format == "markdown":
            yield from _item(text, doc_id, block)


def _cells(text: str, block: Block) -> list[tuple[str, int, int]]:
    """The cells of a row: their plain text and where they stand."""
    line = text[block.start : block.end].split("\n", 1)[0]
    if _RULE.match(line):
        return []
    found: list[tuple[str, int, int]] = []
    for match in _CELL.finditer(line):
        raw = match.group()
        if not raw.strip():
            continue
        start = block.start + match.start() + len(raw) - len(raw.lstrip())
        end = block.start + match.end() - (len(raw) - len(raw.rstrip()))
        found.append((plain(text, start, end, markdown=True).text.strip(), start, end))
    return found


def _row(
    text: str, doc_id: str, header: list[tuple[str, int, int]], cells: list[tuple[str, int, int]], block: Block
) -> Iterator[Fact]:
    if len(cells) != len(header) or len(cells) < 2 or not header or not cells[0][0]:
        return
    name = cells[0]
    if _NAME.match(name[0]) is None or len(name[0].split()) > 7:
        return
    if name[0].split()[-1].lower() in _WITH_ARTICLE and not name[0].lower().startswith("the "):
        name = (f"the {name[0]}", *name[1:])
    for (title, *_), cell in zip(header[1:], cells[1:], strict=True):
        made = _value(doc_id, name, title, cell, (block.start, block.end))
        if made is not None:
            yield made


def _value(
    doc_id: str, name: tuple[str, int, int], title: str, cell: tuple[str, int, int], span: tuple[int, int]
) -> Fact | None:
    value, start, end = cell
    if not value or value in ("-", "–", "—", "n/a") or len(value.split()) > 8 or not re.match(r"^[A-Za-z]", title):
        return None
    unit = _UNIT.match(title)
    noun = (unit["noun"] if unit else title).strip()
    noun = noun[:1].lower() + noun[1:] if noun[1:2].islower() else noun
    if len(noun.split()) > 4 or value.endswith((".", ":")):
        return None
    code = "_" in name[0] or (name[0].islower() and "(" in name[0])
    subject = Term(text=name[0], start=name[1], end=name[2], head=name[0].split()[-1], kind="code" if code else "name")
    if noun in _EVENTS and _YEAR.match(value):
        verb = noun
        return Fact(
            doc_id=doc_id,
            spans=(span,),
            subject=subject,
            relation=f"be {verb}",
            qualifiers=(Term(text=f"in {value}", start=start, end=end, head=value, kind="time"),),
            wording={
                "statement": f"{name[0]} was {verb}",
                "inverted": f"was {name[0]} {verb}",
                "predicate": f"was {verb}",
            },
            trust=0.8,
        )
    number = _NUMBER.match(value) is not None
    if number and not unit and noun.split()[-1].endswith("s") and value not in ("1", "0"):
        return _counted(doc_id, subject, noun, cell, span)
    if number and unit:
        value = f"{value} {_UNITS.get(unit['unit'], unit['unit'])}"
    if _PROPERTIES.fullmatch(noun) is None:
        return None
    return _property(doc_id, subject, noun, value, cell, span, number=number)


def _counted(doc_id: str, subject: Term, noun: str, cell: tuple[str, int, int], span: tuple[int, int]) -> Fact:
    """ "MV Dunlin | 40" under "Passengers": the number of passengers of MV Dunlin is 40."""
    value, start, end = cell
    owner = f"the number of {noun} of {subject.text}"
    thing = Term(text=value, start=start, end=end, head=value)
    return _stated(
        doc_id,
        subject,
        owner,
        "number",
        thing,
        (Term(text=value, start=start, end=end, head=value, kind="quantity"),),
        span,
    )


def _property(
    doc_id: str,
    subject: Term,
    noun: str,
    value: str,
    cell: tuple[str, int, int],
    span: tuple[int, int],
    *,
    number: bool,
) -> Fact:
    """ "MV Dunlin | 11" under "Length (m)": the length of MV Dunlin is 11 metres."""
    _, start, end = cell
    thing = Term(text=value, start=start, end=end, head=value.split()[-1])
    quantity = (Term(text=value, start=start, end=end, head=value.split()[-1], kind="quantity"),) if number else ()
    return _stated(doc_id, subject, f"the {noun} of {subject.text}", noun.split()[-1], thing, quantity, span)


def _stated(
    doc_id: str, subject: Term, owner: str, head: str, thing: Term, qualifiers: tuple[Term, ...], span: tuple[int, int]
) -> Fact:
    return Fact(
        doc_id=doc_id,
        spans=(span,),
        subject=Term(text=owner, start=subject.start, end=subject.end, head=head),
        relation="be",
        object=thing,
        qualifiers=qualifiers,
        wording={
            "statement": f"{owner} is {thing.text}",
            "inverted": f"is {owner} {thing.text}",
            "predicate": f"is {thing.text}",
        },
        trust=0.75,
    )


def _item(text: str, doc_id: str, block: Block) -> Iterator[Fact]:
    """ "`title`: the title of the page": what a name in code stands for."""
    body = plain(text, block.start, block.end, markdown=True)
    whole = body.text.strip()
    sentence = re.split(r"(?<=[.!?])\s|\n", whole, maxsplit=1)[0].rstrip(". ")
    match = _ENTRY.match(sentence)
    if match is None or len(sentence.split()) > _LONGEST or _LINK.search(match["rest"]):
        return
    offset = body.text.find(sentence)
    first, last = offset + match.start("key"), offset + match.end("key")
    if not any(a <= first and last <= b for a, b in body.code):
        return
    yield _entry(doc_id, match, body, offset, sentence)


def _entry(doc_id: str, match: re.Match[str], body: Plain, offset: int, sentence: str) -> Fact:
    key, rest = match["key"], match["rest"][:1].lower() + match["rest"][1:]
    start, end = body.origin(offset + match.start("key"), offset + match.end("key"))
    low, high = body.origin(offset + match.start("rest"), offset + match.end("rest"))
    noun = re.match(
        r"(?:the|an?) (?P<head>(?:[\w-]+ ){0,2}?[\w-]+)"
        r"(?= (?:of|to|for|in|that|which|with|from|used|containing|on|by)\b|,|$| \()",
        rest,
    )
    head = noun["head"].split()[-1] if noun else rest.split()[1]
    wording = {
        "statement": f"{key} is {rest}",
        "inverted": f"is {key} {rest}",
        "predicate": f"is {rest}",
    }
    if noun and rest.startswith(("a ", "an ")):
        wording["type"] = noun["head"]
    span = body.origin(offset, offset + len(sentence))
    return Fact(
        doc_id=doc_id,
        spans=(span,),
        subject=Term(text=key, start=start, end=end, head=key, kind="code"),
        relation="be",
        object=Term(text=rest, start=low, end=high, head=head),
        wording=wording,
        trust=0.75,
    )
