"""What a later synth wrote is neither read as something else nor overwritten."""

import json
import sqlite3
from contextlib import closing

import pytest

from synth.cli.main import main
from synth.core.jsonl import read_samples, write_rows

DOC = (
    "# Kell\n\n## When was the Kell lighthouse built?\n\nThe Kell lighthouse was built in 1811.\n\n"
    "## How tall is the Kell lighthouse?\n\nThe Kell lighthouse is 35 metres tall.\n"
)
SET = "testset.jsonl"
READS = {
    "show": ["show", SET],
    "verify": ["verify", SET, "--corpus", "docs"],
    "score": ["score", SET, "--corpus", "docs"],
    "rejudge": ["rejudge", SET, "--corpus", "docs", "-o", "again.jsonl"],
    "update": ["update", SET, "--corpus", "docs", "-o", SET],
    "log": ["log", SET],
    "diff": ["diff", SET, "other.jsonl"],
    "diff to": ["diff", "other.jsonl", SET],
    "annotate export": ["annotate", "export", SET, "-o", "sheet.csv"],
    "annotate import": ["annotate", "import", SET, "sheet.csv"],
    "annotate agreement": ["annotate", "agreement", SET],
    "annotate accept": ["annotate", "accept", SET],
    "annotate guideline": ["annotate", "guideline", SET],
    "evaluate": ["evaluate", SET, "answers.jsonl"],
    "judge-check": ["judge-check", SET, "--filters", "--corpus", "docs"],
    "run": ["run", SET, "--corpus", "docs", "-o", "responses.jsonl"],
    "sweep": ["sweep", SET, "--corpus", "docs"],
    "export": ["export", SET, "--to", "csv", "-o", "out.csv"],
    "generate against": ["generate", "docs", "-n", "1", "-o", "new.jsonl", "--against", SET],
}
REPLACES = {
    "generate": ["generate", "docs", "-n", "1", "--seed", "1", "-o", SET],
    "generate by force": ["generate", "docs", "-n", "1", "--seed", "1", "-o", SET, "--force"],
    "adopt": ["adopt", "own.jsonl", "--corpus", "docs", "-o", SET],
    "rejudge": ["rejudge", "other.jsonl", "--corpus", "docs", "-o", SET],
    "accept": ["annotate", "accept", "other.jsonl", "--with-unreviewed", "-o", SET],
}
OPENS = {
    "doctor": ["doctor"],
    "doctor --repair": ["doctor", "--repair"],
    "generate": ["generate", "docs", "-n", "1", "-o", "new.jsonl"],
    "verify": ["verify", "other.jsonl", "--corpus", "docs"],
    "graph": ["graph", "stats", "docs"],
    "merge": ["merge", "ws", "--into", "merged"],
    "merge into": ["merge", "sound", "--into", "ws"],
}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("later")
    (place / "docs").mkdir()
    (place / "docs" / "kell.md").write_text(DOC, encoding="utf-8")
    for name in ("testset.jsonl", "other.jsonl"):
        told = ["generate", str(place / "docs"), "-n", "1", "-o", str(place / name)]
        assert main([*told, "--workspace", str(place / "sound"), "--quiet"]) == 0
    (row,) = read_samples(place / SET).samples
    write_rows(place / "answers.jsonl", [{"id": row.id, "answer": "1811"}])
    own = {"question": "When was Kell built?", "answer": "1811", "context": DOC.splitlines()[2]}
    write_rows(place / "own.jsonl", [own])
    manifest = json.loads((place / "manifest.json").read_text(encoding="utf-8"))
    (place / "manifest.json").write_text(json.dumps({**manifest, "format": 99}), encoding="utf-8")
    (place / "ws").mkdir()
    with closing(sqlite3.connect(place / "ws" / "synth.sqlite")) as store:
        store.executescript("CREATE TABLE values_of_later (key TEXT); PRAGMA user_version = 99;")
    return place


@pytest.fixture(autouse=True)
def here(place, monkeypatch):
    monkeypatch.chdir(place)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(place / "sound"))


def refused(told, capsys):
    assert main([*told, *([] if told[0] == "doctor" else ["--quiet"])]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    return line


@pytest.mark.parametrize("command", READS)
def test_a_set_of_a_later_format_is_not_read(command, capsys):
    assert "format 99, this synth knows 2: update synth" in refused(READS[command], capsys)


@pytest.mark.parametrize("command", REPLACES)
def test_a_set_of_a_later_format_is_not_replaced(place, command, capsys):
    before = [(place / name).read_bytes() for name in (SET, "manifest.json")]
    assert "format 99, this synth knows 2: update synth" in refused(REPLACES[command], capsys)
    assert [(place / name).read_bytes() for name in (SET, "manifest.json")] == before


@pytest.mark.parametrize("command", OPENS)
def test_a_workspace_of_a_later_schema_is_not_opened(place, monkeypatch, command, capsys):
    monkeypatch.setenv("SYNTH_WORKSPACE", str(place / "ws"))
    store = place / "ws" / "synth.sqlite"
    before = store.read_bytes()
    assert "has schema 99, this synth knows 1: update synth" in refused(OPENS[command], capsys)
    assert store.read_bytes() == before
    assert [path.name for path in (place / "ws").iterdir()] == [store.name]


def test_a_run_of_a_later_format_is_not_compared(place, capsys):
    assert main(["evaluate", "other.jsonl", "answers.jsonl", "-o", "run.json", "--quiet"]) == 0
    run = json.loads((place / "run.json").read_text(encoding="utf-8"))
    (place / "run.json").write_text(json.dumps({**run, "run": {**run["run"], "format": 99}}), encoding="utf-8")
    capsys.readouterr()
    assert "update synth or evaluate again" in refused(["compare", "run.json", "run.json"], capsys)
