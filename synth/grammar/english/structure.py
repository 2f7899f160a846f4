"""English functions for questions from document structure."""

from __future__ import annotations

from synth.grammar.english.conditions import advice, rules
from synth.grammar.english.headings import FORMS, VERBS, goal, label, product, row, thing
from synth.grammar.english.lead_ins import listing
from synth.grammar.english.stated import dated, described, stated
from synth.grammar.structure.language import StructureLanguage
from synth.text.prose import Sentence
from synth.text.stems import stems
from synth.text.tokens import content_words


def about(question: str, thing: str) -> str:
    """Return a question if it shares a word, in any form, with the thing that it is about, else ""."""
    return question if set(stems(" ".join(content_words(thing)))) & set(stems(question)) else ""


def option(does: str) -> str:
    """Return what an option does, as words after "to", or "" if its description does not start with a verb."""
    first, _, rest = does.partition(" ")
    word = first.lower()
    base = (
        word
        if word in VERBS
        else next((form for form in (word[:-1], word[:-2]) if form in VERBS and word.endswith("s")), "")
    )
    return f"{base} {rest}" if base and rest and len(rest.split()) > 1 and "(" not in does else ""


def parsed(sentence: Sentence) -> bool:
    """Return whether a sentence needs a parse: it may state a time, or lead in to a list."""
    return sentence.text.rstrip().endswith(":") or dated(sentence.text)


STRUCTURE = StructureLanguage(
    forms=FORMS,
    goal=goal,
    product=product,
    listing=listing,
    rules=rules,
    advice=advice,
    stated=stated,
    described=described,
    about=about,
    option=option,
    noun=label,
    thing=thing,
    row=row,
    joint=" ",
    parsed=parsed,
)
