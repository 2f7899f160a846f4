"""A thing by what is said of it: "the engineer who designed the Bell Rock Lighthouse", and its place in a question."""

from __future__ import annotations

import re

from synth.grammar.english.composing_words import Clause, base_verb, clause, joined, named, telling
from synth.grammar.english.lexicon import TYPE_NOUNS, word_set
from synth.records import Fact, Term
from synth.text.dates import Date, read_date

_KINDS = TYPE_NOUNS | word_set(
    "lighthouse film album song book novel play opera building tank ship boat ferry line club magazine serial gallery "
    "engineer architect organisation"
)
_PEOPLE = re.compile(
    r"(?:person|[a-z]{2,}(?:ist|ian|er|or|eer)|king|queen|monk|nun|poet|chef|president|painter|scientist|musician|"
    r"actress|judge|general|pilot|politician|lawyer|surgeon|architect|critic|athlete|saint|bishop|pope)$"
)
_NO_PEOPLE = word_set(
    "computer server router parameter container number helper paper order power header folder letter chapter layer "
    "buffer browser compiler loader handler decorator constructor operator error vector factor sensor motor monitor "
    "editor tower river water master center theater quarter member character user filter cluster adapter wrapper "
    "matter counter register printer scanner color tenor mirror floor door harbor sector corridor"
)
_RELATIVE = re.compile(
    r"\b(?:that|which|who|whose|whom|directed|written|built|founded|starring|designed|made|published)\b"
)
_WEAK = word_set("have know include use see do make get become")
_COMMON = word_set(
    "emigrate move study attend play live return travel graduate work sing act come go retire appear serve sit stay"
)
_SCHOOLING = word_set("attend graduate")
_OFFICES = {
    "be directed by": "director", "be produced by": "producer", "be founded by": "founder", "be built by": "builder",
    "be composed by": "composer", "be designed by": "designer", "be created by": "creator", "be written by": "writer",
    "be invented by": "inventor", "be led by": "leader", "be discovered by": "discoverer", "be painted by": "painter",
}  # fmt: skip
_LONGEST = 16
_UNFIT = re.compile(r"[;:]|\b(?:it|they|them|its|their|his|her|you|your|we|our|since)\b")
_GAP = re.compile(r"\b(?:that|whom) (?:the |an? )?[A-Z]")
_AFTER = word_set(
    "was is are were did does do has have had can could will would should shall must may might in on at of to for from "
    "by with after before when if and or during since until as than because while not be been become"
)
_BEFORE = _AFTER | word_set("about into under over through between within without against whom who which what that")
_DEFINITION = re.compile(r"^(?:what|who) (?:is|are|was|were) (?:the |an? )?$", re.I)
_SOLE = re.compile(r"the (?:\w+ )?(?:first|last|only|most|\w+[^r]est)\b")
_HANGING = word_set("in on at to from by with for of as into")  # these would hang on the description, not on the verb
_LEADS = word_set("did does do was were is are has have had can could will would should must may")
_ARTICLED = re.compile(r"\b(?P<article>the|an?)\s$", re.I)


def described(fact: Fact, term: Term, kind: str) -> str | None:
    """ "the lighthouse that Robert Stevenson built"; None where that may fit other things or gives the name away."""
    found = clause(fact)
    if found is None or fact.negated or fact.modal or fact.object is None:
        return None
    if any(q.kind == "condition" for q in fact.qualifiers) or base_verb(fact) in _WEAK:
        return None
    if term == fact.subject:
        made = _by_definition(found) or _by_deed(found, _kind(term, kind))
    else:
        made = _by_office(found, term) or _by_gap(found, _kind(term, kind))
    if made is None or len(made.split()) > _LONGEST or _UNFIT.search(made):
        return None
    return None if _gives_away(made, term) else made


def _gives_away(description: str, term: Term) -> bool:
    """Whether a description holds a telling part of the name that it stands for."""
    own = {word for word in telling(term.text) if word not in _KINDS}
    return bool(own & telling(description)) or not own


def _kind(term: Term, kind: str) -> str:
    """The noun for what a term names: one that it holds itself ("lighthouse"), or what is known of it."""
    head = term.head.lower()
    if head in _KINDS and term.kind in ("place", "organisation", "work", "name"):
        return head
    if kind in ("person", "") and term.kind == "person":
        return "person"
    return "" if kind in ("person", "place", "organisation") else kind


def _person(kind: str) -> bool:
    head = re.split(r" (?:of|for|in|from|and|with) ", kind)[0].split(" ")[-1].lower()
    return bool(_PEOPLE.match(head)) and head not in _NO_PEOPLE


