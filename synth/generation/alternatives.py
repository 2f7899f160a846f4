"""Search for alternative evidence (other passages that answer a question) and hard negatives (they only seem to)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

from synth.core.records import Evidence, Sample
from synth.corpus.corpus import Corpus
from synth.corpus.coverage import StemmedText, asked_words
from synth.corpus.matched_passages import MatchedPassage, sentences
from synth.generation.evidence_pages import evidence_pages
from synth.generation.matching.agreement import states_answer
from synth.retrieval.bm25 import LexicalIndex
from synth.text.normalise import fold_width, to_simplified

CANDIDATES = 10
"""Number of top BM25 passages examined as alternatives to the evidence, besides its near duplicates."""

NEGATIVES = 5
SUSPECT_SHARE = 0.3
"""Minimum weighted share (0 to 1) of the question words that makes a sentence with the answer suspect.

A passage with such a sentence may answer the question, so it is not used as a hard negative.
"""


@dataclass(frozen=True, slots=True)
class Proof:
    """Conditions under which another passage proves what the evidence in one document proves.

    `pieces` are the indices of the pieces of evidence. The other passage must meet these conditions:

    - It contains each of `statements` as whole sentences, because a word before or after may negate or limit them.
    - It stands under the same `headings`. Only headings that are evidence count, and headings with question words that
      the statements lack.
    - It contains the `unsaid` words (question words in neither statements nor headings) that the evidence passage
      `home` contains.
    - Its document contains the `unsaid` words that occur only elsewhere in the document of `home`.

    Texts may differ only in markup, white space, case, width and script.
    """

    pieces: tuple[int, ...]
    statements: tuple[str, ...]
    headings: frozenset[str]
    unsaid: tuple[str, ...]
    home: Evidence

    @classmethod
    def of(cls, sample: Sample, corpus: Corpus) -> Iterator[Proof]:
        """Yield the proof for each document whose evidence or headings contain a word of the question."""
        texts = corpus.texts(sample)
        above = [_headings(piece, corpus) for piece in sample.evidence]
        names = [_written(text) for text in texts]
        titles = {_written(heading) for headings in above for heading in headings}
        by_document: dict[str, list[int]] = {}
        for number, piece in enumerate(sample.evidence):
            if names[number] and names[number] not in titles:
                by_document.setdefault(piece.doc_id, []).append(number)
        for doc_id, numbers in by_document.items():
            over = {_written(heading): StemmedText.of(heading) for number in numbers for heading in above[number]}
            said = StemmedText.of(" ".join(texts[number] for number in numbers))
            asked = asked_words(sample.question)
            lent = [word for word in asked if not said.has(word)]
            unsaid = tuple(word for word in lent if not any(heading.has(word) for heading in over.values()))
            if len(unsaid) == len(asked):
                continue
            own = {n for n, name in enumerate(names) if name in over and sample.evidence[n].doc_id == doc_id}
            yield cls(
                pieces=tuple(sorted(own.union(numbers))),
                statements=tuple("".join(_lines(sample.evidence[number], corpus)) for number in numbers),
                headings=frozenset(names[number] for number in own)
                | {name for name, heading in over.items() if any(map(heading.has, lent))},
                unsaid=unsaid,
                home=sample.evidence[numbers[0]],
            )

    def places_in(self, lines: Sequence[str]) -> list[tuple[int, int]]:
        """Return, for each statement, its first line and the line after its last; [] if a statement is missing."""
        bounds = {offset: line for line, offset in enumerate(accumulate(map(len, lines), initial=0))}
        text, found = "".join(lines), []
        for statement in self.statements:
            ends = {at: at + len(statement) for at in bounds if text.startswith(statement, at)}
            place = next(((bounds[at], bounds[end]) for at, end in ends.items() if end in bounds), None)
            if place is None:
                return []
            found.append(place)
        return found

    def speaks_of(self, place: Evidence, corpus: Corpus) -> bool:
        """Return whether a place that contains the statements meets the conditions on headings and `unsaid` words."""
        if not self.headings <= {_written(heading) for heading in _headings(place, corpus)}:
            return False
        return all(
            _document_has(word, place.doc_id, corpus)
            if not _passage_has(word, self.home.chunk_id, corpus)
            else _passage_has(word, place.chunk_id, corpus)
            for word in self.unsaid
            if _document_has(word, self.home.doc_id, corpus)
        )


def with_alternatives(sample: Sample, corpus: Corpus) -> Sample:
    """Return the sample with `alternatives`, `hard_negatives` and `pages` in its metadata, if there are any.

    Each item of `alternatives` has the fields of evidence, and `replaces`, the index of the piece that it can replace.
    A hard negative is a passage, by id and offsets, that BM25 ranks high for the question but that does not answer it.
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
    """Yield (index, place) for each place that can replace the piece of evidence at that index (a "second positive").

    There is at most one place per passage, and none in a document that rows must not be about. Only the passages of
    `among` are searched, or the whole corpus if it is None.
    """
    for proof in Proof.of(sample, corpus):
        for passage in _candidates(sample, proof, corpus, among):
            place = _place(passage, proof, corpus)
            if place is not None and not any(_overlap(place, piece) for piece in sample.evidence):
                yield from ((number, place) for number in proof.pieces)


