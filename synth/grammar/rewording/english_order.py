"""The parts of an English question in another order: active and passive, a date at the beginning."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from synth.grammar.english.lexicon import word_set
from synth.grammar.rewording.english_forms import conjugated
from synth.grammar.styles.verbs import is_base

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token

_NO_PASSIVE = word_set(
    "agree appear approach arrive attend be become begin belong bring call change climb come consist contain cost "
    "cross die differ do earn enjoy enter equal escape exceed exist expect experience face fail fit flow follow "
    "gain get give go grow happen have help hope inherit join know lack last learn leave let lie like live look "
    "lose make marry mean meet miss near need number occur own pass play prefer quit reach receive refer rely "
    "remain resemble rise run say see seem serve set show sit sound spend stand start stay stop study suffer "
    "suggest suit survive take tell tend total try turn undergo understand visit wait want watch weigh win wish "
    "work"
)
_MOST_IN_PHRASE = 6
_DATED = re.compile(
    r"^(?P<asks>(?:What|Which|How many|What number|Who(?= did))\b.+?) (?P<when>(?:in|on|since|during) "
    r"(?:the )?(?:\d{1,2} )?(?:[A-Z][a-z]+ )?(?:\d{1,2}, )?\d{3,4}s?)\?$"
)
_AUXILIARIES = re.compile(r"\b(?:did|does|do|was|were|is|are|has|have|had)\b")


def other_orders(doc: Doc) -> Iterator[str]:
    """The question of a parse in other orders, the more usual first."""
    for made in (_active(doc), _passive(doc), _date_first(doc)):
        if made:
            yield made


def _date_first(doc: Doc) -> str | None:
    match = _DATED.match(doc.text)
    if match is None or not _AUXILIARIES.search(match["asks"]) or "," in match["asks"]:
        return None
    when, asks = match["when"], match["asks"]
    return f"{when[0].upper()}{when[1:]}, {asks[0].lower()}{asks[1:]}?"


def _clause(doc: Doc) -> tuple[Token, Token, Token] | None:
    """The auxiliary, the subject and the verb of "… did the bridge open …", where the parse is sure of them."""
    did = next((token for token in doc[1:6] if token.lower_ in ("did", "does", "do") and token.dep_ == "aux"), None)
    if did is None:
        return None
    verb = did.head
    subjects = [child for child in verb.children if child.dep_ == "nsubj"]
    sure = verb.tag_ == "VB" and is_base(verb.lower_) and len(subjects) == 1 and not verb.n_rights > 6
    if not sure or verb.lower_ in _NO_PASSIVE or any(c.dep_ in _ENTANGLED for c in verb.children):
        return None
    subject = subjects[0]
    start, end = subject.left_edge.i, subject.right_edge.i
    whole = start == did.i + 1 and end == verb.i - 1 and end - start < _MOST_IN_PHRASE
    return (did, subject, verb) if whole and subject.pos_ != "PRON" else None


_ENTANGLED = word_set("xcomp ccomp prt oprd dative neg conj advcl acomp agent auxpass nsubjpass")


def _passive(doc: Doc) -> str | None:
    """ "What was opened by the council in 1999?" for "What did the council open in 1999?", and with "when"."""
    found = _clause(doc)
    if found is None:
        return None
    did, _, verb = found
    subject = _text(doc, did.i + 1, verb.i)
    done = conjugated(verb.lower_, "VBN")
    rest = doc[verb.i + 1 : len(doc) - 1]
    opening = _text(doc, 0, did.i)
    if opening == "What":
        if any(child.dep_ in ("dobj", "advmod") and child.i > verb.i for child in verb.children) or _hangs(rest):
            return None
        be = "was" if did.lower_ == "did" else "is"
        return f"What {be} {done} by {subject}{_after(rest)}?"
    return _passive_of_time(doc, did, verb, done) if did.lower_ == "did" else None


def _passive_of_time(doc: Doc, did: Token, verb: Token, done: str) -> str | None:
    opening = _text(doc, 0, did.i)
    thing = next((child for child in verb.children if child.dep_ == "dobj"), None)
    if not re.match(r"When$|(?:In|On) (?:what|which) (?:year|date|month)", opening) or thing is None:
        return None
    start, end = thing.left_edge.i, thing.right_edge.i
    owned = any(token.tag_ == "PRP$" for token in doc[did.i + 1 : end + 1])
    if start != verb.i + 1 or end - start >= _MOST_IN_PHRASE or owned or thing.pos_ == "PRON":
        return None
    bare = start == end and thing.pos_ == "NOUN"
    rest = doc[end + 1 : len(doc) - 1]
    if bare or _hangs(rest):
        return None
    many = thing.tag_ in ("NNS", "NNPS") or any(child.dep_ == "conj" for child in thing.children)
    be = "were" if many else "was"
    subject = _text(doc, did.i + 1, verb.i)
    return f"{opening} {be} {_text(doc, start, end + 1)} {done} by {subject}{_after(rest)}?"


def _active(doc: Doc) -> str | None:
    """ "When did the storm hit the town?" for "When was the town hit by the storm?"."""
    was = next((token for token in doc[1:6] if token.lower_ in ("was", "were") and token.dep_ == "auxpass"), None)
    if was is None or not re.match(r"When$|(?:In|On) (?:what|which) (?:year|date|month)", _text(doc, 0, was.i)):
        return None
    verb = was.head
    agent = next((child for child in verb.children if child.dep_ == "agent"), None)
    doer = next((child for child in agent.children if child.dep_ == "pobj"), None) if agent else None
    if agent is None or doer is None or agent.i != verb.i + 1 or doer.tag_ == "VBG" or not is_base(verb.lemma_):
        return None
    if any(child.dep_ in _ENTANGLED - {"agent", "auxpass", "nsubjpass"} for child in verb.children):
        return None
    if any(child.dep_ == "advmod" and child.i > was.i for child in verb.children):
        return None
    end = doer.right_edge.i + 1
    thing, rest = _text(doc, was.i + 1, verb.i), doc[end : len(doc) - 1]
    if _hangs(rest) or doer.left_edge.i != agent.i + 1:
        return None
    doing = _text(doc, agent.i + 1, end)
    return f"{_text(doc, 0, was.i)} did {doing} {verb.lemma_} {thing}{_after(rest)}?"


def _hangs(rest: Span) -> bool:
    """Whether what follows is no phrase of its own: it begins with no preposition, or ends with one."""
    if not len(rest):
        return False
    opens = rest[0].tag_ == "IN" and rest[0].lower_ not in ("by", "that", "as", "than", "if", "of", "whether")
    return (
        not (opens or rest[0].lower_ == "to") or rest[-1].tag_ in ("IN", "TO", "RP") or rest[-1].lower_ in ("do", "of")
    )


def _text(doc: Doc, start: int, end: int) -> str:
    return str(doc[start:end].text)


def _after(rest: Span) -> str:
    return f" {rest.text}" if len(rest) else ""
