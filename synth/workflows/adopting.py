"""The command adopt: a testset from a set made elsewhere, with its evidence located in the corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from synth.core.checks import check_lists, check_numbers, check_range
from synth.core.containment import ItemError, contained, contained_so_far
from synth.core.errors import ConfigError, RecordError
from synth.core.installation import versions
from synth.core.jsonl import dumps, sample_to_row
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.progress import Progress, progress_of
from synth.core.records import Sample, Skipped
from synth.core.terminal import counted
from synth.corpus.corpus import Corpus
from synth.generation.filters.base import Filter, SetFilter
from synth.testset.adoption import AdoptedRow, RefusedRow, adopt_row, judged, locator, origin
from synth.testset.foreign.files import read_records
from synth.testset.foreign.rows import Records
from synth.testset.foreign.shapes import foreign, renaming
from synth.testset.locating import MIN_SCORE, Locator
from synth.testset.manifest import CorpusRead, adopted_manifest, paths
from synth.testset.verification import refusals
from synth.workflows.assembly import set_filters
from synth.workflows.overwriting import Making, SetFiles, check_replaceable, write_set
from synth.workflows.session import opened, opened_corpus
from synth.workflows.settings import Settings

ALL_FILTERS = "all"
"""Value of `AdoptionSettings.drop` that means every filter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdoptionSettings:
    """Settings of an adoption.

    - `fields`: maps question, answer, passage, document or id to the name of a field in the file.
    - `min_score`: minimum similarity, from 0.5 to 1, of a passage to the text in the corpus, if there is no exact
      match.
    - `narrow`: keep only the sentences of a passage that contain the answer.
    - `drop`: filters whose objections exclude a row, or "all".
    """

    fields: Mapping[str, str] | None = None
    min_score: float = MIN_SCORE
    narrow: bool = False
    drop: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_lists(self, "drop")
        check_numbers(self)
        check_range("min_score", self.min_score, 0.5, 1)
        renaming(self.fields or {})


@dataclass(frozen=True, slots=True, repr=False)
class Adoption(Tabular):
    """Result of `adopt`: adopted rows, refused rows, the files written, and `errors` of single rows.

    `reviewed` is the path of a copy of the replaced set with people's decisions; None if no decision would have been
    lost.
    """

    rows: tuple[AdoptedRow, ...]
    refused: tuple[RefusedRow, ...]
    skipped: tuple[Skipped, ...]
    output: Path
    rejected: Path
    errors: tuple[ItemError, ...] = ()
    reviewed: Path | None = None

    def notebook_table(self) -> NotebookTable:
        rows = [[row.sample.id, row.method, row.sample.question] for row in self.rows]
        note = f"{counted(len(self.rows), 'row')} adopted, {len(self.refused)} refused"
        return NotebookTable(["id", "located", "question"], rows, note)

    @property
    def methods(self) -> Mapping[str, int]:
        """Number of rows by the method that located their evidence, such as "exact"."""
        return Counter(row.method for row in self.rows)

    @property
    def filters(self) -> Mapping[str, int]:
        """Number of adopted rows that each filter refuses."""
        return dict(sorted(Counter(name for row in self.rows for name in refusals(row.sample)).items()))

    @property
    def signals(self) -> Mapping[str, int]:
        """Number of adopted rows that each advisory rule objects to. Such an objection alone does not refuse a row."""
        return dict(sorted(Counter(name for row in self.rows for name in _signals(row.sample)).items()))

    @property
    def ambiguous(self) -> tuple[AdoptedRow, ...]:
        """Rows whose evidence also occurs in other places."""
        return tuple(row for row in self.rows if any(place.other_places for place in row.places))


