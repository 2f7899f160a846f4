"""What README and its pages say is so: commands run, settings are read, tables are complete."""

import json
import re
import runpy
import sys
import threading
import tomllib
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

import synth
from synth.cli.main import COMMANDS, main
from synth.core.plugins import discover
from synth.evaluation.metrics.base import Metric
from synth.generation.filters.base import Filter, SetFilter
from synth.models.chat.prices import price_of
from synth.testset.dataset import Dataset
from synth.workflows.judges import judged_metrics, read_criteria
from synth.workflows.settings import QUESTION_TYPES, read_settings

ROOT = Path(__file__).parents[1]
FRONT = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = re.findall(r"\]\((docs/[\w-]+\.md)\)", FRONT)
TEXTS = {page: (ROOT / page).read_text(encoding="utf-8") for page in PAGES}
README = "\n".join([FRONT, *(text for page, text in TEXTS.items() if page != "docs/extending.md")])
"""All pages but the one on adding parts, whose examples are run by test_extending."""


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.DOTALL | re.MULTILINE)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    (tmp_path / "thresholds.toml").write_text(
        next(block for block in blocks("toml") if "[min]" in block), encoding="utf-8"
    )
    (tmp_path / "docs").symlink_to(ROOT / "corpora" / "en" / "lighthouses")
    return tmp_path


def commands():
    lines = [line.partition("#")[0].split() for block in blocks("bash") for line in block.splitlines()]
    return [line[1:] for line in lines if line and line[0] == "synth" and "--llm" not in line]


ROW_FIELDS = set(re.findall(r"`(\w+)`", (ROOT / "docs" / "rows.md").read_text(encoding="utf-8")))


def fields_of(testset):
    """The names of the fields of rows, of their evidence and of their metadata."""
    rows = [json.loads(line) for line in testset.read_text(encoding="utf-8").splitlines()]
    return {name for row in rows for part in (row, *row["evidence"], row["metadata"]) for name in part}


def answer(folder):
    """Write the responses of two systems that find, and say, what the set wants: one always, one often."""
    rows = [json.loads(line) for line in (folder / "testset.jsonl").read_text(encoding="utf-8").splitlines()]
    found = [
        {
            "id": row["id"],
            "answer": row["golden_answers"][0],
            "retrieved": [{"doc_id": e["doc_id"], "start": e["start"], "end": e["end"]} for e in row["evidence"]],
        }
        for row in rows
    ]
    for name, responses in (("responses", found), ("other", found[::2])):
        text = "".join(json.dumps(row) + "\n" for row in responses)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")


def test_the_plain_commands_run_in_order(here, capsys):
    names = [command[0] for command in commands()]
    assert names[:3] == ["generate", "show", "verify"]
    for command in commands():
        if command[0] == "evaluate":
            answer(here)
        arguments = ["12" if before == "-n" else word for before, word in zip(["", *command], command, strict=False)]
        enough = (
            (0, 7) if {"--thresholds", "--min"} & set(command) else (0,)
        )  # twelve rows do not decide every threshold
        assert main([*arguments]) in enough, command
    assert "12 of 12 rows are valid" in capsys.readouterr().out
    for name in ("testset", "mixed", "levels", "stricter", "from-ragas", "accepted"):
        assert fields_of(here / f"{name}.jsonl") <= ROW_FIELDS


def test_the_settings_are_settings(tmp_path):
    (prices,) = (block for block in blocks("toml") if "cached_input" in block)
    (criteria,) = (block for block in blocks("toml") if "[aspects." in block)
    (block,) = (block for block in blocks("toml") if "[chunks]" in block)
    own = tmp_path / "prices.toml"
    own.write_text(prices, encoding="utf-8")
    price = price_of("gpt-4o-mini", "https://api.openai.com/v1", own)
    assert price is not None
    assert price.source == "your prices"
    path = tmp_path / "synth.toml"
    path.write_text(block, encoding="utf-8")
    settings = read_settings(path)
    assert settings.n == tomllib.loads(block)["n"]
    assert settings.filters["specific"] is False
    path.write_text(criteria, encoding="utf-8")
    assert list(read_criteria(path).own) == ["names_its_source", "clarity"]


def test_the_python_example_runs(here, capsys):
    (block,) = (block for block in blocks("python") if block.startswith("import synth\n"))
    names = {"ask": lambda question: "nothing"}
    exec(compile(block.replace("n=50", "n=5"), "python.md", "exec"), names)
    assert len(names["frame"]) == len(names["rows"]) == 5
    assert capsys.readouterr().out == "0.0\n"


def test_the_python_example_of_an_own_address_makes_settings():
    (block,) = (block for block in blocks("python") if block.startswith("model = "))
    names = {"synth": synth}
    exec(compile(block, "python.md", "exec"), names)
    assert names["settings"].model.base_url == "http://127.0.0.1:11434/v1"


def test_the_python_example_of_measuring_runs(here, capsys):
    main(["generate", "docs/", "-o", "testset.jsonl", "-n", "5", "--quiet"])
    capsys.readouterr()
    (block,) = (block for block in blocks("python") if "row.add" in block)
    exec(compile(block, "evaluate.md", "exec"), {})
    assert "mean=1.0" in capsys.readouterr().out