def _by_definition(found: Clause) -> str | None:
    """ "Tideline is the ticketing software of the Venn Ferry" -> "the ticketing software of the Venn Ferry"."""
    thing = found.fact.object
    if found.fact.relation != "be" or thing is None or found.says not in (f"is {thing.text}", f"was {thing.text}"):
        return None
    text = thing.text.split(", and the ")[0]
    sole = _SOLE.match(text) and len(text.split()) > 4
    if (not sole and not re.search(r"\b[A-Z][a-z]|[_()=./`]", text)) or re.search(
        r"\bone of\b|, and |\bfirst of\b", text
    ):
        return None
    if text.startswith("the "):
        return text if re.search(r" (?:of|in|for|to|at|on|by) |\bthat\b|\bwho\b", text) else None
    match = re.match(r"an? (?P<rest>.+)$", text)
    if match is None or "type" not in found.fact.wording:
        return None
    rest = match["rest"]
    relative = _RELATIVE.search(rest)
    if relative is None or not named("x " + rest[relative.start() :]):
        return None
    return "the " + rest


def _by_deed(found: Clause, kind: str) -> str | None:
    """ "the engineer who designed the Bell Rock Lighthouse" """
    fact, said = found.fact, found.fact.wording.get("predicate", "")
    if (
        not kind
        or not said
        or fact.relation == "be"
        or fact.object is None
        or fact.relation.startswith(("be born", "die"))
    ):
        return None
    date = next((q.text for q in fact.qualifiers if q.kind == "time" and isinstance(read_date(q.text, "en"), Date)), "")
    if _person(kind) and not date and base_verb(fact) in _COMMON:
        return None
    if not named("x " + fact.object.text) or (_person(kind) and not re.search("[A-Z]", fact.object.text)):
        return None
    rest = joined(said, found.place, "" if date in said else date)
    return f"the {kind} {'who' if _person(kind) else 'that'} {rest}"


def _by_office(found: Clause, term: Term) -> str | None:
    """ "the director of The Long Night", for whom it was directed by"""
    fact = found.fact
    office = _OFFICES.get(fact.relation)
    if (
        office is None
        or fact.object != term
        or term.kind != "person"
        or found.rest.count(" ") != term.text.count(" ") + 2
    ):
        return None
    return f"the {office} of {found.subject}" if fact.subject.kind else None


def _by_gap(found: Clause, kind: str) -> str | None:
    """ "the lighthouse that Robert Stevenson built" """
    fact = found.fact
    gap = fact.wording.get("object_gap", "")
    if not kind or not gap or fact.object is None or fact.object.text.startswith(("a ", "an ", "some ")):
        return None
    if not (fact.subject.kind or found.subject[0].isupper()) or (
        _person(kind) and re.search(r" (?:by|to|with|of|on|in|for)$", gap)
    ):
        return None
    if not gap.startswith(found.subject) or base_verb(fact) in _COMMON - _SCHOOLING:
        return None  # people return to, or live in, more than one city
    date = next((q.text for q in fact.qualifiers if q.kind == "time" and isinstance(read_date(q.text, "en"), Date)), "")
    return joined(f"the {kind}", "whom" if _person(kind) else "that", gap, date)


def replaced(question: str, name: str, description: str) -> str | None:
    """A question with `description` for `name`; None where the name is a part of a longer one, or it reads badly."""
    found = list(re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", question))
    if len(found) != 1:
        return None
    start, end = found[0].span()
    before, after = question[:start], question[end:]
    if _DEFINITION.match(before) and not after.strip(" ?"):
        return None  # "Who was the engineer who built it?" asks for the name
    article = _ARTICLED.search(before)
    if article and article["article"].lower() != "the":
        return None
    if article and not name.lower().startswith("the "):
        before = before[: article.start()]
    if not _fits_before(before, name) or not _fits_after(before, after, description, name):
        return None
    new = description[:1].upper() + description[1:] if not before.strip() else description
    text = before + new + after
    if len(text.split()) > 36 or telling(description) <= telling(before + after):
        return None
    return text if not re.search(r"\b(\w+) \1\b", text.lower()) else None


def _fits_before(before: str, name: str) -> bool:
    words = before.split()
    if not words:
        return True
    last = words[-1].lower()
    if last in ("and", "or"):
        return False
    if last in _BEFORE:
        return True
    return last.isalpha() and last == words[-1] and not {"the", "a", "an"} & {word.lower() for word in words[-4:]}


def _fits_after(before: str, after: str, description: str, name: str) -> bool:
    """Whether a name ends where it seems to, and the rest is not too far from the verb before it."""
    if after.startswith(("'s", "’s", "'", "’", "-", "/", ".", "(", ",")):
        return False
    words = after.strip(" ?").split()
    if not words:
        return True
    if len(description.split()) > 8 and len(words) > 7:
        return False
    if words[0].lower() in _AFTER:
        if words[0].lower() in ("and", "or"):
            return False
        return words[0].lower() not in _HANGING or not _RELATIVE.search(description)
    if _GAP.search(description):
        return False  # "the tower that Ida Brun built opened"
    lead = before.split()[-1].lower() if before.split() else ""
    if lead not in _LEADS or not words[0].isalpha() or not words[0].islower():
        return False
    person = bool(re.fullmatch(r"(?:[A-Z][\w'.-]+ ?){2,4}", name))
    by = lead in ("was", "were") and words[1:2] == ["by"]
    return person or by or words[0].endswith("ed") or (lead in ("did", "does", "do") and len(words) <= 2)