def adopt(
    file: str | Path,
    sources: str | Path | Sequence[Any],
    output: str | Path,
    settings: Settings | None = None,
    progress: Progress | bool | None = None,
    adoption: AdoptionSettings | None = None,
    *,
    force: bool = False,
) -> Adoption:
    """Convert a set made elsewhere to a testset, and write it to `output` with the refused rows and a manifest.

    The evidence of each row is located in the corpus. An exact match comes first, then a match that ignores markup,
    white space, width and script, then a similar text. Filters that need no model run, and their verdicts are recorded.

    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `output`: a path or an address.
    - `progress`: True for lines or bars on stderr.

    Raises InputError if the file or the corpus cannot be read. Raises ConfigError for invalid settings, and for an
    output that needs `force` (`check_replaceable`).
    """
    settings, adoption = settings or Settings(), adoption or AdoptionSettings()
    file, output, progress = Path(file), Path(output), progress_of(progress)
    if output.resolve() == file.resolve():
        raise ConfigError(
            f"the set to adopt and the output are both {file}, which would be overwritten; name another output with -o"
        )
    making = Making("adopt", file, file.name)
    check_replaceable(output, making, force=force)
    records = read_records(file)
    without_model = replace(settings, model=replace(settings.model, name=""))
    with opened(without_model) as (_, parts):
        _check_filters(adoption, parts.filters, set_filters(without_model))
    with opened_corpus(sources, without_model, progress) as (loaded, run):
        corpus, parts, of_set = run.corpus, run.parts, set_filters(without_model, run.parts.encoder)
        adopting = _Adopting(file.name, corpus, locator(corpus, adoption.min_score), parts.filters, of_set, adoption)
        with progress.stage("adopting", len(records.rows)) as stage:
            outcomes = []
            for outcome in adopting.outcomes(records):
                outcomes.append(outcome)
                stage.advance()
        rows = tuple(outcome for outcome in outcomes if isinstance(outcome, AdoptedRow))
        refused = [outcome for outcome in outcomes if isinstance(outcome, RefusedRow)]
        refused += [RefusedRow(damaged.line, damaged.reason) for damaged in records.damaged]
        ordered = tuple(sorted(refused, key=lambda outcome: outcome.line))
        done = Adoption(rows, ordered, loaded.skipped, output, paths(output)[0], contained_so_far())
        manifest = adopted_manifest(
            [row.sample for row in rows],
            CorpusRead(corpus=corpus, skipped=loaded.skipped),
            [*parts.filters, *of_set],
            {
                "file": file.name,
                "rows": len(records.rows),
                "methods": dict(sorted(done.methods.items())),
                "refused": len(refused),
            },
        )
    return replace(done, reviewed=_write(done, records, manifest, making, force=force))


@dataclass(frozen=True, slots=True)
class _Adopting:
    """Adoption of the records of one file. `lines` maps the id of each row adopted so far to its line."""

    file: str
    corpus: Corpus
    where: Locator
    filters: Sequence[Filter]
    set_filters: Sequence[SetFilter]
    settings: AdoptionSettings
    lines: dict[str, int] = field(default_factory=dict)

    def outcomes(self, records: Records) -> Iterator[AdoptedRow | RefusedRow]:
        for line, record in records.rows:
            with contained("adopting", f"{self.file}:{line}") as guard:
                outcome = self._outcome(line, record)
            yield RefusedRow(line, f"the adoption raised an error: {guard.error}") if guard.error else outcome

    def _outcome(self, line: int, record: Mapping[str, Any]) -> AdoptedRow | RefusedRow:
        """Adopt or refuse one record."""
        try:
            row = foreign(record, f"{self.file}:{line}", self.settings.fields)
        except RecordError as error:
            return RefusedRow(line, str(error))
        outcome = adopt_row(line, row, self.corpus, self.where, narrow=self.settings.narrow)
        if isinstance(outcome, RefusedRow):
            return outcome
        adopted = replace(outcome.sample, provenance={"author": "adopted", "model": None, "synth": versions()["synth"]})
        known = self.lines.setdefault(adopted.id, line)
        if known != line:
            return RefusedRow(line, f"line {known} already has the same question and evidence")
        sample = judged(adopted, self.corpus, self.filters, self.set_filters)
        for name, reason in {**refusals(sample), **_signals(sample)}.items():
            if name in self.settings.drop or ALL_FILTERS in self.settings.drop:
                return RefusedRow(line, f"{name}: {reason}")
        for filter_ in self.set_filters:
            filter_.hold(sample)
        metadata = {**sample.metadata, "adopted": origin(self.file, line, row, outcome.places)}
        return replace(outcome, sample=replace(sample, metadata=metadata))


def _signals(sample: Sample) -> Mapping[str, str]:
    """Return the objections of advisory rules to an adopted sample, by filter."""
    marks: Mapping[str, str] = sample.metadata.get("signals", {})
    return marks


def _check_filters(adoption: AdoptionSettings, filters: Sequence[Filter], set_filters: Sequence[SetFilter]) -> None:
    known = sorted([*(filter_.name for filter_ in filters), *(filter_.name for filter_ in set_filters)])
    for name in adoption.drop:
        if name not in (*known, ALL_FILTERS):
            raise ConfigError(
                f"no filter '{name}' runs during an adoption; known: {', '.join(known)}, or 'all' for every filter"
            )


def _write(
    done: Adoption, records: Records, manifest: Mapping[str, Any], making: Making, *, force: bool
) -> Path | None:
    source = dict(records.rows)
    lines = ({"line": no.line, "reason": no.reason, "row": source.get(no.line)} for no in done.refused)
    rows = [dumps(sample_to_row(row.sample)) for row in done.rows]
    return write_set(done.output, SetFiles(rows, making.recorded(manifest, rows), map(dumps, lines)), keep=force)
