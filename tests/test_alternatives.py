"""A passage that says the same is further evidence; one that only looks right is a hard negative."""

from dataclasses import replace

import pytest

from synth.core.records import Chunk, digest
from synth.corpus.testing import corpus_from
from synth.generation.alternatives import misstated, with_alternatives
from synth.testset.verification import faults
from tests.corpus import corpus, document, sample

# Of each: the sentence, its paraphrase, one that looks right, the question, the answer.
ENGLISH = [
    ("The Kell lighthouse was built in 1811.", "It took two summers until, in 1811, the lighthouse of Kell was built.", "The Fell lighthouse was built in 1843.", "When was the Kell lighthouse built?", "1811"),
    ("Mary Dunn designed the iron bridge at Holm.", "The engineer Mary Dunn once designed an iron bridge, that of Holm.", "Peter Ray designed the iron bridge at Garth.", "Who designed the iron bridge at Holm?", "Mary Dunn"),
    ("The Dale reservoir holds 40 million litres of water.", "At Dale, 40 million litres of water are what the reservoir holds.", "The Moor reservoir holds 12 million litres of water.", "How much water does the Dale reservoir hold?", "40 million litres"),
    ("The Tarn ferry stopped in 1952 because of the new tunnel.", "Because of the new tunnel the ferry of Tarn had to stop its service in 1952.", "The Rowan ferry stopped in 1960 because of a fire.", "Why did the Tarn ferry stop?", "because of the new tunnel"),
    ("Oak Mill ground wheat for the bakers of Larch.", "For the bakers of Larch wheat was ground at Oak Mill.", "Elm Mill ground barley for the brewers of Pine.", "What did Oak Mill grind for the bakers of Larch?", "wheat"),
    ("The keeper of Cedar Point was paid 90 pounds a year.", "The year's work of the keeper at Cedar Point was paid with 90 pounds.", "The keeper of Birch Point was paid 60 pounds a year.", "How much was the keeper of Cedar Point paid a year?", "90 pounds"),
]  # fmt: skip
SIMPLIFIED = [
    ("青山灯塔建于1811年。", "青山的这座灯塔由工人们建于1811年。", "白石灯塔建于1843年。", "青山灯塔建于哪一年？", "1811年"),
    ("苏州的铁桥由工程师李明设计。", "工程师李明画了苏州铁桥的设计图。", "杭州的铁桥由工程师王刚设计。", "苏州的铁桥由谁设计？", "李明"),
    ("龙潭水库可蓄水四千万吨。", "龙潭水库的蓄水量达到四千万吨。", "黑河水库可蓄水一千万吨。", "龙潭水库可蓄水多少？", "四千万吨"),
    ("南湖渡口因隧道通车而在1952年停运。", "隧道通车以后，南湖渡口于1952年停运。", "北湖渡口因火灾而在1960年停运。", "南湖渡口为什么停运？", "隧道通车"),
    ("武汉的老磨坊为面包师磨小麦。", "在武汉，老磨坊磨的是面包师要的小麦。", "长沙的老磨坊为酒厂磨大麦。", "武汉的老磨坊为面包师磨什么？", "小麦"),
    ("青岛的守塔人每年领九十两银子。", "青岛的守塔人薪水微薄，每年领到的银子是九十两。", "大连的守塔人每年领六十两银子。", "青岛的守塔人每年领多少银子？", "九十两"),
]  # fmt: skip
TRADITIONAL = [
    ("青山燈塔建於1811年。", "青山的這座燈塔由工人們建於1811年。", "白石燈塔建於1843年。", "青山燈塔建於哪一年？", "1811年"),
    ("蘇州的鐵橋由工程師李明設計。", "工程師李明畫了蘇州鐵橋的設計圖。", "杭州的鐵橋由工程師王剛設計。", "蘇州的鐵橋由誰設計？", "李明"),
    ("龍潭水庫可蓄水四千萬噸。", "龍潭水庫的蓄水量達到四千萬噸。", "黑河水庫可蓄水一千萬噸。", "龍潭水庫可蓄水多少？", "四千萬噸"),
    ("南湖渡口因隧道通車而在1952年停運。", "隧道通車以後，南湖渡口於1952年停運。", "北湖渡口因火災而在1960年停運。", "南湖渡口為什麼停運？", "隧道通車"),
    ("武漢的老磨坊為麵包師磨小麥。", "在武漢，老磨坊磨的是麵包師要的小麥。", "長沙的老磨坊為酒廠磨大麥。", "武漢的老磨坊為麵包師磨什麼？", "小麥"),
    ("青島的守塔人每年領九十兩銀子。", "青島的守塔人薪水微薄，每年領到的銀子是九十兩。", "大連的守塔人每年領六十兩銀子。", "青島的守塔人每年領多少銀子？", "九十兩"),
]  # fmt: skip


def planted(rows):
    """A corpus of all sentences, and a sample on the first sentence of each row."""
    of = corpus(
        **{f"{kind}{i}": row[at] for i, row in enumerate(rows) for at, kind in enumerate(("gold", "also", "near"))}
    )
    return of, [sample(of, row[3], row[4], row[0], f"gold{i}") for i, row in enumerate(rows)]


