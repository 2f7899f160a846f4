"""What strangers wrote is parsed in a process that holds no key, has no network, and ends at its limits."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from synth.core.errors import RecordError
from synth.core.restricted_process import Crashed, Limits, Overrun, RestrictedProcess

CALLS = "tests.restricted_calls"


@pytest.fixture(scope="module")
def process():
    with RestrictedProcess(Limits(seconds=20, output=1_000_000)) as process:
        yield process


@pytest.fixture
def confined(process):
    """A process with namespaces of its own; what holds only there is left out where the system gives none."""
    (network,) = process.results(f"{CALLS}:namespaces")
    if network == os.readlink("/proc/self/ns/net"):
        unshare = shutil.which("unshare")
        given = unshare and subprocess.run([unshare, "-Urn", "true"], capture_output=True).returncode == 0
        assert not given, "the system gives namespaces, and the process took none"
        pytest.skip("the system gives a process no namespaces of its own")
    return process


@pytest.fixture
def port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_it_inherits_no_key(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    monkeypatch.setenv("ANY_NAME", "secret too")
    with RestrictedProcess(Limits()) as process:
        (environment,) = process.results(f"{CALLS}:environment")
    assert "secret" not in str(environment)
    assert "PATH" in environment


def test_it_opens_no_connection(process, port):
    with pytest.raises(Crashed, match="a parser may not use the network"):
        list(process.results(f"{CALLS}:connects", port=port))


def test_code_below_the_interpreter_opens_none_either(confined, port):
    (outcome,) = confined.results(f"{CALLS}:connects_by_the_system", port=port)
    assert outcome != "connected"


def test_it_cannot_read_the_environment_of_its_parent(confined):
    assert Path(f"/proc/{os.getpid()}/environ").read_bytes()
    (outcome,) = confined.results(f"{CALLS}:reads_environment_of", process=os.getpid())
    assert outcome == "Permission denied"


def test_it_writes_no_file(process, tmp_path):
    list(process.results(f"{CALLS}:writes", path=str(tmp_path / "file")))
    assert (tmp_path / "file").read_text() == "" if (tmp_path / "file").exists() else True


def test_results_come_in_order_and_an_error_after_them(process):
    assert list(process.results(f"{CALLS}:numbers", "灯".encode(), most=3)) == [[0, "灯"], [1, "灯"], [2, "灯"]]
    results = process.results(f"{CALLS}:fails_late")
    assert [next(results)["n"] for _ in range(100)] == list(range(100))
    with pytest.raises(RecordError, match=r"set\.jsonl:201: damaged"):
        list(results)


@pytest.mark.parametrize(
    ("call", "says"), [("endless", "larger than the limit"), ("greedy", "it took more than 1 GB of memory")]
)
def test_a_call_ends_at_its_limits_and_the_next_one_is_answered(process, call, says):
    with pytest.raises(Overrun, match=says):
        list(process.results(f"{CALLS}:{call}"))
    assert list(process.results(f"{CALLS}:numbers", b"a", most=1)) == [[0, "a"]]


def test_a_call_that_nobody_reads_to_the_end_leaves_nothing_for_the_next(process):
    results = process.results(f"{CALLS}:endless")
    next(results)
    results.close()
    assert list(process.results(f"{CALLS}:numbers", b"a", most=1)) == [[0, "a"]]
