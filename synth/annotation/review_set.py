"""A set under review, with its refused candidates and filter settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from synth.core.checks import is_number
from synth.core.errors import InputError
from synth.core.jsonl import Damaged, read_samples
from synth.core.plugins import discover
from synth.core.records import Sample
from synth.generation.filters.base import Filter, SetFilter
from synth.testset.manifest import paths
from synth.testset.refused import read_refused
from synth.testset.stored_manifest import Manifest, manifest_of


@dataclass(frozen=True, slots=True)
class Pool:
    """A set under review: its rows, damaged lines, refused candidates and filter settings.

    `refused_by` and `refused_scores` map the id of a refused candidate to the filter that refused it and to its score.
    `not_shown` counts, by stage, the other lines of the file of refused candidates. `thresholds` maps each filter name
    to the settings of the filter.
    """

    path: Path
    samples: tuple[Sample, ...]
    damaged: tuple[Damaged, ...]
    refused: tuple[Sample, ...]
    refused_by: Mapping[str, str]
    refused_scores: Mapping[str, float]
    not_shown: Mapping[str, int]
    thresholds: Mapping[str, Mapping[str, Any]]
    manifest: Manifest

    def by_id(self) -> dict[str, Sample]:
        """Return rows and refused candidates by id."""
        return {sample.id: sample for sample in (*self.refused, *self.samples)}


def open_pool(testset: Path) -> Pool:
    """Read a set, its refused candidates and its manifest. Raises InputError if the set has no readable row."""
    read = read_samples(testset)
    if not read.samples:
        hint = f"; its first damaged line: {read.damaged[0].reason}" if read.damaged else ""
        raise InputError(f"the set {testset} has no row to review; name another set{hint}")
    manifest = manifest_of(testset)
    defaults = {name: asdict(filter_()) for name, filter_ in discover("synth.generation.filters", Filter).items()}  # type: ignore[type-abstract]
    made_with = {
        str(filter_["name"]): {name: value for name, value in filter_.items() if is_number(value)}
        for filter_ in manifest.get("filters", ())
        if "name" in filter_
    }
    known = {sample.id for sample in read.samples}
    set_filters = discover("synth.generation.filters", SetFilter)  # type: ignore[type-abstract]
    stages = {*defaults, *made_with, *set_filters}
    refused: dict[str, tuple[Sample, str, float | None]] = {}
    not_shown = Counter[str]()
    path = paths(testset)[0]
    for candidate in read_refused(path)[0] if path.is_file() else ():
        sample, stage = candidate.sample, candidate.rejection.get("stage", "")
        if sample and sample.id not in known and stage in stages:
            refused.setdefault(sample.id, (sample, stage, candidate.rejection.get("score")))
        else:
            not_shown[stage] += 1
    return Pool(
        path=testset,
        samples=read.samples,
        damaged=read.damaged,
        refused=tuple(sample for sample, _, _ in refused.values()),
        refused_by={row: stage for row, (_, stage, _) in refused.items()},
        refused_scores={row: score for row, (_, _, score) in refused.items() if score is not None},
        not_shown=not_shown,
        thresholds={name: {**defaults.get(name, {}), **made_with.get(name, {})} for name in {**defaults, **made_with}},
        manifest=manifest,
    )
