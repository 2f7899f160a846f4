"""Cost model of large corpora: seconds, bytes, memory and calls for 10^4 to 10^9 passages on 1, 16 and 256 machines.

    python scripts/cost_model.py                                # the tables of docs/large-corpora.md
    python scripts/cost_model.py --simulate                     # the model of shards against a simulation of them
    python scripts/cost_model.py --measure FOLDER [FOLDER ...]  # the measured terms, on this machine

Three costs are told apart. One process loads the whole corpus for any set, and makes its corpus (passages, near
duplicates, index) of the sheets of documents. Shards share what depends on one document, sheets and deep reading, and
end with a merge. Everything else is the cost of the rows.
"""

from __future__ import annotations

import argparse
import heapq
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt
from pathlib import Path

import numpy as np
from bench_scale import grow
from numpy.typing import NDArray
from scipy.stats import norm

from synth.core.progress import Silent
from synth.core.store import STORE
from synth.corpus.corpus_builder import corpus_of
from synth.workflows.session import deep_reading, load_sources, opened, read_deeply, sheet_maker
from synth.workflows.settings import Settings
from synth.workflows.sharding import merge


@dataclass(frozen=True)
class Term:
    """A number of the model; `source` is the script and the size it was measured with, or "assumed"."""

    value: float
    unit: str
    source: str


TERMS = {
    "load": Term(1.6e-4, "s a passage", "measured"),
    "sheets": Term(1.2e-3, "s a passage", "measured"),
    "corpus": Term(3.6e-4, "s a passage", "measured"),
    "memory": Term(1.4e3, "bytes a passage", "measured"),
    "memory of the program": Term(5.6e8, "bytes", "measured"),
    "text": Term(790, "bytes a passage", "measured"),
    "corpus on disk": Term(2.4e3, "bytes a passage", "measured"),
    "deep": Term(2.7e-2, "s a passage", "measured"),
    "store": Term(1.09e4, "bytes a passage, of sheets 3,400", "measured"),
    "merge": Term(2.7e7, "bytes/s", "measured"),
    "row": Term(0.2, "s a row", "measured"),
    "passages a row": Term(5, "passages", "4,000 characters"),
    "start": Term(1.7, "s a process", "measured"),
    "calls": Term(1.75, "calls a row", "measured"),
    "call": Term(5.0, "s a call", "assumed"),
    "calls at once": Term(32, "calls", "assumed"),
    "cores": Term(16, "cores a machine", "assumed"),
    "passages a document": Term(10, "passages", "assumed"),
    "spread of documents": Term(1.5, "standard deviation of sizes by their mean", "assumed"),
    "hours between losses": Term(200, "hours a machine", "assumed"),
}
ROWS = 1_000
SIZES = [10**power for power in range(4, 10)]
MACHINES = [1, 16, 256]
BLOCK = 4
"""Documents that a process takes at a time."""
TOLERANCE = 0.15
"""Most difference of the model from the simulation."""


def of(name: str) -> float:
    return TERMS[name].value


def whole_corpus_s(passages: float, *, has_sheets: bool) -> float:
    """Seconds of what one process does with the whole corpus for any set, after shards or without them."""
    terms = ("load", "corpus") if has_sheets else ("load", "sheets", "corpus")
    return passages * sum(map(of, terms)) + of("start")


def rows_s(rows: float) -> float:
    """Seconds of one process for the rows of a set without a chat model."""
    return rows * (of("row") + of("passages a row") * of("deep"))


def calls_s(rows: float) -> float:
    """Seconds of the calls of a set with a chat model."""
    return rows * of("calls") * of("call") / of("calls at once")


def largest_share(documents: float, parts: int) -> float:
    """The largest of `parts` shards by hash, as a multiple of their mean, expected.

    The work of a shard is a sum over a random number of documents, nearly normal; the largest of M normals is taken at
    Blom's plotting position (1958).
    """
    if parts == 1:
        return 1.0
    deviation = sqrt((1 + of("spread of documents") ** 2) * parts / documents)
    return float(1 + deviation * norm.ppf((parts - 0.375) / (parts + 0.25)))


