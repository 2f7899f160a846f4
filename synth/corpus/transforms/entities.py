"""What each chunk names: people, places, organisations, works, products, terms and code, one node a thing."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.core.records import Chunk
from synth.corpus.analysis.headings import headings as headings_of
from synth.corpus.analysis.mentions import chinese, english
from synth.corpus.analysis.mentions.credits import is_credit
from synth.corpus.analysis.mentions.merging import MentionsArtifact, merge_entities
from synth.corpus.analysis.mentions.names import NameMention, is_name, without_overlaps
from synth.corpus.transforms.base import Transform
from synth.grammar import parsing
from synth.text.prose import Sentence

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph
    from synth.grammar.reading import Reading

Local = tuple[int, int, str]


@dataclass(frozen=True)
class Entities(Transform):
    """Entities by rules over parses: recognised names, product-like words, acronyms, titles, code, headings.

    Each becomes one entity node, however it is spelt, with a "mentions" edge from every chunk.
    """

    name = "entities"
    requires = ("chunk.text", "document.language")
    assigns = ("chunk.entities",)

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> MentionsArtifact:
        found, aliases = _read(reading)
        return {"mentions": [*_by_chunk(without_overlaps(found), chunks)], "aliases": aliases}

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, MentionsArtifact]) -> None:
        merge_entities(graph, artifacts)


def _read(reading: Reading) -> tuple[list[NameMention], list[tuple[str, str]]]:
    """The names of a document with their places, and the pairs of names said to be the same."""
    headings = headings_of(reading)
    sentences = [*reading.sentences, *headings]
    if reading.language == "en":
        parsed = parsing.parse_english(headings)
        everything = [*english.find(sentences, [*reading.parsed, *parsed])]
        phrases = [*english.heading_phrases(parsed)]
    elif reading.is_chinese:
        words = parsing.parse_chinese(headings)
        everything = [*chinese.find(sentences, [*reading.parsed, *words])]
        phrases = [*chinese.heading_phrases(words)]
    else:
        everything, phrases = [([], []) for _ in sentences], []
    terms = _pattern(term for n, a, b in phrases if is_name(term := headings[n].text[a:b]))
    found, aliases = [], []
    for sentence, (names, pairs) in zip(sentences, everything, strict=True):
        if is_credit(reading.document.text, sentence.start, sentence.end):
            continue
        names = [*names, *_terms(sentence, terms)]
        found += [_located(reading.document.text, sentence, *local) for local in names]
        aliases += [(sentence.text[a:b], sentence.text[c:d]) for (a, b), (c, d) in pairs]
    return found, aliases


def _pattern(terms: Iterable[str]) -> re.Pattern[str] | None:
    """What finds the terms in a text, the longest first, in the singular and the plural."""
    ordered = sorted({term.casefold() for term in terms}, key=lambda term: (-len(term), term))
    bounded = [rf"(?<!\w){re.escape(t)}(?:s|es)?(?!\w)" if t.isascii() else re.escape(t) for t in ordered]
    return re.compile("|".join(bounded), re.IGNORECASE) if bounded else None


def _terms(sentence: Sentence, pattern: re.Pattern[str] | None) -> Iterator[Local]:
    for match in pattern.finditer(sentence.text) if pattern else ():
        if not any(match.start() < b and match.end() > a for a, b in sentence.code):
            yield *match.span(), "term"


def _located(text: str, sentence: Sentence, start: int, end: int, kind: str) -> NameMention:
    """A name at its place in the document; without the marks around it where it is written in one piece."""
    surface = sentence.text[start:end]
    a, b = sentence.body.origin(start, end)
    exact = text.find(surface, a, b)
    return NameMention(exact, exact + len(surface), surface, kind) if exact >= 0 else NameMention(a, b, surface, kind)


def _by_chunk(found: Sequence[NameMention], chunks: Sequence[Chunk]) -> Iterator[tuple[int, int, int, str, str]]:
    """The names that stand whole in each chunk; `found` is in order of place."""
    for number, chunk in enumerate(chunks):
        for one in found[bisect_left(found, chunk.start, key=lambda f: f.start) :]:
            if one.start >= chunk.end:
                break
            if one.end <= chunk.end:
                yield number, one.start, one.end, one.surface, one.kind
