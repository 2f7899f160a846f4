"""Questions of one fact, written from segmented Chinese: simplified and traditional."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synth.core import interruption
from synth.core.records import Draft
from synth.grammar.chinese.asides import asides
from synth.grammar.chinese.candidates import Candidate, TemplateWriter
from synth.grammar.chinese.copulas import copulas
from synth.grammar.chinese.events import events
from synth.grammar.chinese.page import ChineseStatement, speaks, stated_lines
from synth.grammar.chinese.ranking import Ranked, judge, sets_spaces
from synth.grammar.chinese.references import glossary_drafts, reference_drafts
from synth.grammar.chinese.sentence_checks import stated
from synth.grammar.chinese.set_forms import FACTS, facts
from synth.grammar.chinese.statutes import statutes
from synth.grammar.chinese.versions import versions
from synth.grammar.headed_questions import PATTERN, HeadedForms, headed_drafts
from synth.grammar.reading import Reading
from synth.text.normalise import normalise

__all__ = ["PATTERNS", "TOLD", "drafts"]

TOLD = (
    *(fact.name for fact in FACTS),
    *("abbreviation", "attribute", "by_whom", "count", "deadline", "founded", "limit", "quantity"),
    *("superlative", "time"),
)
"""The names of the constructions that ask for a fact of a sentence."""

PATTERNS = (*TOLD, "default", "definition", PATTERN, "option", "since", "statute", "term")
"""The names of all constructions, which drafts carry as their pattern."""

LEAST_WORTH = 0.6
"""Least worth of a question that is offered."""


MAX_PER_SENTENCE = 2
"""Most questions on one sentence."""


def drafts(reading: Reading) -> list[Draft]:
    """All good simple questions of a Chinese document, the best first.

    `worth` is about the chance that a strict reader accepts the question. The spans are the
    sentences that prove the answer.
    """
    spaced = sets_spaces("\n".join(sentence.text for sentence in reading.sentences))

    best: dict[str, Ranked] = {}
    answers: dict[str, set[str]] = {}
    for stated_line in stated_lines(reading):
        interruption.check()
        line = stated_line.line
        if not speaks(line) or not stated(line):
            continue
        for proposal in _candidates(stated_line, reading):
            ranked = judge(proposal, spaced=spaced)
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
    sentence_drafts = [_draft(ranked, reading) for ranked in _varied(kept)]
    headed = headed_drafts(reading, HeadedForms.of(__package__))
    documented = (*reference_drafts(reading), *glossary_drafts(reading), *headed)
    return sorted((*sentence_drafts, *documented), key=lambda draft: -draft.worth)


def _varied(candidates: Sequence[Ranked]) -> list[Ranked]:
    """At most `MAX_PER_SENTENCE` of the questions on one sentence, the best, no two of one construction."""
    taken: dict[int, list[str]] = {}
    chosen = []
    for ranked in candidates:
        patterns = taken.setdefault(ranked.candidate.line.index, [])
        if len(patterns) < MAX_PER_SENTENCE and ranked.candidate.pattern not in patterns:
            patterns.append(ranked.candidate.pattern)
            chosen.append(ranked)
    return chosen


def _candidates(stated_line: ChineseStatement, reading: Reading) -> Iterator[Candidate]:
    line, statements, writer = stated_line.line, stated_line.statements, TemplateWriter(reading.language)
    yield from facts(statements, writer)
    yield from events(statements, writer)
    yield from copulas(statements, writer)
    yield from asides(line, writer)
    yield from versions(line, writer)
    yield from statutes(line, stated_line.title, reading.document.title, writer)


def _draft(ranked: Ranked, reading: Reading) -> Draft:
    candidate = ranked.candidate
    return Draft(
        question=candidate.question,
        golden_answers=(candidate.answer,),
        spans=tuple((reading.sentences[i].start, reading.sentences[i].end) for i in candidate.lines),
        pattern=candidate.pattern,
        worth=ranked.worth,
    )
