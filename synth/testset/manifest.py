"""Manifests of sets: settings, corpus, counts and calls of a run; and lines of rejected candidates."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from synth.core.containment import ItemError
from synth.core.input_files import enclosed
from synth.core.jsonl import sample_to_row
from synth.core.records import Sample, Skipped, digest
from synth.core.swapping import is_stream
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import GIST
from synth.corpus.outlines import Outlines
from synth.corpus.themes import IN_THEME
from synth.generation.admission import Rejected, RunResult
from synth.testset.weakest_evidence import weakest_evidence

FORMAT = 2


def paths(output: Path) -> tuple[Path, Path]:
    """Paths of the rejected candidates and of the manifest, beside the set.

    They are rejected.jsonl and manifest.json for testset.jsonl, and begin with the name of any other set, so that two
    sets in one folder do not overwrite each other's.
    """
    return beside(output, "rejected.jsonl"), beside(output, "manifest.json")


def beside(output: Path, name: str) -> Path:
    """Path of a file that belongs to a set, beside it; the null device when the set is a device or a pipe.

    Raises InputError where it is a link that leads out of the folder, a device or a pipe.
    """
    if is_stream(output):
        return Path(os.devnull)
    return enclosed(output.with_name(name if output.name == "testset.jsonl" else f"{output.stem}.{name}"))


def manifest(
    *,
    settings: Mapping[str, Any],
    outlines: Outlines,
    skipped: Sequence[Skipped],
    outcome: RunResult,
    graph: Mapping[str, Any],
    versions: Mapping[str, str],
    filters: Sequence[Any],
    model: Mapping[str, Any],
    lazy: Mapping[str, Any],
    against: Mapping[str, Any] | None = None,
    brief: str | None = None,
    trial: Mapping[str, Any] | None = None,
    errors: Sequence[ItemError] = (),
) -> dict[str, Any]:
    """The manifest of a run, for `indented`. It has no time, path or secret, so that equal runs have equal manifests.

    `errors` are the items on which code raised an error. With a chat model, `brief` is the brief of the corpus and
    `trial` the result of the trial of the model.
    """
    return {
        "format": FORMAT,
        "set": _set(outcome),
        "rows": _rows(outcome.samples),
        "settings": settings,
        "versions": dict(versions),
        "filters": [_filter(filter_) for filter_ in filters],
        "corpus": _corpus(outlines, skipped),
        "graph": graph,
        **({"read": _read(outcome.read)} if outcome.read is not None and len(outcome.read) else {}),
        **({"evolution": dict(outcome.moves)} if outcome.moves else {}),
        "funnel": _funnel(outcome),
        "model": model,
        **({"controls": [asdict(control) for control in outcome.controls]} if outcome.controls else {}),
        "on_demand": {name: asdict(counts) for name, counts in lazy.items()},
        **({"against": dict(against)} if against else {}),
        **({"brief": brief} if brief is not None else {}),
        **({"trial": dict(trial)} if trial else {}),
        **_errors(errors),
    }


def adopted_manifest(
    samples: Sequence[Sample],
    outlines: Outlines,
    skipped: Sequence[Skipped],
    versions: Mapping[str, str],
    filters: Sequence[Any],
    adopted: Mapping[str, Any],
    errors: Sequence[ItemError] = (),
) -> dict[str, Any]:
    """The manifest of an adopted set; `adopted` has its file and the counts of its rows."""
    return {
        "format": FORMAT,
        "set": {"id": set_id(samples), "rows": len(samples)},
        "versions": dict(versions),
        "filters": [_filter(filter_) for filter_ in filters],
        "corpus": _corpus(outlines, skipped),
        "adopted": dict(adopted),
        **_errors(errors),
    }


def _errors(items: Sequence[ItemError]) -> dict[str, Any]:
    return {"errors": [item.packed() for item in items]} if items else {}


def set_id(samples: Sequence[Sample]) -> str:
    """Id of a set: a hash of the ids of its rows, in order."""
    return digest([sample.id for sample in samples])[:16]


def _corpus(outlines: Outlines, skipped: Sequence[Skipped]) -> dict[str, Any]:
    return {
        "hash": outlines.hash,
        "documents": outlines.documents,
        "outlines": outlines.outlines,
        "skipped": [{"source": s.source, "reason": s.reason, "detail": s.detail} for s in skipped],
    }


def refreshed(before: Mapping[str, Any], outcome: RunResult, filters: Sequence[Any]) -> dict[str, Any]:
    """The manifest of a set that was judged again, with its new filters, rows and counts."""
    return {
        **before,
        "set": _set(outcome),
        "rows": _rows(outcome.samples),
        "filters": [_filter(filter_) for filter_ in filters],
        "funnel": _funnel(outcome),
        "rejudged": True,
    }


def _read(graph: KnowledgeGraph) -> dict[str, Any]:
    """Counts of the graph of what was read, with the passages and documents that have a gist, and the themes."""
    names = {
        "passages": [chunk.chunk_id for chunk in graph.chunks()],
        "documents": [document.doc_id for document in graph.documents()],
    }
    gists = {kind: sum(bool(graph.value(node, GIST)) for node in nodes) for kind, nodes in names.items()}
    themes = {theme for name in names["passages"] for theme in graph.targets(name, IN_THEME)}
    return {**graph.stats(), "gists": gists, "themes": len(themes)}


def _set(outcome: RunResult) -> dict[str, Any]:
    return {
        "id": set_id(outcome.samples),
        "rows": len(outcome.samples),
        "wanted": dict(outcome.wanted),
        "shortfall": dict(outcome.shortfall),
        **({"given_up": list(outcome.given_up)} if outcome.given_up else {}),
        **({"barren": asdict(outcome.barren)} if outcome.barren else {}),
        **({"stopped": outcome.stopped} if outcome.stopped else {}),
        **({"cells": [[*cell, rows] for cell, rows in outcome.cells.items()]} if outcome.cells else {}),
    }


def _funnel(outcome: RunResult) -> dict[str, dict[str, int]]:
    return {kind: dict(sorted(tally.items())) for kind, tally in outcome.funnel.items()}


def _rows(samples: Sequence[Sample]) -> dict[str, dict[str, Any]]:
    """Counts of rows by difficulty, by hops and rank of the weakest evidence and by tag, and the mean overlap of
    questions with the wording of their passages."""
    levels = Counter(str(sample.metadata["difficulty"]) for sample in samples if "difficulty" in sample.metadata)
    tags = Counter(str(tag) for sample in samples for tag in sample.metadata.get("tags", ()))
    shares = [s.metadata["difficulty_signals"]["overlap"] for s in samples if "difficulty_signals" in s.metadata]
    overlap = {
        name: round(sum(share[name] for share in shares) / len(shares), 3) for name in ("words", "pairs") if shares
    }
    matrix = weakest_evidence(sample.metadata for sample in samples)
    cells = {
        f"{hops} passage{'s' * (hops != '1')}, rank {band}": count
        for hops, bands in matrix.items()
        for band, count in bands.items()
        if count
    }
    tallies = {
        "difficulty": dict(sorted(levels.items())),
        "weakest evidence": cells,
        "tag": dict(sorted(tags.items())),
        "overlap": overlap,
    }
    return {name: tally for name, tally in tallies.items() if tally}


def rejected_row(item: Rejected) -> dict[str, Any]:
    """A rejected candidate as a line of rejected.jsonl: the fields of its row, and the stage and reason."""
    row: dict[str, Any] = sample_to_row(item.sample) if item.sample else {}
    return {
        **row,
        "rejected": {
            "stage": item.stage,
            "reason": item.reason,
            "score": item.score,
            "scenario": item.scenario.scenario_id,
            "question_type": item.scenario.question_type,
            "chunk_ids": list(item.scenario.chunk_ids),
        },
    }


def _filter(filter_: Any) -> dict[str, Any]:
    thresholds = asdict(filter_) if hasattr(filter_, "__dataclass_fields__") else filter_.thresholds
    return {"name": filter_.name, **thresholds}
