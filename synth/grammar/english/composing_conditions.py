"""Questions about conditions: what holds under one, and under which one it holds."""

from __future__ import annotations

import re

from synth.grammar.compositions import Asked
from synth.grammar.english.composing_words import Clause, base_verb, clause, indefinite, is_plural, question
from synth.records import Fact

_SETTINGS = ("enabled", "disabled", "on", "off", "active", "inactive")
_POINTING = re.compile(
    r"\b(?:he|she|him|his|her|hers|this|these|those|such|here|there|above|below|following|same|ones?|another|others?|"
    r"then|too|also|instead|anyway|like that|that way)\b|\b(?:more|fewer|less)\b(?!.*\bthan\b)|"
    r"\bthat\b(?! [a-z]+(?:s|ed)\b| (?:is|are|was|can|has|have|you|the|a)\b)",
    re.I,
)
_IT = re.compile(r"\b(?:it|its|itself)\b")
_THEY = re.compile(r"\b(?:they|them|their|themselves)\b")
_LEAD = re.compile(
    r"(?:only )?(?P<word>if|when|whenever|once|provided(?: that)?|as long as|in case)\s+(?P<rest>.+)", re.I
)
_NAMED = re.compile(r"[A-Z0-9_(=`]|[a-z]\.[a-z]")
_LIGHT = ("take", "give", "do", "get", "put", "pay", "play", "make")
_LOOKING = ("follow", "see", "check", "read", "look", "visit", "note", "refer")
_MOST = 22
_TRUST = 0.7


def consequence(fact: Fact) -> Asked | None:
    """ "What does Tideline report when ...?", "What must MV Dunlin do if ...?", "What happens if ...?" """
    found, condition = _conditional(fact)
    if found is None:
        return None
    if condition == "by default":
        return _by_default(found)
    if _LEAD.match(condition) is None or condition.startswith("only "):
        return None
    if not _stands_alone(condition, found):
        return None
    return (
        _which(found, condition)
        or _what_thing(found, condition)
        or _what_do(found, condition)
        or _what_happens(found, condition)
    )


def condition(fact: Fact) -> Asked | None:
    """ "When does FastAPI raise a RequestValidationError?" """
    found, text = _conditional(fact)
    if found is None or (match := _LEAD.match(text)) is None or not _certain(fact) or not _stands_alone(text, found):
        return None
    if _IT.search(text) or _THEY.search(text):
        return None
    if match["word"].lower() in ("when", "whenever", "once"):
        asked = question("when", found.asked)
        return Asked(question=asked, answer=text) if asked else None
    asked = question("under what condition", found.asked)
    return Asked(question=asked, answer=match["rest"]) if asked else None


def _conditional(fact: Fact) -> tuple[Clause | None, str]:
    """The words of a fact that holds under one condition, and that condition."""
    conditions = [q.text for q in fact.qualifiers if q.kind == "condition"]
    if len(conditions) != 1 or fact.trust < _TRUST or len(conditions[0].split()) > _MOST:
        return None, ""
    if base_verb(fact) in _LOOKING and fact.subject.text == "you":
        return None, ""
    text = (
        conditions[0][:1].lower() + conditions[0][1:]
        if conditions[0][:3] in ("If ", "Whe", "By ", "Onc")
        else conditions[0]
    )
    return clause(fact), text


def _stands_alone(condition: str, found: Clause) -> bool:
    """Whether a condition points to nothing but the subject, which the question names before it."""
    if _POINTING.search(condition) or re.search(r"\b(?:if|when|unless|once)\b", condition[5:]):
        return False
    plural = is_plural(found.fact.subject)
    named = found.subject != "you"
    if _IT.search(condition) and (plural or not named):
        return False
    return not _THEY.search(condition) or (plural and named)


def _bare(text: str) -> bool:
    """Whether a phrase is a common noun with an article and nothing more: "the file"."""
    return re.fullmatch(r"(?:the|its|their|your) [a-z]+", text) is not None


