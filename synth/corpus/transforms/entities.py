"""Entities of each chunk, found by rules: people, places, organisations, works, products, terms and code."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.core.records import Chunk
from synth.corpus.analysis.mentions import chinese, english
from synth.corpus.analysis.mentions.credits import is_credit
from synth.corpus.analysis.mentions.merging import MentionsArtifact, merge_entities
from synth.corpus.analysis.mentions.names import NameMention, is_name, without_overlaps
from synth.corpus.transforms.base import Transform
from synth.text.prose import Sentence

if TYPE_CHECKING:
    from synth.corpus.graph import KnowledgeGraph
    from synth.grammar.reading import Reading

SentenceMention = tuple[int, int, str]
"""Start, end and kind of a name in a sentence. Offsets count characters from the start of the sentence."""


@dataclass(frozen=True)
class Entities(Transform):
    """Names in passages, with all spellings of a name merged into one entity.

    Rules over parses find recognised names, product-like words, acronyms, titles, code and terms from headings. Each
    entity is a node with a "mentions" edge from every chunk that names it.
    """

    name = "entities"
    requires = ("chunk.text", "document.language")
    assigns = ("chunk.entities",)

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> MentionsArtifact:
        names, aliases = _names_and_aliases(reading)
        return {"mentions": [*_by_chunk(without_overlaps(names), chunks)], "aliases": aliases}

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, MentionsArtifact]) -> None:
        merge_entities(graph, artifacts)


def _names_and_aliases(reading: Reading) -> tuple[list[NameMention], list[tuple[str, str]]]:
    """Return the names of a document with their offsets, and pairs of names that the text presents as aliases."""
    sentences = [*reading.sentences, *reading.headings]
    parses = [*reading.parsed, *reading.parsed_headings]
    if reading.language == "en":
        names_of_sentences = [*english.find(sentences, parses)]
        phrases = [*english.heading_phrases(reading.parsed_headings)]
    elif reading.is_chinese:
        names_of_sentences = [*chinese.find(sentences, parses)]
        phrases = [*chinese.heading_phrases(reading.parsed_headings)]
    else:
        names_of_sentences, phrases = [([], []) for _ in sentences], []
    terms = _terms_pattern(term for n, start, end in phrases if is_name(term := reading.headings[n].text[start:end]))
    mentions, aliases = [], []
    for sentence, (names, pairs) in zip(sentences, names_of_sentences, strict=True):
        if is_credit(reading.document.text, sentence.start, sentence.end):
            continue
        names = [*names, *_terms(sentence, terms)]
        mentions += [_mention(reading.document.text, sentence, *name) for name in names]
        aliases += [(sentence.text[a:b], sentence.text[c:d]) for (a, b), (c, d) in pairs]
    return mentions, aliases


def _terms_pattern(terms: Iterable[str]) -> re.Pattern[str] | None:
    """Return a pattern that matches the terms in singular and plural, longest first; None if there are no terms."""
    ordered = sorted({term.casefold() for term in terms}, key=lambda term: (-len(term), term))
    bounded = [rf"(?<!\w){re.escape(t)}(?:s|es)?(?!\w)" if t.isascii() else re.escape(t) for t in ordered]
    return re.compile("|".join(bounded), re.IGNORECASE) if bounded else None


def _terms(sentence: Sentence, pattern: re.Pattern[str] | None) -> Iterator[SentenceMention]:
    """Yield heading terms that occur in a sentence outside code."""
    for match in pattern.finditer(sentence.text) if pattern else ():
        if not any(match.start() < b and match.end() > a for a, b in sentence.code):
            yield *match.span(), "term"


def _mention(text: str, sentence: Sentence, start: int, end: int, kind: str) -> NameMention:
    """Return a name with its offsets in the document. Markup around the name is excluded, markup inside it is not."""
    surface = sentence.text[start:end]
    a, b = sentence.body.origin(start, end)
    exact = text.find(surface, a, b)
    return NameMention(exact, exact + len(surface), surface, kind) if exact >= 0 else NameMention(a, b, surface, kind)


def _by_chunk(names: Sequence[NameMention], chunks: Sequence[Chunk]) -> Iterator[tuple[int, int, int, str, str]]:
    """Yield each name once for every chunk that contains all of it. `names` must be sorted by start."""
    for index, chunk in enumerate(chunks):
        for name in names[bisect_left(names, chunk.start, key=lambda name: name.start) :]:
            if name.start >= chunk.end:
                break
            if name.end <= chunk.end:
                yield index, name.start, name.end, name.surface, name.kind
