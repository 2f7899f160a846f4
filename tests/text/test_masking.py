"""Words of a text masked in another."""

import pytest

from synth.text.masking import without_words


@pytest.mark.parametrize(
    ("text", "masked", "gapped"),
    [
        (
            "How much leave do keepers of rock stations have?",
            "A rock station",
            "How much leave do keepers of ____ have?",
        ),
        ("When was Robert Stevenson born?", "Robert Stevenson", "When was ____ born?"),
        ("礁石站的看守人每年休假多久？", "礁石站", "____的看守人每年休假多久？"),
        ("When was the builder born?", "Robert Stevenson", "When was the builder born?"),
        ("When was it lit?", "", "When was it lit?"),
    ],
)
def test_the_words_of_an_answer_become_a_gap(text, masked, gapped):
    assert without_words(text, masked) == gapped
