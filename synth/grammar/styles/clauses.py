"""English questions taken apart, and put into the order they have after "Do you know": where that is sure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from synth.grammar.english.lexicon import word_set
from synth.grammar.styles.verbs import AMBIGUOUS, is_base, is_finite, is_participle
from synth.text.inflection import past, third_person

BE = word_set("is are was were")
HAVE = word_set("has have had")
DO = word_set("do does did")
MODALS = word_set("can could may might must should will would shall")
AUXILIARIES = BE | HAVE | DO | MODALS
PREPOSITIONS = word_set(
    "in on at by for from with since until during to of under into through after before about against between over "
    "per as within without towards toward via among around near across along behind beyond than like"
)
DETERMINERS = word_set("the a an this that these those its their his her your our my any some each every no all both")
PRONOUNS = word_set("you we they he she it one there i")
_WH = word_set("what which who whom whose when where why how")
_ADVERBIAL = word_set("when where why how")
_CLAUSE_WORDS = word_set("that which who whom whose to if when while because unless than where but")
_ADVERBS = word_set("first also often most best ever usually commonly mainly still always never originally later not")
_NO_SUBJECT_BEFORE = (
    DETERMINERS | PREPOSITIONS | word_set("and or to most more very that who which you they we if when not")
)
_HELPING = word_set("help let make have see watch")
_MOST_IN_PHRASE = 9
_MOST_IN_NAME = 6


@dataclass(frozen=True, slots=True)
class QuestionParts:
    """A question in parts: "In which year" + "did" + "the bridge open"; no auxiliary when the subject is asked for."""

    wh: tuple[str, ...]
    auxiliary: str
    rest: tuple[str, ...]

    @property
    def word(self) -> str:
        """The question word, in small letters."""
        return next(word.lower() for word in self.wh if word.lower() in _WH)

    @property
    def is_adverbial(self) -> bool:
        """True if it asks for a circumstance, so that the subject is not what is asked for."""
        before = self.wh[0].lower() not in _WH
        timed = re.search(r"\b(?:year|date|day|month|decade|century|time|times|long|often)s?$", self.wh[-1].lower())
        return before or bool(timed) or (self.word in _ADVERBIAL and len(self.wh) == 1)


def taken_apart(question: str) -> QuestionParts | None:
    """The parts of an English question that begins with its question word, or None."""
    words = question.rstrip("?").split()
    first = 1 if len(words) > 1 and words[0].lower() in PREPOSITIONS else 0
    if len(words) < first + 2 or words[first].lower() not in _WH:
        return None
    asks = words[first].lower()
    for at in range(first + 1, min(len(words), first + 1 + _MOST_IN_PHRASE)):
        if words[at].lower() in AUXILIARIES:
            return QuestionParts(tuple(words[:at]), words[at].lower(), tuple(words[at + 1 :]))
        followed = at + 1 < len(words) and words[at + 1].lower() in AUXILIARIES
        if is_finite(words[at]) and not followed and (asks in ("who", "what") or at > first + 1):
            break
    subject = asks in ("who", "what", "which", "whose") or words[1].lower() in ("many", "much", "to")
    # An auxiliary further on may be that of the question after all.
    if first or not subject or any(word.lower() in DO for word in words):
        return None
    return QuestionParts((words[0],), "", tuple(words[1:]))


def indirect(question: str) -> str | None:
    """The question as it stands after "Do you know", without a mark: "when the bridge was opened".

    None where its order cannot be told for sure.
    """
    asked = taken_apart(question)
    if asked is None or _has_clause_comma(asked):
        return None
    if not asked.auxiliary:
        return _clause_text(asked.wh, asked.rest)
    if not asked.rest:
        return None
    order = _be if asked.auxiliary in BE else _have if asked.auxiliary in HAVE else _do
    ordered = (_modal if asked.auxiliary in MODALS else order)(asked)
    return _clause_text(asked.wh, ordered) if ordered else None


def _has_clause_comma(asked: QuestionParts) -> bool:
    """True if a comma sets off more than a date, a place or a name in a list."""
    rest = " ".join((*asked.wh, *asked.rest))
    return "," in re.sub(r"(?<=\d), (?=\d{4})|(?<=\w), (?=[A-Z])|,(?=\d{3})", " ", rest) and bool(asked.auxiliary)


def _clause_text(wh: tuple[str, ...], rest: tuple[str, ...]) -> str:
    return " ".join((wh[0].lower(), *wh[1:], *rest))


def _be(asked: QuestionParts) -> tuple[str, ...] | None:
    rest, be = asked.rest, asked.auxiliary
    if rest[0].lower() in PRONOUNS:
        return (rest[0], be, *rest[1:])
    if _is_verbal(rest[0]) or (rest[0] in _ADVERBS and len(rest) > 1 and _is_verbal(rest[1])):
        return None if asked.is_adverbial else (be, *rest)
    at = _only_participle(rest)
    if at is not None:
        return (*rest[:at], be, *rest[at:])
    if any(map(_is_verbal, rest)):
        return None
    return _copula(asked)


def _copula(asked: QuestionParts) -> tuple[str, ...] | None:
    """Clause in which "is" joins a name: "who William Farel was"; left in order where a predicate follows."""
    rest, be = asked.rest, asked.auxiliary
    if asked.word in ("why", "how", "when") or rest[-1].lower() in PREPOSITIONS:
        return None
    if len(asked.wh) > 1 and not asked.is_adverbial:
        return (be, *rest)
    if len(rest) > 1 and rest[0].islower() and rest[1] in PREPOSITIONS and asked.word in ("who", "what"):
        return (be, *rest)
    plain = not any(word.lower() in _CLAUSE_WORDS for word in rest)
    return (*rest, be) if plain and len(rest) <= _MOST_IN_NAME else None


def _only_participle(rest: tuple[str, ...]) -> int | None:
    """Start of the one participle that can belong to "be", with its adverbs; None if unsure."""
    participles = [
        at
        for at, word in enumerate(rest)
        if at and _is_verbal(word) and rest[at - 1].lower() not in _NO_SUBJECT_BEFORE and not _opens_noun(rest, at)
    ]
    verbal = [at for at, word in enumerate(rest) if at and _is_verbal(word)]
    if len(participles) != 1 or verbal[0] != participles[0] or _opens_clause(rest[: participles[0]]):
        return None
    at = participles[0]
    while at > 1 and (rest[at - 1] in _ADVERBS or (rest[at - 1].endswith("ly") and rest[at - 1].islower())):
        at -= 1
    return at


def _opens_clause(words: tuple[str, ...]) -> bool:
    """True if a clause begins among these words, to which a verb further on may belong."""
    return any(word.lower() in _CLAUSE_WORDS - {"to"} for word in words)


def _opens_noun(rest: tuple[str, ...], at: int) -> bool:
    """True if an adjective goes before, as in "the newly formed council"."""
    before = rest[at - 1]
    return before.endswith("ly") and at > 1 and rest[at - 2].lower() in DETERMINERS


def _is_verbal(word: str) -> bool:
    return word.islower() and is_participle(word)


def _have(asked: QuestionParts) -> tuple[str, ...] | None:
    rest, have = asked.rest, asked.auxiliary
    if rest[0].lower() in PRONOUNS:
        return (rest[0], have, *rest[1:])
    if _is_verbal(rest[0]) or rest[0] in ("not", "been"):
        return None if asked.is_adverbial else (have, *rest)
    at = _only_participle(rest)
    if at is not None:
        return (*rest[:at], have, *rest[at:])
    own = not asked.is_adverbial and rest[0].lower() in DETERMINERS and not any(map(_is_verbal, rest))
    return (have, *rest) if own else None


def _modal(asked: QuestionParts) -> tuple[str, ...] | None:
    rest, modal = asked.rest, asked.auxiliary
    if rest[0].lower() in PRONOUNS and asked.word == "how" and modal in ("can", "should") and len(asked.wh) == 1:
        return ("to", *rest[1:]) if rest[0] == "you" and len(rest) > 1 else (rest[0], modal, *rest[1:])
    if rest[0].lower() in PRONOUNS:
        return (rest[0], modal, *rest[1:])
    if (is_base(rest[0]) or rest[0] == "be") and not asked.is_adverbial:
        return (modal, *rest)
    at = verb_of(rest)
    return None if at is None else (*rest[:at], modal, *rest[at:])


def _do(asked: QuestionParts) -> tuple[str, ...] | None:
    rest, do = asked.rest, asked.auxiliary
    if "not" in rest:
        return None
    if do == "do":
        return ("to", *rest[1:]) if asked.word == "how" and len(asked.wh) == 1 and rest[0] == "you" else rest
    at = verb_of(rest)
    return None if at is None else (*rest[:at], inflected(rest[at], do), *rest[at + 1 :])


def inflected(verb: str, do: str) -> str:
    """A base form with the tense that "did" or "does" had."""
    return past(verb) if do == "did" else third_person(verb) if do == "does" else verb


def verb_of(rest: tuple[str, ...]) -> int | None:
    """Place of the verb that its subject parts from an auxiliary; None if unsure."""
    if rest[0].lower() in PRONOUNS:
        return next((at for at in (1, 2) if at < len(rest) and is_base(rest[at])), None)
    verbs = [at for at in range(1, len(rest)) if _may_be_verb(rest, at)]
    sure = [at for at in verbs if rest[at] not in AMBIGUOUS or all(not word.islower() for word in rest[:at])]
    if verbs and _opens_clause(rest[: verbs[0]]):
        return None
    if len(verbs) < 2 or verbs[0] in sure or rest[verbs[0]] in _HELPING:
        return verbs[0] if verbs else None
    return sure[0] if len(sure) == 1 else None


def _may_be_verb(rest: tuple[str, ...], at: int) -> bool:
    word, before = rest[at], rest[at - 1].lower()
    if not word.islower() or not is_base(word) or before in _NO_SUBJECT_BEFORE:
        return False
    return not (before[:1].isdigit() and at > 1 and rest[at - 2].lower() in DETERMINERS)
