"""The commands generate and plan: make a testset from documents, or tell what the documents allow."""

from __future__ import annotations

import weakref
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from synth.core.addresses import is_address
from synth.core.containment import ItemError, contained_so_far
from synth.core.errors import ConfigError, InputError
from synth.core.jsonl import dumps, read_samples, sample_to_row
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.output_files import check_output
from synth.core.progress import Progress, Silent, progress_of
from synth.core.records import Sample, Skipped
from synth.core.terminal import counted
from synth.corpus.documents.loading import Sources
from synth.generation.admission import RowGoal, RunResult
from synth.generation.difficulty import DifficultyMeasure
from synth.generation.judge_controls import trusted
from synth.generation.pipeline import Checks, quotas, with_further_evidence
from synth.generation.planning import Plan, exhausted, nearer
from synth.generation.planning import plan as plan_of
from synth.generation.quotas import Balance, Cell, moved, spread
from synth.models.chat.openai import without_credentials
from synth.testset.dataset import Dataset
from synth.testset.manifest import AuthorRecord, CorpusRead, manifest, paths, rejected_row
from synth.testset.stored_manifest import check_format
from synth.testset.update.history import first_version
from synth.workflows.assembly import Assembly, check_personas, set_filters
from synth.workflows.authors import Author, author_of, check_author
from synth.workflows.call_files import typed_sources
from synth.workflows.decided_rows import unwanted_of_folder
from synth.workflows.endpoints import reach
from synth.workflows.overwriting import Replaced, SetFiles, write_set
from synth.workflows.places import local_set
from synth.workflows.proposing import brief_of, material_of
from synth.workflows.session import (
    Run,
    deep_reading,
    difficulty_of,
    load_sources,
    open_corpus,
    opened,
    opened_corpus,
)
from synth.workflows.settings import NOT_RECORDED, Settings

ROUNDS = 4
"""Maximum number of further rounds with other shares, if the corpus does not allow the requested ones."""


@dataclass(frozen=True, slots=True, repr=False)
class Generated(Tabular):
    """Result of `generate`: the rows, the refused candidates, the files left out, and the manifest.

    - `dataset`: the rows as a `Dataset`. If there is no output, its files are in a temporary folder that is deleted
      with the dataset.
    - `output`, `rejected`: paths of the set and of the refused candidates.
    - `errors`: errors of single items.
    - `kept`: the existing set that was not replaced because this run made only part of a set, or None.
    - `reviewed`: path of a copy of the replaced set with people's decisions; None if no decision would have been lost.
    - `replaced`: number of rows of the replaced set.
    - `shortage`: why rows are missing and what to do; "" if none is missing or the run ended early.
    """

    outcome: RunResult
    skipped: tuple[Skipped, ...]
    manifest: Mapping[str, Any]
    output: Path | str
    rejected: Path | str
    errors: tuple[ItemError, ...] = ()
    kept: Path | str | None = None
    reviewed: Path | str | None = None
    held: Dataset | None = None
    replaced: int = 0
    shortage: str = ""

    @property
    def dataset(self) -> Dataset:
        """The rows of this run as a dataset."""
        return self.held or Dataset.of(sample_to_row(sample) for sample in self.outcome.samples)

    def notebook_table(self) -> NotebookTable:
        asked, count = sum(self.outcome.wanted.values()), len(self.outcome.samples)
        made, stopped = f"{count} of {counted(asked, 'row')}", self.outcome.stopped
        notes = [f"{made} made: {stopped}" if stopped else self.shortage or made]
        if self.replaced:
            notes.append(f"{self.output} contained {counted(self.replaced, 'row')} before")
        if self.kept:
            notes.append(f"{self.kept} was not changed; these rows are in {self.output}")
        return replace(self.dataset.notebook_table(), note="; ".join(notes))


def generate(
    sources: str | Path | Sequence[Any],
    output: str | Path | None = None,
    settings: Settings | None = None,
    progress: Progress | bool | None = None,
    *,
    force: bool = False,
) -> Generated:
    """Make a testset from documents and write it to `output`, with the refused candidates and the manifest beside it.

    Without an `output`, the set is only in `dataset` of the result. `Dataset.save` writes its rows.

    - `output`: a path or an address.
    - `sources`: folders, files, addresses such as s3://bucket/folder, Documents or LangChain Documents, one or several.
    - `force`: also replace a set of other documents, or a set that people worked on.
    - `progress`: True for lines or bars on stderr.

    The files are written even if there are fewer rows than `settings.n`. `outcome.shortfall` counts the missing rows,
    and the `funnel` in the manifest shows at which stage candidates were lost. `outcome.stopped` is the reason why the
    run ended early, such as a spent budget. A partial set never replaces a complete one; it is written beside it
    (`Replaced.target`).

    Raises InputError if nothing can be read. Raises ConfigError for an invalid setting, and for an output that needs
    `force`. Raises ModelError if the chat model cannot be used, and UntrustedModel if its judge fails the trial.
    """
    if output is None:
        return _unwritten(sources, settings, progress)
    settings, progress = settings or Settings(), progress_of(progress)
    with local_set(output) as local:
        made = _generated(sources, local, settings, progress, force=force)
    if is_address(output):
        folder = str(output).rpartition("/")[0]

        def remote(path: Path | str | None) -> str:
            return f"{folder}/{Path(path).name}" if path else ""

        made = replace(
            made,
            output=remote(made.output),
            rejected=remote(made.rejected),
            kept=remote(made.kept) or None,
            reviewed=remote(made.reviewed) or None,
        )
    return replace(made, shortage=_shortage(made, settings))


