"""English functions for questions from headings, lists and tables."""

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
    """Return a question if it shares a word with its subject `thing`, else "". Inflected forms are equal."""
    return question if set(stems(" ".join(content_words(thing)))) & set(stems(question)) else ""


def option(does: str) -> str:
    """Return the description of an option as words after "to": "lists files" becomes "list files".

    Return "" if it does not start with a verb.
    """
    first, _, rest = does.partition(" ")
    word = first.lower()
    base = (
        word
        if word in VERBS
        else next((form for form in (word[:-1], word[:-2]) if form in VERBS and word.endswith("s")), "")
    )
    return f"{base} {rest}" if base and rest and len(rest.split()) > 1 and "(" not in does else ""


def parsed(sentence: Sentence) -> bool:
    """Return whether a sentence needs a parse, because it may state a deadline or introduce a list."""
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
