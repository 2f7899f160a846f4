"""What the author from structure asks of a language."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from synth.grammar.structure.forms import StructureForms
from synth.text.prose import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A sentence with a condition: what follows from it, and the questions that ask for it.

    `condition` is the clause without its conjunction, as a reader would say it of himself. `question` asks what
    follows from it. `case` is a case with a number of its own that the condition covers, "" without one, and
    `case_question` asks what follows from that. Neither question names the thing that it is about. `presumed` are the
    nouns that the sentence takes as known, such as "the package".
    """

    condition: str
    answer: str
    question: str
    case: str
    case_question: str
    presumed: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Advice:
    """What a text says for a case: the question, all of the answer, and the nouns that the question takes as known."""

    question: str
    answer: str
    presumed: tuple[str, ...]


def _no_advice(*_: Any) -> Advice | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """A question on one sentence of a section, its answer, its type, and the name of its construction.

    `presumed` are the nouns that it takes as known, as those of a `Rule`.
    """

    pattern: str
    question: str
    answer: str
    spans: tuple[tuple[int, int], ...]
    question_type: str = "simple"
    presumed: tuple[str, ...] = ()


def _as_written(text: str, reading: Any) -> str:
    return text


def _nothing(*_: Any) -> str:
    return ""


def _none(*_: Any) -> Iterator[Any]:
    return iter(())


def _shared(question: str, thing: str) -> str:
    """The question where it has a word of the thing."""
    return question if {*question.casefold().split()} & {*thing.casefold().split()} else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureLanguage:
    """A language's part of the author from structure: its tables, and functions that may be left out.

    `goal` gives the task that a heading names ("request time off"), or ""; `listing` the question that a lead-in
    answers with the list below it, given the parse of the lead-in, or ""; `rules` the conditions of the sentences of
    a section; `stated` what other sentences of a section state; `described` the question that an item "Name: text"
    answers, or ""; `advice` what a text says that begins with a condition, given the part of it in bold letters, or
    None; `option` what an option does, as a question says it, or ""; `about` a question with the thing that it is
    about, where none of its words is in it, "" where that reads badly; `product` the name within a title, or "";
    `noun` a label as it stands inside a sentence, `thing` what a heading names, or "", `row` the name of a row of a
    table. `joint` stands between sentences. `parsed` tells the
    sentences whose parses these need besides those of headings; None for a language that needs none.
    """

    forms: StructureForms
    joint: str
    noun: Callable[[str, Any], str] = _as_written
    thing: Callable[[str, Any], str] = _as_written
    row: Callable[[str, Any], str] = _as_written
    about: Callable[[str, str], str] = _shared
    goal: Callable[[str, Any], str] = _nothing
    product: Callable[[str], str] = _nothing
    listing: Callable[[str, Any], str] = _nothing
    option: Callable[[str], str] = _nothing
    rules: Callable[[Any, Any, str], Iterator[Rule]] = _none
    stated: Callable[[Any, Any], Iterator[Stated]] = _none
    described: Callable[[str, str, Any], str] = _nothing
    advice: Callable[[str, str], Advice | None] = _no_advice
    parsed: Callable[[Sentence], bool] | None = None
