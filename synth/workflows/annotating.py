"""The subcommands of annotate: review page, sheets for other tools, import of decisions, agreement, acceptance."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from synth.annotation.acceptance import (
    OUTCOMES,
    UNDECIDED,
    UNREVIEWED,
    FilterRecord,
    RowDecision,
    accepted,
    filter_records,
    outcomes,
    precision,
    reasons,
    rejection_of,
)
from synth.annotation.agreement import Agreement, annotator_agreement
from synth.annotation.context import passages
from synth.annotation.decisions import Decisions, store_path
from synth.annotation.formats.base import Problem, RowToWrite
from synth.annotation.formats.formats import format_named, format_to_write, read_sheet
from synth.annotation.formats.importing import take
from synth.annotation.guideline import as_markdown, guideline
from synth.annotation.messages import language_named, language_of
from synth.annotation.raised import Raised
from synth.annotation.recalibration import ThresholdProposal, as_toml, recalibrate
from synth.annotation.records import ACCEPT, EDIT, REASONS, REJECT, SKIP, Annotation
from synth.annotation.review_set import Pool, open_pool
from synth.annotation.sampling import DOUBTFUL, Selection, assign, select
from synth.annotation.server.app import listen
from synth.annotation.server.review_queue import ReviewQueue, ReviewTask
from synth.core.checks import check_lists
from synth.core.errors import ConfigError, InputError, Notice
from synth.core.jsonl import dumps, sample_to_row, write_atomic
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.records import EDITED, Document, Sample, digest, empty_mapping
from synth.core.swapping import together
from synth.core.terminal import counted, first_names
from synth.evaluation.intervals import Estimate
from synth.testset.dataset import Dataset
from synth.testset.manifest import paths
from synth.testset.update.decision import KEEP, RETIRE, REVISE
from synth.testset.update.history import Version, set_hash, versions_of
from synth.workflows.accepted_rows import checked_rows
from synth.workflows.call_files import file_of, paths_of, typed_sources
from synth.workflows.overwriting import (
    Making,
    SetFiles,
    check_no_set,
    check_replaceable,
    refused_by_people,
    write_set,
)
from synth.workflows.places import open_store
from synth.workflows.session import load_sources
from synth.workflows.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSettings:
    """Settings of a review: the rows to show, the documents to show them in, and the language of the page.

    - `language`: "" means the language of the set.
    - `disputed`: show only rows on which no majority agrees, so that somebody can settle them.
    - `raised`: show only rows that an update marked for review.
    - `unreviewed`: show only rows on which nobody decided in this or an earlier review.
    - `store`: file of decisions; None means the file beside the set.
    """

    selection: Selection = field(default_factory=Selection)
    sources: tuple[Any, ...] = ()
    language: str = ""
    annotators: tuple[str, ...] = ()
    disputed: bool = False
    raised: bool = False
    unreviewed: bool = False
    store: Path | None = None

    def __post_init__(self) -> None:
        check_lists(self, "annotators")
        kinds = [name for name in ("disputed", "raised", "unreviewed") if getattr(self, name)]
        if len(kinds) > 1:
            raise ConfigError(f"{' and '.join(kinds)} cannot be combined; choose one of them")

    def decisions(self, testset: Path) -> Decisions:
        """Open the decisions on a set."""
        return Decisions(self.store or store_path(testset))


def print_address(url: str, rows: int, decisions: Path) -> None:
    """Print the address of a page, the number of rows it shows, and the file of decisions."""
    print(f"{counted(rows, 'row')} at {url}; decisions are stored in {decisions}; press Ctrl-C to stop", flush=True)


def review(
    testset: str | Path | Dataset,
    chosen: ReviewSettings | None = None,
    settings: Settings | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 8765,
    announce: Callable[[str, int, Path], None] = print_address,
) -> None:
    """Serve the review page until interrupted.

    - `testset`: a path, an address or a Dataset.
    - `announce`: receives the address of the page, the number of rows and the file of decisions. By default they are
      printed.

    Raises InputError or ConfigError before it serves the page.
    """
    testset, chosen = file_of(testset), chosen or ReviewSettings()
    pool = open_pool(testset)
    with chosen.decisions(testset) as decisions:
        rows = _rows(pool, chosen, decisions)
        task = ReviewTask(
            name=testset.stem,
            rows=tuple(rows),
            documents=documents_of(chosen, settings),
            language=language_for(chosen, pool),
            per_item=chosen.selection.per_item,
            adjudicate=chosen.disputed,
            annotators=chosen.annotators,
        )
        listening = listen(ReviewQueue(task, decisions), host, port)
        announce(listening.url, len(rows), decisions.path)
        listening.serve()


@dataclass(frozen=True, slots=True, repr=False)
class SheetsExported(Tabular):
    """Files written. Each is mapped to its number of rows, or None if it contains no rows, such as the guideline.

    `unreviewed` is the number of rows of the set without a decision, and `total` the number of all its rows.
    """

    files: Mapping[Path, int | None]
    unreviewed: int = 0
    total: int = 0

    def notebook_table(self) -> NotebookTable:
        note = f"unreviewed: {self.unreviewed} of {counted(self.total, 'row')} of the set"
        return NotebookTable(["file", "rows"], list(self.files.items()), note)


def export_sheets(
    testset: str | Path | Dataset,
    output: str | Path,
    chosen: ReviewSettings,
    settings: Settings | None = None,
    *,
    format_name: str = "",
) -> SheetsExported:
    """Write rows for another tool: one file for each of `chosen.annotators`, and the guideline beside them.

    - `testset`: a path, an address or a Dataset.
    - `output`: a path or an address.
    - `format_name`: the format; if it is empty, the suffix of `output` decides.

    Raises InputError if the set or a file cannot be used, and ConfigError for unusable settings.
    """
    testset, output = file_of(testset), file_of(output)
    check_no_set(output, may_be_folder=True)
    guide = output.with_name(f"{output.name.partition('.')[0]}.guideline.md")
    check_no_set(guide)
    pool = open_pool(testset)
    kind = format_named(format_name) if format_name else format_to_write(output)
    with chosen.decisions(testset) as decisions:
        rows = _rows(pool, chosen, decisions)
        unreviewed = len(_unreviewed(pool, decisions))
        decided = outcomes(rows, _annotations(decisions)) if chosen.disputed else []
    others = {outcome.sample.id: outcome.annotations for outcome in decided}
    documents, language = documents_of(chosen, settings), language_for(chosen, pool)
    text = as_markdown(guideline(pool.samples, language), language)
    people = chosen.annotators or ("",)
    rows_by_person = assign(rows, people, chosen.selection.per_item if chosen.annotators else 1)
    files: dict[Path, int | None] = {}
    with together():
        for person in people:
            entries = [
                RowToWrite(
                    sample=sample,
                    passages=tuple(passages(sample, documents)),
                    annotator=person,
                    others=others.get(sample.id, ()),
                )
                for sample in rows_by_person[person]
            ]
            first, *more = kind.write(_file_for(output, person, kind.suffixes), entries, language, text)
            files |= {first: len(entries), **dict.fromkeys(more)}
        write_atomic(guide, text)
    return SheetsExported({**files, guide: None}, unreviewed, len(pool.samples))


@dataclass(frozen=True, slots=True, repr=False)
class Imported(Tabular):
    """Result of an import: the annotations, and the problems found.

    `repeated` counts annotations that were stored already, `replaced` those that replace an earlier one. `undecided` is
    the number of rows left blank in the files. `reworded` is the number of edits whose decision was blank or "accept".
    """

    annotations: tuple[Annotation, ...]
    repeated: int
    replaced: int
    undecided: int
    problems: tuple[Problem, ...]
    reworded: int = 0

    def notebook_table(self) -> NotebookTable:
        rows = [[one.place, one.reason] for one in self.problems]
        note = (
            f"{counted(len(self.annotations), 'decision')} imported, {self.repeated} of them stored already, "
            f"{self.replaced} replacing earlier ones; {counted(self.undecided, 'row')} left blank"
        )
        return NotebookTable(["not imported", "because"], rows, note)


def import_sheets(
    testset: str | Path | Dataset,
    files: str | Path | Sequence[str | Path],
    *,
    store: str | Path | None = None,
    annotator: str = "",
    format_name: str = "",
    adjudicated: bool = False,
) -> Imported:
    """Import decisions from files. An unreadable file is reported as a problem.

    All usable decisions are stored in one transaction.

    - `testset`: a path, an address or a Dataset.
    - `annotator`: the name for decisions that name no annotator; by default the name of the file.
    """
    testset, store = file_of(testset), file_of(store)
    samples = open_pool(testset).by_id()
    annotations: list[Annotation] = []
    problems: list[Problem] = []
    undecided = repeated = replaced = reworded = 0
    for file in paths_of(files):
        try:
            sheet = read_sheet(file, format_name)
        except InputError as error:
            problems.append(Problem(file.name, str(error)))
            continue
        decided = take(sheet.rows, samples, annotator or file.name.partition(".")[0], adjudicated=adjudicated)
        problems += [*sheet.problems, *decided.problems]
        annotations += decided.annotations
        undecided += decided.undecided
        reworded += decided.reworded
    with Decisions(store or store_path(testset)) as decisions, decisions.batch():
        for annotation in annotations:
            existing = decisions.current(
                annotation.sample_id, annotation.sample_hash, annotation.annotator, adjudicated=annotation.adjudicated
            )
            repeated += bool(existing and existing.annotation == annotation)
            replaced += bool(existing and existing.annotation != annotation)
            decisions.add(annotation, "import")
    return Imported(tuple(annotations), repeated, replaced, undecided, tuple(problems), reworded)


def agreement_on(testset: str | Path | Dataset, *, store: str | Path | None = None, seed: int = 0) -> Agreement:
    """Return the agreement of the annotators of a set. Decisions on earlier versions of rows are ignored.

    - `testset`: a path, an address or a Dataset.
    """
    testset, store = file_of(testset), file_of(store)
    pool = open_pool(testset)
    rows = pool.by_id()
    documents = {row: sample.evidence[0].doc_id if sample.evidence else row for row, sample in rows.items()}
    with Decisions(store or store_path(testset)) as decisions:
        annotations = [
            annotation
            for outcome in outcomes(list(rows.values()), _annotations(decisions))
            for annotation in outcome.annotations
        ]
    return annotator_agreement(annotations, documents, seed)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Accepted(Tabular):
    """Result of `accept`: the accepted rows, counts of outcomes, and the precision of the set and of its filters.

    - `by_doubt`: true if doubtful rows were chosen for the review. The shares then do not describe the whole set.
    - `repeated`: ids of rows left out because an edit made them equal to another row.
    - `marked`: maps ids of edited rows to the objection of a rule to their wording; None without documents.
    - `failing`: maps ids of rows that `verify` will refuse to the reason; None without documents.
    - `left_out`: ids of rows left out because nobody decided on them.
    - `removed`: maps ids of rows left out by people to the reason of the rejection, or to "undecided".
    - `outdated`: ids of rows that changed after people decided on them, so that the decisions are not used.
    - `reviewed`: the path of a copy of the replaced set with people's decisions; None if no decision would have been
      lost.
    """

    rows: tuple[Sample, ...]
    counts: Mapping[str, int]
    precision: Mapping[str, Estimate]
    reasons: Mapping[str, int]
    filters: tuple[FilterRecord, ...]
    refused_kept: int
    refused_reviewed: int
    repeated: tuple[str, ...]
    by_doubt: bool
    proposals: tuple[ThresholdProposal, ...] = ()
    marked: Mapping[str, str] | None = None
    failing: Mapping[str, str] | None = None
    reviewed: Path | None = None
    left_out: tuple[str, ...] = ()
    removed: Mapping[str, str] = field(default_factory=empty_mapping)
    outdated: tuple[str, ...] = ()

    def notebook_table(self) -> NotebookTable:
        notes = [f"{counted(len(self.rows), 'row')} accepted", *self.warnings]
        if self.unmeasured:
            edited = counted(len(self.unmeasured), "edited row")
            notes.append(f"{edited} without a difficulty; to measure it, name the documents as sources")
        return NotebookTable(["decision", "rows"], list(self.counts.items()), "; ".join(notes))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings: the lines of `unsettled`, and rows that `verify` will refuse."""
        refused = first_names(tuple(self.failing or ()))
        return (*self.unsettled, *([f"verify will refuse: {refused}"] if refused else ()))

    @property
    def unsettled(self) -> tuple[str, ...]:
        """Warnings: decisions that are not used, disputed rows, rows without a decision, and rows marked for review."""
        lines = []
        if self.outdated:
            lines.append(
                f"decisions not used, since the row changed after them: {first_names(self.outdated)}; decide on these "
                "rows again"
            )
        if self.raised:
            lines.append(
                f"still marked for review: {first_names(self.raised)}; decide on them, or reject those without evidence"
            )
        if disputed := tuple(row for row, reason in self.removed.items() if reason == UNDECIDED):
            lines.append(
                f"{counted(len(disputed), 'row')} left out, since people disagree on them: {first_names(disputed)}; "
                "settle them in a review of disputed rows"
            )
        if self.left_out:
            lines.append(
                f"{counted(len(self.left_out), 'row')} left out, since nobody decided on them: "
                f"{first_names(self.left_out)}; decide on them, or keep unreviewed rows"
            )
        return tuple(lines)

    @property
    def unmeasured(self) -> tuple[str, ...]:
        """Ids of the edited rows whose difficulty is unknown because the documents were not named."""
        edited = (row for row in self.rows if row.metadata.get("source") == EDITED and row.evidence)
        return tuple(row.id for row in edited if "difficulty" not in row.metadata)

    @property
    def raised(self) -> tuple[str, ...]:
        """Ids of rows that an update marked for review and that nobody has decided on since."""
        return tuple(sample.id for sample in self.rows if Raised.of(sample))


