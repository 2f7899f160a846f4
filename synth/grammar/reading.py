"""A document as it is read: its sentences, and their parses, each made once and kept."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from synth.grammar import parsing
from synth.grammar.parsing import Word
from synth.records import Document, digest
from synth.source_digest import source_digest
from synth.store import Cache
from synth.text.language import SAMPLE, detect, is_chinese
from synth.text.prose import Sentence, prose, sentences

if TYPE_CHECKING:
    from spacy.tokens import Doc

P = TypeVar("P")


class Reading:
    """One document, its language, its sentences and their parses.

    `language` is "en", "zh-Hans", "zh-Hant" or "other". Parses are made when first asked for and,
    given a `cache`, kept there under the document, the parser's version and the code that finds sentences.
    """

    def __init__(self, document: Document, cache: Cache | None = None) -> None:
        self.document = document
        self._cache = cache

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Sentences of the prose of the document, in order."""
        return sentences(self.document.text, self._format)

    @cached_property
    def language(self) -> str:
        """Language of the prose; of the whole text when there is no prose."""
        kept = self._cache.get("language", self._key("")) if self._cache else None
        if kept is not None:
            return kept.decode()
        found = detect(prose(self.document.text, self._format, SAMPLE) or self.document.text)
        if self._cache:
            self._cache.put("language", self._key(""), found.encode())
        return found

    @cached_property
    def english(self) -> list[Doc]:
        """spaCy parses of `sentences`, one for each."""
        packed = self._kept(parsing.english_version())
        if packed is not None:
            return parsing.unpack_english(packed)
        docs = parsing.parse_english(self.sentences)
        self._keep(parsing.english_version(), parsing.pack_english, docs)
        return docs

    @cached_property
    def chinese(self) -> list[tuple[Word, ...]]:
        """LAC words of `sentences`, one tuple for each."""
        packed = self._kept(parsing.chinese_version())
        if packed is not None:
            return parsing.unpack_chinese(packed)
        found = parsing.parse_chinese(self.sentences)
        self._keep(parsing.chinese_version(), parsing.pack_chinese, found)
        return found

    def prepare(self) -> None:
        """See to it that the parse is made and, given a cache, kept; a kept one is not opened."""
        if self.language == "en" and self._kept(parsing.english_version()) is None:
            _ = self.english
        elif self.is_chinese and self._kept(parsing.chinese_version()) is None:
            _ = self.chinese

    @property
    def _format(self) -> str:
        return str(self.document.metadata.get("format", "text"))

    @property
    def is_chinese(self) -> bool:
        """Whether the document is in one of the two Chinese scripts."""
        return is_chinese(self.language)

    def _key(self, version: str) -> str:
        document = self.document
        code = source_digest("synth.grammar.parsing")
        return digest("reading", version, code, document.content_hash, document.metadata.get("format"))

    def _kept(self, version: str) -> bytes | None:
        return self._cache.get("parse", self._key(version)) if self._cache else None

    def _keep(self, version: str, pack: Callable[[list[P]], bytes], parsed: list[P]) -> None:
        if self._cache:
            self._cache.put("parse", self._key(version), pack(parsed))
