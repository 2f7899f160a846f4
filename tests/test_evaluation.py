"""Evaluation: what is measured of which rows, and what it comes to."""

from dataclasses import dataclass

import pytest

from synth.core.errors import ConfigError, InputError
from synth.evaluation.evaluation import Measurement
from synth.evaluation.evaluation import evaluate as evaluation_of
from synth.evaluation.metrics.base import Metric
from synth.evaluation.responses.reading import Responses
from synth.testset.dataset import Dataset
from synth.workflows.api import evaluate
from synth.workflows.assembly import metrics_named
from synth.workflows.evaluating import EvaluationSettings
from tests.metrics.cases import item, piece


def made_set(n=6):
    return Dataset(
        item(
            f"answer {i}",
            [piece(f"evidence {i}", doc_id=f"{i}.md", chunk_id=f"c-{i}")],
            id=f"q-{i}",
            question=f"Which is number {i}?",
            question_type="simple" if i % 2 else "reasoning",
        )
        for i in range(n)
    )


def answered(n=6, **fields):
    return Responses.of([{"id": f"q-{i}", "answer": f"answer {i}", **fields} for i in range(n)])


def how(*metrics, **more):
    return EvaluationSettings(metrics=metrics, **more)


def mean(found, column):
    return found.evaluation.metrics[column].estimate.mean


def test_a_row_without_a_response_counts_as_empty_and_is_named():
    rows = [{"id": "q-0", "answer": "answer 0", "retrieved": ["c-0"]}, {"id": "zz", "answer": "x"}]
    found = evaluate(made_set(4), Responses.of(rows), how("exact_match", "recall", "evidence_recall", ks=(1,)))
    assert found.evaluation.missing == ("q-1", "q-2", "q-3")
    assert found.evaluation.unknown == ("zz",)
    for column in ("exact_match", "recall@1", "evidence_recall@1"):
        assert mean(found, column) == 0.25
        assert found.evaluation.metrics[column].estimate.n == 4


def test_a_metric_that_no_response_can_have_is_left_out_by_name():
    found = evaluate(made_set(), answered())
    assert found.evaluation.not_given["recall"] == "retrieved"
    assert found.evaluation.not_given["tool_call_f1"] == "tool_calls"
    assert "recall@1" not in found.evaluation.metrics


@pytest.mark.parametrize(
    ("ids", "unit", "recall"),
    [
        (["c-{i}"], "chunk", 5 / 6),
        (["{i}.md", "{i}.md"], "document", 5 / 6),
        (["docs/{i}.md"], "document", 5 / 6),
        ([{"id": "other", "text": "none of it"}], "", None),
    ],
)
def test_what_the_ids_are_is_found_out(ids, unit, recall):
    rows = [{"id": f"q-{i}", "retrieved": [filled(id, i=i) for id in ids]} for i in range(5)]
    found = evaluate(made_set(), Responses.of(rows), how("recall", ks=(1,)))
    assert found.evaluation.unit == unit
    assert mean(found, "recall@1") == (None if recall is None else pytest.approx(recall))


def filled(value, **values):
    """A passage with `{i}` and the like in its texts filled in."""
    if isinstance(value, dict):
        return {name: filled(inner, **values) for name, inner in value.items()}
    return value.format(**values) if isinstance(value, str) else value


PLACES = [
    "docs/{i}.md",
    "/home/ann/project/docs/{i}.md",
    "docs\\{i}.md",
    "C:\\Docs\\{i}.MD",
    "file:///srv/{i}.md",
    "./{i}.md",
    "{i}",
]


@pytest.mark.parametrize("source", PLACES)
@pytest.mark.parametrize(
    "more", [{}, {"start_index": 100}, {"start_index": -1}, {"start_index": "100"}, {"start_index": 90}]
)
@pytest.mark.parametrize("text", ["evidence {i}", "Before it.\nEvidence {i}, and after.", ""])
def test_a_perfect_retriever_of_another_library_is_perfect_however_it_names_a_document(source, more, text):
    if not text and more.get("start_index") in (-1, 90, None):
        return
    ends = {} if text or not more else {"end_index": 200}
    wrong = {"text": "Some other passage.", "metadata": {"source": "docs/none.md"}}
    right = {"page_content": text, "metadata": {"source": source, **more, **ends}}
    rows = [{"id": f"q-{i}", "source_documents": [filled(right, i=i), wrong]} for i in range(6)]
    found = evaluate(made_set(), Responses.of(rows), how("evidence_recall", "recall", ks=(1,)))
    assert mean(found, "evidence_recall@1") == mean(found, "recall@1") == 1.0


