"""English questions as small talk and as a formal request."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from synth.grammar.english.lexicon import word_set
from synth.grammar.styles.clauses import AUXILIARIES, PREPOSITIONS, indirect

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
    "conversational": conversational,
    "formal": formal,
}
