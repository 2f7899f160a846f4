"""What is proposed becomes samples: evidence by numbers, and nothing that rests on numbers that there are not."""

from dataclasses import replace

import pytest

from synth.corpus.sections import numbered, section_of, sections
from synth.generation.proposals.candidates import LONGEST, WORTH, RejectedProposal, adds_nothing, evolved, read
from synth.models.prompts import load
from tests.proposals.made import corpus_of, material_of

KELL = (
    "# Kell\n\nThe Kell lighthouse was built in **1811**. It stands on a reef.\n\n"
    "The keeper has:\n\n- a bell\n- a horn\n\nIts lamp is old.\n"
)
MARO = "The Maro lighthouse was built in 1833."
CORPUS = corpus_of({"kell.md": KELL, "maro.md": MARO}, size=1000)
MATERIAL = material_of(CORPUS)
SHOWN = numbered(CORPUS, [*sections(CORPUS, "kell.md"), *sections(CORPUS, "maro.md")])
PLAIN = {"type": "simple", "condition": "", "reckoning": "", "worth": 4}


def proposal(question="When was the Kell lighthouse built?", answer="1811", sentences=(1,), **more):
    return {**PLAIN, "question": question, "answer": answer, "sentences": list(sentences), **more}


def across(first, second, question="Was the Kell lighthouse older than the Maro one?", answer="Yes"):
    """A question over two passages, by the sentences of its hops."""
    hops = [
        {"question": f"hop {n}?", "answer": f"{n}", "sentences": list(one)} for n, one in enumerate((first, second))
    ]
    return {"hops": hops, "question": question, "answer": answer, "reckoning": "", "worth": 4}


def taken(*proposals, language="en", shown=SHOWN, material=MATERIAL, **metadata):
    return read(proposals, shown, material, "proposals/propose.en@1", language, metadata)


def only(*proposals, **more):
    (sample,), refused = taken(*proposals, **more)
    assert refused == []
    return sample


def test_numbers_become_evidence_where_the_sentences_stand():
    sample = only(proposal(sentences=[1]))
    (piece,) = sample.evidence
    assert piece.text == "The Kell lighthouse was built in **1811**." == KELL[piece.start : piece.end]
    assert (piece.doc_id, piece.chunk_id) == ("kell.md", CORPUS.chunks_of("kell.md")[0].chunk_id)
    assert piece.doc_hash == CORPUS.document("kell.md").content_hash
    assert (sample.question_type, sample.golden_answers, sample.language) == ("simple", ("1811",), "en")
    assert sample.metadata == {"source": "synthetic", WORTH: 4}
    assert sample.provenance["prompts"] == {"proposals/propose": "proposals/propose.en@1"}


@pytest.mark.parametrize(
    ("numbers", "texts"),
    [
        ([2, 1], ["The Kell lighthouse was built in **1811**. It stands on a reef."]),
        ([4], ["The keeper has:", "a bell"]),
        ([5, 4], ["The keeper has:", "a bell", "a horn"]),
        ([3, 1, 1], ["The Kell lighthouse was built in **1811**.", "The keeper has:"]),
        ([0, 3], ["Kell", "The keeper has:"]),
    ],
)
def test_evidence_is_in_order_whole_and_once(numbers, texts):
    assert [piece.text for piece in only(proposal(sentences=numbers)).evidence] == texts


def test_a_heading_counts_as_no_passage_and_is_evidence_where_its_chunk_is():
    text = "# Kell\n\n" + "The tower of the lighthouse is white and high. " * 40 + "\n\nIts lamp was lit in 1811.\n"
    corpus = corpus_of({"kell.md": text}, size=150)
    first, *_, last = corpus.chunks_of("kell.md")
    shown = numbered(corpus, [section_of(corpus, one.chunk_id) for one in (first, last)])
    material = material_of(corpus)
    lit = next(number for number, line in enumerate(shown.lines) if "1811" in line.text)
    assert shown.lines[shown.firsts[1]].text == "Kell"
    sample = only(proposal(sentences=[shown.firsts[1], lit]), shown=shown, material=material)
    assert [piece.text for piece in sample.evidence] == ["Its lamp was lit in 1811."]
    sample = only(proposal(sentences=[0, 1]), shown=shown, material=material)
    assert sample.evidence[0].text == "Kell"
    _, (refused,) = taken(across([lit], [0]), shown=shown, material=material)
    assert refused.reason == "its evidence is in a single passage, but its type is 'multi_context'"


