"""Asked again without one of its passages, a model no longer finds the golden answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synth.filters.agreement import agreed
from synth.filters.base import Corpus, Filter
from synth.filters.round_trip import asking
from synth.filters.working import shows
from synth.llm.base import Completion, Steps
from synth.records import Sample, Verdict


@dataclass(frozen=True)
class LeaveOneOut(Filter):
    """Drop a multi_context question that a judge still answers when one of its passages is left out.

    The judge is asked once for each passage, with the evidence of the others. Its answer is the golden one
    when the two agree by at least `min_f1`, as in `round_trip`; one that is worked out from other values than the
    text has, or from fewer than it takes, is a guess. A reply that cannot be had rejects.
    """

    name: ClassVar[str] = "leave_one_out"
    order: ClassVar[int] = 85
    needs_model: ClassVar[bool] = True
    min_f1: float = 0.5

    def judge(self, sample: Sample, corpus: Corpus) -> Steps[Verdict]:
        if sample.question_type != "multi_context":
            return self.passed()
        passages = list(dict.fromkeys(piece.chunk_id for piece in sample.evidence))
        if len(passages) < 2:
            return self.verdict(False, "the evidence is one passage, at least two wanted")
        rests = [[n for n, piece in enumerate(sample.evidence) if piece.chunk_id != name] for name in passages]
        replies = yield [asking(sample, corpus, sample.question, rest, f"filters/{self.name}") for rest in rests]
        for name, reply in zip(passages, replies, strict=True):
            doc_id = corpus.graph.chunk(name).doc_id
            if not isinstance(reply, Completion):
                return self.verdict(False, f"could not be judged without the passage of '{doc_id}': {reply}")
            if not reply.data["found"]:
                continue
            values = reply.data.get("values", [])
            if values and not shows(values, sample):
                continue
            if agreed(reply.data["answer"], sample) >= self.min_f1:
                return self.verdict(
                    False, f"without the passage of '{doc_id}' the judge still answers '{reply.data['answer'][:80]}'"
                )
        return self.verdict(True, f"without any one of {len(passages)} passages the judge does not find the answer")
