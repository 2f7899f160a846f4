"""Near duplicates: chunks with nearly the same wording."""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeAlias

from synth.core.checks import check_least, check_share
from synth.core.records import NEAR_DUPLICATE, Relationship
from synth.corpus.analysis.pruning import strongest
from synth.corpus.transforms.base import Transform
from synth.text.normalise import fold_width, to_simplified

if TYPE_CHECKING:
    import numpy as np
    from datasketch import MinHash
    from numpy.typing import NDArray

    from synth.core.records import Chunk
    from synth.corpus.graph import KnowledgeGraph
    from synth.grammar.reading import Reading

    Signatures: TypeAlias = NDArray[np.uint32]
    BandHashes: TypeAlias = NDArray[np.uint64]

PERMUTATIONS = 128
# A band is a group of ROWS values of a signature. Chunks with an equal band are compared. This finds 95 % of the pairs
# with similarity 0.8 and 99.99 % of those with 0.9.
ROWS = 8
_HAN_SHINGLE, _SHINGLE = 3, 5
_PAIRS_AT_A_TIME = 1 << 16
_GAP = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class NearDuplicates(Transform):
    """Passages with nearly the same wording.

    Assigns "near_duplicate" edges between chunks whose Jaccard similarity, estimated by MinHash (Broder 1997), is at
    least `threshold`. It compares sets of character shingles: three characters in mostly Chinese text, else five. Case,
    width, script, spaces and punctuation are ignored. Chunks with fewer than `min_shingles` different shingles, such as
    titles, are skipped.

    Only chunks whose MinHash signatures have an equal band (group of values) are compared. If many chunks are alike,
    such as a licence in every file, each is compared with the next `k` chunks only. Each chunk keeps its `k` strongest
    edges. The field "shared" of an edge states the estimated similarity.
    """

    name = "near_duplicates"
    requires = ("chunk.text",)
    assigns = ("chunk.near_duplicate",)

    threshold: float = 0.8
    k: int = 10
    min_shingles: int = 20

    def __post_init__(self) -> None:
        check_share("near_duplicates: threshold", self.threshold)
        for name in ("k", "min_shingles"):
            check_least(f"near_duplicates: {name}", getattr(self, name), 1)

    def parameters(self) -> dict[str, Any]:
        return {**super().parameters(), "datasketch": version("datasketch")}

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> list[str | None]:
        """Return the signature of each chunk, 32-bit numbers in base 64; None for a chunk that is too short."""
        signatures: list[str | None] = []
        for chunk in chunks:
            shingles = _shingles(chunk.text)
            if len(shingles) < self.min_shingles:
                signatures.append(None)
                continue
            minhash = _empty().copy()
            minhash.update_batch(shingles)
            signatures.append(b64encode(minhash.hashvalues.astype("<u4").tobytes()).decode())
        return signatures

    def merge(self, graph: KnowledgeGraph, artifacts: Mapping[str, Sequence[str | None]]) -> None:
        ids, signatures = _signatures(graph, artifacts)
        for a, b, similarity in self.pairs(ids, signatures, bands_of(signatures)):
            reason = (f"estimated Jaccard similarity {similarity:.2f}",)
            graph.relate(
                Relationship(
                    source_id=ids[a], target_id=ids[b], kind=NEAR_DUPLICATE, weight=round(similarity, 4), shared=reason
                )
            )

    def pairs(self, ids: Sequence[str], signatures: Signatures, bands: BandHashes) -> Iterator[tuple[int, int, float]]:
        """Yield pairs of near duplicates as (row, row, similarity).

        `ids`, `signatures` and `bands` have one row per chunk.
        """
        near = [*_similar_pairs(signatures, _pairs_with_equal_band(bands, self.k), self.threshold)]
        return strongest(near, ids, self.k)


@lru_cache(maxsize=1)
def _empty() -> MinHash:
    from datasketch import MinHash

    # affine32 needs a quarter of the time of the default scheme.
    return MinHash(num_perm=PERMUTATIONS, seed=1, hashfunc=int, scheme="affine32")


def bands_of(signatures: Signatures) -> BandHashes:
    """Return a hash for each band (group of ROWS values) of each signature: a row per signature, a column per band."""
    import numpy as np

    bands = np.zeros((len(signatures), PERMUTATIONS // ROWS), dtype=np.uint64)
    for row in range(ROWS):
        bands = (bands ^ signatures[:, row::ROWS]) * np.uint64(0x9E3779B97F4A7C15)
        bands ^= bands >> np.uint64(29)
    return bands


def _shingles(text: str) -> list[int]:
    """Return 32-bit hashes of the distinct shingles of a text."""
    import numpy as np

    plain = _GAP.sub("", to_simplified(fold_width(text)).casefold())
    codes = np.frombuffer(plain.encode("utf-32-le", "surrogatepass"), dtype="<u4").astype(np.uint64)
    size = _HAN_SHINGLE if (codes >= 0x2E80).sum() * 2 > len(codes) else _SHINGLE
    if len(codes) < size:
        return []
    hashes = np.zeros(len(codes) - size + 1, dtype=np.uint64)
    for n in range(size):
        hashes = hashes * np.uint64(0x100000001B3) + codes[n : n + len(hashes)]
    hashes = (hashes ^ (hashes >> np.uint64(33))) * np.uint64(0xFF51AFD7ED558CCD)
    distinct: list[int] = np.unique(hashes >> np.uint64(32)).tolist()
    return distinct


def _signatures(graph: KnowledgeGraph, artifacts: Mapping[str, Sequence[str | None]]) -> tuple[list[str], Signatures]:
    """Return the ids of the chunks that have a signature, and their signatures, one per row."""
    import numpy as np

    ids, packed = [], []
    for doc_id, signatures_of_document in artifacts.items():
        for chunk, signature in zip(graph.chunks_of(doc_id), signatures_of_document, strict=True):
            if signature is not None:
                ids.append(chunk.chunk_id)
                packed.append(b64decode(signature))
    return ids, np.frombuffer(b"".join(packed), dtype="<u4").reshape(len(ids), PERMUTATIONS)


def _pairs_with_equal_band(bands: BandHashes, ahead: int) -> NDArray[np.int64]:
    """Return pairs of rows (first < second) with an equal band.

    For each band, a row is paired with at most the next `ahead` rows of the same hash. The index of datasketch would
    return all pairs.
    """
    import numpy as np

    count = len(bands)
    keys: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
    for band in bands.T:
        order = np.argsort(band, kind="stable")
        ordered = band[order]
        found = [keys]
        for step in range(1, min(ahead, count - 1) + 1):
            equal = np.flatnonzero(ordered[:-step] == ordered[step:])
            found.append(order[equal] * count + order[equal + step])
        keys = np.unique(np.concatenate(found))
    return np.stack(np.divmod(keys, max(1, count)), axis=1)


def _similar_pairs(
    signatures: Signatures, pairs: NDArray[np.int64], threshold: float
) -> Iterator[tuple[Sequence[int], Sequence[int], Sequence[float]]]:
    """Yield columns (first rows, second rows, similarities) of the pairs with a similarity of at least `threshold`."""
    for start in range(0, len(pairs), _PAIRS_AT_A_TIME):
        a, b = pairs[start : start + _PAIRS_AT_A_TIME].T
        similarity = (signatures[a] == signatures[b]).mean(axis=1)
        kept = similarity >= threshold
        yield a[kept], b[kept], similarity[kept]
