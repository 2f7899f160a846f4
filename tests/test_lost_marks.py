"""`verify` names what evidence lost that the documents say: raised characters, strikes, the headers of cells."""

from dataclasses import replace

import pytest

from synth.core.records import text_hash
from synth.testset.lost_marks import lost_marks
from synth.testset.verification import faults
from tests.corpus import corpus, sample

TABLE = "| Setting | Default | Maximum |\n| --- | --- | --- |\n| `limit` | 10 | 50 |\n"


def row_of(before, after, quote, answer, other=()):
    """A row made from `before`, in a corpus where the document is read as `after` today."""
    made = sample(corpus(a=before), "What does the page say?", answer, quote, "a")
    pieces = [piece for text in (*other, quote) for piece in [replace(made.evidence[0], text=text)]]
    places = [before.index(piece.text) for piece in pieces]
    pieces = [
        replace(piece, start=place, end=place + len(piece.text), doc_hash=text_hash(before))
        for piece, place in zip(pieces, places, strict=True)
    ]
    return replace(made, evidence=tuple(pieces)), corpus(a=after)


@pytest.mark.parametrize(
    ("before", "after", "answer", "loss"),
    [
        ("The tank holds 106 litres.", "The tank holds 10⁶ litres.", "106", "'106' is '10⁶' in 'a': a superscript"),
        ("The tank holds 106 litres.", "The tank holds 10^6 litres.", "106", "'106' is '10^6' in 'a': a superscript"),
        ("The gas is CO2 here.", "Up there.\n\nThe gas is CO₂ here.", "CO2", "'CO2' is 'CO₂' in 'a': a superscript"),
        ("It was built in 1987 1989.", "It was built in 1989.", "1987 1989", "'a' no longer contains '1987'"),
        (
            "SELinux 根据安全，策略决定访问权限的范围。",
            "决定访问权限的范围。",
            "访问权限",
            "'a' no longer contains 'SELinux 根据安全，策略'",
        ),
        ("水箱容量为106升。", "水箱容量为10⁶升。", "106升", "'106' is '10⁶' in 'a': a superscript"),
    ],
)
def test_words_that_read_otherwise_today(before, after, answer, loss):
    row, today = row_of(before, after, before, answer)
    assert next(faults([row], today, [], [])).startswith(f"lost markup: {loss}")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The tank holds 10<sup>6</sup> litres.", "106"),
        ("The tank holds 10^6^ litres.", "106"),
        ("It was built in ~~1987~~ 1989.", "1987 1989"),
        ("It was built in <del>1987</del> 1989.", "1987 1989"),
        ("~~It was built in 1987.~~", "1987"),
    ],
)
def test_answers_that_lost_a_mark_of_evidence_in_place(text, answer):
    row, today = row_of(text, text, text, answer)
    assert next(faults([row], today, [], [])).startswith(f"lost markup: the answer '{answer}' lacks a mark")


def test_a_cell_under_another_header():
    head, _, line = TABLE.rstrip().split("\n")
    after = TABLE.replace("| 10 | 50 |", "| 5 | 10 |")
    row, today = row_of(TABLE, after, line, "10", other=(head,))
    assert lost_marks(row, today) == "'Default' of 'limit' is '5' in 'a' but '10' in the evidence"
    assert lost_marks(row, row_of(TABLE, TABLE, line, "10")[1]) == ""


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The tank holds 106 litres.", "The tank holds 120 litres."),
        ("The tank holds 10⁶ litres.", "The tank holds 10^6 litres."),
        ("The tank holds 106 litres.", "The tank  holds\n106 litres, and more."),
        ("The tank holds 106 litres.", "Nothing about it."),
    ],
)
def test_an_edited_document_has_lost_nothing(before, after):
    row, today = row_of(before, after, before, "106")
    assert lost_marks(row, today) == ""
