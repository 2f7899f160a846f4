"""Context precision, recall by id, by ROUGE-L and by evidence, and recall of entities."""

import pytest

from synth.core.records import Passage
from synth.evaluation.measuring.ranking import average_precision_of
from tests.metrics.cases import case, item, piece, place, scores, value

DAM = piece("The Hoover Dam was opened in 1936 by President Roosevelt.")
NOISE = Passage(text="Nothing of that kind is said here.")


def said(*texts):
    return tuple(Passage(text=text) for text in texts)


@pytest.mark.parametrize(
    ("matters", "wanted"),
    [([1, 0, 1], (1 + 2 / 3) / 2), ([0, 1], 0.5), ([0, 0], 0.0), ([], 0.0), ([1, 1, 1], 1.0)],
)
def test_context_precision_is_ragas_formula(matters, wanted):
    assert average_precision_of([bool(one) for one in matters]) == pytest.approx(wanted)


def test_context_precision_goes_by_evidence_or_by_id():
    row = item(evidence=[DAM])
    assert value("context_precision_evidence", case(row, contexts=(NOISE, *said("x " + DAM.text)))) == 0.5
    ids = (Passage(id="c-7"), Passage(id="c-8"), Passage(id="c-1"))
    assert value("context_precision_evidence", case(item(relevance={"c-1": 1}), contexts=ids)) == pytest.approx(1 / 3)


def test_context_recall_by_id_counts_each_relevant_id_once():
    row = item(evidence=[DAM, piece("Other.", chunk_id="c-2")])
    ids = (Passage(id="c-1"), Passage(id="c-1"), Passage(id="c-5"))
    assert value("context_recall_id", case(row, contexts=ids)) == 0.5


def test_contexts_not_given_are_what_was_retrieved():
    assert value("context_recall_evidence", case(item(evidence=[DAM]), retrieved=(place(0, 500),))) == 1.0


@pytest.mark.parametrize(
    ("evidence", "context", "wanted"),
    [
        ("The dam was opened in 1936.", "Long before, the dam was opened in 1936, people say, and so on and on.", 1.0),
        ("The dam was opened in 1936.", "The dam had been opened, in the end, in 1936.", 1.0),
        ("The dam was opened in 1936.", "The bridge is near.", 0.0),
        ("水库于2021年建成。", "據說，水庫於２０２１年建成，並使用至今。", 1.0),
    ],
)
def test_context_recall_by_rouge_finds_a_verbatim_substring(evidence, context, wanted):
    assert value("context_recall_rouge", case(item(evidence=[piece(evidence)]), contexts=said(context))) == wanted


def test_without_texts_there_is_no_rouge():
    found = scores("context_recall_rouge", case(item(evidence=[DAM]), contexts=(Passage(id="c"),)))[
        "context_recall_rouge"
    ]
    assert (found.value, found.reason) == (None, "the contexts have no texts")


def test_entity_recall_is_of_set_over_set_in_both_languages():
    opened = piece("Franklin Roosevelt opened the dam in Nevada in 1936.")
    contexts = said("Franklin Roosevelt came in 1936. Franklin Roosevelt spoke.", "Franklin Roosevelt left.")
    found = value("context_entity_recall", case(item(evidence=[opened, opened]), contexts=contexts))
    assert found == pytest.approx(2 / 3)
    row = item(evidence=[piece("三峡大坝位于湖北省宜昌市。")])
    assert value("context_entity_recall", case(row, contexts=said("三峽大壩在湖北省宜昌市。"))) == 1.0
    assert value("context_entity_recall", case(row, contexts=said("没有说到。"))) == 0.0
