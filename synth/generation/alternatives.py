"""Which other passages answer a question too, and which only look as if they did."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from synth.core.records import Evidence, Sample
from synth.generation.derivation import READ
from synth.generation.filters.base import Corpus
from synth.generation.matching.agreement import gives
from synth.generation.matching.coverage import StemmedText, asked_words, stem
from synth.generation.matching.passages import MatchedPassage
from synth.retrieval.bm25 import LexicalIndex
from synth.text.language import is_chinese
from synth.text.locate import is_whole, locate
from synth.text.question_identity import ComparedQuestion
from synth.text.tokens import content_words, numbers

NEAR_DUPLICATE = "near_duplicate"
CANDIDATES = 10
"""Passages looked at for each query: the question, and each piece of evidence with what is read from it."""

SPOKEN_OF, SPOKEN_OF_CHINESE, NAMELESS = 0.6, 0.5, 0.9
"""Least weight, of the question's words that the evidence has, that a passage which answers too must have: with the
names (in Chinese the nouns) in them, all of which it must have, and where there are none that tell much. Set on
paraphrases written for the tests, and read on the sets of corpora/ and of a technical documentation."""

TELLING = 0.25
"""Weight of the question's words from which on the names among them tell what it is about: that of a product whose
documentation this is does not."""

RETOLD = 0.85
"""The same of the evidence's own words, where no value is read from it."""

NEGATIVES = 5
SUSPECT = 0.3
"""Weight of the question's words from which a sentence with the answer keeps a passage from being a negative."""


@dataclass(frozen=True, slots=True)
class Need:
    """What a text must say to do instead of a piece of evidence.

    One of `values`; `names` and `numbers` of the question, all; and most of `words`, each weighed by its rarity.
    """

    values: tuple[str, ...]
    words: tuple[str, ...]
    names: frozenset[str]
    numbers: frozenset[str]
    least: float
    language: str

    def met(self, text: str, about: StemmedText, corpus: Corpus) -> bool:
        """Whether a text that stands under `about` says it."""
        if self.values and not any(gives(text, value, self.language) for value in self.values):
            return False
        told = StemmedText.of(text)
        if not all(told.has(name) or _lends(about, name, told) for name in self.names):
            return False
        if not self.numbers <= numbers(f"{text} {about.text}"):
            return False
        return corpus.passages.rarity.share(self.words, told, about) >= self.least


def with_alternatives(sample: Sample, corpus: Corpus) -> Sample:
    """The sample with `also`, the places that prove as much as a piece of its evidence, and `hard_negatives`.

    Each place of `also` is evidence as any other, and `of` numbers (from 0) the piece that it can stand for. A
    hard negative is a passage, by its id and place, that BM25 finds among the best for the question and that
    does not answer it. Either is left out where there is none.
    """
    if not sample.evidence:
        return sample
    also = list(further(sample, corpus))
    near = list(hard_negatives(sample, corpus, {piece.chunk_id for _, piece in also}))
    found: dict[str, Any] = {}
    if also:
        found["also"] = [{"of": number, **_row(piece)} for number, piece in also]
    if near:
        found["hard_negatives"] = near
    return replace(sample, metadata={**sample.metadata, **found})


def further(sample: Sample, corpus: Corpus, among: LexicalIndex | None = None) -> Iterator[tuple[int, Evidence]]:
    """The places that can stand for a piece of evidence, with its number, at most one a passage.

    Looked for in the whole corpus, or in the passages of `among` alone.
    """
    for number, piece in enumerate(sample.evidence):
        need = need_of(sample, number, corpus)
        for passage in _candidates(sample, number, need, corpus, among):
            place = _place(passage, piece, need, corpus)
            if place is not None:
                yield number, place


def misstated(sample: Sample, corpus: Corpus) -> str:
    """Why the further evidence that a row names does not hold, or ""."""
    held = sample.metadata.get("also", [])
    for at, one in enumerate(held if isinstance(held, list) else [held]):
        try:
            piece = Evidence(**{name: value for name, value in one.items() if name != "of"})
            sample.evidence[one["of"]]
            fault = corpus.misplaced(piece)
        except (AttributeError, KeyError, IndexError, TypeError):
            return f"also[{at}] is not evidence with the number of a piece that it can stand for"
        if fault:
            return f"also[{at}]: {fault}"
        if not stands_for(sample, one["of"], piece, corpus):
            return f"also[{at}]: the place does not say what the evidence does"
    return ""


def stands_for(sample: Sample, number: int, piece: Evidence, corpus: Corpus) -> bool:
    """Whether a place of the corpus says what the piece of evidence of that number does."""
    text = corpus.texts(replace(sample, evidence=(piece,)))[0]
    if need_of(sample, number, corpus).met(text, _about(piece, corpus), corpus):
        return True
    return _retells(sample.evidence[number], piece, corpus)


def need_of(sample: Sample, number: int, corpus: Corpus) -> Need:
    """What a text must say to do instead of the piece of evidence of that number."""
    piece, text = sample.evidence[number], corpus.texts(sample)[number]
    read = [s.value for s in sample.steps if s.operation == READ and number in s.evidence] or sample.golden_answers
    values = tuple(value for value in read if gives(text, value, sample.language))
    told, about = StemmedText.of(text), _about(piece, corpus)
    asked = tuple(word for word in asked_words(sample.question) if told.has(word) or about.has(word))
    if not values or not asked:
        own = tuple(dict.fromkeys(map(stem, content_words(text))))
        return Need(values, own, frozenset(), numbers(text), RETOLD, sample.language)
    names = {stem(name) for name in ComparedQuestion.of(sample.question, sample.language, [text]).nouns()}
    wanted = frozenset(numbers(sample.question) & numbers(f"{text} {about.text}"))
    spoken = SPOKEN_OF_CHINESE if is_chinese(sample.language) else SPOKEN_OF
    telling = corpus.passages.rarity.share(asked, StemmedText(frozenset(names & set(asked)), "")) >= TELLING
    least = spoken if telling else NAMELESS
    return Need(values, asked, frozenset(names & set(asked)), wanted, least, sample.language)


