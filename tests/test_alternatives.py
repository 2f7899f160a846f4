"""A passage that answers too is further evidence; one that only looks so is a hard negative."""

from dataclasses import replace

import pytest

from synth.generation.alternatives import misstated, with_alternatives
from synth.testset.verification import faults
from tests.corpus import corpus, sample

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
def test_planted_paraphrases_are_found_and_what_only_looks_right_is_not(rows):
    of, samples = planted(rows)
    found = missed = 0
    for i, one in enumerate(samples):
        metadata = with_alternatives(one, of).metadata
        places = [place["doc_id"] for place in metadata.get("alternatives", [])]
        assert set(places) <= {f"also{i}"}, (one.question, places)
        found, missed = found + (places != []), missed + (places == [])
        assert f"near{i}" in [near["doc_id"] for near in metadata["hard_negatives"]], one.question
        assert not {f"gold{i}", f"also{i}"} & {near["doc_id"] for near in metadata["hard_negatives"]}
    assert found >= 0.9 * (found + missed)


def test_further_evidence_is_characters_of_the_corpus():
    of, (one, *_) = planted(ENGLISH)
    (place,) = with_alternatives(one, of).metadata["alternatives"]
    document = of.document(place["doc_id"])
    assert document.text[place["start"] : place["end"]] == place["text"]
    assert (place["replaces"], place["doc_hash"]) == (0, document.content_hash)


def test_a_hard_negative_is_a_passage_with_its_place():
    of, (one, *_) = planted(ENGLISH)
    for near in with_alternatives(one, of).metadata["hard_negatives"]:
        chunk = of.chunk(near["chunk_id"])
        assert (near["doc_id"], near["start"], near["end"]) == (chunk.doc_id, chunk.start, chunk.end)


def test_what_takes_two_sentences_is_found_as_two():
    of = corpus(
        gold="The Kell lighthouse was built in 1811.",
        other="# Notes\n\nSome speak of the **Kell lighthouse**. Built in 1811, it still stands.",
    )
    one = sample(of, "When was the Kell lighthouse built?", "1811", "The Kell lighthouse was built in 1811.")
    (place,) = with_alternatives(one, of).metadata["alternatives"]
    assert place["text"] == "Some speak of the **Kell lighthouse**. Built in 1811, it still stands"


def test_a_passage_joined_as_a_near_duplicate_is_looked_at_however_many_others_fit_better(monkeypatch):
    crowd = {f"n{i}": f"Kell lighthouse lighthouse built built {i}." for i in range(40)}
    of = corpus(
        gold="The Kell lighthouse was built in 1811.",
        far="In 1811, the tower (a lighthouse of Kell) " + "and so on " * 60 + "was built.",
        **crowd,
    )
    one = sample(of, "When was the Kell lighthouse built?", "1811", "The Kell lighthouse was built in 1811.")
    far = of.chunks_of("far")[0].chunk_id
    monkeypatch.setattr(of, "near_duplicates", lambda chunk_id: [far] * (chunk_id == one.evidence[0].chunk_id))
    assert [place["doc_id"] for place in with_alternatives(one, of).metadata["alternatives"]] == ["far"]


def test_of_two_pieces_each_has_its_own():
    of = corpus(
        a="The Kell lighthouse was built in 1811.",
        b="The white lighthouse of Fell was built in 1843.",
        c="Fell has a white lighthouse; in 1843 that lighthouse was built.",
    )
    question = "How many years after the Kell lighthouse was the Fell lighthouse built?"
    first, second = (
        sample(of, question, "32 years", text, name)
        for text, name in (
            ("The Kell lighthouse was built in 1811.", "a"),
            ("The white lighthouse of Fell was built in 1843.", "b"),
        )
    )
    both = replace(first, evidence=first.evidence + second.evidence)
    assert [(p["replaces"], p["doc_id"]) for p in with_alternatives(both, of).metadata["alternatives"]] == [(1, "c")]


def test_verification_checks_further_evidence():
    of, (one, *_) = planted(ENGLISH)
    row = with_alternatives(one, of)
    (place,) = row.metadata["alternatives"]
    assert misstated(row, of) == ""

    def fault(**changes):
        changed = replace(row, metadata={**row.metadata, "alternatives": [{**place, **changes}]})
        return next(faults([changed], of, (), ()))

    assert fault() == ""
    assert "also[0]: characters" in fault(start=place["start"] + 1)
    near = of.document("near0")
    assert "does not say" in fault(
        doc_id="near0", doc_hash=near.content_hash, start=0, end=len(near.text), text=near.text
    )


