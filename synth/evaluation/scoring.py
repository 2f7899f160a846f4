"""Quality of a testset: counts, a grade with its rule for each aspect, and the worst rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, sqrt
from statistics import fmean, median

from synth.evaluation.folders import FolderRows, rows_by_folder
from synth.evaluation.intervals import wilson
from synth.evaluation.measuring.sacrebleu_scores import bleu
from synth.evaluation.messages import Message, message, verbatim
from synth.evaluation.plain_faults import plain_faults
from synth.evaluation.validity import Probe, RetrieverScores, copied_wording, told_apart
from synth.testset.dataset import Item
from synth.testset.weakest_evidence import weakest_evidence
from synth.text.language import detect, is_chinese
from synth.text.normalise import holds, normalise
from synth.text.tokens import words

LETTERS = "ABCDE"
WORST = 10
COUNTED = ("question_type", "difficulty", "category", "language")
BLEU_ROWS = 100
"""Maximum number of questions whose similarity is measured; larger sets are sampled evenly."""

_SHORT, _LONG = 3, 40
_COPIED = 0.8
_BOTH = ("reasoning", "multi_context")
"""Question types whose questions may name the answer as one of two options, as in "which is older, A or B"."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Rule of a grade: the bounds of A, B, C and D. `lower` means that lower values are better."""

    bounds: tuple[float, float, float, float]
    lower: bool = False

    def letter(self, value: float) -> str:
        """Return the grade of a value, "A" to "E"."""
        good = (value <= bound if self.lower else value >= bound for bound in self.bounds)
        return next((letter for letter, ok in zip(LETTERS, good, strict=False) if ok), LETTERS[-1])

    @property
    def best(self) -> str:
        """The bound of A as text."""
        return f"{self._mark} {self.bounds[0]:g}"

    @property
    def _mark(self) -> str:
        return "≤" if self.lower else "≥"

    @property
    def shown(self) -> str:
        """All bounds as text."""
        mark = self._mark
        return ", ".join(f"{letter} {mark} {bound:g}" for letter, bound in zip(LETTERS, self.bounds, strict=False))


RULES: Mapping[str, Rule] = {
    "evidence": Rule((1.0, 0.98, 0.95, 0.9)),
    "distinct": Rule((1.0, 0.98, 0.95, 0.9)),
    "no_leaks": Rule((0.99, 0.97, 0.94, 0.9)),
    "own_words": Rule((0.45, 0.55, 0.65, 0.75), lower=True),
    "variety": Rule((0.7, 0.6, 0.5, 0.4)),
    "documents": Rule((0.9, 0.75, 0.5, 0.25)),
    "entities": Rule((0.6, 0.45, 0.3, 0.15)),
    "topics": Rule((0.9, 0.75, 0.5, 0.25)),
    "hard": Rule((0.08, 0.05, 0.03, 0.01)),
    "retrievable": Rule((0.99, 0.97, 0.94, 0.9)),
    "discrimination": Rule((0.6, 0.5, 0.4, 0.25)),
    "size": Rule((0.05, 0.07, 0.1, 0.15), lower=True),
}
"""Rule of each aspect. The messages `rule.NAME` explain the value of each aspect."""


@dataclass(frozen=True, slots=True)
class Grade:
    """Grade of one aspect of a set: its value over `n` rows, its letter, and the interval of the value.

    Without a grade, `letter` is "-" and `reason` is a message of the group `ungraded`. `value` is then None, except for
    a coverage of more documents or topics than the set has rows.
    """

    name: str
    value: float | None
    letter: str
    n: int = 0
    reason: Message | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Worst:
    """A row with its faults, the most serious first."""

    id: str
    question: str
    faults: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """Lengths of texts in words. Chinese texts are split into words by a dictionary."""

    shortest: int
    median: float
    mean: float
    longest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Number of documents, entities or topics that rows ask about.

    `reachable` is the number in the corpus.
    """

    reached: int
    reachable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetScore:
    """Quality of a testset, measured without a system.

    - `counts`: number of rows by field and value; `lengths`: lengths of questions and answers.
    - `figures`: diversity figures without a grade.
    - `worst`: at most 10 rows with faults, the most serious first.
    """

    rows: int
    counts: Mapping[str, Mapping[str, int]]
    lengths: Mapping[str, Spread]
    figures: Mapping[str, float]
    grades: tuple[Grade, ...]
    worst: tuple[Worst, ...]
    faulty: int
    """Number of rows with a fault."""
    weakest: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Number of rows by number of needed passages, then by rank of the worst-ranked one; {} if no row has ranks."""
    folders: Mapping[str, FolderRows] = field(default_factory=dict)
    """Rows by top-level folder of the documents; {} if there are fewer than two folders."""


