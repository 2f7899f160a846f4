"""The store keeps what it is given, once, for every process."""

import sqlite3
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.cli.main import main
from synth.core.errors import InputError
from synth.core.store import SCHEMA_VERSION, Store, repaired


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


def test_many_may_open_a_new_store_at_once(tmp_path):
    together = threading.Barrier(4)

    def open_stores(name):
        try:
            for number in range(40):
                together.wait()
                with Store(tmp_path / f"{number}.sqlite") as store:
                    store.put("x", name, b"v")
        except InputError:
            together.abort()
            raise

    with ThreadPoolExecutor(4) as pool:
        for done in [pool.submit(open_stores, name) for name in "abcd"]:
            done.result()
    for number in range(40):
        with Store(tmp_path / f"{number}.sqlite") as store:
            assert store.count("x") == 4


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


VALUES = {f"k{number:04}": bytes([number % 251]) * 40 + f"value {number}".encode() for number in range(3000)}


def filled(path):
    with Store(path) as store:
        store.put_all("reply", VALUES.items())
    return path


def damaged(path, page):
    """A store with a page overwritten."""
    content = bytearray(filled(path).read_bytes())
    content[4096 * page : 4096 * (page + 1)] = b"\xff" * 4096
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("page", [0, 3, 20])
def test_a_damaged_store_is_said_and_repaired_and_nothing_readable_is_lost(tmp_path, page, capsys):
    path = damaged(tmp_path / "synth.sqlite", page)
    with pytest.raises(InputError, match=r"synth doctor --repair"), Store(path) as store:
        list(store.values("reply"))
    before = path.read_bytes()
    assert main(["doctor", "--repair", "--workspace", str(tmp_path)]) == 0
    assert "recovered; the damaged file was moved to" in capsys.readouterr().out
    assert (tmp_path / "synth.sqlite.damaged").read_bytes() == before
    with Store(path) as store:
        found = {key: store.get("reply", key) for key in VALUES}
    kept = {key: value for key, value in found.items() if value is not None}
    assert kept.items() <= VALUES.items()
    assert len(kept) > 2000 or page == 0
    assert main(["doctor", "--repair", "--workspace", str(tmp_path)]) == 0
    assert f"every value can be read ({len(kept)})" in capsys.readouterr().out
    assert sorted(one.name for one in tmp_path.iterdir()) == ["synth.sqlite", "synth.sqlite.damaged"]


def test_a_value_that_cannot_be_read_is_said_and_left_out_of_the_repaired_store(tmp_path):
    path = filled(tmp_path / "s.sqlite")
    with sqlite3.connect(path) as db:
        db.execute("UPDATE artifacts SET value = 'no bytes' WHERE key = 'k0007'")
    with Store(path) as store, pytest.raises(InputError, match="is damaged"):
        store.get("reply", "k0007")
    found = repaired(path)
    assert (found.kept, found.aside.name) == (len(VALUES) - 1, "s.sqlite.damaged")
    with Store(path) as store:
        assert store.get("reply", "k0007") is None
        assert store.get("reply", "k0008") == VALUES["k0008"]


@pytest.mark.parametrize(
    ("pragma", "said"), [("max_page_count = 1", "is full"), ("query_only = 1", "readonly database")]
)
def test_a_store_that_cannot_be_written_is_said_and_keeps_what_it_has(tmp_path, pragma, said):
    path = filled(tmp_path / "s.sqlite")
    with Store(path) as store:
        store._db.execute(f"PRAGMA {pragma}")
        more = [(f"more{number}", bytes(range(256)) * 9) for number in range(3000)]
        with pytest.raises(InputError, match=said) as raised:
            store.put_all("reply", more)
        assert "--workspace" in str(raised.value)
        assert store.count("reply") == len(VALUES)


def test_a_repair_names_a_workspace_that_is_not_there(tmp_path, capsys):
    assert main(["doctor", "--repair", "--workspace", str(tmp_path / "none")]) == 2
    assert "there is no store" in capsys.readouterr().err


def test_a_new_store_is_for_its_owner_alone(tmp_path):
    path = filled(tmp_path / "s.sqlite")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
