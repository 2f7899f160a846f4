"""Sets that are merged, in Python and by the command, keep a manifest that says what they were merged from."""

import json
import warnings
from dataclasses import replace

import pytest

from synth.annotation.decisions import Decisions, store_path
from synth.cli.main import main
from synth.core.jsonl import read_samples
from synth.testset.dataset import Dataset
from synth.testset.merged_manifest import Differing, MergedSet, merged_manifest
from synth.workflows.api import update, verify
from synth.workflows.settings import Settings
from synth.workflows.update_job import settings_of_set
from tests.annotation.rows import said
from tests.chat import stations

HARBOURS = ("Gull", "Tern", "Skua")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Two sets about two folders, and a third about both with other settings."""
    place = tmp_path_factory.mktemp("merged")
    stations(place / "lines")
    (place / "harbours").mkdir()
    for number, name in enumerate(HARBOURS):
        text = f"# {name} harbour\n\n## When did the {name} harbour open?\n\nThe {name} harbour opened in {1700 + number}.\n"
        (place / "harbours" / f"{name.lower()}.md").write_text(text, encoding="utf-8")
    for name, rows, more in (("lines", 4, []), ("harbours", 2, []), ("other", 2, ["--seed", "3"])):
        sources = [str(place / folder) for folder in (("lines", "harbours") if name == "other" else (name,))]
        made = ["generate", *sources, "-o", str(place / f"{name}.jsonl"), "-n", str(rows), "--types", "simple=1", *more]
        assert main([*made, *quiet(place)]) == 0
    return place


def quiet(place):
    return ["--workspace", str(place / "ws"), "--quiet"]


def manifest_of(path):
    return json.loads(path.with_name(f"{path.stem}.manifest.json").read_text(encoding="utf-8"))


def merged(place, *names):
    first, *others = (Dataset.load(place / f"{name}.jsonl") for name in names)
    return first.merge(*others)


def sources(place):
    return [str(place / "lines"), str(place / "harbours")]


def test_a_merged_set_says_what_it_was_merged_from_and_can_be_verified_updated_and_scored(place, tmp_path, capsys):
    output = tmp_path / "all.jsonl"
    with warnings.catch_warnings():
        warnings.simplefilter("error", Differing)
        merged(place, "lines", "harbours").save(output)
    manifest, parts = manifest_of(output), [manifest_of(place / f"{name}.jsonl") for name in ("lines", "harbours")]
    assert manifest["merged"]["sets"] == [
        {"name": "lines.jsonl", "hash": parts[0]["set"]["hash"], "rows": 4},
        {"name": "harbours.jsonl", "hash": parts[1]["set"]["hash"], "rows": 2},
    ]
    documents = {**parts[0]["corpus"]["documents"], **parts[1]["corpus"]["documents"]}
    assert manifest["corpus"]["documents"] == documents
    assert manifest["corpus"]["outlines"].keys() == documents.keys()
    assert (manifest["set"]["rows"], manifest["set"]["wanted"]) == (6, {"simple": 6})
    assert settings_of_set(output).types == {"simple": 1.0}
    assert settings_of_set(output).n == 6
    own = replace(settings_of_set(output), workspace=str(place / "ws"))
    assert verify(output, sources(place), own).valid == 6
    assert update(output, sources(place), tmp_path / "same.jsonl", own).unchanged
    assert main(["score", str(output), "--corpus", *sources(place), *quiet(place)]) == 0
    assert (
        main(["rejudge", str(output), "--corpus", *sources(place), "-o", str(tmp_path / "re.jsonl"), *quiet(place)])
        == 0
    )
    assert "6 rows in" in capsys.readouterr().out


def test_an_update_of_a_merged_set_sees_new_documents_and_keeps_the_record(place, tmp_path):
    output, updated = tmp_path / "all.jsonl", tmp_path / "new" / "all.jsonl"
    merged(place, "lines", "harbours").save(output)
    added = tmp_path / "added.md"
    added.write_text(
        "# Auk harbour\n\n## When did the Auk harbour open?\n\nThe Auk harbour opened in 1790.\n", encoding="utf-8"
    )
    done = update(
        output, [*sources(place), added], updated, Settings(workspace=str(place / "ws"), n=7, types={"simple": 1})
    )
    assert done.documents == {"added": ["added.md"]}
    assert [row["evidence"][0]["doc_id"] for row in done.new_rows] == ["added.md"]
    assert manifest_of(updated)["merged"] == manifest_of(output)["merged"]
    assert len(manifest_of(updated)["history"]) == 2


def test_what_differs_between_the_sets_is_left_out_and_named(place, tmp_path):
    output = tmp_path / "all.jsonl"
    with pytest.warns(Differing, match="the merged sets differ in settings seed; verify and update use their defaults"):
        merged(place, "harbours", "other").save(output)
    manifest = manifest_of(output)
    assert manifest["merged"]["differ"] == {"settings": ["seed"]}
    assert "seed" not in manifest["settings"]
    assert manifest["settings"]["types"] == {"simple": 1.0}


def test_documents_with_two_versions_and_filters_with_two_thresholds_are_left_out():
    def of(hash, words, **model):
        corpus = {"documents": {"a.md": "h", "b.md": hash}, "outlines": {"a.md": "o", "b.md": "o"}}
        return MergedSet(
            None, 1, {"corpus": corpus, "filters": [{"name": "copied", "max_words": words}], "settings": model}
        )

    with pytest.warns(Differing, match="filters copied; documents b.md; .* update the sets to the same documents"):
        manifest = merged_manifest([of("1", 8), of("2", 9, model={"name": "m"})], ["q-1", "q-2"], ["{}", "{}"])
    assert manifest["corpus"]["documents"] == {"a.md": "h"}
    assert manifest["corpus"]["outlines"] == {"a.md": "o"}
    assert manifest["filters"] == []
    assert manifest["settings"]["model"] == {"name": "m"}, "update asks for the model of either set"
    assert merged_manifest([MergedSet(None, 1, {})], ["q-1"], ["{}"]) is None


def test_refused_rows_come_along_and_parts_of_a_merged_set_keep_the_record(place, tmp_path):
    lines = (place / "lines.rejected.jsonl").read_text(encoding="utf-8").splitlines()
    output, both = tmp_path / "all.jsonl", merged(place, "lines", "harbours")
    both.save(output)
    refused = (tmp_path / "all.rejected.jsonl").read_text(encoding="utf-8").splitlines()
    assert refused[: len(lines)] == lines
    both.merge(Dataset.of([{"id": "own", "question": "Who?", "golden_answers": ["Ada"]}]))[3:].save(
        tmp_path / "part.jsonl"
    )
    found = manifest_of(tmp_path / "part.jsonl")["merged"]["sets"]
    assert [(one["name"], one["rows"]) for one in found] == [("lines.jsonl", 1), ("harbours.jsonl", 2), ("", 1)]


def test_the_command_merges_sets_and_protects_the_work_of_people(place, tmp_path, capsys):
    output, inputs = tmp_path / "all.jsonl", [str(place / "lines.jsonl"), str(place / "harbours.jsonl")]
    assert main(["merge", *inputs, "-o", str(output)]) == 0
    assert main(["merge", *inputs, "-o", str(output)]) == 0, "the same merge replaces its output"
    assert "6 rows of 2 sets in" in capsys.readouterr().out
    assert main(["merge", inputs[0], "-o", str(output)]) == 2
    assert "was not made by merge from lines.jsonl" in capsys.readouterr().err
    assert main(["merge", inputs[0], "-o", str(output), "--force", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == 4
    for options in ([], ["--into", "ws", "-o", "x.jsonl"]):
        assert main(["merge", *inputs, *options]) == 2
        assert "merge needs either --into WORKSPACE, for workspaces, or -o FILE" in capsys.readouterr().err


def test_decisions_that_are_not_in_the_rows_are_not_lost_by_a_merge(place, tmp_path, capsys):
    reviewed = tmp_path / "reviewed.jsonl"
    reviewed.write_bytes((place / "harbours.jsonl").read_bytes())
    with Decisions(store_path(reviewed)) as decisions:
        decisions.add(said(read_samples(reviewed).samples[0]), "test")
    assert main(["merge", str(place / "lines.jsonl"), str(reviewed), "-o", str(tmp_path / "all.jsonl")]) == 2
    assert "decisions of people on 1 row of" in capsys.readouterr().err
    assert not (tmp_path / "all.jsonl").exists()
