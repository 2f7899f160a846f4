"""What a fact says of its subject: the object of its verb, how it hangs on it, and its words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import Part
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.phrases import Unsure, parenthesised, unresolved
from synth.grammar.english.proposals import Stated
from synth.grammar.english.qualifiers import KEPT, role
from synth.grammar.english.terms import alone, empty, essential, whole

if TYPE_CHECKING:
    from spacy.tokens import Token

_COMPLEMENTS = ("dobj", "attr", "acomp", "oprd")
_NAMED_AS = word_set(
    "regard describe define treat view see consider classify refer think interpret recognise recognize"
)
_WEAK = word_set(
    "able unable likely unlikely possible impossible necessary sure true false important same similar different easy "
    "hard difficult useful better good bad interesting great nice fine common clear"
)


def asserted_object(stated: Stated) -> tuple[str, Part | Token | None, Token | None, list[Part]]:
    """How the object hangs on the verb, the object, its preposition, and the other parts after the verb."""
    clause = stated.clause
    after = [part for part in clause.after if part.dep != "prt"]
    complements = [part for part in after if part.dep in _COMPLEMENTS]
    if len(complements) > 1 or any(part.dep in ("ccomp", "csubj", "pcomp") for part in after):
        raise Unsure
    if complements:
        found = complements[0]
        link = "direct" if found.dep == "dobj" else "complement"
        if found.dep != "dobj" and clause.verb.lemma_.lower() not in ("be", "become") and found.dep != "oprd":
            raise Unsure
        if found.dep == "dobj" and any(p.head.lower_ == "as" for p in after) and clause.verb.lemma_ in _NAMED_AS:
            raise Unsure
        return link, found, None, [part for part in after if part is not found]
    if clause.cut and not clause.passive and not after:
        raise Unsure
    chosen = next((part for part in after if part.dep == "agent"), None) or _leading(stated, after)
    if chosen is None:
        if clause.copular or clause.subject is None:
            raise Unsure
        return "", None, None, after
    thing = next((c for c in chosen.head.children if c.dep_ == "pobj"), None)
    if any(c.dep_ == "conj" and c.pos_ == "ADP" for c in chosen.head.children):
        raise Unsure  # "depends on the height and on the weight"
    if thing is None:
        raise Unsure
    link = "agent" if chosen.dep == "agent" else "preposition"
    return link, thing, chosen.head, [part for part in after if part is not chosen]


def _leading(stated: Stated, after: list[Part]) -> Part | None:
    """The first prepositional part that says to, in or of what the verb is said."""
    for part in after:
        if part.dep != "prep":
            continue
        naming = part.head.lower_ == "as" and (
            stated.clause.passive or stated.clause.verb.lemma_ in ("serve", "act", "work")
        )
        if stated.clause.verb.lemma_ == "date" or naming:
            return part
        if stated.clause.doc[part.start - 1].text == ",":
            return None
        kind = _born(stated, part) or role(stated, part).kind
        if kind in (KEPT, "place") or (kind == "quantity" and part.head.lower_ in ("by", "to", "at")):
            first = part.head.lower_
            if first == "from" and any(p.head.lower_ in ("to", "until", "through", "into") for p in after):
                raise Unsure
            return part
    return None


def _born(stated: Stated, part: Part) -> str:
    """ "place" for the date of a birth or a death that is told with nothing else: it is what is said."""
    clause = stated.clause
    if clause.verb.lower_ not in ("born", "died") or sum(p.dep == "prep" for p in clause.after) != 1:
        return ""
    return "place" if role(stated, part).kind == "time" else ""


def object_words(stated: Stated, thing: Part | Token, link: str, *, owned: bool = False) -> list[Token]:
    """The words of the object. In an `owned` one, "its" may mean the subject. Raises Unsure when they do not do."""
    part = (
        thing
        if isinstance(thing, Part)
        else Part(thing, thing.left_edge.i, min(thing.right_edge.i + 1, stated.clause.end))
    )
    head = part.head
    words = _uncut(essential(part.tokens), head)
    first = words[0].lower_
    alone(stated, words, owner=stated.clause.subject.head if owned and stated.clause.subject else None)
    whole(stated, words)
    _unlisted(part, words)
    if link == "complement" and re.search(r"\b(?:[A-Z]\.)+$", part.head.doc[: words[-1].i + 1].text) and len(words) > 4:
        raise Unsure  # the sentence was cut after an initial
    if stated.clause.cut and any(token.text == "," for token in words):
        raise Unsure  # the last item of a list was taken for another clause
    if head.lemma_.lower() in ("way", "manner", "fashion"):
        raise Unsure
    if words[-1].pos_ == "ADV" and words[-1].head == head:
        raise Unsure
    if not stated.page.addressed and len(words) <= 3 and unresolved([head, *words], stated.code):
        raise Unsure  # "the lead role": nobody knows which
    if head not in words or first in ("some", "several", "various", "certain", "any") or empty(head, words):
        raise Unsure
    if part.dep == "acomp" and (
        head.lemma_.lower() in _WEAK
        or any(c.dep_ in ("xcomp", "ccomp", "advcl") for c in head.children)
        or head.tag_ in ("JJR", "JJS", "RBR")
        or any(c.lower_ in ("more", "less", "too", "so") for c in head.children)
    ):
        raise Unsure
    if link != "complement" and head.pos_ not in ("NOUN", "PROPN", "NUM", "X", "SYM") and head.i not in stated.code:
        raise Unsure
    if part.dep in ("attr", "oprd") and head.pos_ not in ("NOUN", "PROPN", "NUM", "X") and head.i not in stated.code:
        raise Unsure
    if any(
        t.dep_ == "advcl"
        or t.tag_ == "WRB"
        or (t.tag_ == "WP" and t.dep_ not in ("nsubj", "nsubjpass"))
        or (t.dep_ == "acl" and t.tag_ == "VB")
        for t in words
    ):
        raise Unsure
    return words


def _uncut(words: list[Token], head: Token) -> list[Token]:
    """`words` without what a comma sets off after the noun, unless the comma is one of a list."""
    comma = next((n for n, t in enumerate(words) if t.text == "," and t.i > head.i), None)
    if (
        comma is None
        or any(t.dep_ in ("conj", "cc") for t in words[comma:])
        or any(t.text.isdigit() for t in words[comma + 1 : comma + 2])
    ):
        return words
    return words[:comma]


def _unlisted(part: Part, words: list[Token]) -> None:
    """Raises Unsure when items of a list were lost with what was set off."""
    kept = {token.i for token in words}
    aside = parenthesised(part.head.doc)
    for token in words[-1].doc[part.start : part.head.doc[part.start].sent.end]:
        if token.i in kept or token.i in aside or token.dep_ not in ("cc", "conj"):
            continue
        if token.head.i in kept or (token.dep_ == "cc" and token.head.dep_ == "appos"):
            raise Unsure
