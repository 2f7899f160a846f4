"""Each export read by the tool itself where it is light enough to be a test dependency, else held to its documented schema."""

import csv
import io
import json
from dataclasses import replace
from uuid import UUID

import pyarrow.parquet as parquet
import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st
from langsmith.schemas import ExampleCreate
from openai.types.evals.create_eval_jsonl_run_data_source import SourceFileContentContent

from synth.core.records import UNANSWERABLE, Sample
from synth.testset.exporters.base import ExportInput
from synth.testset.exporters.bedrock import MOST_PROMPTS, Bedrock
from synth.testset.exporters.beir import Beir
from synth.testset.exporters.csv_table import CsvTable
from synth.testset.exporters.deepeval import DeepEval
from synth.testset.exporters.huggingface import HuggingFace
from synth.testset.exporters.langfuse import Langfuse
from synth.testset.exporters.langsmith import LangSmith
from synth.testset.exporters.llamaindex import LlamaIndex, LlamaIndexRetrieval
from synth.testset.exporters.openai_evals import OpenAIEvals, OpenAIEvalsFramework
from synth.testset.exporters.phoenix import Phoenix
from synth.testset.exporters.promptfoo import Promptfoo
from synth.testset.exporters.ragas import Ragas
from synth.text.cells import guarded, unguarded
from tests.exporters.sets import small


@pytest.fixture(scope="module")
def material():
    held, samples = small()
    also = {
        "replaces": 0,
        **{name: getattr(samples[2].evidence[0], name) for name in ("doc_id", "start", "end", "text")},
    }
    samples[1] = replace(samples[1], metadata={"alternatives": [also], "difficulty": "hard"})
    nothing = Sample(
        question="Who painted the pump?", golden_answers=(), evidence=(), question_type=UNANSWERABLE, language="en"
    )
    return ExportInput("pumps", [*samples, nothing], list(held.chunks()), {"pump.md": "Pumps"})


def only(exporter, material):
    ((name, content),) = exporter.files(material)
    assert name == ""
    return content.decode("utf-8")


def lines(exporter, material):
    return [json.loads(line) for line in only(exporter, material).splitlines()]


def test_ragas_by_its_schema(material):
    """Fields of ragas.dataset_schema.SingleTurnSample, 0.4.3: all optional, texts but for the lists of texts."""
    rows = lines(Ragas(), material)
    assert [row["user_input"] for row in rows] == [sample.question for sample in material.samples]
    assert rows[1]["reference"] == "四十升"
    assert rows[1]["reference_contexts"] == ["雾溪泵站每秒输水四十升。"]
    assert (rows[3]["reference"], rows[3]["reference_contexts"]) == (None, [])
    assert {*rows[0]} - {"metadata"} <= {"user_input", "reference", "reference_contexts"}


def test_deepeval_by_its_schema(material):
    """Keys that deepeval.dataset.EvaluationDataset.add_goldens_from_json_file looks for by default, 4.3.1."""
    goldens = json.loads(only(DeepEval(), material))
    assert {*goldens[0]} == {"input", "expected_output", "context", "source_file", "additional_metadata"}
    assert goldens[0]["source_file"] == "pump.md"
    assert goldens[2]["context"] == ["閥門為黃銅製。"]
    assert goldens[3]["expected_output"] is None


def test_langsmith_by_its_own_model(material):
    """Read by langsmith.schemas.ExampleCreate, what the client makes of each example."""
    rows = lines(LangSmith(), material)
    examples = [ExampleCreate(**row) for row in rows]
    assert examples[1].inputs == {"question": "雾溪泵站每秒输水多少升？"}
    assert rows[1]["outputs"]["answer"] == "四十升"
    assert len({UUID(row["id"]) for row in rows}) == len(rows)
    assert rows == lines(LangSmith(), material)


def test_langfuse_by_its_schema(material):
    """Arguments of langfuse.Langfuse.create_dataset_item, 5.0.4; ids unique in a project."""
    rows = lines(Langfuse(), material)
    assert {*rows[0]} == {"id", "input", "expected_output", "metadata"}
    assert rows[0]["id"] == f"pumps-{material.samples[0].id}"


def test_phoenix_by_its_schema(material):
    """The JSON body of POST /v1/datasets/upload in Phoenix' OpenAPI description: lists of objects, equally long."""
    body = json.loads(only(Phoenix(), material))
    assert (body["action"], body["name"]) == ("create", "pumps")
    for name in ("inputs", "outputs", "metadata"):
        assert len(body[name]) == 4
        assert all(isinstance(one, dict) for one in body[name])


def test_openai_evals_by_its_own_model(material):
    """Read by the model of the openai library for a line of a run's file."""
    items = [SourceFileContentContent.model_validate(row, strict=True) for row in lines(OpenAIEvals(), material)]
    assert items[2].item["answer"] == "黃銅"


def test_openai_evals_framework_by_its_schema(material):
    """Samples of openai/evals (docs/build-eval.md): `input` is chat messages, `ideal` a text or texts."""
    rows = lines(OpenAIEvalsFramework(), material)
    assert len(rows) == 3
    assert rows[0]["input"] == [{"role": "user", "content": material.samples[0].question}]
    assert rows[0]["ideal"] == ["1931"]


def test_promptfoo_by_its_schema(material):
    """TestCase of promptfoo's config-schema.json: vars are texts (a list would make a test of each entry)."""
    cases = lines(Promptfoo(), material)
    assert {*cases[0]} <= {"description", "vars", "assert", "metadata"}
    assert all(isinstance(value, str) for case in cases for value in case["vars"].values())
    assert cases[0]["assert"] == [{"type": "factuality", "value": "{{reference}}"}]
    assert "assert" not in cases[3]


