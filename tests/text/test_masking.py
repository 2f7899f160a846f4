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
        ("繳了24,510元學雜費退多少？", "24,510", "繳了____元學雜費退多少？"),
        ("測驗14:00做完，再過多久？", "14:00", "測驗____做完，再過多久？"),
        ("When did the N. Sane Trilogy appear?", "N. Sane Trilogy", "When did the ____ appear?"),
        ("When was the builder born?", "Robert Stevenson", "When was the builder born?"),
        ("When was it lit?", "", "When was it lit?"),
    ],
)
def test_the_words_of_an_answer_become_a_gap(text, masked, gapped):
    assert without_words(text, masked) == gapped