@pytest.mark.parametrize(
    ("made", "stage", "reason"),
    [
        (proposal(sentences=[8]), "evidence", "not shown: [8]"),
        (proposal(sentences=[0, -1]), "evidence", "no sentence"),
        (proposal(sentences=[]), "evidence", "no sentence"),
        (proposal(question=" ?"), "proposed", "empty"),
        (proposal(answer="."), "proposed", "empty"),
        (proposal(answer="a long list " * 40), "proposed", "the answer is cut off at 400"),
        (proposal(question="Is it " * 100), "proposed", "the question is cut off at 500"),
        (across([1], [2]), "evidence", "in a single passage"),
        (proposal(type="reasoning", sentences=[1, 7]), "evidence", "in several passages, but its type is 'reasoning'"),
    ],
)
def test_what_is_no_sample_is_refused_with_a_reason(made, stage, reason):
    samples, (refused,) = taken(made)
    assert samples == []
    assert refused.stage == stage
    assert reason in refused.reason


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
@pytest.mark.parametrize("name", ["proposals/propose", "proposals/across", "proposals/evolve"])
def test_the_longest_texts_are_those_of_the_schemas(name, language):
    fields = load(name, language).schema["properties"]["candidates"]["items"]["properties"]
    assert {field: fields[field]["maxLength"] for field in LONGEST} == LONGEST


def test_evidence_of_two_passages_is_enough_for_several():
    sample = only(across([1], [7]))
    assert sample.question_type == "multi_context"
    assert [piece.doc_id for piece in sample.evidence] == ["kell.md", "maro.md"]
    first, second = sample.metadata["sub_questions"]
    kell, maro = sample.evidence
    assert first == {"question": "hop 0?", "answer": "0", "evidence": [["kell.md", kell.start, kell.end]]}
    assert second["evidence"] == [["maro.md", maro.start, maro.end]]


def test_the_same_question_twice_is_one_and_the_others_stay():
    again, other = proposal("when was the  Kell lighthouse built?", "in 1811"), proposal("Where does it stand?", "reef")
    samples, refused = taken(proposal(), proposal(sentences=[99]), again, other)
    assert [sample.golden_answers[0] for sample in samples] == ["1811", "reef"]
    assert [one.reason for one in refused][1:] == ["the same question was proposed twice"]


@pytest.mark.parametrize("otherwise", ["", "in 1811"])
def test_a_condition_on_which_nothing_turns_makes_a_question_simple(otherwise):
    sample = only(proposal(condition="if lit", otherwise=otherwise, type="conditional", answer="In 1811"))
    assert sample.question_type == "simple"
    assert not {"condition", "otherwise"} & sample.metadata.keys()


def test_what_a_reply_says_besides_is_kept_and_tidied():
    sample = only(
        proposal(
            "  When was\nit built?",
            "In 1811.",
            condition=" if  lit ",
            otherwise=" In  1833.",
            reckoning="1833 - 1811",
            type="conditional",
        ),
        style="formal",
    )
    assert (sample.question, sample.golden_answers) == ("When was it built?", ("In 1811",))
    assert sample.metadata["condition"] == "if lit"
    assert sample.metadata["otherwise"] == "In 1833."
    assert sample.metadata["reckoning"] == "1833 - 1811"
    assert sample.metadata["style"] == "formal"
    assert only(proposal("凯尔灯塔建于哪一年?"), language="zh-Hans").question == "凯尔灯塔建于哪一年？"


def test_a_child_has_the_lineage_of_its_parent():
    parent = only(proposal())
    child = evolved(only(proposal("How old is it?", "22", [1, 2])), parent, "deepen")
    grandchild = evolved(only(proposal("Where is it?", "reef", [2])), child, "constrain")
    assert grandchild.evolutions == ("deepen", "constrain")
    first, second = grandchild.lineage
    assert first["move"] == "deepen"
    piece = parent.evidence[0]
    assert first["parents"] == [
        {
            "id": parent.id,
            "question": parent.question,
            "golden_answers": ["1811"],
            "evidence": [["kell.md", piece.start, piece.end]],
        }
    ]
    assert second["parents"][0]["question"] == "How old is it?"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            {"question": "When was the KELL lighthouse built"},
            "asks the same as the question that it was developed from",
        ),
        ({"question": "In which year was Kell built?"}, "the answer and the evidence"),
        ({"question": "Which?", "evidence": ()}, "the answer and the evidence"),
        ({"question": "Which?", "question_type": "reasoning"}, ""),
        ({"question": "Which?", "golden_answers": ("1833",)}, ""),
    ],
)
def test_a_child_is_another_question_than_its_parent(change, reason):
    parent = only(proposal())
    found = adds_nothing(replace(parent, **change), parent, "constrain")
    assert reason in found
    assert bool(found) == bool(reason)


def test_further_evidence_makes_another_question():
    parent = only(proposal())
    assert adds_nothing(only(proposal("Which year was it?", "1811", [1, 3])), parent, "constrain") == ""


def test_other_words_alone_are_enough_for_a_rewording():
    parent = only(proposal())
    child = replace(parent, question="How long has that light been there?")
    assert adds_nothing(child, parent, "constrain")
    assert adds_nothing(child, parent, "reword") == ""


def test_what_is_refused_knows_no_sample_where_there_is_none():
    assert taken(proposal(sentences=[99]))[1] == [
        RejectedProposal("evidence", "it cites no sentence, or sentence numbers that were not shown: [99]", None)
    ]
