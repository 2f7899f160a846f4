"""From documents to a set: plan, write, gate, admit; and what was refused, with the reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import isgenerator
from math import ceil
from typing import Any

from synth.filters.base import Corpus, Filter, SetFilter
from synth.llm.driver import Driver, Job
from synth.progress import Progress
from synth.records import Evidence, Sample, Scenario, Verdict
from synth.synthesizers.base import Material, Synthesizer

MAX_SHARE = 0.05
"""Largest share of a set that one document, or one construction of the grammar, is given at first."""

MAX_PATTERN_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that did not become a row: at which stage, why, and the sample if one was written."""

    scenario: Scenario
    stage: str
    reason: str
    score: float | None
    sample: Sample | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run made: the rows, the refused, and the funnel of counts by question type and stage."""

    samples: tuple[Sample, ...]
    rejected: tuple[Rejected, ...]
    wanted: Mapping[str, int]
    funnel: Mapping[str, Mapping[str, int]]

    @property
    def shortfall(self) -> Mapping[str, int]:
        """Question types that fell short, and by how many rows."""
        made = Counter(sample.question_type for sample in self.samples)
        return {kind: n - made[kind] for kind, n in self.wanted.items() if made[kind] < n}


@dataclass(frozen=True, slots=True)
class _Candidate:
    """What became of one scenario before the set was asked: one sample that passed, and those that did not."""

    scenario: Scenario
    sample: Sample | None
    rejected: tuple[Rejected, ...]


@dataclass(slots=True)
class _Room:
    """How many rows a document, a construction and a piece of evidence may take before others had their turn."""

    n: int
    shares: Mapping[str, float]
    taken: Counter[str] = field(default_factory=Counter)

    def full(self, sample: Sample) -> str:
        """Which limit `sample` would break, or ""."""
        for doc_id in sorted({piece.doc_id for piece in sample.evidence}):
            if self.taken[f"document {doc_id}"] >= ceil(self.n * max(MAX_SHARE, self.shares.get(doc_id, 0.0))):
                return f"document '{doc_id}' has its share of the set"
        if any(self.taken[_place(piece)] for piece in sample.evidence):
            return "the evidence has a question"
        pattern = sample.metadata.get("pattern")
        if pattern and self.taken[f"pattern {pattern}"] >= ceil(self.n * MAX_PATTERN_SHARE):
            return f"construction '{pattern}' has its share of the set"
        return ""

    def take(self, sample: Sample) -> None:
        for doc_id in {piece.doc_id for piece in sample.evidence}:
            self.taken[f"document {doc_id}"] += 1
        self.taken.update(_place(piece) for piece in sample.evidence)
        self.taken[f"pattern {sample.metadata.get('pattern')}"] += 1


def _place(piece: Evidence) -> str:
    return f"evidence {piece.doc_id} {piece.start} {piece.end}"


def quotas(types: Mapping[str, float], n: int) -> dict[str, int]:
    """How many of `n` rows each type gets, by largest remainder; ties go to the type named first."""
    total = sum(types.values())
    exact = {name: n * share / total for name, share in types.items()}
    counts = {name: int(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: counts[name] - exact[name])
    for name in by_remainder[: n - sum(counts.values())]:
        counts[name] += 1
    return counts


def synthesize(
    material: Material,
    corpus: Corpus,
    synthesizers: Mapping[str, Synthesizer],
    filters: Sequence[Filter],
    set_filters: Sequence[SetFilter],
    driver: Driver,
    wanted: Mapping[str, int],
    progress: Progress,
) -> Outcome:
    """Write and gate samples until each question type has as many rows as `wanted` says, or no scenario is left.

    `synthesizers` are by question type. Rows come in the order of the plan, whatever reply came first.
    A sample that would give its document or its construction more than its share, or its evidence a
    second question, waits until all others had their turn.
    """
    funnel: dict[str, Counter[str]] = {kind: Counter() for kind in wanted}
    samples: list[Sample] = []
    rejected: list[Rejected] = []
    room = _Room(sum(wanted.values()), _text_shares(corpus))
    for kind, count in wanted.items():
        tally = funnel[kind]
        waiting: list[_Candidate] = []
        taken = 0
        with progress.stage(kind, count) as stage:
            candidates = _candidates(synthesizers[kind], material, corpus, filters, driver)
            while taken < count and (candidate := next(candidates, None)):
                tally["tried"] += 1
                _refuse(candidate.rejected, rejected, tally)
                if candidate.sample is None:
                    continue
                if room.full(candidate.sample):
                    waiting.append(candidate)
                elif _admit(candidate, set_filters, samples, rejected, tally):
                    room.take(samples[-1])
                    taken += 1
                    stage.advance()
            candidates.close()
            for candidate in waiting:
                if taken >= count:
                    _refuse([_set_aside(candidate, room)], rejected, tally)
                elif _admit(candidate, set_filters, samples, rejected, tally):
                    taken += 1
                    stage.advance()
    return Outcome(tuple(samples), tuple(rejected), wanted, funnel)


def _candidates(
    synthesizer: Synthesizer, material: Material, corpus: Corpus, filters: Sequence[Filter], driver: Driver
) -> Generator[_Candidate]:
    """The candidates of a synthesizer in the order of its plan."""
    scenarios: dict[str, Scenario] = {}

    def jobs() -> Iterable[Job[_Candidate]]:
        for scenario in synthesizer.plan(material):
            scenarios[scenario.scenario_id] = scenario
            yield Job(key=scenario.scenario_id, steps=_candidate(scenario, synthesizer, material, corpus, filters))

    for outcome in driver.run(jobs()):
        scenario = scenarios.pop(outcome.key)
        if outcome.failure is not None:
            failed = Rejected(scenario, f"model: {outcome.failure.kind}", outcome.failure.reason, None, None)
            yield _Candidate(scenario, None, (failed,))
        elif outcome.value is not None:
            yield outcome.value


def _candidate(
    scenario: Scenario, synthesizer: Synthesizer, material: Material, corpus: Corpus, filters: Sequence[Filter]
) -> Generator[Any, Any, _Candidate]:
    """Write the samples of a scenario and gate them; the first that passes is the candidate."""
    written = synthesizer.write(scenario, material)
    samples: list[Sample] = (yield from written) if isgenerator(written) else written  # type: ignore[assignment]
    if not samples:
        return _Candidate(
            scenario, None, (Rejected(scenario, "written", "the author found nothing to ask", None, None),)
        )
    rejected = []
    for sample in samples:
        verdicts: list[Verdict] = []
        for gate in filters:
            verdict = yield from gate.run(sample, corpus)
            if not verdict.kept:
                rejected.append(Rejected(scenario, gate.name, verdict.reason, verdict.score, sample))
                break
            verdicts.append(verdict)
        else:
            return _Candidate(scenario, replace(sample, verdicts=tuple(verdicts)), tuple(rejected))
    return _Candidate(scenario, None, tuple(rejected))


def _admit(
    candidate: _Candidate,
    set_filters: Sequence[SetFilter],
    samples: list[Sample],
    rejected: list[Rejected],
    tally: Counter[str],
) -> bool:
    """Ask the gates that see the whole set; on a yes the candidate is a row."""
    sample = candidate.sample
    assert sample is not None
    verdicts = list(sample.verdicts)
    for gate in set_filters:
        verdict = gate.judge(sample)
        if not verdict.kept:
            _refuse([Rejected(candidate.scenario, gate.name, verdict.reason, verdict.score, sample)], rejected, tally)
            return False
        verdicts.append(verdict)
    samples.append(replace(sample, verdicts=tuple(verdicts)))
    for gate in set_filters:
        gate.admit(samples[-1])
    tally["kept"] += 1
    return True


def _set_aside(candidate: _Candidate, room: _Room) -> Rejected:
    sample = candidate.sample
    assert sample is not None
    return Rejected(candidate.scenario, "share", room.full(sample) or "not needed", None, sample)


def _refuse(items: Iterable[Rejected], rejected: list[Rejected], tally: Counter[str]) -> None:
    for item in items:
        rejected.append(item)
        tally[item.stage] += 1


def _text_shares(corpus: Corpus) -> dict[str, float]:
    sizes = {document.doc_id: len(document.text) for document in corpus.graph.documents()}
    total = sum(sizes.values()) or 1
    return {doc_id: size / total for doc_id, size in sizes.items()}
