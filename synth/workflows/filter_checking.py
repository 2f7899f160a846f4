"""The command judge-check --filters: error rates of the question filters, by rules and by a chat model."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synth.annotation.acceptance import UNDECIDED, UNREVIEWED, RowDecision, accepted
from synth.annotation.records import ACCEPT, EDIT, REJECT
from synth.core.checks import check_least
from synth.core.errors import InputError, RecordError
from synth.core.fields import Fields
from synth.core.jsonl import numbered_lines, parsed_line, row_to_sample
from synth.core.notebook_table import NotebookTable, Tabular, three_digits
from synth.core.progress import Progress, progress_of
from synth.core.records import Sample, digest
from synth.corpus.corpus import Corpus
from synth.evaluation.intervals import wilson
from synth.generation import run_history
from synth.generation.filters.base import EARLIER_RATINGS, RATINGS, Filter
from synth.generation.filters.judged import Judged
from synth.generation.judge_controls import passages
from synth.generation.judge_requests import Judgement
from synth.generation.planted_faults import planted
from synth.models.chat.base import Steps
from synth.models.chat.driver import Job
from synth.testset.dataset import Dataset
from synth.testset.refused import PEOPLE_STAGE
from synth.testset.stored_manifest import check_format, manifest_of
from synth.workflows import endpoints
from synth.workflows.assembly import Assembly
from synth.workflows.call_files import file_of
from synth.workflows.decided_rows import row_decisions
from synth.workflows.estimating import PLACEHOLDER_BRIEF, RequestTally, StageCost, requests_of
from synth.workflows.overwriting import rejected_by_people
from synth.workflows.proposing import brief_of, brief_of_set, brief_steps, material_of
from synth.workflows.session import Run, opened_corpus
from synth.workflows.settings import Settings

RULES = "rules"
"""Name under which the decisions of the rules are listed, beside those of the judge."""
KEPT, DOUBTED, REFUSED = "kept", "doubted", "refused"
"""Decisions on a row."""
ACCEPTED, AS_GIVEN, BAD = "accepted", "as given", "refused by people"
"""Kinds of rows: accepted by people, given without a verdict, and refused by people without a named fault."""

_BATCH = 4  # rows per request, as in a task of a run


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """A row that is known to be good or bad.

    `kind` is the fault of a bad row. For a good row it says why the row counts as good: people accepted it, or the file
    gave it without a verdict.
    """

    sample: Sample
    good: bool
    kind: str


@dataclass(frozen=True, slots=True)
class FilterDecision:
    """Decision on a row (KEPT, DOUBTED or REFUSED), with its reason."""

    row: VerdictRow
    decided: str
    reason: str

    @property
    def is_wrong(self) -> bool:
        """Whether a good row was refused or a bad row passed."""
        return self.row.good == (self.decided == REFUSED)


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorRate:
    """Decisions on the good or the bad rows of one kind. `kind` is "" for all kinds together.

    `share` is the share of wrong decisions: good rows refused, or bad rows passed. `low` and `high` are its 95 %
    interval (Wilson). `counts` contains the number of rows by decision.
    """

    good: bool
    kind: str
    counts: Mapping[str, int]
    share: float
    low: float
    high: float

    @property
    def n(self) -> int:
        """Number of decisions."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class FilterCheck(Tabular):
    """Result of `check_filters`: decisions of the rules and then of the judge, and the judge's calls and cost."""

    decisions: Mapping[str, Sequence[FilterDecision]]
    calls: int
    cost: float

    def notebook_table(self) -> NotebookTable:
        rows = [
            [
                decider,
                "refused" if rate.good else "passed",
                rate.kind,
                *map(three_digits, (rate.share, rate.low, rate.high)),
            ]
            for decider in self.decisions
            for rate in self.rates(decider)
        ]
        return NotebookTable(["decided by", "wrongly", "kind", "share", "from", "to"], rows)

    def rates(self, decider: str) -> list[ErrorRate]:
        """Return the error rates of the rules or of a judge.

        The first rate is for all good rows, followed by those for each kind of good row. Rates for bad rows come next,
        in the same way.
        """
        decisions = self.decisions[decider]
        found = []
        for good in (True, False):
            of_these = [decision for decision in decisions if decision.row.good == good]
            kinds = sorted({decision.row.kind for decision in of_these})
            for kind in ("", *(kinds if len(kinds) > 1 else ())):
                found += _rate([one for one in of_these if kind in ("", one.row.kind)], good, kind)
        return found


def _rate(decisions: Sequence[FilterDecision], good: bool, kind: str) -> list[ErrorRate]:
    if not decisions:
        return []
    share = sum(decision.is_wrong for decision in decisions) / len(decisions)
    low, high = wilson(share, len(decisions))
    counts = Counter(decision.decided for decision in decisions)
    return [ErrorRate(good=good, kind=kind, counts=counts, share=share, low=low, high=high)]


