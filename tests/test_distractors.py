"""Documents that are part of the corpus, but not asked about."""

import json

import pytest

from synth.annotation.records import decided_hashes
from synth.cli.main import main
from synth.core.jsonl import read_samples
from synth.corpus.sections import sections
from synth.generation.alternatives import with_alternatives
from synth.generation.proposals.brief import briefed
from synth.generation.proposals.path_search import Paths
from synth.models.prompts import load
from synth.testset.adoption import locator
from synth.testset.locating import NotFound
from tests.chat import NAMES, behave, stations
from tests.corpus import corpus, sample
from tests.proposals.made import corpus_of, said, user

OLD = ("Oak", "Pine", "Rowan", "Spruce")
MARK = "chimneys"


@pytest.fixture
def docs(tmp_path):
    """Stations, and old pages on some of them and on mills."""
    folder = stations(tmp_path / "docs")
    (folder / "old").mkdir()
    for number, name in enumerate(OLD):
        text = f"# {name} mill\n\nThe {name} mill had {number + 3} {MARK} of brick, near the {name} station. "
        text += f"The {name}ton station opened in {1820 + number}.\n"
        (folder / "old" / f"{name.lower()}.md").write_text(text, encoding="utf-8")
    return folder


def documents_of(path):
    return {piece.doc_id for sample in read_samples(path).samples for piece in sample.evidence}


def manifest_of(path):
    return json.loads(path.with_name("t.manifest.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("author", ["grammar", "chat"])
def test_distractors_are_searched_and_not_asked_about(author, docs, tmp_path, serve, capsys):
    server = serve(behave)
    model = ["--llm", "m", "--base-url", server.url, "--trust"] if author == "chat" else []
    output, rest = tmp_path / "t.jsonl", ["--workspace", str(tmp_path / "ws"), "--quiet", *model]
    shares = ["-n", "10", "--types", "simple=1"]
    assert main(["generate", str(docs), "-o", str(output), *shares, "--distractors", "old", *rest]) in (0, 5)
    assert "4 documents searched but not asked about" in capsys.readouterr().out
    assert documents_of(output)
    assert not [doc_id for doc_id in documents_of(output) if doc_id.startswith("old/")]
    negatives = {one["doc_id"] for row in read_samples(output).samples for one in row.metadata["hard_negatives"]}
    assert [doc_id for doc_id in negatives if doc_id.startswith("old/")]
    manifest = manifest_of(output)
    assert manifest["corpus"]["distractors"] == [f"old/{name.lower()}.md" for name in OLD]
    assert manifest["settings"]["corpus"]["distractors"] == ["old"]
    writing = [body["messages"] for body in server.bodies if '"notes"' in body["messages"][0]["content"]]
    assert MARK not in json.dumps(writing)
    if author == "grammar":
        assert main(["score", str(output), "--corpus", str(docs), "--json", *rest]) == 0
        assert json.loads(capsys.readouterr().out)["grades"]["documents"]["n"] == len(NAMES) + 5


def test_no_documents_left_to_ask_about_is_an_error(docs, tmp_path, capsys):
    command = ["generate", str(docs), "-o", str(tmp_path / "t.jsonl"), "--workspace", str(tmp_path / "ws"), "--quiet"]
    assert main([*command, "--distractors", "*.md", "*.txt"]) == 2
    assert "each of the 25 documents is a distractor by the patterns *.md, *.txt" in capsys.readouterr().err


def test_an_update_retires_rows_about_new_distractors_and_keeps_those_of_people(docs, tmp_path):
    output, rest = tmp_path / "t.jsonl", ["--workspace", str(tmp_path / "ws"), "--quiet"]
    assert main(["generate", str(docs), "-o", str(output), "-n", "12", "--types", "simple=1", *rest]) in (0, 5)
    rows = [json.loads(line) for line in output.read_text(encoding="utf-8").splitlines()]
    rows[0]["metadata"]["annotation"] = {"decision": "accept"}
    assert decided_hashes(read_samples(output).samples[0])
    output.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    reviewed, other = (row["evidence"][0]["doc_id"] for row in rows[:2])
    updated = tmp_path / "new" / "t.jsonl"
    update = ["update", str(output), "--corpus", str(docs), "-o", str(updated), *rest]
    assert main([*update, "--distractors", reviewed, other]) in (5, 10, 11)
    after = [json.loads(line) for line in updated.read_text(encoding="utf-8").splitlines()]
    assert after[0]["metadata"]["review"]["reason"] == f"'{reviewed}' is a distractor, which is not asked about"
    assert rows[1]["id"] not in {row["id"] for row in after}
    assert other not in {piece["doc_id"] for row in after for piece in row["evidence"]}
    assert manifest_of(updated)["settings"]["corpus"]["distractors"] == [reviewed, other]
    again = tmp_path / "again.jsonl"
    assert main(["update", str(updated), "--corpus", str(docs), "-o", str(again), *rest]) in (0, 5)
    assert other not in documents_of(again)


def test_a_distractor_is_neither_alternative_nor_partner_nor_home_of_an_adopted_row():
    told = "The Kell lighthouse was built in 1811."
    of = corpus(gold=told, copy=f"Many ask. {told}", near="The Fell lighthouse was built in 1843.")
    row = sample(of, "When was the Kell lighthouse built?", "1811", told, "gold")
    assert with_alternatives(row, of).metadata["alternatives"]
    of.distractors = ("copy",)
    metadata = with_alternatives(row, of).metadata
    assert "alternatives" not in metadata
    assert [place["doc_id"] for place in metadata["hard_negatives"]] == ["near"]
    assert isinstance(locator(of).find("Many ask. The Kell lighthouse was built in 1811."), NotFound)


def test_passages_on_one_matter_are_found_behind_many_distractors():
    told = "The lighthouse of Kell burns oil and is kept by two keepers of the harbour board. "
    texts = {f"old/{number}.md": told * 3 + f"Note {number}." for number in range(40)}
    of = corpus_of({**texts, "a.md": told * 2, "b.md": "The lighthouse of Kell was painted white. " * 2})
    of.distractors = ("old",)
    paths = Paths.__new__(Paths)
    paths.corpus = of
    assert {of.chunk(name).doc_id for name in paths.near(sections(of, "a.md")[0])} == {"b.md"}


def test_the_brief_is_about_the_other_documents():
    of = corpus_of({"old/a.md": "The mill ground wheat for bakers. " * 4, "b.md": "The ferry runs in winter. " * 4})
    of.distractors = ("old",)
    steps = briefed(of, load("proposals/brief", "en"), "")
    asked = next(steps)
    assert "ferry" in user(asked)
    assert "mill" not in user(asked)
    with pytest.raises(StopIteration):
        steps.send(said(brief="Pages on ferries."))
