"""Interface of a language to `StructureAuthor`, which writes questions from the structure of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from synth.grammar.structure.forms import StructureForms
from synth.text.prose import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A sentence with a condition, and the questions for what follows from the condition.

    `condition` is the clause without its conjunction, in the first person of a reader. `question` asks what follows
    from it. `case` is an example case with its own number that the condition covers, or "". `case_question` asks what
    follows from the case. Neither question names the thing that it is about. `presumed` are nouns that the sentence
    takes as known, such as "the package".
    """

    condition: str
    answer: str
    question: str
    case: str
    case_question: str
    presumed: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()


def _no_advice(*_: Any) -> Rule | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """Question on one sentence of a section, its answer, its type, and the name of its construction (`pattern`).

    `presumed` are the nouns that it takes as known, as in `Rule`.
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
    """Return the question if it shares a word with the thing, else ""."""
    return question if {*question.casefold().split()} & {*thing.casefold().split()} else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureLanguage:
    """Parts of a language that the structure author uses: tables, and optional functions.

    Functions on headings and labels: `goal` returns the task that a heading names ("request time off"), `thing` what
    else it names. `product` returns the name inside a title. Each returns "" if there is none. `noun` returns a label,
    and `row` the name of a table row, as written inside a sentence.

    Functions that find questions: `listing` returns the question that a lead-in answers with its list, given the parse
    of the lead-in. `described` returns the question that an item "Name: text" answers. `option` returns what an option
    does, in the words of a question. Each returns "" if there is none. `rules` yields the conditions in the sentences
    of a section, `stated` what other sentences state. `advice` returns the rule of a text that starts with a condition,
    given its bold part, or None.

    `about` returns a question that names the thing it is about, with the thing added if the language does so, else "".
    `joint` separates sentences. `parsed` selects sentences that need a parse, besides headings; None if the language
    needs no parses.
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
    advice: Callable[[str, str], Rule | None] = _no_advice
    parsed: Callable[[Sentence], bool] | None = None
