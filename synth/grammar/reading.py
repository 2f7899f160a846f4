"""A document for the grammar: its sentences and their parses, each computed once and cached."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from synth.core.containment import contained
from synth.core.errors import UnfitItem
from synth.core.records import Chunk, Document, digest
from synth.core.source_digest import source_digest
from synth.core.store import Cache
from synth.grammar.pack import Parser
from synth.grammar.registry import pack_of, recognised
from synth.text.blocks import Block, blocks
from synth.text.html_blocks import with_html
from synth.text.language import SAMPLE, detect, detect_table, is_chinese
from synth.text.prose import Sentence, headings, prose, sentences

_LONGEST_WORD = 500
"""Maximum characters of a word that is parsed, except Chinese. spaCy's time grows with the square of the length."""

_LITTLE_PROSE = 100
"""Characters of prose below which Chinese tables decide the language."""

_LONGEST_SENTENCE = 5000
"""Maximum characters of a sentence that is parsed."""

_TOO_LONG = re.compile(rf"(?<![^\s\u3400-\u9fff])[^\s\u3400-\u9fff]{{{_LONGEST_WORD + 1},}}")


class Unparsable(UnfitItem):
    """Error for a sentence that is too long to parse."""


def check_length(sentence: Sentence) -> None:
    """Raise Unparsable if a sentence, or a word in it, is too long to parse."""
    if match := _TOO_LONG.search(sentence.text):
        size = match.end() - match.start()
        raise Unparsable(f"the sentence has {size} characters without a space, at most {_LONGEST_WORD} are parsed")
    if len(sentence.text) > _LONGEST_SENTENCE:
        raise Unparsable(
            f"the sentence has {len(sentence.text):,} characters, at most {_LONGEST_SENTENCE:,} are parsed"
        )


