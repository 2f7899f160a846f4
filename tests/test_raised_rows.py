"""Rows that an update marked for review, decided as a person does it: with the commands that are printed."""

import csv
import json
import shlex

import pytest

import synth
from synth.cli.main import main
from synth.core.jsonl import dumps, sample_to_row
from tests.corpus import corpus, sample
from tests.update_desk import ROWS, Desk, make_home

SHEET = "sheet.csv"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make_home(tmp_path_factory.mktemp("made"))


@pytest.fixture
def desk(made, tmp_path, capsys):
    return Desk(made, tmp_path, capsys)


def decide(desk, decisions, testset="testset.jsonl", *options):
    """Decide on rows by a sheet: `decisions` has by id the cells to fill in. Returns the sheet as it was handed out."""
    sheet = desk.home / SHEET
    assert desk.run("annotate", "export", desk.home / testset, "-o", sheet, "--words", "en", *options)[0] == 0
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        lines = list(csv.DictReader(file))
    filled = [line | decisions.get(line["id"], {}) for line in lines]
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows(filled)
    code, _, err = desk.run("annotate", "import", desk.home / testset, sheet, "--annotator", "ann")
    assert code == 0, err
    return {line["id"]: line for line in lines}


def opening_year(desk):
    """The row on the year in which Alder station opened, and that year."""
    rows = [json.loads(line) for line in desk.rows().values()]
    return next(row for row in rows if row["question"] == "When did Alder station open?"), "1900"


@pytest.fixture
def raised(desk):
    """A row that a person accepted before its answer changed in the document, raised by an update in place."""
    row, year = opening_year(desk)
    decide(desk, {row["id"]: {"decision": "accept"}})
    desk.edit("alder.md", year, "1888")
    code, out, _ = desk.update()
    assert code == 11
    return row, out


def settle(desk, row, decision):
    """Decide on the raised row and write the set; the rows by id, with the row that replaced the raised one."""
    shown = decide(desk, {row["id"]: decision}, "testset.jsonl", "--raised")
    assert set(shown) == {row["id"]}
    code, _, err = desk.run(
        "annotate", "accept", desk.home / "testset.jsonl", "--with-unreviewed", "-o", desk.home / "done.jsonl"
    )
    assert code == 0, err
    rows = [json.loads(line) for line in desk.rows("done.jsonl").values()]
    return shown[row["id"]], next((one for one in rows if one["metadata"].get("supersedes") == row["id"]), None)


def test_the_message_names_each_row_and_the_commands_that_settle_it(desk, raised):
    row, out = raised
    line = next(line for line in out.splitlines() if line.startswith("to review: "))
    assert row["id"] in line
    assert row["question"] in line
    assert "1888" in line
    assert "raised for review: a person must decide on them" in out
    assert "judged again" not in out
    command = shlex.split(next(line for line in out.splitlines() if "annotate accept" in line).partition("synth ")[2])
    assert desk.run(*command)[0] == 0
    assert row["id"] in desk.rows("testset.accepted.jsonl")
    assert f"synth annotate review {desk.home / 'testset.jsonl'} --raised --corpus {desk.docs}" in out


def test_an_accepted_row_takes_the_proposal_and_holds(desk, raised):
    row, _ = raised
    shown, new = settle(desk, row, {"decision": "accept"})
    assert "Proposed answer: Alder station opened in 1888." in shown["context"]
    assert "To review: " in shown["context"]
    assert new["golden_answers"] == ["Alder station opened in 1888."]
    assert any("1888" in piece["text"] for piece in new["evidence"])
    assert new["metadata"]["annotation"]["decision"] == "accept"
    assert "review" not in new["metadata"]
    assert row["id"] not in desk.rows("done.jsonl")
    assert desk.holds("done.jsonl")


