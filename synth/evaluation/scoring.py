"""Quality of a testset: counts, a grade for each aspect with its rule, and the worst rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan, sqrt
from statistics import fmean, median

from synth.evaluation.intervals import wilson
from synth.evaluation.measuring.sacrebleu_scores import bleu
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
"""Questions whose similarity is measured; of a larger set an even sample."""

NEEDS_CORPUS, NEEDS_EVIDENCE = "needs --corpus", "needs --corpus, and rows with evidence"
NEEDS_GRAPH, NONE_THERE = "needs --corpus and --graph", "there are none in the corpus"
NO_PASSAGE = "no row has a passage; name the documents with --corpus"
ONE_ANSWER, TOO_FEW = "no row asks for one answer", "one question has nothing to be compared with"
"""Reasons for a missing grade."""

_SHORT, _LONG = 3, 40
_COPIED = 0.8
_BOTH = ("reasoning", "multi_context")
"""Types whose question may name the answer among others, as in "which of the two is older"."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Rule of a grade: the bounds of A, B, C and D; `lower` where less is better."""

    bounds: tuple[float, float, float, float]
    text: str
    text_zh: str
    lower: bool = False

    def letter(self, value: float) -> str:
        """A to E."""
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
        """The bounds as text."""
        mark = self._mark
        return ", ".join(f"{letter} {mark} {bound:g}" for letter, bound in zip(LETTERS, self.bounds, strict=False))


RULES: Mapping[str, Rule] = {
    "evidence": Rule((1.0, 0.98, 0.95, 0.9), "rows that hold in the corpus", "在语料中核对无误的题目比例"),
    "distinct": Rule((1.0, 0.98, 0.95, 0.9), "rows that repeat no other", "与其他题目不重复的比例"),
    "no_leaks": Rule((0.99, 0.97, 0.94, 0.9), "questions that do not hold their answer", "题面未泄露答案的比例"),
    "own_words": Rule(
        (0.45, 0.55, 0.65, 0.75),
        "pairs of words copied from the passage (people: 0.34 to 0.50)",
        "照抄原文的相邻词对比例（人工题约 0.34 至 0.50）",
        lower=True,
    ),
    "variety": Rule((0.7, 0.6, 0.5, 0.4), "1 less the self-BLEU of the questions", "1 减去题目之间的 self-BLEU"),
    "documents": Rule((0.9, 0.75, 0.5, 0.25), "documents asked about, of those that could be", "被提问的文档比例"),
    "entities": Rule((0.6, 0.45, 0.3, 0.15), "entities of several passages met", "涉及的多段落实体比例"),
    "topics": Rule((0.9, 0.75, 0.5, 0.25), "topics asked about, of those that could be", "被提问的主题比例"),
    "hard": Rule((0.08, 0.05, 0.03, 0.01), "questions that plain BM25 does not find at once", "BM25 未排第一的比例"),
    "retrievable": Rule(
        (0.99, 0.97, 0.94, 0.9), "questions some retriever finds in ten", "至少一个检索器前十命中的比例"
    ),
    "discrimination": Rule(
        (0.6, 0.5, 0.4, 0.25), "pairs of reference retrievers told apart", "能区分的参考检索器对比例"
    ),
    "size": Rule(
        (0.05, 0.07, 0.1, 0.15),
        "half the width of the interval of a share of 0.5",
        "比例为 0.5 时置信区间的半宽",
        lower=True,
    ),
}


@dataclass(frozen=True, slots=True)
class Grade:
    """Grade of one aspect of a set: its value over `n` rows and its letter; None with a reason."""

    name: str
    value: float | None
    letter: str
    n: int = 0
    reason: str = ""
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Worst:
    """A row with its faults, the gravest first."""

    id: str
    question: str
    faults: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Spread:
    """Lengths of texts in words (Chinese cut by dictionary)."""

    shortest: int
    median: float
    mean: float
    longest: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """Number of documents, entities or topics that the rows reach; `reachable` is at most the number of rows."""

    reached: int
    reachable: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SetScore:
    """Quality of a testset, measured without a system."""

    rows: int
    counts: Mapping[str, Mapping[str, int]]
    lengths: Mapping[str, Spread]
    figures: Mapping[str, float]
    grades: tuple[Grade, ...]
    worst: tuple[Worst, ...]
    faulty: int
    """Number of rows with a fault."""
    weakest: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    """Rows by hops and the band of the rank of the evidence that is hardest to find; {} where rows have no ranks."""


@dataclass(slots=True)
class _Faults:
    """Faults by row, each with its weight."""

    by_row: dict[str, list[tuple[float, str]]] = field(default_factory=dict)

    def note(self, id: str, weight: float, says: str) -> None:
        self.by_row.setdefault(id, []).append((weight, says))

    def has(self, id: str, says: str) -> bool:
        return any(fault.startswith(says) for _, fault in self.by_row.get(id, ()))


def score_set(
    items: Sequence[Item],
    *,
    faults: Mapping[str, str] | None = None,
    probes: Sequence[Probe] = (),
    scores: RetrieverScores | None = None,
    coverage: Mapping[str, Coverage] | None = None,
    spread: float | None = None,
) -> SetScore:
    """Grade a set. Grades that need the corpus have no value without it, and a reason.

    `faults` has by row id why a row does not hold in the corpus, "" for one that does; `probes` are the rows with
    their passages, `scores` those of the reference retrievers on them; `spread` is the mean distance in meaning
    of two questions.
    """
    wrong = _Faults()
    grades = [
        _evidence(items, faults, wrong),
        _distinct(items, wrong),
        _no_leaks(items, wrong),
        _own_words(probes, wrong),
        _variety(items),
        *(_covered(name, (coverage or {}).get(name)) for name in ("documents", "entities", "topics")),
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
    )


