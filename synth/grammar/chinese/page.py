"""A Chinese document as the patterns read it: its lines, and the statements that each makes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from synth.grammar.chinese.antecedents import full_names, in_full, referent
from synth.grammar.chinese.clauses import Statement, Subject, statements
from synth.grammar.chinese.lines import ChineseLine, line
from synth.grammar.chinese.topic import topic
from synth.grammar.reading import Reading
from synth.text.normalise import fold_width, to_simplified


@dataclass(frozen=True, slots=True)
class ChineseStatement:
    """A line with its statements, in which names are full and a pronoun at the head is resolved.

    `title` is that of the document, simplified, `about` its topic. `meant` is whom the line means by
    that pronoun, and where the pronoun begins and ends.
    """

    line: ChineseLine
    statements: list[Statement]
    title: str
    about: Subject | None
    meant: tuple[Subject, int, int] | None


def lines_of(reading: Reading) -> list[ChineseLine | None]:
    """The line of each sentence, None for one that cannot be read."""
    return [
        line(index, sentence.text, words)
        for index, (sentence, words) in enumerate(zip(reading.sentences, reading.parsed, strict=True))
    ]


def stated_lines(reading: Reading) -> Iterator[ChineseStatement]:
    """The lines of a document in order, with what they state."""
    lines = lines_of(reading)
    about = topic(reading.document.title, lines[0]) if lines else None
    names = full_names(reading.document.title, lines)
    headings = dict.fromkeys(heading for sentence in reading.sentences for heading in sentence.headings)
    heads = to_simplified(fold_width("\n".join((reading.document.title, *headings))))
    title = to_simplified(fold_width(reading.document.title))
    before: ChineseLine | None = None
    line_statements: list[Statement] = []
    for item in lines:
        if item is None:
            before, line_statements = None, []
            continue
        meant = None if reading.sentences[item.index].first else referent(item, before, line_statements)
        line_statements = [in_full(statement, names, heads) for statement in statements(item, about, meant)]
        before = item
        yield ChineseStatement(item, line_statements, title, about, meant)


def speaks(item: ChineseLine) -> bool:
    """True if a line is a full statement: ends as one, asks nothing, introduces nothing."""
    return item.simple.endswith(("。", "!", ".", "”")) and not any(mark in item.simple for mark in "?…[]")
