"""Where wrong answers come from, without a judge and with one."""

import csv
import json

import pytest

from synth.cli.main import main
from synth.core.records import Score
from synth.evaluation.failures import failures
from synth.evaluation.measuring.answer_normalisation import Folding
from synth.evaluation.responses.reading import Responses
from synth.testset.dataset import Dataset
from synth.workflows.api import evaluate
from synth.workflows.evaluating import EvaluationSettings
from tests.metrics.cases import item, piece

ENGLISH = (
    "When did the Tarn mill open?",
    "The Tarn mill opened in 1790.",
    "Ferries leave every hour.",
    "It closed in 1830.",
    "Bananas taste sweet.",
    "The Tarn mill stood by a river.",
)
CHINESE = (
    "塔恩磨坊何时开业？",
    "塔恩磨坊于1790年开业。",
    "渡船每小时一班。",
    "它在1830年关门。",
    "香蕉很甜。",
    "塔恩磨坊在河边。",
)


def kind(question, fact, answer, retrieved, contexts=None, scores=()):
    row = item(fact, [piece(fact)], question=question)
    given = {"id": "q-1", "answer": answer, "retrieved": [{"text": text} for text in retrieved]}
    if contexts is not None:
        given["contexts"] = contexts
    found = failures([row], Responses.of([given]), {"q-1": scores}, "chunk", Folding())
    (name,) = [name for name, ids in found.items() if ids]
    return name


@pytest.mark.parametrize(("question", "fact", "noise", "other", "off", "besides"), [ENGLISH, CHINESE])
def test_each_kind_without_a_judge(question, fact, noise, other, off, besides):
    assert kind(question, fact, fact, [noise]) == "right"
    assert kind(question, fact, other, [noise]) == "missed"
    assert kind(question, fact, other, [noise, fact], [noise]) == "ranked low"
    assert kind(question, fact, other, [noise + str(i) for i in range(5)] + [fact]) == "ranked low"
    assert kind(question, fact, other, [noise, fact]) == "contradicted"
    assert kind(question, fact, off, [fact]) == "off topic"
    assert kind(question, fact, besides, [fact]) == "ignored"
    assert kind(question, fact, "", [fact]) == "ignored"


def test_a_judges_word_counts_first():
    question, fact, noise, other, _, besides = ENGLISH
    wrong = Score(sample_id="q-1", metric="answer_correctness", value=0.2)
    assert kind(question, fact, fact, [noise], scores=[wrong]) == "missed"
    none = Score(sample_id="q-1", metric="answer_correctness", value=None, reason="the judge failed")
    assert kind(question, fact, fact, [noise], scores=[none]) == "right"
    contradicted = Score(sample_id="q-1", metric="faithfulness", value=0.0, detail=[{"verdict": "contradicted"}])
    assert kind(question, fact, besides, [fact], scores=[contradicted]) == "contradicted"
    absent = Score(sample_id="q-1", metric="faithfulness", value=0.0, detail=[{"verdict": "absent"}])
    off = Score(sample_id="q-1", metric="answer_relevancy", value=0.05)
    assert kind(question, fact, other, [fact], scores=[absent, off]) == "off topic"


def hops(retrieved, answer="in 1772", parts=None):
    first, second = (
        piece("Robert Hay built the Tarn mill.", doc_id="a"),
        piece("Robert Hay was born in 1790.", doc_id="b"),
    )
    parts = parts or [
        {"question": f"{n}?", "answer": "x", "evidence": [[one.doc_id, one.start, one.end]]}
        for n, one in enumerate((first, second))
    ]
    row = item("1790", [first, second], question="When was the builder born?", sub_questions=parts)
    given = {"id": "q-1", "answer": answer, "retrieved": [{"text": text} for text in retrieved]}
    found = failures([row], Responses.of([given]), {}, "chunk", Folding())
    return [name for name, ids in found.items() if ids]


@pytest.mark.parametrize(
    ("retrieved", "kind"),
    [
        (["Robert Hay was born in 1790."], "hop 1 missed"),
        (["Robert Hay built the Tarn mill."], "hop 2 missed"),
        (["Ferries leave every hour."], "missed"),
        (["Robert Hay built the Tarn mill.", "Robert Hay was born in 1790."], "contradicted"),
    ],
)
def test_of_several_passages_the_hop_that_was_missed_is_named(retrieved, kind):
    assert hops(retrieved) == [kind]
    assert hops(retrieved, "1790") == ["right"]


