"""The verb update: a set brought up to its changed corpus."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from synth.annotation.records import sample_hash
from synth.core.containment import collecting
from synth.core.errors import ConfigError, InputError
from synth.core.jsonl import lines_of, read_samples
from synth.core.progress import Progress, Silent
from synth.corpus.documents import reasons
from synth.corpus.documents.loading import Loaded
from synth.models.chat.weights import FILE
from synth.testset.manifest import manifest_of
from synth.testset.update.alignment import Alignment, KnownCorpus
from synth.testset.update.decision import ExistingRow
from synth.workflows.assembly import assemble, stays_on_disk, still_known
from synth.workflows.generating import checked_against
from synth.workflows.overwriting import check_reviewed, decided
from synth.workflows.places import open_store
from synth.workflows.portions import parts_for
from synth.workflows.session import deep_reading, load_sources
from synth.workflows.settings import Settings, restored
from synth.workflows.update_execution import UpdateRun
from synth.workflows.update_job import Updated, UpdateJob

_LOST = (
    reasons.BINARY, reasons.DAMAGED, reasons.ENCRYPTED, reasons.TOO_LARGE, reasons.UNREADABLE, reasons.UNDECODABLE,
    reasons.FAILED,
)  # fmt: skip


def settings_of_set(testset: Path) -> Settings:
    """The settings that a set was made with, by its manifest; without one, the same number of rows of each type."""
    manifest = manifest_of(testset)
    if not manifest:
        types = Counter(sample.question_type for sample in read_samples(testset).samples)
        return Settings(n=types.total(), types=dict(types)) if types else Settings()
    settings = restored(manifest.get("settings", {}))
    tables = {
        filter_["name"]: {k: v for k, v in filter_.items() if k != "name"} for filter_ in manifest.get("filters", ())
    }
    return replace(settings, filters={**settings.filters, **still_known(tables)})


def update(
    testset: Path,
    sources: Sequence[Any],
    output: Path,
    settings: Settings | None = None,
    progress: Progress | None = None,
    *,
    dry_run: bool = False,
    regenerate: bool = False,
    retire_most: bool = False,
) -> Updated:
    """Bring a set up to its corpus, and write it to `output`, which may be `testset` itself.

    Rows with unchanged evidence stay; rows whose evidence moved follow it; rows whose surroundings changed are judged
    again; rows whose answer changed are revised; the others are retired and as many new ones written, from new text
    first. `settings` default to those of the set. With `dry_run` nothing is written and no model asked; `regenerate`
    replaces every row that no person decided on. Raises InputError when set or corpus cannot be read or have nothing in
    common and, without `retire_most`, when more than half of the rows would be retired, which usually means the wrong
    folder.
    """
    set_settings, progress = settings_of_set(testset), progress or Silent()
    settings = settings or set_settings
    manifest, rows = manifest_of(testset), held_rows(testset)
    if output.resolve() != testset.resolve():
        check_reviewed(output)
    against = checked_against(settings, output)
    with collecting(), open_store(settings.workspace) as store:
        loaded = load_sources(sources, settings, kept=store.path.parent if stays_on_disk(settings) else None)
        alignment = Alignment.of(KnownCorpus.of(manifest, [row.sample for row in rows if row.sample]), loaded.documents)
        _check(alignment, loaded, rows)
        job = UpdateJob(testset, output, settings, set_settings, manifest, rows, loaded, alignment, against, progress)
        if not regenerate and job.nothing_to_do:
            return job.copied(dry_run)
        _check_model_files(set_settings, settings)
        parts = parts_for(loaded, settings, assemble(settings, store))
        with deep_reading(settings, store, parts) as reading:
            run = UpdateRun(job, store, parts, reading)
            return run.updated(dry_run=dry_run, regenerate=regenerate, retire_most=retire_most)


def held_rows(testset: Path) -> list[ExistingRow]:
    """The lines of a set with their rows."""
    read, lines = read_samples(testset), lines_of(testset)
    samples = dict(zip(read.lines, read.samples, strict=True))
    damage = {damaged.line: damaged.reason for damaged in read.damaged}
    rows, reviewed = [], decided(testset)
    for number, text in enumerate(lines, start=1):
        if number in samples:
            sample = samples[number]
            is_reviewed = (sample.id, sample_hash(sample)) in reviewed if reviewed else False
            row = json.loads(text.removeprefix("\ufeff"))
            rows.append(ExistingRow(number, text, row, sample, reviewed=is_reviewed))
        elif number in damage:
            rows.append(ExistingRow(number, text, damage=damage[number]))
    if not samples:
        hint = f"; the first of its damaged lines: {read.damaged[0].reason}" if read.damaged else ""
        raise InputError(f"the set {testset} has no row to update{hint}")
    return rows


def _check_model_files(before: Settings, settings: Settings) -> None:
    """Raise ConfigError when the set was made with a model file that is gone, and no other is named."""
    for option, name, earlier in (
        ("--llm", settings.model.name, before.model.name),
        ("--judge", settings.model.judge, before.model.judge),
    ):
        if name == earlier and name.startswith(FILE) and not Path(name.removeprefix(FILE)).expanduser().is_file():
            raise ConfigError(
                f"the set was made with {name}, which is gone; put it back, or name another with {option}"
            )


def _check(alignment: Alignment, loaded: Loaded, rows: Sequence[ExistingRow]) -> None:
    """Refuse a corpus that is not that of the set, or in which a cited document cannot be read."""
    if alignment.unrelated:
        raise InputError(
            f"none of the {len(alignment.known.documents)} documents of the set, nor any of their text, is in "
            "the corpus: name the folder that the set was made from with --corpus, or make a new set with generate"
        )
    cited = Counter(doc_id for row in rows if row.sample for doc_id in {piece.doc_id for piece in row.sample.evidence})
    for skipped in loaded.skipped:
        if skipped.source in alignment.removed and skipped.reason in _LOST and cited[skipped.source]:
            raise InputError(
                f"'{skipped.source}', the evidence of {cited[skipped.source]} rows, cannot be read: {skipped.reason} "
                f"{skipped.detail}; repair it, or leave it out with --exclude to retire its rows"
            )
