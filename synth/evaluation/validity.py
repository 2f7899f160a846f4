"""Validity of a testset: whether its questions rank retrievers as human questions do.

Each figure of the set is shown next to the same figure for random samples of the human questions. A sample has as many
questions as the set, but at most half of all human questions. It is compared with the human questions outside the
sample. These samples are the yardstick: no set can be expected to agree better. Figures on wording (`words`, `bigrams`)
of samples are not compared with other questions.

Rankings are compared by Kendall's tau-b (1945). Pairs of systems are tested by a paired test over documents, corrected
for the number of pairs (Holm, 1979).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, TypeAlias

from synth.core.errors import InputError
from synth.evaluation.intervals import MIN_DOCUMENTS
from synth.evaluation.measuring.ranking import ndcg, reciprocal_rank
from synth.retrieval.base import Retriever
from synth.text.shared_wording import shared_wording

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]

K = 10
SAMPLES = 1000
TESTED_SAMPLES = 200
"""Number of samples with significance tests (`agreement` and `contradicted`), which are slow."""

ALPHA = 0.05
GAP, AGREEMENT, SHARED = 0.03, 0.95, 0.05
"""Targets: maximum gap of MRR, minimum agreement, maximum difference between the shares of copied wording."""

_NORMAL = NormalDist()
_NO_SPREAD = 1e-9  # standard error that is only a rounding error, for scores from 0 to 1


@dataclass(frozen=True, slots=True)
class Probe:
    """A question with its relevant ids, the document it is clustered by, and the passage that answers it."""

    id: str
    question: str
    relevant: frozenset[str]
    document: str
    passage: str


@dataclass(frozen=True, slots=True)
class RetrieverScores:
    """Scores of every retriever on every question; each array has one row per retriever.

    `ndcg` and `mrr` are measured at 10. `ranks` contains the rank of the first relevant result, 0 if there is none.
    """

    names: tuple[str, ...]
    probes: tuple[Probe, ...]
    ndcg: Array
    mrr: Array
    ranks: Array

    @property
    def clusters(self) -> Array:
        """Document number of each question."""
        import numpy as np

        known: dict[str, int] = {}
        return np.array([known.setdefault(probe.document, len(known)) for probe in self.probes])


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a set, with the mean and the 5th and 95th percentiles of human samples.

    `low` and `high` are the 95 % interval of `value`, given for tau only. `wanted` is the target as text, and `reached`
    whether `value` reaches the target.
    """

    value: float
    low: float | None
    high: float | None
    sample_mean: float
    sample_low: float
    sample_high: float
    wanted: str
    reached: bool


@dataclass(frozen=True, slots=True)
class Validity:
    """Agreement of a set with human questions on the same documents.

    - `questions`, `human`, `sample`: number of questions in the set, of human questions, and in each human sample.
    - `told_apart`, `human_told_apart`: number of pairs of retrievers that differ significantly on the set, and on the
      human questions; `pairs` is the number of all pairs.
    - `contradicted`: pairs that differ significantly on both, in opposite order.
    """

    questions: int
    human: int
    sample: int
    figures: Mapping[str, Figure]
    shift: float
    """Mean of MRR@10 on the set minus MRR@10 on the human questions. Above 0, the set is easier."""

    told_apart: int
    human_told_apart: int
    pairs: int
    contradicted: tuple[tuple[str, str], ...]


def retriever_scores(
    probes: Sequence[Probe], retrievers: Mapping[str, Retriever], done: Callable[[], None] = lambda: None
) -> RetrieverScores:
    """Search for every question with every retriever. `done` is called after each retriever.

    Raises InputError if there is no question.
    """
    import numpy as np

    if not probes:
        raise InputError(
            "no row of the set has evidence or a document, so no passage is relevant; use a set with evidence"
        )
    gains = np.zeros((len(retrievers), len(probes)))
    firsts = np.zeros_like(gains)
    ranks = np.zeros(gains.shape, dtype=int)
    for i, retriever in enumerate(retrievers.values()):
        for j, probe in enumerate(probes):
            ids = [id for id, _ in retriever.search(probe.question, K)]
            grades = [float(id in probe.relevant) for id in ids]
            gains[i, j] = ndcg(grades, K, [1.0] * len(probe.relevant))
            firsts[i, j] = reciprocal_rank(grades, K)
            ranks[i, j] = next((rank for rank, grade in enumerate(grades, start=1) if grade), 0)
        done()
    return RetrieverScores(tuple(retrievers), tuple(probes), gains, firsts, ranks)


