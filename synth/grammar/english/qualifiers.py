"""What a part of a clause does in a fact: it qualifies it in one of seven ways, stays with the verb, or may go."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.grammar.english.clauses import Part
from synth.grammar.english.lexicon import DROPPED_ADVERBS, FREQUENCIES, word_set
from synth.grammar.english.loose_clauses import limiting
from synth.grammar.english.phrases import Unsure, lean, unresolved
from synth.grammar.english.proposals import Stated, is_purpose
from synth.grammar.english.terms import alone

if TYPE_CHECKING:
    from spacy.tokens import Token

_HERE = word_set("here there above below again together")
_THIS = word_set("this that these those such some many most other")
KEPT, DROPPED = "kept", "dropped"
_TIME_PREPOSITIONS = word_set(
    "in on since during by until till before after from around at between throughout for within"
)
_EVENTS = word_set("during after before since until throughout")
_HAPPENINGS = word_set(
    "war battle revolution reign death birth marriage independence election conquest invasion period era age accident "
    "siege fire storm earthquake flood treaty coronation retirement graduation arrival defeat victory"
)
_COMPLEX = word_set(
    "conjunction addition accordance contrast response charge spite regard terms relation line favor favour case"
)
_PLACE_PREPOSITIONS = word_set("in at near off outside inside within around along across")
_PLACES = ("GPE", "LOC", "FAC")
_AMOUNTS = ("QUANTITY", "PERCENT", "MONEY", "CARDINAL")
_MONTH = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November|December|Monday|Tuesday|Wednesday|"
    r"Thursday|Friday|Saturday|Sunday)\b"
)
_RELATIVE = re.compile(
    r"\b(ago|later|earlier|next|that|this|age|aged|same|following|previous|former|then|rest|beginning|end|start|time|"
    r"moment|day|days|year|weeks?|months?|morning|evening|night|hours?)\b",
    re.I,
)
_DURATION = re.compile(
    r"\d|\b(two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty|fifty|hundred)\b", re.I
)
_CONDITIONS = word_set("if unless when whenever once until provided")
_CONCESSIONS = word_set("although though while whereas despite unlike besides")
_RESULTS = word_set("form become find create produce make reach reveal return be see discover give win lose")
_DIRECTING = word_set("set configure tell ask force program require cause order instruct teach help lead")
_EXPLAINING = (("because", "of"), ("due", "to"), ("owing", "to"), ("thanks", "to"))
_ORIGINAL = word_set("originally initially formerly previously")
_HEDGES = word_set(
    "putatively arguably theoretically hypothetically potentially ostensibly "
    "only probably possibly perhaps likely apparently reportedly allegedly supposedly presumably maybe nearly almost "
    "hardly barely not never no seldom less more most least as so too enough even longer yet now still today"
)
_EXTENTS = word_set("mainly mostly largely partly partially primarily chiefly predominantly approximately roughly")
_LINKS = re.compile(
    r"^(in (fact|addition|particular|general|practice|turn|contrast|short|summary|theory)|of course|by contrast|"
    r"on the other hand|at the same time|as well|as such|for (you|us|them))$"
)
_REFUSED = word_set("according instead than like rather except as out regardless depending such per versus unlike")


@dataclass(frozen=True, slots=True)
class Role:
    """What a part does: `kind` is that of a qualifier, or KEPT or DROPPED; `tokens` are its words, `head` its noun."""

    kind: str
    tokens: tuple[Token, ...]
    head: Token

    @property
    def start(self) -> int:
        return self.tokens[0].i if self.tokens else self.head.i


def role(stated: Stated, part: Part, *, opens: bool = False, gentle: bool = False) -> Role:
    """The role of a part before the subject (`opens`) or after the verb. Raises Unsure when there is a doubt.

    A `gentle` reading drops a doubtful part that commas set off and that limits nothing.
    """
    if gentle and part.dep == "xcomp" and is_purpose(part) and stated.clause.verb.lemma_ == "use":
        return _known(stated, "purpose", part.tokens, part.head)
    try:
        return _role(stated, part, opens=opens)
    except Unsure:
        if not gentle or limiting(part.tokens) or _placing(part.tokens):
            raise
        doc = part.head.doc
        apart = doc[part.end : part.end + 1].text == "," if opens else doc[part.start - 1].text == ","
        if not apart or part.dep not in ("prep", "advcl", "npadvmod", "advmod"):
            raise
        return Role(DROPPED, (), part.head)


def _placing(tokens: list[Token]) -> bool:
    """Whether a part holds a number, or points to what stands elsewhere, so that it must not be left out."""
    if any(token.like_num or token.text[:1].isdigit() or token.lower_ in _HERE for token in tokens):
        return True
    return len(tokens) > 1 and tokens[0].lower_ not in ("after", "before", "since") and tokens[1].lower_ in _THIS


def _role(stated: Stated, part: Part, *, opens: bool) -> Role:
    words = part.tokens
    plain = " ".join(token.lower_ for token in words)
    set_off = opens or words[0].doc[part.start - 1].text == ","
    if _LINKS.match(plain) or not lean(words):
        return Role(DROPPED, (), part.head)
    if part.dep == "advcl" and (words[-1].lower_ == "to" or plain == "if you check"):
        raise Unsure
    if plain == "by default":
        return Role("condition", tuple(words), words[1])
    if part.dep == "advmod":
        return _adverb(part)
    if part.dep in ("advcl", "xcomp"):
        return _clause(stated, part, set_off=set_off)
    if part.dep == "npadvmod":
        return _bare(stated, part, set_off=set_off)
    if part.dep in ("prep", "agent", "dative"):
        return _prepositional(stated, part, opens=opens, set_off=set_off)
    raise Unsure


def _adverb(part: Part) -> Role:
    words = lean(part.tokens)
    word = part.head.lower_
    if len(words) > 1 or not words:
        raise Unsure
    if word in FREQUENCIES:
        return Role("time", tuple(words), part.head)
    if word in _EXTENTS:
        return Role("manner", tuple(words), part.head)
    if word in _HEDGES:
        if word in ("even", "still", "too"):
            return Role(DROPPED, (), part.head)
        raise Unsure
    if word in _ORIGINAL:
        return Role("time", tuple(words), part.head)
    if word in DROPPED_ADVERBS:
        return Role(DROPPED, (), part.head)
    if word in ("alternatively", "optionally", "additionally", "literally", "simply", "conveniently"):
        return Role(DROPPED, (), part.head)
    if word.endswith("ly") and word not in ("early", "daily"):
        return Role("manner", tuple(words), part.head)
    if word in ("together", "well", "fast", "alone", "directly"):
        return Role("manner", tuple(words), part.head)
    raise Unsure


def _clause(stated: Stated, part: Part, *, set_off: bool) -> Role:
    words = part.tokens
    while words and words[0].lower_ in ("especially", "particularly", "even"):
        if words[1:2] and words[1].lower_ in _CONDITIONS:
            return Role(DROPPED, (), part.head)
        words = words[1:]
    first = [token.lower_ for token in words[:3]] + ["", "", ""]
    present = not _past(stated)
    if part.dep == "xcomp" and not (stated.clause.verb.lower_ == "used" and stated.clause.passive):
        raise Unsure
    if is_purpose(part):
        if stated.clause.verb.lemma_ in _DIRECTING and part.start > stated.clause.verb.i:
            raise Unsure
        if part.head.lemma_ in _RESULTS or (set_off and part.start > stated.clause.verb.i):
            raise Unsure
        return _known(stated, "purpose", words, part.head)
    if first[:2] == ["so", "that"]:
        return _known(stated, "purpose", words, part.head) if present else Role(DROPPED, (), part.head)
    if first[0] == "because" or (first[0] in ("as", "since") and _explains(part)):
        return _known(stated, "reason", words, part.head)
    if first[0] == "only" and first[1] in _CONDITIONS:
        return _known(stated, "condition", words, part.head)
    if first[0] in _CONDITIONS or first[:3] == ["as", "long", "as"] or first[:2] == ["in", "case"]:
        kind = "condition" if present or first[0] in ("unless", "until") else "time"
        if first[0] in ("if", "unless", "provided") and not present:
            raise Unsure
        return _known(stated, kind, words, part.head)
    if first[0] in ("before", "after", "since"):
        return _known(stated, "time", words, part.head)
    if first[0] == "using":
        return _known(stated, "manner", words, part.head)
    if first[0] in _CONCESSIONS:
        return Role(DROPPED, (), part.head)
    if set_off and part.head.tag_ in ("VBG", "VBN") and first[0] == part.head.lower_:
        return Role(DROPPED, (), part.head)
    raise Unsure


def _known(stated: Stated, kind: str, tokens: list[Token], head: Token) -> Role:
    """A qualifier that reads alone beside the subject. What does not is left out, but for a condition."""
    words = lean(tokens)
    owner = stated.clause.subject.head if stated.clause.subject else None
    try:
        clausal = kind in ("condition", "reason", "time", "purpose", "manner")
        alone(stated, words[1:], owner=owner, clausal=clausal)
        if kind in ("time", "place") and unresolved(words, stated.code):
            raise Unsure
        return Role(kind, tuple(words), head)
    except Unsure:
        if kind in ("condition", "purpose"):
            raise
        return Role(DROPPED, (), head)


def _bare(stated: Stated, part: Part, *, set_off: bool) -> Role:
    words = lean(part.tokens)
    if words and all(t.ent_type_ in ("DATE", "TIME") or t.is_punct for t in words) and part.head.pos_ != "NUM":
        return _dated(stated, words, part.head)
    if not set_off and part.head.ent_type_ in _AMOUNTS and any(t.like_num for t in words):
        return _known(stated, "quantity", words, part.head)
    raise Unsure


def _prepositional(stated: Stated, part: Part, *, opens: bool, set_off: bool) -> Role:
    words = part.tokens
    first, second = words[0].lower_, words[1].lower_ if len(words) > 1 else ""
    if (first, second) in _EXPLAINING:
        return _known(stated, "reason", words, part.head)
    gerund = next((c for c in part.head.children if c.dep_ == "pcomp" and c.tag_ == "VBG"), None)
    if first in ("by", "through") and gerund is not None:
        return _known(stated, "manner", words, gerund)
    if first == "for" and gerund is not None and stated.clause.verb.lower_ in ("used", "designed", "needed"):
        return _known(stated, "purpose", words, gerund)
    if first in ("before", "after", "since") and gerund is not None:
        return _known(stated, "time", words, gerund)
    if first == "using":
        return _known(stated, "manner", words, part.head)
    if first == "including" or (first in _CONCESSIONS and set_off):
        return Role(DROPPED, (), part.head)
    thing = next((c for c in part.head.children if c.dep_ == "pobj"), None)
    if first in ("without", "except"):
        return _known(stated, "condition", words, thing or gerund or part.head)
    if thing is None or first in _REFUSED:
        raise Unsure
    return _with_thing(stated, part, thing, opens=opens, set_off=set_off)


def _with_thing(stated: Stated, part: Part, thing: Token, *, opens: bool, set_off: bool) -> Role:
    words = lean(part.tokens)
    first = words[0].lower_
    if first in _TIME_PREPOSITIONS and is_time(thing):
        return _dated(stated, words, thing)
    if first == "during" or (first in _EVENTS and (thing.ent_type_ == "EVENT" or thing.lemma_.lower() in _HAPPENINGS)):
        return _known(stated, "time", words, thing)
    if thing.lemma_.lower() in _COMPLEX:
        raise Unsure
    if first in _PLACE_PREPOSITIONS and is_place(stated, thing) and thing.lemma_.lower() not in _HAPPENINGS:
        return _known(stated, "place", words, thing)
    if (
        thing.ent_type_ in ("QUANTITY", "PERCENT", "MONEY")
        and first in ("by", "at")
        and _DURATION.search(part.head.doc[part.start : part.end].text)
    ):
        return _known(stated, "quantity", words, thing)
    if opens:
        raise Unsure
    if set_off:
        return Role(DROPPED, (), part.head)
    owner = stated.clause.subject.head if stated.clause.subject else None
    alone(stated, words[1:], owner=owner)
    return Role(KEPT, tuple(words), thing)


def is_time(head: Token) -> bool:
    """Whether a noun is (part of) a date, a time or a span of time."""
    return head.ent_type_ in ("DATE", "TIME") or head.lemma_.lower() in ("century", "decade")


def is_place(stated: Stated, head: Token) -> bool:
    """Whether a noun surely names a place."""
    return (
        head.pos_ == "PROPN" and head.ent_type_ in _PLACES and head.i not in stated.code and not stated.page.addressed
    )


def _dated(stated: Stated, words: list[Token], head: Token) -> Role:
    """A time, unless only the text around says which: "in March", "two years later", "on that day"."""
    if any(t.dep_ == "conj" and t.ent_type_ not in ("DATE", "TIME") for t in words):
        raise Unsure
    text = " ".join(token.text for token in words)
    year = re.search(r"\d{3,4}|century|BC|AD", text)
    lasting = words[0].lower_ in ("for", "within", "every") and _DURATION.search(text)
    if not lasting and (not year and (_MONTH.search(text) or _RELATIVE.search(text) or re.search(r"\d", text))):
        return Role(DROPPED, (), head)
    return _known(stated, "time", words, head)


def _explains(part: Part) -> bool:
    """Whether "as" or "since" gives a reason, not a time."""
    if part.tokens[1].lower_ == "you":
        return False
    finite = [t for t in (part.head, *part.head.children) if t.tag_ in ("VBZ", "VBP") and t.i <= part.head.i]
    if any(c.dep_.startswith("nsubj") and c.i > part.head.i for c in part.head.children):
        return False
    return (
        bool(finite) and part.tokens[0].dep_ == "mark" and any(c.dep_.startswith("nsubj") for c in part.head.children)
    )


def _past(stated: Stated) -> bool:
    """Whether the clause tells of the past, so that "when" gives a time and not a condition."""
    clause = stated.clause
    first = clause.auxiliaries[0] if clause.auxiliaries else clause.verb
    return first.tag_ == "VBD" or first.lower_ in ("was", "were", "had", "did", "could")
