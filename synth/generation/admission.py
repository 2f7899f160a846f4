"""Admission of candidates as rows of a set, within limits per document, construction and piece of evidence.

Filters of the set reject duplicates. A construction ("pattern") is a question form of the grammar.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from typing import TypeVar

from synth.core.records import UNANSWERABLE, Evidence, Sample, Scenario, empty_mapping
from synth.corpus.corpus import Corpus
from synth.corpus.graph import KnowledgeGraph
from synth.generation.filters.base import SetFilter
from synth.generation.judge_controls import JudgeControl
from synth.generation.question_form import QuestionMix
from synth.generation.quotas import Balance, Cell, cell_of

K = TypeVar("K")

MAX_SHARE = 0.05
"""Maximum share (0 to 1) of the rows that may be on one document.

If a document has a larger share of the text, that larger share is its limit.

If rows would be missing, the limit is multiplied by each of `STEPS` in turn, and then lifted.
"""

CROWDED, CROWDED_BY_GRAMMAR = 3, 2
"""Factors for the row limit of a document, up to which a run counts the waiting rows of a document.

If a document has more of them, the run asks about other documents. The first is for runs with a chat model, the second
for runs with the grammar.
"""

STEPS = (1, 2, 4, 8)
"""Factors for the row limit of a document, tried in this order. After the last one, documents have no limit."""

MAX_PATTERN_SHARE = 0.2
"""Maximum share (0 to 1) of the rows with one construction of the grammar. It is lifted if rows would be missing."""

SHARE = "share"
"""Rejection stage of a valid candidate that exceeds a limit."""

ROW, WAITS, PASSED, REFUSED = "row", "waits", "passed", "refused"
"""Outcome of a scenario (the plan of a question).

ROW means that a row was added. WAITS means that a sample waits until limits allow it. PASSED means that the sample was
not needed or was a duplicate. REFUSED means that no sample passed the filters.
"""

INTERRUPTED = "interrupted"
"""Value of `RunResult.stopped` if the user interrupted the run."""

FEW = 8
"""Number of rows up to which constructions have no limit."""

MOST_ON_EVIDENCE = 2
"""Maximum number of questions on one piece of evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowGoal:
    """Rows that a run should create.

    `rows` are the wanted rows by question type, not counting `existing` rows. `balance` contains the wanted rows by
    difficulty, and the maximum share of rows with each tag. `mix` describes the form of the questions. `existing` are
    rows that the set already contains. They are not repeated, but they count towards the limits. Passages in `fresh`
    are asked about first. If `exchange`, one type may make up for missing rows of another.
    """

    rows: Mapping[str, int]
    balance: Balance = field(default_factory=Balance)
    mix: QuestionMix = field(default_factory=QuestionMix)
    existing: Sequence[Sample] = ()
    fresh: Collection[str] = ()
    exchange: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """Rejected candidate: the stage and reason, the score if the filter has one, and the sample if one was written."""

    scenario: Scenario
    stage: str
    reason: str
    score: float | None
    sample: Sample | None

    @property
    def question_type(self) -> str:
        """Type of the sample, or of the scenario if no sample was written."""
        return self.sample.question_type if self.sample else self.scenario.question_type


@dataclass(frozen=True, slots=True)
class Barren:
    """Reason why the run stopped reading text for the question types `kinds`, although rows are missing.

    `read` is the number of characters read, and `unread` the number left. The last `since` characters that were read
    yielded no sample of these types. If `few`, samples still came now and then, but far fewer than text of this length
    usually yields.
    """

    kinds: tuple[str, ...]
    read: int
    since: int
    unread: int
    few: bool = False


@dataclass(frozen=True, slots=True)
class RunResult:
    """Result of a run: rows, rejected candidates, and counts by question type and stage (`funnel`).

    `cells` are the wanted rows by type and difficulty, or {} if any will do. `controls` are the control items that
    tested the judge. `stopped` is the reason if the run ended early, else "". `given_up` are the types that the search
    gave up after many scenarios without a row. `scarce` maps the levels that gave fewer rows than wanted, such as "hard
    simple", to the rows made and the rows wanted. `tasks` maps each kind of chat-model task to two numbers: its tasks
    and its rows. `moves` counts the outcomes of each move, which is a way to develop a question into another. `read` is
    the graph of what a chat model read. `barren` explains why part of the corpus stayed unread although rows are
    missing, else None.
    """

    samples: tuple[Sample, ...]
    rejected: tuple[Rejected, ...]
    wanted: Mapping[str, int]
    funnel: Mapping[str, Mapping[str, int]]
    cells: Mapping[Cell, int] = field(default_factory=dict)
    controls: tuple[JudgeControl, ...] = ()
    stopped: str = ""
    given_up: tuple[str, ...] = ()
    scarce: Mapping[str, tuple[int, int]] = field(default_factory=empty_mapping)
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
        """Missing rows by question type and level of difficulty."""
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
        """Difficulty of the first sample, or "" if there is no sample."""
        return str(self.samples[0].metadata.get("difficulty", "")) if self.samples else ""


