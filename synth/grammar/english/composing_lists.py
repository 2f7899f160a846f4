"""Questions about lists: what they are of, and how many things they name."""

from __future__ import annotations

import re

from synth.grammar.english.composing_words import Clause, base_verb, clause, is_plural, question
from synth.grammar.english.lexicon import NAMING
from synth.records import Fact

_OPEN = re.compile(
    r"\b(?:such as|including|include|like|e\.g|for example|for instance|etc|other|others|more|among|or|many|various|"
    r"several|some|both|either|so on|so forth|not|neither|nor|as well as|a number of|any|all|each|every|few|than)\b|"
    r"[;:()\u2026]",
    re.I,
)
_NO_DEEDS = frozenset(("be", "rename", *NAMING))
"""What is not done to a thing: it is something, or is given a name that stands beside it."""

_WHOLES = ("consist of", "be composed of", "be made up of", "comprise", "be divided into")
_LEAST = 3
_COUNTED = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+)\b", re.I)


def listed(fact: Fact) -> tuple[str, ...] | None:
    """The items of "bells, gongs and guns"; None for fewer than three, and where the list may go on."""
    thing = fact.object
    if thing is None or fact.negated or fact.modal or any(q.kind == "condition" for q in fact.qualifiers):
        return None
    if _OPEN.search(thing.text) or _noun(fact) is None:
        return None
    match = re.fullmatch(r"(?P<first>.+?),? and (?P<last>[^,]+)", thing.text)
    if match is None or " and " in match["last"]:
        return None
    items = (*match["first"].split(", "), match["last"])
    if len(items) < _LEAST or any(" and " in item or not _item(item) for item in items):
        return None
    return items if len({item.lower() for item in items}) == len(items) else None


def how_many(fact: Fact) -> str | None:
    """ "How many branches does the government consist of?" """
    found, noun = clause(fact), _noun(fact)
    if found is None or noun is None or listed(fact) is None or _COUNTED.search(found.told.replace("one", "")):
        return None
    if fact.relation == "be":
        past = "were" if found.lead == "were" else "are"
        return question("how many", noun, past, "there")
    gap = found.without(fact.object.text) if fact.object else None
    return question("how many", noun, found.lead, found.subject, gap) if gap is not None else None


def what(fact: Fact) -> str | None:
    """ "What does the lamp burn?"; None where the object is no thing that the verb is done to."""
    if fact.object is None or fact.negated or fact.relation in _NO_DEEDS or fact.object.kind == "person":
        return None
    if any(q.kind == "condition" for q in fact.qualifiers) or "object_gap" not in fact.wording:
        return None
    found = clause(fact)
    gap = found.without(fact.object.text) if found else None
    if found is None or gap is None or found.subject == "you" or not gap:
        return None
    times = " ".join(q.text for q in fact.qualifiers if q.kind == "time" and q.text not in gap)
    return question("what", found.lead, found.subject, gap, times)


def _item(text: str) -> bool:
    """Whether an item of a list is a short noun phrase, so that no clause was taken for one."""
    return 0 < len(text.split()) <= 5 and not re.search(r"\b(?:that|which|who|to|is|are|was|were|has|have)\b", text)


def _noun(fact: Fact) -> str | None:
    """The noun that says what the items are: "parts" of what consists of them, or a plural subject that is them."""
    if fact.relation in _WHOLES:
        return "parts"
    found: Clause | None = clause(fact)
    if found is None or base_verb(fact) != "be" or fact.relation != "be" or not is_plural(fact.subject):
        return None
    head = re.fullmatch(r"(?:the )?(?P<noun>[^,]+?)", found.subject)
    if head is None or not found.subject.startswith("the ") or _COUNTED.search(found.subject):
        return None
    return head["noun"]
