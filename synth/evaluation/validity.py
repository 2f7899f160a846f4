"""What a testset can tell: how it ranks retrievers, how many it tells apart, and whether people's questions agree.

Every figure of a set stands beside that of samples of the human questions, as many as the set has, each held
against the human questions that are not in it: no set can be expected to agree better than that. Kendall's tau-b
(1945); pairs of systems by a paired test over documents, corrected for the number of pairs (Holm, 1979).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, TypeAlias

from synth.core.errors import InputError
from synth.evaluation.metrics.ranking import ndcg, reciprocal_rank
from synth.retrieval.base import Retriever
from synth.text.shared_wording import shared_wording

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[Any]

K = 10
SAMPLES = 1000
TESTED_SAMPLES = 200
ALPHA = 0.05
GAP, AGREEMENT, SHARED = 0.03, 0.95, 0.05
"""What is wanted: the gap of MRR at most, the agreement at least, words and bigrams at most this far from people's."""

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Probe:
    """A question with the ids that are relevant to it, the document it counts to, and the text that answers it."""

    id: str
    question: str
    relevant: frozenset[str]
    document: str
    passage: str


@dataclass(frozen=True, slots=True)
class RetrieverScores:
    """Every retriever on every question: `ndcg` and `mrr` at 10, one row a retriever; `ranks` 0 when not found."""

    names: tuple[str, ...]
    probes: tuple[Probe, ...]
    ndcg: Array
    mrr: Array
    ranks: Array

    @property
    def clusters(self) -> Array:
        """The number of the document of each question."""
        import numpy as np

        known: dict[str, int] = {}
        return np.array([known.setdefault(probe.document, len(known)) for probe in self.probes])


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a set beside that of human samples: their mean, and where 5 and 95 % of them lie."""

    value: float
    low: float | None
    high: float | None
    sample_mean: float
    sample_low: float
    sample_high: float
    wanted: str
    held: bool


@dataclass(frozen=True, slots=True)
class Validity:
    """How far a set agrees with human questions on the same documents."""

    questions: int
    human: int
    sample: int
    figures: Mapping[str, Figure]
    shift: float
    """By how much the set is easier (above 0) than the human questions: mean difference of MRR@10."""

    told_apart: int
    human_told_apart: int
    pairs: int
    contradicted: tuple[tuple[str, str], ...]


def tried(
    probes: Sequence[Probe], retrievers: Mapping[str, Retriever], done: Callable[[], None] = lambda: None
) -> RetrieverScores:
    """Search for every question with every retriever. Raises InputError when there is no question."""
    import numpy as np

    if not probes:
        raise InputError("no row of the set names what is relevant to it: neither evidence nor a document")
    gains = np.zeros((len(retrievers), len(probes)))
    firsts = np.zeros_like(gains)
    ranks = np.zeros(gains.shape, dtype=int)
    for i, retriever in enumerate(retrievers.values()):
        for j, probe in enumerate(probes):
            found = [id for id, _ in retriever.search(probe.question, K)]
            grades = [float(id in probe.relevant) for id in found]
            gains[i, j] = ndcg(grades, K, [1.0] * len(probe.relevant))
            firsts[i, j] = reciprocal_rank(grades, K)
            ranks[i, j] = next((rank for rank, grade in enumerate(grades, start=1) if grade), 0)
        done()
    return RetrieverScores(tuple(retrievers), tuple(probes), gains, firsts, ranks)


def copied_wording(probes: Sequence[Probe]) -> tuple[list[float], list[float]]:
    """Shares of each question's words and of its pairs of words that its passage has; NaN where it has none."""
    shared = [shared_wording(probe.question, [probe.passage]) for probe in probes]
    return _or_nan([one.words for one in shared]), _or_nan([one.pairs for one in shared])


def _or_nan(values: Sequence[float | None]) -> list[float]:
    return [float("nan") if value is None else value for value in values]


def tau_b(a: Array, b: Array) -> float:
    """Kendall's tau-b of two lists of scores; 0 when one of them is all ties."""
    import numpy as np
    from scipy.stats import kendalltau

    tau = float(kendalltau(a, b, method="asymptotic").statistic)
    return 0.0 if np.isnan(tau) else tau


def told_apart(values: Array, clusters: Array) -> Array:
    """For each pair of systems 1 or -1 when the first is surely better or worse, else 0; pairs as by combinations.

    The test is of the paired difference, questions of one document taken together, at 5 % after Holm.
    """
    import numpy as np

    firsts, seconds = map(list, zip(*combinations(range(len(values)), 2), strict=True))
    gaps = values[firsts] - values[seconds]
    size = int(clusters.max()) + 1
    member = np.zeros((len(clusters), size))
    member[np.arange(len(clusters)), clusters] = 1.0
    member = member[:, member.any(axis=0)]
    means = gaps.mean(axis=1)
    deviations = (gaps - means[:, None]) @ member
    groups = member.shape[1]
    errors = np.sqrt(groups / max(1, groups - 1) * (deviations**2).sum(axis=1)) / len(clusters)
    steps = np.divide(np.abs(means), errors, out=np.zeros_like(means), where=errors > 0)
    p = [2 * (1 - _NORMAL.cdf(float(one))) for one in steps]
    found = np.zeros(len(p), dtype=int)
    for rank, i in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        if p[i] * (len(p) - rank) >= ALPHA:
            break
        found[i] = int(np.sign(means[i]))
    return found


