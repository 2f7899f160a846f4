"""Spans of a line as terms of a fact: their words, their place in the document, their head and kind."""

from __future__ import annotations

import re

from synth.grammar.chinese.lexicon import CLOSING
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.names import located, personal, proper
from synth.grammar.chinese.times import GLOSS
from synth.records import Term
from synth.text.prose import Sentence

_TAGGED = {"LOC": "place", "ORG": "organisation", "nw": "work"}
_ORGANISATION = re.compile(
    r"(?:大学|学院|中学|小学|公司|集团|委员会|协会|学会|联盟|基金会|出版社|俱乐部|银行|法院|议会|国会|政府|[^内全干]部|局|研究所|乐团|乐队|球队|电视台|党|联合会|工作室)$"
)
_PLACE = re.compile(r"(?:[省市县区镇乡村州岛湖河江山湾港站路街桥]|大桥|机场|车站|公园|广场|寺|塔|宫|城|大厦)$")
_CODE = re.compile(r"[_()=/{}<>.]|[a-z][A-Z]|^--?[a-z]")
_LATIN_ONLY = re.compile(r"[\x21-\x7e ]+")


def place_of(sentence: Sentence, line: Line, start: int, end: int) -> tuple[int, int]:
    """Offsets in the document of `line.simple[start:end]`."""
    return sentence.body.origin(line.origin[start], line.origin[end - 1] + 1)


def term(sentence: Sentence, line: Line, start: int, end: int, kind: str | None = None, text: str = "") -> Term:
    """The term `line.simple[start:end]`; `text` says what it reads as, where it is not as written.

    Without `kind` it is that of the entity the words name, "" for a common noun.
    """
    first, last = place_of(sentence, line, start, end)
    words = text or line.written(start, end)
    return Term(
        text=words,
        start=first,
        end=last,
        head=head_of(line, start, end),
        kind=kind_of(line, start, end) if kind is None else kind,
    )


def time_term(sentence: Sentence, line: Line, start: int, end: int, text: str = "") -> Term:
    """The time `line.simple[start:end]`, with the solar year in brackets within it or behind it."""
    first, last = line.origin[start], line.origin[end - 1] + 1
    behind = GLOSS.match(line.raw, last)
    whole = line.raw[first : behind.end() if behind else last]
    if text or not GLOSS.search(whole):
        return term(sentence, line, start, end, kind="time", text=text)
    begin, stop = sentence.body.origin(first, first + len(whole))
    return Term(text=whole, start=begin, end=stop, head=head_of(line, start, end), kind="time")


def head_of(line: Line, start: int, end: int) -> str:
    """The last noun of the span, simplified; the words between the marks of a title or a quotation."""
    if not line.whole(start, end):
        return line.simple[start:end].strip("《》“”「」\"' ")
    words = [token.text.strip(" ") for token in line.span(start, end) if token.text not in CLOSING]
    words = [word for word in words if word]
    return words[-1] if words else ""


def kind_of(line: Line, start: int, end: int) -> str:
    """The kind of entity that a noun phrase names, "" where it only describes."""
    simple = line.simple[start:end]
    if re.fullmatch(r"《[^《》]+》", simple):
        return "work"
    tokens = [token for token in line.span(start, end) if token.text.strip()] if line.whole(start, end) else []
    if not tokens:
        return ""
    final = tokens[-1]
    if len(tokens) == 1 and final.tag == "code":
        return "code"
    if any(token.text in ("的", "之", "、", "和", "与", "及", "或") for token in tokens) or tokens[0].tag in ("m", "r"):
        return ""
    if _LATIN_ONLY.fullmatch(simple):
        return "code" if _CODE.search(simple) else "name" if re.search("[A-Z]", simple) else "term"
    named = any(proper(token) for token in tokens)
    if not named:
        return ""
    if final.tag == "PER":
        return "person" if personal(simple) else "place" if located(final.text) else "name"
    if final.tag in _TAGGED and proper(final):
        return _TAGGED[final.tag]
    if _ORGANISATION.search(simple):
        return "organisation"
    if _PLACE.search(simple):
        return "place"
    return "name" if len(tokens) == 1 else ""
