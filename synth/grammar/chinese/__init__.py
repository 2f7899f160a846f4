"""Questions of one fact, written from segmented Chinese: simplified and traditional."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synth.grammar.chinese.asides import asides
from synth.grammar.chinese.candidates import Candidate, Writer
from synth.grammar.chinese.clauses import Statement
from synth.grammar.chinese.copulas import copulas
from synth.grammar.chinese.events import events
from synth.grammar.chinese.glossary import glossary
from synth.grammar.chinese.howto import howto
from synth.grammar.chinese.lines import Line
from synth.grammar.chinese.objects import objects
from synth.grammar.chinese.page import speaks, tell
from synth.grammar.chinese.places import places
from synth.grammar.chinese.ranking import Ranked, judge, sets_spaces
from synth.grammar.chinese.reasons import reasons
from synth.grammar.chinese.set_forms import facts
from synth.grammar.chinese.usage import usage
from synth.grammar.reading import Reading
from synth.records import Draft
from synth.text.normalise import normalise

__all__ = ["drafts"]

LEAST_WORTH = 0.3
"""What is less likely than this to be a good question is not offered."""


A_SENTENCE = 2
"""How many questions one sentence may give."""


def drafts(reading: Reading) -> list[Draft]:
    """All good simple questions of a Chinese document, the best first.

    `worth` is about the chance that a strict reader accepts the question. The spans are the
    sentences that prove the answer.
    """
    texts = [sentence.text for sentence in reading.sentences]

    spaced = sets_spaces("\n".join(texts))

    def often(name: str) -> int:
        return sum(name in text for text in texts)

    best: dict[str, Ranked] = {}
    answers: dict[str, set[str]] = {}
    for told in tell(reading):
        item = told.line
        if not speaks(item):
            continue
        listed = reading.sentences[item.index].kind == "list_item"
        for found in _candidates(item, told.said, reading.language, listed=listed):
            ranked = judge(found, often, spaced=spaced)
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
    return [_draft(ranked, reading) for ranked in _varied(kept)]


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


def _candidates(item: Line, found: Sequence[Statement], language: str, *, listed: bool) -> Iterator[Candidate]:
    writer = Writer(language)
    yield from facts(found, writer)
    yield from events(found, writer)
    yield from objects(found, writer)
    yield from places(found, writer)
    yield from copulas(found, writer)
    yield from reasons(item, found, writer)
    yield from usage(item, found, writer)
    yield from howto(item, found, writer)
    yield from asides(item, writer)
    if listed:
        yield from glossary(item, writer)


def _draft(ranked: Ranked, reading: Reading) -> Draft:
    made = ranked.candidate
    return Draft(
        question=made.question,
        golden_answers=(made.answer,),
        spans=tuple((reading.sentences[i].start, reading.sentences[i].end) for i in made.lines),
        pattern=made.pattern,
        worth=ranked.worth,
    )