@dataclass(frozen=True, slots=True)
class TextShares:
    """Shares of documents in the text of a corpus.

    `sizes` are the characters of each document, `total` is their sum.
    """

    sizes: Mapping[str, int] = field(default_factory=empty_mapping)
    total: int = 1

    def of(self, doc_id: str) -> float:
        """Return the share of a document, or 0 if the corpus lacks the document."""
        return self.sizes.get(doc_id, 0) / self.total


@dataclass(slots=True)
class RowLimits:
    """Limits on the rows per document, construction and piece of evidence.

    A limit is a share of the rows so far, not of the wanted rows. Therefore the first rows of a larger set are those of
    a smaller set. `taken` counts the rows by document, construction, evidence, form, tag and cell (type and level).
    `patterns` are the constructions by type.
    """

    shares: TextShares
    mix: QuestionMix
    balance: Balance = field(default_factory=Balance)
    rows: int = 0
    taken: Counter[Hashable] = field(default_factory=Counter)
    patterns: dict[str, set[str]] = field(default_factory=dict)

    def full(self, sample: Sample) -> str:
        """Return the limit that `sample` would exceed now, or "" if none. A sample that exceeds a limit waits."""
        crowded = self.crowded(_documents(sample))
        if crowded:
            return crowded
        if any(self.taken[_place(piece)] for piece in _telling(sample)):
            return "another question already uses this evidence"
        share = max(MAX_PATTERN_SHARE, 1 / max(1, len(self.patterns.get(sample.question_type, ()))))
        if sample.metadata.get("pattern") and self.rows > FEW and self._spent(_pattern(sample), share):
            return f"questions of the pattern '{sample.metadata['pattern']}' have reached their share of the set"
        over = self.balance.excess(sample, self.taken, self.rows)
        over = over or self.balance.gentle_excess(sample, self.taken, self.rows)
        return over or self.mix.excess(sample, self.taken, self.rows)

    def crowded(self, doc_ids: Iterable[str], times: int = 1) -> str:
        """Return the document limit that one more row on these documents would exceed, or "" if none.

        The limit is the share of a document, multiplied by `times`.
        """
        for doc_id in sorted(doc_ids):
            if self._spent(f"document {doc_id}", times * self._share(doc_id)):
                return f"document '{doc_id}' has reached its share of the set"
        return ""

    def room(self, doc_id: str, rows: int, times: int) -> int:
        """Return how many more rows a document may get in a set of `rows` rows.

        The limit is the share of the document, multiplied by `times`.
        """
        return max(0, ceil(times * self._share(doc_id) * rows) - self.taken[f"document {doc_id}"])

    def _share(self, doc_id: str) -> float:
        return max(MAX_SHARE, self.shares.of(doc_id))

    def note(self, sample: Sample) -> None:
        """Record the construction of a sample. The fewer constructions a type has, the more rows each may have."""
        self.patterns.setdefault(sample.question_type, set()).add(_pattern(sample))

    def over(self, sample: Sample) -> str:
        """Return the limit that `sample` would exceed even if it waited, or "" if none.

        Three limits are never lifted: questions of the log, questions per piece of evidence, and the strict shares of
        tags.
        """
        if self.mix.repeats(sample):
            return "the question log contains this question"
        used = max((self.taken[_place(piece)] for piece in _telling(sample)), default=0)
        if used >= MOST_ON_EVIDENCE:
            return f"{used} questions already use this evidence"
        return self.balance.excess(sample, self.taken, self.rows)

    def _spent(self, name: str, share: float) -> bool:
        return self.taken[name] >= ceil(share * (self.rows + 1))

    def seat(self, doc_ids: Iterable[str]) -> None:
        """Count one more row on these documents."""
        self.rows += 1
        self.taken.update(f"document {doc_id}" for doc_id in doc_ids)

    def take(self, sample: Sample) -> None:
        """Count a sample as a row."""
        self.seat(_documents(sample))
        self.taken.update(_place(piece) for piece in _telling(sample))
        self.taken.update([*self.mix.cells(sample), *self.balance.counted(sample)])
        self.taken[_pattern(sample)] += 1


