"""BM25 over the passages of a corpus."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from synth.core.mapped_arrays import mapped
from synth.retrieval.base import Passages, Scored, ScoredId, Words, best
from synth.retrieval.word_table import WordTable
from synth.text.stems import stem
from synth.text.tokens import content_words

if TYPE_CHECKING:
    import numpy as np

    from synth.retrieval.base import Scores

K1 = 1.5
B = 0.75
MOST_LEAD = 9.99
"""Largest lead that is told, and that of a passage where no rival shares a word with the query."""

_MOST_COUNTED = 65535
"""Largest number of times that a word is counted in a passage; beyond it no score grows."""

_AT_A_TIME = 1 << 21
"""Postings that are sorted at a time."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Standing of a passage for a query.

    `rank`, from 1, is among all passages; `lead` is its score divided by that of the best rival, at most `MOST_LEAD`,
    and 0 for a passage without a score; `rivals` is the number of rivals with nearly its score or more.
    """

    rank: int
    lead: float
    rivals: int


@dataclass(frozen=True, slots=True)
class Postings:
    """Passages of each word with the scores: those of word n are at `starts[n]:starts[n + 1]`, in order of passages."""

    words: Mapping[str, int]
    starts: np.ndarray
    passages: np.ndarray
    scores: np.ndarray

    def save(self, folder: Path) -> None:
        """Write the postings to files of a folder."""
        import numpy as np

        WordTable.write(folder / "words", self.words)
        for name in ("starts", "passages", "scores"):
            np.save(folder / f"postings.{name}.npy", getattr(self, name))

    @classmethod
    def open(cls, folder: Path) -> Postings:
        """The postings in a folder; the files are mapped, so that only what is looked at is in memory."""
        arrays = (mapped(folder / f"postings.{name}.npy") for name in ("starts", "passages", "scores"))
        return cls(WordTable.open(folder / "words"), *arrays)


class PostingsBuilder:
    """Builder of postings from the words of passages, in Lucene's form of BM25 (Robertson and Zaragoza 2009)."""

    def __init__(self, k1: float = K1, b: float = B) -> None:
        self._k1, self._b = k1, b
        self._numbers: dict[str, int] = {}
        self._words, self._counts = array("i"), array("H")
        self._distinct, self._lengths = array("i"), array("i")

    def add(self, counts: Mapping[str, int]) -> None:
        """Add the next passage, by the number of times that each of its words occurs."""
        numbers = self._numbers
        self._words.extend([numbers.setdefault(word, len(numbers)) for word in counts])
        self._counts.extend([min(count, _MOST_COUNTED) for count in counts.values()])
        self._distinct.append(len(counts))
        self._lengths.append(max(1, sum(counts.values())))

    def made(self) -> Postings:
        """The postings of the passages that were added."""
        import numpy as np

        words, counts = np.frombuffer(self._words, dtype=np.int32), np.frombuffer(self._counts, dtype=np.uint16)
        lengths = np.frombuffer(self._lengths, dtype=np.int32)
        found, passages = np.bincount(words, minlength=len(self._numbers)), len(lengths)
        starts = np.concatenate([[0], np.cumsum(found)])
        rarity = np.array([log(1 + (passages - n + 0.5) / (n + 0.5)) for n in found.tolist()], dtype=np.float32)
        mean = lengths.mean() if passages else 1.0
        longer = self._k1 * ((1 - self._b) + self._b * lengths / mean)
        ends = np.cumsum(np.frombuffer(self._distinct, dtype=np.int32))
        places, scores = np.empty(len(words), dtype=np.int32), np.empty(len(words), dtype=np.float32)
        free = starts[:-1].copy()
        for first in range(0, len(words), _AT_A_TIME):
            part = slice(first, first + _AT_A_TIME)
            order = np.argsort(words[part], kind="stable")
            word, count = words[part][order], counts[part][order].astype(np.float64)
            passage = np.searchsorted(ends, first + order, side="right")
            known, begun, many = np.unique(word, return_index=True, return_counts=True)
            at = np.arange(len(word)) - np.repeat(begun, many) + np.repeat(free[known], many)
            places[at] = passage
            scores[at] = rarity[word] * (count / (longer[passage] + count))
            free[known] += many
        return Postings(self._numbers, starts, places, scores)


