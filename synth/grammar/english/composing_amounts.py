"""Questions about amounts: how much, which is more, and by how much."""

from __future__ import annotations

import re
from dataclasses import dataclass

from synth.grammar.compositions import Choice
from synth.grammar.english.composing_words import Clause, base_verb, clause, joined, question, same
from synth.grammar.english.lexicon import TYPE_NOUNS, word_set
from synth.records import Fact
from synth.text.amounts import one_noun
from synth.text.quantities import Quantity, read_quantity

_DEGREES = {
    "tall": "taller", "long": "longer", "high": "higher", "deep": "deeper", "wide": "wider", "thick": "thicker",
    "old": "older", "heavy": "heavier", "large": "larger", "big": "bigger", "far": "farther",
}  # fmt: skip
_MEASURES = {
    "population": "larger", "area": "larger", "length": "greater", "height": "greater", "width": "greater",
    "depth": "greater", "weight": "greater", "capacity": "larger", "speed": "higher", "price": "higher",
    "cost": "higher", "limit": "higher", "size": "larger", "budget": "larger", "number": "larger",
    "timeout": "longer", "duration": "longer", "distance": "greater", "elevation": "higher", "range": "greater",
}  # fmt: skip
_VERBS = {"take": "longer", "last": "longer", "cost": "more", "weigh": "more"}
_HOW = {"take": "how long", "last": "how long", "cost": "how much", "weigh": "how much"}
_KINDS = TYPE_NOUNS | word_set("lighthouse crossing boat ship tank building ferry landing film")
_PROPERTY = re.compile(r"^the (?P<noun>number of [a-z][\w -]*?|(?:[a-z]+ )?[a-z]+) of (?P<owner>.+)$")
_MANY = re.compile(r"number of (?P<what>.+)")
_HAVE = {"is": "does", "are": "do", "was": "did", "were": "did"}
_LOOSE = re.compile(r"(?:^|\s)(?:more|extra|further|additional|other|most|least)\b")


@dataclass(frozen=True, slots=True)
class _Amount:
    """A fact that gives an amount: what is counted (`noun`), what follows it, and the clause with a gap for it."""

    clause: Clause
    value: Quantity
    noun: str
    after: str
    gap: str

    @property
    def when(self) -> str:
        return next((q.text for q in self.clause.fact.qualifiers if q.kind == "time"), "")


def amount(fact: Fact) -> str | None:
    """ "How tall is the Bell Rock Lighthouse?" """
    found = _clause(fact)
    if found is None:
        return None
    degree = _degree(found)
    if degree:
        return question("how", degree, found.lead, found.subject)
    owned = _measure(found)
    if owned:
        return _how_many_of(found, *owned) or question("what", found.lead, found.subject)
    if base_verb(fact) in _VERBS:
        counted = _counted(found)
        return question(_HOW[base_verb(fact)], found.lead, found.subject, counted.gap) if counted else None
    counted = _counted(found)
    if counted is None:
        return None
    return question("how many", counted.noun, counted.after, found.lead, found.subject, counted.gap, counted.when)


def more(a: Fact, b: Fact) -> Choice | None:
    """ "Which lighthouse is taller, X or Y?", "Which has the larger population, X or Y?" """
    one, other = _clause(a), _clause(b)
    if one is None or other is None or same(one.subject, other.subject) or one.lead != other.lead:
        return None
    measured, owner = _measure(one), _measure(other)
    if measured and owner:
        return _more_of(one, measured, owner)
    asked = _more(one, other)
    return Choice(question=asked, options=(one.subject, other.subject)) if asked else None


def _more_of(one: Clause, measured: tuple[str, str], owner: tuple[str, str]) -> Choice | None:
    if measured[0] != owner[0] or one.lead not in _HAVE:
        return None
    verb = {"is": "has", "are": "have"}.get(one.lead, "had")
    many = _MANY.match(measured[0])
    what = f"more {many['what']}," if many else f"the {_greater(measured[0])} {measured[0]},"
    asked = question("which", verb, what, measured[1], "or", owner[1])
    return Choice(question=asked, options=(measured[1], owner[1])) if asked else None


def difference(greater: Fact, less: Fact) -> str | None:
    """ "How much taller is X than Y?" """
    one, other = _clause(greater), _clause(less)
    if one is None or other is None or one.lead != other.lead:
        return None
    if same(one.subject, other.subject):
        return _in_time(one, other)
    degree = _degree(one)
    if degree and degree == _degree(other):
        return question("how much", _DEGREES[degree], one.lead, one.subject, "than", other.subject)
    measured, owner = _measure(one), _measure(other)
    if measured and owner and measured[0] == owner[0]:
        many = _MANY.match(measured[0])
        if many:
            return question("how many more", many["what"], _HAVE[one.lead], measured[1], "have than", owner[1])
        return question("how much", _greater(measured[0]), one.lead, one.subject, "than", f"that of {owner[1]}")
    verb = base_verb(greater)
    counted, against = _counted(one), _counted(other)
    if not _alike(counted, against):
        return None
    assert counted is not None
    if verb in _VERBS:
        return question("how much", _VERBS[verb], one.lead, one.subject, counted.gap, "than", other.subject)
    return question("how many more", counted.noun, one.lead, one.subject, counted.gap, "than", other.subject)


