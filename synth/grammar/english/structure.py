"""English for the author from structure."""

from __future__ import annotations

from synth.grammar.english.conditions import rules
from synth.grammar.english.headings import FORMS, GERUNDS, VERBS, goal, label, thing
from synth.grammar.english.lead_ins import listing
from synth.grammar.english.plain_statements import statements
from synth.grammar.structure.language import StructureLanguage
from synth.text.stems import stems


def about(question: str, thing: str) -> str:
    """A question, with the thing that it is about where none of its words is in it."""
    if set(stems(thing)) & set(stems(question)):
        return question
    thing = thing.partition(" (")[0]
    first = thing.split()[0].lower()
    lead = f"When {thing}" if first in GERUNDS else FORMS.frame("about", thing, question).format(thing=thing)
    return f"{lead}, {question[0].lower()}{question[1:]}"


def option(does: str) -> str:
    """What an option does, after "to"; "" for a description that does not begin with a verb."""
    first, _, rest = does.partition(" ")
    word = first.lower()
    base = (
        word
        if word in VERBS
        else next((form for form in (word[:-1], word[:-2]) if form in VERBS and word.endswith("s")), "")
    )
    return f"{base} {rest}" if base and rest and len(rest.split()) > 1 and "(" not in does else ""


STRUCTURE = StructureLanguage(
    forms=FORMS,
    goal=goal,
    listing=listing,
    rules=rules,
    statements=statements,
    about=about,
    option=option,
    noun=label,
    thing=thing,
    joint=" ",
)
