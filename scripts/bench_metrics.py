"""How fast the metrics are, beside the packages that define them, in one run on the same pairs.

    python scripts/bench_metrics.py [--pairs 2000] [--queries 20000] [--rows 100000]

Answers are English texts of about 850 characters, no two alike. Prints pairs a second of EM, F1, ROUGE and BLEU
together, queries a second of the measures of a ranking, the time to a first score in a fresh process, and the
time and peak memory of `synth evaluate` on many rows.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from synth.core.records import Response
from synth.core.table import table
from synth.evaluation.evaluation import BLOCK
from synth.evaluation.measuring import ranking
from synth.evaluation.metrics.base import Case
from synth.testset.dataset import Item
from synth.workflows.assembly import metrics_named

TOGETHER = ("exact_match", "token_f1", "rouge_1", "rouge_2", "rouge_l", "bleu")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--queries", type=int, default=20_000)
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()
    runs = whole_runs(options.rows)  # before this process has grown: a child's peak begins with that of its parent
    pairs = list(texts(options.pairs))
    rows = [
        ["EM, F1, ROUGE-1/2/L, BLEU together", "synth", rate(ours(pairs), options.pairs, "pairs")],
        ["ROUGE-1/2/L", "rouge-score", rate(rouge_score(pairs), options.pairs, "pairs")],
        ["BLEU", "sacrebleu", rate(sacrebleu(pairs), options.pairs, "pairs")],
    ]
    queries = list(rankings(options.queries))
    rows += [
        ["P, R, MAP, MRR, nDCG at 10", "synth", rate(lambda: measured(queries), options.queries, "queries")],
        ["P, R, MAP, MRR, nDCG at 10", "pytrec_eval", rate(pytrec_eval(queries), options.queries, "queries")],
    ]
    print(table(["what", "by", "speed"], [*rows, *runs]))


def texts(count: int) -> Iterable[tuple[str, str]]:
    """Pairs of an answer and a golden answer that share most of their words."""
    rng = random.Random(0)
    known = ["".join(rng.choice("etaoinshrdlu") for _ in range(rng.randrange(2, 9))) for _ in range(3000)]
    for _ in range(count):
        golden = [rng.choice(known) for _ in range(140)]
        answer = [word if rng.random() < 0.7 else rng.choice(known) for word in golden]
        yield " ".join(answer) + ".", " ".join(golden) + "."


def rankings(count: int) -> Iterable[tuple[dict[str, int], dict[str, float]]]:
    """Graded judgements and a ranking of ten, of one query each."""
    rng = random.Random(0)
    names = [f"d{i}" for i in range(50)]
    for _ in range(count):
        judged = {name: rng.randrange(1, 4) for name in rng.sample(names, rng.randrange(1, 5))}
        yield judged, {name: rng.random() for name in rng.sample(names, 10)}


def rate(work: Callable[[], object], count: int, what: str) -> str:
    """How many a second of processor time, so that what else the machine does makes little difference."""
    start = time.process_time()
    work()
    return f"{count / (time.process_time() - start):,.0f} {what} a second"


def ours(pairs: list[tuple[str, str]]) -> Callable[[], object]:
    metrics = metrics_named(TOGETHER)
    cases = [
        Case(Item(id=str(i), question="?", golden_answers=[golden]), Response(sample_id=str(i), answer=answer))
        for i, (answer, golden) in enumerate(pairs)
    ]
    blocks = [cases[first : first + BLOCK] for first in range(0, len(cases), BLOCK)]
    return lambda: [metric.scores(block) for block in blocks for metric in metrics]


def rouge_score(pairs: list[tuple[str, str]]) -> Callable[[], object]:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"])
    return lambda: [scorer.score(golden, answer) for answer, golden in pairs]


def sacrebleu(pairs: list[tuple[str, str]]) -> Callable[[], object]:
    from sacrebleu.metrics.bleu import BLEU

    scorer = BLEU(effective_order=True)
    return lambda: [scorer.sentence_score(answer, [golden]) for answer, golden in pairs]


def measured(queries: list[tuple[dict[str, int], dict[str, float]]]) -> None:
    """The measures of each ranking, ordering included."""
    for judged, scored in queries:
        order = sorted(sorted(scored, reverse=True), key=scored.__getitem__, reverse=True)
        grades, ideal = [judged.get(name, 0) for name in order], list(judged.values())
        ranking.precision(grades, 10)
        ranking.recall(grades, 10, len(ideal))
        ranking.average_precision(grades, 10, len(ideal))
        ranking.reciprocal_rank(grades, 10)
        ranking.ndcg(grades, 10, ideal)


def pytrec_eval(queries: list[tuple[dict[str, int], dict[str, float]]]) -> Callable[[], object]:
    from pytrec_eval import RelevanceEvaluator

    judged = {str(i): one for i, (one, _) in enumerate(queries)}
    run = {str(i): one for i, (_, one) in enumerate(queries)}
    names = {"P.10", "recall.10", "map_cut.10", "ndcg_cut.10", "recip_rank"}
    return lambda: RelevanceEvaluator(judged, names).evaluate(run)


def whole_runs(rows: int) -> list[list[str]]:
    """`synth evaluate` in a process of its own: one row, and many."""
    with tempfile.TemporaryDirectory() as folder:
        found = []
        for count in (1, rows):
            made = write(Path(folder), count)
            start = time.perf_counter()
            command = [sys.executable, "-m", "synth", "evaluate", *made, "--metrics", "recall,ndcg,token_f1", "--quiet"]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
            speed = f"{time.perf_counter() - start:.1f} s, {peak} MB at most"
            found.append([f"synth evaluate, {count} rows", "synth", speed])
        return found


def write(folder: Path, count: int) -> list[str]:
    """A testset and its responses, as files."""
    testset, responses = folder / "set.jsonl", folder / "responses.jsonl"
    with testset.open("w", encoding="utf-8") as rows, responses.open("w", encoding="utf-8") as said:
        for i in range(count):
            row = {"id": f"q-{i}", "question": f"What is {i}?", "golden_answers": [f"number {i}"], "doc_id": f"d{i}"}
            answer = {"id": f"q-{i}", "answer": f"It is number {i - i % 3}.", "retrieved": ["d1", f"d{i}", "d0"]}
            rows.write(json.dumps(row) + "\n")
            said.write(json.dumps(answer) + "\n")
    return [str(testset), str(responses)]


if __name__ == "__main__":
    main()
