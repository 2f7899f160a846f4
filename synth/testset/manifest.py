"""Manifests of sets (settings, corpus, counts and model calls of a run), and rows of rejected candidates."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from synth.core.containment import contained_so_far
from synth.core.input_files import enclosed
from synth.core.installation import versions
from synth.core.jsonl import sample_to_row
from synth.core.records import Sample, Skipped, digest
from synth.core.swapping import is_stream
from synth.corpus.corpus import Corpus
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.notes import GIST
from synth.corpus.themes import IN_THEME
from synth.generation.admission import Rejected, RunResult
from synth.testset.weakest_evidence import weakest_evidence

FORMAT = 2
"""Version of the manifest format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusRead:
    """The corpus of a run, and the files that were skipped when the corpus was read."""

    corpus: Corpus
    skipped: Sequence[Skipped]

    def packed(self) -> dict[str, Any]:
        """Return hash, documents, outlines, skipped files and distractors as JSON values."""
        outlines = self.corpus.outlines()
        return {
            "hash": outlines.hash,
            "documents": outlines.documents,
            "outlines": outlines.outlines,
            "skipped": [{"source": s.source, "reason": s.reason, "detail": s.detail} for s in self.skipped],
            **({"distractors": self.corpus.distracting} if self.corpus.distractors else {}),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorRecord:
    """Resources that the author of a set used.

    `calls` counts the calls and tokens of the author's models and is empty if the author uses no model. `on_demand`
    maps each transform to the counts of attributes it computed on demand. `brief` is the brief of the corpus, and
    `trial` the result of the model trial. Either may be None.
    """

    calls: Mapping[str, Any]
    on_demand: Mapping[str, Any]
    brief: str | None = None
    trial: Mapping[str, Any] | None = None


def paths(output: Path) -> tuple[Path, Path]:
    """Return the paths of the rejected candidates and of the manifest beside a set.

    For testset.jsonl they are rejected.jsonl and manifest.json. For any other set, both names begin with the name of
    the set, so that two sets in one folder do not overwrite each other's files.
    """
    return beside(output, "rejected.jsonl"), beside(output, "manifest.json")


def beside(output: Path, name: str) -> Path:
    """Return the path of a file that belongs to a set, or the null device if the set is a device or a pipe.

    Raises InputError if that path is a device, a pipe, or a link out of the folder.
    """
    if is_stream(output):
        return Path(os.devnull)
    return enclosed(output.with_name(name if output.name == "testset.jsonl" else f"{output.stem}.{name}"))


def manifest(
    outcome: RunResult,
    corpus: CorpusRead,
    author: AuthorRecord,
    *,
    settings: Mapping[str, Any],
    filters: Sequence[Any],
    against: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the manifest of a run. It contains no time, path or secret, so that equal runs have equal manifests.

    `against` counts the rows of the set whose questions must not be repeated.
    """
    return {
        "format": FORMAT,
        "set": _set(outcome),
        "rows": _rows(outcome.samples),
        "settings": settings,
        "versions": versions(),
        "filters": [_filter(filter_) for filter_ in filters],
        "corpus": corpus.packed(),
        "graph": corpus.corpus.stats(),
        **({"read": _read(outcome.read)} if outcome.read is not None and len(outcome.read) else {}),
        **({"evolution": dict(outcome.moves)} if outcome.moves else {}),
        "funnel": _funnel(outcome),
        "model": author.calls,
        **({"controls": [asdict(control) for control in outcome.controls]} if outcome.controls else {}),
        "on_demand": {name: asdict(counts) for name, counts in author.on_demand.items()},
        **({"against": dict(against)} if against else {}),
        **({"brief": author.brief} if author.brief is not None else {}),
        **({"trial": dict(author.trial)} if author.trial else {}),
        **_errors(),
    }


def adopted_manifest(
    samples: Sequence[Sample], corpus: CorpusRead, filters: Sequence[Any], adopted: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the manifest of an adopted set. `adopted` contains the source file and the counts of its rows."""
    return {
        "format": FORMAT,
        "set": {"id": set_id(samples), "rows": len(samples)},
        "versions": versions(),
        "filters": [_filter(filter_) for filter_ in filters],
        "corpus": corpus.packed(),
        "adopted": dict(adopted),
        **_errors(),
    }


def _errors() -> dict[str, Any]:
    """Return a record of each item for which our code raised an error, or {} if there is none."""
    items = contained_so_far()
    return {"errors": [item.packed() for item in items]} if items else {}


def set_id(samples: Sequence[Sample]) -> str:
    """Return the id of a set: a hash of its row ids, in order."""
    return digest([sample.id for sample in samples])[:16]


def refreshed(before: Mapping[str, Any], outcome: RunResult, filters: Sequence[Any]) -> dict[str, Any]:
    """Return the manifest of a set that was judged again, with new filters, rows and counts."""
    return {
        **before,
        "set": _set(outcome),
        "rows": _rows(outcome.samples),
        "filters": [_filter(filter_) for filter_ in filters],
        "funnel": _funnel(outcome),
        "rejudged": True,
    }


def _read(graph: KnowledgeGraph) -> dict[str, Any]:
    """Return counts of the graph: its nodes, its passages and documents with a gist, and its themes."""
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
    """Return statistics of the rows: counts by difficulty, weakest evidence and tag, and mean overlap of wording.

    "Weakest evidence" combines the number of needed passages and the BM25 rank of the worst of them. Overlap is the
    share of question wording that also occurs in the passages.
    """
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
    """Return a line of rejected.jsonl: the fields of the row, if the candidate has one, and the stage and reason."""
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