def check_filters(
    labels: str | Path | Dataset,
    sources: str | Path | Sequence[Any],
    settings: Settings | None = None,
    *,
    plant: int | None = None,
    limit: int = 0,
    announce: Callable[[Sequence[StageCost]], None] = lambda stages: None,
    progress: Progress | bool | None = None,
) -> FilterCheck:
    """Decide on rows with known verdicts, by the rules and, if the settings name a chat model, by its judge.

    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `labels`: a reviewed set, or rows of testsets with a field `accept` (true or false) and, for a bad row, a field
      `fault` (`read_verdicts`). Rows without a decision are left out. If `plant` is given, they count as good instead.
    - `plant`: maximum number of bad rows to make from good ones. None means as many as there are good rows, but none if
      people refused a row.
    - `limit`: use only the first `limit` rows; 0 uses all.
    - `announce`: receives the expected requests, tokens and cost before any request is sent.
    - `progress`: True for lines or bars on stderr.

    The judge reads the brief in the settings, or that of the set. If there is none, the model writes it first.

    Raises RecordError for a row that is invalid or does not match the documents. Raises InputError if the file or the
    documents cannot be read, or if people decided on no row.
    """
    settings, progress = settings or Settings(), progress_of(progress)
    rows = read_verdicts(file_of(labels), with_undecided=plant is not None)[: limit or None]
    good = [row.sample for row in rows if row.good]
    if plant is None:
        plant = len(good) if len(good) == len(rows) else 0
    check_least("the number of rows to make bad", plant, 0)
    with opened_corpus(sources, settings, progress) as (_, run):
        corpus, parts = run.corpus, run.parts
        rows = [replace(row, sample=_placed(row.sample, corpus)) for row in rows]
        good = [row.sample for row in rows if row.good]
        bad = planted(good, plant, lambda row: passages(row, corpus))
        rows += [VerdictRow(sample, False, kind) for kind, sample in bad]
        rows.sort(key=lambda row: digest("order", row.sample.language, _document(row.sample), row.sample.id, row.kind))
        decisions = {RULES: _by_rules(rows, corpus, [part for part in parts.filters if not part.needs_model])}
        judge = next((part for part in parts.filters if isinstance(part, Judged)), None)
        if judge:
            brief = "" if settings.brief else brief_of_set(manifest_of(file_of(labels)))
            material, _ = material_of(run)
            corpus.brief = brief or PLACEHOLDER_BRIEF
            announce(_expected(rows, judge, run, [] if brief else [brief_steps(settings, material)]))
            corpus.brief = brief or brief_of(run, material)
            decisions[settings.model.judge or settings.model.name] = _by_judge(rows, corpus, judge, parts, progress)
        driver = parts.driver
        return FilterCheck(decisions=decisions, calls=driver.accounts.total("calls"), cost=driver.budget.cost)


def read_verdicts(path: Path, *, with_undecided: bool = False) -> list[VerdictRow]:
    """Return the rows of a file with the verdicts of people.

    The verdict on a row is its field `accept`. If a row lacks the field, its verdict is the decision of a review. The
    decision is read from the log beside the file, or from `metadata.annotation` or `rejected`, where `annotate accept`
    writes it. An edited row counts as good in its new wording. Rows without a verdict are left out, or count as good if
    `with_undecided`. Refused candidates beside the file that people decided on come last.

    Raises RecordError with the file, line and field of an error. Raises InputError if there is no row to use.
    """
    check_format(path)
    reviewed = {outcome.sample.id: outcome for outcome in row_decisions(path)}
    rows, seen = [], set()
    for number, line in numbered_lines(path):
        place = f"{path.name}:{number}"
        fields = Fields(parsed_line(line, place), place)
        sample = row_to_sample(fields.values, place)
        seen.add(sample.id)
        if "accept" in fields.values:
            good = fields.value("accept", bool)
            fault = fields.text("fault") if fields.values.get("fault") else BAD
            row: VerdictRow | None = VerdictRow(sample, good, ACCEPTED if good else fault)
        elif sample.id in reviewed:
            row = _reviewed(reviewed[sample.id])
        elif "rejected" in fields.values:
            row = _left_out(sample, fields.inner("rejected").values)
        else:
            row = VerdictRow(sample, True, AS_GIVEN) if with_undecided else None
        rows += [row] if row else []
    beside_it = [_reviewed(outcome) for row_id, outcome in reviewed.items() if row_id not in seen]
    beside_it += [
        _left_out(one.sample, one.rejection)
        for one in rejected_by_people(path)
        if one.sample and one.sample.id not in seen and one.sample.id not in reviewed
    ]
    rows += filter(None, beside_it)
    if not seen:
        raise InputError(
            f"{path} contains no row; each line must be a row of a testset, with 'accept' if people decided on it"
        )
    if not rows:
        raise InputError(
            f"people decided on no row of {path}: decide on rows with synth annotate review {shlex.quote(str(path))} "
            "--corpus SOURCE, "
            "or count its rows as good and make N bad rows from them with --plant N"
        )
    return rows


