"""Questions about when: the time of one event, the years between two, and which of them came first."""

from __future__ import annotations

import re

from synth.grammar.compositions import Choice
from synth.grammar.english.composing_words import (
    Clause,
    base_verb,
    clause,
    doing,
    is_plural,
    joined,
    pronoun,
    question,
    same,
)
from synth.grammar.english.lexicon import TYPE_NOUNS, word_set
from synth.records import Fact, Term
from synth.text.dates import Date, read_date

_STATES = word_set(
    "have live know include contain consist own employ exist stand hold remain stay belong lie cover serve last mean "
    "work wear speak depend number reside range vary want need like love hate continue maintain comprise feature run "
    "operate rule reign govern play teach use wreck occur measure weigh cost"
)
_STATIVE_PASSIVES = re.compile(
    r"be (?:used|known|called|located|situated|based|made|named|considered|regarded|associated|related|found|seen|"
    r"played|held|surrounded|inhabited|occupied|owned|ruled|governed|run|operated|served|needed|required|believed|"
    r"married|involved|interested)\b"
)
_TITLED = re.compile(r"the (?:\w+ )?(?:\w+(?:ist|ian|eer|er|or)|king|queen|poet|architect|monk|bishop) [A-Z]")
_APPROXIMATE = re.compile(r"\b(?:about|around|circa|c\.|ca\.|approximately|roughly|early|late|mid)\b", re.I)
_KINDS = TYPE_NOUNS | word_set(
    "lighthouse film album song book novel play opera building tank ship boat railway line club magazine serial "
    "ferry gallery"
)
_EVENT_NOUNS = {
    "be built": "construction", "be constructed": "construction", "be completed": "completion",
    "be opened": "opening", "open": "opening", "be founded": "founding", "be established": "establishment",
    "be created": "creation", "be destroyed": "destruction", "be demolished": "demolition",
    "be discovered": "discovery", "be invented": "invention", "be published": "publication",
    "be released": "release", "be abolished": "abolition", "be captured": "capture", "be automated": "automation",
    "be launched": "launch", "be introduced": "introduction", "be restored": "restoration",
    "be renovated": "renovation", "be closed": "closure", "be dissolved": "dissolution",
    "be born": "birth", "die": "death", "begin": "beginning",
}  # fmt: skip
_LIFE = ("be born", "die")
_MANY = ("many ", "some ", "several ", "various ", "numerous ", "more ", "most ", "few ")
_MADE = word_set("elected appointed named crowned given awarded granted declared ordained renamed proclaimed")
_PERSONAL = word_set(
    "leave join marry move retire graduate study die write direct resign return travel visit be emigrate"
)
_BOUNDS = word_set(
    "begin start build found create complete design open die close end establish construct finish launch"
)
_BOUNDS_PASSIVE = word_set(
    "begun started built founded created completed designed opened born closed ended established constructed finished "
    "launched lit automated demolished destroyed dissolved abolished buried"
)


def when(fact: Fact) -> str | None:
    """ "When was the Skerryvore Lighthouse automated?" """
    found = event(fact)
    return question("when", found.asked) if found else None


def interval(earlier: Fact, later: Fact) -> str | None:
    """ "How many years after Parliament created the Board was Kinnaird Head lit?" """
    first, second = event(earlier), event(later)
    if first is None or second is None or _vague(earlier) or _vague(later) or same(first.told, second.told):
        return None
    if _half_named(first.subject, second.subject):
        return None
    if same(first.subject, second.subject):
        if earlier.relation.startswith("be born"):
            return _age(earlier, later, second)
        return _of_one_subject(first, second)
    return question("how many years after", *_linked(first, second))


def _linked(first: Clause, second: Clause) -> tuple[str, str]:
    """The one told and the other asked, with "it" where the second names again what only one thing in the first is."""
    word = pronoun(first.fact.subject)
    thing = second.fact.object
    if word and thing and same(thing.text, first.subject) and second.rest.count(thing.text) == 1:
        return first.told, second.asked.replace(thing.text, _object_form(word))
    thing, word = first.fact.object, pronoun(second.fact.subject)
    if word and thing and same(thing.text, second.subject) and _no_it(first.fact.subject):
        return first.told, joined(second.lead, word, second.rest, second.place)
    return first.told, second.asked


def _no_it(term: Term) -> bool:
    """Whether nobody would take "it" for what a term names: a person, or "a fire" that is over."""
    return term.kind == "person" or term.text.startswith(("a ", "an ")) or _TITLED.match(term.text) is not None


