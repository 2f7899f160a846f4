"""Execution of an update: decide on rows, judge, revise and replace them, and write the set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from synth.core.containment import contained, contained_so_far
from synth.core.errors import InputError, RunStopped, UntrustedModel
from synth.core.installation import versions
from synth.core.jsonl import dumps, lines_of, row_to_sample, sample_to_row
from synth.core.records import Sample, Verdict
from synth.core.store import Store
from synth.corpus.deep_reading import DeepReading
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.library import Library
from synth.corpus.on_demand import Lazy
from synth.generation.admission import INTERRUPTED, RunResult
from synth.generation.alternatives import with_alternatives
from synth.generation.filters.base import RAISED, Filter
from synth.generation.pipeline import filter_sample
from synth.generation.writer import WriterContext
from synth.models.chat.driver import Job
from synth.testset.manifest import beside, manifest, rejected_row
from synth.testset.update.decision import (
    KEEP,
    REJUDGE,
    RETIRE,
    REVISE,
    Decision,
    ExistingRow,
    PassageMoves,
    decide,
)
from synth.testset.update.history import (
    Version,
    changes_of,
    count_by_class,
    documents_changed,
    next_version,
    set_hash,
    with_version,
)
from synth.testset.update.recheck import Rechecker, fresh_passages
from synth.testset.update.revision import Statements
from synth.text.normalise import normalise
from synth.workflows.assembly import Assembly, set_filters
from synth.workflows.generating import searched, shown
from synth.workflows.overwriting import PEOPLE, reviewed_refusals, write_set
from synth.workflows.portions import Portions, library_built, passages_of
from synth.workflows.proposing import Prepared, brief_of, brief_of_set, prepared, wishes_in
from synth.workflows.session import corpus_of, difficulty_of, material_of, outlines_of, read_loaded
from synth.workflows.update_job import Updated, UpdateJob

CALLS_A_ROW = 3
"""Largest number of calls to judge a row again: without the documents, with them, with part of the evidence."""

_MADE_ANEW = "made anew, as asked"


class UpdateRun:
    """Execution of an update: follow, judge, revise, retire and refill rows, and write the set."""

    def __init__(self, job: UpdateJob, store: Store, parts: Assembly, reading: DeepReading) -> None:
        self.job, self.store, self.parts, self.reading = job, store, parts, reading
        # The brief of the set is kept: another one would make every question new.
        self.brief = "" if job.settings.brief else brief_of_set(job.manifest)
        self.settings = job.settings
        graph = passages_of(job.loaded, self.settings, store, parts, job.progress, reading)
        self.corpus = corpus_of(graph, self.settings, self.brief or wishes_in(self.settings.brief))
        self.documents = documents_changed(job.alignment)
        self.lazy: Lazy | None = None
        self.material: WriterContext | None = None
        self.graph: KnowledgeGraph | None = None
        self.chat: Prepared | None = None
        self.untrusted = ""

    def updated(self, *, dry_run: bool, regenerate: bool, retire_most: bool) -> Updated:
        decisions = [self._anew(decision) if regenerate else decision for decision in self._settled()]
        if dry_run:
            return self._dry_run(self._without_model(decisions))
        if not (regenerate or retire_most):
            self._refuse_loss(decisions)
        if any(one.kind in (REJUDGE, REVISE) for one in decisions) and not self.job.is_judge_trusted:
            self._try_judge()
        decisions = self._judged(decisions, (REJUDGE,))
        if any(decision.kind == REVISE for decision in decisions) or any(self._missing(decisions).values()):
            self._open_all()
        decisions = self._distinct(self._judged(decisions, (REVISE,)))
        outcome = self._refilled(decisions)
        if outcome.stopped and not self.untrusted:
            # The rows that are left would be less than the set there. The replies are kept for the next run.
            kept = f"{self.job.output} stays as it was, and the same command continues"
            if outcome.stopped == INTERRUPTED:
                raise KeyboardInterrupt(kept)
            raise RunStopped(f"{outcome.stopped}; {kept}")
        return self._written(*self._linked(decisions, outcome.samples), outcome)

    def _settled(self) -> Iterator[Decision]:
        """The decision on each row, by its texts and the filters without a model."""
        alignment, graph = self.job.alignment, self.corpus.graph
        chunk_at = partial(_chunk_at, graph)
        moves, statements = PassageMoves(alignment, graph, chunk_at), Statements(alignment)
        rechecker = Rechecker.for_corpus(
            self.corpus, self.parts.filters, alignment, moves, not self.job.chunking_changed
        )
        with self.job.progress.stage("rows", len(self.job.existing)) as stage:
            for row in self.job.existing:
                with contained("update", f"line {row.line}") as guard:
                    decision = rechecker.recheck(decide(row, alignment, statements, chunk_at))
                yield _failed(row, guard.error) if guard.error else decision
                stage.advance()

    def _refuse_loss(self, decisions: Sequence[Decision]) -> None:
        """Raise InputError when more than half of the rows would be retired, which usually means the wrong folder."""
        retired = sum(decision.kind == RETIRE for decision in decisions)
        if retired > len(decisions) / 2:
            removed, known = len(self.job.alignment.removed), len(self.job.alignment.known.documents)
            raise InputError(
                f"{retired} of {len(decisions)} rows would be retired, since {removed} of {known} documents are "
                "missing and others changed: name the folder that the set was made from with --corpus; if the corpus "
                "has really changed so much, add --retire-most"
            )

    @staticmethod
    def _anew(decision: Decision) -> Decision:
        if decision.existing.sample is None or decision.existing.by_people:
            return decision
        return replace(decision, kind=RETIRE, reason=_MADE_ANEW, row=None, review="")

    def _without_model(self, decisions: Sequence[Decision]) -> list[Decision]:
        return self._distinct(self._judged(decisions, (REVISE,), self._rules()))

    def _rules(self) -> tuple[Filter, ...]:
        """The filters that need no model."""
        return tuple(filter_ for filter_ in self.parts.filters if not filter_.needs_model)

    def _try_judge(self) -> None:
        """Try the judge before it decides on rows. One that fails is asked nothing: the rules decide."""
        if self.settings.author != "chat" or len(self._rules()) == len(self.parts.filters):
            return
        self._open_all()
        self._prepare()
        if self.untrusted:
            self.parts = replace(self.parts, filters=self._rules())

    def _prepare(self) -> WriterContext:
        """Read what the author needs; of a chat model, have the documents described and the judge tried, once."""
        settings, progress = self.settings, self.job.progress
        if self.material is not None:
            return self.material
        material, self.lazy = material_of(self.built, settings, self.parts, self.store, progress)
        if settings.author == "chat" and self.chat is None and not self.untrusted:
            brief = self.brief or brief_of(settings, material, self.parts, progress)
            self.corpus = replace(self.corpus, brief=brief)
            try:
                self.chat = prepared(settings, material, self.corpus, self.parts, self.store, progress)
            except UntrustedModel as error:
                self.untrusted = str(error)
        return material

    def _judged(self, decisions: Sequence[Decision], kinds: Sequence[str], filters: Any = None) -> list[Decision]:
        """The decisions, with those of `kinds` put through the filters; a refused row is retired."""
        waiting = {
            str(n): decision.sample
            for n, decision in enumerate(decisions)
            if decision.kind in kinds and decision.sample and not decision.existing.by_people
        }
        filters, judged = filters or self.parts.filters, list(decisions)
        difficulty = difficulty_of(self.corpus, self.job.settings, self.parts)
        jobs = (
            Job(key=key, steps=filter_sample(sample, self.corpus, filters, difficulty))
            for key, sample in waiting.items()
        )
        for outcome in self.parts.driver.run(jobs):
            n, passed = int(outcome.key), outcome.value
            if outcome.failure is not None:
                passed = Verdict(filter="model", kept=False, reason=outcome.failure.reason)
            if isinstance(passed, Sample):
                judged[n] = _passed(judged[n], with_alternatives(passed, self.corpus))
            elif passed is not None and passed.tag == RAISED and judged[n].kind != REVISE:
                judged[n] = replace(judged[n], review=f"{passed.filter}: {passed.reason}")
            elif passed is not None:
                refusal = f"{passed.filter}: {passed.reason}"
                reason = f"{judged[n].reason}; {refusal}" if judged[n].kind == REVISE else refusal
                judged[n] = replace(judged[n], kind=RETIRE, reason=reason, row=None, review="")
        return judged

    def _distinct(self, decisions: Sequence[Decision]) -> list[Decision]:
        """The decisions, with revised rows retired that repeat another row."""
        of_set = set_filters(self.job.settings, self.parts.encoder) if any(d.kind == REVISE for d in decisions) else ()
        for filter_ in of_set:
            for decision in decisions:
                if decision.sample and decision.row is not None and decision.kind != REVISE:
                    filter_.hold(decision.sample)
        distinct = []
        for decision in decisions:
            sample = decision.sample
            if decision.kind != REVISE or sample is None:
                distinct.append(decision)
                continue
            verdicts = [filter_.decide(sample) for filter_ in of_set]
            if bad := next((verdict for verdict in verdicts if not verdict.kept), None):
                distinct.append(
                    replace(decision, kind=RETIRE, reason=f"{bad.filter}: {bad.reason}", row=None, review="")
                )
                continue
            sample = replace(sample, verdicts=(*sample.verdicts, *verdicts))
            distinct.append(_passed(decision, sample))
            for filter_ in of_set:
                filter_.hold(sample)
        return distinct

    def _missing(self, decisions: Sequence[Decision]) -> dict[str, int]:
        """Rows to make, by type, beside those that stay."""
        kept = Counter(
            decision.sample.question_type for decision in decisions if decision.row is not None and decision.sample
        )
        return self.job.missing_rows(kept)

    def _open_all(self) -> None:
        """Read what rows are written from, once; without a chat model, a portion of a large corpus."""
        job = self.job
        if self.graph is not None:
            return
        if self.settings.author == "chat":
            known = self.corpus.graph
            if isinstance(known, Library):
                self.built = library_built(known, job.loaded, self.store)
            else:
                self.built = read_loaded(job.loaded, job.settings, self.store, self.parts, job.progress)
            self.graph = self.built.graph
        else:
            portions = Portions(
                job.loaded, self.settings, self.store, self.parts, job.progress, self.reading, job.alignment.touched
            )
            self.graph, self.material, self.lazy = portions.graph, portions.first, portions.lazy
        self.corpus = replace(self.corpus, graph=self.graph)

    def _refilled(self, decisions: Sequence[Decision]) -> RunResult:
        """Write rows to replace retired ones, from new text first."""
        missing, settings = self._missing(decisions), self.settings
        if not sum(missing.values()) or self.graph is None:
            return RunResult((), (), missing, {})
        material = self._prepare()
        if self.untrusted:
            # Rows that hold are written all the same; the next update makes the missing ones.
            return RunResult((), (), missing, {}, stopped=self.untrusted)
        present = [decision.sample for decision in decisions if decision.row is not None and decision.sample]
        fresh = {chunk.chunk_id for chunk in fresh_passages(self.corpus, self.job.alignment)}
        return searched(
            settings, material, self.corpus, self.parts, missing, self.job.progress, present, fresh, self.chat
        )

    @staticmethod
    def _linked(
        decisions: Sequence[Decision], samples: Sequence[Sample]
    ) -> tuple[list[Decision], list[Mapping[str, Any]]]:
        """The decisions and the new rows; a retired row whose question was written again counts as revised."""
        retired = {
            normalise(d.existing.sample.question): n
            for n, d in enumerate(decisions)
            if d.kind == RETIRE and d.existing.sample
        }
        linked_decisions, rows = list(decisions), list[Mapping[str, Any]]()
        for sample in samples:
            n = retired.pop(normalise(sample.question), None)
            if n is None:
                rows.append(sample_to_row(sample))
                continue
            old = linked_decisions[n].existing.sample
            if old is not None and old.id == sample.id:
                linked_decisions[n] = replace(
                    linked_decisions[n], kind=KEEP, row=sample_to_row(sample), sample=sample, reason=""
                )
                continue
            linked = replace(sample, metadata={**sample.metadata, "supersedes": linked_decisions[n].id})
            reason = f"asked anew: {linked_decisions[n].reason}"
            linked_decisions[n] = replace(
                linked_decisions[n], kind=REVISE, row=sample_to_row(linked), sample=linked, reason=reason
            )
        return linked_decisions, rows

    def _dry_run(self, decisions: Sequence[Decision]) -> Updated:
        """Result of a dry run, with an estimate of calls."""
        job, missing = self.job, sum(self._missing(decisions).values())
        return Updated(
            decisions=tuple(decisions),
            new_rows=(),
            wanted=missing,
            version=job.history()[-1],
            documents=self.documents,
            skipped=job.loaded.skipped,
            shortfall={},
            calls=self._estimate(decisions, missing),
            unchanged=not missing and all(decision.row is decision.existing.row for decision in decisions),
            output=job.output,
            dry_run=True,
            errors=contained_so_far(),
        )

    def _estimate(self, decisions: Sequence[Decision], missing: int) -> int | None:
        """Estimated calls: for a new row as many as the set took for one, `CALLS_A_ROW` to judge a row again."""
        if self.job.settings.author != "chat":
            return 0
        judged = sum(decision.kind in (REJUDGE, REVISE) and not decision.existing.by_people for decision in decisions)
        spent, rows = self.job.manifest.get("model", {}), self.job.manifest.get("set", {}).get("rows", 0)
        asked = spent.get("calls", 0) + spent.get("cached", 0)
        if missing and not (asked and rows):
            return None
        return judged * CALLS_A_ROW + (missing * -(-asked // rows) if missing else 0)

    def _written(self, decisions: Sequence[Decision], made: Sequence[Mapping[str, Any]], outcome: RunResult) -> Updated:
        """Write the set with the retired and refused rows and the manifest."""
        job = self.job
        lines = [_line(decision) for decision in decisions if decision.row is not None] + [dumps(row) for row in made]
        content, counts = self._manifest(decisions, made, outcome), count_by_class(decisions, len(made))
        history = job.history()
        version = next_version(
            history,
            parent=set_hash(job.lines()),
            lines=lines,
            corpus=content["corpus"]["hash"],
            counts=counts,
            documents=self.documents,
            changes=changes_of(decisions, made),
        )
        content["set"] = {**content["set"], "goal": job.targets, **version.names}
        content |= {part: value for part, value in job.manifest.items() if part in PEOPLE}
        content["history"] = [decision.packed() for decision in with_version(history, version)]
        refused = [dumps(rejected_row(item)) for item in outcome.rejected]
        reviewed = write_set(
            job.output,
            lines,
            job.making.recorded(content, lines),
            [*refused, *reviewed_refusals(job.output, refused)] if outcome.funnel else None,
            retired=self._retired(decisions, version),
            keep=job.force and job.output.resolve() != job.testset.resolve(),
        )
        return Updated(
            decisions=tuple(decisions),
            new_rows=tuple(made),
            wanted=sum(outcome.wanted.values()),
            version=version,
            documents=self.documents,
            skipped=job.loaded.skipped,
            shortfall=outcome.shortfall,
            calls=self.parts.driver.accounts.total("calls"),
            unchanged=lines == job.lines(),
            output=job.output,
            given_up=outcome.given_up,
            barren=outcome.barren,
            untrusted=outcome.stopped if self.untrusted else "",
            errors=contained_so_far(),
            reviewed=reviewed,
        )

    def _manifest(
        self, decisions: Sequence[Decision], made: Sequence[Mapping[str, Any]], outcome: RunResult
    ) -> dict[str, Any]:
        job, parts = self.job, self.parts
        samples = [decision.sample for decision in decisions if decision.row is not None and decision.sample]
        samples += [row_to_sample(row, "row") for row in made]
        return manifest(
            settings=shown(job.settings),
            outlines=outlines_of(self.corpus.graph),
            skipped=job.loaded.skipped,
            outcome=replace(outcome, samples=tuple(samples), wanted=job.targets),
            graph=self.graph.stats() if self.graph else job.manifest.get("graph", {}),
            versions=versions(),
            filters=[*parts.filters, *set_filters(job.settings)],
            model=parts.driver.accounts.summary() if job.settings.author == "chat" else {},
            lazy=self.lazy.counts() if self.lazy else {},
            against=job.against,
            brief=self.chat.corpus.brief if self.chat else job.manifest.get("brief"),
            trial=self.chat.trial.packed() if self.chat and self.chat.trial else job.manifest.get("trial"),
            errors=contained_so_far(),
        )

    def _retired(self, decisions: Sequence[Decision], version: Version) -> list[str] | None:
        """The retired rows after the earlier ones, with reason and version; None where there are none."""
        source = beside(self.job.testset, "retired.jsonl")
        kept = [line for line in lines_of(source) if line.strip()] if source.exists() else []
        for decision in decisions:
            if decision.row is None or decision.kind == REVISE:
                retired = {"version": version.number, "class": decision.kind, "reason": decision.reason}
                kept.append(dumps({**decision.existing.row, "retired": retired}))
        return list(dict.fromkeys(kept)) or None


def _passed(decision: Decision, sample: Sample) -> Decision:
    """A decision after the filters passed its row; a row that was only judged again is unchanged."""
    if decision.kind != REVISE:
        return decision
    row = sample_to_row(sample)
    more = {name: value for name, value in decision.existing.row.items() if name not in row}
    return replace(decision, row={**row, **more}, sample=sample)


def _failed(row: ExistingRow, error: str) -> Decision:
    """The decision on a row that raised an error: it is kept, for a person to review."""
    return Decision(row, KEEP, row=row.row, sample=row.sample, review=f"could not be followed: {error}")


def _chunk_at(graph: KnowledgeGraph, doc_id: str, start: int) -> str:
    chunk = graph.chunk_at(doc_id, start)
    return chunk.chunk_id if chunk else ""


def _line(decision: Decision) -> str:
    """The line of a row, exactly as read where nothing in it changed."""
    row = decision.row
    return decision.existing.text if row is None or row is decision.existing.row else dumps(row)
