"""Similarity: chunks that are close in meaning according to an encoder."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from synth.core.checks import check_least, check_share
from synth.core.records import Relationship
from synth.corpus.analysis.pruning import strongest
from synth.corpus.transforms.base import Transform
from synth.models.encoders.base import Encoder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from synth.corpus.graph import KnowledgeGraph
    from synth.models.encoders.vectors import Vectors

    Columns: TypeAlias = tuple[Sequence[int], Sequence[int], Sequence[float]]

KIND = "similar"
_TEXTS_AT_A_TIME = 1024
_ROWS_AT_A_TIME = 256


@dataclass(frozen=True)
class Similarity(Transform):
    """Passages with a similar meaning, according to the encoder.

    Assigns "similar" edges between chunks whose vectors have a cosine of at least `threshold`. Each chunk keeps its `k`
    strongest edges. The field "shared" of an edge lists the cosine and the encoder. Up to `exact_up_to` chunks, all
    pairs are compared. Above that, an HNSW index (Malkov and Yashunin 2018) finds the nearest chunks. One thread builds
    it from a fixed seed, so results are reproducible. With a `CachedEncoder`, only the texts of changed files are
    encoded again.
    """

    name = "similarity"
    requires = ("chunk.text",)
    assigns = ("chunk.similar",)

    encoder: Encoder
    k: int = 10
    threshold: float = 0.4
    exact_up_to: int = 5000

    def __post_init__(self) -> None:
        check_least("similarity: k", self.k, 1)
        check_share("similarity: threshold", self.threshold)

    def parameters(self) -> dict[str, Any]:
        return {**super().parameters(), "encoder": self.encoder.name}

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, Any]) -> None:
        ids = [chunk.chunk_id for chunk in graph.chunks()]
        if len(ids) < 2:
            return
        rows = self._vectors(graph, ids)
        # Find twice as many as a chunk may keep, because some neighbours will already have `k` edges.
        count = min(2 * self.k, len(ids) - 1)
        blocks = _nearest_by_all_pairs(rows, count) if len(ids) <= self.exact_up_to else _nearest_by_index(rows, count)
        pairs = [_pairs_above(rows, first, nearest, self.threshold) for first, nearest in blocks]
        for a, b, cosine in strongest(pairs, ids, self.k):
            reason = (f"cosine {cosine:.2f}", self.encoder.name)
            graph.relate(Relationship(source_id=ids[a], target_id=ids[b], kind=KIND, weight=cosine, shared=reason))

    def _vectors(self, graph: KnowledgeGraph, ids: Sequence[str]) -> Vectors:
        import numpy as np

        rows = np.empty((len(ids), self.encoder.dimension), dtype=np.float32)
        for first in range(0, len(ids), _TEXTS_AT_A_TIME):
            batch = ids[first : first + _TEXTS_AT_A_TIME]
            rows[first : first + len(batch)] = self.encoder.encode([graph.chunk(node).text for node in batch])
        return rows


def _nearest_by_all_pairs(rows: Vectors, count: int) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield (number of the first row, nearest rows) for each block of consecutive rows.

    The nearest rows are an array with one row per row of the block, which contains the numbers of its `count` nearest
    rows.
    """
    import numpy as np

    for first in range(0, len(rows), _ROWS_AT_A_TIME):
        block = rows[first : first + _ROWS_AT_A_TIME] @ rows.T
        at = np.arange(len(block))
        block[at, at + first] = -np.inf
        yield first, np.argpartition(-block, count - 1, axis=1)[:, :count]


def _nearest_by_index(rows: Vectors, count: int) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield blocks like `_nearest_by_all_pairs`, found by an HNSW index. A row may be among its own nearest rows."""
    from voyager import Index, Space  # type: ignore[import-untyped]

    index = Index(Space.InnerProduct, rows.shape[1], M=16, ef_construction=128, random_seed=1, max_elements=len(rows))
    index.add_items(rows, num_threads=1)
    for first in range(0, len(rows), _ROWS_AT_A_TIME):
        block = rows[first : first + _ROWS_AT_A_TIME]
        nearest, _ = index.query(block, k=count + 1, num_threads=1, query_ef=max(64, 3 * count))
        yield first, nearest.astype("int64")


def _pairs_above(rows: Vectors, first: int, nearest: NDArray[np.int64], threshold: float) -> Columns:
    """Return the pairs with a cosine of at least `threshold`, as columns.

    Cosines are rounded so that every machine ranks them alike.
    """
    import numpy as np

    own = np.repeat(np.arange(first, first + len(nearest)), nearest.shape[1])
    others = nearest.reshape(-1)
    cosines = np.einsum("ij,ij->i", rows[own], rows[others], dtype=np.float64).clip(-1, 1).round(4)
    kept = cosines >= threshold
    return own[kept], others[kept], cosines[kept]
