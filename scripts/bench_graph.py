"""Seconds, edges and memory of building the knowledge graph of corpora of growing size.

    python scripts/bench_graph.py [--sizes 1000 3000 10000 30000 100000]

The corpora are made here: documents of 25 chunks, half of them English and half Chinese, which name
things as often as Zipf's law has it, the first of them in more than half of the chunks; some chunks
are a licence that stands in many files, some repeat another with a word changed, and every document
links to two others. There is no encoder and no recognition of entities: the mentions are given.

Each size is built in a process of its own, and opened again in another. An exponent of 1 is linear.
"""

from __future__ import annotations

import argparse
import math
import random
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from synth.core.records import Chunk, Document, digest, text_hash
from synth.core.store import Store
from synth.corpus import graph_builder as building
from synth.corpus.analysis.mentions.merging import MentionsArtifact
from synth.corpus.graph import KnowledgeGraph
from synth.corpus.transforms.base import Transform
from synth.corpus.transforms.entities import Entities
from synth.corpus.transforms.language import Language
from synth.corpus.transforms.near_duplicates import NearDuplicates
from synth.corpus.transforms.references import References
from synth.grammar.reading import Reading

SIZES = (1000, 3000, 10_000, 30_000, 100_000)
CHUNKS_A_DOCUMENT = 25
MENTIONS_A_CHUNK = 8
WORDS_A_CHUNK = {"en": 60, "zh": 90}
LICENCE = (
    "Everyone may copy, change and pass on this page, as long as this notice stays with it and says who wrote it. "
)

T = TypeVar("T")


@dataclass
class Clock:
    """Seconds by stage."""

    seconds: dict[str, float] = field(default_factory=dict)

    def timed(self, stage: str, act: Callable[..., T]) -> Callable[..., T]:
        def wrapped(*args: Any, **named: Any) -> T:
            begun = time.perf_counter()
            try:
                return act(*args, **named)
            finally:
                self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - begun

        return wrapped


class GivenEntities(Entities):
    """The entities of the generated texts, which can be told from their spelling."""

    name = "entities"

    def run(self, reading: Reading, chunks: Sequence[Chunk]) -> MentionsArtifact:
        return {
            "mentions": [
                (number, chunk.start + found.start(), chunk.start + found.end(), found.group(), "term")
                for number, chunk in enumerate(chunks)
                for found in re.finditer(r"(?:Unit|部件)-\d+", chunk.text)
            ],
            "aliases": [],
        }


