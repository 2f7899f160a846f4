"""The relation of a claim, taken from the sentence between its subject and its object, in its base form."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.text.normalise import to_simplified
from synth.transforms.claim_parts import Parts, Place, Unproved
from synth.transforms.claim_words import (
    BENIGN,
    CHINESE_BENIGN,
    CHINESE_LINK,
    CHINESE_MODAL,
    CHINESE_MODALS,
    CHINESE_NEGATION,
    CHINESE_PREPOSITION,
    CHINESE_TAIL,
    DETERMINERS,
    MODALS,
    NEGATIONS,
    TAIL,
    UNREAL,
    WORD,
)

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_LONGEST = 7  # words of a relation
_LONGEST_CHINESE = 10  # characters
_NOMINAL = ("NOUN", "PROPN", "PRON", "NUM", "DET")
_FORMS = {
    **dict.fromkeys(("am", "is", "are", "was", "were", "been", "being"), "be"),
    **dict.fromkeys(("has", "had", "having"), "have"),
    **dict.fromkeys(("does", "did", "done"), "do"),
}
_ENDING = re.compile(r"(?<=\w{2})(?:ies|ied|es|ed|ing|s|e|y)$")
_NOT_THERE = "the relation is not between subject and object"
_OTHER_WORDS = "other words stand between subject and object"


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation in base form; `places` are where the sentence writes it; `head` gives the base form of the
    noun at the heart of a part, "" where that is not known."""

    text: str
    negated: bool
    modal: str
    places: tuple[Place, ...]
    head: Callable[[Place | None], str]


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int

    @property
    def folded(self) -> str:
        return self.text.casefold()


def english_relation(parts: Parts, named: str, doc: Doc) -> Relation:
    """The relation of an English sentence with its parse. Raises Unproved when other words stand in between."""
    gap, shift, opened = _gap(parts, named)
    words = [_Word(m.group(), shift + m.start(), shift + m.end()) for m in WORD.finditer(gap)]
    if opened and words and words[0].folded in ("which", "who"):
        words = words[1:]
    mine = _subsequence([w.casefold() for w in WORD.findall(named)], words)
    if not mine:
        raise Unproved(_NOT_THERE)
    rest = [w.folded for n, w in enumerate(words) if n not in mine]
    negated = any(w.folded in NEGATIONS or w.folded.endswith(("n't", "n’t")) for w in words)
    if any(w.folded in UNREAL for w in words):
        raise Unproved("the sentence tells of what would or will be")
    harmless = {*BENIGN, *NEGATIONS, *MODALS, "do", "does", "did"}
    if any(word not in harmless and not word.endswith(("n't", "n’t")) for word in rest):
        raise Unproved(_OTHER_WORDS)
    modal = next((MODALS[w.folded] for w in words if w.folded in MODALS), "")
    tokens = {token.idx: token for token in doc}
    # spaCy cuts "cannot" and "don't" in two; what is left of them here is no verb of its own.
    lost = {*NEGATIONS, *MODALS, "also", "and", "but"}
    kept = [w for w in words if w.folded not in lost and not w.folded.endswith(("n't", "n’t"))]
    while kept and kept[-1].folded in DETERMINERS:
        kept.pop()
    if any((token := tokens.get(w.start)) is not None and token.pos_ in _NOMINAL for w in kept):
        raise Unproved("the relation holds a noun")
    text = _base(kept, tokens, negated=negated, opened=opened)
    return Relation(text, negated, modal, tuple((w.start, w.end) for w in words), lambda place: _head(doc, place))


def _gap(parts: Parts, named: str) -> tuple[str, int, bool]:
    """What stands before the object from the last comma or "and" on, its place, and whether a comma alone opens it."""
    start = parts.subject[1]
    end = parts.object[0] if parts.object else _end_of_relation(parts, named)
    gap = parts.between(end)
    if re.match(r"\s*(?:,\s*)?(?:and|or|as\s+well\s+as)\b", gap) and not parts.resolved:
        raise Unproved("the subject is one of several")
    cut = 0
    for match in TAIL.finditer(gap):
        if gap[match.end() :].strip():
            cut = match.end()
    opened = bool(re.fullmatch(r"\s*[,(—–]\s*", gap[:cut])) and cut > 0
    return gap[cut:], start + cut, opened


def _end_of_relation(parts: Parts, named: str) -> int:
    """Where the relation of a fact without an object ends; nothing but a qualifier may follow at once."""
    blank = parts.between(len(parts.simple))
    words = [_Word(m.group(), m.start(), m.end()) for m in WORD.finditer(blank)]
    mine = _subsequence([w.casefold() for w in WORD.findall(named)], words)
    if not mine:
        raise Unproved(_NOT_THERE)
    end = parts.subject[1] + words[mine[-1]].end
    rest = parts.text[end:].lstrip()
    follows = any(not parts.text[end:a].strip() for _, (a, _) in parts.qualifiers if a >= end)
    if not follows or not rest:
        raise Unproved("a fact without an object needs a qualifier")
    return end