class AskedOverHttp(BaseHTTPRequestHandler):
    def do_POST(self):
        question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))["question"]
        body = json.dumps({"answer": f"to {question}", "retrieved": []}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def test_the_examples_that_get_responses_from_a_system_run(here, monkeypatch, capsys):
    main(["generate", "docs/", "-o", "testset.jsonl", "-n", "5", "--quiet"])
    monkeypatch.setitem(
        sys.modules, "my_rag", SimpleNamespace(ask=lambda question: {"answer": f"to {question}", "retrieved": []})
    )
    with HTTPServer(("127.0.0.1", 0), AskedOverHttp) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        examples = [block for block in blocks("python") if '"responses.jsonl", "w"' in block]
        assert len(examples) == 2
        for block in examples:
            block = block.replace("127.0.0.1:8000", f"127.0.0.1:{server.server_port}")
            exec(compile(block, "evaluate.md", "exec"), {})
            lines = [json.loads(line) for line in Path("responses.jsonl").read_text(encoding="utf-8").splitlines()]
            assert [line["answer"] for line in lines] == [f"to {row.question}" for row in Dataset.load("testset.jsonl")]
            Path("responses.jsonl").unlink()
        server.shutdown()


def names_of_table(head):
    """The names in the first column of the table with that heading."""
    (table,) = re.findall(rf"^\| {head} \|.*\n((?:\|.*\n)*)", README, re.MULTILINE)
    return set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))


def test_the_generated_pages_are_current():
    pages = runpy.run_path(str(ROOT / "scripts" / "reference_pages.py"))["pages"]()
    stale = [name for name, text in pages.items() if (ROOT / "docs" / name).read_text(encoding="utf-8") != text]
    assert stale == [], "run scripts/reference_pages.py --write"


def test_the_tables_of_transforms_and_formats_are_those_of_the_parts():
    script = runpy.run_path(str(ROOT / "scripts" / "part_tables.py"))
    for name, table in script["tables"]().items():
        page = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert script["with_table"](page, table) == page, "run scripts/part_tables.py --write"


def test_every_type_stands_in_its_table():
    assert names_of_table("type") == set(QUESTION_TYPES)


def test_every_filter_stands_in_the_table():
    listed = names_of_table("filter")
    assert listed == {*discover("synth.generation.filters", Filter), *discover("synth.generation.filters", SetFilter)}


def test_every_metric_stands_in_the_table_with_what_it_needs():
    (rows,) = re.findall(r"^\| metric \|.*\n((?:\|.*\n)*)", README, re.MULTILINE)
    listed = re.findall(r"^\| `([\w~]+)` ?(\*?) \| (\w+) \|", rows.replace("`*", "` *"), re.MULTILINE)
    known = discover("synth.evaluation.metrics", Metric)
    assert {name: (needs, not star) for name, star, needs in listed} == {
        name: (part.needs, part.default) for name, part in known.items()
    }


def test_every_judged_metric_stands_in_its_table_with_what_it_needs():
    (rows,) = re.findall(r"^\| judged metric \|.*\n((?:\|.*\n)*)", README, re.MULTILINE)
    listed = dict(re.findall(r"^\| `(\w+)` \| (\w+) \|", rows, re.MULTILINE))
    assert listed == {name: part.needs for name, part in judged_metrics().items()}


def test_every_exit_code_stands_in_the_table():
    from synth.cli.commands import update
    from synth.cli.commands.explain import explanations
    from synth.core import errors

    codes = {e.exit_code for e in vars(errors).values() if isinstance(e, type) and issubclass(e, errors.SynthError)}
    listed = {int(code) for code in re.findall(r"^\| (\d+) \|", README, re.MULTILINE)}
    assert listed == codes | {update.NOTHING, 1, update.CHANGED, update.REVIEW, 130}
    assert listed == {int(name) for kind, name in explanations() if kind == "exit code"}


@pytest.mark.parametrize("script", ["scripts/quickstart.sh", "scripts/test.sh"])
def test_the_two_commands_exist_and_are_named(script):
    assert script in README
    assert (ROOT / script).stat().st_mode & 0o111


def test_every_command_is_told_of():
    assert [name for name in COMMANDS if f"`{name}`" not in README] == []


def test_the_first_page_is_short_and_leads_to_every_other():
    assert FRONT.count("\n") <= 150
    assert sorted(PAGES) == sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))


def menu(entries):
    """The pages of the site's menu, in order."""
    for entry in entries:
        for page in entry.values():
            yield from [page] if isinstance(page, str) else menu(page)


def test_the_site_has_every_page_in_its_menu():
    site = yaml.safe_load((ROOT / ".mkdocs.yml").read_text(encoding="utf-8"))
    assert sorted(menu(site["nav"])) == sorted(path.name for path in (ROOT / "docs").glob("*.md"))


def test_the_site_begins_as_the_first_page_does():
    beginning = FRONT.partition("\n\n| to |")[0]
    assert (ROOT / "docs" / "index.md").read_text(encoding="utf-8").startswith(beginning)


def test_the_python_page_has_every_exported_name():
    page = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^### (\w+)$", page, re.MULTILINE)) == dir(synth)
