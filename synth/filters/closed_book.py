"""Asked without any text, a model does not give the golden answer: the corpus is needed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from synth.errors import ConfigError
from synth.filters.agreement import agrees
from synth.filters.base import Corpus, Filter
from synth.filters.round_trip import several
from synth.llm.base import Completion, Request, Steps
from synth.records import UNANSWERABLE, Sample, Verdict

PROMPT = "filters/closed_book"
TAG = "closed_book"


@dataclass(frozen=True)
class ClosedBook(Filter):
    """Tag a sample that the judge's model answers with no text before it; a limit says how many a set may have.

    It is asked `attempts` times, and knows the answer when more than half of what it says agrees with the golden one
    by at least `min_f1`, as in `round_trip`. A model that errs, times out or cannot be parsed rejects.
    """

    name: ClassVar[str] = "closed_book"
    order: ClassVar[int] = 90
    needs_model: ClassVar[bool] = True
    min_f1: float = 0.5
    attempts: int = 1

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ConfigError(f"filters.closed_book: attempts must be at least 1, was {self.attempts}")

    def judge(self, sample: Sample, corpus: Corpus) -> Steps[Verdict]:
        if sample.question_type == UNANSWERABLE:
            return self.passed()
        asked = Request.of(
            corpus.prompt(PROMPT, sample.language), {"question": sample.question}, purpose=PROMPT, role="judge"
        )
        replies = yield several(asked, self.attempts)
        known = 0.0
        for reply in replies:
            if not isinstance(reply, Completion):
                return self.verdict(False, f"could not be judged: {reply}")
            known += agrees(reply, sample, self.min_f1)
        share = known / self.attempts
        if share <= 0.5:
            return self.verdict(True, "without the text the model does not give the answer", round(share, 4))
        return self.verdict(True, "the model knows the answer without the text", round(share, 4), TAG)
