"""How an English question begins: other ways to ask for a time, a reason, a way, a number, a purpose."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from synth.grammar.rewording.english_forms import gerund
from synth.grammar.styles.verbs import is_base

_MONTH = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_YEAR = re.compile(r"(?:in |around |about |c\. ?)?\d{3,4}(?: AD| BC)?", re.IGNORECASE)
_MONTH_OF_YEAR = re.compile(rf"(?:in )?{_MONTH},? \d{{4}}", re.IGNORECASE)
_DATE = re.compile(rf"(?:on )?(?:\d{{1,2}} {_MONTH},? \d{{4}}|{_MONTH} \d{{1,2}}, \d{{4}})", re.IGNORECASE)
_AUXILIARY = r"(?:did|does|do|was|were|is|are|has|have|had|can|could|should|must|will|would)"
_DEFINED = re.compile(r"What is ((?:the )?[A-Za-z]*[A-Z]{2}[A-Z0-9]*|the [A-Z][\w-]+(?: [A-Z][\w-]+)?)\?")


def _when(question: str, answers: Sequence[str]) -> str | None:
    match = re.fullmatch(r"When ((?:did|was|were|is|are) .+)", question)
    answer = answers[0].strip().rstrip(".") if answers else ""
    if match is None:
        return None
    if _YEAR.fullmatch(answer):
        return f"In what year {match[1]}"
    if _MONTH_OF_YEAR.fullmatch(answer):
        return f"In what month and year {match[1]}"
    return f"On what date {match[1]}" if _DATE.fullmatch(answer) else None


def _what_is(question: str, answers: Sequence[str]) -> str | None:
    """What a term or an abbreviation means; a plain name, such as that of a town, means nothing."""
    match = _DEFINED.fullmatch(question)
    several = bool(answers) and len(answers[0].split()) > 1
    return f"What is meant by {match[1]}?" if match and several else None


def _used_for(question: str, answers: Sequence[str]) -> str | None:
    match = re.fullmatch(r"What (is|are|was|were) ([^,]+) used for\?", question)
    if match:
        do = {"is": "does", "are": "do"}.get(match[1], "did")
        return f"What purpose {do} {match[2]} serve?"
    match = re.fullmatch(r"What (will|can|could|should) ([^,]+) be used for\?", question)
    return f"What purpose {match[1]} {match[2]} serve?" if match else None


def _for_what(question: str, answers: Sequence[str]) -> str | None:
    match = re.fullmatch(r"What (do|does|did) ([^,]+ use [^,]+) for\?", question)
    return f"For what purpose {match[1]} {match[2]}?" if match else None


def _recommended(question: str, answers: Sequence[str]) -> str | None:
    match = re.fullmatch(r"What should you use (?:if|when) (.+)", question)
    if match:
        return f"What is recommended if {match[1]}"
    match = re.fullmatch(r"What should you use to ([a-z]+) ((?!and |or ).+)", question)
    if match and is_base(match[1]) and not re.search(r"\b(?:and|or) [a-z]+ ", match[2]):
        return f"What is recommended for {gerund(match[1])} {match[2]}"
    return None


def _possible(question: str, answers: Sequence[str]) -> str | None:
    match = re.fullmatch(r"(What|Which (?:[\w-]+ ){0,3}[\w-]*[^s\W]) can you use to (.+)", question)
    return f"{match[1]} makes it possible to {match[2]}" if match else None


def _called(question: str, answers: Sequence[str]) -> str | None:
    match = re.fullmatch(r"What (is|are|was|were) ([^,]+?)(?<!ly) called( in [^,]+)?\?", question)
    be = "was" if match and match[1] in ("was", "were") else "is"
    return f"What name {be} given to {match[2]}{match[3] or ''}?" if match else None


def _pattern(pattern: str, made: str) -> Callable[[str, Sequence[str]], str | None]:
    compiled = re.compile(pattern)

    def opened(question: str, answers: Sequence[str]) -> str | None:
        match = compiled.fullmatch(question)
        return match.expand(made) if match else None

    return opened


_OPENINGS = (
    _when,
    _pattern(r"Where (?:is|are) ([^,]+) (?:located|situated)\?", r"Where can \1 be found?"),
    _pattern(rf"Why ({_AUXILIARY} .+)", r"For what reason \1"),
    _pattern(
        r"How ((?:did|does|do|can|could|is|was|were|are) (?!you (?:feel|like|think|know)).+ .+)", r"In what way \1"
    ),
    _used_for,
    _for_what,
    _called,
    _pattern(r"What does ([^,]+) consist of\?", r"What is \1 made up of?"),
    _pattern(r"What happens ((?:if|when|after|before|once) .+)", r"What is the result \1"),
    _pattern(r"What should you do to (.+)", r"What is the recommended way to \1"),
    _pattern(r"What should you do ((?:if|when) .+)", r"What is recommended \1"),
    _recommended,
    _possible,
    _pattern(r"What can you do ((?:if|when) .+)", r"What option do you have \1"),
    _pattern(r"What did ([^,]+) take control of\?", r"What did \1 gain control of?"),
    _what_is,
)


def other_opening(question: str, answers: Sequence[str]) -> str | None:
    """The question with another beginning that asks for the same, or None."""
    return next((made for one in _OPENINGS if (made := one(question, answers))), None)
