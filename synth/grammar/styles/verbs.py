"""Verbs that questions are made with, and the forms they take: what un-inverting a question needs."""

from __future__ import annotations

from synth.grammar.english.lexicon import word_set
from synth.text.inflection import IRREGULAR_PARTICIPLES, IRREGULAR_PAST, past, third_person

_PLAIN = word_set(
    "accept accommodate accompany achieve acquire act add admit adopt advise affect aid aim allow announce appear "
    "apply appoint approve argue arrive ask assemble assign assume attach attack attempt attend attract avoid award "
    "ban base believe belong bind block borrow cause change claim close collect combine commission commit compare "
    "compete compose comprise conclude conduct configure confirm connect conquer consider consist construct contain "
    "continue contribute control convert convince cost cover create criticize cross decide declare dedicate default "
    "defeat define deliver demand demonstrate deny depend deploy derive describe design destroy determine develop "
    "devise die differ direct disable discover discuss display distinguish divide document donate drop earn elect "
    "emerge employ enable encode encounter encourage end enforce enjoy ensure enter equal escape establish estimate "
    "evolve examine execute exist expand expect experience explain exploit explore export expose express extend "
    "extract face fail favor favour feature fetch fill finish flow focus follow force form fund gain generate govern "
    "graduate grant guarantee handle happen head help host identify ignore implement import impose improve include "
    "increase indicate inform inherit inhibit initiate inspire install instruct intend interpret intervene introduce "
    "invade invent invest invite involve issue join judge kill label lack land last launch learn let license lie like "
    "limit link list live load locate log look lose lower maintain manage map mark marry measure mention merge "
    "migrate mix modify move name need notice obey object observe obtain occupy occur offer open operate oppose order "
    "organise organize originate own paint parse participate pass perform permit persuade place plan play possess "
    "praise precede predict prefer prepare present preserve press prevent print process produce prohibit promise "
    "promote propose protect protest prove provide publish purchase pursue push qualify raise range reach react "
    "realise realize receive recognise recognize recommend record recover reduce refer reflect refund refuse regard "
    "reject relate release rely remain remember remove rename render replace report represent require resemble "
    "reserve resign resist resolve respond rest restore restrict result retain return reveal rule save score secure "
    "seem separate serve settle share sign signify solve sound specify sponsor stage start state stay stem stop store "
    "stream strengthen stress study submit succeed suffer suggest supply support surpass surrender survive switch "
    "symbolise symbolize target tend terminate test threaten throng trade transfer transform translate travel treat "
    "trigger try turn unite update upgrade use validate view visit vote wait walk want warn watch weigh work worship "
    "yield"
)
# Words of these endings that are no participles, or that stand before nouns more often than after "be".
_NOT_PARTICIPLES = word_set(
    "red bed need seed feed speed breed indeed hundred sacred naked wicked embed led shed unprecedented so-called "
    "united limited related advanced detailed combined proposed armed mixed aged skilled talented"
)
VERBS = _PLAIN | frozenset(IRREGULAR_PAST)
"""Base forms."""
AMBIGUOUS = word_set(
    "act aid aim attack attempt award ban base block cause change claim command control cost cover default "
    "demand design display document drop end escape estimate experience export face favor favour feature focus force "
    "form function fund gain grant guarantee handle head help host import increase issue judge label lack land last "
    "launch let license like limit link list live load log look map mark measure mention mix move name need "
    "notice object offer open order own paint pass place plan play present press print process produce promise "
    "protest purchase push range reach record release report request rest result return rule save score "
    "share sign sound sponsor stage start state stay stem step stop store stream stress study supply support "
    "switch target test trade transfer travel treat trigger turn update upgrade use view visit vote walk watch work "
    "worship yield cut deal draw drive fall feed fight hit hold hurt lead mean read ride ring rise run set "
    "shake shoot show sleep split spread stand stick strike tear win bear lie cross increase separate"
)
"""Base forms that are nouns or adjectives as well."""


def is_base(word: str) -> bool:
    """True if `word`, in small letters, is the base form of a verb."""
    return word in VERBS


def is_participle(word: str) -> bool:
    """True if `word` looks like a past participle; many an adjective does, too."""
    if word in IRREGULAR_PARTICIPLES:
        return True
    return len(word) > 4 and word.endswith("ed") and word.isalpha() and word not in _NOT_PARTICIPLES


def is_finite(word: str) -> bool:
    """True if `word` is a form that follows its subject: "uses", "led", "heads"."""
    if word in _FINITE:
        return True
    return len(word) > 4 and word.endswith("ed") and word.isalpha() and word not in _NOT_PARTICIPLES


_FINITE = frozenset({third_person(verb) for verb in VERBS} | {past(verb) for verb in VERBS})
