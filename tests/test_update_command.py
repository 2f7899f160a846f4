"""update, log and diff as a person meets them: a set over years, edited documents, exit codes, files."""

import csv
import json
import re
import shutil
from itertools import combinations
from pathlib import Path

import pytest

from synth.cli.main import main
from tests.chat import behave, stations
from tests.test_chat_run import agreeing, judges, refusing
from tests.update_desk import NAMES, ROWS, Desk, apart, documents_of, make_home, named_by


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return make_home(tmp_path_factory.mktemp("made"))


@pytest.fixture
def desk(made, tmp_path, capsys):
    return Desk(made, tmp_path / "desk", capsys) if (tmp_path / "desk").mkdir() is None else None


def test_nothing_to_do_is_said_and_costs_no_byte(desk):
    before = {path.name: path.read_bytes() for path in desk.home.iterdir() if path.is_file()}
    code, out, _ = desk.update()
    assert (code, out) == (0, f"nothing to do: {ROWS} rows kept, the corpus is unchanged\n")
    assert {path.name: path.read_bytes() for path in desk.home.iterdir() if path.is_file()} == before
    assert desk.update(output="new.jsonl")[0] == 0
    assert (desk.home / "new.jsonl").read_bytes() == before["testset.jsonl"]
    assert (desk.home / "new.manifest.json").read_bytes() == before["manifest.json"]


def test_a_change_is_followed_told_logged_and_shown_side_by_side(desk):
    shutil.copy(desk.home / "testset.jsonl", desk.home / "old.jsonl")
    old = desk.rows()
    english = next(json.loads(line) for line in old.values() if "metres" in line)
    chinese = next(json.loads(line) for line in old.values() if json.loads(line)["metadata"]["language"] != "en")
    for row in (english, chinese):
        piece = row["evidence"][-1]
        number = "".join(char for char in row["golden_answers"][0] if char.isdigit())
        desk.edit(piece["doc_id"], piece["text"], piece["text"].replace(number, "777"))
    gone = next(
        row for row in map(json.loads, old.values())
        if row["evidence"][0]["doc_id"] not in {english["evidence"][0]["doc_id"], chinese["evidence"][0]["doc_id"]}
    )  # fmt: skip
    (desk.docs / gone["evidence"][0]["doc_id"]).unlink()
    code, out, _ = desk.update("--summary", desk.home / "summary.md")
    assert code == 10
    assert "revised: their evidence changed" in out
    new = desk.rows()
    assert len(new) == ROWS
    assert desk.holds()
    revised = {json.loads(line)["metadata"].get("supersedes"): json.loads(line) for line in new.values()}
    for row in (english, chinese):
        assert "777" in revised[row["id"]]["golden_answers"][0]
        assert revised[row["id"]]["question"] == row["question"]
    touched = {row["evidence"][0]["doc_id"] for row in (english, chinese, gone)}
    untouched = [id for id, line in old.items() if not documents_of(line) & touched]
    assert len(untouched) >= ROWS // 2
    assert [apart(new[id]) for id in untouched] == [apart(old[id]) for id in untouched]
    retired = [json.loads(line) for line in (desk.home / "retired.jsonl").read_text(encoding="utf-8").splitlines()]
    assert gone["id"] in {row["id"] for row in retired}
    assert all(row["retired"]["reason"] and row["retired"]["version"] == 2 for row in retired)
    summary = (desk.home / "summary.md").read_text(encoding="utf-8")
    assert "**" in summary
    assert "1 changed" not in summary
    assert "2 changed, 1 removed" in summary
    assert "<summary>Retired (" in summary

    code, out, _ = desk.run("log", desk.home / "testset.jsonl", "--json")
    latest, first = json.loads(out)["versions"]
    assert (code, latest["number"], first["number"]) == (0, 2, 1)
    assert latest["parent"] == first["hash"] == json.loads((desk.home / "manifest.json").read_text())["set"]["parent"]
    assert latest["counts"]["revise"] == 2
    assert latest["documents"]["removed"] == [gone["evidence"][0]["doc_id"]]
    assert "2 changed, 1 removed" in desk.run("log", desk.home / "testset.jsonl")[1]

    code, out, _ = desk.run("diff", desk.home / "old.jsonl", desk.home / "testset.jsonl", "--json")
    told = json.loads(out)
    assert code == 0
    assert told["counts"]["revised"] >= 2
    stayed = told["counts"]["kept"] + told["counts"]["relocated"] + told["counts"]["changed"]
    assert stayed == ROWS - told["counts"]["revised"] - told["counts"]["retired"]
    by_kind = {change["class"]: change for change in told["changes"]}
    assert by_kind["revised"]["old"]["question"] == by_kind["revised"]["new"]["question"]
    assert all(change["reason"] for change in told["changes"] if change["class"] in ("revised", "retired"))
    out = desk.run("diff", desk.home / "old.jsonl", desk.home / "testset.jsonl")[1]
    assert english["id"] in out
    assert "777" in out
    assert desk.update()[0] == 0


