"""Sets made elsewhere become testsets that hold; what cannot be located is named, and nothing is lost on the way round."""

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from synth.cli.main import main
from synth.core.records import UNANSWERABLE, Evidence, Sample
from synth.testset.adoption import adopt_row, locator
from synth.testset.exporters.base import NEEDS_CORPUS, ExportInput
from synth.testset.foreign.files import read_records
from synth.testset.foreign.shapes import foreign
from synth.workflows.exporting import formats
from tests.corpus import corpus

PARTS = (
    "The pump at Fogbrook delivers 40 litres.", "installed in 1931", "雾溪泵站建于一九三一年。", "霧溪泵站的閥門", "=SUM(A1)", "+1",
    "-5", "@ada", "'=x", "''", '"quoted"', "tab\there", "line\nbreak", "two\r\nlines", "\n\n", "🚰👩🏽‍🔧", "{{question}}", "[1, 2]",
    '["x"]', "a,b;c", "<b>&amp;</b>", "３５００", "\u2028", "null", "  ",
)  # fmt: skip
TEXT = st.lists(st.sampled_from(PARTS), min_size=1, max_size=5).map("".join)
SAID = TEXT.filter(lambda text: any(char.isalnum() for char in text))
PARTIAL = {"bedrock", "llamaindex-retrieval"}


@st.composite
def sets(draw):
    """A corpus of two documents, and samples whose evidence is anything in them."""
    texts = {name: "".join(draw(st.lists(SAID, min_size=2, max_size=4))) for name in ("en.txt", "文档/中文.txt")}
    held = corpus(**texts)
    samples = {}
    for _ in range(draw(st.integers(1, 4))):
        pieces = dict.fromkeys(
            draw(pieces_of(held, name)) for name in draw(st.permutations(list(texts)))[: draw(st.integers(1, 2))]
        )
        answers = tuple(draw(st.lists(SAID, min_size=1, max_size=3, unique=True)))
        made = Sample(
            question=draw(SAID), golden_answers=answers, evidence=tuple(pieces), question_type="simple", language="en"
        )
        samples[made.id] = made
    return held, list(samples.values())  # fmt: skip


@st.composite
def pieces_of(draw, held, name):
    document = held.document(name)
    start = draw(st.integers(0, len(document.text) - 1))
    end = draw(st.integers(start + 1, len(document.text)))
    if not any(char.isalnum() for char in document.text[start:end]):
        start, end = 0, len(document.text)
    chunk_id = held.chunk_at(name, start).chunk_id
    text = document.text[start:end]
    return Evidence(doc_id=name, doc_hash=document.content_hash, chunk_id=chunk_id, start=start, end=end, text=text)


def round_trip(name, held, samples, folder):
    """The samples that an export makes when it is adopted again."""
    exporter = formats()[name]()
    passages = list(held.chunks()) if exporter.corpus == NEEDS_CORPUS else ()
    suffix = {"csv": ".csv"}.get(name, ".json")
    for path, content in exporter.files(ExportInput("set", samples, passages)):
        target = folder / name / path if path else folder / f"{name}{suffix}"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    read = read_records(folder / name if exporter.folder else folder / f"{name}{suffix}")
    where = locator(held)
    return [adopt_row(number, foreign(row, name), held, where).sample for number, row in read.rows]


def core(sample):
    return sample.question, sample.golden_answers, sample.evidence


@pytest.mark.parametrize("name", sorted(set(formats()) - PARTIAL))
@given(sets())
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
def test_out_and_in_again_a_set_is_the_same(tmp_path_factory, name, made):
    held, samples = made
    adopted = round_trip(name, held, samples, tmp_path_factory.mktemp("out"))
    assert list(map(core, adopted)) == list(map(core, samples))
    assert [sample.id for sample in adopted] == [sample.id for sample in samples]


@pytest.mark.parametrize("name", sorted(set(formats()) - PARTIAL))
def test_evidence_that_looks_like_a_json_list_is_one_text(name, tmp_path):
    held = corpus(**{"a.txt": 'The pump takes ["oil", "air"] and ["salt"].'})
    (document,) = held.documents()
    start, end = document.text.index("["), document.text.index("]") + 1
    piece = Evidence(
        doc_id="a.txt", doc_hash=document.content_hash, chunk_id=held.chunk_at("a.txt", start).chunk_id,
        start=start, end=end, text=document.text[start:end],
    )  # fmt: skip
    made = Sample(question="What?", golden_answers=("x",), evidence=(piece,), question_type="simple", language="en")
    assert list(map(core, round_trip(name, held, [made], tmp_path))) == [core(made)]


