"""judge-check --filters: good questions refused and bad ones passed, by a judge over HTTP and by the rules."""

import json
import os
import shutil
from pathlib import Path

import pytest

from synth.annotation.decisions import Decisions, store_path
from synth.annotation.records import annotation_of
from synth.cli.main import main
from synth.core.jsonl import read_samples, sample_to_row
from synth.core.records import Evidence, Sample
from synth.generation.planted_faults import FAULTS, planted
from synth.workflows.api import Settings, check_filters
from synth.workflows.filter_checking import read_verdicts
from synth.workflows.settings import ModelSettings
from tests.chat import behave, stations

ROWS = 8


def sample(question, answer, doc="a.md", language="en", text="evidence"):
    piece = Evidence(doc_id=doc, doc_hash="h", chunk_id=f"c-{doc}", start=0, end=len(text), text=text)
    answers = (answer,) if answer else ()
    kind = "simple" if answer else "unanswerable"
    return Sample(question=question, golden_answers=answers, evidence=(piece,), question_type=kind, language=language)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A folder with documents and a sound set on them."""
    from tests.llm.server import ChatServer

    place, server = tmp_path_factory.mktemp("made"), ChatServer(behave)
    stations(place / "docs")
    out = ["-o", str(place / "set.jsonl"), "-n", str(ROWS), "--seed", "1", "--workspace", str(place / "ws"), "--quiet"]
    assert main(["generate", str(place / "docs"), *out, "--llm", "m", "--base-url", server.url]) == 0
    server.close()
    return place


@pytest.fixture
def checked(made, tmp_path, capsys):
    """Runs the command on a file of rows, and gives its code, output and error output."""

    def run(*options, labels=made / "set.jsonl", corpus=made / "docs"):
        workspace = ("--workspace", str(tmp_path / "ws"))
        code = main(["judge-check", str(labels), "--filters", "--corpus", str(corpus), *workspace, "--quiet", *options])
        return code, *capsys.readouterr()

    return run


def at(server):
    return "--llm", "m", "--base-url", server.url


def judged(**said):
    """A server's behaviour: the judge of `behave`, with these verdicts in the place of its own."""

    def reply(body, number):
        text = behave(body, number)
        verdicts = json.loads(text.partition("```json\n")[2].removesuffix("\n```"))["verdicts"]
        changed = [{name: said.get(name, value) for name, value in verdict.items()} for verdict in verdicts]
        return json.dumps({"verdicts": changed})

    return reply


def rates(out, decider):
    found = json.loads(out)["deciders"][decider]["rates"]
    return {("good" if rate["good"] else "bad", rate["kind"]): rate for rate in found}


def test_a_sound_judge_refuses_no_good_row_and_passes_no_planted_fault(checked, serve):
    code, out, err = checked(*at(serve(behave)), "--json", "--plant", str(ROWS))
    assert code == 0, err
    found = rates(out, "m")
    good, bad = found["good", ""], found["bad", ""]
    assert (good["n"], bad["n"]) == (ROWS, ROWS)
    assert good["share"] == bad["share"] == 0
    assert 0 == good["low"] < good["high"] < 0.4
    kinds = {kind for name, kind in found if name == "bad" and kind}
    assert {"another number", "other evidence"} <= kinds <= set(FAULTS)
    assert bad["n"] == sum(found["bad", kind]["n"] for kind in kinds)


@pytest.mark.parametrize(
    ("said", "good", "bad", "decided"),
    [
        ({"proved": True, "right": True, "grave": False}, 0.0, 1.0, "kept"),
        ({"proved": True, "right": True, "grave": False, "one": False}, 0.0, 1.0, "doubted"),
        ({"right": False}, 1.0, 0.0, "refused"),
        ({"clear": False}, 1.0, 0.0, "refused"),
    ],
    ids=["keeps all", "doubts all", "refuses all", "finds nothing clear"],
)
def test_the_errors_of_a_poor_judge_are_counted(checked, serve, said, good, bad, decided):
    _, out, err = checked(*at(serve(judged(**said))), "--json", "--plant", str(ROWS))
    assert not err.startswith("synth: error"), err
    found = rates(out, "m")
    assert (found["good", ""]["share"], found["bad", ""]["share"]) == (good, bad)
    assert found["good", ""][decided] == found["bad", ""][decided] == ROWS
    assert len(json.loads(out)["deciders"]["m"]["wrong"]) == ROWS


