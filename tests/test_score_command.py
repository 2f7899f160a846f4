"""The command score: a set by itself, with its corpus, and beside people's questions; English and Chinese together."""

import json

import pytest

from synth.cli.main import main
from synth.core.records import text_hash
from tests.retrieval.made import QUESTIONS, TEXTS

SETTINGS = ("--encoder", "hashed", "--quiet")


def row(id, question, doc_id, quote, answer):
    text = TEXTS[doc_id]
    start = text.index(quote)
    piece = {
        "doc_id": f"{doc_id}.txt",
        "doc_hash": text_hash(text),
        "chunk_id": "c-x",
        "start": start,
        "end": start + len(quote),
        "text": quote,
    }
    metadata = {"question_type": "simple", "language": "zh-Hans" if doc_id.startswith("zh") else "en"}
    return {"id": id, "question": question, "golden_answers": [answer], "evidence": [piece], "metadata": metadata}


ROWS = [
    row("q-1", "When was the lamp at Kyle Point lit for the first time?", "en-lamp", "The lamp at Kyle Point was lit for the first time in 1811.", "1811"),
    row("q-2", "Where does the ferry company sell tickets?", "en-ferry", "The ferry company sells tickets on the pier.", "on the pier"),
    row("q-3", "澄湖大坝建成于哪一年？", "zh-dam", "澄湖大坝建成于1965年。", "1965年"),
    row("q-4", "大坝高四十二米吗？", "zh-dam", "大坝高四十二米", "四十二米"),
]  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    (tmp_path / "docs").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "docs" / f"{name}.txt").write_text(text, encoding="utf-8")
    write(tmp_path / "set.jsonl", ROWS)
    human = [
        {"id": f"h-{n}-{doc}", "question": question, "golden_answers": ["x"], "doc_id": f"{doc}.txt"}
        for n in range(6)
        for doc, question in QUESTIONS.items()
    ]
    write(tmp_path / "human.jsonl", human)
    return tmp_path


def write(path, rows):
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in rows), encoding="utf-8")


def run(capsys, *arguments):
    code = main(["score", *arguments, *SETTINGS])
    out, err = capsys.readouterr()
    return code, out, err


def test_a_set_by_itself(here, capsys):
    code, out, _ = run(capsys, "set.jsonl")
    assert code == 0
    assert "4 rows" in out
    assert "simple 4" in out
    (leaks,) = [line for line in out.splitlines() if line.startswith("no_leaks")]
    assert leaks.split()[1:3] == ["E", "0.750"]
    assert "needs the documents" in out
    assert "name the documents with --corpus" in out
    assert "q-4" in out
    assert "the question contains its answer '四十二米'" in out


def test_with_corpus_and_people_as_json(here, capsys):
    code, out, _ = run(
        capsys,
        "set.jsonl",
        "--corpus",
        "docs",
        "--human",
        "human.jsonl",
        "-o",
        "score.json",
        "--html",
        "page.html",
        "--json",
    )
    assert code == 0
    found = json.loads(out)
    assert found == json.loads((here / "score.json").read_text(encoding="utf-8"))
    assert found["grades"]["documents"]["value"] == 0.5
    assert found["grades"]["evidence"]["n"] == 4
    assert found["retrieval"]["unit"] == "document"
    assert len(found["retrieval"]["retrievers"]) == 14
    assert found["validity"]["human"] == 36
    assert found["validity"]["human_sample"] == 4
    assert set(found["validity"]["figures"]) == {"tau", "mrr_gap", "agreement", "contradicted", "words", "bigrams"}
    page = (here / "page.html").read_text(encoding="utf-8")
    assert "Validity" in page
    assert "效度" in page


def test_tables_for_people(here, capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    code, out, _ = run(capsys, "set.jsonl", "--corpus", "docs", "--human", "human.jsonl")
    assert code == 0
    assert "tau-b of nDCG@10" in out
    assert "human samples of 4" in out
    assert "bm25_opening" in out
    assert "weak for ranking generators" in out


def test_passages_are_what_is_retrieved_when_all_rows_have_places(here, capsys):
    code, out, _ = run(capsys, "set.jsonl", "--corpus", "docs", "--graph", "--json")
    assert code == 0
    found = json.loads(out)
    assert found["grades"]["topics"]["value"] > 0
    assert found["retrieval"]["unit"] == "chunk"
    assert found["retrieval"]["retrievers"]["bm25"]["mrr@10"] == 1.0
    assert "validity" not in found


def test_errors_are_one_line(here, capsys):
    write(here / "few.jsonl", [{"id": "h", "question": "Who?", "golden_answers": ["x"], "doc_id": "en-lamp.txt"}])
    write(here / "other.jsonl", [{"id": "h", "question": "Who?", "golden_answers": ["x"], "doc_id": "no.txt"}])
    (here / "broken.jsonl").write_text("{\n", encoding="utf-8")
    for arguments, says in [
        (["missing.jsonl"], "cannot read missing.jsonl"),
        (["broken.jsonl"], "broken.jsonl contains no readable row; the first damaged line: broken.jsonl:1: not JSON"),
        (["set.jsonl", "--human", "human.jsonl"], "name them with --corpus"),
        (["set.jsonl", "--corpus", "docs", "--human", "few.jsonl"], "1 human questions are too few"),
        (["other.jsonl", "--corpus", "docs"], "no row of the set refers to a document of this corpus"),
        (["set.jsonl", "--corpus", "nowhere"], "nowhere"),
    ]:
        code, _, err = run(capsys, *arguments)
        assert code == 2, arguments
        assert says in err
        assert "Traceback" not in err
