"""The verb and the command export: from a set on disk to files, and what is said when that cannot be."""

import json

import pytest

import synth
from synth.cli.main import main
from synth.core.errors import ConfigError
from synth.workflows.exporting import formats
from tests.exporters.sets import set_folder


@pytest.fixture
def here(tmp_path, monkeypatch):
    return set_folder(tmp_path, monkeypatch)


def run(capsys, *arguments):
    code = main(["export", *map(str, arguments), "--quiet"])
    return code, capsys.readouterr()


@pytest.mark.parametrize("name", sorted(formats()))
def test_every_format_is_written(here, capsys, name):
    one = formats()[name]
    corpus = ["--corpus", "docs"] if one.corpus != "none" else []
    code, said = run(capsys, "set.jsonl", "--to", name, "-o", "out/x", *corpus, "--json")
    assert code == 0
    told = json.loads(said.out)
    assert (told["rows"], told["format"]) == (3, name)
    assert told["passages"] == (3 if corpus else 0)
    assert (here / "out" / "x").is_dir() == one.folder
    assert sorted(told["files"]) == sorted(str(p.relative_to(here)) for p in (here / "out").rglob("*") if p.is_file())
    first = {path: path.read_bytes() for path in (here / "out").rglob("*") if path.is_file()}
    assert run(capsys, "set.jsonl", "--to", name, "-o", "out/x", *corpus)[0] == 0
    assert {path: path.read_bytes() for path in first} == first


def test_the_list_has_every_format_with_what_reads_it(capsys):
    assert run(capsys, "--list", "--json")[0] == 0
    code, said = run(capsys, "--list")
    assert code == 0
    for name, one in formats().items():
        assert name in said.out
        assert one.read_by in said.out, "not cut off"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "needs a testset, --to FORMAT, and -o OUT"),
        (["set.jsonl", "--to", "ragsa", "-o", "x"], "unknown format 'ragsa'; did you mean ragas?"),
        (["set.jsonl", "--to", "beir", "-o", "x"], "name the documents with --corpus"),
        (["set.jsonl", "--to", "ragas", "-o", "x", "--corpus", "docs"], "formats with the passages of the whole corpus: beir, huggingface, llamaindex-retrieval"),
        (["no.jsonl", "--to", "ragas", "-o", "x"], "cannot read no.jsonl"),
        (["docs/pump.md", "--to", "ragas", "-o", "x"], "contains no row to export; the first damaged line"),
        (["set.jsonl", "--to", "bedrock", "-o", "docs"], "which is not a file of this export"),
        (["set.jsonl", "--to", "bedrock", "-o", "docs/pump.md"], "is a file, but this format writes a folder"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_in_one_line(here, capsys, arguments, said):
    code, heard = run(capsys, *arguments)
    assert code == 2
    assert said in heard.err
    assert not (here / "x").exists()


def test_an_export_replaces_its_own_output_and_no_other_file(here, capsys):
    source = here / "docs" / "pump.md"
    before = source.read_bytes()
    for name in ("ragas", "csv", "deepeval"):
        code, heard = run(capsys, "set.jsonl", "--to", name, "-o", "docs/pump.md")
        assert (code, source.read_bytes()) == (2, before)
        assert (
            "docs/pump.md already exists and is not an earlier output of this command; name another output" in heard.err
        )
    lines = (here / "set.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for name in ("ragas", "csv", "deepeval", "llamaindex"):
        assert run(capsys, "set.jsonl", "--to", name, "-o", f"out-{name}")[0] == 0
        (here / "less.jsonl").write_text("".join(lines[1:]), encoding="utf-8")
        assert run(capsys, "less.jsonl", "--to", name, "-o", f"out-{name}")[0] == 0


def test_a_suffix_of_another_kind_of_file_is_refused(here, capsys):
    for name, wrong, right in (
        ("deepeval", "x.jsonl", "x.json"),
        ("ragas", "x.json", "x.jsonl"),
        ("csv", "x.JSON", "x.csv"),
        ("promptfoo", "x.yaml", "x.jsonl"),
    ):
        code, heard = run(capsys, "set.jsonl", "--to", name, "-o", wrong)
        assert (code, f"name the file {right} with -o" in heard.err) == (2, True)
        assert not (here / wrong).exists()


def test_an_export_from_python_needs_a_place(here):
    with pytest.raises(ConfigError, match="export needs a destination"):
        synth.export("set.jsonl", "ragas", None)


def test_a_row_that_an_update_raised_is_settled_before_it_is_exported_with_passages(here, capsys):
    row = json.loads((here / "set.jsonl").read_text(encoding="utf-8").splitlines()[0])
    row["metadata"]["review"] = {"reason": "'1' became '2'"}
    row["evidence"][0]["start"] += 1
    row["evidence"][0]["end"] += 1
    (here / "raised.jsonl").write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    code, heard = run(capsys, "raised.jsonl", "--to", "beir", "-o", "beir", "--corpus", "docs")
    assert code == 2
    assert "was marked for review by an update" in heard.err
    assert "annotate review raised.jsonl --raised" in heard.err


def test_a_corpus_that_is_not_the_one_of_the_set_is_refused(here, capsys):
    (here / "docs" / "泵站.md").write_text("别的内容。", encoding="utf-8")
    code, said = run(capsys, "set.jsonl", "--to", "beir", "-o", "x", "--corpus", "docs")
    assert code == 2
    assert "the document of its evidence, '泵站.md', has other text at characters 0 to 12" in said.err


def test_a_damaged_line_is_named_and_the_others_are_exported(here, capsys):
    with (here / "set.jsonl").open("a", encoding="utf-8") as file:
        file.write("{half\n")
    code, said = run(capsys, "set.jsonl", "--to", "ragas", "-o", "x.jsonl")
    assert code == 1
    assert "set.jsonl:4: not JSON" in said.out
    assert len((here / "x.jsonl").read_text(encoding="utf-8").splitlines()) == 3
