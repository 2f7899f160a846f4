"""Further evidence: other passages that answer a question; and hard negatives, which only seem to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from synth.core.records import Evidence, Sample
from synth.corpus.corpus import Corpus
from synth.corpus.coverage import StemmedText, asked_words
from synth.corpus.matched_passages import MatchedPassage
from synth.generation.evidence_pages import evidence_pages
from synth.generation.matching.agreement import says_yes, states_answer
from synth.generation.matching.negation import negated
from synth.retrieval.bm25 import LexicalIndex
from synth.text.language import is_chinese
from synth.text.locate import locate
from synth.text.normalise import holds
from synth.text.question_identity import ComparedQuestion
from synth.text.sentences import split_sentences
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

PROVEN = 0.9
"""Least weight of the words of the question, names apart, in a text that proves the answer; all of them where the
answer is one word or number, which a text may have by chance."""

LONGEST_LEAD = 12
"""Content words up to which the sentence before counts as naming the subject of a text."""

LEAST_RETOLD = 5
"""Content words from which a piece of evidence says enough to be told again elsewhere; headings and labels do not."""

NEGATIVES = 5
SUSPECT_SHARE = 0.3
"""Weight of the words of the question in a sentence with the answer, from which its passage is no negative."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a text must say so that the golden answer follows from it alone, as it does from a passage of the evidence.

    It either states one of `values`, about what the question asks, or tells the evidence again: all of `retold`, with
    the same numbers. It has the names and numbers of the question, and denies only where the evidence does.
    """

    values: tuple[str, ...]
    asked: tuple[str, ...]
    names: frozenset[str]
    numbers: frozenset[str]
    retold: tuple[str, ...]
    retold_numbers: frozenset[str]
    denied: bool
    language: str

    @classmethod
    def of(cls, sample: Sample, number: int, corpus: Corpus) -> Proof:
        """The proof that the pieces of evidence in the passage of piece `number` give together.

        An answer that takes several passages follows from no text alone: then only telling the piece again counts.
        """
        piece, texts = sample.evidence[number], corpus.texts(sample)
        beside = [i for i, other in enumerate(sample.evidence) if other.chunk_id == piece.chunk_id]
        text, own, about = " ".join(texts[i] for i in beside), texts[number], _about(piece, corpus)
        stemmed = StemmedText.of(text)
        asked = asked_words(sample.question)
        known = {word for word in asked if stemmed.has(word) or about.has(word)}
        nouns = ComparedQuestion.of(sample.question, sample.language, [text]).nouns()
        values = [value for value in sample.golden_answers if says_yes(value) is None or len(content_words(value)) > 1]
        words = tuple(dict.fromkeys(map(stem, content_words(own))))
        return cls(
            values=tuple(value for value in values if states_answer(text, value, sample.language))
            if known and len(beside) == len(sample.evidence)
            else (),
            asked=asked,
            names=frozenset({stem(name) for name in nouns} & known),
            numbers=frozenset(numbers(sample.question) & numbers(f"{text} {about.text}")),
            retold=words if len(words) >= LEAST_RETOLD else (),
            retold_numbers=frozenset(numbers(own)),
            denied=negated(_stating(text, values), sample.language),
            language=sample.language,
        )

    def met_by(self, text: str, about: StemmedText, corpus: Corpus, before: str = "") -> bool:
        """Whether a text under the title and headings `about` proves the answer.

        The sentence `before` it may name the subject, if it is short.
        """
        if len(content_words(before)) > LONGEST_LEAD:
            return False
        stemmed, lead = StemmedText.of(text), StemmedText.of(before)
        if not all(stemmed.has(name) or lead.has(name) or _lends(about, name, stemmed) for name in self.names):
            return False
        if not self.numbers <= numbers(f"{before} {text} {about.text}") or negated(text, self.language) != self.denied:
            return False
        if self.retold and all(map(stemmed.has, self.retold)) and self.retold_numbers <= numbers(text):
            return True
        if (own := numbers(text)) - self.retold_numbers and self.retold_numbers - own:
            return False  # it has other figures, so it speaks of something else
        return any(
            states_answer(text, value, self.language) and self._is_about(value, corpus, stemmed, lead, about)
            for value in self.values
        )

    def _is_about(self, value: str, corpus: Corpus, *texts: StemmedText) -> bool:
        """Whether texts have the words of the question that are neither names nor in the answer."""
        words = content_words(value)
        asked = [word for word in self.asked if word not in self.names and word not in set(map(stem, words))]
        if not asked and not is_chinese(self.language):  # names alone do not tell what is said of them
            return False
        return corpus.passages.rarity.share(asked, *texts) >= (PROVEN if len(words) > 1 else 1.0)


@dataclass(frozen=True, slots=True)
class ReplacementConditions:
    """Conditions for a text that speaks of what a piece of evidence says.

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
    for number in range(len(sample.evidence)):
        proof = Proof.of(sample, number, corpus)
        for passage in _candidates(sample, number, proof.values, corpus, among) if proof.values or proof.retold else ():
            place = _place(passage, proof, corpus)
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
    """Whether a place of the corpus proves the answer in place of the piece of evidence of that number."""
    (text,) = corpus.texts(replace(sample, evidence=(piece,)))
    proof, about = Proof.of(sample, number, corpus), _about(piece, corpus)
    ends = [(0, len(text)), *split_sentences(text)[1:]]
    return any(proof.met_by(text[start:end], about, corpus, text[:start]) for start, end in ends)