def largest_document_s(documents: float) -> float:
    """Seconds to read the largest of so many documents, expected; their sizes are taken as lognormal."""
    variance = log(1 + of("spread of documents") ** 2)
    quantile = norm.ppf((documents - 0.375) / (documents + 0.25))
    return mean_document_s() * exp(sqrt(variance) * quantile - variance / 2)


def mean_document_s() -> float:
    return of("passages a document") * (of("deep") + of("sheets"))


def reading_s(passages: float, machines: int) -> float:
    """Seconds until the last of `machines` shards is read deeply, losses of machines included.

    A document is read by one process: where shards are small, the largest one decides, which begins at any time.
    """
    documents = passages / of("passages a document")
    work = passages * (of("deep") + of("sheets")) / machines / of("cores") * largest_share(documents, machines)
    balanced = work + BLOCK * mean_document_s() * (1 - 1 / of("cores"))
    uneven = work / 2 + largest_document_s(documents) + (BLOCK - 1) * mean_document_s()
    losses = work / 3600 / of("hours between losses")
    return max(balanced, uneven) + of("start") * (1 + losses)


def merge_s(passages: float, machines: int) -> float:
    """Seconds to make one workspace of those of the shards."""
    return 0.0 if machines == 1 else passages * of("store") / of("merge")


def simulated_s(passages: int, machines: int, random: np.random.Generator) -> float:
    """Seconds until the last shard is read, by simulation: documents of unequal sizes go to shards by chance, in blocks
    to the processes that are free; machines are lost, start again and go on."""
    documents = round(passages / of("passages a document"))
    variance = log(1 + of("spread of documents") ** 2)
    sizes = random.lognormal(-variance / 2, sqrt(variance), documents) * mean_document_s()
    shards = random.integers(0, machines, documents)
    ends = []
    for shard in range(machines):
        own: NDArray[np.float64] = sizes[shards == shard]
        free = [0.0] * int(of("cores"))
        for start in range(0, len(own), BLOCK):
            heapq.heapreplace(free, free[0] + float(own[start : start + BLOCK].sum()))
        work = max(free)
        losses = random.poisson(work / 3600 / of("hours between losses"))
        ends.append(work + of("start") * (1 + losses))
    return max(ends)


def simulate() -> bool:
    """Print the model beside the simulation; return True if they agree."""
    random, agrees = np.random.default_rng(0), True
    print("| passages | machines | model, s | simulated, s | simulated / model |\n| --- | --- | --- | --- | --- |")
    for passages in (10**4, 10**5, 10**6):
        for machines in MACHINES:
            if passages / of("passages a document") < 4 * machines:
                continue  # a shard of no document
            runs = 20 if passages < 10**6 else 3
            simulated = float(np.mean([simulated_s(passages, machines, random) for _ in range(runs)]))
            model = reading_s(passages, machines)
            agrees = agrees and abs(simulated / model - 1) <= TOLERANCE
            print(f"| {passages:,} | {machines} | {model:,.0f} | {simulated:,.0f} | {simulated / model:.2f} |")
    print(f"{'within' if agrees else 'NOT within'} {TOLERANCE:.0%}")
    return agrees