def test_the_judge_reads_the_brief_of_the_set_or_else_has_one_written(made, tmp_path, serve, capsys):
    manifest = json.loads((made / "set.manifest.json").read_text("utf-8"))
    bare = tmp_path / "bare.jsonl"
    shutil.copy(made / "set.jsonl", bare)
    for labels, briefs in ((made / "set.jsonl", 0), (bare, 1)):
        server = serve(behave)
        options = (
            "--corpus",
            str(made / "docs"),
            "--workspace",
            str(tmp_path / labels.stem),
            "--quiet",
            "--plant",
            "2",
        )
        assert main(["judge-check", str(labels), "--filters", *options, *at(server)]) == 0
        asked = [body["messages"] for body in server.bodies if len(body["messages"]) > 1]
        assert sum(manifest["brief"] in messages[-1]["content"] for messages in asked) == len(asked) - briefs
    capsys.readouterr()


def test_people_decide_what_is_bad_where_they_read(checked, made, tmp_path, serve):
    lines = [json.loads(line) for line in (made / "set.jsonl").read_text("utf-8").splitlines()]
    lines[0] |= {"accept": False, "fault": "trivial"}
    lines[1] |= {"accept": False}
    lines[2] |= {"accept": True}
    labels = tmp_path / "labels.jsonl"
    labels.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    _, out, _ = checked(*at(serve(behave)), "--json", labels=labels)
    found = {key: rate["n"] for key, rate in rates(out, "m").items()}
    assert found == {
        ("good", ""): 1,
        ("bad", ""): 2,
        ("bad", "refused by people"): 1,
        ("bad", "trivial"): 1,
    }, "nothing is planted where people found bad rows"
    assert rates(out, "m")["bad", ""]["share"] == 1.0, "this judge sees no fault in them"
    _, out, _ = checked("--json", "--plant", "4", labels=labels)
    assert rates(out, "rules")["bad", ""]["n"] == 6


def test_the_decisions_of_a_review_are_read_before_and_after_accept(checked, made, tmp_path):
    testset = tmp_path / "set.jsonl"
    for name in ("set.jsonl", "set.rejected.jsonl", "set.manifest.json"):
        shutil.copy(made / name, tmp_path / name)
    samples = read_samples(testset).samples
    refusing = {"decision": "reject", "reason": "trivial"}
    given = [refusing, {"decision": "edit", "question": "Is this in other words?"}, *[{"decision": "accept"}] * 4]
    with Decisions(store_path(testset)) as decisions:
        for sample, one in zip(samples, given, strict=False):
            decisions.add(annotation_of(sample, "ann", one, "a test"), "review")
        disputed = annotation_of(samples[5], "bo", refusing, "a test")
        decisions.add(disputed, "review")
    assert main(["annotate", "accept", str(testset), "-o", str(tmp_path / "good.jsonl")]) == 0
    checked()
    expected = {("good", ""): 4, ("bad", ""): 1}
    for name in ("set.jsonl", "good.jsonl"):
        _, out, _ = checked("--json", labels=tmp_path / name)
        assert {key: rate["n"] for key, rate in rates(out, "rules").items()} == expected, name
        rows = {row.sample.question: (row.good, row.kind) for row in read_verdicts(tmp_path / name)}
        assert rows[samples[0].question] == (False, "trivial")
        assert rows["Is this in other words?"] == (True, "accepted")
        assert not {samples[1].question, samples[5].question, samples[6].question} & rows.keys()
    (left,) = read_verdicts(tmp_path / "good.rejected.jsonl")
    assert (left.sample.id, left.good, left.kind) == (samples[0].id, False, "trivial")


def test_rows_are_read_from_a_pipe():
    given, end = os.pipe()
    os.write(end, json.dumps({**sample_to_row(sample("Who steers?", "Ann")), "accept": True}).encode())
    os.close(end)
    assert [row.kind for row in read_verdicts(Path(f"/dev/fd/{given}"))] == ["accepted"]
    os.close(given)


def test_a_set_that_nobody_decided_on_is_refused_with_what_to_do(checked, made):
    code, _, err = checked()
    assert code == 2
    assert f"synth annotate review {made / 'set.jsonl'}" in err
    assert "--plant N" in err


def test_requests_and_price_are_told_before_any_is_sent(made, tmp_path, serve):
    server, told = serve(behave), []
    prices = tmp_path / "prices.toml"
    prices.write_text("[m]\ninput = 1.0\noutput = 2.0\n", "utf-8")
    model = ModelSettings(name="m", base_url=server.url, prices=str(prices))
    settings = Settings(model=model, workspace=str(tmp_path / "ws"))
    result = check_filters(
        made / "set.jsonl",
        [made / "docs"],
        settings,
        plant=ROWS,
        announce=lambda stages: told.append((len(server.bodies), stages)),
    )
    ((sent, stages),) = told
    chat = [body for body in server.bodies if len(body["messages"]) > 1]
    assert sent == 0
    assert sum(stage.calls for stage in stages) == result.calls == len(chat) == 2 * 2 * ROWS / 4
    assert all(stage.cost > 0 and stage.prompt_tokens > 100 for stage in stages)