def test_bedrock_carries_the_question_the_first_answer_and_the_text_of_the_evidence(tmp_path):
    held = corpus(**{"a.txt": "雾溪泵站建于1931年，由陈雨主持建造。", "b.txt": "霧溪泵站的閥門是黃銅製的，至今未換。"})
    pieces = tuple(
        Evidence(doc_id=d.doc_id, doc_hash=d.content_hash, chunk_id=held.chunk_at(d.doc_id, 0).chunk_id, start=0, end=len(d.text), text=d.text)
        for d in held.documents()
    )  # fmt: skip
    made = Sample(
        question="建于哪年？", golden_answers=("1931年",), evidence=pieces, question_type="x", language="zh-Hans"
    )
    assert list(map(core, round_trip("bedrock", held, [made], tmp_path))) == [core(made)]


def test_what_has_no_answer_stays_so_where_the_format_can_say_it(tmp_path):
    held = corpus(**{"a.txt": "Nothing of the kind."})
    made = Sample(question="Who?", golden_answers=(), evidence=(), question_type=UNANSWERABLE, language="en")
    for name in sorted(set(formats()) - PARTIAL - {"openai-evals-framework"}):
        assert list(map(core, round_trip(name, held, [made], tmp_path))) == [core(made)], name


PUMP = (
    "# Pumps\n\nThe **old pump** at Fogbrook was installed in 1931 by Ada Finch.\n\nA second pump followed in 1952.\n"
)
ZH = "# 泵站\n\n雾溪泵站由陈雨于１９３１年建造。\n\n阀门为黄铜制。\n"
HANT = "# 泵站\n\n霧溪泵站的閥門由陳雨設計，為黃銅製。\n\n該站夜間停運。\n"
ROWS = [
    {"question": "When was the old pump at Fogbrook installed?", "answer": "1931", "passage": "The old pump at Fogbrook was installed in 1931 by Ada Finch."},
    {"question": "雾溪泵站由谁建造？", "answer": "陈雨", "passage": "雾溪泵站由陈雨于1931年建造。"},
    {"question": "誰設計了霧溪泵站的閥門？", "answer": "陳雨", "document": "泵站繁.md"},
    {"question": "Who sold the turbine?", "answer": "Bo", "passage": "The turbine was sold to a museum by Bo in 1999."},
    {"question": "Tell me about it", "answer": "1952", "passage": "A second pump followed in 1952."},
    {"question": "When?", "answer": "never"},
    {"question": "雾溪泵站由谁建造？", "answer": "陈雨", "passage": "雾溪泵站由陈雨于1931年建造。"},
    {"answer": "x"},
]  # fmt: skip


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    (tmp_path / "synth.toml").write_text("[filters]\nduplicate = { paraphrase = 0 }\n", encoding="utf-8")
    (tmp_path / "docs").mkdir()
    for name, text in (("pump.md", PUMP), ("泵站.md", ZH), ("泵站繁.md", HANT)):
        (tmp_path / "docs" / name).write_text(text, encoding="utf-8")
    (tmp_path / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    return tmp_path


def rows_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def run(capsys, *arguments):
    code = main([*map(str, arguments), "--quiet", "--config", "synth.toml"])
    return code, capsys.readouterr()


def test_the_set_is_adopted_holds_and_says_what_was_not(here, capsys):
    code, said = run(capsys, "adopt", "set.jsonl", "--corpus", "docs", "-o", "testset.jsonl", "--json")
    assert code == 5
    told = json.loads(said.out)
    assert told["adopted"] == 4
    assert told["methods"] == {"answer": 1, "exact": 1, "normalised": 2}
    assert {one["line"]: one["reason"].split(",")[0] for one in told["refused"]} == {
        4: "the corpus contains no similar text",
        6: "it names no passage and no document",
        7: "line 2 already has the same question and evidence",
        8: "set.jsonl:8: no question; expected it in one of the fields question",
    }
    rows = rows_of(here / "testset.jsonl")
    assert [row["evidence"][0]["text"] for row in rows] == [
        "The **old pump** at Fogbrook was installed in 1931 by Ada Finch.",
        "雾溪泵站由陈雨于１９３１年建造。",
        "霧溪泵站的閥門由陳雨設計，為黃銅製。",
        "A second pump followed in 1952.",
    ]
    assert [row["metadata"]["language"] for row in rows] == ["en", "zh-Hans", "zh-Hant", "en"]
    assert {row["metadata"]["source"] for row in rows} == {"adopted"}
    assert rows[1]["metadata"]["adopted"]["evidence"] == [{"method": "normalised", "score": 1.0, "other_places": []}]
    assert "self_contained" in rows[3]["metadata"]["signals"]
    assert (told["filters"], told["signals"]["self_contained"]) == ({}, 1)
    assert rows[0]["metadata"]["verdicts"]["grounded"] == 1.0
    assert [one["row"] for one in rows_of(here / "rejected.jsonl")] == [ROWS[n - 1] for n in (4, 6, 7, 8)]
    assert json.loads((here / "manifest.json").read_text(encoding="utf-8"))["set"]["rows"] == 4
    assert run(capsys, "verify", "testset.jsonl", "--corpus", "docs")[0] == 0


def test_an_adopted_row_is_refused_by_proof_alone_and_marked_by_the_other_rules(here, capsys):
    rows = [
        {**ROWS[0], "answer": "bronze"},
        {**ROWS[0], "question": "When was it installed at the place where it is now, as is told in the text?"},
    ]
    (here / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    run(capsys, "adopt", "set.jsonl", "--corpus", "docs", "-o", "testset.jsonl")
    wrong, leaning = (row["metadata"] for row in rows_of(here / "testset.jsonl"))
    assert "not_ordered" in wrong["refused"]
    assert "refused" not in leaning
    assert "self_contained" in leaning["signals"]
    assert run(capsys, "verify", "testset.jsonl", "--corpus", "docs")[0] == 0


def test_adopting_again_gives_the_same_bytes_and_verify_still_sees_a_change(here, capsys):
    run(capsys, "adopt", "set.jsonl", "--corpus", "docs", "-o", "testset.jsonl")
    first = (here / "testset.jsonl").read_bytes()
    run(capsys, "adopt", "set.jsonl", "--corpus", "docs", "-o", "testset.jsonl")
    assert (here / "testset.jsonl").read_bytes() == first
    (here / "docs" / "pump.md").write_text(PUMP.replace("1952", "1953"), encoding="utf-8")
    code, said = run(capsys, "verify", "testset.jsonl", "--corpus", "docs")
    assert code == 1
    assert "has changed" in said.out


def test_rules_without_proof_decide_on_a_row_that_is_not_adopted(here, capsys):
    run(capsys, "adopt", "set.jsonl", "--corpus", "docs", "-o", "testset.jsonl")
    rows = rows_of(here / "testset.jsonl")
    rows[3]["metadata"]["source"] = "synthetic"
    (here / "testset.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    code, said = run(capsys, "verify", "testset.jsonl", "--corpus", "docs", "--json")
    assert code == 1
    assert [failure["line"] for failure in json.loads(said.out)["failures"]] == [4]


def test_filters_drop_rows_only_when_asked(here, capsys):
    code, said = run(capsys, "adopt", "set.jsonl", "--corpus", "docs", "-o", "t.jsonl", "--drop", "all", "--json")
    assert code == 5
    kept = rows_of(here / "t.jsonl")
    assert all("signals" not in row["metadata"] for row in kept)
    assert any(
        one["line"] == 5 and one["reason"].startswith("self_contained: ") for one in json.loads(said.out)["refused"]
    )
    code, said = run(capsys, "adopt", "set.jsonl", "--corpus", "docs", "-o", "t.jsonl", "--drop", "nice")
    assert code == 2
    assert "no filter 'nice'" in said.err


def test_a_long_passage_is_narrowed_when_asked(here, capsys):
    row = {"question": "When did a second pump follow?", "answer": "1952", "passage": PUMP.partition("\n\n")[2].strip()}
    (here / "one.jsonl").write_text(json.dumps(row), encoding="utf-8")
    for options, text in (([], row["passage"]), (["--narrow"], "A second pump followed in 1952.")):
        assert run(capsys, "adopt", "one.jsonl", "--corpus", "docs", "-o", "t.jsonl", *options)[0] == 0
        assert rows_of(here / "t.jsonl")[0]["evidence"][0]["text"] == text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["set.jsonl", "--corpus", "docs", "-o", "set.jsonl"], "would be overwritten"),
        (["set.jsonl", "--corpus", "nowhere", "-o", "t.jsonl"], "nowhere"),
        (["no.jsonl", "--corpus", "docs", "-o", "t.jsonl"], "cannot read no.jsonl"),
        (["set.jsonl", "--corpus", "docs", "-o", "t.jsonl", "--min-score", "0.2"], "from 0.5 to 1, was 0.2"),
        (["set.jsonl", "--corpus", "docs", "-o", "t.jsonl", "--fields", "colour=x"], "'colour' is not a part of a row"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(here, capsys, arguments, said):
    code, heard = run(capsys, "adopt", *arguments)
    assert code == 2
    assert said in heard.err
    assert not (here / "t.jsonl").exists()


def test_a_text_of_several_passages_is_located_piece_by_piece(here, capsys):
    passage = "The old pump at Fogbrook was installed in 1931 by Ada Finch.\n\n阀门为黄铜制。"
    (here / "one.jsonl").write_text(
        json.dumps({"question": "Which?", "answer": "1931", "passage": passage}), encoding="utf-8"
    )
    assert run(capsys, "adopt", "one.jsonl", "--corpus", "docs", "-o", "t.jsonl")[0] == 0
    (row,) = rows_of(here / "t.jsonl")
    assert [piece["doc_id"] for piece in row["evidence"]] == ["pump.md", "泵站.md"]
    assert row["metadata"]["question_type"] == "multi_context"


def test_a_row_that_came_back_from_a_tool_keeps_its_id(here, capsys):
    run(capsys, "adopt", "set.jsonl", "--corpus", "docs", "-o", "testset.jsonl")
    before = [row["id"] for row in rows_of(here / "testset.jsonl")]
    for name in ("ragas", "csv"):
        out = here / f"{name}.{'csv' if name == 'csv' else 'jsonl'}"
        assert run(capsys, "export", "testset.jsonl", "--to", name, "-o", out)[0] == 0
        assert run(capsys, "adopt", out, "--corpus", "docs", "-o", f"{name}-back.jsonl")[0] == 0
        assert [row["id"] for row in rows_of(here / f"{name}-back.jsonl")] == before


def test_unknown_further_evidence_is_relevant_in_an_export(here):
    """A place that evidence also stands at makes its passage relevant, wherever the corpus is cut."""
    held = corpus(**{"a.md": "x " * 5, "b.md": "y " * 5})
    chunks = list(held.chunks())
    also = [{"replaces": 0, "doc_id": "b.md", "start": 2, "end": 4, "text": "y "}]
    piece = Evidence(doc_id="a.md", doc_hash="h", chunk_id="other", start=0, end=2, text="x ")
    made = Sample(question="q", golden_answers=("a",), evidence=(piece,), question_type="simple", language="en")
    material = ExportInput("m", [made], chunks)
    assert material.relevant(made) == [chunks[0].chunk_id]
    assert material.relevant(replace(made, metadata={"alternatives": also})) == [chunk.chunk_id for chunk in chunks]


def test_evidence_on_many_pages_is_told_in_a_short_line(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    said = "The pump of Fogbrook runs every night until the tank is full."
    for number in range(9):
        (tmp_path / "docs" / f"{number}").mkdir(parents=True)
        (tmp_path / "docs" / f"{number}" / "page.md").write_text(f"# Page {number}\n\n{said}\n", "utf-8")
    row = {"question": "When does the pump of Fogbrook run?", "answer": "Every night", "contexts": [said]}
    (tmp_path / "set.jsonl").write_text(json.dumps(row), "utf-8")
    arguments = [
        "--corpus",
        str(tmp_path / "docs"),
        "-o",
        str(tmp_path / "out.jsonl"),
        "--workspace",
        str(tmp_path / "ws"),
    ]
    assert main(["adopt", str(tmp_path / "set.jsonl"), *arguments, "--quiet"]) == 0
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "page.md" in line and "," in line]
    assert line.endswith("… and 5 more")
    assert line.count("page.md") == 4