def validity(mine: RetrieverScores, human: RetrieverScores, seed: int = 0) -> Validity:
    """A set against human questions over the same corpus, tried with the same retrievers.

    Raises InputError when there are too few human questions to draw a sample from.
    """
    import numpy as np

    if len(human.probes) < 2 * len(mine.names):
        raise InputError(f"{len(human.probes)} human questions are too few to compare with; at least 30 are needed")
    size = min(len(mine.probes), len(human.probes) // 2)
    sampled = _sampled(human, size, seed)
    gap = float(np.abs(mine.mrr.mean(axis=1) - human.mrr.mean(axis=1)).mean())
    tau = tau_b(mine.ndcg.mean(axis=1), human.ndcg.mean(axis=1))
    sure, said = told_apart(human.ndcg, human.clusters), told_apart(mine.ndcg, mine.clusters)
    agreement = _agreement(mine.ndcg.mean(axis=1), sure)
    names = list(combinations(mine.names, 2))
    against = tuple(names[i] for i in np.flatnonzero(sure * said < 0))
    low, high = _tau_interval(mine, human, seed)
    least = _at(sampled["tau"], 5)
    figures = {
        "tau": _figure(tau, sampled["tau"], f"≥ {least:.3f}", held=tau >= least, interval=(low, high)),
        "mrr_gap": _figure(gap, sampled["mrr_gap"], f"≤ {GAP}", held=gap <= GAP),
        "agreement": _figure(agreement, sampled["agreement"], f"≥ {AGREEMENT}", held=agreement >= AGREEMENT),
        "contradicted": _figure(len(against), sampled["contradicted"], "0", held=not against),
    }
    for name, own, theirs in zip(
        ("words", "bigrams"), copied_wording(mine.probes), copied_wording(human.probes), strict=True
    ):
        value, wanted = float(np.nanmean(own)), float(np.nanmean(theirs))
        drawn = [float(np.nanmean(np.array(theirs)[rows])) for rows in _draws(len(theirs), size, SAMPLES, seed)]
        figures[name] = _figure(value, drawn, f"{wanted:.3f} ± {SHARED}", held=abs(value - wanted) <= SHARED)
    return Validity(
        questions=len(mine.probes),
        human=len(human.probes),
        sample=size,
        figures=figures,
        shift=float((mine.mrr.mean(axis=1) - human.mrr.mean(axis=1)).mean()),
        told_apart=int((said != 0).sum()),
        human_told_apart=int((sure != 0).sum()),
        pairs=len(names),
        contradicted=against,
    )


def _at(values: Sequence[float], percent: float) -> float:
    import numpy as np

    return float(np.percentile(values, percent))


def _figure(
    value: float,
    drawn: Sequence[float],
    wanted: str,
    *,
    held: bool,
    interval: tuple[float | None, float | None] = (None, None),
) -> Figure:
    import numpy as np

    return Figure(value, *interval, float(np.mean(drawn)), _at(drawn, 5), _at(drawn, 95), wanted, held)


def _agreement(means: Array, sure: Array) -> float:
    """The share of the pairs that are surely different that these means put in the same order; 1 for none."""
    import numpy as np

    signs = np.array([np.sign(means[i] - means[j]) for i, j in combinations(range(len(means)), 2)])
    judged = sure != 0
    return float((signs[judged] == sure[judged]).mean()) if judged.any() else 1.0


def _draws(of: int, size: int, times: int, seed: int) -> list[Array]:
    import numpy as np

    rng = np.random.default_rng([seed, of, size])
    return [rng.permutation(of)[:size] for _ in range(times)]


def _sampled(human: RetrieverScores, size: int, seed: int) -> dict[str, list[float]]:
    """The figures of samples of the human questions, each against the questions that are not in it."""
    import numpy as np

    clusters = human.clusters
    found: dict[str, list[float]] = {"tau": [], "mrr_gap": [], "agreement": [], "contradicted": []}
    for n, rows in enumerate(_draws(len(human.probes), size, SAMPLES, seed)):
        rest = np.ones(len(human.probes), dtype=bool)
        rest[rows] = False
        means, others = human.ndcg[:, rows].mean(axis=1), human.ndcg[:, rest].mean(axis=1)
        found["tau"].append(tau_b(means, others))
        found["mrr_gap"].append(float(np.abs(human.mrr[:, rows].mean(axis=1) - human.mrr[:, rest].mean(axis=1)).mean()))
        if n < TESTED_SAMPLES:
            sure = told_apart(human.ndcg[:, rest], clusters[rest])
            found["agreement"].append(_agreement(means, sure))
            found["contradicted"].append(float((sure * told_apart(human.ndcg[:, rows], clusters[rows]) < 0).sum()))
    return found


def _tau_interval(mine: RetrieverScores, human: RetrieverScores, seed: int) -> tuple[float, float]:
    """Where tau lies in 95 % of draws of documents, with their questions, from both sets (percentile bootstrap)."""
    import numpy as np

    rng = np.random.default_rng([seed, len(mine.probes)])
    found = []
    weights = [(one.ndcg, one.clusters, int(one.clusters.max()) + 1) for one in (mine, human)]
    for _ in range(SAMPLES):
        means = []
        for values, clusters, size in weights:
            drawn = rng.multinomial(size, np.full(size, 1 / size))[clusters]
            means.append(values @ drawn / max(1, int(drawn.sum())))
        found.append(tau_b(*means))
    return _at(found, 2.5), _at(found, 97.5)
