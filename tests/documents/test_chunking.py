"""Chunks keep their place, cover the text, and follow its structure."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from synth.core.errors import ConfigError
from synth.core.records import Chunk, Document, text_hash
from synth.corpus.documents.chunking import STRATEGIES, ChunkSettings, chunk
from synth.corpus.documents.cut_points import splits_character
from synth.text.front_matter import front_matter_end
from synth.text.tokens import count_tokens


class Counting:
    """An encoder by letters: texts of like letters are alike."""

    def encode(self, texts: Sequence[str]) -> Any:
        rows = np.array([[text.count(letter) + 0.01 for letter in "aeiou的是在北水"] for text in texts])
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def document(text: str, format: str = "markdown", doc_id: str = "a.md") -> Document:
    return Document(
        doc_id=doc_id, source=doc_id, title="", text=text, content_hash=text_hash(text), metadata={"format": format}
    )


def cut(text: str, format: str = "markdown", **values: Any) -> list[Chunk]:
    return chunk(document(text, format), ChunkSettings(**values), encoder=Counting())


CHINESE = st.text(st.sampled_from("的是在北京水人大学研究，。！？、「」；：國語說開關"), max_size=300)
MIXED = st.text(
    st.sampled_from("的是在。，國 \n\t.abcdeAB1`*_[]()|#->&e\u0301\U0001f468\u200d\U0001f1e8\ufe0f"), max_size=300
)
MARKDOWN = st.lists(
    st.sampled_from(
        [
            "# Top\n\n",
            "## 安装 *指南*\n",
            "Under it\n========\n",
            'Prose with `code` and a [link](http://x.y/z "t"). It goes on, e.g. here. And on!\n\n',
            "中文句子没有空格。第二句话在这里！第三句？\n\n",
            "- item one\n- item two\n    - deep\n\n",
            "| a | b |\n| --- | --- |\n| 1 | [x](y) |\n\n",
            "```python\nx = 1\n\ny = '''\n```\n\n",
            "> quoted text. More.\n\n",
            "<div>\n\nhtml\n\n</div>\n",
            "!!! note\n    indented note\n\n",
            "---\ntitle: x\n---\n",
            "1. one\n2. two：\n",
            "   \n\n",
            "word " * 30 + "\n",
        ]
    ),
    max_size=15,
).map("".join)
TEXTS = st.one_of(CHINESE, MIXED, MARKDOWN)


@settings(max_examples=250)
@given(
    TEXTS, st.sampled_from(STRATEGIES), st.sampled_from(["markdown", "text"]), st.integers(1, 60), st.integers(0, 30)
)
def test_chunks_are_slices_that_cover_the_text(text: str, strategy: str, format: str, size: int, overlap: int) -> None:
    overlap = min(overlap, size // 2)
    made = cut(text, format, strategy=strategy, size=size, overlap=overlap)
    covered = [False] * len(text)
    for piece in made:
        assert piece.text
        assert text[piece.start : piece.end] == piece.text
        covered[piece.start : piece.end] = [True] * (piece.end - piece.start)
    front = front_matter_end(text) if format == "markdown" else 0
    assert all(covered[i] == (i >= front) for i, char in enumerate(text) if not char.isspace())
    assert [c.start for c in made] == sorted({c.start for c in made})
    assert len({c.chunk_id for c in made}) == len(made)
    if overlap == 0:
        assert all(a.end <= b.start for a, b in pairwise(made))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("size", [5, 400])
@pytest.mark.parametrize("front", ["---\ntitle: The lamp\nlit: 1811\n---\n", '+++\ntitle = "The lamp"\n+++\n\n'])
def test_front_matter_is_in_no_chunk(front: str, size: int, strategy: str) -> None:
    body = "# Lamp\n\nThe lamp was lit in 1811. It burns oil.\n\nIt stands on a rock.\n"
    made = cut(front + body, strategy=strategy, size=size)
    assert made[0].start == (front + body).index("# Lamp")
    assert "".join("".join(piece.text.split()) for piece in made) == "".join(body.split())
    assert cut(front, strategy=strategy, size=size) == []


@settings(max_examples=150)
@given(TEXTS, st.sampled_from(STRATEGIES), st.integers(1, 40), st.integers(0, 20))
def test_no_character_is_torn_and_no_chunk_is_over_the_size(text: str, strategy: str, size: int, overlap: int) -> None:
    for piece in cut(text, strategy=strategy, size=size, overlap=min(overlap, size // 2)):
        assert not splits_character(text, piece.start)
        assert not splits_character(text, piece.end)
        # One character as read may be many code points, and so more than `size`.
        assert count_tokens(piece.text) <= size or len(piece.text) <= 12


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_short_document_and_a_passage_are_one_chunk(strategy: str) -> None:
    forty = "The pump of model T-100 moves forty litres of water a minute. " * 4
    (only,) = cut(forty, strategy=strategy)
    assert (only.start, only.end) == (0, len(forty.rstrip()))
    (only,) = cut("長" * 2000, "passage", strategy=strategy, size=10)
    assert only.text == "長" * 2000
    assert cut(" \n\t\n", strategy=strategy) == []
    assert cut("", strategy=strategy) == []


SECTIONS = """Intro line.

# Pump

The pump moves water. It has two valves.

## Parts

- valve one
- valve two

## Care

Oil it each month. Check the seal.