def accept(
    testset: str | Path | Dataset,
    output: str | Path | None = None,
    *,
    sources: str | Path | Sequence[Any] = (),
    settings: Settings | None = None,
    store: str | Path | None = None,
    with_unreviewed: bool = False,
    recalibration: bool = False,
    apply: str | Path | None = None,
    force: bool = False,
) -> Accepted:
    """Write the accepted and edited rows of a set to `output`, with the rejected rows and the manifest beside it.

    - `testset`: a path, an address or a Dataset.
    - `output`: a path or an address; None writes no set.
    - `sources`: the documents. With them, edited rows are measured again, and rows that `verify` will refuse are named.
    - `with_unreviewed`: also keep rows that nobody decided on.
    - `recalibration`: propose thresholds that agree better with people's decisions.
    - `apply`: a settings file to write the clear proposals to. It must not exist yet, and is not written if no proposal
      is clear.
    - `force`: replace an existing set at `output`, but never the reviewed set itself.

    Raises InputError if `output` would have no row. Raises ConfigError for files that would be overwritten.
    """
    testset, output = file_of(testset), file_of(output)
    store, apply = file_of(store), file_of(apply)
    making = Making.of_set("annotate accept", testset)
    if output:
        check_replaceable(output, making, force=force)
    pool = open_pool(testset)
    if output and output.resolve() == testset.resolve():
        raise ConfigError(
            f"the accepted set and the reviewed set are both {output}, which would be overwritten; "
            "name another output with -o"
        )
    if apply and apply.exists():
        raise ConfigError(f"{apply} already exists and is never overwritten; name another file for the thresholds")
    with Decisions(store or store_path(testset)) as decisions:
        annotations = _annotations(decisions)
        by_doubt = DOUBTFUL in decisions.orders()
    decided, refused = outcomes(pool.samples, annotations), outcomes(pool.refused, annotations)
    kept, left, repeated = _kept(decided, with_unreviewed)
    if output and not kept:
        raise InputError(
            f"no row of {testset} is accepted, so nothing is written: decide on rows, name the decisions with --store, "
            "or keep rows that nobody decided on with --with-unreviewed; to decide: "
            f"synth annotate review {shlex.quote(str(testset))} --corpus {typed_sources(sources)}"
        )
    checked = checked_rows(testset, kept, sources, settings) if sources else None
    watched = sorted({*pool.refused_by.values(), *(filter_ for filters in REASONS.values() for filter_ in filters)})
    reviewed = [row for row in refused if row.decided]
    result = Accepted(
        rows=checked.rows if checked else tuple(kept),
        counts={name: sum(row.decision == name for row in decided) for name in OUTCOMES},
        precision=precision(decided),
        reasons=reasons(decided),
        filters=tuple(filter_records(decided, refused, pool.refused_by, watched)),
        refused_kept=sum(row.decision in (ACCEPT, EDIT) for row in reviewed),
        refused_reviewed=len(reviewed),
        repeated=tuple(repeated),
        by_doubt=by_doubt,
        left_out=tuple(row.sample.id for row in left if row.decision == UNREVIEWED) if output else (),
        removed={
            row.sample.id: rejection_of(row)["rejected"]["reason"]
            for row in left
            if row.decision in (REJECT, UNDECIDED)
        },
        outdated=_outdated(decided, annotations),
        proposals=tuple(recalibrate(decided, refused, pool.refused_by, pool.refused_scores, pool.thresholds))
        if recalibration or apply
        else (),
        marked=checked.marked if checked else None,
        failing=checked.failing if checked else None,
    )
    with together(output):
        if output:
            edited = [row for row in decided if row.decision == EDIT and row.decided and row.sample.id not in repeated]
            copy = _write(output, pool, result, [*left, *edited], making, force=force)
            result = replace(result, reviewed=copy)
        if apply and any(proposal.clear for proposal in result.proposals):
            write_atomic(apply, as_toml(result.proposals))
    return result