def test_ratings_of_a_revised_row_are_marked_as_those_of_the_earlier_answer(desk):
    path, ratings = desk.home / "testset.jsonl", {"worth": 4, "natural": 5, "matters": 4}
    rows = [json.loads(line) for line in desk.rows().values()]
    for row in rows:
        row["metadata"] |= {"ratings": ratings}
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    piece = next(row for row in rows if "metres" in row["golden_answers"][0])["evidence"][-1]
    desk.edit(piece["doc_id"], piece["text"], re.sub(r"\d+", "777", piece["text"]))
    assert desk.update()[0] == 10
    new = [json.loads(line) for line in desk.rows().values()]
    marked = [row for row in new if "earlier_ratings" in row["metadata"]]
    assert ["777" in row["golden_answers"][0] for row in marked] == [True]
    assert "ratings" not in marked[0]["metadata"]


def test_a_row_of_which_only_a_hard_negative_was_cut_anew_differs_in_nothing_else(desk):
    old = desk.rows()
    named = [named_by(line) - documents_of(line) for line in old.values()]
    edited = max(sorted(set().union(*named)), key=lambda name: sum(name in names for names in named))
    text = (desk.docs / edited).read_text(encoding="utf-8")
    (desk.docs / edited).write_text(f"# Before\n\nNothing to see. 没什么。\n\n{text}", encoding="utf-8")
    told = {change["id"]: change["class"] for change in json.loads(desk.update("--json")[1])["changes"]}
    new = desk.rows()
    assert desk.holds()
    assert "relocate" in told.values()
    for id, line in old.items():
        if edited not in named_by(line):
            assert (told.get(id, "keep"), new[id]) == ("keep", line)
        elif edited not in documents_of(line):
            assert (told[id], apart(new[id])) == ("relocate", apart(line))
            before, after = (json.loads(one)["metadata"].get("hard_negatives", []) for one in (line, new[id]))
            stayed = [place for place in before if place["doc_id"] != edited]
            assert after[: len(stayed)] == stayed
            if stayed != before:
                assert edited in {place["doc_id"] for place in after[len(stayed) :]}


def test_what_came_back_from_people_survives_the_next_change(desk):
    sheet = desk.home / "sheet.csv"
    assert (
        desk.run("annotate", "export", desk.home / "testset.jsonl", "-o", sheet, "--share", "1", "--words", "en")[0]
        == 0
    )
    with sheet.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    edited = {
        row["question"]: f"{row['question'][:-1]} ({n}){row['question'][-1]}"
        for n, row in enumerate(rows)
        if n % 3 == 0
    }
    for row in rows:
        row["decision"] = "edit" if row["question"] in edited else "accept"
        row["question, as it should be"] = edited.get(row["question"], row["question"])
    with sheet.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, fieldnames=list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    done = desk.run("annotate", "import", desk.home / "testset.jsonl", sheet, "--annotator", "ann")
    assert done[0] == 0, done
    assert desk.run("annotate", "accept", desk.home / "testset.jsonl", "-o", desk.home / "accepted.jsonl")[0] == 0
    before = {json.loads(line)["question"]: line for line in desk.rows("accepted.jsonl").values()}
    assert set(edited.values()) < set(before)
    assert len(before) == ROWS
    for path in sorted(desk.docs.glob("*.md"))[::2]:
        path.write_text(
            f"# New\n\nA paragraph that was not there.\n\n{path.read_text(encoding='utf-8')}", encoding="utf-8"
        )
    assert desk.update(source="accepted.jsonl", output="accepted.jsonl")[0] in (10, 11)
    after = {json.loads(line)["question"]: json.loads(line) for line in desk.rows("accepted.jsonl").values()}
    assert set(before) <= set(after)
    for question, line in before.items():
        assert after[question]["golden_answers"] == json.loads(line)["golden_answers"]
        assert after[question]["metadata"]["annotation"] == json.loads(line)["metadata"]["annotation"]
    assert desk.holds("accepted.jsonl")


