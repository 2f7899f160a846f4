from __future__ import annotations

import random

from synth.text.piece_index import PIECE, PieceIndex


def test_a_text_that_holds_a_quotation_is_among_its_candidates() -> None:
    draw = random.Random(3)
    texts = ["".join(draw.choices("ab 灯塔", k=draw.randrange(0, 90))) for _ in range(60)]
    index = PieceIndex(texts)
    for text in texts:
        start = draw.randrange(0, len(text) + 1)
        quotation = text[start : draw.randrange(start, len(text) + 1)]
        candidates = list(index.candidates(quotation))
        assert candidates == sorted(set(candidates))
        assert {number for number, other in enumerate(texts) if quotation in other} <= set(candidates)


def test_texts_without_a_long_quotation_are_left_out() -> None:
    draw = random.Random(5)
    texts = ["".join(draw.choices("abcdefghijklmnop ", k=400)) for _ in range(50)]
    index = PieceIndex(texts)
    assert list(index.candidates(texts[7][31:231])) == [7]
    assert list(index.candidates("q" * 300)) == []


def test_a_short_quotation_may_stand_anywhere() -> None:
    assert list(PieceIndex(["one", "two", ""]).candidates("x" * (2 * PIECE - 2))) == [0, 1, 2]
    assert list(PieceIndex([]).candidates("x" * 100)) == []
