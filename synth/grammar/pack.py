"""Language packs: the language-dependent part of the grammar author, which writes questions without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from synth.core.records import Draft
from synth.grammar.structure.language import StructureLanguage
from synth.text.prose import Sentence

Document: TypeAlias = Any
"""A `synth.grammar.reading.Reading`. It is not imported here, because it finds its parser through this module."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parser:
    """Parser of the sentences of a language, and the storage format of its parses.

    `version` identifies model and code; a new version parses again. `pack` and `unpack` convert the parses of a
    document to bytes and back. `parse` returns one parse per sentence and parses each sentence on its own.
    """

    version: Callable[[], str]
    parse: Callable[[Sequence[Sentence]], list[Any]]
    pack: Callable[[list[Any]], bytes]
    unpack: Callable[[bytes], list[Any]]


@dataclass(frozen=True, slots=True)
class Attribute:
    """Question about things of a `kind`, with "{}" for the thing.

    `telling` is a pattern of passages that may answer the question.
    """

    kind: str
    question: str
    telling: str


def no_drafts(document: Document) -> tuple[Draft, ...]:
    """Return no questions, for a language without forms of references."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguagePack:
    """A language, or several languages that share one grammar.

    `folder` is the package of the language; its source is part of the cache key of drafts. `languages` are the language
    tags. `drafts` returns the questions on what a reference documents.

    Optional fields: `structure` is the language's part of the structure author. `recognises` returns the tag of a text
    that is neither English nor Chinese, or "". `attributes` are questions about things for which no passage states the
    attribute, so that they are unanswerable.
    """

    folder: str
    languages: tuple[str, ...]
    parser: Parser
    drafts: Callable[[Document], Iterable[Draft]] = no_drafts
    recognises: Callable[[str], str] | None = None
    attributes: tuple[Attribute, ...] = ()
    structure: StructureLanguage | None = None