def _short(wanted: Mapping[K, int], counts: Mapping[K, int]) -> dict[K, int]:
    """Return the number of missing rows for each name with fewer rows than wanted."""
    return {name: n - counts.get(name, 0) for name, n in wanted.items() if counts.get(name, 0) < n}


def _documents(sample: Sample) -> set[str]:
    return {piece.doc_id for piece in sample.evidence}


def _pattern(sample: Sample) -> str:
    return f"pattern {sample.metadata.get('pattern')}"


def _telling(sample: Sample) -> tuple[Evidence, ...]:
    """Return the evidence that no other question should use.

    For a question of the grammar, this is the last piece of evidence. Earlier pieces only name the subject, as a table
    header does.
    """
    return sample.evidence[-1:] if sample.metadata.get("pattern") else sample.evidence


def _place(piece: Evidence) -> str:
    return f"evidence {piece.doc_id} {piece.start} {piece.end}"


@dataclass(slots=True)
class RowCollector:
    """Rows so far, waiting samples and rejected candidates.

    A sample that exceeds a limit waits until `fill` is called.
    """

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
        """Record a row that the set already contains.

        It must not be repeated and counts towards limits, but not towards the wanted rows.
        """
        self.limits.take(sample)
        self.limits.taken[cell_of(sample)] -= 1
        for filter_ in self.set_filters:
            filter_.hold(sample)

    def offer(self, candidate: ScenarioResult) -> str:
        """Take the result of a scenario and return ROW, WAITS, PASSED or REFUSED."""
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
        """Return the number of samples of a type that are rows or waiting."""
        return len(self.samples.get(kind, ())) + sum(sample.question_type == kind for _, sample in self.waiting)

    def ready(self, times: int = CROWDED) -> Counter[str]:
        """Return how many waiting samples of each type can become rows if no document gets more than `times` its share.

        The share is a share of the wanted rows. Samples count in the order in which they came.
        """
        rows, kinds, used = sum(self.wanted.values()), Counter[str](), Counter[str]()
        for _, sample in self.waiting:
            doc_ids = _documents(sample)
            if all(used[doc_id] < self.limits.room(doc_id, rows, times) for doc_id in doc_ids):
                used.update(doc_ids)
                kinds[sample.question_type] += 1
        return kinds

    @property
    def missing(self) -> Mapping[str, int]:
        """Missing rows by question type. Complete types are left out."""
        return _short(self.wanted, {kind: len(rows) for kind, rows in self.samples.items()})

    @property
    def missing_cells(self) -> dict[Cell, int]:
        """Missing rows by type and level, minus the waiting samples. It is {} if any level will do."""
        balance, taken = self.limits.balance, self.limits.taken
        waiting = Counter(cell_of(sample) for _, sample in self.waiting)
        return balance.missing({cell: taken[cell] + waiting[cell] for cell in balance.cells})

    def needs(self, sample: Sample) -> bool:
        """Return whether a row of the type and level of `sample` is missing that no waiting sample can fill.

        Waiting samples of a document that has far more than its share do not count.
        """
        missing = self.missing.get(sample.question_type, 0)
        waiting = sum(one.question_type == sample.question_type for _, one in self.waiting)
        if missing <= waiting and missing <= self.ready()[sample.question_type]:
            return False
        by_type = not self.limits.balance.cells or sample.question_type == UNANSWERABLE
        return by_type or cell_of(sample) in self.missing_cells

    def fill(self) -> int:
        """Admit waiting samples while rows are missing, and return the number of new rows.

        The document limit is raised in steps and lifted last. Each new row raises the shares, so samples are tried
        again until no row is added.
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
        """Yield the waiting samples. The next sample always has the construction with the fewest rows so far."""
        queues: dict[str, deque[tuple[Scenario, Sample]]] = {}
        for scenario, sample in samples:
            queues.setdefault(_pattern(sample), deque()).append((scenario, sample))
        while queues:
            name = min(queues, key=self.limits.taken.__getitem__)
            yield queues[name].popleft()
            if not queues[name]:
                del queues[name]

    def outcome(self) -> RunResult:
        """Return the result of the run so far."""
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
        """Make a sample a row, unless no row is missing or a filter of the set rejects it."""
        over = self.limits.over(sample)
        if over or not self._missing(sample):
            reason = (
                over
                or self.limits.balance.enough(sample, self.limits.taken)
                or self.limits.full(sample)
                or "the set needs no more rows like this one"
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
    """Return the share of each document in the text of the corpus."""
    sizes = corpus.sizes
    return TextShares(sizes, sum(sizes.values()) or 1)