def _candidates(
    sample: Sample, number: int, need: Need, corpus: Corpus, among: LexicalIndex | None
) -> Iterator[MatchedPassage]:
    """Passages that may answer too, but for that of the evidence: those nearly the same as it come first."""
    home = sample.evidence[number].chunk_id
    queries = [sample.question, f"{corpus.texts(sample)[number]} {' '.join(need.values)}"]
    near = [] if among else corpus.graph.neighbours(home, NEAR_DUPLICATE)
    found = {name: corpus.passages.passage(name) for name in near}
    for query in queries:
        for passage in corpus.passages.near(query, CANDIDATES, among):
            found.setdefault(passage.chunk_id, passage)
    found.pop(home, None)
    yield from found.values()


def _place(passage: MatchedPassage, piece: Evidence, need: Need, corpus: Corpus) -> Evidence | None:
    """Where a passage says what a piece of evidence does: in its words, in a sentence, or in two that follow."""
    document = corpus.graph.document(passage.doc_id)
    chunk = corpus.graph.chunk(passage.chunk_id)
    markdown = document.metadata.get("format") == "markdown"
    span = locate(piece.text, document.text, chunk.start, chunk.end, markdown=markdown)
    if span is None or not is_whole(document.text, *span):
        said = _saying(passage, need, corpus)
        ends = [locate(text, document.text, chunk.start, chunk.end, markdown=markdown) for text in said]
        places = [end for end in ends if end]
        if not places or len(places) < len(said):
            return None
        span = min(start for start, _ in places), max(end for _, end in places)
    return Evidence(
        doc_id=document.doc_id,
        doc_hash=document.content_hash,
        chunk_id=chunk.chunk_id,
        start=span[0],
        end=span[1],
        text=document.text[span[0] : span[1]],
    )


def _saying(passage: MatchedPassage, need: Need, corpus: Corpus) -> tuple[str, ...]:
    """The sentence of a passage that meets a need, else two that follow one another and do; none where none do."""
    for line in passage.lines:
        if need.met(line.text, passage.about, corpus):
            return (line.text,)
    for line in passage.lines:
        is_heading = StemmedText.of(line.before).text in passage.about.text
        if not is_heading and need.met(f"{line.before} {line.text}", passage.about, corpus):
            return line.before, line.text
    return ()


def hard_negatives(sample: Sample, corpus: Corpus, answering: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    """The passages best by BM25 that no answer stands in together with what is asked; none of those `answering`."""
    gold = {piece.chunk_id for piece in sample.evidence}
    known = gold.union(answering)
    alike = {other for name in sorted(known) for other in corpus.graph.neighbours(name, NEAR_DUPLICATE)}
    words = corpus.passages.rarity.known(asked_words(sample.question))
    values = {*sample.golden_answers, *(step.value for step in sample.steps if step.operation == READ)}
    found = 0
    for passage in corpus.passages.near(sample.question, len(known) + 2 * NEGATIVES):
        chunk = corpus.graph.chunk(passage.chunk_id)
        holds_it = any(
            piece.doc_id == chunk.doc_id and piece.start < chunk.end and chunk.start < piece.end
            for piece in sample.evidence
        )
        if passage.chunk_id in known | alike or holds_it or _suspect(passage, values, words, sample, corpus):
            continue
        yield {"chunk_id": chunk.chunk_id, "doc_id": chunk.doc_id, "start": chunk.start, "end": chunk.end}
        found += 1
        if found == NEGATIVES:
            return


def _suspect(
    passage: MatchedPassage, values: Iterable[str], words: Iterable[str], sample: Sample, corpus: Corpus
) -> bool:
    """Whether a sentence gives a value and speaks of something that is asked, so that it might be an answer."""
    asked, wanted = tuple(words), tuple(values)
    share = corpus.passages.rarity.share
    return any(
        share(asked, line.stemmed, StemmedText.of(line.before), passage.about) >= SUSPECT
        and any(gives(line.text, value, sample.language) for value in wanted)
        for line in passage.lines
    )


def _lends(about: StemmedText, name: str, told: StemmedText) -> bool:
    """Whether headings name what a text speaks of: `Body` is not what a text on `BodyNext` is about."""
    if not about.has(name):
        return False
    written = {word for word in content_words(about.text) if stem(word) == name}
    return not any(re.search(rf"(?<![a-z0-9_]){re.escape(word)}[a-z0-9_]", told.text) for word in written)


def _about(piece: Evidence, corpus: Corpus) -> StemmedText:
    """The title and the headings that a piece of evidence stands under."""
    title = corpus.graph.document(piece.doc_id).title
    chunk = corpus.graph.chunk_at(piece.doc_id, piece.start)
    return StemmedText.of(" ".join([title, *(chunk.headings if chunk else ())]))


def _retells(piece: Evidence, other: Evidence, corpus: Corpus) -> bool:
    """Whether two places say the same letter for letter, but for markup, spaces and script."""
    markdown = corpus.graph.document(other.doc_id).metadata.get("format") == "markdown"
    return locate(piece.text, other.text, markdown=markdown) is not None


def _row(piece: Evidence) -> dict[str, Any]:
    return {name: getattr(piece, name) for name in ("doc_id", "doc_hash", "chunk_id", "start", "end", "text")}
