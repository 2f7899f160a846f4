"""Simple questions: which drafts are asked, and in what order."""

from dataclasses import replace

from synth.core.records import digest
from synth.generation.admission import QuestionMix, RowLimits, TextShares
from synth.generation.synthesizers.grammar_drafts import ALIKE_STEP, JITTER, GrammarSimple
from tests.synthesizers.made import corpus_of, material_of

ROW = "The gate of the mill has two wheels."
ASKED = ("How many wheels does the gate of the mill have?", "two", 0)


def planned(texts, asked, change=lambda draft: draft):
    material = material_of(corpus_of(texts), asked)
    changed = replace(material, drafts=lambda doc_id: [change(draft) for draft in material.drafts(doc_id)])
    return list(GrammarSimple().plan(changed)), changed


def test_a_passage_of_two_documents_is_asked_about_in_the_first():
    found, _ = planned({"a": ROW, "b": ROW}, {"a": [ASKED], "b": [ASKED]})
    assert [scenario.chunk_ids for scenario in found] == [(f"c-{digest('a')[:16]}",)]


def test_a_passage_of_two_documents_is_left_alone_when_the_question_names_the_document():
    north, south = ("How many wheels has North Mill?", "two", 0), ("How many wheels has South Mill?", "two", 0)
    assert planned({"a": ROW, "b": ROW}, {"a": [north], "b": [south]})[0] == []


def test_a_draft_without_worth_only_tells_that_there_is_another_answer():
    assert planned({"a": ROW}, {"a": [ASKED]}, lambda draft: replace(draft, worth=0.0))[0] == []
    other = (ASKED[0], "three", 0)
    texts = {"a": ROW, "b": "The gate of the mill has three wheels."}
    assert planned(texts, {"a": [ASKED], "b": [other]})[0] == []


def test_drafts_of_one_construction_give_way_to_others():
    texts = {"a": " ".join(f"The gate number {n} of the mill has two wheels." for n in range(3))}
    found, _ = planned(texts, {"a": [(f"How many wheels does gate {n} have?", "two", n) for n in range(3)]})
    first, _, last = (scenario.worth for scenario in found)
    assert 2 * ALIKE_STEP - JITTER <= first - last <= 2 * ALIKE_STEP + JITTER


def test_of_drafts_that_are_worth_the_same_each_seed_asks_another_first():
    texts = {"a": " ".join(f"The gate number {n} of the mill has two wheels." for n in range(20))}
    asked = {"a": [(f"How many wheels does gate {n} have?", "two", n) for n in range(20)]}
    first = {
        max(
            GrammarSimple().plan(material_of(corpus_of(texts), asked, seed=seed)), key=lambda scenario: scenario.worth
        ).slot
        for seed in range(10)
    }
    assert len(first) > 3


def test_only_the_piece_that_tells_the_answer_is_taken_by_a_question():
    texts = {"a": "Gate | Wheels. North | two. South | three."}
    heads = {"a": [("How many wheels has North?", "two", 1), ("How many wheels has South?", "three", 2)]}
    found, material = planned(texts, heads, lambda draft: replace(draft, spans=((0, 14), *draft.spans)))
    ordered = sorted(found, key=lambda scenario: scenario.slot)
    north, south = (GrammarSimple().write(scenario, material).samples[0] for scenario in ordered)
    assert [piece.text for piece in north.evidence] == ["Gate | Wheels.", "North | two."]
    room = RowLimits(TextShares({"a": 1}), QuestionMix())
    room.take(north)
    assert room.full(south) == ""
    assert room.full(north) == "another question already uses this evidence"
