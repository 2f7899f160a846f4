"""Questions of one fact, written from segmented Chinese: simplified and traditional."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synth.grammar.chinese.antecedents import full_names, in_full, referent
from synth.grammar.chinese.asides import asides
from synth.grammar.chinese.candidates import Candidate, Writer
from synth.grammar.chinese.clauses import Statement, Subject, statements
from synth.grammar.chinese.copulas import copulas
from synth.grammar.chinese.events import events
from synth.grammar.chinese.facts import facts
from synth.grammar.chinese.glossary import glossary
from synth.grammar.chinese.howto import howto
from synth.grammar.chinese.lines import Line, line
from synth.grammar.chinese.objects import objects
from synth.grammar.chinese.places import places
from synth.grammar.chinese.ranking import Ranked, judge, sets_spaces
from synth.grammar.chinese.reasons import reasons
from synth.grammar.chinese.topic import topic
from synth.grammar.chinese.usage import usage
from synth.grammar.reading import Reading
from synth.records import Draft
from synth.text.normalise import fold_width, normalise, to_simplified

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
    lines = [
        line(index, sentence.text, words)
        for index, (sentence, words) in enumerate(zip(reading.sentences, reading.chinese, strict=True))
    ]
    about = topic(reading.document.title, lines[0]) if lines else None
    texts = [sentence.text for sentence in reading.sentences]

    spaced = sets_spaces("\n".join(texts))

    def often(name: str) -> int:
        return sum(name in text for text in texts)

    best: dict[str, Ranked] = {}
    answers: dict[str, set[str]] = {}
    for item, said in _statements(reading, lines, about):
        if not _speaks(item):
            continue
        listed = reading.sentences[item.index].kind == "list_item"
        for found in _candidates(item, said, reading.language, listed=listed):
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


def _speaks(item: Line) -> bool:
    """Whether a line is a full statement: ends as one, asks nothing, introduces nothing."""
    return item.simple.endswith(("。", "!", ".", "”")) and not any(mark in item.simple for mark in "?…[]")


def _statements(
    reading: Reading, lines: Sequence[Line | None], about: Subject | None
) -> Iterator[tuple[Line, list[Statement]]]:
    """Each line with its statements, in which names are full and a pronoun at the head is resolved."""
    names = full_names(reading.document.title, lines)
    headings = dict.fromkeys(heading for sentence in reading.sentences for heading in sentence.headings)
    heads = to_simplified(fold_width("\n".join((reading.document.title, *headings))))
    before: Line | None = None
    said: list[Statement] = []
    for item in lines:
        if item is None:
            before, said = None, []
            continue
        meant = None if reading.sentences[item.index].first else referent(item, before, said)
        said = [in_full(statement, names, heads) for statement in statements(item, about, meant)]
        before = item
        yield item, said


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
