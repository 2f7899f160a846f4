"""A question over several passages passes when it needs each of them, and only then."""

from dataclasses import replace

import pytest

from synth.generation.filters.needs_every_passage import NeedsEveryPassage
from tests.corpus import corpus
from tests.filters.rows import read, row, then

TEXTS = {
    "kell": "The Kell lighthouse was built by Robert Stevenson. Its lamp burns oil.",
    "stevenson": "Robert Stevenson was born in Glasgow in 1772. He liked to travel.",
    "rope": "The ropes of the harbour are made of hemp. They are tarred every autumn in the shed by the quay.",
    "凯尔": "凯尔灯塔由罗伯特·史蒂文森建造。灯里烧的是油。",
    "史蒂文森": "罗伯特·史蒂文森1772年出生于格拉斯哥。他喜欢旅行。",
    "凱爾": "凱爾燈塔由羅伯特·史蒂文生建造。燈裡燒的是油。",
    "史蒂文生": "羅伯特·史蒂文生1772年出生於格拉斯哥。他喜歡旅行。",
    "bell": "The Bell Rock tower is 35 metres high. Its stones came by sea.",
    "skerry": "The Skerry tower is 48 metres high. It was painted white.",
}
BRIDGES = {
    "en": ("In which year was the engineer who built the Kell lighthouse born?", "1772", "Robert Stevenson",
           ("The Kell lighthouse was built by Robert Stevenson.", "Robert Stevenson was born in Glasgow in 1772.")),
    "zh-Hans": ("建造凯尔灯塔的人是哪一年出生的？", "1772年", "罗伯特·史蒂文森",
                ("凯尔灯塔由罗伯特·史蒂文森建造。", "罗伯特·史蒂文森1772年出生于格拉斯哥。")),
    "zh-Hant": ("建造凱爾燈塔的人是哪一年出生的？", "1772年", "羅伯特·史蒂文生",
                ("凱爾燈塔由羅伯特·史蒂文生建造。", "羅伯特·史蒂文生1772年出生於格拉斯哥。")),
}  # fmt: skip
SHORTCUTS = {
    "en": "The Kell lighthouse was built by an engineer born in 1772, whose name is forgotten.",
    "zh-Hans": "有人说建造凯尔灯塔的人1772年出生，名字已经没有人记得。",
    "zh-Hant": "有人說建造凱爾燈塔的人1772年出生，名字已經沒有人記得。",
}


def bridge(of, language):
    question, answer, name, quotes = BRIDGES[language]
    steps = [read(name, 0, says="who built it"), read(answer, 1, of=(0,))]
    return row(of, "multi_context", question, answer, quotes, steps, language)


def refused(of, sample):
    verdict = NeedsEveryPassage().decide(sample, of)
    assert not verdict.kept, verdict.reason
    return verdict.reason


@pytest.mark.parametrize("language", BRIDGES)
def test_a_bridge_passes_and_the_verdict_holds_the_proof(language):
    of = corpus(**TEXTS)
    verdict = NeedsEveryPassage().decide(bridge(of, language), of)
    assert verdict.kept, verdict.reason
    assert BRIDGES[language][1] in verdict.reason
    assert BRIDGES[language][2] in verdict.reason


@pytest.mark.parametrize("language", BRIDGES)
def test_a_passage_elsewhere_that_answers_alone(language):
    of = corpus(**TEXTS, tale=SHORTCUTS[language])
    assert "'tale' answers it alone" in refused(of, bridge(of, language))


@pytest.mark.parametrize(
    ("language", "doc_id", "more"),
    [
        ("en", "stevenson", " He built the Kell lighthouse with forty men."),
        ("zh-Hans", "史蒂文森", "他和四十个工人建造了凯尔灯塔。"),
        ("zh-Hant", "史蒂文生", "他和四十個工人建造了凱爾燈塔。"),
    ],
)
def test_a_passage_of_its_own_that_answers_alone(language, doc_id, more):
    of = corpus(**{**TEXTS, doc_id: TEXTS[doc_id] + more})
    assert f"'{doc_id}' answers it alone" in refused(of, bridge(of, language))


