"""An unanswerable question passes when nothing in the corpus answers it, and it is about the corpus."""

from dataclasses import replace

import pytest

from synth.generation.filters.answerable import Answerable
from synth.generation.filters.copied import Copied
from synth.generation.filters.grounded import Grounded
from synth.generation.filters.leaked_answer import LeakedAnswer
from synth.generation.filters.self_contained import SelfContained
from synth.generation.filters.specific import Specific
from synth.generation.filters.unanswered import Unanswered
from synth.generation.filters.well_formed import WellFormed
from synth.generation.filters.worth_asking import WorthAsking
from tests.corpus import corpus, sample
from tests.filters.rows import unanswerable

TEXTS = {
    "kell": "The Kell lighthouse was built in 1811. Its lamp burns oil, and the keeper sounds a horn in fog.",
    "bell": "The Bell Rock lighthouse stands on a reef. Robert Stevenson was its engineer.",
    "凯尔": "凯尔灯塔建于1811年。灯里烧的是油，起雾时守塔人鸣雾笛。",
    "贝尔": "贝尔灯塔立在礁石上。罗伯特·史蒂文森是它的工程师。",
    "凱爾": "凱爾燈塔建於1811年。燈裡燒的是油，起霧時守塔人鳴霧笛。",
    "貝爾": "貝爾燈塔立在礁石上。羅伯特·史蒂文生是它的工程師。",
    "rope": "The ropes of the harbour are made of hemp. They are tarred every autumn in the shed by the quay.",
}
QUESTIONS = [
    ("When was the Bell Rock lighthouse built?", "en", "The Bell Rock lighthouse was built in 1820."),
    ("How high is the Kell lighthouse?", "en", "The Kell lighthouse has a height of 35 metres."),
    ("贝尔灯塔建于哪一年？", "zh-Hans", "贝尔灯塔建于1820年。"),
    ("凯尔灯塔有多高？", "zh-Hans", "凯尔灯塔高35米。"),
    ("貝爾燈塔建於哪一年？", "zh-Hant", "貝爾燈塔建於1820年。"),
    ("凱爾燈塔有多高？", "zh-Hant", "凱爾燈塔高35米。"),
]
OF = corpus(**TEXTS)


@pytest.mark.parametrize(("question", "language", "answer"), QUESTIONS)
def test_what_the_corpus_does_not_say_passes(question, language, answer):
    verdict = Unanswered().decide(unanswerable(question, language), OF)
    assert verdict.kept, verdict.reason


@pytest.mark.parametrize(("question", "language", "answer"), QUESTIONS)
def test_what_another_document_answers_is_refused(question, language, answer):
    of = corpus(**TEXTS, tale=answer)
    verdict = Unanswered().decide(unanswerable(question, language), of)
    assert not verdict.kept
    assert "'tale' seems to answer the question" in verdict.reason


def test_an_answer_in_the_sentence_after_counts():
    of = corpus(**TEXTS, tale="Far out stands the Bell Rock lighthouse. It was built in 1820 by forty men.")
    assert "seems to answer" in Unanswered().decide(unanswerable("When was the Bell Rock lighthouse built?"), of).reason


@pytest.mark.parametrize(
    ("question", "language"),
    [
        ("Which enzyme catalyses photosynthesis in chloroplasts?", "en"),
        ("叶绿体的光合作用由哪种酶催化？", "zh-Hans"),
        ("葉綠體的光合作用由哪種酶催化？", "zh-Hant"),
    ],
)
def test_a_question_about_something_else_is_refused(question, language):
    assert "does not cover the topic" in Unanswered().decide(unanswerable(question, language), OF).reason


def test_answers_and_evidence_are_not_allowed():
    answered = sample(OF, "When was the Kell lighthouse built?", "1811", "The Kell lighthouse was built in 1811.")
    assert (
        "marked unanswerable, but has an answer or evidence"
        in Unanswered().decide(replace(answered, question_type="unanswerable"), OF).reason
    )
    assert Unanswered().decide(answered, OF).kept


FILTERS = [Answerable(), Copied(), Grounded(), LeakedAnswer(), SelfContained(), Specific(), WellFormed(), WorthAsking()]


@pytest.mark.parametrize("filter_", FILTERS, ids=lambda filter_: filter_.name)
@pytest.mark.parametrize(("question", "language", "answer"), QUESTIONS)
def test_other_filters_let_it_by(filter_, question, language, answer):
    verdict = filter_.decide(unanswerable(question, language), OF)
    assert verdict.kept, verdict.reason
