"""A judge against people: agreement, biases, and that the result stands beside later scores."""

import json
import random

import pytest

from synth.cli.main import main
from synth.evaluation.judging.statistics import auc, kappa, kappa_interval, spearman
from tests.llm.server import ChatServer
from tests.metrics.judge import as_server


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    rows = []
    for i in range(12):
        fact = f"The mill number {i} was built in {1700 + i}." if i % 2 else f"第{i}座磨坊建于{1700 + i}年。"
        right = i % 3 != 0
        answer = fact if right else fact.replace("17", "18")
        rows.append(
            {
                "question": "When?" if i % 2 else "何时？",
                "answer": answer,
                "contexts": [fact],
                "label": right if i else True,
            }
        )
    (tmp_path / "labels.jsonl").write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return tmp_path


@pytest.fixture
def judge():
    server = ChatServer(lambda body, _: as_server(body))
    yield ("--llm", "judge", "--base-url", server.url)
    server.close()


def check(capsys, *arguments):
    code = main(["judge-check", *arguments, "--quiet"])
    out, err = capsys.readouterr()
    return code, out, err


def test_agreement_and_steadiness_beside_the_substitute(here, capsys, judge):
    code, out, err = check(capsys, "labels.jsonl", "--metric", "faithfulness", *judge, "--json")
    assert code == 0, err
    found = json.loads(out)
    one = found["judge"]
    assert (one["n"], one["of"], one["agree"]) == (12, 12, round(11 / 12, 4))
    # 8 of 12 accepted by the judge, 9 by people, one row apart: (11/12 - 7/12) / (1 - 7/12).
    assert one["kappa"] == pytest.approx(0.8, abs=1e-4)
    assert one["kappa_low"] <= one["kappa"] <= one["kappa_high"]
    assert one["position_changed"] == one["repeat_changed"] == 0.0
    assert one["mean_of_people"] == 0.75
    assert list(found["without"]) == ["faithfulness~support"]
    code, out, _ = check(capsys, "labels.jsonl", "--metric", "faithfulness", *judge)
    assert "control items right" in out
    assert "0.800" in out


def test_asked_once_it_takes_fewer_calls_and_says_what_it_does_not_know(here, capsys, serve, monkeypatch):
    found, calls = {}, {}
    for asked in ((), ("--once",)):
        server = serve(lambda body, _: as_server(body))
        monkeypatch.setenv("SYNTH_WORKSPACE", str(here / f"ws{len(asked)}"))
        told = ("labels.jsonl", "--metric", "faithfulness", "--llm", "judge", "--base-url", server.url, *asked)
        _, out, _ = check(capsys, *told, "--json")
        found[asked], calls[asked] = json.loads(out)["judge"], len(server.bodies)
        assert ("not measured" in check(capsys, *told)[1]) == bool(asked)
    assert 0 < calls["--once",] < 0.7 * calls[()]
    assert found["--once",]["kappa"] == found[()]["kappa"]
    assert found["--once",]["repeat_changed"] is found["--once",]["position_changed"] is None


def test_the_result_stands_beside_later_scores(here, capsys, judge):
    check(capsys, "labels.jsonl", "--metric", "faithfulness", *judge)
    row = {"id": "q", "question": "When?", "golden_answers": ["1701"]}
    (here / "set.jsonl").write_text(json.dumps(row), "utf-8")
    (here / "answers.jsonl").write_text(
        json.dumps({"id": "q", "answer": "In 1701.", "contexts": ["In 1701."]}), "utf-8"
    )
    main(["evaluate", "set.jsonl", "answers.jsonl", "--metrics", "faithfulness,context_recall", *judge, "--quiet"])
    err = capsys.readouterr().err
    assert "faithfulness: kappa of this judge and people is 0.8 on 12 rows" in err
    assert "context_recall: this judge was never compared with people" in err
    main(["evaluate", "set.jsonl", "answers.jsonl", "--metrics", "faithfulness", *judge, "--votes", "3", "--quiet"])
    assert "faithfulness: this judge was never compared" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "arguments", "says"),
    [
        ('{"question": "q", "answer": "a", "label": 2}', (), "labels.jsonl:1: field 'label' must be true, false or"),
        ('{"question": "q", "label": 1, "answer": 3, "contexts": 4}', (), "labels.jsonl:1: field 'contexts'"),
        ("[]", (), "labels.jsonl:1 must be an object"),
        ("[" * 100_000, (), "labels.jsonl:1: not JSON"),
        ("", (), "no labelled row"),
        (
            '{"question": "q", "answer": "a", "label": 1}',
            ("--metric", "token_f1"),
            "not a single judged metric|no judged metric",
        ),
        ('{"question": "q", "answer": "a", "label": 1}', ("--llm", ""), "judge-check measures a chat model"),
    ],
)
def test_what_makes_no_sense_is_said(here, capsys, judge, text, arguments, says):
    import re

    (here / "labels.jsonl").write_text(text, "utf-8")
    code, _, err = check(capsys, "labels.jsonl", "--metric", "faithfulness", *judge, *arguments)
    assert code == 2
    assert re.search(says, err), err


def test_statistics_by_hand():
    assert kappa([True, True, False, False], [True, False, False, False]) == pytest.approx(0.5)
    assert kappa([True, True], [True, True]) is None
    assert auc([True, True, False, False], [0.9, 0.5, 0.5, 0.1]) == 0.875
    assert auc([True], [1.0]) is None
    assert spearman([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(0.8)
    assert spearman([1, 2, 3], [5, 5, 5]) is None
    assert kappa([], []) is None


def test_the_interval_of_kappa_is_about_its_value_and_narrows_with_rows():
    rng = random.Random(1)
    people = [rng.random() < 0.5 for _ in range(400)]
    judge = [one if rng.random() < 0.8 else not one for one in people]
    widths = []
    for n in (100, 400):
        low, high = kappa_interval(people[:n], judge[:n], 0)
        assert low < kappa(people[:n], judge[:n]) < high
        widths.append(high - low)
    assert 0.05 < widths[1] < widths[0] < 0.5
    assert kappa_interval([True] * 3, [True] * 3, 0) is None
    assert kappa_interval([], [], 0) is None
