"""A row made elsewhere becomes a sample: its evidence is located, filters are asked, and what is unsure is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from synth.core.records import ADOPTED, UNANSWERABLE, Evidence, Sample, Verdict
from synth.generation.alternatives import with_alternatives
from synth.generation.filters.base import Corpus, Filter, SetFilter
from synth.generation.matching.coverage import StemmedText, asked_words
from synth.generation.row_topics import labelled
from synth.testset.foreign.rows import Foreign, Quote
from synth.testset.locating import BY_ANSWER, EXACT, FUZZY, MIN_SCORE, NORMALISED, Locator, NotFound, TextMatch
from synth.text.language import detect

HOWS = (EXACT, NORMALISED, FUZZY, BY_ANSWER)
"""How evidence can have been found, surest first."""

_LOOKED_AT = 8
"""Passages, best by BM25, near which a text is looked for by likeness."""


@dataclass(frozen=True, slots=True)
class Adopted:
    """A row of the set: the sample, and where each piece of its evidence was found."""

    line: int
    sample: Sample
    places: tuple[TextMatch, ...]

    @property
    def how(self) -> str:
        """How its evidence was found: of several pieces, the least sure one."""
        return max((place.how for place in self.places), key=HOWS.index, default=EXACT)


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row that was not adopted: its line, and why."""

    line: int
    reason: str


def locator(corpus: Corpus, min_score: float = MIN_SCORE) -> Locator:
    """A locator over the documents of a corpus, that looks for likenesses near the passages BM25 finds best."""

    def near(text: str) -> Iterator[tuple[str, int, int]]:
        for name, score in corpus.index.top(text, min(_LOOKED_AT, len(corpus.index.ids))):
            if score > 0:
                chunk = corpus.graph.chunk(name)
                yield chunk.doc_id, chunk.start, chunk.end

    return Locator(list(corpus.graph.documents()), near, min_score)


def adopt_row(line: int, row: Foreign, corpus: Corpus, where: Locator, *, narrow: bool = False) -> Adopted | RefusedRow:
    """The sample that a row makes, before any filter, or why it makes none.

    With `narrow` the evidence is of each passage the sentences that hold an answer, where one stands in it.
    """
    if row.unanswerable:
        return Adopted(line, _sample(row, (), corpus), ())
    if not row.answers:
        return RefusedRow(line, "no answer, and it is not said to be unanswerable")
    if not row.quotes:
        return RefusedRow(line, "names neither a passage nor a document, so that there is nothing to locate")
    places: dict[tuple[str, int, int], TextMatch] = {}
    for number, quote in enumerate(row.quotes, start=1):
        found = list(_located(quote, row, corpus, where, narrow))
        for place in found:
            if isinstance(place, NotFound):
                which = f"passage {number} of {len(row.quotes)}: " if len(row.quotes) > 1 else ""
                return RefusedRow(line, which + place.reason)
            places.setdefault((place.doc_id, place.start, place.end), place)
    held = tuple(places.values())
    if any(_chunk_id(place, corpus) is None for place in held):
        return RefusedRow(line, "its evidence stands in no passage of the corpus")
    return Adopted(line, _sample(row, held, corpus), held)


def judged(sample: Sample, corpus: Corpus, filters: Sequence[Filter], set_filters: Sequence[SetFilter]) -> Sample:
    """The sample with its labels, its further evidence, and what filters say that need no model.

    The verdicts of those that keep it are its verdicts; those that refuse it stand under `refused`, with reasons.
    """
    verdicts: list[Verdict] = [filter_.decide(sample, corpus) for filter_ in filters]
    verdicts += [filter_.decide(sample) for filter_ in set_filters]
    kept = tuple(verdict for verdict in verdicts if verdict.kept)
    refused = {verdict.filter: verdict.reason for verdict in verdicts if not verdict.kept}
    told = with_alternatives(labelled(replace(sample, verdicts=kept), corpus.graph), corpus)
    return replace(told, metadata={**told.metadata, **({"refused": refused} if refused else {})})


def _located(
    quote: Quote, row: Foreign, corpus: Corpus, where: Locator, narrow: bool
) -> Iterator[TextMatch | NotFound]:
    doc_id = where.named(quote.doc_id)
    if not quote.text:
        if not doc_id:
            yield NotFound(f"no document, or more than one, is named '{quote.doc_id}'")
        else:
            yield where.answered(row.question, row.answers, doc_id, lambda asked, text: _spoken_of(asked, text, corpus))
        return
    parts = [part for part in quote.text.split("\n\n") if part.strip()]
    whole = where.find(quote.text, doc_id, quote.start, alike=len(parts) < 2)
    if isinstance(whole, NotFound) and len(parts) > 1:
        # Several passages in one text; by likeness the longest of them would pass for all.
        found = [where.find(part, doc_id, alike=False) for part in parts]
        if not any(isinstance(one, NotFound) for one in found):
            yield from found
            return
        whole = where.find(quote.text, doc_id, quote.start)
    yield _focused(whole, quote, row, where, narrow) if isinstance(whole, TextMatch) else whole


def _focused(place: TextMatch, quote: Quote, row: Foreign, where: Locator, narrow: bool) -> TextMatch:
    """The sentences with the answer, where the row says which characters of its passage that is, or `narrow` does."""
    if quote.focus and place.how == EXACT:
        return where.sentences(place, (place.start + quote.focus[0], place.start + quote.focus[1]))
    if quote.focus or narrow:
        spans = (where.answer_in(place, answer) for answer in row.answers)
        focus = next(filter(None, spans), None)
        return where.sentences(place, focus) if focus else place
    return place


def _spoken_of(question: str, text: str, corpus: Corpus) -> float:
    rarity = corpus.passages.rarity
    return rarity.share(rarity.known(asked_words(question)), StemmedText.of(text))


def _sample(row: Foreign, places: Iterable[TextMatch], corpus: Corpus) -> Sample:
    evidence = tuple(_evidence(place, corpus) for place in places)
    several = len({piece.chunk_id for piece in evidence}) > 1
    guessed = "multi_context" if several else "simple"
    language = detect(row.question)
    if language == "other" and evidence:
        language = detect(corpus.graph.document(evidence[0].doc_id).text)
    return Sample(
        question=row.question,
        golden_answers=row.answers,
        evidence=evidence,
        question_type=UNANSWERABLE if row.unanswerable else row.question_type or guessed,
        language=language,
        metadata={"source": ADOPTED},
    )


def _evidence(place: TextMatch, corpus: Corpus) -> Evidence:
    document = corpus.graph.document(place.doc_id)
    return Evidence(
        doc_id=place.doc_id,
        doc_hash=document.content_hash,
        chunk_id=_chunk_id(place, corpus) or "",
        start=place.start,
        end=place.end,
        text=document.text[place.start : place.end],
    )


def _chunk_id(place: TextMatch, corpus: Corpus) -> str | None:
    """The passage that the first letter of a place stands in."""
    text = corpus.graph.document(place.doc_id).text[place.start : place.end]
    chunk = corpus.graph.chunk_at(place.doc_id, place.start + len(text) - len(text.lstrip()))
    return chunk.chunk_id if chunk else None


def origin(file: str, line: int, row: Foreign, places: Sequence[TextMatch]) -> Mapping[str, Any]:
    """What a row says of where it was adopted from, and how sure the places of its evidence are."""
    return {
        "file": file,
        "line": line,
        "format": row.shape,
        **({"id": row.id} if row.id else {}),
        "evidence": [
            {"how": place.how, "score": place.score, "others": [list(one) for one in place.others]} for place in places
        ],
    }