@dataclass(slots=True)
class _Faults:
    """Faults by row, each with its weight."""

    by_row: dict[str, list[tuple[float, Message]]] = field(default_factory=dict)

    def note(self, id: str, weight: float, says: Message) -> None:
        self.by_row.setdefault(id, []).append((weight, says))

    def has(self, id: str, says: str) -> bool:
        return any(fault.text.startswith(says) for _, fault in self.by_row.get(id, ()))


def score_set(
    items: Sequence[Item],
    *,
    faults: Mapping[str, str] | None = None,
    probes: Sequence[Probe] = (),
    scores: RetrieverScores | None = None,
    coverage: Mapping[str, Coverage] | None = None,
    spread: float | None = None,
) -> SetScore:
    """Grade a set. Aspects that need the corpus are ungraded, with a reason, if their input is missing.

    - `faults`: for each row id, why the corpus does not confirm the row; "" if it does.
    - `probes`: the rows with their passages.
    - `scores`: results of the reference retrievers on `probes`.
    - `coverage`: coverage of "documents", "entities" and "topics".
    - `spread`: mean distance in meaning between two questions.
    """
    wrong = _Faults()
    grades = [
        _evidence(items, faults, wrong),
        _distinct(items, wrong),
        _no_leaks(items, wrong),
        _own_words(probes, wrong),
        _variety(items),
        *(_covered(name, (coverage or {}).get(name), len(items)) for name in ("documents", "entities", "topics")),
        *_by_retrievers(scores, wrong),
        _size(len(items)),
    ]
    _lengths_noted(items, wrong)
    figures = {f"distinct_{n}": _distinct_n(items, n) for n in (1, 2)}
    return SetScore(
        rows=len(items),
        counts={name: _counts(items, name) for name in COUNTED},
        lengths={
            "question": _length_spread(item.question for item in items),
            "answer": _length_spread(_answers(items)),
        },
        figures={**figures, **({} if spread is None else {"embedding_spread": spread})},
        grades=tuple(grades),
        worst=_worst(items, wrong),
        faulty=len(wrong.by_row),
        weakest=weakest_evidence(item.metadata for item in items),
        folders=rows_by_folder(items),
    )


def _graded(name: str, value: float, n: int, *, share: bool = True) -> Grade:
    low, high = wilson(value, n) if share and n else (None, None)
    return Grade(name, value, RULES[name].letter(value), n, low=low, high=high)


def _ungraded(name: str, reason: str) -> Grade:
    return Grade(name, None, "-", reason=message(f"ungraded.{reason}"))


def _evidence(items: Sequence[Item], faults: Mapping[str, str] | None, wrong: _Faults) -> Grade:
    if faults is None:
        return _ungraded("evidence", "needs_evidence")
    for id, fault in faults.items():
        if fault:
            wrong.note(id, 1.0, verbatim(fault))
    return _graded("evidence", sum(not faults.get(item.id, "") for item in items) / len(items), len(items))


def _distinct(items: Sequence[Item], wrong: _Faults) -> Grade:
    first: dict[str, str] = {}
    repeated = 0
    for item in items:
        known = first.setdefault(normalise(item.question), item.id)
        if known != item.id:
            wrong.note(item.id, 0.9, message("fault.repeated", row=known))
        repeated += known != item.id or wrong.has(item.id, "duplicate")
    return _graded("distinct", 1 - repeated / len(items), len(items))


def _no_leaks(items: Sequence[Item], wrong: _Faults) -> Grade:
    asked = [item for item in items if item.golden_answers and item.metadata.get("question_type") not in _BOTH]
    if not asked:
        return _ungraded("no_leaks", "one_answer")
    leaks = 0
    for item in asked:
        leak = next(
            (answer for answer in item.golden_answers if len(normalise(answer)) > 1 and holds(item.question, answer)),
            "",
        )
        leaks += bool(leak)
        if leak:
            wrong.note(item.id, 0.8, message("fault.leak", answer=leak[:40]))
    return _graded("no_leaks", 1 - leaks / len(asked), len(asked))


def _own_words(probes: Sequence[Probe], wrong: _Faults) -> Grade:
    with_passage = [probe for probe in probes if probe.passage]
    _, pairs = copied_wording(with_passage)
    known = [(probe, pair) for probe, pair in zip(with_passage, pairs, strict=True) if not isnan(pair)]
    if not known:
        return _ungraded("own_words", "no_passage")
    for probe, pair in known:
        if pair > _COPIED:
            wrong.note(probe.id, 0.2 * pair, message("fault.copied", share=pair))
    return _graded("own_words", fmean(pair for _, pair in known), len(known), share=False)


