"""Comparison of words: negation, and answers in texts."""

import pytest

from synth.generation.matching.agreement import states_answer
from synth.generation.matching.negation import negated


def test_negations_are_counted():
    assert negated("no fog", "en")
    assert not negated("not without hope, not at all", "en")
    assert negated("不开放", "zh-Hans")
    assert not negated("能不能开放", "zh-Hans")
    assert not negated("無論如何，是否開放", "zh-Hant")


@pytest.mark.parametrize(
    ("text", "answer", "language", "said"),
    [
        ("The tower is 2 km from the quay.", "2,000 metres", "en", True),
        ("The tower is 2 km from the quay.", "2,001 metres", "en", False),
        ("灯塔离码头2公里。", "2000米", "zh-Hans", True),
        ("The tower was built by Maria Keller.", "maria keller", "en", True),
        ("The tower was built by Maria Keller.", "Otto Keller", "en", False),
    ],
)
def test_a_text_gives_an_answer_in_its_words_or_as_the_same_amount(text, answer, language, said):
    assert states_answer(text, answer, language) == said
