"""The command verify: a check of every row of a set against the corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from synth.core.errors import InputError
from synth.core.jsonl import read_samples
from synth.core.notebook_table import NotebookTable, Tabular
from synth.core.progress import Progress, progress_of
from synth.core.records import Sample, Skipped
from synth.corpus.corpus import Corpus
from synth.testset.dataset import Dataset
from synth.testset.stored_manifest import Manifest, manifest_of
from synth.testset.verification import faults
from synth.workflows.assembly import filters_of_set, set_filters
from synth.workflows.call_files import file_of
from synth.workflows.session import opened_corpus
from synth.workflows.settings import Settings, restored


@dataclass(frozen=True, slots=True)
class Failure:
    """An invalid row: its line, its id and the reason. The id is "" for a line that could not be read."""

    line: int
    id: str
    reason: str


@dataclass(frozen=True, slots=True, repr=False)
class Verified(Tabular):
    """Result of `verify`: number of lines checked, and the invalid rows."""

    checked: int
    failures: tuple[Failure, ...]
    skipped: tuple[Skipped, ...]

    @property
    def valid(self) -> int:
        """Number of valid rows."""
        return self.checked - len(self.failures)

    def notebook_table(self) -> NotebookTable:
        rows = [[failure.line, failure.id, failure.reason] for failure in self.failures]
        return NotebookTable(["line", "row", "fails because"], rows, f"{self.valid} of {self.checked} rows are valid")


def verify(
    testset: str | Path | Dataset,
    sources: str | Path | Sequence[Any],
    settings: Settings | None = None,
    progress: Progress | bool | None = None,
) -> Verified:
    """Check every row of a set against the corpus, and with the filters that need no model.

    The filters are those in the manifest beside the set, or else those of `settings`. Raises InputError if the set or
    the corpus cannot be read, or if the corpus contains no document of the set.

    - `testset`: a path, an address or a Dataset.
    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `progress`: True for lines or bars on stderr.
    """
    testset, progress = file_of(testset), progress_of(progress)
    read = read_samples(testset)
    without_model = by_rules(testset, settings or Settings())
    failures = [Failure(damaged.line, "", damaged.reason) for damaged in read.damaged]
    with (
        opened_corpus(sources, without_model, progress) as (loaded, run),
        progress.stage("verifying", len(read.samples)) as stage,
    ):
        _check_documents(read.samples, run.corpus)
        of_set = set_filters(without_model, run.parts.encoder)
        reasons = faults(read.samples, run.corpus, run.parts.filters, of_set)
        for line, sample, fault in zip(read.lines, read.samples, reasons, strict=True):
            stage.advance()
            if fault:
                failures.append(Failure(line, sample.id, fault))
    checked = len(read.samples) + len(read.damaged)
    return Verified(checked, tuple(sorted(failures, key=lambda f: f.line)), loaded.skipped)


def _check_documents(samples: Sequence[Sample], corpus: Corpus) -> None:
    """Raise InputError if the set has evidence but the corpus contains none of its documents."""
    named = {piece.doc_id: None for sample in samples for piece in sample.evidence}
    if named and not any(doc_id in corpus for doc_id in named):
        raise InputError(
            f"the corpus contains none of the documents of the set, such as '{next(iter(named))}'; "
            "name the folder that the set was made from with --corpus"
        )


def by_rules(testset: Path, settings: Settings) -> Settings:
    """Return the settings without a model, and with the filters and distractors that the manifest of a set names."""
    manifest = manifest_of(testset)
    filters = {**settings.filters, **filters_of_set(manifest, left_out=False)}
    settings = with_distractors(settings, manifest)
    return replace(settings, model=replace(settings.model, name=""), filters=filters)


def with_distractors(settings: Settings, manifest: Manifest) -> Settings:
    """Return the settings with the distractors of a manifest, unless they name distractors themselves."""
    patterns = settings.corpus.distractors or restored(manifest.get("settings", {})).corpus.distractors
    return replace(settings, corpus=replace(settings.corpus, distractors=patterns))
