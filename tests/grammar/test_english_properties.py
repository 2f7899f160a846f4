"""Whatever the English author is given, what it returns can be checked against the text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.grammar.english.author import trimmed
from synth.text.markup import plain
from tests.grammar.test_english import read

WHO = st.sampled_from(
    ["Marie Lavalle", "the Harbour Museum", "`RowReader`", "you", "it", "Gravel ferns", "The **ship**"]
)
DID = st.sampled_from(
    ["founded", "was built by", "is", "can use", "returns", "consists of", "agreed to open", "has", "need to set"]
)
WHAT = st.sampled_from(
    [
        "the Lantern Bridge",
        "a `dict` of rows",
        "214 stations",
        "(an old) mill",
        "its parts",
        "water, salt and lime",
        "12%",
    ]
)
WHEN = st.sampled_from(
    ["in 1921", "because the river froze", "to read tables", "by default", "using `zipkit`", "", "—"]
)
LEAD = st.sampled_from(["", "If you set `x` to 3, ", "To stop, ", "In 1900, ", "But ", "“", "- "])
SENTENCES = st.lists(
    st.tuples(LEAD, WHO, DID, WHAT, WHEN).map(lambda p: f"{p[0]}{p[1]} {p[2]} {p[3]} {p[4]}."), max_size=4
)


def check(text: str, format: str) -> None:
    for draft in read(text, format):
        assert draft.question.endswith("?")
        assert draft.question[0].isupper() or not draft.question[0].isalpha()
        for start, end in draft.spans:
            assert 0 <= start < end <= len(text)
        evidence = " ".join(plain(text, a, b, markdown=format == "markdown").text for a, b in draft.spans)
        assert all(answer and answer in evidence for answer in draft.golden_answers)
        assert 0 <= draft.worth <= 1


@settings(max_examples=60)
@given(SENTENCES, st.sampled_from(["markdown", "text"]))
def test_answers_occur_in_their_evidence(sentences: list[str], format: str) -> None:
    check(" ".join(sentences), format)


@settings(max_examples=60)
@given(st.text(alphabet="Ab c.,?!()[]`*“\"'—é漢🦊\n0%:", max_size=80), st.sampled_from(["markdown", "text", "passage"]))
def test_odd_text_breaks_nothing(text: str, format: str) -> None:
    check(text, format)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n\n",
        ".",
        "((((",
        "“““",
        "🦊🦊🦊 🦊.",
        "A" * 500 + ".",
        "The " * 60 + "end.",
        "`",
        "To , .",
        "If you , .",
        "When, .",
    ],
)
def test_hardly_any_text_gives_nothing(text: str) -> None:
    assert read(text) == []


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("“the Old Candle”", "the Old Candle"),
        ('"open" and "shut"', '"open" and "shut"'),
        ("a name, not an address of its own", "a name"),
        ("the same RowReader", "RowReader"),
        ("the same town", "the same town"),
        ("1921.", "1921"),
        ("just 308", "308"),
        ("some 27-30%", "27-30%"),
        ("a Norman named Oursel", "Oursel"),
        ("The Lantern Bridge", "Lantern Bridge"),
        ("The loss of the ship", "The loss of the ship"),
    ],
)
def test_answers_lose_only_what_is_not_theirs(answer: str, kept: str) -> None:
    assert trimmed(answer) == kept