def write_guideline(testset: Path, output: Path | None, language: str = "") -> str:
    """Return the guideline of a set as Markdown. It is also written to `output` if `output` is not None."""
    check_no_set(output)
    pool = open_pool(testset)
    spoken = language_for(ReviewSettings(language=language), pool)
    text = as_markdown(guideline(pool.samples, spoken), spoken)
    if output:
        write_atomic(output, text)
    return text


def as_json(result: Accepted) -> dict[str, Any]:
    """Return a result of `accept` as JSON values, without the rows."""
    return {
        "rows": len(result.rows),
        "counts": dict(result.counts),
        "precision": {name: asdict(item) for name, item in result.precision.items()},
        "chosen_by_doubt": result.by_doubt,
        "reasons": dict(result.reasons),
        "filters": {
            item.filter_name: {k: v and asdict(v) for k, v in (("passed", item.passed), ("refused", item.refused))}
            for item in result.filters
            if item.passed or item.refused
        },
        "refused": {"reviewed": result.refused_reviewed, "kept_by_people": result.refused_kept},
        "repeated": list(result.repeated),
        "removed": dict(result.removed),
        "raised": list(result.raised),
        "unmeasured": list(result.unmeasured),
        "marked": None if result.marked is None else dict(result.marked),
        "failing": None if result.failing is None else dict(result.failing),
        "thresholds": [asdict(item) for item in result.proposals],
    }