def test_what_people_decided_is_flagged_and_never_rewritten_or_dropped(desk):
    rows = [json.loads(line) for line in desk.rows().values()]
    changed, deleted = rows[0], next(r for r in rows if r["evidence"][0]["doc_id"] != rows[0]["evidence"][0]["doc_id"])
    changed["metadata"]["annotation"] = {"decision": "accept", "annotator": "one", "unknown": ["key"]}
    deleted["metadata"] |= {"source": "human", "my_key": {"deep": True}}
    text = "".join(json.dumps(row, ensure_ascii=False, separators=(", ", ": ")) + "\n" for row in rows)
    (desk.home / "testset.jsonl").write_text(text + '{"id": "q-1", "question": "By hand?"}\n', encoding="utf-8")
    piece = changed["evidence"][-1]
    number = next(word.strip(".") for word in [*piece["text"].split(), "1"] if any(c.isdigit() for c in word))
    digits = "".join(c for c in number if c.isdigit())
    desk.edit(piece["doc_id"], piece["text"], piece["text"].replace(digits, "777"))
    (desk.docs / deleted["evidence"][0]["doc_id"]).unlink()
    code, out, _ = desk.update("--json")
    told = json.loads(out)
    assert code == 11
    new = [json.loads(line) for line in (desk.home / "testset.jsonl").read_text(encoding="utf-8").splitlines()]
    by_id = {row["id"]: row for row in new}
    for row in (changed, deleted):
        review = by_id[row["id"]]["metadata"].pop("review")
        assert review["reason"]
        assert by_id[row["id"]] == row
    assert {changed["id"], deleted["id"], ""} <= {one["id"] for one in told["review"]} | {""}
    assert by_id["q-1"] == {"id": "q-1", "question": "By hand?"}
    assert any(one["line"] == ROWS + 1 for one in told["review"])
    assert desk.update("--regenerate", "--seed", "9")[0] == 11
    again = {json.loads(line)["id"] for line in (desk.home / "testset.jsonl").read_text(encoding="utf-8").splitlines()}
    assert {changed["id"], deleted["id"], "q-1"} <= again


def test_a_heading_that_asks_contradicts_nothing(desk):
    for name in NAMES:
        text = f"# News\n\n## When was the {name} school founded?\n\nNobody knows.\n"
        (desk.docs / f"{name}-asks.md").write_text(text, encoding="utf-8")
    _, out, _ = desk.update("--json")
    assert [row["reason"] for row in json.loads(out)["review"] if "says" in row["reason"]] == []


def test_a_second_positive_and_a_contradiction_in_new_documents(desk):
    rows = [json.loads(line) for line in desk.rows().values()]
    same = next(
        row
        for row in rows
        if row["metadata"]["language"] == "en" and any(c.isdigit() for c in str(row["golden_answers"]))
    )
    other = next(
        row
        for row in rows
        if row["metadata"]["language"] != "en" and any(c.isdigit() for c in str(row["golden_answers"]))
    )
    digits = "".join(char for char in other["golden_answers"][0] if char.isdigit())
    heading, sentence = (piece["text"] for piece in same["evidence"])
    (desk.docs / "also.md").write_text(f"# News\n\n{heading}\n\nMany ask. {sentence}\n", encoding="utf-8")
    (desk.docs / "contra.md").write_text(
        f"# 新\n\n## {other['question']}\n\n{other['evidence'][-1]['text'].replace(digits, '999')}\n", encoding="utf-8"
    )
    code, out, _ = desk.update("--json")
    assert code == 11
    told = json.loads(out)
    assert {one["id"] for one in told["review"]} == {other["id"]}
    assert "'contra.md' says" in told["review"][0]["reason"]
    assert "999" in told["review"][0]["reason"]
    new = {id: json.loads(line) for id, line in desk.rows().items()}
    assert "also.md" in {one["doc_id"] for one in new[same["id"]]["metadata"]["alternatives"]}
    assert new[other["id"]]["metadata"]["review"] == {"reason": told["review"][0]["reason"]}
    assert set(new) == {row["id"] for row in rows}
    assert desk.holds()
    assert desk.update()[0] == 0


def test_a_dry_run_says_what_would_be_and_writes_nothing(desk):
    (desk.docs / "oak.md").unlink()
    before = {path.name: path.read_bytes() for path in desk.home.iterdir() if path.is_file()}
    code, out, _ = desk.run(
        "update", desk.home / "testset.jsonl", "--corpus", desk.docs, "--dry-run", "--workspace", desk.workspace,
        "--quiet",
    )  # fmt: skip
    assert code == 10
    assert "the update would need no calls to a chat model" in out
    assert "retire" in out
    assert {path.name: path.read_bytes() for path in desk.home.iterdir() if path.is_file()} == before


