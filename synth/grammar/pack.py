"""Language packs: the language-dependent part of the grammar author, which writes questions without a model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from synth.core.records import Draft
from synth.grammar.structure.language import StructureLanguage
from synth.text.prose import Sentence

Document: TypeAlias = Any
"""A `synth.grammar.reading.Reading`, which is not imported here, because its module imports this one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parser:
    """Parser of the sentences of a language, and the storage format of its parses.

    `version` returns the version of model and code; stored parses of another version are not used. `parse` returns one
    parse per sentence, which must not depend on the other sentences. `pack` and `unpack` convert the parses of a
    document to bytes and back.
    """

    version: Callable[[], str]
    parse: Callable[[Sequence[Sentence]], list[Any]]
    pack: Callable[[list[Any]], bytes]
    unpack: Callable[[bytes], list[Any]]


@dataclass(frozen=True, slots=True)
class Attribute:
    """Question about entities of a `kind`, such as "Where was {} born?"; "{}" stands for the entity's name.

    `telling` is a pattern that occurs in passages that may answer the question.
    """

    kind: str
    question: str
    telling: str


def no_drafts(document: Document) -> tuple[Draft, ...]:
    """Return no questions. This is the default of `LanguagePack.drafts`."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LanguagePack:
    """A language, or several languages that share one grammar.

    `folder` is the package of the language; its source is part of the cache key of drafts. `languages` are the language
    tags. `drafts` returns the questions on the entries of a reference manual or glossary.

    Optional fields: `structure` adds questions from headings, lists and tables. `recognises` returns the language tag
    of a text that is neither English nor Chinese, or "". `attributes` are questions about entities. If no passage
    answers one, it becomes an unanswerable question.
    """

    folder: str
    languages: tuple[str, ...]
    parser: Parser
    drafts: Callable[[Document], Iterable[Draft]] = no_drafts
    recognises: Callable[[str], str] | None = None
    attributes: tuple[Attribute, ...] = ()
    structure: StructureLanguage | None = None
