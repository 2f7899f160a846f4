"""Rows are understood as tools and people write them."""

import json

import pytest

from synth.core.errors import ConfigError, InputError, RecordError
from synth.testset.foreign.files import read_records
from synth.testset.foreign.rows import Quote
from synth.testset.foreign.shapes import foreign, renaming

QUESTION, ANSWER, PASSAGE = "雾溪泵站建于哪一年？", "1931年", "雾溪泵站建于1931年。"

RECORDS = {
    "ragas": {"user_input": QUESTION, "reference": ANSWER, "reference_contexts": [f"<1-hop>\n\n{PASSAGE}"]},
    "deepeval": {"input": QUESTION, "expected_output": ANSWER, "context": [PASSAGE], "additional_metadata": {}},
    "llamaindex": {"query": QUESTION, "reference_answer": ANSWER, "reference_contexts": [PASSAGE], "query_by": {}},
    "langsmith": {"inputs": {"question": QUESTION}, "outputs": {"answer": ANSWER, "contexts": [PASSAGE]}},
    "promptfoo": {"vars": {"query": QUESTION, "reference": ANSWER, "context": PASSAGE}, "assert": []},
    "openai-evals": {"item": {"question": QUESTION, "ground_truth": ANSWER, "context": PASSAGE}},
    "openai-evals-framework": {"input": [{"role": "system", "content": "x"}, {"role": "user", "content": QUESTION}], "ideal": [ANSWER], "context": PASSAGE},
    "bedrock": {
        "conversationTurns": [
            {
                "prompt": {"content": [{"text": QUESTION}]},
                "referenceResponses": [{"content": [{"text": ANSWER}]}],
                "referenceContexts": [{"content": [{"text": PASSAGE}]}],
            }
        ]
    },
    "fields": {"问题": QUESTION, "答案": ANSWER, "原文": PASSAGE},
    "giskard": {"question": QUESTION, "reference_answer": ANSWER, "reference_context": f"Document 12: {PASSAGE}", "conversation_history": []},
    "yourbench": {"question": QUESTION, "self_answer": ANSWER, "citations": [PASSAGE], "chunk_id": "d_0", "document_id": "d"},
    "autorag": {"qid": "1", "query": QUESTION, "generation_gt": [ANSWER], "retrieval_gt": [{"text": PASSAGE}]},
}  # fmt: skip


@pytest.mark.parametrize("shape", RECORDS)
def test_the_shapes_of_tools_say_the_same(shape):
    row = foreign(RECORDS[shape], "set:1")
    assert (row.shape, row.question, row.answers) == (shape, QUESTION, (ANSWER,))
    assert [quote.text for quote in row.quotes] == [PASSAGE]


@pytest.mark.parametrize(
    "names",
    [("Question", "Answer", "Context"), ("QUESTION", "GROUND TRUTH", "Source Text"), ("query", "groundTruth", "reference-context"),
     (" Question ", "Expected Answer", "Passage"), ("Q", "A", "Chunk"), ("question", "ground_truth_answer", "citations")],
)  # fmt: skip
def test_case_spaces_and_hyphens_in_field_names_do_not_count(names):
    row = foreign(dict(zip(names, (QUESTION, ANSWER, PASSAGE), strict=True)), "set:1")
    assert (row.question, row.answers, [quote.text for quote in row.quotes]) == (QUESTION, (ANSWER,), [PASSAGE])


def test_documents_that_giskard_joined_are_passages_of_their_own():
    row = foreign(
        {
            "question": QUESTION,
            "reference_answer": ANSWER,
            "reference_context": "Document 1: One.\n\nMore.\n\nDocument 7f: Two.",
        },
        "set:1",
    )
    assert [quote.text for quote in row.quotes] == ["One.\n\nMore.", "Two."]