def test_an_edited_row_takes_the_evidence_and_the_answer_that_was_written(desk, raised):
    row, _ = raised
    _, new = settle(desk, row, {"decision": "edit", "answers, as they should be": "in 1888"})
    assert new["golden_answers"] == ["in 1888"]
    assert "review" not in new["metadata"]
    assert desk.holds("done.jsonl")


def test_a_rejected_row_leaves_the_set(desk, raised):
    row, _ = raised
    _, new = settle(desk, row, {"decision": "reject", "reason": "wrong_answer"})
    assert new is None
    assert row["id"] not in desk.rows("done.jsonl")
    assert desk.holds("done.jsonl")


def test_the_decision_before_the_update_does_not_settle_what_the_update_raised(desk, raised):
    row, _ = raised
    assert desk.run("annotate", "accept", desk.home / "testset.jsonl", "--with-unreviewed", "-o", desk.home / "a.jsonl")[
        0
    ] == 0  # fmt: skip
    kept = json.loads(desk.rows("a.jsonl")[row["id"]])
    assert kept["golden_answers"] == row["golden_answers"]
    assert kept["metadata"]["review"]["proposal"]["golden_answers"] == ["Alder station opened in 1888."]


def test_show_prints_the_reason_and_the_proposal(desk, raised):
    row, _ = raised
    _, out, _ = desk.run("show", desk.home / "testset.jsonl", "--id", row["id"])
    assert "To review: " in out
    assert "Proposed answer: Alder station opened in 1888." in out


def test_a_row_whose_evidence_is_lost_stays_raised_until_it_is_rejected(desk):
    row, _ = opening_year(desk)
    decide(desk, {row["id"]: {"decision": "accept"}})
    (desk.docs / "alder.md").unlink()
    assert desk.update()[0] == 11
    shown = decide(desk, {row["id"]: {"decision": "accept"}}, "testset.jsonl", "--raised")
    assert "Reject the row" in shown[row["id"]]["context"]
    arguments = "annotate", "accept", desk.home / "testset.jsonl", "--with-unreviewed", "-o", desk.home / "done.jsonl"
    _, _, err = desk.run(*arguments)
    assert f"still marked for review: {row['id']}; " in err
    assert "review" in json.loads(desk.rows("done.jsonl")[row["id"]])["metadata"]
    decide(desk, {row["id"]: {"decision": "reject", "reason": "other"}}, "testset.jsonl", "--raised")
    assert desk.run(*arguments)[0] == 0
    assert row["id"] not in desk.rows("done.jsonl")
    assert desk.holds("done.jsonl")


def test_decisions_stand_in_the_rows_when_an_update_goes_to_another_file(desk):
    decide(desk, {id: {"decision": "accept"} for id in desk.rows()})
    home = desk.home
    assert desk.run("annotate", "accept", home / "testset.jsonl", "-o", home / "acc.jsonl")[0] == 0
    accepted = desk.rows("acc.jsonl")
    desk.edit("alder.md", "opened in 1900", "opened in 1888")
    assert desk.update(source="acc.jsonl", output="new.jsonl")[0] == 11
    code, _, err = desk.run("annotate", "accept", home / "new.jsonl", "-o", home / "acc.jsonl")
    assert code == 0, err
    raised = opening_year(desk)[0]["id"]
    assert set(desk.rows("acc.jsonl")) == set(accepted) - {raised}


def test_accept_writes_no_empty_set_and_warns_of_one_that_lost_most_rows(desk):
    arguments = "annotate", "accept", desk.home / "testset.jsonl", "-o", desk.home / "acc.jsonl"
    code, _, err = desk.run(*arguments)
    assert code == 2
    assert "--with-unreviewed" in err
    assert not (desk.home / "acc.jsonl").exists()
    row, _ = opening_year(desk)
    decide(desk, {row["id"]: {"decision": "accept"}})
    code, _, err = desk.run(*arguments)
    assert code == 0
    assert "19 rows left out, since nobody decided on them: " in err