class LexicalIndex:
    """BM25 index in Lucene's form (Robertson and Zaragoza 2009, k1 = 1.5, b = 0.75).

    The tokeniser `words` is `synth.text.tokens.content_words` by default: it segments Chinese, and traditional and
    simplified characters match.
    """

    def __init__(
        self, ids: Sequence[str], texts: Iterable[str], *, words: Words = content_words, k1: float = K1, b: float = B
    ) -> None:
        """Index `texts`, at least one, under `ids` in the same order."""
        built = PostingsBuilder(k1, b)
        for text in texts:
            built.add(Counter(words(text)))
        self.ids: Sequence[str] = tuple(ids)
        self._numbers: Mapping[str, int] = {name: i for i, name in enumerate(ids)}
        self._postings, self._words = built.made(), words
        self._by_stem: Mapping[str, int] | None = None

    @classmethod
    def of(
        cls,
        postings: Postings,
        ids: Sequence[str] = (),
        numbers: Mapping[str, int] = MappingProxyType({}),
        by_stem: Mapping[str, int] | None = None,
    ) -> LexicalIndex:
        """The index with these postings."""
        index = cls.__new__(cls)
        index.ids, index._numbers, index._words = ids, numbers, content_words
        index._postings, index._by_stem = postings, by_stem
        return index

    @classmethod
    def open(cls, folder: Path, ids: Sequence[str], numbers: Mapping[str, int]) -> LexicalIndex:
        """The index that `save` wrote to a folder, of the passages `ids`; `numbers` gives the place of each."""
        return cls.of(Postings.open(folder), ids, numbers, WordTable.open(folder / "stems"))

    def scores(self, query: str) -> np.ndarray:
        """BM25 score of every passage, in the order of `ids`."""
        import numpy as np

        postings = self._postings
        scores = np.zeros(len(self.ids), dtype=np.float32)
        for word in self._words(query):
            number = postings.words.get(word)
            if number is not None:
                places = slice(postings.starts[number], postings.starts[number + 1])
                scores[postings.passages[places]] += postings.scores[places]
        return scores

    def rank(self, query: str, names: Sequence[str]) -> int:
        """Rank, from 1, of the best of the passages with the ids `names`: one more than the passages above it.

        A passage that shares no word with the query comes last.
        """
        scores = self.scores(query)
        return _rank(scores, float(scores[self._places(names)].max()))

    def standing(self, query: str, names: Sequence[str], apart: Iterable[str] = (), as_well: float = 0.9) -> Standing:
        """Standing of the lowest of the passages `names` for a query.

        Rivals are all passages except `names` and `apart`. A rival counts when its score is at least `as_well` times
        that of the passage. Ids in `apart` that are not in the index are ignored.
        """
        scores = self.scores(query)
        own = float(scores[self._places(names)].min())
        rank = _rank(scores, own)
        scores[self._places({*names, *apart})] = -1.0
        other = float(scores.max())
        if own <= 0:
            return Standing(rank, 0.0, int((scores >= 0).sum()))
        lead = MOST_LEAD if other <= 0 else min(round(own / other, 2), MOST_LEAD)
        return Standing(rank, lead, int((scores >= as_well * own).sum()))

    def top(self, query: str, count: int) -> list[ScoredId]:
        """The `count` best passages that share a word with a query, with their scores, best first, ties by id."""
        scores = self.scores(query)
        return best(self.ids, scores, min(count, int((scores > 0).sum())))

    def frequencies(self) -> dict[str, int]:
        """Number of passages that have each word."""
        starts = self._postings.starts.tolist()
        return {word: starts[n + 1] - starts[n] for word, n in self._postings.words.items()}

    def by_stem(self) -> Mapping[str, int]:
        """Sum of `frequencies` over the words of each stem."""
        if self._by_stem is None:
            self._by_stem = stem_counts(self.frequencies())
        return self._by_stem

    def save(self, folder: Path) -> None:
        """Write the index to a folder, for `open`; the ids of the passages are not written."""
        WordTable.write(folder / "stems", stem_counts(self.frequencies()))
        self._postings.save(folder)

    def _places(self, names: Iterable[str]) -> list[int]:
        return [place for name in names if (place := self._numbers.get(name)) is not None]


def stem_counts(frequencies: Mapping[str, int]) -> Mapping[str, int]:
    """Frequencies of words, those of the same stem added up."""
    counts: Counter[str] = Counter()
    for word, count in frequencies.items():
        counts[stem(word)] += count
    return counts


def _rank(scores: Scores, own: float) -> int:
    """Rank of a score, from 1; a score of 0 comes last."""
    return int((scores > own).sum()) + 1 if own > 0 else len(scores)


class Bm25(Scored):
    """BM25 as a retriever."""

    def __init__(self, passages: Passages, *, words: Words = content_words, k1: float = K1, b: float = B) -> None:
        super().__init__(passages.ids)
        self._index = LexicalIndex(passages.ids, passages.texts, words=words, k1=k1, b=b)

    def scores(self, query: str) -> Scores:
        return self._index.scores(query)
