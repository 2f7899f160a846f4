"""No question is asked twice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synth.errors import ConfigError
from synth.filters.base import SetFilter
from synth.records import Sample, Verdict
from synth.text.normalise import normalise
from synth.text.tokens import content_words, numbers

if TYPE_CHECKING:
    from datasketch import MinHash

SHINGLE = 3


class Duplicate(SetFilter):
    """Drop a question that an admitted row already asks: the same once normalised, or nearly so.

    Nearly means an estimated Jaccard similarity of character 3-shingles of at least `threshold`
    (MinHash LSH, `permutations` hash functions; Broder 1997). Two questions that differ in a number,
    a name or a date ask different things and are both kept; so are two whose answers differ when each
    has a content word that the other lacks. 0.7 is what the peers use for questions.
    """

    name = "duplicate"

    def __init__(self, threshold: float = 0.7, permutations: int = 128) -> None:
        if not 0 < threshold <= 1:
            raise ConfigError(f"filters.duplicate: threshold must be above 0 and at most 1, was {threshold}")
        from datasketch import MinHashLSH

        self.threshold = threshold
        self.permutations = permutations
        self._index = MinHashLSH(threshold=threshold, num_perm=permutations)
        self._exact: dict[str, Sample] = {}
        self._admitted: dict[str, tuple[Sample, MinHash]] = {}

    @property
    def thresholds(self) -> dict[str, float]:
        return {"threshold": self.threshold, "permutations": self.permutations}

    def judge(self, sample: Sample) -> Verdict:
        same = self._exact.get(normalise(sample.question))
        if same is not None:
            return self._verdict(False, f"the same question as {same.id}", 1.0)
        mine = self._minhash(sample.question)
        closest, best = None, 0.0
        for key in sorted(self._index.query(mine)):
            other, theirs = self._admitted[key]
            similarity = float(mine.jaccard(theirs))
            if similarity > best and similarity >= self.threshold and not _differ(sample, other):
                closest, best = other, similarity
        if closest is not None:
            return self._verdict(False, f"nearly the same question as {closest.id}: '{closest.question}'", best)
        return self._verdict(True, "not asked before", best)

    def admit(self, sample: Sample) -> None:
        key = sample.id
        minhash = self._minhash(sample.question)
        self._exact.setdefault(normalise(sample.question), sample)
        if key not in self._admitted:
            self._admitted[key] = (sample, minhash)
            self._index.insert(key, minhash)

    def _verdict(self, kept: bool, reason: str, score: float) -> Verdict:
        return Verdict(filter=self.name, kept=kept, reason=reason, score=round(score, 4))

    def _minhash(self, question: str) -> MinHash:
        from datasketch import MinHash

        text = normalise(question).replace(" ", "_")
        minhash = MinHash(num_perm=self.permutations, seed=1)
        minhash.update_batch(sorted({text[i : i + SHINGLE].encode() for i in range(max(1, len(text) - SHINGLE + 1))}))
        return minhash


def _differ(sample: Sample, other: Sample) -> bool:
    """Whether two like questions differ in a number, a name, or a word that another answer hangs on."""
    question, rival = sample.question, other.question
    if numbers(question) != numbers(rival) or _names(question) != _names(rival):
        return True
    if {normalise(a) for a in sample.golden_answers} & {normalise(a) for a in other.golden_answers}:
        return False
    ours, theirs = set(content_words(question)), set(content_words(rival))
    return bool(ours - theirs) and bool(theirs - ours)


def _names(question: str) -> frozenset[str]:
    """Capitalised words but the first, and identifiers: what a name looks like from outside."""
    words = question.replace("?", " ").replace("？", " ").split()
    return frozenset(w.strip("'\",.") for w in words[1:] if any(c.isupper() or c == "_" for c in w))