def test_more_rows_are_added_and_fewer_drop_none(desk):
    old = desk.rows()
    code, _, _ = desk.update("-n", ROWS + 4)
    assert code == 10
    new = desk.rows()
    assert list(new)[:ROWS] == list(old)
    assert len(new) == ROWS + 4
    assert all(new[id] == old[id] for id in old)
    assert desk.holds()
    assert desk.update("-n", 3)[0] == 0
    assert desk.rows() == new


def test_another_chunk_size_keeps_every_question_and_moves_its_evidence(desk):
    old = {id: json.loads(line) for id, line in desk.rows().items()}
    assert desk.update("--chunk-size", "12")[0] == 10
    new = {id: json.loads(line) for id, line in desk.rows().items()}
    assert list(new) == list(old)
    assert [row["question"] for row in new.values()] == [row["question"] for row in old.values()]
    moved = [id for id in old if new[id]["evidence"][0]["chunk_id"] != old[id]["evidence"][0]["chunk_id"]]
    assert len(moved) > ROWS // 2
    assert desk.manifest()["settings"]["chunks"]["size"] == 12


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda docs: [path.unlink() for path in docs.iterdir()], "contains no file that can be loaded"),
        (
            lambda docs: [path.write_text("Else.\n\n别的。") for path in docs.iterdir()] and _renamed(docs),
            "name the folder",
        ),
        (lambda docs: (docs / "oak.md").write_bytes(b"\x00\x01" * 600), "repair the file"),
    ],
)
def test_a_corpus_that_cannot_be_the_sets_is_refused_not_obeyed(desk, make, said):
    before = desk.rows()
    make(desk.docs)
    code, _, err = desk.update()
    assert code == 2
    assert len(err.strip().splitlines()) == 1
    assert said in err
    assert desk.rows() == before


def test_a_corpus_that_retires_half_of_the_rows_is_obeyed_only_when_told(desk):
    before, cited = desk.rows(), [documents_of(line) for line in desk.rows().values()]
    names = sorted(set().union(*cited))
    groups = (some for k in range(len(names)) for some in combinations(names, k))
    gone = next(some for some in groups if sum(bool(one & {*some}) for one in cited) == ROWS / 2)
    for name in gone:
        (desk.docs / name).unlink()
    code, _, err = desk.update()
    assert (code, "rows would be retired" in err, "--retire-most" in err) == (2, True, True)
    assert desk.rows() == before
    assert desk.update("--retire-most")[0] in (5, 10)
    assert desk.holds()


def _renamed(docs):
    for path in docs.iterdir():
        path.rename(path.with_name(f"x{path.name}"))


def test_bad_input_is_one_clear_line(desk, tmp_path):
    (tmp_path / "empty.jsonl").write_text("nothing\n", encoding="utf-8")
    for source, said in (("nowhere.jsonl", "cannot read"), ("../empty.jsonl", "contains no row to update")):
        code, _, err = desk.update(source=source)
        assert code == 2
        assert said in err
        assert len(err.strip().splitlines()) == 1
    code, _, err = desk.run("update", desk.home / "testset.jsonl", "--corpus", desk.docs)
    assert (code, "-o FILE" in err) == (2, True)


def test_a_set_without_a_manifest_is_updated_as_far_as_it_tells(desk):
    (desk.home / "manifest.json").unlink()
    row = next(json.loads(line) for line in desk.rows().values() if json.loads(line)["metadata"]["language"] == "en")
    name = row["evidence"][0]["doc_id"]
    text = (desk.docs / name).read_text(encoding="utf-8")
    assert desk.update()[0] == 0
    (desk.docs / name).write_text(f"Above.\n\n{text}", encoding="utf-8")
    assert desk.update()[0] == 10
    assert set(desk.rows()) >= {row["id"]}
    assert desk.holds()
    assert [version["number"] for version in desk.manifest()["history"]] == [1, 2]


