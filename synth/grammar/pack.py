"""Language packs: the part of the author without a model that depends on the language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from synth.core.records import Draft
from synth.grammar.structure.language import StructureLanguage
from synth.text.prose import Sentence

Document: TypeAlias = Any
"""A `synth.grammar.reading.Reading`, which itself finds the parser of its language here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parser:
    """Parser of the sentences of a language, and the form in which parses are kept.

    `version` names the model and the code, so that another parser reads anew; `pack` and `unpack` turn the parses
    of a document into bytes and back. Sentences are parsed one by one: `parse` gives one parse for each.
    """

    version: Callable[[], str]
    parse: Callable[[Sequence[Sentence]], list[Any]]
    pack: Callable[[list[Any]], bytes]
    unpack: Callable[[bytes], list[Any]]


@dataclass(frozen=True, slots=True)
class Attribute:
    """Question about things of a kind ("{}" stands for the thing), and a pattern of passages that may answer it."""

    kind: str
    question: str
    telling: str


def no_drafts(document: Document) -> tuple[Draft, ...]:
    """No questions: for a language without forms of references."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguagePack:
    """A language, or several that are written by one grammar.

    `folder` is the package that holds it, by whose source its drafts are kept; `languages` are the tags of the
    languages; `drafts` gives the questions on what a reference documents. The rest may be left out: `structure` is the
    language's part of the questions on what the structure of a document says; `recognises` gives the tag of a text
    that is neither English nor Chinese, or ""; `attributes` are asked of things of which no passage tells them, for
    questions that the corpus does not answer.
    """

    folder: str
    languages: tuple[str, ...]
    parser: Parser
    drafts: Callable[[Document], Iterable[Draft]] = no_drafts
    recognises: Callable[[str], str] | None = None
    attributes: tuple[Attribute, ...] = ()
    structure: StructureLanguage | None = None
