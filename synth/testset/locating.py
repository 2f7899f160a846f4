"""Location of quoted texts in the documents of a corpus: exact, normalised or fuzzy."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from synth.core.records import Document
from synth.testset.document_names import DocumentNames
from synth.text.locate import fold, fold_places
from synth.text.markup import Plain, plain
from synth.text.piece_index import PieceIndex
from synth.text.sentences import split_sentences
from synth.text.tokens import numbers

EXACT, NORMALISED, FUZZY, BY_ANSWER = "exact", "normalised", "fuzzy", "answer"

MIN_SCORE = 0.9
"""Minimum similarity (0 to 1) of a fuzzy match: share of letters and digits common to both texts, in order."""

_MOST_PLACES = 20
_LONG = 20
"""Minimum length of a text, in letters and digits, for a fuzzy search.

The same minimum applies to matches that begin or end inside a word.
"""


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A place where a text was found: characters `start:end` of a document.

    `method` is the method of search that found the text. For EXACT and NORMALISED, `score` is 1. For FUZZY, it is the
    similarity. For BY_ANSWER, `score` is the share of the question's words in the sentence. `other_places` lists
    further matches as (doc_id, start, end).
    """

    doc_id: str
    start: int
    end: int
    method: str
    score: float = 1.0
    other_places: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class NotFound:
    """The reason why a text was not found."""

    reason: str


Weigh = Callable[[str, str], float]
"""Function that takes a question and a text. It returns the share (0 to 1) of the question's words in the text."""