def copied_wording(probes: Sequence[Probe]) -> tuple[list[float], list[float]]:
    """Return the shares of the words and of the word pairs of each question that occur in its passage.

    A share is NaN if the question has no words or no word pairs.
    """
    shared = [shared_wording(probe.question, [probe.passage]) for probe in probes]
    return _or_nan([wording.words for wording in shared]), _or_nan([wording.pairs for wording in shared])


def _or_nan(values: Sequence[float | None]) -> list[float]:
    return [float("nan") if value is None else value for value in values]


def tau_b(a: Array, b: Array) -> float:
    """Return Kendall's rank correlation with ties of two lists of scores; 0 if all scores of a list are tied."""
    import numpy as np
    from scipy.stats import kendalltau

    tau = float(kendalltau(a, b, method="asymptotic").statistic)
    return 0.0 if np.isnan(tau) else tau


def told_apart(values: Array, clusters: Array) -> Array:
    """Return 1 for each pair of systems if the first is significantly better, -1 if worse, 0 if they do not differ.

    Pairs are in the order of `combinations`. The paired difference is tested at 5 % after Holm's correction, with
    questions clustered by document. With fewer than `MIN_DOCUMENTS` documents, questions count as independent. If the
    difference is the same in every cluster, the sign test is used.
    """
    import numpy as np

    firsts, seconds = map(list, zip(*combinations(range(len(values)), 2), strict=True))
    gaps = values[firsts] - values[seconds]
    index = np.unique(clusters, return_inverse=True)[1]
    if index.max() + 1 < MIN_DOCUMENTS:
        index = np.arange(len(clusters))
    groups = int(index.max()) + 1
    member = np.zeros((len(clusters), groups))
    member[np.arange(len(clusters)), index] = 1.0
    means = gaps.mean(axis=1)
    deviations = (gaps - means[:, None]) @ member
    errors = np.sqrt(groups / max(1, groups - 1) * (deviations**2).sum(axis=1)) / len(clusters)
    p = [_p_of(abs(float(mean)), float(error), groups) for mean, error in zip(means, errors, strict=True)]
    signs = np.zeros(len(p), dtype=int)
    for rank, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        if p[i] * (len(p) - rank) >= ALPHA:
            break
        signs[i] = int(np.sign(means[i]))
    return signs


def _p_of(gap: float, error: float, groups: int) -> float:
    """Return the two-sided p of a mean difference, given its standard error over a number of clusters."""
    if error > _NO_SPREAD:
        return 2 * (1 - _NORMAL.cdf(gap / error))
    return 2.0 ** (1 - groups) if gap > _NO_SPREAD else 1.0


