"""What a set says of its making, beside it: settings, corpus, counts, calls, and what was refused."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from synth.core.containment import Contained
from synth.core.jsonl import is_stream, sample_to_row
from synth.core.records import Document, Sample, Skipped, digest
from synth.corpus.fingerprints import outline
from synth.generation.admission import Rejected, RunResult

FORMAT = 1


def paths(output: Path) -> tuple[Path, Path]:
    """Where the refused candidates and the manifest of a set go: beside it.

    A set named testset.jsonl has rejected.jsonl and manifest.json; any other puts its own name
    before theirs, so that two sets in one folder do not overwrite each other.
    """
    return beside(output, "rejected.jsonl"), beside(output, "manifest.json")


def beside(output: Path, name: str) -> Path:
    """Where a file that belongs to a set goes: beside it, and nowhere where the set is a device or a pipe."""
    if is_stream(output):
        return Path(os.devnull)
    return output.with_name(name if output.name == "testset.jsonl" else f"{output.stem}.{name}")


def manifest_of(testset: Path) -> dict[str, Any]:
    """The manifest beside a set; empty where there is none, or none that can be read."""
    try:
        found = json.loads(paths(testset)[1].read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def manifest(
    *,
    settings: Mapping[str, Any],
    documents: Sequence[Document],
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
    contained: Sequence[Contained] = (),
) -> dict[str, Any]:
    """The manifest of a run, as JSON; it holds no clock, no path and no secret, so that equal runs have equal ones.

    `contained` are the items on which code raised.
    With a chat model, `brief` is the brief of the corpus and `trial` what became of the trial of the model.
    """
    return {
        "format": FORMAT,
        "set": _set(outcome),
        "rows": _rows(outcome.samples),
        "settings": settings,
        "versions": dict(versions),
        "filters": [_filter(filter_) for filter_ in filters],
        "corpus": _corpus(documents, skipped),
        "graph": graph,
        "funnel": _funnel(outcome),
        "model": model,
        **({"controls": [asdict(one) for one in outcome.controls]} if outcome.controls else {}),
        "lazy": {name: asdict(counts) for name, counts in lazy.items()},
        **({"against": dict(against)} if against else {}),
        **({"brief": brief} if brief is not None else {}),
        **({"trial": dict(trial)} if trial else {}),
        **_contained(contained),
    }


def adopted_manifest(
    samples: Sequence[Sample],
    documents: Sequence[Document],
    skipped: Sequence[Skipped],
    versions: Mapping[str, str],
    filters: Sequence[Any],
    adopted: Mapping[str, Any],
    contained: Sequence[Contained] = (),
) -> dict[str, Any]:
    """The manifest of a set that was made elsewhere; `adopted` says of which file, and what became of its rows."""
    return {
        "format": FORMAT,
        "set": {"id": set_id(samples), "rows": len(samples)},
        "versions": dict(versions),
        "filters": [_filter(filter_) for filter_ in filters],
        "corpus": _corpus(documents, skipped),
        "adopted": dict(adopted),
        **_contained(contained),
    }


def _contained(found: Sequence[Contained]) -> dict[str, Any]:
    return {"contained": [one.packed() for one in found]} if found else {}


def set_id(samples: Sequence[Sample]) -> str:
    """What a set is known by: a hash of the ids of its rows, in order."""
    return digest([sample.id for sample in samples])[:16]


def _corpus(documents: Sequence[Document], skipped: Sequence[Skipped]) -> dict[str, Any]:
    hashes = {document.doc_id: document.content_hash for document in documents}
    return {
        "hash": digest(sorted(hashes.items())),
        "documents": hashes,
        "outlines": {document.doc_id: outline(document.text) for document in documents},
        "skipped": [{"source": s.source, "reason": s.reason, "detail": s.detail} for s in skipped],
    }


def refreshed(made: Mapping[str, Any], outcome: RunResult, filters: Sequence[Any]) -> dict[str, Any]:
    """The manifest of a set that was judged again: its own, but for the filters and what came of them."""
    return {
        **made,
        "set": _set(outcome),
        "rows": _rows(outcome.samples),
        "filters": [_filter(filter_) for filter_ in filters],
        "funnel": _funnel(outcome),
        "rejudged": True,
    }


def _set(outcome: RunResult) -> dict[str, Any]:
    return {
        "id": set_id(outcome.samples),
        "rows": len(outcome.samples),
        "wanted": dict(outcome.wanted),
        "shortfall": dict(outcome.shortfall),
        **({"given_up": list(outcome.given_up)} if outcome.given_up else {}),
        **({"stopped": outcome.stopped} if outcome.stopped else {}),
        **({"cells": [[*cell, rows] for cell, rows in outcome.cells.items()]} if outcome.cells else {}),
    }


def _funnel(outcome: RunResult) -> dict[str, dict[str, int]]:
    return {kind: dict(sorted(tally.items())) for kind, tally in outcome.funnel.items()}


def _rows(samples: Sequence[Sample]) -> dict[str, dict[str, Any]]:
    """The rows counted by difficulty and by tag, and the mean share of the passage's wording in a question."""
    levels = Counter(str(sample.metadata["difficulty"]) for sample in samples if "difficulty" in sample.metadata)
    tags = Counter(str(tag) for sample in samples for tag in sample.metadata.get("tags", ()))
    shares = [s.metadata["difficulty_signals"]["overlap"] for s in samples if "difficulty_signals" in s.metadata]
    overlap = {name: round(sum(one[name] for one in shares) / len(shares), 3) for name in ("words", "pairs") if shares}
    found = {"difficulty": dict(sorted(levels.items())), "tag": dict(sorted(tags.items())), "overlap": overlap}
    return {name: tally for name, tally in found.items() if tally}


def rejected_row(item: Rejected) -> dict[str, Any]:
    """A refused candidate as a line of rejected.jsonl: the row it would have been, and why it is none."""
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