class Reading:
    """One document, its language, its sentences and their parses.

    `language` is "en", "zh-Hans", "zh-Hant", the tag of another pack, or "other". Parses are computed on first use.
    With a `cache`, they are stored under a hash of the document, the parser's version and the code that splits
    sentences.
    """

    def __init__(self, document: Document, cache: Cache | None = None) -> None:
        self.document = document
        self._cache = cache
        self._alone: dict[int, Any] = {}

    @property
    def characters(self) -> int:
        """Number of characters of the document."""
        return len(self.document.text)

    def covers(self, passage: Chunk) -> bool:
        """Return whether a passage of the document is read; here always true (see `ReadInExcerpts`)."""
        return True

    @cached_property
    def blocks(self) -> list[Block]:
        """Blocks of the document, in order, including those of its HTML."""
        return with_html(self.document.text, blocks(self.document.text, self._format))

    @cached_property
    def sentences(self) -> list[Sentence]:
        """Sentences of the prose of the document, in order.

        Sentences too long to parse are left out and reported. A sentence that repeats the sentence before is left out.
        """
        kept: list[Sentence] = []
        for sentence in sentences(self.document.text, self._format, self.blocks):
            if kept and (sentence.text, sentence.headings) == (kept[-1].text, kept[-1].headings):
                continue
            if self._can_be_parsed(sentence):
                kept.append(sentence)
        return kept

    def within(self, start: int, end: int) -> tuple[int, int]:
        """Return the index of the first sentence that starts between two offsets, and the index after the last one."""
        first, last = (bisect_left(self.sentences, at, key=lambda sentence: sentence.start) for at in (start, end))
        return first, last

    @cached_property
    def headings(self) -> list[Sentence]:
        """Headings of the document, in order. Headings too long to parse are left out and reported."""
        return [*filter(self._can_be_parsed, headings(self.document.text, self._format, self.blocks))]

    @cached_property
    def language(self) -> str:
        """Language of the prose, of the tables if there is little prose, or else of the whole text."""
        kept = self._cache.get("language", self._key("")) if self._cache else None
        if kept is not None:
            return kept.decode()
        text = prose(self.document.text, self._format, SAMPLE, self.blocks)
        language = detect(text) if text else self._language_of_tables()
        # A line with names, such as "用过Born Free,NUK,Avent", says less than the table below it.
        if language == "en" and len(text) < _LITTLE_PROSE and is_chinese(of_tables := self._language_of_tables()):
            language = of_tables
        text = text or self.document.text
        language = recognised(text) if language == "other" else language
        if self._cache:
            self._cache.put("language", self._key(""), language.encode())
        return language

    def _language_of_tables(self) -> str:
        headers: list[str] = []
        cells: list[str] = []
        group = -1
        for block in self.blocks:
            if block.kind == "table_row":
                (cells if block.group == group else headers).append(self.document.text[block.start : block.end])
                group = block.group
        return detect_table("\n".join(headers), "\n".join(cells)) if headers else detect(self.document.text)

    @property
    def parsed(self) -> list[Any]:
        """Parses of `sentences`, one per sentence; empty if the language has no pack."""
        return self._parses[: len(self.sentences)]

    @property
    def parsed_headings(self) -> list[Any]:
        """Parses of `headings`, one per heading; empty if the language has no pack."""
        return self._parses[len(self.sentences) :]

    def parse_alone(self, sentences: Iterable[Sentence]) -> None:
        """Parse only these sentences or headings, in one call, unless the whole document is parsed already."""
        pack = pack_of(self.language)
        if pack is None or self._is_parsed:
            return
        missing = [sentence for sentence in sentences if sentence.start not in self._alone]
        self._alone.update(zip((one.start for one in missing), pack.parser.parse(missing), strict=True))

    def parse_of(self, sentence: Sentence) -> Any:
        """Return the parse of a sentence or heading. Raise KeyError if it was left out as too long."""
        self.parse_alone([sentence])
        return self._alone[sentence.start] if sentence.start in self._alone else self._by_start[sentence.start]

    @cached_property
    def _is_parsed(self) -> bool:
        pack = pack_of(self.language)
        return "_parses" in self.__dict__ or (pack is not None and self._kept(pack.parser) is not None)

    @cached_property
    def _by_start(self) -> dict[int, Any]:
        return dict(zip((one.start for one in self._parsable), self._parses, strict=True))

    @cached_property
    def _parses(self) -> list[Any]:
        """Parses of all sentences and then of all headings. One call is made, because a parser starts slowly."""
        pack = pack_of(self.language)
        if pack is None:
            return []
        kept = self._kept(pack.parser)
        if kept is not None:
            return pack.parser.unpack(kept)
        return self._keep(pack.parser, pack.parser.parse(self._parsable))

    def prepare(self) -> None:
        """Compute and cache the parses of the document, unless they are cached."""
        if self._lacks() is not None:
            _ = self._parses

    @property
    def _parsable(self) -> list[Sentence]:
        return [*self.sentences, *self.headings]

    def _lacks(self) -> Parser | None:
        """Return the parser to run, or None if the language has none or the parses are already computed or cached."""
        pack = None if "_parses" in self.__dict__ else pack_of(self.language)
        return pack.parser if pack is not None and self._kept(pack.parser) is None else None

    def _keep(self, parser: Parser, parses: list[Any]) -> list[Any]:
        if self._cache:
            self._cache.put("parse", self._key(parser.version()), parser.pack(parses))
        return parses

    def _can_be_parsed(self, sentence: Sentence) -> bool:
        with contained("the parser", f"{self.document.doc_id}, character {sentence.start}") as guard:
            check_length(sentence)
        return not guard.error

    @property
    def _format(self) -> str:
        return str(self.document.metadata.get("format", "text"))

    @property
    def is_chinese(self) -> bool:
        """Whether the document is in one of the two Chinese scripts."""
        return is_chinese(self.language)

    def _key(self, version: str) -> str:
        document = self.document
        code = source_digest("synth.grammar.parsing"), source_digest("synth.text.html_blocks")
        return digest("reading", version, *code, document.content_hash, document.metadata.get("format"))

    def _kept(self, parser: Parser) -> bytes | None:
        return self._cache.get("parse", self._key(parser.version())) if self._cache else None


def prepare_together(readings: Sequence[Reading]) -> None:
    """Compute and cache the parses of several documents, with one parser call per language, as a parser starts slowly.

    If the parser raises an error, no document of that language is prepared, and the error is raised.
    """
    lacking: dict[str, tuple[Parser, list[Reading]]] = {}
    for reading in readings:
        if parser := reading._lacks():
            lacking.setdefault(reading.language, (parser, []))[1].append(reading)
    for parser, some in lacking.values():
        parses = iter(parser.parse([sentence for reading in some for sentence in reading._parsable]))
        for reading in some:
            reading._parses = reading._keep(parser, [*islice(parses, len(reading._parsable))])
