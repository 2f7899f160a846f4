"""English questions as keywords, as small talk, and as a formal request."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence

from synth.grammar.english.lexicon import word_set
from synth.grammar.styles.clauses import (
    AUXILIARIES,
    BE,
    DO,
    MODALS,
    PREPOSITIONS,
    Asked,
    indirect,
    inflected,
    taken_apart,
    verb_of,
)
from synth.grammar.styles.verbs import is_base, is_finite, is_participle

_DROPPED = word_set("the a an your is are was were there's")
_PLACING = word_set("in on at during")
_MONTHS = word_set("January February March April May June July August September October November December")
_CONDITION = word_set("if when unless because while")
_FEWEST = 2  # content words that a query needs
_FEW = 6  # words that a query may have before the kind of answer
_CHOICE = re.compile(r"Which (?P<said>[^,]+), (?P<rivals>[^,]+ or [^,]+)")
_TIMED = re.compile(r"^(?:in )?(?:what|which) (year|month|decade|century|date|day)$", re.IGNORECASE)

_ASIDE = ("Hi, {q}?", "Hey, {q}?", "Quick question: {q}?", "Just wondering, {q}?", "Hi there, quick question: {q}?")
_TAGGED = ("{Q}, do you know?", "{Q}, any idea?", "Hey, {q}, any idea?")
_KNOWING = (
    "Do you know {c}?",
    "Hey, do you know {c}?",
    "Do you happen to know {c}?",
    "Does anyone know {c}?",
    "Hi, does anybody know {c}?",
    "Any idea {c}?",
)
_STATING = (
    "Could you please state {c}?",
    "Could you please specify {c}?",
    "Would you kindly indicate {c}?",
    "Could you please clarify {c}?",
)
_EXPLAINING = ("Could you please explain {c}?", "Would you kindly explain {c}?", "Could you please clarify {c}?")
_DESCRIBING = ("Could you please describe {c}?", "Could you please explain {c}?", "Would you kindly explain {c}?")
_ANNOUNCED = ("Please clarify: {q}?", "Please specify: {q}?")
_SHORT_FORMS = {
    "there's": "there is",
    "don't": "do not",
    "doesn't": "does not",
    "didn't": "did not",
    "can't": "cannot",
    "isn't": "is not",
    "aren't": "are not",
    "it's": "it is",
}


def keywords(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    """What is typed into a search box: names whole, no articles, no mark; None when too little is left."""
    asked = taken_apart(question)
    choice = _CHOICE.fullmatch(_body(question))
    if choice:
        found = _bare([*choice["rivals"].split(), "which", *choice["said"].split()])
    elif asked is None:
        found = _bare(_lowered(_body(question)).split())
        if found and found[0] in BE | DO:
            found = found[1:]
    else:
        found = _definition(asked) or _query(asked, rng)
    content = [word for word in found if word.lower() not in PREPOSITIONS | AUXILIARIES]
    query = " ".join(found).replace(",", " ,").replace(" ,", "") if "," in question else " ".join(found)
    if len(content) < _FEWEST or query == _body(question) or any(kept not in query for kept in _within(keep, question)):
        return None
    return query


def _within(keep: Sequence[str], question: str) -> list[str]:
    """What is to be kept, as a query has it: without an article before it, and without commas."""
    return [re.sub(r"^(?:the|an?) |,", "", kept) for kept in keep if kept and kept in question]


def _definition(asked: Asked) -> list[str] | None:
    """ "what is ASGI", which is how a bare name is looked up."""
    rest = _bare(asked.rest)
    if asked.wh[-1].lower() not in ("what", "who") or asked.auxiliary not in BE or not rest:
        return None
    named = all(word[:1].isupper() or not word.islower() for word in rest)
    return [asked.wh[0].lower(), asked.auxiliary, *rest] if named or len(rest) == 1 else None


def _query(asked: Asked, rng: random.Random) -> list[str]:
    wh, rest = " ".join(asked.wh).lower(), asked.rest
    if rest[:1] in (("you",), ("one",), ("i",)) and wh in ("how", "what", "why"):
        return _advice(wh, rest[1:])
    if rest[:1] == ("you",) and len(asked.wh) > 1 and asked.auxiliary != "did":
        return [*(["how"] if wh.startswith("how ") else []), *_bare(asked.wh[1:]), "to", *_bare(rest[1:])]
    said = _bare(_with_tense(asked))
    timed = _TIMED.match(wh)
    if timed:
        return [*said, timed[1].lower()] if len(said) <= _FEW else ["what", timed[1].lower(), *said]
    if wh == "when":
        dated = asked.auxiliary in ("was", "were", "did") and len(said) <= _FEW and not _has_clause(said)
        return [*said, "date"] if dated and rng.random() < 0.5 else ["when", *said]
    if wh == "where":
        return _place(asked, said)
    if wh == "what" and asked.auxiliary:
        bare = asked.auxiliary in BE and not _begins_with_verb(asked)
        return said if bare else ["what", asked.auxiliary, *_bare(rest)]
    if wh == "who" and asked.auxiliary in BE and rest[:1] == ("the",):
        return said
    if wh.split()[0] in _PLACING | {"from", "for"} and len(asked.wh) > 2 and said[:1] != [asked.auxiliary]:
        return [*_bare(asked.wh[2:]), *said]
    if wh.startswith(("what ", "which ")) and asked.wh[1] != "of":
        return [*_bare(asked.wh[1:]), *said]
    own = [asked.auxiliary] if asked.wh[1:2] == ("of",) and asked.auxiliary else []
    return [asked.wh[0].lower(), *_bare(asked.wh[1:]), *own, *said]


def _advice(wh: str, rest: Sequence[str]) -> list[str]:
    """ "how to …", "what to use to …", "why use …": what "you" can, should or need to do."""
    if wh == "why":
        return ["why", *_bare(rest[2:] if tuple(rest[:2]) in (("need", "to"), ("have", "to")) else rest)]
    if wh == "what" and tuple(rest[:2]) == ("do", "to"):
        return ["how", *_bare(rest[1:])]
    return [wh, "to", *_bare(rest)]


def _place(asked: Asked, said: list[str]) -> list[str]:
    located = asked.auxiliary in BE and (said[-1] == "located" or not any(word.islower() for word in said))
    bare = said[:-1] if said[-1] == "located" else said
    return [*bare, "location"] if located and bare else ["where", *said]


def _begins_with_verb(asked: Asked) -> bool:
    clause = indirect(" ".join((*asked.wh, asked.auxiliary, *asked.rest)) + "?")
    return clause is not None and clause.split()[1:2] == [asked.auxiliary]


def _has_clause(said: Sequence[str]) -> bool:
    return any(word in _CONDITION or word in ("that", "who", "which") for word in said)


def _with_tense(asked: Asked) -> list[str]:
    """The rest of a question with the verb in the tense of the auxiliary that is dropped."""
    rest = list(asked.rest)
    at = verb_of(asked.rest) if asked.auxiliary in DO and rest else None
    if at is not None:
        rest[at] = inflected(rest[at], asked.auxiliary)
    elif asked.auxiliary in ("did", "does") or asked.auxiliary in MODALS:
        return [asked.auxiliary, *rest]
    return rest


def _bare(words: Sequence[str]) -> list[str]:
    """Words that are searched for; within a condition the pronoun stays, as in "if you have"."""
    kept: list[str] = []
    conditional = False
    for at, word in enumerate(words):
        conditional = conditional or word.lower() in _CONDITION
        if not _is_idle(words, at) and (word != "you" or conditional):
            kept.append(word)
    return kept


def _is_idle(words: Sequence[str], at: int) -> bool:
    """Whether the word at a place says nothing to a search: an article, "is", "in" before a year or a last name."""
    word, after, before = words[at], words[at + 1] if at + 1 < len(words) else "", words[at - 1] if at else ""
    if word == "the" and before in PREPOSITIONS and after[:1].isupper() and at > 1 and words[at - 2][:1].isupper():
        return False
    if word in _DROPPED:
        return True
    if word == "that":
        return after in BE
    if word not in _PLACING or not at:
        return False
    if after[:1].isdigit() or after in _MONTHS:
        return True
    named = not any(later.islower() and later not in _DROPPED for later in words[at + 1 :])
    return named and not is_base(before) and not is_finite(before) and not is_participle(before)


def conversational(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    """Small talk around the question: after "Do you know" where its order is sure, else after a greeting."""
    clause = indirect(question)
    asides = _ASIDE if "," in question or ":" in question else (*_ASIDE, *_TAGGED)
    if clause and rng.random() < 0.7:
        return _finished(rng.choice(_KNOWING).format(c=clause))
    body = _body(question)
    return _finished(rng.choice(asides).format(q=_lowered(body), Q=body))


def formal(question: str, rng: random.Random, keep: Sequence[str]) -> str | None:
    """A request in full sentences: an indirect question where its order is sure, else an announced one."""
    long_form = _lengthened(question, keep)
    clause = indirect(long_form)
    if clause is None:
        return _finished(rng.choice(_ANNOUNCED).format(q=_lowered(_body(long_form))))
    how_to = clause.startswith("how ") and not clause.startswith(("how many", "how much", "how long", "how old"))
    frames = _EXPLAINING if clause.startswith("why ") else _DESCRIBING if how_to else _STATING
    if clause.startswith("what happens"):
        frames = _DESCRIBING
    return _finished(rng.choice(frames).format(c=clause))


def _lengthened(question: str, keep: Sequence[str]) -> str:
    kept = " ".join(keep)
    words = [
        _SHORT_FORMS.get(word.lower(), word) if word not in kept and word.islower() else word
        for word in question.split()
    ]
    return " ".join(words)


def _body(question: str) -> str:
    return question.rstrip("?").rstrip()


def _lowered(body: str) -> str:
    """A body that goes on after an opening: its first word small unless it is a name."""
    first = next(iter(body.split()), "")
    small = first.lower().rstrip(",")
    common = small in PREPOSITIONS | AUXILIARIES or small in _OPENING
    return first.lower() + body[len(first) :] if common else body


_OPENING = word_set("what which who whom whose when where why how if unless the a an under among out besides")


def _finished(text: str) -> str:
    return text[:1].upper() + text[1:]


ENGLISH: dict[str, Callable[[str, random.Random, Sequence[str]], str | None]] = {
    "keywords": keywords,
    "conversational": conversational,
    "formal": formal,
}
