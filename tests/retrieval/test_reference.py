"""The reference retrievers: one protocol, both languages and scripts, and graded as they say."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.models.encoders.hashed import HashedEncoder
from synth.retrieval.base import Passages, best
from synth.retrieval.bm25 import Bm25
from synth.retrieval.fusion import Fused
from synth.retrieval.reference import DESCRIPTIONS, NEED_ENCODER, pieces, reference, some_words
from synth.text.stems import stems
from tests.retrieval.made import PASSAGES, QUESTIONS

ALL = reference(PASSAGES, HashedEncoder(256))


def test_there_are_fourteen_and_eleven_without_an_encoder():
    assert list(ALL) == list(DESCRIPTIONS)
    assert len(ALL) == 14
    assert {*ALL} - {*reference(PASSAGES, None)} == {*NEED_ENCODER}


@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_each_gives_the_best_first_and_no_passage_twice(name):
    for question in QUESTIONS.values():
        found = ALL[name].search(question, 4)
        assert len(found) <= 4
        assert [score for _, score in found] == sorted((score for _, score in found), reverse=True)
        assert len({id for id, _ in found}) == len(found)
        assert found == ALL[name].search(question, 4)


@pytest.mark.parametrize("name", ["bm25", "bm25_pieces", "hybrid", "encoder_sentences", "overlap", "hashed"])
@pytest.mark.parametrize("wanted", QUESTIONS)
def test_the_good_ones_find_the_passage_in_every_language(name, wanted):
    assert ALL[name].search(QUESTIONS[wanted], 1)[0][0] == wanted


def test_what_has_nothing_to_do_with_the_query_is_not_found():
    assert ALL["bm25"].search("zebra crossing", 3) == []
    assert ALL["overlap"].search("斑马线", 3) == []


def test_the_scripts_of_chinese_find_each_other():
    assert ALL["bm25"].search("石桥的桥面铺着什么？", 1)[0][0] == "hant-bridge"


def test_a_weakened_one_knows_only_some_words():
    every, half = (some_words("lamp ferry granite quarry horses keeper gallery pier ticket carts", s) for s in (1, 0.5))
    assert set(half) < set(every)
    assert half == [word for word in every if word in set(half)]
    assert ALL["bm25_opening"].search("Who lived below the gallery?", 1) == []


def test_words_of_one_stem_and_pieces_of_words():
    assert stems("decided decision 大坝") == ["decid", "decis", "大坝"]
    assert pieces("lamps 大坝高") == ["lamp", "amps", "大坝", "坝高"]


def test_fusion_puts_first_what_both_put_high():
    passages = Passages(("a", "b", "c"), ("lamp lamp", "lamp pier", "pier pier"))
    fused = Fused((Bm25(passages), Bm25(passages, b=0.0)))
    assert {id for id, _ in fused.search("lamp", 3)} == {"a", "b"}
    assert Fused((Bm25(passages),)).search("zebra", 3) == []


def test_ties_go_by_id():
    import numpy as np

    assert best(("c", "a", "b"), np.array([1.0, 1.0, 0.5]), 2) == [("a", 1.0), ("c", 1.0)]
    assert best(("c", "a"), np.array([0.0, 2.0]), 9) == [("a", 2.0), ("c", 0.0)]


@given(st.lists(st.sampled_from([-1.0, 0.0, 0.0, 0.5, 0.5, 1.0, 2.0]), min_size=1, max_size=40), st.integers(1, 45))
def test_the_best_are_those_of_all_in_order(scores, count):
    import numpy as np

    ids = [f"p{n * 7 % 41:02}" for n in range(len(scores))]
    every = sorted(zip(ids, scores, strict=True), key=lambda pair: (-pair[1], pair[0]))
    assert best(ids, np.array(scores), count) == every[:count]
