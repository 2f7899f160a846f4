"""Adoption of rows from other sources: find their evidence in the corpus, and record the verdicts of filters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.core.records import ADOPTED, UNANSWERABLE, Evidence, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.corpus.coverage import StemmedText, asked_words
from synth.corpus.graph import KnowledgeGraph
from synth.generation.alternatives import with_alternatives
from synth.generation.filters.base import Filter, SetFilter, binding
from synth.generation.row_topics import labelled
from synth.testset.foreign.rows import ForeignRow, Quote
from synth.testset.locating import BY_ANSWER, EXACT, FUZZY, MIN_SCORE, NORMALISED, Locator, NotFound, TextMatch
from synth.text.language import detect

METHODS = (EXACT, NORMALISED, FUZZY, BY_ANSWER)
"""Methods of locating evidence, the most certain first."""

_SEARCHED = 8
"""Number of top passages by BM25. A fuzzy search examines the text around each of them."""


@dataclass(frozen=True, slots=True)
class AdoptedRow:
    """An adopted row: its line in the source file, its sample, and the places of its evidence."""

    line: int
    sample: Sample
    places: tuple[TextMatch, ...]

    @property
    def method(self) -> str:
        """Method that located the evidence. If several pieces needed different methods, the least certain one."""
        return max((place.method for place in self.places), key=METHODS.index, default=EXACT)


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row that could not be adopted: its line in the source file, and the reason."""

    line: int
    reason: str


def locator(corpus: Corpus, min_score: float = MIN_SCORE) -> Locator:
    """Return a locator for the documents of a corpus that rows may be about.

    It searches for similar texts near the top passages by BM25.
    """

    def near(text: str) -> Iterator[tuple[str, int, int]]:
        for name in corpus.top_asked(text, _SEARCHED):
            chunk = corpus.chunk(name)
            yield chunk.doc_id, chunk.start, chunk.end

    return Locator([one for one in corpus.documents() if corpus.is_asked(one.doc_id)], near, min_score)


def adopt_row(
    line: int, row: ForeignRow, corpus: Corpus, where: Locator, *, narrow: bool = False
) -> AdoptedRow | RefusedRow:
    """Return the adopted row before any filter runs, or a `RefusedRow` with the reason.

    If `narrow` is true, the evidence is only the sentences that contain an answer. If no sentence contains one, the
    evidence stays the whole passage.
    """
    if row.unanswerable:
        return AdoptedRow(line, _sample(row, (), corpus), ())
    if not row.answers:
        return RefusedRow(line, "it has neither an answer nor a mark as unanswerable")
    if not row.quotes:
        return RefusedRow(line, "it names no passage and no document, so its evidence cannot be located")
    places: dict[tuple[str, int, int], TextMatch] = {}
    for number, quote in enumerate(row.quotes, start=1):
        for place in _located(quote, row, corpus, where, narrow):
            if isinstance(place, NotFound):
                which = f"passage {number} of {len(row.quotes)}: " if len(row.quotes) > 1 else ""
                return RefusedRow(line, which + place.reason)
            places.setdefault((place.doc_id, place.start, place.end), place)
    evidence = tuple(places.values())
    if any(_chunk_id(place, corpus) is None for place in evidence):
        return RefusedRow(line, "its evidence lies in no passage of the corpus")
    return AdoptedRow(line, _sample(row, evidence, corpus), evidence)


def judged(sample: Sample, corpus: Corpus, filters: Sequence[Filter], set_filters: Sequence[SetFilter]) -> Sample:
    """Return the sample with labels, alternative evidence and the verdicts of the filters. No filter may need a model.

    `metadata["refused"]` maps each filter that refused the sample to its reason. `metadata["signals"]` does the same
    for filters that only advise on this sample.
    """
    verdicts: list[Verdict] = [filter_.decide(sample, corpus) for filter_ in filters]
    verdicts += [filter_.decide(sample) for filter_ in set_filters]
    kept = tuple(verdict for verdict in verdicts if verdict.kept)
    advising = {filter_.name for filter_ in filters} - {filter_.name for filter_ in binding(filters, sample)}
    against: dict[str, dict[str, str]] = {"refused": {}, "signals": {}}
    for verdict in verdicts:
        if not verdict.kept:
            against["signals" if verdict.filter in advising else "refused"][verdict.filter] = verdict.reason
    sample = with_alternatives(labelled(replace(sample, verdicts=kept), corpus, KnowledgeGraph()), corpus)
    return replace(sample, metadata={**sample.metadata, **{name: said for name, said in against.items() if said}})