def _certain(fact: Fact) -> bool:
    """Whether the thing that holds is telling enough for its condition to be asked for."""
    if fact.object is None:
        return fact.subject.text != "you" and not indefinite(fact.subject.text) and not _bare(fact.subject.text)
    if indefinite(fact.object.text) or _bare(fact.object.text):
        return False
    return not (fact.subject.text == "you" and len(fact.object.text.split()) == 1 and fact.object.kind == "")


def _which(found: Clause, condition: str) -> Asked | None:
    """ "Which takes priority if you declare both A and B?" """
    said = found.fact.wording.get("predicate")
    if not said or " both " not in condition or not _told(condition, found.subject) or found.fact.negated:
        return None
    asked = question("which", said, condition)
    return Asked(question=asked, answer=found.subject) if asked else None


def _what_thing(found: Clause, condition: str) -> Asked | None:
    """ "What does FastAPI raise when a request contains invalid data?": the object is the answer."""
    fact = found.fact
    thing = fact.object
    if thing is None or fact.relation == "be" or base_verb(fact) in _LIGHT or _IT.search(thing.text):
        return None
    if "object_gap" not in fact.wording or re.search(r"\b(?:their|his|her)\b", thing.text):
        return None
    if len(fact.relation.split()) > 1 or _bare(thing.text) or (found.subject == "you" and indefinite(thing.text)):
        return None
    gap = found.without(thing.text)
    if not gap or thing.kind == "person" or (found.subject == "you" and fact.negated):
        return None
    asked = question("what", found.lead, found.subject, gap, condition)
    return Asked(question=asked, answer=thing.text) if asked and not _told(condition, thing.text) else None


def _what_do(found: Clause, condition: str) -> Asked | None:
    """ "What must MV Dunlin do if the wind exceeds 28 knots?": what is done is the answer."""
    fact = found.fact
    if fact.negated or fact.modal not in ("must", "should") or base_verb(fact) == "be":
        return None
    says = found.says.removeprefix(found.lead).strip()
    if not found.says.startswith(found.lead) or len(says.split()) < 2:
        return None
    asked = question("what", found.lead, found.subject, "do", condition)
    return Asked(question=asked, answer=says) if asked else None


def _what_happens(found: Clause, condition: str) -> Asked | None:
    """ "What happens if ...?": what then happens is the answer, told in full."""
    fact = found.fact
    if found.subject == "you" or fact.relation == "be" or fact.modal in ("can", "may") or fact.negated:
        return None
    if base_verb(fact) in ("have", "need", "require", "contain", "include", "mean"):
        return None
    if fact.object is not None and _bare(fact.object.text):
        return None
    if _bare(found.subject) and not _NAMED.search(condition):
        return None
    if _told(condition, found.subject) or _IT.search(condition) or _THEY.search(condition):
        if len(found.subject.split()) > 6:
            return None
        asked = question("what happens to", found.subject, condition)
    else:
        asked = question("what happens", condition)
    return Asked(question=asked, answer=found.told) if asked else None


def _told(condition: str, text: str) -> bool:
    return re.search(rf"\b{re.escape(re.sub(r'^(?:the|an?) ', '', text))}(?!\w)", condition) is not None


def _by_default(found: Clause) -> Asked | None:
    fact = found.fact
    said = found.says.split(" ")
    if len(said) == 2 and said[0] in ("is", "are") and said[1] in _SETTINGS:
        asked = question("what", said[0], found.subject, "set to by default")
        return Asked(question=asked, answer=said[1]) if asked else None
    thing = fact.object
    if thing is None or found.subject == "you" or fact.relation == "be" or "object_gap" not in fact.wording:
        return None
    gap = found.without(thing.text)
    value = re.fullmatch(r"(?P<name>[a-z_]+)=(?P<value>\S+)", thing.text)
    if not gap or fact.negated or base_verb(fact) in _LIGHT or len(gap.split()) > 3:
        return None
    if re.match(r"the [a-z]+(?: [a-z]|$)", thing.text):
        return None
    if value:
        asked = question("which value of", value["name"], found.lead, found.subject, gap, "by default")
        return Asked(question=asked, answer=value["value"]) if asked else None
    asked = question("what", found.lead, found.subject, gap, "by default")
    return Asked(question=asked, answer=thing.text) if asked else None