def misstated(sample: Sample, corpus: Corpus) -> str:
    """Return what is wrong with the alternative evidence of a row, or "" if it is valid."""
    for at, item in enumerate(sample.metadata.get("alternatives", ())):
        piece = second_positive(item)
        if fault := corpus.misplaced(piece):
            return f"alternatives[{at}]: {fault}"
        if not can_replace(sample, item["replaces"], piece, corpus):
            return f"alternatives[{at}]: this passage does not state what the evidence states"
    return ""


def second_positive(item: Mapping[str, Any]) -> Evidence:
    """Return the evidence of an item of `alternatives`."""
    return Evidence(**{name: item[name] for name in Evidence.__slots__})


def can_replace(sample: Sample, number: int, piece: Evidence, corpus: Corpus) -> bool:
    """Return whether `piece`, another place of the corpus, can replace the piece of evidence at index `number`."""
    lines = _lines(piece, corpus)
    return any(
        number in proof.pieces and proof.places_in(lines) and proof.speaks_of(piece, corpus)
        for proof in Proof.of(sample, corpus)
    )


def _candidates(sample: Sample, proof: Proof, corpus: Corpus, among: LexicalIndex | None) -> Iterator[MatchedPassage]:
    """Yield passages that may state the same, near duplicates of the evidence first, without the evidence passages."""
    texts = corpus.texts(sample)
    passages = (
        {} if among else {name: corpus.passages.passage(name) for name in corpus.near_duplicates(proof.home.chunk_id)}
    )
    for passage in corpus.passages.near(" ".join(texts[number] for number in proof.pieces), CANDIDATES, among):
        passages.setdefault(passage.chunk_id, passage)
    own = {piece.chunk_id for piece in sample.evidence}
    yield from (passage for name, passage in passages.items() if name not in own and corpus.is_asked(passage.doc_id))


def _place(passage: MatchedPassage, proof: Proof, corpus: Corpus) -> Evidence | None:
    """Return the part of a passage that meets the conditions of a proof, or None."""
    document, chunk = corpus.document(passage.doc_id), corpus.chunk(passage.chunk_id)
    found = proof.places_in([_written(line.text) for line in passage.lines])
    if not found:
        return None
    starts = [chunk.start + passage.lines[first].start for first, _ in found]
    start, end = min(starts), chunk.start + max(passage.lines[after - 1].end for _, after in found)
    whole = Evidence(
        doc_id=document.doc_id,
        doc_hash=document.content_hash,
        chunk_id=chunk.chunk_id,
        start=start,
        end=end,
        text=document.text[start:end],
    )
    return whole if all(proof.speaks_of(replace(whole, start=start), corpus) for start in starts) else None


def _headings(piece: Evidence, corpus: Corpus) -> tuple[str, ...]:
    """Return the title of the document of a piece of evidence, and the headings above the piece."""
    return (corpus.document(piece.doc_id).title, *corpus.headings(piece))


def _lines(piece: Evidence, corpus: Corpus) -> list[str]:
    """Return the sentences of a piece of evidence in the form used for comparison."""
    markdown = corpus.document(piece.doc_id).metadata.get("format") == "markdown"
    return [_written(text) for text, _, _ in sentences(piece.text, markdown=markdown)]


def _written(text: str) -> str:
    """Return a text without white space and final full stop, with case, width and script normalised."""
    return "".join(to_simplified(fold_width(text)).casefold().split()).rstrip(".。")


def _overlap(place: Evidence, other: Evidence) -> bool:
    return place.doc_id == other.doc_id and place.start < other.end and other.start < place.end


def _passage_has(word: str, chunk_id: str, corpus: Corpus) -> bool:
    return corpus.passages.passage(chunk_id).stemmed.has(word)


def _document_has(word: str, doc_id: str, corpus: Corpus) -> bool:
    return any(_passage_has(word, chunk.chunk_id, corpus) for chunk in corpus.chunks_of(doc_id))


def hard_negatives(sample: Sample, corpus: Corpus, answering: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    """Yield hard negatives: the best passages by BM25 without a sentence that may answer the question.

    Each is a mapping of `chunk_id`, `doc_id`, `start` and `end`. The passages of the evidence, those in `answering` and
    near duplicates of both are left out.
    """
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
    """Return whether a sentence contains a golden answer and many words of the question, so that it may answer it."""
    asked, answers = tuple(words), tuple(values)
    share = corpus.passages.rarity.share
    return any(
        share(asked, line.stemmed, line.stemmed_before, passage.about) >= SUSPECT_SHARE
        and any(states_answer(line.text, value, sample.language) for value in answers)
        for line in passage.lines
    )


def _row(piece: Evidence) -> dict[str, Any]:
    return {name: getattr(piece, name) for name in ("doc_id", "doc_hash", "chunk_id", "start", "end", "text")}