def _located(
    quote: Quote, row: ForeignRow, corpus: Corpus, where: Locator, narrow: bool
) -> Iterator[TextMatch | NotFound]:
    doc_id = where.named(quote.doc_id)
    if not quote.text:
        if not doc_id:
            yield NotFound(f"the name '{quote.doc_id}' matches no document or several")
        else:
            yield where.answered(
                row.question, row.answers, doc_id, lambda asked, text: _share_of_words(asked, text, corpus)
            )
        return
    parts = [part for part in quote.text.split("\n\n") if part.strip()]
    whole = where.find(quote.text, doc_id, quote.start, alike=len(parts) < 2)
    if isinstance(whole, NotFound) and len(parts) > 1:
        # The text consists of several passages. A fuzzy search would find only the longest of them.
        matches = [where.find(part, doc_id, alike=False) for part in parts]
        if not any(isinstance(match, NotFound) for match in matches):
            yield from matches
            return
        whole = where.find(quote.text, doc_id, quote.start)
    yield _focused(whole, quote, row, where, narrow) if isinstance(whole, TextMatch) else whole


def _focused(place: TextMatch, quote: Quote, row: ForeignRow, where: Locator, narrow: bool) -> TextMatch:
    """Return the place, narrowed to the sentences with the answer if the row marks the answer or `narrow` is true."""
    if quote.focus and place.method == EXACT:
        return where.sentences(place, (place.start + quote.focus[0], place.start + quote.focus[1]))
    if quote.focus or narrow:
        spans = (where.answer_in(place, answer) for answer in row.answers)
        focus = next(filter(None, spans), None)
        return where.sentences(place, focus) if focus else place
    return place


def _share_of_words(question: str, text: str, corpus: Corpus) -> float:
    rarity = corpus.passages.rarity
    return rarity.share(rarity.known(asked_words(question)), StemmedText.of(text))


def _sample(row: ForeignRow, places: Iterable[TextMatch], corpus: Corpus) -> Sample:
    evidence = tuple(_evidence(place, corpus) for place in places)
    several = len({piece.chunk_id for piece in evidence}) > 1
    guessed = "multi_context" if several else "simple"
    language = detect(row.question)
    if language == "other" and evidence:
        language = detect(corpus.document(evidence[0].doc_id).text)
    return Sample(
        question=row.question,
        golden_answers=row.answers,
        evidence=evidence,
        question_type=UNANSWERABLE if row.unanswerable else row.question_type or guessed,
        language=language,
        metadata={"source": ADOPTED},
    )


def _evidence(place: TextMatch, corpus: Corpus) -> Evidence:
    document = corpus.document(place.doc_id)
    return Evidence(
        doc_id=place.doc_id,
        doc_hash=document.content_hash,
        chunk_id=_chunk_id(place, corpus) or "",
        start=place.start,
        end=place.end,
        text=document.text[place.start : place.end],
    )


def _chunk_id(place: TextMatch, corpus: Corpus) -> str | None:
    """Return the id of the passage that contains the first visible character of a place, or None."""
    text = corpus.document(place.doc_id).text[place.start : place.end]
    chunk = corpus.chunk_at(place.doc_id, place.start + len(text) - len(text.lstrip()))
    return chunk.chunk_id if chunk else None


def origin(file: str, line: int, row: ForeignRow, places: Sequence[TextMatch]) -> Mapping[str, Any]:
    """Return the origin of an adopted row: its file, line, format and id, and how its evidence was located."""
    return {
        "file": file,
        "line": line,
        "format": row.shape,
        **({"id": row.id} if row.id else {}),
        "evidence": [
            {
                "method": place.method,
                "score": place.score,
                "other_places": [list(other) for other in place.other_places],
            }
            for place in places
        ],
    }
