"""English language pack."""

from __future__ import annotations

from synth.grammar import parsing
from synth.grammar.english.references import drafts
from synth.grammar.english.structure import STRUCTURE
from synth.grammar.pack import Attribute, LanguagePack, Parser

ATTRIBUTES = (
    Attribute("person", "Where was {} born?", r"\bborn\b|\bbirth|native|grew up|\bfrom\b"),
    Attribute(
        "person", "At which university did {} study?", r"universit|college|school|stud[yi]|educat|degree|graduat"
    ),
    Attribute("person", "Who were the parents of {}?", r"parent|father|mother|\bson\b|daughter|family|born"),
    Attribute("place", "What is the population of {}?", r"populat|inhabit|people|resident|census|million"),
    Attribute("place", "How large is the area of {}?", r"\barea\b|square|\bkm|acre|hectare|\bsq\b|size"),
    Attribute("organisation", "Who founded {}?", r"found|establish|creat|form(?:ed|ation)|start|began|incorporat"),
    Attribute("organisation", "How many people work for {}?", r"employ|staff|work|people|workforce|personnel"),
)
"""Questions about persons, places and organisations, with patterns of passages that may answer them."""

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
