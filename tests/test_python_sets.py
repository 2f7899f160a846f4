"""Sets, responses and addresses of the Python API, sets without a file, and results as tables in a notebook."""

import json
from dataclasses import fields, replace
from pathlib import Path

import fsspec
import pytest

import synth
from synth.core.errors import ConfigError, InputError, MissingExtra, RecordError, SynthError
from synth.core.notebook_table import MOST_ROWS, NotebookTable, Tabular
from synth.testset.dataset import Dataset
from synth.workflows.overwriting import FewerRows
from synth.workflows.settings import ModelSettings, Settings
from tests.metrics.cases import item, piece

TEXT = """# Oak line

## When did Oak station open?

Oak station opened in 1909.

## How many platforms does Oak station have?

Oak station has 4 platforms.

## Notes

The Oak school was founded in 1920.
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with documents, a set of two rows and responses."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SYNTH_WORKSPACE", str(tmp_path / "ws"))
    Path("docs").mkdir()
    Path("docs/oak.md").write_text(TEXT, encoding="utf-8")
    made = synth.generate("docs", "set.jsonl", synth.Settings(n=2, workspace=Path("ws")))
    Path("responses.jsonl").write_text(
        "".join(json.dumps({"id": row.id, "answer": row.golden_answers[0]}) + "\n" for row in made.dataset),
        encoding="utf-8",
    )
    return tmp_path


@pytest.fixture
def stored(here):
    """The address of a folder in a store inside the process, with the set and its files."""
    store = fsspec.filesystem("memory")
    for path in here.glob("set*"):
        store.put_file(str(path), f"/bucket/{path.name}")
    store.put_file("responses.jsonl", "/bucket/responses.jsonl")
    yield "memory://bucket"
    store.rm("/bucket", recursive=True)


def as_path(here):
    return here / "set.jsonl"


def as_loaded(here):
    return Dataset.load("set.jsonl")


def as_rows(here):
    return Dataset.of(json.loads(line) for line in Path("set.jsonl").read_text(encoding="utf-8").splitlines())


@pytest.mark.parametrize("form", [as_path, as_loaded, as_rows, lambda here: "set.jsonl"])
def test_a_set_is_a_path_or_a_dataset_for_every_verb(here, form):
    own = synth.Settings(workspace=Path("ws"))
    assert synth.verify(form(here), "docs", own).valid == 2
    assert synth.export(form(here), "ragas", "out.jsonl").rows == 2
    assert synth.score(form(here)).of.rows == 2
    assert synth.update(form(here), "docs", f"up-{form.__name__}.jsonl", own).unchanged
    ran = synth.run(form(here), "docs", settings=own)
    assert len(ran.rows) == 2
    assert synth.evaluate(form(here), ran.rows).evaluation.rows == 2


def test_a_loaded_dataset_stands_for_its_file_until_either_changes(here):
    rows = Dataset.load("set.jsonl")
    assert rows.file == Path("set.jsonl")
    assert rows[:1].file is None
    assert synth.rejudge(rows, "docs", "judged.jsonl", synth.Settings(workspace="ws")).removed == ()
    assert synth.accept(rows).counts["unreviewed"] == 2
    assert synth.verify(rows[:1], "docs").checked == 1
    rows.add("system", {rows[0].id: {"answer": "x"}})
    assert rows.file is None
    again = Dataset.load("set.jsonl")
    again[:1].save("set.jsonl")
    assert again.file is None
    assert synth.verify(again, "docs").checked == 2


def test_decisions_of_people_need_a_file(here):
    rows = as_rows(here)
    for verb in (synth.accept, synth.agreement_on, synth.review):
        with pytest.raises(ConfigError, match="beside the file of a set, but this dataset is in no permanent file"):
            verb(rows)
    assert synth.accept(rows, store="decisions.sqlite").counts["unreviewed"] == 2
    unwritten = synth.generate("docs", settings=Settings(n=2, workspace="ws")).dataset
    with pytest.raises(ConfigError, match="save it and pass the file"):
        synth.export_sheets(unwritten, "sheet.csv", synth.ReviewSettings())
    unwritten.save("saved.jsonl")
    assert synth.accept("saved.jsonl").counts["unreviewed"] == 2


@pytest.mark.parametrize("form", [as_loaded, as_rows])
def test_the_evidence_of_a_dataset_is_graded_as_that_of_its_file(here, form):
    graded, of_file = (synth.score(rows, "docs").of for rows in (form(here), "set.jsonl"))
    assert graded.grades == of_file.grades
    assert next(grade for grade in graded.grades if grade.name == "evidence").value == 1


def test_a_folder_without_a_document_of_the_set_is_named_once(here):
    Path("other").mkdir()
    Path("other/elm.md").write_text(TEXT, encoding="utf-8")
    with pytest.raises(InputError, match=r"the corpus contains none of the documents of the set, such as 'oak\.md'"):
        synth.verify("set.jsonl", "other", synth.Settings(workspace="ws"))


@pytest.mark.parametrize(
    "form",
    [
        list,
        iter,
        lambda rows: "responses.jsonl",
        lambda rows: Path("responses.jsonl"),
        lambda rows: (row for row in rows),
    ],
)
def test_responses_are_a_path_a_list_or_an_iterator(here, form):
    rows = [json.loads(line) for line in Path("responses.jsonl").read_text(encoding="utf-8").splitlines()]
    result = synth.evaluate("set.jsonl", form(rows), compare=form(rows))
    assert result.evaluation.metrics["exact_match"].estimate.mean == 1
    assert result.other.metrics["exact_match"].estimate.mean == 1


@pytest.mark.parametrize("wrong", [5, {"q-1": "x"}, b"responses.jsonl"])
def test_other_responses_are_refused(here, wrong):
    with pytest.raises(ConfigError, match="responses must be a file, or a list or an iterator of rows"):
        synth.evaluate("set.jsonl", wrong)


def test_a_set_without_an_output_leaves_no_file(here):
    before = sorted(here.rglob("*.jsonl"))
    made = synth.generate("docs", settings=Settings(n=2, workspace="ws"))
    assert [row.question for row in made.dataset] == [row.question for row in Dataset.load("set.jsonl")]
    folder = made.dataset.file.parent
    assert synth.rejudge(made.dataset, "docs", "judged.jsonl", Settings(workspace="ws")).added == ()
    assert sorted(here.rglob("*.jsonl")) == sorted([*before, here / "judged.jsonl", here / "judged.rejected.jsonl"])
    del made
    assert not folder.exists()


def test_a_run_that_fails_leaves_no_folder(here, monkeypatch, tmp_path):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    with pytest.raises(InputError):
        synth.generate("missing")
    assert list(temporary.iterdir()) == []


def test_every_file_may_be_at_an_address(stored, here):
    own = Settings(workspace="ws")
    assert synth.verify(f"{stored}/set.jsonl", "docs", own).valid == 2
    assert len(Dataset.load(f"{stored}/set.jsonl")) == 2
    output = f"{stored}/scores/scores.json"
    result = synth.evaluate(f"{stored}/set.jsonl", f"{stored}/responses.jsonl", output=output)
    assert result.output == output
    exported = synth.export(f"{stored}/set.jsonl", "huggingface", f"{stored}/hub")
    assert f"{stored}/hub/testset.jsonl" in exported.files
    updated = synth.update(f"{stored}/set.jsonl", "docs", f"{stored}/set.jsonl", own)
    assert updated.output == f"{stored}/set.jsonl"
    held = set(fsspec.filesystem("memory").find("/bucket"))
    assert {"/bucket/scores/scores.json", "/bucket/hub/testset.jsonl", "/bucket/set.jsonl"} <= held
    for verb in (Dataset.load, lambda name: synth.verify(name, "docs"), lambda name: synth.evaluate(name, [])):
        with pytest.raises(InputError, match=f"there is no file {stored}/other.jsonl"):
            verb(f"{stored}/other.jsonl")


def test_a_model_is_named_in_one_word():
    settings = Settings(llm="openai/gpt", n=3)
    assert settings == Settings(model=ModelSettings(name="openai/gpt"), n=3)
    assert replace(settings, n=4).model.name == "openai/gpt"
    assert "llm" not in {field.name for field in fields(settings)}


def test_paths_in_settings_are_texts():
    own = Settings(like=Path("log.txt"), model=ModelSettings(key_file=Path("key")))
    assert (own.like, own.model.key_file) == ("log.txt", "key")
    assert synth.EvaluationSettings(thresholds=Path("t.toml")).thresholds == "t.toml"
    assert synth.Judging(criteria=Path("c.toml")).criteria == "c.toml"


def test_a_table_as_text_has_few_rows_and_short_cells():
    shown = NotebookTable(["a", "b"], [[n, "x" * 500] for n in range(30)], "note").text().splitlines()
    assert len(shown) == MOST_ROWS + 3
    assert shown[-1] == f"note; {MOST_ROWS} of 30 rows"
    assert max(map(len, shown)) < 100


def test_a_smaller_set_says_what_it_replaces_and_a_shortfall_how_many_rows_there_are(here):
    own = Settings(n=1, workspace="ws")
    with pytest.warns(
        FewerRows, match=r"set\.jsonl contains 2 rows, and a complete run replaces them by 1; .*another output"
    ):
        fewer = synth.generate("docs", "set.jsonl", own)
    assert "1 of 1 row; set.jsonl contained 2 rows before" in str(fewer)
    more = synth.generate("docs", "set.jsonl", replace(own, n=40))
    assert f"{len(more.dataset)} of 40 rows" in str(more)


def test_a_frame_gives_back_its_dataset_and_may_be_responses(here):
    rows = Dataset.load("set.jsonl")
    rows[0].add("system", answer="x", score=2)
    again = Dataset.from_pandas(rows.to_pandas())
    assert [item.row() for item in again] == [item.row() for item in rows]
    answers = rows.to_pandas()[["id", "golden_answers"]].assign(answer=[rows[0].golden_answers[0], None])
    result = synth.evaluate("set.jsonl", answers[["id", "answer"]], synth.EvaluationSettings(metrics=("exact_match",)))
    assert result.evaluation.metrics["exact_match"].estimate.mean == 0.5
    with pytest.raises(RecordError, match=r"row 1: unknown field 'question_type'; .*Dataset\.from_pandas"):
        Dataset.of(rows.to_pandas()[["id", "question", "golden_answers", "question_type"]].to_dict("records"))


def test_errors_name_parameters_and_not_options(here):
    for call, said in (
        (lambda: synth.score("set.jsonl", graph=True), "name them with `sources`"),
        (
            lambda: synth.export("set.jsonl", "ragas", None),
            "name an output with `output`, or upload the set with `repository`",
        ),
        (lambda: synth.brief("docs", Settings(workspace="ws")), "name a chat model with `llm` of Settings"),
    ):
        with pytest.raises(SynthError) as error:
            call()
        assert said in str(error.value)


def test_progress_is_shown_on_stderr_or_refused(here, capsys):
    synth.verify("set.jsonl", "docs", Settings(workspace="ws"), progress=True)
    assert "verifying: 2 done" in capsys.readouterr().err
    synth.verify("set.jsonl", "docs", Settings(workspace="ws"), progress=False)
    assert capsys.readouterr().err == ""
    with pytest.raises(ConfigError, match="progress must be True for lines or bars on stderr, None, or an object"):
        synth.verify("set.jsonl", "docs", progress=5)


def test_a_dataset_becomes_a_frame(monkeypatch):
    rows = Dataset([item("Paris", [piece("Paris.")], question_type="simple")])
    rows.add("system", {"q-1": {"answer": "Paris"}})
    frame = rows.to_pandas()
    assert list(frame["golden_answers"]) == [["Paris"]]
    assert list(frame["question_type"]) == ["simple"]
    assert list(frame["system.answer"]) == ["Paris"]
    assert list(Dataset([]).to_pandas().columns) == ["id", "question"]
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingExtra, match=r"Dataset\.to_pandas needs pandas; run: pip install"):
        rows.to_pandas()


def test_a_notebook_shows_tables_with_every_text_escaped():
    rows = Dataset(item("<b>&", [piece("x")], id=f"q-{n}", question="<script>alert(1)</script>") for n in range(30))
    shown = rows._repr_html_()
    assert "<script" not in shown
    assert "&lt;script&gt;alert(1)" in shown
    assert shown.count("<tr>") == MOST_ROWS + 1
    assert f"{MOST_ROWS} of 30 rows" in shown
    assert NotebookTable(["a"], [[None], ["\x1b[0m"]]).html().count("\x1b") == 0


def test_every_result_with_rows_is_a_table(here, tmp_path):
    own = Settings(workspace="ws")
    responses = Path("responses.jsonl")
    for name in ("one", "two"):
        synth.evaluate("set.jsonl", responses, runs="runs", name=name)
    Path("docs/oak.md").write_text(TEXT.replace("1909", "1910"), encoding="utf-8")
    results = [
        synth.verify("set.jsonl", "docs", own),
        synth.update("set.jsonl", "docs", "new.jsonl", own),
        synth.evaluate("set.jsonl", responses, synth.EvaluationSettings(minimums={"exact_match": 0.5})),
        synth.compare("runs"),
        synth.score("set.jsonl"),
        synth.sweep("new.jsonl", "docs", synth.Grid(sizes=(200,), retrievers=("bm25",)), own),
        synth.rejudge("new.jsonl", "docs", "judged.jsonl", own),
        synth.estimate("docs", Settings(n=2, llm="openai/gpt-4o-mini", workspace="ws")),
        synth.generate("docs", settings=own),
    ]
    results += [
        synth.export("set.jsonl", "ragas", "out.jsonl"),
        synth.run("new.jsonl", "docs", settings=own),
        synth.build_graph("docs", own),
        synth.adopt("set.jsonl", "docs", "adopted.jsonl", own),
        synth.check_filters("new.jsonl", "docs", own, plant=1),
        synth.merge("ws", "merged"),
        synth.plan("docs", own),
        synth.export_sheets("set.jsonl", "sheet.csv", synth.ReviewSettings()),
        synth.import_sheets("set.jsonl", "sheet.csv"),
        synth.agreement_on("set.jsonl"),
        synth.accept("set.jsonl"),
        synth.read_shard("docs", synth.Shard(1, 1), own),
    ]
    for result in results:
        assert isinstance(result, Tabular)
        assert len(str(result)) < 4000
        assert str(result).startswith(f"{type(result).__name__}\n")
        table = result.notebook_table()
        assert all(len(row) == len(table.head) for row in table.rows)
        assert result._repr_html_().startswith("<table>")
    assert "0 of 2 rows are valid" in results[0]._repr_html_()
    assert "revise" in results[1]._repr_html_()
    assert "exact_match at least 0.5" in results[2]._repr_html_()


def answers_of(rows, **fields):
    return [{"id": row.id, "answer": row.golden_answers[0], **fields} for row in rows]


def test_an_evaluation_is_a_frame_with_a_line_per_row(here):
    pytest.importorskip("pandas")
    rows = Dataset.load("set.jsonl")
    result = synth.evaluate(rows, answers_of(rows))
    frame = result.to_pandas()
    assert list(frame["id"]) == [row.id for row in rows]
    assert list(frame["exact_match"]) == [1, 1]
    assert len(repr(result.evaluation)) < 100


def test_the_table_of_an_evaluation_has_units_and_slices(here):
    rows = Dataset.load("set.jsonl")
    responses = [{**row, "retrieved": list(rows[row["id"]].documents)} for row in answers_of(rows)]
    settings = synth.EvaluationSettings(by=("question_type",), metrics=("ndcg", "evidence_recall", "exact_match"))
    table = synth.evaluate(rows, responses, settings).notebook_table()
    units = {line[0]: line[-1] for line in table.rows}
    assert units["ndcg@5"] == "document"
    assert units["evidence_recall@5"] == "evidence text"
    assert units["exact_match"] == "answer"
    kind = rows[0].metadata["question_type"]
    assert f"exact_match, question_type={kind}" in units


def test_a_string_that_is_no_id_is_a_text(here):
    rows = Dataset.load("set.jsonl")
    for text in ("## When did Oak station open?\n\nOak station opened in 1909.", "Oak station", "x" * 60, "# Oak line"):
        result = synth.evaluate(rows, answers_of(rows, retrieved=[text, "oak.md"]))
        assert not result.evaluation.notes
    with pytest.warns(UserWarning, match="no text and no id that the testset contains"):
        result = synth.evaluate(rows, answers_of(rows, retrieved=["oak.md", "elsewhere-17"]))
    assert "'elsewhere-17'" in result.notebook_table().note
    with pytest.warns(UserWarning, match="none of the 2 retrieved passages contains evidence"):
        synth.evaluate(rows, answers_of(rows, retrieved=["nothing of it here"]))


def test_a_misspelled_field_is_named_once_with_the_one_that_was_meant(here):
    rows = Dataset.load("set.jsonl")
    with pytest.warns(
        UserWarning, match="unknown field 'retreived' in the responses; did you mean 'retrieved'"
    ) as seen:
        synth.evaluate(rows, answers_of(rows, retreived=["oak.md"], latency=3, reference="x"))
    assert len(seen) == 1


def raised_set():
    """The set in a file whose first row an update marked for review."""
    first, *rest = (row.row() for row in Dataset.load("set.jsonl"))
    first["metadata"]["review"] = {"reason": "the document says otherwise"}
    Dataset.of([first, *rest]).save("raised.jsonl")
    return first["id"]


def test_evaluate_and_export_warn_of_rows_that_an_update_raised(here):
    id = raised_set()
    with pytest.warns(UserWarning, match=f"an update marked 1 row for review.*{id}"):
        result = synth.evaluate("raised.jsonl", "responses.jsonl")
    assert id in result.notebook_table().note
    with pytest.warns(UserWarning, match=f"an update marked 1 row for review.*{id}"):
        assert synth.export("raised.jsonl", "ragas", "out.jsonl").raised == (id,)


def test_the_table_of_an_update_says_how_many_rows_need_review_and_what_to_call(here):
    first, *rest = (row.row() for row in Dataset.load("set.jsonl"))
    first["metadata"]["annotation"] = {"decision": "accept", "annotators": ["ann"]}
    Dataset.of([first, *rest]).save("people.jsonl")
    changed = TEXT.replace("1909", "1919").replace("has 4 platforms", "has 6 platforms")
    Path("docs/oak.md").write_text(changed, encoding="utf-8")
    with pytest.warns(UserWarning, match="1 row needs review: review"):
        done = synth.update("people.jsonl", "docs", "new.jsonl", synth.Settings(workspace="ws"), retire_most=True)
    assert "1 row needs review: review('new.jsonl', ReviewSettings(raised=True)), then accept" in repr(done)
    assert "ReviewSettings" in done._repr_html_()


def test_a_saved_set_keeps_its_manifest_and_the_rejections_of_people(here):
    rejected = Path("set.rejected.jsonl").read_bytes()
    Path("sub").mkdir()
    for name, rows in (("copy", Dataset.load("set.jsonl")), ("part", Dataset.load("set.jsonl")[:1])):
        rows.save(f"sub/{name}.jsonl")
        assert Path(f"sub/{name}.manifest.json").read_bytes() == Path("set.manifest.json").read_bytes()
        assert Path(f"sub/{name}.rejected.jsonl").read_bytes() == rejected
    unwritten = synth.generate("docs", settings=Settings(n=2, workspace="ws")).dataset
    unwritten.where(lambda item: True).save("own.jsonl")
    assert json.loads(Path("own.manifest.json").read_text(encoding="utf-8"))["settings"]["n"] == 2
    as_rows(here).save("rows.jsonl")
    assert not Path("rows.manifest.json").exists()


def test_a_set_that_went_through_a_frame_has_the_same_digest(here):
    pytest.importorskip("pandas")
    first, second = (row.row() for row in Dataset.load("set.jsonl"))
    first["metadata"] |= {"note.of": "x", "question": "y", "weight": 1.0, "empty": None}
    second["metadata"] |= {"count": 2}
    rows = Dataset.of([first, second])
    assert Dataset.from_pandas(rows.to_pandas()).digest == rows.digest
    assert Dataset.of([second, first]).digest != rows.digest


def test_a_row_shows_its_question_answer_and_evidence(here):
    row = Dataset.load("set.jsonl")[0]
    for text in (row.id, row.question, row.golden_answers[0], row.evidence[0].doc_id):
        assert text in repr(row)
