"""Questions of one fact, written from segmented Chinese: simplified and traditional."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synth.core.records import Draft
from synth.grammar.chinese.asides import asides
from synth.grammar.chinese.candidates import Candidate, TemplateWriter
from synth.grammar.chinese.copulas import copulas
from synth.grammar.chinese.events import events
from synth.grammar.chinese.page import ChineseStatement, speaks, tell
from synth.grammar.chinese.ranking import Ranked, judge, sets_spaces
from synth.grammar.chinese.reasons import reasons
from synth.grammar.chinese.references import glossary_drafts, reference_drafts
from synth.grammar.chinese.sentence_checks import stated
from synth.grammar.chinese.set_forms import FACTS, facts
from synth.grammar.chinese.statutes import statutes
from synth.grammar.chinese.versions import versions
from synth.grammar.reading import Reading
from synth.text.normalise import normalise

__all__ = ["PATTERNS", "drafts"]

PATTERNS = (
    *(fact.name for fact in FACTS),
    *("abbreviation", "attribute", "by_whom", "count", "deadline", "default", "definition"),
    *("founded", "limit", "option", "quantity", "reason", "since", "statute", "superlative", "term", "time"),
)
"""The constructions, by the name that a draft carries as its pattern."""

LEAST_WORTH = 0.6
"""Least worth of a question that is offered."""


A_SENTENCE = 2
"""Most questions on one sentence."""


def drafts(reading: Reading) -> list[Draft]:
    """All good simple questions of a Chinese document, the best first.

    `worth` is about the chance that a strict reader accepts the question. The spans are the
    sentences that prove the answer.
    """
    spaced = sets_spaces("\n".join(sentence.text for sentence in reading.sentences))

    best: dict[str, Ranked] = {}
    answers: dict[str, set[str]] = {}
    for told in tell(reading):
        item = told.line
        if not speaks(item) or not stated(item):
            continue
        for proposed in _candidates(told, reading):
            ranked = judge(proposed, spaced=spaced)
            if ranked is None:
                continue
            key = normalise(ranked.candidate.question)
            answers.setdefault(key, set()).add(normalise(ranked.candidate.answer))
            if key not in best or ranked.worth > best[key].worth:
                best[key] = ranked
    kept = sorted(
        (ranked for key, ranked in best.items() if len(answers[key]) == 1 and ranked.worth >= LEAST_WORTH),
        key=lambda ranked: (-ranked.worth, ranked.candidate.lines, ranked.candidate.question),
    )
    found = [_draft(ranked, reading) for ranked in _varied(kept)]
    documented = (*reference_drafts(reading), *glossary_drafts(reading))
    return sorted((*found, *documented), key=lambda draft: -draft.worth)


def _varied(kept: Sequence[Ranked]) -> list[Ranked]:
    """At most `A_SENTENCE` of the questions on one sentence, the best, no two of one construction."""
    taken: dict[int, list[str]] = {}
    made = []
    for ranked in kept:
        patterns = taken.setdefault(ranked.candidate.line.index, [])
        if len(patterns) < A_SENTENCE and ranked.candidate.pattern not in patterns:
            patterns.append(ranked.candidate.pattern)
            made.append(ranked)
    return made


def _candidates(told: ChineseStatement, reading: Reading) -> Iterator[Candidate]:
    item, found, writer = told.line, told.statements, TemplateWriter(reading.language)
    yield from facts(found, writer)
    yield from events(found, writer)
    yield from copulas(found, writer)
    yield from reasons(item, found, writer)
    yield from asides(item, writer)
    yield from versions(item, writer)
    yield from statutes(item, told.title, reading.document.title, writer)


def _draft(ranked: Ranked, reading: Reading) -> Draft:
    made = ranked.candidate
    return Draft(
        question=made.question,
        golden_answers=(made.answer,),
        spans=tuple((reading.sentences[i].start, reading.sentences[i].end) for i in made.lines),
        pattern=made.pattern,
        worth=ranked.worth,
    )
