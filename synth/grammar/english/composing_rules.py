"""Conditional questions on what an English document lays down, beside those that its facts give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from synth.grammar.english.author import drafts
from synth.grammar.reading import Reading
from synth.records import Draft

_SET = re.compile(r"^(?P<ask>What .+?) (?P<condition>(?:if|when|once)\s(?!(?:is|are|was|does|do|did|can)\b).+)\?$")
_DEED = re.compile(r"^What (?P<lead>can|should|must) you do$")
_POINTING = re.compile(
    r"\b(?:it|its|they|them|their|this|that way|these|those|instead|too|also|then|here|there|above|below|such|"
    r"following|same|he|she|someone)\b",
    re.I,
)
_MERE = re.compile(r"^(?:it|they|you) (?:will|is|are|can|would)(?: \w+){0,2}$")
_TELLING = re.compile(r"[A-Z]{2}|[a-z][A-Z]|[_()=./\[\]\d]|(?<!^)\b[A-Z]")
_WISHES = re.compile(r"^(?:if|when) you (?:open|read|see|look|work|go|visit|click)\b")
_ABLE = 14
"""Words of an answer that is still one answer."""


def conditionals(reading: Reading) -> list[Draft]:
    """Questions that set a condition, or ask for it, as the sentences of an English document state it.

    The pattern of a draft is "consequence" or "condition". No question is given that two sentences
    answer in different words.
    """
    return composed(drafts(reading))


def composed(found: Iterable[Draft]) -> list[Draft]:
    """The conditional ones among simple drafts, and those turned round; best first."""
    made: dict[str, list[Draft]] = {}
    for draft in found:
        for one in _asked(draft):
            made.setdefault(one.question.lower(), []).append(one)
    kept = [same[0] for same in made.values() if len({one.golden_answers for one in same}) == 1]
    return sorted(kept, key=lambda draft: (-draft.worth, draft.spans, draft.question))


def _asked(draft: Draft) -> Iterator[Draft]:
    match = _SET.match(draft.question)
    if match is None:
        return
    answer, condition = draft.golden_answers[0], match["condition"]
    words = len(answer.split())
    if words > 2 * _ABLE or _MERE.match(answer) or answer.endswith(" too") or _WISHES.match(condition):
        return
    if _points(condition, match["ask"]) or re.search(r" that |^What did | was | were ", match["ask"]):
        return
    yield replace(draft, pattern="consequence")
    deed = _DEED.match(match["ask"])
    if (
        deed
        and words <= _ABLE
        and answer[0].islower()
        and _TELLING.search(answer)
        and not _POINTING.search(f"{answer} {condition}")
    ):
        word, _, rest = condition.partition(" ")
        timed = word in ("when", "once")
        yield replace(
            draft,
            question=f"{'When' if timed else 'Under what condition'} {deed['lead']} you {answer}?",
            golden_answers=(condition if timed else rest,),
            pattern="condition",
            worth=round(draft.worth - 0.05, 3),
        )


def _points(condition: str, asked: str) -> bool:
    """Whether a condition points to what neither it nor the question has named before."""
    pointer = re.search(r"\b(?:it|its|they|them|their|this|these|those|such|here|above|below)\b", condition)
    if pointer is None:
        return False
    before = f"{asked.removeprefix('What')} {condition[: pointer.start()]}"
    named = re.search(r"\b(?:an?|the) \w|[A-Z]|_", before)
    return named is None or pointer.group() in ("this", "these", "those", "such", "here")
