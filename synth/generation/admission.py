"""Admission of candidates as rows: limits of documents, constructions and evidence, and the filters of the set."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TypeVar

from synth.core.records import Evidence, Sample, Scenario, empty_mapping
from synth.corpus.corpus import Corpus
from synth.corpus.graph import KnowledgeGraph
from synth.generation.filters.base import SetFilter
from synth.generation.judge_controls import JudgeControl
from synth.generation.question_form import QuestionMix
from synth.generation.quotas import Balance, Cell, cell_of

K = TypeVar("K")

MAX_SHARE = 0.05
"""Largest share of the rows for one document, before others had their turn."""

STEPS = (1, 2, 4, 8)
"""Multiples of the share of a document that waiting samples are admitted to, before the limit is lifted."""

MAX_PATTERN_SHARE = 0.2
"""Largest share of the rows for one construction of the grammar, before others had their turn."""

SHARE = "share"
"""Stage of a sound candidate that exceeds a limit."""

ROW, WAITS, PASSED, REFUSED = "row", "waits", "passed", "refused"
"""Outcome of a scenario: a row, a waiting sample, a sample that was not needed or is a duplicate, or no sample."""

INTERRUPTED = "interrupted"
"""Reason of a run that was stopped by hand."""

FEW = 8
"""Number of rows up to which constructions have no limit."""

MOST_ON_EVIDENCE = 2
"""The most questions on one piece of evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowGoal:
    """Rows that a run is to make.

    `rows` of each question type; `balance` has the rows wanted by difficulty and the limits of tags, `mix` the form of
    the questions. `existing` are rows that the set has already: none is repeated, they count for shares, and `rows`
    does not include them. `fresh` are the passages that are asked about first. With `exchange`, types may make up for
    one another.
    """

    rows: Mapping[str, int]
    balance: Balance = field(default_factory=Balance)
    mix: QuestionMix = field(default_factory=QuestionMix)
    existing: Sequence[Sample] = ()
    fresh: Collection[str] = ()
    exchange: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """A rejected candidate: the stage and reason, and the sample if one was written."""

    scenario: Scenario
    stage: str
    reason: str
    score: float | None
    sample: Sample | None

    @property
    def question_type(self) -> str:
        """The type of the sample, or of the scenario when no sample was written."""
        return self.sample.question_type if self.sample else self.scenario.question_type


@dataclass(frozen=True, slots=True)
class Barren:
    """Reading that ended since what was read last gave no sample of the types `kinds`.

    `read` characters were read, the last `since` of them without such a sample, and `unread` were left.
    """

    kinds: tuple[str, ...]
    read: int
    since: int
    unread: int


@dataclass(frozen=True, slots=True)
class RunResult:
    """Result of a run: rows, rejected candidates, and the funnel of counts by question type and stage.

    `cells` are the rows wanted by type and difficulty, {} without such a wish; `controls` are the control items that
    tested the judge; `stopped` is the reason of a run that ended early, else ""; `given_up` are the types that the
    search gave up after many scenarios without a row; `tasks` are the number of tasks of a chat model and the number of
    their rows, by kind; `moves` are the outcomes of evolution by move; `read` is the graph of what a chat model read;
    `barren` says why a corpus was not read to its end although rows are missing, None where it was or none are.
    """

    samples: tuple[Sample, ...]
    rejected: tuple[Rejected, ...]
    wanted: Mapping[str, int]
    funnel: Mapping[str, Mapping[str, int]]
    cells: Mapping[Cell, int] = field(default_factory=dict)
    controls: tuple[JudgeControl, ...] = ()
    stopped: str = ""
    given_up: tuple[str, ...] = ()
    tasks: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    moves: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    read: KnowledgeGraph | None = None
    barren: Barren | None = None

    @property
    def shortfall(self) -> Mapping[str, int]:
        """Missing rows by question type."""
        return _short(self.wanted, Counter(sample.question_type for sample in self.samples))

    @property
    def short_cells(self) -> Mapping[Cell, int]:
        """Missing rows by type and level."""
        return _short(self.cells, Counter(map(cell_of, self.samples)))


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """Result of one scenario before admission: the samples that passed the filters, and the rejected ones."""

    scenario: Scenario
    samples: tuple[Sample, ...]
    rejected: tuple[Rejected, ...]
    controls: tuple[JudgeControl, ...] = ()

    @property
    def level(self) -> str:
        """Difficulty of the first sample, "" without one."""
        return str(self.samples[0].metadata.get("difficulty", "")) if self.samples else ""


@dataclass(frozen=True, slots=True)
class TextShares:
    """Shares of documents in the text of a corpus, from their `sizes` and the `total` of these, in characters."""

    sizes: Mapping[str, int] = field(default_factory=empty_mapping)
    total: int = 1

    def of(self, doc_id: str) -> float:
        """The share of a document, 0 for one that the corpus lacks."""
        return self.sizes.get(doc_id, 0) / self.total