def _reviewed(outcome: RowDecision) -> VerdictRow | None:
    """Return a row with the decision of a review, or None if people disagree on it."""
    if outcome.decision == REJECT:
        return VerdictRow(outcome.sample, False, (outcome.annotation and outcome.annotation.reason) or BAD)
    return VerdictRow(accepted(outcome), True, ACCEPTED) if outcome.decision in (ACCEPT, EDIT) else None


def _left_out(sample: Sample, rejection: Mapping[str, Any]) -> VerdictRow | None:
    """Return a row that people rejected in an earlier review, or None if its rejection has another cause."""
    reason = str(rejection.get("reason") or BAD)
    if rejection.get("stage") != PEOPLE_STAGE or reason in (UNDECIDED, UNREVIEWED, EDIT):
        return None
    return VerdictRow(sample, False, reason)


def _placed(sample: Sample, corpus: Corpus) -> Sample:
    """Return a sample whose evidence refers to the passages of `corpus`. Raises RecordError for misplaced evidence."""
    pieces = []
    for piece in sample.evidence:
        if fault := corpus.misplaced(piece):
            raise RecordError(f"row {sample.id}: {fault}; name the documents that the set was made from")
        chunks = corpus.chunks_of(piece.doc_id)
        home = next((chunk for chunk in chunks if chunk.start <= piece.start < chunk.end), None)
        if home is None:
            raise RecordError(f"row {sample.id}: no passage of '{piece.doc_id}' contains its evidence")
        pieces.append(replace(piece, chunk_id=home.chunk_id))
    return replace(sample, evidence=tuple(pieces))


def _document(sample: Sample) -> str:
    return sample.evidence[0].doc_id if sample.evidence else ""


def _by_rules(rows: Sequence[VerdictRow], corpus: Corpus, rules: Sequence[Filter]) -> list[FilterDecision]:
    """Return the decisions of the rules, without regard to ratings of a judge. A row is kept if every rule keeps it."""
    decisions = []
    for row in rows:
        rated = (RATINGS, EARLIER_RATINGS)
        metadata = {name: value for name, value in row.sample.metadata.items() if name not in rated}
        sample = replace(row.sample, metadata=metadata)
        verdicts = (rule.decide(sample, corpus) for rule in rules)
        refusal = next((f"{verdict.filter}: {verdict.reason}" for verdict in verdicts if not verdict.kept), "")
        decisions.append(FilterDecision(row, REFUSED if refusal else KEPT, refusal))
    return decisions


def _steps(rows: Sequence[VerdictRow], corpus: Corpus, judge: Judged) -> Iterator[Steps[list[Judgement]]]:
    """Yield the steps of the judge for the rows, in batches."""
    for start in range(0, len(rows), _BATCH):
        yield judge.judge_all([row.sample for row in rows[start : start + _BATCH]], corpus)


def _expected(
    rows: Sequence[VerdictRow], judge: Judged, run: Run, first: Iterable[Steps[Any]]
) -> tuple[StageCost, ...]:
    """Return the expected requests of the judge, and of the steps `first` that come before it, by purpose.

    They are counted with placeholder replies that keep every row.
    """
    models = run.parts.models
    tally = RequestTally(run_history.read(run.store, endpoints.who(models)))
    for steps in (*first, *_steps(rows, run.corpus, judge)):
        tally.add(requests_of(steps), 1.0)
    prices = endpoints.prices(run.settings.model, models)
    return tally.stages({role: prices[model.identity] for role, model in models.items()})


def _by_judge(
    rows: Sequence[VerdictRow], corpus: Corpus, judge: Judged, parts: Assembly, progress: Progress
) -> list[FilterDecision]:
    """Return the decision of the judge on each row. Rows of a failed request are refused."""
    jobs = (Job(key=str(number), steps=steps) for number, steps in enumerate(_steps(rows, corpus, judge)))
    decisions: list[FilterDecision] = []
    with progress.stage("judging", len(rows)) as stage:
        for outcome in parts.driver.run(jobs):
            batch = rows[len(decisions) : len(decisions) + _BATCH]
            judgements: Sequence[Judgement | None] = outcome.value or [None] * len(batch)
            decisions += [_decision(row, judgement) for row, judgement in zip(batch, judgements, strict=True)]
            stage.advance(len(batch))
    return decisions


def _decision(row: VerdictRow, judgement: Judgement | None) -> FilterDecision:
    if judgement is None:
        return FilterDecision(row, REFUSED, "the request of the judge failed")
    if not judgement.verdict.kept:
        return FilterDecision(row, REFUSED, judgement.verdict.reason)
    return FilterDecision(row, DOUBTED if judgement.doubt else KEPT, judgement.doubt)
