"""Shards of a corpus, read apart and merged: the same set as one run makes, with nothing read again."""

import json
import os
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from synth.cli.main import main
from synth.core.errors import ConfigError, InputError
from synth.core.store import STORE, Store
from synth.corpus.deep_reading import KIND, DeepReader
from synth.corpus.documents.loading import load
from synth.corpus.documents.shard import Shard, shard_named
from synth.corpus.sheets import SheetMaker
from synth.grammar.registry import pack_of
from synth.models.chat.reply_cache import KIND as REPLY
from synth.models.chat.reply_cache import QUARANTINE
from synth.workflows import portions
from synth.workflows.api import generate, merge, read_shard
from synth.workflows.settings import Settings
from tests.test_portions import DOCS

COUNT = 3


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    passages = [{"id": name, "text": text.partition("\n\n")[2]} for name, text in list(DOCS.items())[:8]]
    (folder / "more.jsonl").write_text("".join(json.dumps(row) + "\n" for row in passages), encoding="utf-8")
    for name, text in list(DOCS.items())[8:]:
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def made(docs, workspace, n=12):
    """The bytes of the rows, the refused and the manifest."""
    output = Path(workspace) / "t.jsonl"
    generate([docs], output, Settings(n=n, workspace=str(workspace)), force=True)
    return [output.with_name(name).read_bytes() for name in ("t.jsonl", "t.rejected.jsonl", "t.manifest.json")]


@pytest.mark.parametrize("first", [600, portions.FIRST], ids=["in portions", "as one portion"])
def test_shards_that_are_merged_give_the_set_of_one_run(docs, tmp_path, monkeypatch, capsys, first):
    monkeypatch.setattr(portions, "FIRST", first)
    alone = made(docs, tmp_path / "alone")
    shards = [str(tmp_path / f"w{number}") for number in range(1, COUNT + 1)]
    for number, shard in enumerate(shards, 1):
        command = ["graph", "build", str(docs), "--shard", f"{number}/{COUNT}", "--workspace", shard, "--quiet"]
        assert main([*command, "--json"]) == 0
    read = [
        json.loads(part)["documents"]
        for part in capsys.readouterr().out.split("\n}\n")
        for part in [part + "}"]
        if part.strip("}")
    ]
    assert sum(read) == len(DOCS)
    assert all(read)
    assert main(["merge", *shards, "--into", str(tmp_path / "all"), "--quiet"]) == 0
    assert "differ" not in capsys.readouterr().out
    with Store(tmp_path / "all" / STORE) as store:
        assert store.count(KIND) == len(DOCS)
    # Nothing of one document is left to make.
    monkeypatch.setattr(DeepReader, "read", None)
    monkeypatch.setattr(SheetMaker, "_made", None)
    pack = SimpleNamespace(parser=replace(pack_of("en").parser, parse=None))
    monkeypatch.setattr("synth.grammar.reading.pack_of", lambda language: pack)
    assert made(docs, tmp_path / "all") == alone


def test_a_document_is_in_one_shard_whatever_else_there_is(docs):
    every = {document.doc_id for document in load([docs]).documents}
    parts = [{one.doc_id for one in load([docs], shard=Shard(n, COUNT)).documents} for n in range(1, COUNT + 1)]
    assert set().union(*parts) == every
    assert sum(map(len, parts)) == len(every)
    (docs / "kell.md").write_text("# New\n\nAnother text.\n", encoding="utf-8")
    (docs / "z.md").unlink(missing_ok=True)
    again = [{one.doc_id for one in load([docs], shard=Shard(n, COUNT)).documents} for n in range(1, COUNT + 1)]
    assert [part - {"kell.md"} for part in again] == parts


def test_a_file_of_another_shard_is_not_opened(docs, tmp_path):
    path = docs / "locked.md"
    path.write_text("A text.\n", encoding="utf-8")
    path.chmod(0)
    number = next(n for n in range(1, COUNT + 1) if Shard(n, COUNT).has("locked.md"))
    other = number % COUNT + 1
    assert load([docs], shard=Shard(other, COUNT)).skipped == ()
    if os.geteuid():  # root reads every file
        assert [item.reason for item in load([docs], shard=Shard(number, COUNT)).skipped] == ["unreadable"]


def test_a_shard_without_documents_is_no_error(tmp_path):
    (tmp_path / "a.md").write_text("# A\n\nThe mill was built in 1870.\n", encoding="utf-8")
    (empty,) = (n for n in (1, 2) if not Shard(n, 2).has("a.md"))
    done = read_shard([tmp_path / "a.md"], Shard(empty, 2), Settings(workspace=str(tmp_path / "w")))
    assert (done.documents, done.passages, dict(done.made)) == (0, 0, {})


@pytest.mark.parametrize("name", ["0/3", "4/3", "3", "a/b", "-1/3", "1/0", "3/4/5"])
def test_another_name_is_no_shard(name):
    with pytest.raises(ConfigError, match="a shard must be NUMBER/COUNT"):
        shard_named(name)
    assert shard_named("3/64") == Shard(3, 64)


def test_replies_and_failures_are_united_and_what_differs_is_counted(tmp_path, capsys):
    for name, values in {
        "a": {(REPLY, "1"): b"yes", (REPLY, "2"): b"both"},
        "b": {(REPLY, "1"): b"no", (REPLY, "2"): b"both", (REPLY, "3"): b"new", (QUARANTINE, "4"): b"lost"},
    }.items():
        with Store(tmp_path / name / STORE) as store:
            for key, value in values.items():
                store.put(*key, value)
    names = [str(tmp_path / name) for name in ("a", "b", "all")]
    assert main(["merge", *names[:2], "--into", names[2], "--quiet"]) == 0
    said = capsys.readouterr().out
    assert f"values of kind {REPLY} that differ between workspaces: 1; the first ones are kept" in said
    assert f"4 values copied into {names[2]}" in said
    with Store(tmp_path / "all" / STORE) as store:
        assert [store.get(REPLY, key) for key in "123"] == [b"yes", b"both", b"new"]
        assert store.get(QUARANTINE, "4") == b"lost"
    again = merge(names[:2], names[2])
    assert dict(again.copied) == {}
    assert dict(again.different) == {REPLY: 1}


def test_values_compressed_in_another_way_do_not_differ(tmp_path):
    import zlib

    for level, name in enumerate(("a", "b"), 1):
        with Store(tmp_path / name / STORE) as store:
            store._rows("INSERT INTO artifacts VALUES ('k', '1', ?)", zlib.compress(b"abc" * 1000, level * 4))
    merged = merge([tmp_path / "a", tmp_path / "b"], tmp_path / "all")
    assert (dict(merged.copied), dict(merged.different)) == ({"k": 1}, {})


def test_what_cannot_be_merged_is_said(tmp_path):
    with pytest.raises(InputError, match="contains no store"):
        merge([tmp_path / "nothing"], tmp_path / "all")
    with pytest.raises(ConfigError, match="cannot be merged into itself"):
        merge([tmp_path / "all"], tmp_path / "all" / ".." / "all")
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / STORE).write_bytes(b"no database" * 1000)
    with pytest.raises(InputError, match="cannot be opened"):
        merge([tmp_path / "bad"], tmp_path / "all")
