"""Toki Pona of one sentence pattern, "X li Y.": parsed at spaces, asked with "X li seme?"."""

from __future__ import annotations

import json

from synth.core.records import Draft
from synth.grammar.pack import LanguagePack, Parser
from synth.grammar.reading import Reading

TAG = "tok"


def recognises(text: str) -> str:
    """The tag of the language where its particle is among the words."""
    return TAG if " li " in text else ""


def drafts(reading: Reading) -> list[Draft]:
    """What each subject is, or does."""
    found = []
    for sentence, words in zip(reading.sentences, reading.parsed, strict=True):
        if "li" in words[1:-1]:
            at = words.index("li")
            found.append(
                Draft(
                    question=f"{' '.join(words[:at])} li seme?",
                    golden_answers=(" ".join(words[at + 1 :]).rstrip("."),),
                    spans=((sentence.start, sentence.end),),
                    pattern="li",
                    worth=0.9,
                )
            )
    return found


PACKS = (
    LanguagePack(
        folder=__name__.removesuffix(".pack"),
        languages=(TAG,),
        parser=Parser(
            version=lambda: "toy-1",
            parse=lambda sentences: [sentence.text.split() for sentence in sentences],
            pack=lambda parsed: json.dumps(parsed).encode(),
            unpack=json.loads,
        ),
        drafts=drafts,
        recognises=recognises,
    ),
)
