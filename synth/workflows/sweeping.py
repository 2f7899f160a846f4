"""The command sweep: measures many settings of the reference system on a testset and compares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from synth.core.checks import check_all_whole, check_lists
from synth.core.errors import ConfigError
from synth.core.jsonl import dumps, write_atomic
from synth.core.notebook_table import NotebookTable, Tabular, three_digits
from synth.core.progress import Progress, progress_of
from synth.core.swapping import together
from synth.corpus.documents.chunking import ChunkSettings
from synth.evaluation.evaluation import Evaluation, Measurement
from synth.evaluation.evaluation import evaluate as evaluation_of
from synth.evaluation.intervals import Difference, differences
from synth.evaluation.metrics.base import Metric
from synth.evaluation.reference_rag.reranking import NONE
from synth.evaluation.reference_rag.system import System
from synth.evaluation.report.sweep_plot import SettingEstimate, plot
from synth.evaluation.responses.reading import Responses
from synth.testset.dataset import Dataset
from synth.text.tokens import count_tokens
from synth.workflows.assembly import metrics_named
from synth.workflows.call_files import file_of
from synth.workflows.overwriting import check_no_set
from synth.workflows.running import indexed_documents
from synth.workflows.settings import Settings

METRICS = ("context_recall_evidence", "evidence_ndcg@10")
"""Metrics measured by default."""
SIGNIFICANCE_LEVEL = 0.05
"""A difference is significant if its corrected p-value is below this value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Values of each setting; a sweep tries every combination.

    `metrics` are measured, and the first metric decides which setting is best. If `answers` is true, answers are
    generated too, for metrics of answers.
    """

    strategies: tuple[str, ...] = ("recursive",)
    sizes: tuple[int, ...] = (200, 400)
    overlaps: tuple[int, ...] = (0,)
    retrievers: tuple[str, ...] = ("bm25", "hybrid")
    rerankers: tuple[str, ...] = (NONE,)
    ks: tuple[int, ...] = (5,)
    metrics: tuple[str, ...] = METRICS
    answers: bool = False

    def __post_init__(self) -> None:
        check_lists(self, "strategies", "sizes", "overlaps", "retrievers", "rerankers", "ks", "metrics")
        for name, least in (("sizes", 1), ("overlaps", 0), ("ks", 1)):
            check_all_whole(name, getattr(self, name), least)

    def systems(self) -> list[System]:
        """Return the settings of all combinations, in order. Raises ConfigError if a list is empty."""
        names = (self.strategies, self.sizes, self.overlaps, self.retrievers, self.rerankers, self.ks)
        if not all(names):
            raise ConfigError(
                "a sweep needs at least one value each for strategies, sizes, overlaps, retrievers, rerankers and ks"
            )
        systems = [
            System(
                chunks=ChunkSettings(strategy=strategy, size=size, overlap=overlap), retriever=by, reranker=then, k=k
            )
            for strategy, size, overlap, by, then, k in product(*names)
        ]
        return list(dict.fromkeys(systems))


@dataclass(frozen=True, slots=True)
class SweepResult:
    """Result of one setting: scores, number of passages, and mean number of context tokens per question."""

    system: System
    evaluation: Evaluation
    passages: int
    tokens: float


@dataclass(frozen=True, slots=True, repr=False)
class Swept(Tabular):
    """Result of a sweep: all settings tried, ordered by the first metric, best first.

    `gaps` maps the title of each setting to its difference from the best one.
    """

    tried: tuple[SweepResult, ...]
    columns: tuple[str, ...]
    gaps: Mapping[str, Difference] = field(default_factory=dict)

    @property
    def best(self) -> SweepResult:
        """The best setting by the first metric."""
        return self.tried[0]

    def notebook_table(self) -> NotebookTable:
        rows = []
        for result in self.tried:
            of = result.evaluation.metrics
            means = [three_digits(of[name].estimate.mean if name in of else None) for name in self.columns]
            rows.append([result.system.title, *means, f"{result.tokens:.0f}", self.is_below_best(result)])
        return NotebookTable(["system", *self.columns, "tokens", "below the best"], rows)

    def is_below_best(self, result: SweepResult) -> bool:
        """Return whether a setting is significantly below the best."""
        gap = self.gaps.get(result.system.title)
        return gap is not None and gap.adjusted is not None and gap.adjusted < SIGNIFICANCE_LEVEL


def sweep(
    testset: str | Path | Dataset,
    sources: str | Path | Sequence[Any],
    grid: Grid | None = None,
    settings: Settings | None = None,
    *,
    output: str | Path | None = None,
    picture: str | Path | None = None,
    progress: Progress | bool | None = None,
) -> Swept:
    """Try every setting of `grid` on a testset. Write figures to `output` (JSON) and a plot to `picture` (SVG).

    Differences from the best setting are paired by row, tested by permutation over documents, and corrected for the
    number of settings (Holm). The score of the best setting is slightly too high, because it was chosen on the same
    rows.

    - `testset`: a path, an address or a Dataset.
    - `sources`: folders, files, addresses, Documents or LangChain Documents, one or several.
    - `output`: a path or an address.
    - `progress`: True for lines or bars on stderr.
    """
    output, picture = file_of(output), file_of(picture)
    check_no_set(output, picture)
    grid, settings, progress = grid or Grid(), settings or Settings(), progress_of(progress)
    systems = grid.systems()
    metrics = metrics_named(grid.metrics)
    rows = testset if isinstance(testset, Dataset) else Dataset.load(testset)
    tried = []
    with (
        indexed_documents(sources, rows, settings) as indexed,
        progress.stage("settings", len(systems) * len(rows)) as stage,
    ):
        generator = indexed.generator() if grid.answers else None
        for system in systems:
            responses = list(indexed.responses(rows, system, generator, stage))
            evaluation = _measured(rows, responses, metrics, settings.seed)
            tokens = sum(count_tokens(context["text"]) for row in responses for context in row.get("contexts", ()))
            tried.append(
                SweepResult(system, evaluation, len(indexed.index(system).chunks), tokens / max(1, len(responses)))
            )
    swept = _compared(tried, metrics, settings.seed)
    with together():
        if picture:
            write_atomic(picture, _picture(swept))
        if output:
            write_atomic(output, dumps(as_json(swept)) + "\n")
    return swept


def _measured(
    rows: Dataset, responses: Sequence[Mapping[str, Any]], metrics: Sequence[Metric], seed: int
) -> Evaluation:
    return evaluation_of(rows, Responses.of(responses, "the sweep"), Measurement(metrics=metrics, seed=seed))


def _compared(tried: Sequence[SweepResult], metrics: Sequence[Metric], seed: int) -> Swept:
    columns = tuple(column for metric in metrics for column in metric.columns)
    first = columns[0]
    if any(first not in result.evaluation.metrics for result in tried):
        raise ConfigError(
            f"the metric '{first}' has no value under some settings, so they cannot be compared; "
            "for metrics of answers, add --answers"
        )
    ranked = sorted(tried, key=lambda result: (-(result.evaluation.metrics[first].estimate.mean or 0.0), result.tokens))
    best = ranked[0].evaluation
    others = {result.system.title: result.evaluation.values[first] for result in ranked[1:]}
    gaps = differences(others, dict.fromkeys(others, best.values[first]), best.clusters, seed)
    return Swept(tuple(ranked), columns, gaps)


def as_json(swept: Swept) -> dict[str, Any]:
    """Return a sweep as JSON values."""
    return {
        "best": swept.best.system.title,
        "chosen_by": swept.columns[0],
        "settings": [
            {
                "title": result.system.title,
                "chunks": {"strategy": c.strategy, "size": c.size, "overlap": c.overlap},
                **{name: getattr(result.system, name) for name in ("retriever", "reranker", "k")},
                "passages": result.passages,
                "tokens": round(result.tokens, 1),
                "metrics": {
                    name: _estimate(result, name) for name in swept.columns if name in result.evaluation.metrics
                },
                **_gap(swept, result),
            }
            for result in swept.tried
            for c in [result.system.chunks]
        ],
    }


def _estimate(result: SweepResult, name: str) -> dict[str, Any]:
    aggregate = result.evaluation.metrics[name]
    return {
        "mean": aggregate.estimate.mean,
        "low": aggregate.estimate.low,
        "high": aggregate.estimate.high,
        "n": aggregate.estimate.n,
        "of": aggregate.of,
    }


def _gap(swept: Swept, result: SweepResult) -> dict[str, Any]:
    gap = swept.gaps.get(result.system.title)
    if gap is None:
        return {}
    estimate = gap.estimate
    return {
        "below_best": {
            "mean": estimate.mean,
            "low": estimate.low,
            "high": estimate.high,
            "p": gap.p,
            "p_holm": gap.adjusted,
        },
        "real": swept.is_below_best(result),
    }


def _picture(swept: Swept) -> str:
    first = swept.columns[0]
    estimates = []
    for result in swept.tried:
        estimate = result.evaluation.metrics[first].estimate
        if estimate.mean is not None and estimate.low is not None and estimate.high is not None:
            below = swept.is_below_best(result)
            estimates.append(
                SettingEstimate(result.system.title, estimate.mean, estimate.low, estimate.high, below=below)
            )
    return plot(estimates, first, SIGNIFICANCE_LEVEL)
