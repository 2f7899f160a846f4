"""Difficulty is what two retrievers find, and tags say what is wrong with a question as a test of retrieval."""

import numpy as np
import pytest

from synth.core.errors import ConfigError, MissingPartError
from synth.core.records import UNANSWERABLE, Sample
from synth.generation.difficulty import DifficultyBands, DifficultyMeasure, difficulty_measure
from synth.retrieval.base import Passages
from synth.retrieval.dense import Dense
from tests.corpus import corpus, sample

ENGLISH = {
    "kell": "The Kell lighthouse was built in 1811 by Robert Stevenson. Its lamp burned oil.",
    "bell": "The Bell lighthouse was built in 1790. Its lamp burned coal.",
    "dun": "The Dun lighthouse was built in 1850. Its lamp burned gas.",
    "harbour": "The harbour has two piers and a market for fish.",
}
CHINESE = {
    "kell": "凯尔灯塔由罗伯特建于1811年。塔上的灯烧油。",
    "bell": "贝尔灯塔建于1790年。塔上的灯烧煤。",
    "dun": "敦恩灯塔建于1850年。塔上的灯烧气。",
    "harbour": "港口有两座码头和一个卖鱼的市场。",
}
ASKED = [
    (ENGLISH, "Who built the Kell lighthouse that Robert planned?", "Robert Stevenson", "easy"),
    (ENGLISH, "In which year was the lighthouse built?", "1850", "medium"),
    (CHINESE, "罗伯特建的凯尔灯塔建于哪一年？", "1811年", "easy"),
    (CHINESE, "灯塔建于哪一年？", "1850年", "medium"),
]


def asked(texts, question, answer):
    of = corpus(**texts)
    quote = next(text for text in texts.values() if answer in text).split("。")[0].split(". ")[0]
    return of, sample(of, question, answer, quote)


@pytest.mark.parametrize(("texts", "question", "answer", "level"), ASKED)
def test_a_question_is_as_hard_as_its_passage_is_to_find(texts, question, answer, level):
    of, one = asked(texts, question, answer)
    metadata = DifficultyMeasure(of).measured(one).metadata
    assert metadata["difficulty"] == level
    assert metadata["difficulty_signals"]["hops"] == 1
    assert 0 < metadata["difficulty_signals"]["overlap"]["words"] <= 1


@pytest.mark.parametrize("texts", [ENGLISH, CHINESE])
def test_what_other_passages_fit_better_is_hard(texts):
    question = "Who sells coal at the Bell lighthouse?" if texts is ENGLISH else "贝尔灯塔的煤由谁买卖？"
    of, one = asked(texts, question, "two piers" if texts is ENGLISH else "两座码头")
    metadata = DifficultyMeasure(of, DifficultyBands(medium=1)).measured(one).metadata
    assert metadata["difficulty"] == "hard"
    assert metadata["difficulty_signals"]["lead"] < 1


@pytest.mark.parametrize(
    ("question", "level"), [("What does DAG stand for?", "medium"), ("Which staff keep the DAG?", "hard")]
)
def test_a_question_for_one_word_is_not_hard(question, level):
    uses = {f"use-{n}": f"Each DAG runs DAG number {n}; the DAG staff keep the DAG." for n in range(6)}
    of = corpus(terms="Terms: directed acyclic graph (DAG). " + "The list of other terms is long. " * 9, **uses)
    one = sample(of, question, "directed acyclic graph", "Terms: directed acyclic graph (DAG)")
    metadata = DifficultyMeasure(of).measured(one).metadata
    assert metadata["difficulty_signals"]["bm25_rank"] > 3
    assert metadata["difficulty"] == level


@pytest.mark.parametrize(("texts", "question", "answer"), [
    (ENGLISH, "In which year was the lighthouse built?", "1850"),
    (CHINESE, "灯塔建于哪一年？", "1850年"),
])  # fmt: skip
def test_a_question_that_many_passages_fit_is_tagged(texts, question, answer):
    of, one = asked(texts, question, answer)
    assert "vague" in DifficultyMeasure(of, DifficultyBands(vague=2, as_well=0.5)).measured(one).metadata["tags"]
    assert "vague" not in DifficultyMeasure(of, DifficultyBands(vague=3, as_well=0.5)).measured(one).metadata.get(
        "tags", ()
    )


@pytest.mark.parametrize(("texts", "question", "answer"), [
    (ENGLISH, "Who was the Kell lighthouse built by in 1811?", "Robert Stevenson"),
    (CHINESE, "凯尔灯塔由罗伯特建于哪一年？", "1811年"),
])  # fmt: skip
def test_copied_wording_and_what_keywords_find_are_tagged(texts, question, answer):
    of, one = asked(texts, question, answer)
    found = DifficultyMeasure(of, DifficultyBands(keyword=1.2, copied=0.5)).measured(one).metadata["tags"]
    assert {"keyword", "copied_wording"} <= set(found)
    assert "keyword" not in DifficultyMeasure(of, DifficultyBands(keyword=9.0)).measured(one).metadata.get("tags", ())


class Contrary:
    """An encoder for which a question is unlike its passage."""

    name, dimension = "contrary", 2

    def encode(self, texts):
        return np.array([[1.0, 0.0] if text.endswith(("?", "？")) or "harbour" in text or "港" in text else [0.0, 1.0]
                         for text in texts], dtype=np.float32)  # fmt: skip


@pytest.mark.parametrize(("texts", "question", "answer", "level"), ASKED[::2])
def test_what_the_encoder_does_not_find_is_not_easy(texts, question, answer, level):
    of, one = asked(texts, question, answer)
    chunks = list(of.chunks())
    dense = Dense(Passages(tuple(c.chunk_id for c in chunks), tuple(c.text for c in chunks)), Contrary())
    metadata = DifficultyMeasure(of, DifficultyBands(dense_easy=1, dense_medium=1), dense).measured(one).metadata
    assert metadata["difficulty_signals"]["dense_rank"] == 2
    assert metadata["difficulty_signals"]["similarity"] == 0.0
    assert metadata["difficulty"] == "hard"


def test_what_has_no_evidence_has_no_difficulty():
    one = Sample(question="How high?", golden_answers=(), evidence=(), question_type=UNANSWERABLE, language="en")
    assert DifficultyMeasure(corpus(**ENGLISH)).measured(one) is one


def missing():
    raise MissingPartError("no encoder")


def test_the_encoder_looks_where_it_is_cheap_or_wanted():
    of = corpus(**ENGLISH)
    assert difficulty_measure(of, DifficultyBands(), Contrary).dense is not None
    assert difficulty_measure(of, DifficultyBands(encoder_characters=10), Contrary).dense is None
    assert difficulty_measure(of, DifficultyBands(encoder_characters=10), Contrary, asked=True).dense is not None
    assert difficulty_measure(of, DifficultyBands(encoder="off"), missing).dense is None
    assert difficulty_measure(of, DifficultyBands(), missing).dense is None
    with pytest.raises(MissingPartError):
        difficulty_measure(of, DifficultyBands(encoder="on"), missing)


@pytest.mark.parametrize(
    "bad", [{"medium": 0}, {"dense_easy": 60}, {"encoder": "maybe"}, {"as_well": 0}, {"copied": 2}]
)
def test_bands_that_make_no_sense_are_named(bad):
    with pytest.raises(ConfigError, match=r"bands\." + next(iter(bad))):
        DifficultyBands(**bad)