class Locator:
    """Search for texts in documents: first exact, then by letters and digits only, then fuzzy."""

    def __init__(
        self,
        documents: Sequence[Document],
        near: Callable[[str], Iterable[tuple[str, int, int]]],
        min_score: float = MIN_SCORE,
    ) -> None:
        """`near` takes a text and returns the places around which a fuzzy search runs, the most promising first."""
        self.documents = {document.doc_id: document for document in documents}
        self._doc_ids = tuple(self.documents)
        self._near = near
        self._min_score = min_score
        self._folded: dict[str, str] = {}
        self._plain = lru_cache(maxsize=16)(self._read)

    def named(self, name: str) -> str:
        """Return the `doc_id` of a document by its name, path or title, or "" if no document or several match."""
        return self._names.find(name)

    @cached_property
    def _names(self) -> DocumentNames:
        return DocumentNames(self.documents, {doc_id: document.title for doc_id, document in self.documents.items()})

    def find(
        self, text: str, doc_id: str = "", start: int | None = None, *, alike: bool = True
    ) -> TextMatch | NotFound:
        """Return the place of `text`. Matches in `doc_id` come first, then the nearest to `start`, then the earliest.

        If `alike` is true, similar texts match if no equal text exists.
        """
        if not fold(text):
            return NotFound("the text contains no letter or digit")
        document = self.documents.get(doc_id)
        if document and start is not None and document.text.startswith(text, start):
            return TextMatch(doc_id, start, start + len(text), EXACT)
        for how, places in ((EXACT, self._exact_places(text)), (NORMALISED, self._normalised_places(text))):
            matches = list(places)
            if matches:
                return _chosen(matches, how, doc_id, start)
        return self._best_fuzzy_match(text) if alike else NotFound("the text is not in the corpus")

    def answered(self, question: str, answers: Sequence[str], doc_id: str, weigh: Weigh) -> TextMatch | NotFound:
        """Return the sentence of a document that contains an answer and the largest share of the question's words.

        The result lists sentences with an equal share as `other_places`. It is a `NotFound` if no sentence contains an
        answer.
        """
        spans = sorted({span for answer in answers for span in self._sentences(doc_id, answer)})
        if not spans:
            return NotFound(f"the document '{doc_id}' does not contain the answer")
        text = self.documents[doc_id].text
        scores = {(a, b): weigh(question, text[a:b]) for a, b in spans}
        best = max(scores.values())
        (start, end), *rest = [span for span in spans if scores[span] == best]
        others = tuple((doc_id, a, b) for a, b in rest)
        return TextMatch(doc_id, start, end, BY_ANSWER, round(best, 4), others)

    def sentences(self, place: TextMatch, focus: tuple[int, int]) -> TextMatch:
        """Return the place, shortened to the sentences that contain `focus`, a span (start, end) of its document."""
        inside = _enclosing(self.documents[place.doc_id].text, focus)
        return replace(place, start=max(place.start, inside[0]), end=min(place.end, inside[1]), other_places=())

    def answer_in(self, place: TextMatch, answer: str) -> tuple[int, int] | None:
        """Return the span of the first occurrence of an answer in a place, or None."""
        inside = (
            span for span in self._occurrences(place.doc_id, answer) if place.start <= span[0] < span[1] <= place.end
        )
        return next(inside, None)

    def _sentences(self, doc_id: str, answer: str) -> Iterator[tuple[int, int]]:
        for span in self._occurrences(doc_id, answer):
            yield _enclosing(self.documents[doc_id].text, span)

    def _occurrences(self, doc_id: str, answer: str) -> Iterator[tuple[int, int]]:
        """Yield occurrences of an answer in a document as whole words: exact ones, or else by letters and digits."""
        text = self.documents[doc_id].text
        exact = [span for span in _occurrences_of(text, answer) if _whole(text, *span)]
        yield from exact or (span for _, *span in self._folded_places(doc_id, answer) if _whole(text, *span))  # type: ignore[misc]

    def _exact_places(self, text: str) -> Iterator[tuple[str, int, int]]:
        places = [
            (doc_id, start, end)
            for doc_id in self._named_by(self._texts.candidates(text))
            for start, end in _occurrences_of(self.documents[doc_id].text, text)
        ]
        whole = [place for place in places if _whole(self.documents[place[0]].text, *place[1:])]
        yield from (whole or (places if len(text) >= _LONG else []))

    def _normalised_places(self, text: str) -> Iterator[tuple[str, int, int]]:
        quotes = {_folded_quote(text, markdown) for markdown in (False, True)}
        for doc_id in self._named_by(sorted({number for quote in quotes for number in self._folds.candidates(quote)})):
            for _, start, end in self._folded_places(doc_id, text):
                if len(text) >= _LONG or _whole(self.documents[doc_id].text, start, end):
                    yield doc_id, start, end

    @cached_property
    def _texts(self) -> PieceIndex:
        return PieceIndex(document.text for document in self.documents.values())

    @cached_property
    def _folds(self) -> PieceIndex:
        return PieceIndex(map(self._letters, self.documents))

    def _named_by(self, numbers: Iterable[int]) -> Iterator[str]:
        return (self._doc_ids[number] for number in numbers)

    def _folded_places(self, doc_id: str, text: str) -> Iterator[tuple[str, int, int]]:
        """Yield places of a document with the same letters and digits as `text`, and with the same numbers.

        "1.5" and "15" have the same digits but are different numbers.
        """
        folded_quote = _folded_quote(text, self._markdown(doc_id))
        for first, last in _occurrences_of(self._letters(doc_id), folded_quote):
            body, places = self._plain(doc_id)
            inner = places[first], places[last - 1] + 1
            if numbers(body.text[slice(*inner)]) == numbers(text):
                yield doc_id, *_with_marks(self.documents[doc_id].text, *body.origin(*inner), text)

    def _best_fuzzy_match(self, text: str) -> TextMatch | NotFound:
        if len(fold(text)) < _LONG:
            return NotFound("the text is not in the corpus, and it is too short for a fuzzy search")
        best: dict[tuple[str, int, int], TextMatch] = {}
        for doc_id, start, end in self._near(text):
            place = self._fuzzy_match(text, doc_id, start, end)
            if place:
                best[place.doc_id, place.start, place.end] = place
        if not best:
            return NotFound("the corpus contains no similar text")
        first, *rest = sorted(best.values(), key=lambda match: (-match.score, match.doc_id, match.start))
        if first.score < self._min_score:
            nearest = f"the most similar text is in '{first.doc_id}' at character {first.start}"
            return NotFound(
                f"the text is not in the corpus; {nearest}: similarity {first.score:.2f}, needed {self._min_score}"
            )
        others = tuple((match.doc_id, match.start, match.end) for match in rest if match.score >= first.score - 0.01)
        return replace(first, other_places=others)

    def _fuzzy_match(self, text: str, doc_id: str, start: int, end: int) -> TextMatch | None:
        """Return the text around characters `start:end` of a document that is most similar to `text`, or None."""
        from rapidfuzz.distance import Indel
        from rapidfuzz.fuzz import partial_ratio_alignment

        (body, places), folded = self._plain(doc_id), self._letters(doc_id)
        folded_quote = _folded_quote(text, self._markdown(doc_id))
        room = len(folded_quote)
        first, last = (bisect_left(places, at, key=lambda place: body.starts[place]) for at in (start, end))
        low, high = max(0, first - room), min(len(folded), last + room)
        window = folded[low:high]
        if not window:
            return None
        rough = partial_ratio_alignment(folded_quote, window)
        if rough is None:
            return None
        spare = room // 5
        first, last = max(0, rough.dest_start - spare), min(len(window), rough.dest_end + spare)
        equal = [block for block in Indel.opcodes(folded_quote, window[first:last]) if block.tag == "equal"]
        same = _without_strays([(block.dest_start, block.dest_end) for block in equal])
        if not same:
            return None
        a, b = low + first + same[0][0], low + first + same[-1][1]
        score = Indel.normalized_similarity(folded_quote, folded[a:b])
        document = self.documents[doc_id].text
        span = _with_marks(document, *_to_edges(document, *body.origin(places[a], places[b - 1] + 1)), text)
        return TextMatch(doc_id, *span, FUZZY, round(score, 4))

    def _letters(self, doc_id: str) -> str:
        """Return the letters and digits of a document without markup."""
        if doc_id not in self._folded:
            self._folded[doc_id] = fold(self._plain(doc_id)[0].text)
        return self._folded[doc_id]

    def _read(self, doc_id: str) -> tuple[Plain, list[int]]:
        body = plain(self.documents[doc_id].text, markdown=self._markdown(doc_id))
        return body, fold_places(body.text)

    def _markdown(self, doc_id: str) -> bool:
        return self.documents[doc_id].metadata.get("format") == "markdown"