def _outdated(decided: Sequence[RowDecision], annotations: Sequence[Annotation]) -> tuple[str, ...]:
    """Return the ids of undecided rows that have decisions on an earlier version."""
    named = {annotation.sample_id for annotation in annotations if annotation.decision != SKIP}
    return tuple(row.sample.id for row in decided if row.decision == UNREVIEWED and row.sample.id in named)


def _kept(decided: Sequence[RowDecision], with_unreviewed: bool) -> tuple[list[Sample], list[RowDecision], list[str]]:
    """Return the rows of the accepted set, the outcomes of other rows, and the ids of rows that repeat another row."""
    decisions = (ACCEPT, EDIT, *((UNREVIEWED,) if with_unreviewed else ()))
    kept: dict[str, Sample] = {}
    left, repeated = [], []
    for outcome in decided:
        if outcome.decision not in decisions:
            left.append(outcome)
        elif (sample := accepted(outcome)).id in kept:
            left.append(outcome)
            repeated.append(outcome.sample.id)
        else:
            kept[sample.id] = sample
    return list(kept.values()), left, repeated


def _write(
    output: Path, pool: Pool, result: Accepted, refused: Sequence[RowDecision], making: Making, *, force: bool
) -> Path | None:
    """Write the accepted set. Refused rows of this and of earlier reviews become its refused candidates.

    `refused` are the rows left out, and edited rows in their old wording. Returns the path of a copy of the replaced
    set with people's decisions, or None if no copy was needed.
    """
    written = {
        **pool.manifest,
        "set": {"id": digest([sample.id for sample in result.rows])[:16], "rows": len(result.rows)},
        "annotation": as_json(result),
    }
    lines = [dumps(sample_to_row(sample)) for sample in result.rows]
    if history := versions_of(pool.manifest):
        superseded = {sample.metadata.get("supersedes") for sample in result.rows}
        left = [outcome for outcome in refused if outcome.sample.id not in superseded]
        further = _version(history[-1], set_hash(lines), pool, result.rows, left)
        written["history"] = [version.packed() for version in (*history, *further)]
    known = {sample.id for sample in (*result.rows, *(outcome.sample for outcome in refused))}
    earlier = [one.row for one in refused_by_people(pool.path) if one.row.get("id") not in known]
    rejected = map(dumps, [*map(rejection_of, refused), *earlier])
    return write_set(output, SetFiles(lines, making.recorded(written, lines), rejected), keep=force)


