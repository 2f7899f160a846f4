"""Every judged metric on many rows over HTTP, with faults: whether a value is lost, how near the ideal schedule is.

    python scripts/bench_judged.py [--rows 100] [--latency 0.3] [--faults 0.1] [--concurrency 16]

Run from a checkout: the judge is the one by rules of the tests, in a process of its own. The ideal schedule is that of
all calls, faults included, end to end on `concurrency` lines; a second run must ask nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from synth.core.records import Evidence
from synth.core.table import table
from synth.evaluation.responses.reading import Responses
from synth.testset.dataset import Dataset, Item
from synth.workflows.api import EvaluationSettings, Judging, evaluate
from synth.workflows.evaluation_result import Evaluated
from synth.workflows.settings import ModelSettings


def main() -> None:
    """Run twice and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100)
    parser.add_argument("--latency", type=float, default=0.3)
    parser.add_argument("--faults", type=float, default=0.1)
    parser.add_argument("--concurrency", type=int, default=16)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(options.latency, options.faults)
        return
    command = [sys.executable, __file__, "--serve", "--latency", str(options.latency), "--faults", str(options.faults)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        with tempfile.TemporaryDirectory() as workspace:
            measure(url, workspace, options)
    finally:
        server.terminate()
        server.wait()


def serve(latency: float, faults: float) -> None:
    """Answer judging prompts, `latency` seconds each; a share of the calls, drawn by their text, gets a 500 first."""
    server, judge = (import_module(f"tests.{name}") for name in ("llm.server", "metrics.judge"))

    seen: set[str] = set()

    def behave(body: dict[str, Any], _: int) -> Any:
        began = time.monotonic()
        text = json.dumps(body, sort_keys=True)
        drawn = int(hashlib.sha256(text.encode()).hexdigest()[:8], 16) / 16**8
        bad = drawn < faults and text not in seen
        seen.add(text)
        reply = server.Status(500) if bad else judge.as_server(body)
        time.sleep(max(0.0, latency - (time.monotonic() - began)))
        return reply

    print(server.ChatServer(behave).url, flush=True)
    time.sleep(3600)


def measure(url: str, workspace: str, options: argparse.Namespace) -> None:
    """Evaluate twice, and print what was lost and how long it took."""
    rows, responses = made(options.rows)
    how = EvaluationSettings(
        metrics=("judged",),
        judging=Judging(
            model=ModelSettings(name="judge", base_url=url, concurrency=options.concurrency),
            encoder="hashed",
            workspace=workspace,
        ),
    )
    shown: list[list[Any]] = []
    found: list[Evaluated] = []
    for name in ("first", "second"):
        began = time.perf_counter()
        found.append(evaluate(rows, responses, how))
        took = time.perf_counter() - began
        accounts = found[-1].judge["accounts"]
        ideal = accounts["calls"] * options.latency / options.concurrency
        share = f"{ideal / took:.0%}" if accounts["calls"] else "-"
        retries = sum(accounts["retries"].values())
        shown.append([name, accounts["calls"], accounts["cached"], retries, f"{took:.1f} s", f"{ideal:.1f} s", share])
    print(table(["run", "calls", "replies from before", "tries again", "took", "ideal", "of the ideal"], shown))
    print()
    metrics = found[0].evaluation.metrics
    reasons = [[name, f"{one.estimate.n} of {one.of}", "; ".join(one.reasons)] for name, one in metrics.items()]
    print(table(["column", "rows", "because"], reasons))
    same = {name: one.estimate for name, one in metrics.items()} == {
        name: one.estimate for name, one in found[1].evaluation.metrics.items()
    }
    print(f"both runs {'agree' if same else 'DIFFER'}")


def made(n: int) -> tuple[Dataset, Responses]:
    """Rows about mills, half of them Chinese, with three contexts each; every third answer is half wrong."""
    facts = [
        f"The mill number {i} was built in {1700 + i}." if i % 2 else f"第{i}座磨坊建于{1700 + i}年。" for i in range(n)
    ]
    items, responses = [], []
    for i, fact in enumerate(facts):
        piece = Evidence(doc_id=f"{i}.md", doc_hash="", chunk_id=f"c{i}", start=0, end=len(fact), text=fact)
        metadata = {
            "language": "en" if i % 2 else "zh-Hans",
            "topics": ["mill", "磨坊"],
            "images": ["data:image/png;base64,AA"],
        }
        question = f"When was mill {i} built?" if i % 2 else f"第{i}座磨坊建于哪一年？"
        items.append(Item(id=f"q-{i}", question=question, golden_answers=[fact], evidence=[piece], metadata=metadata))
        answer = fact if i % 3 else f"{fact} {fact.replace('17', '18')}"
        contexts = [{"text": text} for text in (fact, facts[i - 1], facts[i - 2])]
        responses.append({"id": f"q-{i}", "answer": answer, "contexts": contexts, "tool_calls": []})
    return Dataset(items), Responses.of(responses)


if __name__ == "__main__":
    main()
