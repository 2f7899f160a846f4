"""Esperanto: tables, the words of a heading in a sentence, and a parser that parses nothing."""

from __future__ import annotations

import json
from typing import Any

from synth.grammar.pack import LanguagePack, Parser
from synth.grammar.structure.forms import StructureForms
from synth.grammar.structure.language import StructureLanguage

TAG = "eo"


def recognises(text: str) -> str:
    """The tag of the language where one of its letters is in the text."""
    return TAG if set("ĉĝĥĵŝŭ") & set(text.lower()) else ""


def in_sentence(text: str, reading: Any) -> str:
    """A heading or label in small letters."""
    return text.strip(" :").lower()


FORMS = StructureForms.of(__package__)
PACKS = (
    LanguagePack(
        folder=__package__,
        languages=(TAG,),
        parser=Parser(
            version=lambda: "eo-1",
            parse=lambda sentences: [sentence.text for sentence in sentences],
            pack=lambda parsed: json.dumps(parsed).encode(),
            unpack=json.loads,
        ),
        recognises=recognises,
        structure=StructureLanguage(forms=FORMS, noun=in_sentence, joint=" "),
    ),
)
