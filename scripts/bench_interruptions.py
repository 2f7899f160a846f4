"""Commands that replace a file, interrupted at random moments: the old files or the new ones, never between.

    python scripts/bench_interruptions.py [--times 100] [--verbs generate,update,import,...]

Each command replaces what an earlier one wrote, `--times` times, each time stopped by another of: INT, TERM, HUP, a
budget (`--max-calls`), 402 and 500 from the server, a full disk (no file grows beyond a drawn number of bytes).
Commands that ask no model are stopped by signals and the disk. After each, every file is the old one or the new one,
all of a set alike, and so are the decisions of `annotate import` and the store of `merge`; the exit code and the
message are those of what happened, and a signal ends the command within 5 s.
Exit code 1 when any of it does not hold. Each command runs in a process forked from one that has imported synth, so
that few of the moments are of its start.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import pkgutil
import random
import resource
import shutil
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from urllib.request import Request, urlopen

from bench_corpus import write
from bench_model import served
from bench_review import row

import synth
from synth.annotation.decisions import Decisions, store_path
from synth.annotation.records import annotation_of
from synth.cli.main import main
from synth.core.jsonl import lines_of, read_samples, sample_to_row, write_rows
from synth.core.store import STORE
from synth.testset.stored_manifest import manifest_of
from synth.testset.update.history import set_hash, versions_of

SIGNALS = {"INT": signal.SIGINT, "TERM": signal.SIGTERM, "HUP": signal.SIGHUP}
LOCAL = (*SIGNALS, "disk")
ASKING = (*LOCAL, "budget", "402", "500")
SAYS = {
    "INT": (130, "interrupted"), "TERM": (130, "interrupted"), "HUP": (130, "interrupted"), "budget": (9, "budget"),
    "402": (9, "endpoint was lost"), "500": (9, "endpoint was lost"), "disk": (2, ""),
}  # fmt: skip
BEFORE_A_REPLY = 4
"""Exit code of a run whose endpoint never replied."""
ROWS = 40
STARTED = b"."
"""First message of a process, which shows that it is ready for its command."""
FORKS = get_context("forkserver")
FORKS.set_forkserver_preload(
    ["numpy", "networkx", "bench_corpus", "bench_model", "bench_review"]
    + [module.name for module in pkgutil.walk_packages(synth.__path__, "synth.") if "__main__" not in module.name]
)


class Gate:
    """A server that passes requests on, and after a drawn number of them answers with an error status."""

    def __init__(self, url: str) -> None:
        self.left, self.status = -1, 500
        gate, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                with lock:
                    gate.left -= 1
                    is_over = gate.left == -1 or (gate.left < 0 and gate.failing)
                if is_over:
                    status, content = gate.status, b'{"error": {"message": "it went wrong"}}'
                else:
                    asked = Request(url.removesuffix("/v1") + self.path, body, {"Content-Type": "application/json"})
                    with urlopen(asked) as reply:
                        status, content = reply.status, reply.read()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                with suppress(OSError):  # the one who asked may be gone
                    self.wfile.write(content)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self.failing = False
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def fail(self, after: int | None, status: int = 500) -> None:
        """Answer with `status` after so many requests; None for never."""
        self.failing, self.left, self.status = after is not None, -2 if after is None else after, status


def files_of(home: Path) -> dict[str, bytes]:
    """The files of a folder by name, without partial sets, logs of decisions and what a killed process left."""
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in sorted(home.rglob("*"))
        if path.is_file() and ".partial." not in path.name and "sqlite" not in path.name and path.name[0] != "."
    }


def run(told: Sequence[str], stop: str, size: int, messages: Connection) -> None:
    """Run a command in this process, which was forked for it."""
    for number in SIGNALS.values():  # a shell has what it starts in the background ignore some
        signal.signal(number, signal.SIG_DFL)
    if stop == "disk":
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    os.dup2(messages.fileno(), 2)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout, sys.stderr = os.fdopen(os.dup(1), "w"), os.fdopen(os.dup(2), "w")
    messages.close()
    os.write(2, STARTED)
    sys.exit(main(told))


def ended(told: Sequence[str], stop: str, at: float, size: int) -> tuple[int, str, float]:
    """Exit code, messages, and seconds from the signal to the end, of a command that is stopped."""
    heard, messages = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=run, args=(told, stop, size, messages))
    process.start()
    messages.close()
    os.read(heard.fileno(), len(STARTED))
    said: list[bytes] = []
    reader = threading.Thread(target=lambda: said.extend(iter(lambda: os.read(heard.fileno(), 65_536), b"")))
    reader.start()
    asked = 0.0
    if stop in SIGNALS:
        process.join(at)
        if process.is_alive():
            asked = time.perf_counter()
            with suppress(ProcessLookupError):  # it has ended since
                os.kill(process.pid or 0, SIGNALS[stop])
    process.join()
    took = time.perf_counter() - asked if asked else 0.0
    reader.join()
    heard.close()
    return process.exitcode or 0, b"".join(said).decode("utf-8", "replace"), took


def interrupted(
    verb: str,
    first: Path,
    command: Callable[[Path], list[str]],
    stops: Sequence[str],
    times: int,
    draw: random.Random,
    gate: Gate,
    read: Callable[[Path], object],
) -> int:
    """Interrupt one command, each time in a copy of the folder `first`; the number of what did not hold.

    `read` gives what a folder holds, as it is compared.
    """
    undisturbed = first.parent / f"{verb} undisturbed"
    shutil.copytree(first, undisturbed)
    old = read(first)
    gate.fail(None)
    for _ in range(2):  # the first one may read files that are in no cache yet
        shutil.rmtree(undisturbed)
        shutil.copytree(first, undisturbed)
        began = time.perf_counter()
        code, said, _ = ended(command(undisturbed), "", 0, 0)
        seconds = time.perf_counter() - began
    new = read(undisturbed)
    if code not in (0, 10, 11) or new == old:
        raise SystemExit(f"{verb}: {code}, {'unchanged' if new == old else 'changed'}: {said}")
    size = max(path.stat().st_size for path in undisturbed.rglob("*") if path.is_file() and path.parent.name != "ws")
    shutil.rmtree(undisturbed)
    tally: Counter[str] = Counter()
    wrong, slowest = 0, 0.0
    for number in range(times):
        stop, home = stops[number % len(stops)], first.parent / f"{verb} {number}"
        shutil.copytree(first, home)
        after = draw.randrange(0, 30)
        gate.fail(after if stop in ("402", "500") else None, int(stop) if stop.isdigit() else 500)
        told = [*command(home), *(["--max-calls", str(after)] if stop == "budget" else [])]
        code, said, took = ended(told, stop, draw.uniform(0, seconds), int((2 * size) ** draw.random()))
        slowest = max(slowest, took)
        now = read(home)
        is_new = now == new or (code in (0, 10, 11) and is_complete(home))
        state = "new" if is_new else "old" if now == old else "BETWEEN"
        wanted, word = SAYS[stop]
        is_through = state == "new" and code in (0, 10, 11)
        was_early = stop in SIGNALS and code == -SIGNALS[stop]  # before the command had begun
        no_reply = stop in ("402", "500") and code == BEFORE_A_REPLY
        is_true = is_through or was_early or (code == wanted and word in said) or no_reply
        is_true = is_true and not (code in (0, 10, 11) and state != "new") and "no more rows" not in said
        if state == "BETWEEN" or not is_true or took > 5:
            wrong += 1
            print(f"WRONG: {verb} {number} {stop}: {state}, exit code {code}, {took:.1f} s: {said[-300:]}", flush=True)
        tally[f"{stop} {state}"] += 1
        shutil.rmtree(home)
    told_ = ", ".join(f"{count} {name}" for name, count in sorted(tally.items()))
    print(
        f"{verb}: {times} interruptions ({told_}), {wrong} wrong; ended at most {slowest:.1f} s after a signal",
        flush=True,
    )
    return wrong


def is_complete(home: Path) -> bool:
    """Whether the set of a folder has the rows that its manifest tells of: with a failed request it may have others."""
    testset = home / "set" / "testset.jsonl"
    versions = versions_of(manifest_of(testset))
    return bool(versions) and versions[-1].hash == set_hash(lines_of(testset))


def decisions_of(home: Path) -> object:
    """The decisions that count on the set of a folder: row, person and decision."""
    with Decisions(store_path(home / "set" / "testset.jsonl")) as decisions:
        kept = [stored.annotation for stored in decisions.all()]
    return sorted((one.sample_id, one.annotator, one.decision) for one in kept)


def values_of(home: Path) -> object:
    """What the store has that others are merged into: kind and key of each value."""
    if not (file := home / "merged" / STORE).exists():
        return []
    with closing(sqlite3.connect(file)) as store:
        tables = store.execute("SELECT name FROM sqlite_master WHERE name = 'artifacts'").fetchall()
        return store.execute("SELECT kind, key FROM artifacts ORDER BY kind, key").fetchall() if tables else []


def decided_sheet(testset: Path, sheet: Path, decision: str) -> None:
    """Export the rows of a set as a sheet, with a decision on each."""
    main(["annotate", "export", str(testset), "-o", str(sheet), "--words", "en"])
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        head, *cells = list(csv.reader(file))
    at = head.index("decision")
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([head, *([*line[:at], decision, *line[at + 1 :]] for line in cells)])


def decide(testset: Path, **decision: str) -> None:
    """A decision of somebody on every row of a set."""
    with Decisions(store_path(testset)) as decisions, decisions.batch():
        for sample in read_samples(testset).samples:
            decisions.add(annotation_of(sample, "ann", decision, "a bench"), "review")


def bench() -> int:
    """Read the arguments, interrupt, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=100, help="of each command (100)")
    parser.add_argument("--verbs", default="", help="the commands, separated by commas (all)")
    options = parser.parse_args()
    draw, wrong = random.Random(0), 0
    with tempfile.TemporaryDirectory() as scratch, served("--latency", "0.02", "--plain") as url:
        place, gate = Path(scratch), Gate(url)
        corpus, asked = write(place / "corpus", 20), ["--llm", "m", "--base-url", gate.url, "--concurrency", "4"]
        os.environ["OPENAI_API_KEY"] = "none"

        def generated(home: Path, *more: str) -> list[str]:
            told = [
                "generate",
                str(corpus),
                "-o",
                str(home / "set" / "testset.jsonl"),
                "--types",
                "simple",
                *asked,
                *more,
            ]
            return [*told, "--workspace", str(home / "ws"), "--quiet"]

        first = place / "first"
        main([*generated(first, "-n", "8")])
        later = Path(shutil.copytree(corpus, place / "later"))
        cited = Counter(one.evidence[0].doc_id for one in read_samples(first / "set" / "testset.jsonl").samples)
        for doc_id in sorted(cited, key=cited.__getitem__)[:1]:
            (later / doc_id).write_text("# Closed\n\nNothing is left here.\n", encoding="utf-8")
        aside = place / "aside" / "testset.jsonl"
        write_rows(aside, map(sample_to_row, map(row, range(ROWS))))
        decide(aside, decision="accept")
        made = first / "set" / "testset.jsonl"
        responses = place / "responses.jsonl"
        answers = [{"id": sample.id, "answer": "It was in 1900."} for sample in read_samples(made).samples]
        responses.write_text("".join(json.dumps(answer) + "\n" for answer in answers), encoding="utf-8")

        def quiet(home: Path, *told: str) -> list[str]:
            return [*told, "--workspace", str(home / "ws"), "--quiet"]

        def old(name: str) -> Callable[[Path], str]:
            return lambda home: str(home / "set" / name)

        commands: Mapping[str, tuple[Sequence[str], str, Callable[[Path], list[str]]]] = {
            "generate": (ASKING, "", lambda home: generated(home, "-n", "12", "--seed", "1")),
            "update": (
                ASKING, "",
                lambda home: quiet(home, "update", old("testset.jsonl")(home), "--corpus", str(later), "-o",
                                   old("testset.jsonl")(home), *asked),
            ),
            "rejudge": (
                LOCAL, "",
                lambda home: quiet(home, "rejudge", old("testset.jsonl")(home), "--corpus", str(corpus), "-o",
                                   old("testset.jsonl")(home), "--threshold", "specific.max_rivals=0", "-n", "4"),
            ),
            "accept": (
                LOCAL, "",
                lambda home: ["annotate", "accept", str(aside), "-o", old("testset.jsonl")(home), "--force",
                              "--quiet"],
            ),
            "adopt": (
                LOCAL, "",
                lambda home: quiet(home, "adopt", str(place / "own.jsonl"), "--corpus", str(corpus), "-o",
                                   old("testset.jsonl")(home), "--force"),
            ),
            "export": (
                LOCAL, "out.json",
                lambda home: ["export", str(made), "--to", "ragas", "-o", old("out.json")(home), "--quiet"],
            ),
            "evaluate": (
                LOCAL, "out.json",
                lambda home: ["evaluate", str(made), str(responses), "-o", old("out.json")(home), "--html",
                              old("out.html")(home), "--csv", old("out.csv")(home), "--junit", old("out.xml")(home),
                              "--markdown", old("out.md")(home), "--quiet"],
            ),
            "run": (
                LOCAL, "out.json",
                lambda home: quiet(home, "run", str(made), "--corpus", str(corpus), "-o", old("out.json")(home)),
            ),
            "sweep": (
                LOCAL, "out.json",
                lambda home: quiet(home, "sweep", str(made), "--corpus", str(corpus), "-o", old("out.json")(home),
                                   "--plot", old("out.svg")(home), "--retrievers", "bm25"),
            ),
            "score": (
                LOCAL, "out.json",
                lambda home: quiet(home, "score", str(made), "--corpus", str(corpus), "-o", old("out.json")(home),
                                   "--html", old("out.html")(home)),
            ),
            "sheets": (
                LOCAL, "out.label-studio.json",
                lambda home: ["annotate", "export", str(aside), "-o", old("out.label-studio.json")(home),
                              "--quiet"],
            ),
            "import": (
                LOCAL, "",
                lambda home: ["annotate", "import", old("testset.jsonl")(home), str(sheet), "--annotator",
                              "ann", "--quiet"],
            ),
            "merge": (
                LOCAL, "",
                lambda home: ["merge", str(first / "ws"), "--into", str(home / "merged"), "--quiet"],
            ),
            "graph": (
                LOCAL, "out.json",
                lambda home: quiet(home, "graph", "export", str(corpus), "-o", old("out.json")(home)),
            ),
            "init": (LOCAL, "out.toml", lambda home: ["init", old("out.toml")(home), "--force", "--quiet"]),
        }  # fmt: skip
        own = [{"question": s.question, "answer": s.golden_answers[0], "context": s.evidence[0].text}
               for s in read_samples(made).samples if s.golden_answers][:5]  # fmt: skip
        (place / "own.jsonl").write_text("".join(json.dumps(line) + "\n" for line in own), encoding="utf-8")
        sheet = place / "sheet.csv"
        decided_sheet(aside, sheet, "accept")
        readers = {"import": decisions_of, "merge": values_of}
        for verb in options.verbs.split(",") if options.verbs else commands:
            stops, target, command = commands[verb]
            start = place / f"{verb} first"
            shutil.copytree(first, start)
            if target:
                (start / "set" / target).write_text("old\n", encoding="utf-8")
            if verb == "import":
                shutil.copy(aside, start / "set" / "testset.jsonl")
                decide(start / "set" / "testset.jsonl", decision="reject", reason="trivial")
            read = readers.get(verb, lambda home: files_of(home / "set"))
            wrong += interrupted(verb, start, command, stops, options.times, draw, gate, read)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(bench())
