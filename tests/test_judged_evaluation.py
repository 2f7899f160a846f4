"""Judged metrics from the command line, over HTTP: n of N, faults, replies kept, substitutes, criteria, labels."""

import json
import re

import pytest

from synth.cli.main import main
from synth.core.plugins import discover
from synth.evaluation.judging.judged_metric import JudgedMetric
from tests.llm.server import Status
from tests.metrics.judge import as_server

ENGLISH = [f"The {name} mill was built in {1700 + i}." for i, name in enumerate(("Tarn", "Orr", "Kell", "Firth"))]
CHINESE = [f"{name}磨坊建于{1700 + i}年。" for i, name in enumerate("东西南北")]
TEXTS = ENGLISH + CHINESE + [CHINESE[0].replace("东磨坊建于", "東水車建於")]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    rows, responses = [], []
    for i, text in enumerate(TEXTS):
        piece = {
            "doc_id": f"{i}.md",
            "doc_hash": "sha256:0",
            "chunk_id": f"c-{i}",
            "start": 0,
            "end": len(text),
            "text": text,
        }
        question = "When was the mill built?" if text in ENGLISH else "磨坊建于哪一年？"
        language = "en" if text in ENGLISH else "zh-Hant" if "車" in text else "zh-Hans"
        metadata = {"language": language, "topics": ["mill", "磨坊"], "images": ["data:image/png;base64,AA"]}
        rows.append(
            {
                "id": f"q-{i}",
                "question": f"{question} {i}",
                "golden_answers": [text],
                "evidence": [piece],
                "metadata": metadata,
            }
        )
        answer = text if i % 3 else text + " " + text.replace("17", "18")
        contexts = [{"text": text}, {"text": TEXTS[i - 1]}]
        responses.append({"id": f"q-{i}", "answer": answer, "contexts": contexts, "tool_calls": []})
    for name, held in (("set", rows), ("answers", responses)):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(json.dumps(row) for row in held), "utf-8")
    return tmp_path


def run(capsys, *arguments):
    try:
        code = main(["evaluate", "set.jsonl", "answers.jsonl", *arguments, "--quiet"])
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    return code, out, err


def asking(server, *metrics):
    model = ("--llm", "judge", "--base-url", server.url, "--concurrency", "4", "--encoder", "hashed")
    return ("--metrics", ",".join(metrics), *model)


def test_every_judged_metric_under_faults_and_again_from_kept_replies(here, capsys, serve):

    def behave(body, number):
        return Status(500) if number % 10 == 3 else as_server(body)

    server = serve(behave)
    code, out, err = run(capsys, *asking(server, "judged"), "-o", "scores.json", "--json")
    assert code == 0, err
    found = json.loads(out)
    columns = {
        column
        for part in discover("synth.evaluation.metrics", JudgedMetric).values()
        if part.name not in ("aspect", "rubric")
        for column in part().columns
    }
    assert set(found["metrics"]) == columns
    for name, one in found["metrics"].items():
        assert one["of"] == len(TEXTS)
        assert one["n"] + sum(one.get("undefined", {}).values()) == len(TEXTS), name
        assert one["n"] > 0, (name, one)
        assert not any("failed" in reason for reason in one.get("undefined", {})), (name, one)
    assert found["metrics"]["faithfulness"]["mean"] == pytest.approx((6 + 3 * 0.5) / 9)
    assert found["judge"]["model"] == "judge"
    assert found["judge"]["controls"]["items"] == 18
    assert found["judge"]["accounts"]["retries"]["server"] > 0
    rows = [json.loads(line) for line in (here / "scores.rows.jsonl").read_text("utf-8").splitlines()]
    assert rows[0]["details"]["faithfulness"][1]["verdict"] == "contradicted"
    before = len(server.bodies)
    code, again, _ = run(capsys, *asking(server, "judged"), "--json")
    assert json.loads(again)["metrics"] == found["metrics"]
    assert len(server.bodies) == before
    assert json.loads(again)["judge"]["accounts"]["calls"] == 0


def test_tables_say_who_judged_and_how_well(here, capsys, serve):
    code, out, err = run(capsys, *asking(serve(lambda body, _: as_server(body)), "faithfulness"))
    assert code == 0
    assert re.search(r"^faithfulness +0\.833 .* 9 of 9", out, re.MULTILINE)
    assert "judged by judge: " in err
    assert "control items, whose verdicts are known: 1" in err
    assert "never compared with people; see synth judge-check" in err


def test_a_judge_that_fails_items_is_told_of(here, capsys, serve):
    def lenient(body, _):
        data = json.loads(as_server(body))
        for row in data.get("verdicts", ()):
            row.update(verdict="supported", sentence=1)
        return json.dumps(data)

    _, _, err = run(capsys, *asking(serve(lenient), "faithfulness"))
    assert "control items, whose verdicts are known: 3 of 18 right" in err
    assert "wrong verdicts: 'The Tarn mill was built in 1852.': supported, expected contradicted" in err


