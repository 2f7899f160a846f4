"""Addresses of object stores as source, output and workspace, on a store inside the process."""

import sys
from pathlib import Path

import fsspec
import pytest

from synth.cli.main import main
from synth.core.addresses import RemotePath, is_address, reason
from synth.core.errors import ConfigError, InputError, MissingExtra
from synth.core.store import STORE
from synth.corpus.documents.corpus_settings import CorpusSettings
from synth.corpus.documents.loading import load
from synth.corpus.documents.shard import Shard
from synth.workflows.api import generate
from synth.workflows.settings import Settings
from tests.test_portions import DOCS


@pytest.fixture
def memory():
    files = fsspec.filesystem("memory")
    files.store.clear()
    files.pseudo_dirs[:] = [""]
    yield files
    files.store.clear()


@pytest.fixture
def docs(tmp_path, memory):
    """A folder and the same files at an address."""
    folder = tmp_path / "docs"
    for name, text in {
        **DOCS,
        "sub/one.md": "# One\n\n## When was the One mill built?\n\nThe One mill was built in 1899.\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "notes.xyz").write_text("?")
    (folder / ".hidden.md").write_text("hidden")
    (folder / "large.md").write_bytes(b"a" * 3000)
    (folder / "sub" / "[odd] * name?.md").write_text("The Odd mill was built in 1898.\n", encoding="utf-8")
    memory.put(str(folder), "/docs", recursive=True)
    assert memory.exists("/docs/sub/one.md")
    return folder


NAMES = ("t.jsonl", "t.rejected.jsonl", "t.manifest.json")


def test_an_address_is_loaded_as_a_folder_is(docs, memory, monkeypatch):
    of = CorpusSettings(max_bytes=2000, exclude=("kell*.md",), include=("*.md", "sub/*", "*.xyz"))
    here, there = load([docs], of), load(["memory://docs"], of)
    assert [(one.doc_id, one.title, one.text) for one in there.documents] == [
        (one.doc_id, one.title, one.text) for one in here.documents
    ]
    assert [(one.source.rpartition("/")[2], one.reason, one.detail) for one in there.skipped] == [
        (one.source.rpartition("/")[2], one.reason, one.detail) for one in here.skipped
    ]
    assert {"large.md", "notes.xyz"} <= {one.source.rpartition("/")[2] for one in there.skipped}
    assert there.documents[0].source.startswith("memory://docs/")
    part = load(["memory://docs"], of, shard=Shard(2, 3)).documents
    assert [one.doc_id for one in part] == [one.doc_id for one in here.documents if Shard(2, 3).has(one.doc_id)]
    (alone,) = load(["memory://docs/sub/one.md"]).documents
    assert (alone.doc_id, alone.source) == ("one.md", "memory://docs/sub/one.md")


def test_source_output_and_workspace_at_addresses_give_the_bytes_of_folders(docs, memory, tmp_path, capsys):
    given = ["-n", "6", "--max-bytes", "2000", "--quiet"]
    out = str(tmp_path / "out" / "t.jsonl")
    assert main(["generate", str(docs), "-o", out, "--workspace", str(tmp_path / "w"), *given]) == 0
    capsys.readouterr()
    there = ["generate", "memory://docs", "-o", "memory://out/t.jsonl", "--workspace", "memory://w", *given]
    assert main(there) == 0
    assert "6 rows in memory://out/t.jsonl; refused candidates with reasons in memory://out/t.rejected.jsonl" in (
        capsys.readouterr().out
    )
    written = [memory.cat(f"/out/{name}") for name in NAMES]
    assert written == [(tmp_path / "out" / name).read_bytes() for name in NAMES]
    assert memory.exists(f"/w/{STORE}")
    before = memory.created(f"/w/{STORE}")
    assert main(there) == 0, "a set that nobody touched is replaced"
    assert memory.created(f"/w/{STORE}") == before, "nothing new was stored"
    memory.pipe("/out/t.jsonl", b'{"id": "edited"}\n')
    assert main(there) == 2
    assert "was edited after synth wrote it" in capsys.readouterr().err


def test_a_set_is_updated_with_corpus_and_workspace_at_addresses(docs, memory, tmp_path, capsys):
    out = str(tmp_path / "t.jsonl")
    given = ["--max-bytes", "2000", "--quiet", "--workspace"]
    assert main(["generate", str(docs), "-o", out, "-n", "60", "--types", "simple=1", *given, str(tmp_path / "w")]) == 0
    memory.rm("/docs/sub/one.md")
    memory.pipe("/docs/new.md", b"# New\n\n## When was the New mill built?\n\nThe New mill was built in 1911.\n")
    (docs / "sub" / "one.md").unlink()
    (docs / "new.md").write_text(
        "# New\n\n## When was the New mill built?\n\nThe New mill was built in 1911.\n", encoding="utf-8"
    )
    written = []
    for corpus, workspace in ((str(docs), str(tmp_path / "w")), ("memory://docs", "memory://w")):
        changed = str(tmp_path / "changed.jsonl")
        assert main(["update", out, "--corpus", corpus, "-o", changed, *given, workspace]) == 10
        written.append(Path(changed).read_bytes())
    assert written[0] == written[1]
    assert memory.exists(f"/w/{STORE}")


def test_a_run_that_is_stopped_puts_its_workspace_back(docs, memory, monkeypatch):
    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("synth.workflows.portions.drawn", stopped)
    with pytest.raises(KeyboardInterrupt):
        generate(["memory://docs"], "memory://out/t.jsonl", Settings(n=3, workspace="memory://w"))
    assert memory.size(f"/w/{STORE}") > 0
    assert not memory.exists("/out/t.jsonl")


def test_workspaces_at_addresses_are_merged(docs, memory, capsys):
    for number in (1, 2):
        shard = ["--shard", f"{number}/2", "--workspace", f"memory://w{number}", "--quiet"]
        assert main(["graph", "build", "memory://docs", *shard]) == 0
    assert main(["merge", "memory://w1", "memory://w2", "--into", "memory://w", "--quiet"]) == 0
    assert memory.size(f"/w/{STORE}") > max(memory.size(f"/w{number}/{STORE}") for number in (1, 2))


@pytest.mark.parametrize(
    ("command", "says"),
    [
        (["generate", "memory://nothing", "-o", "t.jsonl"], "memory://nothing contains no file"),
        (
            ["graph", "export", "memory://docs", "-o", "memory://out/graph.json"],
            "only the command generate can write to an address",
        ),
        (["doctor", "--repair", "--workspace", "memory://w"], "needs a workspace on this machine"),
        (["merge", "memory://a", "--into", "memory://a"], "memory://a cannot be merged into itself"),
        (["merge", "memory://a", "--into", "memory://b"], "memory://a contains no store synth.sqlite"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(docs, tmp_path, monkeypatch, capsys, command, says):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "w"))
    assert main([*command, *([] if command[0] == "doctor" else ["--quiet"])]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
    assert [path.name for path in tmp_path.iterdir() if ":" in path.name] == []


SECRET = "wJalrXUtnFEMI-K7MDENG"


@pytest.mark.parametrize(
    "address",
    [f"s3://AKIA:{SECRET}@bucket/docs", f"az://box/docs?sv=1&sig={SECRET}", f"gs://b/d?access_token={SECRET}"],
)
@pytest.mark.parametrize("place", ["source", "output", "workspace"])
def test_an_address_with_a_secret_is_refused_without_showing_it(tmp_path, monkeypatch, capsys, address, place):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("The mill was built in 1870.\n", encoding="utf-8")
    given = {"source": "a.md", "output": "t.jsonl", "workspace": "w", place: address}
    command = ["generate", given["source"], "-o", given["output"], "--workspace", given["workspace"], "--quiet"]
    assert main(command) == 2
    said = "".join(capsys.readouterr())
    assert "must not contain a password, key or token" in said
    assert SECRET not in said
    assert not any(SECRET.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_the_error_of_a_store_shows_no_secret(memory, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    assert (
        reason(OSError(f"signed with {SECRET}\n at https://s3/x?X-Amz-Signature=abc"))
        == "signed with *** at https://s3/x"
    )

    def refused(*_, **__):
        raise RuntimeError(f"bad signature of {SECRET}")

    monkeypatch.setattr(type(memory), "find", refused)
    with pytest.raises(InputError, match=r"memory://docs cannot be read: bad signature of \*\*\*") as caught:
        RemotePath("memory://docs").files()
    assert SECRET not in repr(caught.value)


def test_a_library_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(MissingExtra, match=r"s3:// needs s3fs; run: pip install '.*\[storage\]'"):
        RemotePath("s3://bucket/docs")
    monkeypatch.setitem(sys.modules, "gcsfs", None)
    with pytest.raises(MissingExtra, match="gs:// needs gcsfs; run: pip install gcsfs"):
        RemotePath("gs://bucket/docs")


def test_a_folder_is_no_address():
    assert not any(map(is_address, ("docs", "s3:/docs", "C://docs", "http://host/docs", None)))
    assert is_address("s3://bucket/docs")
    with pytest.raises(ConfigError):
        Settings(workspace="memory://w").workspace_path  # noqa: B018