@pytest.mark.parametrize(
    "passage",
    [
        "other-{i}",
        {"doc_id": "elsewhere/{i}.txt", "start": 100, "end": 110},
        {"id": "n-{i}", "file_name": "x.md", "start": 0},
        {"doc_id": "elsewhere/{i}.txt", "text": "Nothing of it."},
    ],
)
def test_passages_that_all_belong_to_another_corpus_are_an_error_and_no_zeros(passage):
    rows = [{"id": f"q-{i}", "answer": f"answer {i}", "retrieved": [filled(passage, i=i)]} for i in range(6)]
    with pytest.raises(InputError, match=r"none of the 6 retrieved passages matches the testset: .* ids such as 'c-0'"):
        evaluate(made_set(), Responses.of(rows))
    assert mean(evaluate(made_set(), Responses.of(rows), how("exact_match")), "exact_match") == 1.0
    missed = evaluate(made_set(), Responses.of(rows), how("recall", ks=(1,), unit="chunk"))
    assert mean(missed, "recall@1") == 0.0


def test_a_retriever_that_finds_other_passages_of_the_testset_has_missed():
    rows = [{"id": f"q-{i}", "retrieved": [f"c-{(i + 1) % 6}"]} for i in range(6)]
    assert mean(evaluate(made_set(), Responses.of(rows), how("recall", ks=(1,))), "recall@1") == 0.0


@pytest.mark.parametrize(
    ("scores", "rank_by", "recall"),
    [
        ((1.0, 1.0), "order", 1.0),
        ((0.2, 0.9), "order", 1.0),
        ((0.2, float("nan")), "order", 1.0),
        (("0.2", "0.9"), "order", 1.0),
        (("high", None), "order", 1.0),
        ((0.2, 0.9), "score", 0.0),
        (("0.2", "0.9"), "score", 0.0),
        ((1.0, 1.0), "score", 1.0),
        ((0.2, float("nan")), "score", 1.0),
        (("high", 0.1), "score", 0.0),
    ],
)
def test_the_order_of_the_list_is_the_rank_unless_scores_are_asked_for(scores, rank_by, recall):
    rows = [
        {
            "id": f"q-{i}",
            "retrieved": [{"id": id, "score": score} for id, score in zip((f"c-{i}", "z-9"), scores, strict=True)],
        }
        for i in range(6)
    ]
    found = evaluate(made_set(), Responses.of(rows), how("recall", ks=(1,), rank_by=rank_by))
    assert mean(found, "recall@1") == recall


def test_a_metric_that_throws_stays_in_the_table_and_removes_no_other():
    @dataclass(frozen=True)
    class Broken(Metric):
        """Throws."""

        name = "broken"
        needs = "answer"

        def measure(self, case):
            if case.item.id != "q-0":
                raise ValueError("no such thing")
            return {"broken": 1.0}

    kept = []
    metrics = (Broken(), *metrics_named(["exact_match"]))
    found = evaluation_of(made_set(), answered(), Measurement(metrics=metrics), lambda row, scores: kept.append(scores))
    assert found.metrics["broken"].estimate.n == 1
    ((reason, count),) = found.metrics["broken"].reasons.items()
    assert (reason.partition(" (")[0], count) == ("failed: ValueError: no such thing", 5)
    assert found.metrics["exact_match"].estimate.mean == 1.0
    assert [score.metric for score in kept[3]] == ["broken", "exact_match"]


def test_rows_are_found_by_question_too():
    rows = [{"question": f"Which is number {i}?", "answer": f"answer {i}"} for i in range(6)]
    assert mean(evaluate(made_set(), Responses.of(rows), how("exact_match")), "exact_match") == 1.0


def test_slices_add_up():
    rows = [{"id": f"q-{i}", "answer": "answer 1"} for i in range(6)]
    found = evaluate(made_set(), Responses.of(rows), how("exact_match", by=("question_type", "topic"))).evaluation
    by_type = found.slices["question_type"]
    assert {label: (one["exact_match"].estimate.mean, one["exact_match"].of) for label, one in by_type.items()} == {
        "reasoning": (0.0, 3),
        "simple": (pytest.approx(1 / 3), 3),
    }
    assert list(found.slices["topic"]) == ["(none)"]


