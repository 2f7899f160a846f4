"""The grammar's operators on our own corpora: right by construction, and made again from their lineage."""

from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest

from synth import derivation
from synth.evolutions.base import Eliminated, Evolution
from synth.generating import trial_material
from synth.plugins import discover
from synth.progress import Silent
from synth.records import Scenario
from synth.settings import Settings
from synth.text.markup import plain
from synth.writer import Writer

CORPORA = Path(__file__).parents[2] / "corpora"
OPERATORS = discover("synth.evolutions", Evolution)


@pytest.fixture(scope="module", params=["en", "zh"])
def world(request, tmp_path_factory):
    settings = Settings(workspace=str(tmp_path_factory.mktemp("workspace")))
    with trial_material([str(CORPORA / request.param)], settings, Silent()) as material:
        yield material


def children(world, most=12):
    """Children of every operator with the scenarios that they come from."""
    for name, part in OPERATORS.items():
        operator = part()
        made = ((scenario, ended(operator.write(scenario, world))) for scenario in operator.plan(world))
        kept = ((scenario, written.samples[0]) for scenario, written in made if written.samples)
        for scenario, sample in islice(kept, most):
            yield name, operator, scenario, sample


def ended(steps):
    """What a generator that asks nothing returns."""
    with pytest.raises(StopIteration) as end:
        next(steps)
    return end.value.value


def test_there_are_children_to_look_at(world):
    made = {name for name, *_ in children(world, 1)}
    assert made, "no operator has found anything in our own corpus"


def test_the_steps_of_every_child_lead_to_its_answer(world):
    for name, _, _, sample in children(world):
        texts = [plain(piece.text, markdown=True).text for piece in sample.evidence]
        titles = [f"{world.graph.document(piece.doc_id).title} {piece.text}" for piece in sample.evidence]
        fault = derivation.fault(sample.steps, texts, sample.golden_answers[0], sample.language, titles)
        assert not fault, (name, sample.question, fault)


def test_every_child_is_made_again_from_what_its_lineage_says(world):
    for name, operator, scenario, sample in children(world):
        (made,) = sample.lineage
        assert (made["operator"], sample.evolutions) == (name, (name,))
        again = Scenario(
            scenario_id="another",
            synthesizer=made["operator"],
            question_type=sample.question_type,
            chunk_ids=scenario.chunk_ids,
            language=sample.language,
            seed=1,
            slot=made["slot"],
            path=tuple(made["path"]),
        )
        parents = operator.parents(again, world)
        assert [parent.question for parent in parents] == [parent["question"] for parent in made["parents"]]
        child = operator.evolve(parents, again, world)
        assert not isinstance(child, Eliminated)
        assert replace(child, evolutions=sample.evolutions, lineage=sample.lineage) == sample


def test_a_child_differs_from_its_parents(world):
    for name, _, _, sample in children(world):
        for parent in sample.lineage[0]["parents"]:
            assert parent["question"] != sample.question, name
            evidence = [[piece.doc_id, piece.start, piece.end] for piece in sample.evidence]
            assert evidence != parent["evidence"] or list(sample.golden_answers) != parent["golden_answers"], name


def test_what_takes_several_documents_has_them(world):
    for name, _, _, sample in children(world):
        if sample.question_type == "multi_context":
            assert len({piece.doc_id for piece in sample.evidence}) > 1, name


def test_a_scenario_says_which_sentences_are_to_be_its_evidence(world):
    for name, _, scenario, sample in children(world):
        assert set(scenario.sentences) == {(piece.doc_id, piece.start) for piece in sample.evidence}, name


@pytest.mark.parametrize("writer", ["grammar_simple", "grammar_facts", "grammar_conditional", "grammar_rules"])
def test_so_does_that_of_a_question_that_was_not_evolved(world, writer):
    part = discover("synth.synthesizers", Writer)[writer]()
    for scenario in islice(part.plan(world), 40):
        for sample in part.write(scenario, world).samples:
            assert scenario.sentences == tuple((piece.doc_id, piece.start) for piece in sample.evidence)