def test_a_rejected_question_is_not_asked_again_and_the_named_number_is_reached(desk):
    row, _ = opening_year(desk)
    home = desk.home
    decide(desk, {id: {"decision": "accept"} for id in desk.rows() if id != row["id"]})
    decide(desk, {row["id"]: {"decision": "reject", "reason": "trivial"}})
    assert desk.run("annotate", "accept", home / "testset.jsonl", "-o", home / "acc.jsonl")[0] == 0
    assert len(desk.rows("acc.jsonl")) == 19
    for rows in (20, 22):
        code, _, err = desk.update("-n", rows, source="acc.jsonl", output="acc.jsonl")
        assert code == 10, err
        questions = [json.loads(line)["question"] for line in desk.rows("acc.jsonl").values()]
        assert len(questions) == rows
        assert row["question"] not in questions


def test_the_log_of_an_accepted_set_has_it_as_a_version(desk):
    row, _ = opening_year(desk)
    decide(desk, {row["id"]: {"decision": "reject", "reason": "trivial"}})
    arguments = "annotate", "accept", desk.home / "testset.jsonl", "--with-unreviewed", "-o", desk.home / "acc.jsonl"
    assert desk.run(*arguments)[0] == 0
    told = json.loads(desk.run("log", desk.home / "acc.jsonl", "--json")[1])
    assert told["edited_since"] is False
    last, first = told["versions"]
    assert (last["number"], last["parent"], last["rows"]) == (2, first["hash"], 19)
    assert last["counts"] == {"keep": 19, "retire": 1}
    assert [(change["id"], change["reason"]) for change in last["changes"]] == [(row["id"], "trivial")]


def rejected_ids(desk, name):
    return {json.loads(line).get("id") for line in (desk.home / name).read_text(encoding="utf-8").splitlines()}


def accepted_without(desk, row, decision):
    """Accept all rows but one, which gets another decision; the set is acc.jsonl."""
    decide(desk, {id: {"decision": "accept"} for id in desk.rows() if id != row["id"]})
    decide(desk, {row["id"]: decision})
    assert desk.run("annotate", "accept", desk.home / "testset.jsonl", "-o", desk.home / "acc.jsonl")[0] == 0


REJECT = {"decision": "reject", "reason": "trivial"}
EDIT = {"decision": "edit", "question, as it should be": "In which year was the station of Alder opened to people?"}


@pytest.mark.parametrize("decision", [REJECT, EDIT])
def test_what_people_rejected_or_edited_is_not_asked_again_in_the_old_wording(desk, decision):
    row, _ = opening_year(desk)
    accepted_without(desk, row, decision)
    desk.edit("oak.md", "opened in 1903", "first opened in 1803")
    desk.update(source="acc.jsonl", output="second.jsonl")  # another name, and no search
    assert row["id"] in rejected_ids(desk, "second.rejected.jsonl")
    desk.update("-n", 24, source="second.jsonl", output="third.jsonl")
    assert row["id"] in rejected_ids(desk, "third.rejected.jsonl")
    desk.update("-n", 26, source="third.jsonl", output="third.jsonl")
    assert row["id"] in rejected_ids(desk, "third.rejected.jsonl")
    questions = [json.loads(line)["question"] for line in desk.rows("third.jsonl").values()]
    assert row["question"] not in questions
    assert len(questions) > ROWS


def test_a_second_review_keeps_the_rejections_of_the_first(desk):
    row, _ = opening_year(desk)
    accepted_without(desk, row, REJECT)
    again = next(json.loads(line) for line in desk.rows("acc.jsonl").values())
    decide(desk, {again["id"]: REJECT}, "acc.jsonl")
    assert desk.run("annotate", "accept", desk.home / "acc.jsonl", "-o", desk.home / "more.jsonl")[0] == 0
    assert {row["id"], again["id"]} <= rejected_ids(desk, "more.rejected.jsonl")


