"""Filter for unanswerable questions: the corpus must cover the topic, but not answer the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from synth.core.records import UNANSWERABLE, Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.corpus.coverage import asked_words
from synth.generation.filters.base import Filter
from synth.generation.matching.asked_kind import asked_kind


@dataclass(frozen=True)
class Unanswered(Filter):
    """Keep an unanswerable question if the corpus covers its topic but does not answer it.

    The topic is covered if at least the share `min_known` of the question's content words occurs in the corpus. In
    addition, one of the top `passages` by BM25 must contain at least the share `min_topic` of these words, weighted by
    rarity. The question counts as answered if two adjacent sentences, with their title and headings, contain at least
    `max_share` of the weight of its words. If the question asks for a kind of value (a time, a quantity), these
    sentences must also contain such a value.
    """

    name: ClassVar[str] = "unanswered"
    order: ClassVar[int] = 43
    slack: ClassVar[Mapping[str, float]] = {"min_topic": -0.05, "max_share": 0.05}
    min_known: float = 0.5
    min_topic: float = 0.3
    max_share: float = 0.75
    passages: int = 20

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        if sample.question_type != UNANSWERABLE:
            return self.passed()
        if sample.golden_answers or sample.evidence:
            return self.verdict(False, "the question is marked unanswerable, but has an answer or evidence")
        words, kind = asked_words(sample.question), asked_kind(sample.question, sample.language)
        rarity, near = corpus.passages.rarity, corpus.passages.near(sample.question, self.passages)
        known = sum(rarity.frequencies.get(word, 0) > 0 for word in words) / len(words) if words else 0.0
        topic = max((rarity.share(words, passage.stemmed) for passage in near), default=0.0)
        if known < self.min_known or topic < self.min_topic:
            return self.verdict(
                False, f"the corpus does not cover the topic: it contains {known:.0%} of the question's words"
            )
        closest = 0.0
        for passage in near:
            before = passage.about
            for line in passage.lines:
                share = rarity.share(words, line.stemmed, before, passage.about)
                if share > closest and (kind is None or kind.fits(f"{line.before} {line.text}")):
                    closest = share
                before = line.stemmed
                if closest >= self.max_share:
                    reason = f"'{passage.doc_id}' seems to answer the question: '{line.text[:120]}'"
                    return self.verdict(False, reason, round(closest, 4))
        return self.verdict(
            True,
            f"the closest sentence in {len(near)} passages contains {closest:.0%} of the question's words",
            round(closest, 4),
        )