def _version(
    last: Version, hash: str, pool: Pool, rows: Sequence[Sample], left: Sequence[RowDecision]
) -> list[Version]:
    """Return the version that follows `last` as a list of one, or an empty list if no row changed."""
    if hash == last.hash:
        return []
    known = {sample.id for sample in pool.samples}
    revised = sum(row.id not in known for row in rows)
    counts = {KEEP: len(rows) - revised, REVISE: revised, RETIRE: len(left)}
    changes = [
        {"class": RETIRE, "id": outcome.sample.id, "reason": rejection_of(outcome)["rejected"]["reason"]}
        for outcome in left
    ]
    tally = {kind: count for kind, count in counts.items() if count}
    return [Version(last.number + 1, hash, last.hash, len(rows), last.corpus, tally, {}, changes)]


def _rows(pool: Pool, chosen: ReviewSettings, decisions: Decisions) -> list[Sample]:
    if chosen.raised:
        raised = [sample for sample in pool.samples if Raised.of(sample)]
        if not raised:
            raise InputError(f"nothing to review: no update marked a row of {pool.path} for review")
        return select(raised, replace(chosen.selection, refused=0), pool.thresholds)
    if not chosen.disputed:
        _warn_of_fewer(pool, chosen.selection.refused)
        rows = _unreviewed(pool, decisions) if chosen.unreviewed else pool.samples
        if not rows:
            raise InputError(f"nothing to review: every row of {pool.path} has a decision")
        decisions.note_order(chosen.selection.order)
        return select(rows, chosen.selection, pool.thresholds, pool.refused)
    decided = outcomes(list(pool.by_id().values()), _annotations(decisions))
    samples = [outcome.sample for outcome in decided if outcome.decision == UNDECIDED]
    if not samples:
        raise InputError(f"nothing to settle: no row of {pool.path} has decisions that disagree")
    return select(samples, replace(chosen.selection, refused=0), pool.thresholds)