RECORD = {"question": QUESTION, "answer": ANSWER, "context": PASSAGE}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("set.csv", f'sep=;\r\n"Question";"Answer";"Context"\r\n"{QUESTION}";"{ANSWER}";"{PASSAGE}"\r\n'),
        ("set.csv", f"sep=|\nQuestion|Answer|Context\n{QUESTION}|{ANSWER}|{PASSAGE}\n"),
        ("set.csv", f"Question|Answer|Context\n{QUESTION}|{ANSWER}|{PASSAGE}\n"),
        ("set.json", json.dumps([RECORD], indent=1)),
        ("set.jsonl", json.dumps([RECORD])),
        ("set.jsonl", json.dumps(RECORD, indent=2)),
        ("set.jsonl", "\ufeff" + json.dumps(RECORD, indent=2) + "\r\n" + json.dumps(RECORD, indent=2)),
    ],
)
def test_one_set_in_the_layouts_that_people_save(tmp_path, name, text):
    (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    rows = [foreign(record, "set") for _, record in read_records(tmp_path / name).rows]
    assert rows
    assert {(row.question, row.answers, row.quotes[0].text) for row in rows} == {(QUESTION, (ANSWER,), PASSAGE)}


@pytest.mark.parametrize("where", ["folder", "file"])
def test_autorag_has_its_passages_in_a_corpus_beside_the_questions(tmp_path, where):
    (tmp_path / "qa.jsonl").write_text(
        json.dumps({"qid": "1", "query": QUESTION, "generation_gt": [ANSWER], "retrieval_gt": [["d1"]]}),
        encoding="utf-8",
    )
    (tmp_path / "corpus.jsonl").write_text(json.dumps({"doc_id": "d1", "contents": PASSAGE}), encoding="utf-8")
    ((_, record),) = read_records(tmp_path if where == "folder" else tmp_path / "qa.jsonl").rows
    assert [quote.text for quote in foreign(record, "set:1").quotes] == [PASSAGE]


def test_squad_says_where_the_answer_stands():
    answers = {"text": [ANSWER, ANSWER], "answer_start": [5, 5]}
    row = foreign({"question": QUESTION, "context": PASSAGE, "answers": {**answers, "answer_start": [6, 6]}}, "set:1")
    assert row.quotes == (Quote(text=PASSAGE, focus=(6, 11)),)
    assert row.answers == (ANSWER,)
    wrong = foreign({"question": QUESTION, "context": PASSAGE, "answers": answers}, "set:1")
    assert wrong.quotes[0].focus is None


def test_a_document_named_beside_the_passages_goes_with_them():
    row = foreign(
        {"question": QUESTION, "answer": 1931, "passages": ["甲", "乙"], "doc_ids": ["a.md", "b.md"]}, "set:1"
    )
    assert [quote.doc_id for quote in row.quotes] == ["a.md", "b.md"]
    assert row.answers == ("1931",)
    alone = foreign({"question": QUESTION, "answer": ANSWER, "doc_id": "a.md"}, "set:1")
    assert alone.quotes == (Quote(doc_id="a.md"),)


def test_a_text_with_its_place_is_one_passage_even_where_it_looks_like_a_list():
    row = {"question": "Which?", "answer": "x", "evidence": '["x"]', "doc_id": "a.md", "start": "67"}
    assert foreign(row, "t.csv:2").quotes == (Quote(text='["x"]', doc_id="a.md", start=67),)
    del row["start"]
    assert foreign(row, "t.csv:2").quotes == (Quote(text="x", doc_id="a.md"),)


def test_an_answer_changed_in_the_tool_takes_the_place_of_all():
    metadata = {"golden_answers": ["1931", "1931年"], "id": "q-1"}
    kept = foreign({"user_input": QUESTION, "reference": "1931", "metadata": metadata}, "set:1")
    changed = foreign({"user_input": QUESTION, "reference": "1932", "metadata": metadata}, "set:1")
    assert (kept.answers, changed.answers) == (("1931", "1931年"), ("1932",))


def test_fields_of_ones_own_can_be_named():
    row = foreign({"Frage": "Q?", "Antwort": "A", "Text": "P"}, "set:1", {"question": "Frage", "answer": "Antwort", "passage": "Text"})  # fmt: skip
    assert (row.question, row.answers, row.quotes[0].text) == ("Q?", ("A",), "P")
    with pytest.raises(ConfigError, match="'colour' is not a part of a row"):
        renaming({"colour": "x"})


def test_a_row_without_a_question_is_named():
    with pytest.raises(
        RecordError, match=r"set.jsonl:7: no question; expected it in one of the fields question, user_input"
    ):
        foreign({"answer": "x"}, "set.jsonl:7")


SQUAD = {"data": [{"title": "t", "paragraphs": [{"context": PASSAGE, "qas": [
    {"id": "1", "question": QUESTION, "answers": [{"text": ANSWER, "answer_start": 6}]},
    {"id": "2", "question": "谁？", "answers": [], "is_impossible": True},
]}]}]}  # fmt: skip
CMRC = [{"context_text": PASSAGE, "qas": [{"query_id": "1", "query_text": QUESTION, "answers": [ANSWER]}]}]
RETRIEVAL = {"queries": {"q": QUESTION}, "corpus": {"c": PASSAGE}, "relevant_docs": {"q": ["c"]}, "mode": "text"}
COLUMNS = {"question": [QUESTION], "answer": [ANSWER], "contexts": [[PASSAGE]]}
YAML = f"tests:\n- vars: {{question: {QUESTION}, reference: {ANSWER}, context: {PASSAGE}}}\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("squad.json", json.dumps(SQUAD)),
        ("cmrc.json", json.dumps(CMRC)),
        ("llamaindex.json", json.dumps(RETRIEVAL)),
        ("columns.json", json.dumps(COLUMNS)),
        ("promptfooconfig.yaml", YAML),
        ("table.csv", f"question,answer,passage\n{QUESTION},{ANSWER},{PASSAGE}\n"),
        ("table.tsv", f"question\tanswer\tpassage\n{QUESTION}\t{ANSWER}\t{PASSAGE}\n"),
        ("rows.jsonl", json.dumps({"question": QUESTION, "answer": ANSWER, "passage": PASSAGE}) + "\n"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_files_are_read_by_their_form_in_the_encodings_that_people_save(tmp_path, name, content, encoding):
    path = tmp_path / name
    path.write_bytes(content.encode(encoding))
    number, record = read_records(path).rows[0]
    row = foreign(record, f"{name}:{number}")
    assert (row.question, row.quotes[0].text) == (QUESTION, PASSAGE)
    assert row.answers == (() if name == "llamaindex.json" else (ANSWER,))


def test_a_sheet_of_excel_is_read(tmp_path):
    from openpyxl import Workbook

    book = Workbook()
    for line in (["question", "answer", "passage"], [QUESTION, ANSWER, PASSAGE], [None, None, None], ["'=Q", 5, "x"]):
        book.active.append(line)
    book.save(tmp_path / "set.xlsx")
    rows = read_records(tmp_path / "set.xlsx").rows
    assert [number for number, _ in rows] == [2, 4]
    assert rows[0][1] == {"question": QUESTION, "answer": ANSWER, "passage": PASSAGE}
    assert rows[1][1]["question"] == "=Q"


def test_a_damaged_line_costs_that_line(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text('{"question": "a"}\n{"question": \n\n[1]\n{"question": "b"}\n', encoding="utf-8")
    read = read_records(path)
    assert [number for number, _ in read.rows] == [1, 5]
    assert [damaged.line for damaged in read.damaged] == [2, 4]


@pytest.mark.parametrize(("name", "content"), [("a.json", "{}"), ("b.jsonl", ""), ("c.txt", "hello"), ("d.csv", "question\n"), ("e.yaml", "a: [")])  # fmt: skip
def test_a_file_that_is_no_set_is_refused_with_a_reason(tmp_path, name, content):
    (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=name):
        read_records(tmp_path / name)


def test_a_folder_or_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(InputError, match="has no known format"):
        read_records(tmp_path)
    with pytest.raises(InputError, match="cannot read"):
        read_records(tmp_path / "no.jsonl")