def conditions_for(sample: Sample, number: int, corpus: Corpus) -> ReplacementConditions:
    """The conditions for a text that speaks of what the piece of evidence of that number says."""
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
    sample: Sample, number: int, values: Iterable[str], corpus: Corpus, among: LexicalIndex | None
) -> Iterator[MatchedPassage]:
    """Passages that may answer too, near duplicates of the evidence first, without the passage of the evidence."""
    home = sample.evidence[number].chunk_id
    queries = [sample.question, f"{corpus.texts(sample)[number]} {' '.join(values)}"]
    near = [] if among else corpus.near_duplicates(home)
    passages = {name: corpus.passages.passage(name) for name in near}
    for query in queries:
        for passage in corpus.passages.near(query, CANDIDATES, among):
            passages.setdefault(passage.chunk_id, passage)
    passages.pop(home, None)
    yield from passages.values()


def _place(passage: MatchedPassage, proof: Proof, corpus: Corpus) -> Evidence | None:
    """The sentence of a passage, else the two in a row, that prove the answer."""
    document = corpus.document(passage.doc_id)
    chunk = corpus.chunk(passage.chunk_id)
    markdown = document.metadata.get("format") == "markdown"
    lines = _proving_lines(passage, proof, corpus)
    located = [locate(line, document.text, chunk.start, chunk.end, markdown=markdown) for line in lines]
    places = [place for place in located if place]
    if not places or len(places) < len(lines):
        return None
    start, end = min(start for start, _ in places), max(end for _, end in places)
    return Evidence(
        doc_id=document.doc_id,
        doc_hash=document.content_hash,
        chunk_id=chunk.chunk_id,
        start=start,
        end=end,
        text=document.text[start:end],
    )


def _proving_lines(passage: MatchedPassage, proof: Proof, corpus: Corpus) -> tuple[str, ...]:
    """The sentence of a passage that proves the answer, else two in a row that do; () without one."""
    if not all(passage.stemmed.has(name) for name in proof.names):
        return ()
    for line in passage.lines:
        if proof.met_by(line.text, passage.about, corpus):
            return (line.text,)
    for line in passage.lines:
        is_heading = StemmedText.of(line.before).text in passage.about.text
        if not is_heading and proof.met_by(line.text, passage.about, corpus, line.before):
            return line.before, line.text
    return ()


def _stating(text: str, values: Iterable[str]) -> str:
    """The sentence of a text that has one of the values; the whole text where none has."""
    sentences = (text[start:end] for start, end in split_sentences(text))
    return next((sentence for sentence in sentences if any(holds(sentence, value) for value in values)), text)


def hard_negatives(sample: Sample, corpus: Corpus, answering: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    """The best passages by BM25 without a sentence that may answer, and without those `answering`."""
    gold = {piece.chunk_id for piece in sample.evidence}
    known = gold.union(answering)
    alike = {other for name in sorted(known) for other in corpus.near_duplicates(name)}
    words = corpus.passages.rarity.known(asked_words(sample.question))
    values = set(sample.golden_answers)
    count = 0
    for passage in corpus.passages.near(sample.question, len(known) + 2 * NEGATIVES):
        chunk = corpus.chunk(passage.chunk_id)
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
    """Whether the headings name the subject of a text; not "Body" for a text on "BodyNext"."""
    if not about.has(name):
        return False
    written = {word for word in content_words(about.text) if stem(word) == name}
    return not any(re.search(rf"(?<![a-z0-9_]){re.escape(word)}[a-z0-9_]", text.text) for word in written)


def _about(piece: Evidence, corpus: Corpus) -> StemmedText:
    """The title and the headings above a piece of evidence."""
    title = corpus.document(piece.doc_id).title
    chunk = corpus.chunk_at(piece.doc_id, piece.start)
    return StemmedText.of(" ".join([title, *(chunk.headings if chunk else ())]))


def _row(piece: Evidence) -> dict[str, Any]:
    return {name: getattr(piece, name) for name in ("doc_id", "doc_hash", "chunk_id", "start", "end", "text")}