def test_rows_without_a_response_and_responses_to_no_row_are_warnings_and_in_the_table():
    with pytest.warns(UserWarning, match="response") as said:
        found = evaluate(made_set(30), Responses.of([{"id": "q-0", "answer": "answer 0"}, {"id": "zz", "answer": ""}]))
    lines = [str(one.message) for one in said]
    assert lines[0].startswith(
        "no response to 29 of 30 rows, which are scored as empty: q-1, q-2, q-3, q-4, q-5 and 24"
    )
    assert lines[1:] == ["1 response ignored, because the testset has no such row: zz"]
    note = found.notebook_table().note
    assert note.startswith("1 of 30 rows have a response; ")
    assert all(line in note for line in lines)


def test_responses_without_a_field_that_is_measured_are_an_error_with_the_known_fields():
    rows = [{"id": f"q-{i}", "answr": f"answer {i}"} for i in range(6)]
    known = "no response has one of the fields answer, retrieved, contexts, tool_calls; the responses have "
    with pytest.raises(InputError, match=f"^{known}'id', 'answr'$"):
        evaluate(made_set(), Responses.of(rows))


def test_two_systems_are_compared_on_the_same_rows():
    other = Responses.of([{"id": f"q-{i}", "answer": "nothing"} for i in range(40)])
    found = evaluate(made_set(40), answered(40), how("exact_match"), compare=other)
    gap = found.differences["exact_match"]
    assert gap.estimate.mean == -1.0
    assert gap.adjusted < 0.01
    table = found.notebook_table()
    assert table.head == ["metric", "first", "second", "second minus first", "from", "to", "p (Holm)", "rows", "by"]
    assert table.rows[0][:4] == ["exact_match", "1.000", "0.000", "-1.000"]
    assert table.rows[0][6:] == [f"{gap.adjusted:.3f}", "40 of 40", "answer"]


def test_the_outputs_of_a_dataset_can_be_evaluated():
    held = made_set(3)
    held.add("generation", {"q-0": {"answer": "Answer 0."}, "q-1": {"answer": "answer 7"}, "q-2": {"answer": ""}})
    assert mean(evaluate(held, settings=how("exact_match")), "exact_match") == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("least", "decision"),
    [({"exact_match": 0.3}, "passed"), ({"exact_match": 0.999}, "failed"), ({"exact_match": 0.6}, "inconclusive")],
)
def test_the_interval_decides(least, decision):
    rows = [{"id": f"q-{i}", "answer": f"answer {i}" if i % 3 else "x"} for i in range(30)]
    found = evaluate(made_set(30), Responses.of(rows), how("exact_match", minimums=least))
    assert found.checks[0].decision == decision
    failure = found.failure()
    assert (failure.exit_code if failure else 0) == {"passed": 0, "failed": 6, "inconclusive": 7}[decision]


def test_a_threshold_of_what_has_no_value_fails():
    found = evaluate(made_set(), answered(), how("numbers_right", "pattern_match", minimums={"pattern_match": 0.5}))
    assert found.checks[0].decision == "failed"
    assert "has no value" in str(found.failure())


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"metrics": ("recal",)}, "unknown metric 'recal'; did you mean recall"),
        ({"metrics": ("recall@x",)}, "a metric at k such as ndcg@10"),
        ({"metrics": ("token_f1@3",)}, "a metric at k such as ndcg@10"),
        ({"ks": (0,)}, "ks must be at least 1, was 0"),
        ({"minimums": {"recall": 0.5}}, "unknown metric or column 'recall'; did you mean recall@5"),
        ({"metrics": ("token_f1",), "minimums": {"token_f1": 80.0}}, "must be from 0 to 1"),
        ({"fold": ("case",)}, "unknown folding 'case'"),
        ({"unit": "page"}, "unit must be one of"),
        ({"rank_by": "id"}, "rank_by must be one of order, score"),
    ],
)
def test_what_makes_no_sense_is_said(given, says):
    with pytest.raises(ConfigError, match=says):
        evaluate(made_set(), answered(), EvaluationSettings(**given))


def test_responses_to_nothing():
    with pytest.raises(InputError, match="no response belongs to a row of the testset; the first response is to 'zz'"):
        evaluate(made_set(), Responses.of([{"id": "zz", "answer": "x"}]))
    with pytest.raises(ConfigError, match="needs responses"):
        evaluate("testset.jsonl")


def test_metrics_by_k():
    (ndcg, recall) = metrics_named(["ndcg@7", "ndcg@3", "recall"], [2])
    assert ndcg.columns == ("ndcg@3", "ndcg@7")
    assert recall.columns == ("recall@2",)
