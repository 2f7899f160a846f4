"""Facts that a sentence states beside its verbs: in participles set off by commas, and in "there are"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import SUBJECTS, Clause, Part
from synth.grammar.english.lexicon import word_set
from synth.grammar.english.loose_clauses import limiting
from synth.grammar.english.phrases import Unsure, is_name, lean
from synth.grammar.english.proposals import Stated
from synth.grammar.english.qualifiers import DROPPED, Role, role
from synth.grammar.english.telling import Told
from synth.grammar.english.terms import alone, introduced, noun, qualifier, whole
from synth.records import Fact, Term

if TYPE_CHECKING:
    from spacy.tokens import Token

_STATES = word_set("located situated based headquartered")
_NO_EVENTS = word_set(
    "known called named used given made led driven seen considered compared followed combined related dated "
    "associated referred including set born due opposed accompanied depending elected appointed nominated"
)
_WITHIN = ("in", "on", "at", "within")


def beside(one: Told, doc_id: str, code: frozenset[int]) -> Iterator[Fact]:
    """The facts of the participles and of "there are" in a sentence; each is trusted less than those of its verbs."""
    for token in one.doc:
        try:
            if token.tag_ == "VBN" and token.dep_ in ("acl", "advcl"):
                fact = _participle(one, token, doc_id, code)
            elif token.dep_ == "expl" and token.lower_ == "there":
                fact = _there(one, token.head, doc_id, code)
            else:
                continue
        except Unsure:
            continue
        if fact is not None:
            yield fact


def _participle(one: Told, verb: Token, doc_id: str, code: frozenset[int]) -> Fact | None:
    """ "The Old Mill, built in 1804, burned down.": the Old Mill was built in 1804."""
    owner = _owner(verb)
    if owner is None or verb.lower_ in _NO_EVENTS:
        return None
    parts = [c for c in verb.children if c.dep_ not in ("punct", "cc", "conj")]
    if any(c.dep_ not in ("prep", "agent") or c.i < verb.i for c in parts) or limiting(list(verb.subtree)):
        return None
    stated = Stated(_clause(one, verb, owner, parts), one.page, code)
    words = lean(owner.tokens)
    alone(stated, words)
    whole(stated, words)
    if not any(is_name(t, code) for t in words) or not introduced(stated, words) or words[0].lower_ in ("a", "an"):
        return None
    roles = [(part, role(stated, part)) for part in stated.clause.after]
    return _passive(one, stated, owner, words, roles, doc_id)


def _owner(verb: Token) -> Part | None:
    """The name that a participle between commas tells of: the subject, where the participle opens the sentence."""
    doc, first = verb.doc, verb.left_edge.i
    if first != verb.i:
        return None
    if verb.dep_ == "advcl":
        if verb.i or verb.head.head != verb.head:
            return None
        subject = next((c for c in verb.head.children if c.dep_ in SUBJECTS and c.i > verb.right_edge.i), None)
        if subject is None or doc[subject.left_edge.i - 1].text != "," or subject.left_edge.i - 2 != verb.right_edge.i:
            return None
        return Part(subject, subject.left_edge.i, subject.right_edge.i + 1)
    head, last = verb.head, verb.right_edge.i
    if (
        head.pos_ != "PROPN"
        or head.i != verb.i - 2
        or doc[verb.i - 1].text != ","
        or head.dep_ in ("conj", "appos")
        or (head.dep_ == "pobj" and head.head.head.pos_ not in ("VERB", "AUX"))
    ):
        return None
    if doc[last + 1 : last + 2].text not in (",", ".", ";") or any(c.dep_ == "conj" for c in head.children):
        return None
    return Part(head, head.left_edge.i, head.i + 1)


def _clause(one: Told, verb: Token, owner: Part, parts: list[Token]) -> Clause:
    after = tuple(Part(c, c.left_edge.i, c.right_edge.i + 1) for c in parts)
    return Clause(
        sentence=one.sentence, doc=one.doc, verb=verb, subject=owner, auxiliaries=(), negation=None, adverbs=(),
        openers=(), after=after, start=verb.i, end=verb.right_edge.i + 1, cut=False,
    )  # fmt: skip


def _passive(
    one: Told, stated: Stated, owner: Part, words: list[Token], roles: list[tuple[Part, Role]], doc_id: str
) -> Fact | None:
    verb = stated.clause.verb
    agent = next((part for part, _ in roles if part.dep == "agent"), None)
    times = [found for _, found in roles if found.kind == "time"]
    places = [(part, found) for part, found in roles if found.kind == "place"]
    rest = [found for part, found in roles if found.kind not in ("time", "place", DROPPED) and part is not agent]
    state = verb.lower_ in _STATES
    if rest or (agent is None and not times and not (state and places)) or (state and len(places) != 1):
        return None
    finite = next((t for t in (verb.head, *verb.head.children) if t.tag_ in ("VBD", "VBZ", "VBP")), None)
    aux = "is" if state and (finite is None or finite.tag_ != "VBD") else "was"
    relation, tail, thing = f"be {verb.lower_}", "", None
    chosen = agent if agent is not None else places[0][0] if state else None
    if chosen is not None:
        inner = next((c for c in chosen.head.children if c.dep_ == "pobj"), None)
        kept = lean(chosen.tokens[1:])
        if inner is None or not kept:
            return None
        alone(stated, kept)
        thing = noun(stated, kept, inner)
        relation, tail = f"{relation} {chosen.head.lower_}", f" {chosen.head.lower_} {thing.text}"
    qualifiers = [qualifier(stated, list(found.tokens), "time", found.head) for found in times]
    qualifiers += [] if state else [qualifier(stated, list(f.tokens), "place", f.head) for _, f in places]
    subject = noun(stated, words, owner.head)
    return _told(one, doc_id, subject, relation, thing, qualifiers, aux, f"{verb.lower_}{tail}")


def _told(
    one: Told,
    doc_id: str,
    subject: Term,
    relation: str,
    thing: Term | None,
    qualifiers: list[Term],
    lead: str,
    rest: str,
) -> Fact:
    return Fact(
        doc_id=doc_id,
        spans=one.spans[-1:],
        subject=subject,
        relation=relation,
        object=thing,
        qualifiers=tuple(sorted(qualifiers, key=lambda term: (term.start, term.end, term.kind))),
        wording={
            "statement": f"{subject.text} {lead} {rest}",
            "inverted": f"{lead} {subject.text} {rest}",
            "predicate": f"{lead} {rest}",
        },
        trust=0.75,
    )


def _there(one: Told, verb: Token, doc_id: str, code: frozenset[int]) -> Fact | None:
    """ "There were 14 mills in Halden in 1801.": Halden had 14 mills."""
    thing = next((c for c in verb.children if c.dep_ in ("attr", "nsubj") and c.i > verb.i), None)
    if thing is None or verb.lemma_ != "be" or verb.tag_ not in ("VBD", "VBZ", "VBP") or limiting(list(one.doc)):
        return None
    parts = [c for c in (*verb.children, *thing.children) if c.dep_ == "prep"]
    others = [c for c in verb.children if c.dep_ not in ("prep", "expl", "punct", "attr", "nsubj")]
    number = next((c for c in thing.children if c.dep_ == "nummod" and c.i < thing.i), None)
    if others or number is None or any(c.dep_ in ("conj", "relcl", "acl", "appos") for c in thing.children):
        return None
    owner = Part(thing, thing.left_edge.i, thing.i + 1)
    stated = Stated(_clause(one, verb, owner, parts), one.page, code)
    place = next((p for p in stated.clause.after if p.head.lower_ in _WITHIN and _named_place(p, code)), None)
    if place is None:
        return None
    roles = [role(stated, p) for p in stated.clause.after if p is not place]
    if any(found.kind != "time" for found in roles):
        return None
    inner = next(c for c in place.head.children if c.dep_ == "pobj")
    words, counted = lean(place.tokens[1:]), lean(owner.tokens)
    alone(stated, words)
    alone(stated, counted)
    if not introduced(stated, words) or counted[0].lower_ == "the":
        return None
    object_ = noun(stated, counted, thing)
    qualifiers = [qualifier(stated, counted, "quantity", thing)]
    qualifiers += [qualifier(stated, list(found.tokens), "time", found.head) for found in roles]
    subject = noun(stated, words, inner)
    made = _told(
        one, doc_id, subject, "have", object_, qualifiers, "had" if verb.tag_ == "VBD" else "has", object_.text
    )
    return _asked_with_do(made, past=verb.tag_ == "VBD")


def _named_place(part: Part, code: frozenset[int]) -> bool:
    inner = next((c for c in part.head.children if c.dep_ == "pobj"), None)
    return inner is not None and is_name(inner, code) and inner.ent_type_ not in ("DATE", "TIME")


def _asked_with_do(fact: Fact, *, past: bool) -> Fact:
    """The fact asked with "did" or "does"."""
    assert fact.object is not None
    inverted = f"{'did' if past else 'does'} {fact.subject.text} have {fact.object.text}"
    return replace(fact, wording={**fact.wording, "inverted": inverted})