def _variety(items: Sequence[Item]) -> Grade:
    if len(items) < 2:
        return _ungraded("variety", "too_few")
    step = max(1, len(items) // BLEU_ROWS)
    questions = [item.question for item in items[::step]][:BLEU_ROWS]
    alike = [bleu(question, questions[:i] + questions[i + 1 :]) for i, question in enumerate(questions)]
    return _graded("variety", 1 - fmean(alike), len(questions), share=False)


def _covered(name: str, coverage: Coverage | None, rows: int) -> Grade:
    """Return the grade of a coverage. It has no letter if the set has fewer rows than there are documents or topics."""
    if coverage is None or not coverage.reachable:
        need = "needs_corpus" if name == "documents" else "needs_graph"
        return _ungraded(name, need if coverage is None else "none_there")
    grade = _graded(name, min(1.0, coverage.reached / coverage.reachable), coverage.reachable, share=False)
    if name == "entities" or rows >= coverage.reachable:
        return grade
    counts = message("ungraded.few_rows", reached=coverage.reached, all=coverage.reachable, rows=rows)
    return replace(grade, letter="-", reason=counts)


def _by_retrievers(scores: RetrieverScores | None, wrong: _Faults) -> list[Grade]:
    if scores is None:
        return [_ungraded(name, "needs_corpus") for name in ("hard", "retrievable", "discrimination")]
    plain = scores.ranks[scores.names.index("bm25")]
    missed = (scores.ranks == 0).all(axis=0)
    for probe, lost in zip(scores.probes, missed, strict=True):
        if lost:
            wrong.note(probe.id, 0.3, message("fault.not_found"))
    n = len(scores.probes)
    if n < 2:
        return [_ungraded(name, "too_few") for name in ("hard", "retrievable", "discrimination")]
    apart = told_apart(scores.ndcg, scores.clusters)
    return [
        _graded("hard", float((plain != 1).mean()), n),
        _graded("retrievable", 1 - float(missed.mean()), n),
        _graded("discrimination", float((apart != 0).mean()), len(apart), share=False),
    ]


def _size(n: int) -> Grade:
    return _graded("size", 1.96 * sqrt(0.25 / n), n, share=False)


def _lengths_noted(items: Sequence[Item], wrong: _Faults) -> None:
    for item in items:
        size = len(words(item.question))
        if size < _SHORT or size > _LONG:
            wrong.note(item.id, 0.3, message("fault.length", words=size))
        for weight, says in plain_faults(item):
            wrong.note(item.id, weight, says)


def _worst(items: Sequence[Item], wrong: _Faults) -> tuple[Worst, ...]:
    questions = {item.id: item.question for item in items}
    # A hint at a fault never ranks before a certain fault.
    weights = {id: [weight for weight, _ in faults] for id, faults in wrong.by_row.items()}
    ranked = sorted(weights, key=lambda id: (-max(weights[id]), -sum(weights[id]), id))
    return tuple(Worst(id, questions.get(id, ""), _gravest_first(wrong.by_row[id])) for id in ranked[:WORST])


def _gravest_first(faults: Iterable[tuple[float, Message]]) -> tuple[Message, ...]:
    ordered = sorted(faults, key=lambda fault: (fault[0], fault[1].text), reverse=True)
    return tuple(says for _, says in ordered)


def _counts(items: Sequence[Item], name: str) -> dict[str, int]:
    def label(item: Item) -> str:
        value = item.metadata.get(name) or (detect(item.question) if name == "language" else None)
        return str(value or "(none)")

    counts = Counter(map(label, items))
    return dict(sorted(counts.items(), key=lambda counted: (-counted[1], counted[0])))


def _answers(items: Iterable[Item]) -> Iterable[str]:
    return (item.golden_answers[0] for item in items if item.golden_answers)


def _length_spread(texts: Iterable[str]) -> Spread:
    sizes = [len(words(text)) for text in texts] or [0]
    return Spread(min(sizes), median(sizes), fmean(sizes), max(sizes))


def _distinct_n(items: Sequence[Item], n: int) -> float:
    """Return the share of distinct n-grams of words, or of characters for Chinese (distinct-n, Li et al., 2016)."""
    runs: list[tuple[str, ...]] = []
    for item in items:
        cut = list(normalise(item.question)) if is_chinese(detect(item.question)) else words(item.question)
        runs += zip(*(cut[i:] for i in range(n)), strict=False)
    return len(set(runs)) / len(runs) if runs else 0.0