def test_with_a_chat_model_calls_follow_the_change(tmp_path, serve, monkeypatch):
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    corpus, output, server = stations(tmp_path / "corpus"), tmp_path / "testset.jsonl", serve(behave)
    options = ["--llm", "m", "--base-url", server.url, "--quiet"]
    assert main(["generate", str(corpus), "-o", str(output), "-n", "20", *options]) == 0
    full = len(server.bodies)
    assert len(output.read_text(encoding="utf-8").splitlines()) == 20

    def calls(*more):
        server.bodies.clear()
        code = main(["update", str(output), "--corpus", str(corpus), "-o", str(output), *options, *more])
        return code, len(server.bodies)

    (corpus / "alder.md").rename(corpus / "renamed.md")
    (corpus / "birch.md").write_text((corpus / "birch.md").read_text() + "\nA new paragraph.\n", encoding="utf-8")
    assert calls() == (10, 0)
    name = "oak.md"
    (corpus / name).write_text((corpus / name).read_text(encoding="utf-8").replace("1908", "1938"), encoding="utf-8")
    shutil.rmtree(tmp_path / "ws")
    dry = main(["update", str(output), "--corpus", str(corpus), "--dry-run", *options])
    code, spent = calls()
    assert (dry, code) == (10, 10), spent
    assert 0 < spent <= full * 0.1
    assert any('"1938"' in line for line in output.read_text(encoding="utf-8").splitlines())


def test_what_the_model_cannot_do_is_given_up_and_said(tmp_path, serve, monkeypatch, capsys):
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    corpus, output = stations(tmp_path / "corpus"), tmp_path / "testset.jsonl"
    options = ["--base-url", serve(behave).url, "--llm", "m", "--quiet"]
    assert main(["generate", str(corpus), "-o", str(output), "-n", "10", *options]) == 0
    lines = output.read_text(encoding="utf-8").splitlines()

    options[1] = serve(refusing).url
    command = [
        "update",
        str(output),
        "-o",
        str(output),
        "--corpus",
        str(corpus),
        "-n",
        "12",
        "--patience",
        "2",
        *options,
    ]
    assert main(command) == 5
    assert "given up after 2 consecutive tries without a row: simple" in capsys.readouterr().err
    assert output.read_text(encoding="utf-8").splitlines() == lines


def test_a_judge_that_fails_its_trial_costs_no_row_and_the_next_update_fills_the_set(
    tmp_path, serve, monkeypatch, capsys
):
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    corpus, output = stations(tmp_path / "corpus"), tmp_path / "testset.jsonl"
    good, bad = serve(behave), serve(agreeing)
    assert main(["generate", str(corpus), "-o", str(output), "-n", "12", "--llm", "m", "--base-url", good.url,
                 "--quiet"]) == 0  # fmt: skip
    rows = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    gone, judged_again = (row["evidence"][0]["doc_id"] for row in rows[:2])
    (corpus / gone).unlink()
    text = (corpus / judged_again).read_text(encoding="utf-8")
    (corpus / judged_again).write_text(text.replace("two platforms", "seven platforms"), encoding="utf-8")
    left = {row["id"] for row in rows if row["evidence"][0]["doc_id"] != gone}

    def updated(server):
        capsys.readouterr()
        code = main(["update", str(output), "--corpus", str(corpus), "-o", str(output), "--base-url", server.url,
                     "--llm", "m", "--quiet"])  # fmt: skip
        ids = {json.loads(line)["id"] for line in output.read_text(encoding="utf-8").splitlines()}
        return code, ids, capsys.readouterr().err

    code, ids, err = updated(bad)
    assert (code, ids) == (4, left)
    assert "no question was written with this model" in err
    assert f"the valid rows were written to {output} (missing: 1 simple)" in err
    assert not [body for body in bad.bodies if judges(body)], "it judges no row"
    assert main(["verify", str(output), "--corpus", str(corpus), "--quiet"]) == 0
    code, ids, _ = updated(good)
    assert (code, len(ids), ids >= left) == (10, 12, True)
    assert updated(good)[:2] == (0, ids)


@pytest.mark.parametrize("name", ["update", "log", "diff"])
def test_each_command_has_help_with_an_example(name, capsys):
    with pytest.raises(SystemExit):
        main([name, "--help"])
    assert f"synth {name}" in capsys.readouterr().out


def test_the_paths_of_a_set_belong_to_it():
    from synth.testset.manifest import beside

    assert beside(Path("a/testset.jsonl"), "retired.jsonl") == Path("a/retired.jsonl")
    assert beside(Path("a/faq.jsonl"), "retired.jsonl") == Path("a/faq.retired.jsonl")


def test_the_help_explains_the_exit_codes_that_are_no_errors(capsys):
    with pytest.raises(SystemExit):
        main(["update", "--help"])
    said = capsys.readouterr().out
    assert {"0   nothing changed", "10  the set changed"} <= set(map(str.strip, said.splitlines()))