def _object_form(word: str) -> str:
    return "them" if word == "they" else word


def first(a: Fact, b: Fact) -> Choice | None:
    """ "Which lighthouse was automated first, X or Y?"; "Which happened first, X opening or Y being built?" """
    one, other = event(a), event(b)
    if one is None or other is None or _vague(a) or _vague(b) or same(one.told, other.told):
        return None
    if _half_named(one.subject, other.subject):
        return None
    return _which(one, other) or _nouns(one, other) or _happened(one, other)


def _half_named(a: str, b: str) -> bool:
    """Whether one of two subjects is a part of the other's name: "Brun" beside "Ida Brun"."""
    short, long = sorted((a, b), key=len)
    return a != b and not short.startswith("the ") and f" {short} " in f" {long} "


def event(fact: Fact) -> Clause | None:
    """The words of a fact that tells of one event of the past; None for a state, a habit, or what did not happen."""
    if fact.negated or fact.modal or any(q.kind == "condition" for q in fact.qualifiers):
        return None
    times = [q.text for q in fact.qualifiers if q.kind == "time"]
    dates = [text for text in times if isinstance(read_date(text, "en"), Date)]
    if len(dates) != 1 or any(" " not in text for text in times if text not in dates):
        return None
    verb = base_verb(fact)
    found = clause(fact)
    if found is not None and " " not in found.subject and fact.subject.kind == "name" and verb in _PERSONAL:
        return None  # a last name alone
    if found is None or verb in _STATES or _STATIVE_PASSIVES.match(fact.relation):
        return None
    if verb == "be" and (fact.relation == "be" or fact.relation.split(" ")[1] in ("in", "on", "at")):
        return None
    found = _simple_past(found) if _sound(found) else None
    if found is None or re.search(rf"\b{re.escape(_bare(dates[0]))}\b", found.told):
        return None
    certain = re.search(r"[A-Z\d_]", found.told)
    return found if certain and found.lead in ("was", "were", "did") else None


def _sound(found: Clause) -> bool:
    """Whether the object is a thing that one event is done to, and a passive has none but what somebody was made."""
    fact, thing = found.fact, found.fact.object
    if found.lead in ("was", "were") and found.subject.startswith(("a ", "an ")):
        return False  # a bridge of many
    if thing is not None and re.fullmatch(r"an? [a-zA-Z-]+", thing.text) and fact.relation.count(" ") == 0:
        return False  # "signed a treaty"
    if thing is None:
        return True
    if thing.text.lower().startswith(_MANY):
        return False
    passive = found.lead in ("was", "were") or (found.lead == "had" and found.rest.startswith("been "))
    if passive and len(fact.relation.split(" ")) == 2 and not isinstance(read_date(thing.text, "en"), Date):
        return fact.relation.split(" ")[1] in _MADE
    return True


def _bare(date: str) -> str:
    return re.sub(r"^(?:in|on|during|about|around|at) ", "", date)


def _simple_past(found: Clause) -> Clause | None:
    """ "had been captured" told on its own is "was captured"."""
    if found.lead != "had":
        return found
    if not found.rest.startswith("been ") or not found.says.startswith("had been "):
        return None
    verb = "were" if is_plural(found.fact.subject) else "was"
    rest = found.rest.removeprefix("been ")
    return Clause(found.fact, verb, found.subject, rest, f"{verb} {rest}", found.place)


def _date(fact: Fact) -> Date | None:
    for one in fact.qualifiers:
        value = read_date(one.text, "en") if one.kind == "time" else None
        if isinstance(value, Date):
            return value
    return None


def _vague(fact: Fact) -> bool:
    """Whether the date of an event is only about right."""
    return any(_APPROXIMATE.search(q.text) for q in fact.qualifiers if q.kind == "time")


def _age(birth: Fact, later: Fact, second: Clause) -> str | None:
    """The age of a person, where birthdays are known: years alone leave two ages possible."""
    dates = (_date(birth), _date(later))
    if birth.subject.kind != "person" or any(date is None or date.month is None for date in dates):
        return None
    born, then = dates
    assert born is not None
    assert then is not None
    if born.month == then.month and (born.day is None or then.day is None):
        return None
    return question("how many years did", second.subject, "live") if base_verb(later) == "die" else None


