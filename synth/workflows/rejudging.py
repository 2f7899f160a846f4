"""The command rejudge: a set and its refused candidates judged again under other thresholds, from stored replies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from synth.core.checks import check_least
from synth.core.errors import InputError
from synth.core.jsonl import dumps, read_samples, sample_to_row
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.progress import Progress, progress_of
from synth.core.records import WITH_PLACES, Sample, Scenario, Verdict
from synth.core.terminal import counted
from synth.corpus.corpus import Corpus
from synth.generation.admission import RowGoal, RunResult
from synth.generation.filters.base import RATINGS, Filter
from synth.generation.filters.judged import TRIED, Judged
from synth.generation.pipeline import Checks, judge_again, quotas, with_further_evidence
from synth.generation.quotas import Balance
from synth.testset.dataset import Dataset
from synth.testset.manifest import paths, refreshed, rejected_row
from synth.testset.refused import Refused, Rejection, read_refused
from synth.testset.stored_manifest import Manifest, manifest_of
from synth.workflows.assembly import kept_replies, set_filters
from synth.workflows.call_files import file_of
from synth.workflows.overwriting import Making, SetFiles, check_replaceable, rejected_by_people, write_set
from synth.workflows.session import asked_graph, difficulty_of, opened_corpus
from synth.workflows.settings import Settings, owned, recorded_model
from synth.workflows.update_job import settings_of_set

_MEASURED = (*WITH_PLACES, "category", "difficulty", "difficulty_signals", "tags")


@dataclass(frozen=True, slots=True, repr=False)
class Rejudged(Tabular):
    """Result of `rejudge`: the outcome, and the rows that were added and removed.

    `reviewed` is the path of a copy of the replaced set with people's decisions; None if no decision would have been
    lost.
    """

    outcome: RunResult
    added: tuple[Sample, ...]
    removed: tuple[Sample, ...]
    output: Path
    rejected: Path
    reviewed: Path | None = None

    def notebook_table(self) -> NotebookTable:
        changes = (("added", self.added), ("removed", self.removed))
        rows = [[what, row.id, row.question] for what, samples in changes for row in samples]
        return NotebookTable(["row", "id", "question"], rows, f"{counted(len(self.outcome.samples), 'row')}")


@dataclass(frozen=True)
class Recalled(Filter):
    """Filter that applies new thresholds to the stored verdicts of a judge, without a request.

    `before` maps sample ids to verdicts. A refused row of a type in `TRIED` stays refused: such a row needs a second
    check by the judge, which was never made.
    """

    name: ClassVar[str] = Judged.name
    order: ClassVar[int] = Judged.order
    proves: ClassVar[bool] = True
    before: Mapping[str, Verdict] = field(default_factory=dict)
    min_natural: int = Judged.min_natural
    min_matters: int = Judged.min_matters

    def check(self, sample: Sample, corpus: Corpus) -> Verdict:
        verdict = self.before.get(sample.id)
        if verdict is None:
            return self.verdict(False, "no verdict of the judge is stored for this row")
        if verdict.score is None or (not verdict.kept and sample.question_type in TRIED):
            return replace(verdict, kept=False)
        ratings = {
            "natural": verdict.score,
            "matters": sample.metadata.get(RATINGS, {}).get("matters", self.min_matters),
        }
        for name, least in (("natural", self.min_natural), ("matters", self.min_matters)):
            if ratings[name] < least:
                reason = f"the judge rates '{name}' {ratings[name]:g} of 5, at least {least} needed"
                return replace(verdict, kept=False, reason=reason)
        return replace(verdict, kept=True)


def rejudge(
    testset: str | Path | Dataset,
    sources: str | Path | Sequence[Any],
    output: str | Path,
    settings: Settings | None = None,
    progress: Progress | bool | None = None,
    n: int | None = None,
    *,
    force: bool = False,
) -> Rejudged:
    """Judge the rows of a set, and then its refused candidates, under the thresholds of `settings`.

    Other settings come from the manifest beside the set, except those that only the user may decide, such as models and
    files. `n` changes the number of rows. No question is written and no model is asked. A row is refused if its verdict
    needs a reply that is not stored.

    - `testset`: a path, an address or a Dataset.
    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `output`: a path or an address.
    - `progress`: True for lines or bars on stderr.

    Raises InputError if the set, its refused candidates or its manifest cannot be read. Raises ConfigError for an
    output that needs `force` (`check_replaceable`).
    """
    testset, output = file_of(testset), file_of(output)
    if n is not None:
        check_least("n", n, 1)
    making = Making.of_set("rejudge", testset)
    check_replaceable(output, making, force=force)
    given, progress = settings or Settings(), progress_of(progress)
    original = _manifest(testset)
    settings = _merged(settings_of_set(testset), given)
    asked = recorded_model(original["settings"])
    # The model name is only a label for stored verdicts of its judge; no request is sent.
    settings = replace(settings, model=replace(settings.model, name=settings.model.name or asked.name))
    wanted = quotas(original["set"]["wanted"], n) if n else original["set"]["wanted"]
    rows = [(_scenario(sample), _bare(sample)) for sample in read_samples(testset).samples]
    candidates = _candidates(paths(testset)[0])
    of_people = {one.row.get("id"): one.row for one in rejected_by_people(testset)}
    candidates = [one for one in candidates if one.row.get("id") not in of_people]
    refused = [(_scenario(one.sample, one.rejection), _bare(one.sample)) for one in candidates if one.sample]
    unwritten = [one.row for one in candidates if not one.sample]
    known = {sample.id for _, sample in rows}
    with opened_corpus(sources, settings, progress, asks=False) as (_, run):
        corpus, parts = run.corpus, run.parts
        filters = [
            Recalled(_verdicts(testset, candidates), filter_.min_natural, filter_.min_matters)
            if isinstance(filter_, Judged)
            else filter_
            for filter_ in parts.filters
        ]
        difficulty = difficulty_of(corpus, settings, parts)
        outcome = judge_again(
            [*rows, *refused],
            RowGoal(rows=wanted, balance=Balance(limits=settings.limits)),
            Checks(filters, set_filters(settings, parts.encoder), difficulty),
            kept_replies(asked, run.store),
            progress,
            asked_graph(run),
        )
        outcome = with_further_evidence(outcome, corpus, progress)
        all_filters = [*parts.filters, *set_filters(settings)]
    lines = [dumps(sample_to_row(sample)) for sample in outcome.samples]
    made = making.recorded(refreshed(original, outcome, all_filters), lines)
    rejected = map(dumps, [*map(rejected_row, outcome.rejected), *unwritten, *of_people.values()])
    reviewed = write_set(output, SetFiles(lines, made, rejected), keep=force)
    now = {sample.id for sample in outcome.samples}
    came = tuple(sample for sample in outcome.samples if sample.id not in known)
    went = tuple(sample for _, sample in rows if sample.id not in now)
    return Rejudged(outcome, came, went, output, paths(output)[0], reviewed)


def _verdicts(testset: Path, refused: Iterable[Refused]) -> dict[str, Verdict]:
    """Return the verdicts of the judge on rows and refused candidates, by sample id."""
    verdicts: dict[str, Verdict] = {}
    for sample in read_samples(testset).samples:
        verdicts.update((sample.id, verdict) for verdict in sample.verdicts if verdict.filter == Judged.name)
    for candidate in refused:
        rejection = candidate.rejection
        if candidate.sample and rejection.get("stage") == Judged.name:
            verdicts[candidate.sample.id] = Verdict(
                filter=Judged.name, kept=False, reason=rejection.get("reason", ""), score=rejection.get("score")
            )
    return verdicts


def _manifest(testset: Path) -> Manifest:
    path, manifest = paths(testset)[1], manifest_of(testset)
    if not path.exists():
        raise InputError(f"rejudge needs the manifest {path}, which does not exist; name a set that generate wrote")
    if "settings" in manifest and manifest.get("set", {}).get("wanted") and manifest.get("filters"):
        return manifest
    raise InputError(
        f"{path} is not the manifest of a generated set; restore the manifest that generate wrote beside the set"
    )


def _merged(original: Settings, given: Settings) -> Settings:
    """Return the settings of the set with the thresholds, limits and bands of `given`.

    Settings that a set may not decide come from `given` too.
    """
    filters: dict[str, Any] = dict(original.filters)
    for name, table in given.filters.items():
        before = filters.get(name)
        filters[name] = {**before, **table} if isinstance(table, Mapping) and isinstance(before, Mapping) else table
    merged: Settings = owned(original, given)
    return replace(
        merged,
        filters=filters,
        limits={**original.limits, **given.limits},
        bands=given.bands if given.bands != Settings().bands else original.bands,
    )


def _candidates(path: Path) -> list[Refused]:
    candidates, errors = read_refused(path)
    if errors:
        raise errors[0]
    return candidates


def _bare(sample: Sample) -> Sample:
    """Return a sample without verdicts and measurements."""
    metadata = {name: value for name, value in sample.metadata.items() if name not in _MEASURED}
    return replace(sample, metadata=metadata, verdicts=())


def _scenario(sample: Sample, rejection: Rejection | None = None) -> Scenario:
    return Scenario(
        scenario_id=(rejection or {}).get("scenario", sample.id),
        synthesizer="",
        question_type=sample.question_type,
        chunk_ids=tuple(dict.fromkeys(piece.chunk_id for piece in sample.evidence)),
        language=sample.language,
    )
