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
from synth.testset.stored_manifest import Manifest, manifest_of
from synth.testset.update.alignment import Alignment, KnownCorpus
from synth.testset.update.decision import ExistingRow
from synth.workflows.assembly import assemble, filters_of_set, stays_on_disk
from synth.workflows.generating import checked_against
from synth.workflows.overwriting import Making, check_replaceable, decided
from synth.workflows.places import open_store
from synth.workflows.portions import parts_for
from synth.workflows.session import deep_reading, load_sources
from synth.workflows.settings import ModelSettings, Settings, restored, typed_options, withheld
from synth.workflows.update_execution import UpdateRun
from synth.workflows.update_job import Updated, UpdateJob

_LOST = (
    reasons.BINARY, reasons.DAMAGED, reasons.ENCRYPTED, reasons.TOO_LARGE, reasons.UNREADABLE, reasons.UNDECODABLE,
    reasons.FAILED,
)  # fmt: skip


def settings_of_set(testset: Path, model: ModelSettings | None = None) -> Settings:
    """The settings that a set may decide, by its manifest; without one, the same number of rows of each type.

    Models, addresses, keys, files and folders are the user's: `model` is the chat model, and the other settings have
    their defaults.
    """
    manifest = manifest_of(testset)
    if not manifest:
        types = Counter(sample.question_type for sample in read_samples(testset).samples)
        return Settings(n=types.total(), types=dict(types)) if types else Settings()
    return replace(restored(manifest.get("settings", {}), model), filters=filters_of_set(manifest))


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
    without_model: bool = False,
    force: bool = False,
) -> Updated:
    """Bring a set up to its corpus, and write it to `output`, which may be `testset` itself.

    Rows with unchanged evidence stay; rows whose evidence moved follow it; rows whose surroundings changed are judged
    again; rows whose answer changed are revised; the others are retired and as many new ones written, from new text
    first. `settings` default to those that a set may decide (`settings_of_set`). With `dry_run` nothing is written and
    no model asked; `regenerate` replaces every row that no person decided on. Raises InputError when set or corpus
    cannot be read or have nothing in common and, without `retire_most`, when more than half of the rows would be
    retired, which usually means the wrong folder. Raises ConfigError when the set was made with a chat model and the
    settings name none, unless the rules alone are to decide, `without_model`; and for an output that is not replaced
    without `force` (`check_replaceable`).
    """
    progress = progress or Silent()
    set_settings = settings_of_set(testset, settings.model if settings else None)
    settings = settings or set_settings
    manifest, rows = manifest_of(testset), held_rows(testset)
    making = Making.of_set("update", testset)
    if not dry_run:
        check_replaceable(output, making, force=force)
    against = checked_against(settings, output)
    with collecting(), open_store(settings.workspace) as store:
        loaded = load_sources(sources, settings, kept=store.path.parent if stays_on_disk(settings) else None)
        alignment = Alignment.of(KnownCorpus.of(manifest, [row.sample for row in rows if row.sample]), loaded.documents)
        _check(alignment, loaded, rows)
        job = UpdateJob(
            testset, output, settings, set_settings, manifest, rows, loaded, alignment, against, progress, making, force
        )
        if not regenerate and job.nothing_to_do:
            return job.copied(dry_run)
        if not (dry_run or without_model):
            _check_model(manifest, settings)
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


def _check_model(manifest: Manifest, settings: Settings) -> None:
    """Raise ConfigError when the set was made with a chat model and this run has none."""
    missing = withheld(manifest.get("settings", {}), settings)
    if settings.author == "chat" or "model.name" not in missing:
        return
    options = typed_options({name: value for name, value in missing.items() if name.startswith("model.")})
    raise ConfigError(
        "the set was made with a chat model, which a set cannot choose; if you trust where it comes from, add "
        f"{options}; to go on by the rules alone, without a chat model, add --without-model"
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