def test_rejudge_brings_no_row_back_that_people_rejected(desk):
    row, _ = opening_year(desk)
    accepted_without(desk, row, REJECT)
    assert desk.update("-n", 20, source="acc.jsonl", output="acc.jsonl")[0] == 10
    home = desk.home
    desk.run(
        "rejudge", home / "acc.jsonl", "--corpus", desk.docs, "-o", home / "judged.jsonl", "-n", 60, "--workspace",
        desk.workspace, "--quiet",
    )  # fmt: skip
    assert row["id"] not in desk.rows("judged.jsonl")
    assert row["id"] in rejected_ids(desk, "judged.rejected.jsonl")


LIST = "# Elm rules\n\n## What do passengers on the Elm line bring?\n\n- a ticket\n- a warm jacket\n- their own food\n"
TABLE = "# Fares\n\n| Fare | Price |\n| --- | --- |\n| Day fare | 12 euros |\n| Year fare | 99 euros |\n"


@pytest.fixture
def of_lists(tmp_path, capsys):
    """A set of rows on a list and on a table that a person accepted, before both changed."""
    home = tmp_path / "lists"
    (home / "docs").mkdir(parents=True)
    (home / "docs" / "elm.md").write_text(LIST, encoding="utf-8")
    (home / "docs" / "fares.md").write_text(TABLE, encoding="utf-8")
    assert main(["generate", str(home / "docs"), "-o", str(home / "testset.jsonl"), "-n", "20",
                 "--workspace", str(home / "ws"), "--quiet"]) in (0, 5)  # fmt: skip
    desk = Desk(home, tmp_path, capsys)
    quote = LIST[LIST.index("- ") :].strip()
    answer = quote.replace("\n- ", "; ").removeprefix("- ")
    of_list = sample(corpus(**{"elm.md": LIST}), "What do passengers on the Elm line bring?", answer, quote)
    lines = {of_list.id: dumps(sample_to_row(of_list)), **desk.rows()}
    (desk.home / "testset.jsonl").write_text("\n".join(lines.values()) + "\n", encoding="utf-8")
    decide(desk, {id: {"decision": "accept"} for id in desk.rows()})
    desk.edit("elm.md", "- their own food", "- their own food\n- a book")
    desk.edit("fares.md", "12 euros", "14 euros before noon, 16 after")
    capsys.readouterr()
    assert desk.update("--retire-most")[0] == 11
    return desk


def reviews(desk):
    rows = [json.loads(line) for line in desk.rows().values()]
    return {row["question"]: row["metadata"]["review"] for row in rows if "review" in row["metadata"]}


def test_the_proposal_has_the_whole_list_and_the_value_of_the_changed_cell(of_lists):
    proposals = {question: review["proposal"] for question, review in reviews(of_lists).items()}
    answers = [answer for proposal in proposals.values() for answer in proposal["golden_answers"]]
    assert "a ticket; a warm jacket; their own food; a book" in answers
    assert "14 euros before noon, 16 after" in answers
    assert not any(review.get("lost") for review in reviews(of_lists).values())


def test_an_edit_of_any_raised_row_takes_the_evidence_of_the_new_document(of_lists):
    desk = of_lists
    raised = [row for row in map(json.loads, desk.rows().values()) if "review" in row["metadata"]]
    edit = {"decision": "edit", "answers, as they should be": "as the person wrote it"}
    shown = decide(desk, {row["id"]: edit for row in raised}, "testset.jsonl", "--raised")
    assert set(shown) == {row["id"] for row in raised}
    arguments = "annotate", "accept", desk.home / "testset.jsonl", "--with-unreviewed", "-o", desk.home / "done.jsonl"
    assert desk.run(*arguments)[0] == 0
    texts = {path.name: path.read_text(encoding="utf-8") for path in desk.docs.iterdir()}
    for row in map(json.loads, desk.rows("done.jsonl").values()):
        assert "review" not in row["metadata"]
        for piece in row["evidence"]:
            assert texts[piece["doc_id"]][piece["start"] : piece["end"]] == piece["text"]