@pytest.mark.parametrize("rows", [ENGLISH, SIMPLIFIED, TRADITIONAL, [*ENGLISH, *SIMPLIFIED]])
def test_a_paraphrase_is_no_hard_negative_and_what_only_looks_right_is(rows):
    of, samples = planted(rows)
    for i, one in enumerate(samples):
        metadata = with_alternatives(one, of).metadata
        near = [place["doc_id"] for place in metadata["hard_negatives"]]
        assert f"near{i}" in near, one.question
        assert not {f"gold{i}", f"also{i}"} & set(near)
        assert "alternatives" not in metadata


def copied(before="", after=""):
    """A corpus with a sentence on two pages, and a sample on the first."""
    of = corpus(
        gold="The Kell lighthouse was built in 1811.", copy=f"{before}The **Kell** lighthouse was built in 1811.{after}"
    )
    return of, sample(
        of, "When was the Kell lighthouse built?", "1811", "The Kell lighthouse was built in 1811.", "gold"
    )


def test_further_evidence_is_characters_of_the_corpus():
    of, one = copied(before="# History\n\nMany ask. ", after=" It still stands.")
    (place,) = with_alternatives(one, of).metadata["alternatives"]
    document = of.document("copy")
    assert place["text"] == "The **Kell** lighthouse was built in 1811."
    assert document.text[place["start"] : place["end"]] == place["text"]
    assert (place["replaces"], place["doc_hash"]) == (0, document.content_hash)


def test_a_hard_negative_is_a_passage_with_its_place():
    of, (one, *_) = planted(ENGLISH)
    for near in with_alternatives(one, of).metadata["hard_negatives"]:
        chunk = of.chunk(near["chunk_id"])
        assert (near["doc_id"], near["start"], near["end"]) == (chunk.doc_id, chunk.start, chunk.end)


def test_a_passage_joined_as_a_near_duplicate_is_looked_at_however_many_others_fit_better(monkeypatch):
    said = "The Kell lighthouse was built in 1811."
    crowd = {f"n{i}": f"Kell lighthouse built 1811. Kell lighthouse built 1811 {i}." for i in range(40)}
    of = corpus(gold=said, far=said + " And so on" * 60, **crowd)
    one = sample(of, "When was the Kell lighthouse built?", "1811", said, "gold")
    far = of.chunks_of("far")[0].chunk_id
    assert "alternatives" not in with_alternatives(one, of).metadata
    monkeypatch.setattr(of, "near_duplicates", lambda chunk_id: [far] * (chunk_id == one.evidence[0].chunk_id))
    assert [place["doc_id"] for place in with_alternatives(one, of).metadata["alternatives"]] == ["far"]


def test_of_two_documents_each_is_replaced_by_its_own_copy():
    kell, fell = "The Kell lighthouse was built in 1811.", "The white lighthouse of Fell was built in 1843."
    of = corpus(a=kell, b=fell, c=f"Some dates. {fell}")
    question = "How many years after the Kell lighthouse was the Fell lighthouse built?"
    first, second = (sample(of, question, "32 years", text, name) for text, name in ((kell, "a"), (fell, "b")))
    both = replace(first, evidence=first.evidence + second.evidence)
    row = with_alternatives(both, of)
    assert [(p["replaces"], p["doc_id"]) for p in row.metadata["alternatives"]] == [(1, "c")]
    assert misstated(row, of) == ""


def test_verification_checks_further_evidence():
    of, one = copied(after=" The Fell lighthouse was built in 1843.")
    row = with_alternatives(one, of)
    (place,) = row.metadata["alternatives"]
    assert misstated(row, of) == ""

    def fault(**changes):
        changed = replace(row, metadata={**row.metadata, "alternatives": [{**place, **changes}]})
        return next(faults([changed], of, (), ()))

    assert fault() == ""
    assert "alternatives[0]: characters" in fault(start=place["start"] + 1)
    text = "The Fell lighthouse was built in 1843."
    start = of.document("copy").text.index(text)
    assert "does not state" in fault(start=start, end=start + len(text), text=text)


KELL = "The Kell pump holds 40 litres."
HOW_MUCH = ("How much does the Kell pump hold?", "40 litres")


