"""A disk that is full, torn or cannot be written: it is said what, where and what to do; nothing acknowledged is lost.

A full disk is a limit on the size of files, which a write meets in its middle. A torn page is SQLite's log of writes
(its WAL) cut at a byte between two acknowledged writes. `faulty_disk` fails below SQLite, at each of its writes.
"""

import errno
import os
import random
import resource
import shutil
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.annotation.decisions import Decisions
from synth.cli.main import main
from synth.core.errors import InputError
from synth.core.jsonl import write_atomic, write_bytes
from synth.core.store import SCHEMA_VERSION, Store
from tests.annotation.rows import Client, corpus_and_rows, said, served
from tests.faulty_disk import FAULTS, Disk, faulty
from tests.generators import REPETITIONS

ROWS = corpus_and_rows(40, 3)[1]
PAGE = 4096


@contextmanager
def full(most):
    """No file grows beyond `most` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def value(number):
    return random.Random(number).randbytes(3000)


def put(path, acknowledged, count=40):
    with Store(path) as store:
        for number in range(count):
            store.put("reply", f"k{number}", value(number))
            acknowledged.append(number)


def log(path, acknowledged, count=40):
    with Decisions(path) as decisions:
        for row in ROWS[:count]:
            acknowledged.append((decisions.add(said(row), "review").number, row.id))


def stored(path):
    with Store(path) as store:
        return [number for number in range(40) if store.get("reply", f"k{number}") == value(number)]


def logged(path):
    with Decisions(path) as decisions:
        return [(one.number, one.annotation.sample_id) for one in decisions.all()]


KINDS = pytest.mark.parametrize(("write", "read"), [(put, stored), (log, logged)], ids=["store", "decisions"])


@KINDS
@pytest.mark.parametrize("most", [*range(0, 8 * PAGE, 1500), *range(8 * PAGE, 40 * PAGE, 3 * PAGE + 17)])
def test_a_disk_that_fills_at_any_write_is_said_and_keeps_what_was_acknowledged(tmp_path, write, read, most):
    path, acknowledged = tmp_path / "a.sqlite", []
    with pytest.raises(InputError) as raised, full(most):
        write(path, acknowledged)
    assert str(path) in str(raised.value)
    assert "make room" in str(raised.value) or "cannot be opened" in str(raised.value)
    kept = read(path)
    assert kept[: len(acknowledged)] == acknowledged
    write(path, [])
    assert len(read(path)) == 40


@KINDS
@given(cut=st.floats(0, 1), garbled=st.booleans())
@settings(max_examples=20)
def test_a_torn_write_loses_itself_alone(tmp_path_factory, write, read, cut, garbled):
    home = tmp_path_factory.mktemp("torn")
    path, log_path, at = home / "a.sqlite", home / "a.sqlite-wal", []

    class Noted(list):
        """Notes how long the log is at each acknowledgement, and keeps the files before they are closed."""

        def append(self, number):
            super().append(number)
            at.append(log_path.stat().st_size)
            if len(self) == 40:
                for name in (path.name, log_path.name):
                    shutil.copy(home / name, home / f"copy-{name}")

    acknowledged = Noted()
    write(path, acknowledged)
    (home / "copy-a.sqlite-wal").rename(home / "b.sqlite-wal")
    (home / "copy-a.sqlite").rename(home / "b.sqlite")
    content = (home / "b.sqlite-wal").read_bytes()
    size = at[0] + int(cut * (len(content) - at[0]))
    rest = b"\xa5" * (len(content) - size) if garbled else b""
    (home / "b.sqlite-wal").write_bytes(content[:size] + rest)
    kept = read(home / "b.sqlite")
    whole = [number for number, end in zip(acknowledged, at, strict=True) if end <= size]
    assert kept[: len(whole)] == whole
    assert kept == acknowledged[: len(kept)]


@KINDS
@pytest.mark.parametrize("fault", FAULTS)
def test_a_disk_that_fails_at_any_write_is_said_and_keeps_what_was_acknowledged(tmp_path, write, read, fault):
    with faulty(Disk()) as sound:
        write(tmp_path / "sound", [], 6)
    assert sound.count > 30
    for at in range(0, sound.count, max(1, 6 // REPETITIONS)):
        path, acknowledged = tmp_path / f"{at}.sqlite", []
        told = f"{path} cannot be opened"
        with faulty(Disk(fault, at)) as disk:
            try:
                write(path, acknowledged, 6)
            except InputError as error:
                told = str(error)
            else:
                assert len(acknowledged) == 6
        assert str(path) in told
        assert "make room" in told or "cannot be opened" in told
        if fault == "power":
            disk.cut()
        with faulty(Disk()):
            kept = read(path)
            if fault == "power" and write is put:
                # A store may lose its last values with the power, not with the process; a decision is synced first.
                assert kept == acknowledged[: len(kept)]
            else:
                assert kept[: len(acknowledged)] == acknowledged
            write(path, [], 6)
            assert len(read(path)) == 6


@pytest.mark.parametrize("open_it", [Store, Decisions])
def test_a_database_that_cannot_be_used_is_closed(tmp_path, open_it):
    path = tmp_path / "a.sqlite"
    with open_it(path) as opened:
        opened._db.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    with pytest.raises(InputError, match="update synth"):
        open_it(path)
    assert str(path) not in [os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]


@pytest.mark.parametrize("open_it", [Store, Decisions])
def test_a_disk_that_takes_no_files_is_said(open_it):
    with pytest.raises(InputError, match=r"/proc/synth/a\.sqlite cannot be opened"):
        open_it(Path("/proc/synth/a.sqlite"))


@pytest.mark.parametrize("most", [0, 1, 5000, 99_999])
def test_a_file_that_does_not_fit_is_said_and_the_old_one_stays(tmp_path, most):
    for write, content in ((write_atomic, "new" * 33_334), (write_bytes, b"new" * 33_334)):
        path = tmp_path / "set.jsonl"
        path.write_text("old", encoding="utf-8")
        with pytest.raises(InputError, match=r"cannot write .*set\.jsonl: File too large"), full(most):
            write(path, content)
        assert path.read_text(encoding="utf-8") == "old"
        assert [one.name for one in tmp_path.iterdir()] == ["set.jsonl"]


@pytest.mark.parametrize("call", ["fsync", "replace", "open"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EIO, errno.EROFS, errno.EDQUOT])
def test_a_file_whose_disk_fails_is_said_and_the_old_one_stays(tmp_path, monkeypatch, call, number):
    def failing(*_, **__):
        raise OSError(number, os.strerror(number))

    path = tmp_path / "set.jsonl"
    path.write_text("old", encoding="utf-8")
    for write, content in ((write_atomic, "new"), (write_bytes, b"new")):
        with monkeypatch.context() as patch:
            patch.setattr(os, call, failing)
            with pytest.raises(InputError, match=rf"cannot write .*{os.strerror(number)}"):
                write(path, content)
        assert path.read_text(encoding="utf-8") == "old"
        assert [one.name for one in tmp_path.iterdir()] == ["set.jsonl"]


@pytest.mark.parametrize("most", [0, 3000, 10_000, 40_000, 120_000])
def test_a_run_on_a_full_disk_ends_with_a_message_and_goes_on_afterwards(tmp_path, capsys, most):
    (tmp_path / "docs").mkdir()
    for number in range(8):
        text = f"# Kell {number}\n\n## When was the Kell {number} lighthouse built?\n\nThe Kell {number} lighthouse was built in {1811 + number} by Robert Stevenson.\n"
        (tmp_path / "docs" / f"{number}.md").write_text(text, encoding="utf-8")

    def run(name, workspace):
        output = tmp_path / name / "set.jsonl"
        told = ["generate", tmp_path / "docs", "-n", 2, "-o", output, "--workspace", tmp_path / workspace, "--quiet"]
        return main([str(one) for one in told]), output

    _, wanted = run("whole", "one")
    capsys.readouterr()
    with full(most):
        code, output = run("cut", "two")
    said = capsys.readouterr().err
    assert code in (0, 2)
    assert code == 0 or ("synth: " in said and str(tmp_path) in said)
    assert not output.exists() or output.read_bytes() == wanted.read_bytes()
    code, output = run("cut", "two")
    assert code == 0
    assert output.read_bytes() == wanted.read_bytes()


def test_a_review_says_that_the_disk_is_full_and_takes_the_decision_when_there_is_room(tmp_path):
    with served(ROWS, tmp_path / "a") as (url, _):
        client = Client(url)
        row = client.post("/next")[1]["row"]
        with full(PAGE):
            status, told = client.decide(row)
        assert status == 503
        assert "make room" in told["error"]
        assert client.decide(row)[0] == 200
