"""Shown the passages that come nearest to an unanswerable question, a model finds no answer either."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synth.filters.base import Corpus, Filter
from synth.filters.round_trip import request
from synth.llm.base import Completion, Steps
from synth.records import UNANSWERABLE, Sample, Verdict


@dataclass(frozen=True)
class NotFound(Filter):
    """Drop an unanswerable question that a judge answers from one of the `passages` best by BM25.

    A judge that errs, times out or cannot be parsed rejects.
    """

    name: ClassVar[str] = "not_found"
    order: ClassVar[int] = 87
    needs_model: ClassVar[bool] = True
    passages: int = 3

    def judge(self, sample: Sample, corpus: Corpus) -> Steps[Verdict]:
        if sample.question_type != UNANSWERABLE:
            return self.passed()
        near = corpus.passages.near(sample.question, self.passages)
        if not near:
            return self.verdict(False, "the corpus has no passage about it")
        replies = yield [
            request(
                corpus,
                sample.language,
                corpus.graph.document(passage.doc_id).title,
                passage.text,
                sample.question,
                f"filters/{self.name}",
            )
            for passage in near
        ]
        for passage, reply in zip(near, replies, strict=True):
            if not isinstance(reply, Completion):
                return self.verdict(False, f"could not be judged: {reply}")
            if reply.data["found"]:
                return self.verdict(
                    False, f"the judge finds an answer in '{passage.doc_id}': '{reply.data['answer'][:80]}'"
                )
        return self.verdict(True, f"the judge finds no answer in the {len(near)} nearest passages")
