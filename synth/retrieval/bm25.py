"""BM25 over the passages of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synth.retrieval.base import Passages, Scored, ScoredId, Words, best
from synth.text.tokens import content_words

if TYPE_CHECKING:
    import numpy as np

    from synth.retrieval.base import Scores

K1 = 1.5
B = 0.75
MOST_LEAD = 9.99
"""Largest lead that is told, and that of a passage where no rival shares a word with the query."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Standing of a passage for a query.

    `rank`, from 1, is among all passages; `lead` is its score divided by that of the best rival, at most `MOST_LEAD`,
    and 0 for a passage without a score; `rivals` is the number of rivals with nearly its score or more.
    """

    rank: int
    lead: float
    rivals: int


class LexicalIndex:
    """BM25 index in Lucene's form (Robertson and Zaragoza 2009, k1 = 1.5, b = 0.75).

    The tokeniser `words` is `synth.text.tokens.content_words` by default: it segments Chinese, and traditional and
    simplified characters match.
    """

    def __init__(
        self, ids: Sequence[str], texts: Sequence[str], *, words: Words = content_words, k1: float = K1, b: float = B
    ) -> None:
        """Index `texts`, at least one, under `ids` in the same order."""
        from bm25s import BM25

        self.ids = tuple(ids)
        self._words = words
        self._position = {name: i for i, name in enumerate(self.ids)}
        self._index = BM25(k1=k1, b=b, method="lucene", csc_backend="numpy")
        self._index.index([words(text) or [""] for text in texts], show_progress=False)

    def scores(self, query: str) -> np.ndarray:
        """BM25 score of every passage, in the order of `ids`."""
        known = [word for word in self._words(query) if word in self._index.vocab_dict]
        if not known:
            import numpy as np

            return np.zeros(len(self.ids), dtype=np.float32)
        return self._index.get_scores(known)  # type: ignore[no-any-return]

    def rank(self, query: str, names: Sequence[str]) -> int:
        """Rank, from 1, of the best of the passages with the ids `names`: one more than the passages above it.

        A passage that shares no word with the query comes last.
        """
        scores = self.scores(query)
        own = float(max(scores[self._position[name]] for name in names))
        return _rank(scores, own)

    def standing(self, query: str, names: Sequence[str], apart: Iterable[str] = (), as_well: float = 0.9) -> Standing:
        """Standing of the lowest of the passages `names` for a query.

        Rivals are all passages except `names` and `apart`. A rival counts when its score is at least `as_well` times
        that of the passage. Ids in `apart` that are not in the index are ignored.
        """
        scores = self.scores(query)
        own = float(min(scores[self._position[name]] for name in names))
        rank = _rank(scores, own)
        rivals = scores.copy()
        rivals[[self._position[name] for name in {*names, *apart} if name in self._position]] = -1.0
        other = float(rivals.max())
        if own <= 0:
            return Standing(rank, 0.0, int((rivals >= 0).sum()))
        lead = MOST_LEAD if other <= 0 else min(round(own / other, 2), MOST_LEAD)
        return Standing(rank, lead, int((rivals >= as_well * own).sum()))

    def top(self, query: str, count: int) -> list[ScoredId]:
        """The `count` best passages with their scores, best first, ties by id."""
        return best(self.ids, self.scores(query), count)

    def frequencies(self) -> dict[str, int]:
        """Number of passages that have each word."""
        pointers = self._index.scores["indptr"]
        return {word: int(pointers[i + 1] - pointers[i]) for word, i in self._index.vocab_dict.items() if word}


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
