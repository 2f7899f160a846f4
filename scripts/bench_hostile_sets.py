"""Set every field of a manifest and of a row to something hostile, one at a time, and trace what the commands do.

    python scripts/bench_hostile_sets.py [--most N] [--commands update,rejudge,verify]

Each run is a process of its own under strace, with keys in its environment and a server on loopback that nobody named.
A connection, a file opened at the hostile path, a file written outside the folder, or a traceback is printed; the exit
code is then 1.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TEXT = "# {0} line\n\n{0} station opened in {1}. It has two platforms.\n\nThe {0} school was founded in {2}.\n"
COMMANDS = {
    "update": ("update", "SET", "--corpus", "DOCS", "-o", "NEW", "--without-model"),
    "rejudge": ("rejudge", "SET", "--corpus", "DOCS", "-o", "NEW"),
    "verify": ("verify", "SET", "--corpus", "DOCS"),
    "log": ("log", "SET"),
    "diff": ("diff", "SET", "SET"),
    "score": ("score", "SET", "--corpus", "DOCS"),
}
MANIFEST_ONLY = {  # fields that no manifest of synth has
    "model": {
        "key_env": "SECRET_KEY",
        "key_file": "FILE",
        "judge_key_env": "SECRET_KEY",
        "encoder_key_env": "SECRET_KEY",
    }
}


def fields_of(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all leaves of a JSON value; of a list, those of its first item."""
    if isinstance(value, dict) and value:
        for name, inner in value.items():
            yield from fields_of(inner, (*path, name))
    elif isinstance(value, list) and value:
        yield from fields_of(value[0], (*path, 0))
    else:
        yield path


def changed(value: Any, path: tuple[Any, ...], other: Any) -> Any:
    """A copy of a JSON value with another leaf at `path`."""
    if not path:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = changed(copy[path[0]], path[1:], other)
    return copy


def traced(command: tuple[str, ...], names: dict[str, str], folder: Path, secret: Path, port: int) -> list[str]:
    """Run a command under strace; return what it did that nobody asked for."""
    trace = folder / "trace"
    words = [names.get(word, word) for word in command]
    run = ["strace", "-f", "-qq", "-e", "trace=connect,openat,open", "-o", str(trace), sys.executable, "-m"]
    environment = {**os.environ, "SECRET_KEY": "the secret", "SYNTH_WORKSPACE": str(folder / "ws")}
    done = subprocess.run(
        [*run, "synth.cli.main", *words, "--quiet"], capture_output=True, text=True, env=environment, check=False
    )
    faults = ["traceback"] if "Traceback" in done.stderr else []
    for line in trace.read_text(errors="replace").splitlines():
        is_net = "connect(" in line and ("AF_INET" in line)
        is_written = (
            "O_CREAT" in line
            and '"/' in line
            and not any(
                place in line for place in (str(folder), "/dev/", "/proc/", "__pycache__", tempfile.gettempdir())
            )
        )
        if is_net or str(secret) in line or is_written:
            faults.append(line[:200])
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--most", type=int, default=0, help="most fields for each command, 0 for all")
    parser.add_argument("--commands", default=",".join(COMMANDS))
    options = parser.parse_args()
    runs, bad = 0, 0
    with tempfile.TemporaryDirectory() as place, socket.create_server(("127.0.0.1", 0)) as server:
        home, port = Path(place) / "home", server.getsockname()[1]
        secret = Path(place) / "outside" / "secret.txt"
        secret.parent.mkdir()
        secret.write_text("the secret")
        (home / "docs").mkdir(parents=True)
        for number, name in enumerate(("Alder", "Cedar", "Elm", "Oak")):
            (home / "docs" / f"{name}.md").write_text(TEXT.format(name, 1900 + number, 1920 + number))
        names = {"SET": str(home / "set.jsonl"), "DOCS": str(home / "docs"), "NEW": str(home / "new.jsonl")}
        make = [
            sys.executable,
            "-m",
            "synth.cli.main",
            "generate",
            names["DOCS"],
            "-o",
            names["SET"],
            "-n",
            "3",
            "--quiet",
        ]
        subprocess.run(make, env={**os.environ, "SYNTH_WORKSPACE": str(home / "ws")}, check=True, capture_output=True)
        kept = Path(place) / "kept"
        shutil.copytree(home, kept)
        manifest = json.loads((kept / "set.manifest.json").read_text())
        model = {**manifest["settings"]["model"], **MANIFEST_ONLY["model"], "base_url": "", "name": ""}
        manifest["settings"].update(model=model, workspace="", brief="")
        manifest.setdefault("brief", "")
        rows = [json.loads(line) for line in (kept / "set.jsonl").read_text().splitlines()]
        url = f"http://127.0.0.1:{port}/v1"
        attacks = [("manifest", path, evil) for path in fields_of(manifest) for evil in (url, str(secret))]
        attacks += [("row", path, evil) for path in fields_of(rows[0]) for evil in (url, str(secret), "../../x")]
        attacks.sort(key=lambda attack: "settings" not in attack[1])
        for command in options.commands.split(","):
            for kind, path, evil in attacks[: options.most or None]:
                shutil.rmtree(home)
                shutil.copytree(kept, home)
                table = changed(manifest, path, evil) if kind == "manifest" else manifest
                if path[-1] in ("base_url", "key_env", "key_file"):
                    table = changed(table, ("settings", "model", "name"), "theirs")
                (home / "set.manifest.json").write_text(json.dumps(table))
                first = changed(rows[0], path, evil) if kind == "row" else rows[0]
                (home / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in (first, *rows[1:])))
                (home / "docs" / "Oak.md").write_text(TEXT.format("Oak", 1953, 1923))
                runs += 1
                if faults := traced(COMMANDS[command], names, home, secret, port):
                    bad += 1
                    print(command, kind, ".".join(map(str, path)), evil, *faults[:2], sep="\n  ", flush=True)
    print(f"{runs} runs, {bad} of them with a fault")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