def test_what_the_judge_refuses_is_none_with_a_reason(here, capsys, serve):
    def sometimes(body, _):
        return "no JSON" if "Kell" in body["messages"][1]["content"] else as_server(body)

    code, out, _ = run(capsys, *asking(serve(sometimes), "faithfulness"))
    assert code == 0
    assert re.search(r"faithfulness +0\.8\d+ .* [78] of 9", out)
    assert "the judge failed: unparsable" in out


def test_one_kind_of_request_that_always_fails_leaves_the_other_metrics(here, capsys, serve):
    server = serve(lambda body, _: "no JSON" if "reverse" in str(body) else as_server(body))
    code, out, err = run(capsys, *asking(server, "faithfulness", "answer_relevancy"), "--concurrency", "1")
    assert code == 9
    assert re.search(r"^faithfulness +0\.833 .* 9 of 9", out, re.MULTILINE)
    assert re.search(r"^answer_relevancy +- +- +0 of 9", out, re.MULTILINE)
    assert "some judged metrics have no value: 5 requests in a row (judges/reverse)" in err


def test_substitutes_are_marked_and_never_mixed(here, capsys):
    code, out, _ = run(capsys, "--metrics", "faithfulness,context_recall,misalignment,context_precision", "--json")
    assert code == 0
    found = json.loads(out)
    assert list(found["metrics"]) == [
        "faithfulness~support",
        "context_recall~evidence",
        "misalignment~support",
        "top_ignored~support",
        "context_precision~evidence",
    ]
    assert "judge" not in found
    assert found["definitions"]["faithfulness~support"].startswith("Substitute for faithfulness")
    assert found["metrics"]["context_recall~evidence"]["mean"] == 1.0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["--metrics", "noise_sensitivity"],
            "needs a chat model and has no substitute; name a model with --llm",
        ),
        (["--llm", "x"], "no judged metric; add one to --metrics"),
        (["--metrics", "faithfullness"], "unknown metric 'faithfullness'; did you mean faithfulness?"),
        (["--metrics", "faithfulness", "--llm", "x", "--votes", "2"], "votes must be an odd number"),
        (["--criteria", "none.toml"], "cannot read the criteria none.toml"),
        (["--metrics", "faithfulness~classifier"], "give its hub name or folder with --classifier"),
    ],
)
def test_what_makes_no_sense_is_said(here, capsys, arguments, says):
    code, out, err = run(capsys, *arguments)
    assert says in err + out
    assert code == 2


CRITERIA = """
votes = 3
[metrics.answer_correctness]
claims_weight = 1.0
[aspects.short]
criterion = "The answer is short."
[rubrics.clear]
levels = ["a", "b", "c", "d", "e"]
golden = true
"""


def test_criteria_of_the_users_own(here, capsys, serve):
    (here / "own.toml").write_text(CRITERIA, "utf-8")
    server = serve(lambda body, _: as_server(body))
    names = ("short", "clear", "answer_correctness")
    code, out, err = run(capsys, *asking(server, *names), "--criteria", "own.toml", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert list(found["metrics"]) == ["short", "clear", "answer_correctness"]
    assert found["judge"]["votes"] == 3
    assert found["definitions"]["short"] == "The answer is short."
    assert 0 < found["metrics"]["clear"]["mean"] <= 1


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("votes = 3", "votes = 4", "own.toml: field 'votes' must be an odd number of at most 99, was 4"),
        (
            "claims_weight = 1.0",
            "weight = 1",
            "metrics.answer_correctness: unknown parameter 'weight'; known: claims_weight",
        ),
        ("claims_weight = 1.0", "claims_weight = 3", "claims_weight of answer_correctness must be from 0 to 1, was 3"),
        ("metrics.answer_correctness", "metrics.nothing", "unknown judged metric in own.toml 'nothing'"),
        ('criterion = "The answer is short."', "", "field 'aspects.short.criterion' must be a text"),
        ('"d", "e"]', '"d"]', "field 'rubrics.clear.levels' must be five texts"),
        ("golden = true", 'golden = "yes"', "rubrics.clear.golden' must be true or false"),
        ("[aspects.short]", "[aspects.faithfulness]", "'faithfulness' is already the name of a metric of synth"),
        ("[aspects.short]", "[aspect.short]", "own.toml: unknown 'aspect'"),
        ("votes = 3", "votes = ", "own.toml is not TOML"),
    ],
)
def test_criteria_that_are_not_well_made_are_named(here, capsys, old, new, says):
    assert old in CRITERIA
    (here / "own.toml").write_text(CRITERIA.replace(old, new), "utf-8")
    code, _, err = run(capsys, "--metrics", "answer_correctness", "--llm", "x", "--criteria", "own.toml")
    assert code == 2
    assert says in err


def test_labels_join_with_judged_rows(here, capsys, serve):
    labels = [{"id": f"q-{i}", "faithfulness": 1 if i % 3 else 0.5} for i in range(6)]
    (here / "labels.jsonl").write_text("\n".join(map(json.dumps, labels)), "utf-8")
    server = serve(lambda body, _: as_server(body))
    code, out, _ = run(capsys, *asking(server, "faithfulness"), "--labels", "labels.jsonl")
    assert code == 0
    assert re.search(r"^faithfulness +0\.8\d+ .* 6 +3 ", out, re.MULTILINE)
    assert "at least 50" in out