def _subsequence(wanted: Sequence[str], words: Sequence[_Word]) -> list[int]:
    """Numbers of the words that spell `wanted` in order, in whatever form, or none."""
    found: list[int] = []
    at = 0
    for word in wanted:
        while at < len(words) and _stem(words[at].folded) != _stem(word):
            at += 1
        if at == len(words):
            return []
        found.append(at)
        at += 1
    return found


def _stem(word: str) -> str:
    """What the forms of a verb have in common, near enough to know one from the other."""
    return _FORMS.get(word) or _ENDING.sub("", word)


def _base(words: Sequence[_Word], tokens: dict[int, Token], *, negated: bool, opened: bool) -> str:
    """The predicate with its first verb in base form: "was built in" is "be built in", "has opened" is "open"."""
    rest = list(words)
    while rest and (token := tokens.get(rest[0].start)) is not None:
        after = tokens.get(rest[1].start) if len(rest) > 1 else None
        supports = token.lemma_.lower() == "do" and negated
        perfect = token.lemma_.lower() == "have" and after is not None and after.tag_ in ("VBN", "VBD")
        if not (supports or perfect):
            break
        rest = rest[1:]
    if not rest or len(rest) > _LONGEST:
        raise Unproved(_OTHER_WORDS if rest else _NOT_THERE)
    first = tokens.get(rest[0].start)
    if first is None or first.pos_ not in ("VERB", "AUX") or first.tag_ == "VBG":
        raise Unproved("the relation has no verb")
    lemma = first.lemma_.lower()
    perfect = len(rest) < len(words) and not negated
    if first.tag_ == "VBN" and not perfect and lemma != "be":
        if not opened:
            raise Unproved("the relation has no verb")
        return " ".join(["be", *(w.folded for w in rest)])
    return " ".join([lemma, *(w.text for w in rest[1:])])


def _head(doc: Doc, place: Place | None) -> str:
    if place is None:
        return ""
    inside = [token for token in doc if token.idx >= place[0] and token.idx + len(token.text) <= place[1]]
    roots = [token for token in inside if token.head not in inside or token.head is token]
    return str(roots[0].lemma_) if len(roots) == 1 and roots[0].pos_ in ("NOUN", "PROPN") else ""


def chinese_relation(parts: Parts, named: str) -> Relation:
    """The relation of a Chinese sentence. Raises Unproved when other words stand in between."""
    wanted = to_simplified("".join(named.split()))
    end = parts.object[0] if parts.object else _end_in_chinese(parts, wanted)
    gap = parts.between(end)
    cut = max([0, *(match.end() for match in CHINESE_TAIL.finditer(gap) if gap[match.end() :].strip())])
    tail, shift = gap[cut:], parts.subject[1] + cut
    at = tail.find(wanted)
    if at < 0:
        raise Unproved(_NOT_THERE)
    before, after = _without_prepositions(tail[:at], parts, shift), tail[at + len(wanted) :].strip(' "“「『《')
    link = CHINESE_LINK.fullmatch(after)
    negation = CHINESE_NEGATION.search(before + wanted)
    modal = CHINESE_MODALS.search(before + wanted)
    lead = (
        CHINESE_MODALS.sub("", CHINESE_NEGATION.sub("", before))
        if not wanted.startswith(("不", "没", "未"))
        else before
    )
    if not CHINESE_BENIGN.fullmatch(lead) or not (link or CHINESE_BENIGN.fullmatch(after)):
        raise Unproved(_OTHER_WORDS)
    verb = CHINESE_MODALS.sub("", CHINESE_NEGATION.sub("", wanted, count=1))
    voice = "被" if before.endswith("被") else "是" if before.endswith("是") else ""
    text = voice + re.sub("了$", "", verb) + (after if link else "")
    if not verb or len(text) > _LONGEST_CHINESE:
        raise Unproved(_NOT_THERE)
    place = (shift + at, shift + at + len(wanted))
    return Relation(text, negation is not None, CHINESE_MODAL[modal.group()] if modal else "", (place,), lambda _: "")


def _without_prepositions(head: str, parts: Parts, shift: int) -> str:
    """What stands before the relation, less blanks and the prepositions that belong to qualifiers."""
    kept = head
    for _, (start, _) in parts.qualifiers:
        if shift <= start < shift + len(head):
            left = CHINESE_PREPOSITION.sub(lambda m: " " * len(m.group()), kept[: start - shift])
            kept = left + kept[start - shift :]
    return re.sub(r"\s|、", "", kept)


def _end_in_chinese(parts: Parts, wanted: str) -> int:
    blank = parts.between(len(parts.simple))
    at = blank.find(wanted)
    if at < 0:
        raise Unproved(_NOT_THERE)
    end = parts.subject[1] + at + len(wanted)
    rest = parts.simple[end:].lstrip()
    if not parts.qualifiers or (
        not re.match(r"[，。；,;.!！]|$", rest)
        and not any(
            not CHINESE_PREPOSITION.sub("", parts.simple[end:a]).strip() for _, (a, _) in parts.qualifiers if a >= end
        )
    ):
        raise Unproved("a fact without an object needs a qualifier")
    return end
