"""Further evidence: other passages that answer a question; and hard negatives, which only seem to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from synth.core.records import NEAR_DUPLICATE, Evidence, Sample
from synth.generation.evidence_pages import evidence_pages
from synth.generation.filters.base import Corpus
from synth.generation.matching.agreement import states_answer
from synth.generation.matching.coverage import StemmedText, asked_words
from synth.generation.matching.passages import MatchedPassage
from synth.retrieval.bm25 import LexicalIndex
from synth.text.language import is_chinese
from synth.text.locate import is_whole, locate
from synth.text.question_identity import ComparedQuestion
from synth.text.stems import stem
from synth.text.tokens import content_words, numbers

CANDIDATES = 10
"""Passages examined for each query: the question, and each piece of evidence with the values read from it."""

SPOKEN_OF, SPOKEN_OF_CHINESE, NAMELESS = 0.6, 0.5, 0.9
"""Least weight of the words of the question in a passage that answers it too, by the share that the evidence has: for
questions with telling names (in Chinese nouns), all of which the passage must have, and for questions without. Tuned on
paraphrases written for the tests, and checked on the sets of corpora/ and of a technical documentation."""

TELLING = 0.25
"""Weight of the names in a question from which they tell its subject; the name of a product in its own documentation
has less."""

RETOLD = 0.85
"""The same for the words of the evidence, when no value is read from it."""

NEGATIVES = 5
SUSPECT_SHARE = 0.3
"""Weight of the words of the question in a sentence with the answer, from which its passage is no negative."""


@dataclass(frozen=True, slots=True)
class ReplacementConditions:
    """Conditions for a text that can replace a piece of evidence.

    The text must have one of `answer_values`, all `names` and `numbers` of the question, and the share `least` of
    `words`, weighted by rarity.
    """

    answer_values: tuple[str, ...]
    words: tuple[str, ...]
    names: frozenset[str]
    numbers: frozenset[str]
    least: float
    language: str

    def met_by(self, text: str, about: StemmedText, corpus: Corpus) -> bool:
        """Whether a text under the title and headings `about` meets the conditions."""
        if self.answer_values and not any(states_answer(text, value, self.language) for value in self.answer_values):
            return False
        stemmed = StemmedText.of(text)
        if not all(stemmed.has(name) or _lends(about, name, stemmed) for name in self.names):
            return False
        if not self.numbers <= numbers(f"{text} {about.text}"):
            return False
        return corpus.passages.rarity.share(self.words, stemmed, about) >= self.least

    def may_be_met_in(self, passage: MatchedPassage, corpus: Corpus) -> bool:
        """False where the whole passage has too few of the words or lacks a name, so that no sentence of it fits."""
        if not all(passage.stemmed.has(name) for name in self.names):
            return False
        return corpus.passages.rarity.share(self.words, passage.stemmed) >= self.least


def with_alternatives(sample: Sample, corpus: Corpus) -> Sample:
    """The sample with `alternatives`, `hard_negatives` and `pages` in its metadata, where there are any.

    Each item of `alternatives` has the fields of evidence, and `replaces`, the number from 0 of a piece. A hard
    negative is a passage, by id and offsets, that BM25 ranks high for the question and that does not answer it.
    """
    if not sample.evidence:
        return sample
    also = list(find_second_positives(sample, corpus))
    near = list(hard_negatives(sample, corpus, {piece.chunk_id for _, piece in also}))
    metadata = dict(sample.metadata)
    if also:
        metadata["alternatives"] = [{"replaces": number, **_row(piece)} for number, piece in also]
    if near:
        metadata["hard_negatives"] = near
    if pages := evidence_pages(sample, corpus):
        metadata["pages"] = pages
    return replace(sample, metadata=metadata)


def find_second_positives(
    sample: Sample, corpus: Corpus, among: LexicalIndex | None = None
) -> Iterator[tuple[int, Evidence]]:
    """Places that can replace a piece of evidence, with its number, at most one per passage.

    Searched are the passages of `among`, or of the whole corpus without it.
    """
    for number, piece in enumerate(sample.evidence):
        conditions = conditions_for(sample, number, corpus)
        for passage in _candidates(sample, number, conditions, corpus, among):
            place = _place(passage, piece, conditions, corpus)
            if place is not None:
                yield number, place


def misstated(sample: Sample, corpus: Corpus) -> str:
    """The fault of the further evidence of a row, or ""."""
    for at, item in enumerate(sample.metadata.get("alternatives", ())):
        piece = second_positive(item)
        if fault := corpus.misplaced(piece):
            return f"also[{at}]: {fault}"
        if not can_replace(sample, item["replaces"], piece, corpus):
            return f"also[{at}]: the place does not say what the evidence does"
    return ""


def second_positive(item: Mapping[str, Any]) -> Evidence:
    """The evidence of an item of `alternatives`."""
    return Evidence(**{name: item[name] for name in Evidence.__slots__})


def can_replace(sample: Sample, number: int, piece: Evidence, corpus: Corpus) -> bool:
    """Whether a place of the corpus can replace the piece of evidence of that number."""
    text = corpus.texts(replace(sample, evidence=(piece,)))[0]
    if conditions_for(sample, number, corpus).met_by(text, _about(piece, corpus), corpus):
        return True
    return _retells(sample.evidence[number], piece, corpus)


def conditions_for(sample: Sample, number: int, corpus: Corpus) -> ReplacementConditions:
    """The conditions for a text that can replace the piece of evidence of that number."""
    piece, text = sample.evidence[number], corpus.texts(sample)[number]
    values = tuple(value for value in sample.golden_answers if states_answer(text, value, sample.language))
    stemmed, about = StemmedText.of(text), _about(piece, corpus)
    asked = tuple(word for word in asked_words(sample.question) if stemmed.has(word) or about.has(word))
    if not values or not asked:
        own = tuple(dict.fromkeys(map(stem, content_words(text))))
        return ReplacementConditions(values, own, frozenset(), numbers(text), RETOLD, sample.language)
    names = {stem(name) for name in ComparedQuestion.of(sample.question, sample.language, [text]).nouns()}
    required_numbers = frozenset(numbers(sample.question) & numbers(f"{text} {about.text}"))
    spoken = SPOKEN_OF_CHINESE if is_chinese(sample.language) else SPOKEN_OF
    telling = corpus.passages.rarity.share(asked, StemmedText(frozenset(names & set(asked)), "")) >= TELLING
    least = spoken if telling else NAMELESS
    return ReplacementConditions(values, asked, frozenset(names & set(asked)), required_numbers, least, sample.language)


def _candidates(
    sample: Sample, number: int, conditions: ReplacementConditions, corpus: Corpus, among: LexicalIndex | None
) -> Iterator[MatchedPassage]:
    """Passages that may answer too, near duplicates of the evidence first, without the passage of the evidence."""
    home = sample.evidence[number].chunk_id
    queries = [sample.question, f"{corpus.texts(sample)[number]} {' '.join(conditions.answer_values)}"]
    near = [] if among else corpus.graph.neighbours(home, NEAR_DUPLICATE)
    passages = {name: corpus.passages.passage(name) for name in near}
    for query in queries:
        for passage in corpus.passages.near(query, CANDIDATES, among):
            passages.setdefault(passage.chunk_id, passage)
    passages.pop(home, None)
    yield from passages.values()


def _place(
    passage: MatchedPassage, piece: Evidence, conditions: ReplacementConditions, corpus: Corpus
) -> Evidence | None:
    """The place in a passage that can replace a piece of evidence: the same words, a sentence, or two in a row."""
    document = corpus.graph.document(passage.doc_id)
    chunk = corpus.graph.chunk(passage.chunk_id)
    markdown = document.metadata.get("format") == "markdown"
    span = locate(piece.text, document.text, chunk.start, chunk.end, markdown=markdown)
    if span is None or not is_whole(document.text, *span):
        lines = _answering_lines(passage, conditions, corpus)
        located = [locate(line, document.text, chunk.start, chunk.end, markdown=markdown) for line in lines]
        places = [place for place in located if place]
        if not places or len(places) < len(lines):
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


def _answering_lines(passage: MatchedPassage, conditions: ReplacementConditions, corpus: Corpus) -> tuple[str, ...]:
    """The sentence of a passage that meets the conditions, else two in a row that do; () without one."""
    if not conditions.may_be_met_in(passage, corpus):
        return ()
    for line in passage.lines:
        if conditions.met_by(line.text, passage.about, corpus):
            return (line.text,)
    for line in passage.lines:
        is_heading = line.stemmed_before.text in passage.about.text
        if not is_heading and conditions.met_by(f"{line.before} {line.text}", passage.about, corpus):
            return line.before, line.text
    return ()


def hard_negatives(sample: Sample, corpus: Corpus, answering: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    """The best passages by BM25 without a sentence that may answer, and without those `answering`."""
    gold = {piece.chunk_id for piece in sample.evidence}
    known = gold.union(answering)
    alike = {other for name in sorted(known) for other in corpus.graph.neighbours(name, NEAR_DUPLICATE)}
    words = corpus.passages.rarity.known(asked_words(sample.question))
    values = set(sample.golden_answers)
    count = 0
    for passage in corpus.passages.near(sample.question, len(known) + 2 * NEGATIVES):
        chunk = corpus.graph.chunk(passage.chunk_id)
        has_evidence = any(
            piece.doc_id == chunk.doc_id and piece.start < chunk.end and chunk.start < piece.end
            for piece in sample.evidence
        )
        if passage.chunk_id in known | alike or has_evidence or _suspect(passage, values, words, sample, corpus):
            continue
        yield {"chunk_id": chunk.chunk_id, "doc_id": chunk.doc_id, "start": chunk.start, "end": chunk.end}
        count += 1
        if count == NEGATIVES:
            return


def _suspect(
    passage: MatchedPassage, values: Iterable[str], words: Iterable[str], sample: Sample, corpus: Corpus
) -> bool:
    """Whether a sentence has a value and words of the question, so that it may be an answer."""
    asked, answers = tuple(words), tuple(values)
    share = corpus.passages.rarity.share
    return any(
        share(asked, line.stemmed, line.stemmed_before, passage.about) >= SUSPECT_SHARE
        and any(states_answer(line.text, value, sample.language) for value in answers)
        for line in passage.lines
    )


def _lends(about: StemmedText, name: str, text: StemmedText) -> bool:
    """Whether the headings name the subject of a text; not `Body` for a text on `BodyNext`."""
    if not about.has(name):
        return False
    written = {word for word in content_words(about.text) if stem(word) == name}
    return not any(re.search(rf"(?<![a-z0-9_]){re.escape(word)}[a-z0-9_]", text.text) for word in written)


def _about(piece: Evidence, corpus: Corpus) -> StemmedText:
    """The title and the headings above a piece of evidence."""
    title = corpus.graph.document(piece.doc_id).title
    chunk = corpus.graph.chunk_at(piece.doc_id, piece.start)
    return StemmedText.of(" ".join([title, *(chunk.headings if chunk else ())]))


def _retells(piece: Evidence, other: Evidence, corpus: Corpus) -> bool:
    """Whether two places have the same text apart from markup, spaces and script."""
    markdown = corpus.graph.document(other.doc_id).metadata.get("format") == "markdown"
    return locate(piece.text, other.text, markdown=markdown) is not None


def _row(piece: Evidence) -> dict[str, Any]:
    return {name: getattr(piece, name) for name in ("doc_id", "doc_hash", "chunk_id", "start", "end", "text")}
