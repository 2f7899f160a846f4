"""Filter that drops questions that fit many other passages better than their own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.generation.filters.base import Filter


@dataclass(frozen=True)
class Specific(Filter):
    """Drop a question that fits more than `max_rivals` other passages better than its own, by BM25.

    The passage of a vague question has a low rank, because the words of the question are everywhere, or not in the
    passage. The passage of a good but hard question may have a low rank too. So the limit is loose. The value 10
    rejects 1 % of the human questions of XQuAD. The score is the rank of the best evidence passage: one more than the
    number of its rivals.
    """

    name: ClassVar[str] = "specific"
    order: ClassVar[int] = 35
    of_wording: ClassVar[bool] = True
    slack: ClassVar[Mapping[str, float]] = {"max_rivals": 5}
    max_rivals: int = 10

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        if not sample.evidence:
            return self.passed()
        passages = list(dict.fromkeys(piece.chunk_id for piece in sample.evidence))
        rank = corpus.index.rank(sample.question, passages)
        return self.verdict(
            rank <= self.max_rivals + 1,
            f"{rank - 1} other passages fit the question's words better, at most {self.max_rivals} allowed",
            float(rank),
        )