def _shortage(result: Generated, settings: Settings) -> str:
    """Return why rows are missing and what to do; "" if none is missing or the run ended early."""
    outcome = result.outcome
    if outcome.stopped or not outcome.shortfall:
        return ""
    missing = f"missing: {missing_rows(outcome.short_cells) or missing_rows(outcome.shortfall)}"
    reason = "with the types nearest to the request" if settings.nearest else missing
    return (
        f"{len(outcome.samples)} of {counted(sum(outcome.wanted.values()), 'row')} could be made ({reason}); "
        f"{_cause(result, with_model=bool(settings.model.name))}"
    )


def _cause(result: Generated, *, with_model: bool) -> str:
    """Return why the missing rows could not be made, and what to do."""
    tried = sum(tally.get("tried", 0) for tally in result.outcome.funnel.values())
    if tried:
        return (
            f"{counted(tried, 'candidate')} tried, {result.rejected} contains the reason for each one refused; "
            f"add documents, {'or ask' if with_model else 'ask'} for fewer rows"
            f"{'' if with_model else ', or name a chat model with --llm'}"
        )
    if with_model:
        return "the model proposed no question about these documents; add documents, or name another model with --llm"
    return (
        "the documents contain nothing to ask about without a chat model, such as headings with lists, tables, steps, "
        "rules or definitions below them, or questions with answers, in English or Chinese; "
        "add such documents, or name a chat model with --llm"
    )


def scarcity(scarce: Mapping[str, tuple[int, int]]) -> str:
    """Return as text which levels of difficulty gave few rows. `scarce` is the field of `RunResult`."""
    levels = ", ".join(f"{name} questions ({rows} of {wanted})" for name, (rows, wanted) in scarce.items())
    return (
        f"your documents, or the model, give few {levels}; lower their share with --difficulty, or let other levels "
        "replace them with --nearest"
    )


def missing_rows(short: Mapping[Any, int]) -> str:
    """Return the numbers of missing rows as text, by type or by type and level."""
    named = (
        (kind, count) if isinstance(kind, str) else (" ".join(reversed(kind)), count) for kind, count in short.items()
    )
    return ", ".join(f"{count} {name}" for name, count in named)


def _unwritten(sources: Sources, settings: Settings | None, progress: Progress | bool | None) -> Generated:
    """Run `generate` in a temporary folder, which is removed together with the dataset of the result."""
    folder = mkdtemp(prefix="synth-")
    try:
        made = generate(sources, Path(folder) / "testset.jsonl", settings, progress)
        dataset = Dataset.load(made.output)
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise
    dataset.is_temporary = True
    weakref.finalize(dataset, rmtree, folder, ignore_errors=True)
    return replace(made, held=dataset)


def _generated(sources: Sources, output: Path, settings: Settings, progress: Progress, *, force: bool) -> Generated:
    check_output(output)
    check_personas(settings)
    check_author(settings)
    against = checked_against(settings, output)
    replaced = Replaced(output, force=force, wanted=settings.n, sources=typed_sources(sources))
    replaced.warn_of_fewer(settings.n)
    with opened(settings) as (store, parts), deep_reading(settings, store, parts) as reading:
        reach(parts.models)
        loaded = load_sources(sources, settings, store)
        replaced.check_corpus(loaded.documents)
        unwanted = unwanted_of_folder(output, output, loaded.documents.ids, settings.against)
        corpus = open_corpus(loaded, settings, store, parts, progress, reading)
        run = Run(settings, corpus, store, parts, reading, progress)
        author = author_of(run, rows=settings.n)
        author.prepare()
        outcome = searched(run, author, quotas(settings.type_shares, settings.n), unwanted.samples)
        author.learn(outcome)
        made = manifest_of_run(run, author, outcome, loaded.skipped, against)
        left_out = contained_so_far()
    lines = [dumps(sample_to_row(sample)) for sample in outcome.samples]
    version = first_version(lines, made["corpus"]["hash"])
    made = {**made, "set": {**made["set"], **version.names}, "history": [version.packed()]}
    is_whole = not outcome.shortfall and not outcome.stopped and trusted(outcome.controls)
    target = replaced.target(len(lines), made["settings"], stopped=bool(outcome.stopped), is_whole=is_whole)
    rejected = [dumps(rejected_row(item)) for item in outcome.rejected] + unwanted.lines(but=outcome.samples)
    reviewed = write_set(target.path, SetFiles(lines, made, rejected), keep=force, without=target.without)
    return Generated(
        outcome,
        loaded.skipped,
        made,
        target.path,
        paths(target.path)[0],
        left_out,
        target.kept,
        reviewed,
        replaced=target.before,
    )


