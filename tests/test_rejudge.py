"""A set judged again: nothing changes under the same thresholds, and no model is asked under others."""

import json

import pytest

from synth.cli.main import main
from synth.core.jsonl import read_samples
from tests.chat import behave, stations

TEXTS = {
    "en.md": "# Lights\n\n## When was the Kell lighthouse built?\n\nThe Kell lighthouse was built in 1811.\n\n"
    "## Who designed the Bell lighthouse?\n\nThe Bell lighthouse was designed by Anna Moor.\n",
    "zh.md": "# 灯塔\n\n## 凯尔灯塔是哪一年建成的？\n\n凯尔灯塔建于1811年，位于凯尔岛。\n\n"
    "## 贝尔灯塔是谁设计的？\n\n贝尔灯塔由安娜·莫尔设计，建在港口旁边。\n",
}


@pytest.fixture
def made(tmp_path, monkeypatch):
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    folder = tmp_path / "docs"
    folder.mkdir()
    for name, text in TEXTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    main(["generate", str(folder), "-o", str(tmp_path / "testset.jsonl"), "-n", "50", "--quiet"])
    return tmp_path


def again(made, *options):
    arguments = [str(made / "testset.jsonl"), "--corpus", str(made / "docs"), "-o", str(made / "again.jsonl")]
    return main(["rejudge", *arguments, "--quiet", *options])


def test_the_same_thresholds_give_the_same_set(made):
    assert again(made) == 5, "the set was short, and still is"
    assert (made / "again.jsonl").read_bytes() == (made / "testset.jsonl").read_bytes()
    lines = [
        len((made / name).read_text(encoding="utf-8").splitlines())
        for name in ("rejected.jsonl", "again.rejected.jsonl")
    ]
    assert lines[0] == lines[1]


def test_a_stricter_filter_takes_rows_and_giving_way_brings_them_back(made, capsys):
    rows = read_samples(made / "testset.jsonl").samples
    assert rows
    again(made, "--threshold", "copied.max_words=1", "--threshold", "copied.max_characters=1", "--json")
    found = json.loads(capsys.readouterr().out.split("\n", 0)[0])
    assert len(found["removed"]) > 0
    assert found["rows"] == len(rows) - len(found["removed"])
    assert {json.loads(line)["rejected"]["stage"]
            for line in (made / "again.rejected.jsonl").read_text(encoding="utf-8").splitlines()
            if json.loads(line).get("id") in found["removed"]} == {"copied"}  # fmt: skip
    (made / "testset.jsonl").unlink()
    for name in ("", "rejected.", "manifest."):
        suffix = "json" if name == "manifest." else "jsonl"
        (made / f"again.{name}{suffix}").rename(made / (f"{name}{suffix}" if name else "testset.jsonl"))
    again(made, "--threshold", "copied.max_words=10", "--threshold", "copied.max_characters=18")
    assert {row.id for row in read_samples(made / "again.jsonl").samples} == {row.id for row in rows}


def test_no_reply_is_asked_for(tmp_path, monkeypatch, serve):
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    folder, target = stations(tmp_path / "corpus"), tmp_path / "testset.jsonl"
    server = serve(behave)
    options = ["--llm", "m", "--base-url", server.url, "--quiet", "-n", "6"]
    assert main(["generate", str(folder), "-o", str(target), *options]) == 0
    asked = len(server.bodies)
    arguments = [str(target), "--corpus", str(folder), "-o", str(tmp_path / "again.jsonl"), "--quiet"]
    assert main(["rejudge", *arguments]) == 0
    assert (tmp_path / "again.jsonl").read_bytes() == target.read_bytes()
    assert main(["rejudge", *arguments, "--threshold", "judged.min_natural=5"]) == 5
    taken = [
        "rejudge",
        str(tmp_path / "again.jsonl"),
        "--corpus",
        str(folder),
        "-o",
        str(tmp_path / "back.jsonl"),
        "--quiet",
    ]
    assert main([*taken, "--threshold", "judged.min_natural=4"]) == 0
    assert (tmp_path / "back.jsonl").read_bytes() == target.read_bytes()
    assert len(server.bodies) == asked
    refused = (tmp_path / "again.rejected.jsonl").read_text(encoding="utf-8")
    assert "the judge rates 'natural' 4 of 5, at least 5 needed" in refused


def test_a_judge_that_agrees_with_everything_ends_the_run_with_a_code(tmp_path, monkeypatch, capsys, serve):
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    folder, target = stations(tmp_path / "corpus"), tmp_path / "testset.jsonl"

    def agreeing(body, number):
        reply, user = behave(body, number), body["messages"][1]["content"]
        # It passes the trial, whose statements have gaps.
        return (
            reply
            if "____" in user
            else reply.replace('"proved": false, "right": false', '"proved": true, "right": true')
        )

    server = serve(agreeing)
    options = ["--llm", "m", "--base-url", server.url, "--quiet", "-n", "8"]
    assert main(["generate", str(folder), "-o", str(target), "--control", "50%", *options]) == 8
    assert "control items" in capsys.readouterr().err
    controls = json.loads((tmp_path / "manifest.json").read_text(encoding="utf-8"))["controls"]
    assert any(one["admitted"] for one in controls)
    server = serve(behave)
    options = ["--llm", "m", "--base-url", server.url, "--quiet", "-n", "8"]
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "other"))
    assert main(["generate", str(folder), "-o", str(target), "--control", "50%", *options]) == 0


@pytest.mark.parametrize("bad", ["copied", "copied.max_words", "copied.max_words=", ".x=1", "a.b=c d"])
def test_a_threshold_that_is_none_is_named(made, capsys, bad):
    with pytest.raises(SystemExit):
        again(made, "--threshold", bad)
    assert "FILTER.NAME=VALUE" in capsys.readouterr().err


def test_what_is_missing_is_said(made, capsys):
    (made / "manifest.json").unlink()
    assert again(made) == 2
    assert "manifest" in capsys.readouterr().err