def time_of(seconds: float) -> str:
    for size, unit in ((86_400 * 365, "years"), (86_400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.0f} {unit}"
    return f"{seconds:.0f} s"


def bytes_of(count: float) -> str:
    for size, unit in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB")):
        if count >= size:
            return f"{count / size:,.1f} {unit}" if count < 10 * size else f"{count / size:,.0f} {unit}"
    return f"{count:,.0f} bytes"


def print_tables() -> None:
    print("| term | value | |\n| --- | --- | --- |")
    for name, term in TERMS.items():
        print(f"| {name} | {term.value:.3g} {term.unit} | {term.source} |")
    print(
        f"\n| passages | text | one process | of merged shards | memory | disk | {ROWS:,} rows without a model | "
        f"calls of {ROWS:,} rows | time of the calls |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    )
    for passages in SIZES:
        cells = [
            f"10^{len(str(passages)) - 1}",
            bytes_of(passages * of("text")),
            time_of(whole_corpus_s(passages, has_sheets=False)),
            time_of(whole_corpus_s(passages, has_sheets=True)),
            bytes_of(passages * of("memory") + of("memory of the program")),
            bytes_of(passages * of("corpus on disk")),
            time_of(rows_s(ROWS)),
            f"{ROWS * of('calls'):,.0f}",
            time_of(calls_s(ROWS)),
        ]
        print(f"| {' | '.join(cells)} |")
    names = " | ".join(f"{machines} machine{'s' * (machines > 1)}" for machines in MACHINES)
    print(f"\n| passages | workspace | {names} | merge |\n| --- | --- |{' --- |' * (len(MACHINES) + 1)}")
    for passages in SIZES:
        shared = " | ".join(
            time_of(reading_s(passages, machines)) if passages / of("passages a document") >= machines else "-"
            for machines in MACHINES
        )
        merging = time_of(merge_s(passages, MACHINES[-1]))
        print(f"| 10^{len(str(passages)) - 1} | {bytes_of(passages * of('store'))} | {shared} | {merging} |")


def measure(folders: Sequence[str], passages: int, deep: int) -> None:
    """Print the terms that this machine gives, on documents grown to so many passages; `deep` documents are parsed."""
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        corpus = grow(folders, work / "corpus", passages)
        first, second = Settings(workspace=str(work / "w1")), Settings(workspace=str(work / "w2"))
        with opened(first) as (store, parts):
            began = time.process_time()
            documents = load_sources([corpus], first, store).documents
            at_sheets = time.process_time()
            maker = sheet_maker(documents, first, store, parts)
            count = sum(len(sheet.chunks) for _, sheet in maker.sheets(list(documents), store))
            at_corpus = time.process_time()
            corpus_of(documents, maker, store, lambda: None)
            ended = time.process_time()
        print(f"{count} passages")
        print(f"load: {(at_sheets - began) / count:.3g} s a passage")
        print(f"sheets: {(at_corpus - at_sheets) / count:.3g} s a passage")
        print(f"corpus: {(ended - at_corpus) / count:.3g} s a passage, of stored sheets")
        print(
            f"text: {size_of(corpus) / count:.3g}, corpus on disk: {size_of(work / 'w1' / 'corpora') / count:.3g}, ",
            end="",
        )
        print(f"store of sheets: {(work / 'w1' / STORE).stat().st_size / count:.3g} bytes a passage")
        with opened(second) as (store, parts), deep_reading(second, store, parts) as reading:
            sheets = {one.doc_id: sheet.passages(one) for one, sheet in maker.sheets(documents[:deep], store)}
            began = time.process_time()
            read_deeply(documents[:1], sheets, reading, Silent())
            at_reading = time.process_time()
            read_deeply(documents[:deep], sheets, reading, Silent())
            ended = time.process_time()
        count, both = sum(map(len, sheets.values())), sum((work / name / STORE).stat().st_size for name in ("w1", "w2"))
        print(f"start: {at_reading - began:.3g} s; deep: {(ended - at_reading) / count:.3g} s a passage, of {count}")
        print(f"store of deep reading: {(work / 'w2' / STORE).stat().st_size / count:.3g} bytes a passage")
        began = time.perf_counter()
        merge([work / "w1", work / "w2"], work / "all")
        print(f"merge: {both / (time.perf_counter() - began):.3g} bytes a second by the clock")


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--measure", nargs="+", metavar="FOLDER")
    parser.add_argument("--passages", type=int, default=1500, help="size of the grown corpus")
    parser.add_argument("--deep", type=int, default=60, help="documents that are parsed")
    parser.add_argument("--simulate", action="store_true")
    options = parser.parse_args()
    if options.measure:
        measure(options.measure, options.passages, options.deep)
    elif options.simulate:
        sys.exit(0 if simulate() else 1)
    else:
        print_tables()


if __name__ == "__main__":
    main()
