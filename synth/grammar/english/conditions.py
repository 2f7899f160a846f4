"""Texts that start with "if": the consequence of the condition, and an example case that meets the condition."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from synth.grammar.english.headings import FORMS, VERBS
from synth.grammar.english.reader_voice import as_reader_text
from synth.grammar.structure.language import Rule
from synth.grammar.structure.outline import concluding

if TYPE_CHECKING:
    from synth.grammar.reading import Reading
    from synth.grammar.structure.outline import Section

NUMBERS = "one two three four five six seven eight nine ten twelve fifteen twenty thirty sixty ninety".split()
_VALUES = dict(zip(NUMBERS, (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 30, 60, 90), strict=True))
_THRESHOLD = re.compile(
    r"(?P<bound>\b(?:more than|over|at least|longer than|greater than|higher than|older than|less than|fewer than|"
    r"under|shorter than|younger than|lower than|no more than|at most))\s+(?P<money>[$€£]?)"
    rf"(?P<n>\d[\d,]*|{'|'.join(NUMBERS)})(?P<percent>\s?%|)(?P<joint>[- ]?)",
    re.IGNORECASE,
)
_UPWARDS = ("more than", "over", "at least", "longer than", "greater than", "higher than", "older than")
_DATE = re.compile(r"\d+[/-]\d+[/-]\d+|\b(?:19|20)\d\d\b")
_MOST_CONDITION, _LEAST_CONDITION = 26, 4
_ORDERS = frozenset("call let please go be tell contact make visit email talk".split())
_ORDERED = re.compile(
    r"If (?P<c>[^:]{12,160}?)(?:: |, (?=(?:please |then )?(?:[a-z]+ )?(?:you\b|we\b|we['’]|you['’]|"
    + "|".join(sorted(VERBS | _ORDERS))
    + r")\b))(?P<a>.+)",
    re.DOTALL,
)
_FOLLOWED = re.compile(r"If (?P<c>[^:,]{12,160}), (?P<a>[^,:;]+\.)", re.DOTALL)
_NO_CASE = re.compile(r"(?:after|before|when|and|not|in|on|at|for|so)\b")
_POINTING = re.compile(r"\s*(?:Learn|Read|Find out|See|Go to|Get) (?:more|how|the|our|a)\b[^.]*\.?$")
_DEFINITE = re.compile(
    r"\b(?:the|your) (?P<noun>(?:[\w-]+ )?[\w’-]+)\b(?! (?:of|that|who|which|in|at|on|for|to|you)\b)"
)
_SERIES = re.compile(r"[^.]*, (?:or|and) [^,.]+, ")
_ADDRESSED = re.compile(r"\b(?:you(?:r|rs)?|us|we|our)\b", re.IGNORECASE)
_MUST = re.compile(r"you(?:['’]ll| will)? (?:must|should|need to|have to)\b", re.IGNORECASE)
_OBLIGED = re.compile(r"(?!(?:you|we|it|this|there) )(?P<who>(?:[\w-]+ ){1,4}?)(?P<modal>must|should) (?!be\b|not\b)")
_FOLLOWS = re.compile(
    r"you(?:['’]ll| will| won['’]t| lose| get| do not| don['’]t)\b|we(?:['’]ll| will)\b", re.IGNORECASE
)
_NO_SUBJECT = re.compile(
    r"(?:you|we|it|this|there|then|try|don['’]t|do|follow|just|simply|never|always|ensure|keep|what|which|how|in|on|at|for|to|with|by|as)\b",
    re.IGNORECASE,
)


def rules(reading: Reading, section: Section, thing: str) -> Iterator[Rule]:
    """Yield the rules in the complete sentences of a section (see `concluding`)."""
    for sentence in concluding(reading, section, FORMS):
        if rule := advice(sentence.text.strip(), ""):
            yield replace(rule, answer=rule.answer.rstrip(" .!"), spans=((sentence.start, sentence.end),))


def advice(text: str, condition: str) -> Rule | None:
    """Return the rule in a text that starts with "If", or None. The whole text after the condition is its answer.

    `condition` is the part of the text in bold, or "". A text that only permits something gives None.

    >>> advice("If you feel unsafe at work, call the police. They can help.", "").question
    'What should I do if I feel unsafe at work?'
    """
    match = _ORDERED.match(text) or _FOLLOWED.fullmatch(text)
    if condition:
        match = re.match(rf"If (?P<c>{re.escape(condition[3:])})[:,.]? (?P<a>\S.*)", text, re.DOTALL)
    if match is None or _NO_CASE.match(match["c"]):
        return None
    said, answer = match["c"].strip(" ,:").removesuffix(" now"), _POINTING.sub("", match["a"].strip())
    leans = (not condition and FORMS.has("weak", said)) or FORMS.has("consequence_leans", said) or _DATE.search(said)
    if (
        leans
        or FORMS.has("no_case", said)
        or not _LEAST_CONDITION <= len(said.split()) <= _MOST_CONDITION
        or "(" in said
    ):
        return None
    main = answer.split(". ")[0]
    if _SERIES.match(main):
        return None  # the condition continues after the comma
    if FORMS.has("no_consequence", main) or FORMS.has("consequence_leans", main) or re.search(r"\balso\b", main):
        return None
    ask, reader = _asked(main), as_reader_text(said)
    if not ask or not answer.endswith((".", "!")) or _ADDRESSED.search(reader):
        return None
    case = _case(reader)
    return Rule(
        condition=reader,
        answer=answer[:1].upper() + answer[1:],
        question=f"{ask} if {reader}?",
        case=f"{case}." if case else "",
        case_question=f"{ask}?" if case else "",
        presumed=tuple(match["noun"] for match in _DEFINITE.finditer(said)),
    )


def _asked(main: str) -> str:
    """Return the start of the question that a main clause answers, such as "What should I do".

    Return "" if the clause is neither an order nor a consequence.
    """
    first = main.split()[0].lower().strip(",.") if main else ""
    if first in VERBS | _ORDERS or _MUST.match(main):
        return "What should I do"
    if match := _OBLIGED.match(main):
        return f"What {match['modal']} {match['who']}do"
    says = _FOLLOWS.match(main) or not _NO_SUBJECT.match(main)
    return "What happens" if says and not FORMS.has("no_outcome", main) else ""


def _case(condition: str) -> str:
    """Return an example that meets the condition, with a number in place of the threshold; "" without threshold.

    "more than 10 days" becomes "13 days".
    """
    match = _THRESHOLD.search(condition)
    if re.search(r"\b(?:not|never|no)\b|n['’]t\b", condition):
        return ""
    if match is None or len(_THRESHOLD.findall(condition)) > 1:
        return ""
    word = match["n"].lower()
    n = _VALUES.get(word) or int(word.replace(",", ""))
    if n < 2 and match["bound"].lower() not in _UPWARDS:
        return ""
    number = n + max(1, round(n * 0.3)) if match["bound"].lower() in _UPWARDS else max(1, n * 2 // 3)
    if number == n:
        return ""
    shown = f"{match['money']}{number:,}{match['percent']}{match['joint']}"
    rest = condition[match.end() :]
    if n == 1:
        rest = re.sub(
            r"^(year|month|week|day|hour|minute|mile|person|night)\b",
            lambda m: "people" if m[1] == "person" else m[1] + "s",
            rest,
        )
    said = condition[: match.start()] + shown + rest
    return said[:1].upper() + said[1:]
