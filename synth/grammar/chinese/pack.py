"""Chinese in both scripts, as the author without a model knows it."""

from __future__ import annotations

from dataclasses import replace

from synth.grammar import parsing
from synth.grammar.chinese.attributes import ATTRIBUTES
from synth.grammar.chinese.references import drafts
from synth.grammar.chinese.structure import STRUCTURE
from synth.grammar.pack import LanguagePack, Parser
from synth.text.normalise import to_traditional

SIMPLIFIED = LanguagePack(
    folder="synth.grammar.chinese",
    languages=("zh-Hans",),
    parser=Parser(
        version=parsing.chinese_version,
        parse=parsing.parse_chinese,
        pack=parsing.pack_chinese,
        unpack=parsing.unpack_chinese,
    ),
    drafts=drafts,
    attributes=ATTRIBUTES,
    structure=STRUCTURE,
)
TRADITIONAL = replace(
    SIMPLIFIED,
    languages=("zh-Hant",),
    attributes=tuple(replace(attribute, question=to_traditional(attribute.question)) for attribute in ATTRIBUTES),
)
PACKS = (SIMPLIFIED, TRADITIONAL)
