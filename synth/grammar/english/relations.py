"""The core of a clause as a fact: who or what, in which relation, to whom or what, and everything that qualifies it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import Clause, Part
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.objects import asserted_object, object_words
from synth.grammar.english.phrases import Unsure, parenthesised
from synth.grammar.english.proposals import Stated
from synth.grammar.english.qualifiers import DROPPED, KEPT, Role, is_time, role
from synth.grammar.english.subjects import asserted_subject
from synth.grammar.english.wording import lemma_of

if TYPE_CHECKING:
    from spacy.tokens import Token

_MODALS = {
    "must": "must", "shall": "must", "should": "should", "can": "can", "could": "can", "ca": "can", "may": "may",
    "might": "may", "will": "", "wo": "", "'ll": "", "’ll": "",
}  # fmt: skip
_VAGUE_VERBS = word_set(
    "do seem appear tend go think believe feel hope expect consider imagine mean say claim argue suggest propose try "
    "attempt let happen prove want like need remain look note notice see remember cause"
)
_READING = ("check", "read", "learn", "visit", "try")
_STRAY = word_set("if unless when whenever until once only except without while or nor either neither")
_STRAY_OF_PAST = word_set("if unless only except without or nor either neither")
_BREAKS = (":", ";", "—", "–", "--")


@dataclass(frozen=True, slots=True)
class Core:
    """A clause read as a fact.

    `subject` is empty in an imperative. `preposition` leads to the object; `link` is how the object
    hangs on the verb: "direct", "preposition", "agent", "complement" or "" when there is none. `roles`
    are the other parts, `adverbs` those of them that stand before the verb.
    """

    stated: Stated
    subject: tuple[Token, ...]
    relation: str
    object: tuple[Token, ...]
    object_head: Token | None
    preposition: Token | None
    link: str
    roles: tuple[Role, ...]
    adverbs: tuple[Role, ...]
    particle: Token | None
    negated: bool
    modal: str
    dated: bool

    @property
    def qualifiers(self) -> list[Role]:
        """The roles that limit the fact, in order of place."""
        found = [one for one in (*self.roles, *self.adverbs) if one.kind not in (KEPT, DROPPED)]
        if self.dated and self.preposition is not None and self.object_head is not None:
            found.append(Role("time", (self.preposition, *self.object), self.object_head))
        return sorted(found, key=lambda one: one.start)


def core(stated: Stated, *, gentle: bool = False) -> Core:
    """The core of a clause. Raises Unsure when it is not surely a fact that stands alone.

    A `gentle` reading leaves out what a comma sets off and does not limit the fact, though it has no sure place.
    """
    clause = stated.clause
    _sound(clause, gentle=gentle)
    subject = asserted_subject(stated, gentle=gentle)
    link, thing, preposition, others = asserted_object(stated)
    roles = [role(stated, part, opens=True, gentle=gentle) for part in clause.openers]
    roles += _joined(stated, others, gentle=gentle)
    if sum(one.kind == "condition" and one.start < clause.verb.i for one in roles) > 1:
        raise Unsure  # "If you want X but without Y, ..." was cut in two
    if any(one.kind == "time" for one in roles) and any(
        p.dep == "advcl" and p.head.tag_ == "VBN" for p in clause.openers
    ):
        raise Unsure  # "Born at Halden, on 8 May 1830, he ..."
    adverbs = tuple(_inner(stated, part) for part in clause.adverbs)
    negated = clause.negation is not None
    if negated and any(one.kind in (DROPPED, KEPT) for one in roles):
        raise Unsure
    words = object_words(stated, thing, link) if thing is not None else []
    particle = next((p.head for p in clause.after if p.dep == "prt"), None)
    return Core(
        stated=stated,
        subject=tuple(subject),
        relation=relation_of(clause, particle, preposition),
        object=tuple(words),
        object_head=thing.head if isinstance(thing, Part) else thing,
        preposition=preposition,
        link=link,
        roles=tuple(roles),
        adverbs=adverbs,
        particle=particle,
        negated=negated,
        modal=_modal(clause),
        dated=link == "preposition"
        and clause.verb.lemma_ != "date"
        and not isinstance(thing, Part)
        and thing is not None
        and is_time(thing),
    )


def _inner(stated: Stated, part: Part) -> Role:
    """The role of a part between subject and verb; a phrase there that no comma sets off belongs to the subject."""
    if part.dep == "prep" and stated.clause.doc[part.start - 1].text != ",":
        raise Unsure
    return role(stated, part)


def _sound(clause: Clause, *, gentle: bool) -> None:
    """Raises Unsure for a clause that hangs on another, reports, or may be half of an alternative."""
    verb = clause.verb
    if verb.lemma_.lower() in _VAGUE_VERBS or clause.part("ccomp", "mark") is not None:
        raise Unsure
    text = clause.doc[clause.start : clause.end].text if gentle else clause.doc.text
    if clause.subject is None and (clause.sentence.kind == "list_item" or verb.lemma_.lower() in _READING):
        raise Unsure
    conjuncts = [child for child in verb.children if child.dep_ == "conj" and child.i > verb.i]
    if clause.cut and any(child.pos_ not in ("VERB", "AUX") for child in conjuncts):
        raise Unsure
    if clause.subject is not None and clause.subject.head.lower_ == "you" and verb.tag_ == "VBG":
        raise Unsure
    if not clause.auxiliaries and verb.tag_ in ("VBG", "VBN"):
        raise Unsure
    if clause.main and any(child.dep_ == "mark" for child in verb.children):
        raise Unsure
    aside = parenthesised(clause.doc)
    last = clause.end if gentle else clause.end - 1
    if any(t.text in _BREAKS and t.i not in aside for t in clause.doc[clause.start : last]):
        raise Unsure
    if re.search(r"\b(not only|no longer|neither|rather than|such that|would|seems?|according to)\b", text):
        raise Unsure
    if verb.dep_ not in ("relcl", "advcl") and (clause.cut or not clause.main):
        outside = [t for t in clause.doc if not clause.start <= t.i < clause.end]
        stray = _STRAY_OF_PAST if gentle and verb.tag_ in ("VBD", "VBN") else _STRAY
        if any(t.lower_ in stray and not (gentle and _joins_nouns(t)) for t in outside):
            raise Unsure
    if verb.dep_ == "advcl" and any(t.lower_ in ("if", "unless", "not", "when") for t in clause.doc[: clause.start]):
        raise Unsure
    if verb.text[0].isupper() and verb.i > 0:
        raise Unsure


def _joins_nouns(token: Token) -> bool:
    """Whether "or" stands between things, not between what is done."""
    return bool(token.lower_ == "or" and token.dep_ == "cc" and token.head.pos_ not in ("VERB", "AUX"))


def _joined(stated: Stated, parts: list[Part], *, gentle: bool) -> list[Role]:
    """The roles of parts after the verb; "from 1870" and "to 1939" are one."""
    found: list[Role] = []
    skip: Part | None = None
    for part, following in zip(parts, [*parts, None][1:], strict=True):
        if part is skip:
            continue
        first = part.head.lower_
        if (
            first == "from"
            and following is not None
            and following.head.lower_ in ("to", "until", "through")
            and following.start == part.end
        ):
            whole, last = role(stated, part), role(stated, following)
            if whole.kind != "time" or last.kind != "time":
                raise Unsure
            found.append(Role("time", (*whole.tokens, *last.tokens), last.head))
            skip = following
            continue
        found.append(role(stated, part, gentle=gentle))
    return found


def relation_of(clause: Clause, particle: Token | None, preposition: Token | None) -> str:
    if any(token.lower_ in ("being", "having", "get", "got", "gets") for token in clause.auxiliaries):
        raise Unsure
    words = ["be", clause.verb.lower_] if clause.passive else [lemma_of(clause.verb)]
    words += [token.lower_ for token in (particle, preposition) if token is not None]
    return " ".join(words)


def _modal(clause: Clause) -> str:
    modals = [token.lower_ for token in clause.auxiliaries if token.tag_ == "MD"]
    if (
        any(word not in _MODALS for word in modals)
        or any(t.tag_ == "TO" for t in clause.auxiliaries)
        or (modals and any(t.lower_ == "have" for t in clause.auxiliaries))
    ):
        raise Unsure
    if clause.subject is None:
        return "should"
    return _MODALS[modals[0]] if modals else ""
