"""`synth annotate` as it is typed."""

import json
import re
import tomllib
from dataclasses import replace
from importlib.resources import files

import pytest

from synth.annotation.context import CHANGED, MISSING, NO_CORPUS
from synth.annotation.decisions import Decisions, store_path
from synth.annotation.messages import language_named, wording
from synth.cli.main import main
from synth.core.errors import ConfigError
from synth.core.jsonl import read_samples, sample_to_row, write_rows
from synth.core.records import Verdict
from synth.corpus.documents.sheet_lines import sheet_lines
from synth.text.language import LANGUAGES
from synth.workflows.annotating import accept
from tests.annotation.rows import corpus_and_rows, said

ROWS = corpus_and_rows(60, 12)[1]


@pytest.fixture
def testset(tmp_path):
    """A set of 50 rows with ten candidates that filters refused beside it."""
    path = tmp_path / "testset.jsonl"
    write_rows(path, map(sample_to_row, ROWS[:50]))
    refused = [
        {**sample_to_row(row), "rejected": {"stage": "specific", "reason": "rivals", "score": 12.0 + n}}
        for n, row in enumerate(ROWS[50:])
    ]
    write_rows(tmp_path / "rejected.jsonl", [*refused, {"rejected": {"stage": "written", "reason": "no"}}])
    return path


@pytest.fixture
def decide(testset):
    def keep(*annotations):
        with Decisions(store_path(testset)) as decisions:
            for one in annotations:
                decisions.add(one, "review")

    return keep