def _chosen(places: Sequence[tuple[str, int, int]], how: str, doc_id: str, start: int | None) -> TextMatch:
    """Return the preferred place: in `doc_id` and nearest to `start`, or else the first."""
    at = start or 0
    first, *rest = sorted(
        places, key=lambda place: (place[0] != doc_id, abs(place[1] - at) if place[0] == doc_id else 0)
    )
    rivals = () if first[0] == doc_id and start is not None else tuple(rest)
    return TextMatch(*first, how, 1.0, rivals)


@lru_cache(maxsize=256)
def _folded_quote(text: str, markdown: bool) -> str:
    return fold(plain(text, markdown=markdown).text) or fold(text)


def _occurrences_of(text: str, part: str) -> list[tuple[int, int]]:
    """Return the first non-overlapping occurrences of `part` in `text`, at most `_MOST_PLACES`."""
    spans: list[tuple[int, int]] = []
    at = text.find(part) if part else -1
    while at >= 0 and len(spans) < _MOST_PLACES:
        spans.append((at, at + len(part)))
        at = text.find(part, at + len(part))
    return spans


def _whole(text: str, start: int, end: int) -> bool:
    """Return whether `text[start:end]` begins and ends at word boundaries. In Chinese, every position is one."""
    return not (_joined(text[start - 1 : start], text[start]) or _joined(text[end - 1], text[end : end + 1]))


def _joined(before: str, after: str) -> bool:
    return all(char.isalnum() and char < "\u2e80" for char in (before or " ", after or " "))


def _to_edges(text: str, start: int, end: int) -> tuple[int, int]:
    """Extend a range to whole words."""
    while start > 0 and _joined(text[start - 1], text[start]):
        start -= 1
    while end < len(text) and _joined(text[end - 1], text[end]):
        end += 1
    return start, end


def _without_strays(blocks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Drop blocks at either end that are shorter than the gap to the next block, because they match by chance.

    A block is a span (start, end) that both texts share.
    """
    first, last = 0, len(blocks)
    while last - first > 1 and blocks[first + 1][0] - blocks[first][1] > blocks[first][1] - blocks[first][0]:
        first += 1
    while last - first > 1 and blocks[last - 1][0] - blocks[last - 2][1] > blocks[last - 1][1] - blocks[last - 1][0]:
        last -= 1
    return blocks[first:last]


def _with_marks(text: str, start: int, end: int, quote: str) -> tuple[int, int]:
    """Extend a range by adjacent punctuation, at each end by at most the number of marks that `quote` has there."""
    quote = quote.strip()
    before = next((n for n, char in enumerate(quote) if char.isalnum()), 0)
    after = next((n for n, char in enumerate(reversed(quote)) if char.isalnum()), 0)
    while before and start > 0 and _is_mark(text[start - 1]):
        start, before = start - 1, before - 1
    while after and end < len(text) and _is_mark(text[end]):
        end, after = end + 1, after - 1
    return start, end


def _is_mark(char: str) -> bool:
    return not (char.isalnum() or char.isspace())


def _enclosing(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """Return the span of the sentences around `span`, within its paragraph."""
    low = max(text.rfind("\n", 0, span[0]) + 1, 0)
    high = text.find("\n", span[1])
    high = len(text) if high < 0 else high
    sentences = [
        (low + a, low + b) for a, b in split_sentences(text[low:high]) if low + a < span[1] and span[0] < low + b
    ]
    return (min(span[0], sentences[0][0]), max(span[1], sentences[-1][1])) if sentences else span