@dataclass(slots=True)
class RowLimits:
    """Limits of the rows on one document, construction and piece of evidence.

    Shares are of the rows so far and not of the rows wanted, so that a larger set begins like a smaller one.
    """

    shares: TextShares
    mix: QuestionMix
    balance: Balance = field(default_factory=Balance)
    rows: int = 0
    taken: Counter[Hashable] = field(default_factory=Counter)
    patterns: dict[str, set[str]] = field(default_factory=dict)

    def full(self, sample: Sample) -> str:
        """The limit that `sample` would break before others had their turn, or ""."""
        crowded = self.crowded(_documents(sample))
        if crowded:
            return crowded
        if any(self.taken[_place(piece)] for piece in _telling(sample)):
            return "the evidence has a question"
        share = max(MAX_PATTERN_SHARE, 1 / max(1, len(self.patterns.get(sample.question_type, ()))))
        if sample.metadata.get("pattern") and self.rows > FEW and self._spent(_pattern(sample), share):
            return f"construction '{sample.metadata['pattern']}' has its share of the set"
        over = self.balance.excess(sample, self.taken, self.rows)
        over = over or self.balance.gentle_excess(sample, self.taken, self.rows)
        return over or self.mix.excess(sample, self.taken, self.rows)

    def crowded(self, doc_ids: Iterable[str], times: int = 1) -> str:
        """The limit, so many `times` the share, that a row on these documents would break, or ""."""
        for doc_id in sorted(doc_ids):
            if self._spent(f"document {doc_id}", times * self._share(doc_id)):
                return f"document '{doc_id}' has its share of the set"
        return ""

    def room(self, doc_id: str, rows: int, times: int) -> int:
        """Number of rows that a document may still have in a set of so many, at so many `times` its share."""
        return max(0, ceil(times * self._share(doc_id) * rows) - self.taken[f"document {doc_id}"])

    def _share(self, doc_id: str) -> float:
        return max(MAX_SHARE, self.shares.of(doc_id))

    def note(self, sample: Sample) -> None:
        """Note the construction of a sample; in a type with few constructions, each may have more rows."""
        self.patterns.setdefault(sample.question_type, set()).add(_pattern(sample))

    def over(self, sample: Sample) -> str:
        """The final limit that `sample` would break, or ""."""
        if self.mix.repeats(sample):
            return "the example log has this question"
        used = max((self.taken[_place(piece)] for piece in _telling(sample)), default=0)
        if used >= MOST_ON_EVIDENCE:
            return f"the evidence has {used} questions"
        return self.balance.excess(sample, self.taken, self.rows)

    def _spent(self, name: str, share: float) -> bool:
        return self.taken[name] >= ceil(share * (self.rows + 1))

    def seat(self, doc_ids: Iterable[str]) -> None:
        """Count one more row, on these documents."""
        self.rows += 1
        self.taken.update(f"document {doc_id}" for doc_id in doc_ids)

    def take(self, sample: Sample) -> None:
        """Count a sample as a row."""
        self.seat(_documents(sample))
        self.taken.update(_place(piece) for piece in _telling(sample))
        self.taken.update([*self.mix.cells(sample), *self.balance.counted(sample)])
        self.taken[_pattern(sample)] += 1


def _short(wanted: Mapping[K, int], counts: Mapping[K, int]) -> dict[K, int]:
    """The missing number of each name."""
    return {name: n - counts.get(name, 0) for name, n in wanted.items() if counts.get(name, 0) < n}


def _documents(sample: Sample) -> set[str]:
    return {piece.doc_id for piece in sample.evidence}


def _pattern(sample: Sample) -> str:
    return f"pattern {sample.metadata.get('pattern')}"


def _telling(sample: Sample) -> tuple[Evidence, ...]:
    """The evidence that no other question should ask about.

    Of what the grammar wrote that is the last piece; those before it only say what it is about, as a table's head does.
    """
    return sample.evidence[-1:] if sample.metadata.get("pattern") else sample.evidence


def _place(piece: Evidence) -> str:
    return f"evidence {piece.doc_id} {piece.start} {piece.end}"