def _in_time(one: Clause, other: Clause) -> str | None:
    """ "How many more officers did the ministry employ in 2009 than in 2005?" """
    counted, against = _counted(one), _counted(other)
    if not _alike(counted, against) or counted is None or against is None or not counted.when or not against.when:
        return None
    if same(counted.when, against.when):
        return None
    rest = joined(counted.gap, counted.when, "than", against.when)
    return question("how many more", counted.noun, one.lead, one.subject, rest)


def _clause(fact: Fact) -> Clause | None:
    """The words of a fact that gives one amount and says it of something named."""
    if fact.negated or fact.modal or sum(q.kind == "quantity" for q in fact.qualifiers) != 1:
        return None
    if any(q.kind in ("condition", "place") for q in fact.qualifiers):
        return None
    found = clause(fact)
    if found is None or found.subject == "you" or found.subject[0].isdigit():
        return None
    return found


def _degree(found: Clause) -> str:
    """ "tall" of "is 35 metres tall"."""
    thing, value = found.fact.object, found.fact.qualifier("quantity")
    if thing is None or value is None or found.fact.relation != "be" or not thing.text.startswith(value.text + " "):
        return ""
    rest = thing.text[len(value.text) + 1 :]
    return rest if rest in _DEGREES and found.rest == thing.text else ""


def _measure(found: Clause) -> tuple[str, str] | None:
    """ "population" and its owner, of "the population of X was 2 million"."""
    thing, value = found.fact.object, found.fact.qualifier("quantity")
    match = _PROPERTY.match(found.subject)
    if thing is None or value is None or match is None or found.fact.relation != "be" or thing.text != value.text:
        return None
    return (match["noun"], match["owner"]) if _greater(match["noun"]) and found.rest == thing.text else None


def _greater(measure: str) -> str:
    """ "higher" for "maximum speed", "" for what is not measured."""
    return _MEASURES.get(measure.split(" of ")[0].split(" ")[-1], "")


def _how_many_of(found: Clause, measure: str, owner: str) -> str | None:
    """ "How many beds does the Elm Hotel have?" for "the number of beds of the Elm Hotel is 24"."""
    many = _MANY.match(measure)
    return question("how many", many["what"], _HAVE[found.lead], owner, "have") if many else None


def _counted(found: Clause) -> _Amount | None:
    """What is counted, where the object begins with its number: "24 candles", "500 men at Fort Venango"."""
    thing, term = found.fact.object, found.fact.qualifier("quantity")
    if thing is None or term is None or base_verb(found.fact) == "be" or not thing.text.startswith(term.text):
        return None
    value = read_quantity(term.text, "en")
    gap = found.without(thing.text)
    if value is None or not value.exact or gap is None:
        return None
    noun = _unit_or_noun(term.text, value)
    after = thing.text[len(term.text) :].strip()
    if not noun or _LOOSE.search(noun) or re.search(r"\b(?:to|and|or|between|from)\b", after):
        return None
    if after.startswith(("every ", "each ", "per ", "a ")):
        gap, after = joined(gap, after), ""
    return _Amount(found, value, noun, after, gap)


def _unit_or_noun(text: str, value: Quantity) -> str:
    """The plural noun that a number counts, as it is written; "" where there is none to ask for."""
    match = re.match(
        r"(?:[\d.,]+|[a-z]+(?:-[a-z]+)?)(?: (?:hundred|thousand|million|billion))? (?P<noun>[^\d$£€%]+)$", text
    )
    if match is None or value.dimension == "money" or value.value == 1:
        return ""
    noun = match["noun"]
    last = noun.split()[-1]
    plural = last.endswith("s") or last in ("people", "men", "women", "children", "feet", "metres")
    return noun if plural and last.isalpha() and not last.isupper() else ""


def _alike(a: _Amount | None, b: _Amount | None) -> bool:
    """Whether two facts count the same with the same words around it."""
    if a is None or b is None:
        return False
    if a.value.unit and b.value.unit:
        return same(a.gap, b.gap) and same(a.after, b.after)
    return one_noun(a.noun) == one_noun(b.noun) and same(a.gap, b.gap) and same(a.after, b.after)


def _more(one: Clause, other: Clause) -> str | None:
    options = (
        joined(one.subject + ",", "or", other.subject) if "," in one.subject else f"{one.subject} or {other.subject}"
    )
    which = _which(one.fact, other.fact)
    degree = _degree(one)
    if degree and degree == _degree(other):
        return question(which, one.lead, _DEGREES[degree] + ",", options)
    verb = base_verb(one.fact)
    counted, against = _counted(one), _counted(other)
    said = one.says.split(" ", 1)[0]
    if not _alike(counted, against) or counted is None or said != other.says.split(" ", 1)[0]:
        return None
    rest = re.sub(rf"^{re.escape(verb)}(?!\w)\s*", "", counted.gap)
    if rest == counted.gap and counted.gap:
        return None
    if verb in _VERBS:
        return question(which, said, joined(_VERBS[verb], rest) + ",", options)
    return question(which, said, "more", joined(counted.noun, counted.after, rest) + ",", options)


def _which(a: Fact, b: Fact) -> str:
    if a.subject.kind == b.subject.kind == "person":
        return "who"
    head = a.subject.head.lower()
    return f"which {head}" if head == b.subject.head.lower() and head in _KINDS else "which"