def _unreviewed(pool: Pool, decisions: Decisions) -> list[Sample]:
    """Return the rows of a set on which nobody decided in this or an earlier review."""
    decided = outcomes(pool.samples, _annotations(decisions))
    return [outcome.sample for outcome in decided if outcome.decision == UNREVIEWED]


def _warn_of_fewer(pool: Pool, wanted: int) -> None:
    """Warn if fewer refused candidates than `wanted` can be shown, and say why."""
    if wanted <= len(pool.refused):
        return
    others = ", ".join(f"{stage} {count}" for stage, count in pool.not_shown.items())
    warnings.warn(
        f"only {len(pool.refused)} of {wanted} refused candidates can be shown: {paths(pool.path)[0].name} contains "
        f"no other question that a filter refused{f' (other lines by stage: {others})' if others else ''}",
        Notice,
        stacklevel=3,
    )


def documents_of(chosen: ReviewSettings, settings: Settings | None) -> Mapping[str, Document] | None:
    """Return the documents of the chosen sources by id, or None if no sources are chosen."""
    if not chosen.sources:
        return None
    settings = settings or Settings()
    with open_store(settings.workspace) as store:
        return load_sources(chosen.sources, settings, store).documents.by_id()


def language_for(chosen: ReviewSettings, pool: Pool) -> str:
    """Return the chosen language, or else the language of most rows."""
    return language_named(chosen.language) if chosen.language else language_of(pool.samples)


def _annotations(decisions: Decisions) -> list[Annotation]:
    return [kept.annotation for kept in decisions.all()]


def _file_for(output: Path, person: str, suffixes: Sequence[str]) -> Path:
    """Return the file of one annotator, with the annotator's name before the suffix."""
    if not person:
        return output
    end = next((suffix for suffix in suffixes if output.name.lower().endswith(suffix)), output.suffix)
    stem = output.name[: len(output.name) - len(end)] if end else output.name
    safe = "".join(char if char.isalnum() or char in "-_" else "_" for char in person)
    return output.with_name(f"{stem}-{safe}{output.name[len(stem) :]}")