def _of_one_subject(first: Clause, second: Clause) -> str | None:
    """ "... after the Kell Tower was lit was it automated?", "... after joining the Board did Ida Brun die?" """
    if first.fact.relation.startswith(_LIFE):
        return None
    word = pronoun(first.fact.subject)
    if word:
        return question("how many years after", first.told, second.lead, word, second.rest, second.place)
    start = doing(first)
    return question("how many years after", start, second.asked) if start else None


def _which(one: Clause, other: Clause) -> Choice | None:
    """Two subjects of which the same is said, or two objects with which one subject does the same."""
    if one.subject == other.subject:
        return _which_object(one, other)
    life = next((verb for verb in _LIFE if one.fact.relation.startswith(verb)), None)
    if one.fact.relation.split(" ")[:2] != other.fact.relation.split(" ")[:2] and not (
        life and other.fact.relation.startswith(life)
    ):
        return None
    if life:
        says = "was born" if life == "be born" else "died"
    elif same(one.says, other.says) and one.place == other.place:
        says = joined(one.says, one.place)
    else:
        return None
    asked = question(_asked_for(one.fact, other.fact), says, "first,", one.subject, "or", other.subject)
    return Choice(question=asked, options=(one.subject, other.subject)) if asked else None


def _asked_for(a: Fact, b: Fact) -> str:
    if a.subject.kind == b.subject.kind == "person":
        return "who"
    head = a.subject.head.lower()
    return f"which {head}" if head == b.subject.head.lower() and head in _KINDS else "which"


def _which_object(one: Clause, other: Clause) -> Choice | None:
    a, b = one.fact.object, other.fact.object
    if not a or not b or one.fact.relation != other.fact.relation or a.kind == "person" or "person" in (b.kind,):
        return None
    rests = one.without(a.text), other.without(b.text)
    if rests[0] is None or rests[1] is None or not same(rests[0], rests[1]) or one.lead != other.lead:
        return None
    kind = a.head.lower() if a.head.lower() == b.head.lower() and a.head.lower() in _KINDS else ""
    asked = question("which", kind, one.lead, one.subject, rests[0], "first,", a.text, "or", b.text)
    return Choice(question=asked, options=(a.text, b.text)) if asked and _lists_well(a.text, b.text) else None


def _lists_well(*options: str) -> bool:
    return not any(re.search(r", | or | and ", option) for option in options)


def _nouns(one: Clause, other: Clause) -> Choice | None:
    """ "Which came first, the construction of X or the death of Y?" """
    options = [_event_noun(found) for found in (one, other)]
    if options[0] is None or options[1] is None or one.subject == other.subject:
        return None
    asked = question("which came first,", options[0], "or", options[1])
    return Choice(question=asked, options=(options[0], options[1])) if asked else None


def _event_noun(found: Clause) -> str | None:
    relation = re.sub(r" (?:in|on)$", "", found.fact.relation)
    bare = {"was", "were", *relation.split(" ")}
    if (
        relation not in _EVENT_NOUNS
        or found.place
        or len(found.rest.split()) > 1
        or found.rest in bare - set(relation.split(" "))
    ):
        return None
    if re.search(r"\b(?:that|which|who)\b", found.subject):
        return None
    return f"the {_EVENT_NOUNS[relation]} of {found.subject}"


def _happened(one: Clause, other: Clause) -> Choice | None:
    """ "Which happened first, X opening or Y being lit?"; "Which did X do first, join the Board or build Y?" """
    if _bounds(one, other) or _bounds(other, one):
        return None
    if one.subject == other.subject:
        if one.lead != "did" or other.lead != "did" or one.fact.subject.kind != "person":
            return None
        deeds = joined(one.rest, one.place), joined(other.rest, other.place)
        asked = question("which did", one.subject, "do first,", deeds[0], "or", deeds[1])
        return Choice(question=asked, options=deeds) if asked else None
    done = doing(one), doing(other)
    if done[0] is None or done[1] is None:
        return None
    events = joined(one.subject, done[0]), joined(other.subject, done[1])
    asked = question("which happened first,", events[0], "or", events[1])
    return Choice(question=asked, options=events) if asked else None


def _bounds(one: Clause, other: Clause) -> bool:
    """Whether one event is the start or the end of something that the other tells of: anybody can put them in order."""
    verb = one.fact.relation.split(" ")[1] if base_verb(one.fact) == "be" and " " in one.fact.relation else ""
    if base_verb(one.fact) not in _BOUNDS and verb not in _BOUNDS_PASSIVE:
        return False
    return any(term and term.text in other.told for term in (one.fact.subject, one.fact.object))
