"""A filter of another package, as the README of the filters shows it, in a run; and the table of filters in the docs."""

import importlib
import json
import re
import runpy
import sys
from pathlib import Path

import pytest

from synth.cli.main import main
from synth.core import plugins
from synth.generation.testing import check_filter
from tests.chat import stations

ROOT = Path(__file__).parents[2]
README = (ROOT / "synth" / "generation" / "filters" / "README.md").read_text(encoding="utf-8")
CODE, ENTRY = re.findall(r"```(?:python|toml)\n(.*?)```", README, re.DOTALL)


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The package of the README, as it is when installed."""
    home = tmp_path / "site"
    (home / "my_package").mkdir(parents=True)
    (home / "my_package" / "__init__.py").write_text(CODE, encoding="utf-8")
    info = home / "my_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my_package\nVersion: 1.0\n", encoding="utf-8")
    group, name, value = re.fullmatch(r'\[project\.entry-points\."(.*)"\]\n(\w+) = "(.*)"\n', ENTRY).groups()
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(home))
    plugins.entry_points.cache_clear()
    yield importlib.import_module("my_package")
    plugins.entry_points.cache_clear()
    sys.modules.pop("my_package", None)


def test_the_template_is_used_in_a_run(package, tmp_path):
    folder = stations(tmp_path / "corpus")
    command = ["generate", str(folder), "-n", "3", "--quiet", "--workspace", str(tmp_path / "ws")]
    assert main([*command, "-o", str(tmp_path / "kept" / "testset.jsonl")]) == 0
    rows = (tmp_path / "kept" / "testset.jsonl").read_text(encoding="utf-8").splitlines()
    assert all(0 <= json.loads(row)["metadata"]["verdicts"]["capitals"] <= 0.5 for row in rows)
    (tmp_path / "synth.toml").write_text("[filters]\ncapitals = { max_share = 0 }\n", encoding="utf-8")
    target = tmp_path / "refused" / "testset.jsonl"
    assert main([*command, "-o", str(target), "--config", str(tmp_path / "synth.toml")]) == 5
    assert target.read_text(encoding="utf-8") == ""
    refused = (tmp_path / "refused" / "rejected.jsonl").read_text(encoding="utf-8").splitlines()
    assert "capitals" in {json.loads(line)["rejected"]["stage"] for line in refused}


def test_a_filter_is_checked_on_one_row(package):
    (call,) = re.findall(r"`(check_filter\(.*\))`", README)
    assert not eval(call, {"check_filter": check_filter, "Capitals": package.Capitals}).kept
    row = ({"mill.md": "Built in 1811."}, "When was it built?", "1811", "Built in 1811.")
    assert check_filter(package.Capitals(), *row, kept=True).score < 0.1
    with pytest.raises(AssertionError, match="'capitals' keeps the row"):
        check_filter(package.Capitals(), *row, kept=False)
    with pytest.raises(ValueError, match="no document contains"):
        check_filter(package.Capitals(), *row[:3], "Built in 1812.", kept=True)


def test_the_table_in_the_docs_is_that_of_the_docstrings():
    script = runpy.run_path(str(ROOT / "scripts" / "filter_table.py"))
    text = script["PAGE"].read_text(encoding="utf-8")
    assert text == script["page"](text), "run: python scripts/filter_table.py --write"
    assert script["table"]() in text