@pytest.mark.parametrize(
    ("evidence", "question", "answer", "other", "proves"),
    [
        # A heading and its paragraph: what only repeats the heading proves nothing.
        (("When's GA?", "There is no date set for that yet."), "When's GA?", "no date set", "Cody is now GA.", False),
        (("When is the GA release?", "There is no date set for that yet."), "When is the GA release?", "no date set", "The GA release has no date set.", True),
        (("Request time off", "Ask your manager two weeks ahead."), "How do I request time off?", "Ask your manager two weeks ahead", "Request time off in the portal.", False),
        # The same words, and another statement.
        (("The Kell pump may be stopped at night.",), "May the Kell pump be stopped at night?", "at night", "The Kell pump may not be stopped at night.", False),
        (("The Kell pump holds 40 litres.",), "How much does the Kell pump hold?", "40 litres", "The Kell pump holds 400 litres.", False),
        (("The Kell pump holds 40 litres.",), "How much does the Kell pump hold?", "40 litres", "The Kell pump lost 40 litres.", False),
        (("As a Time Lord, the Doctor can regenerate.",), "What type of Lord is the Doctor?", "Time Lord", "The Doctor thought he was the last Time Lord.", False),
        (("John Willoughby, 8th Baron Parham, born in 1669, was an English peer.",), "Who was John Willoughby born in England?", "an English peer", "John Willoughby, 9th Baron Parham, born in 1643, was an English peer.", False),
        (("The Kell pump runs.",), "Does the Kell pump run?", "Yes", "Yes, the Kell pump runs.", False),
        (("The first patents went to Tesla.",), "What did Tesla first receive?", "patents", "His patents earned Tesla money.", False),
        (("The majority of the forest is in Brazil.",), "In which country is most of the forest?", "Brazil", "Brazil sells soybeans.", False),
        # The subject far away, in a long sentence before.
        (("The Kell pump was built in 1931.",), "When was the Kell pump built?", "1931", "The Kell pump, which stands beside the mill, the barn, the old forge and the new bridge over the river Ash, draws visitors. The mill was built in 1931.", False),
        (("凯尔泵站建于1931年。",), "凯尔泵站建于哪一年？", "1931年", "凯尔泵站旁的磨坊毁于1931年。", False),
        (("凯尔泵站可以夜间停机。",), "凯尔泵站何时可以停机？", "夜间", "凯尔泵站不可以夜间停机。", False),
        (("凯尔泵站建于1931年。",), "凯尔泵站建于哪一年？", "1931年", "据记载，凯尔泵站建于1931年。", True),
    ],
)  # fmt: skip
def test_a_passage_is_an_alternative_only_if_the_answer_follows_from_it_alone(
    evidence, question, answer, other, proves
):
    of = corpus(gold="\n\n".join(evidence), other=other)
    pieces = [piece for text in evidence for piece in sample(of, question, answer, text, "gold").evidence]
    row = with_alternatives(replace(sample(of, question, answer, evidence[-1], "gold"), evidence=tuple(pieces)), of)
    numbers = [place["replaces"] for place in row.metadata.get("alternatives", ())]
    assert numbers == (list(range(len(evidence))) if proves else [])
    assert misstated(row, of) == ""


def test_an_unanswerable_row_has_neither():
    of, (one, *_) = planted(ENGLISH)
    bare = replace(one, evidence=(), golden_answers=(), question_type="unanswerable")
    assert with_alternatives(bare, of) == bare


@pytest.mark.parametrize(
    ("name", "longer", "question", "answer", "said"),
    [
        ("Body", "BodyNext", "What class does Body return?", "FieldNote", "{} returns the class FieldNote."),
        ("Body", "BodyNext", "Body返回哪个类？", "FieldNote", "{}返回FieldNote类。"),
        ("Body", "BodyNext", "Body返回哪個類別？", "FieldNote", "{}返回FieldNote類別。"),
    ],
)
def test_a_heading_lends_its_name_to_no_text_on_a_longer_one(name, longer, question, answer, said):
    for other, answers in ((said.format(name), True), (said.format(longer), False)):
        of = corpus(gold=said.format(name), other=f"# {name}\n\n{other}")
        metadata = with_alternatives(sample(of, question, answer, said.format(name), "gold"), of).metadata
        assert ("alternatives" in metadata) == answers
