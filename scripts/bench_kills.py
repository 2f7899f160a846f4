"""Commands killed with kill -9 at random moments and inside their writes, and begun again until they are through.

    python scripts/bench_kills.py [--kills 50] [--verbs generate,update,import,review] [-n 10]

Each verb is killed `--kills` times, in runs of one to eight kills and a last one that is left alone. Points of a kill:
- byte: a write of the process would make a file longer than a drawn number of bytes; what fits is on the disk;
- call: before or after a drawn one of its file renames, syncs and SQLite statements, or in the middle of a text file;
- moment: a drawn time after its start.
The first two are set up in a `sitecustomize` of a temporary folder; synth knows nothing of it.

After every kill, the set is the old one or the new one, byte for byte (`generate` has no old one); acknowledged
decisions of reviewers are in the log. At the end of a run, the set or the log is that of an undisturbed run, and the
server has answered no request twice but those under way at a kill. Exit code 1 when any of it does not hold.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench_corpus import write
from bench_model import served, stats
from bench_review import decide, row, started

from synth.annotation.decisions import Decisions, store_path
from synth.core.jsonl import sample_to_row, write_rows

CONCURRENCY = 4
ROWS = 60
CLOSED = "# Closed\n\nNothing is left here. 这里什么也没有了。\n"
SITE = '''
import os, resource, signal, sqlite3

kind, _, value = os.environ.get("BENCH_KILL", "").partition(":")
left = int(value or 0)
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def step():
    global left
    left -= 1
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)


def around(function):
    def called(*given, **named):
        step()
        result = function(*given, **named)
        step()
        return result
    return called


class Text:
    """A file whose texts are written in two halves."""

    def __init__(self, file):
        self.file = file

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.file.__exit__(*error)

    def __getattr__(self, name):
        return getattr(self.file, name)

    def write(self, text):
        half = len(text) // 2
        self.file.write(text[:half])
        self.file.flush()
        step()
        self.file.write(text[half:])


class Connection(sqlite3.Connection):
    def execute(self, statement, *values):
        if statement.startswith("SELECT"):
            return super().execute(statement, *values)
        return around(super().execute)(statement, *values)


if kind == "byte":
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_FSIZE, (left, left))
if kind == "call":
    connect, fdopen = sqlite3.connect, os.fdopen
    sqlite3.connect = lambda *given, **named: connect(*given, factory=Connection, **named)
    os.fdopen = lambda handle, mode="r", *given, **named: (
        Text(fdopen(handle, mode, *given, **named)) if mode in ("w", "wb") else fdopen(handle, mode, *given, **named)
    )
    os.replace, os.rename, os.fsync = around(os.replace), around(os.rename), around(os.fsync)
'''


class Killer:
    """Draws the points of kills, runs commands under them and counts."""

    def __init__(self, place: Path, kills: int) -> None:
        self.draw = random.Random(0)
        self.kills = kills
        self.hits: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.site = place / "site"
        self.site.mkdir()
        (self.site / "sitecustomize.py").write_text(SITE, encoding="utf-8")

    def environment(self, point: str) -> dict[str, str]:
        """The environment of a process that is killed at `point`; with "" it is not."""
        path = os.pathsep.join([str(self.site), os.environ.get("PYTHONPATH", "")])
        return {**os.environ, "PYTHONPATH": path, "BENCH_KILL": point}

    def point(self, *, calls: int, size: int, seconds: float) -> str:
        """A drawn point: a byte up to `size`, early ones more often; one of so many calls; or a moment."""
        kind = self.draw.choice(("byte", "call", "moment"))
        if kind == "byte":
            return f"{kind}:{int(size ** self.draw.random())}"
        return f"{kind}:{self.draw.randrange(1, calls if kind == 'call' else int(1000 * seconds))}"

    def killed(self, told: Sequence[str], **most: float) -> bool:
        """Run a command that is killed at a drawn point; False when it was through before."""
        point = self.point(calls=int(most["calls"]), size=int(most["size"]), seconds=most["seconds"])
        kind, _, value = point.partition(":")
        process = subprocess.Popen(
            told, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=self.environment(point)
        )
        try:
            process.wait(int(value) / 1000 if kind == "moment" else None)
        except subprocess.TimeoutExpired:
            process.kill()
        return self.counted(kind, process.wait())

    def counted(self, kind: str, code: int) -> bool:
        """Whether a process was killed, by its exit code; a kill is counted."""
        hit = code in (-signal.SIGKILL, -signal.SIGXFSZ)
        self.hits[kind] += hit
        return hit

    def check(self, holds: bool, what: str) -> None:
        """Note what does not hold."""
        if not holds:
            self.wrong.append(what)
            print(f"WRONG: {what}", flush=True)

    def runs(self) -> Iterator[int]:
        """Numbers of runs until there are enough kills."""
        number = 0
        while sum(self.hits.values()) < self.kills:
            yield number
            number += 1
            print(f"{number} runs, {sum(self.hits.values())} kills", flush=True)


def command(verb: str, corpus: Path, url: str, home: Path, n: int) -> list[str]:
    """`synth generate` or `synth update` with the set and the workspace of `home`."""
    testset = str(home / "set" / "testset.jsonl")
    told = [str(corpus), "-n", str(n)] if verb == "generate" else [testset, "--corpus", str(corpus)]
    return [
        sys.executable, "-m", "synth", verb, *told, "-o", testset, "--llm", "m", "--base-url", url,
        "--workspace", str(home / "ws"), "--concurrency", str(CONCURRENCY), "--quiet",
    ]  # fmt: skip


def through(verb: str, corpus: Path, url: str, home: Path, n: int) -> tuple[bytes, float]:
    """The set that an undisturbed run in `home` makes, and its seconds."""
    began = time.perf_counter()
    told = command(verb, corpus, url, home, n)
    code = subprocess.run(told, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    if code not in (0, 10, 11):
        raise SystemExit(f"{verb} ended with {code}")
    return (home / "set" / "testset.jsonl").read_bytes(), time.perf_counter() - began


def asking(killer: Killer, verb: str, corpus: Path, url: str, first: Path, n: int) -> None:
    """Kill `generate` or `update`, each run from a copy of the folder `first`."""
    place = first.parent
    before = path.read_bytes() if (path := first / "set" / "testset.jsonl").exists() else None
    shutil.copytree(first, place / "undisturbed")
    stats(url, forget=True)
    wanted, seconds = through(verb, corpus, url, place / "undisturbed", n)
    store = place / "undisturbed" / "ws" / "synth.sqlite"
    most = {"calls": 2 * stats(url)["requests"] + 60, "size": store.stat().st_size, "seconds": seconds}
    shutil.rmtree(place / "undisturbed")
    for number in killer.runs():
        home = place / f"{verb} {number}"
        shutil.copytree(first, home)
        stats(url, forget=True)
        told, testset, kills = command(verb, corpus, url, home, n), home / "set" / "testset.jsonl", 0
        for _ in range(killer.draw.randrange(1, 9)):
            kills += killer.killed(told, **most)
            there = testset.read_bytes() if testset.exists() else None
            killer.check(there in (before, wanted), f"{verb} {number}: the set is neither old nor new after a kill")
        made, _ = through(verb, corpus, url, home, n)
        twice = stats(url)["answered_twice"]
        killer.check(made == wanted, f"{verb} {number}: another set")
        killer.check(twice <= kills * CONCURRENCY, f"{verb} {number}: {twice} requests paid twice with {kills} kills")
        shutil.rmtree(home)


def importing(killer: Killer, place: Path) -> None:
    """Kill `annotate import` of a sheet with a decision on every row."""
    first = place / "annotated"
    testset, sheet = first / "testset.jsonl", first / "sheet.csv"
    write_rows(testset, map(sample_to_row, map(row, range(ROWS))))
    annotate = [sys.executable, "-m", "synth", "annotate"]
    subprocess.run(
        [*annotate, "export", str(testset), "-o", str(sheet), "--words", "en"], check=True, stdout=subprocess.DEVNULL
    )
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        head, *cells = list(csv.reader(file))
    at = head.index("decision")
    with sheet.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows([head, *([*line[:at], "accept", *line[at + 1 :]] for line in cells)])
    began = time.perf_counter()
    decided(first, annotate)
    seconds, size = time.perf_counter() - began, sum(path.stat().st_size for path in first.glob("annotations*"))
    wanted = log_of(testset)
    killer.check(len(wanted) == ROWS, f"import: {len(wanted)} decisions of {ROWS}")
    for path in first.glob("annotations*"):
        path.unlink()
    for number in killer.runs():
        home = place / f"import {number}"
        shutil.copytree(first, home)
        told = [*annotate, "import", str(home / "testset.jsonl"), str(home / "sheet.csv"), "--annotator", "ann"]
        for _ in range(killer.draw.randrange(1, 9)):
            killer.killed(told, calls=ROWS + 20, size=size, seconds=seconds)
        decided(home, annotate)
        killer.check(log_of(home / "testset.jsonl") == wanted, f"import {number}: other decisions")
        shutil.rmtree(home)


def decided(home: Path, annotate: Sequence[str]) -> None:
    """Import the sheet of a folder, undisturbed."""
    told = [*annotate, "import", str(home / "testset.jsonl"), str(home / "sheet.csv"), "--annotator", "ann"]
    subprocess.run(told, check=True, stdout=subprocess.DEVNULL)


def log_of(testset: Path) -> list[tuple[str, str, str]]:
    """The decisions that count: row, person and decision."""
    with Decisions(store_path(testset)) as decisions:
        kept = [stored.annotation for stored in decisions.all()]
    return sorted((one.sample_id, one.annotator, one.decision) for one in kept)


def reviewing(killer: Killer, place: Path) -> None:
    """Kill the review server while two people decide."""
    for number in killer.runs():
        testset = place / f"review {number}" / "testset.jsonl"
        write_rows(testset, map(sample_to_row, map(row, range(ROWS))))
        kept: list[tuple[int, str, str]] = []
        for last in [*[False] * killer.draw.randrange(1, 9), True]:
            point = "" if last else killer.point(calls=4 * ROWS, size=60_000, seconds=4.0)
            server, url = started(testset, 2, killer.environment(point))
            timer = threading.Timer(int(point.partition(":")[2]) / 1000 if "moment" in point else 600, server.kill)
            timer.start()
            threads = [threading.Thread(target=decide, args=(who, url, kept)) for who in ("ann", "ben") if url]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            timer.cancel()
            server.terminate()
            if server.wait() and not last:
                killer.counted(point.partition(":")[0], server.returncode)
            with Decisions(store_path(testset)) as decisions:
                log = {one.number: (one.annotation.annotator, one.annotation.sample_id) for one in decisions.all()}
            lost = [at for at, who, name in kept if log.get(at) != (who, name)]
            killer.check(not lost, f"review {number}: {len(lost)} of {len(kept)} acknowledged decisions lost")
        killer.check(len(log) == 2 * ROWS, f"review {number}: {len(log)} decisions of {2 * ROWS}")
        shutil.rmtree(testset.parent)


def prepared(place: Path, url: str, n: int) -> tuple[Path, Path, Path]:
    """A corpus, a folder to generate from, whose store has the parses, and one to update, whose corpus has changed."""
    corpus, fresh, changed = write(place / "corpus", n + 10), place / "fresh", place / "changed"
    subprocess.run(
        [sys.executable, "-m", "synth", "graph", "build", str(corpus), "--workspace", str(fresh / "ws"), "--quiet"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    shutil.copytree(fresh, changed)
    through("generate", corpus, url, changed, n)
    rows = (changed / "set" / "testset.jsonl").read_text(encoding="utf-8").splitlines()
    shutil.copytree(corpus, place / "later")
    for name in sorted({json.loads(line)["evidence"][0]["doc_id"] for line in rows})[: max(1, n // 4)]:
        (place / "later" / name).write_text(CLOSED, encoding="utf-8")
    return corpus, fresh, changed


def main() -> int:
    """Read the arguments, kill, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50, help="of each verb (50)")
    parser.add_argument("--verbs", default="generate,update,import,review")
    parser.add_argument("-n", type=int, default=10, help="rows of the sets (10)")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as scratch, served("--latency", "0.02", "--plain") as url:
        place, verbs = Path(scratch), options.verbs.split(",")
        if {"generate", "update"} & set(verbs):
            corpus, fresh, changed = prepared(place, url, options.n)
        for verb in verbs:
            (place / verb).mkdir()
            killer, began = Killer(place / verb, options.kills), time.perf_counter()
            if verb == "generate":
                asking(killer, verb, corpus, url, fresh, options.n)
            elif verb == "update":
                asking(killer, verb, place / "later", url, changed, options.n)
            elif verb == "import":
                importing(killer, place / verb)
            else:
                reviewing(killer, place / verb)
            points = ", ".join(f"{count} at a {kind}" for kind, count in sorted(killer.hits.items()))
            seconds = time.perf_counter() - began
            print(f"{verb}: {sum(killer.hits.values())} kills ({points}), {len(killer.wrong)} wrong; {seconds:.0f} s",
                  flush=True)  # fmt: skip
            wrong += len(killer.wrong)
    return int(wrong > 0)


if __name__ == "__main__":
    raise SystemExit(main())
