"""A fact taken apart into words that can be put together anew: auxiliary, subject, predicate, object, place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from synth.grammar.english.lexicon import word_set
from synth.records import Fact, Term
from synth.text.normalise import normalise

_AUXILIARIES = word_set("is are was were am do does did has have had can could will would shall should must may might")
_UNREADABLE = re.compile(r"\w- \w|\w -\w|[;:\u2026]|\s[,.)]|\(\s|\"\"|\s$|^\s")
_FUNCTION = word_set(
    "a an the of in on at to for from by with and or but as than into over under after before during through between "
    "his her its their he she it they that which who whom whose is are was were be been has have had did do does"
)
_IRREGULAR_GERUNDS = {"die": "dying", "lie": "lying", "tie": "tying", "be": "being", "begin": "beginning",
                      "win": "winning", "set": "setting", "run": "running", "get": "getting", "put": "putting",
                      "cut": "cutting", "shut": "shutting", "sit": "sitting", "hit": "hitting", "swim": "swimming",
                      "stop": "stopping", "plan": "planning", "ship": "shipping", "equip": "equipping",
                      "commit": "committing", "permit": "permitting", "admit": "admitting", "submit": "submitting",
                      "transfer": "transferring", "refer": "referring", "prefer": "preferring", "step": "stepping",
                      "drop": "dropping", "ban": "banning", "rob": "robbing", "dig": "digging", "see": "seeing",
                      "flee": "fleeing", "agree": "agreeing", "free": "freeing", "dye": "dyeing"}  # fmt: skip
_LONGEST = 34
"""Words of a question that can still be taken in at one reading."""


@dataclass(frozen=True, slots=True)
class Clause:
    """The words of a fact. `lead` is the auxiliary that opens its question, `rest` what follows the subject there,
    `says` what follows the subject in a statement, `place` a place that both leave out.
    """

    fact: Fact
    lead: str
    subject: str
    rest: str
    says: str
    place: str

    @property
    def asked(self) -> str:
        """ "did Parliament create the Board in London" """
        return joined(self.lead, self.subject, self.rest, self.place)

    @property
    def told(self) -> str:
        """ "Parliament created the Board in London" """
        return joined(self.subject, self.says, self.place)

    def without(self, part: str) -> str | None:
        """What follows the subject in a question, with a gap where `part` was; None when it is not there once."""
        found = re.findall(rf"(?<!\S){re.escape(part)}(?!\S)", self.rest)
        if len(found) != 1:
            return None
        return joined(*re.split(rf"(?<!\S){re.escape(part)}(?!\S)", self.rest))


def clause(fact: Fact) -> Clause | None:
    """The words of a fact; None when they do not make a question that can be understood alone."""
    statement, inverted = fact.wording.get("statement"), fact.wording.get("inverted")
    if not statement or not inverted or _UNREADABLE.search(statement) or not names(fact.subject):
        return None
    subject = fact.subject.text
    lead, _, rest = inverted.partition(" ")
    if lead not in _AUXILIARIES or not rest.startswith(subject) or not statement.startswith(subject + " "):
        return None
    where = next((q.text for q in fact.qualifiers if q.kind == "place"), "")
    if where and where in statement:
        where = ""
    return Clause(fact, lead, subject, rest[len(subject) :].strip(), statement[len(subject) + 1 :], where)


def names(term: Term) -> bool:
    """Whether a term tells a stranger what is meant: a last or first name alone does not."""
    if term.kind == "person" and " " not in term.text:
        return False
    return not _UNREADABLE.search(term.text) and len(term.text.split()) <= 14


def joined(*parts: str) -> str:
    """Parts with one space between them; empty ones leave none."""
    return re.sub(r"\s+([,.?])", r"\1", " ".join(part.strip() for part in parts if part.strip()))


def question(*parts: str) -> str | None:
    """A question made of parts: a capital first, a mark last. None when it is longer than can be taken in."""
    text = joined(*parts)
    if len(text.split()) > _LONGEST or _UNREADABLE.search(text):
        return None
    return text[:1].upper() + text[1:] + "?"


def base_verb(fact: Fact) -> str:
    """The verb of a relation in its base form: "be" of a passive."""
    return fact.relation.split(" ")[0]


def is_plural(term: Term) -> bool:
    """Whether a noun phrase takes "they"."""
    first = re.split(r"\s(?:of|in|on|at|for|from|with|that|which|who|by|to)\s", term.text)[0]
    if re.search(r",| and ", first):
        return True
    head = term.head.lower()
    return bool(head) and term.kind == "" and re.search(rf"\b{re.escape(head)}(?:e?s)\b", first.lower()) is not None


def pronoun(term: Term) -> str:
    """ "it" or "they" for a thing, "" for what may be a person."""
    if is_plural(term):
        return "they" if term.kind == "" else ""
    return (
        "it" if term.kind in ("place", "organisation", "work", "code") or term.text.startswith(("the ", "a ")) else ""
    )


def gerund(verb: str) -> str:
    """ "joining" for "join"."""
    if verb in _IRREGULAR_GERUNDS:
        return _IRREGULAR_GERUNDS[verb]
    if re.search(r"[^eoy]e$", verb):
        return verb[:-1] + "ing"
    return verb + "ing"


def doing(found: Clause) -> str | None:
    """ "joining the commission", "being elected king": what the subject did, as a noun."""
    verb, rest = base_verb(found.fact), found.rest
    if verb == "be" and found.lead in ("was", "were"):
        return joined("being", rest, found.place)
    if found.lead != "did" or not re.match(rf"{re.escape(verb)}(?!\w)", rest):
        return None
    return joined(gerund(verb), rest[len(verb) :], found.place)


def same(a: str, b: str) -> bool:
    """Whether two wordings say the same."""
    return normalise(a) == normalise(b)


def telling(text: str) -> set[str]:
    """The words of a phrase that carry meaning, in lower case."""
    return {word for word in re.findall(r"\w[\w.'-]*", text.lower()) if word not in _FUNCTION}


def named(text: str) -> bool:
    """Whether a phrase holds a name, a number or code, so that it tells of something certain."""
    rest = text.split(" ", 1)[1] if text[:1].isupper() and " " in text else text
    return bool(re.search(r"\b[A-Z]|\d|[_()=./\[\]`]", rest))


def indefinite(text: str) -> bool:
    """Whether a phrase names no certain thing: "a dog", "dogs"."""
    return not re.match(r"(?:the|its|their|both|all|every|each) |.*[A-Z0-9_`(=]", text)
