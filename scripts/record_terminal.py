"""Record what a terminal of 80 columns shows of commands that make a set, measure a system and compare two.

`python scripts/record_terminal.py corpora/en` prints the commands and the text that is left on the screen when each has
ended. The bench server stands for the chat model.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import pty
import shlex
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pyte

COLUMNS, LINES = 80, 40
_ROOM = 200  # columns of the recording, so that a line that is too long for the terminal is seen whole
_LONGEST = 5000  # lines of the recording, so that nothing scrolls away
_ROOT = Path(__file__).parents[1]

COMMANDS = """
synth generate docs -o testset.jsonl -n 12 --seed 1
synth generate docs -o model.jsonl -n 8 --types simple=.5,reasoning=.5 --llm bench --base-url URL
synth verify testset.jsonl --corpus docs
synth run testset.jsonl --corpus docs -o whole.jsonl
synth run testset.jsonl --corpus docs -o small.jsonl --chunk-size 30 --k 1 --depth 1
synth evaluate testset.jsonl whole.jsonl --unit document --by difficulty --runs runs --name whole
synth evaluate testset.jsonl small.jsonl --unit document --min token_f1=.9 --runs runs --name small
synth evaluate testset.jsonl small.jsonl --compare whole.jsonl
synth compare runs/0001-whole.json runs/0002-small.json
synth doctor
"""


def shown(command: Sequence[str], folder: Path) -> str:
    """The text on the screen of a terminal after a command that was run in `folder`, without blank lines at its end."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    environment = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
    environment |= {"TERM": "xterm-256color", "PYTHONPATH": str(_ROOT), "SYNTH_WORKSPACE": str(folder / "workspace")}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environment)
    os.close(theirs)
    screen = pyte.Screen(_ROOM, _LONGEST)
    stream = pyte.ByteStream(screen)
    with suppress(OSError):  # Linux's answer once the other end is closed and everything was read
        while read := os.read(ours, 65536):
            stream.feed(read)
    os.close(ours)
    process.wait()
    return "\n".join(line.rstrip() for line in screen.display).rstrip()


def recordings(corpus: Path, folder: Path) -> Iterator[tuple[str, str]]:
    """Each command of COMMANDS with the text that it left on the screen; `folder` is one to work in."""
    (folder / "docs").symlink_to(corpus.resolve())
    with _chat_model() as url:
        for line in COMMANDS.strip().splitlines():
            arguments = shlex.split(line.replace("URL", url))[1:]
            yield line, shown([sys.executable, "-m", "synth.cli.main", *arguments], folder)


@contextmanager
def _chat_model() -> Iterator[str]:
    """The address of a bench server that runs inside the block."""
    command = [sys.executable, str(_ROOT / "scripts" / "bench_server.py"), "--plain", "--latency", "0.05"]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()


def main() -> None:
    """Print the recordings."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path, help="folder of the documents")
    options = parser.parse_args()
    with TemporaryDirectory() as folder:
        for line, text in recordings(options.corpus, Path(folder)):
            print(f"$ {line}\n{text}\n", flush=True)


if __name__ == "__main__":
    main()