def _graded(name: str, value: float, n: int, *, share: bool = True) -> Grade:
    low, high = wilson(value, n) if share and n else (None, None)
    return Grade(name, value, RULES[name].letter(value), n, low=low, high=high)


def _ungraded(name: str, reason: str) -> Grade:
    return Grade(name, None, "-", reason=reason)


def _evidence(items: Sequence[Item], faults: Mapping[str, str] | None, wrong: _Faults) -> Grade:
    if faults is None:
        return _ungraded("evidence", NEEDS_EVIDENCE)
    for id, fault in faults.items():
        if fault:
            wrong.note(id, 1.0, fault)
    return _graded("evidence", sum(not faults.get(item.id, "") for item in items) / len(items), len(items))


def _distinct(items: Sequence[Item], wrong: _Faults) -> Grade:
    first: dict[str, str] = {}
    repeated = 0
    for item in items:
        known = first.setdefault(normalise(item.question), item.id)
        if known != item.id:
            wrong.note(item.id, 0.9, f"has the question of {known}")
        repeated += known != item.id or wrong.has(item.id, "duplicate")
    return _graded("distinct", 1 - repeated / len(items), len(items))


def _no_leaks(items: Sequence[Item], wrong: _Faults) -> Grade:
    asked = [item for item in items if item.golden_answers and item.metadata.get("question_type") not in _BOTH]
    if not asked:
        return _ungraded("no_leaks", ONE_ANSWER)
    leaks = 0
    for item in asked:
        leak = next(
            (answer for answer in item.golden_answers if len(normalise(answer)) > 1 and holds(item.question, answer)),
            "",
        )
        leaks += bool(leak)
        if leak:
            wrong.note(item.id, 0.8, f"the question contains its answer '{leak[:40]}'")
    return _graded("no_leaks", 1 - leaks / len(asked), len(asked))


def _own_words(probes: Sequence[Probe], wrong: _Faults) -> Grade:
    with_passage = [probe for probe in probes if probe.passage]
    _, pairs = copied_wording(with_passage)
    known = [(probe, pair) for probe, pair in zip(with_passage, pairs, strict=True) if not isnan(pair)]
    if not known:
        return _ungraded("own_words", NO_PASSAGE)
    for probe, pair in known:
        if pair > _COPIED:
            wrong.note(probe.id, 0.2 * pair, f"{pair:.0%} of its word pairs are copied from the passage")
    return _graded("own_words", fmean(pair for _, pair in known), len(known), share=False)


def _variety(items: Sequence[Item]) -> Grade:
    if len(items) < 2:
        return _ungraded("variety", TOO_FEW)
    step = max(1, len(items) // BLEU_ROWS)
    questions = [item.question for item in items[::step]][:BLEU_ROWS]
    alike = [bleu(question, questions[:i] + questions[i + 1 :]) for i, question in enumerate(questions)]
    return _graded("variety", 1 - fmean(alike), len(questions), share=False)


def _covered(name: str, coverage: Coverage | None) -> Grade:
    if coverage is None or not coverage.reachable:
        need = NEEDS_CORPUS if name == "documents" else NEEDS_GRAPH
        return _ungraded(name, need if coverage is None else NONE_THERE)
    return _graded(name, min(1.0, coverage.reached / coverage.reachable), coverage.reachable, share=False)


def _by_retrievers(scores: RetrieverScores | None, wrong: _Faults) -> list[Grade]:
    if scores is None:
        return [_ungraded(name, NEEDS_CORPUS) for name in ("hard", "retrievable", "discrimination")]
    plain = scores.ranks[scores.names.index("bm25")]
    missed = (scores.ranks == 0).all(axis=0)
    for probe, lost in zip(scores.probes, missed, strict=True):
        if lost:
            wrong.note(
                probe.id, 0.3, "no reference retriever finds its passage in the first ten: is it ambiguous or wrong?"
            )
    n = len(scores.probes)
    if n < 2:
        return [_ungraded(name, TOO_FEW) for name in ("hard", "retrievable", "discrimination")]
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
            wrong.note(item.id, 0.3, f"{size} words long")
        for weight, says in plain_faults(item):
            wrong.note(item.id, weight, says)


def _worst(items: Sequence[Item], wrong: _Faults) -> tuple[Worst, ...]:
    questions = {item.id: item.question for item in items}
    """The rows with the gravest faults; what only hints at a fault never ranks before a plain one."""
    weights = {id: [weight for weight, _ in faults] for id, faults in wrong.by_row.items()}
    ranked = sorted(weights, key=lambda id: (-max(weights[id]), -sum(weights[id]), id))
    return tuple(
        Worst(id, questions.get(id, ""), tuple(says for _, says in sorted(wrong.by_row[id], reverse=True)))
        for id in ranked[:WORST]
    )


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
    """The share of distinct n-grams (distinct-n, Li et al., 2016): of words, or of characters for Chinese."""
    runs: list[tuple[str, ...]] = []
    for item in items:
        cut = list(normalise(item.question)) if is_chinese(detect(item.question)) else words(item.question)
        runs += zip(*(cut[i:] for i in range(n)), strict=False)
    return len(set(runs)) / len(runs) if runs else 0.0
