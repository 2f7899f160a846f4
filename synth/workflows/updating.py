"""The verb update: a set follows its corpus."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from synth.core.errors import InputError
from synth.core.jsonl import lines_of, read_samples
from synth.core.progress import Progress, Silent
from synth.corpus.documents import reasons
from synth.corpus.documents.loading import Loaded
from synth.testset.manifest import manifest_of
from synth.testset.update.alignment import Alignment, KnownCorpus
from synth.testset.update.decision import ExistingRow
from synth.workflows.assembly import still_known
from synth.workflows.generating import checked_against
from synth.workflows.session import load_sources, opened
from synth.workflows.settings import Settings, restored
from synth.workflows.update_job import Updated, UpdateJob
from synth.workflows.update_run import UpdateRun

_LOST = (
    reasons.BINARY, reasons.DAMAGED, reasons.ENCRYPTED, reasons.TOO_LARGE, reasons.UNREADABLE, reasons.UNDECODABLE,
    reasons.FAILED,
)  # fmt: skip


def settings_of_set(testset: Path) -> Settings:
    """The settings that a set was made with, as its manifest tells; where it has none, as many rows of each type."""
    before = manifest_of(testset)
    if not before:
        types = Counter(sample.question_type for sample in read_samples(testset).samples)
        return Settings(n=types.total(), types=dict(types)) if types else Settings()
    settings = restored(before.get("settings", {}))
    tables = {
        filter_["name"]: {k: v for k, v in filter_.items() if k != "name"} for filter_ in before.get("filters", ())
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

    Rows whose evidence stands stay as they are; those whose evidence went elsewhere follow it; those whose
    surroundings changed are judged again; those of which the answer changed are revised; the rest is retired, and
    as many are made anew, of new text first. `settings` are by default those of the set. With `dry_run` nothing is
    written and no model asked; `regenerate` makes every row anew that no person decided on. Raises InputError when
    the set or the corpus cannot be read, or have nothing in common; and, but with `retire_most`, when more than half of
    the rows would be retired, since that is more often the wrong folder than a change.
    """
    base, progress = settings_of_set(testset), progress or Silent()
    settings = settings or base
    before, held = manifest_of(testset), held_rows(testset)
    against = checked_against(settings, output)
    loaded = load_sources(sources, settings)
    samples = [one.sample for one in held if one.sample]
    alignment = Alignment.of(KnownCorpus.of(before, samples), loaded.documents)
    _check(alignment, loaded, held)
    job = UpdateJob(testset, output, settings, base, before, held, loaded, alignment, against, progress)
    if not regenerate and job.nothing_to_do:
        return job.copied(dry_run)
    with opened(settings) as (store, parts):
        run = UpdateRun(job, store, parts)
        return run.updated(dry_run=dry_run, regenerate=regenerate, retire_most=retire_most)


def held_rows(testset: Path) -> list[ExistingRow]:
    """The lines of a set, each with the row that it is."""
    read, lines = read_samples(testset), lines_of(testset)
    samples = dict(zip(read.lines, read.samples, strict=True))
    damage = {damaged.line: damaged.reason for damaged in read.damaged}
    found = []
    for number, text in enumerate(lines, start=1):
        if number in samples:
            found.append(ExistingRow(number, text, json.loads(text.removeprefix("\ufeff")), samples[number]))
        elif number in damage:
            found.append(ExistingRow(number, text, damage=damage[number]))
    if not samples:
        said = f"; the first of its damaged lines: {read.damaged[0].reason}" if read.damaged else ""
        raise InputError(f"the set {testset} has no row to update{said}")
    return found


def _check(alignment: Alignment, loaded: Loaded, held: Sequence[ExistingRow]) -> None:
    """Refuse a corpus that cannot be the set's, or that hides a document which rows draw on."""
    if alignment.foreign:
        raise InputError(
            f"none of the {len(alignment.known.documents)} documents of the set, and nothing of what they said, is in "
            "the corpus: name the folder that the set was made from with --corpus, or make a new set with generate"
        )
    cited = Counter(doc_id for one in held if one.sample for doc_id in {piece.doc_id for piece in one.sample.evidence})
    for skipped in loaded.skipped:
        if skipped.source in alignment.removed and skipped.reason in _LOST and cited[skipped.source]:
            raise InputError(
                f"'{skipped.source}', which {cited[skipped.source]} rows draw on, cannot be read: {skipped.reason} "
                f"{skipped.detail}; mend it, or leave it out with --exclude to retire its rows"
            )