def test_bedrock_by_its_schema_and_in_files_of_a_thousand(material):
    """The user guide's prompt dataset: conversationTurns with prompt and referenceResponses or referenceContexts."""
    many = ExportInput(
        "many", [replace(material.samples[0], question=f"Question {n}?") for n in range(MOST_PROMPTS + 1)]
    )
    files = {name: content.decode().splitlines() for name, content in Bedrock().files(many)}
    assert {name: len(rows) for name, rows in files.items()} == {
        "retrieve-and-generate-001.jsonl": 1000,
        "retrieve-001.jsonl": 1000,
        "retrieve-and-generate-002.jsonl": 1,
        "retrieve-002.jsonl": 1,
    }
    turn = {
        "prompt": {"content": [{"text": "Question 1000?"}]},
        "referenceResponses": [{"content": [{"text": "1931"}]}],
    }
    assert json.loads(files["retrieve-and-generate-002.jsonl"][0]) == {"conversationTurns": [turn]}
    assert "referenceContexts" in json.loads(files["retrieve-001.jsonl"][0])["conversationTurns"][0]


def test_beir_by_its_loaders_rules_and_trec_by_pytrec_eval(material):
    """BEIR: the files and columns of beir.datasets.data_loader.GenericDataLoader. TREC: read by pytrec_eval."""
    files = {name: content.decode() for name, content in Beir().files(material)}
    corpus = {row["_id"]: row for row in map(json.loads, files["corpus.jsonl"].splitlines())}
    queries = {row["_id"]: row["text"] for row in map(json.loads, files["queries.jsonl"].splitlines())}
    table = list(csv.reader(io.StringIO(files["qrels/test.tsv"]), delimiter="\t", quoting=csv.QUOTE_NONE))
    assert table[0] == ["query-id", "corpus-id", "score"]
    judged = {}
    for query, passage, score in table[1:]:
        assert query in queries
        judged.setdefault(query, {})[passage] = int(score)
    assert pytrec_eval.parse_qrel(io.StringIO(files["qrels/test.trec"])) == judged
    found = [corpus[name]["metadata"]["doc_id"] for name in judged[material.samples[1].id]]
    assert found == ["泵站.md", "泵站繁.md"], "further evidence is relevant too"
    assert next(row["title"] for row in corpus.values() if row["metadata"]["doc_id"] == "pump.md") == "Pumps"
    assert material.samples[3].id not in judged


def test_huggingface_by_pyarrow_and_by_the_rules_of_its_card(material):
    """Parquet read by pyarrow; the card's front matter as the hub's "Data files configuration" describes it."""
    import yaml

    files = dict(HuggingFace().files(material))
    rows = parquet.read_table(io.BytesIO(files["data/test-00000-of-00001.parquet"])).to_pylist()
    assert [row["question"] for row in rows] == [sample.question for sample in material.samples]
    assert rows[2]["evidence"][0]["text"] == "閥門為黃銅製。"
    assert [json.loads(line)["id"] for line in files["testset.jsonl"].splitlines()] == [row["id"] for row in rows]
    assert json.loads(rows[1]["metadata"])["difficulty"] == rows[1]["difficulty"] == "hard"
    head = yaml.safe_load(files["README.md"].decode().split("---")[1])
    assert head["language"] == ["en", "zh"]
    paths = {one["config_name"]: one["data_files"][0]["path"] for one in head["configs"]}
    assert paths == {"default": "data/test-*.parquet", "corpus": "corpus/test-*.parquet"}
    assert len(parquet.read_table(io.BytesIO(files["corpus/test-00000-of-00001.parquet"]))) == 3


def test_llamaindex_by_its_schemas(material):
    """LabelledRagDataExample and EmbeddingQAFinetuneDataset of llama-index-core 0.14.5: required fields, ids that match."""
    example = json.loads(only(LlamaIndex(), material))["examples"][3]
    assert example["reference_answer"] == ""
    assert example["query_by"] == {"model_name": "synth", "type": "ai"}
    held = json.loads(only(LlamaIndexRetrieval(), material))
    assert held["queries"].keys() == held["relevant_docs"].keys()
    assert all(name in held["corpus"] for names in held["relevant_docs"].values() for name in names)
    assert len(held["queries"]) == 3


def test_csv_has_no_formula_and_opens_as_utf8(material):
    """RFC 4180 by Python's csv reader; formulas by OWASP's list of what starts one."""
    formula = replace(material.samples[0], question='=HYPERLINK("x")', golden_answers=("-1", "\t+2", "＝3", "@4"))
    content = only(CsvTable(), ExportInput("pumps", [formula, *material.samples]))
    assert content.startswith("\ufeff")
    row = next(csv.DictReader(io.StringIO(content.removeprefix("\ufeff"), newline=""), strict=True))
    assert [row[name] for name in ("question", "answer", "answer_2", "answer_3", "answer_4")] == [
        '\'=HYPERLINK("x")',
        "'-1",
        "'\t+2",
        "'＝3",
        "'@4",
    ]
    assert row["start"] == str(formula.evidence[0].start)


@given(st.text(alphabet="'=+-@\t\r\nａ＝x 雾"))
def test_a_guarded_cell_is_no_formula_and_comes_back(text):
    assert unguarded(guarded(text)) == text
    assert not guarded(text).startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
