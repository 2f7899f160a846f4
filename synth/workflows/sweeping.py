"""The verb sweep: many settings of the reference system on one testset, compared with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from synth.core.errors import ConfigError
from synth.core.jsonl import dumps, write_atomic
from synth.core.progress import Progress, Silent
from synth.corpus.documents.chunking import ChunkSettings
from synth.evaluation.evaluation import Evaluation
from synth.evaluation.evaluation import evaluate as evaluation_of
from synth.evaluation.intervals import Difference, differences
from synth.evaluation.metrics.base import Metric
from synth.evaluation.reference_rag.reranking import NONE
from synth.evaluation.reference_rag.system import System
from synth.evaluation.report.sweep_plot import Bar, plot
from synth.evaluation.responses.reading import Responses
from synth.testset.dataset import Dataset
from synth.text.tokens import count_tokens
from synth.workflows.assembly import metrics_named
from synth.workflows.running import library
from synth.workflows.settings import Settings

METRICS = ("context_recall_evidence", "evidence_ndcg@10")
REAL = 0.05
"""The corrected p below which a difference is taken to be one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """What is tried: every combination of these. `metrics` are measured, the best is chosen by the first of them.

    `answers` has the generator answer too, as metrics of answers need it.
    """

    strategies: tuple[str, ...] = ("recursive",)
    sizes: tuple[int, ...] = (200, 400)
    overlaps: tuple[int, ...] = (0,)
    retrievers: tuple[str, ...] = ("bm25", "hybrid")
    rerankers: tuple[str, ...] = (NONE,)
    ks: tuple[int, ...] = (5,)
    metrics: tuple[str, ...] = METRICS
    answers: bool = False

    def systems(self) -> list[System]:
        """The settings, in order."""
        names = (self.strategies, self.sizes, self.overlaps, self.retrievers, self.rerankers, self.ks)
        if not all(names):
            raise ConfigError("a sweep needs at least one value of each: strategies, sizes, overlaps, retrievers, ks")
        made = [
            System(
                chunks=ChunkSettings(strategy=strategy, size=size, overlap=overlap), retriever=by, reranker=then, k=k
            )
            for strategy, size, overlap, by, then, k in product(*names)
        ]
        return list(dict.fromkeys(made))


@dataclass(frozen=True, slots=True)
class SweepResult:
    """One setting: what it measured, its number of passages, and the tokens it puts before the generator a question."""

    system: System
    evaluation: Evaluation
    passages: int
    tokens: float


@dataclass(frozen=True, slots=True)
class Swept:
    """All settings, best first by the first metric, and by title how far each is below the best."""

    tried: tuple[SweepResult, ...]
    columns: tuple[str, ...]
    gaps: Mapping[str, Difference] = field(default_factory=dict)

    @property
    def best(self) -> SweepResult:
        return self.tried[0]

    def real(self, one: SweepResult) -> bool:
        """Whether a setting is told apart from the best."""
        gap = self.gaps.get(one.system.title)
        return gap is not None and gap.adjusted is not None and gap.adjusted < REAL


def sweep(
    sources: Sequence[Any],
    testset: Path | str | Dataset,
    grid: Grid | None = None,
    settings: Settings | None = None,
    *,
    output: Path | None = None,
    picture: Path | None = None,
    progress: Progress | None = None,
) -> Swept:
    """Try every setting of `grid` on a testset; write figures to `output` (JSON) and a plot to `picture` (SVG).

    Differences from the best are paired over rows, tested by permutation over documents, and corrected for the number
    of settings (Holm). That the best was chosen on the same rows makes its own figure a little too good.
    """
    grid, settings, progress = grid or Grid(), settings or Settings(), progress or Silent()
    systems = grid.systems()
    metrics = metrics_named(grid.metrics)
    rows = testset if isinstance(testset, Dataset) else Dataset.load(testset)
    tried = []
    with library(sources, rows, settings) as held, progress.stage("settings", len(systems) * len(rows)) as stage:
        generator = held.generator() if grid.answers else None
        for system in systems:
            made = list(held.responses(rows, system, generator, stage))
            found = _measured(rows, made, metrics, settings.seed)
            tokens = sum(count_tokens(one["text"]) for row in made for one in row.get("contexts", ()))
            tried.append(SweepResult(system, found, len(held.index(system).chunks), tokens / max(1, len(made))))
    swept = _compared(tried, metrics, settings.seed)
    if output:
        write_atomic(output, dumps(as_json(swept)) + "\n")
    if picture:
        write_atomic(picture, _picture(swept))
    return swept


def _measured(rows: Dataset, made: Sequence[Mapping[str, Any]], metrics: Sequence[Metric], seed: int) -> Evaluation:
    return evaluation_of(rows, Responses.of(made, "the sweep"), metrics, seed=seed)


def _compared(tried: Sequence[SweepResult], metrics: Sequence[Metric], seed: int) -> Swept:
    columns = tuple(column for metric in metrics for column in metric.columns)
    first = columns[0]
    if any(first not in one.evaluation.metrics for one in tried):
        raise ConfigError(f"the settings have no '{first}' to be compared by; metrics of answers need --answers")
    ranked = sorted(tried, key=lambda one: (-(one.evaluation.metrics[first].estimate.mean or 0.0), one.tokens))
    best = ranked[0].evaluation
    others = {one.system.title: one.evaluation.values[first] for one in ranked[1:]}
    gaps = differences(others, dict.fromkeys(others, best.values[first]), best.clusters, seed)
    return Swept(tuple(ranked), columns, gaps)


def as_json(swept: Swept) -> dict[str, Any]:
    """A sweep as JSON values."""
    return {
        "best": swept.best.system.title,
        "chosen_by": swept.columns[0],
        "settings": [
            {
                "title": one.system.title,
                "chunks": {"strategy": c.strategy, "size": c.size, "overlap": c.overlap},
                **{name: getattr(one.system, name) for name in ("retriever", "reranker", "k")},
                "passages": one.passages,
                "tokens": round(one.tokens, 1),
                "metrics": {name: _estimate(one, name) for name in swept.columns if name in one.evaluation.metrics},
                **_gap(swept, one),
            }
            for one in swept.tried
            for c in [one.system.chunks]
        ],
    }


def _estimate(one: SweepResult, name: str) -> dict[str, Any]:
    found = one.evaluation.metrics[name]
    return {
        "mean": found.estimate.mean,
        "low": found.estimate.low,
        "high": found.estimate.high,
        "n": found.estimate.n,
        "of": found.of,
    }


def _gap(swept: Swept, one: SweepResult) -> dict[str, Any]:
    gap = swept.gaps.get(one.system.title)
    if gap is None:
        return {}
    found = gap.estimate
    return {
        "below_best": {"mean": found.mean, "low": found.low, "high": found.high, "p": gap.p, "p_holm": gap.adjusted},
        "real": swept.real(one),
    }


def _picture(swept: Swept) -> str:
    first = swept.columns[0]
    bars = []
    for one in swept.tried:
        found = one.evaluation.metrics[first].estimate
        if found.mean is not None and found.low is not None and found.high is not None:
            bars.append(Bar(one.system.title, found.mean, found.low, found.high, below=swept.real(one)))
    return plot(bars, first)