EDITED = {"decision": "edit", "question, as it should be": "When did this station open?"}


def test_people_word_a_row_as_they_like_and_accept_measures_it_again(desk):
    row, _ = opening_year(desk)
    decide(desk, {row["id"]: EDITED})
    accept = ["annotate", "accept", desk.home / "testset.jsonl", "--with-unreviewed"]
    code, out, _ = desk.run(*accept, "-o", desk.home / "bare.jsonl")
    assert (code, "1 edited row not compared with the documents" in out) == (0, True)
    code, out, _ = desk.run(
        *accept, "-o", desk.home / "done.jsonl", "--corpus", desk.docs, "--workspace", desk.workspace
    )
    assert code == 0
    assert "kept; a rule objects to its wording" in out
    assert "verify will refuse" not in out
    edited = next(
        one
        for one in map(json.loads, desk.rows("done.jsonl").values())
        if one["question"] == "When did this station open?"
    )
    assert edited["id"] in out
    assert edited["metadata"]["difficulty"] in ("easy", "medium", "hard")
    assert edited["metadata"]["signals"]
    assert desk.holds("done.jsonl")
    assert desk.holds("bare.jsonl")


def test_a_measure_that_no_longer_applies_does_not_stay(desk):
    row, _ = opening_year(desk)
    row["metadata"]["pages"] = [9]
    lines = {**desk.rows(), row["id"]: dumps(row)}
    (desk.home / "testset.jsonl").write_text("".join(f"{line}\n" for line in lines.values()), encoding="utf-8")
    decide(desk, {row["id"]: {"decision": "edit", "answers, as they should be": "1900"}})
    for options, kept in ((), True), (("--corpus", desk.docs, "--workspace", desk.workspace), False):
        output = desk.home / f"{kept}.jsonl"
        assert desk.run("annotate", "accept", desk.home / "testset.jsonl", "-o", output, *options)[0] == 0
        (edited,) = map(json.loads, desk.rows(output.name).values())
        assert edited["metadata"]["difficulty"]
        assert ("pages" in edited["metadata"]) == kept


def test_accept_names_the_row_whose_evidence_does_not_prove_the_answer(desk):
    row, _ = opening_year(desk)
    decide(desk, {row["id"]: {"decision": "edit", "answers, as they should be": "in 1777"}})
    code, out, _ = desk.run(
        "annotate", "accept", desk.home / "testset.jsonl", "--with-unreviewed", "-o", desk.home / "done.jsonl",
        "--corpus", desk.docs, "--workspace", desk.workspace,
    )  # fmt: skip
    assert code == 0
    edited = next(
        one for one in map(json.loads, desk.rows("done.jsonl").values()) if one["golden_answers"] == ["in 1777"]
    )
    refused = out[out.index("verify will refuse") :].splitlines()[2]
    assert refused.startswith(f"{edited['id']}  grounded: ")
    assert not desk.holds("done.jsonl")


def test_accept_names_the_rows_that_it_leaves_out_and_the_decisions_that_it_does_not_use(desk, raised):
    row, _ = raised
    other = next(id for id in desk.rows() if id != row["id"])
    decide(desk, {other: {"decision": "accept"}})
    with pytest.warns(UserWarning, match="decisions not used") as heard:
        done = synth.accept(desk.home / "testset.jsonl", desk.home / "done.jsonl")
    assert done.outdated == (row["id"],)
    assert row["id"] in done.left_out
    assert other not in done.left_out
    text = " ".join(str(one.message) for one in heard)
    assert f"decisions not used, since the row changed after them: {row['id']}" in text
    assert "left out, since nobody decided on them" in repr(done)
    for options in (), ("--json",):
        _, out, err = desk.run(
            "annotate", "accept", desk.home / "testset.jsonl", "-o", desk.home / "done.jsonl", *options
        )
        assert err.splitlines() == [f"synth: {line}" for line in done.unsettled]
        assert not any(line in out for line in done.unsettled)
