"""Nouns, adjectives, adverbs and phrases of English questions and what says the same; nouns are singular.

Entries are as in `english_verb_lexicon`.
"""

from __future__ import annotations

from collections.abc import Mapping

from synth.grammar.rewording import english_verb_lexicon as verbs
from synth.grammar.rewording.english_verb_lexicon import entries

NOUNS = entries(
    """
    ability: capability
    absence: lack
    accord: agreement
    advantage: benefit
    agreement: accord
    aim: goal
    alliance: pact
    answer: reply
    applicant: candidate
    area: region
    assault: attack
    assistance: help
    attack: assault
    attempt: effort
    attorney: lawyer
    automobile: car
    beginning: start
    benefit: advantage
    border: frontier
    boundary: border
    businessman: entrepreneur
    capability: ability
    cause: reason
    choice: option
    colony: settlement
    component: part
    concept: idea
    consequence: result
    corporation: company
    customer: client
    danger: risk
    destruction: ruin
    difficulty: problem
    disadvantage: drawback
    disciple: follower
    drawback: disadvantage
    effort: attempt
    employee: worker
    enemy: foe
    film: movie
    flaw: weakness
    freedom: liberty
    gathering: meeting
    goal: aim
    growth: increase
    illness: disease
    income: earnings
    inhabitant: resident
    liberty: freedom
    mistake: error
    movie: film
    objective: goal
    opportunity: chance
    outcome: result
    physician: doctor
    portion: part
    quantity: amount
    region: area
    renown: fame
    requirement: demand
    resident: inhabitant
    rival: competitor
    salary: pay
    ship: vessel
    shortage: lack
    sickness: illness
    speed: pace
    statue: sculpture
    suggestion: proposal
    supporter: backer
    vessel: ship
    warning: alert
    wealth: riches
    """
)
"""Nouns that are no part of a compound."""

ADJECTIVES = entries(
    """
    accurate: exact
    additional: extra / further
    annual: yearly
    biggest: largest
    brief: short
    chief: main
    correct: right
    coveted: sought-after
    crucial: vital
    dangerous: hazardous
    difficult: hard
    enormous: huge
    entire: whole
    essential: vital
    famous: well-known
    final: last
    huge: enormous
    immediate: instant
    important: significant
    initial: original
    largest: biggest
    main: principal
    mandatory: compulsory
    notable: noteworthy
    numerous: many
    obligatory: compulsory
    oldest: most ancient
    particular: specific
    popular: well-liked
    powerful: strong
    previous: earlier
    primary: main
    principal: main
    prior: earlier
    prominent: leading
    rapid: quick
    similar: comparable
    sole: only
    specific: particular
    sufficient: enough
    unusual: uncommon
    vast: huge
    veteran: experienced
    wealthy: rich
    whole: entire
    widespread: common
    """
)
"""Adjectives before the noun that they belong to."""

ADVERBS = entries(
    """
    almost: nearly
    annually: every year
    approximately: roughly
    commonly: usually
    completely: fully
    considerably: substantially
    currently: at present
    decidedly: distinctly
    entirely: completely
    especially: particularly
    eventually: in the end
    formally: officially
    frequently: often
    fully: completely
    generally: usually
    gradually: little by little
    immediately: at once
    initially: at first
    jointly: together
    largely: mostly
    mainly: mostly
    mostly: mainly
    nearly: almost
    normally: usually
    officially: formally
    often: frequently
    originally: initially
    partially: partly
    partly: in part
    permanently: for good
    primarily: mainly
    quickly: rapidly / swiftly
    rapidly: quickly
    recently: lately
    repeatedly: time and again
    secretly: in secret
    significantly: considerably
    simultaneously: at the same time
    solely: only
    substantially: considerably
    temporarily: for a time
    typically: usually
    usually: generally
    """
)
"""Adverbs, in whatever place."""

PHRASES = entries(
    """
    because of: due to
    due to: because of
    instead of: rather than
    prior to: before
    """
)
"""Several words as they stand."""

BY_FRAME: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "object": verbs.WITH_OBJECT,
    "particle": verbs.WITH_PARTICLE,
    "no object": verbs.WITHOUT_OBJECT,
    "preposition": verbs.WITH_PREPOSITION,
    "infinitive": verbs.WITH_INFINITIVE,
    "object and infinitive": verbs.WITH_OBJECT_AND_INFINITIVE,
    "complement": verbs.WITH_COMPLEMENT,
    "noun": NOUNS,
    "adjective": ADJECTIVES,
    "adverb": ADVERBS,
    "phrase": PHRASES,
}
"""All entries, by the frame that they need."""
