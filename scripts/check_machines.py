"""Checks that a set is the same on many machines as on one, with real Ray and a server of S3 on loopback.

    scripts/check_machines.sh [FOLDER ...]

The set of some documents, without a model, is made by one process, on Ray (two processors here; a worker killed with
SIGKILL while it reads; a cluster of two nodes that loses one), of three shards that are merged, and from S3 to S3 with
its workspace there. Bytes of rows, refused candidates and manifest must be equal, and no secret may be printed.
"""

from __future__ import annotations

import argparse
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench_scale import grow

ROOT = Path(__file__).parents[1]
PASSAGES, ROWS, BUCKET = 1000, 60, "bucket"
SECRET = "a-secret-of-this-check"
_failed: list[str] = []


def synth(*arguments: str) -> str:
    """All that a command prints. Ends the script when it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "synth", *arguments, "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode:
        sys.exit(f"synth {' '.join(arguments)}: exit code {done.returncode}\n{done.stdout}")
    return done.stdout


def generate(corpus: Path, place: Path, *options: str) -> None:
    """Make a set in a folder that is its workspace too."""
    synth("generate", str(corpus), "-o", str(place / "t.jsonl"), "-n", str(ROWS), "--workspace", str(place), *options)


def files(folder: Path) -> list[bytes]:
    return [(folder / name).read_bytes() for name in ("t.jsonl", "t.rejected.jsonl", "t.manifest.json")]


def said(what: str, is_right: bool, since: float) -> None:
    print(f"{'ok' if is_right else 'WRONG':<6}{what} ({time.perf_counter() - since:.0f} s)", flush=True)
    if not is_right:
        _failed.append(what)


def workers() -> list[int]:
    """The processes in which Ray reads documents."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if command.startswith(b"ray::_read_shard"):
                found.append(int(entry.name))
    return found


@contextmanager
def while_reading(action: Callable[[Sequence[int]], Any], done: list[Any]) -> Any:
    """Take an action once, a second after workers of Ray began to read, where they still do."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.1):
            if workers():
                ended.wait(1)  # into the first shard
                if reading := workers():
                    done.append(action(reading))
                    return

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def kill(reading: Sequence[int]) -> int:
    os.kill(reading[0], signal.SIGKILL)
    return reading[0]


def check_ray(corpus: Path, work: Path, alone: list[bytes]) -> None:
    from ray.cluster_utils import Cluster

    def make(name: str, *options: str) -> bool:
        place = work / name
        synth(
            "generate", str(corpus), "-o", str(place / "t.jsonl"), "-n", str(ROWS), "--workspace", str(place), *options
        )
        return files(place) == alone

    began = time.perf_counter()
    said("--ray", make("ray", "--ray"), began)
    began, killed = time.perf_counter(), list[Any]()
    with while_reading(kill, killed):
        is_same = make("killed", "--ray")
    said(f"--ray, worker {killed} killed", is_same and bool(killed), began)
    began, lost = time.perf_counter(), list[Any]()
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        node = cluster.add_node(num_cpus=1)
        with while_reading(lambda _: cluster.remove_node(node, allow_graceful=False), lost):
            is_same = make("cluster", "--ray", cluster.address)
    finally:
        cluster.shutdown()
    said("--ray ADDRESS, one of two nodes lost", is_same and bool(lost), began)


def check_shards(corpus: Path, work: Path, alone: list[bytes]) -> None:
    began = time.perf_counter()
    parts = [str(work / f"shard-{number}") for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        synth("graph", "build", str(corpus), "--shard", f"{number}/3", "--workspace", part)
    place = work / "merged"
    synth("merge", *parts, "--into", str(place))
    generate(corpus, place)
    said("three shards, merged", files(place) == alone, began)


def check_s3(corpus: Path, work: Path, alone: list[bytes]) -> None:
    import s3fs
    from moto.server import ThreadedMotoServer

    began = time.perf_counter()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        os.environ |= {
            "AWS_ENDPOINT_URL": f"http://{host}:{port}",
            "AWS_ACCESS_KEY_ID": "check",
            "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_DEFAULT_REGION": "us-east-1",
        }
        store = s3fs.S3FileSystem()
        store.mkdir(BUCKET)
        store.put(f"{corpus}/", f"{BUCKET}/docs/", recursive=True)
        there = f"s3://{BUCKET}"
        command = ("generate", f"{there}/docs", "-o", f"{there}/out/t.jsonl", "-n", str(ROWS))
        printed = synth(*command, "--workspace", f"{there}/workspace")
        place = work / "s3"
        place.mkdir()
        for name in ("t.jsonl", "t.rejected.jsonl", "t.manifest.json"):
            store.get(f"{BUCKET}/out/{name}", str(place / name))
        is_same = files(place) == alone and store.exists(f"{BUCKET}/workspace/synth.sqlite")
        said("source, output and workspace at s3://", is_same, began)
        printed += synth(*command, "--workspace", f"{there}/workspace")
        os.environ["AWS_ENDPOINT_URL"] = f"http://{host}:1"
        refused = subprocess.run(
            [sys.executable, "-m", "synth", *command],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        lines = refused.stderr.strip().splitlines()
        said(f"a server that is not there: {lines[-1:]}", refused.returncode == 2 and len(lines) == 1, began)
        said(
            "no secret printed or written",
            SECRET not in printed + refused.stdout + refused.stderr + str(files(place)),
            began,
        )
    finally:
        server.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", default=[str(ROOT / "corpora" / "en")])
    checks = {"shards": check_shards, "s3": check_s3, "ray": check_ray}
    parser.add_argument("--only", nargs="+", choices=checks, default=checks, help="some of the checks")
    options = parser.parse_args()
    os.environ |= {"PYTHONPATH": str(ROOT), "RAY_worker_niceness": "0"}  # a busy machine would let Ray's workers wait
    with tempfile.TemporaryDirectory() as scratch:
        work = Path(scratch)
        corpus = grow(options.folders, work / "corpus", PASSAGES)
        began = time.perf_counter()
        synth(
            "generate",
            str(corpus),
            "-o",
            str(work / "alone" / "t.jsonl"),
            "-n",
            str(ROWS),
            "--workspace",
            str(work / "w"),
        )
        alone = files(work / "alone")
        rows = alone[0].count(b"\n")
        said(f"{rows} rows by one process", rows == ROWS, began)
        for name in options.only:
            checks[name](corpus, work, alone)
    sys.exit(f"{len(_failed)} of the sets differ: {'; '.join(_failed)}" if _failed else 0)


if __name__ == "__main__":
    main()
