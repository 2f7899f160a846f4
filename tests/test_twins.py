"""Pages in two languages: which belong together, and which places state the same."""

import pytest

from synth.core.records import Evidence
from synth.corpus.twins import Twins
from tests.proposals.made import corpus_of

ENGLISH = "# Fees\n\nThe lighthouse fee is nine euros a month for every member.\n\n- Members pay in June.\n- Guests pay in July.\n"
CHINESE = "# 费用\n\n每位会员的灯塔费用是每月九欧元，由会员自己支付。\n\n- 会员在六月付款。\n- 客人在七月付款。\n"
OTHER = CHINESE.replace("- 客人在七月付款。\n", "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("fees.md", "fees.en.md"),
        ("fees.zh.md", "fees.md"),
        ("a/fees_zh-TW.md", "a/fees_en.md"),
        ("en/a/fees.md", "zh/a/fees.md"),
        ("docs/zh-CN/fees.md", "docs/fees.md"),
    ],
)
def test_pages_whose_paths_differ_in_a_language_tag_are_twins(one, other):
    for texts in ({one: CHINESE, other: ENGLISH}, {one: ENGLISH, other: CHINESE}):
        twins = Twins(corpus_of(texts))
        assert (twins.of(one), twins.of(other)) == (other, one)


@pytest.mark.parametrize(
    "texts",
    [
        {"fees.md": CHINESE, "fees.en.md": CHINESE},
        {"fees.md": OTHER, "fees.en.md": ENGLISH},
        {"fees.md": CHINESE, "fees.old.md": ENGLISH},
        {"a/fees.md": CHINESE, "b/fees.md": ENGLISH},
    ],
)
def test_pages_in_one_language_with_other_blocks_or_other_names_are_no_twins(texts):
    twins = Twins(corpus_of(texts))
    assert [twins.of(doc_id) for doc_id in texts] == ["", ""]


def test_a_place_has_the_same_block_in_the_twin():
    texts = {"fees.md": CHINESE, "fees.en.md": ENGLISH, "alone.md": ENGLISH}
    twins = Twins(corpus_of(texts))

    def piece(doc_id, text):
        start = texts[doc_id].index(text)
        return Evidence(doc_id=doc_id, doc_hash="", chunk_id="", start=start, end=start + len(text), text=text)

    guests = twins.blocks_of([piece("fees.md", "客人")])
    assert twins.blocks_of([piece("fees.en.md", "Guests")], in_twins=True) == guests
    assert twins.blocks_of([piece("fees.en.md", "Members")], in_twins=True) != guests
    assert twins.blocks_of([piece("fees.en.md", "Guests"), piece("alone.md", "Guests")], in_twins=True) == frozenset()
