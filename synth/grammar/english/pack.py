"""English, as the author without a model knows it."""

from __future__ import annotations

from synth.grammar import parsing
from synth.grammar.english.attributes import ATTRIBUTES
from synth.grammar.english.references import drafts
from synth.grammar.english.structure import STRUCTURE
from synth.grammar.pack import LanguagePack, Parser

ENGLISH = LanguagePack(
    folder="synth.grammar.english",
    languages=("en",),
    parser=Parser(
        version=parsing.english_version,
        parse=parsing.parse_english,
        pack=parsing.pack_english,
        unpack=parsing.unpack_english,
    ),
    drafts=drafts,
    attributes=ATTRIBUTES,
    structure=STRUCTURE,
)
PACKS = (ENGLISH,)