# 灯塔

灯塔建于1890年。它高三十米。
"""


def test_recursive_breaks_at_headings_first_and_keeps_the_path() -> None:
    made = cut(SECTIONS, size=22)
    assert [(c.text.split("\n")[0], c.headings) for c in made] == [
        ("Intro line.", ()),
        ("# Pump", ("Pump",)),
        ("## Care", ("Pump", "Care")),
        ("# 灯塔", ("灯塔",)),
    ]
    for piece in made:
        assert not piece.text.split("\n")[-1].startswith("#")


def test_pieces_of_a_long_section_know_the_innermost_heading() -> None:
    text = "# A\n\n## B\n\n" + "One more sentence is here. " * 40
    made = cut(text, size=60)
    assert made[0].headings == ("A",)
    assert {c.headings for c in made[1:]} == {("A", "B")}
    assert all(c.text.endswith(".") for c in made)


def test_lists_tables_and_code_stay_whole_where_they_fit() -> None:
    words = "Words stand before the structure here. " * 6
    table = "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |"
    code = "```\nx = 1\n\ny = 2\n```"
    items = "- first thing\n- second thing\n- third thing"
    text = "\n\n".join([words, table, words, code, words, items, words])
    made = cut(text, size=70)
    for whole in (table, code, items):
        assert any(whole in c.text for c in made), whole


def test_a_list_stays_with_the_line_that_introduces_it() -> None:
    text = "Some opening words to fill the room. " * 4 + "\n\nIt needs:\n\n- water\n- oil\n"
    assert any("It needs:\n\n- water" in c.text for c in cut(text, size=45))


def test_rows_and_links_are_not_cut_in_two() -> None:
    row = "| " + " | ".join(["some value"] * 6) + " |"
    table = "\n".join(["| a | b | c | d | e | f |", "|" + " --- |" * 6, *[row] * 10])
    for strategy in ("recursive", "sentence", "semantic", "fixed"):
        for piece in cut(table, strategy=strategy, size=50):
            assert piece.text.startswith("|"), strategy
            assert piece.text.endswith("|"), strategy
    link = "[the long name of a link](https://example.org/a/long/address/of/it)"
    for strategy in STRATEGIES:
        made = cut("Long talk without end " * 9 + link + " and more talk that follows" * 9, strategy=strategy, size=40)
        assert any(link in c.text for c in made), strategy


def test_chinese_without_spaces_is_cut_after_clauses() -> None:
    clause = "这个系统可以处理没有空格的文本，"
    made = cut(clause * 30, "text", size=50)
    assert len(made) > 5
    assert all(c.text.endswith("，") for c in made)


def test_overlap_repeats_whole_sentences_of_the_chunk_before() -> None:
    text = "".join(f"Sentence number {n} stands here. " for n in range(40))
    made = cut(text, "text", size=60, overlap=20)
    for before, after in pairwise(made):
        assert after.start < before.end
        assert after.text.startswith("Sentence number")
    fixed = cut("字" * 500, "text", strategy="fixed", size=100, overlap=20)
    assert [(c.start, c.end) for c in fixed][:3] == [(0, 100), (80, 180), (160, 260)]


def test_fixed_windows_have_the_size_asked_for() -> None:
    made = cut("水" * 1000, "text", strategy="fixed", size=100)
    assert [len(c.text) for c in made] == [100] * 10


def test_semantic_breaks_where_neighbours_are_least_alike() -> None:
    text = "北北北北北。" * 6 + "水水水水水。" * 9
    made = cut(text, "text", strategy="semantic", size=60)
    assert [c.text[0] for c in made] == ["北", "水"]
    with pytest.raises(ConfigError, match="encoder"):
        chunk(document(text), ChunkSettings(strategy="semantic"))


def test_ids_stay_when_text_is_put_in_above_and_repeats_differ() -> None:
    para = "The same words again and again in this line of text. " * 3
    text = "\n\n".join(["# H\n\n" + para, "# I\n\n" + para, "# H\n\n" + para])
    before = cut(text, size=50)
    assert len({c.chunk_id for c in before}) == len(before) == 3
    after = cut("# New\n\nOther words stand here now, quite a few of them indeed, to fill it.\n\n" + text, size=50)
    assert {c.chunk_id for c in before} < {c.chunk_id for c in after}
    other = chunk(document(text, doc_id="b.md"), ChunkSettings(size=50))
    assert not {c.chunk_id for c in before} & {c.chunk_id for c in other}


@pytest.mark.parametrize(
    "values",
    [{"strategy": "magic"}, {"size": 0}, {"size": 100, "overlap": 51}, {"overlap": -1}],
)
def test_settings_are_checked(values: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        ChunkSettings(**values)


@pytest.mark.parametrize(
    ("text", "place", "torn"),
    [
        ("e\u0301a", 1, True),
        ("e\u0301a", 2, False),
        ("👨‍👩", 1, True),
        ("👨‍👩", 2, True),
        ("🇨🇳🇫🇷", 1, True),
        ("🇨🇳🇫🇷", 2, False),
        ("👍🏽", 1, True),
        ("葛\U000e0100城", 1, True),
        ("北京", 1, False),
        ("\r\n", 1, True),
    ],
)
def test_splits_character(text: str, place: int, torn: bool) -> None:
    assert splits_character(text, place) is torn