def validity(mine: RetrieverScores, human: RetrieverScores, seed: int = 0) -> Validity:
    """Compare a set with human questions over the same corpus and retrievers.

    Raises InputError if there are too few human questions to draw samples from.
    """
    import numpy as np

    if len(human.probes) < 2 * len(mine.names):
        raise InputError(f"{len(human.probes)} human questions are too few; give at least {2 * len(mine.names)}")
    size = min(len(mine.probes), len(human.probes) // 2)
    sampled = _sampled(human, size, seed)
    gap = float(np.abs(mine.mrr.mean(axis=1) - human.mrr.mean(axis=1)).mean())
    tau = tau_b(mine.ndcg.mean(axis=1), human.ndcg.mean(axis=1))
    human_signs, own_signs = told_apart(human.ndcg, human.clusters), told_apart(mine.ndcg, mine.clusters)
    agreement = _same_order(mine.ndcg.mean(axis=1), human_signs)
    names = list(combinations(mine.names, 2))
    contradicted = tuple(names[i] for i in np.flatnonzero(human_signs * own_signs < 0))
    low, high = _tau_interval(mine, human, seed)
    least = _at(sampled["tau"], 5)
    figures = {
        "tau": _figure(tau, sampled["tau"], f"≥ {least:.3f}", reached=tau >= least, interval=(low, high)),
        "mrr_gap": _figure(gap, sampled["mrr_gap"], f"≤ {GAP}", reached=gap <= GAP),
        "agreement": _figure(agreement, sampled["agreement"], f"≥ {AGREEMENT}", reached=agreement >= AGREEMENT),
        "contradicted": _figure(len(contradicted), sampled["contradicted"], "0", reached=not contradicted),
    }
    for name, own, theirs in zip(
        ("words", "bigrams"), copied_wording(mine.probes), copied_wording(human.probes), strict=True
    ):
        value, wanted = float(np.nanmean(own)), float(np.nanmean(theirs))
        drawn = [float(np.nanmean(np.array(theirs)[rows])) for rows in _draws(len(theirs), size, SAMPLES, seed)]
        figures[name] = _figure(value, drawn, f"{wanted:.3f} ± {SHARED}", reached=abs(value - wanted) <= SHARED)
    return Validity(
        questions=len(mine.probes),
        human=len(human.probes),
        sample=size,
        figures=figures,
        shift=float((mine.mrr.mean(axis=1) - human.mrr.mean(axis=1)).mean()),
        told_apart=int((own_signs != 0).sum()),
        human_told_apart=int((human_signs != 0).sum()),
        pairs=len(names),
        contradicted=contradicted,
    )


def _at(values: Sequence[float], percent: float) -> float:
    import numpy as np

    return float(np.percentile(values, percent))


def _figure(
    value: float,
    drawn: Sequence[float],
    wanted: str,
    *,
    reached: bool,
    interval: tuple[float | None, float | None] = (None, None),
) -> Figure:
    import numpy as np

    return Figure(value, *interval, float(np.mean(drawn)), _at(drawn, 5), _at(drawn, 95), wanted, reached)


def _same_order(means: Array, signs: Array) -> float:
    """Return the share of the significantly different pairs whose order the means confirm; 1 if no pair differs.

    `signs` is as returned by `told_apart`.
    """
    import numpy as np

    order = np.array([np.sign(means[i] - means[j]) for i, j in combinations(range(len(means)), 2)])
    apart = signs != 0
    return float((order[apart] == signs[apart]).mean()) if apart.any() else 1.0


def _draws(of: int, size: int, times: int, seed: int) -> list[Array]:
    import numpy as np

    rng = np.random.default_rng([seed, of, size])
    return [rng.permutation(of)[:size] for _ in range(times)]


def _sampled(human: RetrieverScores, size: int, seed: int) -> dict[str, list[float]]:
    """Return the figures of samples of the human questions, each compared with the questions outside the sample."""
    import numpy as np

    clusters = human.clusters
    samples: dict[str, list[float]] = {"tau": [], "mrr_gap": [], "agreement": [], "contradicted": []}
    for n, rows in enumerate(_draws(len(human.probes), size, SAMPLES, seed)):
        rest = np.ones(len(human.probes), dtype=bool)
        rest[rows] = False
        means, others = human.ndcg[:, rows].mean(axis=1), human.ndcg[:, rest].mean(axis=1)
        samples["tau"].append(tau_b(means, others))
        samples["mrr_gap"].append(
            float(np.abs(human.mrr[:, rows].mean(axis=1) - human.mrr[:, rest].mean(axis=1)).mean())
        )
        if n < TESTED_SAMPLES:
            signs = told_apart(human.ndcg[:, rest], clusters[rest])
            samples["agreement"].append(_same_order(means, signs))
            samples["contradicted"].append(float((signs * told_apart(human.ndcg[:, rows], clusters[rows]) < 0).sum()))
    return samples


def _tau_interval(mine: RetrieverScores, human: RetrieverScores, seed: int) -> tuple[float, float]:
    """Return the 95 % interval of tau, by a percentile bootstrap over the documents of both sets."""
    import numpy as np

    rng = np.random.default_rng([seed, len(mine.probes)])
    taus = []
    sets = [(scores.ndcg, scores.clusters, int(scores.clusters.max()) + 1) for scores in (mine, human)]
    for _ in range(SAMPLES):
        means = []
        for values, clusters, size in sets:
            weights = rng.multinomial(size, np.full(size, 1 / size))[clusters]
            means.append(values @ weights / max(1, int(weights.sum())))
        taus.append(tau_b(*means))
    return _at(taus, 2.5), _at(taus, 97.5)
