"""Rows of a set by the top-level folder of their documents."""

import json

import pytest

from synth.cli.main import main
from synth.evaluation.folders import AT_TOP, FolderRows, rows_by_folder, top_folder
from tests.chat import stations
from tests.corpus import corpus, sample
from tests.metrics.cases import item


def rows(**documents):
    """One row for each text, about documents of these names."""
    of = corpus(**{name: f"The {name} lamp was lit in 1811." for names in documents.values() for name in names})
    return [
        item("1811", [piece for name in names for piece in evidence(of, name)], id=id)
        for id, names in documents.items()
    ]


def evidence(of, name):
    return sample(of, "When?", "1811", f"The {name} lamp was lit in 1811.", name).evidence


def test_a_row_counts_for_each_of_its_folders_and_a_folder_without_rows_is_listed():
    items = rows(a=["guide/a.md"], b=["guide/b.md", "api/x/c.md"], c=["guide/a.md"], d=["d.md"])
    known = ["guide/a.md", "guide/b.md", "guide/e.md", "api/x/c.md", "d.md", "blog/f.md"]
    assert rows_by_folder(items, known) == {
        "guide": FolderRows(3, 2, 3),
        AT_TOP: FolderRows(1, 1, 1),
        "api": FolderRows(1, 1, 1),
        "blog": FolderRows(0, 0, 1),
    }
    assert [*rows_by_folder(items, known)] == ["guide", AT_TOP, "api", "blog"], "most rows first"
    assert rows_by_folder(items)["guide"] == FolderRows(3, 2)


def test_one_folder_and_rows_without_evidence_give_no_table():
    assert rows_by_folder(rows(a=["guide/a.md"], b=["guide/b.md"])) == {}
    assert rows_by_folder([item("1811")], ["guide/a.md", "api/b.md"]) == {}


@pytest.mark.parametrize(
    ("doc_id", "folder"),
    [
        ("a.md", AT_TOP), ("x/y/a.md", "x"), ("/srv/a.md", "srv"), ("指南/甲.md", "指南"),
        ("https://docs.example.org/a/b", "docs.example.org"),
    ],
)  # fmt: skip
def test_the_top_level_folder(doc_id, folder):
    assert top_folder(doc_id) == folder


def test_score_tells_rows_by_folder_as_text_json_and_page(tmp_path, capsys):
    docs = stations(tmp_path / "docs")
    for folder, names in (("north", ("oak", "elm")), ("south", ("fir",)), ("<b>", ("yew",))):
        (docs / folder).mkdir()
        for name in names:
            (docs / f"{name}.md").rename(docs / folder / f"{name}.md")
    output, rest = tmp_path / "t.jsonl", ["--workspace", str(tmp_path / "ws"), "--quiet"]
    assert main(["generate", str(docs), "-o", str(output), "-n", "12", "--types", "simple=1", *rest]) in (0, 5)
    asked = {
        doc_id
        for line in output.read_text(encoding="utf-8").splitlines()
        for doc_id in {json.loads(line)["evidence"][0]["doc_id"]}
    }
    capsys.readouterr()
    page = tmp_path / "score.html"
    assert main(["score", str(output), "--corpus", str(docs), "--html", str(page), *rest]) == 0
    text = capsys.readouterr().out
    assert "top-level folder  rows  documents asked about  documents\n" in text
    assert main(["score", str(output), "--corpus", str(docs), "--json", *rest]) == 0
    folders = json.loads(capsys.readouterr().out)["folders"]
    assert {name: found["documents"] for name, found in folders.items()} == {".": 17, "north": 2, "south": 1, "<b>": 1}
    assert sum(found["asked"] for found in folders.values()) == len(asked)
    assert "&lt;b&gt;" in page.read_text(encoding="utf-8")
    assert main(["score", str(output), *rest]) == 0
    assert "documents asked about\n" in capsys.readouterr().out