class Maker:
    """Texts of words and names drawn by Zipf's law, the same for the same size."""

    def __init__(self, chunks: int) -> None:
        self._random = random.Random(chunks)
        self._documents = max(1, chunks // CHUNKS_A_DOCUMENT)
        letters = "aeioulnrstdkm"
        made = ("".join(self._random.choices(letters, k=self._random.randint(3, 9))) for _ in range(5000))
        han = [chr(0x4E00 + 7 * n) for n in range(600)]
        self._words = {"en": [*made], "zh": ["".join(self._random.choices(han, k=2)) for _ in range(5000)]}
        self._word_weights = [*accumulate(1 / n for n in range(1, 5001))]
        self._names = range(2 * chunks)
        self._name_weights = [*accumulate(1 / n for n in range(1, 2 * chunks + 1))]

    def corpus(self) -> Iterator[tuple[Document, list[Chunk]]]:
        for number in range(self._documents):
            language = "zh" if number % 2 else "en"
            parts = [self._chunk(language) for _ in range(CHUNKS_A_DOCUMENT)]
            if number % 4 == 0:
                parts[-1] = LICENCE * 3 + "\n\n"
                parts[-2] = parts[0].replace(self._words[language][0], self._words[language][1], 1)
            yield _cut(f"{number:06}.md", parts)

    def _chunk(self, language: str) -> str:
        words = self._random.choices(self._words[language], cum_weights=self._word_weights, k=WORDS_A_CHUNK[language])
        kind = "部件" if language == "zh" else "Unit"
        for name in self._random.choices(self._names, cum_weights=self._name_weights, k=MENTIONS_A_CHUNK):
            words.insert(self._random.randrange(len(words)), f"{kind}-{name}")
        if self._random.random() < 2 / CHUNKS_A_DOCUMENT:
            words.append(f"[see]({self._random.randrange(self._documents):06}.md)")
        return "，".join(words) + "。\n\n" if language == "zh" else " ".join(words) + ".\n\n"


def _cut(doc_id: str, parts: Sequence[str]) -> tuple[Document, list[Chunk]]:
    text = "".join(parts)
    document = Document(
        doc_id=doc_id,
        source=doc_id,
        title=doc_id,
        text=text,
        content_hash=text_hash(text),
        metadata={"format": "markdown"},
    )
    ends = [*accumulate(map(len, parts))]
    places = zip([0, *ends], ends, strict=False)
    chunks = [
        Chunk(chunk_id="c-" + digest(doc_id, a, b)[:12], doc_id=doc_id, start=a, end=b, text=text[a:b])
        for a, b in places
    ]
    return document, chunks


def transforms(clock: Clock) -> list[Transform]:
    """What is measured; each notes its seconds, those of single documents and those of the whole."""
    kinds = (GivenEntities, NearDuplicates, References)
    every: tuple[type[Transform], ...] = (Language, *kinds)
    for kind in every:
        if kind.run is not Transform.run:
            kind.run = clock.timed(f"{kind.name} run", kind.run)  # type: ignore[method-assign]
        kind.merge = clock.timed(f"{kind.name} merge", kind.merge)  # type: ignore[method-assign]
    return [kind() for kind in kinds]


def built(size: int, store: Path) -> dict[str, Any]:
    """Build and store the graph of a corpus of `size` chunks."""
    clock = Clock()
    parts = transforms(clock)
    corpus = [*Maker(size).corpus()]
    documents, chunks = [d for d, _ in corpus], [c for _, cut in corpus for c in cut]
    del corpus
    pack = clock.timed("pack", KnowledgeGraph.to_bytes)
    KnowledgeGraph.to_bytes = pack  # type: ignore[method-assign]
    building._skeleton = clock.timed("nodes", building._skeleton)
    with Store(store) as opened:
        begun = time.perf_counter()
        graph, _ = building.build(documents, chunks, parts, building.Tools(opened))
        total = time.perf_counter() - begun
    clock.seconds["store and the rest"] = total - sum(clock.seconds.values())
    stats = graph.stats()
    return {"stages": clock.seconds, "total": total, "edges": stats["edges"], "gigabytes": _peak()}


def reopened(size: int, store: Path) -> dict[str, Any]:
    """Open the graph that `built` stored."""
    corpus = [*Maker(size).corpus()]
    documents, chunks = [d for d, _ in corpus], [c for _, cut in corpus for c in cut]
    parts = transforms(Clock())
    with Store(store) as opened:
        begun = time.perf_counter()
        _, counts = building.build(documents, chunks, parts, building.Tools(opened))
        total = time.perf_counter() - begun
    if any(count.computed for count in counts.values()):
        raise SystemExit("the stored graph was not opened but built again")
    return {"seconds": total, "gigabytes": _peak()}


def _peak() -> float:
    """Most memory that this process has held, in gigabytes."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e9 if sys.platform == "darwin" else 1e6)


def _apart(act: Callable[[int, Path], dict[str, Any]], size: int, store: Path) -> dict[str, Any]:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(act, size, store).result()


def show(size: int, made: dict[str, Any], opened: dict[str, Any]) -> None:
    print(f"\n{size} chunks: built in {made['total']:.1f} s and {made['gigabytes']:.2f} GB", end="")
    print(f", opened in {opened['seconds']:.1f} s and {opened['gigabytes']:.2f} GB", flush=True)
    for stage, seconds in made["stages"].items():
        print(f"  {stage:<24} {seconds:>8.2f} s")
    print("  edges: " + ", ".join(f"{kind} {count}" for kind, count in made["edges"].items()), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, metavar="CHUNKS")
    seconds = {}
    for size in sorted(parser.parse_args().sizes):
        with TemporaryDirectory() as folder:
            store = Path(folder) / "store.sqlite"
            made = _apart(built, size, store)
            show(size, made, _apart(reopened, size, store))
        seconds[size] = made["total"]
    sizes = list(seconds)
    print()
    for before, size in pairwise(sizes):
        exponent = math.log(seconds[size] / seconds[before], size / before)
        print(f"growth exponent from {before} to {size}: {exponent:.2f}")
    if 10_000 in seconds and 100_000 in seconds:
        print(f"growth exponent from 10000 to 100000: {math.log10(seconds[100_000] / seconds[10_000]):.2f}")


if __name__ == "__main__":
    main()
