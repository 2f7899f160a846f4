"""The command update: adapt a set to its changed corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from synth.core.containment import collecting, contained, contained_so_far
from synth.core.errors import ConfigError, InputError, RunStopped, UntrustedModel
from synth.core.jsonl import dumps, lines_of, row_to_sample, sample_to_row
from synth.core.progress import Progress, progress_of
from synth.core.records import Sample, Verdict
from synth.corpus.corpus import Corpus
from synth.corpus.documents import reasons
from synth.corpus.documents.kept import KeptDocuments
from synth.corpus.graph import KnowledgeGraph
from synth.generation.admission import INTERRUPTED, RunResult
from synth.generation.alternatives import with_alternatives
from synth.generation.filters.base import RAISED, Filter
from synth.generation.pipeline import Checks, filter_sample
from synth.models.chat.driver import Job
from synth.testset.dataset import Dataset
from synth.testset.manifest import AuthorRecord, CorpusRead, beside, manifest, rejected_row
from synth.testset.stored_manifest import Manifest, manifest_of
from synth.testset.update.alignment import Alignment, KnownCorpus
from synth.testset.update.decision import (
    KEEP,
    REJUDGE,
    RETIRE,
    REVISE,
    Decision,
    ExistingRow,
    PassageMoves,
    decide,
    flagged,
)
from synth.testset.update.history import (
    Changes,
    Version,
    documents_changed,
    next_version,
    set_hash,
    with_version,
)
from synth.testset.update.recheck import Rechecker, fresh_passages
from synth.testset.update.revision import Statements
from synth.text.normalise import normalise
from synth.workflows.assembly import assemble, set_filters
from synth.workflows.authors import Author, author_of
from synth.workflows.call_files import file_of
from synth.workflows.decided_rows import unwanted_of_folder
from synth.workflows.generating import checked_against, searched, shown
from synth.workflows.overwriting import PEOPLE, Making, SetFiles, check_replaceable, write_set
from synth.workflows.places import open_store
from synth.workflows.proposing import brief_of_set, wishes_in
from synth.workflows.session import Run, deep_reading, difficulty_of, load_sources, open_corpus
from synth.workflows.settings import Settings, typed_options, withheld
from synth.workflows.update_job import Updated, UpdateJob, held_rows, settings_of_set

_LOST = (
    reasons.BINARY, reasons.DAMAGED, reasons.ENCRYPTED, reasons.TOO_LARGE, reasons.UNREADABLE, reasons.UNDECODABLE,
    reasons.FAILED,
)  # fmt: skip

CALLS_A_ROW = 3
"""Maximum number of calls to judge a row again: without the documents, with them, and with part of the evidence."""

_MADE_ANEW = "replaced, as requested"


def update(
    testset: str | Path | Dataset,
    sources: str | Path | Sequence[Any],
    output: str | Path,
    settings: Settings | None = None,
    progress: Progress | bool | None = None,
    *,
    dry_run: bool = False,
    regenerate: bool = False,
    retire_most: bool = False,
    without_model: bool = False,
    force: bool = False,
) -> Updated:
    """Adapt a set to its changed corpus, and write it to `output`, which may be `testset` itself.

    Rows with unchanged evidence stay. Rows whose evidence moved get its new position. Rows whose context changed are
    judged again. Rows whose answer changed are revised. All other rows are retired, and new rows replace them,
    preferably about new text.

    - `testset`: a path, an address or a Dataset.
    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `output`: a path or an address.
    - `settings`: by default, the settings in the manifest of the set, as far as a set may decide them.
    - `progress`: True for lines or bars on stderr.
    - `dry_run`: write nothing and ask no model.
    - `regenerate`: replace every row that no person decided on.
    - `without_model`: let the rules alone decide.

    Raises InputError if the set or the corpus cannot be read, or if they have nothing in common. Also raises InputError
    if at least half of the rows would be retired, which usually means the wrong folder; `retire_most` allows it. Raises
    ConfigError if the set was made with a chat model and the settings name none, and for an output that needs `force`
    (`check_replaceable`).
    """
    testset, output, progress = file_of(testset), file_of(output), progress_of(progress)
    set_settings = settings_of_set(testset, settings.model if settings else None)
    settings = settings or set_settings
    manifest, rows = manifest_of(testset), held_rows(testset)
    making = Making.of_set("update", testset)
    if not dry_run:
        check_replaceable(output, making, force=force)
    against = checked_against(settings, output)
    with collecting(), open_store(settings.workspace) as store:
        loaded = load_sources(sources, settings, store)
        known = KnownCorpus.of(manifest, [row.sample for row in rows if row.sample])
        alignment = Alignment(known, loaded.documents.by_id())
        _check(alignment, loaded, rows)
        job = UpdateJob(
            testset, output, settings, set_settings, manifest, rows, loaded, alignment, against, progress, making, force
        )
        if not regenerate and job.nothing_to_do:
            return job.copied(dry_run)
        if not (dry_run or without_model):
            _check_model(manifest, settings)
        parts = assemble(settings, store)
        with deep_reading(settings, store, parts) as reading:
            corpus = open_corpus(loaded, settings, store, parts, progress, reading)
            update = _Update(job, Run(settings, corpus, store, parts, reading, progress))
            return update.updated(dry_run=dry_run, regenerate=regenerate, retire_most=retire_most)


class _Update:
    """Execution of an update: finds evidence again, judges, revises, retires and replaces rows, and writes the set."""

    def __init__(self, job: UpdateJob, run: Run) -> None:
        self.job, self.run = job, run
        # Keep the brief of the set: another brief would change every question.
        self.brief = "" if job.settings.brief else brief_of_set(job.manifest)
        run.corpus.brief = self.brief or wishes_in(job.settings.brief)
        self.documents = documents_changed(job.alignment)
        self.author: Author | None = None
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
        decisions = self._distinct(self._judged(decisions, (REVISE,)))
        outcome = self._refilled(decisions)
        if outcome.stopped and not self.untrusted:
            # The remaining rows would be fewer than those of the existing set. Stored replies help the next run.
            kept = f"{self.job.output} was not changed; repeat the command to continue"
            if outcome.stopped == INTERRUPTED:
                raise KeyboardInterrupt(kept)
            raise RunStopped(f"{outcome.stopped}; {kept}")
        return self._written(*self._linked(decisions, outcome.samples), outcome)

    def _settled(self) -> Iterator[Decision]:
        """Yield the decision on each row, from its texts and from the filters that need no model."""
        alignment, corpus = self.job.alignment, self.run.corpus
        chunk_at = partial(_chunk_at, corpus)
        moves, statements = PassageMoves(alignment, corpus, chunk_at), Statements(alignment)
        rechecker = Rechecker.for_corpus(
            corpus, self.run.parts.filters, alignment, moves, not self.job.chunking_changed
        )
        with self.job.progress.stage("rows", len(self.job.existing)) as stage:
            for row in self.job.existing:
                with contained("update", f"line {row.line}") as guard:
                    decision = rechecker.recheck(decide(row, alignment, statements, chunk_at))
                yield _failed(row, guard.error) if guard.error else decision
                stage.advance()

    def _refuse_loss(self, decisions: Sequence[Decision]) -> None:
        """Raise InputError if at least half of the rows would be retired, which usually means the wrong folder."""
        retired = sum(decision.kind == RETIRE for decision in decisions)
        if retired and retired >= len(decisions) / 2:
            removed, known = len(self.job.alignment.removed), len(self.job.alignment.known.documents)
            raise InputError(
                f"{retired} of {len(decisions)} rows would be retired, because {removed} of {known} documents are "
                "missing and others changed; name the folder that the set was made from with --corpus, or, if the "
                "corpus really changed that much, add --retire-most"
            )

    @staticmethod
    def _anew(decision: Decision) -> Decision:
        if decision.existing.sample is None or decision.existing.by_people:
            return decision
        return replace(decision, kind=RETIRE, reason=_MADE_ANEW, row=None, review="")

    def _without_model(self, decisions: Sequence[Decision]) -> list[Decision]:
        return self._distinct(self._judged(decisions, (REVISE,), self._rules()))

    def _rules(self) -> tuple[Filter, ...]:
        """Return the filters that need no model."""
        return tuple(filter_ for filter_ in self.run.parts.filters if not filter_.needs_model)

    def _try_judge(self) -> None:
        """Try the judge before it decides on rows. If it fails, only the rules decide."""
        if len(self._rules()) == len(self.run.parts.filters):
            return
        self._prepared()
        if self.untrusted:
            self.run = replace(self.run, parts=replace(self.run.parts, filters=self._rules()))

    def _prepared(self) -> Author:
        """Return the author of new rows, opened and prepared once. If its judge fails, `untrusted` is the reason."""
        if self.author is None:
            fresh = self.job.alignment.touched
            self.author = author_of(self.run, brief=self.brief, fresh=fresh)
            try:
                self.author.prepare()
            except UntrustedModel as error:
                self.untrusted = str(error)
        return self.author

    def _judged(self, decisions: Sequence[Decision], kinds: Sequence[str], filters: Any = None) -> list[Decision]:
        """Judge the rows with a decision in `kinds` by the filters. Return all decisions; refused rows are retired."""
        waiting = {
            str(n): decision.sample
            for n, decision in enumerate(decisions)
            if decision.kind in kinds and decision.sample and not decision.existing.by_people
        }
        run, judged = self.run, list(decisions)
        checks = Checks(filters or run.parts.filters, (), difficulty_of(run.corpus, run.settings, run.parts))
        topics = self.author.material.graph if self.author else KnowledgeGraph()
        jobs = (Job(key=key, steps=filter_sample(sample, checks, topics)) for key, sample in waiting.items())
        for outcome in run.parts.driver.run(jobs):
            n, passed = int(outcome.key), outcome.value
            if outcome.failure is not None:
                passed = Verdict(filter="model", kept=False, reason=outcome.failure.reason)
            if isinstance(passed, Sample):
                judged[n] = _passed(judged[n], with_alternatives(passed, run.corpus))
            elif passed is not None and passed.tag == RAISED and judged[n].kind != REVISE:
                judged[n] = replace(judged[n], review=f"{passed.filter}: {passed.reason}")
            elif passed is not None:
                refusal = f"{passed.filter}: {passed.reason}"
                reason = f"{judged[n].reason}; {refusal}" if judged[n].kind == REVISE else refusal
                judged[n] = replace(judged[n], kind=RETIRE, reason=reason, row=None, review="")
        return judged

    def _distinct(self, decisions: Sequence[Decision]) -> list[Decision]:
        """Return the decisions, with revised rows retired if they repeat another row."""
        of_set = (
            set_filters(self.run.settings, self.run.parts.encoder) if any(d.kind == REVISE for d in decisions) else ()
        )
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
        """Return the number of rows to make by type, in addition to the rows that stay."""
        kept = Counter(
            decision.sample.question_type for decision in decisions if decision.row is not None and decision.sample
        )
        return self.job.missing_rows(kept)

    def _refilled(self, decisions: Sequence[Decision]) -> RunResult:
        """Make rows that replace retired ones, preferably about new text."""
        missing = self._missing(decisions)
        if not sum(missing.values()):
            return RunResult((), (), missing, {})
        author = self._prepared()
        if self.untrusted:
            # Valid rows are still written; the next update makes the missing ones.
            return RunResult((), (), missing, {}, stopped=self.untrusted)
        present = [decision.sample for decision in decisions if decision.row is not None and decision.sample]
        fresh = {chunk.chunk_id for chunk in fresh_passages(self.run.corpus, self.job.alignment)}
        return searched(self.run, author, missing, [*present, *self._unwanted(present)], fresh)

    def _unwanted(self, present: Sequence[Sample]) -> list[Sample]:
        """Return the questions that people rejected or reworded in this set and in related sets."""
        job, ids = self.job, {sample.id for sample in present}
        unwanted = unwanted_of_folder(job.testset, job.output, job.loaded.documents.ids, job.settings.against)
        return [sample for sample in unwanted.samples if sample.id not in ids]

    @staticmethod
    def _linked(
        decisions: Sequence[Decision], samples: Sequence[Sample]
    ) -> tuple[list[Decision], list[Mapping[str, Any]]]:
        """Return the decisions and the new rows. A retired row whose question is asked again counts as revised."""
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
            reason = f"asked again: {linked_decisions[n].reason}"
            linked_decisions[n] = replace(
                linked_decisions[n], kind=REVISE, row=sample_to_row(linked), sample=linked, reason=reason
            )
        return linked_decisions, rows

    def _dry_run(self, decisions: Sequence[Decision]) -> Updated:
        """Return the result of a dry run, with an estimate of calls."""
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
            untaken=job.untaken,
        )

    def _estimate(self, decisions: Sequence[Decision], missing: int) -> int | None:
        """Return the estimated number of calls, or None if unknown.

        A new row is assumed to cost as many calls as a row of the set did, and judging a row again costs `CALLS_A_ROW`.
        """
        if not self.run.parts.models:
            return 0
        judged = sum(decision.kind in (REJUDGE, REVISE) and not decision.existing.by_people for decision in decisions)
        spent, rows = self.job.manifest.get("model", {}), self.job.manifest.get("set", {}).get("rows", 0)
        asked = spent.get("calls", 0) + spent.get("cached", 0)
        if missing and not (asked and rows):
            return None
        return judged * CALLS_A_ROW + (missing * -(-asked // rows) if missing else 0)

    def _written(self, decisions: Sequence[Decision], made: Sequence[Mapping[str, Any]], outcome: RunResult) -> Updated:
        """Write the set with the retired rows, the refused candidates and the manifest."""
        job = self.job
        lines = [_line(decision) for decision in decisions if decision.row is not None] + [dumps(row) for row in made]
        content, history = self._manifest(decisions, made, outcome), job.history()
        version = next_version(
            history,
            parent=set_hash(job.lines()),
            lines=lines,
            corpus=content["corpus"]["hash"],
            changes=Changes(decisions, made, self.documents),
        )
        content["set"] = {**content["set"], "goal": job.targets, **version.names}
        content |= {part: value for part, value in job.manifest.items() if part in (*PEOPLE, "merged")}
        content["history"] = [decision.packed() for decision in with_version(history, version)]
        refused = [dumps(rejected_row(item)) for item in outcome.rejected] if outcome.funnel else None
        files = SetFiles(
            lines,
            job.making.recorded(content, lines),
            job.rejected_lines(refused, lines),
            self._retired(decisions, version),
        )
        keep = job.force and not job.is_in_place
        reviewed = write_set(job.output, files, keep=keep)
        return Updated(
            decisions=tuple(decisions),
            new_rows=tuple(made),
            wanted=sum(outcome.wanted.values()),
            version=version,
            documents=self.documents,
            skipped=job.loaded.skipped,
            shortfall=outcome.shortfall,
            calls=self.run.parts.driver.accounts.total("calls"),
            unchanged=lines == job.lines(),
            output=job.output,
            given_up=outcome.given_up,
            barren=outcome.barren,
            untrusted=outcome.stopped if self.untrusted else "",
            errors=contained_so_far(),
            reviewed=reviewed,
            untaken=job.untaken,
        )

    def _manifest(
        self, decisions: Sequence[Decision], made: Sequence[Mapping[str, Any]], outcome: RunResult
    ) -> dict[str, Any]:
        job, run = self.job, self.run
        samples = [decision.sample for decision in decisions if decision.row is not None and decision.sample]
        samples += [row_to_sample(row, "row") for row in made]
        chat = self.author if self.author and not self.author.is_free else None
        return manifest(
            replace(outcome, samples=tuple(samples), wanted=job.targets),
            CorpusRead(corpus=run.corpus, skipped=job.loaded.skipped),
            AuthorRecord(
                calls=run.parts.driver.accounts.summary() if run.parts.models else {},
                on_demand=self.author.on_demand() if self.author else {},
                brief=run.corpus.brief if chat else job.manifest.get("brief"),
                trial=chat.trial.packed() if chat and chat.trial else job.manifest.get("trial"),
            ),
            settings=shown(job.settings),
            filters=[*run.parts.filters, *set_filters(job.settings)],
            against=job.against,
        )

    def _retired(self, decisions: Sequence[Decision], version: Version) -> list[str] | None:
        """Return the lines of earlier and newly retired rows, with reason and version, or None if there are none."""
        source = beside(self.job.testset, "retired.jsonl")
        kept = [line for line in lines_of(source) if line.strip()] if source.exists() else []
        for decision in decisions:
            if decision.row is None or decision.kind == REVISE:
                retired = {"version": version.number, "class": decision.kind, "reason": decision.reason}
                kept.append(dumps({**decision.existing.row, "retired": retired}))
        return list(dict.fromkeys(kept)) or None


def _passed(decision: Decision, sample: Sample) -> Decision:
    """Complete a decision on a row that passed the filters: give a revised row its final form."""
    if decision.kind != REVISE:
        return decision
    row = sample_to_row(sample)
    more = {name: value for name, value in decision.existing.row.items() if name not in row}
    whole = {**row, **more}
    return replace(decision, row=flagged(whole, decision.review) if decision.review else whole, sample=sample)


def _failed(row: ExistingRow, error: str) -> Decision:
    """Return the decision on a row for which code raised an error. The row is kept, for a person to review."""
    return Decision(
        row, KEEP, row=row.row, sample=row.sample, review=f"the update of this row raised an error: {error}"
    )


def _chunk_at(corpus: Corpus, doc_id: str, start: int) -> str:
    chunk = corpus.chunk_at(doc_id, start)
    return chunk.chunk_id if chunk else ""


def _line(decision: Decision) -> str:
    """Return the line of a row, exactly as read if nothing in it changed."""
    row = decision.row
    return decision.existing.text if row is None or row is decision.existing.row else dumps(row)


def _check_model(manifest: Manifest, settings: Settings) -> None:
    """Raise ConfigError if the set was made with a chat model and this run has none."""
    missing = withheld(manifest.get("settings", {}), settings)
    if settings.model.name or "model.name" not in missing:
        return
    options = typed_options({name: value for name, value in missing.items() if name.startswith("model.")})
    raise ConfigError(
        "the set was made with a chat model, and a set cannot choose the model; if you trust the source of the set, "
        f"add {options}; to let the rules alone decide, add --without-model"
    )


def _check(alignment: Alignment, loaded: KeptDocuments, rows: Sequence[ExistingRow]) -> None:
    """Raise InputError if the corpus is not that of the set, or if a cited document cannot be read."""
    if alignment.unrelated:
        raise InputError(
            f"the corpus contains none of the {len(alignment.known.documents)} documents of the set, and none of "
            "their text; name the folder that the set was made from with --corpus, or make a new set with generate"
        )
    cited = Counter(doc_id for row in rows if row.sample for doc_id in {piece.doc_id for piece in row.sample.evidence})
    for skipped in loaded.skipped:
        if skipped.source in alignment.removed and skipped.reason in _LOST and cited[skipped.source]:
            raise InputError(
                f"'{skipped.source}' contains the evidence of {cited[skipped.source]} rows, but cannot be read: "
                f"{skipped.reason} {skipped.detail}; repair the file, or exclude it with --exclude to retire its rows"
            )
