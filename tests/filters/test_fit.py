"""How well a passage fits a question, compared with the corpus; and two questions in one."""

from dataclasses import replace

import pytest

from synth.generation.filters.answerable import Answerable, fit
from synth.generation.filters.well_formed import WellFormed
from tests.corpus import corpus, sample

KELL = "The Kell lighthouse was built in 1811 by Robert Stevenson."
BELL = "The Bell lighthouse was built in 1790 by Ann Moor."
HANS = {"凯": "凯尔灯塔由罗伯特建于1811年。", "贝": "贝尔灯塔由安娜建于1790年。"}
HANT = {"凱": "凱爾燈塔由羅伯特建於1811年。", "貝": "貝爾燈塔由安娜建於1790年。"}
CASES = [
    (
        corpus(kell=KELL, bell=BELL, fish="Fish is sold at the pier."),
        "Who built the Kell lighthouse?",
        KELL,
        BELL,
        "en",
    ),
    (corpus(**HANS, 鱼="码头上卖鱼。"), "罗伯特的凯尔灯塔建于哪一年？", HANS["凯"], HANS["贝"], "zh-Hans"),
    (corpus(**HANT, 魚="碼頭上賣魚。"), "羅伯特的凱爾燈塔建於哪一年？", HANT["凱"], HANT["貝"], "zh-Hant"),
]


@pytest.mark.parametrize(("of", "question", "own", "other", "language"), CASES)
def test_the_own_passage_fits_better_than_the_next_best(of, question, own, other, language):
    chunks = {chunk.text: chunk.chunk_id for chunk in of.chunks()}
    assert fit(question, chunks[own], of) > fit(question, chunks[other], of)
    answer = "Robert Stevenson" if language == "en" else "1811年"
    right = sample(of, question, answer, own, language=language)
    least = (fit(question, chunks[own], of) + fit(question, chunks[other], of)) / 2
    filter_ = Answerable(min_fit=least)
    assert filter_.decide(right, of).kept
    wrong = replace(right, evidence=sample(of, question, answer, other, language=language).evidence)
    verdict = filter_.decide(wrong, of)
    assert not verdict.kept
    assert "fit of passage and question" in verdict.reason


def test_a_passage_with_all_words_of_the_question_fits_however_often_others_have_them():
    told = "Subscriber: a party who received a credential."
    of = corpus(told=told, often="Subscriber, subscriber. The subscriber pays; a subscriber may be a subscriber.")
    row = sample(of, "What does the term subscriber mean?", "a party who received a credential", told)
    assert Answerable(min_fit=1.0).decide(row, of).kept
    other = replace(row, question="What does the term subscriber of the pier mean?")
    assert not Answerable(min_fit=1.0).decide(other, corpus(told=told, pier="The pier is long.")).kept


@pytest.mark.parametrize("evidence", [0, 2])
def test_without_one_passage_fit_is_not_checked(evidence):
    of, question, own, other, language = CASES[0]
    pieces = [piece for text in (own, other) for piece in sample(of, question, "Stevenson", text).evidence]
    row = replace(sample(of, question, "Stevenson", own), evidence=tuple(pieces[:evidence]), language=language)
    verdict = Answerable(min_fit=1.0).check(row, of)
    assert verdict.kept
    assert verdict.score is None


@pytest.mark.parametrize(("question", "language", "kept"), [
    ("When was the Kell lighthouse built, and who built it in Kell?", "en", False),
    ("Who built the Kell lighthouse and in which year was it lit?", "en", False),
    ("What happens when the fog comes and the keeper is asleep?", "en", True),
    ("Which of the two was built first, the Kell or the Bell lighthouse?", "en", True),
    ("凯尔灯塔建于哪一年，塔高多少米？", "zh-Hans", False),
    ("凱爾燈塔是誰建的，建於哪一年？", "zh-Hant", False),
    ("谁是凯尔灯塔的设计者，贝尔灯塔点亮，是哪一年的事情？", "zh-Hans", False),
    ("如果起雾，守塔人会做什么？", "zh-Hans", True),
    ("凱爾燈塔和貝爾燈塔，哪一座建得更早？", "zh-Hant", True),
])  # fmt: skip
def test_two_questions_in_one_are_refused(question, language, kept):
    of, _, own, _, _ = CASES[0]
    one = replace(sample(of, question, "1811", own), language=language)
    verdict = WellFormed().decide(one, of)
    assert verdict.kept is kept, verdict.reason