def run(capsys, *arguments):
    code = main(["annotate", *map(str, arguments)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_from_export_to_the_accepted_set(testset, tmp_path, capsys):
    sheet = tmp_path / "sheet.csv"
    code, out, _ = run(capsys, "export", testset, "-o", sheet, "--share", ".2", "--refused", "3", "--words", "zh-TW")
    assert (code, sheet.exists(), "13" in out) == (0, True, True)
    assert (tmp_path / "sheet.guideline.md").read_text(encoding="utf-8").startswith("# 問題審閱指南\n")
    text = sheet.read_text(encoding="utf-8-sig")
    assert text.startswith("類型,文件,上下文,問題,答案,決定")
    code, out, _ = run(capsys, "import", testset, sheet, "--json")
    assert (code, json.loads(out)["undecided"]) == (0, 13)
    assert "13 rows left blank in this sheet" in run(capsys, "import", testset, sheet)[1]
    code, out, _ = run(capsys, "import", testset, tmp_path / "none.csv")
    assert code == 1
    assert "cannot read" in out


def test_accept_writes_the_set_what_was_left_out_and_the_manifest(testset, decide, tmp_path, capsys):
    decide(said(ROWS[0]), said(ROWS[1], decision="edit", question="哪一年？"))
    decide(
        said(ROWS[2], decision="reject", reason="ambiguous", comment="谁会问"),
        said(ROWS[50], decision="reject", reason="other"),
    )
    output = tmp_path / "accepted.jsonl"
    code, out, _ = run(capsys, "accept", testset, "-o", output)
    assert code == 0
    (line,) = (line for line in out.splitlines() if line.startswith("specific"))
    assert line.split()[1] == "0.667"
    assert "missed no fault in the decided rows: grounded\n" in out
    assert "worth_asking" not in out, "no row has a verdict of it"
    assert "judge" not in out
    assert "people would keep 0 of the 1 refused candidates that they saw" in out
    assert [row.question for row in read_samples(output).samples] == [ROWS[0].question, "哪一年？"]
    left = [json.loads(line)["rejected"] for line in (tmp_path / "accepted.rejected.jsonl").read_text().splitlines()]
    assert len(left) == 49
    assert [one["reason"] for one in left].count("edit") == 1
    assert left[0]["decisions"] == [
        {"annotator": "ann", "decision": "reject", "reason": "ambiguous", "comment": "谁会问"}
    ]
    manifest = json.loads((tmp_path / "accepted.manifest.json").read_text(encoding="utf-8"))
    assert manifest["annotation"]["counts"] == {"accept": 1, "edit": 1, "reject": 1, "undecided": 0, "unreviewed": 47}
    code, out, _ = run(capsys, "accept", testset, "-o", output, "--with-unreviewed", "--json")
    assert json.loads(out)["rows"] == 49


def test_accept_says_how_many_rows_the_judge_passed_and_people_rejected(testset, decide, capsys):
    judged = [replace(row, verdicts=(Verdict(filter="judged", kept=True, reason=""),)) for row in ROWS[:5]]
    write_rows(testset, map(sample_to_row, [*judged, ROWS[5]]))
    decide(*(said(row) for row in judged[2:]), said(ROWS[5]))
    decide(*(said(row, decision="reject", reason="trivial") for row in judged[:2]))
    said_there = run(capsys, "accept", testset)[1]
    assert "the judge passed 5 of the 6 decided rows; people rejected 2 of these 5\n" in said_there


def test_accept_names_the_rows_that_left_and_those_that_people_disagree_on(testset, decide, tmp_path, capsys):
    decide(*(said(row, decision="reject", reason="trivial") for row in ROWS[1:14]), said(ROWS[0]))
    decide(said(ROWS[0], "bo"), said(ROWS[14]), said(ROWS[14], "bo", "reject", reason="other"))
    output = tmp_path / "accepted.jsonl"
    code, out, err = run(capsys, "accept", testset, "-o", output)
    assert code == 0
    lines = [line.split() for line in out.splitlines()]
    assert [ROWS[1].id, "trivial"] in lines
    assert sum(line[1:] == ["trivial"] and line[0].startswith("q-") for line in lines if line) == 10
    assert "and 4 more\n" in out
    assert f"synth diff {testset} {output}\n" in out
    assert f"1 row left out, since people disagree on them: {ROWS[14].id}" in err
    result = accept(testset, tmp_path / "again.jsonl")
    assert result.removed == {**dict.fromkeys([row.id for row in ROWS[1:14]], "trivial"), ROWS[14].id: "undecided"}
    assert any(ROWS[14].id in line for line in result.warnings)


def test_a_second_review_shows_only_rows_without_a_decision(testset, decide, tmp_path, capsys):
    decide(*(said(row) for row in ROWS[:20]))
    assert run(capsys, "accept", testset, "-o", tmp_path / "larger.jsonl", "--with-unreviewed")[0] == 0
    larger, sheet = tmp_path / "larger.jsonl", tmp_path / "s.csv"
    code, out, _ = run(capsys, "export", larger, "-o", sheet, "--unreviewed")
    assert code == 0
    assert "unreviewed: 30 of 50 rows of the set\n" in out
    rows = sheet.read_text(encoding="utf-8-sig")
    assert [row.id for row in ROWS[:50] if row.id in rows] == [row.id for row in ROWS[20:50]]
    out = run(capsys, "accept", larger)[1]
    assert "this review has no decisions; those counted are from an earlier review\n" in out
    assert "unreviewed: 30 of 50 rows of the set\n" in out
    assert f"synth annotate review {larger} --corpus SOURCE --unreviewed\n" in out
    with Decisions(store_path(larger)) as decisions:
        for row in ROWS[20:50]:
            decisions.add(said(row), "review")
    code, _, err = run(capsys, "export", larger, "-o", sheet, "--unreviewed")
    assert (code, "every row of" in err) == (2, True)


def test_fewer_refused_candidates_than_asked_for_are_exported_and_the_reason_is_told(testset, tmp_path, capsys):
    sheet = tmp_path / "s.csv"
    code, out, err = run(capsys, "export", testset, "-o", sheet, "--refused", "99")
    assert (code, "60" in out) == (0, True)
    assert "only 10 of 99 refused candidates can be shown" in err
    assert "other lines by stage: written 1" in err


def test_thresholds_are_shown_and_then_written(testset, decide, tmp_path, capsys):
    decide(*(said(row) for row in ROWS))
    code, out, _ = run(capsys, "accept", testset, "--recalibrate")
    assert code == 0
    (line,) = (line for line in out.splitlines() if "max_rivals" in line)
    assert line.split() == "specific max_rivals 10 to 20 10 : 0 1.000 1.000 60 clear".split()
    written = tmp_path / "people.toml"
    assert run(capsys, "accept", testset, "--apply", written)[0] == 0
    assert tomllib.loads(written.read_text())["filters"]["specific"] == {"max_rivals": 20}
    code, _, err = run(capsys, "accept", testset, "--apply", written)
    assert (code, "already exists and is never overwritten" in err) == (2, True)


def test_no_file_of_thresholds_is_written_where_no_proposal_is_clear(testset, decide, tmp_path, capsys):
    decide(*(said(row) for row in ROWS[:3]))
    written = tmp_path / "people.toml"
    code, out, _ = run(capsys, "accept", testset, "--apply", written)
    assert (code, written.exists()) == (0, False)
    assert "no proposed threshold is clearly better, so nothing is written\n" in out


def test_agreement_is_told_and_rows_that_differ_are_named(testset, decide, capsys):
    assert "there are no decisions yet" in run(capsys, "agreement", testset)[1]
    assert "nobody has decided on a row yet" in run(capsys, "accept", testset)[1]
    decide(*(said(row, who) for row in ROWS[:20] for who in ("ann", "bo", "李")))
    decide(said(ROWS[3], "bo", "reject", reason="gives_away"))
    assert "0 rows to settle" in run(capsys, "agreement", testset)[1]
    decide(said(ROWS[3], "李", "edit", question="哪一年？"))
    code, out, _ = run(capsys, "agreement", testset)
    assert code == 0
    assert "Fleiss' kappa" in out
    assert "bo, 李" in out
    assert f"{ROWS[3].id}   ann accept; bo reject (gives_away); 李 edit ('哪一年？')" in out
    assert f"1 row to settle\nsettle them with: synth annotate review {testset} --corpus SOURCE --disputed\n" in out
    told = json.loads(run(capsys, "agreement", testset, "--json")[1])
    assert {d["name"] for d in told["dimensions"]} == {"decision", "kept"}


def test_disputed_rows_are_exported_and_settled(testset, decide, tmp_path, capsys):
    sheet = tmp_path / "s.csv"
    code, _, err = run(capsys, "export", testset, "-o", sheet, "--disputed")
    assert (code, "nothing to settle" in err) == (2, True)
    decide(said(ROWS[3], "ann"), said(ROWS[3], "bo", "reject", reason="other"))
    assert run(capsys, "export", testset, "-o", sheet, "--disputed", "--words", "en")[0] == 0
    text = sheet.read_text(encoding="utf-8-sig")
    assert ROWS[3].id in text
    sheet.write_text(
        text.replace(f",{ROWS[3].golden_answers[0]},,", f",{ROWS[3].golden_answers[0]},accept,", 1), encoding="utf-8"
    )
    assert run(capsys, "import", testset, sheet, "--settled", "--annotator", "cy")[0] == 0
    counts = json.loads(run(capsys, "accept", testset, "--json")[1])["counts"]
    assert (counts["accept"], counts["undecided"]) == (1, 0)
    assert "1 row settled by cy\n0 rows to settle" in run(capsys, "agreement", testset)[1]
    for verb in (["export", testset, "-o", sheet, "--disputed"], ["review", testset, "--disputed"]):
        code, _, err = run(capsys, *verb)
        assert (code, "nothing to settle" in err) == (2, True)


def test_import_says_that_a_new_wording_is_an_edit(testset, tmp_path, capsys):
    sheet = tmp_path / "s.csv"
    assert run(capsys, "export", testset, "-o", sheet, "--words", "en")[0] == 0
    text, old = sheet.read_text(encoding="utf-8-sig"), ROWS[0].question
    assert text.count(old) == 2, "the question, and the question as it should be"
    sheet.write_text(old.join(text.split(old)[:2]) + "In which year?" + text.split(old)[2], encoding="utf-8")
    code, out, _ = run(capsys, "import", testset, sheet)
    assert (code, "(1 edit)" in out, "beside a blank decision or 'accept': 1\n" in out) == (0, True, True)


@pytest.mark.parametrize("name", ["s.csv", "s.xlsx", "s.label-studio.json", "s.doccano.jsonl", "s.argilla"])
def test_a_sheet_of_disputed_rows_shows_the_decisions_of_the_others(testset, decide, tmp_path, capsys, name):
    edit = said(ROWS[3], "ann", "edit", question="Lit in which year?", comment="shorter")
    decide(edit, said(ROWS[3], "bo", "reject", reason="trivial"), said(ROWS[4], "ann"))
    for option in ("--disputed", "--per-item=1"):
        assert run(capsys, "export", testset, "-o", tmp_path / name, option, "--words", "en")[0] == 0
        path = tmp_path / name / "records.json" if name.endswith("argilla") else tmp_path / name
        if name.endswith("xlsx"):
            text = "\n".join(str(cell) for _, line in sheet_lines(path) for cell in line)
        else:
            text = path.read_text(encoding="utf-8-sig").replace("\\u00b7", "·")
        shown = "ann: edit · Lit in which year? · " in text and "bo: reject · nobody would ask it" in text
        assert shown is (option == "--disputed"), text[:2000]
    assert run(capsys, "import", testset, tmp_path / name, "--json")[0] == 0


def test_rows_chosen_by_doubt_are_not_taken_for_the_set(testset, decide, tmp_path, capsys):
    run(capsys, "export", testset, "-o", tmp_path / "s.csv", "-n", "5", "--order", "doubtful")
    decide(said(ROWS[0]))
    assert "doubtful rows were chosen for review" in run(capsys, "accept", testset)[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["accept", "SET", "-o", "SET"], "would be overwritten"),
        (["export", "SET", "-o", "x.pdf"], "argilla, csv, doccano, label-studio, xlsx"),
        (["export", "SET", "-o", "x.csv", "--format", "word"], "unknown format 'word'"),
        (["export", "SET", "-o", "x.csv", "--raised", "--disputed"], "disputed and raised cannot be combined"),
        (["export", "SET", "-o", "x.csv", "--share", "2"], "at most 1, was 2.0"),
        (["export", "SET", "-o", "x.csv", "--words", "fr"], "must be one of en, zh-Hans, zh-Hant"),
        (
            ["export", "SET", "-o", "x.csv", "--per-item", "3", "--annotators", "a,b"],
            "each row needs 3 people",
        ),
        (["agreement", "none.jsonl"], "cannot read none.jsonl"),
        (["review", "SET", "--host", "203.0.113.1"], "--port"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(arguments, says, testset, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, *(testset if word == "SET" else word for word in arguments))
    assert code == 2
    assert says in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guideline_has_the_types_and_examples_of_the_set(language, testset, capsys):
    code, out, _ = run(capsys, "guideline", testset, "--words", language)
    words = wording(language)
    assert code == 0
    for text in (words["type"]["conditional"], words["reason"]["trivial"], words["dimension_says"]["clarity"]):
        assert text in out
    assert words["type"]["multi_context"] not in out
    assert any(row.question in out for row in ROWS)


def test_every_word_of_the_pages_is_said_somewhere_in_them():
    scripts = [
        path.read_text(encoding="utf-8")
        for path in files("synth.annotation.server").iterdir()
        if path.name.endswith(".js")
    ]
    pages = "\n".join(scripts)
    listed = {f"key_{name}" for name in re.findall(r'\["[^"]+", "(\w+)"\]', pages)}
    faults = {NO_CORPUS, CHANGED, MISSING}
    for name in wording("en")["page"]:
        assert f'say("{name}"' in pages or name in listed | faults, name


def test_the_words_of_all_languages_are_the_same_words():
    def names(value, path=""):
        if isinstance(value, dict):
            return {name for key, inner in value.items() for name in names(inner, f"{path}.{key}")}
        return {(path, value.count("{"))}

    english, hans, hant = (names(dict(wording(language))) for language in LANGUAGES)
    assert english == hans == hant
    assert language_named("zh_TW") == "zh-Hant"
    with pytest.raises(ConfigError):
        language_named("")
