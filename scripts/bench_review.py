"""Decisions a minute that the review server takes from several clients at once, and what a kill loses.

    python scripts/bench_review.py [--clients 8] [--decisions 4000]

Makes a set, starts `synth annotate review` on it, lets every client decide rows as the page does (a decision and the
next row in one request), kills the server with SIGKILL under way, and counts what it had acknowledged and not kept.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from synth.annotation.decisions import Decisions, store_path
from synth.core.jsonl import sample_to_row, write_rows
from synth.core.records import Evidence, Sample, text_hash

ROWS = 2_000


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--decisions", type=int, default=4_000, help="after how many the server is killed (4000)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        testset = Path(folder) / "testset.jsonl"
        write_rows(testset, (sample_to_row(row(number)) for number in range(ROWS)))
        server, url = started(testset, options.clients)
        acknowledged: list[tuple[int, str, str]] = []
        latencies: list[float] = []
        enough = threading.Event()
        arguments = (url, acknowledged, latencies, enough, options.decisions)
        threads = [threading.Thread(target=decide, args=(f"p{n}", *arguments)) for n in range(options.clients)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        enough.wait()
        seconds = time.perf_counter() - began
        taken = len(acknowledged)
        os.kill(server.pid, signal.SIGKILL)
        for thread in threads:
            thread.join()
        server.wait()
        with Decisions(store_path(testset)) as decisions:
            kept = {one.number: (one.annotation.annotator, one.annotation.sample_id) for one in decisions.all()}
    lost = sum(kept.get(number) != (who, row) for number, who, row in acknowledged)
    latencies.sort()
    print(f"{taken} decisions of {options.clients} clients in {seconds:.1f} s: {60 * taken / seconds:,.0f} a minute")
    print(f"median {1000 * latencies[len(latencies) // 2]:.0f} ms, 99 of 100 under {_late(latencies):.0f} ms")
    print(f"killed: {len(acknowledged)} acknowledged, {lost} lost")
    return 1 if lost else 0


def _late(latencies: list[float]) -> float:
    return 1000 * latencies[int(0.99 * (len(latencies) - 1))]


def row(number: int) -> Sample:
    """The row `number` of the set."""
    text = f"Lamp {number} was lit in {1000 + number}."
    piece = Evidence(doc_id="d.md", doc_hash=text_hash(text), chunk_id="c", start=0, end=len(text), text=text)
    return Sample(
        question=f"In what year was lamp {number} lit?",
        golden_answers=(str(1000 + number),),
        evidence=(piece,),
        question_type="simple",
        language="en",
    )


def started(
    testset: Path, clients: int, environment: Mapping[str, str] | None = None
) -> tuple[subprocess.Popen[str], str]:
    """A review server on its way, and its address; "" when it ended before it had one."""
    command = [sys.executable, "-m", "synth", "annotate", "review", str(testset), "--port", "0", "--json"]
    server = subprocess.Popen(
        [*command, "--per-item", str(clients)], stdout=subprocess.PIPE, text=True, env=environment
    )
    assert server.stdout is not None
    told = ""
    for line in server.stdout:
        told += line
        if told.rstrip().endswith("}"):
            return server, json.loads(told)["url"]
    return server, ""


def decide(
    who: str,
    url: str,
    acknowledged: list[tuple[int, str, str]],
    latencies: list[float] | None = None,
    enough: threading.Event | None = None,
    most: int = 0,
) -> None:
    """Decide rows until none is left or the server is gone; note number, person and row of what it acknowledged.

    `latencies` takes the seconds of each decision; `enough` is set after `most` of them.
    """
    at = urlsplit(url)
    connection = HTTPConnection(at.hostname or "", at.port, timeout=60)
    headers = {"content-type": "application/json"}

    def ask(method: str, path: str, body: Any = None) -> Any:
        connection.request(method, path, json.dumps(body), headers)
        return json.loads(connection.getresponse().read())

    try:
        headers["x-synth-token"] = ask("GET", "/setting")["token"]
        shown = ask("POST", "/next", {"annotator": who})["row"]
        while shown:
            decision = {"id": shown["id"], "hash": shown["hash"], "expects": 0, "decision": "accept", "annotator": who}
            began = time.perf_counter()
            found = ask("POST", "/decide", decision)
            if latencies is not None:
                latencies.append(time.perf_counter() - began)
            acknowledged.append((found["kept"]["number"], who, shown["id"]))
            shown = found["row"]
            if enough and len(acknowledged) >= most:
                enough.set()
    except (OSError, HTTPException, ValueError):
        return  # the server was killed


if __name__ == "__main__":
    sys.exit(main())