@pytest.mark.parametrize(
    ("document", "quotes", "question", "answer", "other", "proves"),
    [
        # The whole sentence, and nothing in it that may limit or deny it.
        (KELL, (KELL,), *HOW_MUCH, f"# Pumps\n\nAll of them were tried. {KELL}", True),
        (KELL, (KELL,), *HOW_MUCH, "THE KELL PUMP\nHOLDS 40 LITRES.", True),
        (KELL, (KELL,), *HOW_MUCH, "It is not true that the Kell pump holds 40 litres.", False),
        (KELL, (KELL,), *HOW_MUCH, "Once repaired, the Kell pump holds 40 litres.", False),
        (KELL, (KELL,), *HOW_MUCH, "The Kell pump holds 4.0 litres.", False),
        (KELL, (KELL,), *HOW_MUCH, "The Kell pump holds some 40 litres.", False),
        ("凯尔泵站建于1931年。", ("凯尔泵站建于1931年。",), "凯尔泵站建于哪一年？", "1931年", "凱爾泵站建於１９３１年。", True),
        ("凯尔泵站建于1931年。", ("凯尔泵站建于1931年。",), "凯尔泵站建于哪一年？", "1931年", "凯尔泵站旁的磨坊建于1931年。", False),
        # A heading and what stands under it: neither alone, nor under another heading.
        ("# When's GA?\n\nThere is no date set.", ("When's GA?", "There is no date set."), "When's GA?", "no date set", "# When's GA?\n\nCody is now GA.", False),
        ("# When's GA?\n\nThere is no date set.", ("When's GA?", "There is no date set."), "When's GA?", "no date set", "# When's the party?\n\nThere is no date set.", False),
        ("# When's GA?\n\nThere is no date set.", ("When's GA?", "There is no date set."), "When's GA?", "no date set", "# Cody\n\n## When's GA?\n\nThere is no date set.", True),
        ("# Lead designer\n\nLocation: remote.", ("Location: remote.",), "Where does a lead designer work?", "remote", "# Lead content designer\n\nLocation: remote.", False),
        ("# Lead designer\n\nLocation: remote.", ("Location: remote.",), "Where does a lead designer work?", "remote", "# Lead designer\n\nLocation: remote.", True),
        # The head of a table without the row.
        ("| | 2018 | 2017 |\n|---|---|---|\n| Sales | 40 | 30 |", ("| | 2018 | 2017 |", "| Sales | 40 | 30 |"), "What were sales in 2018?", "40", "| | 2018 | 2017 |\n|---|---|---|\n| Costs | 40 | 30 |", False),
        ("| | 2018 | 2017 |\n|---|---|---|\n| Sales | 40 | 30 |", ("| | 2018 | 2017 |", "| Sales | 40 | 30 |"), "What were sales in 2018?", "40", "| | 2017 | 2018 |\n|---|---|---|\n| Sales | 40 | 30 |", False),
        ("| | 2018 | 2017 |\n|---|---|---|\n| Sales | 40 | 30 |", ("| | 2018 | 2017 |", "| Sales | 40 | 30 |"), "What were sales in 2018?", "40", "Again:\n\n| | 2018 | 2017 |\n|---|---|---|\n| Costs | 20 | 10 |\n| Sales | 40 | 30 |", True),
        # The subject stands before the sentence.
        ("The Kell pump is old. It holds 40 litres.", ("It holds 40 litres.",), *HOW_MUCH, "The Fell pump is old. It holds 40 litres.", False),
        ("Why a Kell pump? See [image 1].", ("See [image 1].",), "Why a Kell pump?", "[image 1]", "A Kell pump is dear. See [image 1].", False),
        ("The Kell pump is old. It holds 40 litres.", ("It holds 40 litres.",), *HOW_MUCH, "The Kell pump is new. It holds 40 litres.", True),
    ],
)  # fmt: skip
def test_a_passage_is_an_alternative_only_if_it_says_all_that_the_evidence_says(
    document, quotes, question, answer, other, proves
):
    of = corpus(gold=document, other=other)
    pieces = [piece for quote in quotes for piece in sample(of, question, answer, quote, "gold").evidence]
    row = with_alternatives(replace(sample(of, question, answer, quotes[-1], "gold"), evidence=tuple(pieces)), of)
    numbers = [place["replaces"] for place in row.metadata.get("alternatives", ())]
    assert numbers == (list(range(len(quotes))) if proves else [])
    assert misstated(row, of) == ""


def test_the_subject_may_stand_elsewhere_in_both_documents():
    said = "We run 40 shops."
    texts = {"gold": f"Kell is old.\n\n{said}", "same": f"Kell grows.\n\n{said}", "other": f"Fell grows.\n\n{said}"}
    of = corpus_from([document(name, text) for name, text in texts.items()], by_paragraph)
    one = sample(of, "How many shops does Kell run?", "40", said, "gold")
    assert [place["doc_id"] for place in with_alternatives(one, of).metadata["alternatives"]] == ["same"]


def by_paragraph(document):
    """The two paragraphs of a document, each a passage."""
    starts = [0, document.text.index("\n\n") + 2]
    ends = [starts[1] - 2, len(document.text)]
    return [
        Chunk(
            chunk_id=f"c-{digest(document.doc_id, start)[:16]}",
            doc_id=document.doc_id,
            start=start,
            end=end,
            text=document.text[start:end],
            headings=(),
        )
        for start, end in zip(starts, ends, strict=True)
    ]


def test_an_unanswerable_row_has_neither():
    of, (one, *_) = planted(ENGLISH)
    bare = replace(one, evidence=(), golden_answers=(), question_type="unanswerable")
    assert with_alternatives(bare, of) == bare
