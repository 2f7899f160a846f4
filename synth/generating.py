"""The verbs generate and plan: documents become a testset, or what could be made of them is told."""

from __future__ import annotations

import json
from collections.abc import Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import Any

from synth.config import Assembly, manner, set_filters
from synth.errors import ConfigError, InputError
from synth.filters.base import Corpus
from synth.history import first
from synth.installed import versions
from synth.jsonl import dumps, read_samples, sample_to_row, write_atomic, write_rows
from synth.manifest import manifest, paths, rejected_row
from synth.opening import corpus_of, material_of, opened, read_corpus
from synth.pipeline import Outcome, plans, quotas, synthesize
from synth.planning import Plan, nearer
from synth.planning import plan as plan_of
from synth.progress import Progress, Silent
from synth.records import Sample, Skipped
from synth.settings import Settings
from synth.transforms.build import Counts
from synth.writer import Material

LAG = 128
"""How many scenarios may be under way at a chat model before the outcome of the first of them is taken in."""

ROUNDS = 4
"""How often a run is made again with other shares, where the corpus could not give those asked for."""


@dataclass(frozen=True, slots=True)
class Generated:
    """What `generate` made: the rows and the refused, the files left out, the manifest, and where it all is."""

    outcome: Outcome
    skipped: tuple[Skipped, ...]
    manifest: Mapping[str, Any]
    output: Path
    rejected: Path
    counts: Mapping[str, Counts]


def generate(
    sources: Sequence[Any], output: Path, settings: Settings | None = None, progress: Progress | None = None
) -> Generated:
    """Make a testset from documents and write it to `output`, with the refused and the manifest beside it.

    `sources` are folders, files, LangChain documents or synth Documents. All three files are written
    even when fewer rows than `settings.n` could be made: `outcome.shortfall` says how many are
    missing, the manifest's funnel where they were lost. Raises InputError when nothing can be read,
    ConfigError for a setting that makes no sense, ModelError when the chat model cannot be used.
    """
    settings, progress = settings or Settings(), progress or Silent()
    against = checked_against(settings, output)
    with opened(settings) as (store, parts):
        built = read_corpus(sources, settings, store, parts, progress)
        material, lazy = material_of(built, settings, parts, store, progress)
        corpus = corpus_of(built.graph, settings)
        outcome = searched(settings, material, corpus, parts, quotas(settings.types, settings.n), progress)
        for _ in range(ROUNDS if settings.nearest else 0):
            if wanted := nearer(outcome):
                outcome = searched(settings, material, corpus, parts, wanted, progress)
        made = manifest(
            settings=shown(settings),
            documents=list(built.graph.documents()),
            skipped=built.skipped,
            outcome=outcome,
            graph=built.graph.stats(),
            versions=versions(),
            gates=[*parts.filters, *set_filters(settings)],
            model=parts.driver.accounts.summary() if settings.author == "chat" else {},
            lazy=lazy.counts(),
            against=against,
        )
    rows = [sample_to_row(sample) for sample in outcome.samples]
    version = first([dumps(row) for row in rows], made["corpus"]["hash"])
    made = {**made, "set": {**made["set"], **version.names}, "history": [version.packed()]}
    rejected_path, manifest_path = paths(output)
    write_rows(rejected_path, (rejected_row(item) for item in outcome.rejected))
    write_atomic(manifest_path, json.dumps(made, ensure_ascii=False, indent=2) + "\n")
    write_rows(output, rows)
    return Generated(outcome, built.skipped, made, output, rejected_path, built.counts)


def plan(sources: Sequence[Any], settings: Settings | None = None, progress: Progress | None = None) -> Plan:
    """What the documents can give of each question type, and the distribution nearest to `settings.types`.

    Without a chat model the run is made, once as asked and once for every scenario, so the figures are
    what can be had; with one nothing is sent, and they are upper bounds. Raises as `generate` does.
    """
    settings, progress = settings or Settings(), progress or Silent()
    with opened(settings) as (store, parts):
        built = read_corpus(sources, settings, store, parts, progress)
        material, _ = material_of(built, settings, parts, store, progress)
        return _planned(settings, material, corpus_of(built.graph, settings), parts)


@contextmanager
def trial_material(sources: Sequence[Any], settings: Settings, progress: Progress) -> Iterator[Material]:
    """What the writers work on, with the store open: for trying a part on documents. Raises as `generate` does."""
    with opened(settings) as (store, parts):
        built = read_corpus(sources, settings, store, parts, progress)
        yield material_of(built, settings, parts, store, progress)[0]


def searched(
    settings: Settings,
    material: Material,
    corpus: Corpus,
    parts: Assembly,
    wanted: Mapping[str, int],
    progress: Progress,
    held: Sequence[Sample] = (),
    fresh: Container[str] = (),
) -> Outcome:
    """`synthesize` with all that the settings say; raises as `generate` does."""
    gates = (parts.filters, set_filters(settings, parts.encoder))
    for gate, sample in product(gates[1], read_samples(Path(settings.against)).samples if settings.against else ()):
        gate.admit(sample)
    languages = sorted({reading.language for reading in material.readings.values()})
    asked = manner(settings, material.graph, languages)
    lag = LAG if settings.author == "chat" else 0
    return synthesize(material, corpus, parts.writers, *gates, parts.driver, wanted, progress, asked, lag, held, fresh)


def checked_against(settings: Settings, output: Path) -> Mapping[str, Any]:
    """What the manifest says of the set that is not to be repeated; nothing where none is named.

    Raises InputError when it has no row, ConfigError when it would be overwritten or nothing would compare with it.
    """
    if not settings.against:
        return {}
    path = Path(settings.against)
    if path.resolve() == output.resolve():
        raise ConfigError(f"against and the output are both {path}, which would be overwritten; name another with -o")
    if settings.filters.get("duplicate") is False:
        raise ConfigError("against needs the gate 'duplicate', which the settings leave out; take it back in")
    read = read_samples(path)
    if not read.samples:
        said = f"; the first of its damaged lines: {read.damaged[0].reason}" if read.damaged else ""
        raise InputError(f"the set {path} has no row to compare with{said}")
    return {"rows": len(read.samples), "damaged": [damaged.reason for damaged in read.damaged]}


def _planned(settings: Settings, material: Material, corpus: Corpus, parts: Assembly) -> Plan:
    asked = quotas(settings.types, settings.n)
    scenarios = plans(parts.writers, material, asked)
    if settings.author == "chat":
        return plan_of(material, scenarios, asked)
    everything = {kind: len(found) for kind, found in scenarios.items()}
    trials = [searched(settings, material, corpus, parts, wanted, Silent()) for wanted in (asked, everything)]
    return plan_of(material, scenarios, asked, trials)


def shown(settings: Settings) -> dict[str, Any]:
    """The settings as the manifest shows them: without what changes no row, and without header values."""
    told = asdict(settings)
    for name in ("workspace",):
        del told[name]
    told["model"]["headers"] = sorted(told["model"]["headers"])
    for name in ("key_file", "key_env", "concurrency", "timeout_s"):
        del told["model"][name]
    return told
