"""The graph on the command line: shown as a page, exported to a file."""

import json
import xml.etree.ElementTree as ET

import pytest

from synth.cli.main import main


@pytest.fixture
def corpus(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("# 阀门\n\n青屏水库的阀门由值班员检查。\n", encoding="utf-8")
    (folder / "b.md").write_text("# 閘門\n\n青屏水庫的閘門由值班員檢查。\n", encoding="utf-8")
    return folder


@pytest.fixture
def run(tmp_path, capsys):
    def run(*arguments):
        code = main(["graph", *map(str, arguments), "--workspace", str(tmp_path / "ws"), "--quiet"])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def test_show_writes_a_page(run, corpus, tmp_path):
    page = tmp_path / "new" / "graph.html"
    code, out, _ = run("show", corpus, "-o", page)
    assert code == 0
    assert f"edges in {page}" in out
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "<title>docs</title>" in text
    assert "青屏水库的阀门" in text


@pytest.mark.parametrize(("name", "options"), [("g.graphml", ()), ("g.xml", ("--format", "graphml"))])
def test_export_writes_graphml(run, corpus, tmp_path, name, options):
    code, _, _ = run("export", corpus, "-o", tmp_path / name, *options)
    assert code == 0
    nodes = ET.parse(tmp_path / name).getroot().iter("{http://graphml.graphdrawing.org/xmlns}node")
    assert {"a.md", "b.md"} <= {node.get("id") for node in nodes}


def test_export_writes_node_link_json_and_tells_in_json(run, corpus, tmp_path):
    code, out, _ = run("export", corpus, "-o", tmp_path / "g.json", "--json")
    told, data = json.loads(out), json.loads((tmp_path / "g.json").read_text(encoding="utf-8"))
    assert code == 0
    assert told["output"] == str(tmp_path / "g.json")
    assert len(data["nodes"]) == sum(told["stats"]["nodes"].values())
    assert len(data["edges"]) == sum(told["stats"]["edges"].values())


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (("show",), "name it with -o FILE"),
        (("export",), "name it with -o FILE"),
        (("export", "-o", "graph.txt"), "choose one with --format"),
        (("show", "-o", "graph.html", "--format", "json"), "use --format only with graph export"),
        (("stats", "-o", "graph.html"), "use graph show or graph export"),
    ],
)
def test_what_makes_no_sense_is_refused_before_any_work(run, corpus, tmp_path, arguments, advice):
    what, *rest = arguments
    code, out, err = run(what, corpus, *rest)
    assert (code, out) == (2, "")
    assert advice in err
    assert not (tmp_path / "ws").exists()