def manifest_of_run(
    run: Run, author: Author, outcome: RunResult, skipped: Sequence[Skipped], against: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the manifest of the set of a run."""
    settings, parts = run.settings, run.parts
    calls = parts.driver.accounts.total("calls")
    return manifest(
        outcome,
        CorpusRead(corpus=run.corpus, skipped=skipped),
        AuthorRecord(
            calls={} if author.is_free and not calls else _spent(parts),
            on_demand=author.on_demand(),
            brief=None if author.is_free else run.corpus.brief,
            trial=author.trial.packed() if author.trial else None,
        ),
        settings=shown(settings),
        filters=[*parts.filters, *set_filters(settings)],
        against=against,
    )


def brief(sources: str | Path | Sequence[Any], settings: Settings, progress: Progress | bool | None = None) -> str:
    """Return the brief of the documents: a short description that a chat model writes.

    In a run, the brief is shown to the author and the judge.

    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `progress`: True for lines or bars on stderr.

    Raises ConfigError if no chat model is named, and the errors of `generate`.
    """
    if not settings.model.name:
        raise ConfigError("only a chat model can write a brief; name a chat model with --llm")
    with opened_corpus(sources, settings, progress_of(progress)) as (_, run):
        return brief_of(run, material_of(run)[0])


def plan(
    sources: str | Path | Sequence[Any], settings: Settings | None = None, progress: Progress | bool | None = None
) -> Plan:
    """Return the number of rows of each type that the documents allow, and the nearest possible shares.

    Without a chat model, the run is carried out but nothing is written, so the figures are exact. With a chat model,
    nothing is sent, and the figures count the passages that would be asked about. Raises the errors of `generate`.

    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `progress`: True for lines or bars on stderr.
    """
    settings, progress = settings or Settings(), progress_of(progress)
    check_personas(settings)
    check_author(settings)
    with opened_corpus(sources, settings, progress) as (_, run):
        return _planned(run)


@dataclass(frozen=True)
class _Rounds:
    """The rounds of one run. Each round tries to make other numbers of rows by type and difficulty."""

    run: Run
    author: Author
    existing: Sequence[Sample] = ()
    fresh: Collection[str] = ()

    @cached_property
    def difficulty(self) -> DifficultyMeasure:
        return difficulty_of(self.run.corpus, self.run.settings, self.run.parts)

    def round(self, wanted: Mapping[str, int], cells: Mapping[Cell, int], progress: Progress) -> RunResult:
        """Carry out one round for these numbers of rows by type, and by cell (type and level of difficulty)."""
        settings, parts = self.run.settings, self.run.parts
        of_set = set_filters(settings, parts.encoder)
        for filter_, sample in product(
            of_set, read_samples(Path(settings.against)).samples if settings.against else ()
        ):
            filter_.hold(sample)
        gentle = {tag: share for tag, share in self.author.gentle_limits.items() if tag not in settings.limits}
        goal = RowGoal(
            rows=wanted,
            balance=Balance(cells, settings.limits, gentle),
            existing=self.existing,
            fresh=self.fresh,
            exchange=settings.exchanges,
        )
        checks = Checks(parts.filters, of_set, self.difficulty)
        return self.author.rows(goal, checks, progress)

    def best(self, wanted: Mapping[str, int], made: RunResult | None = None) -> RunResult:
        """Return the best round. If the corpus does not allow the requested shares, further rounds use other shares.

        Types exchange rows of different levels first. If types may replace one another, other types make up for a type
        with too few rows. Only with `nearest` do other levels make up for a level. `made` is the first round, or None
        if it has not run. Types compete for documents and evidence, so the last round may not have the most rows.
        """
        settings = self.run.settings
        shares, nearest = settings.difficulty, settings.nearest
        cells, most = spread(wanted, shares) if shares else {}, dict[Cell, int]()
        outcome = best = made or self.round(wanted, cells, self.run.progress)
        for _ in range(ROUNDS):
            if outcome.stopped or self.author.exchanges_types:
                break
            if cells:
                most.update(exhausted(outcome, cells))
                other = moved(cells, most, freely=nearest)
                least = len(outcome.samples) + 1 if nearest else sum(cells.values())
                if other != cells and sum(other.values()) >= least:
                    cells = other
                    outcome = self.round(wanted, cells, Silent())
                    best = _larger(best, outcome)
                    continue
            other_types = nearer(outcome) if settings.exchanges else None
            if not other_types:
                break
            wanted = other_types
            cells = moved(spread(wanted, shares), most, freely=nearest) if shares else {}
            outcome = self.round(wanted, cells, Silent())
            best = _larger(best, outcome)
        return replace(best, stopped=outcome.stopped)


def _larger(best: RunResult, outcome: RunResult) -> RunResult:
    """Return the round with more rows. With equal numbers, return the earlier one, which is nearer to the request."""
    return outcome if len(outcome.samples) > len(best.samples) else best


def searched(
    run: Run,
    author: Author,
    wanted: Mapping[str, int],
    existing: Sequence[Sample] = (),
    fresh: Collection[str] = (),
) -> RunResult:
    """Return rows of each type as the settings require. Raises the errors of `generate`.

    `existing` are rows that the set already contains. `fresh` are ids of documents or passages to ask about first.
    """
    outcome = _Rounds(run, author, existing, fresh).best(wanted)
    return with_further_evidence(outcome, run.corpus, run.progress)


def checked_against(settings: Settings, output: Path) -> Mapping[str, Any]:
    """Return the manifest entry for the set whose questions must not be repeated, or {} if none is named.

    Raises InputError if that set has no row. Raises ConfigError if it would be overwritten, or if the filter that
    compares questions is left out.
    """
    if not settings.against:
        return {}
    path = Path(settings.against)
    if path.resolve() == output.resolve():
        raise ConfigError(
            f"--against and the output name the same file {path}, which would be overwritten; "
            "name another output with -o"
        )
    if settings.filters.get("duplicate") is False:
        raise ConfigError(
            "--against needs the filter 'duplicate', but the settings switch it off; remove duplicate = false"
        )
    check_format(path)
    read = read_samples(path)
    if not read.samples:
        said = f"; the first damaged line: {read.damaged[0].reason}" if read.damaged else ""
        raise InputError(f"the set {path} contains no row to compare with{said}")
    return {"rows": len(read.samples), "damaged": [damaged.reason for damaged in read.damaged]}


def _planned(run: Run) -> Plan:
    asked = quotas(run.settings.type_shares, run.settings.n)
    cells = spread(asked, run.settings.difficulty) if run.settings.difficulty else {}
    author = author_of(run)
    scenarios, rounds = author.scenarios(asked), _Rounds(replace(run, progress=Silent()), author)
    if not author.is_free:
        return plan_of(author.material, scenarios, asked, cells)
    everything = {kind: len(found) for kind, found in scenarios.items()}
    trials = [rounds.round(asked, cells, Silent()), rounds.round(everything, {}, Silent())]
    found = plan_of(author.material, scenarios, asked, cells, trials)
    return replace(found, nearest=_offered(rounds, asked, None if cells else trials[0])) if found.shortfall else found


def _offered(rounds: _Rounds, asked: Mapping[str, int], made: RunResult | None) -> Mapping[str, int]:
    """Return the numbers of rows by type that a run can reach, as near as possible to the request.

    They are found by trial runs. Maxima of single types cannot be combined, because types compete for documents. `made`
    is the round for the request, or None if it has not run.
    """
    freely = replace(rounds.run, settings=replace(rounds.run.settings, nearest=True, difficulty={}))
    outcome = replace(rounds, run=freely).best(asked, made)
    for _ in range(ROUNDS):
        if not outcome.shortfall:
            break
        left = {kind: outcome.wanted[kind] - outcome.shortfall.get(kind, 0) for kind in asked}
        outcome = rounds.round(left, {}, Silent())
    return {kind: outcome.wanted[kind] - outcome.shortfall.get(kind, 0) for kind in asked}


def _spent(parts: Assembly) -> dict[str, Any]:
    """Return calls, tokens and cost of the models. The cost of models with an unknown price is left out."""
    return {**parts.driver.accounts.summary(), "cost": round(parts.driver.budget.cost, 6)}


def shown(settings: Settings) -> dict[str, Any]:
    """Return the settings for the manifest, without secrets and without settings that do not affect rows."""
    told = {**asdict(settings), "types": dict(settings.type_shares)}
    told["model"]["headers"] = sorted(told["model"]["headers"])
    for name in ("base_url", "judge_url", "encoder_url"):
        told["model"][name] = _shown_address(told["model"][name])
    for name in NOT_RECORDED:
        section, _, inner = name.rpartition(".")
        del (told[section] if section else told)[inner]
    return told


def _shown_address(url: str) -> str:
    """Return an address without credentials, or "" if the address is malformed."""
    try:
        return url and without_credentials(url)
    except ConfigError:
        return ""