def test_the_rules_alone_cost_nothing_and_are_tabled(checked):
    code, out, err = checked("--plant", "2")
    assert (code, err) == (0, "")
    assert "rules" in out
    assert "good" in out
    assert "95 % interval" in out


def test_a_budget_stops_it_before_it_is_spent(checked, serve):
    server = serve(behave)
    code, _, err = checked(*at(server), "--max-calls", "1", "--plant", "4")
    assert code == 9
    assert "--max-calls 1" in err
    assert len(server.bodies) == 1


def test_what_makes_no_sense_is_said(checked, made, tmp_path, capsys):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "other.md").write_text("# Other\n\nA page on something else altogether.\n", "utf-8")
    code, _, err = checked("--plant", "1", corpus=tmp_path / "docs")
    assert code == 2
    assert "is not in the corpus; name the documents that the set was made from" in err
    row = json.loads((made / "set.jsonl").read_text("utf-8").splitlines()[0])
    for wrong, says in (
        ({**row, "accept": "yes"}, "labels.jsonl:1: field 'accept' must be true or false"),
        ({**row, "accept": False, "fault": 3}, "labels.jsonl:1: field 'fault'"),
        ({"question": "q"}, "labels.jsonl:1: field"),
    ):
        (tmp_path / "labels.jsonl").write_text(json.dumps(wrong), "utf-8")
        code, _, err = checked(labels=tmp_path / "labels.jsonl")
        assert code == 2
        assert says in err
    (tmp_path / "labels.jsonl").write_text("", "utf-8")
    assert "contains no row" in checked(labels=tmp_path / "labels.jsonl")[2]
    assert main(["judge-check", str(made / "set.jsonl"), "--filters"]) == 2
    assert "name them with --corpus" in capsys.readouterr().err


def test_each_fault_spoils_the_row_that_it_fits():
    row = sample("When did the ship Ann Moor of Kell sail to the north?", "in the spring of 1811")
    other = sample("Who built Holm?", "Robert Hay", "b.md")
    passage = "Ann Moor sailed in 1811, Holm in 1814."
    spoilt = {name: make(row, other, passage) for name, make in FAULTS.items()}
    assert spoilt["another number"].golden_answers == ("in the spring of 1814",)
    assert spoilt["reversed rule"] is spoilt["dropped item"] is spoilt["neighbouring cell"] is None
    assert spoilt["answer of a like question"].golden_answers == ("Robert Hay",)
    assert spoilt["other evidence"].evidence == other.evidence
    assert spoilt["missing name"].question == "When did the ship it sail to the north?"
    assert spoilt["half an answer"].golden_answers == ("in the",)
    chinese = sample("《海上灯塔》的作者是谁？", "罗伯特史蒂文森二世", language="zh-Hans")
    assert FAULTS["missing name"](chinese, other, "").question == "它的作者是谁？"
    assert FAULTS["half an answer"](chinese, other, "").golden_answers == ("罗伯特史",)
    assert FAULTS["half an answer"](other, row, "") is not None
    assert FAULTS["half an answer"](sample("When?", "1811"), other, "") is None
    assert FAULTS["missing name"](sample("When was it built?", "1811"), other, "") is None


def test_planted_rows_differ_from_the_good_ones_and_do_not_depend_on_their_order():
    rows = [sample(f"When was the Mill {n} built in Kell?", f"in the year {1700 + n}", f"{n}.md") for n in range(9)]
    rows += [sample("谁建了磨坊？", "陈雨", "zh.md", "zh-Hans"), sample("Is there a mill?", "", "u.md")]
    found = planted(rows, 100)
    assert found == planted(rows[::-1], 100)
    assert found[:4] == planted(rows, 4)
    assert len(found) == 9, "the only Chinese row has no other, an unanswerable one no answer"
    missing = {"dropped item", "reversed rule", "neighbouring cell"}
    assert {kind for kind, _ in found} == set(FAULTS) - missing, "no row has a list, a rule or a table"
    good = {(row.question, row.golden_answers, row.evidence) for row in rows}
    assert good.isdisjoint((row.question, row.golden_answers, row.evidence) for _, row in found)


def test_no_answer_that_is_as_good_is_planted_as_a_wrong_one():
    rows = [sample("When was Kell built?", "1811", "a.md"), sample("When was Holm built?", "1811.", "b.md")]
    assert planted(rows, 2) == []
