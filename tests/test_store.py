"""The store keeps what it is given, once, for every process."""

import sqlite3
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.core.errors import InputError
from synth.core.store import SCHEMA_VERSION, Store


@given(st.dictionaries(st.tuples(st.text(max_size=5), st.text(max_size=20)), st.binary(max_size=200), max_size=8))
def test_what_was_put_is_got_after_reopening(tmp_path_factory, values):
    path = tmp_path_factory.mktemp("store") / "s.sqlite"
    with Store(path) as store:
        for (kind, key), value in values.items():
            store.put(kind, key, value)
    with Store(path) as store:
        assert {pair: store.get(*pair) for pair in values} == values
        assert store.get("no", "such key at all") is None


def test_the_first_value_stays(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:
        store.put("reply", "k", b"first")
        store.put("reply", "k", b"second")
        assert store.get("reply", "k") == b"first"


def test_a_batch_is_all_or_nothing(tmp_path):
    with Store(tmp_path / "s.sqlite") as store:

        def broken():
            yield "a", b"1"
            raise RuntimeError("stop")

        with pytest.raises(RuntimeError, match="stop"):
            store.put_all("x", broken())
        assert store.get("x", "a") is None
        store.put_all("x", [("a", b"1"), ("b", b"2")])
        assert store.count("x") == 2


def test_two_processes_write_to_one_store(tmp_path):
    path = tmp_path / "s.sqlite"
    code = (
        "import sys\nfrom synth.core.store import Store\n"
        "with Store(sys.argv[1]) as s:\n    [s.put('x', f'{sys.argv[2]}-{i}', b'v') for i in range(200)]"
    )
    running = [subprocess.Popen([sys.executable, "-c", code, str(path), name]) for name in "ab"]
    assert [process.wait(timeout=60) for process in running] == [0, 0]
    with Store(path) as store:
        assert store.count("x") == 400


def test_a_newer_schema_is_refused_with_the_way_out(tmp_path):
    path = tmp_path / "s.sqlite"
    Store(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    with pytest.raises(InputError, match="--workspace"):
        Store(path)


def test_a_file_that_is_no_store_is_refused(tmp_path):
    path = tmp_path / "s.sqlite"
    path.write_bytes(b"this is not a database, it is a text that is long enough" * 40)
    with pytest.raises(InputError, match="cannot be opened"):
        Store(path)
