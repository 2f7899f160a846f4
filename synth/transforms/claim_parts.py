"""Where the subject, the object and the qualifiers of a claim stand in a sentence, each as a whole phrase."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.text.locate import locate
from synth.text.normalise import to_simplified
from synth.text.prose import Sentence
from synth.transforms.claim_words import APPROXIMATE, BENIGN, CHINESE_PREPOSITION, FOLLOWING, KINDS, PRONOUN, WORD

if TYPE_CHECKING:
    from spacy.tokens import Doc

Place = tuple[int, int]
_OPENING = "\"'“‘《〈「『（([`"
_CLOSING = "\"'”’》〉」』）)]`"
_PAIRS = dict(zip("”’》〉」』）)]", "“‘《〈「『（([", strict=True))
_BEFORE_ENGLISH = re.compile(r"(?:^|[,;:—–]\s*)(?:(?:and|but|while|whereas|so)\s+)?(?:the|an?)?$", re.IGNORECASE)
_BEFORE_CHINESE = re.compile(r"(?:^|[,;:，；：])(?:而|但|但是|同时|随后|此外|另外|并且|因此|所以)?$")
_LONGEST_OBJECT = 24  # words of an object that was completed
_DATE = re.compile(r"(?<=[于在自从])(?P<date>\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?)(?![至到的代末初前后底中~-])")
_AFTER = re.compile(r"[.,;:!?…—–，。；：！？]|$")


class Unproved(Exception):
    """A claim is not borne out; the message is the reason, one of a short list that can be counted."""


@dataclass(frozen=True, slots=True)
class Parts:
    """Places in `text`, a plain sentence; `simple` is the text in simplified script, of the same length.

    `subject` is the place of a pronoun when `resolved` holds the name it stands for.
    """

    text: str
    simple: str
    subject: Place
    object: Place | None
    qualifiers: tuple[tuple[str, Place], ...]
    resolved: str = ""

    @classmethod
    def of(
        cls,
        text: str,
        subject: str,
        object: str,
        qualifiers: Sequence[tuple[str, str]],
        before: Sentence | None,
        doc: Doc | None,
    ) -> Parts:
        """The places of the parts; `before` is the sentence before this one, in which a pronoun's name stands,
        `doc` the parse of an English sentence.

        Raises Unproved when a part is missing, cut short, or where it cannot belong to the others.
        """
        simple = to_simplified(text)
        held = _qualifiers(text, simple, qualifiers)
        blank = _blanked(simple, [place for _, place in held])
        place, resolved = _subject(text, blank, subject, before, chinese=doc is None)
        after = _object(blank, text, object, place[1], doc) if object else None
        if doc is None and after:
            held = _with_year(simple, place[1], after[0], held)
        parts = cls(text, simple, place, after, held, resolved)
        _check_qualifiers(parts)
        return parts

    def uncovered(self) -> str:
        """The sentence, in simplified script, with blanks for its parts."""
        named = [self.subject, *([self.object] if self.object else []), *(place for _, place in self.qualifiers)]
        return _blanked(self.simple, named)

    def between(self, end: int) -> str:
        """What stands between the subject and the character `end`, with blanks for the qualifiers."""
        return _blanked(self.simple, [place for _, place in self.qualifiers])[self.subject[1] : end]


def find(part: str, text: str, start: int = 0) -> Place | None:
    """The first place from `start` on where `text` has `part` as whole words."""
    return next(places(part, text, start), None)


def places(part: str, text: str, start: int = 0) -> Iterator[Place]:
    """Every place from `start` on where `text` has `part` as whole words, first to last."""
    while found := locate(part, text, start, markdown=False):
        begin, end = found
        while text[end : end + 1] in ("+", "#", "%", "℃") or _closes(text, begin, end):
            end += 1
        if _is_whole(text, begin, end):
            yield begin, end
        start = begin + 1


def _closes(text: str, start: int, end: int) -> bool:
    """Whether the character at `end` closes a bracket that was opened in `start:end`."""
    opener = _PAIRS.get(text[end : end + 1])
    return opener is not None and text.count(opener, start, end) > text.count(text[end], start, end)


def _is_whole(text: str, start: int, end: int) -> bool:
    return not (_joined(text[start - 1 : start + 1] if start else "") or _joined(text[end - 1 : end + 1])) and not (
        re.match(r"\d[.,]\d", text[end - 1 : end + 2]) or re.match(r"\d[.,]\d", text[max(0, start - 2) : start + 1])
    )


def _joined(pair: str) -> bool:
    return len(pair) == 2 and all(char.isascii() and (char.isalnum() or char == "_") for char in pair)


def _blanked(text: str, covered: Sequence[Place]) -> str:
    for start, end in covered:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


def _qualifiers(text: str, simple: str, named: Sequence[tuple[str, str]]) -> tuple[tuple[str, Place], ...]:
    found: list[tuple[str, Place]] = []
    for kind, part in named:
        taken = [place for _, place in found]
        free = (p for p in places(part, text) if all(p[1] <= a or p[0] >= b for a, b in taken))
        place = next(free, None)
        if place is None:
            raise Unproved("a part is not in the sentence quoted")
        if not KINDS[kind].search(simple[slice(*place)]):
            raise Unproved("a qualifier is of another kind")
        found.append((kind, place))
    return tuple(sorted(found, key=lambda one: one[1]))


def _with_year(simple: str, start: int, end: int, held: tuple[tuple[str, Place], ...]) -> tuple[tuple[str, Place], ...]:
    """The qualifiers, with the date that stands between subject and object and that the claim left out."""
    found = _DATE.search(_blanked(simple, [place for _, place in held]), start, end)
    if found is None or _DATE.search(simple, found.end(), end):
        return held
    return tuple(sorted((*held, ("time", found.span("date"))), key=lambda one: one[1]))


def _subject(text: str, blank: str, named: str, before: Sentence | None, *, chinese: bool) -> tuple[Place, str]:
    edge = _BEFORE_CHINESE if chinese else _BEFORE_ENGLISH
    there = list(places(named, blank))
    for place in there:
        head = _without_links(blank[: place[0]].rstrip(_OPENING + " "), chinese=chinese)
        if edge.search(head):
            return _with_article(blank, place), ""
    pronoun = PRONOUN.match(blank)
    if there or pronoun is None or before is None:
        raise Unproved("the subject is cut short" if there else "the subject is not in the sentence quoted")
    name = find(named, before.text)
    if name is None or not edge.search(before.text[: name[0]].rstrip(_OPENING + " ")):
        raise Unproved("the pronoun may stand for another name")
    if re.match(r"\s*(?:and|of|or|['’]s)\b|[的和与及、與]", before.text[name[1] :].lstrip(_CLOSING)):
        raise Unproved("the subject is cut short")
    return (pronoun.start(), pronoun.end()), before.text[slice(*name)]


def _with_article(blank: str, place: Place) -> Place:
    article = re.search(r"\b(?:the|an?)\s+$", blank[: place[0]], re.IGNORECASE)
    return (article.start(), place[1]) if article else place


def _without_links(head: str, *, chinese: bool) -> str:
    """`head` less the blanks, and in Chinese the prepositions, that a qualifier before the subject left."""
    if chinese and head.endswith(" "):
        head = CHINESE_PREPOSITION.sub("", head.rstrip())
    return head.rstrip()


def _object(blank: str, text: str, named: str, start: int, doc: Doc | None) -> Place:
    """Where the object stands, made complete where the parse says that it goes on."""
    place = find(named, blank, start)
    if place is None:
        raise Unproved("the object does not follow the subject")
    place = _with_article(blank, place)
    if _is_complete(blank, text, place[1], chinese=doc is None):
        return place
    longer = _completed(doc, place) if doc else place
    if doc and longer == place and _ends_before_clause(doc, place):
        return place
    if longer == place or not _is_complete(blank, text, longer[1], chinese=False):
        raise Unproved("the object is cut short")
    return longer


def _is_complete(blank: str, text: str, end: int, *, chinese: bool) -> bool:
    """Whether a phrase may end at `end`: a mark, a qualifier or a word that opens another phrase comes next."""
    rest = blank[end:].lstrip(_CLOSING)
    word = WORD.match(rest.lstrip())
    opens = not chinese and word is not None and word.group().casefold() in FOLLOWING
    return opens or bool(_AFTER.match(rest.lstrip())) or _before_qualifier(blank, text, end)


def _completed(doc: Doc, place: Place) -> Place:
    inside = [token for token in doc if token.idx < place[1] and token.idx + len(token.text) > place[0]]
    roots = [token for token in inside if token.head not in inside or token.head is token]
    if len(roots) != 1 or roots[0].pos_ not in ("NOUN", "PROPN"):
        return place
    last = roots[0].right_edge
    while last.is_punct or last.pos_ in ("ADP", "CCONJ", "SCONJ"):
        last = doc[last.i - 1]
    return (place[0], max(place[1], last.idx + len(last.text))) if last.i - inside[0].i < _LONGEST_OBJECT else place


def _ends_before_clause(doc: Doc, place: Place) -> bool:
    """Whether "a thing" is only told apart further by what follows: it is a thing all the same."""
    after = next((token for token in doc if token.idx >= place[1]), None)
    indefinite = doc.text[slice(*place)].partition(" ")[0].casefold() in ("a", "an")
    return (
        indefinite and after is not None and after.dep_ in ("acl", "nsubj", "nsubjpass") and after.head.idx >= place[0]
    )


def _before_qualifier(blank: str, text: str, end: int) -> bool:
    """Whether nothing but blanks stands between `end` and a qualifier."""
    gap = len(blank[end:]) - len(blank[end:].lstrip())
    return bool(text[end : end + gap].strip())


def _check_qualifiers(parts: Parts) -> None:
    """Each must hang together with the fact: no other clause between, no word such as "about" before it."""
    last = (parts.object or parts.subject)[1]
    blank = _blanked(parts.simple, [parts.subject, *([parts.object] if parts.object else [])])
    for _, (start, end) in parts.qualifiers:
        if (start < parts.subject[1] and end > parts.subject[0]) or (
            parts.object and start < parts.object[1] and end > parts.object[0]
        ):
            raise Unproved("a qualifier is part of another part")
        words = WORD.findall(blank[max(0, start - 30) : start])
        if words and words[-1].casefold() in APPROXIMATE:
            raise Unproved("a limit such as 'only' is left out")
        if re.match(r"\s*(?:or\b|and\s+[A-Z0-9]|to\s+\d|[–-]\s?\d|或|至|到\d)", blank[end:]):
            raise Unproved("a qualifier is cut short")
        if parts.object and start >= last:
            strange = [w for w in WORD.findall(blank[last:start]) if w.casefold() not in BENIGN and w not in ",，、"]
            if any(not re.fullmatch(r"[于在从自至到为以因]", w) for w in strange):
                raise Unproved("a qualifier stands too far from the fact")
            last = end
