"""The operators of the chat author: one call for a child, every quotation located, lineage that replays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from synth.derivation import READ
from synth.evolutions import chat_focus
from synth.evolutions.base import Evolution
from synth.evolutions.chat_base import ChatEvolution
from synth.plugins import discover
from synth.records import Evidence, Fact, Sample, Scenario, Term
from tests.evolutions.made import LANGUAGES, drive, of, scenario_of, world
from tests.evolutions.replies import GOOD

ROOT = Path(__file__).parents[2]
OPERATORS = {
    name: part for name, part in discover("synth.evolutions", Evolution).items() if issubclass(part, ChatEvolution)
}
KINDS = {
    "chat_reason": "reasoning",
    "chat_condition": "conditional",
    "chat_hypothesise": "conditional",
    "chat_constrain": "simple",
    "chat_concretise": "simple",
    "chat_sibling": "simple",
    "chat_compose": "multi_context",
    "chat_compare": "multi_context",
}


def made(name, language):
    writer, material = OPERATORS[name](), world(language)
    scenario = planned(writer, material)
    written, calls = drive(writer.write(scenario, material), of(GOOD[name], language))
    return writer, material, scenario, written, calls


def planned(writer, material):
    """The scenario that begins in the passage of the Kell lighthouse; the comparison begins wherever it may."""
    found = [one for one in writer.plan(material) if one.chunk_ids[0] == "c-kell"]
    return max(found or writer.plan(material), key=lambda one: one.worth)


def test_every_operator_is_here():
    assert {name: part.question_type for name, part in OPERATORS.items()} == KINDS
    assert {part.author for part in OPERATORS.values()} == {"chat"}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_good_reply_is_a_row_with_its_steps_and_its_evidence(name, language):
    _, material, scenario, written, calls = made(name, language)
    assert len(calls) == 1, "the parent costs nothing, the child one call"
    assert calls[0].purpose == f"evolutions/{name.removeprefix('chat_')}"
    (sample,) = written.samples
    reply = of(GOOD[name], language)
    assert (sample.question, sample.golden_answers) == (reply["question"], (reply["answer"],))
    assert (sample.question_type, sample.language) == (KINDS[name], language)
    for piece in sample.evidence:
        assert material.graph.document(piece.doc_id).text[piece.start : piece.end] == piece.text
        sentences = material.readings[piece.doc_id].sentences
        assert piece.start in {s.start for s in sentences}, "whole sentences"
        assert piece.end in {s.end for s in sentences}, "whole sentences"
    if name != "chat_sibling":
        assert len(sample.steps) >= 2
        for step in sample.steps:
            assert all(step.value in sample.evidence[n].text for n in step.evidence)
            assert (step.operation == READ) == bool(step.evidence)
    assert sample.evolutions == (name,)
    assert sample.provenance["prompts"]
    if KINDS[name] == "multi_context":
        assert (
            {piece.doc_id for piece in sample.evidence}
            == {"kell", "brandt"}
            == {material.graph.chunk(c).doc_id for c in scenario.chunk_ids}
        )


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_child_is_rebuilt_from_its_lineage(name, language):
    writer, material, _, written, _ = made(name, language)
    (sample,) = written.samples
    (record,) = sample.lineage
    assert record["operator"] == name
    parents = tuple(parent_of(one, sample, material) for one in record["parents"])
    pieces = [piece for parent in parents for piece in parent.evidence] + list(sample.evidence)
    scenario = Scenario(
        scenario_id="again",
        synthesizer=name,
        question_type=sample.question_type,
        chunk_ids=tuple(dict.fromkeys(piece.chunk_id for piece in pieces)),
        language=language,
        seed=99,
        slot=record["slot"],
        path=tuple(record["path"]),
    )
    child, _ = drive(writer.evolve(parents, scenario, material), of(GOOD[name], language))
    for part in ("question", "golden_answers", "evidence", "steps", "question_type", "provenance"):
        assert getattr(child, part) == getattr(sample, part), part


def parent_of(record, sample, material):
    evidence = tuple(
        Evidence(
            doc_id=doc_id,
            doc_hash=material.graph.document(doc_id).content_hash,
            chunk_id=material.graph.chunk_at(doc_id, start).chunk_id,
            start=start,
            end=end,
            text=material.graph.document(doc_id).text[start:end],
        )
        for doc_id, start, end in record["evidence"]
    )
    return Sample(
        question=record["question"],
        golden_answers=tuple(record["golden_answers"]),
        evidence=evidence,
        question_type="simple",
        language=sample.language,
    )


def test_the_bridge_rests_on_the_name_and_the_last_step_on_the_bridge():
    *_, written, _ = made("chat_compose", "en")
    first, last = written.samples[0].steps
    assert (first.value, last.value, last.of) == ("the Kell lighthouse", "1811", (0,))


def test_a_plan_is_the_same_whatever_the_seed_of_hashes():
    code = (
        "from tests.evolutions.test_chat_operators import OPERATORS, world\n"
        "print([s for n in OPERATORS for l in ('en', 'zh-Hans') for s in OPERATORS[n]().plan(world(l))])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(said) == 1
    assert "chat_compose" in said.pop()


@pytest.mark.parametrize("name", KINDS)
def test_ids_of_scenarios_differ_and_worth_is_a_share(name):
    found = list(OPERATORS[name]().plan(world("en")))
    assert len({one.scenario_id for one in found}) == len(found) > 0
    assert all(0 <= one.worth <= 1 for one in found)


def test_no_scenario_begins_where_no_condition_is_stated():
    material = world("en")
    for name in ("chat_condition", "chat_hypothesise"):
        assert [one.slot for one in OPERATORS[name]().plan(material) if one.chunk_ids == ("c-kell",)] == [2]
        assert not [one for one in OPERATORS[name]().plan(material) if one.chunk_ids == ("c-brandt",)]


def test_where_the_grammar_has_nothing_the_parent_takes_a_call_and_is_handed_back():
    writer, material = OPERATORS["chat_reason"](), world("en", drafts=False, orders=False)
    scenario = scenario_of(writer, material)
    parent = {"quote": "The Kell lighthouse was built in 1811.", "question": "How old is Kell?", "answer": "1811"}
    bad = {**GOOD["chat_reason"]["en"], "answer": "23 years"}
    written, calls = drive(writer.write(scenario, material), parent, bad)
    assert [call.purpose for call in calls] == ["synthesizers/simple", "evolutions/reason"]
    assert written.samples == ()
    assert [sample.question for sample in written.spare] == ["How old is Kell?"]


def test_a_parent_that_cannot_be_had_ends_it_without_another_call():
    writer, material = OPERATORS["chat_reason"](), world("en", drafts=False, orders=False)
    parent = {"quote": "Nobody wrote this.", "question": "How old is Kell?", "answer": "1811"}
    written, calls = drive(writer.write(scenario_of(writer, material), material), parent)
    assert len(calls) == 1
    assert "no simple question" in written.given_up[0][1]


class Words:
    """Composes one question, on facts with a time."""

    def when(self, fact):
        return "When was the Maro lighthouse built?"


def test_a_fact_of_the_passage_gives_the_parent_where_no_draft_does(monkeypatch):
    material = world("en", drafts=False)
    text = material.graph.document("kell").text
    start = text.index("The Maro")
    year = text.index("1833")
    subject = Term(text="the Maro lighthouse", start=start, end=start + 19)
    time = Term(text="1833", start=year, end=year + 4, kind="time")
    fact = Fact(doc_id="kell", spans=((start, year + 5),), subject=subject, relation="be built", qualifiers=(time,))
    material.graph.add_fact(fact, "c-kell")
    monkeypatch.setattr(chat_focus, "compositions", lambda language: Words())
    writer = OPERATORS["chat_reason"]()
    scenario = next(one for one in writer.plan(material) if one.chunk_ids == ("c-kell",))
    written, calls = drive(writer.write(scenario, material), GOOD["chat_reason"]["en"])
    assert len(calls) == 1
    (parent,) = written.samples[0].lineage[0]["parents"]
    assert parent == {
        "question": "When was the Maro lighthouse built?",
        "golden_answers": ["1833"],
        "evidence": [["kell", start, year + 5]],
    }
