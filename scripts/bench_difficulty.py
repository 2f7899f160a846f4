"""Whether the levels of difficulty mean something: recall@5 of a retriever that no filter and no level was made with.

    python scripts/bench_difficulty.py SET --corpus SOURCE… [--workspace DIR]

The levels of the set's rows are measured anew, by BM25 and, with --encoder, by the encoder too. The retriever compares
groups of characters (4 in a row in words of letters, 2 in Chinese) by tf-idf and cosine: it knows no words, no stems
and no dictionary. Recall is the share of the passages that a question needs that are among the first five.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from math import log, sqrt
from pathlib import Path

from synth.core.jsonl import read_samples
from synth.core.progress import Silent
from synth.generation.difficulty import LEVELS, DifficultyBands, difficulty_measure
from synth.text.normalise import fold_width, to_simplified
from synth.workflows.session import opened_corpus
from synth.workflows.settings import Settings

_RUN = re.compile("[\u3400-\u9fff]+|[a-z0-9_]+")


def grams(text: str) -> Counter[str]:
    """The groups of characters of a text with their counts."""
    found: Counter[str] = Counter()
    for run in _RUN.findall(to_simplified(fold_width(text)).casefold()):
        length = 2 if run >= "\u3400" else 4
        padded = run if length == 2 else f"_{run}_"
        found.update(padded[i : i + length] for i in range(max(1, len(padded) - length + 1)))
    return found


class Retriever:
    """Passages by tf-idf of their groups of characters."""

    def __init__(self, names: Sequence[str], texts: Sequence[str]) -> None:
        counts = [grams(text) for text in texts]
        held = Counter(gram for count in counts for gram in count)
        self.weights = {gram: log((1 + len(texts)) / (1 + n)) + 1 for gram, n in held.items()}
        self.postings: dict[str, list[tuple[str, float]]] = defaultdict(list)
        for name, count in zip(names, counts, strict=True):
            vector = {gram: (1 + log(n)) * self.weights[gram] for gram, n in count.items()}
            length = sqrt(sum(value * value for value in vector.values())) or 1.0
            for gram, value in vector.items():
                self.postings[gram].append((name, value / length))

    def top(self, query: str, count: int) -> list[str]:
        scores: dict[str, float] = defaultdict(float)
        for gram, n in grams(query).items():
            for name, value in self.postings.get(gram, ()):
                scores[name] += (1 + log(n)) * self.weights[gram] * value
        return sorted(scores, key=lambda name: (-scores[name], name))[:count]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("testset", type=Path, metavar="SET")
    parser.add_argument("--corpus", nargs="+", required=True, metavar="SOURCE")
    parser.add_argument("--workspace", default="", metavar="DIR")
    parser.add_argument("--encoder", action="store_true", help="the encoder looks too")
    options = parser.parse_args()
    settings = Settings(workspace=options.workspace, bands=DifficultyBands(encoder="on" if options.encoder else "off"))
    with opened_corpus(options.corpus, settings, Silent()) as (_, run):
        corpus = run.corpus
        measure = difficulty_measure(corpus, settings.bands, run.parts.encoder)
        passages = list(corpus.chunks())
        retriever = Retriever([one.chunk_id for one in passages], [one.text for one in passages])
        recalls: dict[str, list[float]] = {level: [] for level in LEVELS}
        for sample in map(measure.measured, read_samples(options.testset).samples):
            if sample.evidence:
                needed = {piece.chunk_id for piece in sample.evidence}
                found = needed & set(retriever.top(sample.question, 5))
                recalls[str(sample.metadata["difficulty"])].append(len(found) / len(needed))
    print("difficulty  rows  recall@5")
    for level, values in recalls.items():
        print(f"{level:<10}  {len(values):>4}  {sum(values) / len(values) if values else float('nan'):.3f}")


if __name__ == "__main__":
    main()
