"""Seconds and peak memory of `synth generate` by stage, on real text grown to any number of passages.

    python scripts/bench_scale.py SOURCE ... --passages 10000 100000 [-n 100] [--model] [--workers 2] [--keep DIR]

Documents are those of the folders and JSONL files, again and again with other names and numbers, so that none is a copy
of another. Cold is an empty workspace, warm the same run again, more another seed for as many rows, update the set
brought up to documents of which one in a hundred has other names and numbers. With `--model` the bench server writes
and judges. Shown are seconds of the processor, with those of `--workers`, seconds of the clock, and the peak memory of
the process until the end of the stage.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import wraps
from pathlib import Path
from typing import Any

from bench_generate import peak_mb
from bench_model import served

RUNS = ("cold", "warm", "more", "update")

CHARACTERS = 800
"""Characters of a passage of a long file, about; the table has the true number of passages."""

STAGES = (("synth.workflows.generating", "load_sources", "load"), ("synth.workflows.updating", "load_sources", "load"),
          ("synth.workflows.generating", "manifest", "manifest"))  # fmt: skip
"""Steps without a stage of their own: module, function and the name in the table."""

_NAME = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}\b")
_NUMBER = re.compile(r"\d+")
_SYLLABLES = "al ber cor dun el far gar hol is jar kel lor mar nor or pel quen ros sel tor ul vel wes yar".split()


def changed(text: str, draw: random.Random) -> str:
    """A text with other names and numbers: the same one where a name comes again."""
    names: dict[str, str] = {}

    def name(match: re.Match[str]) -> str:
        return names.setdefault(match.group(), "".join(draw.choices(_SYLLABLES, k=3)).capitalize())

    def number(match: re.Match[str]) -> str:
        digits = match.group()
        return str(draw.randrange(10 ** (len(digits) - 1), 10 ** len(digits))) if len(digits) < 9 else digits

    return _NUMBER.sub(number, _NAME.sub(name, text))


def texts(source: Path) -> Iterator[tuple[Path, str]]:
    """Names and texts of the Markdown and text files of a folder, or of the lines {"title", "text"} of a JSONL file."""
    if source.suffix == ".jsonl":
        for number, line in enumerate(source.read_text(encoding="utf-8").splitlines()):
            row = json.loads(line)
            yield Path(f"{source.stem}/{number:05}.md"), f"# {row['title']}\n\n{row['text']}\n"
        return
    for path in sorted(source.rglob("*")):
        if path.suffix in (".md", ".txt"):
            yield path.relative_to(source.parent), path.read_text(encoding="utf-8")


def grow(sources: Sequence[str], into: Path, passages: int) -> Path:
    """Write copies of the texts of some sources, a folder a copy, with about so many passages."""
    files = [file for source in sources for file in texts(Path(source))]
    left, copy = passages, 0
    while left > 0:
        for name, text in files:
            target = into / f"{copy:05}" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(changed(text, random.Random(f"{copy} {name}")), encoding="utf-8")
            left -= max(1, round(len(text) / CHARACTERS))
            if left <= 0:
                break
        copy += 1
    return into


def edited(corpus: Path, into: Path) -> Path:
    """A copy of a folder of which every hundredth file has other names and numbers."""
    if not into.exists():
        shutil.copytree(corpus, into)
        for path in sorted(path for path in into.rglob("*") if path.is_file())[::100]:
            text = path.read_text(encoding="utf-8")
            path.write_text(changed(text, random.Random(f"edited {path.name}")), encoding="utf-8")
    return into


class Clock:
    """Progress that measures each stage without the stages inside it."""

    def __init__(self) -> None:
        self.stages: dict[str, list[float]] = {}
        self.first_row: list[float] = []
        self._inside = [[0.0, 0.0]]
        self._begun = self._now()

    @contextmanager
    def stage(self, name: str, total: int | None) -> Iterator[Any]:
        before = self._now()
        self._inside.append([0.0, 0.0])
        try:
            yield _Stage()
        finally:
            took = [now - then for now, then in zip(self._now(), before, strict=True)]
            inside = self._inside.pop()
            self._inside[-1] = [a + b for a, b in zip(self._inside[-1], took, strict=True)]
            held = self.stages.setdefault(name, [0.0, 0.0, 0.0])
            held[:2] = [old + all_ - part for old, all_, part in zip(held, took, inside, strict=False)]
            held[2] = peak_mb()

    def say(self, text: str) -> None:
        """Note the first row, when it is shown."""
        self.first_row = self.first_row or [*self.so_far(), peak_mb()]

    def so_far(self) -> list[float]:
        return [now - then for now, then in zip(self._now(), self._begun, strict=True)]

    def finish(self) -> dict[str, list[float]]:
        whole = self.so_far()
        rest = [all_ - sum(held[n] for held in self.stages.values()) for n, all_ in enumerate(whole)]
        first = {"first row after": self.first_row} if self.first_row else {}
        return {
            **self.stages,
            "rest": [*rest, peak_mb()],
            **first,
            "all": [*whole, peak_mb()],
        }

    @staticmethod
    def _now() -> list[float]:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return [time.process_time() + children.ru_utime + children.ru_stime, time.perf_counter()]


class _Stage:
    def advance(self, count: int = 1) -> None:
        pass


def measure(options: argparse.Namespace) -> None:
    """One run in this process; prints its stages as JSON."""
    clock = Clock()
    from importlib import import_module

    from synth.workflows.api import generate, update
    from synth.workflows.settings import ModelSettings, Settings

    for module, function, name in STAGES:
        home = import_module(module)
        setattr(home, function, _timed(getattr(home, function), name, clock))
    model = ModelSettings(name="bench", base_url=options.url, concurrency=32) if options.url else ModelSettings()
    settings = Settings(
        n=options.n, workspace=options.one, workers=options.workers, seed=options.seed, model=model
    )  # fmt: skip
    if options.run == "update":
        output = Path(options.one) / "update" / "testset.jsonl"
        output.parent.mkdir(exist_ok=True)
        done = update(Path(options.one) / "0.jsonl", options.sources, output, settings, clock, retire_most=True)
        print(json.dumps({"rows": sum(done.counts.values()), "passages": 0, "stages": clock.finish()}))
        return
    result = generate(options.sources, Path(options.one) / f"{options.seed}.jsonl", settings, clock, force=True)
    passages = result.manifest["graph"]["nodes"]["chunk"]
    print(json.dumps({"rows": len(result.outcome.samples), "passages": passages, "stages": clock.finish()}))


def _timed(function: Any, name: str, clock: Clock) -> Any:
    @wraps(function)
    def timed(*arguments: Any, **named: Any) -> Any:
        with clock.stage(name, None):
            return function(*arguments, **named)

    return timed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--passages", type=int, nargs="+", default=[10_000])
    parser.add_argument("-n", type=int, default=100)
    parser.add_argument("--model", action="store_true", help="with the bench server as the chat model")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--runs", nargs="+", default=list(RUNS[:3]), choices=RUNS)
    parser.add_argument("--keep", metavar="DIR", help="keep documents and workspaces there")
    parser.add_argument("--as-it-is", action="store_true", help="measure the sources themselves")
    parser.add_argument("--one", metavar="WORKSPACE", help=argparse.SUPPRESS)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    parser.add_argument("--url", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        measure(options)
        return
    print(f"{'passages':>9} {'run':<5} {'stage':<16} {'processor s':>11} {'clock s':>8} {'peak MB':>8}")
    server = served("--latency", "0.2", "--slots", "32") if options.model else nullcontext("")
    with tempfile.TemporaryDirectory() as scratch, server as url:
        for size in [0] if options.as_it_is else options.passages:
            place = Path(options.keep or scratch) / str(size)
            corpus = place / "corpus"
            if size and not corpus.exists():
                grow(options.sources, corpus, size)
                time.sleep(3)  # files of the last two seconds are not known again, since their time may not change
            for run in options.runs:
                folders = options.sources if options.as_it_is else [str(corpus)]
                if run == "update":
                    folders = [str(edited(corpus, place / "edited"))]
                command = [
                    sys.executable, __file__, *folders, "--run", run,
                    "-n", str(options.n), "--one", str(place / "workspace"), "--workers", str(options.workers),
                    "--seed", str(int(run == "more")), "--url", url,
                ]  # fmt: skip
                printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
                seen = json.loads(printed.splitlines()[-1])
                for stage, (processor, clock, peak) in seen["stages"].items():
                    print(f"{seen['passages']:>9} {run:<5} {stage:<16} {processor:>11.1f} {clock:>8.1f} {peak:>8.0f}")
                print(f"{seen['rows']} rows", flush=True)


if __name__ == "__main__":
    main()
