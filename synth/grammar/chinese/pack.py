"""Chinese in both scripts, as the author without a model knows it."""

from __future__ import annotations

from dataclasses import replace

from synth.grammar import parsing
from synth.grammar.chinese import PATTERNS, TOLD, drafts
from synth.grammar.chinese.attributes import ATTRIBUTES
from synth.grammar.chinese.structure import STRUCTURE
from synth.grammar.pack import LanguagePack, Parser
from synth.grammar.styles.chinese import CHINESE, in_script
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
    patterns=PATTERNS,
    facts=TOLD,
    styles=CHINESE,
    attributes=ATTRIBUTES,
    structure=STRUCTURE,
)
TRADITIONAL = replace(
    SIMPLIFIED,
    languages=("zh-Hant",),
    attributes=tuple(replace(attribute, question=to_traditional(attribute.question)) for attribute in ATTRIBUTES),
    styles={name: in_script(style) for name, style in CHINESE.items()},
)
PACKS = (SIMPLIFIED, TRADITIONAL)
