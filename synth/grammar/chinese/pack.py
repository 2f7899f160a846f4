"""Chinese language packs, one per script."""

from __future__ import annotations

from dataclasses import replace

from synth.grammar import parsing
from synth.grammar.chinese.references import drafts
from synth.grammar.chinese.structure import STRUCTURE
from synth.grammar.pack import Attribute, LanguagePack, Parser
from synth.text.normalise import to_traditional

ATTRIBUTES = (
    Attribute("person", "{}出生在哪里？", r"出生|生于|籍贯|人[，。、]|老家|故乡|原籍|祖籍"),
    Attribute("person", "{}毕业于哪所大学？", r"毕业|大学|学院|就读|学校|求学|学士|硕士|博士|学历"),
    Attribute("person", "{}的父母是谁？", r"父|母|儿子|女儿|之子|之女|出生|家庭"),
    Attribute("place", "{}有多少人口？", r"人口|居民|居住|人[，。、]|普查|户"),
    Attribute("place", "{}的面积有多大？", r"面积|平方|公顷|亩|公里"),
    Attribute("organisation", "{}是由谁创办的？", r"创办|创立|创建|成立|建立|设立|发起|组建|前身|始建|创始"),
    Attribute("organisation", "{}有多少名员工？", r"员工|职工|雇员|雇佣|人数|人员|名"),
)
"""Questions about persons, places and organisations, with patterns of passages that may answer them."""

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
