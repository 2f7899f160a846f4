"""Files of other kinds do not replace a set; and settings that are lists are not taken letter by letter."""

import json
import shutil

import pytest

from synth.annotation.decisions import Decisions
from synth.annotation.records import Annotation
from synth.cli.main import main
from synth.core.errors import ConfigError
from synth.core.jsonl import read_samples
from synth.workflows.adopting import AdoptionSettings
from synth.workflows.annotating import ReviewSettings
from synth.workflows.evaluating import EvaluationSettings
from synth.workflows.sweeping import Grid
from tests.chat import stations


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    place = tmp_path_factory.mktemp("made")
    command = ["generate", str(stations(place / "docs")), "-o", str(place / "set.jsonl"), "-n", "2", "--quiet"]
    assert main([*command, "--workspace", str(place / "ws")]) == 0
    rows = [{"id": sample.id, "answer": "Yes."} for sample in read_samples(place / "set.jsonl").samples]
    (place / "answers.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return place


COMMANDS = (
    "evaluate set.jsonl answers.jsonl -o OVER",
    "evaluate set.jsonl answers.jsonl --html OVER",
    "evaluate set.jsonl answers.jsonl --csv OVER",
    "score set.jsonl -o OVER",
    "score set.jsonl --html OVER",
    "run set.jsonl --corpus docs -o OVER",
    "sweep set.jsonl --corpus docs --sizes 200 --retrievers bm25 -o OVER",
    "export set.jsonl --to csv -o OVER",
    "export set.jsonl --to ragas -o OVER",
    "graph export docs --format json -o OVER",
    "annotate guideline set.jsonl -o OVER",
    "annotate export set.jsonl --format doccano -o OVER",
)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("over", ["set.jsonl", "own.jsonl", "reviewed.jsonl"])
def test_no_other_output_replaces_a_set(made, tmp_path, monkeypatch, capsys, command, over):
    home = shutil.copytree(made, tmp_path / "home")
    (home / "own.jsonl").write_text('\n{"id": "1", "question": "Q?", "golden_answers": ["A"]}\n', encoding="utf-8")
    (home / "reviewed.jsonl").write_text("", encoding="utf-8")
    with Decisions(home / "reviewed.annotations.sqlite") as decisions:
        decisions.add(Annotation(sample_id="a", sample_hash="b", annotator="c", decision="accept"), "review")
    monkeypatch.chdir(home)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(home / "ws"))
    before = (home / over).read_bytes()
    assert main(command.replace("OVER", over).split()) == 2
    assert f"{over} is a testset" in capsys.readouterr().err
    assert (home / over).read_bytes() == before


@pytest.mark.parametrize("command", ["evaluate set.jsonl answers.jsonl -o OVER", "run set.jsonl --corpus docs -o OVER"])
def test_an_output_replaces_one_of_its_kind(made, tmp_path, monkeypatch, command):
    monkeypatch.chdir(shutil.copytree(made, tmp_path / "home"))
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    for _ in range(2):
        assert main([*command.replace("OVER", "out.jsonl").split(), "--quiet"]) == 0


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        *((Grid, name) for name in ("strategies", "sizes", "overlaps", "retrievers", "rerankers", "ks", "metrics")),
        *((EvaluationSettings, name) for name in ("metrics", "ks", "by", "fold")),
        (AdoptionSettings, "drop"),
        (ReviewSettings, "annotators"),
    ],
)
@pytest.mark.parametrize("value", ["bm25", 5])
def test_a_text_is_no_list_of_its_letters(settings, name, value):
    with pytest.raises(ConfigError, match=f"{name} must be a list"):
        settings(**{name: value})
