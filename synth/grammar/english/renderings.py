"""How a fact reads as a sentence, as a question, after "that", and with a gap for its object."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from synth.grammar.english.phrases import Unsure, vague
from synth.grammar.english.qualifiers import DROPPED, Role
from synth.grammar.english.relations import Core
from synth.grammar.english.terms import inside
from synth.grammar.english.wording import lemma_of, plain_word, third_person

if TYPE_CHECKING:
    from spacy.tokens import Token

Items: TypeAlias = "list[str | Token]"
_LIGHT = frozenset("take have make give do get put pay play".split())
_SAID_APART = ("time", "place", "condition", "reason", DROPPED)
_SINGULAR = {"are": "is", "were": "was", "have": "has", "do": "does"}
_RELATIONAL = frozenset("member part kind type form name term example way set one number series variety".split())


def wordings(core: Core) -> dict[str, str]:
    """The renderings of a fact by role; one that cannot be made surely is left out."""
    made: dict[str, str] = {}
    for name, render in _RENDERINGS.items():
        try:
            items = render(core)
        except Unsure:
            continue
        text = re.sub(r"\bcan not\b", "cannot", inside(core.stated, items))
        if text and not re.search(r"\(\s|\s\)|\s,|[;:]|``|''", text):
            made[name] = text
    return made


def _group(core: Core) -> list[Token]:
    """The words between subject and verb, but for the auxiliary that a question puts first, in order."""
    clause = core.stated.clause
    words = [t for one in core.adverbs if _stays(one) for t in one.tokens if t.i < clause.verb.i]
    found: list[Token] = [*clause.auxiliaries, *words]
    if clause.negation is not None:
        found.append(clause.negation)
    return sorted(found, key=lambda token: token.i)


def _tail(core: Core, *, gap: bool = False) -> Items:
    """The words after the verb that a statement keeps; with a `gap` where the object was."""
    clause = core.stated.clause
    placed: list[tuple[int, list[Token]]] = []
    if core.object and not core.dated:
        thing = [] if gap else list(core.object)
        placed.append((core.object[0].i, [*([core.preposition] if core.preposition is not None else []), *thing]))
    if core.particle is not None:
        placed.append((core.particle.i, [core.particle]))
    for one in (*core.roles, *(one for one in core.adverbs if one.start > clause.verb.i)):
        if _stays(one):
            at = one.start if one.start > clause.verb.i else len(clause.doc) + one.start
            placed.append((at, list(one.tokens)))
    return [token for _, tokens in sorted(placed, key=lambda item: item[0]) for token in tokens]


def _stays(one: Role) -> bool:
    """Whether a statement keeps a part: not those that are asked for, but a single adverb such as "often"."""
    return one.kind not in _SAID_APART or (one.kind == "time" and len(one.tokens) == 1 and one.head.pos_ == "ADV")


def statement(core: Core) -> Items:
    """ "Parliament created the Northern Lighthouse Board" """
    if not core.subject:
        return ["you should", lemma_of(core.stated.clause.verb), *_tail(core)]
    return [*core.subject, *_verbs(core), *_tail(core)]


def _verbs(core: Core) -> Items:
    verb = core.stated.clause.verb
    before = [t for t in _group(core) if t.i < verb.i]
    return [*_spelled(before), _written(verb), *_spelled(_after_verb(core))]


def _written(verb: Token) -> str:
    """The verb as written, "is" for "'s"."""
    return plain_word(verb) if verb.lemma_ == "be" else str(verb.text)


def _after_verb(core: Core) -> Items:
    """The "not" of "is not"."""
    negation = core.stated.clause.negation
    return [negation] if negation is not None and negation.i > core.stated.clause.verb.i else []


def _spelled(group: Sequence[str | Token]) -> Items:
    return [t if isinstance(t, str) or (t.dep_ == "advmod" and t.lower_ != "not") else plain_word(t) for t in group]


def inverted(core: Core) -> Items:
    """ "did Parliament create the Northern Lighthouse Board" """
    clause = core.stated.clause
    verb = clause.verb
    if not core.subject:
        return ["should you", lemma_of(verb), *_tail(core)]
    group = _group(core)
    if clause.auxiliaries:
        first = clause.auxiliaries[0]
        rest = [t for t in group if t is not first]
        return [plain_word(first), *core.subject, *_spelled(rest), verb.text, *_tail(core)]
    if verb.tag_ not in ("VBZ", "VBP", "VBD"):
        raise Unsure
    if clause.copular:
        return [plain_word(verb), *core.subject, *_spelled(group), *_tail(core)]
    front = {"VBZ": "does", "VBP": "do", "VBD": "did"}[verb.tag_]
    return [front, *core.subject, *_spelled(group), lemma_of(verb), *_tail(core)]


def predicate(core: Core) -> Items:
    """ "created the Northern Lighthouse Board" """
    clause = core.stated.clause
    if not core.subject or core.subject[0].lower_ == "you":
        raise Unsure
    plural = _plural(core)
    if plural and (core.link == "complement" or any(not isinstance(t, str) and t.tag_ == "PRP$" for t in _tail(core))):
        raise Unsure
    verb = clause.verb
    group = _spelled(_group(core))
    if clause.auxiliaries:
        first = clause.auxiliaries[0]
        words = [_SINGULAR.get(w, w) if isinstance(w, str) and w == plain_word(first) else w for w in group]
        return [*words, verb.text, *_tail(core)]
    if verb.tag_ not in ("VBZ", "VBP", "VBD"):
        raise Unsure
    if clause.copular:
        word = plain_word(verb)
        after = [w for w in group if w in ("not", "never")]
        return [_SINGULAR.get(word, word), *after, *[w for w in group if w not in after], *_tail(core)]
    return [*group, third_person(lemma_of(verb)) if verb.tag_ == "VBP" else verb.text, *_tail(core)]


def _plural(core: Core) -> bool:
    head = core.stated.clause.subject
    if head is None:
        return False
    return head.head.tag_ in ("NNS", "NNPS") or any(c.dep_ == "conj" and c in core.subject for c in head.head.children)


def object_gap(core: Core) -> Items:
    """ "Parliament created", so that "the board that Parliament created" reads well."""
    if core.link not in ("direct", "preposition") or not core.subject or core.object_head is None:
        raise Unsure
    if core.link == "direct" and core.stated.clause.passive:
        raise Unsure
    head = core.object_head
    if head.ent_type_ in ("DATE", "TIME", "PERCENT", "QUANTITY", "MONEY", "CARDINAL") or head.pos_ == "NUM":
        raise Unsure
    if core.stated.clause.verb.lemma_ in _LIGHT or any(one.kind in ("manner", "purpose") for one in core.roles):
        raise Unsure
    tail = _tail(core, gap=True)
    later = [t for t in tail if not isinstance(t, str) and t.i > head.i]
    if len(later) > (6 if core.link == "direct" else 0):
        raise Unsure
    return [*core.subject, *_verbs(core), *tail]


def kind_words(core: Core) -> Items:
    """ "Scottish engineer" of "X was a Scottish engineer who ..." """
    head = core.object_head
    if core.link != "complement" or core.negated or core.modal or not core.object or head is None:
        raise Unsure
    return type_of(core.object, head)


def type_of(words: Sequence[Token], head: Token) -> Items:
    """The kind noun of a definition, with what stands before it and its "of": "city of a million people"."""
    if words[0].lower_ not in ("a", "an") or head.tag_ not in ("NN", "NNP") or (vague(head) and head.lemma_ != "town"):
        raise Unsure
    of = next((c for c in head.children if c.dep_ == "prep" and c.lower_ == "of" and c.i == head.i + 1), None)
    if any(c.dep_ == "conj" and c in words for c in head.children):
        raise Unsure
    if head.lemma_.lower() in _RELATIONAL and of is None:
        raise Unsure
    last = of.right_edge.i if of is not None else head.i
    kept = [t for t in words[1:] if t.i <= last]
    if not kept or kept[0].tag_ in ("RBS", "RBR"):
        raise Unsure
    return list(kept)


_RENDERINGS: dict[str, Callable[[Core], Items]] = {
    "statement": statement,
    "inverted": inverted,
    "predicate": predicate,
    "object_gap": object_gap,
    "type": kind_words,
}
