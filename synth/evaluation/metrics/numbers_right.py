"""Numbers and dates of the golden answer in the answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.evaluation.measuring.answer_facts import bound_opposed, facts, folded, says
from synth.evaluation.measuring.answer_numerals import alike_numerals, other_time
from synth.evaluation.metrics.base import NO_ANSWERS, Case, Metric, Undefined, Value


@dataclass(frozen=True)
class NumbersRight(Metric):
    """Share of the golden answer's numbers and dates, by value and bound, that the answer has: 三千五百 is 3,500."""

    name = "numbers_right"
    needs = "answer"
    version = 3

    def measure(self, case: Case) -> Mapping[str, Value]:
        if not case.item.golden_answers:
            return {self.name: NO_ANSWERS}
        shares = [self._share(golden, case) for golden in case.item.golden_answers]
        defined = [share for share in shares if share is not None]
        return {self.name: max(defined) if defined else Undefined("the golden answer has no number")}

    def _share(self, golden: str, case: Case) -> float | None:
        texts = alike_numerals((golden, case.answer, case.item.question), case.language)
        wanted, given, _ = map(folded, texts)
        words = [word for word in facts(wanted).words if word[0].isdigit()]  # versions and times of day
        figures = facts(wanted).figures
        if not words and not figures:
            return None
        known = facts(given)
        hits = sum(word in known.known for word in words) * (not other_time(wanted, given))
        hits += sum(
            any(says(other, figure) for other in known.figures) and not bound_opposed(figure, wanted, given)
            for figure in figures
        )
        return hits / (len(words) + len(figures))
