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
"""Maximum of `Standing.lead`, which is also its value if no rival shares a word with the query."""

_MOST_COUNTED = 65535
"""Maximum count of a word in a passage that is stored. Higher counts would hardly raise the score."""

_AT_A_TIME = 1 << 21
"""Number of postings (pairs of word and passage) that are sorted at a time."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Comparison of one passage with other passages, its rivals, for one query.

    `rank` is the rank among all passages, counted from 1. `lead` is the passage's score divided by the score of the
    best rival, at most `MOST_LEAD`. It is 0 if the passage has no score. `rivals` is the number of rivals with a higher
    or nearly equal score.
    """

    rank: int
    lead: float
    rivals: int


@dataclass(frozen=True, slots=True)
class Postings:
    """Inverted index: for each word, the passages that contain it, and their scores.

    The passages and scores of word n are at `starts[n]:starts[n + 1]`, in order of passages.
    """

    words: Mapping[str, int]
    starts: np.ndarray
    passages: np.ndarray
    scores: np.ndarray

    def save(self, folder: Path) -> None:
        """Write the postings to files in a folder."""
        import numpy as np

        WordTable.write(folder / "words", self.words)
        for name in ("starts", "passages", "scores"):
            np.save(folder / f"postings.{name}.npy", getattr(self, name))

    @classmethod
    def open(cls, folder: Path) -> Postings:
        """Return the postings in a folder. The files are memory-mapped, so that only the parts in use are in memory."""
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
        """Add the next passage, given the number of times that each of its words occurs."""
        numbers = self._numbers
        self._words.extend([numbers.setdefault(word, len(numbers)) for word in counts])
        self._counts.extend([min(count, _MOST_COUNTED) for count in counts.values()])
        self._distinct.append(len(counts))
        self._lengths.append(max(1, sum(counts.values())))

    def made(self) -> Postings:
        """Return the postings of all added passages."""
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

    The tokeniser `words` is `synth.text.tokens.content_words` by default. It segments Chinese, and it matches
    traditional and simplified characters.
    """

    def __init__(
        self, ids: Sequence[str], texts: Iterable[str], *, words: Words = content_words, k1: float = K1, b: float = B
    ) -> None:
        """Index at least one text. `texts` and `ids` are in the same order."""
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
        """Return an index with these postings.

        `ids` are the ids of the passages, and `numbers` maps each id to its position. If `by_stem` is None, it is
        computed at first use.
        """
        index = cls.__new__(cls)
        index.ids, index._numbers, index._words = ids, numbers, content_words
        index._postings, index._by_stem = postings, by_stem
        return index

    @classmethod
    def open(cls, folder: Path, ids: Sequence[str], numbers: Mapping[str, int]) -> LexicalIndex:
        """Return the index that `save` wrote to a folder.

        `ids` are the ids of its passages, and `numbers` maps each id to its position.
        """
        return cls.of(Postings.open(folder), ids, numbers, WordTable.open(folder / "stems"))

    def scores(self, query: str) -> np.ndarray:
        """Return the BM25 score of every passage, in the order of `ids`."""
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
        """Return the rank, among all passages and counted from 1, of the best passage with an id in `names`.

        The rank is one more than the number of passages with a higher score. A passage that shares no word with the
        query comes last.
        """
        scores = self.scores(query)
        return _rank(scores, float(scores[self._places(names)].max()))

    def standing(self, query: str, names: Sequence[str], apart: Iterable[str] = (), as_well: float = 0.9) -> Standing:
        """Compare the passage with the lowest score among `names` with its rivals.

        Rivals are all passages except `names` and `apart`. `Standing.rivals` counts those with at least `as_well` times
        the score of the passage. Ids in `apart` that are not in the index are ignored.
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
        """Return ids and scores of the `count` best passages that share a word with a query, best first, ties by id."""
        scores = self.scores(query)
        return best(self.ids, scores, min(count, int((scores > 0).sum())))

    def frequencies(self) -> dict[str, int]:
        """Return the number of passages that contain each word."""
        starts = self._postings.starts.tolist()
        return {word: starts[n + 1] - starts[n] for word, n in self._postings.words.items()}

    def by_stem(self) -> Mapping[str, int]:
        """Return, for each stem, the sum of the `frequencies` of its words."""
        if self._by_stem is None:
            self._by_stem = stem_counts(self.frequencies())
        return self._by_stem

    def save(self, folder: Path) -> None:
        """Write the index to a folder, for `open`. The ids of the passages are not written."""
        WordTable.write(folder / "stems", stem_counts(self.frequencies()))
        self._postings.save(folder)

    def _places(self, names: Iterable[str]) -> list[int]:
        return [place for name in names if (place := self._numbers.get(name)) is not None]


def stem_counts(frequencies: Mapping[str, int]) -> Mapping[str, int]:
    """Return the frequencies of words, summed over the words of each stem."""
    counts: Counter[str] = Counter()
    for word, count in frequencies.items():
        counts[stem(word)] += count
    return counts


def _rank(scores: Scores, own: float) -> int:
    """Return the rank of a score, counted from 1. A score of 0 comes last."""
    return int((scores > own).sum()) + 1 if own > 0 else len(scores)


class Bm25(Scored):
    """Retriever by BM25 score."""

    def __init__(self, passages: Passages, *, words: Words = content_words, k1: float = K1, b: float = B) -> None:
        super().__init__(passages.ids)
        self._index = LexicalIndex(passages.ids, passages.texts, words=words, k1=k1, b=b)

    def scores(self, query: str) -> Scores:
        """Return the BM25 score of every passage, in the order of `ids`."""
        return self._index.scores(query)
