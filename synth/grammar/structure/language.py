"""Interface of a language to `StructureAuthor`, which writes questions from the structure of documents."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from synth.grammar.structure.forms import StructureForms
from synth.text.prose import Sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A condition that a text states, its consequence (`answer`), and questions for the consequence.

    `condition` is the clause without "if", in the first person ("I feel unsafe at work"). `question` asks for the
    consequence. `case` is an example that meets the condition, with a number in place of the threshold, or "".
    `case_question` asks for the consequence in that example, or is "". The questions do not name the subject of the
    section. `presumed` are nouns that the text expects readers to know, such as "package" in "the package". `spans` are
    the evidence.
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
    """Question on one sentence of a section, with its answer and evidence (`spans`).

    `pattern` is the name of the question pattern. `presumed` are nouns that readers must know, as in `Rule`.
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
    """Return the question if it shares a content word with the name of the thing, else ""."""
    return question if {*question.casefold().split()} & {*thing.casefold().split()} else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureLanguage:
    """Patterns, templates (`forms`) and functions of a language for `StructureAuthor`. Most functions are optional.

    Functions on headings and labels: `goal` returns the task in a heading ("request time off"), `thing` the name of
    another subject in it, and `product` the name in a title. Each returns "" if there is none. `noun` returns a label,
    and `row` the name of a table row, as written inside a sentence.

    Functions that find questions: `listing` takes a lead-in (the sentence above a list) and its parse, and returns the
    question that the list answers. `described` returns the question that an item "Name: text" answers. `option` returns
    the description of an option in the words of a question. Each returns "" if there is none. `rules` yields the rules
    in the sentences of a section, `stated` questions on its other sentences. `advice` takes a text that starts with a
    condition and the part in bold, and returns its rule, or None.

    `about` returns a question that names its subject, or "". It may add the subject. `joint` is put between sentences.
    `parsed` tells which sentences need a parse, besides headings; None if the language needs no parses.
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