@dataclass(slots=True)
class RowCollector:
    """The rows so far, the waiting samples and the rejected candidates."""

    wanted: Mapping[str, int]
    set_filters: Sequence[SetFilter]
    limits: RowLimits
    samples: dict[str, list[Sample]] = field(init=False)
    waiting: list[tuple[Scenario, Sample]] = field(init=False, default_factory=list)
    rejected: list[Rejected] = field(init=False, default_factory=list)
    controls: list[JudgeControl] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.samples = {kind: [] for kind in self.wanted}

    def __len__(self) -> int:
        return sum(map(len, self.samples.values()))

    def hold(self, sample: Sample) -> None:
        """Add a row that the set has already; it does not count for the wanted rows."""
        self.limits.take(sample)
        self.limits.taken[cell_of(sample)] -= 1
        for filter_ in self.set_filters:
            filter_.hold(sample)

    def offer(self, candidate: ScenarioResult) -> str:
        """Take the result of a scenario; return ROW, WAITS, PASSED or REFUSED."""
        self.rejected.extend(candidate.rejected)
        self.controls.extend(candidate.controls)
        kind = candidate.scenario.question_type
        before, waiting = len(self.samples.get(kind, ())), len(self.waiting)
        for sample in candidate.samples:
            self.limits.note(sample)
            if self._missing(sample) and self.limits.full(sample):
                self.waiting.append((candidate.scenario, sample))
            else:
                self._take(candidate.scenario, sample)
        if len(self.samples.get(kind, ())) > before:
            return ROW
        if len(self.waiting) > waiting:
            return WAITS
        return PASSED if candidate.samples else REFUSED

    def found(self, kind: str) -> int:
        """Number of samples of a type that are rows or wait."""
        return len(self.samples.get(kind, ())) + sum(sample.question_type == kind for _, sample in self.waiting)

    def ready(self, kind: str) -> int:
        """Number of waiting samples of a type that leave no document with more than twice its share of the wanted rows.

        A sample on several documents counts for one of them.
        """
        rows = sum(self.wanted.values())
        samples = (sample for _, sample in self.waiting if sample.question_type == kind)
        waiting = Counter(min(_documents(sample), default="") for sample in samples)
        return sum(min(count, self.limits.room(doc_id, rows, 2)) for doc_id, count in waiting.items())

    @property
    def missing(self) -> Mapping[str, int]:
        """Missing rows by question type; complete types are left out."""
        return _short(self.wanted, {kind: len(rows) for kind, rows in self.samples.items()})

    def fill(self) -> int:
        """Admit waiting samples where rows are missing, and return the number of new rows.

        The limit of documents is the last to be lifted, by steps. Since each new row raises the shares, samples are
        tried again until no row is added.
        """
        first = len(self)
        for times in (*STEPS, 0):
            before = -1
            while len(self) > before:
                before = len(self)
                queue, self.waiting = self.waiting, []
                for scenario, sample in self._in_turn(queue):
                    limits = self.limits
                    if self._missing(sample) and (
                        limits.balance.excess(sample, limits.taken, limits.rows)
                        or (times and limits.crowded(_documents(sample), times))
                    ):
                        self.waiting.append((scenario, sample))
                    else:
                        self._take(scenario, sample)
        for scenario, sample in self._in_turn(self.waiting):
            self._take(scenario, sample)
        self.waiting.clear()
        return len(self) - first

    def _in_turn(self, samples: Sequence[tuple[Scenario, Sample]]) -> Iterator[tuple[Scenario, Sample]]:
        """Waiting samples; the next is always of the construction with the fewest rows."""
        queues: dict[str, deque[tuple[Scenario, Sample]]] = {}
        for scenario, sample in samples:
            queues.setdefault(_pattern(sample), deque()).append((scenario, sample))
        while queues:
            name = min(queues, key=self.limits.taken.__getitem__)
            yield queues[name].popleft()
            if not queues[name]:
                del queues[name]

    def outcome(self) -> RunResult:
        """The result of the run so far."""
        funnel = {kind: Counter({"kept": len(rows)}) for kind, rows in self.samples.items()}
        for item in self.rejected:
            funnel.setdefault(item.question_type, Counter())[item.stage] += 1
        tried = {kind: {"tried": tally.total(), **tally} for kind, tally in funnel.items()}
        rows = tuple(sample for kind in self.wanted for sample in self.samples[kind])
        cells, controls = self.limits.balance.cells, tuple(self.controls)
        return RunResult(rows, tuple(self.rejected), self.wanted, tried, cells, controls)

    def _missing(self, sample: Sample) -> bool:
        kind = sample.question_type
        missing = len(self.samples.get(kind, ())) < self.wanted.get(kind, 0)
        return missing and not self.limits.balance.enough(sample, self.limits.taken)

    def _take(self, scenario: Scenario, sample: Sample) -> None:
        """Make a sample a row unless no row is missing or a filter of the set rejects it."""
        over = self.limits.over(sample)
        if over or not self._missing(sample):
            reason = (
                over
                or self.limits.balance.enough(sample, self.limits.taken)
                or self.limits.full(sample)
                or "not needed"
            )
            self.rejected.append(Rejected(scenario, SHARE, reason, None, sample))
            return
        verdicts = list(sample.verdicts)
        for filter_ in self.set_filters:
            verdict = filter_.decide(sample)
            if not verdict.kept:
                self.rejected.append(Rejected(scenario, filter_.name, verdict.reason, verdict.score, sample))
                return
            verdicts.append(verdict)
        row = replace(sample, verdicts=tuple(verdicts))
        self.samples[sample.question_type].append(row)
        self.limits.take(row)
        for filter_ in self.set_filters:
            filter_.hold(row)


def text_shares(corpus: Corpus) -> TextShares:
    """The share of each document in the text of the corpus."""
    sizes = corpus.sizes
    return TextShares(sizes, sum(sizes.values()) or 1)