def test_two_pieces_of_one_passage():
    of = corpus(**{**TEXTS, "kell": TEXTS["kell"] + " " + TEXTS["stevenson"], "stevenson": "Nothing is known of him."})
    assert "one passage" in refused(of, bridge(of, "en"))


def test_a_passage_that_no_step_reads():
    of = corpus(**TEXTS)
    good = bridge(of, "en")
    padded = replace(good, evidence=(*good.evidence, *bridge(of, "zh-Hans").evidence[:1]))
    assert "no step reads the evidence from '凯尔'" in refused(of, padded)


def test_a_passage_whose_value_another_piece_has_too():
    of = corpus(**TEXTS, twin="Robert Stevenson built the Kell lighthouse, they say in Dunmore.")
    good = bridge(of, "en")
    twin = row(of, "multi_context", "?", "1772", ["Robert Stevenson built the Kell lighthouse, they say in Dunmore."])
    steps = (replace(good.steps[0], evidence=(0, 2)), good.steps[1])
    doubled = replace(good, evidence=(*good.evidence, *twin.evidence), steps=steps)
    assert "can be left out" in refused(of, doubled)


def test_steps_are_wanted_and_must_hold():
    of = corpus(**TEXTS)
    good = bridge(of, "en")
    assert "no steps" in refused(of, replace(good, steps=()))
    wrong = replace(good.steps[1], value="1773")
    assert "does not stand" in refused(of, replace(good, steps=(good.steps[0], wrong), golden_answers=("1773",)))


def comparison(of):
    options = ("the Bell Rock tower", "the Skerry tower")
    steps = [
        read("35 metres", 0, says=options[0]),
        read("48 metres", 1, says=options[1]),
        then("greatest", options[1], 0, 1),
    ]
    quotes = ("The Bell Rock tower is 35 metres high.", "The Skerry tower is 48 metres high.")
    return row(
        of, "multi_context", "Which is higher, the Bell Rock tower or the Skerry tower?", options[1], quotes, steps
    )


@pytest.mark.parametrize(
    "shortcut",
    [
        "The Skerry tower is higher than the Bell Rock tower.",
        "Of the towers of the coast, Bell Rock has 35 metres and Skerry 48 metres.",
    ],
)
def test_a_comparison_passes_until_a_passage_has_both(shortcut):
    of = corpus(**TEXTS)
    verdict = NeedsEveryPassage().decide(comparison(of), of)
    assert verdict.kept, verdict.reason
    told = corpus(**TEXTS, tale=shortcut)
    assert refused(told, comparison(told))


def test_passages_of_one_document_are_looked_through():
    from synth.core.records import Chunk
    from synth.corpus.graph import KnowledgeGraph
    from synth.generation.filters.base import Corpus
    from synth.retrieval.bm25 import LexicalIndex
    from tests.corpus import document

    graph = KnowledgeGraph()
    parts = [TEXTS["kell"] + " ", TEXTS["stevenson"] + " ", SHORTCUTS["en"]]
    graph.add_document(document("book", "".join(parts)))
    start = 0
    for number, part in enumerate(parts):
        graph.add_chunk(Chunk(chunk_id=f"c-{number}", doc_id="book", start=start, end=start + len(part), text=part))
        start += len(part)
    of = Corpus(graph, LexicalIndex(["c-0", "c-1", "c-2"], parts))
    sample = bridge(of, "en")
    assert not NeedsEveryPassage(passages=0).decide(sample, of).kept
    assert NeedsEveryPassage(passages=0, siblings=0).decide(sample, of).kept


def test_other_types_are_not_its_business():
    of = corpus(**TEXTS)
    assert NeedsEveryPassage().decide(replace(bridge(of, "en"), question_type="simple", steps=()), of).kept