def test_sub_questions_without_evidence_say_nothing_of_hops():
    assert hops(["Robert Hay was born in 1790."], parts=[{"question": "a?"}, {"question": "b?"}]) != ["hop 1 missed"]


def test_what_cannot_be_told_is_said_and_unanswerable_rows_are_left_out():
    row = item("x", [piece("evidence")])
    ids = Responses.of([{"id": "q-1", "answer": "y", "retrieved": ["unknown"]}])
    assert failures([row], ids, {}, "", Folding())["unknown"] == ["q-1"]
    none = item((), question_type="unanswerable")
    assert not any(failures([none], ids, {}, "", Folding()).values())


def test_the_table(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    question, fact, noise, other, *_ = ENGLISH
    Dataset([item(fact, [piece(fact)], question=question, id=f"q-{i}") for i in range(4)]).save("set.jsonl")
    rows = [{"id": f"q-{i}", "answer": fact if i < 2 else other, "retrieved": [{"text": noise}]} for i in range(4)]
    (tmp_path / "answers.jsonl").write_text("\n".join(map(json.dumps, rows)), "utf-8")
    assert main(["evaluate", "set.jsonl", "answers.jsonl", "--metrics", "token_f1", "--failures", "--quiet"]) == 0
    out = capsys.readouterr().out
    (line,) = [line for line in out.splitlines() if line.startswith("missed")]
    assert line.split()[1:3] == ["2", "50%"]
    assert "q-2, q-3" in line
    main(["evaluate", "set.jsonl", "answers.jsonl", "--metrics", "token_f1", "--failures", "--quiet", "--json"])
    assert json.loads(capsys.readouterr().out)["failures"]["right"] == ["q-0", "q-1"]


def test_the_kind_of_failure_stands_beside_the_scores_of_both_systems(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    question, fact, noise, other, *_ = ENGLISH
    rows = [item(fact, [piece(fact)], question=f"{i}. {question}", id=f"q-{i}") for i in range(3)]
    Dataset([*rows, item((), id="q-3", question_type="unanswerable")]).save("set.jsonl")
    for name, retrieved in (("first", noise), ("second", fact)):
        answers = [
            {"id": f"q-{i}", "answer": other if i else fact, "retrieved": [{"text": retrieved}]} for i in range(4)
        ]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, answers)), "utf-8")
    shown = ("--metrics", "token_f1", "--failures", "--quiet")
    files = ("-o", "scores.json", "--csv", "rows.csv")
    assert main(["evaluate", "set.jsonl", "first.jsonl", "--compare", "second.jsonl", *shown, *files]) == 0
    out = capsys.readouterr().out
    assert "second system\n" in out
    assert [line.split()[0] for line in out.splitlines() if "the evidence was not" in line] == ["missed"]
    assert [line.split()[0] for line in out.splitlines() if "contradicted it" in line] == ["contradicted"]
    assert "first system\n" in out
    assert "right: correctness of at least 0.5; if a judge measured answer_correctness" in out
    told = ["right", "missed", "missed", ""]
    lines = [json.loads(line) for line in (tmp_path / "scores.rows.jsonl").read_text("utf-8").splitlines()]
    assert [line.get("failure", "") for line in lines] == told
    with (tmp_path / "rows.csv").open(encoding="utf-8", newline="") as file:
        assert [line["failure"] for line in csv.DictReader(file)] == told
    compared = json.loads((tmp_path / "scores.json").read_text("utf-8"))["compared"]
    assert compared["failures"]["contradicted"] == ["q-1", "q-2"]
    pytest.importorskip("pandas")
    result = evaluate("set.jsonl", "first.jsonl", EvaluationSettings(failures=True))
    assert list(result.to_pandas()["failure"]) == told
    assert "failure" not in evaluate("set.jsonl", "first.jsonl").to_pandas()
    assert main(["evaluate", "set.jsonl", "first.jsonl", "--by", "failure", "--quiet"]) == 2
    assert "use --failures for the number of rows by kind" in capsys.readouterr().err
